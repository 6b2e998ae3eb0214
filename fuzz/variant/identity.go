package variant

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// law is an equality that holds for every value of the types it is for.
type law struct {
	class func(*types.Type) bool
	make  func(d *draft, t *types.Type, x syntax.Expr) syntax.Expr
	// constant says that the law holds between literals and operators alone, so that a static's initialiser may be put under it.
	constant bool
}

func isInt(t *types.Type) bool    { return t.Kind.IsInt() }
func isSigned(t *types.Type) bool { return t.Kind.IsSigned() }
func isFloat(t *types.Type) bool  { return t.Kind.IsFloat() }
func isBool(t *types.Type) bool   { return t.Kind == types.Bool }
func isStr(t *types.Type) bool    { return t.Kind == types.Str }

// isNarrow asks for integers that another integer type holds all values of.
func isNarrow(t *types.Type) bool { return t.Kind.IsInt() && t.Kind.Bits() < 64 }

// right makes the law x op c, where op does nothing with the constant c.
func right(op syntax.BinaryOp, w uint64) func(*draft, *types.Type, syntax.Expr) syntax.Expr {
	return func(d *draft, t *types.Type, x syntax.Expr) syntax.Expr {
		base := [...]int{10, 16, 2, 8}[d.n(4)]
		return binary(op, x, integer(t.Kind, w, base))
	}
}

// left makes the law c op x. A constant has no effects, so it may be evaluated first.
func left(op syntax.BinaryOp, w uint64) func(*draft, *types.Type, syntax.Expr) syntax.Expr {
	return func(_ *draft, t *types.Type, x syntax.Expr) syntax.Expr {
		return binary(op, integer(t.Kind, w, 10), x)
	}
}

// there makes the law (x op c) back c, for operators that wrap.
func there(op, back syntax.BinaryOp) func(*draft, *types.Type, syntax.Expr) syntax.Expr {
	return func(d *draft, t *types.Type, x syntax.Expr) syntax.Expr {
		w := d.edge(t.Kind)
		return binary(back, binary(op, x, integer(t.Kind, w, 10)), integer(t.Kind, w, 16))
	}
}

func floatRight(op syntax.BinaryOp, text string, neg bool) func(*draft, *types.Type, syntax.Expr) syntax.Expr {
	return func(_ *draft, t *types.Type, x syntax.Expr) syntax.Expr {
		c := float(t.Kind, text)
		if neg {
			c = &syntax.Unary{Op: syntax.Neg, X: c}
		}
		return binary(op, x, c)
	}
}

func twice(op syntax.UnaryOp) func(*draft, *types.Type, syntax.Expr) syntax.Expr {
	return func(_ *draft, _ *types.Type, x syntax.Expr) syntax.Expr {
		return &syntax.Unary{Op: op, X: &syntax.Unary{Op: op, X: x}}
	}
}

func boolRight(op syntax.BinaryOp, v bool) func(*draft, *types.Type, syntax.Expr) syntax.Expr {
	return func(_ *draft, _ *types.Type, x syntax.Expr) syntax.Expr { return binary(op, x, truth(v)) }
}

func cast(x syntax.Expr, k types.Kind) syntax.Expr {
	return &syntax.Cast{X: x, Type: namedType(types.Prim(k).Name)}
}

