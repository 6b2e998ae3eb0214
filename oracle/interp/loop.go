package interp

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

func isOr(op syntax.BinaryOp) bool { return op == syntax.Or }

// loopBody is what the closure of a loop needs of its body.
type loopBody struct {
	run       exec
	count     *uint64
	transfers bool // the body, or a condition, may set the control word
	brk, cont uint64
}

// inLoop makes the closures of a loop by calling head, for what stands before the body and belongs to the loop, and
// then making the body. Breaks leave their value at d.
func (c *compiler) inLoop(id types.LoopID, body types.Expr, d dest, head func()) loopBody {
	c.depth++
	depth := c.depth
	c.loops[id] = loopState{depth: depth, result: d}
	outer := c.open()
	region := c.region
	if head != nil {
		head()
	}
	b := loopBody{brk: ctlBreak(int(id)), cont: ctlContinue(int(id))}
	b.count = c.takeRegion(otherRegion)
	b.run = c.exec(body, drop)
	c.region = region
	b.transfers = c.escape != noEscape
	if c.escape >= depth { // only its own
		c.escape = noEscape
	}
	c.escape = min(outer, c.escape)
	c.depth--
	return b
}

// ends looks at the control word behind a body or a condition: it reports whether the loop is left, and clears the word
// when it was set for this loop.
func (b *loopBody) ends(fr *frame) bool {
	switch fr[0] {
	case ctlNormal:
		return false
	case b.cont:
		fr[0] = ctlNormal
		return false
	case b.brk:
		fr[0] = ctlNormal
	}
	return true
}

// round runs the body once and takes the back edge; it reports whether the loop is left instead.
func (b *loopBody) round(m *Machine, fr *frame) (left bool) {
	b.run(fr)
	*b.count++
	if b.transfers && fr[0] != ctlNormal && b.ends(fr) {
		return true
	}
	m.backEdge()
	return false
}

// loopExec makes the closure of `loop`.
func (c *compiler) loopExec(e *types.Loop, d dest) exec {
	c.observe(e)
	b := c.inLoop(e.Loop, e.Body, d, nil)
	m := c.m
	return func(fr *frame) {
		for !b.round(m, fr) {
		}
	}
}

// loopWord makes the word of a `loop` with a value.
func (c *compiler) loopWord(e *types.Loop) word {
	t := c.temp(1)
	x := c.loopExec(e, dest(t))
	return func(fr *frame) uint64 {
		x(fr)
		return fr[t]
	}
}

// while makes the closure of `while`.
func (c *compiler) while(e *types.While) exec {
	var cond test
	var before prelude
	b := c.inLoop(e.Loop, e.Body, drop, func() { cond, before = c.condition(e.Cond) })
	m := c.m
	if before == nil {
		return func(fr *frame) {
			for cond(fr) {
				if b.round(m, fr) {
					return
				}
			}
		}
	}
	return func(fr *frame) {
		for {
			if before(fr); fr[0] != ctlNormal {
				if b.ends(fr) {
					return
				}
				m.backEdge() // the condition continued its own loop
				continue
			}
			if !cond(fr) || b.round(m, fr) {
				return
			}
		}
	}
}

func (c *compiler) breakLoop(e *types.Break) exec {
	state, code := c.loops[e.Loop], ctlBreak(int(e.Loop))
	set := func(fr *frame) { fr[0] = code }
	if e.Value != nil {
		set = c.leaveWith(e.Value, state.result, set)
	}
	c.escape = min(c.escape, state.depth)
	return set
}

func (c *compiler) continueLoop(e *types.Continue) exec {
	code := ctlContinue(int(e.Loop))
	c.escape = min(c.escape, c.loops[e.Loop].depth)
	return func(fr *frame) { fr[0] = code }
}

// forRange makes the closure of `for` over a range.
func (c *compiler) forRange(e *types.For) exec {
	iter := e.Iter.Type()
	if iter.Kind == types.Never {
		return c.exec(e.Iter, drop)
	}
	lo, hi, before := c.bounds(e.Iter)
	item, bind := slot(0), test(nil)
	b := c.inLoop(e.Loop, e.Body, drop, func() { item, bind = c.item(e.Pat) })
	// Adding the bias maps the order of signed words to that of unsigned ones.
	bias := uint64(0)
	if iter.Args[0].Kind.IsSigned() && !c.mutant("interp/range-ends-unsigned") {
		bias = 1 << 63
	}
	if bind != nil {
		body := b.run
		b.run = func(fr *frame) {
			bind(fr)
			body(fr)
		}
	}
	if iter.Kind == types.RangeInclusive {
		return before.exec(c.inclusiveRounds(b, item, bias, lo.word(), hi.word()))
	}
	return before.exec(c.rounds(b, item, bias, lo.word(), hi.word()))
}

// rounds runs a body for every value of lo..hi.
func (c *compiler) rounds(b loopBody, item slot, bias uint64, lo, hi word) exec {
	m := c.m
	return func(fr *frame) {
		v := lo(fr)
		end := hi(fr) + bias
		for ; v+bias < end; v++ {
			fr[item] = v
			if b.round(m, fr) {
				return
			}
		}
	}
}

// inclusiveRounds runs a body for every value of lo..=hi; v does not go past hi, which may be the type's maximum.
func (c *compiler) inclusiveRounds(b loopBody, item slot, bias uint64, lo, hi word) exec {
	m := c.m
	return func(fr *frame) {
		v := lo(fr)
		end := hi(fr)
		if v+bias > end+bias {
			return
		}
		for ; ; v++ {
			fr[item] = v
			if b.round(m, fr) || v == end {
				return
			}
		}
	}
}

// bounds makes the ends of a range.
func (c *compiler) bounds(e types.Expr) (lo, hi operand, before prelude) {
	if r, ok := e.(*types.RangeExpr); ok {
		c.observe(r)
		return c.operands2(r.Lo, r.Hi)
	}
	t := c.temp(2)
	before = prelude(c.exec(e, dest(t)))
	return operand{kind: inSlot, slot: t}, operand{kind: inSlot, slot: t + 1}, before
}

// item returns where the pattern of a `for` finds its value, and what binds it beyond that.
func (c *compiler) item(p types.Pattern) (slot, test) {
	if bind, ok := p.(*types.BindPat); ok && bind.Local != nil {
		c.observe(bind)
		return c.slots[bind.Local.ID], nil
	}
	t := c.temp(1)
	return t, c.pattern(p, t, nil)
}
