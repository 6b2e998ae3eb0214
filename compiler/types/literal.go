package types

import (
	"math"
	"strconv"

	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
)

// A number literal without a suffix has no type until its context gives one. The context may come from above (a hint,
// see checker.expr) or, among operands and branches, from a sibling that is checked later. So a literal without a hint
// becomes a Const of an untyped kind, operators and branches over such have an untyped kind too, and settle walks down
// again when the type is known. None of these kinds is left in a Program, and none is in its Table.
const (
	untypedInt Kind = Assoc + 1 + iota
	untypedFloat
	untypedTuple // a tuple with an untyped part; not interned
)

var (
	anInteger = &Type{Kind: untypedInt, ID: -1, Name: "{integer}"}
	aFloat    = &Type{Kind: untypedFloat, ID: -1, Name: "{float}"}
)

// untyped reports whether t still waits for a type.
func (t *Type) untyped() bool { return t.Kind >= untypedInt }

// number is a literal number as written, perhaps with a minus directly before it.
type number struct {
	lit syntax.Expr // *syntax.IntLit or *syntax.FloatLit
	neg bool
}

// numberOf returns the literal that e is, if it is one.
func numberOf(e syntax.Expr) (number, bool) {
	n := number{lit: e}
	if u, ok := e.(*syntax.Unary); ok && u.Op == syntax.Neg {
		n = number{u.X, true}
	}
	switch n.lit.(type) {
	case *syntax.IntLit, *syntax.FloatLit:
		return n, true
	}
	return n, false
}

// typeFor returns the literal's type where hint is asked for: its suffix decides, then the hint if it is of the
// literal's sort, else it is untyped.
func (n number) typeFor(hint *Type) *Type {
	suffix, loose := "", anInteger
	switch lit := n.lit.(type) {
	case *syntax.IntLit:
		suffix = lit.Suffix
	case *syntax.FloatLit:
		suffix, loose = lit.Suffix, aFloat
	}
	if kind := PrimitiveNames[suffix]; kind.IsNumeric() {
		return Prim(kind)
	}
	if hint != nil && (loose == anInteger && hint.Kind.IsInt() || loose == aFloat && hint.Kind.IsFloat()) {
		return hint
	}
	return loose
}

// numberExpr makes the Const of a literal. An untyped one waits in c.pending, at the index that its Node holds.
func (c *checker) numberExpr(n number, span source.Span, hint *Type) Expr {
	t := n.typeFor(hint)
	k := c.make.consts.Put(Const{Base: Base{Span: span, Typ: t}})
	if t.untyped() {
		k.Node = NodeID(len(c.pending))
		c.pending = append(c.pending, n)
		return k
	}
	k.Node = c.node()
	k.Bits = c.numberBits(n, span, t)
	return k
}

// numberBits returns the value of a literal as a word of type t, and reports one that does not fit.
func (c *checker) numberBits(n number, span source.Span, t *Type) uint64 {
	if t.Kind.IsFloat() {
		return c.floatBits(n, span, t.Kind)
	}
	lit, ok := n.lit.(*syntax.IntLit)
	if !ok {
		c.errorf(span, "a float literal cannot have the type `%s`", t)
		return 0
	}
	_, largest := t.Kind.MinMax()
	value := lit.Value
	if n.neg {
		if !t.Kind.IsSigned() {
			c.errorf(span, "`-` is not for the unsigned type `%s`", t)
			return 0
		}
		largest++ // 2^(w-1), allowed here only
		value = -value
	}
	if lit.Value > largest {
		c.errorf(span, "literal out of range for `%s`", t)
		return 0
	}
	return value
}

// floatBits rounds a literal once, to the format of kind, and returns its bits.
func (c *checker) floatBits(n number, span source.Span, kind Kind) uint64 {
	text := ""
	switch lit := n.lit.(type) {
	case *syntax.FloatLit:
		text = lit.Text
	case *syntax.IntLit: // 1f64
		if lit.Base != 10 {
			c.errorf(span, "a float literal is decimal")
			return 0
		}
		text = strconv.FormatUint(lit.Value, 10)
	}
	size := kind.Bits()
	if c.mutant.On(mutant.FloatLiteralRound) {
		size = 64
	}
	value, err := strconv.ParseFloat(text, size)
	if err != nil || math.IsInf(value, 0) {
		c.errorf(span, "literal out of range for `%s`", Prim(kind))
		return 0
	}
	if n.neg {
		value = -value
	}
	return bitsOfFloat(kind, value)
}

