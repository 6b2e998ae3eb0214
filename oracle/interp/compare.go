package interp

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// comparison makes the test of `== != < <= > >=`.
func (c *compiler) comparison(e *types.Binary) test {
	kind := e.X.Type().Kind
	if kind == types.Never {
		kind = e.Y.Type().Kind
	}
	switch kind {
	case types.Tuple, types.Unit, types.Never:
		return c.compareParts(e)
	}
	x, y, before := c.operands2(e.X, e.Y)
	return before.test(c.compare(e.Op, kind, x, y))
}

// compare makes the test of two operands of a kind that takes one word.
func (c *compiler) compare(op syntax.BinaryOp, kind types.Kind, x, y operand) test {
	switch {
	case kind == types.F64:
		return compareFloat64(op, x.word(), y.word())
	case kind == types.F32:
		return compareFloat32(op, x.word(), y.word())
	case kind == types.Str:
		return c.compareStr(op, x.word(), y.word())
	case op == syntax.Eq:
		return equalWords(x, y)
	case op == syntax.Ne:
		return unequalWords(x, y)
	case kind.IsSigned():
		return compareSigned(op, x, y)
	}
	return compareUnsigned(op, x.word(), y.word())
}

func equalWords(x, y operand) test {
	if x.isSlot() && y.isConst() {
		s, k := x.slot, y.bits
		return func(fr *frame) bool { return fr[s] == k }
	}
	a, b := x.word(), y.word()
	return func(fr *frame) bool {
		v := a(fr)
		return v == b(fr)
	}
}

func unequalWords(x, y operand) test {
	if x.isSlot() && y.isConst() {
		s, k := x.slot, y.bits
		return func(fr *frame) bool { return fr[s] != k }
	}
	a, b := x.word(), y.word()
	return func(fr *frame) bool {
		v := a(fr)
		return v != b(fr)
	}
}

func compareSigned(op syntax.BinaryOp, x, y operand) test {
	if x.isSlot() && y.isConst() {
		return compareSlotConst(op, x.slot, int64(y.bits))
	}
	if x.isSlot() && y.isSlot() {
		return compareSlots(op, x.slot, y.slot)
	}
	a, b := x.word(), y.word()
	switch op {
	case syntax.Lt:
		return func(fr *frame) bool {
			v := int64(a(fr))
			return v < int64(b(fr))
		}
	case syntax.Le:
		return func(fr *frame) bool {
			v := int64(a(fr))
			return v <= int64(b(fr))
		}
	case syntax.Gt:
		return func(fr *frame) bool {
			v := int64(a(fr))
			return v > int64(b(fr))
		}
	}
	return func(fr *frame) bool {
		v := int64(a(fr))
		return v >= int64(b(fr))
	}
}

func compareSlotConst(op syntax.BinaryOp, s slot, k int64) test {
	switch op {
	case syntax.Lt:
		return func(fr *frame) bool { return int64(fr[s]) < k }
	case syntax.Le:
		return func(fr *frame) bool { return int64(fr[s]) <= k }
	case syntax.Gt:
		return func(fr *frame) bool { return int64(fr[s]) > k }
	}
	return func(fr *frame) bool { return int64(fr[s]) >= k }
}

func compareSlots(op syntax.BinaryOp, s, t slot) test {
	switch op {
	case syntax.Lt:
		return func(fr *frame) bool { return int64(fr[s]) < int64(fr[t]) }
	case syntax.Le:
		return func(fr *frame) bool { return int64(fr[s]) <= int64(fr[t]) }
	case syntax.Gt:
		return func(fr *frame) bool { return int64(fr[s]) > int64(fr[t]) }
	}
	return func(fr *frame) bool { return int64(fr[s]) >= int64(fr[t]) }
}

// compareUnsigned is for unsigned integers and bool.
func compareUnsigned(op syntax.BinaryOp, a, b word) test {
	switch op {
	case syntax.Lt:
		return func(fr *frame) bool {
			v := a(fr)
			return v < b(fr)
		}
	case syntax.Le:
		return func(fr *frame) bool {
			v := a(fr)
			return v <= b(fr)
		}
	case syntax.Gt:
		return func(fr *frame) bool {
			v := a(fr)
			return v > b(fr)
		}
	}
	return func(fr *frame) bool {
		v := a(fr)
		return v >= b(fr)
	}
}

func compareFloat64(op syntax.BinaryOp, a, b word) test {
	return func(fr *frame) bool {
		v := float64Of(a(fr))
		return orderHolds(op, v, float64Of(b(fr)))
	}
}

func compareFloat32(op syntax.BinaryOp, a, b word) test {
	return func(fr *frame) bool {
		v := float32Of(a(fr))
		return orderHolds(op, v, float32Of(b(fr)))
	}
}

func (c *compiler) compareStr(op syntax.BinaryOp, a, b word) test {
	m := c.m
	return func(fr *frame) bool {
		v := a(fr)
		return orderHolds(op, m.compareText(v, b(fr)), 0)
	}
}

// orderHolds compares two values by Go's own operators, which are false for NaN but for `!=`.
func orderHolds[T float64 | float32 | int](op syntax.BinaryOp, a, b T) bool {
	switch op {
	case syntax.Eq:
		return a == b
	case syntax.Ne:
		return a != b
	case syntax.Lt:
		return a < b
	case syntax.Le:
		return a <= b
	case syntax.Gt:
		return a > b
	}
	return a >= b
}

// compareParts makes the test of `==` and `!=` on tuples and ().
func (c *compiler) compareParts(e *types.Binary) test {
	n := c.width(e.X.Type())
	x, y := c.temp(n), c.temp(c.width(e.Y.Type()))
	outer := c.open()
	a := c.exec(e.X, dest(x))
	b := c.exec(e.Y, dest(y))
	c.close(outer)
	before := guarded([]exec{a, b})
	var parts []partTest
	parts, _, _ = c.partTests(nil, e.X.Type(), x, y)
	equal := e.Op == syntax.Eq
	return func(fr *frame) bool {
		if before(fr); fr[0] != ctlNormal {
			return false
		}
		for _, p := range parts {
			if !p(fr) {
				return !equal
			}
		}
		return equal
	}
}

// partTest is the test that one part is equal in two tuples.
type partTest = test

// partTests appends the tests of a value of type t that stands at both x and y, and returns the slots behind it.
func (c *compiler) partTests(parts []partTest, t *types.Type, x, y slot) ([]partTest, slot, slot) {
	if t.Kind == types.Tuple {
		for _, part := range t.Args {
			parts, x, y = c.partTests(parts, part, x, y)
		}
		return parts, x, y
	}
	if c.width(t) == 0 {
		return parts, x, y
	}
	a, b := operand{kind: inSlot, slot: x}, operand{kind: inSlot, slot: y}
	return append(parts, c.compare(syntax.Eq, t.Kind, a, b)), x + 1, y + 1
}
