package variant

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// garbage makes a statement for a place that is never reached. Its type is () and the checker takes it as one that ends, so
// that it changes nothing round it.
func (d *draft) garbage() syntax.Stmt {
	cond := truth(d.n(2) == 1)
	die := stmt(&syntax.Panic{Arg: d.message()})
	switch d.n(7) {
	case 0:
		return stmt(&syntax.If{Cond: cond, Then: block(nil, die)})
	case 1: // endless
		return stmt(&syntax.While{Cond: truth(true), Body: block(nil)})
	case 2:
		return stmt(&syntax.Loop{Body: block(nil, stmt(&syntax.If{Cond: cond, Then: block(nil, stmt(&syntax.Break{}))}))})
	case 3:
		return stmt(&syntax.Assert{Arg: truth(false)})
	case 4:
		t := d.scalar()
		return stmt(&syntax.Print{Args: []syntax.Expr{d.constant(t), d.wrong(t)}})
	case 5:
		t := d.scalar()
		_, let := d.temp(t, d.wrong(t), true)
		return let
	}
	if x := d.someCall(); x != nil {
		return stmt(x)
	}
	return stmt(&syntax.For{Pat: &syntax.WildPat{}, Iter: d.constant(d.o.Checked.Table.Range(types.Prim(types.U64), true)), Body: block(nil)})
}

// scalar draws a type that constants exist of.
func (d *draft) scalar() *types.Type {
	return types.Prim(types.I8 + types.Kind(d.n(int(types.Bool-types.I8)+1)))
}

// wrong makes an expression of a scalar type that may panic when it is evaluated.
func (d *draft) wrong(t *types.Type) syntax.Expr {
	ops := []syntax.BinaryOp{syntax.Div, syntax.Rem, syntax.Sub, syntax.Mul}
	switch {
	case t.Kind.IsInt():
		ops = append(ops, syntax.Pow, syntax.Shl)
	case t.Kind == types.Bool:
		return binary(syntax.Eq, d.wrong(types.Prim(types.I32)), d.constant(types.Prim(types.I32)))
	}
	return binary(ops[d.n(len(ops))], d.constant(t), d.constant(t))
}

// someCall makes a call of one of the program's functions with constants; nil if there is none that takes them.
func (d *draft) someCall() syntax.Expr {
	if len(d.funcs) == 0 {
		return nil
	}
	f := d.funcs[d.n(len(d.funcs))]
	if f.info == nil || f.info.Result().Kind == types.Never || d.hides(f.decl.Name.Name) {
		return nil
	}
	call := &syntax.Call{Callee: pathTo(f.decl.Name.Name)}
	for _, p := range f.info.Params {
		x := d.constant(p.Type)
		if x == nil {
			return nil
		}
		call.Args = append(call.Args, x)
	}
	return call
}

// deadValue makes a value of a type for a place that is never reached: a constant, perhaps behind garbage, or a panic.
func (d *draft) deadValue(t *types.Type) syntax.Expr {
	x := d.constant(t)
	switch {
	case x == nil || d.n(4) == 3:
		return &syntax.Panic{Arg: d.message()}
	case d.n(2) == 1:
		return block(x, d.garbage())
	}
	return x
}

// deadInsert puts a statement before one that was never executed, or into a block that never was.
func deadInsert(d *draft) bool {
	at := 0
	s := d.someList(func(s *listSite) bool {
		if s.dead {
			at = d.n(len(*s.stmts) + 1)
			return true
		}
		at = d.n(len(*s.stmts))
		return at < len(*s.stmts) && d.deadStmt((*s.stmts)[at])
	})
	if s == nil {
		return false
	}
	d.edit(s, at, at, d.garbage())
	return true
}

func (d *draft) deadStmt(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.Let:
		return d.dead(s.Init)
	case *syntax.ExprStmt:
		return d.dead(s.X)
	}
	return false
}

// deadDelete removes a statement that was never executed and declares nothing, or puts garbage in its place.
func deadDelete(d *draft) bool {
	at := 0
	s := d.someList(func(s *listSite) bool {
		if len(*s.stmts) == 0 {
			return false
		}
		at = d.n(len(*s.stmts))
		x, ok := (*s.stmts)[at].(*syntax.ExprStmt)
		return ok && d.dead(x.X) && !d.diverges(x.X) && d.replaceable(x.X)
	})
	if s == nil {
		return false
	}
	if d.n(2) == 1 {
		d.edit(s, at, at+1, d.garbage())
	} else {
		d.edit(s, at, at+1)
	}
	return true
}

