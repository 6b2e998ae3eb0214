package gen

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// slab makes nodes of one type, many to an allocation.
type slab[T any] struct {
	free []T
	size int
}

func (s *slab[T]) new() *T {
	if len(s.free) == 0 {
		s.size = min(max(2*s.size, 16), 256)
		s.free = make([]T, s.size)
	}
	v := &s.free[0]
	s.free = s.free[1:]
	return v
}

// builder makes tree nodes and counts them. The frequent kinds come from slabs.
type builder struct {
	nodes     int
	ints      slab[syntax.IntLit]
	paths     slab[namedPath]
	binaries  slab[syntax.Binary]
	unaries   slab[syntax.Unary]
	casts     slab[syntax.Cast]
	calls     slab[syntax.Call]
	assigns   slab[syntax.Assign]
	blocks    slab[syntax.Block]
	ifs       slab[syntax.If]
	lets      slab[syntax.Let]
	binds     slab[syntax.BindPat]
	typeNames slab[namedType]
	stmts     slab[syntax.ExprStmt]
	args      []syntax.Expr // what is left of a block of argument slots
}

// namedPath is a PathExpr of one segment together with the segment.
type namedPath struct {
	node syntax.PathExpr
	seg  [1]syntax.Segment
}

// namedType is a NamedType of one segment together with the segment.
type namedType struct {
	node syntax.NamedType
	seg  [1]syntax.Segment
}

func (b *builder) path(name string) syntax.Expr {
	b.nodes++
	p := b.paths.new()
	p.seg[0].Name = name
	p.node.Path.Segments = p.seg[:]
	return &p.node
}

func (b *builder) typeName(name string) *syntax.NamedType {
	p := b.typeNames.new()
	p.seg[0].Name = name
	p.node.Path.Segments = p.seg[:]
	return &p.node
}

func (b *builder) binary(op syntax.BinaryOp, x, y syntax.Expr) syntax.Expr {
	b.nodes++
	n := b.binaries.new()
	n.Op, n.X, n.Y = op, x, y
	return n
}

func (b *builder) unary(op syntax.UnaryOp, x syntax.Expr) syntax.Expr {
	b.nodes++
	n := b.unaries.new()
	n.Op, n.X = op, x
	return n
}

func (b *builder) cast(x syntax.Expr, k types.Kind) syntax.Expr {
	b.nodes++
	n := b.casts.new()
	n.X, n.Type = x, b.typeName(types.Prim(k).Name)
	return n
}

// list returns its arguments as a slice of exactly that length.
func (b *builder) list(xs ...syntax.Expr) []syntax.Expr {
	if len(b.args) < len(xs) {
		b.args = make([]syntax.Expr, 128+len(xs))
	}
	out := b.args[:len(xs):len(xs)]
	b.args = b.args[len(xs):]
	copy(out, xs)
	return out
}

func (b *builder) call(name string, args ...syntax.Expr) syntax.Expr {
	return b.callValue(b.path(name), args...)
}

func (b *builder) callValue(callee syntax.Expr, args ...syntax.Expr) syntax.Expr {
	b.nodes++
	n := b.calls.new()
	n.Callee, n.Args = callee, b.list(args...)
	return n
}

// assign makes `place op= value`, or `place = value` for NoOp.
func (b *builder) assign(place syntax.Expr, op syntax.BinaryOp, value syntax.Expr) syntax.Expr {
	b.nodes++
	n := b.assigns.new()
	n.Place, n.Op, n.Value = place, op, value
	return n
}

func (b *builder) block(tail syntax.Expr, stmts ...syntax.Stmt) *syntax.Block {
	b.nodes++
	n := b.blocks.new()
	n.Tail = tail
	if len(stmts) > 0 {
		n.Stmts = append(make([]syntax.Stmt, 0, len(stmts)), stmts...)
	}
	return n
}

