// Package types checks a syntax tree and gives back the checked tree: every name resolved, every expression typed, every
// literal a constant of its type, every implied conversion written out.
//
// In: a syntax.File. Out: a Program, or diagnostics. The checked tree is what the reference interpreter runs and what core
// desugars, so it stays close to the source: `for`, `match`, `&&` and `op=` are still themselves.
// Invariants: a Program without errors has exactly one meaning; no expression has the type Invalid; an expression whose
// type is `!` may stand wherever a value is wanted; NodeIDs are dense, so that side tables are slices; a Program is never
// changed after Check, so any number of goroutines may read it.
package types

import (
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
)

// The typed numbers of a Program; each indexes a slice.
type (
	FuncID   int32
	GlobalID int32
	LocalID  int32 // dense in its function, parameters first
	NodeID   int32 // dense in its program, over expressions and patterns
	LoopID   int32 // dense in its function
)

// Program is a checked program.
type Program struct {
	Source  *source.File
	Table   *Table
	Funcs   []*Func // by FuncID, in the order of their declarations; Main is among them
	Main    *Func   // the top-level statements, or `fn main`
	Globals []*Global
	Nodes   int // one more than the largest NodeID
}

// Func is a function, or the top-level statements as one (its Name is then "main", and Decl nil).
type Func struct {
	ID     FuncID
	Name   string
	Params []*Local // also the first of Locals
	Locals []*Local // by LocalID
	Loops  int      // number of loops; one more than the largest LoopID
	Type   *Type    // kind Fn
	Body   Expr     // its value is the function's; of type `!` if it never ends normally
	Decl   *syntax.FnDecl
	Span   source.Span
}

// Result returns the type of the function's value.
func (f *Func) Result() *Type { return f.Type.Result }

// Local is a parameter or a variable of a function. Each binding is one, also when it shadows another.
type Local struct {
	ID   LocalID
	Name string
	Type *Type
	Mut  bool
	Span source.Span
}

// Global is a top-level `let`'s variable or a static.
type Global struct {
	ID     GlobalID
	Name   string
	Type   *Type
	Mut    bool
	Static bool
	Init   Expr // of a static: a *Const or a *TupleExpr of such; nil for a `let`, which main's body initialises
	Span   source.Span
}

// Expr is a checked expression.
type Expr interface {
	Where() source.Span
	Type() *Type
	ID() NodeID
	isExpr()
}

// Base is what every expression has.
type Base struct {
	Span source.Span
	Typ  *Type
	Node NodeID
}

// Where returns the place of the expression.
func (b *Base) Where() source.Span { return b.Span }

// Type returns the expression's type.
func (b *Base) Type() *Type { return b.Typ }

// ID returns the expression's number.
func (b *Base) ID() NodeID { return b.Node }

func (b *Base) isExpr() {}

