// Package syntax turns text into a syntax tree and a tree back into text.
//
// In: a source.File. Out: a File of items and top-level statements, with a span on every node.
// Invariants: PrintFile(Parse(x)) is a fixed point; the tree keeps no parentheses (PrintFile puts them where precedence, the
// start of a statement or the head of an `if` asks for them); nesting deeper than MaxDepth is an error, so that no
// later stage can run out of stack. A tree made by a program (without spans) prints like a parsed one.
package syntax

import "rokrig/compiler/source"

// Loc is the place of a node; it is embedded in every one of them.
type Loc struct{ Span source.Span }

// Where returns the node's place.
func (l Loc) Where() source.Span { return l.Span }

// Node is anything in the tree.
type Node interface{ Where() source.Span }

// The families of nodes.
type (
	// Expr is an expression. Everything that has a value is one, also loops, assignments and `print`.
	Expr interface {
		Node
		isExpr()
	}
	// Pattern is what stands after `let`, `for` and `catch` and before `=>`.
	Pattern interface {
		Node
		isPattern()
	}
	// TypeExpr is a type as written.
	TypeExpr interface {
		Node
		isType()
	}
	// Stmt is a statement of a block or of the top level.
	Stmt interface {
		Node
		isStmt()
	}
	// Decl is what stands at the top level: an item or a statement (TopStmt).
	Decl interface {
		Node
		isDecl()
	}
)

// File is a whole program in the order of its text.
type File struct {
	Source *source.File // nil for a tree that was made, not parsed
	Decls  []Decl
}

// Ident is a name with its place.
type Ident struct {
	Loc
	Name string
}

// Segment is one part of a path: a name and its type arguments, written `::<...>` in expressions and `<...>` in types.
type Segment struct {
	Ident
	Args []TypeExpr // nil when none were written
}

// Path is `a`, `E::V`, `f::<T>`, `Vec::<i64>::new`, `T::Item`.
type Path struct {
	Loc
	Segments []Segment
}

