package gen

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// calleeFits reports whether f may be called here.
func (g *gen) calleeFits(f *function, t *types.Type) bool {
	return f.result == t && f.hidden == 0 && (g.fn.result != nil || f.needs&^g.fn.inited == 0) && g.affords(f.cost+8)
}

// anyCallee reports whether a function with result t may be called here.
func (g *gen) anyCallee(t *types.Type) bool {
	for _, f := range g.funcs {
		if g.calleeFits(f, t) {
			return true
		}
	}
	return false
}

// callee draws a function with result t that may be called here, or returns nil.
func (g *gen) callee(t *types.Type) *function {
	var found [16]*function
	n := 0
	for i := len(g.funcs) - 1; i >= 0 && n < len(found); i-- {
		if g.calleeFits(g.funcs[i], t) {
			found[n] = g.funcs[i]
			n++
		}
	}
	if n == 0 {
		return nil
	}
	for i := range found[:n] {
		if !found[i].called && g.chance(128) {
			return found[i]
		}
	}
	return found[g.n(n)]
}

// selfCallFor returns a permission for a recursive call with result t, or nil.
func (g *gen) selfCallFor(t *types.Type) *selfCall {
	if g.fn.mult > 1 {
		return nil
	}
	for _, s := range g.fn.selves {
		if s.usable() && s.target.result == t {
			return s
		}
	}
	return nil
}

// usable reports whether another recursive call can be placed here.
func (s *selfCall) usable() bool {
	return s.sites > 0 && s.target.hidden == 0 && (s.fuel == nil || s.fuel.hidden == 0)
}

func (g *gen) hasCallee(t *types.Type) bool {
	return g.selfCallFor(t) != nil || g.anyCallee(t)
}

func (g *gen) callExpr(t *types.Type, size int, ctx bool) syntax.Expr {
	if s := g.selfCallFor(t); s != nil && g.chance(200) {
		return g.recurse(s, size)
	}
	f := g.callee(t)
	if f == nil {
		return g.leaf(t, ctx)
	}
	return g.callTo(f, size)
}

// recurse places a recursive call with one unit of fuel less.
func (g *gen) recurse(s *selfCall, size int) syntax.Expr {
	s.sites--
	if s.fuel == nil {
		return g.callWith(s.target, nil, size)
	}
	less := g.binary(syntax.Sub, g.path(s.fuel.name), g.integer(1, ""))
	return g.callWith(s.target, less, size)
}

// callTo makes a call of f.
func (g *gen) callTo(f *function, size int) syntax.Expr {
	f.called = true
	g.fn.needs |= f.needs
	g.account()
	g.fn.cost += f.cost * g.fn.mult
	if f.fuelMax == 0 {
		return g.callWith(f, nil, size)
	}
	return g.callWith(f, g.intLit(f.fuelKey, uint64(g.n(f.fuelMax+1)), true), size)
}

// callWith makes the arguments; first, if not nil, is the first one.
func (g *gen) callWith(f *function, first syntax.Expr, size int) syntax.Expr {
	args := g.exprs.list(len(f.params))[:0]
	params := f.params
	if first != nil {
		args = append(args, first)
		params = params[1:]
	}
	each := max(size/max(len(params), 1), 1)
	for _, p := range params {
		if g.reject != nil && g.reject.wrongType(false) {
			args = append(args, g.reject.operand(g, p))
			continue
		}
		args = append(args, g.expr(p, each, true))
	}
	return g.call(f.name, args...)
}

func (g *gen) hasFnType(t *types.Type) bool {
	for _, ft := range g.fnTypes {
		if ft.Result == t {
			return g.affords(g.sw.fnCost + 8)
		}
	}
	return false
}

// callValueExpr calls a function value.
func (g *gen) callValueExpr(t *types.Type, size int, _ bool) syntax.Expr {
	var found [8]*types.Type
	n := 0
	for _, ft := range g.fnTypes {
		if ft.Result == t && n < len(found) {
			found[n] = ft
			n++
		}
	}
	ft := found[g.n(n)]
	g.account()
	g.fn.cost += g.sw.fnCost * g.fn.mult
	callee := g.expr(ft, max(size/3, 1), false)
	args := g.exprs.list(len(ft.Args))
	for i, p := range ft.Args {
		args[i] = g.expr(p, max(size/2/len(args), 1), true)
	}
	return g.callValue(callee, args...)
}

