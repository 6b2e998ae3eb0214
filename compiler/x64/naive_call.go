package x64

import (
	"slices"

	"rokrig/compiler/core"
	"rokrig/compiler/mutant"
	"rokrig/runtime/abi"
)

// helper is the function of the runtime that does an operator's work.
type helper struct {
	name  string
	place bool // takes line and column behind the operands
}

// fixedHelpers are those whose name does not depend on a type.
var fixedHelpers = [core.NumOps]helper{
	core.StrEq:        {"rok_str_eq", false},
	core.StrCmp:       {"rok_str_cmp", false},
	core.StrIndex:     {"rok_str_index", true},
	core.StrSlice:     {"rok_str_slice", true},
	core.PrintIntLine: {"mini_print_int", false},
	core.PrintI64:     {"rok_print_i64", false},
	core.PrintU64:     {"rok_print_u64", false},
	core.PrintF32:     {"rok_print_f32", false},
	core.PrintF64:     {"rok_print_f64", false},
	core.PrintBool:    {"rok_print_bool", false},
	core.PrintStr:     {"rok_print_str", false},
	core.PrintSep:     {"rok_print_sep", false},
	core.PrintNl:      {"rok_print_nl", false},
}

// checkedNames are the stems of the operators that may panic; the processor's own division traps where they must panic.
var checkedNames = [core.NumOps]string{core.Div: "div", core.Rem: "mod", core.Pow: "pow"}

// helperOf finds the helper for an operator; false if machine instructions do it.
func (e *emitter) helperOf(x *core.Op) (helper, bool) {
	switch {
	case fixedHelpers[x.Op].name != "":
		return fixedHelpers[x.Op], true
	case x.Op == core.FRem:
		return helper{"rok_fmod_" + x.Scalar.String(), false}, true
	case x.Op == core.Conv:
		name := e.convHelper(x.From, x.Scalar)
		return helper{name, false}, name != ""
	case x.Op == core.Div && x.Scalar == core.I64 && e.mutant.On(mutant.RawIdiv):
		return helper{}, false
	case checkedNames[x.Op] != "" && x.Scalar == core.I64:
		return helper{"mini_" + checkedNames[x.Op], true}, true
	case checkedNames[x.Op] != "":
		return helper{"rok_" + checkedNames[x.Op] + "_" + x.Scalar.String(), true}, true
	}
	return helper{}, false
}

// callHelper evaluates an operator's operands, calls its helper and leaves the result.
func (e *emitter) callHelper(h helper, x *core.Op) {
	var classes []core.Class
	for _, a := range x.Args {
		classes = append(classes, a.Classes()...)
	}
	list, stack := e.target.places(classes)
	if stack > 0 {
		panic("x64: " + h.name + " with stack arguments")
	}
	e.helperOperands(x.Args, list)
	e.pos = x.Pos
	if h.place {
		at := e.module.Source.Position(x.Pos)
		e.emit(MovIR32, imm(int64(at.Line)), reg(e.target.IntArgs[len(list)]))
		e.emit(MovIR32, imm(int64(at.Col)), reg(e.target.IntArgs[len(list)+1]))
	}
	e.aligned(func() { e.callEntry(entrySym(h.name), x.Site) })
	switch {
	case len(x.Words) == 1 && isFloat(x.Words[0]):
		e.fromVector(x.Words[0], XMM0)
	case len(x.Words) == 2:
		e.emit(PushR, reg(RAX))
		e.emit(PushR, reg(RDX))
	}
}

// helperOperands evaluates operands and moves them into argument registers. One or two words go the way of an ordinary
// operator, through %rax and %rcx.
func (e *emitter) helperOperands(args []core.Expr, list []place) {
	switch {
	case len(list) == 1 && len(args) == 1:
		e.value(args[0])
		e.toPlace(RAX, list[0])
	case len(list) == 2 && len(args) == 2:
		e.pushed(args[0])
		e.value(args[1])
		e.move(RAX, RCX)
		e.pop(RAX)
		e.toPlace(RAX, list[0])
		e.toPlace(RCX, list[1])
	default:
		for _, a := range args {
			e.pushed(a)
		}
		for i := len(list) - 1; i >= 0; i-- {
			e.popPlace(list[i])
		}
	}
}

// toPlace moves a word from a general register into its argument register.
func (e *emitter) toPlace(from Reg, p place) {
	if p.reg.IsVector() {
		e.toVector(p.class, from, p.reg)
	} else {
		e.move(from, p.reg)
	}
}

// popPlace pops a word into its argument register.
func (e *emitter) popPlace(p place) {
	if p.reg.IsVector() {
		e.pop(RAX)
		e.toVector(p.class, RAX, p.reg)
	} else {
		e.pop(p.reg)
	}
}

// aligned makes %rsp a multiple of 16 round a call. The frame is a multiple of 16, so the pushed words decide.
func (e *emitter) aligned(call func()) {
	odd := e.depth%2 != 0 && !e.mutant.On(mutant.NoAlignPad)
	if odd {
		e.grow(1)
	}
	call()
	if odd {
		e.shrink(1)
	}
}

