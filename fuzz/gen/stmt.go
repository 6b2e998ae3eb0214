package gen

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// stmtForm is a way to make a statement.
type stmtForm int

const (
	letForm stmtForm = iota
	showForm
	assignStmtForm
	ifStmtForm
	matchStmtForm
	forStmtForm
	whileStmtForm
	loopStmtForm
	blockStmtForm
	printForm
	exprStmtForm
	destructureForm
	exitStmtForm
	checkForm
	rangeLoopForm
	wideForm
	numStmtForms
)

// stmtRow is a form's usual weight, whether it nests a block, and how it is made.
type stmtRow struct {
	weight uint8
	nests  bool
	make   func(g *gen, out *[]syntax.Stmt)
}

var stmtTable [numStmtForms]stmtRow

func init() { // not an initialiser, since the forms use the table
	stmtTable = [numStmtForms]stmtRow{
		letForm:         {50, false, (*gen).letStmt},
		showForm:        {6, false, (*gen).showSome},
		assignStmtForm:  {40, false, (*gen).assignStmt},
		ifStmtForm:      {24, true, (*gen).ifStmt},
		matchStmtForm:   {12, true, (*gen).matchStmt},
		forStmtForm:     {30, true, (*gen).forStmt},
		whileStmtForm:   {20, true, (*gen).whileStmt},
		loopStmtForm:    {14, true, (*gen).loopStmt},
		blockStmtForm:   {5, true, (*gen).blockStmtForm},
		printForm:       {7, false, (*gen).printStmt},
		exprStmtForm:    {24, false, (*gen).exprStmt},
		destructureForm: {10, false, (*gen).destructure},
		exitStmtForm:    {10, false, (*gen).exitStmt},
		checkForm:       {14, false, (*gen).knownValue},
		rangeLoopForm:   {4, true, (*gen).sumRange},
		wideForm:        {2, false, (*gen).wideFrame},
	}
}

// statements makes up to n statements.
func (g *gen) statements(out *[]syntax.Stmt, n int) {
	for range n {
		if g.tight() || endsAway(*out) {
			return
		}
		g.statement(out)
	}
}

// statement makes one statement, perhaps with a few that belong to it.
func (g *gen) statement(out *[]syntax.Stmt) {
	if g.reject != nil && g.reject.statement(g, out) {
		return
	}
	f := g.fn
	var weights [numStmtForms]uint8
	for i := range stmtTable {
		if !stmtTable[i].nests || f.depth <= g.sw.maxDepth && f.lines+4 < f.maxLine {
			weights[i] = g.sw.stmts[i]
		}
	}
	if len(f.loops) > 0 {
		weights[exitStmtForm] = uint8(min(2*int(weights[exitStmtForm]), 255))
	}
	f.lines++
	stmtTable[g.pick(weights[:])].make(g, out)
}

// addLocal declares v and makes its `let`. init was made before, so that it cannot see v.
func (g *gen) addLocal(out *[]syntax.Stmt, v *variable, init syntax.Expr, t syntax.TypeExpr) {
	*out = append(*out, g.let(v.name, v.mut, t, init))
	if g.isGlobalScope() {
		v.global = true
	}
	g.declare(v)
}

// isGlobalScope reports whether a `let` here makes a global: its name has to be unlike every other.
func (g *gen) isGlobalScope() bool { return g.fn.top && g.fn.depth == 0 }

// newName draws the name of a variable declared here.
func (g *gen) newName() string {
	if g.isGlobalScope() {
		return g.fresh("g")
	}
	return g.localName()
}