// newFunction makes a function of a drawn signature and shape.
func (g *gen) newFunction(lines int, limit float64) {
	f := &function{name: g.functionName(), result: g.poolType()}
	n := g.between(0, min(5, g.sw.maxParams))
	if g.chance(50) {
		n = g.between(0, g.sw.maxParams)
	}
	alike := g.chance(24) // all of one class: that many of them fill the registers of the class
	t := g.poolType()
	if alike && g.chance(100) {
		t = [...]*types.Type{types.Prim(types.F64), types.Prim(types.F32)}[g.n(2)]
		n = max(n, g.between(0, g.sw.maxParams))
	}
	for range n {
		if !alike {
			t = g.poolType()
		}
		f.params = append(f.params, t)
	}
	switch b := g.n(16); {
	case b == 13:
		g.recursive(f, lines, limit)
	case b == 14:
		g.mutual(f, lines, limit)
	case b == 15 && g.fuel != nil:
		g.fuelled(f, lines, limit)
	default:
		g.define(f, lines, limit, nil)
		g.addFunction(f)
	}
}

func (g *gen) functionName() string {
	return g.fresh([...]string{"f", "fun_", "calc", "go_"}[g.sink.form%4])
}

// addFunction lets later code call f, and use it as a value if it is cheap and needs nothing.
func (g *gen) addFunction(f *function) {
	f.fnType = g.table.Fn(f.params, nil, f.result)
	f.asValue = f.cost <= g.sw.fnCost && f.needs == 0 && f.fuelMax == 0
	g.funcs = append(g.funcs, f)
}

// define makes the body of f. prelude, if not nil, makes its first statements.
func (g *gen) define(f *function, lines int, limit float64, prelude func(out *[]syntax.Stmt, params []*variable)) {
	outer := g.fn
	if outer != nil {
		g.account()
	}
	st := &funcState{info: f, result: f.result, mult: 1, limit: limit, seen: g.nodes, maxLine: lines + 2} // + 2 for its braces
	g.fn = st
	d := &syntax.FnDecl{Name: syntax.Ident{Name: f.name}, Params: make([]syntax.Param, len(f.params))}
	if f.result.Kind != types.Unit || g.chance(30) {
		d.Result = g.typeExpr(f.result)
	}
	params := g.declareParams(d, f)
	d.Body = g.functionBody(prelude, params)
	f.decl, f.needs = d, st.needs
	g.account()
	f.cost += st.cost
	g.fn = outer
	if outer != nil {
		outer.seen = g.nodes
	}
}

func (g *gen) declareParams(d *syntax.FnDecl, f *function) []*variable {
	params := make([]*variable, len(f.params))
	for i, t := range f.params {
		v := g.keep(variable{name: g.fresh("a"), ty: t, mut: g.chance(50), dirty: i > 0 || f.fuelMax == 0})
		if g.chance(g.sw.shadow) {
			v.name = g.paramName(params[:i], v.name)
		}
		params[i] = v
		d.Params[i] = syntax.Param{Name: syntax.Ident{Name: v.name}, Mut: v.mut, Type: g.typeExpr(t)}
	}
	for _, v := range params {
		g.declare(v)
	}
	if f.fuelMax > 0 {
		params[0].locked = true
	}
	return params
}

// paramName draws a name that no other parameter has.
func (g *gen) paramName(others []*variable, fallback string) string {
	name := g.localName()
	for _, v := range others {
		if v.name == name {
			return fallback
		}
	}
	return name
}

// functionBody makes a body: statements to fill the lines, then the value.
func (g *gen) functionBody(prelude func(*[]syntax.Stmt, []*variable), params []*variable) *syntax.Block {
	st := g.fn
	return g.scoped(func(out *[]syntax.Stmt) func() syntax.Expr {
		st.declare[0] = 0 // parameters are shown at the end like other variables
		if prelude != nil {
			prelude(out, params)
		}
		if g.chance(130) {
			g.addLocalSum(out)
		}
		for !g.tight() && !endsAway(*out) {
			g.src.Segment()
			if !g.chance(250) && g.opt.Lines == 0 {
				break
			}
			g.statement(out)
		}
		g.src.Segment()
		return func() syntax.Expr { return g.functionValue(out) }
	})
}

// functionValue makes the final value; pending recursive calls are placed in it.
func (g *gen) functionValue(out *[]syntax.Stmt) syntax.Expr {
	st := g.fn
	if v := st.local; v != nil && v.hidden == 0 {
		*out = append(*out, g.stmt(g.noteCall(g.path(v.name), v.ty)))
	}
	if g.chance(20) {
		*out = append(*out, g.stmt(g.print(g.path(g.sink.sum.name))))
	}
	for _, s := range st.selves {
		for s.usable() {
			x := g.recurse(s, 4)
			if visible(s.target.result) {
				x = g.noteCall(x, s.target.result)
			}
			*out = append(*out, g.stmt(x))
		}
	}
	if st.result.Kind == types.Unit && g.chance(220) {
		return nil
	}
	x := g.expr(st.result, g.size(), true)
	if g.chance(24) {
		g.nodes++
		*out = append(*out, g.stmt(&syntax.Return{Value: x}))
		return nil
	}
	return x
}

