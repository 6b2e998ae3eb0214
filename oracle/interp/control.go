package interp

import (
	"rokrig/compiler/source"
	"rokrig/compiler/types"
)

// condition makes the test of a head.
func (c *compiler) condition(e types.Expr) (test, prelude) {
	outer := c.open()
	cond := c.test(e)
	if !c.close(outer) {
		return cond, nil
	}
	t := c.temp(1)
	return func(fr *frame) bool { return fr[t] != 0 }, prelude(c.store(t, fromTest(cond)))
}

// ifWord makes the word of an `if` with a value.
func (c *compiler) ifWord(e *types.If) word {
	c.observe(e)
	cond, before := c.condition(e.Cond)
	outer := c.region
	counts := c.takeRegions(2, otherRegion)
	first := c.region
	then := c.word(e.Then)
	c.region = first + 1
	other := c.word(e.Else)
	c.region = outer
	thenCount, elseCount := &counts[0], &counts[1]
	return before.word(func(fr *frame) uint64 {
		if cond(fr) {
			v := then(fr)
			*thenCount++
			return v
		}
		v := other(fr)
		*elseCount++
		return v
	})
}

// ifExec makes the closure of an `if` of any width. Without an `else`, that is a region of its own all the same.
func (c *compiler) ifExec(e *types.If, d dest) exec {
	c.observe(e)
	cond, before := c.condition(e.Cond)
	outer := c.region
	counts := c.takeRegions(2, otherRegion)
	first := c.region
	then := c.exec(e.Then, d)
	thenCount, elseCount := &counts[0], &counts[1]
	if e.Else == nil {
		c.region = outer
		return before.exec(func(fr *frame) {
			if cond(fr) {
				then(fr)
				*thenCount++
				return
			}
			*elseCount++
		})
	}
	c.region = first + 1
	other := c.exec(e.Else, d)
	c.region = outer
	return before.exec(func(fr *frame) {
		if cond(fr) {
			then(fr)
			*thenCount++
			return
		}
		other(fr)
		*elseCount++
	})
}

// logic makes the test of `&&` and `||`. The right operand is a region.
func (c *compiler) logic(e *types.Logic) test {
	x, before := c.condition(e.X)
	outer := c.region
	count := c.takeRegion(otherRegion)
	y := c.test(e.Y)
	c.region = outer
	if isOr(e.Op) {
		return before.test(func(fr *frame) bool {
			if x(fr) {
				return true
			}
			v := y(fr)
			*count++
			return v
		})
	}
	return before.test(func(fr *frame) bool {
		if !x(fr) {
			return false
		}
		v := y(fr)
		*count++
		return v
	})
}

// block is the closures of a block's statements, and of its tail when that is run like one.
type block struct {
	steps   []exec
	counts  []uint64 // by step; one more for a tail that is a word
	escapes bool     // some statement may leave the block
	dead    bool     // the end of the statements is never reached
	first   int      // the region of the first statement
	outer   int      // the region around the block
}

// statements makes the closures of b's statements. What stands behind a statement of type `!` is never run.
func (c *compiler) statements(b *types.Block) block {
	c.observe(b)
	n := len(b.Stmts)
	if b.Tail != nil {
		n++
	}
	r := block{outer: c.region, steps: make([]exec, 0, n)}
	r.counts = c.takeRegions(n, statementRegion)
	r.first = c.region
	outer := c.open()
	for i, s := range b.Stmts {
		c.region = r.first + i
		top := c.top
		x, ends := c.statement(s)
		c.top = top
		r.steps = append(r.steps, x)
		if ends {
			r.dead = true
			break
		}
	}
	r.escapes = c.close(outer)
	c.region = r.first + len(b.Stmts)
	return r
}

// statement makes the closure of a statement and reports whether it never ends normally.
func (c *compiler) statement(s types.Stmt) (x exec, ends bool) {
	switch s := s.(type) {
	case *types.LetStmt:
		return c.let(s), s.Init.Type().Kind == types.Never
	case *types.ExprStmt:
		return c.exec(s.X, drop), s.X.Type().Kind == types.Never
	}
	panic("unexpected statement")
}

