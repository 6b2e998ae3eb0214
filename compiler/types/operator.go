package types

import (
	"fmt"

	"rokrig/compiler/syntax"
)

// opClass says which operands an operator takes.
type opClass uint8

const (
	logicOp   opClass = iota // bool
	equalOp                  // types with ==
	orderOp                  // types with <
	bitOp                    // integers and bool
	shiftOp                  // integers, the count of any integer type
	arithOp                  // numbers
	integerOp                // integers
)

var opClasses = [...]opClass{
	syntax.Or: logicOp, syntax.And: logicOp,
	syntax.Eq: equalOp, syntax.Ne: equalOp,
	syntax.Lt: orderOp, syntax.Le: orderOp, syntax.Gt: orderOp, syntax.Ge: orderOp,
	syntax.BitOr: bitOp, syntax.BitXor: bitOp, syntax.BitAnd: bitOp,
	syntax.Shl: shiftOp, syntax.Shr: shiftOp,
	syntax.Add: arithOp, syntax.Sub: arithOp, syntax.Mul: arithOp, syntax.Div: arithOp, syntax.Rem: arithOp,
	syntax.Pow: integerOp,
}

// takes reports whether operands of the class may have type t. Untyped numbers are of their sort's types.
func (class opClass) takes(t *Type) bool {
	if t.Kind == Invalid || t.Kind == Never {
		return true
	}
	isInt := t.Kind.IsInt() || t.Kind == untypedInt
	switch class {
	case logicOp:
		return t.Kind == Bool
	case equalOp:
		return t.HasEq()
	case orderOp:
		return t.HasOrder()
	case bitOp:
		return isInt || t.Kind == Bool
	case arithOp:
		return isInt || t.Kind.IsFloat() || t.Kind == untypedFloat
	}
	return isInt
}

func (c *checker) unary(e *syntax.Unary, hint *Type) Expr {
	if n, ok := numberOf(e); ok {
		return c.numberExpr(n, e.Span, hint)
	}
	x := c.expr(e.X, hint)
	if e.Op == syntax.Deref {
		return x // the identity on everything but a Ptr
	}
	t := x.Type()
	allowed := t.Kind.IsInt() || t.Kind == untypedInt || t.Kind == Invalid || t.Kind == Never
	switch e.Op {
	case syntax.Neg:
		allowed = allowed && (!t.Kind.IsInt() || t.Kind.IsSigned()) || t.Kind.IsFloat() || t.Kind == untypedFloat
	case syntax.Not:
		allowed = allowed || t.Kind == Bool
	}
	if !allowed {
		c.errorf(e.Span, "`%s` is not for type `%s`", e.Op, t)
		t = Prim(Invalid)
	}
	return c.make.unaries.Put(Unary{c.base(e.Span, t), e.Op, x})
}

func (c *checker) binary(e *syntax.Binary, hint *Type) Expr {
	switch class := opClasses[e.Op]; class {
	case logicOp:
		x := c.want(e.X, Prim(Bool))
		before := c.diverges
		y := c.want(e.Y, Prim(Bool))
		c.diverges = before // y may not run
		return &Logic{c.base(e.Span, Prim(Bool)), e.Op, x, y}
	case equalOp, orderOp:
		x, y, t := c.operands(e, nil)
		if t.untyped() {
			t = c.defaultType(t)
			c.settle(x, t)
			c.settle(y, t)
		}
		c.operandType(e, class, t)
		return c.make.binaries.Put(Binary{c.base(e.Span, Prim(Bool)), e.Op, e.OpPos, x, y})
	case shiftOp:
		x := c.expr(e.X, hint)
		y := c.value(e.Y)
		t := c.operandType(e, class, x.Type())
		if count := y.Type(); !class.takes(count) {
			c.errorf(e.Y.Where(), "a shift count is an integer, not of type `%s`", count)
		}
		return c.make.binaries.Put(Binary{c.base(e.Span, t), e.Op, e.OpPos, x, y})
	default:
		x, y, t := c.operands(e, hint)
		t = c.operandType(e, class, t)
		return c.make.binaries.Put(Binary{c.base(e.Span, t), e.Op, e.OpPos, x, y})
	}
}

// operands checks two operands of one type, and gives the type; untyped, if nothing decided it.
func (c *checker) operands(e *syntax.Binary, hint *Type) (x, y Expr, t *Type) {
	x = c.expr(e.X, hint)
	if xt := x.Type(); !xt.untyped() && xt.Kind != Never {
		hint = xt
	}
	y = c.expr(e.Y, hint)
	if t = c.unify(x.Type(), y.Type()); t == nil {
		c.errorf(e.Span, "`%s` takes operands of one type, not `%s` and `%s`", e.Op, x.Type(), y.Type())
		return x, y, Prim(Invalid)
	}
	c.settle(x, t)
	c.settle(y, t)
	return x, y, t
}

