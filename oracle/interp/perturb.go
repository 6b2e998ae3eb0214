package interp

import (
	"rokrig/compiler/types"
)

// Perturb changes one value of a run, to measure whether a wrong value there would show: evaluations of expressions that
// are numbers, bool or str and no constants are numbered from 0 in the order of their execution.
type Perturb struct {
	// At is the number of the evaluation whose value is replaced; -1 replaces none.
	At int64
	// Flip returns another value of type t; nil stands for the function Flip. A value is a word as in types.Const, of a
	// str a word that only Flip understands.
	Flip func(t *types.Type, w uint64) uint64

	// Evaluations is how many evaluations the last run had; Node is the expression that was changed, or nil.
	Evaluations int64
	Node        types.Expr
}

func (p *Perturb) reset() {
	p.Evaluations = 0
	p.Node = nil
	if p.Flip == nil {
		p.Flip = Flip
	}
}

// canPerturb reports whether evaluations of e are counted.
func canPerturb(e types.Expr) bool {
	if _, ok := e.(*types.Const); ok {
		return false
	}
	kind := e.Type().Kind
	return kind.IsNumeric() || kind == types.Bool || kind == types.Str
}

// perturbed makes the word of e, counted.
func (c *compiler) perturbed(e types.Expr) word {
	w, p, t := c.plainWord(e), c.m.opts.Perturb, e.Type()
	return func(fr *frame) uint64 {
		v := w(fr)
		if fr[0] != ctlNormal {
			return v
		}
		if p.Evaluations == p.At {
			v = p.Flip(t, v)
			p.Node = e
		}
		p.Evaluations++
		return v
	}
}

// Flip returns a value of type t that differs from w in what a program can see: an integer's lowest bit, a bool's only
// one, a float's sign and lowest bit (another number for NaN), a str without its last byte (or with one).
func Flip(t *types.Type, w uint64) uint64 {
	switch {
	case t.Kind == types.F64:
		if v := float64Of(w); v != v {
			return word64(1.5)
		}
		return w ^ signBit64 ^ 1
	case t.Kind == types.F32:
		if v := float32Of(w); v != v {
			return word32(1.5)
		}
		return w ^ signBit32 ^ 1
	case t.Kind == types.Str && textLen(w) == 0:
		return packText(0, 1)
	case t.Kind == types.Str:
		return w - 1
	}
	return w ^ 1
}
