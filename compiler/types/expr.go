package types

import (
	"slices"

	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
)

// expr checks an expression. The hint is the type that the place asks for, or nil: it gives untyped literals their type
// and nothing else, so the result can have another type, which want reports. Without a hint the result can be untyped.
func (c *checker) expr(e syntax.Expr, hint *Type) Expr {
	before := c.diverges
	c.diverges = false
	out := c.exprKind(e, hint)
	c.diverges = c.diverges || before || out.Type().Kind == Never
	return out
}

func (c *checker) exprKind(e syntax.Expr, hint *Type) Expr {
	switch e := e.(type) {
	case *syntax.IntLit, *syntax.FloatLit:
		return c.numberExpr(number{lit: e}, e.Where(), hint)
	case *syntax.StrLit:
		return c.make.consts.Put(Const{Base: c.base(e.Span, Prim(Str)), Str: e.Value})
	case *syntax.BoolLit:
		return c.make.consts.Put(Const{Base: c.base(e.Span, Prim(Bool)), Bits: wordOf(e.Value)})
	case *syntax.PathExpr:
		return c.path(e)
	case *syntax.TupleLit:
		return c.tuple(e, hint)
	case *syntax.Unary:
		return c.unary(e, hint)
	case *syntax.Binary:
		return c.binary(e, hint)
	case *syntax.Range:
		return c.rangeExpr(e, hint)
	case *syntax.Cast:
		return c.cast(e)
	case *syntax.Assign:
		return c.assign(e)
	case *syntax.Call:
		return c.call(e)
	case *syntax.TupleField:
		return c.tupleField(e, c.value(e.X))
	case *syntax.Index:
		return c.index(e)
	case *syntax.Block:
		return c.block(e, hint)
	case *syntax.If:
		return c.ifExpr(e, hint)
	case *syntax.IfLet:
		return c.ifLet(e, hint)
	case *syntax.Match:
		return c.match(e, hint)
	case *syntax.Loop:
		return c.loop(e, hint)
	case *syntax.While:
		return c.while(e)
	case *syntax.For:
		return c.forExpr(e)
	case *syntax.Break:
		return c.breakExpr(e)
	case *syntax.Continue:
		return c.continueExpr(e)
	case *syntax.Return:
		return c.returnExpr(e)
	case *syntax.Print:
		return c.print(e)
	case *syntax.Panic:
		arg := c.want(e.Arg, Prim(Str))
		return &Panic{c.base(e.Span, Prim(Never)), arg}
	case *syntax.Assert:
		arg := c.want(e.Arg, Prim(Bool))
		return &Assert{c.base(e.Span, Prim(Unit)), arg}
	}
	return c.heapExpr(e)
}

// want checks an expression that has to be of type t.
func (c *checker) want(e syntax.Expr, t *Type) Expr {
	out := c.expr(e, t)
	c.coerce(out, t)
	return out
}

// value checks an expression whose place asks for nothing; untyped literals get their default type.
func (c *checker) value(e syntax.Expr) Expr {
	out := c.expr(e, nil)
	c.settleDefault(out)
	return out
}

func (c *checker) settleDefault(e Expr) {
	if t := e.Type(); t.untyped() {
		c.settle(e, c.defaultType(t))
	}
}

// coerce makes sure that e may stand where a t is wanted, and reports at the expression that gives the wrong value.
func (c *checker) coerce(e Expr, t *Type) {
	found := e.Type()
	if found == t || found.Kind == Never {
		return
	}
	if t.Kind == Invalid || found.Kind == Invalid {
		return
	}
	if found.untyped() && c.unify(found, t) == t {
		c.settle(e, t)
		return
	}
	at := giver(e)
	if b, ok := at.(*Block); ok && b.Tail == nil {
		c.errorf(source.At(max(b.Span.Start, b.Span.End-1)), "expected `%s`, but the block ends without a value", t)
		return
	}
	hint := ""
	if at.Type().Kind == untypedInt && t.Kind.IsFloat() {
		hint = "; write a float literal, as in `1.0`"
	}
	c.errorf(at.Where(), "expected `%s`, found `%s`%s", t, found, hint)
}

// giver returns the expression inside e whose value e has: the final value of a block, a branch of an `if`.
func giver(e Expr) Expr {
	for {
		switch b := e.(type) {
		case *Block:
			if b.Tail == nil {
				return b
			}
			e = b.Tail
		case *If:
			switch {
			case b.Else == nil:
				return b
			case b.Then.Type().Kind != Never:
				e = b.Then
			default:
				e = b.Else
			}
		case *Match:
			i := slices.IndexFunc(b.Arms, func(a Arm) bool { return a.Body.Type().Kind != Never })
			if i < 0 {
				return b
			}
			e = b.Arms[i].Body
		default:
			return e
		}
	}
}

// path checks a name in value position.
func (c *checker) path(e *syntax.PathExpr) Expr {
	segments := e.Path.Segments
	head := segments[0]
	if len(segments) == 1 {
		if head.Args != nil {
			c.unsupported(e.Span, "type arguments are")
			return c.bad(e.Span)
		}
		return c.nameExpr(head.Name, e.Span)
	}
	switch {
	case c.isTypeItem(head.Name) || c.isTypeParam(head.Name): // reported where it is declared
	case heapTypes[head.Name]:
		c.unsupported(e.Span, "`"+head.Name+"` is")
	default:
		c.errorf(e.Span, "no type is named `%s`", head.Name)
	}
	return c.bad(e.Span)
}

