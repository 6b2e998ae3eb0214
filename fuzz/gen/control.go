package gen

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// scoped makes a block: body adds its statements to the list, and returns its final value or nil. What the scope's
// variables hold at its end is shown before the value is made.
func (g *gen) scoped(body func(out *[]syntax.Stmt) func() syntax.Expr) *syntax.Block {
	out := g.stmtList()
	g.openScope()
	g.fn.lines += 2
	tail := body(&out)
	g.flush(&out, g.fn.declare[len(g.fn.declare)-1])
	var value syntax.Expr
	if tail != nil {
		value = tail()
	}
	g.closeScope()
	return g.block(value, out...)
}

// flush shows the variables from mark on that hold something unseen: one by one, or several together.
func (g *gen) flush(out *[]syntax.Stmt, mark int) {
	if endsAway(*out) {
		return
	}
	var unseen []*variable
	for _, v := range g.fn.vars[mark:] {
		if v.dirty && v.hidden == 0 && visible(v.ty) && g.chance(g.sw.flush) {
			v.dirty = false
			unseen = append(unseen, v)
		}
	}
	for len(unseen) > 0 {
		n := 1
		if len(unseen) > 1 && g.chance(140) {
			n = g.between(2, min(len(unseen), 12))
		}
		*out = append(*out, g.showAll(unseen[:n])...)
		unseen = unseen[n:]
		g.fn.lines++
	}
}

// showAll makes one statement that shows several variables, if it can.
func (g *gen) showAll(vs []*variable) []syntax.Stmt {
	ints, printable := true, true
	for _, v := range vs {
		ints = ints && v.ty.Kind.IsInt()
		printable = printable && v.ty.Printable()
	}
	switch {
	case len(vs) == 1:
		return g.show(vs[0])
	case ints && g.chance(160):
		// Odd factors, so that no part can be lost.
		var sum syntax.Expr
		for i, v := range vs {
			x := g.read(v)
			if v.ty.Kind != types.I64 {
				x = g.cast(x, types.I64)
			}
			if i == 0 {
				sum = x
			} else {
				sum = g.binary(syntax.Add, g.binary(syntax.Mul, sum, g.integer(uint64(2*g.n(60)+3), "")), x)
			}
		}
		return []syntax.Stmt{g.stmt(g.noteCall(sum, wideType))}
	case printable && g.fn.mult <= 4:
		args := g.exprs.list(len(vs))
		for i, v := range vs {
			args[i] = g.read(v)
		}
		return []syntax.Stmt{g.stmt(g.print(args...))}
	}
	var out []syntax.Stmt
	for _, v := range vs {
		out = append(out, g.show(v)...)
	}
	return out
}

// endsAway reports whether the last statement never ends normally.
func endsAway(stmts []syntax.Stmt) bool {
	if len(stmts) == 0 {
		return false
	}
	s, ok := stmts[len(stmts)-1].(*syntax.ExprStmt)
	if !ok {
		return false
	}
	switch s.X.(type) {
	case *syntax.Break, *syntax.Continue, *syntax.Return, *syntax.Panic:
		return true
	}
	return false
}

// valueBlock makes `{ stmts value }`.
func (g *gen) valueBlock(t *types.Type, size int, ctx bool, stmts int) *syntax.Block {
	return g.scoped(func(out *[]syntax.Stmt) func() syntax.Expr {
		g.statements(out, stmts)
		return func() syntax.Expr { return g.expr(t, size, ctx) }
	})
}

// fewStmts draws how many statements a block inside an expression has.
func (g *gen) fewStmts() int {
	if g.fn.depth >= g.sw.maxDepth+2 || g.tight() {
		return 0
	}
	return g.heavy(0, 3)
}

func (g *gen) ifExpr(t *types.Type, size int, ctx bool) syntax.Expr {
	cond := g.cond(size / 3)
	var then *syntax.Block
	var alt syntax.Expr
	g.times(0.5, func() { then = g.valueBlock(t, size/3, ctx, g.fewStmts()) })
	g.times(0.5, func() {
		if size > 12 && g.chance(80) {
			alt = g.ifExpr(t, size/2, ctx)
		} else {
			alt = g.valueBlock(t, size/3, ctx, g.fewStmts())
		}
	})
	return g.ifElse(cond, then, alt)
}

