package core

import (
	"slices"

	"rokrig/compiler/types"
)

// run lowers arms without guards by one decision tree; where none matches it branches to fail. ok is false if the tree
// is too large.
func (m *matcher) run(arms []arm, fail LabelID) (value Expr, ok bool) {
	m.guarded = false
	t, root := m.buildTree(arms)
	if t == nil {
		return nil, false
	}
	root.uses++
	e := t.plan(fail)
	if len(e.shared) > m.limits.shared {
		return nil, false
	}
	return e.whole(root), true
}

// emission is the code of a tree in the making.
type emission struct {
	*tree
	fail   LabelID
	shared []sharedCode
	uses   []int     // by arm: places that lead to its body
	labels []LabelID // by arm: of the block that a branch to its body leaves
	single []bool    // by arm: one row alone leads to it
}

// sharedCode is what several places branch to: a test, or the body of an arm.
type sharedCode struct {
	label LabelID
	node  *decision // nil for an arm
	arm   int
}

// plan decides what gets a label. Tests come with those first that lead to others, arms last, so that all branches go
// outward.
func (t *tree) plan(fail LabelID) *emission {
	e := &emission{tree: t, fail: fail, uses: make([]int, len(t.arms)), labels: make([]LabelID, len(t.arms)),
		single: make([]bool, len(t.arms))}
	rows := make([]int, len(t.arms))
	for _, leaf := range t.leaves {
		if leaf != nil && leaf.uses > 0 {
			e.uses[leaf.row.arm] += leaf.uses
			rows[leaf.row.arm]++
		}
	}
	for _, n := range slices.Backward(t.tests) {
		if n.uses > 1 {
			n.label = t.newLabel()
			e.shared = append(e.shared, sharedCode{label: n.label, node: n})
		}
	}
	for i, uses := range e.uses {
		e.single[i] = rows[i] == 1
		if uses > 1 {
			e.labels[i] = t.newLabel()
			e.shared = append(e.shared, sharedCode{label: e.labels[i], arm: i})
		}
	}
	return e
}

// whole emits the tree from its root, and behind it, each outside of the block that its branches leave, what is shared.
func (e *emission) whole(root *decision) Expr {
	code := e.code(root)
	for _, s := range e.shared {
		mark := e.mark()
		e.push(e.block(s.label, nil, e.leave(e.end, code)))
		if s.node != nil {
			code = e.finish(mark, e.test(s.node))
		} else {
			code = e.finish(mark, e.body(s.arm))
		}
	}
	return code
}

// code is the code of a node, or a branch to it.
func (e *emission) code(n *decision) Expr {
	switch {
	case n.row != nil:
		return e.leafCode(n.row)
	case n.typ == nil:
		return e.gone(e.br(e.fail))
	case n.uses > 1:
		return e.gone(e.br(n.label))
	}
	return e.test(n)
}

// gone makes a branch stand where the value of the match is wanted.
func (e *emission) gone(br Expr) Expr { return e.adapt(br, e.words) }

// leafCode is what is done when a row matches. Where several rows lead to one body, each binds the variables before it
// goes there.
func (e *emission) leafCode(r *row) Expr {
	if e.uses[r.arm] == 1 {
		return e.body(r.arm)
	}
	mark := e.mark()
	if !e.single[r.arm] {
		e.bindRow(r)
	}
	e.push(e.br(e.labels[r.arm]))
	return e.seq(mark, e.gone(e.empty()))
}

func (e *emission) bindRow(r *row) {
	for _, b := range r.binds {
		e.bindVar(b.pat, e.read(b.off, e.wordsOf(b.pat.Typ)))
	}
}

// body is the body of an arm, behind its bindings if they are the same for all that lead to it.
func (e *emission) body(i int) Expr {
	mark := e.mark()
	if e.single[i] {
		for _, leaf := range e.leaves {
			if leaf != nil && leaf.uses > 0 && leaf.row.arm == i {
				e.bindRow(leaf.row)
			}
		}
	}
	if e.arms[i].body == nil {
		return e.seq(mark, nil)
	}
	return e.finish(mark, e.valueAs(e.arms[i].body, e.typ))
}

// test is the code of a test.
func (e *emission) test(n *decision) Expr {
	k := n.typ.Kind
	switch {
	case k == types.Bool:
		yes, no := n.cases[0].to, n.other
		if n.cases[0].set.lo == 0 {
			yes, no = no, yes
		}
		cond := e.read(n.off, oneInt)
		then := e.code(yes)
		return e.choose(cond, then, e.code(no))
	case !isDiscrete(k):
		return e.testConstants(n, n.cases)
	case len(n.cases) == 1 && n.cases[0].set.lo == n.cases[0].set.hi:
		cond := e.op(Eq, scalars[k], e.read(n.off, oneInt), e.int(ordered(k, n.cases[0].set.lo)))
		then := e.code(n.cases[0].to)
		return e.choose(cond, then, e.code(n.other))
	}
	s := &Switch{X: e.read(n.off, oneInt), Scalar: scalars[k], Cases: make([]Case, len(n.cases)), Words: e.words}
	for i, c := range n.cases {
		s.Cases[i] = Case{Lo: ordered(k, c.set.lo), Hi: ordered(k, c.set.hi), Body: e.code(c.to)}
	}
	s.Default = e.code(n.other)
	return s
}

// testConstants compares a string or float with one constant after another.
func (e *emission) testConstants(n *decision, cases []decisionCase) Expr {
	if len(cases) == 0 {
		return e.code(n.other)
	}
	var cond Expr
	for number := cases[0].set.lo; number <= cases[0].set.hi; number++ {
		equal := e.equalsConst(e.constants[number], n.off)
		if cond == nil {
			cond = equal
		} else {
			cond = e.choose(cond, e.int(1), equal)
		}
	}
	then := e.code(cases[0].to)
	return e.choose(cond, then, e.testConstants(n, cases[1:]))
}