func (c *checker) tuple(e *syntax.TupleLit, hint *Type) Expr {
	if len(e.Elems) == 0 {
		return c.make.consts.Put(Const{Base: c.base(e.Span, Prim(Unit))})
	}
	if hint != nil && (hint.Kind != Tuple || len(hint.Args) != len(e.Elems)) {
		hint = nil
	}
	out := c.make.tuples.Put(TupleExpr{Elems: c.make.exprList.List(len(e.Elems))})
	parts := make([]*Type, len(e.Elems))
	for i, elem := range e.Elems {
		var part *Type
		if hint != nil {
			part = hint.Args[i]
		}
		x := c.expr(elem, part)
		out.Elems[i], parts[i] = x, x.Type()
		if part != nil && c.unify(x.Type(), part) == part {
			c.settle(x, part)
			parts[i] = part // also where the element is of type `!`
		}
	}
	out.Base = c.base(e.Span, c.tupleAt(e, parts))
	return out
}

func (c *checker) tupleField(e *syntax.TupleField, x Expr) Expr {
	t := x.Type()
	switch {
	case t.Kind == Tuple && e.Index < len(t.Args):
		return &TupleField{c.base(e.Span, t.Args[e.Index]), x, e.Index}
	case t.Kind == Invalid:
	case t.Kind == Tuple:
		c.errorf(e.Span, "a tuple of %d parts has no part %d", len(t.Args), e.Index)
	default:
		c.errorf(e.Span, "a value of type `%s` has no parts", t)
	}
	return c.bad(e.Span)
}

func (c *checker) call(e *syntax.Call) Expr {
	if path, ok := e.Callee.(*syntax.PathExpr); ok && len(path.Path.Segments) == 1 && path.Path.Segments[0].Args == nil {
		name := path.Path.Segments[0].Name
		sym := c.sym(name)
		if c.syms[sym].local == 0 {
			switch it := c.syms[sym].item; {
			case it.kind == fnItem:
				args := c.args(e, it.fn.Name, it.fn.Type)
				return c.make.calls.Put(Call{c.base(e.Span, it.fn.Result()), it.fn, args})
			case it.kind == noItem && name == "len":
				return c.lenCall(e)
			}
		}
	}
	callee := c.value(e.Callee)
	t := callee.Type()
	if t.Kind != Fn {
		if t.Kind != Invalid {
			c.errorf(e.Span, "a value of type `%s` cannot be called", t)
		}
		for _, a := range e.Args {
			c.value(a)
		}
		return c.bad(e.Span)
	}
	args := c.args(e, "the function", t)
	return &CallValue{c.base(e.Span, t.Result), callee, args}
}

// args checks the arguments of a call of a function of type t.
func (c *checker) args(e *syntax.Call, name string, t *Type) []Expr {
	out := c.make.exprList.List(len(e.Args))
	for i, a := range e.Args {
		if i < len(t.Args) {
			out[i] = c.want(a, t.Args[i])
		} else {
			out[i] = c.value(a)
		}
	}
	if len(e.Args) != len(t.Args) {
		c.errorf(e.Span, "`%s` takes %s, not %d", name, plural(len(t.Args), "argument"), len(e.Args))
	}
	return out
}

func (c *checker) lenCall(e *syntax.Call) Expr {
	if len(e.Args) != 1 {
		for _, a := range e.Args {
			c.value(a)
		}
		c.errorf(e.Span, "`len` takes 1 argument, not %d", len(e.Args))
		return c.bad(e.Span)
	}
	x := c.value(e.Args[0])
	switch x.Type().Kind {
	case Str, Never:
		return &Len{c.base(e.Span, Prim(I64)), x}
	case Invalid:
	default:
		c.errorf(e.Span, "a value of type `%s` has no length", x.Type())
	}
	return c.bad(e.Span)
}

// index checks `s[i]` and `s[a..b]`.
func (c *checker) index(e *syntax.Index) Expr {
	x := c.value(e.X)
	if r, ok := e.I.(*syntax.Range); ok {
		lo, hi := c.want(r.Lo, Prim(I64)), c.want(r.Hi, Prim(I64))
		if r.Inclusive {
			c.errorf(r.Span, "a slice is written `s[a..b]`, without `=`")
		} else if c.indexable(e, x.Type()) {
			return &StrSlice{c.base(e.Span, Prim(Str)), x, lo, hi, e.LBracket}
		}
		return c.bad(e.Span)
	}
	i := c.want(e.I, Prim(I64))
	if c.indexable(e, x.Type()) {
		return &StrIndex{c.base(e.Span, Prim(U8)), x, i, e.LBracket}
	}
	return c.bad(e.Span)
}

func (c *checker) indexable(e *syntax.Index, t *Type) bool {
	switch t.Kind {
	case Str, Never:
		return true
	case Invalid:
	case Tuple:
		c.errorf(e.Span, "a tuple's parts are written `.0`, `.1`, not indexed")
	default:
		c.errorf(e.Span, "a value of type `%s` cannot be indexed", t)
	}
	return false
}

func (c *checker) print(e *syntax.Print) Expr {
	args := c.make.exprList.List(len(e.Args))
	for i, a := range e.Args {
		args[i] = c.value(a)
		if t := args[i].Type(); !t.Printable() {
			c.errorf(a.Where(), "a value of type `%s` cannot be printed", t)
		}
	}
	return c.make.prints.Put(Print{c.base(e.Span, Prim(Unit)), args})
}