// addLocalSum gives the function a checksum of its own, in a local.
func (g *gen) addLocalSum(out *[]syntax.Stmt) {
	k := [...]types.Kind{types.I64, types.U64, types.U32, types.I32}[g.n(4)]
	v := g.keep(variable{name: g.fresh("s"), ty: types.Prim(k), mut: true, locked: true})
	g.addLocal(out, v, g.intLit(k, uint64(g.n(100)), false), nil)
	g.fn.local = v
}

// fuelParam puts a fuel parameter before the others.
func (g *gen) fuelParam(f *function, most int) {
	f.fuelKey = g.intKind()
	f.fuelMax = most
	f.params = append([]*types.Type{types.Prim(f.fuelKey)}, f.params...)
}

// stopWithoutFuel makes the statement that ends a recursion.
func (g *gen) stopWithoutFuel(fuel *variable) syntax.Stmt {
	read := g.path(fuel.name)
	cond := g.binary(syntax.Le, read, g.integer(0, ""))
	if g.chance(100) {
		cond = g.binary(syntax.Lt, read, g.integer(1, ""))
	}
	return g.stopUnless(cond)
}

// stopUnless returns from the function when cond is true.
func (g *gen) stopUnless(cond syntax.Expr) syntax.Stmt {
	ret := &syntax.Return{}
	g.nodes++
	if g.fn.result.Kind != types.Unit {
		ret.Value = g.expr(g.fn.result, 3, true)
	}
	return g.blockStmt(g.ifElse(cond, g.block(nil, g.stmt(ret)), nil))
}

// geometric returns the number of calls of a recursion with so many calls a body and so much fuel.
func geometric(sites, fuel int) float64 {
	calls, level := 1.0, 1.0
	for range fuel {
		level *= float64(sites)
		calls += level
	}
	return calls
}

// recursive makes f call itself.
func (g *gen) recursive(f *function, lines int, limit float64) {
	sites, most := 1, g.heavy(2, 40)
	if g.chance(70) {
		sites, most = 2, g.heavy(2, 5)
	}
	if sites == 1 && g.chance(40) {
		most, lines = g.heavy(40, 126), min(lines, 3) // deep, with little in each frame
	}
	g.fuelParam(f, most)
	calls := geometric(sites, most)
	body := max(limit/calls, 30)
	g.define(f, lines, body, func(out *[]syntax.Stmt, params []*variable) {
		*out = append(*out, g.stopWithoutFuel(params[0]))
		g.fn.selves = []*selfCall{{target: f, fuel: params[0], sites: sites}}
	})
	f.cost *= calls
	g.addFunction(f)
}

// mutual makes f and a second function that call each other.
func (g *gen) mutual(f *function, lines int, limit float64) {
	most := g.heavy(2, 24)
	g.fuelParam(f, most)
	h := &function{name: g.functionName(), result: g.poolType()}
	for range g.heavy(0, 5) {
		h.params = append(h.params, g.poolType())
	}
	g.fuelParam(h, most)
	h.fuelKey = f.fuelKey
	h.params[0] = f.params[0]
	body := max(limit/float64(most), 30)
	define := func(f, other *function) {
		g.define(f, lines/2+1, body, func(out *[]syntax.Stmt, params []*variable) {
			*out = append(*out, g.stopWithoutFuel(params[0]))
			g.fn.selves = []*selfCall{{target: other, fuel: params[0], sites: 1}}
		})
	}
	define(f, h)
	define(h, f)
	both := (f.cost + h.cost) * float64(most/2+1)
	needs := f.needs | h.needs
	f.cost, h.cost = both, both
	f.needs, h.needs = needs, needs
	g.addFunction(f)
	g.addFunction(h)
}

// fuelled makes f recursive with its fuel in a static, which all calls of the program share.
func (g *gen) fuelled(f *function, lines int, limit float64) {
	g.define(f, lines, limit/float64(g.fuelLeft()), func(out *[]syntax.Stmt, _ []*variable) {
		read := func() syntax.Expr { return g.path(g.fuel.name) }
		*out = append(*out, g.stopUnless(g.binary(syntax.Le, read(), g.integer(0, ""))))
		*out = append(*out, g.stmt(g.assign(read(), syntax.Sub, g.integer(1, ""))))
		g.fn.selves = []*selfCall{{target: f, sites: 1 + g.n(3)}}
	})
	// The whole program pays for the fuel once; here every caller is charged a part.
	f.cost = f.cost*4 + 10
	g.addFunction(f)
}

// fuelLeft is what the fuel static starts with.
func (g *gen) fuelLeft() int { return 12 }
