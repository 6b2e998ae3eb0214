package variant

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// exprSite is a place where an expression stands.
type exprSite struct {
	slot  *syntax.Expr
	typ   *types.Type
	stmt  *syntax.ExprStmt // whose expression it is; nil if its value is wanted
	dead  bool
	depth int
	// fixed is set where the number of executions depends on the value: conditions and ends of loops. Mutations keep off.
	fixed bool
}

// listSite is a list of statements.
type listSite struct {
	stmts *[]syntax.Stmt
	block *syntax.Block // nil for the top-level statements
	fn    *function
	dead  bool // the block as a whole
	depth int
	scope *scope // at the start of the list
}

// scope is a variable of a function, and those outside of it.
type scope struct {
	local *types.Local
	outer *scope
}

// scan finds the places, once.
func (d *draft) scan() {
	if d.scanned {
		return
	}
	d.scanned = true
	m := memories.Get().(*memory)
	d.exprs, d.lists = m.exprs[:0], m.lists[:0]
	m.exprs, m.lists = nil, nil
	memories.Put(m)
	s := &scanner{d: d}
	for _, f := range d.funcs {
		s.fn = f
		s.scope = nil
		if f.info != nil {
			for _, p := range f.info.Params {
				s.scope = &scope{p, s.scope}
			}
		}
		s.block(f.decl.Body)
	}
	if len(d.main) > 0 {
		s.fn, s.scope = &function{info: d.o.Checked.Main}, nil
		d.lists = append(d.lists, listSite{stmts: &d.main, fn: s.fn})
		for _, st := range d.main {
			s.stmt(st)
		}
	}
}

type scanner struct {
	d     *draft
	fn    *function
	depth int
	fixed bool
	scope *scope
}

func (s *scanner) block(b *syntax.Block) {
	if b == nil {
		return
	}
	outer := s.scope
	s.depth++
	s.d.lists = append(s.d.lists, listSite{stmts: &b.Stmts, block: b, fn: s.fn, dead: s.d.dead(b), depth: s.depth, scope: s.scope})
	for _, st := range b.Stmts {
		s.stmt(st)
	}
	if b.Tail != nil {
		s.slot(&b.Tail)
	}
	s.depth--
	s.scope = outer
}

func (s *scanner) stmt(st syntax.Stmt) {
	if g := s.d.guards; g != nil && g.sets(st) {
		old := s.fixed
		defer func() { s.fixed = old }()
		s.fixed = true
	}
	switch st := st.(type) {
	case *syntax.Let:
		s.slot(&st.Init)
		s.declare(st.Pat)
	case *syntax.ExprStmt:
		s.place(&st.X, st)
	}
}

func (s *scanner) declare(p syntax.Pattern) {
	syntax.Inspect(p, func(n syntax.Node) bool {
		if q, ok := n.(syntax.Pattern); ok {
			if l := s.d.bound(q); l != nil {
				s.scope = &scope{l, s.scope}
			}
		}
		return true
	})
}

// slot notes a place whose value is wanted, and goes on inside.
func (s *scanner) slot(slot *syntax.Expr) { s.place(slot, nil) }

func (s *scanner) place(slot *syntax.Expr, st *syntax.ExprStmt) {
	x := *slot
	if x == nil {
		return
	}
	if t := s.d.typeOf(x); t != nil {
		s.d.exprs = append(s.d.exprs, exprSite{slot, t, st, s.d.dead(x), s.depth, s.fixed})
	}
	s.depth++
	s.inside(x)
	s.depth--
}

func (s *scanner) slots(list []syntax.Expr) {
	for i := range list {
		s.slot(&list[i])
	}
}

func (s *scanner) inside(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.TupleLit:
		s.slots(x.Elems)
	case *syntax.Unary:
		s.slot(&x.X)
	case *syntax.Binary:
		s.slot(&x.X)
		s.slot(&x.Y)
	case *syntax.Range:
		s.slot(&x.Lo)
		s.slot(&x.Hi)
	case *syntax.Cast:
		s.slot(&x.X)
	case *syntax.Assign: // the place is no value
		s.slot(&x.Value)
	case *syntax.Call:
		old := s.fixed
		s.fixed = old || s.d.recurses(x)
		s.slot(&x.Callee)
		s.slots(x.Args)
		s.fixed = old
	case *syntax.TupleField:
		s.slot(&x.X)
	case *syntax.Index:
		s.slot(&x.X)
		if r, ok := x.I.(*syntax.Range); ok {
			s.inside(r)
		} else {
			s.slot(&x.I)
		}
	case *syntax.Print:
		s.slots(x.Args)
	case *syntax.Panic:
		s.slot(&x.Arg)
	case *syntax.Assert:
		s.slot(&x.Arg)
	case *syntax.Break:
		s.slot(&x.Value)
	case *syntax.Return:
		s.slot(&x.Value)
	default:
		s.control(x)
	}
}

func (s *scanner) control(x syntax.Expr) {
	outer := s.scope
	switch x := x.(type) {
	case *syntax.Block:
		s.block(x)
	case *syntax.If:
		s.fix(&x.Cond, s.d.guards != nil && s.d.decides(x))
		s.block(x.Then)
		s.branch(&x.Else)
	case *syntax.IfLet:
		s.slot(&x.X)
		s.declare(x.Pat)
		s.block(x.Then)
		s.scope = outer
		s.branch(&x.Else)
	case *syntax.Match:
		s.fix(&x.X, s.d.guards != nil && s.d.decides(x))
		for i := range x.Arms {
			s.declare(x.Arms[i].Pat)
			s.slot(&x.Arms[i].Guard)
			s.slot(&x.Arms[i].Body)
			s.scope = outer
		}
	case *syntax.Loop:
		s.block(x.Body)
	case *syntax.While:
		s.fix(&x.Cond, true)
		s.block(x.Body)
	case *syntax.For:
		s.fix(&x.Iter, true)
		s.declare(x.Pat)
		s.block(x.Body)
	}
	s.scope = outer
}

// branch goes through an `else`, which has to stay a block or another `if`.
func (s *scanner) branch(slot *syntax.Expr) {
	switch x := (*slot).(type) {
	case nil:
	case *syntax.Block:
		s.block(x)
	default:
		s.depth++
		s.inside(x)
		s.depth--
	}
}

func (s *scanner) fix(slot *syntax.Expr, fixed bool) {
	old := s.fixed
	s.fixed = old || fixed
	s.slot(slot)
	s.fixed = old
}

// someExpr draws a place that want takes; nil if none is near the one drawn first.
func (d *draft) someExpr(want func(*exprSite) bool) *exprSite {
	d.scan()
	n := len(d.exprs)
	if n == 0 {
		return nil
	}
	at := d.n(n)
	for range min(n, 256) {
		if s := &d.exprs[at]; s.depth < maxDepth && want(s) {
			return s
		}
		if at++; at == n {
			at = 0
		}
	}
	return nil
}

// someList draws a list of statements that want takes.
func (d *draft) someList(want func(*listSite) bool) *listSite {
	d.scan()
	n := len(d.lists)
	if n == 0 {
		return nil
	}
	at := d.n(n)
	for range min(n, 64) {
		if s := &d.lists[at]; s.depth < maxDepth && want(s) {
			return s
		}
		if at++; at == n {
			at = 0
		}
	}
	return nil
}
