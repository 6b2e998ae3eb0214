package gen

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// tripCount draws how often a loop runs, within what the function may still cost; 0 if it may not cost a loop.
func (g *gen) tripCount() int {
	const least = 70 // nodes that a round costs as a rule
	room := int(g.spare() / g.fn.mult / least)
	if room < 2 {
		return 0
	}
	return min(g.between(1, g.sw.trips), room)
}

// enterLoop makes body as the body of l, run trips times.
func (g *gen) enterLoop(l *loopState, trips int, body func()) {
	g.fn.loops = append(g.fn.loops, l)
	g.times(float64(max(trips, 1)), body)
	g.fn.loops = g.fn.loops[:len(g.fn.loops)-1]
}

func (l *loopState) ident() *syntax.Ident {
	if l.label == "" {
		return nil
	}
	return &syntax.Ident{Name: l.label}
}

func (g *gen) newLoop(l loopState) *loopState {
	if g.chance(50) {
		l.label = g.fresh("l")
	}
	return &l
}

// bodyStmts draws how many statements a loop's body has.
func (g *gen) bodyStmts() int { return 1 + g.heavy(0, 6) }

// forStmt makes a loop over a range: spelled in its head, or a value made before.
func (g *gen) forStmt(out *[]syntax.Stmt) {
	trips := g.tripCount()
	if trips == 0 {
		g.exprStmt(out)
		return
	}
	if len(g.ranges) > 0 && trips >= 5 && g.chance(60) {
		t := g.ranges[g.n(len(g.ranges))]
		g.forOver(out, g.expr(t, 3, false), t.Args[0], interval{}, 3, g.fillBody)
		return
	}
	t := g.intType()
	head, bounds, trips := g.rangeHead(t, trips)
	g.forOver(out, head, t, bounds, trips, g.fillBody)
}

// fitting cuts a number of rounds to what an integer kind can count.
func fitting(k types.Kind, trips int) int {
	if k.Bits() == 8 {
		return min(trips, 100)
	}
	return trips
}

// rangeHead makes a range of known length over integer type t; its ends are literals, also at the type's own ends, or
// sums with a value that a mask keeps small.
func (g *gen) rangeHead(t *types.Type, trips int) (head syntax.Expr, bounds interval, count int) {
	k := t.Kind
	trips = fitting(k, trips)
	inclusive := g.chance(110)
	lit := func(v uint64, ctx bool) syntax.Expr { return g.intLit(k, v, ctx) }
	if g.chance(60) {
		mask := uint64(1)<<lengthInBits(uint64(trips)>>1) - 1
		low := g.binary(syntax.BitAnd, g.operand(t, 3), lit(mask, true))
		high := g.binary(syntax.BitAnd, g.operand(t, 3), lit(mask, true))
		if g.chance(128) {
			low = lit(0, true)
		}
		return g.rangeOf(low, high, inclusive), interval{0, int64(mask), true}, int(mask)/2 + 1
	}
	first := g.intValue(k)
	lo, hi := k.MinMax()
	if g.chance(40) {
		first = lo
	}
	need := uint64(trips)
	if inclusive {
		need--
	}
	if hi-first < need { // so the range ends at the type's maximum
		first = hi - need
	}
	last := first + need
	bounds = interval{int64(first), int64(last), k.IsSigned() || last>>63 == 0}
	if g.chance(20) && need > 0 {
		first, last, trips = last, first, 1 // empty
		bounds.ok = false
	}
	if g.chance(80) { // the lower end takes its type from the upper one
		return g.rangeOf(lit(first, true), lit(last, false), inclusive), bounds, trips
	}
	return g.rangeOf(lit(first, false), lit(last, true), inclusive), bounds, trips
}

// fillBody makes the usual statements of a loop's body.
func (g *gen) fillBody(out *[]syntax.Stmt) { g.statements(out, g.bodyStmts()) }

// forOver makes `for pat in head { }`, whose body fill makes.
func (g *gen) forOver(out *[]syntax.Stmt, head syntax.Expr, t *types.Type, bounds interval, trips int, fill func(*[]syntax.Stmt)) {
	l := g.newLoop(loopState{contOK: true})
	var pat syntax.Pattern = &syntax.WildPat{}
	var body *syntax.Block
	g.enterLoop(l, trips, func() {
		body = g.scoped(func(out *[]syntax.Stmt) func() syntax.Expr {
			if g.chance(236) {
				v := g.keep(variable{name: g.localName(), ty: t, mut: g.chance(40), dirty: true})
				if !v.mut {
					v.bounds = bounds
				}
				pat = g.bind(v.name, v.mut)
				g.declare(v)
			}
			fill(out)
			return nil
		})
	})
	g.nodes++
	*out = append(*out, g.blockStmt(&syntax.For{Label: l.ident(), Pat: pat, Iter: head, Body: body}))
}

// counter is a variable that ends a loop: it goes from first to end by steps, and nothing else stores to it.
type counter struct {
	v          *variable
	first, end uint64
	step       uint64
	down       bool
}

// newCounter declares a counter of any integer type for a number of rounds, also next to the type's ends.
func (g *gen) newCounter(out *[]syntax.Stmt, trips int) counter {
	t := g.intType()
	k := t.Kind
	lo, hi := k.MinMax()
	trips = fitting(k, trips)
	c := counter{step: 1 + uint64(g.heavy(0, 3)), down: g.chance(80)}
	span := uint64(trips) * c.step
	if span > 100 && k.Bits() == 8 {
		c.step, span = 1, uint64(trips)
	}
	c.first = g.intValue(k)
	if c.down {
		if c.first-lo < span {
			c.first = lo + span
		}
		c.end = c.first - span
	} else {
		if hi-c.first < span {
			c.first = hi - span
		}
		c.end = c.first + span
	}
	c.v = g.keep(variable{name: g.counterName(), ty: t, mut: true, locked: true})
	g.addLocal(out, c.v, g.intLit(k, c.first, false), nil)
	return c
}

