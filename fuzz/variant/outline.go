package variant

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// maxParams bounds the variables that an outlined function takes.
const maxParams = 24

// outlineStatements moves statements into a new function. What they use of the function's variables are its parameters,
// and what they assign to, its result.
func outlineStatements(d *draft) bool {
	var u usage
	s, from, to := d.someStatements(func(_ *listSite, part []syntax.Stmt) bool {
		if !exitsOf(part...).none() {
			return false
		}
		u = usageOf(d, part...)
		return passable(u.captured())
	})
	if s == nil {
		return false
	}
	body := block(nil, append([]syntax.Stmt(nil), (*s.stmts)[from:to]...)...)
	params := u.captured()
	var results []*types.Local
	for _, l := range params {
		if contains(u.assigned, l) {
			results = append(results, l)
		}
	}
	if len(results) > 0 {
		// In a block of their own, their variables hide none of those that the result is read from.
		body = block(nil, stmt(body))
	}
	f := d.newFunction(params, results, body)
	switch len(results) {
	case 0:
	case 1:
		f.Result = typeExpr(results[0].Type)
		body.Tail = d.read(results[0])
	default:
		parts, elems := &syntax.TupleType{}, &syntax.TupleLit{}
		for _, l := range results {
			parts.Elems = append(parts.Elems, typeExpr(l.Type))
			elems.Elems = append(elems.Elems, d.read(l))
		}
		f.Result, body.Tail = parts, elems
	}
	d.edit(s, from, to, d.takeResults(d.callOf(f, params), results)...)
	return true
}

// passable reports whether variables can be parameters, and together the parts of a tuple.
func passable(list []*types.Local) bool {
	if len(list) > maxParams {
		return false
	}
	for _, l := range list {
		if l.Type.Kind == types.Never || l.Type.Kind == types.Tuple && len(list) > 4 && !small(l.Type) {
			return false
		}
	}
	return true
}

// newFunction adds a function to the program.
func (d *draft) newFunction(params, mut []*types.Local, body *syntax.Block) *syntax.FnDecl {
	f := &syntax.FnDecl{Name: syntax.Ident{Name: d.fresh()}, Body: body}
	for _, l := range params {
		f.Params = append(f.Params, syntax.Param{Name: syntax.Ident{Name: l.Name}, Mut: contains(mut, l), Type: typeExpr(l.Type)})
	}
	d.items = append(d.items, item{f, d.n(len(d.main) + 1)})
	d.funcs = append(d.funcs, &function{decl: f})
	return f
}

func (d *draft) callOf(f *syntax.FnDecl, args []*types.Local) syntax.Expr {
	call := &syntax.Call{Callee: pathTo(f.Name.Name)}
	for _, l := range args {
		call.Args = append(call.Args, d.read(l))
	}
	return call
}

// takeResults assigns a call's results to variables.
func (d *draft) takeResults(call syntax.Expr, results []*types.Local) []syntax.Stmt {
	switch len(results) {
	case 0:
		return []syntax.Stmt{stmt(call)}
	case 1:
		return []syntax.Stmt{assign(d.read(results[0]), syntax.NoOp, call)}
	}
	pat := &syntax.TuplePat{}
	let := &syntax.Let{Pat: pat, Init: call}
	inner := []syntax.Stmt{let}
	for _, l := range results {
		t, decl := d.temp(l.Type, nil, false)
		pat.Elems = append(pat.Elems, decl.(*syntax.Let).Pat)
		inner = append(inner, assign(d.read(l), syntax.NoOp, d.read(t)))
	}
	return []syntax.Stmt{stmt(block(nil, inner...))}
}

// outlineExpr moves an expression that assigns to nothing outside into a new function.
func outlineExpr(d *draft) bool {
	var u usage
	s := d.someExpr(func(s *exprSite) bool {
		x := *s.slot
		if !movable(s) || nodes(x) < 3 || d.diverges(x) || !exitsOf(x).none() {
			return false
		}
		u = usageOf(d, x)
		for _, l := range u.captured() {
			if contains(u.assigned, l) {
				return false
			}
		}
		return passable(u.captured())
	})
	if s == nil {
		return false
	}
	params := u.captured()
	f := d.newFunction(params, nil, block(*s.slot))
	f.Result = typeExpr(s.typ)
	*s.slot = d.callOf(f, params)
	return true
}
