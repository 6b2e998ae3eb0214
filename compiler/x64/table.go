package x64

// Form is a machine operation with given operand kinds and widths: what has one row in the table below. Printer, verifiers
// and encoder read the row; there is no other knowledge of instructions.
type Form uint16

// Kind is the kind and width of an operand as a form wants it.
type Kind uint8

// The kinds. A vector register holds a scalar of the instruction's own width.
const (
	kNone Kind = iota
	kR64
	kR32
	kR16
	kR8
	kX
	kM64
	kM8
	kAddr  // an address that is not accessed
	kI64   // any immediate
	kI32   // sign-extended to the operation's width
	kI8    // likewise
	kCL    // the register %cl and no other
	kLabel // a place in the same function
	kSym   // the target of a call
)

// Flow says where an instruction goes.
type Flow uint8

// The ways.
const (
	Next  Flow = iota // to the next instruction
	Maybe             // to the label or the next
	Jump              // to the label
	Call              // away and back
	End               // nowhere: return or fault
)

// Row describes a form.
type Row struct {
	Name string  // mnemonic as GNU as wants it
	Args [3]Kind // sources first, the destination last
	Flow Flow
	Push int8 // words by which it grows the stack, when that does not depend on its operands
	Star bool // printed with `*` before its operand: an indirect call
	Enc  Enc  // its machine code
}

// Enc is the machine code of a form, as the manuals' opcode tables write it (Intel SDM volume 2).
type Enc struct {
	Layout Layout
	Prefix byte // mandatory prefix 0x66, 0xf2 or 0xf3; 0 for none
	Wide   bool // REX.W: 64-bit operands
	Two    bool // a two-byte opcode: 0x0f comes first
	Op     byte // the opcode
	Ext    byte // ModRM.reg where it is part of the opcode
	Short  bool // an immediate that fits a byte takes one, with opcode Op|2
	Acc    byte // the opcode for %rax as destination with a four-byte immediate, which saves ModRM; 0 for none
}

// Layout says where a form's operands go.
type Layout uint8

// The layouts. rm and reg are the fields of ModRM.
const (
	NoCode  Layout = iota // no bytes: a label
	Plain                 // the opcode alone
	InOp                  // the register is in the opcode's low bits; an immediate follows
	RegToRM               // first operand in reg, second in rm
	RMToReg               // first operand in rm, second in reg
	ExtRM                 // Ext in reg, the last operand in rm; an immediate may follow
	ImmOnly               // an immediate follows
	Rel                   // a distance follows: one or four bytes for jumps, four for calls
)

// The forms. Names: the mnemonic, then R for a register, M for memory, I for an immediate, sources first as in the text.
const (
	NoForm Form = iota
	LabelDef

	MovAbs
	MovIR32
	MovRR
	MovRR32
	MovMR
	MovRM
	Lea
	PushR
	PushM
	PushI
	PopR
	PopM

	AddRR
	SubRR
	ImulRR
	AndRR
	OrRR
	XorRR
	AddIR
	SubIR
	XorIR
	AndIR32
	AndRR8
	OrRR8
	NegR
	NotR
	ShlCL
	ShrCL
	SarCL
	Cqto
	IdivR
	CmpRR
	TestRR
	CmpIM8
	OrIM

	MovzxB
	MovzxW
	MovsxB
	MovsxW
	MovsxL

	MovqRX
	MovqXR
	MovdRX
	MovdXR
	Addsd
	Subsd
	Mulsd
	Divsd
	Ucomisd
	Addss
	Subss
	Mulss
	Divss
	Ucomiss
	Cvtsi2sd
	Cvtsi2ss
	Cvtss2sd
	Cvtsd2ss

	CallS
	CallR
	JmpL
	Ret
	Leave
	Ud2

	Setcc                       // + Cond
	Jcc      = Setcc + NumConds // + Cond
	NumForms = Jcc + NumConds
)

// Cond is a condition of the flags, numbered as in machine code.
type Cond = Form

