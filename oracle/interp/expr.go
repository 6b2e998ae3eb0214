package interp

import "rokrig/compiler/types"

// word makes the closure of an expression whose value is one word. An expression of type `!` may stand there too.
func (c *compiler) word(e types.Expr) word {
	if e.Type().Kind == types.Never {
		x := c.exec(e, drop)
		return func(fr *frame) uint64 { x(fr); return 0 }
	}
	c.enter()
	var w word
	if c.m.opts.Perturb != nil && canPerturb(e) {
		w = c.perturbed(e)
	} else {
		w = c.plainWord(e)
	}
	c.leave()
	return w
}

// plainWord is word without the perturbation.
func (c *compiler) plainWord(e types.Expr) word {
	switch e := e.(type) {
	case *types.If:
		return c.ifWord(e)
	case *types.Match:
		return c.matchWord(e)
	case *types.Block:
		return c.blockWord(e)
	case *types.Loop:
		return c.loopWord(e)
	case *types.LocalRef, *types.GlobalRef, *types.TupleField:
		return c.partWord(e)
	}
	c.observe(e)
	switch e := e.(type) {
	case *types.Const:
		return operand{kind: constant, bits: c.constant(e)}.word()
	case *types.FuncRef:
		c.function(e.Func)
		return operand{kind: constant, bits: uint64(e.Func.ID)}.word()
	case *types.Unary:
		return c.unary(e)
	case *types.Binary:
		if e.Op.IsCompare() {
			return fromTest(c.comparison(e))
		}
		return c.binary(e)
	case *types.Logic:
		return fromTest(c.logic(e))
	case *types.Cast:
		return c.cast(e)
	case *types.StrIndex:
		return c.strIndex(e)
	case *types.StrSlice:
		return c.strSlice(e)
	case *types.Len:
		return c.length(e)
	case *types.Call:
		return c.call(e)
	case *types.CallValue:
		return c.callValue(e)
	case *types.TupleExpr: // of which only one part has a word
		t := c.temp(1)
		fill := c.sequence(e.Elems, dest(t))
		return func(fr *frame) uint64 {
			fill(fr)
			return fr[t]
		}
	}
	c.unexpected(e)
	return nil
}

// fromTest turns a condition into a bool.
func fromTest(t test) word {
	return func(fr *frame) uint64 {
		if t(fr) {
			return 1
		}
		return 0
	}
}

// test makes the closure of a condition: a bool, or an expression of type `!`.
func (c *compiler) test(e types.Expr) test {
	if c.m.opts.Perturb == nil && e.Type().Kind == types.Bool {
		switch e := e.(type) {
		case *types.Binary:
			if e.Op.IsCompare() {
				return c.nestedTest(e, func() test { return c.comparison(e) })
			}
		case *types.Logic:
			return c.nestedTest(e, func() test { return c.logic(e) })
		}
	}
	x := c.operand(e)
	if x.isSlot() {
		s := x.slot
		return func(fr *frame) bool { return fr[s] != 0 }
	}
	w := x.word()
	return func(fr *frame) bool { return w(fr) != 0 }
}

// nestedTest makes the test of e, one closure deeper.
func (c *compiler) nestedTest(e types.Expr, compile func() test) test {
	c.enter()
	c.observe(e)
	t := compile()
	c.leave()
	return t
}

// wordTo is exec for a value of one word.
func (c *compiler) wordTo(e types.Expr, s slot) exec {
	outer := c.open()
	v := c.operand(e)
	if !c.close(outer) {
		return storeOperand(s, v)
	}
	w := v.word()
	return func(fr *frame) {
		if v := w(fr); fr[0] == ctlNormal {
			fr[s] = v
		}
	}
}

// exec makes the closure of an expression whose value goes to d. It serves values of any number of words. Once control
// left the expression d is not written to any more: a break or a return inside may have put its value there.
func (c *compiler) exec(e types.Expr, d dest) exec {
	n := c.width(e.Type())
	if n == 1 && d != drop {
		return c.wordTo(e, slot(d))
	}
	c.enter()
	x := c.plainExec(e, n, d)
	c.leave()
	return x
}

// plainExec is exec for a value of n words.
func (c *compiler) plainExec(e types.Expr, n int, d dest) exec {
	switch e := e.(type) {
	case *types.If:
		return c.ifExec(e, d)
	case *types.Match:
		return c.matchExec(e, d)
	case *types.Block:
		return c.blockExec(e, d)
	case *types.Loop:
		return c.loopExec(e, d)
	case *types.LocalRef, *types.GlobalRef, *types.TupleField:
		return c.partExec(e, d)
	case *types.TupleExpr:
		c.observe(e)
		return c.sequence(e.Elems, d)
	case *types.RangeExpr:
		c.observe(e)
		return c.sequence([]types.Expr{e.Lo, e.Hi}, d)
	}
	if x := c.action(e); x != nil {
		return x
	}
	if call, ok := e.(*types.Call); ok && n > 1 {
		c.observe(e)
		return c.callExec(c.call(call), n, d)
	}
	if call, ok := e.(*types.CallValue); ok && n > 1 {
		c.observe(e)
		return c.callExec(c.callValue(call), n, d)
	}
	if n == 1 {
		w := c.word(e)
		return func(fr *frame) { w(fr) }
	}
	w := c.plainWord(e)
	return func(fr *frame) { w(fr) }
}

