package x64

import (
	"rokrig/compiler/core"
	"rokrig/compiler/mutant"
)

// Slots. Slot i of a frame lies at -8(i+1)(%rbp). A local of n words has n slots, its words at ascending addresses, so that
// it is a memory image; parameters come first.

// layFrame assigns slots and computes the frame's size.
func (e *emitter) layFrame() {
	e.slots = make([]int, len(e.fn.Locals))
	next := 0
	for i, l := range e.fn.Locals {
		if i == e.fn.Params && next > 0 && len(l.Classes) > 0 && e.mutant.On(mutant.CalleeSlotsOverlap) {
			next--
		}
		e.slots[i] = next
		next += len(l.Classes)
	}
	e.result = -1
	if inMemory(e.fn.Result) {
		e.result = next
		next++
	}
	e.frame = next * wordSize
	if rounded := (e.frame + stackAlign - 1) &^ (stackAlign - 1); rounded == e.frame || !e.mutant.On(mutant.FrameNotRounded) {
		e.frame = rounded
	}
}

// slot returns the address of a slot.
func slot(i int) Operand { return mem(RBP, -wordSize*(i+1)) }

// word returns the address of word k of a local.
func (e *emitter) word(l *core.Local, k int) Operand {
	return slot(e.slots[l.ID] + len(l.Classes) - 1 - k)
}

// prologue makes the frame and moves the parameters into their slots.
func (e *emitter) prologue() {
	e.pos = e.fn.Pos
	e.emit(PushR, reg(RBP))
	e.move(RSP, RBP)
	e.depth = 0
	e.grow(e.frame / wordSize)
	e.depth = 0
	var to []Operand
	var classes []core.Class
	if e.result >= 0 {
		to, classes = append(to, slot(e.result)), append(classes, core.Int)
	}
	for _, l := range e.fn.Locals[:e.fn.Params] {
		for k, c := range l.Classes {
			to, classes = append(to, e.word(l, k)), append(classes, c)
		}
	}
	list, _ := e.target.places(classes)
	for i, p := range list {
		e.receive(p, to[i])
	}
}

// returnWords is what lies between %rbp and the first stack argument: the caller's %rbp and the return address.
const returnWords = 2

// receive stores one incoming word in its slot.
func (e *emitter) receive(p place, to Operand) {
	switch {
	case p.reg == NoReg:
		e.emit(MovMR, mem(RBP, wordSize*(returnWords+p.stack)), reg(RAX))
		e.emit(MovRM, reg(RAX), to)
	case p.reg.IsVector():
		e.fromVector(p.class, p.reg)
		e.emit(MovRM, reg(RAX), to)
	default:
		e.emit(MovRM, reg(p.reg), to)
	}
}

// epilogue hands over the value that has just been left and returns.
func (e *emitter) epilogue() {
	n := len(e.fn.Result)
	switch {
	case n == 0:
	case n == 1 && isFloat(e.fn.Result[0]):
		e.toVector(e.fn.Result[0], RAX, XMM0)
	case n == 1:
	case inMemory(e.fn.Result):
		e.emit(MovMR, slot(e.result), reg(RCX))
		for k := n - 1; k >= 0; k-- {
			e.emit(PopM, mem(RCX, wordSize*k))
		}
		e.move(RCX, RAX)
	default:
		for k := n - 1; k >= 0; k-- {
			e.pop(resultRegs[k])
		}
	}
	e.emit(Leave)
	e.emit(Ret)
}
