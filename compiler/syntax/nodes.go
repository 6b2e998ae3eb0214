package syntax

import "rokrig/internal/slab"

// Memory is where trees are made. A program that parses many files one after another gives all of them one Memory and
// resets it in between, when no tree is looked at any more. The zero Memory is ready for use.
type Memory struct {
	nodes nodes
	lists lists
}

// Reset takes back all trees made in m: none of their nodes may be touched after that.
func (m *Memory) Reset() {
	m.nodes.reset()
	m.lists.reset()
}

// nodes has a slab for each kind of node that is frequent.
type nodes struct {
	ints     slab.Slab[IntLit]
	paths    slab.Slab[PathExpr]
	binaries slab.Slab[Binary]
	unaries  slab.Slab[Unary]
	casts    slab.Slab[Cast]
	calls    slab.Slab[Call]
	assigns  slab.Slab[Assign]
	blocks   slab.Slab[Block]
	ifs      slab.Slab[If]
	lets     slab.Slab[Let]
	binds    slab.Slab[BindPat]
	named    slab.Slab[NamedType]
	stmts    slab.Slab[ExprStmt]
	segments slab.Slab[Segment]
}

func (n *nodes) reset() {
	n.ints.Reset()
	n.paths.Reset()
	n.binaries.Reset()
	n.unaries.Reset()
	n.casts.Reset()
	n.calls.Reset()
	n.assigns.Reset()
	n.blocks.Reset()
	n.ifs.Reset()
	n.lets.Reset()
	n.binds.Reset()
	n.named.Reset()
	n.stmts.Reset()
	n.segments.Reset()
}

// one returns a list of one segment.
func (n *nodes) one(seg Segment) []Segment {
	list := n.segments.List(1)
	list[0] = seg
	return list
}

// lists makes the lists of nodes.
type lists struct {
	exprs    list[Expr]
	stmts    list[Stmt]
	patterns list[Pattern]
	types    list[TypeExpr]
	segments list[Segment]
	arms     list[Arm]
	params   list[Param]
}

func (l *lists) reset() {
	l.exprs.reset()
	l.stmts.reset()
	l.patterns.reset()
	l.types.reset()
	l.segments.reset()
	l.arms.reset()
	l.params.reset()
}

// list makes lists of one kind: their elements are pushed on a stack while they are parsed, so that a finished list is
// as large as it has to be.
type list[T any] struct {
	stack []T
	done  slab.Slab[T]
}

func (l *list[T]) push(v T) { l.stack = append(l.stack, v) }

func (l *list[T]) mark() int { return len(l.stack) }

// cut takes the elements from mark on off the stack and returns them in a slice of their own; nil for none.
func (l *list[T]) cut(mark int) []T {
	rest := l.stack[mark:]
	out := l.done.Copy(rest)
	clear(rest) // so that the stack does not keep them alive
	l.stack = l.stack[:mark]
	return out
}

// reset takes back all lists, and what a file with errors left on the stack.
func (l *list[T]) reset() {
	l.done.Reset()
	l.stack = l.stack[:0]
}
