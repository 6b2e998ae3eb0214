package gen

import (
	"sync"

	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// slab makes values of one type, many to an allocation, and takes them all back at once.
type slab[T any] struct {
	blocks [][]T
	block  int // index of the block in use
	used   int // values of it given out
}

const slabBlock = 128

func (s *slab[T]) new() *T {
	if s.block == len(s.blocks) {
		s.blocks = append(s.blocks, make([]T, slabBlock))
	}
	v := &s.blocks[s.block][s.used]
	if s.used++; s.used == slabBlock {
		s.block, s.used = s.block+1, 0
	}
	return v
}

// list returns a slice of n values.
func (s *slab[T]) list(n int) []T {
	if n > slabBlock {
		return make([]T, n)
	}
	if s.used+n > slabBlock {
		s.block, s.used = s.block+1, 0
	}
	if s.block == len(s.blocks) {
		s.blocks = append(s.blocks, make([]T, slabBlock))
	}
	v := s.blocks[s.block][s.used : s.used+n : s.used+n]
	if s.used += n; s.used == slabBlock {
		s.block, s.used = s.block+1, 0
	}
	return v
}

// reset takes everything back. Whoever holds a value must not use it any more.
func (s *slab[T]) reset() {
	for i := 0; i < s.block; i++ {
		clear(s.blocks[i])
	}
	if s.block < len(s.blocks) {
		clear(s.blocks[s.block][:s.used])
	}
	s.block, s.used = 0, 0
}

// builder makes tree nodes and counts them. The frequent kinds come from slabs, which one program after another uses:
// a tree lives on only if Options.KeepTree says so.
type builder struct {
	nodes     int
	printed   int // lines that the nodes made so far take when they are printed, about
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
	tops      slab[syntax.TopStmt]
	strs      slab[syntax.StrLit]
	floats    slab[syntax.FloatLit]
	fields    slab[syntax.TupleField]
	vars      slab[variable]
	exprs     slab[syntax.Expr]
	stmtLists slab[syntax.Stmt]
	patterns  slab[syntax.Pattern]
	text      []byte // the printed program
}

var builders = sync.Pool{New: func() any { return &builder{} }}

// reset takes all nodes back.
func (b *builder) reset() {
	b.nodes, b.printed = 0, 0
	b.ints.reset()
	b.paths.reset()
	b.binaries.reset()
	b.unaries.reset()
	b.casts.reset()
	b.calls.reset()
	b.assigns.reset()
	b.blocks.reset()
	b.ifs.reset()
	b.lets.reset()
	b.binds.reset()
	b.typeNames.reset()
	b.stmts.reset()
	b.tops.reset()
	b.strs.reset()
	b.floats.reset()
	b.fields.reset()
	b.vars.reset()
	b.exprs.reset()
	b.stmtLists.reset()
	b.patterns.reset()
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
	out := b.exprs.list(len(xs))
	copy(out, xs)
	return out
}

// stmtList returns an empty list of statements with room for a few.
func (b *builder) stmtList() []syntax.Stmt { return b.stmtLists.list(6)[:0] }

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
	b.printed++ // the brace that ends it; what stands before the other one counts for itself
	if tail != nil {
		b.printed++
	}
	n := b.blocks.new()
	n.Tail = tail
	if len(stmts) > 0 {
		n.Stmts = b.stmtLists.list(len(stmts))
		copy(n.Stmts, stmts)
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
	n := b.fields.new()
	n.X, n.Index = x, i
	return n
}

func (b *builder) tuple(elems []syntax.Expr) syntax.Expr {
	b.nodes++
	return &syntax.TupleLit{Elems: elems}
}

func (b *builder) str(s string) syntax.Expr {
	b.nodes++
	n := b.strs.new()
	n.Value = s
	return n
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
	b.printed++
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
	b.printed++
	n := b.stmts.new()
	n.X, n.Semi = x, true
	return n
}

func (b *builder) blockStmt(x syntax.Expr) syntax.Stmt {
	b.printed++
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
