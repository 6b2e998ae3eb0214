package gen

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

var comparisons = [...]syntax.BinaryOp{syntax.Lt, syntax.Eq, syntax.Ne, syntax.Le, syntax.Gt, syntax.Ge}

// compare makes a comparison of two values of any type that has one.
func (g *gen) compare(_ *types.Type, size int, _ bool) syntax.Expr {
	t := g.typeWhere(func(t *types.Type) bool { return t.HasEq() }, types.Prim(types.I64))
	op := comparisons[g.n(len(comparisons))]
	if !t.HasOrder() {
		op = comparisons[1+g.n(2)]
	}
	left, right := g.split(size)
	x := g.operand(t, left)
	if t.Kind.IsNumeric() && g.chance(110) {
		return g.binary(op, x, g.lit(t, true))
	}
	return g.binary(op, x, g.operand(t, right))
}

// logic makes `&&`, `||` and `!`; the right operand of the first two often has an effect.
func (g *gen) logic(t *types.Type, size int, ctx bool) syntax.Expr {
	op := syntax.And
	switch g.n(5) {
	case 0:
		return g.unary(syntax.Not, g.expr(t, size-1, ctx))
	case 1, 2:
		op = syntax.Or
	}
	left, right := g.split(size)
	x := g.operand(t, left)
	var y syntax.Expr
	g.times(0.5, func() {
		if right > 3 && g.chance(60) {
			y = g.assignBlock(t, right, ctx)
		} else {
			y = g.expr(t, right, ctx)
		}
	})
	return g.binary(op, x, y)
}

// cond makes a condition that is neither always true nor always false, if it can.
func (g *gen) cond(size int) syntax.Expr {
	b := types.Prim(types.Bool)
	switch g.n(4) {
	case 0:
		return g.expr(b, max(size, 3), true)
	case 1:
		t := g.intType()
		mask := uint64(1) << g.n(3)
		masked := g.binary(syntax.BitAnd, g.varying(t, size-3), g.integer(mask, ""))
		return g.binary(comparisons[1+g.n(2)], masked, g.integer(0, ""))
	case 2:
		t := g.intType()
		m := uint64(2 + g.n(5))
		rest := g.remainder(t, m, size-3)
		return g.binary(comparisons[g.n(len(comparisons))], rest, g.integer(uint64(g.n(int(m))), ""))
	}
	return g.compare(b, max(size, 3), true)
}

// rare makes a condition that is true in about one of n cases.
func (g *gen) rare(n uint64, size int) syntax.Expr {
	t := g.intType()
	return g.binary(syntax.Eq, g.remainder(t, n, size-3), g.integer(uint64(g.n(int(n))), ""))
}

// remainder makes `e % n`; a checksum sees e or, as a rule, the remainder.
func (g *gen) remainder(t *types.Type, n uint64, size int) syntax.Expr {
	if g.chance(60) || !g.affords(g.teeCost(t)) {
		return g.binary(syntax.Rem, g.varying(t, size), g.integer(n, ""))
	}
	return g.seen(g.binary(syntax.Rem, g.varying(t, size), g.integer(n, "")), t)
}

// varying makes an operand that is no constant: where nothing else is at hand, the checksum, which is another one each
// time.
func (g *gen) varying(t *types.Type, size int) syntax.Expr {
	x := g.operand(t, max(size, 1))
	if !isLiteral(x) {
		return x
	}
	sum := g.path(g.sink.sum.name)
	if g.sink.kind == t.Kind {
		return sum
	}
	return g.cast(sum, t.Kind)
}
