package core

import (
	"slices"

	"rokrig/compiler/mutant"
	"rokrig/compiler/types"
)

// How alternatives are matched.
//
// Without a guard every `p | q` inside a pattern picks its first alternative that matches, on its own. If it binds
// variables, the number of that alternative is kept in a local, by which the bindings are chosen once all tests passed.
//
// Under a guard, every combination of alternatives that matches is tried, the last `p | q` varying fastest, until the
// guard is true. The guard must stand in the code once (a copy for each combination would grow exponentially with
// nesting), so the combinations are gone through by a loop, like the digits of a number: each `p | q` is a digit, the
// local holds its value, a test that fails inside a digit's alternative goes on with the next value of that digit, and a
// digit that has run through its values is set back and carries to the one before it. Alternatives that exclude each
// other (`1 | 2`) match at most once and are no digits.

// choice is a `p | q` whose alternative has to be known.
type choice struct {
	pat    *types.OrPat
	number *Local  // of the alternative at hand
	fail   LabelID // goes on with the next alternative
	parent int     // the choice in whose alternative this one stands; -1 for none
	index  int     // the number of that alternative
}

// collectChoices appends the choices of a pattern, from the left, outer ones first.
func (m *matcher) collectChoices(p types.Pattern, parent, index int) {
	switch p := p.(type) {
	case *types.TuplePat:
		for _, q := range p.Elems {
			m.collectChoices(q, parent, index)
		}
	case *types.OrPat:
		alts := m.alternatives(p)
		if len(alts) == 1 {
			m.collectChoices(alts[0], parent, index)
			return
		}
		if m.guarded && m.exclusive(p) || !m.guarded && !hasVariables(p) {
			return
		}
		m.choices = append(m.choices, choice{pat: p, parent: parent, index: index})
		self := len(m.choices) - 1
		for i, q := range alts {
			m.collectChoices(q, self, i)
		}
	}
}

// alternatives returns the alternatives that can be taken: without a guard none after one that matches everything.
func (m *matcher) alternatives(p *types.OrPat) []types.Pattern {
	if m.guarded {
		return p.Alts
	}
	for i, q := range p.Alts {
		if isPlain(q) {
			return p.Alts[:i+1]
		}
	}
	return p.Alts
}

// exclusive reports whether at most one alternative can match, and binds nothing.
func (m *matcher) exclusive(p *types.OrPat) bool {
	if spans, ok := m.patternSpans(nil, p); ok {
		_, disjoint := union(spans)
		return disjoint
	}
	var texts []string
	var numbers []float64
	for _, q := range p.Alts {
		c, ok := q.(*types.ConstPat)
		switch {
		case !ok:
			return false
		case c.Typ.Kind == types.Str:
			texts = append(texts, c.Str)
		case c.Typ.Kind.IsFloat():
			numbers = append(numbers, floatValue(c.Typ.Kind, c.Bits))
		default:
			return false
		}
	}
	slices.Sort(texts)
	slices.Sort(numbers)
	return len(slices.Compact(texts))+len(slices.Compact(numbers)) == len(p.Alts)
}

func (m *matcher) choiceOf(p *types.OrPat) *choice {
	for i := range m.choices {
		if m.choices[i].pat == p {
			return &m.choices[i]
		}
	}
	return nil
}

// testOr tests `p | q`.
func (m *matcher) testOr(p *types.OrPat, off int, fail LabelID) {
	alts := m.alternatives(p)
	if len(alts) == 1 {
		m.test(alts[0], off, fail)
		return
	}
	c := m.choiceOf(p)
	if c != nil && m.guarded {
		m.push(m.perAlternative(c, alts, func(q types.Pattern) { m.test(q, off, c.fail) }))
		return
	}
	if _, ok := m.patternSpans(nil, p); ok {
		m.testSpans(p, off, fail)
		return
	}
	m.testInTurn(c, alts, off, fail)
}

