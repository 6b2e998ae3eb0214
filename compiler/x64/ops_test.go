package x64

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"rokrig/compiler/core"
)

// intScalars are the integer types with the values that arithmetic most likely gets wrong.
var intScalars = []core.Scalar{core.I8, core.I16, core.I32, core.I64, core.U8, core.U16, core.U32, core.U64}

// edges returns interesting words of a type, normalised.
func edges(s core.Scalar) []uint64 {
	w := uint(s.Bits())
	list := []uint64{0, 1, 3, 7, 1<<(w-1) - 1, 1 << (w - 1), 1<<(w-1) | 0x55, ^uint64(0), ^uint64(2), 0x1234567890abcdef}
	for i := range list {
		list[i] = wrap(s, list[i])
	}
	return list
}

// wrap cuts a word to a type's width and extends it again, by Go's own conversions.
func wrap(s core.Scalar, v uint64) uint64 {
	switch s {
	case core.I8:
		return uint64(int64(int8(v)))
	case core.I16:
		return uint64(int64(int16(v)))
	case core.I32:
		return uint64(int64(int32(v)))
	case core.U8:
		return uint64(uint8(v))
	case core.U16:
		return uint64(uint16(v))
	case core.U32:
		return uint64(uint32(v))
	}
	return v
}

// word is a constant of any class.
func word(s core.Scalar, bits uint64) core.Expr { return &core.Const{Class: s.Class(), Bits: bits} }

// printScalar prints a value of a type and a newline.
func printScalar(s core.Scalar, x core.Expr) core.Expr {
	o := core.PrintU64
	switch {
	case s.IsSigned():
		o = core.PrintI64
	case s == core.SF32:
		o = core.PrintF32
	case s == core.SF64:
		o = core.PrintF64
	case s == core.Bool:
		o = core.PrintBool
	}
	return seq(op(o, s, x), op(core.PrintNl, core.NoScalar))
}

// wordText is what printScalar prints of an integer.
func wordText(s core.Scalar, v uint64) string {
	if s.IsSigned() {
		return fmt.Sprintln(int64(v))
	}
	return fmt.Sprintln(v)
}

// reference computes an operator on normalised words; the second result is false where the language panics.
func reference(o core.Opcode, s core.Scalar, a, b uint64) (uint64, bool) {
	w := uint64(s.Bits())
	signed := s.IsSigned()
	switch o {
	case core.Add:
		return wrap(s, a+b), true
	case core.Sub:
		return wrap(s, a-b), true
	case core.Mul:
		return wrap(s, a*b), true
	case core.And:
		return a & b, true
	case core.Or:
		return a | b, true
	case core.Xor:
		return a ^ b, true
	case core.Shl:
		return wrap(s, a<<(b%w)), true
	case core.Shr:
		if signed {
			return uint64(int64(a) >> (b % w)), true
		}
		return a >> (b % w), true
	case core.Div, core.Rem:
		return referenceDivision(o, s, a, b)
	}
	return boolWord(referenceCompare(o, signed, a, b)), true
}

func referenceDivision(o core.Opcode, s core.Scalar, a, b uint64) (uint64, bool) {
	if b == 0 || s.IsSigned() && int64(b) == -1 && a == wrap(s, 1<<(s.Bits()-1)) {
		return 0, false
	}
	switch {
	case s.IsSigned() && o == core.Div:
		return uint64(int64(a) / int64(b)), true
	case s.IsSigned():
		return uint64(int64(a) % int64(b)), true
	case o == core.Div:
		return a / b, true
	}
	return a % b, true
}

func referenceCompare(o core.Opcode, signed bool, a, b uint64) bool {
	less := a < b
	if signed {
		less = int64(a) < int64(b)
	}
	return map[core.Opcode]bool{core.Eq: a == b, core.Ne: a != b, core.Lt: less, core.Le: less || a == b,
		core.Gt: !less && a != b, core.Ge: !less}[o]
}

