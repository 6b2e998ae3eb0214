package gen

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// sink is how a program shows its values: a checksum in a static, and for every type that needs one a function that
// mixes a value into the checksum and returns it. Such a call is put round operands of operators that lose information.
// The forms are drawn per program, lest all programs share a shape that hides a bug.
type sink struct {
	sum     *variable
	kind    types.Kind // of sum
	form    int        // how a word is mixed in
	factor  uint64     // odd, so that mixing is a bijection
	rotate  int
	floats  int // how floats are mixed
	strings int // how strings are mixed
	narrow  int // how narrow integers reach the word's function
	tees    []*function
}

const mixForms = 6

func (g *gen) makeSink() {
	s := &g.sink
	s.kind = [...]types.Kind{types.U64, types.I64, types.U32, types.U64}[g.n(4)]
	s.form = g.n(mixForms)
	s.factor = [...]uint64{31, 3, 1000003, 0x9e3779b1, 257, 6364136223846793005, 0x100000001b3, 5}[g.n(8)] & (1<<s.kind.Bits() - 1)
	if s.kind.IsSigned() {
		s.factor >>= 1
	}
	s.factor |= 1
	s.rotate = 1 + g.n(s.kind.Bits()-2)
	s.floats, s.strings, s.narrow = g.n(3), g.n(3), g.n(3)
	s.sum = &variable{name: [...]string{"H", "sum", "CRC", "acc_", "h0"}[g.n(5)], ty: types.Prim(s.kind), mut: true, locked: true, global: true}
	start := g.intValue(s.kind)
	g.addStatic(s.sum, g.intLit(s.kind, start, true))
}

// visible reports whether a value of type t can be mixed into a checksum, wholly or in parts.
func visible(t *types.Type) bool {
	switch t.Kind {
	case types.Tuple:
		for _, p := range t.Args {
			if visible(p) {
				return true
			}
		}
		return false
	case types.Bool, types.Str:
		return true
	}
	return t.Kind.IsNumeric()
}

// mix makes the statements that mix word w, of sum's kind, into sum. word is called once for each use of the word.
func (g *gen) mix(sum *variable, word syntax.Expr) []syntax.Stmt {
	s := &g.sink
	k := sum.ty.Kind
	factor := func() syntax.Expr { return g.intLit(k, s.factor&(1<<(k.Bits()-1)-1)|1, true) }
	read := func() syntax.Expr { return g.path(sum.name) }
	set := func(e syntax.Expr) []syntax.Stmt {
		return []syntax.Stmt{g.stmt(g.assign(read(), syntax.NoOp, e))}
	}
	form := s.form
	if form == 2 && k.IsSigned() {
		form = 0 // a rotation wants the logical shift
	}
	switch form {
	case 1:
		return set(g.binary(syntax.Mul, g.binary(syntax.BitXor, read(), word), factor()))
	case 2:
		turn := s.rotate % k.Bits()
		left := g.binary(syntax.Shl, read(), g.integer(uint64(turn), ""))
		right := g.binary(syntax.Shr, read(), g.integer(uint64(k.Bits()-turn), ""))
		return set(g.binary(syntax.BitXor, g.binary(syntax.BitOr, left, right), word))
	case 3:
		return []syntax.Stmt{
			g.stmt(g.assign(read(), syntax.Mul, factor())),
			g.stmt(g.assign(read(), syntax.Add, word)),
		}
	case 4:
		return set(g.binary(syntax.BitXor, g.binary(syntax.Mul, read(), factor()), word))
	case 5:
		return set(g.binary(syntax.Mul, g.binary(syntax.Add, read(), word), factor()))
	}
	return set(g.binary(syntax.Add, g.binary(syntax.Mul, read(), factor()), word))
}

// mixValue makes the statements that mix the value of the variable x, of type t, into sum. Only what its type holds is
// lost: a word of a wider kind goes in as two.
func (g *gen) mixValue(sum *variable, x func() syntax.Expr, t *types.Type) []syntax.Stmt {
	k := sum.ty.Kind
	word := func(e syntax.Expr, from types.Kind) []syntax.Stmt {
		if from != k {
			e = g.cast(e, k)
		}
		return g.mix(sum, e)
	}
	switch {
	case t.Kind.IsInt():
		out := word(x(), t.Kind)
		if t.Kind.Bits() > k.Bits() {
			half := g.binary(syntax.Shr, x(), g.integer(uint64(k.Bits()), ""))
			out = append(out, word(half, t.Kind)...)
		}
		return out
	case t.Kind == types.Bool:
		return word(x(), types.Bool)
	case t.Kind.IsFloat():
		return g.mixFloat(x, t.Kind, word)
	case t.Kind == types.Str:
		return g.mixString(x, word)
	case t.Kind == types.Tuple:
		var out []syntax.Stmt
		for i, part := range t.Args {
			if visible(part) {
				out = append(out, g.stmt(g.teeCall(g.tupleField(x(), i), part)))
			}
		}
		return out
	}
	return nil
}

