package variant

import (
	"math"

	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// roots returns the trees of a function's code.
func (d *draft) roots(f *function) []syntax.Node {
	if f.decl != nil {
		return []syntax.Node{f.decl}
	}
	out := make([]syntax.Node, len(d.main))
	for i, s := range d.main {
		out[i] = s
	}
	return out
}

// someVariable draws a variable of a function that want takes.
func (d *draft) someVariable(want func(*function, *types.Local) bool) (*function, *types.Local) {
	all := d.funcs
	if len(d.main) > 0 {
		all = append(all[:len(all):len(all)], &function{info: d.o.Checked.Main})
	}
	for range 8 {
		if len(all) == 0 {
			break
		}
		f := all[d.n(len(all))]
		if f.info == nil || len(f.info.Locals) == 0 {
			continue
		}
		if l := f.info.Locals[d.n(len(f.info.Locals))]; want(f, l) {
			return f, l
		}
	}
	return nil, nil
}

// renameVariable gives a variable of a function a fresh name.
func renameVariable(d *draft) bool {
	f, l := d.someVariable(func(*function, *types.Local) bool { return true })
	if f == nil {
		return false
	}
	d.rename(f, l, d.fresh())
	return true
}

// rename gives a variable of a function another name, everywhere.
func (d *draft) rename(f *function, l *types.Local, name string) {
	for _, root := range d.roots(f) {
		syntax.Inspect(root, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.PathExpr:
				if d.local(n) == l {
					n.Path.Segments[0].Name = name
				}
			case *syntax.BindPat:
				if d.bound(n) == l {
					n.Name.Name = name
				}
			case *syntax.TypePat:
				if d.bound(n) == l {
					n.Name.Name = name
				}
			}
			return true
		})
	}
	for i, p := range f.info.Params {
		if p == l {
			f.decl.Params[i].Name.Name = name
		}
	}
	if d.renamed == nil {
		d.renamed = map[*types.Local]string{}
	}
	d.renamed[l] = name
}

// renameToShadow gives the variable of a `let` the name of something that its function does not name where the variable is
// visible, which then hides what has the name.
func renameToShadow(d *draft) bool {
	name := ""
	f, l := d.someVariable(func(f *function, l *types.Local) bool {
		if contains(d.disordered, f.info) { // places in the text do not tell there what stands behind what
			return false
		}
		name = d.otherName(f, l)
		return name != "" && d.nameIsFree(f, l, name)
	})
	if f == nil {
		return false
	}
	d.rename(f, l, name)
	d.shadows = append(d.shadows, name)
	return true
}

// otherName draws a name: of another variable of the function, of a function, or of a global.
func (d *draft) otherName(f *function, l *types.Local) string {
	name := ""
	switch d.n(4) {
	case 0, 1: // a variable of the same type, if there is one near the one drawn first
		n := len(f.info.Locals)
		at := d.n(n)
		for i := range n {
			if v := f.info.Locals[(at+i)%n]; v != l && v.Type == l.Type {
				at = (at + i) % n
				break
			}
		}
		name = d.nameOf(f.info.Locals[at])
	case 2:
		if len(d.funcs) > 0 {
			name = d.funcs[d.n(len(d.funcs))].decl.Name.Name
		}
	case 3:
		if g := d.o.Checked.Globals; len(g) > 0 {
			name = g[d.n(len(g))].Name
		}
	}
	if name == d.nameOf(l) {
		return ""
	}
	return name
}

// nameOf returns a variable's present name.
func (d *draft) nameOf(l *types.Local) string {
	if name := d.renamed[l]; name != "" {
		return name
	}
	return l.Name
}

// nameIsFree reports whether variable l, bound by a `let` of its own, may have a name: the function does not have it where l
// is visible. What a rule has added counts as being there.
func (d *draft) nameIsFree(f *function, l *types.Local, name string) bool {
	visible, ok := d.visible(f, l)
	if !ok {
		return false
	}
	free := true
	for _, root := range d.roots(f) {
		syntax.Inspect(root, func(n syntax.Node) bool {
			found := ""
			switch n := n.(type) {
			case *syntax.PathExpr:
				found = nameOf(n)
			case *syntax.BindPat:
				found = n.Name.Name
			case *syntax.TypePat:
				found = n.Name.Name
			}
			if found == name {
				at := n.Where().Start
				free = free && !isAdded(n) && (at < visible.Start || at >= visible.End)
			}
			return free
		})
	}
	return free
}

