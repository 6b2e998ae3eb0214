package x64

import (
	"fmt"
	"runtime/debug"
	"sync"

	"rokrig/compiler/core"
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/internal/slab"
)

// Options says how code is made. The zero value is the ordinary compile.
type Options struct {
	Mutant *mutant.Plan // the deliberate bug that is on; nil for none
	Target *Target      // nil: SysV
	Memory *Memory      // where the instructions are kept; nil: in a new one
}

// Emit translates every function of a module.
func Emit(m *core.Module, opts Options) *Program {
	if opts.Target == nil {
		opts.Target = SysV
	}
	if opts.Memory == nil {
		opts.Memory = &Memory{}
	}
	p := &Program{Module: m, Funcs: make([]*Func, len(m.Funcs)), mutant: opts.Mutant}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	for i, f := range m.Funcs {
		p.Funcs[i] = emitFunc(m, f, opts, s)
	}
	return p
}

// Memory is where instructions are kept. A program that compiles many programs one after another gives all of them one
// Memory and resets it in between, when no machine code is looked at any more. The zero Memory is ready for use.
type Memory struct{ insts slab.Slab[Inst] }

// Reset takes back the instructions of all programs made with m.
func (m *Memory) Reset() { m.insts.Reset() }

// scratch is memory that one function after another is translated in, so that a function costs its own size and not what
// a growing slice leaves behind.
type scratch struct {
	insts   []Inst
	reached []bool
}

var scratches = sync.Pool{New: func() any { return &scratch{} }}

// emitter translates one function.
type emitter struct {
	module *core.Module
	fn     *core.Func
	mutant *mutant.Plan
	target *Target
	out    *Func

	slots     []int // per local: its first slot
	frame     int   // bytes of the frame, a multiple of 16
	result    int   // slot that holds the address of the result's buffer; -1 if there is none
	depth     int   // words pushed below the frame
	dead      bool  // the next instruction cannot be reached: nothing is emitted
	pos       source.Pos
	blocks    []openBlock // by core.LabelID
	reached   []bool      // by Label: a jump to it was emitted
	pollStubs []pollStub
}

// openBlock is what a branch needs to know of the block that it leaves.
type openBlock struct {
	end   Label
	depth int
}

func emitFunc(m *core.Module, f *core.Func, opts Options, s *scratch) *Func {
	e := &emitter{
		module: m, fn: f, mutant: opts.Mutant, target: opts.Target,
		out:    &Func{ID: f.ID, Name: f.Name, Pos: f.Pos, Insts: s.insts[:0]},
		blocks: make([]openBlock, f.Labels), reached: s.reached[:0],
	}
	defer e.nameFault()
	e.layFrame()
	e.prologue()
	e.value(f.Body)
	e.epilogue()
	e.emitPollStubs()
	e.out.Labels = len(e.reached)
	s.insts, s.reached = e.out.Insts, e.reached
	e.out.Insts = opts.Memory.insts.Copy(s.insts)
	return e.out
}

// FuncFault is the value of a panic in Emit: the fault that there was, and the function at hand.
type FuncFault struct {
	Func  string
	Fault any
	Stack []byte
}

// InFunc returns the function's path, the panic's value and the stack of the goroutine.
func (f *FuncFault) InFunc() (name string, fault any, stack []byte) { return f.Func, f.Fault, f.Stack }

func (f *FuncFault) Error() string { return fmt.Sprintf("in function %s: %v", f.Func, f.Fault) }

// nameFault adds the function at hand to a panic.
func (e *emitter) nameFault() {
	if fault := recover(); fault != nil {
		panic(&FuncFault{e.fn.Name, fault, debug.Stack()})
	}
}

// emit appends an instruction, unless it cannot be reached. The stack depth is counted in both cases, so that the code
// around it fits together.
func (e *emitter) emit(f Form, args ...Operand) *Inst {
	row := &rows[f]
	e.depth += int(row.Push)
	if e.dead {
		return &Inst{}
	}
	e.out.Insts = append(e.out.Insts, Inst{Form: f, Pos: e.pos, Site: NoSite})
	in := &e.out.Insts[len(e.out.Insts)-1]
	if n := copy(in.Args[:], args); n < len(args) {
		panic(fmt.Sprintf("x64: %s with %d operands", row.Name, len(args)))
	}
	switch row.Flow {
	case Jump, Maybe:
		e.reached[args[0].Val] = true
	}
	if row.Flow == Jump || row.Flow == End {
		e.dead = true
	}
	return in
}

// newLabel makes a label that stands nowhere yet.
func (e *emitter) newLabel() Label {
	e.reached = append(e.reached, false)
	return Label(len(e.reached) - 1)
}

// label puts a label here. Code becomes reachable if a jump to it was emitted.
func (e *emitter) label(l Label) {
	if e.reached[l] {
		e.dead = false
	}
	e.emit(LabelDef, target(l))
}

// push pushes %rax.
func (e *emitter) push() { e.emit(PushR, reg(RAX)) }

// pop pops into a register.
func (e *emitter) pop(r Reg) { e.emit(PopR, reg(r)) }

// move copies a register.
func (e *emitter) move(from, to Reg) { e.emit(MovRR, reg(from), reg(to)) }

// constant loads a word.
func (e *emitter) constant(v uint64, to Reg) { e.emit(MovAbs, imm(int64(v)), reg(to)) }

// grow reserves pushed words without values. Every page is touched, so that the guard below the stack cannot be skipped.
func (e *emitter) grow(words int) {
	e.depth += words
	for words*wordSize > pageSize {
		e.emit(SubIR, imm(pageSize), reg(RSP))
		e.emit(OrIM, imm(0), mem(RSP, 0))
		words -= pageSize / wordSize
	}
	if words > 0 {
		e.emit(SubIR, imm(int64(words*wordSize)), reg(RSP))
	}
}

// shrink drops pushed words.
func (e *emitter) shrink(words int) {
	if words > 0 {
		e.emit(AddIR, imm(int64(words*wordSize)), reg(RSP))
		e.depth -= words
	}
}

// drop discards a value of so many words that value has just left.
func (e *emitter) drop(words int) {
	if words > 1 {
		e.shrink(words)
	}
}

// pushed evaluates x and leaves all its words pushed, also a single one.
func (e *emitter) pushed(x core.Expr) {
	e.value(x)
	if len(x.Classes()) == 1 {
		e.push()
	}
}
