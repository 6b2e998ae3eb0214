package x64

import "rokrig/compiler/core"

// Target is a calling convention with the roles that registers have in it.
type Target struct {
	Name      string
	IntArgs   []Reg
	FloatArgs []Reg
	// Scratch is free between any two instructions of different core operations.
	Scratch Reg
}

// SysV is the System V AMD64 calling convention.
var SysV = &Target{
	Name:      "sysv",
	IntArgs:   []Reg{RDI, RSI, RDX, RCX, R8, R9},
	FloatArgs: []Reg{XMM0, XMM1, XMM2, XMM3, XMM4, XMM5, XMM6, XMM7},
	Scratch:   R11,
}

// resultRegs hold the words of a result of two or three words between Rok functions, floats as bits; the first is also
// that of a one-word result that is no float. Longer results go to a buffer of the caller's.
var resultRegs = [...]Reg{RAX, RDX, RCX}

// Sizes of the machine.
const (
	wordSize   = 8
	stackAlign = 16
	pageSize   = 4096
)

// place is where a word of an argument travels: in a register, or in the stack word with the given number, counted from
// the lowest address.
type place struct {
	class core.Class
	reg   Reg // NoReg: on the stack
	stack int
}

// isFloat reports whether words of the class travel in vector registers.
func isFloat(c core.Class) bool { return c == core.F32 || c == core.F64 }

// places assigns every word of the arguments its place, and returns the number of stack words.
func (t *Target) places(words []core.Class) (list []place, stack int) {
	list = make([]place, len(words))
	ints, floats := 0, 0
	for i, c := range words {
		list[i] = place{class: c, reg: NoReg}
		switch {
		case isFloat(c) && floats < len(t.FloatArgs):
			list[i].reg = t.FloatArgs[floats]
			floats++
		case !isFloat(c) && ints < len(t.IntArgs):
			list[i].reg = t.IntArgs[ints]
			ints++
		default:
			list[i].stack = stack
			stack++
		}
	}
	return list, stack
}

// inMemory reports whether a result goes to a buffer whose address is the first argument.
func inMemory(result []core.Class) bool { return len(result) > len(resultRegs) }