// visible returns where in the original's text a variable is visible that a `let` alone binds: from the end of that to the
// end of the block. No rule moves code from behind a block into it.
func (d *draft) visible(f *function, l *types.Local) (s source.Span, ok bool) {
	var let *syntax.Let
	for _, root := range d.roots(f) {
		syntax.Inspect(root, func(n syntax.Node) bool {
			if s, ok := n.(*syntax.Let); ok {
				if b, ok := s.Pat.(*syntax.BindPat); ok && d.bound(b) == l {
					let = s
				}
			}
			return let == nil
		})
	}
	if let == nil {
		return s, false
	}
	s = source.Span{Start: let.Span.End, End: math.MaxInt32}
	for _, root := range d.roots(f) {
		syntax.Inspect(root, func(n syntax.Node) bool {
			b, ok := n.(*syntax.Block)
			if ok && !isAdded(b) && b.Span.Start < let.Span.Start && b.Span.End >= let.Span.End {
				s.End = min(s.End, b.Span.End)
			}
			return true
		})
	}
	return s, true
}

// renameItem gives a function or a global a fresh name.
func renameItem(d *draft) bool {
	checked := d.o.Checked
	at := d.n(len(d.funcs) + len(checked.Globals))
	name := d.fresh()
	if at < len(d.funcs) {
		f := d.funcs[at]
		if f.info == nil || f.info == checked.Main {
			return false
		}
		d.renameGlobally(name, func(n types.Expr) bool {
			ref, ok := n.(*types.FuncRef)
			return ok && ref.Func == f.info
		}, f.info, f.decl.Name.Name)
		f.decl.Name.Name = name
		return true
	}
	if at -= len(d.funcs); at >= len(checked.Globals) {
		return false
	}
	g := checked.Globals[at]
	old := d.renameGlobalDecl(g, name)
	d.renameGlobally(name, func(n types.Expr) bool {
		ref, ok := n.(*types.GlobalRef)
		return ok && ref.Global == g
	}, nil, old)
	return true
}

// renameGlobally renames what a name of the top level means: where it is a value, the calls of f, and what rules have added
// under its old name.
func (d *draft) renameGlobally(name string, is func(types.Expr) bool, f *types.Func, old string) {
	visit := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.PathExpr:
			added := isAdded(n) && d.added[n] == nil && nameOf(n) == old
			if added || is(d.node(n)) {
				n.Path.Segments[0].Name = name
			}
		case *syntax.Call:
			if p, ok := n.Callee.(*syntax.PathExpr); ok && f != nil {
				if c, ok := d.node(n).(*types.Call); ok && c.Func == f {
					p.Path.Segments[0].Name = name
				}
			}
		}
		return true
	}
	for _, it := range d.items {
		syntax.Inspect(it.decl, visit)
	}
	for _, s := range d.main {
		syntax.Inspect(s, visit)
	}
}

// renameGlobalDecl renames a global where it is declared, and returns its old name.
func (d *draft) renameGlobalDecl(g *types.Global, name string) (old string) {
	for _, it := range d.items {
		if s, ok := it.decl.(*syntax.StaticDecl); ok && s.Name.Span == g.Span {
			old, s.Name.Name = s.Name.Name, name
		}
	}
	for _, s := range d.main {
		let, ok := s.(*syntax.Let)
		if !ok {
			continue
		}
		syntax.Inspect(let.Pat, func(n syntax.Node) bool {
			p, ok := n.(syntax.Pattern)
			if !ok {
				return true
			}
			if b, ok := d.index.patternAt(p.Where()).(*types.BindPat); ok && b.Global == g {
				switch p := p.(type) {
				case *syntax.BindPat:
					old, p.Name.Name = p.Name.Name, name
				case *syntax.TypePat:
					old, p.Name.Name = p.Name.Name, name
				}
			}
			return true
		})
	}
	return old
}

// hideForAWhile adds a block in which a new variable has the name and type of one that is visible there. It is stored to, and
// gone behind the block.
func hideForAWhile(d *draft) bool {
	s := d.someList(func(s *listSite) bool { return s.scope != nil })
	if s == nil {
		return false
	}
	depth := 0
	for v := s.scope; v != nil; v = v.outer {
		depth++
	}
	v := s.scope
	for range d.n(depth) {
		v = v.outer
	}
	first, next := d.constant(v.local.Type), d.constant(v.local.Type)
	if first == nil || !small(v.local.Type) {
		return false
	}
	l, let := d.temp(v.local.Type, first, true)
	l.Name = v.local.Name
	let.(*syntax.Let).Pat.(*syntax.BindPat).Name.Name = l.Name
	hidden := block(nil, let, assign(d.read(l), syntax.NoOp, next))
	at := d.n(len(*s.stmts) + 1)
	d.edit(s, at, at, stmt(hidden))
	return true
}