// letStmt makes a variable of any type.
func (g *gen) letStmt(out *[]syntax.Stmt) {
	t := g.poolType()
	ctx := g.chance(g.sw.annotate)
	v := g.keep(variable{name: g.newName(), ty: t, mut: g.chance(g.sw.mutable), dirty: true})
	var init syntax.Expr
	if !v.mut && t.Kind == types.Str && g.chance(80) {
		s := g.strValue()
		init, v.minLen = g.str(s), len(s)
	} else if !v.mut && t.Kind.IsInt() && g.chance(30) {
		mask := uint64(1)<<g.n(7) - 1
		init = g.binary(syntax.BitAnd, g.operand(t, g.size()), g.integer(mask, ""))
		v.bounds = interval{0, int64(mask), true}
		if g.chance(128) {
			init = g.binary(syntax.Add, init, g.integer(1, ""))
			v.bounds = interval{1, int64(mask) + 1, mask < 127 || t.Kind.Bits() > 8}
		}
	} else {
		init = g.expr(t, g.size(), ctx)
	}
	if ctx && g.reject != nil && g.reject.wrongType(true) {
		init = g.reject.operand(g, t)
	}
	var annotation syntax.TypeExpr
	if ctx {
		annotation = g.typeExpr(t)
	}
	g.addLocal(out, v, init, annotation)
}

// destructure takes a tuple apart.
func (g *gen) destructure(out *[]syntax.Stmt) {
	t := g.typeWhere(func(t *types.Type) bool { return t.Kind == types.Tuple }, nil)
	if t == nil {
		a, b := g.poolType(), g.poolType()
		t = g.table.Tuple(a, b)
	}
	ctx := g.chance(g.sw.annotate)
	init := g.expr(t, g.size()+len(t.Args), ctx)
	var annotation syntax.TypeExpr
	if ctx {
		annotation = g.typeExpr(t)
	}
	b := patternBuilder{gen: g, fresh: g.isGlobalScope()}
	pat := b.irrefutable(t, 2)
	if g.isGlobalScope() {
		for _, v := range b.bound {
			v.global = true
		}
	}
	*out = append(*out, g.letPat(pat, annotation, init))
	for _, v := range b.bound {
		g.declare(v)
	}
}

// assignStmt stores to a variable or a part of one.
func (g *gen) assignStmt(out *[]syntax.Stmt) {
	if s := g.assignment(g.size()); s != nil {
		*out = append(*out, s)
		return
	}
	g.letStmt(out)
}

// assignment makes `place = e;` or `place op= e;`, or nil if nothing may be stored to.
func (g *gen) assignment(size int) syntax.Stmt {
	var found [24]*variable
	n := 0
	add := func(v *variable) {
		if n < len(found) && v.mut && !v.locked && g.readable(v) {
			found[n] = v
			n++
		}
	}
	for i := len(g.fn.vars) - 1; i >= 0; i-- {
		add(g.fn.vars[i])
	}
	for _, v := range g.globals {
		add(v)
	}
	if n == 0 {
		return nil
	}
	v := found[g.n(n)]
	p := place{v: v, ty: v.ty}
	for p.ty.Kind == types.Tuple && p.deep < len(p.path) && g.chance(160) {
		i := g.n(len(p.ty.Args))
		p.path[p.deep] = uint8(i)
		p.deep++
		p.ty = p.ty.Args[i]
	}
	return g.store(p, size)
}

// store makes the statement that stores to p.
func (g *gen) store(p place, size int) syntax.Stmt {
	op, value := g.storeValue(p.ty, size)
	p.v.dirty = true
	target := g.placeExpr(p)
	if g.chance(8) {
		target = g.unary(syntax.Deref, target)
	}
	return g.stmt(g.assign(target, op, value))
}

