package syntax

// UnaryOp is a prefix operator.
type UnaryOp uint8

// The prefix operators.
const (
	Neg UnaryOp = iota
	Not
	Deref
)

func (o UnaryOp) String() string { return [...]string{"-", "!", "*"}[o] }

// BinaryOp is an infix operator.
type BinaryOp uint8

// The infix operators. NoOp stands in an Assign for plain `=`.
const (
	NoOp BinaryOp = iota
	Or            // ||
	And           // &&
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	BitOr
	BitXor
	BitAnd
	Shl
	Shr
	Add
	Sub
	Mul
	Div
	Rem
	Pow // **
)

// Prec is a binding strength; the higher one binds tighter.
type Prec uint8

// The levels of language.md's operator list, loosest first.
const (
	PrecNone   Prec = iota
	PrecAssign      // = op=
	PrecRange       // .. ..=
	PrecOr
	PrecAnd
	PrecCompare // does not chain
	PrecBitOr
	PrecBitXor
	PrecBitAnd
	PrecShift
	PrecAdd
	PrecMul
	PrecCast
	PrecUnary
	PrecPow
	PrecPostfix
)

// opInfo is a row of the operator table, which parser, printer and checker read.
type opInfo struct {
	text   string
	prec   Prec
	assign bool // `op=` exists
}

var binaryOps = [...]opInfo{
	NoOp:   {"=", PrecAssign, false},
	Or:     {"||", PrecOr, false},
	And:    {"&&", PrecAnd, false},
	Eq:     {"==", PrecCompare, false},
	Ne:     {"!=", PrecCompare, false},
	Lt:     {"<", PrecCompare, false},
	Le:     {"<=", PrecCompare, false},
	Gt:     {">", PrecCompare, false},
	Ge:     {">=", PrecCompare, false},
	BitOr:  {"|", PrecBitOr, true},
	BitXor: {"^", PrecBitXor, true},
	BitAnd: {"&", PrecBitAnd, true},
	Shl:    {"<<", PrecShift, true},
	Shr:    {">>", PrecShift, true},
	Add:    {"+", PrecAdd, true},
	Sub:    {"-", PrecAdd, true},
	Mul:    {"*", PrecMul, true},
	Div:    {"/", PrecMul, true},
	Rem:    {"%", PrecMul, true},
	Pow:    {"**", PrecPow, true},
}

func (o BinaryOp) String() string { return binaryOps[o].text }

// Prec returns the operator's binding strength.
func (o BinaryOp) Prec() Prec { return binaryOps[o].prec }

// IsCompare reports whether the operator is one of == != < <= > >=.
func (o BinaryOp) IsCompare() bool { return o >= Eq && o <= Ge }
