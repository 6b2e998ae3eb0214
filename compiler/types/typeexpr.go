package types

import (
	"rokrig/compiler/syntax"
)

// typeExpr resolves a type as written.
func (c *checker) typeExpr(t syntax.TypeExpr) *Type {
	switch t := t.(type) {
	case *syntax.NamedType:
		return c.namedType(t)
	case *syntax.TupleType:
		parts := make([]*Type, len(t.Elems))
		for i, e := range t.Elems {
			parts[i] = c.typeExpr(e)
		}
		return c.tupleAt(t, parts)
	case *syntax.FnType:
		params := make([]*Type, len(t.Params))
		for i, p := range t.Params {
			params[i] = c.typeExpr(p)
		}
		if t.Throws != nil {
			c.unsupported(t.Throws.Span, "`throws` is")
		}
		result := Prim(Unit)
		if t.Result != nil {
			result = c.typeExpr(t.Result)
		}
		return c.table.Fn(params, nil, result)
	case *syntax.NeverType:
		return Prim(Never)
	case *syntax.ArrayType:
		c.unsupported(t.Span, "array types are")
	case *syntax.UnionType:
		c.unsupported(t.Span, "union types are")
	case *syntax.AnyType:
		c.unsupported(t.Span, "`any` is")
	case *syntax.NoneType:
		c.unsupported(t.Span, "`none` is")
	}
	return Prim(Invalid)
}

// tupleAt returns the tuple of parts, or reports at n that it is too large.
func (c *checker) tupleAt(n syntax.Node, parts []*Type) *Type {
	if countParts(parts) > MaxTupleParts {
		c.errorf(n.Where(), "tuple too large: it has more than %d parts, nested ones included", MaxTupleParts)
		return Prim(Invalid)
	}
	return c.tupleType(parts)
}

// heapTypes are the prelude's types that live in the heap.
var heapTypes = map[string]bool{"Vec": true, "Map": true, "Ptr": true, "Atomic": true, "Task": true}

func (c *checker) namedType(t *syntax.NamedType) *Type {
	segments := t.Path.Segments
	head := segments[0]
	name := head.Name
	if c.isTypeItem(name) || c.isTypeParam(name) {
		return Prim(Invalid) // reported where it is declared
	}
	if len(segments) > 1 {
		c.errorf(t.Span, "no type is named `%s`", name)
		return Prim(Invalid)
	}
	if kind := PrimitiveNames[name]; kind != Invalid {
		if len(head.Args) > 0 {
			c.errorf(t.Span, "`%s` takes no type arguments", name)
		}
		return Prim(kind)
	}
	switch {
	case name == "Range" || name == "RangeInclusive":
		return c.rangeType(t, head.Args, name == "RangeInclusive")
	case heapTypes[name]:
		c.unsupported(t.Span, "`"+name+"` is")
	default:
		c.errorf(t.Span, "no type is named `%s`", name)
	}
	return Prim(Invalid)
}

func (c *checker) rangeType(t *syntax.NamedType, args []syntax.TypeExpr, inclusive bool) *Type {
	if len(args) != 1 {
		c.errorf(t.Span, "`%s` takes one type argument", t.Path.Segments[0].Name)
		return Prim(Invalid)
	}
	elem := c.typeExpr(args[0])
	if elem.Kind == Invalid {
		return elem
	}
	if !elem.Kind.IsInt() {
		c.errorf(t.Span, "ranges are of integers, not of `%s`", elem)
		return Prim(Invalid)
	}
	return c.table.Range(elem, inclusive)
}

func (c *checker) isTypeItem(name string) bool {
	id, ok := c.symIndex[name]
	return ok && c.syms[id].item.kind == typeItem
}

func (c *checker) isTypeParam(name string) bool {
	id, ok := c.symIndex[name]
	return ok && c.fn != nil && c.syms[id].typeParamOf == c.fn
}