// Expressions.
type (
	// IntLit is an integer literal; Value is its magnitude (a sign is a Unary around it).
	IntLit struct {
		Loc
		Value  uint64
		Base   int    // 2, 8, 10 or 16: how it is written
		Suffix string // "", or a primitive type's name
	}
	// FloatLit is a float literal. Text has no suffix and no underscores; it is rounded once, to the type it gets. Without a
	// Suffix it has a point or an exponent (`1f32` has neither).
	FloatLit struct {
		Loc
		Text   string
		Suffix string // "", "f32", "f64"
	}
	// StrLit is a string literal after its escapes; any bytes.
	StrLit struct {
		Loc
		Value string
	}
	// BoolLit is `true` or `false`.
	BoolLit struct {
		Loc
		Value bool
	}
	// NoneLit is `none`.
	NoneLit struct{ Loc }
	// PathExpr is a name in value position.
	PathExpr struct {
		Loc
		Path Path
	}
	// TupleLit is `(a, b)`, `(a,)` or `()`.
	TupleLit struct {
		Loc
		Elems []Expr
	}
	// Unary is `-x`, `!x` or `*x`.
	Unary struct {
		Loc
		Op UnaryOp
		X  Expr
	}
	// Binary is an operator with two operands, short circuit included.
	Binary struct {
		Loc
		Op    BinaryOp
		OpPos source.Pos
		X, Y  Expr
	}
	// Range is `lo..hi` or `lo..=hi`.
	Range struct {
		Loc
		Lo, Hi    Expr
		Inclusive bool
	}
	// Cast is `x as T`.
	Cast struct {
		Loc
		X    Expr
		Type TypeExpr
	}
	// Assign is `place = e` or, with Op set, `place op= e`.
	Assign struct {
		Loc
		Place Expr
		Op    BinaryOp // NoOp for plain `=`
		OpPos source.Pos
		Value Expr
	}
	// Call is `f(args)`. Its place starts where the callee does, an opening parenthesis included (so in MethodCall).
	Call struct {
		Loc
		Callee Expr
		Args   []Expr
	}
	// MethodCall is `recv.name::<T>(args)`.
	MethodCall struct {
		Loc
		Recv Expr
		Name Segment
		Args []Expr
	}
	// Field is `x.name`.
	Field struct {
		Loc
		X    Expr
		Name Ident
	}
	// TupleField is `x.0`.
	TupleField struct {
		Loc
		X     Expr
		Index int
	}
	// Index is `x[i]`; with a Range as I it is a slice.
	Index struct {
		Loc
		X, I     Expr
		LBracket source.Pos
	}
	// StructLit is `S { f: a, g }`; Value is nil for the short form `g`.
	StructLit struct {
		Loc
		Path   Path
		Fields []FieldInit
	}
	// ArrayLit is `[a, b]`.
	ArrayLit struct {
		Loc
		Elems []Expr
	}
	// ArrayRepeat is `[v; n]`.
	ArrayRepeat struct {
		Loc
		Value, Count Expr
	}
	// Block is `{ stmts tail }`; Tail is nil when the block has no final value.
	Block struct {
		Loc
		Stmts []Stmt
		Tail  Expr
	}
	// If is `if cond { } else { }`. Else is nil, a *Block, an *If or an *IfLet.
	If struct {
		Loc
		Cond Expr
		Then *Block
		Else Expr
	}
	// IfLet is `if let pat = x { } else { }`.
	IfLet struct {
		Loc
		Pat  Pattern
		X    Expr
		Then *Block
		Else Expr
	}
	// Match is `match x { arms }`.
	Match struct {
		Loc
		X    Expr
		Arms []Arm
	}
	// Loop is `'label: loop { }`; Label is nil when there is none (so in While and For), and its Name is without the quote.
	Loop struct {
		Loc
		Label *Ident
		Body  *Block
	}
	// While is `'label: while cond { }`.
	While struct {
		Loc
		Label *Ident
		Cond  Expr
		Body  *Block
	}
	// For is `'label: for pat in iter { }`.
	For struct {
		Loc
		Label *Ident
		Pat   Pattern
		Iter  Expr
		Body  *Block
	}
	// Break is `break 'label value`; Label and Value may be nil.
	Break struct {
		Loc
		Label *Ident
		Value Expr
	}
	// Continue is `continue 'label`.
	Continue struct {
		Loc
		Label *Ident
	}
	// Return is `return value`; Value may be nil.
	Return struct {
		Loc
		Value Expr
	}
	// Throw is `throw value`.
	Throw struct {
		Loc
		Value Expr
	}
	// Try is `try x`, `try? x` or `try! x` with its clauses.
	Try struct {
		Loc
		Kind    TryKind
		X       Expr
		Catches []Catch
		Finally *Block // nil when there is none
	}
	// Print is `print a, b`.
	Print struct {
		Loc
		Args []Expr
	}
	// Panic is `panic(message)`.
	Panic struct {
		Loc
		Arg Expr
	}
	// Assert is `assert(condition)`.
	Assert struct {
		Loc
		Arg Expr
	}
	// Spawn is `spawn f(args)`; Call is a *Call or a *MethodCall.
	Spawn struct {
		Loc
		Call Expr
	}
)

// FieldInit is one field of a struct literal.
type FieldInit struct {
	Name  Ident
	Value Expr // nil for the short form
}

// Arm is one arm of a match.
type Arm struct {
	Loc
	Pat   Pattern
	Guard Expr // nil when there is none
	Body  Expr
}

// Catch is one clause of a try.
type Catch struct {
	Loc
	Pat  Pattern
	Body *Block
}

// TryKind tells the three spellings of try apart.
type TryKind uint8

// The kinds of try.
const (
	TryPlain TryKind = iota // try
	TryNone                 // try?
	TryPanic                // try!
)

// Patterns.
type (
	// LitPat is a literal: IntLit, FloatLit, StrLit, BoolLit, NoneLit, the empty tuple, or a Unary minus of a number.
	LitPat struct {
		Loc
		Value Expr
	}
	// RangePat is `lo..=hi` or `lo..hi` over integer literals (with a minus perhaps).
	RangePat struct {
		Loc
		Lo, Hi    Expr
		Inclusive bool
	}
	// WildPat is `_`.
	WildPat struct{ Loc }
	// BindPat binds a name.
	BindPat struct {
		Loc
		Name Ident
		Mut  bool
	}
	// TuplePat is `(p, q)` or `(p,)`.
	TuplePat struct {
		Loc
		Elems []Pattern
	}
	// StructPat is `S { f, g: p, .. }`; a field's Pat is nil for the short form.
	StructPat struct {
		Loc
		Path   Path
		Fields []FieldPat
		Rest   bool
	}
	// EnumPat is `E::V` or `E::V(p)`; Args is nil for the first form.
	EnumPat struct {
		Loc
		Path Path
		Args []Pattern
	}
	// TypePat is `x: T` or `_: T`; Name.Name is "_" for the second form.
	TypePat struct {
		Loc
		Name Ident
		Mut  bool
		Type TypeExpr
	}
	// OrPat is `p | q`.
	OrPat struct {
		Loc
		Alts []Pattern
	}
)

