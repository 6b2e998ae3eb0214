package variant

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/fuzz/gen"
)

// maxGrafts is how many calls of one program's functions get into the other one at most.
const maxGrafts = 5

// Splice makes one program of two: the items of both, those of b renamed apart; what both run, in one order; and calls of
// functions of b inside of a. The result ends as a rule, since both do, and is seldom rejected.
func Splice(src gen.Source, a, b *Original) *Result {
	d := newDraft(src, a)
	defer d.leave()
	d.guard()
	other := newDraft(src, b)
	other.guard()
	other.renameApart(unusedPrefix(a.Text + b.Text))
	rules := []string{"splice"}
	for range d.n(maxGrafts + 1) {
		d.src.Segment()
		if d.graft(other) {
			rules = append(rules, "graft")
		}
	}
	d.src.Segment()
	d.join(other)
	return &Result{Text: d.print(), Rules: rules}
}

// renameApart puts a suffix behind the names of everything at a program's top level.
func (d *draft) renameApart(suffix string) {
	visit := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.PathExpr:
			switch d.node(n).(type) {
			case *types.FuncRef, *types.GlobalRef:
				n.Path.Segments[0].Name += suffix
			}
		case *syntax.Call:
			if _, known := d.node(n).(*types.Call); known {
				if p, ok := n.Callee.(*syntax.PathExpr); ok && d.node(p) == nil {
					p.Path.Segments[0].Name += suffix
				}
			}
		}
		return true
	}
	for _, it := range d.items {
		syntax.Inspect(it.decl, visit)
		switch decl := it.decl.(type) {
		case *syntax.FnDecl:
			decl.Name.Name += suffix
		case *syntax.StaticDecl:
			decl.Name.Name += suffix
		}
	}
	for _, s := range d.main {
		syntax.Inspect(s, visit)
		if let, ok := s.(*syntax.Let); ok {
			renameBindings(let.Pat, suffix)
		}
	}
}

func renameBindings(p syntax.Pattern, suffix string) {
	syntax.Inspect(p, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BindPat:
			n.Name.Name += suffix
		case *syntax.TypePat:
			if n.Name.Name != "_" {
				n.Name.Name += suffix
			}
		}
		return true
	})
}

// mainDecl returns the draft's declared main, or nil.
func (d *draft) mainDecl() *syntax.FnDecl {
	for _, f := range d.funcs {
		if f.info != nil && f.info == d.o.Checked.Main {
			return f.decl
		}
	}
	return nil
}

// join takes over what another program has. Top-level statements of both are merged, each program's in its order; a
// declared main becomes a function that is called somewhere, unless it alone is left.
func (d *draft) join(other *draft) {
	mine, theirs := d.mainDecl(), other.mainDecl()
	if mine != nil && len(other.main) > 0 {
		d.renameApartMain(mine)
		d.main = append(d.main, stmt(&syntax.Call{Callee: pathTo(mine.Name.Name)}))
	}
	if theirs != nil {
		other.main = append(other.main, stmt(&syntax.Call{Callee: pathTo(theirs.Name.Name)}))
	}
	for _, it := range other.items {
		d.items = append(d.items, item{it.decl, d.n(len(d.main) + 1)})
	}
	if len(other.main) == 0 {
		return
	}
	if mine != nil && len(d.main) == 0 { // both have a main: theirs is one call
		at := d.n(len(mine.Body.Stmts) + 1)
		replace(&mine.Body.Stmts, at, at, other.main...)
		return
	}
	merged := make([]syntax.Stmt, 0, len(d.main)+len(other.main))
	a, b := d.main, other.main
	for len(a)+len(b) > 0 {
		if n := min(len(a), 1+d.n(4)); n > 0 {
			merged, a = append(merged, a[:n]...), a[n:]
		}
		if n := min(len(b), 1+d.n(4)); n > 0 {
			merged, b = append(merged, b[:n]...), b[n:]
		}
	}
	d.main = merged
}

// renameApartMain makes a declared main a function like others.
func (d *draft) renameApartMain(main *syntax.FnDecl) {
	old, name := main.Name.Name, d.fresh()
	d.renameGlobally(name, func(n types.Expr) bool {
		ref, ok := n.(*types.FuncRef)
		return ok && ref.Func == d.o.Checked.Main
	}, d.o.Checked.Main, old)
	main.Name.Name = name
}

// graft puts a call of one of the other program's functions in the place of an expression of its type, which becomes an
// argument if there is a parameter for it.
func (d *draft) graft(other *draft) bool {
	if len(other.funcs) == 0 {
		return false
	}
	f := other.funcs[d.n(len(other.funcs))]
	if f.info == nil || contains(other.guards.recursive, f.info) || f.info.Type.Result.Kind == types.Never {
		return false
	}
	result := f.info.Result().String()
	s := d.someExpr(func(s *exprSite) bool {
		return !s.fixed && movable(s) && s.typ.String() == result && !d.diverges(*s.slot) && !d.decides(*s.slot)
	})
	if s == nil {
		return false
	}
	call := &syntax.Call{Callee: pathTo(f.decl.Name.Name)}
	used := false
	for _, p := range f.info.Params {
		if !used && p.Type.String() == s.typ.String() {
			call.Args, used = append(call.Args, *s.slot), true
			continue
		}
		x := d.constant(p.Type)
		if x == nil {
			return false
		}
		call.Args = append(call.Args, x)
	}
	*s.slot = call
	return true
}