// mixFloat shows a float: printed, which shows every bit, or as scaled integers with the rest printed.
func (g *gen) mixFloat(x func() syntax.Expr, k types.Kind, word func(syntax.Expr, types.Kind) []syntax.Stmt) []syntax.Stmt {
	if g.sink.floats != 1 {
		return []syntax.Stmt{g.stmt(g.print(x()))}
	}
	limit := func(neg bool) syntax.Expr {
		v := 1e9
		if neg {
			v = -v
		}
		return g.floatLit(k, v, true)
	}
	scaled := func(by float64) []syntax.Stmt {
		return word(g.cast(g.binary(syntax.Mul, x(), g.floatLit(k, by, true)), types.I64), types.I64)
	}
	inside := g.binary(syntax.And, g.binary(syntax.Gt, x(), limit(true)), g.binary(syntax.Lt, x(), limit(false)))
	body := append(scaled(16), scaled(1<<30)...)
	return []syntax.Stmt{g.blockStmt(g.ifElse(inside, g.block(nil, body...), g.block(nil, g.stmt(g.print(x())))))}
}

// mixString shows a string: printed, or byte by byte with its length.
func (g *gen) mixString(x func() syntax.Expr, word func(syntax.Expr, types.Kind) []syntax.Stmt) []syntax.Stmt {
	if g.sink.strings == 0 {
		return []syntax.Stmt{g.stmt(g.print(x()))}
	}
	length := func() syntax.Expr { return g.call("len", x()) }
	out := word(length(), types.I64)
	g.nodes++
	at := &syntax.Index{X: x(), I: g.path("k_")}
	loop := &syntax.For{Pat: g.bind("k_", false), Iter: g.rangeOf(g.integer(0, ""), length(), false), Body: g.block(nil, word(at, types.U8)...)}
	return append(out, g.blockStmt(loop))
}

// tee returns the function that mixes a value of type t and returns it.
func (g *gen) tee(t *types.Type) *function {
	s := &g.sink
	for int(t.ID) >= len(s.tees) {
		s.tees = append(s.tees, nil)
	}
	if f := s.tees[t.ID]; f != nil {
		return f
	}
	if g.fn != nil {
		g.account()
	}
	f := &function{name: g.fresh([...]string{"tee", "mix_", "see", "chk"}[s.form%4]), params: []*types.Type{t}, result: t}
	s.tees[t.ID] = f
	before := g.nodes
	x := func() syntax.Expr { return g.path("x") }
	var body []syntax.Stmt
	switch wide := types.Prim(types.I64); {
	case t.Kind.IsInt() && t.Kind.Bits() < 64 && s.narrow == 1:
		body = []syntax.Stmt{g.stmt(g.call(g.tee(wide).name, g.cast(x(), types.I64)))}
		f.cost = g.tee(wide).cost
	default:
		body = g.mixValue(s.sum, x, t)
	}
	f.cost += float64(g.nodes-before) + 4
	switch t.Kind {
	case types.Str:
		f.cost *= 8
	case types.Tuple:
		for _, p := range t.Args {
			if visible(p) {
				f.cost += g.tee(p).cost
			}
		}
	}
	f.decl = &syntax.FnDecl{Name: syntax.Ident{Name: f.name}, Params: []syntax.Param{{Name: syntax.Ident{Name: "x"}, Type: g.typeExpr(t)}},
		Result: g.typeExpr(t), Body: g.block(x(), body...)}
	if g.fn != nil {
		g.fn.seen = g.nodes
	}
	return f
}

// teeCall puts the checksum call of type t round x.
func (g *gen) teeCall(x syntax.Expr, t *types.Type) syntax.Expr {
	f := g.tee(t)
	if g.fn != nil {
		g.account()
		g.fn.cost += f.cost * g.fn.mult
	}
	return g.call(f.name, x)
}

// seen lets x, of type t, be seen by a checksum and stands for its value. The place tells literals their type.
func (g *gen) seen(x syntax.Expr, t *types.Type) syntax.Expr {
	if g.fn.local != nil && t.Kind.IsInt() && g.fn.local.hidden == 0 && g.chance(90) {
		name := g.fresh("t")
		read := func() syntax.Expr { return g.path(name) }
		stmts := append([]syntax.Stmt{g.let(name, false, g.typeExpr(t), x)}, g.mixValue(g.fn.local, read, t)...)
		return g.block(read(), stmts...)
	}
	return g.teeCall(x, t)
}

// operand makes an operand of type t of an operator that loses information about it: a comparison, a mask, a narrowing
// cast. As a rule a checksum sees it first. It has its type by itself.
func (g *gen) operand(t *types.Type, size int) syntax.Expr {
	if visible(t) && g.chance(g.sw.tee) && g.affords(g.tee(t).cost+4) {
		return g.seen(g.expr(t, size-1, true), t)
	}
	return g.expr(t, size, false)
}

// show makes a statement that shows the value of v: mixed in, or printed.
func (g *gen) show(v *variable) []syntax.Stmt {
	v.dirty = false
	if !visible(v.ty) {
		return nil
	}
	switch g.n(8) {
	case 6:
		if v.ty.Printable() {
			return []syntax.Stmt{g.stmt(g.print(g.read(v)))}
		}
	case 7:
		if g.fn.local != nil && g.fn.local.hidden == 0 && g.fn.local != v && v.ty.Kind.IsInt() {
			return g.mixValue(g.fn.local, func() syntax.Expr { return g.read(v) }, v.ty)
		}
	}
	return []syntax.Stmt{g.stmt(g.teeCall(g.read(v), v.ty))}
}
