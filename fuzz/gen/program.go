package gen

import (
	"bytes"

	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// addStatic gives the program a static; init is a constant expression.
func (g *gen) addStatic(v *variable, init syntax.Expr) {
	v.global = true
	g.statics = append(g.statics, &syntax.StaticDecl{Name: syntax.Ident{Name: v.name}, Type: g.typeExpr(v.ty), Init: init})
	g.globals = append(g.globals, v)
}

// program makes everything: globals, functions from the leaves up, main.
func (g *gen) program() {
	g.makeSink()
	g.makeStatics()
	g.planLets()
	for range g.heavy(0, min(5, (2+g.sw.lines)/4)) {
		g.addFnType()
	}
	g.drawFunctions()
	g.src.Segment()
	g.makeMain()
}

// mostAdded bounds the functions that are added to a program for the length that it was meant to have.
const mostAdded = 40

// drawFunctions makes as many functions as the program drew, and more for the length that it was meant to have. Each starts
// a segment with the choice to go on, and the one behind the last is empty: so a function goes when its segments go, and
// the segments behind keep their meaning.
func (g *gen) drawFunctions() {
	share := g.sw.lines * (16 - g.sw.mainPart) / 16 / max(g.sw.funcs, 1)
	for n := 0; ; n++ {
		g.src.Segment()
		if n >= g.sw.funcs && (g.printed >= g.sw.atLeast || n >= g.sw.funcs+mostAdded) || !g.chance(255) {
			return
		}
		lines := 2 + g.between(share/3, 2*share)
		g.newFunction(lines, g.sw.steps/float64(g.sw.funcs+1)*float64(between8(g.src.Byte(), 1, 3)))
	}
}

func (g *gen) makeStatics() {
	for range g.sw.statics {
		t := g.typeWhere(isStatic, types.Prim(types.I64))
		v := g.keep(variable{name: g.fresh("S"), ty: t, mut: true, dirty: true})
		g.addStatic(v, g.constant(t, 3))
	}
	if g.chance(3) {
		g.fillPages()
	}
	if g.chance(128) {
		v := g.keep(variable{name: g.fresh("FUEL"), ty: g.intType(), mut: true, locked: true})
		g.addStatic(v, g.intLit(v.ty.Kind, uint64(g.fuelLeft()), true))
		g.fuel = v
	}
}

// fillPages makes so many statics, strings among them, that the program's data takes more than a page or two.
func (g *gen) fillPages() {
	parts := make([]*types.Type, 9+g.n(8))
	for i := range parts {
		parts[i] = g.typeWhere(func(t *types.Type) bool { return t.Kind != types.Tuple && isStatic(t) }, types.Prim(types.I64))
	}
	parts[len(parts)-1] = strType
	t := g.table.Tuple(parts...)
	for words := pageWords * (1 + g.n(2)); words > 0; words -= len(parts) + 1 {
		g.addStatic(g.keep(variable{name: g.fresh("S"), ty: t, mut: true, dirty: true}), g.constant(t, 0))
	}
}

// pageWords is the number of words in a page of memory.
const pageWords = 512

// isStatic reports whether a static may have type t: constants of it exist.
func isStatic(t *types.Type) bool {
	if t.Kind == types.Tuple {
		for _, p := range t.Args {
			if !isStatic(p) {
				return false
			}
		}
		return true
	}
	return matchable(t)
}

// constant makes a constant expression of literals and operators that does not panic.
func (g *gen) constant(t *types.Type, deep int) syntax.Expr {
	if deep == 0 || g.chance(150) {
		if t.Kind == types.Tuple {
			elems := g.exprs.list(len(t.Args))
			for i, p := range t.Args {
				elems[i] = g.constant(p, deep)
			}
			return g.tuple(elems)
		}
		return g.lit(t, true)
	}
	switch {
	case t.Kind.IsNumeric():
		switch g.n(3) {
		case 0:
			return g.unary(g.unaryOp(t), g.constant(t, deep-1))
		case 1:
			from := g.typeWhere(func(u *types.Type) bool { return u.Kind.IsNumeric() }, types.Prim(types.I64))
			return g.cast(g.lit(from, false), t.Kind)
		}
		ops := arithTable[g.n(numArith)]
		return g.binary(ops.op, g.constant(t, deep-1), g.constant(t, deep-1))
	case t.Kind == types.Bool:
		return g.binary(comparisons[g.n(len(comparisons))], g.lit(types.Prim(types.I32), false), g.lit(types.Prim(types.I32), true))
	}
	return g.constant(t, 0)
}

// planLets declares the top-level lets that functions read; main makes their initialisers.
func (g *gen) planLets() {
	for range g.sw.lets {
		v := g.keep(variable{name: g.fresh("G"), ty: g.poolType(), mut: g.chance(g.sw.mutable), global: true, dirty: true, need: 1 << g.needs})
		g.needs++
		g.globals = append(g.globals, v)
		g.lets = append(g.lets, v)
	}
}

// makeMain makes the program's main: initialisers, statements, a call of what was not called yet, the final checksums.
func (g *gen) makeMain() {
	st := &funcState{mult: 1, limit: g.sw.steps, seen: g.nodes, top: g.sw.topLevel}
	st.maxLine = 2 + g.sw.lines*g.sw.mainPart/16
	if g.sw.funcs == 0 {
		st.maxLine = 2 + g.sw.lines
	}
	g.fn = st
	if !st.top {
		g.openScope()
	}
	var out []syntax.Stmt
	g.initLets(&out)
	for st.lines < st.maxLine && st.cost < st.limit/2 && !endsAway(out) {
		g.src.Segment()
		g.statement(&out)
		g.account()
	}
	g.src.Segment()
	for range g.heavy(0, min(4, 1+g.sw.lines/5)) {
		g.knownOne(&out)
	}
	g.callTheRest(&out)
	g.flush(&out, 0)
	g.showGlobals(&out)
	switch {
	case g.sw.panics:
		g.ending(&out)
	case g.chance(12): // main may return; what stands behind never runs
		g.nodes++
		out = append(out, g.stmt(&syntax.Return{}), g.stmt(g.print(g.str("never"))))
	}
	g.account()
	g.mainStmts = out
}

// initLets makes the planned lets, with other statements between them.
func (g *gen) initLets(out *[]syntax.Stmt) {
	for _, v := range g.lets {
		if g.chance(60) {
			g.statement(out)
		}
		ctx := g.chance(g.sw.annotate)
		init := g.expr(v.ty, g.size(), ctx)
		var t syntax.TypeExpr
		if ctx {
			t = g.typeExpr(v.ty)
		}
		*out = append(*out, g.let(v.name, v.mut, t, init))
		g.fn.inited |= v.need
		g.fn.lines++
	}
}

// callTheRest calls functions that nothing calls yet, as far as the budget goes; often again and again in a loop, so that
// most of a program runs more than once, with other values in its globals.
func (g *gen) callTheRest(out *[]syntax.Stmt) {
	cost := 0.0
	for _, f := range g.funcs {
		if g.uncalled(f) {
			cost += f.cost + 20
		}
	}
	if cost > 0 && g.chance(190) {
		if rounds := min(g.between(1, g.sw.trips), int(g.spare()*0.8/cost)); rounds > 1 {
			t := g.intType()
			head, bounds, rounds := g.rangeHead(t, min(rounds, 100))
			g.forOver(out, head, t, bounds, rounds, g.callUncalled)
		}
	}
	g.callUncalled(out)
}

// uncalled reports whether f is not called yet and can be.
func (g *gen) uncalled(f *function) bool {
	return !f.called && f.hidden == 0 && f.needs&^g.fn.inited == 0
}

func (g *gen) callUncalled(out *[]syntax.Stmt) {
	for _, f := range g.funcs {
		if !g.uncalled(f) || !g.affords(f.cost) {
			continue
		}
		x := g.callTo(f, 4)
		switch {
		case visible(f.result):
			x = g.noteCall(x, f.result)
		case f.result.Kind == types.Fn || isRange(f.result):
			g.addLocal(out, g.keep(variable{name: g.newName(), ty: f.result}), x, nil)
			continue
		}
		*out = append(*out, g.stmt(x))
	}
}

// showGlobals prints what globals hold at the end, and the checksum.
func (g *gen) showGlobals(out *[]syntax.Stmt) {
	var args []syntax.Expr
	for _, v := range g.globals {
		if !v.dirty || v.hidden > 0 || v.locked || !visible(v.ty) {
			continue
		}
		if v.ty.Printable() && g.chance(190) {
			args = append(args, g.read(v))
		} else {
			*out = append(*out, g.stmt(g.noteCall(g.read(v), v.ty)))
		}
	}
	args = append(args, g.path(g.sink.sum.name))
	for len(args) > 0 {
		n := 1 + g.n(len(args))
		*out = append(*out, g.stmt(g.print(args[:n]...)))
		args = args[n:]
	}
}

// finish puts the declarations together, prints them, and lets go of the tree unless it is wanted.
func (g *gen) finish() *Result {
	file := &syntax.File{Decls: g.assemble()}
	g.text = syntax.Append(g.text[:0], file)
	r := &Result{
		Text:  string(g.text),
		Bytes: g.src.Bytes(),
		Panic: g.panicLine,
		Stats: Stats{
			Lines:  bytes.Count(g.text, []byte("\n")) - bytes.Count(g.text, []byte("\n\n")),
			Nodes:  g.nodes,
			Funcs:  len(g.funcs),
			Checks: g.checks,
			Steps:  int(g.fn.cost),
		},
	}
	if g.opt.KeepTree {
		r.File = file
	} else {
		g.reset()
		builders.Put(g.builder)
	}
	g.builder = nil
	return r
}

// assemble orders the declarations: functions before, between or behind the statements, in a drawn order.
func (g *gen) assemble() []syntax.Decl {
	var items []syntax.Decl
	for _, f := range g.funcs {
		items = append(items, f.decl)
	}
	for _, f := range append(g.sink.tees, g.sink.notes...) {
		if f != nil {
			items = append(items, f.decl)
		}
	}
	if len(items) > 1 && g.chance(128) {
		for i := range items { // callers before what they call
			j := i + g.n(len(items)-i)
			items[i], items[j] = items[j], items[i]
		}
	}
	if !g.sw.topLevel {
		g.nodes++
		main := &syntax.FnDecl{Name: syntax.Ident{Name: "main"}, Body: g.block(nil, g.mainStmts...)}
		at := g.n(len(items) + 1)
		items = append(items[:at:at], append([]syntax.Decl{main}, items[at:]...)...)
	}
	var out []syntax.Decl
	for _, s := range g.statics {
		out = append(out, s)
	}
	style := g.n(3)
	if style == 0 {
		out = append(out, items...)
	}
	if g.sw.topLevel {
		for i, s := range g.mainStmts {
			top := g.tops.new()
			top.Stmt = s
			out = append(out, top)
			if style == 2 && len(items) > 0 && i%3 == 1 {
				out = append(out, items[0])
				items = items[1:]
			}
		}
	}
	if style != 0 {
		out = append(out, items...)
	}
	return out
}
