package variant

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/fuzz/gen"
)

// mutations are the ways to make a program that may behave otherwise and is well-typed as a rule. What loops and recursions
// end by is left alone, see guards.
var mutations = []rule{
	{"literal-edge", 0, rewriteValue(mutateLiteral)},
	{"operator", 0, rewriteValue(mutateOperator)},
	{"operands-swapped", 0, rewriteValue(swapOperands)},
	{"arguments-swapped", 0, swapArguments},
	{"value-constant", 0, rewriteValue(mutateValue)},
	{"statement-doubled", 0, doubleStatement},
	{"statement-deleted", 0, deleteStatement},
	{"statements-exchanged", 0, exchangeStatements},
	{"type-widened", 0, widenType},
}

// maxMutations is how many mutations a program gets at most.
const maxMutations = 6

// Mutate changes a program. The result ends as a rule, is seldom rejected, and may behave in any way; nil if nothing that
// was drawn found a place.
func Mutate(src gen.Source, o *Original) *Result {
	d := newDraft(src, o)
	defer d.leave()
	d.guard()
	r := &Result{}
	for range 1 + d.n(maxMutations) {
		d.src.Segment()
		if m := &mutations[d.n(len(mutations))]; m.apply(d) {
			r.Rules = append(r.Rules, m.name)
		}
	}
	if len(r.Rules) == 0 {
		return nil
	}
	r.Text = d.print()
	return r
}

// guards is what a program's end depends on.
type guards struct {
	names     []string      // of variables in the conditions of loops, of ways out, and of recursion
	recursive []*types.Func // functions that may call themselves
}

// guard finds the draft's guards. Scanning then marks as fixed what has to do with them.
func (d *draft) guard() {
	g := &guards{recursive: recursive(d.o.Checked)}
	d.guards = g
	condition := func(x syntax.Node) {
		syntax.Inspect(x, func(n syntax.Node) bool {
			if p, ok := n.(*syntax.PathExpr); ok {
				note(&g.names, nameOf(p))
			}
			return true
		})
	}
	visit := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.While:
			condition(n.Cond)
		case *syntax.If:
			if d.decides(n) {
				condition(n.Cond)
			}
		case *syntax.Match:
			if d.decides(n) {
				condition(n.X)
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

// decides reports whether a way out of a loop or a function, or a recursive call, stands in x.
func (d *draft) decides(x syntax.Expr) bool {
	found := false
	syntax.Inspect(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Break, *syntax.Continue, *syntax.Return:
			found = true
		case *syntax.Call:
			found = found || d.recurses(n)
		}
		return !found
	})
	return found
}

// recurses reports whether a call may lead back to the function it calls. Of a function value nothing is known.
func (d *draft) recurses(c *syntax.Call) bool {
	known, ok := d.node(c).(*types.Call)
	return ok && d.guards != nil && contains(d.guards.recursive, known.Func)
}

// recursive returns the functions from which calls lead back to them.
func recursive(p *types.Program) []*types.Func {
	calls := make([][]types.FuncID, len(p.Funcs))
	for _, f := range p.Funcs {
		w := treeWalk{pattern: func(types.Pattern) {}, expr: func(e types.Expr) {
			switch e := e.(type) {
			case *types.Call:
				calls[f.ID] = append(calls[f.ID], e.Func.ID)
			case *types.FuncRef:
				calls[f.ID] = append(calls[f.ID], e.Func.ID)
			}
		}}
		w.walk(f.Body)
	}
	var out []*types.Func
	for _, f := range p.Funcs {
		seen := make([]bool, len(p.Funcs))
		todo := append([]types.FuncID(nil), calls[f.ID]...)
		for len(todo) > 0 && !seen[f.ID] {
			id := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !seen[id] {
				seen[id] = true
				todo = append(todo, calls[id]...)
			}
		}
		if seen[f.ID] {
			out = append(out, f)
		}
	}
	return out
}

// touches reports whether a statement sets a variable that the program's end depends on.
func (g *guards) touches(s syntax.Stmt) bool {
	found := false
	syntax.Inspect(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			p := root(n.Place)
			found = found || p != nil && contains(g.names, nameOf(p))
		case *syntax.BindPat:
			found = found || contains(g.names, n.Name.Name)
		case *syntax.TypePat:
			found = found || contains(g.names, n.Name.Name)
		}
		return !found
	})
	return found
}

// sets is touches for the statement itself, without those inside of it.
func (g *guards) sets(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.Let:
		return g.touches(&syntax.Let{Pat: s.Pat, Init: &syntax.TupleLit{}})
	case *syntax.ExprStmt:
		if a, ok := s.X.(*syntax.Assign); ok {
			p := root(a.Place)
			return p != nil && contains(g.names, nameOf(p))
		}
	}
	return false
}

// rewriteValue makes the mutation that puts another expression of the same type in the place of one.
func rewriteValue(form func(*draft, *exprSite) syntax.Expr) func(*draft) bool {
	return func(d *draft) bool {
		var x syntax.Expr
		s := d.someExpr(func(s *exprSite) bool {
			if s.fixed || !movable(s) {
				return false
			}
			x = form(d, s)
			return x != nil
		})
		if s == nil {
			return false
		}
		*s.slot = x
		return true
	}
}

func mutateLiteral(d *draft, s *exprSite) syntax.Expr {
	if _, ok := d.node(*s.slot).(*types.Const); !ok || s.typ.Kind == types.Unit {
		return nil
	}
	return d.constant(s.typ)
}

