package variant

import "rokrig/compiler/types"

// treeWalk calls expr and pattern for every node of a checked tree, parts before the whole.
type treeWalk struct {
	expr    func(types.Expr)
	pattern func(types.Pattern)
}

func (w *treeWalk) all(list []types.Expr) {
	for _, x := range list {
		w.walk(x)
	}
}

func (w *treeWalk) walk(e types.Expr) {
	if e == nil {
		return
	}
	switch e := e.(type) {
	case *types.Unary:
		w.walk(e.X)
	case *types.Binary:
		w.walk(e.X)
		w.walk(e.Y)
	case *types.Logic:
		w.walk(e.X)
		w.walk(e.Y)
	case *types.Cast:
		w.walk(e.X)
	case *types.TupleExpr:
		w.all(e.Elems)
	case *types.TupleField:
		w.walk(e.X)
	case *types.RangeExpr:
		w.walk(e.Lo)
		w.walk(e.Hi)
	case *types.StrIndex:
		w.walk(e.X)
		w.walk(e.I)
	case *types.StrSlice:
		w.walk(e.X)
		w.walk(e.Lo)
		w.walk(e.Hi)
	case *types.Len:
		w.walk(e.X)
	case *types.Assign:
		w.walk(e.Place)
		w.walk(e.Value)
	case *types.Call:
		w.all(e.Args)
	case *types.CallValue:
		w.walk(e.Callee)
		w.all(e.Args)
	case *types.Print:
		w.all(e.Args)
	case *types.Panic:
		w.walk(e.Arg)
	case *types.Assert:
		w.walk(e.Arg)
	default:
		w.control(e)
	}
	w.expr(e)
}

func (w *treeWalk) control(e types.Expr) {
	switch e := e.(type) {
	case *types.Block:
		for _, s := range e.Stmts {
			switch s := s.(type) {
			case *types.LetStmt:
				w.walkPattern(s.Pat)
				w.walk(s.Init)
			case *types.ExprStmt:
				w.walk(s.X)
			}
		}
		w.walk(e.Tail)
	case *types.If:
		w.walk(e.Cond)
		w.walk(e.Then)
		w.walk(e.Else)
	case *types.Match:
		w.walk(e.X)
		for i := range e.Arms {
			w.walkPattern(e.Arms[i].Pat)
			w.walk(e.Arms[i].Guard)
			w.walk(e.Arms[i].Body)
		}
	case *types.Loop:
		w.walk(e.Body)
	case *types.While:
		w.walk(e.Cond)
		w.walk(e.Body)
	case *types.For:
		w.walkPattern(e.Pat)
		w.walk(e.Iter)
		w.walk(e.Body)
	case *types.Break:
		w.walk(e.Value)
	case *types.Return:
		w.walk(e.Value)
	}
}

func (w *treeWalk) walkPattern(p types.Pattern) {
	switch p := p.(type) {
	case *types.TuplePat:
		for _, q := range p.Elems {
			w.walkPattern(q)
		}
	case *types.OrPat:
		for _, q := range p.Alts {
			w.walkPattern(q)
		}
	}
	w.pattern(p)
}
