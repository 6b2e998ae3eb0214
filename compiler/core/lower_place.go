package core

import (
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// place is some words of a variable: all of it, or a part of a tuple.
type place struct {
	local  *Local
	global *types.Global
	off    int
	typ    *types.Type
	whole  bool
	pos    source.Pos // where the variable is named
}

// placeOf finds the words that a place expression means. Nothing of it is evaluated at run time.
func (l *lowerer) placeOf(e types.Expr) place {
	switch e := e.(type) {
	case *types.LocalRef:
		return place{local: l.local(e.Local), typ: e.Local.Type, whole: true, pos: e.Span.Start}
	case *types.GlobalRef:
		return place{global: e.Global, typ: e.Global.Type, whole: true, pos: e.Span.Start}
	case *types.TupleField:
		p := l.placeOf(e.X)
		off := l.partOffset(p.typ, e.Index)
		if e.Index > 0 && p.typ.Args[0] == p.typ.Args[e.Index] && l.mutant.On(mutant.TuplePartSwapped) {
			off = 0
		}
		p.off, p.typ, p.whole = p.off+off, p.typ.Args[e.Index], false
		return p
	}
	panic("core: not a place")
}

// load reads a place.
func (l *lowerer) load(p place) Expr {
	words := l.wordsOf(p.typ)
	if p.local != nil {
		return l.get(p.local, p.off, words)
	}
	return l.getGlobal(p.global, p.off, words)
}

func (l *lowerer) getGlobal(g *types.Global, off int, words []Class) Expr {
	if len(words) == 0 {
		return l.empty()
	}
	return l.globalGets.Put(GlobalGet{Global: l.mod.Globals[g.ID], Off: off, Words: words})
}

// store writes a place.
func (l *lowerer) store(p place, value Expr) Expr {
	if p.local != nil {
		return l.assign(p.local, p.off, value)
	}
	return l.setGlobal(p.global, p.off, value)
}

// globalRef reads a global, after the check that it has a value.
func (l *lowerer) globalRef(e *types.GlobalRef) Expr {
	mark := l.mark()
	l.checkGlobal(e.Global, e.Span.Start)
	value := l.getGlobal(e.Global, 0, l.wordsOf(e.Global.Type))
	if len(value.Classes()) == 0 {
		return l.seq(mark, nil)
	}
	return l.seq(mark, value)
}

// assignment lowers `place = v` and `place op= v`. The place's old value counts as read, before v is evaluated, unless the
// whole of a variable is overwritten.
func (l *lowerer) assignment(e *types.Assign) Expr {
	mark := l.mark()
	p := l.placeOf(e.Place)
	if p.global != nil && (e.Op != syntax.NoOp || !p.whole) {
		l.checkGlobal(p.global, p.pos)
	}
	if e.Op == syntax.NoOp {
		l.push(l.store(p, l.valueAs(e.Value, p.typ)))
		return l.seq(mark, nil)
	}
	l.push(l.store(p, l.newValue(e, p)))
	return l.seq(mark, nil)
}

// newValue is what `place op= v` stores.
func (l *lowerer) newValue(e *types.Assign, p place) Expr {
	if l.mutant.On(mutant.AssignOpRereads) {
		v := l.save(l.rightOperand(e.Op, e.Value, p.typ), e.OpPos)
		return l.binaryOp(e.Op, p.typ, e.OpPos, l.load(p), l.whole(v))
	}
	old := l.load(p)
	return l.binaryOp(e.Op, p.typ, e.OpPos, old, l.rightOperand(e.Op, e.Value, p.typ))
}
