package variant

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// exits are the ways by which statements may leave what surrounds them.
type exits struct {
	returns bool
	plain   bool // break or continue without a label, of a loop outside
	labels  bool // of a labelled loop outside
}

func (e exits) none() bool { return e == exits{} }

// exitsOf finds the ways out of a list of nodes.
func exitsOf[T syntax.Node](list ...T) exits {
	var e exits
	for _, n := range list {
		e.scan(n, 0, nil)
	}
	return e
}

func (e *exits) scan(n syntax.Node, loops int, labels []string) {
	jump := func(l *syntax.Ident) {
		switch {
		case l == nil:
			e.plain = e.plain || loops == 0
		default:
			inside := false
			for _, name := range labels {
				inside = inside || name == l.Name
			}
			e.labels = e.labels || !inside
		}
	}
	loop := func(l *syntax.Ident, parts ...syntax.Node) {
		inner := labels
		if l != nil {
			inner = append(labels[:len(labels):len(labels)], l.Name)
		}
		for _, p := range parts {
			e.scan(p, loops+1, inner)
		}
	}
	syntax.Inspect(n, func(m syntax.Node) bool {
		switch m := m.(type) {
		case *syntax.Return:
			e.returns = true
		case *syntax.Break:
			jump(m.Label)
		case *syntax.Continue:
			jump(m.Label)
		case *syntax.Loop:
			loop(m.Label, m.Body)
			return false
		case *syntax.While:
			loop(m.Label, m.Cond, m.Body)
			return false
		case *syntax.For:
			e.scan(m.Iter, loops, labels)
			loop(m.Label, m.Body)
			return false
		}
		return true
	})
}

// diverges reports whether the checker takes an expression as one that never ends normally.
func (d *draft) diverges(x syntax.Expr) bool {
	if x == nil {
		return false
	}
	if t := d.typeOf(x); t != nil && t.Kind == types.Never {
		return true
	}
	switch x := x.(type) {
	case *syntax.Return, *syntax.Break, *syntax.Continue, *syntax.Panic:
		return true
	case *syntax.Block:
		return d.anyDiverges(x.Stmts) || d.diverges(x.Tail)
	case *syntax.If:
		return d.diverges(x.Cond) || x.Else != nil && d.diverges(x.Then) && d.diverges(x.Else)
	case *syntax.IfLet:
		return d.diverges(x.X) || x.Else != nil && d.diverges(x.Then) && d.diverges(x.Else)
	case *syntax.Match:
		all := true
		for i := range x.Arms {
			all = all && d.diverges(x.Arms[i].Body)
		}
		return d.diverges(x.X) || all
	case *syntax.Loop:
		return false // its type says it all; new loops end
	case *syntax.While:
		return d.diverges(x.Cond)
	case *syntax.For:
		return d.diverges(x.Iter)
	case *syntax.Binary:
		return d.diverges(x.X) || x.Op != syntax.And && x.Op != syntax.Or && d.diverges(x.Y)
	}
	found := false
	operands(x, func(p syntax.Expr) { found = found || d.diverges(p) })
	return found
}

func (d *draft) anyDiverges(list []syntax.Stmt) bool {
	for _, s := range list {
		if d.stmtDiverges(s) {
			return true
		}
	}
	return false
}

func (d *draft) stmtDiverges(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.Let:
		return d.diverges(s.Init)
	case *syntax.ExprStmt:
		return d.diverges(s.X)
	}
	return false
}

// operands calls visit for the expressions directly inside x.
func operands(x syntax.Expr, visit func(syntax.Expr)) {
	syntax.Inspect(x, func(n syntax.Node) bool {
		if n == syntax.Node(x) {
			return true
		}
		if e, ok := n.(syntax.Expr); ok {
			visit(e)
		}
		return false
	})
}

// usage is what a piece of a program does with variables.
type usage struct {
	reads    []*types.Local // locals it names, in the order of the text, each once
	assigned []*types.Local // of these, those that it assigns to or to a part of
	declared []*types.Local
}

func contains[T comparable](list []T, v T) bool {
	for _, w := range list {
		if w == v {
			return true
		}
	}
	return false
}

func note[T comparable](list *[]T, v T) {
	if !contains(*list, v) {
		*list = append(*list, v)
	}
}

// root returns the variable that a place is, or is a part of.
func root(place syntax.Expr) *syntax.PathExpr {
	for {
		switch p := place.(type) {
		case *syntax.PathExpr:
			return p
		case *syntax.TupleField:
			place = p.X
		case *syntax.Unary:
			place = p.X
		default:
			return nil
		}
	}
}

