package core

import (
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// comparisons gives core's operator of each comparison on scalars.
var comparisons = [...]Opcode{syntax.Eq: Eq, syntax.Ne: Ne, syntax.Lt: Lt, syntax.Le: Le, syntax.Gt: Gt, syntax.Ge: Ge}

// compare lowers a comparison of two operands of type t.
func (l *lowerer) compare(e *types.Binary, t *types.Type) Expr {
	if t.Kind == types.Tuple {
		return l.compareTuples(e, t)
	}
	if isCall(e.Y) && l.mutant.On(mutant.OperandsReversed) {
		mark := l.mark()
		y := l.save(l.valueAs(e.Y, t), e.OpPos)
		x := l.valueAs(e.X, t)
		return l.seq(mark, l.compareWords(e.Op, t, e.OpPos, x, l.whole(y)))
	}
	x := l.valueAs(e.X, t)
	return l.compareWords(e.Op, t, e.OpPos, x, l.valueAs(e.Y, t))
}

// compareWords compares two values of a type without parts. `!=` is not of `==`.
func (l *lowerer) compareWords(op syntax.BinaryOp, t *types.Type, pos source.Pos, x, y Expr) Expr {
	switch t.Kind {
	case types.Unit, types.Never:
		mark := l.mark()
		l.push(x)
		l.push(y)
		return l.seq(mark, l.truth(op != syntax.Ne))
	case types.Str:
		switch op {
		case syntax.Eq:
			return l.opAt(StrEq, NoScalar, pos, x, y)
		case syntax.Ne:
			return l.not(l.opAt(StrEq, NoScalar, pos, x, y))
		}
		return l.op(comparisons[op], I64, l.opAt(StrCmp, NoScalar, pos, x, y), l.int(0))
	}
	return l.op(comparisons[op], scalarOf(t), x, y)
}

func (l *lowerer) truth(b bool) Expr {
	if b {
		return l.int(1)
	}
	return l.int(0)
}

// compareTuples evaluates both operands, then compares part by part.
func (l *lowerer) compareTuples(e *types.Binary, t *types.Type) Expr {
	mark := l.mark()
	x := l.save(l.valueAs(e.X, t), e.OpPos)
	y := l.save(l.valueAs(e.Y, t), e.OpPos)
	equal := l.equalParts(&pair{x, y, e.OpPos}, t.Args, 0)
	if e.Op == syntax.Ne {
		equal = l.not(equal)
	}
	return l.seq(mark, equal)
}

// pair is two locals with values of one type, which are compared at pos.
type pair struct {
	x, y *Local
	pos  source.Pos
}

// equalParts compares the parts that stand from word off on. The parts are halved, so that a long tuple does not make a
// deep tree.
func (l *lowerer) equalParts(p *pair, parts []*types.Type, off int) Expr {
	switch len(parts) {
	case 0:
		return l.int(1)
	case 1:
		return l.equalPart(p, parts[0], off)
	}
	half, mid := len(parts)/2, off
	for _, t := range parts[:half] {
		mid += len(l.wordsOf(t))
	}
	first := l.equalParts(p, parts[:half], off)
	return l.choose(first, l.equalParts(p, parts[half:], mid), l.int(0))
}

func (l *lowerer) equalPart(p *pair, t *types.Type, off int) Expr {
	if t.Kind == types.Tuple {
		return l.equalParts(p, t.Args, off)
	}
	words := l.wordsOf(t)
	return l.compareWords(syntax.Eq, t, p.pos, l.get(p.x, off, words), l.get(p.y, off, words))
}