func mutateValue(d *draft, s *exprSite) syntax.Expr {
	if d.n(4) != 3 || d.decides(*s.slot) || d.diverges(*s.slot) {
		return nil
	}
	return d.constant(s.typ)
}

// exchangeable are the groups of operators that stand for each other.
var exchangeable = [][]syntax.BinaryOp{
	{syntax.Add, syntax.Sub, syntax.Mul, syntax.Div, syntax.Rem},
	{syntax.BitAnd, syntax.BitOr, syntax.BitXor},
	{syntax.Shl, syntax.Shr},
	{syntax.Eq, syntax.Ne},
	{syntax.Lt, syntax.Le, syntax.Gt, syntax.Ge, syntax.Eq, syntax.Ne},
	{syntax.And, syntax.Or},
}

func mutateOperator(d *draft, s *exprSite) syntax.Expr {
	b, ok := (*s.slot).(*syntax.Binary)
	if !ok {
		return nil
	}
	groups := exchangeable
	if s.typ.Kind.IsInt() && d.n(3) == 2 && b.Op != syntax.Shl && b.Op != syntax.Shr {
		groups = [][]syntax.BinaryOp{{b.Op, syntax.Add, syntax.BitXor, syntax.Mul, syntax.BitAnd, syntax.Sub, syntax.BitOr, syntax.Div}}
	}
	for _, group := range groups {
		if contains(group, b.Op) {
			op := group[d.n(len(group))]
			if op == b.Op {
				return nil
			}
			return &syntax.Binary{Loc: b.Loc, Op: op, X: b.X, Y: b.Y}
		}
	}
	return nil
}

func swapOperands(d *draft, s *exprSite) syntax.Expr {
	b, ok := (*s.slot).(*syntax.Binary)
	if !ok || d.typeOf(b.X) == nil || d.typeOf(b.X) != d.typeOf(b.Y) {
		return nil
	}
	return &syntax.Binary{Loc: b.Loc, Op: b.Op, X: b.Y, Y: b.X}
}

// swapArguments exchanges two arguments of a call that have one type.
func swapArguments(d *draft) bool {
	s := d.someExpr(func(s *exprSite) bool {
		c, ok := (*s.slot).(*syntax.Call)
		if !ok || len(c.Args) < 2 || s.fixed || d.recurses(c) {
			return false
		}
		i, j := d.n(len(c.Args)), d.n(len(c.Args))
		if i == j || d.typeOf(c.Args[i]) == nil || d.typeOf(c.Args[i]) != d.typeOf(c.Args[j]) {
			return false
		}
		c.Args[i], c.Args[j] = c.Args[j], c.Args[i]
		return true
	})
	return s != nil
}

// someStatement draws a statement that the program's end does not depend on.
func (d *draft) someStatement(want func(*listSite, syntax.Stmt) bool) (*listSite, int) {
	at := 0
	s := d.someList(func(s *listSite) bool {
		if len(*s.stmts) == 0 {
			return false
		}
		at = d.n(len(*s.stmts))
		st := (*s.stmts)[at]
		return !d.guards.touches(st) && !d.stmtDiverges(st) && exitsOf(st).none() && want(s, st)
	})
	return s, at
}

// doubleStatement runs a statement twice.
func doubleStatement(d *draft) bool {
	s, at := d.someStatement(func(s *listSite, st syntax.Stmt) bool {
		_, let := st.(*syntax.Let)
		return !(let && s.block == nil) && nodes(st) < 200
	})
	if s == nil {
		return false
	}
	d.edit(s, at, at, syntax.CloneStmt((*s.stmts)[at]))
	return true
}

// deleteStatement removes a statement that declares nothing.
func deleteStatement(d *draft) bool {
	s, at := d.someStatement(func(_ *listSite, st syntax.Stmt) bool {
		_, let := st.(*syntax.Let)
		return !let
	})
	if s == nil {
		return false
	}
	d.edit(s, at, at+1)
	return true
}

// exchangeStatements exchanges two neighbours of which neither declares anything.
func exchangeStatements(d *draft) bool {
	s, at := d.someStatement(func(_ *listSite, st syntax.Stmt) bool {
		_, let := st.(*syntax.Let)
		return !let
	})
	if s == nil || at+1 >= len(*s.stmts) {
		return false
	}
	next := (*s.stmts)[at+1]
	if _, let := next.(*syntax.Let); let || d.guards.touches(next) || d.stmtDiverges(next) || !exitsOf(next).none() {
		return false
	}
	d.edit(s, at, at+2, next, (*s.stmts)[at])
	return true
}

// wider are integer types and those that hold all their values and are signed alike.
var wider = map[string][]string{"i8": {"i16", "i32", "i64"}, "i16": {"i32", "i64"}, "i32": {"i64"},
	"u8": {"u16", "u32", "u64"}, "u16": {"u32", "u64"}, "u32": {"u64"}, "f32": {"f64"}}

// widenType makes one number type another one, everywhere it is written.
func widenType(d *draft) bool {
	from := [...]string{"i8", "i16", "i32", "u16", "u32", "f32", "u8"}[d.n(7)]
	to := wider[from][d.n(len(wider[from]))]
	changed := false
	visit := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.IntLit:
			if n.Suffix == from {
				n.Suffix, changed = to, true
			}
		case *syntax.FloatLit:
			if n.Suffix == from {
				n.Suffix, changed = to, true
			}
		case *syntax.NamedType:
			if s := n.Path.Segments; len(s) == 1 && s[0].Name == from {
				s[0].Name, changed = to, true
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
	return changed
}