func (b *builder) ifElse(cond syntax.Expr, then *syntax.Block, alt syntax.Expr) *syntax.If {
	b.nodes++
	n := b.ifs.new()
	n.Cond, n.Then, n.Else = cond, then, alt
	return n
}

func (b *builder) tupleField(x syntax.Expr, i int) syntax.Expr {
	b.nodes++
	return &syntax.TupleField{X: x, Index: i}
}

func (b *builder) tuple(elems []syntax.Expr) syntax.Expr {
	b.nodes++
	return &syntax.TupleLit{Elems: elems}
}

func (b *builder) str(s string) syntax.Expr {
	b.nodes++
	return &syntax.StrLit{Value: s}
}

func (b *builder) boolean(v bool) syntax.Expr {
	b.nodes++
	return &syntax.BoolLit{Value: v}
}

// integer makes an unsigned literal in base 10.
func (b *builder) integer(v uint64, suffix string) syntax.Expr {
	b.nodes++
	n := b.ints.new()
	n.Value, n.Base, n.Suffix = v, 10, suffix
	return n
}

func (b *builder) rangeOf(lo, hi syntax.Expr, inclusive bool) syntax.Expr {
	b.nodes++
	return &syntax.Range{Lo: lo, Hi: hi, Inclusive: inclusive}
}

func (b *builder) print(args ...syntax.Expr) syntax.Expr {
	b.nodes++
	return &syntax.Print{Args: b.list(args...)}
}

func (b *builder) assert(cond syntax.Expr) syntax.Expr {
	b.nodes++
	return &syntax.Assert{Arg: cond}
}

func (b *builder) panics(arg syntax.Expr) syntax.Expr {
	b.nodes++
	return &syntax.Panic{Arg: arg}
}

// letPat makes `let pat: t = init;`; t may be nil.
func (b *builder) letPat(pat syntax.Pattern, t syntax.TypeExpr, init syntax.Expr) syntax.Stmt {
	n := b.lets.new()
	n.Pat, n.Type, n.Init = pat, t, init
	return n
}

func (b *builder) let(name string, mut bool, t syntax.TypeExpr, init syntax.Expr) syntax.Stmt {
	return b.letPat(b.bind(name, mut), t, init)
}

func (b *builder) bind(name string, mut bool) syntax.Pattern {
	b.nodes++
	n := b.binds.new()
	n.Name.Name, n.Mut = name, mut
	return n
}

// stmt makes `x;`, or `x` without the semicolon for a block-like expression of type ().
func (b *builder) stmt(x syntax.Expr) syntax.Stmt {
	n := b.stmts.new()
	n.X, n.Semi = x, true
	return n
}

func (b *builder) blockStmt(x syntax.Expr) syntax.Stmt {
	n := b.stmts.new()
	n.X = x
	return n
}

// typeExpr spells a type.
func (b *builder) typeExpr(t *types.Type) syntax.TypeExpr {
	switch t.Kind {
	case types.Unit:
		return &syntax.TupleType{}
	case types.Never:
		return &syntax.NeverType{}
	case types.Tuple:
		return &syntax.TupleType{Elems: b.typeExprs(t.Args)}
	case types.Fn:
		f := &syntax.FnType{Params: b.typeExprs(t.Args)}
		if t.Result.Kind != types.Unit {
			f.Result = b.typeExpr(t.Result)
		}
		return f
	case types.Range, types.RangeInclusive:
		n := b.typeName("Range")
		if t.Kind == types.RangeInclusive {
			n.Path.Segments[0].Name = "RangeInclusive"
		}
		n.Path.Segments[0].Args = b.typeExprs(t.Args)
		return n
	}
	return b.typeName(t.Name)
}

func (b *builder) typeExprs(ts []*types.Type) []syntax.TypeExpr {
	out := make([]syntax.TypeExpr, len(ts))
	for i, t := range ts {
		out[i] = b.typeExpr(t)
	}
	return out
}
