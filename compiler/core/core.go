// Package core is the small structured language between the checked tree and the back ends.
//
// In: a types.Program. Out: a Module: functions over words, in which `match`, `for`, tuples, `op=`, short circuit and the
// check of uninitialised globals are already spelled out.
//
// A value is a list of words, each of a Class; Classify is the one place that says which words a type has, and every back
// end and both calling conventions read it. Expressions are trees, evaluated strictly from the left; nothing is shared
// between two places of a tree.
//
// Invariants: every operand has exactly the classes that its place wants (what never ends normally is followed by an Undef
// where a value is wanted); an operator that can panic has a position; every node that may become a call has a site;
// branches go to an enclosing Block only; integers are kept normalised (sign- or zero-extended to the word).
package core

import "rokrig/compiler/source"

// Class is what one word of a value is to registers and to the collector.
type Class uint8

// The classes. A back end keeps F32 and F64 in vector registers, all others in general ones.
const (
	Int      Class = iota
	F32            // an f32; as an integer word its bits are in the low half, the high half is zero
	F64            // an f64
	Ref            // null or the address of an object
	Interior       // an address that may point inside an object or outside the heap: a string's data
	Tag            // the tag word of a tagged pair; a Payload follows
	Payload        // the payload word of a tagged pair
)

func (c Class) String() string {
	return [...]string{"int", "f32", "f64", "ref", "interior", "tag", "payload"}[c]
}

// Scalar is the operand type of an operator.
type Scalar uint8

// The scalars.
const (
	NoScalar Scalar = iota
	I8
	I16
	I32
	I64
	U8
	U16
	U32
	U64
	SF32
	SF64
	Bool
)

var scalarNames = [...]string{"", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "bool"}

func (s Scalar) String() string { return scalarNames[s] }

// IsSigned reports whether s is a signed integer.
func (s Scalar) IsSigned() bool { return s >= I8 && s <= I64 }

// IsInt reports whether s is an integer.
func (s Scalar) IsInt() bool { return s >= I8 && s <= U64 }

// IsFloat reports whether s is a float.
func (s Scalar) IsFloat() bool { return s == SF32 || s == SF64 }

// Bits returns the width of s in bits.
func (s Scalar) Bits() int { return [...]int{0, 8, 16, 32, 64, 8, 16, 32, 64, 32, 64, 8}[s] }

// Class returns the class of the word that holds an s.
func (s Scalar) Class() Class {
	switch s {
	case SF32:
		return F32
	case SF64:
		return F64
	}
	return Int
}

// The typed numbers of a module and of a function; each indexes a slice.
type (
	FuncID   int32
	GlobalID int32
	StringID int32
	SiteID   int32 // over the whole module, in the order of creation
	LocalID  int32 // dense in its function, parameters first
	LabelID  int32 // dense in its function
)

// Module is a whole program: everything that a back end emits.
type Module struct {
	Source  *source.File
	Funcs   []*Func
	Main    FuncID
	Globals []*Global
	Strings []string // the pool of string data; equal strings are one
	Sites   []Site
}

// Func is one function (later: one instance of a generic one).
type Func struct {
	ID     FuncID
	Name   string // the path in the source; "main" for the top-level statements
	Params int    // the first Params of Locals
	Locals []*Local
	Labels int // one more than the largest LabelID
	Result []Class
	Body   Expr // has the classes of Result
	Pos    source.Pos
}

// Local is a variable of a function: a parameter, a user's or a temporary.
type Local struct {
	ID      LocalID
	Name    string // "" for a temporary
	Classes []Class
	Pos     source.Pos
}

// Global is a static, a top-level variable, or the flag that says that one was initialised.
type Global struct {
	ID      GlobalID
	Name    string
	Classes []Class
	Init    []InitWord // one per word
	Pos     source.Pos
}

// InitWord is the first value of a word of a global: Bits, or with IsStr the address of a string's data.
type InitWord struct {
	Bits  uint64
	Str   StringID
	IsStr bool
}

// SiteKind tells what stands at a site.
type SiteKind uint8

// The kinds of sites.
const (
	CallSite   SiteKind = iota // a call of a Rok function
	HelperSite                 // an operator that may be a call of the runtime
	PollSite                   // a safepoint poll
	PanicSite
)

// Site is a place that reports, mutants and tables name. It is numbered once, here, and carried through all stages.
type Site struct {
	Kind SiteKind
	Func FuncID
	Pos  source.Pos
}

// Expr is an expression: it leaves the words of Classes, or none.
type Expr interface {
	Classes() []Class
	isExpr()
}

