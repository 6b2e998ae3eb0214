package core

import (
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/types"
)

// arm is one arm of a match. A `let` is a match of one arm without a body.
type arm struct {
	pat         types.Pattern
	guard, body types.Expr
}

// matcher lowers one match. The value that is matched stands in a local that nothing writes while the match looks at it.
type matcher struct {
	*lowerer
	x     *Local
	typ   *types.Type // of the match's value; nil for a `let`
	words []Class     // of the match's value
	end   LabelID     // of the block round the match, which the arms leave with their value
	last  LabelID     // of the block round all that comes before the last arm
	final bool        // lowering the last arm
	pos   source.Pos

	choices []choice // of the arm at hand; see alternatives.go
	guarded bool     // the arm at hand has a guard
}

func (l *lowerer) match(e *types.Match) Expr {
	if never(e.X) {
		return l.anyExpr(e.X)
	}
	mark := l.mark()
	x := l.subject(e.X)
	arms := make([]arm, len(e.Arms))
	for i := range e.Arms {
		a := &e.Arms[i]
		arms[i] = arm{a.Pat, a.Guard, a.Body}
	}
	value := l.matchLocal(x, e.X.Type(), e.Span.Start, arms, e.Typ)
	if len(value.Classes()) == 0 {
		l.push(value)
		return l.seq(mark, nil)
	}
	return l.seq(mark, value)
}

// subject returns the local that holds the value of e: a copy, since a guard may change what e reads.
func (l *lowerer) subject(e types.Expr) *Local {
	if v, ok := e.(*types.LocalRef); ok && !v.Local.Mut {
		return l.local(v.Local)
	}
	return l.save(l.expr(e), e.Where().Start)
}

// matchLocal matches the value in x with arms that together match everything.
func (l *lowerer) matchLocal(x *Local, t *types.Type, pos source.Pos, arms []arm, typ *types.Type) Expr {
	m := &matcher{lowerer: l, x: x, typ: typ, pos: pos, end: l.newLabel(), last: l.newLabel()}
	if typ != nil {
		m.words = l.wordsOf(typ)
	}
	return l.blockIfUsed(m.end, m.words, m.segments(arms))
}

// segments lowers the arms in turn: an arm with a guard by itself, runs of arms without by a decision tree. Each is a
// block, which is left where nothing matches.
func (m *matcher) segments(arms []arm) Expr {
	mark := m.mark()
	for i := 0; i < len(arms); {
		if m.final = i == len(arms)-1; m.final && m.used[m.last] {
			before := m.seq(mark, nil)
			m.push(m.block(m.last, nil, before))
		}
		fail := m.newLabel()
		value, n := m.segment(arms[i:], fail)
		if !m.used[fail] {
			return m.finish(mark, value)
		}
		m.push(m.block(fail, nil, m.leave(m.end, value)))
		i += n
	}
	// The checker has proved that some arm matches, but tests of single arms do not know it.
	m.push(m.panicAt("no arm of the match matches", m.pos))
	return m.finish(mark, m.adapt(m.empty(), m.words))
}

// segment lowers the first n arms.
func (m *matcher) segment(arms []arm, fail LabelID) (value Expr, n int) {
	for n < len(arms) && n < m.limits.arms && arms[n].guard == nil {
		n++
	}
	if n > 1 && n == len(arms) && m.used[m.last] {
		n--
	}
	for ; n > 0; n /= 2 {
		if value, ok := m.run(arms[:n], fail); ok {
			return value, n
		}
	}
	return m.testArm(&arms[0], fail), 1
}

// finish ends a list with the value of the match.
func (m *matcher) finish(mark int, value Expr) Expr {
	if len(m.words) == 0 {
		m.push(value)
		return m.seq(mark, nil)
	}
	return m.seq(mark, value)
}

