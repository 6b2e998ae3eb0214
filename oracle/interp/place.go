package interp

import (
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// let makes the closure of a let statement.
func (c *compiler) let(s *types.LetStmt) exec {
	if bind, ok := s.Pat.(*types.BindPat); ok && bind.Local != nil {
		c.observe(bind)
		return c.exec(s.Init, dest(c.slots[bind.Local.ID]))
	}
	t := c.temp(c.width(s.Init.Type()))
	outer := c.open()
	init := c.exec(s.Init, dest(t))
	escapes := c.close(outer)
	bind := c.pattern(s.Pat, t, nil)
	if bind == nil {
		return init
	}
	if !escapes {
		return func(fr *frame) {
			init(fr)
			bind(fr)
		}
	}
	return func(fr *frame) {
		if init(fr); fr[0] == ctlNormal {
			bind(fr)
		}
	}
}

// assign makes the closure of `place = v` and `place op= v`.
func (c *compiler) assign(e *types.Assign) exec {
	c.observePath(e.Place)
	if s, ok := c.localPart(e.Place); ok {
		if e.Op != syntax.NoOp {
			w, before := c.combine(e, operand{kind: inSlot, slot: s})
			return before.exec(c.store(s, w))
		}
		return c.assignLocal(e, s)
	}
	ref, at, ok := c.globalPart(e.Place)
	if !ok {
		c.unexpected(e)
	}
	if e.Op != syntax.NoOp {
		p := &c.m.globals[at]
		w, before := c.combine(e, operand{run: c.globalWord(ref, at)})
		return before.exec(func(fr *frame) { *p = w(fr) })
	}
	store := c.assignGlobal(e, at)
	if e.Place == types.Expr(ref) {
		return store // a whole global may be stored to before its initialiser
	}
	check := c.globalCheck(ref)
	return func(fr *frame) {
		check(fr)
		store(fr)
	}
}

// combine makes the word of `place op v`, where the old value of the place is loaded before v.
func (c *compiler) combine(e *types.Assign, old operand) (word, prelude) {
	outer := c.open()
	v := c.operand(e.Value)
	ops := []operand{old, v}
	var before prelude
	if c.close(outer) {
		before = c.spill(ops)
	}
	return c.operator(e.Op, e.Place.Type().Kind, e.Value.Type().Kind, e.OpPos, ops[0], ops[1]), before
}

// assignLocal stores a value into slots. The value may read what it replaces, so that several words go round by
// temporaries; and when it leaves the expression nothing may be stored.
func (c *compiler) assignLocal(e *types.Assign, s slot) exec {
	n := c.width(e.Place.Type())
	if n == 1 {
		v, before := c.operand1(e.Value)
		return before.exec(storeOperand(s, v))
	}
	t := c.temp(n)
	outer := c.open()
	value := c.exec(e.Value, dest(t))
	c.close(outer)
	move := copyWords(t, dest(s), n)
	return prelude(value).exec(move)
}

// storeOperand is store for the common shapes.
func storeOperand(s slot, v operand) exec {
	switch v.kind {
	case constant:
		bits := v.bits
		return func(fr *frame) { fr[s] = bits }
	case inSlot:
		from := v.slot
		return func(fr *frame) { fr[s] = fr[from] }
	}
	w := v.run
	return func(fr *frame) { fr[s] = w(fr) }
}

// assignGlobal stores a value into the words of a global from at on.
func (c *compiler) assignGlobal(e *types.Assign, at int) exec {
	n := c.width(e.Place.Type())
	if n == 1 {
		v, before := c.operand1(e.Value)
		p, w := &c.m.globals[at], v.word()
		return before.exec(func(fr *frame) { *p = w(fr) })
	}
	t := c.temp(n)
	value := c.exec(e.Value, dest(t))
	to := c.m.globals[at : at+n]
	return prelude(value).exec(func(fr *frame) { copy(to, fr[t:]) })
}

// binary makes the word of an operator other than the comparisons.
func (c *compiler) binary(e *types.Binary) word {
	x, y, before := c.operands2(e.X, e.Y)
	kind := e.Typ.Kind
	if kind == types.Never { // an operand never ends, so that any operator will do
		kind = types.I64
	}
	return before.word(c.operator(e.Op, kind, e.Y.Type().Kind, e.OpPos, x, y))
}

// operator makes the word of `x op y` for values of a kind; count is the kind of y, which differs for shifts only.
func (c *compiler) operator(op syntax.BinaryOp, kind, count types.Kind, at source.Pos, x, y operand) word {
	if op == syntax.Shl || op == syntax.Shr {
		return c.shift(op, kind, x, y)
	}
	switch {
	case op == syntax.BitAnd || op == syntax.BitOr || op == syntax.BitXor:
		return bitwise(op, x, y)
	case kind.IsInt():
		return c.integer(op, kind, at, x, y)
	case kind == types.F64:
		return float64Operator(op, x, y)
	case kind == types.F32:
		return float32Operator(op, x, y)
	}
	panic("no operator " + op.String() + " on values of kind " + types.Prim(kind).String())
}
