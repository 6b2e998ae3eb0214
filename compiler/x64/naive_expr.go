package x64

import (
	"fmt"

	"rokrig/compiler/core"
	"rokrig/compiler/mutant"
)

// value evaluates x and leaves its words: none, one in %rax, or more pushed, the first deepest.
func (e *emitter) value(x core.Expr) {
	switch x := x.(type) {
	case *core.Const:
		e.constant(x.Bits, RAX)
	case *core.Str:
		e.emit(Lea, symbolMem(stringSym(e.module, x.ID), 0), reg(RAX))
		e.push()
		e.constant(uint64(x.Len), RAX)
		e.push()
	case *core.Undef:
		e.undefined(len(x.Words))
	case *core.FuncAddr:
		e.emit(Lea, symbolMem(Sym{SymFunc, int32(x.Func)}, 0), reg(RAX))
	case *core.LocalGet:
		e.load(len(x.Words), func(k int) Operand { return e.word(x.Local, x.Off+k) })
	case *core.GlobalGet:
		e.load(len(x.Words), func(k int) Operand { return globalWord(x.Global, x.Off+k) })
	case *core.Op:
		e.operator(x)
	case *core.Concat:
		e.concat(x)
	case *core.Part:
		e.part(x)
	case *core.Call:
		e.pos = x.Pos
		e.call(nil, x.Func, x.Args, x.Words)
	case *core.CallIndirect:
		e.pos = x.Pos
		e.call(x.Callee, 0, x.Args, x.Words)
	default:
		e.statement(x)
	}
}

// statement is value for what stores or directs control.
func (e *emitter) statement(x core.Expr) {
	switch x := x.(type) {
	case *core.Seq:
		for _, s := range x.List {
			e.value(s)
			e.drop(len(s.Classes()))
		}
		if x.Tail != nil {
			e.value(x.Tail)
		}
	case *core.Let:
		if isZero(x.Init) && e.mutant.On(mutant.SlotLeftUninitialised) {
			return
		}
		e.value(x.Init)
		e.store(len(x.Init.Classes()), func(k int) Operand { return e.word(x.Local, k) })
	case *core.Assign:
		e.value(x.Value)
		e.store(len(x.Value.Classes()), func(k int) Operand { return e.word(x.Local, x.Off+k) })
	case *core.SetGlobal:
		e.value(x.Value)
		e.store(len(x.Value.Classes()), func(k int) Operand { return globalWord(x.Global, x.Off+k) })
	case *core.Block:
		e.block(x)
	case *core.Br:
		e.branch(x)
	case *core.If:
		e.ifElse(x)
	case *core.Switch:
		e.switchCase(x)
	case *core.Loop:
		e.loop(x)
	case *core.While:
		e.while(x)
	case *core.Poll:
		e.poll(x)
	case *core.Panic:
		e.panics(x)
	case *core.Return:
		depth := e.depth
		if x.Value != nil {
			e.value(x.Value)
		}
		e.epilogue()
		e.depth = depth
	default:
		panic(fmt.Sprintf("x64: no rule for %T", x))
	}
}

// stringSym names a string's data; all empty strings have one address.
func stringSym(m *core.Module, id core.StringID) Sym {
	if m.Strings[id] == "" {
		return Sym{Kind: SymEmpty}
	}
	return Sym{SymString, int32(id)}
}

// globalWord returns the address of word k of a global; words ascend.
func globalWord(g *core.Global, k int) Operand {
	return symbolMem(Sym{SymGlobal, int32(g.ID)}, wordSize*k)
}

// undefined leaves words whose values do not matter. Where one is wanted in live code, it is zero.
func (e *emitter) undefined(words int) {
	if words == 1 {
		e.constant(0, RAX)
		return
	}
	for range words {
		e.emit(PushI, imm(0))
	}
}

// load leaves the words at the given addresses.
func (e *emitter) load(words int, at func(k int) Operand) {
	if words == 1 {
		e.emit(MovMR, at(0), reg(RAX))
		return
	}
	for k := range words {
		e.emit(PushM, at(k))
	}
}

// store stores the words that value has left at the given addresses.
func (e *emitter) store(words int, at func(k int) Operand) {
	if words == 1 {
		e.emit(MovRM, reg(RAX), at(0))
		return
	}
	for k := words - 1; k >= 0; k-- {
		e.emit(PopM, at(k))
	}
}

// concat leaves the words of all parts. If there is only one, parts that come after it must not lose it.
func (e *emitter) concat(x *core.Concat) {
	if len(x.Words) != 1 {
		for _, p := range x.Parts {
			e.pushed(p)
		}
		return
	}
	kept := false
	for i, p := range x.Parts {
		e.value(p)
		if len(p.Classes()) == 1 && i < len(x.Parts)-1 {
			e.push()
			kept = true
		}
	}
	if kept {
		e.pop(RAX)
	}
}

// part keeps some words of a value.
func (e *emitter) part(x *core.Part) {
	e.value(x.X)
	n, m := len(x.X.Classes()), len(x.Words)
	if n < 2 {
		return
	}
	if m == 1 {
		e.emit(MovMR, mem(RSP, wordSize*(n-1-x.Off)), reg(RAX))
		e.shrink(n)
		return
	}
	// Word k lies at index n-1-k above %rsp and belongs at n-1-(k-Off).
	for k := x.Off; k < x.Off+m && x.Off > 0; k++ {
		e.emit(MovMR, mem(RSP, wordSize*(n-1-k)), reg(RAX))
		e.emit(MovRM, reg(RAX), mem(RSP, wordSize*(n-1-k+x.Off)))
	}
	e.shrink(n - m)
}