func boolWord(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

var intOps = []core.Opcode{core.Add, core.Sub, core.Mul, core.And, core.Or, core.Xor, core.Shl, core.Shr, core.Div, core.Rem,
	core.Eq, core.Ne, core.Lt, core.Le, core.Gt, core.Ge}

// intProgram applies every operator on integers to every pair of edges of every type.
func intProgram() (m *core.Module, want string) {
	var list []core.Expr
	var b strings.Builder
	show := func(s core.Scalar, x core.Expr, v uint64) {
		list = append(list, printScalar(s, x))
		b.WriteString(wordText(s, v))
	}
	for _, s := range intScalars {
		for _, x := range edges(s) {
			show(s, op(core.Not, s, word(s, x)), wrap(s, ^x))
			if s.IsSigned() {
				show(s, op(core.Neg, s, word(s, x)), wrap(s, -x))
			}
			for _, y := range edges(s) {
				for _, o := range intOps {
					v, ok := reference(o, s, x, y)
					switch {
					case !ok:
					case o >= core.Eq && o <= core.Ge:
						show(core.U64, op(o, s, word(s, x), word(s, y)), v)
					default:
						show(s, op(o, s, word(s, x), word(s, y)), v)
					}
				}
			}
		}
	}
	return module(mainFunc(nil, list...)), b.String()
}

func TestC01_IntegerOperators(t *testing.T) {
	m, want := intProgram()
	expect(t, m, want)
}

func TestC05_IntegerConversions(t *testing.T) {
	var list []core.Expr
	var want strings.Builder
	for _, from := range append(intScalars, core.Bool) {
		values := edges(core.U64)[:2]
		if from != core.Bool {
			values = edges(from)
		}
		for _, to := range intScalars {
			for _, v := range values {
				list = append(list, printScalar(to, conv(from, to, word(from, v))))
				want.WriteString(wordText(to, wrap(to, v)))
			}
		}
	}
	expect(t, module(mainFunc(nil, list...)), want.String())
}

var floats = []float64{0, math.Copysign(0, -1), 1, -1.5, math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, 3e38}

func f64(v float64) core.Expr { return word(core.SF64, math.Float64bits(v)) }

func f32(v float64) core.Expr { return word(core.SF32, uint64(math.Float32bits(float32(v)))) }

// compareFloats is Go's own comparison, which is IEEE's.
func compareFloats(o core.Opcode, a, b float64) bool {
	return map[core.Opcode]bool{core.Eq: a == b, core.Ne: a != b, core.Lt: a < b, core.Le: a <= b, core.Gt: a > b, core.Ge: a >= b}[o]
}

func TestC01_FloatComparisons(t *testing.T) {
	m, want := floatCompareProgram()
	expect(t, m, want)
}

func floatCompareProgram() (*core.Module, string) {
	var list []core.Expr
	var want strings.Builder
	for _, a := range floats {
		for _, b := range floats {
			for o := core.Eq; o <= core.Ge; o++ {
				list = append(list, printScalar(core.Bool, op(o, core.SF64, f64(a), f64(b))),
					printScalar(core.Bool, op(o, core.SF32, f32(a), f32(b))))
				narrowA, narrowB := float64(float32(a)), float64(float32(b))
				fmt.Fprintln(&want, compareFloats(o, a, b))
				fmt.Fprintln(&want, compareFloats(o, narrowA, narrowB))
			}
		}
	}
	return module(mainFunc(nil, list...)), want.String()
}

func TestC01_FloatArithmetic(t *testing.T) {
	big := uint64(1)<<63 + 1025 // its halves and f64 neighbours differ under a second rounding
	expect(t, module(mainFunc(nil,
		printScalar(core.SF64, op(core.Add, core.SF64, f64(0.1), f64(0.2))),
		printScalar(core.SF32, op(core.Add, core.SF32, f32(0.1), f32(0.2))),
		printScalar(core.SF64, op(core.Sub, core.SF64, f64(1), f64(0.9))),
		printScalar(core.SF32, op(core.Mul, core.SF32, f32(3), f32(0.1))),
		printScalar(core.SF64, op(core.Mul, core.SF64, f64(1e300), f64(1e300))),
		printScalar(core.SF64, op(core.FDiv, core.SF64, f64(1), f64(math.Copysign(0, -1)))),
		printScalar(core.SF32, op(core.FDiv, core.SF32, f32(1), f32(3))),
		printScalar(core.SF64, op(core.FRem, core.SF64, f64(-7.5), f64(2))),
		printScalar(core.SF32, op(core.FRem, core.SF32, f32(7.5), f32(-2))),
		printScalar(core.SF64, op(core.Neg, core.SF64, f64(0))),
		printScalar(core.SF32, op(core.Neg, core.SF32, f32(0))),
		printScalar(core.SF32, conv(core.SF64, core.SF32, f64(0.1))),
		printScalar(core.SF64, conv(core.SF32, core.SF64, f32(0.1))),
		printScalar(core.SF64, conv(core.I64, core.SF64, num(-5))),
		printScalar(core.SF32, conv(core.I8, core.SF32, num(-5))),
		printScalar(core.SF64, conv(core.U64, core.SF64, num(-1))),
		printScalar(core.SF64, conv(core.U64, core.SF64, word(core.U64, big))),
		printScalar(core.SF32, conv(core.U64, core.SF32, num(-1))),
		printScalar(core.I8, conv(core.SF64, core.I8, f64(-1000))),
		printScalar(core.U64, conv(core.SF32, core.U64, f32(1e30))),
		printScalar(core.I32, conv(core.SF64, core.I32, f64(math.NaN()))),
	)), `0.30000000000000004
0.3
0.09999999999999998
0.3
inf
-inf
0.33333334
-1.5
1.5
-0
-0
0.1
0.10000000149011612
-5
-5
18446744073709552000
9223372036854778000
18446744000000000000
-128
18446744073709551615
0
`)
}
