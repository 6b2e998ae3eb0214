package types

import (
	"math"
	"math/bits"

	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
)

// The initialiser of a static is evaluated here, with exactly the meaning the expression has at run time; what would
// panic there is an error here.

// checkStatics checks and evaluates the initialisers of the statics.
func (c *checker) checkStatics() {
	for _, s := range c.statics {
		if c.diags.Full() {
			return
		}
		c.enter(&Func{Type: c.table.Fn(nil, nil, Prim(Invalid))})
		errors := c.errors
		x := c.want(s.init, s.global.Type)
		if c.errors == errors && c.constant(x) {
			s.global.Init = c.fold(x)
		}
	}
}

// constant reports whether e is made of what a static's initialiser may hold, and an error if not. That goes for all of
// it, also for the operand that `false && x` does not evaluate.
func (c *checker) constant(e Expr) bool {
	switch e := e.(type) {
	case *Const:
		return true
	case *TupleExpr:
		for _, x := range e.Elems {
			if !c.constant(x) {
				return false
			}
		}
		return true
	case *Unary:
		return c.constant(e.X)
	case *Cast:
		return c.constant(e.X)
	case *Logic:
		return c.constant(e.X) && c.constant(e.Y)
	case *Binary:
		return c.constant(e.X) && c.constant(e.Y)
	}
	c.errorf(e.Where(), "the initialiser of a `static` is made of literals, operators and `as`")
	return false
}

// fold returns the value of a constant expression: a *Const or a *TupleExpr of such; nil if it panics, which is reported.
func (c *checker) fold(e Expr) Expr {
	switch e := e.(type) {
	case *TupleExpr:
		out := &TupleExpr{e.Base, make([]Expr, len(e.Elems))}
		for i, x := range e.Elems {
			if out.Elems[i] = c.fold(x); out.Elems[i] == nil {
				return nil
			}
		}
		return out
	case *Unary:
		if x := c.foldScalar(e.X); x != nil {
			return &Const{Base: e.Base, Bits: evalUnary(e.Op, x.Typ.Kind, x.Bits)}
		}
	case *Cast:
		if x := c.foldScalar(e.X); x != nil {
			return &Const{Base: e.Base, Bits: evalCast(x.Typ.Kind, e.Typ.Kind, x.Bits)}
		}
	case *Logic:
		return c.foldLogic(e)
	case *Binary:
		return c.foldBinary(e)
	default:
		return e
	}
	return nil
}

// foldScalar is fold for an operand that cannot be a tuple.
func (c *checker) foldScalar(e Expr) *Const {
	k, _ := c.fold(e).(*Const)
	return k
}

func (c *checker) foldLogic(e *Logic) Expr {
	x := c.foldScalar(e.X)
	if x == nil {
		return nil
	}
	if (x.Bits != 0) == (e.Op == syntax.Or) {
		return &Const{Base: e.Base, Bits: x.Bits}
	}
	if y := c.foldScalar(e.Y); y != nil {
		return &Const{Base: e.Base, Bits: y.Bits}
	}
	return nil
}

func (c *checker) foldBinary(e *Binary) Expr {
	x := c.fold(e.X)
	if x == nil {
		return nil
	}
	y := c.fold(e.Y)
	if y == nil {
		return nil
	}
	if e.Op == syntax.Eq || e.Op == syntax.Ne {
		return &Const{Base: e.Base, Bits: wordOf(equalConst(x, y) == (e.Op == syntax.Eq))}
	}
	kx, ky := x.(*Const), y.(*Const) // no other operator takes tuples
	if e.Op.IsCompare() {
		return &Const{Base: e.Base, Bits: wordOf(compareConst(e.Op, kx, ky))}
	}
	if k := kx.Typ.Kind; ky.Bits >= uint64(k.Bits()) && (e.Op == syntax.Shl || e.Op == syntax.Shr) && c.mutant.On(mutant.StaticShiftUnmasked) {
		return &Const{Base: e.Base, Bits: 0}
	}
	if k := kx.Typ.Kind; e.Op == syntax.Shr && k.IsSigned() && int64(kx.Bits) < 0 && c.mutant.On(mutant.StaticShiftLogical) {
		mask := uint64(1)<<(k.Bits()-1)<<1 - 1 // of the kind's own bits
		return &Const{Base: e.Base, Bits: k.Normalise(kx.Bits & mask >> (ky.Bits & uint64(k.Bits()-1)))}
	}
	word, fault := evalBinary(e.Op, kx.Typ.Kind, kx.Bits, ky.Typ.Kind, ky.Bits)
	if fault != "" {
		c.errorf(source.At(e.OpPos), "the initialiser panics: %s", fault)
		return nil
	}
	return &Const{Base: e.Base, Bits: word}
}

func equalConst(x, y Expr) bool {
	if t, ok := x.(*TupleExpr); ok {
		for i := range t.Elems {
			if !equalConst(t.Elems[i], y.(*TupleExpr).Elems[i]) {
				return false
			}
		}
		return true
	}
	a, b := x.(*Const), y.(*Const)
	if k := a.Typ.Kind; k.IsFloat() {
		return floatOf(k, a.Bits) == floatOf(k, b.Bits)
	}
	return a.Bits == b.Bits && a.Str == b.Str
}

