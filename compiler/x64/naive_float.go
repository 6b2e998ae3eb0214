package x64

import (
	"rokrig/compiler/core"
	"rokrig/compiler/mutant"
)

// Floats travel as their bits in general registers; an operation moves them to %xmm0 and %xmm1.

// toVector moves a float's bits into a vector register.
func (e *emitter) toVector(c core.Class, from, to Reg) {
	if c == core.F32 {
		e.emit(MovdRX, reg(from), reg(to))
	} else {
		e.emit(MovqRX, reg(from), reg(to))
	}
}

// fromVector moves a float's bits into %rax; those of an f32 are zero-extended.
func (e *emitter) fromVector(c core.Class, from Reg) {
	if c == core.F32 {
		e.emit(MovdXR, reg(from), reg(RAX))
	} else {
		e.emit(MovqXR, reg(from), reg(RAX))
	}
}

// floatForms are the instructions of the operators on f64 and f32.
var floatForms = [core.NumOps][2]Form{
	core.Add:  {Addsd, Addss},
	core.Sub:  {Subsd, Subss},
	core.Mul:  {Mulsd, Mulss},
	core.FDiv: {Divsd, Divss},
}

// floatForm chooses between the forms for f64 and f32.
func floatForm(s core.Scalar, forms [2]Form) Form {
	if s == core.SF32 {
		return forms[1]
	}
	return forms[0]
}

// floatOperands moves the operands of an operator from %rax and %rcx.
func (e *emitter) floatOperands(s core.Scalar) {
	e.toVector(s.Class(), RAX, XMM0)
	e.toVector(s.Class(), RCX, XMM1)
}

func (e *emitter) floatArithmetic(op core.Opcode, s core.Scalar) {
	e.floatOperands(s)
	e.emit(floatForm(s, floatForms[op]), reg(XMM1), reg(XMM0))
	e.fromVector(s.Class(), XMM0)
}

// floatNegate flips the sign bit, also of a zero or a NaN.
func (e *emitter) floatNegate(s core.Scalar) {
	if e.mutant.On(mutant.NegateSubtracts) {
		e.move(RAX, RCX)
		e.constant(0, RAX)
		e.floatArithmetic(core.Sub, s)
		return
	}
	e.constant(1<<(s.Bits()-1), RCX)
	e.emit(XorRR, reg(RCX), reg(RAX))
}

// floatTest says how a comparison reads the flags that ucomis leaves. With a NaN among the operands it sets carry, zero
// and parity alike: a condition that such flags satisfy must look at parity too.
type floatTest struct {
	cond    Cond
	parity  Cond // CondNP or CondP; meaningless when combine is NoForm
	combine Form
}

var floatTests = [core.NumOps]floatTest{
	core.Eq: {CondE, CondNP, AndRR8},
	core.Ne: {CondNE, CondP, OrRR8},
	core.Lt: {CondB, CondNP, AndRR8},
	core.Le: {CondBE, CondNP, AndRR8},
	core.Gt: {cond: CondA},
	core.Ge: {cond: CondAE},
}

func (e *emitter) floatCompare(op core.Opcode, s core.Scalar) {
	e.floatOperands(s)
	e.emit(floatForm(s, [2]Form{Ucomisd, Ucomiss}), reg(XMM1), reg(XMM0))
	t := floatTests[op]
	e.emit(Setcc+t.cond, reg(RAX))
	if t.combine != NoForm && !e.mutant.On(mutant.FloatCompareIgnoresNaN) {
		e.emit(Setcc+t.parity, reg(RCX))
		e.emit(t.combine, reg(RCX), reg(RAX))
	}
	e.emit(MovzxB, reg(RAX), reg(RAX))
}

// convert converts the word in %rax; those that need the runtime are not done here.
func (e *emitter) convert(from, to core.Scalar) {
	switch {
	case from.IsFloat() && to.IsFloat():
		if from != to {
			e.toVector(from.Class(), RAX, XMM0)
			e.emit(floatForm(from, [2]Form{Cvtsd2ss, Cvtss2sd}), reg(XMM0), reg(XMM0))
			e.fromVector(to.Class(), XMM0)
		}
	case to.IsFloat():
		e.emit(floatForm(to, [2]Form{Cvtsi2sd, Cvtsi2ss}), reg(RAX), reg(XMM0))
		e.fromVector(to.Class(), XMM0)
	default:
		e.normalise(to)
	}
}

// convHelper names the runtime's function for a conversion; "" if a machine instruction does it.
func (e *emitter) convHelper(from, to core.Scalar) string {
	switch {
	case from == core.U64 && to.IsFloat() && !e.mutant.On(mutant.U64ToFloatSigned):
		return "rok_u64_to_" + to.String()
	case from.IsFloat() && to.IsInt():
		return "rok_" + from.String() + "_to_" + to.String()
	}
	return ""
}
