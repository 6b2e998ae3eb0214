package syntax

// slab makes values of one type, many to an allocation: a program has hundreds of small nodes, and they live and die
// together.
type slab[T any] struct {
	free []T
	size int
}

func (s *slab[T]) fill() {
	if len(s.free) == 0 {
		s.size = min(max(2*s.size, 8), 512)
		s.free = make([]T, s.size)
	}
}

func (s *slab[T]) new() *T {
	s.fill()
	v := &s.free[0]
	s.free = s.free[1:]
	return v
}

// one returns a slice of the one element v, with no room for more.
func (s *slab[T]) one(v T) []T {
	s.fill()
	list := s.free[:1:1]
	s.free = s.free[1:]
	list[0] = v
	return list
}

// nodes has a slab for each kind of node that is frequent.
type nodes struct {
	ints     slab[IntLit]
	paths    slab[PathExpr]
	binaries slab[Binary]
	unaries  slab[Unary]
	calls    slab[Call]
	assigns  slab[Assign]
	blocks   slab[Block]
	ifs      slab[If]
	lets     slab[Let]
	binds    slab[BindPat]
	named    slab[NamedType]
	stmts    slab[ExprStmt]
	segments slab[Segment]
}

// lists holds the elements of the lists being parsed, as stacks, so that each finished list is one allocation of the
// right size.
type lists struct {
	exprs    []Expr
	stmts    []Stmt
	patterns []Pattern
	types    []TypeExpr
	segments []Segment
	arms     []Arm
}

// cut takes the elements from mark on off the stack and returns them in a slice of their own; nil for none.
func cut[T any](stack *[]T, mark int) []T {
	rest := (*stack)[mark:]
	if len(rest) == 0 {
		return nil
	}
	out := make([]T, len(rest))
	copy(out, rest)
	clear(rest) // so that the stack does not keep them alive
	*stack = (*stack)[:mark]
	return out
}