// action makes the closure of an expression that has no value; nil if e is none.
func (c *compiler) action(e types.Expr) exec {
	switch e := e.(type) {
	case *types.Const:
		c.observe(e)
		return func(*frame) {}
	case *types.While:
		c.observe(e)
		return c.while(e)
	case *types.For:
		c.observe(e)
		return c.forRange(e)
	case *types.Break:
		c.observe(e)
		return c.breakLoop(e)
	case *types.Continue:
		c.observe(e)
		return c.continueLoop(e)
	case *types.Return:
		c.observe(e)
		return c.returnFunc(e)
	case *types.Assign:
		c.observe(e)
		return c.assign(e)
	case *types.Print:
		c.observe(e)
		return c.print(e)
	case *types.Panic:
		c.observe(e)
		return c.panicExpr(e)
	case *types.Assert:
		c.observe(e)
		return c.assert(e)
	}
	return nil
}

// sequence evaluates es from left to right, their words one behind the other from d on.
func (c *compiler) sequence(es []types.Expr, d dest) exec {
	outer := c.open()
	steps := make([]exec, 0, len(es))
	for _, e := range es {
		steps = append(steps, c.exec(e, d))
		if d != drop {
			d += dest(c.width(e.Type()))
		}
		if e.Type().Kind == types.Never {
			break
		}
	}
	c.close(outer)
	return guarded(steps)
}

// partWord reads a variable, or a part of a tuple, of one word.
func (c *compiler) partWord(e types.Expr) word {
	if s, ok := c.localPart(e); ok {
		c.observePath(e)
		return func(fr *frame) uint64 { return fr[s] }
	}
	if ref, at, ok := c.globalPart(e); ok {
		c.observePath(e)
		return c.globalWord(ref, at)
	}
	field := e.(*types.TupleField)
	t, fill := c.tuple(field)
	return func(fr *frame) uint64 {
		fill(fr)
		return fr[t]
	}
}

// tuple evaluates the tuple of which e is a part, and returns where the part's words are then.
func (c *compiler) tuple(e *types.TupleField) (slot, exec) {
	c.observe(e)
	t := c.temp(c.width(e.X.Type()))
	return t + slot(c.partOffset(e)), c.exec(e.X, dest(t))
}

// partExec is partWord for any number of words.
func (c *compiler) partExec(e types.Expr, d dest) exec {
	n := c.width(e.Type())
	if s, ok := c.localPart(e); ok {
		c.observePath(e)
		return copyWords(s, d, n)
	}
	if ref, at, ok := c.globalPart(e); ok {
		c.observePath(e)
		check := c.globalCheck(ref)
		if n == 0 || d == drop {
			return check
		}
		from := c.m.globals[at : at+n]
		return func(fr *frame) {
			check(fr)
			copy(fr[d:], from)
		}
	}
	s, fill := c.tuple(e.(*types.TupleField))
	if n == 0 || d == drop {
		return fill
	}
	return prelude(fill).exec(copyWords(s, d, n))
}

// copyWords copies n words of the frame.
func copyWords(from slot, d dest, n int) exec {
	switch {
	case n == 0 || d == drop || dest(from) == d:
		return func(*frame) {}
	case n == 1:
		return func(fr *frame) { fr[slot(d)] = fr[from] }
	case n == 2:
		return func(fr *frame) {
			a, b := fr[from], fr[from+1]
			fr[slot(d)], fr[slot(d)+1] = a, b
		}
	}
	return func(fr *frame) { copy(fr[d:int(d)+n], fr[from:int(from)+n]) }
}

// globalCheck makes the check that the initialiser of a global has run.
func (c *compiler) globalCheck(ref *types.GlobalRef) exec {
	if c.isReady(ref.Global) {
		return func(*frame) {}
	}
	m, done, at := c.m, &c.m.initialised[ref.Global.ID], ref.Span.Start
	return func(*frame) {
		if !*done {
			m.panicAt(at, usedBeforeInit)
		}
	}
}

// isReady reports whether a global's initialiser has run for certain: main's statements run in their order, a function
// may be called at any time.
func (c *compiler) isReady(g *types.Global) bool {
	return g.Static || c.fn == c.m.program.Main && c.ready[g.ID]
}

const usedBeforeInit = "global used before its initialisation"

// globalWord reads one word of a global.
func (c *compiler) globalWord(ref *types.GlobalRef, at int) word {
	p := &c.m.globals[at]
	if c.isReady(ref.Global) {
		return func(*frame) uint64 { return *p }
	}
	m, done, pos := c.m, &c.m.initialised[ref.Global.ID], ref.Span.Start
	return func(*frame) uint64 {
		if !*done {
			m.panicAt(pos, usedBeforeInit)
		}
		return *p
	}
}
