package interp

import (
	"math"

	"rokrig/compiler/types"
)

// compiler makes the closures of a program. The fields of the second group belong to the function at hand.
type compiler struct {
	m       *Machine
	widths  []int32 // by TypeID: 1 + words of a value; 0 when not yet known
	offsets []int   // by GlobalID: the first word in Machine.globals
	queue   []*types.Func
	strings map[string]uint64

	fn      *types.Func
	slots   []slot // by LocalID
	loops   []loopState
	ready   []bool // by GlobalID: main's closures up to here initialise it
	top     int    // slots in use
	peak    int    // the largest top
	level   int    // nesting of closures
	highest int    // the largest level
	region  int    // of the nodes at hand
	depth   int    // loops around the expression at hand
	// escape is the depth of the outermost loop that the expression at hand may leave or continue, 0 when it may leave
	// the function, noEscape when it does neither.
	escape int
}

// noEscape is an escape that leaves nothing.
const noEscape = math.MaxInt

// loopState is what break and continue need to know of a loop.
type loopState struct {
	depth  int  // loops around it, itself included
	result dest // where a break leaves its value
}

// dest says where a value of several words goes: to a slot and those behind it, or nowhere.
type dest int

// drop is the dest of a value that nothing wants.
const drop dest = -1

// compile fills m's functions, starting from main and following references, so that what is never mentioned costs
// nothing.
func compile(m *Machine) {
	p := m.program
	n := p.Table.Len()
	c := &compiler{m: m, widths: make([]int32, n), strings: map[string]uint64{}}
	m.funcs = append(m.funcs[:0], make([]function, len(p.Funcs))...)
	c.layGlobals()
	m.main = c.function(p.Main)
	for len(c.queue) > 0 {
		fn := c.queue[len(c.queue)-1]
		c.queue = c.queue[:len(c.queue)-1]
		c.compileFunc(fn)
	}
	if need := m.opts.MaxStack/frameCharge + frameWords; len(m.stack) < need {
		m.stack = make([]uint64, need)
	}
}

// layGlobals gives every global its words and notes the initial values of statics.
func (c *compiler) layGlobals() {
	m := c.m
	c.offsets = make([]int, len(m.program.Globals))
	c.ready = make([]bool, len(m.program.Globals))
	size := 0
	for i, g := range m.program.Globals {
		c.offsets[i] = size
		if g.Static {
			c.staticWords(g.Init, size)
		}
		size += c.width(g.Type)
	}
	m.globals = append(m.globals[:0], make([]uint64, size)...)
	m.initialised = append(m.initialised[:0], make([]bool, len(m.program.Globals))...)
}

// staticWords notes the words of a static's initialiser, which stand from at on.
func (c *compiler) staticWords(e types.Expr, at int) {
	switch e := e.(type) {
	case *types.Const:
		if c.width(e.Typ) == 1 {
			c.m.statics = append(c.m.statics, staticWord{at, c.constant(e)})
		}
	case *types.TupleExpr:
		for _, x := range e.Elems {
			c.staticWords(x, at)
			at += c.width(x.Type())
		}
	default:
		c.unexpected(e)
	}
}

// function returns fn's entry and sees to it that its closures are made.
func (c *compiler) function(fn *types.Func) *function {
	f := &c.m.funcs[fn.ID]
	if !f.known {
		f.known = true
		c.queue = append(c.queue, fn)
		f.params = slot(resultSlot + c.width(fn.Result()))
	}
	return f
}

// compileFunc makes the closures of fn.
func (c *compiler) compileFunc(fn *types.Func) {
	f := c.function(fn)
	c.fn, c.top, c.peak, c.level, c.highest, c.escape = fn, resultSlot, resultSlot, 0, 0, noEscape
	result := c.temp(c.width(fn.Result()))
	c.slots = append(c.slots[:0], make([]slot, len(fn.Locals))...)
	for i, local := range fn.Locals {
		c.slots[i] = c.temp(c.width(local.Type))
	}
	c.loops = append(c.loops[:0], make([]loopState, fn.Loops)...)
	count := c.takeRegion(otherRegion)
	if c.width(fn.Result()) == 1 {
		f.run = c.word(fn.Body)
	} else {
		body := c.exec(fn.Body, dest(result))
		f.run = func(fr *frame) uint64 { body(fr); return 0 }
	}
	f.count = count
	f.size = c.peak
	f.cost = frameCharge*c.peak + stackPerClosure*c.highest
}

// temp reserves n words of the frame.
func (c *compiler) temp(n int) slot {
	if c.top+n > frameWords {
		c.m.tooWide = true
		return resultSlot
	}
	s := c.top
	c.top += n
	c.peak = max(c.peak, c.top)
	return slot(s)
}

// takeRegion starts a new region, which the nodes at hand are in from now on, and returns its counter.
func (c *compiler) takeRegion(kind regionKind) *uint64 { return &c.takeRegions(1, kind)[0] }

// takeRegions returns the counters of n new regions in a row; the first one is the region at hand.
func (c *compiler) takeRegions(n int, kind regionKind) []uint64 {
	c.region = len(c.m.kinds)
	for range n {
		c.m.kinds = append(c.m.kinds, kind)
	}
	return c.m.counters.take(n)
}

// observe reports that n is in the region at hand.
func (c *compiler) observe(n Node) {
	if c.m.opts.Observe != nil {
		c.m.opts.Observe(c.region, n)
	}
}

// mutant reports whether the interpreter's mutant of that name is on.
func (c *compiler) mutant(name string) bool {
	return c.m.opts.Mutant != nil && c.m.opts.Mutant(name)
}

// unexpected is called for a node that the checker must not let through.
func (c *compiler) unexpected(n Node) {
	at := c.m.program.Source.Position(n.Where().Start)
	panic(unexpectedNode{n, at.Line, at.Col})
}

// enter is called for each nested closure; its result is called behind it.
func (c *compiler) enter() {
	c.level++
	c.highest = max(c.highest, c.level)
}

func (c *compiler) leave() { c.level-- }

// width returns how many words a value of type t takes: at most types.MaxTupleParts.
func (c *compiler) width(t *types.Type) int {
	switch t.Kind {
	case types.Unit, types.Never:
		return 0
	case types.Range, types.RangeInclusive:
		return 2
	case types.Tuple:
		return c.tupleWidth(t)
	}
	return 1
}

func (c *compiler) tupleWidth(t *types.Type) int {
	if w := c.widths[t.ID]; w > 0 {
		return int(w - 1)
	}
	words := 0
	for _, part := range t.Args {
		words += c.width(part)
	}
	c.widths[t.ID] = int32(words + 1)
	return words
}

// constant returns the word of a constant.
func (c *compiler) constant(e *types.Const) uint64 {
	if e.Typ.Kind == types.Str {
		return c.stringWord(e.Str)
	}
	return e.Bits
}