// callEntry calls the runtime and lists the call in the call-site table.
func (e *emitter) callEntry(s Sym, site core.SiteID) {
	e.emit(CallS, symbol(s)).Site = site
	if abi.EntryPoints[s.ID].NoReturn {
		e.emit(Ud2)
	}
}

// panics reports and ends the program.
func (e *emitter) panics(x *core.Panic) {
	depth := e.depth
	e.value(x.Message)
	e.pos = x.Pos
	at := e.module.Source.Position(x.Pos)
	args := e.target.IntArgs
	e.pop(args[1])
	e.pop(args[0])
	e.emit(MovIR32, imm(int64(at.Line)), reg(args[2]))
	e.emit(MovIR32, imm(int64(at.Col)), reg(args[3]))
	e.aligned(func() { e.callEntry(entrySym("rok_panic"), x.Site) })
	e.depth = depth
}

// call calls a Rok function, through callee if that is not nil. Everything is evaluated and pushed from the left; then the
// words go to their places.
func (e *emitter) call(callee core.Expr, fn core.FuncID, args []core.Expr, result []core.Class) {
	pos := e.pos
	var classes []core.Class
	if inMemory(result) {
		e.grow(len(result)) // the buffer, which becomes the value
	}
	base := e.depth
	if callee != nil {
		e.pushed(callee)
	}
	if inMemory(result) {
		classes = append(classes, core.Int)
		e.emit(Lea, mem(RSP, wordSize*(e.depth-base)), reg(RAX))
		e.push()
	}
	for _, a := range args {
		classes = append(classes, a.Classes()...)
		e.pushed(a)
	}
	e.pos = pos
	list, stack := e.target.places(classes)
	if len(list) > 1 && sameFile(list[0].reg, list[1].reg) && e.mutant.On(mutant.ArgsReversed) {
		list[0].reg, list[1].reg = list[1].reg, list[0].reg
	}
	form, to := CallS, symbol(Sym{SymFunc, int32(fn)})
	if callee != nil {
		form, to = CallR, reg(e.target.Scratch)
	}
	if stack == 0 {
		for i := len(list) - 1; i >= 0; i-- {
			e.popPlace(list[i])
		}
		if callee != nil {
			e.pop(e.target.Scratch)
		}
		e.aligned(func() { e.emit(form, to) })
	} else {
		e.layStackArgs(list, stack, callee != nil)
		e.emit(form, to)
		e.shrink(e.depth - base)
	}
	e.takeResult(result)
}

// sameFile reports whether two registers are both general or both vector registers.
func sameFile(a, b Reg) bool { return a != NoReg && b != NoReg && a.IsVector() == b.IsVector() }

// layStackArgs lays the stack words of pushed arguments out again, first word lowest, and loads the register words; all
// words stay pushed where they are.
func (e *emitter) layStackArgs(list []place, stack int, indirect bool) {
	top := e.depth // word i of the arguments lies at top-len(list)+i, counted from the frame
	at := func(i int) Operand { return mem(RSP, wordSize*(e.depth-(top-len(list)+i)-1)) }
	if (e.depth+stack)%2 != 0 && !e.mutant.On(mutant.NoAlignPad) {
		e.grow(1)
	}
	var onStack []int
	for i, p := range list {
		if p.reg == NoReg {
			onStack = append(onStack, i)
		}
	}
	if len(onStack) < 2 || !e.mutant.On(mutant.StackArgsPushOrder) {
		slices.Reverse(onStack)
	}
	for _, i := range onStack {
		e.emit(PushM, at(i))
	}
	for i, p := range list {
		switch {
		case p.reg == NoReg:
		case p.reg.IsVector():
			e.emit(MovMR, at(i), reg(RAX))
			e.toVector(p.class, RAX, p.reg)
		default:
			e.emit(MovMR, at(i), reg(p.reg))
		}
	}
	if indirect {
		e.emit(MovMR, at(-1), reg(e.target.Scratch))
	}
}

// takeResult leaves the result of a call of a Rok function.
func (e *emitter) takeResult(result []core.Class) {
	n := len(result)
	switch {
	case n == 0:
	case n == 1 && isFloat(result[0]):
		e.fromVector(result[0], XMM0)
	case n == 1:
	case inMemory(result):
		// The buffer ascends; pushed words descend.
		pairs := n / 2
		if n%2 == 0 && e.mutant.On(mutant.ResultMiddleSwapped) {
			pairs--
		}
		for k := range pairs {
			e.emit(MovMR, mem(RSP, wordSize*k), reg(RAX))
			e.emit(MovMR, mem(RSP, wordSize*(n-1-k)), reg(RCX))
			e.emit(MovRM, reg(RCX), mem(RSP, wordSize*k))
			e.emit(MovRM, reg(RAX), mem(RSP, wordSize*(n-1-k)))
		}
	default:
		for k := range n {
			e.emit(PushR, reg(resultRegs[k]))
		}
	}
}
