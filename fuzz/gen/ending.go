package gen

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// ending makes the program end in a panic, after everything else was shown. What panics has operands that are not
// constants, and may stand inside an operator, an argument or a function.
func (g *gen) ending(out *[]syntax.Stmt) {
	t := g.intType()
	k := t.Kind
	// A variable whose value is known here and not to the compiler's first look.
	hide := func(t *types.Type, w uint64) syntax.Expr {
		v := g.keep(variable{name: g.fresh("e"), ty: t, mut: true, locked: true})
		g.addLocal(out, v, g.intLit(t.Kind, w, false), nil)
		if g.chance(100) {
			return g.path(v.name)
		}
		return g.teeCall(g.path(v.name), t)
	}
	var x syntax.Expr
	switch g.n(8) {
	case 0:
		g.panicLine = "the end"
		msg := "the end"
		if g.chance(128) {
			g.dieInOperand(out, msg)
			return
		}
		*out = append(*out, g.stmt(g.panicWith(msg)))
		return
	case 1:
		g.panicLine = "assertion failed"
		*out = append(*out, g.stmt(g.assert(g.binary(syntax.Eq, hide(t, 1), g.integer(2, "")))))
		return
	case 2:
		g.panicLine = "division by zero"
		op := [...]syntax.BinaryOp{syntax.Div, syntax.Rem}[g.n(2)]
		x = g.binary(op, g.expr(t, 4, false), hide(t, 0))
	case 3:
		if !k.IsSigned() {
			t = types.Prim(types.I32)
			k = t.Kind
		}
		g.panicLine = "integer overflow"
		lo, _ := k.MinMax()
		op := [...]syntax.BinaryOp{syntax.Div, syntax.Rem}[g.n(2)]
		x = g.binary(op, hide(t, lo), g.intLit(k, ^uint64(0), true))
	case 4:
		t = types.Prim(types.I64)
		g.panicLine = "negative exponent"
		x = g.binary(syntax.Pow, g.expr(t, 4, false), hide(t, ^uint64(g.n(5))))
	case 5, 6:
		x, t = g.outOfBounds(hide)
	default:
		if g.chance(100) && g.sw.topLevel {
			g.readsItself(out, t)
			return
		}
		if x = g.tooEarly(t); x == nil {
			g.panicLine = "division by zero"
			x = g.binary(syntax.Rem, g.expr(t, 4, false), hide(t, 0))
		}
	}
	g.placePanic(out, x, t)
}

// dieInOperand panics in a function that never returns, whose call is an operand.
func (g *gen) dieInOperand(out *[]syntax.Stmt, msg string) {
	f := &function{name: g.functionName(), result: types.Prim(types.Never)}
	g.nodes += 2
	f.decl = &syntax.FnDecl{Name: syntax.Ident{Name: f.name}, Result: g.typeExpr(f.result), Body: g.block(nil, g.stmt(g.panicWith(msg)))}
	g.funcs = append(g.funcs, f)
	t := g.intType()
	x := g.binary(arithTable[g.n(numArith)].op, g.expr(t, 3, false), g.call(f.name))
	*out = append(*out, g.stmt(x))
}

// panicWith makes `panic("msg")`.
func (g *gen) panicWith(msg string) syntax.Expr { return g.panics(g.str(msg)) }

// outOfBounds makes an index or a slice of a string that is just or far outside, and tells its type.
func (g *gen) outOfBounds(hide func(*types.Type, uint64) syntax.Expr) (syntax.Expr, *types.Type) {
	i64 := types.Prim(types.I64)
	s := g.strValue()
	n := uint64(len(s))
	bad := [...]uint64{n, n + 1, ^uint64(0), 1 << 62, 1 << 32}[g.n(5)]
	index := g.chance(128)
	if !index && bad == n { // a slice may end at the length
		bad++
	}
	g.nodes++
	g.panicLine = "index out of bounds: the length is " + g.bareText(types.I64, n) + " but the index is " + g.bareText(types.I64, bad)
	switch {
	case index:
		return &syntax.Index{X: g.str(s), I: hide(i64, bad)}, types.Prim(types.U8)
	case g.chance(128):
		return &syntax.Index{X: g.str(s), I: g.rangeOf(g.integer(0, ""), hide(i64, bad), false)}, strType
	}
	return &syntax.Index{X: g.str(s), I: g.rangeOf(hide(i64, bad), g.integer(n, ""), false)}, strType
}

// tooEarly reads a global before its initialiser, in a function; the initialiser stands behind the call. nil if the
// program has no top-level statements.
func (g *gen) tooEarly(t *types.Type) syntax.Expr {
	if !g.sw.topLevel {
		return nil
	}
	g.panicLine = "global used before its initialisation"
	name := g.fresh("late")
	f := &function{name: g.functionName(), result: t}
	g.nodes += 2
	f.decl = &syntax.FnDecl{Name: syntax.Ident{Name: f.name}, Result: g.typeExpr(t), Body: g.block(g.path(name))}
	g.funcs = append(g.funcs, f)
	g.after = g.let(name, false, nil, g.lit(t, false))
	return g.call(f.name)
}

// readsItself makes a global whose initialiser calls a function that reads the global.
func (g *gen) readsItself(out *[]syntax.Stmt, t *types.Type) {
	g.panicLine = "global used before its initialisation"
	name := g.fresh("own")
	f := &function{name: g.functionName(), result: t}
	g.nodes += 4
	f.decl = &syntax.FnDecl{Name: syntax.Ident{Name: f.name}, Result: g.typeExpr(t), Body: g.block(g.path(name))}
	g.funcs = append(g.funcs, f)
	init := g.call(f.name)
	if g.chance(100) {
		init = g.binary(arithTable[g.n(numArith)].op, g.expr(t, 3, false), init)
	}
	*out = append(*out, g.let(name, g.chance(80), nil, init), g.stmt(g.print(g.path(name))))
}

// placePanic puts the expression that panics somewhere.
func (g *gen) placePanic(out *[]syntax.Stmt, x syntax.Expr, t *types.Type) {
	switch g.n(4) {
	case 0:
		*out = append(*out, g.stmt(g.print(x)))
	case 1:
		*out = append(*out, g.stmt(g.sinkCall(g.note(t), x)))
	case 2:
		part := g.typeWhere(visible, types.Prim(types.I64))
		first := g.operand(part, 4)
		*out = append(*out, g.stmt(g.tuple([]syntax.Expr{first, x, g.operand(part, 3)})))
	default:
		v := g.keep(variable{name: g.fresh("e"), ty: t})
		g.addLocal(out, v, x, nil)
		*out = append(*out, g.stmt(g.print(g.path(v.name))))
	}
	if g.after != nil {
		*out = append(*out, g.after)
	}
}