// testArm tests one arm and, where it matches, leaves the value of its body; else it branches to fail.
func (m *matcher) testArm(a *arm, fail LabelID) Expr {
	m.choices, m.guarded = m.choices[:0], a.guard != nil
	m.collectChoices(a.pat, -1, 0)
	mark := m.mark()
	for i := range m.choices {
		c := &m.choices[i]
		c.number = m.intTemp(m.pos)
		c.fail = m.newLabel()
		m.push(m.let(c.number, m.int(0)))
	}
	switch {
	case a.guard == nil:
		m.test(a.pat, 0, fail)
		m.bind(a.pat, 0)
	case len(m.choices) == 0:
		m.test(a.pat, 0, fail)
		m.bind(a.pat, 0)
		guard := m.adapt(m.anyExpr(a.guard), oneInt)
		m.push(m.when(m.not(guard), m.br(m.guardFailed(fail))))
	default:
		m.push(m.tryAlternatives(a, fail))
	}
	if a.body == nil {
		return m.seq(mark, nil)
	}
	return m.finish(mark, m.valueAs(a.body, m.typ))
}

// guardFailed is where a guard that is false goes.
func (m *matcher) guardFailed(fail LabelID) LabelID {
	if !m.final && m.mutant.On(mutant.GuardSkipsArms) {
		return m.last
	}
	return fail
}

// read reads a part of the matched value.
func (m *matcher) read(off int, words []Class) Expr { return m.get(m.x, off, words) }

// test pushes the tests of a pattern, matched with what stands from word off on; where one fails it branches to fail.
// Tests have no effects, so that their order does not show.
func (m *matcher) test(p types.Pattern, off int, fail LabelID) {
	switch p := p.(type) {
	case *types.TuplePat:
		for i, q := range p.Elems {
			m.test(q, off, fail)
			off += len(m.wordsOf(p.Typ.Args[i]))
		}
	case *types.ConstPat:
		if p.Typ.Kind == types.Unit {
			return
		}
		if !isDiscrete(p.Typ.Kind) {
			m.push(m.when(m.not(m.equalsConst(p, off)), m.br(fail)))
			return
		}
		m.testSpans(p, off, fail)
	case *types.RangePat:
		m.testSpans(p, off, fail)
	case *types.OrPat:
		m.testOr(p, off, fail)
	}
}

// equalsConst compares a string or float with a literal, by `==`.
func (m *matcher) equalsConst(p *types.ConstPat, off int) Expr {
	if p.Typ.Kind == types.Str {
		return m.opAt(StrEq, NoScalar, p.Span.Start, m.read(off, strWords), m.str(p.Str))
	}
	s := scalarOf(p.Typ)
	return m.op(Eq, s, m.read(off, oneClass[s.Class()]), m.word(s.Class(), p.Bits))
}

// testSpans tests an integer or bool against the words that a pattern matches.
func (m *matcher) testSpans(p types.Pattern, off int, fail LabelID) {
	spans, _ := m.patternSpans(nil, p)
	spans, _ = union(spans)
	k := p.Type().Kind
	all, s := domain(k), scalarOf(p.Type())
	switch {
	case len(spans) == 0:
		m.push(m.br(fail))
	case len(spans) > 1:
		m.push(m.switchSpans(k, off, spans, fail))
	case spans[0].lo == spans[0].hi:
		m.push(m.when(m.op(Ne, s, m.read(off, oneInt), m.int(ordered(k, spans[0].lo))), m.br(fail)))
	default:
		if spans[0].lo != all.lo {
			m.push(m.when(m.op(Lt, s, m.read(off, oneInt), m.int(ordered(k, spans[0].lo))), m.br(fail)))
		}
		if spans[0].hi != all.hi {
			m.push(m.when(m.op(Gt, s, m.read(off, oneInt), m.int(ordered(k, spans[0].hi))), m.br(fail)))
		}
	}
}

// switchSpans branches to fail unless the word is in one of the spans.
func (m *matcher) switchSpans(k types.Kind, off int, spans []wordSpan, fail LabelID) Expr {
	cases := make([]Case, len(spans))
	for i, s := range spans {
		cases[i] = Case{Lo: ordered(k, s.lo), Hi: ordered(k, s.hi), Body: m.empty()}
	}
	return &Switch{X: m.read(off, oneInt), Scalar: scalars[k], Cases: cases, Default: m.br(fail)}
}

// bind pushes the bindings of a pattern whose tests have passed.
func (m *matcher) bind(p types.Pattern, off int) {
	switch p := p.(type) {
	case *types.BindPat:
		m.bindVar(p, m.read(off, m.wordsOf(p.Typ)))
	case *types.TuplePat:
		for i, q := range p.Elems {
			m.bind(q, off)
			off += len(m.wordsOf(p.Typ.Args[i]))
		}
	case *types.OrPat:
		m.bindOr(p, off)
	}
}
