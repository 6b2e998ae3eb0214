package variant

import (
	"strconv"

	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// pathTo makes a name in value position.
func pathTo(name string) *syntax.PathExpr {
	return &syntax.PathExpr{Path: syntax.Path{Segments: []syntax.Segment{{Ident: syntax.Ident{Name: name}}}}}
}

// nameOf returns the name that an expression is, or "".
func nameOf(x syntax.Expr) string {
	if p, ok := x.(*syntax.PathExpr); ok && len(p.Path.Segments) == 1 {
		return p.Path.Segments[0].Name
	}
	return ""
}

func namedType(name string, args ...syntax.TypeExpr) syntax.TypeExpr {
	return &syntax.NamedType{Path: syntax.Path{Segments: []syntax.Segment{{Ident: syntax.Ident{Name: name}, Args: args}}}}
}

// typeExpr spells a type.
func typeExpr(t *types.Type) syntax.TypeExpr {
	all := func(list []*types.Type) []syntax.TypeExpr {
		out := make([]syntax.TypeExpr, len(list))
		for i, a := range list {
			out[i] = typeExpr(a)
		}
		return out
	}
	switch t.Kind {
	case types.Unit:
		return &syntax.TupleType{}
	case types.Never:
		return &syntax.NeverType{}
	case types.Tuple:
		return &syntax.TupleType{Elems: all(t.Args)}
	case types.Fn:
		f := &syntax.FnType{Params: all(t.Args)}
		if t.Result.Kind != types.Unit {
			f.Result = typeExpr(t.Result)
		}
		return f
	case types.Range:
		return namedType("Range", all(t.Args)...)
	case types.RangeInclusive:
		return namedType("RangeInclusive", all(t.Args)...)
	}
	return namedType(t.Name)
}

func block(tail syntax.Expr, stmts ...syntax.Stmt) *syntax.Block {
	b := &syntax.Block{Stmts: stmts, Tail: tail}
	closeLast(b)
	return b
}

// closeLast sees to it that a block's last statement does not read as its final value.
func closeLast(b *syntax.Block) {
	if n := len(b.Stmts); b.Tail == nil && n > 0 {
		if s, ok := b.Stmts[n-1].(*syntax.ExprStmt); ok && !s.Semi {
			b.Stmts[n-1] = &syntax.ExprStmt{Loc: s.Loc, X: s.X, Semi: true}
		}
	}
}

// asBlock returns an expression as a block.
func asBlock(x syntax.Expr) *syntax.Block {
	if b, ok := x.(*syntax.Block); ok {
		return b
	}
	return block(x)
}

// stmt makes a statement with a semicolon, or without one if it ends in a block.
func stmt(x syntax.Expr) syntax.Stmt {
	switch x.(type) {
	case *syntax.Block, *syntax.If, *syntax.IfLet, *syntax.Match, *syntax.Loop, *syntax.While, *syntax.For:
		return &syntax.ExprStmt{X: x}
	}
	return &syntax.ExprStmt{X: x, Semi: true}
}

func binary(op syntax.BinaryOp, x, y syntax.Expr) syntax.Expr {
	return &syntax.Binary{Op: op, X: x, Y: y}
}

func not(x syntax.Expr) syntax.Expr { return &syntax.Unary{Op: syntax.Not, X: x} }

func assign(name syntax.Expr, op syntax.BinaryOp, v syntax.Expr) syntax.Stmt {
	return stmt(&syntax.Assign{Place: name, Op: op, Value: v})
}

func truth(v bool) syntax.Expr { return &syntax.BoolLit{Value: v} }

// integer spells a value of an integer kind, with a suffix. Only under its own minus may the smallest value stand.
func integer(k types.Kind, w uint64, base int) syntax.Expr {
	w = k.Normalise(w)
	lit := &syntax.IntLit{Value: w, Base: base, Suffix: types.Prim(k).Name}
	if k.IsSigned() && int64(w) < 0 {
		lit.Value = -w
		return &syntax.Unary{Op: syntax.Neg, X: lit}
	}
	return lit
}

// floats are texts of float literals that are the same number in both formats.
var floats = []string{"0.0", "1.0", "0.5", "3.0", "16777216.0", "1e10", "0.0625", "1.5e9"}

func float(k types.Kind, text string) syntax.Expr {
	return &syntax.FloatLit{Text: text, Suffix: types.Prim(k).Name}
}

// edge draws a value of an integer kind, often near an end.
func (d *draft) edge(k types.Kind) uint64 {
	lo, hi := k.MinMax()
	switch d.n(8) {
	case 0:
		return 0
	case 1:
		return 1
	case 2:
		return lo
	case 3:
		return hi
	case 4:
		return k.Normalise(lo + 1 + uint64(d.n(3)))
	case 5:
		return k.Normalise(uint64(d.n(64)))
	case 6:
		return k.Normalise(uint64(1) << d.n(k.Bits()))
	}
	return k.Normalise(d.word())
}

// constant makes a constant of type t whose spelling alone says its type; nil if t has none.
func (d *draft) constant(t *types.Type) syntax.Expr {
	switch k := t.Kind; {
	case k.IsInt():
		return integer(k, d.edge(k), 10)
	case k.IsFloat():
		return float(k, floats[d.n(len(floats))])
	case k == types.Bool:
		return truth(d.n(2) == 1)
	case k == types.Str:
		return &syntax.StrLit{Value: [...]string{"", "a", "dead", "\xff\x00", "0123456789"}[d.n(5)]}
	case k == types.Unit:
		return &syntax.TupleLit{}
	case k == types.Range, k == types.RangeInclusive:
		e := t.Args[0].Kind
		return &syntax.Range{Lo: integer(e, d.edge(e), 10), Hi: integer(e, d.edge(e), 10), Inclusive: k == types.RangeInclusive}
	case k == types.Tuple:
		elems := make([]syntax.Expr, len(t.Args))
		for i, a := range t.Args {
			if elems[i] = d.constant(a); elems[i] == nil {
				return nil
			}
		}
		return &syntax.TupleLit{Elems: elems}
	}
	return nil
}

// small reports whether a type is no wide tuple: the checker limits the size of tuple types.
func small(t *types.Type) bool {
	size := 0
	var count func(*types.Type)
	count = func(t *types.Type) {
		if size++; size < 64 && t.Kind == types.Tuple {
			for _, a := range t.Args {
				count(a)
			}
		}
	}
	count(t)
	return size < 64
}

func label(name string) *syntax.Ident {
	if name == "" {
		return nil
	}
	return &syntax.Ident{Name: name}
}

// message makes the text of a panic that must never happen.
func (d *draft) message() syntax.Expr {
	return &syntax.StrLit{Value: "never " + strconv.Itoa(d.n(100))}
}
