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
}

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

	MovAbs:  {Name: "movabs", Args: [3]Kind{kI64, kR64}},
	MovIR32: {Name: "mov", Args: [3]Kind{kI32, kR32}},
	MovRR:   {Name: "mov", Args: [3]Kind{kR64, kR64}},
	MovRR32: {Name: "mov", Args: [3]Kind{kR32, kR32}},
	MovMR:   {Name: "mov", Args: [3]Kind{kM64, kR64}},
	MovRM:   {Name: "mov", Args: [3]Kind{kR64, kM64}},
	Lea:     {Name: "lea", Args: [3]Kind{kAddr, kR64}},
	PushR:   {Name: "push", Args: [3]Kind{kR64}, Push: 1},
	PushM:   {Name: "pushq", Args: [3]Kind{kM64}, Push: 1},
	PushI:   {Name: "pushq", Args: [3]Kind{kI32}, Push: 1},
	PopR:    {Name: "pop", Args: [3]Kind{kR64}, Push: -1},
	PopM:    {Name: "popq", Args: [3]Kind{kM64}, Push: -1},

	AddRR:   {Name: "add", Args: [3]Kind{kR64, kR64}},
	SubRR:   {Name: "sub", Args: [3]Kind{kR64, kR64}},
	ImulRR:  {Name: "imul", Args: [3]Kind{kR64, kR64}},
	AndRR:   {Name: "and", Args: [3]Kind{kR64, kR64}},
	OrRR:    {Name: "or", Args: [3]Kind{kR64, kR64}},
	XorRR:   {Name: "xor", Args: [3]Kind{kR64, kR64}},
	AddIR:   {Name: "add", Args: [3]Kind{kI32, kR64}},
	SubIR:   {Name: "sub", Args: [3]Kind{kI32, kR64}},
	XorIR:   {Name: "xor", Args: [3]Kind{kI32, kR64}},
	AndIR32: {Name: "and", Args: [3]Kind{kI32, kR32}},
	AndRR8:  {Name: "and", Args: [3]Kind{kR8, kR8}},
	OrRR8:   {Name: "or", Args: [3]Kind{kR8, kR8}},
	NegR:    {Name: "neg", Args: [3]Kind{kR64}},
	NotR:    {Name: "not", Args: [3]Kind{kR64}},
	ShlCL:   {Name: "shl", Args: [3]Kind{kCL, kR64}},
	ShrCL:   {Name: "shr", Args: [3]Kind{kCL, kR64}},
	SarCL:   {Name: "sar", Args: [3]Kind{kCL, kR64}},
	Cqto:    {Name: "cqto"},
	IdivR:   {Name: "idiv", Args: [3]Kind{kR64}},
	CmpRR:   {Name: "cmp", Args: [3]Kind{kR64, kR64}},
	TestRR:  {Name: "test", Args: [3]Kind{kR64, kR64}},
	CmpIM8:  {Name: "cmpb", Args: [3]Kind{kI8, kM8}},
	OrIM:    {Name: "orq", Args: [3]Kind{kI8, kM64}},

	MovzxB: {Name: "movzbl", Args: [3]Kind{kR8, kR32}},
	MovzxW: {Name: "movzwl", Args: [3]Kind{kR16, kR32}},
	MovsxB: {Name: "movsbq", Args: [3]Kind{kR8, kR64}},
	MovsxW: {Name: "movswq", Args: [3]Kind{kR16, kR64}},
	MovsxL: {Name: "movslq", Args: [3]Kind{kR32, kR64}},

	MovqRX:   {Name: "movq", Args: [3]Kind{kR64, kX}},
	MovqXR:   {Name: "movq", Args: [3]Kind{kX, kR64}},
	MovdRX:   {Name: "movd", Args: [3]Kind{kR32, kX}},
	MovdXR:   {Name: "movd", Args: [3]Kind{kX, kR32}},
	Addsd:    {Name: "addsd", Args: [3]Kind{kX, kX}},
	Subsd:    {Name: "subsd", Args: [3]Kind{kX, kX}},
	Mulsd:    {Name: "mulsd", Args: [3]Kind{kX, kX}},
	Divsd:    {Name: "divsd", Args: [3]Kind{kX, kX}},
	Ucomisd:  {Name: "ucomisd", Args: [3]Kind{kX, kX}},
	Addss:    {Name: "addss", Args: [3]Kind{kX, kX}},
	Subss:    {Name: "subss", Args: [3]Kind{kX, kX}},
	Mulss:    {Name: "mulss", Args: [3]Kind{kX, kX}},
	Divss:    {Name: "divss", Args: [3]Kind{kX, kX}},
	Ucomiss:  {Name: "ucomiss", Args: [3]Kind{kX, kX}},
	Cvtsi2sd: {Name: "cvtsi2sdq", Args: [3]Kind{kR64, kX}},
	Cvtsi2ss: {Name: "cvtsi2ssq", Args: [3]Kind{kR64, kX}},
	Cvtss2sd: {Name: "cvtss2sd", Args: [3]Kind{kX, kX}},
	Cvtsd2ss: {Name: "cvtsd2ss", Args: [3]Kind{kX, kX}},

	CallS: {Name: "call", Args: [3]Kind{kSym}, Flow: Call},
	CallR: {Name: "call", Args: [3]Kind{kR64}, Flow: Call, Star: true},
	JmpL:  {Name: "jmp", Args: [3]Kind{kLabel}, Flow: Jump},
	Ret:   {Name: "ret", Flow: End},
	Leave: {Name: "leave"},
	Ud2:   {Name: "ud2", Flow: End},
})

// addConditions completes the table by the forms that exist once per condition.
func addConditions(rows [NumForms]Row) [NumForms]Row {
	for c, name := range condNames {
		rows[Setcc+Cond(c)] = Row{Name: "set" + name, Args: [3]Kind{kR8}}
		rows[Jcc+Cond(c)] = Row{Name: "j" + name, Args: [3]Kind{kLabel}, Flow: Maybe}
	}
	return rows
}

// Row returns the form's row.
func (f Form) Row() *Row { return &rows[f] }