// testInTurn tests alternatives one after another and keeps the number of the first that matches.
func (m *matcher) testInTurn(c *choice, alts []types.Pattern, off int, fail LabelID) {
	matched := m.newLabel()
	mark := m.mark()
	for i, q := range alts {
		next := m.newLabel()
		inner := m.mark()
		m.test(q, off, next)
		if c != nil && i > 0 {
			m.push(m.assign(c.number, 0, m.int(uint64(i))))
		}
		m.push(m.br(matched))
		m.push(m.blockIfUsed(next, nil, m.seq(inner, nil)))
	}
	if !isPlain(alts[len(alts)-1]) {
		m.push(m.br(fail))
	}
	m.push(m.block(matched, nil, m.seq(mark, nil)))
}

// perAlternative makes a switch over the number of a choice; each case is what push pushes for that alternative.
func (m *matcher) perAlternative(c *choice, alts []types.Pattern, push func(types.Pattern)) Expr {
	s := &Switch{X: m.whole(c.number), Scalar: I64, Cases: make([]Case, 0, len(alts)-1)}
	for i, q := range alts {
		mark := m.mark()
		push(q)
		body := m.seq(mark, nil)
		if i == len(alts)-1 {
			s.Default = body
		} else {
			s.Cases = append(s.Cases, Case{Lo: uint64(i), Hi: uint64(i), Body: body})
		}
	}
	return s
}

func (m *matcher) bindOr(p *types.OrPat, off int) {
	alts := m.alternatives(p)
	if len(alts) == 1 {
		m.bind(alts[0], off)
		return
	}
	if c := m.choiceOf(p); c != nil && hasVariables(p) {
		m.push(m.perAlternative(c, alts, func(q types.Pattern) { m.bind(q, off) }))
	}
}

// tryAlternatives goes through the combinations of alternatives until one matches and the guard is true.
func (m *matcher) tryAlternatives(a *arm, fail LabelID) Expr {
	matched, again := m.newLabel(), m.newLabel()
	mark := m.mark()
	m.test(a.pat, 0, fail)
	m.bind(a.pat, 0)
	guard := m.adapt(m.anyExpr(a.guard), oneInt)
	if failed := m.guardFailed(fail); failed != fail || m.mutant.On(mutant.GuardFirstAlternative) {
		m.push(m.when(m.not(guard), m.br(failed)))
		m.push(m.br(matched))
	} else {
		m.push(m.when(guard, m.br(matched)))
	}
	for i := len(m.choices) - 1; i >= 0; i-- {
		inner := m.blockIfUsed(m.choices[i].fail, nil, m.seq(mark, nil))
		m.push(inner)
		m.push(m.carry(i, again))
	}
	m.push(m.br(fail))
	round := m.block(again, nil, m.seq(mark, nil))
	m.push(round)
	return m.block(matched, nil, &Loop{Body: m.seq(mark, nil), Bounded: true})
}

// carry goes on with the next alternative of choice i, or sets it back. A choice inside an alternative that is not the
// one at hand stays as it is, at its first.
func (m *matcher) carry(i int, again LabelID) Expr {
	c := &m.choices[i]
	mark := m.mark()
	last := m.int(uint64(len(c.pat.Alts) - 1))
	up := m.mark()
	m.push(m.assign(c.number, 0, m.op(Add, I64, m.whole(c.number), m.int(1))))
	m.push(m.br(again))
	m.push(m.when(m.op(Lt, I64, m.whole(c.number), last), m.seq(up, nil)))
	if i > 0 {
		m.push(m.assign(c.number, 0, m.int(0)))
	}
	step := m.seq(mark, nil)
	for at := c; at.parent >= 0; at = &m.choices[at.parent] {
		step = m.when(m.op(Eq, I64, m.whole(m.choices[at.parent].number), m.int(uint64(at.index))), step)
	}
	return step
}
