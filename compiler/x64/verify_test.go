package x64

import (
	"strings"
	"testing"

	"rokrig/compiler/core"
)

// broken are functions that the verifiers must refuse, each with what they must say. `call` stands for a listed call.
var broken = []struct {
	name  string
	insts []Inst
	want  string
}{
	{"call under an odd word", framed(inst(PushR, reg(RAX)), helperCall()), "not aligned at this call: 24 bytes"},
	{"call without a frame", []Inst{helperCall(), inst(Ret)}, "not aligned at this call: 8 bytes"},
	{"odd frame", framed(inst(SubIR, imm(24), reg(RSP)), helperCall()), "not aligned at this call: 40 bytes"},
	{"odd after a pop", framed(inst(SubIR, imm(16), reg(RSP)), inst(PopR, reg(RAX)), helperCall()), "not aligned at this call: 24 bytes"},
	{"two ways with two depths", framed(inst(Jcc+CondE, target(0)), inst(PushR, reg(RAX)), inst(LabelDef, target(0))),
		"label 0 is reached with 24 bytes on the stack, and elsewhere with 16"},
	{"a loop that pushes", framed(inst(LabelDef, target(0)), inst(PushR, reg(RAX)), inst(JmpL, target(0))), "label 0 is reached with 24 bytes"},
	{"odd only behind a later jump", framed(inst(JmpL, target(0)), inst(LabelDef, target(1)), helperCall(), inst(Ud2),
		inst(LabelDef, target(0)), inst(PushR, reg(RAX)), inst(JmpL, target(1))), "not aligned at this call: 24 bytes"},
	{"a frame on one way only", []Inst{inst(PushR, reg(RBP)), inst(Jcc+CondE, target(0)), inst(MovRR, reg(RSP), reg(RBP)),
		inst(LabelDef, target(0)), inst(Leave), inst(Ret)}, "reached with and without a frame"},
	{"label without a place", framed(inst(JmpL, target(0))), "stands nowhere"},
	{"label twice", framed(inst(LabelDef, target(0)), inst(LabelDef, target(0))), "label 0 stands 2 times"},
	{"label out of range", framed(inst(JmpL, target(7))), "label 7 is outside"},
	{"return over a word", []Inst{inst(PushR, reg(RAX)), inst(Ret)}, "return with 16 bytes"},
	{"return without leave", []Inst{inst(PushR, reg(RBP)), inst(MovRR, reg(RSP), reg(RBP)), inst(PopR, reg(RAX)), inst(Ret)}, "more is popped"},
	{"pops the caller's word", framed(inst(PopR, reg(RAX))), "more is popped than was pushed"},
	{"adds too much", framed(inst(AddIR, imm(8), reg(RSP))), "more is popped than was pushed"},
	{"changes the frame pointer", framed(inst(MovRR, reg(RAX), reg(RBP))), "the frame pointer changes"},
	{"writes the stack pointer", framed(inst(MovMR, mem(RAX, 0), reg(RSP))), "stack pointer or frame pointer is written"},
	{"pops the frame pointer", framed(inst(PushR, reg(RAX)), inst(PopR, reg(RBP))), "stack pointer or frame pointer is written"},
	{"leave without a frame", []Inst{inst(Leave), inst(Ret)}, "leave without a frame"},
	{"no end", []Inst{inst(PushR, reg(RBP))}, "control runs past"},
	{"no instructions", nil, "control runs past"},
	{"vector register for a general one", framed(inst(AddRR, reg(XMM0), reg(RAX))), "operand 1 does not fit"},
	{"missing operand", framed(inst(AddRR, reg(RAX))), "operand 2 does not fit"},
	{"one operand too many", framed(inst(NegR, reg(RAX), reg(RAX))), "operand 2 does not fit"},
	{"wide immediate", framed(inst(AddIR, imm(1<<31), reg(RAX))), "operand 1 does not fit"},
	{"shift by another register", framed(inst(ShlCL, reg(RDX), reg(RAX))), "operand 1 does not fit"},
	{"no form", framed(Inst{Site: NoSite}), "no such form"},
}

func inst(f Form, args ...Operand) Inst {
	in := Inst{Form: f, Site: NoSite}
	copy(in.Args[:], args)
	return in
}

func helperCall() Inst { return inst(CallS, symbol(entrySym("rok_print_nl"))) }

// framed puts prologue and epilogue round instructions.
func framed(list ...Inst) []Inst {
	list = append([]Inst{inst(PushR, reg(RBP)), inst(MovRR, reg(RSP), reg(RBP))}, list...)
	return append(list, inst(Leave), inst(Ret))
}

func TestC04_VerifierRefusesBrokenCode(t *testing.T) {
	for _, c := range broken {
		m := module(mainFunc(nil))
		p := &Program{Module: m, Funcs: []*Func{{Name: "main", Insts: c.insts, Labels: 2}}}
		err := Verify(p)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	p := &Program{Module: module(mainFunc(nil)), Funcs: []*Func{{Name: "main", Insts: framed(helperCall())}}}
	if err := Verify(p); err != nil {
		t.Errorf("sound code refused: %v", err)
	}
}

func TestC04_VerifierReportsEveryFault(t *testing.T) {
	odd := framed(inst(PushR, reg(RAX)), helperCall(), helperCall(), inst(AddRR, reg(RAX)))
	p := &Program{Module: module(mainFunc(nil)), Funcs: []*Func{{Name: "main", Insts: odd}, {Name: "g", Insts: odd}}}
	if got := strings.Count(Verify(p).Error(), "\n") + 1; got != 6 {
		t.Errorf("%d faults, want 6:\n%v", got, Verify(p))
	}
}

// TestC04_VerifierSeesMutants holds the static check against the deliberate bugs of alignment.
func TestC04_VerifierSeesMutants(t *testing.T) {
	breaks, _ := breakProgram()
	for name, m := range map[string]*core.Module{"align/no-pad": padProgram(), "align/frame-not-rounded": slotsProgram(), "control/break-keeps-temporaries": breaks} {
		if err := Verify(Emit(m, Options{})); err != nil {
			t.Errorf("without a mutant: %v", err)
		}
		if err := Verify(Emit(m, Options{Mutant: mutantPlan(t, name)})); err == nil {
			t.Errorf("%s: the verifier is content", name)
		}
	}
}
