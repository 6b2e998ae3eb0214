// Package x64 makes machine code for x86-64 out of core.
//
// In: a core.Module. Out: a Program of typed instructions, and from it GNU as text (AT&T order: the destination comes
// last) or a dump.
//
// Emit is the naive back end. A value of one word is left in %rax (floats as their bits), a value of more words is pushed,
// the first word deepest; an operator's left operand waits on the machine stack while the right one is evaluated. Nothing
// but the frame pointer and pushed words outlives an expression, so the back end is slow and hard to get wrong.
//
// Invariants: every instruction has a row in the table of forms and operands of the kinds that the row names; %rsp is a
// multiple of 16 at every call (VerifyAlignment proves it from the instructions alone); %rbp changes only in prologue and
// epilogue; the same module and options give the same bytes.
//
// The scheme is the classic one of one-pass compilers (compare gcc -O0); calls follow the System V AMD64 ABI.
package x64

import (
	"rokrig/compiler/core"
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/runtime/abi"
)

// Label numbers a place in a function.
type Label int32

// SymKind says which table a symbol's number indexes.
type SymKind uint8

// The kinds of symbols.
const (
	SymNone   SymKind = iota
	SymFunc           // core.FuncID
	SymGlobal         // core.GlobalID
	SymString         // core.StringID
	SymEntry          // index into abi.EntryPoints
	SymEmpty          // the address of every empty string
	SymThread         // the thread block, at an offset from the thread pointer
)

// Sym is a symbol, resolved to a name by the printer and to an address by a loader.
type Sym struct {
	Kind SymKind
	ID   int32
}

// OperandKind tells what an Operand is.
type OperandKind uint8

// The kinds of operands.
const (
	OpNone  OperandKind = iota
	OpReg               // Reg
	OpImm               // Val
	OpMem               // Val(Reg), or Sym+Val(%rip), or for SymThread %fs:Sym@tpoff+Val
	OpLabel             // Val
	OpSym               // Sym, the target of a call
)

// Operand is one operand. Which fields count depends on Kind.
type Operand struct {
	Val  int64 // immediate, displacement in bytes, or label
	Sym  int32
	Kind OperandKind
	Reg  Reg // the register, or the base of an address
	SymK SymKind
}

// The operands' constructors.
func reg(r Reg) Operand              { return Operand{Kind: OpReg, Reg: r} }
func imm(v int64) Operand            { return Operand{Kind: OpImm, Val: v} }
func mem(base Reg, disp int) Operand { return Operand{Kind: OpMem, Reg: base, Val: int64(disp)} }
func target(l Label) Operand         { return Operand{Kind: OpLabel, Val: int64(l)} }
func symbol(s Sym) Operand           { return Operand{Kind: OpSym, SymK: s.Kind, Sym: s.ID} }
func symbolMem(s Sym, offset int) Operand {
	return Operand{Kind: OpMem, Reg: NoReg, SymK: s.Kind, Sym: s.ID, Val: int64(offset)}
}

// Inst is one instruction: a form of the table and its operands, sources first.
type Inst struct {
	Args [3]Operand
	Pos  source.Pos  // what it was made for
	Site core.SiteID // of a call that the call-site table lists, else NoSite
	Form Form
}

// NoSite marks an instruction that is no listed call.
const NoSite core.SiteID = -1

// Func is the code of one function.
type Func struct {
	ID     core.FuncID
	Name   string // the path in the source
	Insts  []Inst
	Labels int // one more than the largest Label
	Pos    source.Pos
}

// Program is a module's machine code with the data it needs.
type Program struct {
	Module *core.Module
	Funcs  []*Func
	mutant *mutant.Plan // the deliberate bug that is on; nil for none
}

// entrySyms finds a runtime entry point by name. It is built once and never iterated.
var entrySyms = func() map[string]Sym {
	m := make(map[string]Sym, len(abi.EntryPoints))
	for i := range abi.EntryPoints {
		m[abi.EntryPoints[i].Name] = Sym{SymEntry, int32(i)}
	}
	return m
}()

// entrySym returns the symbol of a runtime entry point. A name that the runtime does not have is a bug of this package.
func entrySym(name string) Sym {
	s, ok := entrySyms[name]
	if !ok {
		panic("x64: the runtime has no entry point " + name)
	}
	return s
}
