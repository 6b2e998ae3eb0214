package types

import (
	"rokrig/compiler/syntax"
)

// heapExpr reports an expression of the part of the language that needs a heap, which this version cannot compile, and
// checks what stands in it, so that other errors are found too.
func (c *checker) heapExpr(e syntax.Expr) Expr {
	switch e := e.(type) {
	case *syntax.NoneLit:
		c.unsupported(e.Span, "`none` is")
	case *syntax.ArrayLit:
		c.unsupported(e.Span, "arrays are")
		c.values(e.Elems)
	case *syntax.ArrayRepeat:
		c.unsupported(e.Span, "arrays are")
		c.value(e.Value)
		c.value(e.Count)
	case *syntax.StructLit:
		c.structLit(e)
	case *syntax.Field:
		if t := c.value(e.X).Type(); t.Kind != Invalid {
			c.errorf(e.Span, "a value of type `%s` has no field `%s`", t, e.Name.Name)
		}
	case *syntax.MethodCall:
		if t := c.value(e.Recv).Type(); t.Kind != Invalid {
			c.unsupported(e.Span, "method calls are")
		}
		c.values(e.Args)
	case *syntax.Spawn:
		c.unsupported(e.Span, "`spawn` is")
		c.value(e.Call)
	case *syntax.Throw:
		c.unsupported(e.Span, "`throw` is")
		return &Return{c.base(e.Span, Prim(Never)), c.value(e.Value)}
	case *syntax.Try:
		c.unsupported(e.Span, "`try` is")
		c.try(e)
	default:
		panic("types: unknown expression")
	}
	return c.bad(e.Where())
}

func (c *checker) values(es []syntax.Expr) {
	for _, e := range es {
		c.value(e)
	}
}

func (c *checker) structLit(e *syntax.StructLit) {
	if head := e.Path.Segments[0]; !c.isTypeItem(head.Name) { // else reported where it is declared
		c.errorf(e.Span, "no type is named `%s`", head.Name)
	}
	for _, f := range e.Fields {
		if f.Value != nil {
			c.value(f.Value)
		}
	}
}

func (c *checker) try(e *syntax.Try) {
	c.value(e.X)
	for _, k := range e.Catches {
		mark := len(c.scope)
		c.bindPattern(k.Pat, Prim(Invalid))
		c.settleDefault(c.block(k.Body, nil))
		c.leaveScope(mark)
	}
	if e.Finally != nil {
		c.settleDefault(c.block(e.Finally, nil))
	}
}
