package interp

import (
	"rokrig/compiler/types"
)

// arm is an arm ready to run; the body of one kind is set.
type arm struct {
	matches test // the pattern, the bindings and the guard; nil if always
	word    word
	exec    exec
}

// matchWord makes the word of a `match` with a value.
func (c *compiler) matchWord(e *types.Match) word {
	value, arms, counts, escapes := c.arms(e, func(a *arm, body types.Expr) { a.word = c.word(body) })
	step, start := 1, 0
	if c.mutant("interp/match-last-arm") {
		step, start = -1, len(arms)-1
	}
	return prelude(value).word(func(fr *frame) uint64 {
		for i := start; ; i += step {
			a := &arms[i]
			if a.matches != nil && !a.matches(fr) {
				continue
			}
			if escapes && fr[0] != ctlNormal {
				return 0
			}
			v := a.word(fr)
			counts[i]++
			return v
		}
	})
}

// matchExec makes the closure of a `match` of any width.
func (c *compiler) matchExec(e *types.Match, d dest) exec {
	value, arms, counts, escapes := c.arms(e, func(a *arm, body types.Expr) { a.exec = c.exec(body, d) })
	step, start := 1, 0
	if c.mutant("interp/match-last-arm") {
		step, start = -1, len(arms)-1
	}
	return prelude(value).exec(func(fr *frame) {
		for i := start; ; i += step {
			a := &arms[i]
			if a.matches != nil && !a.matches(fr) {
				continue
			}
			if escapes && fr[0] != ctlNormal {
				return
			}
			a.exec(fr)
			counts[i]++
			return
		}
	})
}

// arms makes the scrutinee, the patterns, guards and bodies of a match. Escapes says whether a guard may leave it.
func (c *compiler) arms(e *types.Match, body func(*arm, types.Expr)) (value exec, arms []arm, counts []uint64, escapes bool) {
	c.observe(e)
	at, value := c.scrutinee(e.X)
	outer := c.region
	counts = c.takeRegions(len(e.Arms), otherRegion)
	first := c.region
	arms = make([]arm, len(e.Arms))
	for i := range e.Arms {
		c.region = first + i
		var next test
		if guard := e.Arms[i].Guard; guard != nil {
			depth := patternSize(e.Arms[i].Pat) // each part of the pattern calls what comes behind it
			c.level += depth
			g, leaves := c.guard(guard)
			c.level -= depth
			next, escapes = g, escapes || leaves
			c.region = first + i
		}
		arms[i].matches = c.pattern(e.Arms[i].Pat, at, next)
		body(&arms[i], e.Arms[i].Body)
	}
	c.region = outer
	return value, arms, counts, escapes
}

// scrutinee evaluates what is matched, once, to where the patterns find it. What cannot change stays where it is.
func (c *compiler) scrutinee(e types.Expr) (slot, exec) {
	if ref, ok := e.(*types.LocalRef); ok && !ref.Local.Mut && c.m.opts.Perturb == nil {
		c.observe(ref)
		return c.slots[ref.Local.ID], nil
	}
	t := c.temp(c.width(e.Type()))
	return t, c.exec(e, dest(t))
}

// guard makes the test of a guard, which is a region, and reports whether it may leave the match. When it does, it says
// true, so that nothing else is tried.
func (c *compiler) guard(e types.Expr) (test, bool) {
	count := c.takeRegion(otherRegion)
	outer := c.open()
	cond := c.test(e)
	if !c.close(outer) {
		return func(fr *frame) bool {
			v := cond(fr)
			*count++
			return v
		}, false
	}
	return func(fr *frame) bool {
		v := cond(fr)
		*count++
		return v || fr[0] != ctlNormal
	}, true
}

// pattern makes the test that the value at s matches p and that next holds then; the bindings of p are made before next
// runs. Next may run several times: once for each alternative that matches. Nil stands for a test that always holds.
func (c *compiler) pattern(p types.Pattern, s slot, next test) test {
	c.observe(p)
	switch p := p.(type) {
	case *types.WildPat:
		return next
	case *types.BindPat:
		return c.binding(p, s, next)
	case *types.ConstPat:
		return both(c.constTest(p, s), next)
	case *types.RangePat:
		return both(rangeTest(p, s), next)
	case *types.TuplePat:
		return c.tuplePattern(p, s, next)
	case *types.OrPat:
		return c.alternatives(p, s, next)
	}
	c.unexpected(p)
	return nil
}

