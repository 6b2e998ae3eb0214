package core

import (
	"rokrig/compiler/mutant"
	"rokrig/compiler/types"
)

// loop is what break and continue need to know of a loop.
type loop struct {
	typ   *types.Type
	exit  LabelID      // of the block round the loop
	again LabelID      // of the block round one round of it
	outer types.LoopID // the next loop outside of it; meaningless for an outermost one
}

// enter opens a loop; its labels become blocks only if something branches to them.
func (l *lowerer) enter(id types.LoopID, typ *types.Type) *loop {
	l.loops[id] = loop{typ: typ, exit: l.newLabel(), again: l.newLabel(), outer: l.inner}
	l.inner = id
	return &l.loops[id]
}

// round is one round of a loop: the body, where `continue` ends it, then a poll.
func (l *lowerer) round(lp *loop, e types.Expr, body Expr) {
	l.push(l.blockIfUsed(lp.again, nil, body))
	l.push(l.poll(e.Where().Start))
}

// exitBlock closes a loop: the block round it has the value of the break that leaves it.
func (l *lowerer) exitBlock(lp *loop, e Expr) Expr {
	l.inner = lp.outer
	words := l.wordsOf(lp.typ)
	return l.blockIfUsed(lp.exit, words, l.adapt(e, words))
}

func (l *lowerer) loopExpr(e *types.Loop) Expr {
	lp := l.enter(e.Loop, e.Typ)
	mark := l.mark()
	l.round(lp, e, l.drop(l.anyExpr(e.Body)))
	return l.exitBlock(lp, &Loop{Body: l.seq(mark, nil)})
}

func (l *lowerer) while(e *types.While) Expr {
	lp := l.enter(e.Loop, e.Typ)
	cond := l.adapt(l.anyExpr(e.Cond), oneInt)
	if l.used[lp.again] {
		return l.exitBlock(lp, l.whileContinued(lp, e, cond))
	}
	mark := l.mark()
	l.round(lp, e, l.drop(l.anyExpr(e.Body)))
	return l.exitBlock(lp, &While{Cond: cond, Body: l.seq(mark, nil)})
}

// whileContinued is a while loop whose condition holds a `continue` of the loop itself: the condition is part of the round.
func (l *lowerer) whileContinued(lp *loop, e *types.While, cond Expr) Expr {
	mark := l.mark()
	body := l.drop(l.anyExpr(e.Body))
	l.round(lp, e, l.choose(cond, body, l.br(lp.exit)))
	return &Loop{Body: l.seq(mark, nil)}
}

// counter is what drives a `for` over a range.
type counter struct {
	i, end *Local
	scalar Scalar
	typ    *types.Type
}

// forRange lowers `for pat in range`. The ends are evaluated once; the pattern's variables are copies of the counter, so
// that changing them does not change the iteration.
func (l *lowerer) forRange(e *types.For) Expr {
	if t := e.Iter.Type(); t.Kind != types.Range && t.Kind != types.RangeInclusive {
		return l.anyExpr(e.Iter)
	}
	mark := l.mark()
	c := l.rangeEnds(e)
	lp := l.enter(e.Loop, e.Typ)
	inclusive := e.Iter.Type().Kind == types.RangeInclusive
	if inclusive && l.mutant.On(mutant.RangeInclusiveNoEnd) {
		inclusive = false
	} else if !inclusive && l.mutant.On(mutant.RangeHalfOpenIncludesEnd) {
		inclusive = true
	}
	if inclusive {
		l.push(l.exitBlock(lp, l.inclusiveLoop(lp, e, c)))
	} else {
		l.push(l.exitBlock(lp, l.halfOpenLoop(lp, e, c)))
	}
	return l.seq(mark, nil)
}

// rangeEnds evaluates the range into the counter and its end.
func (l *lowerer) rangeEnds(e *types.For) counter {
	typ := e.Iter.Type().Args[0]
	pos := e.Iter.Where().Start
	c := counter{scalar: scalarOf(typ), typ: typ}
	if r, ok := e.Iter.(*types.RangeExpr); ok {
		c.i = l.save(l.valueAs(r.Lo, typ), pos)
		c.end = l.save(l.valueAs(r.Hi, typ), pos)
		return c
	}
	r := l.save(l.expr(e.Iter), pos)
	c.i = l.save(l.get(r, 0, oneInt), pos)
	c.end = l.save(l.get(r, 1, oneInt), pos)
	return c
}

// forBody is the pattern's binding and the body.
func (l *lowerer) forBody(e *types.For, c counter) Expr {
	mark := l.mark()
	l.letPattern(e.Pat, c.typ, l.whole(c.i))
	l.push(l.drop(l.anyExpr(e.Body)))
	return l.seq(mark, nil)
}

func (l *lowerer) step(c counter) Expr {
	return l.assign(c.i, 0, l.op(Add, c.scalar, l.whole(c.i), l.int(1)))
}

func (l *lowerer) halfOpenLoop(lp *loop, e *types.For, c counter) Expr {
	cond := l.op(Lt, c.scalar, l.whole(c.i), l.whole(c.end))
	mark := l.mark()
	l.push(l.blockIfUsed(lp.again, nil, l.forBody(e, c)))
	l.push(l.step(c))
	l.push(l.poll(e.Span.Start))
	return &While{Cond: cond, Body: l.seq(mark, nil)}
}

// inclusiveLoop leaves after the round of the end itself, before the step, which would wrap at the type's maximum.
func (l *lowerer) inclusiveLoop(lp *loop, e *types.For, c counter) Expr {
	enter := l.op(Le, c.scalar, l.whole(c.i), l.whole(c.end))
	mark := l.mark()
	l.round(lp, e, l.forBody(e, c))
	l.push(l.when(l.op(Eq, c.scalar, l.whole(c.i), l.whole(c.end)), l.br(lp.exit)))
	l.push(l.step(c))
	return l.when(enter, &Loop{Body: l.seq(mark, nil)})
}

// target returns the loop that a break of loop id leaves.
func (l *lowerer) target(id types.LoopID) *loop {
	if l.loops[id].typ == l.loops[l.inner].typ && id != l.inner && l.mutant.On(mutant.BreakInnermost) {
		id = l.inner
	}
	return &l.loops[id]
}

func (l *lowerer) breakLoop(e *types.Break) Expr {
	lp := l.target(e.Loop)
	if e.Value == nil {
		return l.leave(lp.exit, l.adapt(l.empty(), l.wordsOf(lp.typ)))
	}
	return l.leave(lp.exit, l.valueAs(e.Value, lp.typ))
}

func (l *lowerer) continueLoop(e *types.Continue) Expr {
	id := e.Loop
	if id != l.inner && l.mutant.On(mutant.ContinueInnermost) {
		id = l.inner
	}
	return l.br(l.loops[id].again)
}