// storeValue draws an assignment's operator and its operand.
func (g *gen) storeValue(t *types.Type, size int) (syntax.BinaryOp, syntax.Expr) {
	if !g.chance(150) {
		return syntax.NoOp, g.expr(t, size, true)
	}
	switch k := t.Kind; {
	case k.IsInt():
		switch c := g.n(12); c {
		case 0, 1, 2:
			return syntax.Add, g.expr(t, size, true)
		case 3, 4:
			return syntax.Sub, g.expr(t, size, true)
		case 5:
			return syntax.BitXor, g.expr(t, size, true)
		case 6:
			return syntax.Mul, g.binary(syntax.BitOr, g.operand(t, size), g.integer(1, ""))
		case 7:
			return [...]syntax.BinaryOp{syntax.Div, syntax.Rem}[g.n(2)], g.divisor(t, size)
		case 8:
			count := g.intType()
			return [...]syntax.BinaryOp{syntax.Shl, syntax.Shr}[g.n(2)], g.intLit(count.Kind, g.shiftCount(count.Kind), false)
		case 9:
			count := g.intType()
			return [...]syntax.BinaryOp{syntax.Shl, syntax.Shr}[g.n(2)], g.operand(count, size)
		case 10:
			return syntax.Pow, g.integer(1+2*uint64(g.n(6)), "")
		default:
			return [...]syntax.BinaryOp{syntax.BitOr, syntax.BitAnd}[g.n(2)], g.operand(t, size)
		}
	case k.IsFloat():
		ops := [...]syntax.BinaryOp{syntax.Add, syntax.Sub, syntax.Mul, syntax.Div, syntax.Rem}
		return ops[g.n(len(ops))], g.operand(t, size)
	case k == types.Bool:
		ops := [...]syntax.BinaryOp{syntax.BitXor, syntax.BitAnd, syntax.BitOr}
		return ops[g.n(len(ops))], g.operand(t, size)
	}
	return syntax.NoOp, g.expr(t, size, true)
}

// bodyBlock makes `{ stmts }`.
func (g *gen) bodyBlock(n int) *syntax.Block {
	return g.scoped(func(out *[]syntax.Stmt) func() syntax.Expr {
		g.statements(out, n)
		return nil
	})
}

func (g *gen) ifStmt(out *[]syntax.Stmt) { *out = append(*out, g.blockStmt(g.ifChain())) }

// ifChain makes an `if` of type (), with or without `else`, perhaps with further conditions.
func (g *gen) ifChain() *syntax.If {
	cond := g.cond(g.size())
	var then *syntax.Block
	var alt syntax.Expr
	g.times(0.5, func() { then = g.bodyBlock(g.bodyStmts()) })
	switch g.n(4) {
	case 1, 2:
		g.times(0.5, func() { alt = g.bodyBlock(g.bodyStmts()) })
	case 3:
		g.times(0.5, func() {
			if g.tight() {
				alt = g.bodyBlock(1)
			} else {
				alt = g.ifChain()
			}
		})
	}
	return g.ifElse(cond, then, alt)
}

func (g *gen) matchStmt(out *[]syntax.Stmt) {
	m := g.match(g.size(), func(factor float64) (body syntax.Expr) {
		g.times(factor, func() { body = g.armStmt() })
		return body
	})
	*out = append(*out, g.blockStmt(m))
}

// armStmt makes the body of an arm of a match of type ().
func (g *gen) armStmt() syntax.Expr {
	switch g.n(6) {
	case 0:
		if s, ok := g.assignment(3).(*syntax.ExprStmt); ok {
			return s.X
		}
	case 1:
		if g.chance(120) {
			if exit := g.exit(3); exit != nil {
				return exit
			}
		}
	case 2:
		if g.fn.result == nil || g.chance(60) {
			return g.tuple(nil)
		}
	}
	return g.bodyBlock(g.bodyStmts())
}

func (g *gen) blockStmtForm(out *[]syntax.Stmt) {
	*out = append(*out, g.blockStmt(g.bodyBlock(g.bodyStmts())))
}

// printStmt prints some values, one after another.
func (g *gen) printStmt(out *[]syntax.Stmt) {
	args := g.exprs.list(g.heavy(1, 8))
	for i := range args {
		t := g.typeWhere((*types.Type).Printable, types.Prim(types.I64))
		args[i] = g.expr(t, 1+g.n(g.sw.exprSize), false)
	}
	*out = append(*out, g.stmt(g.print(args...)))
}