// Expressions.
type (
	// Const is a constant of a scalar type, `str` or (). Bits is the value as a word: integers normalised (see
	// Kind.Normalise), floats as their IEEE bits (an f32 in the low half), false and true as 0 and 1.
	Const struct {
		Base
		Bits uint64
		Str  string
	}
	// LocalRef reads a local.
	LocalRef struct {
		Base
		Local *Local
	}
	// GlobalRef reads a global; for a `let` it panics if the initialiser has not run.
	GlobalRef struct {
		Base
		Global *Global
	}
	// FuncRef is a function as a value.
	FuncRef struct {
		Base
		Func *Func
	}
	// Unary is negation or not, by the operand's type.
	Unary struct {
		Base
		Op syntax.UnaryOp
		X  Expr
	}
	// Binary is an operator over two operands of one type (a shift's count may have another). Or and And are Logic.
	// Comparisons of tuples compare part by part.
	Binary struct {
		Base
		Op    syntax.BinaryOp
		OpPos source.Pos
		X, Y  Expr
	}
	// Logic is `&&` or `||`.
	Logic struct {
		Base
		Op   syntax.BinaryOp
		X, Y Expr
	}
	// Cast is `x as T`; Typ is T.
	Cast struct {
		Base
		X Expr
	}
	// TupleExpr is `(a, b)`.
	TupleExpr struct {
		Base
		Elems []Expr
	}
	// TupleField is `x.0`, as a value or as part of a place.
	TupleField struct {
		Base
		X     Expr
		Index int
	}
	// RangeExpr is `lo..hi` or `lo..=hi`, by its type's kind.
	RangeExpr struct {
		Base
		Lo, Hi Expr
	}
	// StrIndex is `s[i]`, a u8. Bracket is the place a panic names.
	StrIndex struct {
		Base
		X, I    Expr
		Bracket source.Pos
	}
	// StrSlice is `s[lo..hi]`, the only form of slice: `s[lo..=hi]` is an error.
	StrSlice struct {
		Base
		X, Lo, Hi Expr
		Bracket   source.Pos
	}
	// Len is `len(x)`.
	Len struct {
		Base
		X Expr
	}
	// Assign is `place = v` (Op is NoOp) or `place op= v`. Place is a LocalRef or GlobalRef under any TupleFields.
	Assign struct {
		Base
		Place Expr
		Op    syntax.BinaryOp
		OpPos source.Pos
		Value Expr
	}
	// Call calls a known function.
	Call struct {
		Base
		Func *Func
		Args []Expr
	}
	// CallValue calls a function value.
	CallValue struct {
		Base
		Callee Expr
		Args   []Expr
	}
	// Block is `{ stmts tail }`. Tail is nil when there is none; the value is then (), or the type `!`.
	Block struct {
		Base
		Stmts []Stmt
		Tail  Expr
	}
	// If is `if`; Else is nil when there is none.
	If struct {
		Base
		Cond, Then, Else Expr
	}
	// Match is `match`; exhaustive.
	Match struct {
		Base
		X    Expr
		Arms []Arm
	}
	// Loop is `loop`.
	Loop struct {
		Base
		Loop LoopID
		Body Expr
	}
	// While is `while`.
	While struct {
		Base
		Loop       LoopID
		Cond, Body Expr
	}
	// For is `for pat in iter`; Iter has a range type.
	For struct {
		Base
		Loop LoopID
		Pat  Pattern
		Iter Expr
		Body Expr
	}
	// Break leaves a loop; Value is nil when there is none.
	Break struct {
		Base
		Loop  LoopID
		Value Expr
	}
	// Continue starts a loop's next round.
	Continue struct {
		Base
		Loop LoopID
	}
	// Return leaves the function; Value is nil for ().
	Return struct {
		Base
		Value Expr
	}
	// Print prints its arguments, one blank between, and a newline, after evaluating all of them.
	Print struct {
		Base
		Args []Expr
	}
	// Panic ends the program with a message, naming its own start.
	Panic struct {
		Base
		Arg Expr
	}
	// Assert panics with `assertion failed`, naming its own start, if Arg is false.
	Assert struct {
		Base
		Arg Expr
	}
)

// Arm is one arm of a Match; Guard is nil when there is none.
type Arm struct {
	Pat   Pattern
	Guard Expr
	Body  Expr
	Span  source.Span
}

// Stmt is a statement: a LetStmt or an ExprStmt.
type Stmt interface{ isStmt() }

// Statements.
type (
	// LetStmt binds the variables of an irrefutable pattern. At the top level they are globals, else locals.
	LetStmt struct {
		Span source.Span
		Pat  Pattern
		Init Expr
	}
	// ExprStmt evaluates an expression and drops its value.
	ExprStmt struct{ X Expr }
)

func (*LetStmt) isStmt()  {}
func (*ExprStmt) isStmt() {}

// Pattern is a checked pattern. A path that is only bound is read when all tests of its arm have passed.
type Pattern interface {
	Where() source.Span
	Type() *Type
	ID() NodeID
	isPattern()
}

// PatBase is what every pattern has; Typ is the type of what it is matched with.
type PatBase struct {
	Span source.Span
	Typ  *Type
	Node NodeID
}

// Where returns the place of the pattern.
func (b *PatBase) Where() source.Span { return b.Span }

// Type returns the type of what the pattern is matched with.
func (b *PatBase) Type() *Type { return b.Typ }

// ID returns the pattern's number.
func (b *PatBase) ID() NodeID { return b.Node }

func (b *PatBase) isPattern() {}

// Patterns.
type (
	// WildPat is `_`.
	WildPat struct{ PatBase }
	// BindPat binds a variable: either Local or Global is set. The alternatives of an OrPat bind the same variables.
	BindPat struct {
		PatBase
		Local  *Local
		Global *Global
	}
	// ConstPat is a literal, matched by `==`; Bits and Str are as in Const.
	ConstPat struct {
		PatBase
		Bits uint64
		Str  string
	}
	// RangePat is an integer range, both ends included, as normalised words. Empty is `a..a`, which matches nothing.
	RangePat struct {
		PatBase
		Lo, Hi uint64
		Empty  bool
	}
	// TuplePat is `(p, q)`.
	TuplePat struct {
		PatBase
		Elems []Pattern
	}
	// OrPat is `p | q`, tried from the left.
	OrPat struct {
		PatBase
		Alts []Pattern
	}
)