func (g *gen) blockOf(t *types.Type, size int, ctx bool) syntax.Expr {
	return g.valueBlock(t, size-1, ctx, 1+g.fewStmts())
}

// assignBlock changes a variable inside an operand: `{ x += e; v }`.
func (g *gen) assignBlock(t *types.Type, size int, ctx bool) syntax.Expr {
	left, right := g.split(size)
	return g.scoped(func(out *[]syntax.Stmt) func() syntax.Expr {
		if s := g.assignment(left); s != nil {
			*out = append(*out, s)
		}
		return func() syntax.Expr { return g.expr(t, right, ctx) }
	})
}

// exitExpr makes an operand that may leave a loop or the function before it has a value.
func (g *gen) exitExpr(t *types.Type, size int, ctx bool) syntax.Expr {
	exit := g.exit(size / 3)
	if exit == nil {
		return g.blockOf(t, size, ctx)
	}
	cond := g.rare(uint64(5+g.n(60)), size/3)
	value := func() syntax.Expr { return g.expr(t, max(size/2, 1), ctx) }
	switch g.n(4) {
	case 0: // the whole branch leaves
		return g.ifElse(cond, g.block(nil, g.stmt(exit)), g.block(value()))
	case 1: // a branch's value is of type `!`
		return g.ifElse(cond, g.block(exit), g.block(value()))
	case 2: // an operand of an operator leaves
		if t.Kind.IsNumeric() {
			leaving := g.binary(syntax.Add, g.expr(t, 1, false), exit)
			return g.ifElse(cond, g.block(leaving), g.block(value()))
		}
		g.nodes += 3
		return &syntax.Match{X: cond, Arms: []syntax.Arm{
			{Pat: &syntax.LitPat{Value: g.boolean(true)}, Body: exit},
			{Pat: &syntax.WildPat{}, Body: value()},
		}}
	}
	leave := g.blockStmt(g.ifElse(cond, g.block(nil, g.stmt(exit)), nil))
	return g.block(value(), leave)
}

// exit makes a `return`, `break` or `continue` that is allowed here, or returns nil.
func (g *gen) exit(size int) syntax.Expr {
	f := g.fn
	if f.noExit {
		return nil
	}
	if len(f.loops) > 0 && (f.result == nil || g.chance(160)) {
		if e := g.loopExit(size); e != nil {
			return e
		}
	}
	if f.result == nil {
		return nil
	}
	g.nodes++
	if f.result.Kind == types.Unit && g.chance(200) {
		return &syntax.Return{}
	}
	return &syntax.Return{Value: g.expr(f.result, max(size, 1), true)}
}

// loopExit makes a `break` or `continue` of one of the loops round this place.
func (g *gen) loopExit(size int) syntax.Expr {
	f := g.fn
	at := len(f.loops) - 1
	for at > 0 && g.chance(150) {
		at--
	}
	l := f.loops[at]
	if l.inHead {
		return nil
	}
	var label *syntax.Ident
	if at < len(f.loops)-1 || g.chance(40) {
		if l.label == "" {
			l.label = g.fresh("l")
		}
		label = &syntax.Ident{Name: l.label}
	}
	g.nodes++
	if l.contOK && g.chance(128) {
		return &syntax.Continue{Label: label}
	}
	b := &syntax.Break{Label: label}
	if l.value != nil && (l.value.Kind != types.Unit || g.chance(60)) {
		b.Value = g.expr(l.value, max(size, 1), l.ctx)
	}
	return b
}

// tailExit leaves the loop or function as the last thing a block does, with an operand behind it that never runs.
func (g *gen) tailExit(size int) syntax.Expr {
	exit := g.exit(size)
	if exit == nil || g.chance(180) {
		return exit
	}
	t := g.typeWhere(func(t *types.Type) bool { return t.Kind.IsNumeric() }, types.Prim(types.I64))
	switch g.n(4) {
	case 0:
		return g.binary(syntax.Add, g.operand(t, 3), exit)
	case 1:
		return g.binary(syntax.Mul, exit, g.lit(t, false))
	case 2:
		return g.print(g.operand(t, 3), exit)
	}
	return g.binary(syntax.And, g.cond(3), exit)
}
