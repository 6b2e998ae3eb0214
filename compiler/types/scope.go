package types

import (
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
)

// symID numbers the distinct names of a file, so that a name is hashed once per use and everything else is a slice.
type symID int32

// symbol is what a name means at the moment.
type symbol struct {
	local int32 // 1 + the index in checker.scope of the innermost variable of this name; 0 if there is none
	bound int32 // 1 + the index in checker.binds, while a pattern that binds the name is checked
	alt   altBinding
	item  item

	typeParamOf *Func // the last function that had a type parameter of this name
}

// item is what a name means at the top level.
type item struct {
	kind   itemKind
	decl   int32 // index of its declaration
	fn     *Func
	global *Global
}

type itemKind uint8

const (
	noItem itemKind = iota
	fnItem
	globalItem
	typeItem // a struct, enum or trait
)

// scoped is a variable in scope.
type scoped struct {
	sym   symID
	outer int32 // symbol.local as it was outside
	local *Local
}

// sym returns the number of a name.
func (c *checker) sym(name string) symID {
	if id, ok := c.symIndex[name]; ok {
		return id
	}
	id := symID(len(c.syms))
	c.symIndex[name] = id
	c.syms = append(c.syms, symbol{})
	return id
}

// declare brings a variable into scope.
func (c *checker) declare(sym symID, local *Local) {
	c.scope = append(c.scope, scoped{sym, c.syms[sym].local, local})
	c.syms[sym].local = int32(len(c.scope))
}

// leaveScope takes away the variables that were declared since the scope had the length mark.
func (c *checker) leaveScope(mark int) {
	for len(c.scope) > mark {
		last := &c.scope[len(c.scope)-1]
		c.syms[last.sym].local = last.outer
		c.scope = c.scope[:len(c.scope)-1]
	}
}

// lookupLocal returns the variable that a name means, or nil.
func (c *checker) lookupLocal(sym symID) *Local {
	at := c.syms[sym].local
	if at == 0 {
		return nil
	}
	found := &c.scope[at-1]
	if outer := found.outer; outer != 0 && c.scope[outer-1].local.Type == found.local.Type && c.mutant.On(mutant.ShadowOuter) {
		found = &c.scope[outer-1]
	}
	return found.local
}

// newLocal adds a variable to the function being checked, without bringing it into scope.
func (c *checker) newLocal(name syntax.Ident, t *Type, mut bool) *Local {
	l := c.make.locals.Put(Local{ID: LocalID(len(c.fn.Locals)), Name: name.Name, Type: t, Mut: mut, Span: name.Span})
	c.fn.Locals = append(c.fn.Locals, l)
	return l
}

// declareItem gives a top-level name its meaning, and reports a second one.
func (c *checker) declareItem(name syntax.Ident, it item) {
	s := &c.syms[c.sym(name.Name)]
	if s.item.kind != noItem {
		c.errorf(name.Span, "`%s` is declared twice at the top level", name.Name)
		return
	}
	s.item = it
}

// nameExpr resolves a name in value position.
func (c *checker) nameExpr(name string, span source.Span) Expr {
	sym := c.sym(name)
	if l := c.lookupLocal(sym); l != nil {
		return c.make.refs.Put(LocalRef{c.base(span, l.Type), l})
	}
	switch it := &c.syms[sym].item; it.kind {
	case fnItem:
		return &FuncRef{c.base(span, it.fn.Type), it.fn}
	case globalItem:
		if it.global.Type == nil {
			c.errorf(span, "`%s` is used before its `let`", name)
			return c.bad(span)
		}
		return c.make.globals.Put(GlobalRef{c.base(span, it.global.Type), it.global})
	case typeItem:
		c.errorf(span, "`%s` is a type, not a value", name)
		return c.bad(span)
	}
	switch {
	case name == "len":
		c.errorf(span, "`len` is no value; it can only be called")
	case PrimitiveNames[name] != Invalid:
		c.errorf(span, "`%s` is a type, not a value", name)
	default:
		c.errorf(span, "no variable or function is named `%s`", name)
	}
	return c.bad(span)
}