// blockWord makes the word of a block with a value.
func (c *compiler) blockWord(e *types.Block) word {
	if e.Tail == nil { // it never ends
		x := c.blockExec(e, drop)
		return func(fr *frame) uint64 { x(fr); return 0 }
	}
	b := c.statements(e)
	tail := func(*frame) uint64 { return 0 }
	if !b.dead {
		tail = c.word(e.Tail)
	}
	c.region = b.outer
	m, n, run := c.m, int64(len(b.counts)), c.steps(b)
	last := &b.counts[n-1]
	if n == 1 {
		return func(fr *frame) uint64 {
			m.left--
			v := tail(fr)
			*last++
			return v
		}
	}
	if !b.escapes {
		return func(fr *frame) uint64 {
			m.left -= n
			run(fr)
			v := tail(fr)
			*last++
			return v
		}
	}
	return func(fr *frame) uint64 {
		m.left -= n
		if run(fr); fr[0] != ctlNormal {
			return 0
		}
		v := tail(fr)
		*last++
		return v
	}
}

// blockExec makes the closure of a block of any width.
func (c *compiler) blockExec(e *types.Block, d dest) exec {
	b := c.statements(e)
	if e.Tail != nil && !b.dead {
		top := c.top
		outer := c.open()
		b.steps = append(b.steps, c.exec(e.Tail, d))
		c.close(outer)
		c.top = top
	}
	c.region = b.outer
	m, n, run := c.m, int64(len(b.counts)), c.steps(b)
	if n == 0 {
		return func(*frame) {}
	}
	return func(fr *frame) {
		m.left -= n
		run(fr)
	}
}

// steps runs a block's steps and counts them. A step that left the block is counted, and none behind it runs.
func (c *compiler) steps(b block) exec {
	steps, counts := b.steps, b.counts
	switch {
	case len(steps) == 0:
		return func(*frame) {}
	case len(steps) == 1:
		s, count := steps[0], &counts[0]
		return func(fr *frame) {
			s(fr)
			*count++
		}
	case b.escapes:
		return func(fr *frame) {
			for i, s := range steps {
				s(fr)
				counts[i]++
				if fr[0] != ctlNormal {
					return
				}
			}
		}
	case len(steps) == 2:
		s, t := steps[0], steps[1]
		first, second := &counts[0], &counts[1]
		return func(fr *frame) {
			s(fr)
			*first++
			t(fr)
			*second++
		}
	}
	counts = counts[:len(steps)]
	return func(fr *frame) {
		for i, s := range steps {
			s(fr)
			counts[i]++
		}
	}
}

// returnFunc makes the closure of `return`.
func (c *compiler) returnFunc(e *types.Return) exec {
	set := func(fr *frame) { fr[0] = ctlReturn }
	if e.Value != nil {
		set = c.leaveWith(e.Value, resultSlot, set)
	}
	c.escape = 0
	return set
}

// leaveWith evaluates a value to d and then transfers control, unless the value did that by itself.
func (c *compiler) leaveWith(value types.Expr, d dest, transfer exec) exec {
	outer := c.open()
	x := c.exec(value, d)
	if c.close(outer) {
		return prelude(x).exec(transfer)
	}
	return func(fr *frame) {
		x(fr)
		transfer(fr)
	}
}

// panicExpr makes the closure of `panic(message)`.
func (c *compiler) panicExpr(e *types.Panic) exec {
	x, before := c.operand1(e.Arg)
	message, m, at := x.word(), c.m, e.Span.Start
	return before.exec(func(fr *frame) { m.panicAt(at, string(m.bytesOf(message(fr)))) })
}

// assert makes the closure of `assert(condition)`.
func (c *compiler) assert(e *types.Assert) exec {
	cond, before := c.condition(e.Arg)
	m, at := c.m, e.Span.Start
	return before.exec(func(fr *frame) {
		if !cond(fr) {
			m.assertFailed(at)
		}
	})
}

func (m *Machine) assertFailed(at source.Pos) { m.panicAt(at, "assertion failed") }