// exprStmt evaluates an expression and shows its value, if it has one.
func (g *gen) exprStmt(out *[]syntax.Stmt) {
	if g.chance(60) {
		if f := g.callee(types.Prim(types.Unit)); f != nil {
			*out = append(*out, g.stmt(g.callTo(f, g.size())))
			return
		}
	}
	t := g.poolType()
	if !visible(t) {
		*out = append(*out, g.stmt(g.expr(t, g.size(), false)))
		return
	}
	if !g.affords(g.noteCost(t)) {
		g.letStmt(out)
		return
	}
	*out = append(*out, g.stmt(g.noteCall(g.expr(t, g.size(), t.Kind.IsInt() && !g.viaWide(t)), t)))
}

// showSome shows a variable that holds something unseen.
func (g *gen) showSome(out *[]syntax.Stmt) {
	for i := len(g.fn.vars) - 1; i >= 0; i-- {
		if v := g.fn.vars[i]; v.dirty && v.hidden == 0 && visible(v.ty) && g.readable(v) {
			*out = append(*out, g.show(v)...)
			return
		}
	}
	*out = append(*out, g.stmt(g.print(g.path(g.sink.sum.name))))
}

// exitStmt leaves a loop or the function under a condition.
func (g *gen) exitStmt(out *[]syntax.Stmt) {
	cond := g.rare(uint64(3+g.n(40)), g.size())
	var exit syntax.Expr
	g.times(0.1, func() { exit = g.tailExit(g.size()) })
	if exit == nil {
		g.letStmt(out)
		return
	}
	g.fn.lines += 2
	*out = append(*out, g.blockStmt(g.ifElse(cond, g.block(nil, g.stmt(exit)), nil)))
}

// sumRange goes over a range that was made before, and mixes its elements.
func (g *gen) sumRange(out *[]syntax.Stmt) {
	if len(g.ranges) == 0 || g.tripCount() < 5 {
		g.letStmt(out)
		return
	}
	t := g.ranges[g.n(len(g.ranges))]
	head := g.expr(t, g.size(), false)
	name := g.fresh("k")
	var body *syntax.Block
	g.times(3, func() { body = g.block(nil, g.stmt(g.noteCall(g.path(name), t.Args[0]))) })
	g.fn.lines += 2
	g.nodes++
	*out = append(*out, g.blockStmt(&syntax.For{Pat: g.bind(name, false), Iter: head, Body: body}))
}

// wideFrame makes many variables that all live to the end of the scope, one a line or several out of a tuple.
func (g *gen) wideFrame(out *[]syntax.Stmt) {
	n := min(g.heavy(8, 200), int(g.spare()/g.fn.mult/16))
	if g.chance(100) {
		n = min(n, g.fn.maxLine-g.fn.lines)
	}
	for n > 0 {
		if g.chance(200) {
			n -= g.severalLocals(out, min(n, 12))
		} else {
			t := g.typeWhere(visible, types.Prim(types.I64))
			v := g.keep(variable{name: g.fresh("w"), ty: t, mut: g.chance(60), dirty: true})
			g.addLocal(out, v, g.expr(t, 1+g.n(5), false), nil)
			n--
		}
		g.fn.lines++
	}
}

// severalLocals makes up to n variables by one pattern.
func (g *gen) severalLocals(out *[]syntax.Stmt, n int) int {
	pats := g.patterns.list(n)
	inits := g.exprs.list(n)
	vars := make([]*variable, n)
	for i := range n {
		t := g.typeWhere(visible, types.Prim(types.I64))
		vars[i] = g.keep(variable{name: g.fresh("w"), ty: t, mut: g.chance(60), dirty: true, global: g.isGlobalScope()})
		pats[i] = g.bind(vars[i].name, vars[i].mut)
		inits[i] = g.expr(t, 1+g.n(3), false)
	}
	var pat syntax.Pattern = &syntax.TuplePat{Elems: pats}
	*out = append(*out, g.letPat(pat, nil, g.tuple(inits)))
	for _, v := range vars {
		g.declare(v)
	}
	return n
}
