package gen

import (
	"math"

	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// value is a constant that the generator works with: a normalised word, or the bits of a float, or a bool as 0 and 1.
type value struct {
	kind types.Kind
	bits uint64
}

func (v value) float() float64 {
	if v.kind == types.F32 {
		return float64(math.Float32frombits(uint32(v.bits)))
	}
	return math.Float64frombits(v.bits)
}

// floatOf rounds f, which is exact or the result of one operation, to a float kind.
func floatOf(k types.Kind, f float64) value {
	if k == types.F32 {
		return value{k, uint64(math.Float32bits(float32(f)))}
	}
	return value{k, math.Float64bits(f)}
}

func boolOf(b bool) value {
	if b {
		return value{types.Bool, 1}
	}
	return value{types.Bool, 0}
}

// evalBinary works an operator out. ok is false when it would panic, and for what it does not know.
// It shares nothing with the compiler's folding and the interpreter's arithmetic, so that it can disagree with them.
func evalBinary(op syntax.BinaryOp, x, y value) (v value, ok bool) {
	switch {
	case op.IsCompare():
		return evalCompare(op, x, y), true
	case x.kind == types.Bool:
		return evalBool(op, x, y)
	case x.kind.IsFloat():
		return evalFloat(op, x, y)
	}
	return evalInt(op, x, y)
}

func evalCompare(op syntax.BinaryOp, x, y value) value {
	var less, equal bool
	switch {
	case x.kind.IsFloat():
		less, equal = x.float() < y.float(), x.float() == y.float()
		if x.float() != x.float() || y.float() != y.float() {
			return boolOf(op == syntax.Ne)
		}
	case x.kind.IsSigned():
		less, equal = int64(x.bits) < int64(y.bits), x.bits == y.bits
	default:
		less, equal = x.bits < y.bits, x.bits == y.bits
	}
	switch op {
	case syntax.Eq:
		return boolOf(equal)
	case syntax.Ne:
		return boolOf(!equal)
	case syntax.Lt:
		return boolOf(less)
	case syntax.Le:
		return boolOf(less || equal)
	case syntax.Gt:
		return boolOf(!less && !equal)
	}
	return boolOf(!less)
}

func evalBool(op syntax.BinaryOp, x, y value) (value, bool) {
	switch op {
	case syntax.And, syntax.BitAnd:
		return value{types.Bool, x.bits & y.bits}, true
	case syntax.Or, syntax.BitOr:
		return value{types.Bool, x.bits | y.bits}, true
	case syntax.BitXor:
		return value{types.Bool, x.bits ^ y.bits}, true
	}
	return value{}, false
}

func evalFloat(op syntax.BinaryOp, x, y value) (value, bool) {
	a, b := x.float(), y.float()
	if x.kind == types.F32 {
		// The double result of one operation on two singles, rounded again, is the single result (Figueroa, 1995).
		switch op {
		case syntax.Add, syntax.Sub, syntax.Mul, syntax.Div:
		default:
			return value{}, false
		}
	}
	switch op {
	case syntax.Add:
		return floatOf(x.kind, a+b), true
	case syntax.Sub:
		return floatOf(x.kind, a-b), true
	case syntax.Mul:
		return floatOf(x.kind, a*b), true
	case syntax.Div:
		return floatOf(x.kind, a/b), true
	}
	return value{}, false
}

func evalInt(op syntax.BinaryOp, x, y value) (value, bool) {
	k := x.kind
	var w uint64
	switch op {
	case syntax.Add:
		w = x.bits + y.bits
	case syntax.Sub:
		w = x.bits - y.bits
	case syntax.Mul:
		w = x.bits * y.bits
	case syntax.BitAnd:
		w = x.bits & y.bits
	case syntax.BitOr:
		w = x.bits | y.bits
	case syntax.BitXor:
		w = x.bits ^ y.bits
	case syntax.Div, syntax.Rem:
		return evalDivision(op, x, y)
	case syntax.Shl:
		w = x.bits << (y.bits & uint64(k.Bits()-1))
	case syntax.Shr:
		count := y.bits & uint64(k.Bits()-1)
		if k.IsSigned() {
			w = uint64(int64(x.bits) >> count)
		} else {
			w = x.bits >> count
		}
	case syntax.Pow:
		if y.kind.IsSigned() && int64(y.bits) < 0 {
			return value{}, false
		}
		w = 1
		for base, e := x.bits, y.bits; e != 0; e >>= 1 {
			if e&1 != 0 {
				w *= base
			}
			base *= base
		}
	default:
		return value{}, false
	}
	return value{k, k.Normalise(w)}, true
}

func evalDivision(op syntax.BinaryOp, x, y value) (value, bool) {
	k := x.kind
	lo, _ := k.MinMax()
	if y.bits == 0 || k.IsSigned() && x.bits == lo && int64(y.bits) == -1 {
		return value{}, false
	}
	var q, r uint64
	if k.IsSigned() {
		q, r = uint64(int64(x.bits)/int64(y.bits)), uint64(int64(x.bits)%int64(y.bits))
	} else {
		q, r = x.bits/y.bits, x.bits%y.bits
	}
	if op == syntax.Div {
		return value{k, q}, true
	}
	return value{k, r}, true
}

func evalUnary(op syntax.UnaryOp, x value) value {
	switch {
	case x.kind == types.Bool:
		return value{types.Bool, x.bits ^ 1}
	case x.kind.IsFloat():
		return floatOf(x.kind, -x.float())
	case op == syntax.Neg:
		return value{x.kind, x.kind.Normalise(-x.bits)}
	}
	return value{x.kind, x.kind.Normalise(^x.bits)}
}

// evalCast converts x to kind k.
func evalCast(x value, k types.Kind) value {
	switch {
	case x.kind.IsFloat() && k.IsFloat():
		return floatOf(k, x.float())
	case x.kind.IsFloat():
		return value{k, saturate(x.float(), k)}
	case !k.IsFloat():
		return value{k, k.Normalise(x.bits)}
	case k == types.F32 && x.kind.IsSigned():
		return value{k, uint64(math.Float32bits(float32(int64(x.bits))))}
	case k == types.F32:
		return value{k, uint64(math.Float32bits(float32(x.bits)))}
	case x.kind.IsSigned():
		return value{k, math.Float64bits(float64(int64(x.bits)))}
	}
	return value{k, math.Float64bits(float64(x.bits))}
}

// saturate truncates f toward zero into the values of an integer kind; NaN gives 0.
func saturate(f float64, k types.Kind) uint64 {
	lo, hi := k.MinMax()
	switch {
	case f != f:
		return 0
	case k.IsSigned():
		if f >= math.Ldexp(1, k.Bits()-1) {
			return hi
		}
		if f <= -math.Ldexp(1, k.Bits()-1) {
			return lo
		}
		return uint64(int64(f))
	case f >= math.Ldexp(1, k.Bits()):
		return hi
	case f <= 0:
		return 0
	}
	return uint64(f)
}