// patternSize returns how many patterns p is made of.
func patternSize(p types.Pattern) int {
	n := 1
	switch p := p.(type) {
	case *types.TuplePat:
		for _, part := range p.Elems {
			n += patternSize(part)
		}
	case *types.OrPat:
		for _, alt := range p.Alts {
			n += patternSize(alt)
		}
	}
	return n
}

// both joins two tests, of which the second may be nil.
func both(a, b test) test {
	if b == nil {
		return a
	}
	return func(fr *frame) bool { return a(fr) && b(fr) }
}

// tuplePattern tests the parts from the left: each part's test goes on with the next one's.
func (c *compiler) tuplePattern(p *types.TuplePat, s slot, next test) test {
	end := int(s)
	for _, part := range p.Elems {
		end += c.width(part.Type())
	}
	for i := len(p.Elems) - 1; i >= 0; i-- {
		end -= c.width(p.Elems[i].Type())
		next = c.pattern(p.Elems[i], slot(end), next)
	}
	return next
}

// alternatives tries each alternative with all that follows.
func (c *compiler) alternatives(p *types.OrPat, s slot, next test) test {
	alts := make([]test, len(p.Alts))
	for i, alt := range p.Alts {
		alts[i] = c.pattern(alt, s, next)
		if alts[i] == nil {
			alts[i] = func(*frame) bool { return true }
		}
	}
	if len(alts) == 2 {
		a, b := alts[0], alts[1]
		return func(fr *frame) bool { return a(fr) || b(fr) }
	}
	return func(fr *frame) bool {
		for _, a := range alts {
			if a(fr) {
				return true
			}
		}
		return false
	}
}

// binding copies the value at s to the variable.
func (c *compiler) binding(p *types.BindPat, s slot, next test) test {
	n := c.width(p.Typ)
	var bind exec
	if p.Local != nil {
		bind = copyWords(s, dest(c.slots[p.Local.ID]), n)
	} else {
		bind = c.bindGlobal(p.Global, s, n)
	}
	if next == nil {
		return func(fr *frame) bool { bind(fr); return true }
	}
	return func(fr *frame) bool {
		bind(fr)
		return next(fr)
	}
}

// bindGlobal initialises a global. The statements behind its `let` need not ask whether that has happened.
func (c *compiler) bindGlobal(g *types.Global, s slot, n int) exec {
	done := &c.m.initialised[g.ID]
	at := c.offsets[g.ID]
	to := c.m.globals[at : at+n]
	c.ready[g.ID] = true
	return func(fr *frame) {
		copy(to, fr[s:])
		*done = true
	}
}

// constTest makes the test of a literal.
func (c *compiler) constTest(p *types.ConstPat, s slot) test {
	m, bits := c.m, p.Bits
	switch p.Typ.Kind {
	case types.Unit:
		return func(*frame) bool { return true }
	case types.F64:
		k := float64Of(bits)
		return func(fr *frame) bool { return float64Of(fr[s]) == k }
	case types.F32:
		k := float32Of(bits)
		return func(fr *frame) bool { return float32Of(fr[s]) == k }
	case types.Str:
		k := c.stringWord(p.Str)
		return func(fr *frame) bool { return m.equalText(fr[s], k) }
	}
	return func(fr *frame) bool { return fr[s] == bits }
}

// rangeTest makes the test of an integer range.
func rangeTest(p *types.RangePat, s slot) test {
	lo, hi := p.Lo, p.Hi
	switch {
	case p.Empty:
		return func(*frame) bool { return false }
	case p.Typ.Kind.IsSigned():
		return func(fr *frame) bool { return int64(lo) <= int64(fr[s]) && int64(fr[s]) <= int64(hi) }
	}
	return func(fr *frame) bool { return lo <= fr[s] && fr[s] <= hi }
}
