package variant

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// wrapStatements makes the rule that puts some statements into what form makes of them as a block, which runs it once.
// Jumps out of the statements have to mean the same inside; inLoop says that the form is itself a loop.
func wrapStatements(inLoop bool, form func(d *draft, body *syntax.Block) syntax.Expr) func(*draft) bool {
	return func(d *draft) bool {
		s, from, to := d.someStatements(func(_ *listSite, part []syntax.Stmt) bool {
			return !inLoop || !exitsOf(part...).plain
		})
		if s == nil {
			return false
		}
		body := block(nil, append([]syntax.Stmt(nil), (*s.stmts)[from:to]...)...)
		d.edit(s, from, to, stmt(form(d, body)))
		return true
	}
}

// never makes statements that are never run.
func (d *draft) never() *syntax.Block { return block(nil, d.garbage()) }

func inBlock(_ *draft, b *syntax.Block) syntax.Expr { return b }

func inIf(_ *draft, b *syntax.Block) syntax.Expr { return &syntax.If{Cond: truth(true), Then: b} }

func inElse(d *draft, b *syntax.Block) syntax.Expr {
	return &syntax.If{Cond: truth(false), Then: d.never(), Else: b}
}

func inLoop(d *draft, b *syntax.Block) syntax.Expr {
	l := &syntax.Loop{Body: b}
	brk := &syntax.Break{}
	if d.n(2) == 1 {
		l.Label = label(d.fresh())
		brk.Label = label(l.Label.Name)
	}
	b.Stmts = append(b.Stmts, stmt(brk))
	return l
}

func inWhile(d *draft, b *syntax.Block) syntax.Expr {
	w := &syntax.While{Cond: truth(true), Body: b}
	if d.n(2) == 1 {
		w.Label = label(d.fresh())
	}
	b.Stmts = append(b.Stmts, stmt(&syntax.Break{}))
	return w
}

func inFor(d *draft, b *syntax.Block) syntax.Expr {
	k := d.intKind()
	at := d.edge(k)
	lo, hi := k.MinMax()
	r := &syntax.Range{Lo: integer(k, at, 10), Hi: integer(k, at, 16), Inclusive: true}
	switch {
	case at != hi && d.n(2) == 1:
		r.Hi, r.Inclusive = integer(k, at+1, 10), false
	case at == lo:
		r.Hi = integer(k, lo, 10)
	}
	return &syntax.For{Pat: &syntax.WildPat{}, Iter: r, Body: b}
}

func inMatch(d *draft, b *syntax.Block) syntax.Expr {
	k := d.intKind()
	at := d.edge(k)
	return &syntax.Match{X: integer(k, at, 10), Arms: []syntax.Arm{
		{Pat: literalPattern(integer(k, at, 16)), Body: b},
		{Pat: &syntax.WildPat{}, Body: d.never()},
	}}
}

func literalPattern(x syntax.Expr) syntax.Pattern { return &syntax.LitPat{Value: x} }

func (d *draft) intKind() types.Kind { return types.I8 + types.Kind(d.n(8)) }

// movable reports whether the expression at a place may be put into something else that has its value.
func movable(s *exprSite) bool {
	return s.stmt == nil && s.typ.Kind != types.Never && small(s.typ)
}

// wrapExpr makes the rule that puts an expression into what form makes of it, which has its value and evaluates it once.
func wrapExpr(want func(*draft, *exprSite) bool, form func(*draft, *exprSite) syntax.Expr) func(*draft) bool {
	return func(d *draft) bool {
		s := d.someExpr(func(s *exprSite) bool { return movable(s) && want(d, s) && !d.diverges(*s.slot) })
		if s == nil {
			return false
		}
		x := form(d, s)
		if x == nil {
			return false
		}
		*s.slot = x
		return true
	}
}

func anyExpr(*draft, *exprSite) bool { return true }

// staysInLoop reports whether an expression may be put inside a loop of its own.
func staysInLoop(_ *draft, s *exprSite) bool { return !exitsOf(*s.slot).plain }

func exprInBlock(_ *draft, s *exprSite) syntax.Expr { return block(*s.slot) }

// exprInLet evaluates into a variable of the expression's type first, which asks for the type that the place asked for.
func exprInLet(d *draft, s *exprSite) syntax.Expr {
	t, let := d.temp(s.typ, *s.slot, d.n(2) == 1)
	return block(d.read(t), let)
}

func exprInIf(d *draft, s *exprSite) syntax.Expr {
	other := d.deadValue(s.typ)
	if d.n(2) == 1 {
		return &syntax.If{Cond: truth(false), Then: asBlock(other), Else: asBlock(*s.slot)}
	}
	return &syntax.If{Cond: truth(true), Then: asBlock(*s.slot), Else: asBlock(other)}
}

func exprInMatch(d *draft, s *exprSite) syntax.Expr {
	b := d.n(2) == 1
	return &syntax.Match{X: truth(b), Arms: []syntax.Arm{
		{Pat: literalPattern(truth(!b)), Body: asBlock(d.deadValue(s.typ))},
		{Pat: &syntax.WildPat{}, Body: asBlock(*s.slot)},
	}}
}

func exprInLoop(_ *draft, s *exprSite) syntax.Expr {
	return &syntax.Loop{Body: block(nil, stmt(&syntax.Break{Value: *s.slot}))}
}

// isStrong asks for an expression that keeps its type where nothing is asked for.
func isStrong(d *draft, s *exprSite) bool { return d.strong(*s.slot) }