func usageOf[T syntax.Node](d *draft, list ...T) usage {
	var u usage
	for _, n := range list {
		syntax.Inspect(n, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.PathExpr:
				if l := d.local(n); l != nil {
					note(&u.reads, l)
				}
			case *syntax.Assign:
				if p := root(n.Place); p != nil {
					if l := d.local(p); l != nil {
						note(&u.assigned, l)
					}
				}
			case syntax.Pattern:
				if l := d.bound(n); l != nil {
					note(&u.declared, l)
				}
			}
			return true
		})
	}
	return u
}

// captured returns the variables that a piece of a program takes from outside.
func (u *usage) captured() []*types.Local {
	var out []*types.Local
	for _, l := range u.reads {
		if !contains(u.declared, l) {
			out = append(out, l)
		}
	}
	return out
}

// lets returns the variables that the `let`s of a list declare.
func (d *draft) lets(list []syntax.Stmt) []*types.Local {
	var out []*types.Local
	for _, s := range list {
		if let, ok := s.(*syntax.Let); ok {
			syntax.Inspect(let.Pat, func(n syntax.Node) bool {
				if p, ok := n.(syntax.Pattern); ok {
					if l := d.bound(p); l != nil {
						out = append(out, l)
					}
				}
				return true
			})
		}
	}
	return out
}

// separable reports whether statements i..j-1 of a list may go into a block of their own: what they declare is not used
// behind them, and the checker does not take them as never ending.
func (d *draft) separable(s *listSite, i, j int) bool {
	list := *s.stmts
	part := list[i:j]
	if d.anyDiverges(part) {
		return false
	}
	if s.block == nil { // a `let` there is a global, which functions may name
		for _, st := range part {
			if _, ok := st.(*syntax.Let); ok {
				return false
			}
		}
		return true
	}
	declared := d.lets(part)
	if len(declared) == 0 {
		return true
	}
	used := false
	look := func(n syntax.Node) bool {
		if p, ok := n.(*syntax.PathExpr); ok {
			if l := d.local(p); l != nil && contains(declared, l) {
				used = true
			}
		}
		return !used
	}
	for _, st := range list[j:] {
		syntax.Inspect(st, look)
	}
	if s.block.Tail != nil {
		syntax.Inspect(s.block.Tail, look)
	}
	return !used
}

// someStatements draws statements that may go into a block of their own: a list, and from where to where.
func (d *draft) someStatements(want func(list *listSite, part []syntax.Stmt) bool) (s *listSite, from, to int) {
	s = d.someList(func(s *listSite) bool {
		n := len(*s.stmts)
		if n == 0 {
			return false
		}
		from = d.n(n)
		to = from + 1 + d.n(min(n-from, 6))
		return d.separable(s, from, to) && want(s, (*s.stmts)[from:to])
	})
	return s, from, to
}

// replace puts other statements in the place of i..j-1.
func replace(list *[]syntax.Stmt, i, j int, with ...syntax.Stmt) {
	old := *list
	out := make([]syntax.Stmt, 0, len(old)+len(with))
	out = append(append(out, old[:i]...), with...)
	*list = append(out, old[j:]...)
}

// strong reports whether an expression has its type whatever the place asks for.
func (d *draft) strong(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.IntLit:
		return x.Suffix != ""
	case *syntax.FloatLit:
		return x.Suffix != ""
	case *syntax.StrLit, *syntax.BoolLit, *syntax.PathExpr, *syntax.Call, *syntax.Cast, *syntax.Index:
		return true
	case *syntax.TupleField:
		return true // the tuple is asked for nothing
	case *syntax.Unary:
		return d.strong(x.X)
	case *syntax.Binary:
		switch {
		case x.Op.IsCompare() || x.Op == syntax.And || x.Op == syntax.Or:
			return true
		case x.Op == syntax.Shl || x.Op == syntax.Shr:
			return d.strong(x.X)
		}
		return d.strong(x.X) || d.strong(x.Y)
	case *syntax.TupleLit:
		for _, e := range x.Elems {
			if !d.strong(e) {
				return false
			}
		}
		return true
	case *syntax.Block:
		return x.Tail == nil || d.strong(x.Tail)
	}
	return false
}

// shiftItems moves the items that stand behind top-level statement i by n statements.
func (d *draft) shiftItems(i, n int) {
	for k := range d.items {
		if d.items[k].at > i {
			d.items[k].at += n
		}
	}
}

// edit is replace for a list of statements of the draft; items between top-level statements keep their neighbours.
func (d *draft) edit(s *listSite, i, j int, with ...syntax.Stmt) {
	if s.block == nil {
		d.shiftItems(i, len(with)-(j-i))
		for k := range d.items {
			d.items[k].at = min(max(d.items[k].at, 0), len(d.main)+len(with)-(j-i))
		}
	}
	replace(s.stmts, i, j, with...)
	if s.block != nil {
		closeLast(s.block)
	}
}
