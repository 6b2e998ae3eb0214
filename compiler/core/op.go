package core

// Opcode is an operator of core. Its row in the table says what it takes, leaves and does.
type Opcode uint8

// The operators. For integers the result is normalised to the width of Scalar.
const (
	NoOp Opcode = iota
	// Arithmetic on integers (wraps) and floats.
	Add
	Sub
	Mul
	Neg
	// Checked arithmetic. Float division and remainder cannot panic: they are FDiv and FRem.
	Div
	Rem
	Pow
	FDiv
	FRem
	// Bits: integers, and bool for And, Or, Xor. Not is bitwise on integers and logical on bool.
	And
	Or
	Xor
	Not
	// Shifts: the count is any integer's word, taken modulo the width of Scalar. Shr is arithmetic on signed types.
	Shl
	Shr
	// Comparisons of integers, floats and bool; the result is 0 or 1.
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	// Conv converts a From (numeric or bool) to a Scalar (numeric), as `as` does.
	Conv
	// Strings: two words each. StrCmp leaves -1, 0 or 1.
	StrEq
	StrCmp
	StrIndex // string, index: a byte
	StrSlice // string, from, to: a string
	// Output. PrintIntLine prints an i64 and a newline.
	PrintIntLine
	PrintI64
	PrintU64
	PrintF32
	PrintF64
	PrintBool
	PrintStr
	PrintSep
	PrintNl
	NumOps
)

// Effect is a set of what an operator does beside computing.
type Effect uint8

// The effects. An operator without any is pure. One that may panic never moves across output, stores or another panic.
const (
	Reads Effect = 1 << iota
	Writes
	Output
	MayPanic
	Safepoint
	MayCall // may be a call of the runtime: it has a site
)

// shape says which words an operator takes and leaves, in terms of its scalar.
type shape uint8

const (
	unaryS    shape = iota // S -> S
	binaryS                // S, S -> S
	shiftS                 // S, int -> S
	compareS               // S, S -> int
	convS                  // From -> S
	str2Int                // str, str -> int
	strInt                 // str, int -> int
	strSlice               // str, int, int -> str
	printInt               // int ->
	printF32               // f32 ->
	printF64               // f64 ->
	printStr               // str ->
	printNone              // ->
)

// OpInfo is a row of the table.
type OpInfo struct {
	Name    string
	shape   shape
	Effects Effect
}

var ops = [NumOps]OpInfo{
	Add:          {"add", binaryS, 0},
	Sub:          {"sub", binaryS, 0},
	Mul:          {"mul", binaryS, 0},
	Neg:          {"neg", unaryS, 0},
	Div:          {"div", binaryS, MayPanic | MayCall},
	Rem:          {"rem", binaryS, MayPanic | MayCall},
	Pow:          {"pow", binaryS, MayPanic | MayCall},
	FDiv:         {"fdiv", binaryS, 0},
	FRem:         {"frem", binaryS, MayCall},
	And:          {"and", binaryS, 0},
	Or:           {"or", binaryS, 0},
	Xor:          {"xor", binaryS, 0},
	Not:          {"not", unaryS, 0},
	Shl:          {"shl", shiftS, 0},
	Shr:          {"shr", shiftS, 0},
	Eq:           {"eq", compareS, 0},
	Ne:           {"ne", compareS, 0},
	Lt:           {"lt", compareS, 0},
	Le:           {"le", compareS, 0},
	Gt:           {"gt", compareS, 0},
	Ge:           {"ge", compareS, 0},
	Conv:         {"conv", convS, MayCall},
	StrEq:        {"str.eq", str2Int, Reads | MayCall},
	StrCmp:       {"str.cmp", str2Int, Reads | MayCall},
	StrIndex:     {"str.index", strInt, Reads | MayPanic | MayCall},
	StrSlice:     {"str.slice", strSlice, MayPanic | MayCall},
	PrintIntLine: {"print.intline", printInt, Output | MayCall},
	PrintI64:     {"print.i64", printInt, Output | MayCall},
	PrintU64:     {"print.u64", printInt, Output | MayCall},
	PrintF32:     {"print.f32", printF32, Output | MayCall},
	PrintF64:     {"print.f64", printF64, Output | MayCall},
	PrintBool:    {"print.bool", printInt, Output | MayCall},
	PrintStr:     {"print.str", printStr, Output | Reads | MayCall},
	PrintSep:     {"print.sep", printNone, Output | MayCall},
	PrintNl:      {"print.nl", printNone, Output | MayCall},
}

// Info returns the operator's row.
func (o Opcode) Info() OpInfo { return ops[o] }

func (o Opcode) String() string { return ops[o].Name }

// Has reports whether the operator has all effects of e.
func (o Opcode) Has(e Effect) bool { return ops[o].Effects&e == e }

// Signature returns the classes that an operator takes, over all its operands, and those that it leaves.
func (o Opcode) Signature(s, from Scalar) (in, out []Class) {
	c := s.Class()
	switch ops[o].shape {
	case unaryS:
		return []Class{c}, []Class{c}
	case binaryS:
		return []Class{c, c}, []Class{c}
	case shiftS:
		return []Class{Int, Int}, []Class{Int}
	case compareS:
		return []Class{c, c}, []Class{Int}
	case convS:
		return []Class{from.Class()}, []Class{c}
	case str2Int:
		return []Class{Interior, Int, Interior, Int}, []Class{Int}
	case strInt:
		return []Class{Interior, Int, Int}, []Class{Int}
	case strSlice:
		return []Class{Interior, Int, Int, Int}, []Class{Interior, Int}
	case printInt:
		return []Class{Int}, nil
	case printF32:
		return []Class{F32}, nil
	case printF64:
		return []Class{F64}, nil
	case printStr:
		return []Class{Interior, Int}, nil
	}
	return nil, nil
}
