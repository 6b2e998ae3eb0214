package reduce

import "rokrig/compiler/syntax"

// inline puts bodies in the place of calls, values in the place of variables, and the body of `fn main` at the top level;
// and it makes functions whose value nobody needs functions without one. What becomes unused goes with the next round.
func (r *reducer) inline() []edit {
	var edits []edit
	found := find(r.file)
	for i, d := range r.file.Decls {
		if f, ok := d.(*syntax.FnDecl); ok && f.Name.Name == "main" && f.Body != nil {
			var top []syntax.Decl
			for _, s := range asStatements(f.Body) {
				top = append(top, &syntax.TopStmt{Stmt: s})
			}
			edits = append(edits, splice(&r.file.Decls, i, top))
		}
	}
	for _, p := range found.exprs {
		if call, ok := (*p).(*syntax.Call); ok {
			if e := r.inlineCall(p, call, found); e != nil {
				edits = append(edits, e)
			}
		}
	}
	for _, f := range found.funcs {
		if f.Result != nil && f.Body != nil {
			edits = append(edits, withoutResult(f))
		}
	}
	edits = append(edits, r.values(found)...)
	return edits
}

// inlineCall is the edit that puts a function's body in the place of a call. It is nil unless reducing comes to an end with
// it: either the function is gone thereby, since nothing else names it, or its value holds no call. A `return` in the body
// means something else then; the test decides whether that matters.
func (r *reducer) inlineCall(place *syntax.Expr, call *syntax.Call, found *places) edit {
	callee := nameOf(call.Callee)
	for i, d := range r.file.Decls {
		f, ok := d.(*syntax.FnDecl)
		if !ok || callee == "" || f.Name.Name != callee || f.Body == nil || len(f.Params) != len(call.Args) {
			continue
		}
		named := 0
		for _, p := range found.exprs {
			if nameOf(*p) == callee {
				named++
			}
		}
		switch {
		case named == 1:
			return all([]edit{set(place, inlined(f, call)), without(&r.file.Decls, i, i+1)})
		case len(f.Params) == 0 && len(f.Body.Stmts) == 0 && f.Body.Tail != nil && !callsAnything(f.Body.Tail):
			return set(place, syntax.CloneExpr(f.Body.Tail))
		}
	}
	return nil
}

// nameOf returns the name that an expression consists of, or "".
func nameOf(x syntax.Expr) string {
	if p, ok := x.(*syntax.PathExpr); ok && len(p.Path.Segments) == 1 {
		return p.Path.Segments[0].Name
	}
	return ""
}

func callsAnything(x syntax.Expr) bool { return len(find(&x).calls) > 0 }

// inlined returns what a call of f stands for: its value alone, or a block that binds its parameters.
func inlined(f *syntax.FnDecl, call *syntax.Call) syntax.Expr {
	body := syntax.CloneBlock(f.Body)
	if len(f.Params) == 0 && len(body.Stmts) == 0 && body.Tail != nil {
		return body.Tail
	}
	block := &syntax.Block{Tail: body.Tail}
	for i, p := range f.Params {
		block.Stmts = append(block.Stmts, &syntax.Let{Type: p.Type, Init: call.Args[i],
			Pat: &syntax.BindPat{Name: syntax.Ident{Name: p.Name.Name}, Mut: p.Mut}})
	}
	block.Stmts = append(block.Stmts, body.Stmts...)
	return block
}

// withoutResult makes a function one without a value: its tail becomes a statement.
func withoutResult(f *syntax.FnDecl) edit {
	return func() func() {
		result, body := f.Result, *f.Body
		f.Result = nil
		*f.Body = syntax.Block{Stmts: asStatements(&body)}
		return func() { f.Result, *f.Body = result, body }
	}
}

// mostReads is how often a value is written in the place of its variable at the most.
const mostReads = 4

// values replaces the reads of a variable by the value that its `let` gives it, and drops the `let`.
func (r *reducer) values(found *places) []edit {
	var edits []edit
	for _, b := range found.blocks {
		for i, s := range b.Stmts {
			if l, ok := s.(*syntax.Let); ok {
				edits = appendValue(edits, l, found, without(&b.Stmts, i, i+1))
			}
		}
	}
	for i, d := range r.file.Decls {
		top, ok := d.(*syntax.TopStmt)
		if !ok {
			continue
		}
		if l, ok := top.Stmt.(*syntax.Let); ok {
			edits = appendValue(edits, l, found, without(&r.file.Decls, i, i+1))
		}
	}
	return edits
}

// appendValue adds the edit that drops a `let` and writes its value at each place that names its variable.
func appendValue(edits []edit, l *syntax.Let, found *places, drop edit) []edit {
	bind, ok := l.Pat.(*syntax.BindPat)
	if !ok {
		return edits
	}
	var reads []*syntax.Expr
	for _, p := range found.exprs {
		if nameOf(*p) == bind.Name.Name {
			reads = append(reads, p)
		}
	}
	if len(reads) > mostReads {
		return edits // the program would grow
	}
	return append(edits, func() func() {
		undos := []func(){drop()}
		for _, p := range reads {
			undos = append(undos, set(p, syntax.CloneExpr(l.Init))())
		}
		return func() {
			for i := len(undos) - 1; i >= 0; i-- {
				undos[i]()
			}
		}
	})
}
