package variant

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// effects is what a statement does, by names: a name stands for every variable of that name, so that two statements whose
// names are apart share no variable, and shadow nothing of each other.
type effects struct {
	names   []string // everything named
	changed []string // assigned or declared
	pure    bool     // it ends, without a panic, prints nothing, calls nothing and stays where it is
	local   bool     // of the variables it names, all belong to the function
}

// effectsOf looks at a statement of a function.
func (d *draft) effectsOf(s syntax.Stmt, inMain bool) effects {
	e := effects{pure: true, local: true}
	syntax.Inspect(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.PathExpr:
			name := nameOf(n)
			note(&e.names, name)
			if d.local(n) == nil {
				e.local = false
				// A global that is not a static may be read too early, which panics.
				g, ok := d.node(n).(*types.GlobalRef)
				e.pure = e.pure && ok && (g.Global.Static || inMain)
			}
		case *syntax.BindPat:
			note(&e.names, n.Name.Name)
			note(&e.changed, n.Name.Name)
			e.local = e.local && d.bound(n) != nil
		case *syntax.TypePat:
			note(&e.names, n.Name.Name)
			note(&e.changed, n.Name.Name)
			e.local = e.local && d.bound(n) != nil
		case *syntax.Assign:
			if p := root(n.Place); p != nil {
				note(&e.changed, nameOf(p))
			}
			e.pure = e.pure && cannotPanic(n.Op, false)
		case *syntax.Binary:
			t := d.typeOf(n)
			e.pure = e.pure && cannotPanic(n.Op, t != nil && t.Kind.IsFloat())
		case *syntax.Call, *syntax.Index, *syntax.Print, *syntax.Panic, *syntax.Assert, *syntax.Return, *syntax.Break, *syntax.Continue,
			*syntax.Loop, *syntax.While, *syntax.For:
			e.pure = false
		}
		return true
	})
	return e
}

// cannotPanic reports whether an operator has a value for all operands.
func cannotPanic(op syntax.BinaryOp, float bool) bool {
	return op != syntax.Div && op != syntax.Rem && op != syntax.Pow || float
}

// apart reports whether a changes nothing that b names.
func apart(a, b *effects) bool {
	for _, name := range a.changed {
		if contains(b.names, name) {
			return false
		}
	}
	return true
}

// swapStatements exchanges two neighbouring statements that do not see each other. One of them is pure; the other one too,
// or the first is the function's own affair and the other one does not go on elsewhere in the function.
func swapStatements(d *draft) bool {
	at := 0
	s := d.someList(func(s *listSite) bool {
		list := *s.stmts
		if len(list) < 2 {
			return false
		}
		at = d.n(len(list) - 1)
		inMain := s.fn.decl == nil
		a, b := d.effectsOf(list[at], inMain), d.effectsOf(list[at+1], inMain)
		if !apart(&a, &b) || !apart(&b, &a) {
			return false
		}
		stays := func(st syntax.Stmt) bool {
			e := exitsOf(st)
			return !e.plain && !e.labels
		}
		return a.pure && b.pure || a.pure && a.local && stays(list[at+1]) || b.pure && b.local && stays(list[at])
	})
	if s == nil {
		return false
	}
	list := *s.stmts
	d.edit(s, at, at+2, list[at+1], list[at])
	d.disordered = append(d.disordered, s.fn.info)
	return true
}

// moveItem puts a function or a static elsewhere: where items stand has no meaning.
func moveItem(d *draft) bool {
	if len(d.items) == 0 {
		return false
	}
	for range 1 + d.n(4) {
		from, to := d.n(len(d.items)), d.n(len(d.items))
		it := d.items[from]
		rest := append(append([]item(nil), d.items[:from]...), d.items[from+1:]...)
		it.at = d.n(len(d.main) + 1)
		d.items = append(append(append([]item(nil), rest[:to]...), it), rest[to:]...)
	}
	return true
}

// staticAtRun gives a static another first value, which the program's first statement overwrites with the right one: what
// the checker evaluates is then evaluated at run time.
func staticAtRun(d *draft) bool {
	s, g := d.someStatic()
	if s == nil {
		return false
	}
	first := d.constant(g.Type)
	if first == nil || !small(g.Type) {
		return false
	}
	set := assign(pathTo(s.Name.Name), syntax.NoOp, s.Init)
	if !d.prepend(set) {
		return false
	}
	s.Init = first
	return true
}

// someStatic draws a static.
func (d *draft) someStatic() (*syntax.StaticDecl, *types.Global) {
	var found []*syntax.StaticDecl
	for _, it := range d.items {
		if s, ok := it.decl.(*syntax.StaticDecl); ok {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	s := found[d.n(len(found))]
	for _, g := range d.o.Checked.Globals {
		if g.Static && g.Span == s.Name.Span {
			return s, g
		}
	}
	return nil, nil
}

// staticLaw puts initialisers of statics under laws: what the checker evaluates is then a longer expression.
func staticLaw(d *draft) bool {
	done := false
	for range 1 + d.n(6) {
		done = oneStaticLaw(d) || done
	}
	return done
}

func oneStaticLaw(d *draft) bool {
	s, g := d.someStatic()
	if s == nil || !g.Type.Kind.IsNumeric() && g.Type.Kind != types.Bool {
		return false
	}
	at := d.n(len(laws))
	for range laws {
		if l := &laws[at]; l.constant && l.class(g.Type) {
			s.Init = l.make(d, g.Type, s.Init)
			return true
		}
		if at++; at == len(laws) {
			at = 0
		}
	}
	return false
}

// prepend puts a statement before everything else that runs, if there is a place: a declared main may be called again.
func (d *draft) prepend(s syntax.Stmt) bool {
	if len(d.main) > 0 {
		d.shiftItems(-1, 1)
		replace(&d.main, 0, 0, s)
		return true
	}
	main := d.o.Checked.Main
	if main == nil || main.Decl == nil || d.called(main) {
		return false
	}
	for _, f := range d.funcs {
		if f.info == main {
			replace(&f.decl.Body.Stmts, 0, 0, s)
			return true
		}
	}
	return false
}

// called reports whether a function is named anywhere in the original.
func (d *draft) called(f *types.Func) bool {
	for i := range d.index.exprs {
		switch e := d.index.exprs[i].node.(type) {
		case *types.Call:
			if e.Func == f {
				return true
			}
		case *types.FuncRef:
			if e.Func == f {
				return true
			}
		}
	}
	return false
}
