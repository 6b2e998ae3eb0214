package interp

import (
	"fmt"

	"rokrig/oracle/outcome"
)

// frameWords is the size of the window through which a function sees its frame. Slots are uint16, so that Go needs no
// bounds check to use one.
const frameWords = 1 << 16

// frame is a function's frame: word 0 is the control word, then come the words of the result, the parameters, the
// locals and the temporaries.
type frame [frameWords]uint64

// slot is the place of a word in its frame.
type slot = uint16

// The control word's values: 0 while control flows normally, ctlReturn after a return, and two values a loop.
const (
	ctlNormal = 0
	ctlReturn = 1
)

func ctlBreak(loop int) uint64    { return uint64(2 + 2*loop) }
func ctlContinue(loop int) uint64 { return uint64(3 + 2*loop) }

// resultSlot is where a return leaves the result's first word.
const resultSlot = 1

// The three kinds of closures. What a word or a test returns means nothing while the control word is set.
type (
	word func(fr *frame) uint64
	test func(fr *frame) bool
	exec func(fr *frame)
)

// function is a Rok function ready to run.
type function struct {
	run    word // returns the result if it is one word
	params slot // of the first parameter's first word
	size   int  // words of the frame
	// cost is what a call takes from MaxStack, in words: the frame times frameCharge, and the Go stack that the deepest
	// nesting of its closures takes.
	cost  int
	count *uint64 // its region
	known bool    // closures were made, or are being made
}

// frameCharge is what a word of a frame counts for: a naive back end keeps every temporary in memory, and more than once,
// so that a program that is far from MaxStack here is far from the end of its stack there.
const frameCharge = 4

// stackPerClosure is how many words of Go stack a level of nested closures takes, at most; TestGoStack measures it.
const stackPerClosure = 24

// push makes the frame of a call to f.
func (m *Machine) push(f *function) *frame {
	m.polls++
	if m.left--; m.left < 0 {
		m.pause()
	}
	if m.depth++; m.depth > m.deepest {
		m.deepest = m.depth
		if m.depth > m.opts.MaxDepth {
			m.overflow(fmt.Sprintf("%d calls", m.opts.MaxDepth))
		}
	}
	if m.room -= f.cost; m.room < m.least {
		m.least = m.room
		if m.room < 0 {
			m.overflow(fmt.Sprintf("%d words", m.opts.MaxStack))
		}
	}
	fr := (*frame)(m.stack[m.sp:])
	m.sp += f.size
	fr[0] = ctlNormal
	return fr
}

func (m *Machine) overflow(limit string) {
	m.stop(outcome.Outcome{Kind: outcome.OutOfStack, Detail: limit})
}

// pop takes the frame of f off. Its words stay readable until the next push.
func (m *Machine) pop(f *function) {
	m.sp -= f.size
	m.depth--
	m.room += f.cost
	*f.count++
}

// result returns the words of the frame that was popped last.
func (m *Machine) result(n int) []uint64 { return m.stack[m.sp+resultSlot : m.sp+resultSlot+n] }

// regionKind tells the regions that Statements counts from the others.
type regionKind uint8

const (
	otherRegion regionKind = iota
	statementRegion
)

// counters are the counters of the regions. Closures hold pointers to them, so they are made in chunks that never move.
type counters struct {
	chunks [][]uint64 // len is what is used
	used   int        // chunks in use
	list   []uint64   // what flat returns
}

// chunkSize is the size of a chunk, but for regions that need more of them in a row.
const chunkSize = 512

func (c *counters) reset() {
	for i := range c.chunks {
		c.chunks[i] = c.chunks[i][:0]
	}
	c.used = 0
}

// take returns n counters in a row. Regions are numbered in the order in which their counters are taken.
func (c *counters) take(n int) []uint64 {
	for {
		if c.used == len(c.chunks) {
			c.chunks = append(c.chunks, make([]uint64, 0, max(n, chunkSize)))
		}
		last := c.chunks[c.used]
		if len(last)+n <= cap(last) {
			c.chunks[c.used] = last[:len(last)+n]
			return last[len(last) : len(last)+n : len(last)+n]
		}
		c.used++
	}
}

func (c *counters) zero() {
	for _, chunk := range c.chunks {
		clear(chunk)
	}
}

func (c *counters) flat() []uint64 {
	c.list = c.list[:0]
	for _, chunk := range c.chunks {
		c.list = append(c.list, chunk...)
	}
	return c.list
}
