package interp

import (
	"math"

	"rokrig/compiler/syntax"
)

// The sign bits of the two float types' words.
const (
	signBit64 = 1 << 63
	signBit32 = 1 << 31
)

func float64Of(w uint64) float64 { return math.Float64frombits(w) }
func float32Of(w uint64) float32 { return math.Float32frombits(uint32(w)) }

func word64(f float64) uint64 { return math.Float64bits(f) }
func word32(f float32) uint64 { return uint64(math.Float32bits(f)) }

// float64Operator makes the word of an arithmetic operator. Each closure rounds by itself: a result passes through its
// bits before another operator sees it, so that Go cannot fuse two of them.
func float64Operator(op syntax.BinaryOp, x, y operand) word {
	a, b := x.word(), y.word()
	switch op {
	case syntax.Add:
		return func(fr *frame) uint64 {
			v := float64Of(a(fr))
			return word64(v + float64Of(b(fr)))
		}
	case syntax.Sub:
		return func(fr *frame) uint64 {
			v := float64Of(a(fr))
			return word64(v - float64Of(b(fr)))
		}
	case syntax.Mul:
		return func(fr *frame) uint64 {
			v := float64Of(a(fr))
			return word64(v * float64Of(b(fr)))
		}
	case syntax.Div:
		return func(fr *frame) uint64 {
			v := float64Of(a(fr))
			return word64(v / float64Of(b(fr)))
		}
	case syntax.Rem:
		return func(fr *frame) uint64 {
			v := float64Of(a(fr))
			return word64(math.Mod(v, float64Of(b(fr))))
		}
	}
	panic("no float operator " + op.String())
}

// float32Operator is float64Operator for f32. The remainder of two f32 is an f32, so that computing it as f64 is exact.
func float32Operator(op syntax.BinaryOp, x, y operand) word {
	a, b := x.word(), y.word()
	switch op {
	case syntax.Add:
		return func(fr *frame) uint64 {
			v := float32Of(a(fr))
			return word32(float32(v + float32Of(b(fr))))
		}
	case syntax.Sub:
		return func(fr *frame) uint64 {
			v := float32Of(a(fr))
			return word32(float32(v - float32Of(b(fr))))
		}
	case syntax.Mul:
		return func(fr *frame) uint64 {
			v := float32Of(a(fr))
			return word32(float32(v * float32Of(b(fr))))
		}
	case syntax.Div:
		return func(fr *frame) uint64 {
			v := float32Of(a(fr))
			return word32(float32(v / float32Of(b(fr))))
		}
	case syntax.Rem:
		return func(fr *frame) uint64 {
			v := float64(float32Of(a(fr)))
			return word32(float32(math.Mod(v, float64(float32Of(b(fr))))))
		}
	}
	panic("no float operator " + op.String())
}