func exprInTuple(d *draft, s *exprSite) syntax.Expr {
	other := d.constant(types.Prim(types.Bool + types.Kind(d.n(2))))
	if d.n(2) == 1 {
		return &syntax.TupleField{X: &syntax.TupleLit{Elems: []syntax.Expr{other, *s.slot}}, Index: 1}
	}
	return &syntax.TupleField{X: &syntax.TupleLit{Elems: []syntax.Expr{*s.slot, other}}, Index: 0}
}

// operandsInLets evaluates the operands of an expression into variables, in their order.
func operandsInLets(d *draft, s *exprSite) syntax.Expr {
	whole := copyOf(*s.slot)
	parts := d.operandSlots(whole)
	kinds := make([]*types.Type, len(parts))
	for i, p := range parts {
		kinds[i] = d.typeOf(*p)
		if kinds[i] == nil || kinds[i].Kind == types.Never || !small(kinds[i]) {
			return nil
		}
	}
	if len(parts) == 0 {
		return nil
	}
	out := block(whole)
	for i, p := range parts {
		t, let := d.temp(kinds[i], *p, false)
		*p = d.read(t)
		out.Stmts = append(out.Stmts, let)
	}
	return out
}

// copyOf returns a copy of an expression with operands of its own places. The old one may stand in the draft a second time,
// where another rule has taken it from.
func copyOf(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.Binary:
		c := *x
		return &c
	case *syntax.Unary:
		c := *x
		return &c
	case *syntax.Cast:
		c := *x
		return &c
	case *syntax.TupleLit:
		c := *x
		c.Elems = append([]syntax.Expr(nil), x.Elems...)
		return &c
	case *syntax.Call:
		c := *x
		c.Args = append([]syntax.Expr(nil), x.Args...)
		return &c
	case *syntax.Index:
		c := *x
		if r, ok := x.I.(*syntax.Range); ok {
			inner := *r
			c.I = &inner
		}
		return &c
	case *syntax.If:
		c := *x
		return &c
	case *syntax.Match:
		c := *x
		return &c
	}
	return x
}

// operandSlots returns the operands that x evaluates, all of them and from left to right, before it does anything.
func (d *draft) operandSlots(x syntax.Expr) []*syntax.Expr {
	all := func(list []syntax.Expr) []*syntax.Expr {
		out := make([]*syntax.Expr, len(list))
		for i := range list {
			out[i] = &list[i]
		}
		return out
	}
	switch x := x.(type) {
	case *syntax.Binary:
		if x.Op != syntax.And && x.Op != syntax.Or {
			return []*syntax.Expr{&x.X, &x.Y}
		}
	case *syntax.Unary:
		if x.Op != syntax.Deref {
			return []*syntax.Expr{&x.X}
		}
	case *syntax.Cast:
		return []*syntax.Expr{&x.X}
	case *syntax.TupleLit:
		return all(x.Elems)
	case *syntax.Call: // a callee that is a value is evaluated before the arguments
		if _, byName := d.node(x).(*types.Call); byName {
			return all(x.Args)
		}
	case *syntax.Index:
		if r, ok := x.I.(*syntax.Range); ok {
			return []*syntax.Expr{&x.X, &r.Lo, &r.Hi}
		}
		return []*syntax.Expr{&x.X, &x.I}
	case *syntax.If:
		return []*syntax.Expr{&x.Cond}
	case *syntax.Match:
		return []*syntax.Expr{&x.X}
	}
	return nil
}

// firstInLet evaluates what a statement evaluates first before the statement, into a variable.
func firstInLet(d *draft) bool {
	var slot *syntax.Expr
	var at int
	s := d.someList(func(s *listSite) bool {
		if len(*s.stmts) == 0 {
			return false
		}
		at = d.n(len(*s.stmts))
		slot = d.first((*s.stmts)[at])
		return slot != nil
	})
	if s == nil {
		return false
	}
	t, let := d.temp(d.typeOf(*slot), *slot, false)
	*slot = d.read(t)
	d.edit(s, at, at, let)
	return true
}

// first returns a place in a statement that is evaluated before anything else of it, or nil.
func (d *draft) first(s syntax.Stmt) *syntax.Expr {
	var x *syntax.Expr
	switch s := s.(type) {
	case *syntax.Let:
		x = &s.Init
	case *syntax.ExprStmt:
		x = &s.X
	}
	var found []*syntax.Expr
	for x != nil && *x != nil {
		if t := d.typeOf(*x); t != nil && t.Kind != types.Never && small(t) && !isBlockLike(*x) && !isJump(*x) {
			found = append(found, x)
		}
		x = d.firstOperand(*x)
	}
	if len(found) == 0 {
		return nil
	}
	return found[d.n(len(found))]
}

// isJump reports whether x leaves the place, or is a statement by nature.
func isJump(x syntax.Expr) bool {
	switch x.(type) {
	case *syntax.Return, *syntax.Break, *syntax.Continue, *syntax.Panic, *syntax.Print, *syntax.Assign, *syntax.Assert:
		return true
	}
	return false
}

func isBlockLike(x syntax.Expr) bool {
	switch x.(type) {
	case *syntax.Block, *syntax.If, *syntax.IfLet, *syntax.Match, *syntax.Loop, *syntax.While, *syntax.For:
		return true
	}
	return false
}

func (d *draft) firstOperand(x syntax.Expr) *syntax.Expr {
	switch x := x.(type) {
	case *syntax.Binary: // also of && and ||, whose left side is always evaluated
		return &x.X
	case *syntax.Print:
		return &x.Args[0]
	case *syntax.Assert:
		return &x.Arg
	case *syntax.Return:
		return &x.Value
	case *syntax.IfLet:
		return &x.X
	case *syntax.Assign:
		if x.Op == syntax.NoOp {
			return &x.Value
		}
		return nil
	}
	if parts := d.operandSlots(x); len(parts) > 0 {
		return parts[0]
	}
	return nil
}
