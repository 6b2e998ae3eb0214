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
	floats  int         // how floats are mixed
	strings int         // how strings are mixed
	narrow  int         // how narrow integers reach the word's function
	tees    []*function // by TypeID
	notes   []*function // by TypeID
}

// smallProgram is the number of planned lines up to which a program is small.
const smallProgram = 8

func (g *gen) makeSink() {
	s := &g.sink
	s.kind = [...]types.Kind{types.U64, types.I64, types.U32, types.U64}[g.n(4)]
	s.form = [...]int{0, 1, 2, 4, 5, 0, 4, 3}[g.n(8)]
	s.factor = [...]uint64{31, 3, 1000003, 0x9e3779b1, 257, 6364136223846793005, 0x100000001b3, 5}[g.n(8)] & (1<<s.kind.Bits() - 1)
	if s.kind.IsSigned() {
		s.factor >>= 1
	}
	s.factor |= 5
	s.rotate = 1 + g.n(s.kind.Bits()-2)
	s.floats, s.strings, s.narrow = g.n(3), g.n(3), [...]int{2, 2, 0, 1}[g.n(4)]
	if g.sw.lines <= smallProgram && !g.chance(64) {
		s.floats, s.strings, s.narrow = 0, 0, 2 // a function for each type would be most of the program
	}
	s.sum = g.keep(variable{name: [...]string{"H", "sum", "CRC", "acc_", "h0"}[g.n(5)], ty: types.Prim(s.kind), mut: true, locked: true, global: true})
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
	factor := func() syntax.Expr { return g.intLit(k, s.factor&(1<<(k.Bits()-1)-1), true) }
	read := func() syntax.Expr { return g.path(sum.name) }
	set := func(e syntax.Expr) []syntax.Stmt {
		return []syntax.Stmt{g.stmt(g.assign(read(), syntax.NoOp, e))}
	}
	form := s.form
	if form == 2 && k.IsSigned() {
		form = 0 // a rotation wants the logical shift
	}
	// A word that is more than a variable comes first: it may hold checksums itself, whose effect the sum must not be
	// read before.
	combine := func(op syntax.BinaryOp, old syntax.Expr) syntax.Expr {
		if isRead(word) {
			return g.binary(op, old, word)
		}
		return g.binary(op, word, old)
	}
	switch form {
	case 1:
		return set(g.binary(syntax.Mul, combine(syntax.BitXor, read()), factor()))
	case 2:
		turn := s.rotate % k.Bits()
		left := g.binary(syntax.Shl, read(), g.integer(uint64(turn), ""))
		right := g.binary(syntax.Shr, read(), g.integer(uint64(k.Bits()-turn), ""))
		return set(combine(syntax.BitXor, g.binary(syntax.BitOr, left, right)))
	case 3:
		return []syntax.Stmt{
			g.stmt(g.assign(read(), syntax.Mul, factor())),
			g.stmt(g.assign(read(), syntax.Add, word)),
		}
	case 4:
		return set(combine(syntax.BitXor, g.binary(syntax.Mul, read(), factor())))
	case 5:
		return set(g.binary(syntax.Mul, combine(syntax.Add, read()), factor()))
	}
	return set(combine(syntax.Add, g.binary(syntax.Mul, read(), factor())))
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
				out = append(out, g.stmt(g.noteCall(g.tupleField(x(), i), part)))
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

// tee returns the function that mixes a value of type t and returns it; note the one that only mixes it.
func (g *gen) tee(t *types.Type) *function { return g.sinkFunction(&g.sink.tees, t, t) }
func (g *gen) note(t *types.Type) *function {
	return g.sinkFunction(&g.sink.notes, t, types.Prim(types.Unit))
}

// sinkFunction returns the function of list for type t, and makes it when it is first wanted.
func (g *gen) sinkFunction(list *[]*function, t, result *types.Type) *function {
	for int(t.ID) >= len(*list) {
		*list = append(*list, nil)
	}
	if f := (*list)[t.ID]; f != nil {
		return f
	}
	if g.fn != nil {
		g.account()
	}
	prefixes := [...]string{"tee", "mix_", "see", "chk"}
	if result != t {
		prefixes = [...]string{"note", "put_", "add", "log"}
	}
	f := &function{name: g.fresh(prefixes[g.sink.form%4]), params: []*types.Type{t}, result: result}
	(*list)[t.ID] = f
	before := g.nodes
	body := g.sinkBody(f, t)
	var tail syntax.Expr
	if result == t {
		tail = g.path("x")
	}
	f.cost += float64(g.nodes-before) + 4
	switch t.Kind {
	case types.Str:
		f.cost *= 8
	case types.Tuple:
		for _, p := range t.Args {
			if visible(p) {
				f.cost += g.note(p).cost
			}
		}
	}
	f.decl = &syntax.FnDecl{Name: syntax.Ident{Name: f.name}, Params: []syntax.Param{{Name: syntax.Ident{Name: "x"}, Type: g.typeExpr(t)}},
		Body: g.block(tail, body...)}
	if tail != nil {
		f.decl.Result = g.typeExpr(t)
	}
	if g.fn != nil {
		g.fn.seen = g.nodes
	}
	return f
}

// sinkBody makes the statements of a checksum function.
func (g *gen) sinkBody(f *function, t *types.Type) []syntax.Stmt {
	x := func() syntax.Expr { return g.path("x") }
	if t.Kind.IsInt() && t.Kind.Bits() < 64 && g.sink.narrow == 1 {
		wide := g.note(wideType)
		f.cost = wide.cost
		return []syntax.Stmt{g.stmt(g.call(wide.name, g.cast(x(), types.I64)))}
	}
	return g.mixValue(g.sink.sum, x, t)
}

// teeCall puts the checksum call of type t round x; its value is x's.
func (g *gen) teeCall(x syntax.Expr, t *types.Type) syntax.Expr {
	if g.sink.narrow == 2 && t.Kind == types.Bool {
		return g.binary(syntax.Ne, g.sinkCall(g.tee(wideType), g.cast(x, types.I64)), g.integer(0, ""))
	}
	if g.viaWide(t) {
		return g.cast(g.sinkCall(g.tee(wideType), g.cast(x, types.I64)), t.Kind)
	}
	return g.sinkCall(g.tee(t), x)
}

// viaWide reports whether values of type t go through the checksum function of i64: one function is shorter than eight.
func (g *gen) viaWide(t *types.Type) bool {
	return g.sink.narrow == 2 && (t.Kind.IsInt() && t.Kind != types.I64 || t.Kind == types.Bool)
}

var wideType = types.Prim(types.I64)

// noteCall makes the checksum call of type t that has no value.
func (g *gen) noteCall(x syntax.Expr, t *types.Type) syntax.Expr {
	if !t.Kind.IsInt() && g.fn.mult <= 4 && t.Printable() && g.chance(190) {
		return g.print(x) // as good as a checksum, and needs no function
	}
	if e := g.inlineNote(x, t); e != nil {
		return e
	}
	if g.sink.narrow == 2 && t.Kind == types.Bool {
		return g.sinkCall(g.note(wideType), g.cast(x, types.I64))
	}
	if g.viaWide(t) {
		return g.sinkCall(g.note(wideType), g.cast(x, types.I64))
	}
	return g.sinkCall(g.note(t), x)
}

// inlineNote mixes x into the checksum without a function, where one statement does; else it returns nil.
func (g *gen) inlineNote(x syntax.Expr, t *types.Type) syntax.Expr {
	s := &g.sink
	if !t.Kind.IsInt() && t.Kind != types.Bool || t.Kind.Bits() > s.kind.Bits() || s.form == 3 || !g.chance(128) {
		return nil
	}
	if t.Kind != s.kind {
		if !g.viaWide(t) && !hasOwnType(x) {
			return nil // made for a place that tells literals their type, which `as` does not
		}
		x = g.cast(x, s.kind)
	}
	return g.mix(s.sum, x)[0].(*syntax.ExprStmt).X
}

func (g *gen) sinkCall(f *function, x syntax.Expr) syntax.Expr {
	if g.fn != nil {
		g.account()
		g.fn.cost += f.cost * g.fn.mult
	}
	return g.call(f.name, x)
}

// seen lets x, of type t, be seen by a checksum and stands for its value. The place tells literals their type.
func (g *gen) seen(x syntax.Expr, t *types.Type) syntax.Expr {
	if g.fn.local != nil && t.Kind.IsInt() && g.fn.local.hidden == 0 && g.chance(170) {
		name := g.fresh("t")
		read := func() syntax.Expr { return g.path(name) }
		stmts := append([]syntax.Stmt{g.let(name, false, g.typeExpr(t), x)}, g.mixValue(g.fn.local, read, t)...)
		return g.block(read(), stmts...)
	}
	return g.teeCall(x, t)
}

// teeCost is about the cost of a checksum call of type t. It must not make the function, which may not be wanted.
func (g *gen) teeCost(t *types.Type) float64 { return costIn(g.sink.tees, t) }

// noteCost is about the cost of one without a value.
func (g *gen) noteCost(t *types.Type) float64 { return costIn(g.sink.notes, t) }

func costIn(made []*function, t *types.Type) float64 {
	switch {
	case int(t.ID) < len(made) && made[t.ID] != nil:
		return made[t.ID].cost + 4
	case t.Kind == types.Str:
		return 100
	case t.Kind == types.Tuple:
		return 20 * float64(len(t.Args))
	}
	return 16
}

// operand makes an operand of type t of an operator that loses information about it: a comparison, a mask, a narrowing
// cast. As a rule a checksum sees it first, more often if much went into it. It has its type by itself.
func (g *gen) operand(t *types.Type, size int) syntax.Expr {
	x := g.expr(t, max(size-1, 1), false)
	if isLiteral(x) || !visible(t) {
		return x
	}
	chance := g.sw.tee
	if isRead(x) {
		chance /= 3
	}
	if g.chance(chance) && g.affords(g.teeCost(t)) {
		return g.seen(x, t)
	}
	return x
}

// isLiteral reports whether x is a literal; nothing is gained by a checksum of one.
func isLiteral(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.IntLit, *syntax.FloatLit, *syntax.BoolLit, *syntax.StrLit:
		return true
	case *syntax.TupleLit:
		return len(x.Elems) == 0
	case *syntax.Unary:
		return isLiteral(x.X)
	case *syntax.PathExpr: // a literal with a spelling of its own
		c := x.Path.Segments[0].Name[0]
		return c >= '0' && c <= '9'
	}
	return false
}

// hasOwnType reports whether x has its type whatever stands round it.
func hasOwnType(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Call, *syntax.Cast:
		return true
	case *syntax.TupleField:
		return hasOwnType(x.X)
	}
	return isRead(x) && !isLiteral(x)
}

// isRead reports whether x only reads a variable, perhaps converted.
func isRead(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Cast:
		return isRead(x.X)
	case *syntax.PathExpr:
		return true
	case *syntax.TupleField:
		return isRead(x.X)
	}
	return false
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
	return []syntax.Stmt{g.stmt(g.noteCall(g.read(v), v.ty))}
}