// deadReplace puts another value in the place of an expression that was never evaluated.
func deadReplace(d *draft) bool {
	s := d.someExpr(func(s *exprSite) bool {
		return s.dead && movable(s) && !d.diverges(*s.slot) && d.replaceable(*s.slot)
	})
	if s == nil {
		return false
	}
	x := d.constant(s.typ)
	if x == nil {
		return false
	}
	if d.n(2) == 1 {
		x = block(x, d.garbage())
	}
	*s.slot = x
	return true
}

// replaceable reports whether a dead expression may go: with a loop's last `break` its type would go too.
func (d *draft) replaceable(x syntax.Expr) bool {
	e := exitsOf(x)
	return !e.plain && !e.labels
}

// deadArm adds an arm whose guard is false.
func deadArm(d *draft) bool {
	s := d.someExpr(func(s *exprSite) bool {
		m, ok := (*s.slot).(*syntax.Match)
		return ok && len(m.Arms) < 20 && d.typeOf(m.X) != nil && small(s.typ)
	})
	if s == nil {
		return false
	}
	m := (*s.slot).(*syntax.Match)
	var body syntax.Expr = &syntax.Panic{Arg: d.message()}
	if s.typ.Kind != types.Never && !d.diverges(m) {
		if x := d.constant(s.typ); x != nil && d.n(2) == 1 {
			body = block(x, d.garbage())
		}
	}
	arm := syntax.Arm{Pat: d.somePattern(d.typeOf(m.X), 2), Guard: truth(false), Body: asBlock(body)}
	if d.n(3) == 2 {
		arm.Guard = binary(syntax.And, truth(false), binary(syntax.Eq, d.wrong(types.Prim(types.U8)), d.constant(types.Prim(types.U8))))
	}
	at := d.n(len(m.Arms) + 1)
	arms := append([]syntax.Arm(nil), m.Arms[:at]...)
	m.Arms = append(append(arms, arm), m.Arms[at:]...)
	return true
}

// somePattern makes a pattern for values of a type; it binds no name that the program has.
func (d *draft) somePattern(t *types.Type, deep int) syntax.Pattern {
	switch d.n(4) {
	case 0:
		return &syntax.WildPat{}
	case 1:
		return &syntax.BindPat{Name: syntax.Ident{Name: d.fresh()}, Mut: d.n(2) == 1}
	}
	switch k := t.Kind; {
	case k.IsInt() && d.n(2) == 1:
		lo, hi := d.edge(k), d.edge(k)
		if k.LessWords(hi, lo) {
			lo, hi = hi, lo
		}
		return &syntax.RangePat{Lo: bare(integer(k, lo, 10)), Hi: bare(integer(k, hi, 10)), Inclusive: true}
	case k.IsInt(), k == types.Bool, k == types.Str:
		return literalPattern(bare(d.constant(t)))
	case k == types.Tuple && deep > 0:
		elems := make([]syntax.Pattern, len(t.Args))
		for i, a := range t.Args {
			elems[i] = d.somePattern(a, deep-1)
		}
		return &syntax.TuplePat{Elems: elems}
	}
	return &syntax.WildPat{}
}

// bare takes the suffix off a literal.
func bare(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.IntLit:
		x.Suffix = ""
	case *syntax.Unary:
		bare(x.X)
	}
	return x
}

// deadElse gives an `if` without `else` one that is like no `else`.
func deadElse(d *draft) bool {
	s := d.someExpr(func(s *exprSite) bool {
		x, ok := (*s.slot).(*syntax.If)
		return ok && x.Else == nil
	})
	if s == nil {
		return false
	}
	var other syntax.Expr = block(nil)
	switch d.n(3) {
	case 0:
		other = block(&syntax.TupleLit{})
	case 1:
		other = &syntax.If{Cond: truth(false), Then: d.never()}
	}
	(*s.slot).(*syntax.If).Else = other
	return true
}
