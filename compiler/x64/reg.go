package x64

// Reg is a machine register. The width in which an instruction uses it is a matter of the instruction's form.
type Reg uint8

// The general registers in the order of their encoding, then the vector registers.
const (
	RAX Reg = iota
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
	XMM0
	XMM1
	XMM2
	XMM3
	XMM4
	XMM5
	XMM6
	XMM7
	XMM8
	XMM9
	XMM10
	XMM11
	XMM12
	XMM13
	XMM14
	XMM15
	NoReg
)

// IsVector reports whether r is a vector register.
func (r Reg) IsVector() bool { return r >= XMM0 && r <= XMM15 }

// Code returns the four bits that name r in machine code.
func (r Reg) Code() byte { return byte(r) & 15 }

func (r Reg) String() string {
	if r >= NoReg {
		return "none"
	}
	return regNames[width64][r][1:]
}

// width selects a row of regNames.
type width uint8

const (
	width64 width = iota
	width32
	width16
	width8
)

// regNames holds the printed names, `%` included, by width; a vector register has one name.
var regNames = [4][NoReg]string{
	width64: withVectors("%rax", "%rcx", "%rdx", "%rbx", "%rsp", "%rbp", "%rsi", "%rdi",
		"%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15"),
	width32: withVectors("%eax", "%ecx", "%edx", "%ebx", "%esp", "%ebp", "%esi", "%edi",
		"%r8d", "%r9d", "%r10d", "%r11d", "%r12d", "%r13d", "%r14d", "%r15d"),
	width16: withVectors("%ax", "%cx", "%dx", "%bx", "%sp", "%bp", "%si", "%di",
		"%r8w", "%r9w", "%r10w", "%r11w", "%r12w", "%r13w", "%r14w", "%r15w"),
	width8: withVectors("%al", "%cl", "%dl", "%bl", "%spl", "%bpl", "%sil", "%dil",
		"%r8b", "%r9b", "%r10b", "%r11b", "%r12b", "%r13b", "%r14b", "%r15b"),
}

func withVectors(general ...string) (names [NoReg]string) {
	copy(names[:], general)
	for i, n := range [...]string{"%xmm0", "%xmm1", "%xmm2", "%xmm3", "%xmm4", "%xmm5", "%xmm6", "%xmm7",
		"%xmm8", "%xmm9", "%xmm10", "%xmm11", "%xmm12", "%xmm13", "%xmm14", "%xmm15"} {
		names[int(XMM0)+i] = n
	}
	return names
}
