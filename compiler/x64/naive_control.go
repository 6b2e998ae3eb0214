package x64

import (
	"rokrig/compiler/core"
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/runtime/abi"
)

// block evaluates a block. Both ways to its end leave the same stack: the value's words above the depth at its start.
func (e *emitter) block(x *core.Block) {
	end := e.newLabel()
	e.blocks[x.Label] = openBlock{end, e.depth}
	e.value(x.Body)
	e.label(end)
}

// branch leaves a block. Temporaries pushed since its start are dropped from under the value.
func (e *emitter) branch(x *core.Br) {
	to, words := e.blocks[x.Label], 0
	if x.Value != nil {
		e.value(x.Value)
		words = len(x.Value.Classes())
	}
	before := e.depth
	if words < 2 {
		words = 0 // in %rax
	}
	if pending := e.depth - words - to.depth; pending > 0 && !e.mutant.On(mutant.BreakKeepsTemporaries) {
		e.slide(words, pending)
	}
	e.emit(JmpL, target(to.end))
	e.depth = before - words
}

// slide moves the topmost words up over the gap words below them, which go away.
func (e *emitter) slide(words, gap int) {
	for k := words - 1; k >= 0; k-- {
		e.emit(MovMR, mem(RSP, wordSize*k), reg(RCX))
		e.emit(MovRM, reg(RCX), mem(RSP, wordSize*(k+gap)))
	}
	e.shrink(gap)
}

// jumpIfFalse jumps when the bool in %rax is false.
func (e *emitter) jumpIfFalse(l Label) {
	e.emit(TestRR, reg(RAX), reg(RAX))
	e.emit(Jcc+CondE, target(l))
}

func (e *emitter) ifElse(x *core.If) {
	end := e.newLabel()
	e.value(x.Cond)
	if x.Else == nil {
		e.jumpIfFalse(end)
		e.value(x.Then)
		e.drop(len(x.Then.Classes()))
		e.label(end)
		return
	}
	other, depth := e.newLabel(), e.depth
	e.jumpIfFalse(other)
	e.value(x.Then)
	e.emit(JmpL, target(end))
	e.depth = depth
	e.label(other)
	e.value(x.Else)
	e.label(end)
}

// switchCase tests the cases one after another.
func (e *emitter) switchCase(x *core.Switch) {
	e.value(x.X)
	depth, end, fallback := e.depth, e.newLabel(), e.newLabel()
	below, above := CondB, CondA
	if x.Scalar.IsSigned() {
		below, above = CondL, CondG
	}
	bodies := make([]Label, len(x.Cases))
	for i, c := range x.Cases {
		bodies[i] = e.newLabel()
		e.constant(c.Lo, RCX)
		e.emit(CmpRR, reg(RCX), reg(RAX))
		if c.Lo == c.Hi {
			e.emit(Jcc+CondE, target(bodies[i]))
			continue
		}
		e.emit(Jcc+below, target(fallback)) // sorted: below this case, above the one before
		e.constant(c.Hi, RCX)
		e.emit(CmpRR, reg(RCX), reg(RAX))
		e.emit(Jcc+negate(above), target(bodies[i]))
	}
	e.emit(JmpL, target(fallback))
	for i, c := range x.Cases {
		e.depth = depth
		e.label(bodies[i])
		e.value(c.Body)
		e.emit(JmpL, target(end))
	}
	e.depth = depth
	e.label(fallback)
	e.value(x.Default)
	e.label(end)
}

// negate returns the condition that holds when c does not.
func negate(c Cond) Cond { return c ^ 1 }

func (e *emitter) loop(x *core.Loop) {
	head := e.newLabel()
	e.label(head)
	e.value(x.Body)
	e.drop(len(x.Body.Classes()))
	e.emit(JmpL, target(head))
}

func (e *emitter) while(x *core.While) {
	head, end := e.newLabel(), e.newLabel()
	e.label(head)
	e.value(x.Cond)
	e.jumpIfFalse(end)
	e.value(x.Body)
	e.drop(len(x.Body.Classes()))
	e.emit(JmpL, target(head))
	e.label(end)
}

// pollStub is the rare path of a poll, which lies behind the function's code.
type pollStub struct {
	stub, back Label
	depth      int
	pos        source.Pos
	site       core.SiteID
}

// poll tests the yield flag.
func (e *emitter) poll(x *core.Poll) {
	if e.dead {
		return
	}
	s := pollStub{e.newLabel(), e.newLabel(), e.depth, x.Pos, x.Site}
	e.emit(CmpIM8, imm(0), symbolMem(Sym{Kind: SymThread}, abi.ThreadYieldFlag))
	e.emit(Jcc+CondNE, target(s.stub))
	e.reached[s.back] = true // by the stub, which comes later
	e.label(s.back)
	e.pollStubs = append(e.pollStubs, s)
}

func (e *emitter) emitPollStubs() {
	yield := entrySym("rok_runtime_yield")
	for _, s := range e.pollStubs {
		e.depth, e.pos = s.depth, s.pos
		e.label(s.stub)
		e.aligned(func() { e.callEntry(yield, s.site) })
		e.emit(JmpL, target(s.back))
	}
}