// FieldPat is one field of a struct pattern.
type FieldPat struct {
	Name Ident
	Pat  Pattern // nil for the short form
}

// Types as written.
type (
	// NamedType is a primitive, a user's type or a type parameter, by its path.
	NamedType struct {
		Loc
		Path Path
	}
	// TupleType is `(A, B)`, `(A,)` or `()`.
	TupleType struct {
		Loc
		Elems []TypeExpr
	}
	// ArrayType is `[T]`.
	ArrayType struct {
		Loc
		Elem TypeExpr
	}
	// UnionType is `A | B`.
	UnionType struct {
		Loc
		Members []TypeExpr
	}
	// FnType is `fn(A) throws (E) -> R`.
	FnType struct {
		Loc
		Params []TypeExpr
		Throws *Throws  // nil when it does not throw
		Result TypeExpr // nil for ()
	}
	// AnyType is `any` or `any Error`.
	AnyType struct {
		Loc
		Error bool
	}
	// NoneType is `none`.
	NoneType struct{ Loc }
	// NeverType is `!`.
	NeverType struct{ Loc }
)

// Throws is `throws` (Type is nil) or `throws (E)`.
type Throws struct {
	Loc
	Type TypeExpr
}

// Statements.
type (
	// Let is `let pat: T = init;`; Type may be nil.
	Let struct {
		Loc
		Pat  Pattern
		Type TypeExpr
		Init Expr
	}
	// ExprStmt is an expression as a statement. Semi is false only for a block-like one that ends without `;`.
	ExprStmt struct {
		Loc
		X    Expr
		Semi bool
	}
)

// Items and what stands in them.
type (
	// TopStmt is a statement at the top level.
	TopStmt struct {
		Loc
		Stmt Stmt
	}
	// FnDecl is a function; in a trait Body may be nil.
	FnDecl struct {
		Loc
		Name       Ident
		TypeParams []TypeParam
		Params     []Param
		Throws     *Throws
		Result     TypeExpr // nil for ()
		Body       *Block
	}
	// StructDecl is `struct S<T> { f: T }`.
	StructDecl struct {
		Loc
		Name       Ident
		TypeParams []TypeParam
		Fields     []FieldDecl
	}
	// EnumDecl is `enum E<T> { V(T), U }`.
	EnumDecl struct {
		Loc
		Name       Ident
		TypeParams []TypeParam
		Variants   []Variant
	}
	// TraitDecl is `trait T { type Item; fn f(self); }`.
	TraitDecl struct {
		Loc
		Name    Ident
		Types   []Ident // associated types
		Methods []*FnDecl
	}
	// ImplDecl is `impl<T> Trait for Type { }` or, with Trait nil, `impl Type { }`.
	ImplDecl struct {
		Loc
		TypeParams []TypeParam
		Trait      *Path
		Type       TypeExpr
		Types      []AssocType
		Methods    []*FnDecl
	}
	// StaticDecl is `static NAME: T = init;`.
	StaticDecl struct {
		Loc
		Name Ident
		Type TypeExpr
		Init Expr
	}
)

// TypeParam is `T: Bound + Bound`.
type TypeParam struct {
	Ident
	Bounds []Bound
}

// Bound is `Iterator<Item = i64>`.
type Bound struct {
	Path
	Assoc []AssocType
}

// AssocType is `type Item = T;` or the `Item = T` of a bound.
type AssocType struct {
	Ident
	Type TypeExpr
}

// Param is a parameter; for `self` Type is nil.
type Param struct {
	Loc
	Name Ident
	Mut  bool
	Type TypeExpr
}

// FieldDecl is a field of a struct.
type FieldDecl struct {
	Loc
	Name Ident
	Type TypeExpr
}

// Variant is a variant of an enum; Args is nil without a payload.
type Variant struct {
	Loc
	Name Ident
	Args []TypeExpr
}