// operator evaluates an operator of the table.
func (e *emitter) operator(x *core.Op) {
	if h, ok := e.helperOf(x); ok {
		e.pos = x.Pos
		e.callHelper(h, x)
		return
	}
	if len(x.Args) == 1 {
		e.value(x.Args[0])
		e.pos = x.Pos
		e.unary(x)
		return
	}
	e.pushed(x.Args[0])
	e.value(x.Args[1])
	e.pos = x.Pos
	e.move(RAX, RCX)
	e.pop(RAX)
	e.binary(x)
}

// unary applies an operator to %rax.
func (e *emitter) unary(x *core.Op) {
	switch {
	case x.Op == core.Conv:
		e.convert(x.From, x.Scalar)
	case x.Op == core.Neg && x.Scalar.IsFloat():
		e.floatNegate(x.Scalar)
	case x.Op == core.Neg:
		e.emit(NegR, reg(RAX))
		e.normaliseResult(x.Scalar)
	case x.Op == core.Not && x.Scalar == core.Bool:
		e.emit(XorIR, imm(1), reg(RAX))
	case x.Op == core.Not:
		e.emit(NotR, reg(RAX))
		e.normaliseResult(x.Scalar)
	default:
		panic("x64: no rule for the operator " + x.Op.String())
	}
}

// intForms are the instructions of the operators on integers that have just one.
var intForms = [core.NumOps]Form{
	core.Add: AddRR,
	core.Sub: SubRR,
	core.Mul: ImulRR,
	core.And: AndRR,
	core.Or:  OrRR,
	core.Xor: XorRR,
}

// binary applies an operator to %rax and %rcx.
func (e *emitter) binary(x *core.Op) {
	s := x.Scalar
	switch {
	case x.Op >= core.Eq && x.Op <= core.Ge:
		if s.IsFloat() {
			e.floatCompare(x.Op, s)
		} else {
			e.compare(x.Op, s)
		}
	case s.IsFloat() && floatForms[x.Op][0] != NoForm:
		e.floatArithmetic(x.Op, s)
	case x.Op == core.Shl || x.Op == core.Shr:
		e.shift(x.Op, s)
	case x.Op == core.Div: // helperOf has let it pass
		e.emit(Cqto)
		e.emit(IdivR, reg(RCX))
	case intForms[x.Op] != NoForm:
		e.emit(intForms[x.Op], reg(RCX), reg(RAX))
		if x.Op == core.Add || x.Op == core.Sub || x.Op == core.Mul {
			e.normaliseResult(s)
		}
	default:
		panic("x64: no rule for the operator " + x.Op.String())
	}
}

// shift takes the count modulo the width; for 64 bits the machine does.
func (e *emitter) shift(op core.Opcode, s core.Scalar) {
	if s.Bits() < 64 && !e.mutant.On(mutant.ShiftCountUnmasked) {
		e.emit(AndIR32, imm(int64(s.Bits()-1)), reg(RCX))
	}
	form := ShlCL
	if op == core.Shr {
		form = ShrCL
		if s.IsSigned() {
			form = SarCL
		}
	}
	e.emit(form, reg(RCX), reg(RAX))
	if op == core.Shl {
		e.normaliseResult(s)
	}
}

// conditions are those of the comparisons, signed and unsigned.
var conditions = [core.NumOps][2]Cond{
	core.Eq: {CondE, CondE},
	core.Ne: {CondNE, CondNE},
	core.Lt: {CondL, CondB},
	core.Le: {CondLE, CondBE},
	core.Gt: {CondG, CondA},
	core.Ge: {CondGE, CondAE},
}

// compare compares the integers or bools in %rax and %rcx.
func (e *emitter) compare(op core.Opcode, s core.Scalar) {
	kind := 1
	if s.IsSigned() {
		kind = 0
	}
	if kind == 1 && op >= core.Lt && e.mutant.On(mutant.UnsignedCompareSigned) {
		kind = 0
	}
	e.emit(CmpRR, reg(RCX), reg(RAX))
	e.emit(Setcc+conditions[op][kind], reg(RAX))
	e.emit(MovzxB, reg(RAX), reg(RAX))
}

// extensions make a word normalised: sign- or zero-extended from the scalar's width.
var extensions = [...]Form{
	core.I8:   MovsxB,
	core.I16:  MovsxW,
	core.I32:  MovsxL,
	core.U8:   MovzxB,
	core.U16:  MovzxW,
	core.U32:  MovRR32,
	core.Bool: NoForm,
}

// normalise brings the word in %rax to the width of s.
func (e *emitter) normalise(s core.Scalar) {
	if f := extensions[s]; f != NoForm {
		e.emit(f, reg(RAX), reg(RAX))
	}
}

// normaliseResult is normalise after arithmetic.
func (e *emitter) normaliseResult(s core.Scalar) {
	if s.IsSigned() && s.Bits() < 64 && e.mutant.On(mutant.NoSignExtend) {
		return
	}
	e.normalise(s)
}

// isZero reports whether x is a constant without a bit set.
func isZero(x core.Expr) bool {
	c, ok := x.(*core.Const)
	return ok && c.Bits == 0
}