// operandType reports an operator that is not for type t, and returns the type of its value.
func (c *checker) operandType(e *syntax.Binary, class opClass, t *Type) *Type {
	if class.takes(t) {
		return t
	}
	if e.Op == syntax.Add && t.Kind == Str {
		c.unsupported(e.Span, "`+` on `str` is")
	} else {
		c.errorf(e.Span, "`%s` is not for type `%s`", e.Op, t)
	}
	return Prim(Invalid)
}

func (c *checker) rangeExpr(e *syntax.Range, hint *Type) Expr {
	var elem *Type
	if hint != nil && (hint.Kind == Range || hint.Kind == RangeInclusive) {
		elem = hint.Args[0]
	}
	lo := c.expr(e.Lo, elem)
	if t := lo.Type(); !t.untyped() && t.Kind != Never {
		elem = t
	}
	hi := c.expr(e.Hi, elem)
	t := c.unify(lo.Type(), hi.Type())
	switch {
	case t == nil:
		c.errorf(e.Span, "the ends of a range have one type, not `%s` and `%s`", lo.Type(), hi.Type())
		return c.bad(e.Span)
	case t.Kind == Never:
		t = Prim(I64)
	}
	t = c.defaultType(t)
	c.settle(lo, t)
	c.settle(hi, t)
	if !t.Kind.IsInt() {
		if t.Kind != Invalid {
			c.errorf(e.Span, "ranges are of integers, not of `%s`", t)
		}
		return c.bad(e.Span)
	}
	return &RangeExpr{c.base(e.Span, c.table.Range(t, e.Inclusive)), lo, hi}
}

func (c *checker) cast(e *syntax.Cast) Expr {
	x := c.value(e.X)
	target := Prim(Invalid)
	if named, ok := e.Type.(*syntax.NamedType); ok {
		target = c.namedType(named)
	} else {
		c.errorf(e.Type.Where(), "after `as` stands a number type")
	}
	if target.Kind == Invalid {
		return c.bad(e.Span)
	}
	if !target.Kind.IsNumeric() {
		c.errorf(e.Type.Where(), "after `as` stands a number type, not `%s`", target)
		return c.bad(e.Span)
	}
	from := x.Type().Kind
	if !from.IsNumeric() && from != Invalid && from != Never && !(from == Bool && target.Kind.IsInt()) {
		c.errorf(e.Span, "`%s` does not convert to `%s`", x.Type(), target)
		return c.bad(e.Span)
	}
	return c.make.casts.Put(Cast{c.base(e.Span, target), x})
}

// plural returns "1 thing", "2 things".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func (c *checker) assign(e *syntax.Assign) Expr {
	place := c.place(e.Place)
	t := place.Type()
	var v Expr
	switch {
	case e.Op == syntax.NoOp:
		v = c.want(e.Value, t)
	case opClasses[e.Op] == shiftOp:
		v = c.value(e.Value)
		if count := v.Type(); !shiftOp.takes(count) {
			c.errorf(e.Value.Where(), "a shift count is an integer, not of type `%s`", count)
		}
	default:
		v = c.want(e.Value, t)
	}
	if e.Op != syntax.NoOp && !opClasses[e.Op].takes(t) {
		if e.Op == syntax.Add && t.Kind == Str {
			c.unsupported(e.Span, "`+` on `str` is")
		} else {
			c.errorf(e.Span, "`%s=` is not for type `%s`", e.Op, t)
		}
	}
	return c.make.assigns.Put(Assign{c.base(e.Span, Prim(Unit)), place, e.Op, e.OpPos, v})
}

// place checks what stands left of `=`.
func (c *checker) place(e syntax.Expr) Expr {
	switch e := e.(type) {
	case *syntax.PathExpr:
		x := c.path(e)
		c.mutable(e, x)
		return x
	case *syntax.TupleField:
		return c.tupleField(e, c.place(e.X))
	case *syntax.Unary:
		if e.Op == syntax.Deref {
			return c.place(e.X)
		}
	case *syntax.Index:
		x := c.index(e)
		if x.Type().Kind != Invalid {
			c.errorf(e.Span, "a `str` cannot be changed")
		}
		return c.bad(e.Span)
	case *syntax.Field:
		return c.heapExpr(e)
	}
	if x := c.value(e); x.Type().Kind != Invalid {
		c.errorf(e.Where(), "only a variable or a part of one can be assigned to")
	}
	return c.bad(e.Where())
}

// mutable reports a place that is no variable, or one that is not `mut`.
func (c *checker) mutable(at *syntax.PathExpr, x Expr) {
	name, mut := "", true
	switch x := x.(type) {
	case *LocalRef:
		name, mut = x.Local.Name, x.Local.Mut
	case *GlobalRef:
		name, mut = x.Global.Name, x.Global.Mut
	case *FuncRef:
		c.errorf(at.Span, "`%s` is a function and cannot be assigned to", x.Func.Name)
	}
	if !mut {
		c.errorf(at.Span, "`%s` is not `mut` and cannot be assigned to", name)
	}
}
