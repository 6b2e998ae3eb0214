package types

import "rokrig/internal/slab"

// Memory is where checked trees are made. A program that checks many files one after another gives all of them one Memory
// and resets it in between, when no checked tree is looked at any more. The zero Memory is ready for use.
type Memory struct {
	nodes    nodes
	symIndex map[string]symID
	syms     []symbol
	scope    []scoped
}

// Reset takes back all checked trees made in m: none of their nodes may be touched after that. Types stay.
func (m *Memory) Reset() {
	m.nodes.reset()
	if len(m.symIndex) > mostSymbols {
		m.symIndex, m.syms = nil, nil
	}
}

// mostSymbols is how many symbols a Memory has room for when it is reset.
const mostSymbols = 1 << 12

// nodes has a slab for each kind of node, and of list, that is frequent.
type nodes struct {
	consts   slab.Slab[Const]
	refs     slab.Slab[LocalRef]
	globals  slab.Slab[GlobalRef]
	unaries  slab.Slab[Unary]
	binaries slab.Slab[Binary]
	casts    slab.Slab[Cast]
	tuples   slab.Slab[TupleExpr]
	assigns  slab.Slab[Assign]
	calls    slab.Slab[Call]
	blocks   slab.Slab[Block]
	ifs      slab.Slab[If]
	prints   slab.Slab[Print]
	lets     slab.Slab[LetStmt]
	stmts    slab.Slab[ExprStmt]
	binds    slab.Slab[BindPat]
	locals   slab.Slab[Local]
	funcs    slab.Slab[Func]

	exprList slab.Slab[Expr]
	stmtList slab.Slab[Stmt]
}

func (n *nodes) reset() {
	n.consts.Reset()
	n.refs.Reset()
	n.globals.Reset()
	n.unaries.Reset()
	n.binaries.Reset()
	n.casts.Reset()
	n.tuples.Reset()
	n.assigns.Reset()
	n.calls.Reset()
	n.blocks.Reset()
	n.ifs.Reset()
	n.prints.Reset()
	n.lets.Reset()
	n.stmts.Reset()
	n.binds.Reset()
	n.locals.Reset()
	n.funcs.Reset()
	n.exprList.Reset()
	n.stmtList.Reset()
}