// Expressions.
type (
	// Const is one word. Bits holds a float's IEEE bits.
	Const struct {
		Class Class
		Bits  uint64
	}
	// Str is a string constant: data address and length.
	Str struct {
		ID  StringID
		Len int
	}
	// Undef stands for words that are never used, after what does not end normally.
	Undef struct{ Words []Class }
	// FuncAddr is a function's address.
	FuncAddr struct{ Func FuncID }
	// LocalGet reads words Off.. of a local.
	LocalGet struct {
		Local *Local
		Off   int
		Words []Class
	}
	// GlobalGet reads words Off.. of a global.
	GlobalGet struct {
		Global *Global
		Off    int
		Words  []Class
	}
	// Op applies an operator of the table. Scalar is its operand type, From the source type of a conversion. Pos is
	// what a panic names; Site is set where the table says that it may be a call.
	Op struct {
		Op     Opcode
		Scalar Scalar
		From   Scalar
		Args   []Expr
		Pos    source.Pos
		Site   SiteID
		Words  []Class
	}
	// Concat is all words of its parts, one after another: a tuple, a range.
	Concat struct {
		Parts []Expr
		Words []Class
	}
	// Part is words Off.. of X, whose other words are dropped.
	Part struct {
		X     Expr
		Off   int
		Words []Class
	}
	// Call calls a function with the words of its arguments. NoReturn: its result is `!`, so that there is no normal end.
	Call struct {
		Func     FuncID
		Args     []Expr
		Words    []Class
		Pos      source.Pos
		Site     SiteID
		NoReturn bool
	}
	// CallIndirect calls through an address, which is evaluated first.
	CallIndirect struct {
		Callee   Expr
		Args     []Expr
		Words    []Class
		Pos      source.Pos
		Site     SiteID
		NoReturn bool
	}
	// Seq evaluates List, dropping values, then Tail (nil for none).
	Seq struct {
		List []Expr
		Tail Expr
	}
	// Let gives a local its first value. Each Let of a local may run many times, in a loop.
	Let struct {
		Local *Local
		Init  Expr
	}
	// Assign stores words into a local from word Off on.
	Assign struct {
		Local *Local
		Off   int
		Value Expr
	}
	// SetGlobal stores words into a global from word Off on.
	SetGlobal struct {
		Global *Global
		Off    int
		Value  Expr
	}
	// Block evaluates Body; a Br to its label leaves it with the Br's words. Body has the classes Words.
	Block struct {
		Label LabelID
		Words []Class
		Body  Expr
	}
	// Br leaves the enclosing Block with that label; Value is nil when the block has no words. No normal end.
	Br struct {
		Label LabelID
		Value Expr
	}
	// If evaluates one of its sides. Else is nil when there is none; then there are no words.
	If struct {
		Cond, Then, Else Expr
		Words            []Class
	}
	// Switch evaluates the case whose range holds X, else Default. X is an integer or bool of type Scalar; the cases
	// are sorted by that type's order and do not overlap.
	Switch struct {
		X       Expr
		Scalar  Scalar
		Cases   []Case
		Default Expr
		Words   []Class
	}
	// Loop runs Body for ever; only a Br leaves it. No normal end. Bounded marks a loop that the source does not have and
	// whose number of rounds the source's text bounds: it goes round without a poll.
	Loop struct {
		Body    Expr
		Bounded bool
	}
	// While runs Body as long as Cond is true.
	While struct{ Cond, Body Expr }
	// Poll is a safepoint poll: at a function's start and at the end of each round of a loop.
	Poll struct {
		Site SiteID
		Pos  source.Pos
	}
	// Panic ends the program with Message (a string's words) at Pos. No normal end.
	Panic struct {
		Message Expr
		Pos     source.Pos
		Site    SiteID
	}
	// Return leaves the function; Value is nil when it has no words. No normal end.
	Return struct{ Value Expr }
)

// Case is one case of a Switch; Lo and Hi are normalised words, both included.
type Case struct {
	Lo, Hi uint64
	Body   Expr
}

var (
	oneInt   = []Class{Int}
	strWords = []Class{Interior, Int}
	oneClass = [...][]Class{Int: {Int}, F32: {F32}, F64: {F64}, Ref: {Ref}, Interior: {Interior}, Tag: {Tag}, Payload: {Payload}}
)

// Classes returns the class of the one word.
func (e *Const) Classes() []Class        { return oneClass[e.Class] }
func (e *Str) Classes() []Class          { return strWords }
func (e *Undef) Classes() []Class        { return e.Words }
func (e *FuncAddr) Classes() []Class     { return oneInt }
func (e *LocalGet) Classes() []Class     { return e.Words }
func (e *GlobalGet) Classes() []Class    { return e.Words }
func (e *Op) Classes() []Class           { return e.Words }
func (e *Concat) Classes() []Class       { return e.Words }
func (e *Part) Classes() []Class         { return e.Words }
func (e *Call) Classes() []Class         { return e.Words }
func (e *CallIndirect) Classes() []Class { return e.Words }
func (e *Let) Classes() []Class          { return nil }
func (e *Assign) Classes() []Class       { return nil }
func (e *SetGlobal) Classes() []Class    { return nil }
func (e *Block) Classes() []Class        { return e.Words }
func (e *Br) Classes() []Class           { return nil }
func (e *If) Classes() []Class           { return e.Words }
func (e *Switch) Classes() []Class       { return e.Words }
func (e *Loop) Classes() []Class         { return nil }
func (e *While) Classes() []Class        { return nil }
func (e *Poll) Classes() []Class         { return nil }
func (e *Panic) Classes() []Class        { return nil }
func (e *Return) Classes() []Class       { return nil }

// Classes returns the tail's classes.
func (e *Seq) Classes() []Class {
	if e.Tail == nil {
		return nil
	}
	return e.Tail.Classes()
}

func (*Const) isExpr()        {}
func (*Str) isExpr()          {}
func (*Undef) isExpr()        {}
func (*FuncAddr) isExpr()     {}
func (*LocalGet) isExpr()     {}
func (*GlobalGet) isExpr()    {}
func (*Op) isExpr()           {}
func (*Concat) isExpr()       {}
func (*Part) isExpr()         {}
func (*Call) isExpr()         {}
func (*CallIndirect) isExpr() {}
func (*Seq) isExpr()          {}
func (*Let) isExpr()          {}
func (*Assign) isExpr()       {}
func (*SetGlobal) isExpr()    {}
func (*Block) isExpr()        {}
func (*Br) isExpr()           {}
func (*If) isExpr()           {}
func (*Switch) isExpr()       {}
func (*Loop) isExpr()         {}
func (*While) isExpr()        {}
func (*Poll) isExpr()         {}
func (*Panic) isExpr()        {}
func (*Return) isExpr()       {}
