package interp

import (
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// integerType is a Go type that behaves like a Rok integer type: it wraps, and its conversion to uint64 gives the
// normalised word.
type integerType interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// The operators by kind of integer.
var (
	integerOperators = [...]func(*compiler, syntax.BinaryOp, source.Pos, operand, operand) word{
		types.I8: integerOperator[int8], types.I16: integerOperator[int16], types.I32: integerOperator[int32],
		types.I64: integerOperator[int64], types.U8: integerOperator[uint8], types.U16: integerOperator[uint16],
		types.U32: integerOperator[uint32], types.U64: integerOperator[uint64],
	}
	shiftOperators = [...]func(syntax.BinaryOp, operand, operand) word{
		types.I8: shiftOperator[int8], types.I16: shiftOperator[int16], types.I32: shiftOperator[int32],
		types.I64: shiftOperator[int64], types.U8: shiftOperator[uint8], types.U16: shiftOperator[uint16],
		types.U32: shiftOperator[uint32], types.U64: shiftOperator[uint64],
	}
	negations = [...]func(operand) word{
		types.I8: negation[int8], types.I16: negation[int16], types.I32: negation[int32], types.I64: negation[int64],
	}
	complements = [...]func(operand) word{
		types.I8: complement[int8], types.I16: complement[int16], types.I32: complement[int32],
		types.I64: complement[int64], types.U8: complement[uint8], types.U16: complement[uint16],
		types.U32: complement[uint32], types.U64: complement[uint64],
	}
)

// integer makes the word of an arithmetic operator on integers.
func (c *compiler) integer(op syntax.BinaryOp, kind types.Kind, at source.Pos, x, y operand) word {
	if op == syntax.Add && kind.Bits() < 64 && c.mutant("interp/narrow-add-carry") {
		a, b := x.word(), y.word()
		return func(fr *frame) uint64 { return a(fr) + b(fr) }
	}
	return integerOperators[kind](c, op, at, x, y)
}

func integerOperator[T integerType](c *compiler, op syntax.BinaryOp, at source.Pos, x, y operand) word {
	switch op {
	case syntax.Add:
		return addition[T](x, y)
	case syntax.Sub:
		return subtraction[T](x, y)
	case syntax.Mul:
		return multiplication[T](x, y)
	case syntax.Div:
		return division[T](c, at, x, y)
	case syntax.Rem:
		return remainder[T](c, at, x, y)
	case syntax.Pow:
		return power[T](c, at, x, y)
	}
	panic("no integer operator " + op.String())
}

func addition[T integerType](x, y operand) word {
	switch {
	case x.isSlot() && y.isConst():
		s, k := x.slot, T(y.bits)
		return func(fr *frame) uint64 { return uint64(T(fr[s]) + k) }
	case x.isSlot() && y.isSlot():
		s, t := x.slot, y.slot
		return func(fr *frame) uint64 { return uint64(T(fr[s]) + T(fr[t])) }
	case y.isConst():
		a, k := x.word(), T(y.bits)
		return func(fr *frame) uint64 { return uint64(T(a(fr)) + k) }
	case y.isSlot():
		a, t := x.word(), y.slot
		return func(fr *frame) uint64 {
			v := T(a(fr))
			return uint64(v + T(fr[t]))
		}
	}
	a, b := x.word(), y.word()
	return func(fr *frame) uint64 {
		v := T(a(fr))
		return uint64(v + T(b(fr)))
	}
}

func subtraction[T integerType](x, y operand) word {
	switch {
	case x.isSlot() && y.isConst():
		s, k := x.slot, T(y.bits)
		return func(fr *frame) uint64 { return uint64(T(fr[s]) - k) }
	case x.isSlot() && y.isSlot():
		s, t := x.slot, y.slot
		return func(fr *frame) uint64 { return uint64(T(fr[s]) - T(fr[t])) }
	case y.isConst():
		a, k := x.word(), T(y.bits)
		return func(fr *frame) uint64 { return uint64(T(a(fr)) - k) }
	}
	a, b := x.word(), y.word()
	return func(fr *frame) uint64 {
		v := T(a(fr))
		return uint64(v - T(b(fr)))
	}
}

func multiplication[T integerType](x, y operand) word {
	switch {
	case x.isSlot() && y.isConst():
		s, k := x.slot, T(y.bits)
		return func(fr *frame) uint64 { return uint64(T(fr[s]) * k) }
	case x.isSlot() && y.isSlot():
		s, t := x.slot, y.slot
		return func(fr *frame) uint64 { return uint64(T(fr[s]) * T(fr[t])) }
	case y.isConst():
		a, k := x.word(), T(y.bits)
		return func(fr *frame) uint64 { return uint64(T(a(fr)) * k) }
	}
	a, b := x.word(), y.word()
	return func(fr *frame) uint64 {
		v := T(a(fr))
		return uint64(v * T(b(fr)))
	}
}

// checkDivision panics on the operands that / and % do not take. A T of which all bits are set is -1 if T is signed.
func checkDivision[T integerType](m *Machine, at source.Pos, a, b T) {
	switch {
	case b == 0:
		m.panicAt(at, "division by zero")
	case b == ^T(0) && b < 0 && a == -a && a != 0: // only the smallest value is its own negative
		m.panicAt(at, "integer overflow")
	}
}

func division[T integerType](c *compiler, at source.Pos, x, y operand) word {
	m := c.m
	if c.mutant("interp/div-floors") {
		return flooredDivision[T](m, at, x.word(), y.word())
	}
	if k := T(y.bits); y.isConst() && k != 0 && k != ^T(0) {
		a := x.word()
		return func(fr *frame) uint64 { return uint64(T(a(fr)) / k) }
	}
	a, b := x.word(), y.word()
	return func(fr *frame) uint64 {
		v := T(a(fr))
		w := T(b(fr))
		if w+1 <= 1 { // 0, or all bits set
			checkDivision(m, at, v, w)
		}
		return uint64(v / w)
	}
}

// flooredDivision is the mutant's division.
func flooredDivision[T integerType](m *Machine, at source.Pos, a, b word) word {
	return func(fr *frame) uint64 {
		v := T(a(fr))
		w := T(b(fr))
		checkDivision(m, at, v, w)
		q := v / w
		if v%w != 0 && (v < 0) != (w < 0) {
			q--
		}
		return uint64(q)
	}
}

func remainder[T integerType](c *compiler, at source.Pos, x, y operand) word {
	m := c.m
	if k := T(y.bits); y.isConst() && k != 0 && k != ^T(0) {
		a := x.word()
		return func(fr *frame) uint64 { return uint64(T(a(fr)) % k) }
	}
	a, b := x.word(), y.word()
	return func(fr *frame) uint64 {
		v := T(a(fr))
		w := T(b(fr))
		if w+1 <= 1 {
			checkDivision(m, at, v, w)
		}
		return uint64(v % w)
	}
}

func power[T integerType](c *compiler, at source.Pos, x, y operand) word {
	m, a, b := c.m, x.word(), y.word()
	return func(fr *frame) uint64 {
		base := T(a(fr))
		exponent := T(b(fr))
		if exponent < 0 {
			m.panicAt(at, "negative exponent")
		}
		result := T(1)
		for ; exponent != 0; exponent /= 2 {
			if exponent%2 != 0 {
				result *= base
			}
			base *= base
		}
		return uint64(result)
	}
}

// shift makes the word of `<<` and `>>`; y is the word of any integer type, and only its low bits count.
func (c *compiler) shift(op syntax.BinaryOp, kind types.Kind, x, y operand) word {
	if op == syntax.Shr && kind.IsSigned() && c.mutant("interp/shift-logical") {
		a, b := x.word(), y.word()
		width := uint64(kind.Bits())
		low := ^uint64(0) >> (64 - width)
		return func(fr *frame) uint64 {
			v := a(fr) & low
			return kind.Normalise(v >> (b(fr) & (width - 1)))
		}
	}
	return shiftOperators[kind](op, x, y)
}

func shiftOperator[T integerType](op syntax.BinaryOp, x, y operand) word {
	a, b := x.word(), y.word()
	mask := uint64(bitWidth[T]() - 1)
	if y.isConst() {
		count := y.bits & mask
		if op == syntax.Shl {
			return func(fr *frame) uint64 { return uint64(T(a(fr)) << count) }
		}
		return func(fr *frame) uint64 { return uint64(T(a(fr)) >> count) }
	}
	if op == syntax.Shl {
		return func(fr *frame) uint64 {
			v := T(a(fr))
			return uint64(v << (b(fr) & mask))
		}
	}
	return func(fr *frame) uint64 {
		v := T(a(fr))
		return uint64(v >> (b(fr) & mask))
	}
}

// bitWidth returns how many bits a T has.
func bitWidth[T integerType]() (bits int) {
	for v := T(1); v != 0; v <<= 1 {
		bits++
	}
	return bits
}

// bitwise makes the word of & | ^, which keep words normalised whatever their type, bool included.
func bitwise(op syntax.BinaryOp, x, y operand) word {
	if x.isSlot() && y.isConst() {
		s, k := x.slot, y.bits
		switch op {
		case syntax.BitAnd:
			return func(fr *frame) uint64 { return fr[s] & k }
		case syntax.BitOr:
			return func(fr *frame) uint64 { return fr[s] | k }
		}
		return func(fr *frame) uint64 { return fr[s] ^ k }
	}
	a, b := x.word(), y.word()
	switch op {
	case syntax.BitAnd:
		return func(fr *frame) uint64 {
			v := a(fr)
			return v & b(fr)
		}
	case syntax.BitOr:
		return func(fr *frame) uint64 {
			v := a(fr)
			return v | b(fr)
		}
	}
	return func(fr *frame) uint64 {
		v := a(fr)
		return v ^ b(fr)
	}
}

func negation[T integerType](x operand) word {
	a := x.word()
	return func(fr *frame) uint64 { return uint64(-T(a(fr))) }
}

func complement[T integerType](x operand) word {
	a := x.word()
	return func(fr *frame) uint64 { return uint64(^T(a(fr))) }
}

// unary makes the word of `-x` and `!x`.
func (c *compiler) unary(e *types.Unary) word {
	x, before := c.operand1(e.X)
	a := x.word()
	kind := e.Typ.Kind
	switch {
	case kind == types.Never || e.X.Type().Kind == types.Never:
		return before.word(a)
	case e.Op == syntax.Not && kind == types.Bool:
		return before.word(func(fr *frame) uint64 { return a(fr) ^ 1 })
	case e.Op == syntax.Not:
		return before.word(complements[kind](x))
	case e.Op == syntax.Deref: // the identity on everything but a Ptr
		return before.word(a)
	case kind == types.F64:
		return before.word(func(fr *frame) uint64 { return a(fr) ^ signBit64 })
	case kind == types.F32:
		return before.word(func(fr *frame) uint64 { return a(fr) ^ signBit32 })
	}
	return before.word(negations[kind](x))
}
