package interp

import (
	"bytes"
	"fmt"

	"rokrig/compiler/source"
	"rokrig/compiler/types"
)

// A str is one word: the offset of its first byte in Machine.text in the upper half, its length in the lower. Every
// literal's bytes stand there, and a slice points into them.

// spareText is the first byte of Machine.text: what an empty str that is perturbed becomes.
const spareText = '~'

func packText(offset, size int) uint64 { return uint64(offset)<<32 | uint64(uint32(size)) }

func textLen(w uint64) int64 { return int64(uint32(w)) }

// bytesOf returns the bytes of a str, which must not be changed.
func (m *Machine) bytesOf(w uint64) []byte {
	start := w >> 32
	return m.text[start : start+uint64(uint32(w))]
}

// stringWord returns the word of a literal; equal literals share their bytes.
func (c *compiler) stringWord(s string) uint64 {
	if w, ok := c.strings[s]; ok {
		return w
	}
	w := packText(len(c.m.text), len(s))
	c.m.text = append(c.m.text, s...)
	c.strings[s] = w
	return w
}

// boundsMessage is the panic of an index or of a slice's bound.
func boundsMessage(length, index int64) string {
	return fmt.Sprintf("index out of bounds: the length is %d but the index is %d", length, index)
}

func (c *compiler) strIndex(e *types.StrIndex) word {
	m, at := c.m, e.Bracket
	x, i, before := c.operands2(e.X, e.I)
	s, index := x.word(), i.word()
	return before.word(func(fr *frame) uint64 {
		text := s(fr)
		i := index(fr)
		if i >= uint64(textLen(text)) {
			m.panicAt(at, boundsMessage(textLen(text), int64(i)))
		}
		return uint64(m.text[text>>32+i])
	})
}

func (c *compiler) strSlice(e *types.StrSlice) word {
	ops, before := c.operandList(e.X, e.Lo, e.Hi)
	s, lo, hi := ops[0].word(), ops[1].word(), ops[2].word()
	m, at := c.m, e.Bracket
	return before.word(func(fr *frame) uint64 {
		text := s(fr)
		a := int64(lo(fr))
		b := int64(hi(fr))
		return m.slice(text, a, b, at)
	})
}

// slice returns text[a..b].
func (m *Machine) slice(text uint64, a, b int64, at source.Pos) uint64 {
	n := textLen(text)
	if a < 0 || a > n {
		m.panicAt(at, boundsMessage(n, a))
	}
	if b < a || b > n {
		m.panicAt(at, boundsMessage(n, b))
	}
	return packText(int(text>>32)+int(a), int(b-a))
}

func (c *compiler) length(e *types.Len) word {
	x, before := c.operand1(e.X)
	s := x.word()
	return before.word(func(fr *frame) uint64 { return uint64(textLen(s(fr))) })
}

// compareText compares two strs by their bytes.
func (m *Machine) compareText(a, b uint64) int { return bytes.Compare(m.bytesOf(a), m.bytesOf(b)) }

func (m *Machine) equalText(a, b uint64) bool {
	return a == b || bytes.Equal(m.bytesOf(a), m.bytesOf(b))
}
