package gen

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

var strType = types.Prim(types.Str)

// stringOf draws a string that may be read again and again, with a length it has at least: a variable or a literal.
func (g *gen) stringOf() (read func() syntax.Expr, minLen int) {
	if p, ok := g.findPlace(strType, false); ok && g.chance(200) {
		if p.deep == 0 {
			minLen = p.v.minLen
		}
		return func() syntax.Expr { return g.placeExpr(p) }, minLen
	}
	s := g.strValue()
	return func() syntax.Expr { return g.str(s) }, len(s)
}

// strIndex makes `s[i]` within bounds.
func (g *gen) strIndex(_ *types.Type, size int, ctx bool) syntax.Expr {
	s, n := g.stringOf()
	g.nodes++
	if n > 0 {
		if v, ok := g.boundedVar(types.I64, 0, int64(n)-1); ok && g.chance(150) {
			return &syntax.Index{X: s(), I: g.read(v)}
		}
		if g.chance(150) {
			return &syntax.Index{X: s(), I: g.intLit(types.I64, uint64(g.n(n)), true)}
		}
		mask := uint64(1)<<(lengthInBits(uint64(n))-1) - 1
		i := g.binary(syntax.BitAnd, g.operand(types.Prim(types.I64), max(size-3, 1)), g.integer(mask, ""))
		return &syntax.Index{X: s(), I: i}
	}
	at := uint64(g.n(6))
	long := g.binary(syntax.Gt, g.call("len", s()), g.integer(at, ""))
	index := &syntax.Index{X: s(), I: g.integer(at, "")}
	return g.ifElse(long, g.block(index), g.block(g.expr(types.Prim(types.U8), max(size/2, 1), false)))
}

// slice makes `s[a..b]` within bounds: both ends known, or made from the length.
func (g *gen) slice(_ *types.Type, size int, _ bool) syntax.Expr {
	s, n := g.stringOf()
	g.nodes++
	num := func(v int) syntax.Expr { return g.intLit(types.I64, uint64(v), true) }
	if n > 0 && g.chance(180) {
		lo := g.n(n + 1)
		hi := lo + g.n(n-lo+1)
		return &syntax.Index{X: s(), I: g.rangeOf(num(lo), num(hi), false)}
	}
	part := func(d uint64) syntax.Expr { return g.binary(syntax.Div, g.call("len", s()), g.integer(d, "")) }
	switch g.n(4) {
	case 0:
		return &syntax.Index{X: s(), I: g.rangeOf(num(0), g.call("len", s()), false)}
	case 1:
		return &syntax.Index{X: s(), I: g.rangeOf(part(2+uint64(g.n(3))), g.call("len", s()), false)}
	case 2:
		return &syntax.Index{X: s(), I: g.rangeOf(num(0), part(1+uint64(g.n(3))), false)}
	}
	// With an index that a checksum has seen, reduced to the length. It is worked out before the string is read, since it
	// may assign to the string's variable.
	name := g.fresh("t")
	i := g.binary(syntax.BitAnd, g.operand(types.Prim(types.I64), max(size-4, 1)), num(127))
	length := g.binary(syntax.Add, g.call("len", s()), num(1))
	upTo := &syntax.Index{X: s(), I: g.rangeOf(num(0), g.binary(syntax.Rem, g.path(name), length), false)}
	return g.block(upTo, g.let(name, false, g.typeExpr(types.Prim(types.I64)), i))
}
