package interp

import "rokrig/compiler/types"

// A call's closure is a word whatever the width of its result: one word is returned, more are found by Machine.result.

// call makes the closure of a call to a known function.
func (c *compiler) call(e *types.Call) word {
	f := c.function(e.Func)
	n := c.argWords(e.Args)
	if n <= 3 && c.allWords(e.Args) {
		ops, before := c.operandList(e.Args...)
		return before.word(c.callWords(f, ops))
	}
	t := c.temp(n)
	args := c.sequence(e.Args, dest(t))
	m := c.m
	return prelude(args).word(func(fr *frame) uint64 {
		callee := m.push(f)
		copy(callee[f.params:int(f.params)+n], fr[t:int(t)+n])
		return m.finish(f, callee)
	})
}

// callWords makes the closure of a call with up to three arguments of one word each.
func (c *compiler) callWords(f *function, ops []operand) word {
	m := c.m
	switch len(ops) {
	case 0:
		return func(*frame) uint64 { return m.finish(f, m.push(f)) }
	case 1:
		x := ops[0].word()
		return func(fr *frame) uint64 {
			a := x(fr)
			callee := m.push(f)
			callee[f.params] = a
			return m.finish(f, callee)
		}
	case 2:
		x, y := ops[0].word(), ops[1].word()
		return func(fr *frame) uint64 {
			a := x(fr)
			b := y(fr)
			callee := m.push(f)
			callee[f.params], callee[f.params+1] = a, b
			return m.finish(f, callee)
		}
	}
	x, y, z := ops[0].word(), ops[1].word(), ops[2].word()
	return func(fr *frame) uint64 {
		a := x(fr)
		b := y(fr)
		d := z(fr)
		callee := m.push(f)
		callee[f.params], callee[f.params+1], callee[f.params+2] = a, b, d
		return m.finish(f, callee)
	}
}

// finish runs f, whose frame holds its arguments, and takes the frame off.
func (m *Machine) finish(f *function, callee *frame) uint64 {
	v := f.run(callee)
	if callee[0] != ctlNormal { // a return
		v = callee[resultSlot]
	}
	m.pop(f)
	return v
}

// callValue makes the closure of a call to a function value, which is evaluated before the arguments.
func (c *compiler) callValue(e *types.CallValue) word {
	target := c.temp(1)
	n := c.argWords(e.Args)
	t := c.temp(n)
	outer := c.open()
	first := c.exec(e.Callee, dest(target))
	args := c.sequence(e.Args, dest(t))
	c.close(outer)
	m := c.m
	return prelude(guarded([]exec{first, args})).word(func(fr *frame) uint64 {
		f := &m.funcs[fr[target]]
		callee := m.push(f)
		copy(callee[f.params:int(f.params)+n], fr[t:int(t)+n])
		return m.finish(f, callee)
	})
}

// callExec puts the result of a call, n words, to d.
func (c *compiler) callExec(call word, n int, d dest) exec {
	m := c.m
	if d == drop {
		return func(fr *frame) { call(fr) }
	}
	return func(fr *frame) {
		if call(fr); fr[0] == ctlNormal {
			copy(fr[d:], m.result(n))
		}
	}
}

// argWords returns how many words the arguments take.
func (c *compiler) argWords(args []types.Expr) (n int) {
	for _, a := range args {
		n += c.width(a.Type())
	}
	return n
}

// allWords reports whether each argument takes one word.
func (c *compiler) allWords(args []types.Expr) bool {
	for _, a := range args {
		if c.width(a.Type()) != 1 {
			return false
		}
	}
	return true
}
