package core

import "rokrig/compiler/types"

// LowerCramped is Lower with limits so small that most decision trees are cut.
func LowerCramped(p *types.Program, opts Options) *Module {
	return lowerWithin(p, opts, treeLimits{arms: 3, rows: 3, work: 4, depth: 2, constants: 2, shared: 1})
}

// LowerInTurn is Lower without decision trees.
func LowerInTurn(p *types.Program, opts Options) *Module {
	return lowerWithin(p, opts, treeLimits{})
}

// EachOperand calls visit for the operands of e.
func EachOperand(e Expr, visit func(Expr)) { eachOperand(e, visit) }

// Alien is a node that no stage knows.
type Alien struct{ Seq }