func compareConst(op syntax.BinaryOp, x, y *Const) bool {
	var less, greater bool
	switch k := x.Typ.Kind; {
	case k == Str:
		less, greater = x.Str < y.Str, x.Str > y.Str
	case k.IsFloat():
		a, b := floatOf(k, x.Bits), floatOf(k, y.Bits)
		if a != a || b != b {
			return false
		}
		less, greater = a < b, a > b
	default:
		less, greater = k.LessWords(x.Bits, y.Bits), k.LessWords(y.Bits, x.Bits)
	}
	switch op {
	case syntax.Lt:
		return less
	case syntax.Le:
		return !greater
	case syntax.Gt:
		return greater
	}
	return !less
}

// floatOf returns the value of a float kind's bits; every f32 is an f64.
func floatOf(k Kind, word uint64) float64 {
	if k == F32 {
		return float64(math.Float32frombits(uint32(word)))
	}
	return math.Float64frombits(word)
}

func evalUnary(op syntax.UnaryOp, k Kind, x uint64) uint64 {
	switch {
	case k.IsFloat():
		return bitsOfFloat(k, -floatOf(k, x))
	case k == Bool:
		return x ^ 1
	case op == syntax.Neg:
		return k.Normalise(-x)
	}
	return k.Normalise(^x)
}

// evalCast converts a word of kind from to one of kind to.
func evalCast(from, to Kind, x uint64) uint64 {
	switch {
	case from.IsFloat() && to.IsFloat():
		return bitsOfFloat(to, floatOf(from, x))
	case from.IsFloat():
		return floatToInt(floatOf(from, x), to)
	case !to.IsFloat():
		return to.Normalise(x) // also from bool
	case to == F32 && from.IsSigned():
		return uint64(math.Float32bits(float32(int64(x)))) // one rounding, not by way of float64
	case to == F32:
		return uint64(math.Float32bits(float32(x)))
	case from.IsSigned():
		return math.Float64bits(float64(int64(x)))
	}
	return math.Float64bits(float64(x))
}

// floatToInt truncates toward zero and saturates; NaN is 0.
func floatToInt(v float64, to Kind) uint64 {
	lo, hi := to.MinMax()
	limit := math.Ldexp(1, to.Bits()) // the first value too large
	if to.IsSigned() {
		limit /= 2
	}
	switch {
	case v != v:
		return 0
	case v >= limit:
		return hi
	case to.IsSigned() && v < -limit || !to.IsSigned() && v <= 0:
		return lo
	case to.IsSigned():
		return uint64(int64(v))
	case v >= 1<<63:
		return uint64(int64(v-1<<63)) + 1<<63
	}
	return uint64(int64(v))
}

// evalBinary computes x op y for the arithmetic, bit and shift operators; fault is the panic's message.
func evalBinary(op syntax.BinaryOp, k Kind, x uint64, ky Kind, y uint64) (word uint64, fault string) {
	if k.IsFloat() {
		return evalFloat(op, k, floatOf(k, x), floatOf(k, y)), ""
	}
	switch op {
	case syntax.Div, syntax.Rem:
		return evalDivision(op, k, x, y)
	case syntax.Pow:
		if k.IsSigned() && int64(y) < 0 {
			return 0, "negative exponent"
		}
		word = power(x, y)
	case syntax.BitOr:
		word = x | y
	case syntax.BitXor:
		word = x ^ y
	case syntax.BitAnd:
		word = x & y
	case syntax.Shl:
		word = x << (y & uint64(k.Bits()-1))
	case syntax.Shr:
		count := y & uint64(k.Bits()-1)
		if k.IsSigned() {
			word = uint64(int64(x) >> count)
		} else {
			word = x >> count
		}
	case syntax.Add:
		word = x + y
	case syntax.Sub:
		word = x - y
	case syntax.Mul:
		word = x * y
	default:
		panic("types: not an operator on words: " + op.String())
	}
	if k == Bool {
		return word, ""
	}
	return k.Normalise(word), ""
}

func evalDivision(op syntax.BinaryOp, k Kind, x, y uint64) (uint64, string) {
	least, _ := k.MinMax()
	switch {
	case y == 0:
		return 0, "division by zero"
	case k.IsSigned() && x == least && int64(y) == -1:
		return 0, "integer overflow"
	case k.IsSigned() && op == syntax.Div:
		return uint64(int64(x) / int64(y)), ""
	case k.IsSigned():
		return uint64(int64(x) % int64(y)), ""
	case op == syntax.Div:
		return x / y, ""
	}
	return x % y, ""
}

// power returns x to the y-th, modulo 2^64, by squaring.
func power(x, y uint64) uint64 {
	word := uint64(1)
	for bit := bits.Len64(y) - 1; bit >= 0; bit-- {
		word *= word
		if y>>bit&1 != 0 {
			word *= x
		}
	}
	return word
}

func evalFloat(op syntax.BinaryOp, k Kind, x, y float64) uint64 {
	switch {
	case op == syntax.Rem:
		x = math.Mod(x, y) // exact, so also exact for f32
	case k == F32:
		x = float64(arithmetic(op, float32(x), float32(y)))
	default:
		x = arithmetic(op, x, y)
	}
	return bitsOfFloat(k, x)
}

// arithmetic computes in its own type, so that the result is rounded once.
func arithmetic[T float32 | float64](op syntax.BinaryOp, x, y T) T {
	switch op {
	case syntax.Add:
		return x + y
	case syntax.Sub:
		return x - y
	case syntax.Mul:
		return x * y
	case syntax.Div:
		return x / y
	}
	panic("types: not an operator on floats: " + op.String())
}