// bitsOfFloat returns value as the bits of a float kind. A NaN's own bits cannot be observed; it gets the usual ones.
func bitsOfFloat(kind Kind, value float64) uint64 {
	switch {
	case kind == F32 && value != value:
		return 0x7fc00000
	case kind == F32:
		return uint64(math.Float32bits(float32(value)))
	case value != value:
		return 0x7ff8000000000000
	}
	return math.Float64bits(value)
}

// unify returns the one type that values of a and of b can have together, or nil. `!` goes with everything, and an
// untyped number with every type of its sort.
func (c *checker) unify(a, b *Type) *Type {
	switch {
	case a == b || b.Kind == Never:
		return a
	case a.Kind == Never:
		return b
	case a.Kind == Invalid || b.Kind == Invalid:
		return Prim(Invalid)
	case a.Kind == untypedTuple || b.Kind == untypedTuple:
		return c.unifyTuples(a, b)
	case a.Kind == untypedInt && b.Kind.IsInt() || a.Kind == untypedFloat && b.Kind.IsFloat():
		return b
	case b.Kind == untypedInt && a.Kind.IsInt() || b.Kind == untypedFloat && a.Kind.IsFloat():
		return a
	}
	return nil
}

func (c *checker) unifyTuples(a, b *Type) *Type {
	isTuple := func(t *Type) bool { return t.Kind == Tuple || t.Kind == untypedTuple }
	if !isTuple(a) || !isTuple(b) || len(a.Args) != len(b.Args) {
		return nil
	}
	parts := make([]*Type, len(a.Args))
	for i := range parts {
		if parts[i] = c.unify(a.Args[i], b.Args[i]); parts[i] == nil {
			return nil
		}
	}
	return c.tupleType(parts)
}

// tupleType returns the tuple of parts: interned, unless a part is untyped.
func (c *checker) tupleType(parts []*Type) *Type {
	for _, p := range parts {
		if p.untyped() {
			return &Type{Kind: untypedTuple, ID: -1, Args: parts, parts: int32(countParts(parts))}
		}
	}
	return c.table.Tuple(parts...)
}

// defaultType returns what t is when no context says more: i64 for integers, f64 for floats.
func (c *checker) defaultType(t *Type) *Type {
	switch t.Kind {
	case untypedInt:
		return Prim(I64)
	case untypedFloat:
		return Prim(F64)
	case untypedTuple:
		parts := make([]*Type, len(t.Args))
		for i, a := range t.Args {
			parts[i] = c.defaultType(a)
		}
		return c.tupleType(parts)
	}
	return t
}

// settle gives e the type t if it is untyped. t is what unify made of e's type and others.
func (c *checker) settle(e Expr, t *Type) {
	if e == nil || !e.Type().untyped() || t.untyped() {
		return
	}
	switch e := e.(type) {
	case *Const:
		n := c.pending[e.Node]
		e.Typ, e.Node = t, c.node()
		if t.Kind != Invalid {
			e.Bits = c.numberBits(n, e.Span, t)
		}
	case *Unary:
		e.Typ = t
		if e.Op == syntax.Neg && t.Kind.IsInt() && !t.Kind.IsSigned() {
			c.errorf(e.Span, "`-` is not for the unsigned type `%s`", t)
		}
		c.settle(e.X, t)
	case *Binary:
		e.Typ = t
		c.settle(e.X, t)
		c.settle(e.Y, t) // a shift's count was settled when the shift was made
	case *TupleExpr:
		e.Typ = t
		for i, elem := range e.Elems {
			c.settle(elem, partOf(t, i))
		}
	case *Block:
		e.Typ = t
		c.settle(e.Tail, t)
	case *If:
		e.Typ = t
		c.settle(e.Then, t)
		c.settle(e.Else, t)
	case *Match:
		e.Typ = t
		for i := range e.Arms {
			c.settle(e.Arms[i].Body, t)
		}
	case *Loop:
		e.Typ = t
		for _, b := range c.untypedBreaks[e] {
			c.settle(b.Value, t)
		}
	default:
		panic("types: an untyped expression that cannot be settled")
	}
}

// partOf returns the type of a tuple's part; of what is no tuple (an error was reported) Invalid.
func partOf(t *Type, i int) *Type {
	if t.Kind == Tuple && i < len(t.Args) {
		return t.Args[i]
	}
	return Prim(Invalid)
}