// counterName returns a name that no later declaration takes, since the loop depends on it.
func (g *gen) counterName() string { return g.fresh("i") }

func (g *gen) advance(c counter) syntax.Stmt {
	k := c.v.ty.Kind
	op := syntax.Add
	if c.down {
		op = syntax.Sub
	}
	step := func() syntax.Expr { return g.intLit(k, c.step, true) }
	if g.chance(128) {
		return g.stmt(g.assign(g.path(c.v.name), op, step()))
	}
	return g.stmt(g.assign(g.path(c.v.name), syntax.NoOp, g.binary(op, g.path(c.v.name), step())))
}

// more makes the condition that is true while the counter has not reached its end.
func (g *gen) more(c counter) syntax.Expr {
	read := g.path(c.v.name)
	if g.chance(110) && g.affords(20) {
		read = g.teeCall(read, c.v.ty)
	}
	end := func() syntax.Expr { return g.intLit(c.v.ty.Kind, c.end, true) }
	less, greater := syntax.Lt, syntax.Gt
	if c.down {
		less, greater = greater, less
	}
	switch g.n(4) {
	case 0:
		return g.binary(less, read, end())
	case 1:
		return g.binary(syntax.Ne, read, end())
	case 2:
		return g.binary(greater, end(), read)
	}
	atLeast := syntax.Ge
	if c.down {
		atLeast = syntax.Le
	}
	return g.unary(syntax.Not, g.binary(atLeast, read, end()))
}

// whileStmt makes a `while` that a counter ends, if nothing before does.
func (g *gen) whileStmt(out *[]syntax.Stmt) {
	trips := g.tripCount()
	if trips == 0 {
		g.exprStmt(out)
		return
	}
	c := g.newCounter(out, trips)
	l := g.newLoop(loopState{})
	late := g.chance(70) // the counter moves at the body's end, so `continue` would not come by it
	inHead := !late && g.chance(50)
	l.contOK = !late
	var cond syntax.Expr
	var body *syntax.Block
	g.enterLoop(l, trips, func() {
		l.inHead = true
		cond = g.more(c)
		if inHead {
			cond = g.block(cond, g.advance(c))
		}
		if g.chance(60) {
			cond = g.binary(syntax.And, cond, g.likely())
		}
		if g.chance(30) { // in the condition, only a labelled break may leave the loop
			cond = g.block(cond, g.blockStmt(g.ifElse(g.rare(uint64(5+g.n(60)), 4), g.block(nil, g.stmt(g.breakTo(l))), nil)))
		}
		l.inHead = false
		body = g.scoped(func(out *[]syntax.Stmt) func() syntax.Expr {
			if !late && !inHead {
				*out = append(*out, g.advance(c))
			}
			g.statements(out, g.bodyStmts())
			if late && !endsAway(*out) {
				*out = append(*out, g.advance(c))
			}
			return nil
		})
	})
	if late && endsAway(body.Stmts) {
		// Every round leaves the loop; the counter does not matter.
		l.contOK = false
	}
	g.nodes++
	*out = append(*out, g.blockStmt(&syntax.While{Label: l.ident(), Cond: cond, Body: body}))
}

// breakTo makes a labelled `break` of l.
func (g *gen) breakTo(l *loopState) syntax.Expr {
	if l.label == "" {
		l.label = g.fresh("l")
	}
	g.nodes++
	return &syntax.Break{Label: l.ident()}
}

// likely makes a condition that is true as a rule.
func (g *gen) likely() syntax.Expr {
	return g.unary(syntax.Not, g.rare(uint64(5+g.n(40)), 3))
}

// loopOf makes a counter and a `loop` that it ends with a value of type t; nil is (), without a value. It returns the
// loop, and puts the counter's declaration into out.
func (g *gen) loopOf(out *[]syntax.Stmt, t *types.Type, size int, ctx bool, trips int) syntax.Expr {
	c := g.newCounter(out, trips)
	l := g.newLoop(loopState{isLoop: true, value: t, ctx: ctx})
	var body *syntax.Block
	g.enterLoop(l, trips, func() {
		body = g.scoped(func(out *[]syntax.Stmt) func() syntax.Expr {
			brk := &syntax.Break{}
			g.nodes++
			done := g.unary(syntax.Not, g.more(c))
			if t != nil {
				g.times(1/float64(trips), func() { brk.Value = g.expr(t, max(size/3, 1), ctx) })
			}
			*out = append(*out, g.blockStmt(g.ifElse(done, g.block(nil, g.stmt(brk)), nil)), g.advance(c))
			l.contOK = true // only behind the counter's step
			g.statements(out, g.bodyStmts())
			return nil
		})
	})
	g.nodes++
	return &syntax.Loop{Label: l.ident(), Body: body}
}

func (g *gen) loopStmt(out *[]syntax.Stmt) {
	trips := g.tripCount()
	if trips == 0 {
		g.exprStmt(out)
		return
	}
	*out = append(*out, g.blockStmt(g.loopOf(out, nil, 1, false, trips)))
}

// loopExpr makes a block with a loop that has a value.
func (g *gen) loopExpr(t *types.Type, size int, ctx bool) syntax.Expr {
	trips := g.tripCount()
	if trips == 0 || g.fn.depth > g.sw.maxDepth {
		return g.leaf(t, ctx)
	}
	return g.scoped(func(out *[]syntax.Stmt) func() syntax.Expr {
		x := g.loopOf(out, t, size, ctx, trips)
		return func() syntax.Expr { return x }
	})
}