// laws hold exactly: integers wrap, and of floats only what keeps every value, the sign of zero included (x + 0.0 does not).
// Their constants have suffixes, so that a literal finds the type of the place beside it.
var laws = []law{
	{isInt, right(syntax.Add, 0), true}, {isInt, right(syntax.Sub, 0), true}, {isInt, right(syntax.Mul, 1), true}, {isInt, right(syntax.Div, 1), true},
	{isInt, right(syntax.BitOr, 0), true}, {isInt, right(syntax.BitXor, 0), true}, {isInt, right(syntax.BitAnd, ^uint64(0)), true},
	{isInt, right(syntax.Pow, 1), true}, {isInt, left(syntax.Add, 0), true}, {isInt, left(syntax.Mul, 1), true}, {isInt, left(syntax.BitXor, 0), true},
	{isInt, left(syntax.BitOr, 0), true}, {isInt, twice(syntax.Not), true}, {isSigned, twice(syntax.Neg), true},
	{isInt, there(syntax.Add, syntax.Sub), true}, {isInt, there(syntax.Sub, syntax.Add), true}, {isInt, there(syntax.BitXor, syntax.BitXor), true},
	{isInt, func(d *draft, t *types.Type, x syntax.Expr) syntax.Expr { // counts are taken modulo the width
		w := uint64(d.n(4)) * uint64(t.Kind.Bits())
		return binary([...]syntax.BinaryOp{syntax.Shl, syntax.Shr}[d.n(2)], x, integer(types.U8, w, 10))
	}, true},
	{isInt, func(d *draft, t *types.Type, x syntax.Expr) syntax.Expr {
		if t.Kind.IsSigned() {
			return cast(cast(typed(d, t, x), t.Kind-types.I8+types.U8), t.Kind)
		}
		return cast(cast(typed(d, t, x), t.Kind-types.U8+types.I8), t.Kind)
	}, false},
	{isNarrow, func(d *draft, t *types.Type, x syntax.Expr) syntax.Expr {
		return cast(cast(typed(d, t, x), [...]types.Kind{types.I64, types.U64, types.F64}[d.n(3)]), t.Kind)
	}, false},
	{isFloat, floatRight(syntax.Mul, "1.0", false), true}, {isFloat, floatRight(syntax.Div, "1.0", false), true},
	{isFloat, floatRight(syntax.Sub, "0.0", false), true}, {isFloat, floatRight(syntax.Add, "0.0", true), true},
	{isFloat, floatRight(syntax.Mul, "1e0", false), true}, {isFloat, twice(syntax.Neg), true},
	{isFloat, func(d *draft, t *types.Type, x syntax.Expr) syntax.Expr {
		return cast(cast(typed(d, t, x), types.F64), t.Kind)
	}, false},
	{isBool, twice(syntax.Not), true}, {isBool, boolRight(syntax.And, true), true}, {isBool, boolRight(syntax.Or, false), true},
	{isBool, boolRight(syntax.Eq, true), true}, {isBool, boolRight(syntax.Ne, false), true}, {isBool, boolRight(syntax.BitXor, false), true},
	{isBool, boolRight(syntax.BitAnd, true), true}, {isBool, boolRight(syntax.BitOr, false), true}, {isBool, boolRight(syntax.Ge, true), true},
	{isBool, func(_ *draft, _ *types.Type, x syntax.Expr) syntax.Expr {
		return &syntax.If{Cond: x, Then: block(truth(true)), Else: block(truth(false))}
	}, false},
	{isBool, func(d *draft, _ *types.Type, x syntax.Expr) syntax.Expr {
		arms := []syntax.Arm{{Pat: literalPattern(truth(true)), Body: truth(true)}, {Pat: literalPattern(truth(false)), Body: truth(false)}}
		if d.n(2) == 1 {
			arms[0], arms[1] = arms[1], arms[0]
		}
		return &syntax.Match{X: x, Arms: arms}
	}, false},
	{isStr, func(d *draft, t *types.Type, x syntax.Expr) syntax.Expr {
		if d.hides("len") {
			return nil
		}
		v, let := d.temp(t, x, false)
		all := &syntax.Range{Lo: integer(types.I64, 0, 10), Hi: &syntax.Call{Callee: pathTo("len"), Args: []syntax.Expr{d.read(v)}}}
		return block(&syntax.Index{X: d.read(v), I: all}, let)
	}, false},
}

// typed makes sure that x has the type t where nothing is asked for.
func typed(d *draft, t *types.Type, x syntax.Expr) syntax.Expr {
	if d.strong(x) {
		return x
	}
	v, let := d.temp(t, x, false)
	return block(d.read(v), let)
}

// applyLaw puts an expression under one of the laws.
func applyLaw(d *draft, s *exprSite) syntax.Expr {
	at := d.n(len(laws))
	for range laws {
		if l := &laws[at]; l.class(s.typ) {
			return l.make(d, s.typ, *s.slot)
		}
		if at++; at == len(laws) {
			at = 0
		}
	}
	return nil
}

func hasLaw(_ *draft, s *exprSite) bool {
	return s.typ.Kind.IsNumeric() || s.typ.Kind == types.Bool || s.typ.Kind == types.Str
}

// isBinary asks for an operator whose operands have known types.
func isBinary(d *draft, s *exprSite) bool {
	b, ok := (*s.slot).(*syntax.Binary)
	return ok && d.typeOf(b.X) != nil && d.typeOf(b.Y) != nil && d.typeOf(b.X).Kind != types.Never && d.typeOf(b.Y).Kind != types.Never
}

// negated are comparisons and what is true when they are not.
var negated = map[syntax.BinaryOp]syntax.BinaryOp{syntax.Eq: syntax.Ne, syntax.Ne: syntax.Eq, syntax.Lt: syntax.Ge,
	syntax.Ge: syntax.Lt, syntax.Gt: syntax.Le, syntax.Le: syntax.Gt}

// negateCompare turns `a < b` into `!(a >= b)`, which is not the same for floats, and `a && b` into `!(!a || !b)`.
func negateCompare(d *draft, s *exprSite) syntax.Expr {
	b := (*s.slot).(*syntax.Binary)
	switch op, ok := negated[b.Op]; {
	case ok && (b.Op == syntax.Eq || b.Op == syntax.Ne || !d.typeOf(b.X).Kind.IsFloat()):
		return not(&syntax.Binary{Op: op, X: b.X, Y: b.Y})
	case b.Op == syntax.And:
		return not(binary(syntax.Or, not(b.X), not(b.Y)))
	case b.Op == syntax.Or:
		return not(binary(syntax.And, not(b.X), not(b.Y)))
	}
	return nil
}