// The conditions: unsigned (B, AE, BE, A), equality, sign, parity (unordered after a float comparison), signed (L, GE, LE, G).
const (
	CondO Cond = iota
	CondNO
	CondB
	CondAE
	CondE
	CondNE
	CondBE
	CondA
	CondS
	CondNS
	CondP
	CondNP
	CondL
	CondGE
	CondLE
	CondG
	NumConds
)

var condNames = [NumConds]string{"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"}

var rows = addConditions([NumForms]Row{
	LabelDef: {Name: "", Args: [3]Kind{kLabel}},

	MovAbs:  {Name: "movabs", Args: [3]Kind{kI64, kR64}, Enc: Enc{Layout: InOp, Wide: true, Op: 0xb8}},
	MovIR32: {Name: "mov", Args: [3]Kind{kI32, kR32}, Enc: Enc{Layout: InOp, Op: 0xb8}},
	MovRR:   {Name: "mov", Args: [3]Kind{kR64, kR64}, Enc: Enc{Layout: RegToRM, Wide: true, Op: 0x89}},
	MovRR32: {Name: "mov", Args: [3]Kind{kR32, kR32}, Enc: Enc{Layout: RegToRM, Op: 0x89}},
	MovMR:   {Name: "mov", Args: [3]Kind{kM64, kR64}, Enc: Enc{Layout: RMToReg, Wide: true, Op: 0x8b}},
	MovRM:   {Name: "mov", Args: [3]Kind{kR64, kM64}, Enc: Enc{Layout: RegToRM, Wide: true, Op: 0x89}},
	Lea:     {Name: "lea", Args: [3]Kind{kAddr, kR64}, Enc: Enc{Layout: RMToReg, Wide: true, Op: 0x8d}},
	PushR:   {Name: "push", Args: [3]Kind{kR64}, Push: 1, Enc: Enc{Layout: InOp, Op: 0x50}},
	PushM:   {Name: "pushq", Args: [3]Kind{kM64}, Push: 1, Enc: Enc{Layout: ExtRM, Op: 0xff, Ext: 6}},
	PushI:   {Name: "pushq", Args: [3]Kind{kI32}, Push: 1, Enc: Enc{Layout: ImmOnly, Op: 0x68, Short: true}},
	PopR:    {Name: "pop", Args: [3]Kind{kR64}, Push: -1, Enc: Enc{Layout: InOp, Op: 0x58}},
	PopM:    {Name: "popq", Args: [3]Kind{kM64}, Push: -1, Enc: Enc{Layout: ExtRM, Op: 0x8f}},

	AddRR:   {Name: "add", Args: [3]Kind{kR64, kR64}, Enc: Enc{Layout: RegToRM, Wide: true, Op: 0x01}},
	SubRR:   {Name: "sub", Args: [3]Kind{kR64, kR64}, Enc: Enc{Layout: RegToRM, Wide: true, Op: 0x29}},
	ImulRR:  {Name: "imul", Args: [3]Kind{kR64, kR64}, Enc: Enc{Layout: RMToReg, Wide: true, Two: true, Op: 0xaf}},
	AndRR:   {Name: "and", Args: [3]Kind{kR64, kR64}, Enc: Enc{Layout: RegToRM, Wide: true, Op: 0x21}},
	OrRR:    {Name: "or", Args: [3]Kind{kR64, kR64}, Enc: Enc{Layout: RegToRM, Wide: true, Op: 0x09}},
	XorRR:   {Name: "xor", Args: [3]Kind{kR64, kR64}, Enc: Enc{Layout: RegToRM, Wide: true, Op: 0x31}},
	AddIR:   {Name: "add", Args: [3]Kind{kI32, kR64}, Enc: Enc{Layout: ExtRM, Wide: true, Op: 0x81, Ext: 0, Short: true, Acc: 0x05}},
	SubIR:   {Name: "sub", Args: [3]Kind{kI32, kR64}, Enc: Enc{Layout: ExtRM, Wide: true, Op: 0x81, Ext: 5, Short: true, Acc: 0x2d}},
	XorIR:   {Name: "xor", Args: [3]Kind{kI32, kR64}, Enc: Enc{Layout: ExtRM, Wide: true, Op: 0x81, Ext: 6, Short: true, Acc: 0x35}},
	AndIR32: {Name: "and", Args: [3]Kind{kI32, kR32}, Enc: Enc{Layout: ExtRM, Op: 0x81, Ext: 4, Short: true, Acc: 0x25}},
	AndRR8:  {Name: "and", Args: [3]Kind{kR8, kR8}, Enc: Enc{Layout: RegToRM, Op: 0x20}},
	OrRR8:   {Name: "or", Args: [3]Kind{kR8, kR8}, Enc: Enc{Layout: RegToRM, Op: 0x08}},
	NegR:    {Name: "neg", Args: [3]Kind{kR64}, Enc: Enc{Layout: ExtRM, Wide: true, Op: 0xf7, Ext: 3}},
	NotR:    {Name: "not", Args: [3]Kind{kR64}, Enc: Enc{Layout: ExtRM, Wide: true, Op: 0xf7, Ext: 2}},
	ShlCL:   {Name: "shl", Args: [3]Kind{kCL, kR64}, Enc: Enc{Layout: ExtRM, Wide: true, Op: 0xd3, Ext: 4}},
	ShrCL:   {Name: "shr", Args: [3]Kind{kCL, kR64}, Enc: Enc{Layout: ExtRM, Wide: true, Op: 0xd3, Ext: 5}},
	SarCL:   {Name: "sar", Args: [3]Kind{kCL, kR64}, Enc: Enc{Layout: ExtRM, Wide: true, Op: 0xd3, Ext: 7}},
	Cqto:    {Name: "cqto", Enc: Enc{Layout: Plain, Wide: true, Op: 0x99}},
	IdivR:   {Name: "idiv", Args: [3]Kind{kR64}, Enc: Enc{Layout: ExtRM, Wide: true, Op: 0xf7, Ext: 7}},
	CmpRR:   {Name: "cmp", Args: [3]Kind{kR64, kR64}, Enc: Enc{Layout: RegToRM, Wide: true, Op: 0x39}},
	TestRR:  {Name: "test", Args: [3]Kind{kR64, kR64}, Enc: Enc{Layout: RegToRM, Wide: true, Op: 0x85}},
	CmpIM8:  {Name: "cmpb", Args: [3]Kind{kI8, kM8}, Enc: Enc{Layout: ExtRM, Op: 0x80, Ext: 7}},
	OrIM:    {Name: "orq", Args: [3]Kind{kI8, kM64}, Enc: Enc{Layout: ExtRM, Wide: true, Op: 0x83, Ext: 1}},

	MovzxB: {Name: "movzbl", Args: [3]Kind{kR8, kR32}, Enc: Enc{Layout: RMToReg, Two: true, Op: 0xb6}},
	MovzxW: {Name: "movzwl", Args: [3]Kind{kR16, kR32}, Enc: Enc{Layout: RMToReg, Two: true, Op: 0xb7}},
	MovsxB: {Name: "movsbq", Args: [3]Kind{kR8, kR64}, Enc: Enc{Layout: RMToReg, Wide: true, Two: true, Op: 0xbe}},
	MovsxW: {Name: "movswq", Args: [3]Kind{kR16, kR64}, Enc: Enc{Layout: RMToReg, Wide: true, Two: true, Op: 0xbf}},
	MovsxL: {Name: "movslq", Args: [3]Kind{kR32, kR64}, Enc: Enc{Layout: RMToReg, Wide: true, Op: 0x63}},

	MovqRX:   {Name: "movq", Args: [3]Kind{kR64, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0x66, Wide: true, Two: true, Op: 0x6e}},
	MovqXR:   {Name: "movq", Args: [3]Kind{kX, kR64}, Enc: Enc{Layout: RegToRM, Prefix: 0x66, Wide: true, Two: true, Op: 0x7e}},
	MovdRX:   {Name: "movd", Args: [3]Kind{kR32, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0x66, Two: true, Op: 0x6e}},
	MovdXR:   {Name: "movd", Args: [3]Kind{kX, kR32}, Enc: Enc{Layout: RegToRM, Prefix: 0x66, Two: true, Op: 0x7e}},
	Addsd:    {Name: "addsd", Args: [3]Kind{kX, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0xf2, Two: true, Op: 0x58}},
	Subsd:    {Name: "subsd", Args: [3]Kind{kX, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0xf2, Two: true, Op: 0x5c}},
	Mulsd:    {Name: "mulsd", Args: [3]Kind{kX, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0xf2, Two: true, Op: 0x59}},
	Divsd:    {Name: "divsd", Args: [3]Kind{kX, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0xf2, Two: true, Op: 0x5e}},
	Ucomisd:  {Name: "ucomisd", Args: [3]Kind{kX, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0x66, Two: true, Op: 0x2e}},
	Addss:    {Name: "addss", Args: [3]Kind{kX, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0xf3, Two: true, Op: 0x58}},
	Subss:    {Name: "subss", Args: [3]Kind{kX, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0xf3, Two: true, Op: 0x5c}},
	Mulss:    {Name: "mulss", Args: [3]Kind{kX, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0xf3, Two: true, Op: 0x59}},
	Divss:    {Name: "divss", Args: [3]Kind{kX, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0xf3, Two: true, Op: 0x5e}},
	Ucomiss:  {Name: "ucomiss", Args: [3]Kind{kX, kX}, Enc: Enc{Layout: RMToReg, Two: true, Op: 0x2e}},
	Cvtsi2sd: {Name: "cvtsi2sdq", Args: [3]Kind{kR64, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0xf2, Wide: true, Two: true, Op: 0x2a}},
	Cvtsi2ss: {Name: "cvtsi2ssq", Args: [3]Kind{kR64, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0xf3, Wide: true, Two: true, Op: 0x2a}},
	Cvtss2sd: {Name: "cvtss2sd", Args: [3]Kind{kX, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0xf3, Two: true, Op: 0x5a}},
	Cvtsd2ss: {Name: "cvtsd2ss", Args: [3]Kind{kX, kX}, Enc: Enc{Layout: RMToReg, Prefix: 0xf2, Two: true, Op: 0x5a}},

	CallS: {Name: "call", Args: [3]Kind{kSym}, Flow: Call, Enc: Enc{Layout: Rel, Op: 0xe8}},
	CallR: {Name: "call", Args: [3]Kind{kR64}, Flow: Call, Star: true, Enc: Enc{Layout: ExtRM, Op: 0xff, Ext: 2}},
	JmpL:  {Name: "jmp", Args: [3]Kind{kLabel}, Flow: Jump, Enc: Enc{Layout: Rel, Op: 0xe9}},
	Ret:   {Name: "ret", Flow: End, Enc: Enc{Layout: Plain, Op: 0xc3}},
	Leave: {Name: "leave", Enc: Enc{Layout: Plain, Op: 0xc9}},
	Ud2:   {Name: "ud2", Flow: End, Enc: Enc{Layout: Plain, Two: true, Op: 0x0b}},
})

// addConditions completes the table by the forms that exist once per condition.
func addConditions(rows [NumForms]Row) [NumForms]Row {
	for c, name := range condNames {
		rows[Setcc+Cond(c)] = Row{Name: "set" + name, Args: [3]Kind{kR8}, Enc: Enc{Layout: ExtRM, Two: true, Op: 0x90 + byte(c)}}
		rows[Jcc+Cond(c)] = Row{Name: "j" + name, Args: [3]Kind{kLabel}, Flow: Maybe, Enc: Enc{Layout: Rel, Two: true, Op: 0x80 + byte(c)}}
	}
	return rows
}

// Row returns the form's row.
func (f Form) Row() *Row { return &rows[f] }
