package interp

import (
	"math"

	"rokrig/compiler/types"
)

// cast makes the word of `x as T`.
func (c *compiler) cast(e *types.Cast) word {
	x, before := c.operand1(e.X)
	from, to := e.X.Type().Kind, e.Typ.Kind
	switch {
	case from == types.Never || from == to:
		return before.word(x.word())
	case from.IsFloat() && to.IsFloat():
		return before.word(castFloat(to, x.word()))
	case from.IsFloat():
		return before.word(castFloatToInt(from, to, x.word()))
	case to.IsFloat():
		return before.word(castIntToFloat(from, to, x.word()))
	case from != types.Bool && c.mutant("interp/cast-saturates"):
		return before.word(saturatingCast(from, to, x.word()))
	}
	return before.word(castInt(to, x.word()))
}

// castInt truncates or extends: a normalised word is extended to 64 bits already.
func castInt(to types.Kind, a word) word {
	switch to {
	case types.I8:
		return func(fr *frame) uint64 { return uint64(int8(a(fr))) }
	case types.I16:
		return func(fr *frame) uint64 { return uint64(int16(a(fr))) }
	case types.I32:
		return func(fr *frame) uint64 { return uint64(int32(a(fr))) }
	case types.U8:
		return func(fr *frame) uint64 { return uint64(uint8(a(fr))) }
	case types.U16:
		return func(fr *frame) uint64 { return uint64(uint16(a(fr))) }
	case types.U32:
		return func(fr *frame) uint64 { return uint64(uint32(a(fr))) }
	}
	return a
}

// saturatingCast is the mutant's cast.
func saturatingCast(from, to types.Kind, a word) word {
	lo, hi := to.MinMax()
	below := func(v, limit uint64) bool { // v is of kind from, limit of kind to
		if from.IsSigned() && int64(v) < 0 {
			return !to.IsSigned() || int64(v) < int64(limit)
		}
		return !(to.IsSigned() && int64(limit) < 0) && v < limit
	}
	return func(fr *frame) uint64 {
		v := a(fr)
		switch {
		case below(v, lo):
			return lo
		case !below(v, hi):
			return hi
		}
		return v
	}
}

func castFloat(to types.Kind, a word) word {
	if to == types.F64 {
		return func(fr *frame) uint64 { return word64(float64(float32Of(a(fr)))) }
	}
	return func(fr *frame) uint64 { return word32(float32(float64Of(a(fr)))) }
}

// castIntToFloat rounds once, also from u64 to f32. A bool is an integer here.
func castIntToFloat(from, to types.Kind, a word) word {
	switch {
	case to == types.F64 && from.IsSigned():
		return func(fr *frame) uint64 { return word64(float64(int64(a(fr)))) }
	case to == types.F64:
		return func(fr *frame) uint64 { return word64(float64(a(fr))) }
	case from.IsSigned():
		return func(fr *frame) uint64 { return word32(float32(int64(a(fr)))) }
	}
	return func(fr *frame) uint64 { return word32(float32(a(fr))) }
}

// castFloatToInt truncates and saturates; NaN is 0. Every f32 is an f64.
func castFloatToInt(from, to types.Kind, a word) word {
	value := float64Of
	if from == types.F32 {
		value = func(w uint64) float64 { return float64(float32Of(w)) }
	}
	lo, hi := to.MinMax()
	// Both limits are powers of two, so floats: the smallest value, and one more than the largest.
	limit := math.Ldexp(1, to.Bits())
	least := 0.0
	if to.IsSigned() {
		limit /= 2
		least = -limit
	}
	signed := to.IsSigned()
	return func(fr *frame) uint64 {
		v := value(a(fr))
		switch {
		case math.IsNaN(v):
			return 0
		case v <= least:
			return lo
		case v >= limit:
			return hi
		case signed:
			return uint64(int64(v))
		}
		return uint64(v)
	}
}