// mirrored are operators, and the one that gives the same with its operands exchanged. Floats too: only the bits of a NaN
// depend on the order, and nothing shows them.
var mirrored = map[syntax.BinaryOp]syntax.BinaryOp{syntax.Add: syntax.Add, syntax.Mul: syntax.Mul, syntax.BitAnd: syntax.BitAnd,
	syntax.BitOr: syntax.BitOr, syntax.BitXor: syntax.BitXor, syntax.Eq: syntax.Eq, syntax.Ne: syntax.Ne, syntax.Lt: syntax.Gt,
	syntax.Gt: syntax.Lt, syntax.Le: syntax.Ge, syntax.Ge: syntax.Le}

// mirror exchanges the operands of an operator, which are evaluated in their old order.
func mirror(d *draft, s *exprSite) syntax.Expr {
	b := (*s.slot).(*syntax.Binary)
	op, ok := mirrored[b.Op]
	if !ok || !small(d.typeOf(b.X)) {
		return nil
	}
	x, letX := d.temp(d.typeOf(b.X), b.X, false)
	y, letY := d.temp(d.typeOf(b.Y), b.Y, false)
	return block(binary(op, d.read(y), d.read(x)), letX, letY)
}

// rewriteArith spells an operator by others.
func rewriteArith(d *draft, s *exprSite) syntax.Expr {
	b := (*s.slot).(*syntax.Binary)
	t := s.typ
	if !t.Kind.IsInt() || d.typeOf(b.X) != t || b.Op != syntax.Shl && d.typeOf(b.Y) != t {
		return nil
	}
	x, letX := d.temp(t, b.X, false)
	y, letY := d.temp(d.typeOf(b.Y), b.Y, false)
	rx := func() syntax.Expr { return d.read(x) }
	ry := func() syntax.Expr { return d.read(y) }
	one := func() syntax.Expr { return integer(t.Kind, 1, 10) }
	var out syntax.Expr
	switch b.Op {
	case syntax.Add:
		out = binary(syntax.Sub, rx(), binary(syntax.Add, not(ry()), one()))
	case syntax.Sub:
		out = binary(syntax.Add, binary(syntax.Add, rx(), not(ry())), one())
	case syntax.Mul:
		out = binary(syntax.Sub, binary(syntax.Mul, rx(), binary(syntax.Add, ry(), one())), rx())
	case syntax.BitAnd:
		out = not(binary(syntax.BitOr, not(rx()), not(ry())))
	case syntax.BitOr:
		out = binary(syntax.BitXor, binary(syntax.BitXor, rx(), ry()), binary(syntax.BitAnd, rx(), ry()))
	case syntax.BitXor:
		out = binary(syntax.Sub, binary(syntax.BitOr, rx(), ry()), binary(syntax.BitAnd, rx(), ry()))
	case syntax.Shl:
		out = binary(syntax.Mul, rx(), binary(syntax.Shl, one(), ry()))
	case syntax.Rem: // the division panics where the remainder does, with the same message
		out = binary(syntax.Sub, rx(), binary(syntax.Mul, binary(syntax.Div, rx(), ry()), ry()))
	default:
		return nil
	}
	return block(out, letX, letY)
}

// respell writes an integer literal otherwise: in another base, or as a sum or the like of two others.
func respell(d *draft, s *exprSite) syntax.Expr {
	c, ok := d.node(*s.slot).(*types.Const)
	k := s.typ.Kind
	if !ok || !k.IsInt() {
		return nil
	}
	w := d.edge(k)
	base := [...]int{10, 16, 2, 8}[d.n(4)]
	switch d.n(4) {
	case 0:
		return integer(k, c.Bits, base)
	case 1:
		return binary(syntax.Add, integer(k, c.Bits-w, base), integer(k, w, 10))
	case 2:
		return binary(syntax.BitXor, integer(k, c.Bits^w, 10), integer(k, w, base))
	}
	return binary(syntax.Sub, integer(k, c.Bits+w, 10), integer(k, w, base))
}

func isConst(d *draft, s *exprSite) bool {
	_, ok := d.node(*s.slot).(*types.Const)
	return ok && s.typ.Kind.IsInt()
}

// callByValue calls a function through a value.
func callByValue(d *draft, s *exprSite) syntax.Expr {
	c := (*s.slot).(*syntax.Call)
	known, ok := d.node(c).(*types.Call)
	if !ok || nameOf(c.Callee) == "" || !small(known.Func.Type) {
		return nil
	}
	f, let := d.temp(known.Func.Type, pathTo(nameOf(c.Callee)), false)
	return &syntax.Call{Callee: block(d.read(f), let), Args: c.Args}
}

func isCall(_ *draft, s *exprSite) bool {
	_, ok := (*s.slot).(*syntax.Call)
	return ok
}

// spellOut turns `x op= v` into `x = x op v`: both load x first.
func spellOut(d *draft) bool {
	s := d.someExpr(func(s *exprSite) bool {
		a, ok := (*s.slot).(*syntax.Assign)
		return ok && a.Op != syntax.NoOp && root(a.Place) != nil
	})
	if s == nil {
		return false
	}
	a := (*s.slot).(*syntax.Assign)
	// The operator's place is the one that a panic names.
	*s.slot = &syntax.Assign{Place: a.Place, Value: &syntax.Binary{Op: a.Op, X: syntax.CloneExpr(a.Place), Y: a.Value}}
	return true
}
