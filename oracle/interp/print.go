package interp

import (
	"strconv"

	"rokrig/compiler/types"
	"rokrig/oracle/outcome"
)

// piece is a part of what a print writes: a text, or a value of one word.
type piece struct {
	text string // when kind is Invalid
	kind types.Kind
	at   slot
}

// print makes the closure of `print`: all arguments are evaluated before anything is written.
func (c *compiler) print(e *types.Print) exec {
	m := c.m
	if len(e.Args) == 1 && c.isScalar(e.Args[0].Type()) {
		x, before := c.operand1(e.Args[0])
		w, kind := x.word(), e.Args[0].Type().Kind
		return before.exec(func(fr *frame) {
			v := w(fr)
			m.out = m.appendWord(m.out, kind, v)
			m.endLine()
		})
	}
	n := 0
	for _, a := range e.Args {
		n += c.width(a.Type())
	}
	t := c.temp(n)
	args := c.sequence(e.Args, dest(t))
	var pieces []piece
	for i, a := range e.Args {
		if i > 0 {
			pieces = addText(pieces, " ")
		}
		pieces, t = c.pieces(pieces, a.Type(), t)
	}
	return prelude(args).exec(func(fr *frame) {
		for i := range pieces {
			if p := &pieces[i]; p.kind == types.Invalid {
				m.out = append(m.out, p.text...)
			} else {
				m.out = m.appendWord(m.out, p.kind, fr[p.at])
			}
		}
		m.endLine()
	})
}

// isScalar reports whether a value of type t is one word and no tuple around one.
func (c *compiler) isScalar(t *types.Type) bool { return t.Kind != types.Tuple && c.width(t) == 1 }

// pieces appends what is written for a value of type t at s, and returns the slot behind it.
func (c *compiler) pieces(list []piece, t *types.Type, s slot) ([]piece, slot) {
	switch t.Kind {
	case types.Unit:
		return addText(list, "()"), s
	case types.Never:
		return list, s
	case types.Tuple:
		list = addText(list, "(")
		for i, part := range t.Args {
			if i > 0 {
				list = addText(list, ", ")
			}
			list, s = c.pieces(list, part, s)
		}
		if len(t.Args) == 1 {
			list = addText(list, ",")
		}
		return addText(list, ")"), s
	}
	return append(list, piece{kind: t.Kind, at: s}), s + 1
}

// addText appends a text, to the last piece if that is one.
func addText(list []piece, text string) []piece {
	if n := len(list); n > 0 && list[n-1].kind == types.Invalid {
		list[n-1].text += text
		return list
	}
	return append(list, piece{text: text})
}

// appendWord appends a value of one word the way print writes it.
func (m *Machine) appendWord(out []byte, kind types.Kind, w uint64) []byte {
	switch {
	case kind.IsSigned():
		return strconv.AppendInt(out, int64(w), 10)
	case kind.IsInt():
		return strconv.AppendUint(out, w, 10)
	case kind == types.F64:
		return AppendFloat(out, float64Of(w), 64)
	case kind == types.F32:
		return AppendFloat(out, float64(float32Of(w)), 32)
	case kind == types.Str:
		return append(out, m.bytesOf(w)...)
	}
	return strconv.AppendBool(out, w != 0)
}

// endLine ends what a print writes and looks at the limit.
func (m *Machine) endLine() {
	m.out = append(m.out, '\n')
	if len(m.out) > m.opts.MaxOutput {
		m.out = m.out[:m.opts.MaxOutput]
		m.stop(outcome.Outcome{Kind: outcome.OutputLimit, Detail: strconv.Itoa(m.opts.MaxOutput) + " bytes"})
	}
}
