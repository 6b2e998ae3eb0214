package types

// slab makes values of one type, many to an allocation: a program has hundreds of small nodes, and they live and die
// together.
type slab[T any] struct {
	free []T
	size int
}

// put returns a copy of v in the slab.
func (s *slab[T]) put(v T) *T {
	if len(s.free) == 0 {
		s.size = min(max(2*s.size, 8), 512)
		s.free = make([]T, s.size)
	}
	p := &s.free[0]
	s.free = s.free[1:]
	*p = v
	return p
}

// nodes has a slab for each kind of node that is frequent.
type nodes struct {
	consts   slab[Const]
	refs     slab[LocalRef]
	globals  slab[GlobalRef]
	binaries slab[Binary]
	blocks   slab[Block]
	stmts    slab[ExprStmt]
	binds    slab[BindPat]
	locals   slab[Local]
}
