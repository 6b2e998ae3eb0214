package types

import (
	"math"
	"strings"
)

// Kind is the shape of a type.
type Kind uint8

// The kinds of types. The numeric ones come first, so that ranges of kinds mean something.
const (
	Invalid Kind = iota // the type of what was already reported; goes with everything
	I8
	I16
	I32
	I64
	U8
	U16
	U32
	U64
	F32
	F64
	Bool
	Unit
	Never
	Str
	None
	Tuple
	Range // lo..hi; an immutable value of two words
	RangeInclusive
	Fn
	Struct
	Enum
	Array
	Union
	Any
	AnyError
	Ptr
	Atomic
	Task
	Param // a type parameter
	Assoc // T::Item
)

// Type is a type. Types are interned per Table, so that equal types are equal pointers; a Type never changes.
type Type struct {
	Kind   Kind
	ID     TypeID  // dense in its Table
	Args   []*Type // tuple parts, union members, parameters of a Fn, element of a range or array
	Result *Type   // of a Fn
	Throws *Type   // of a Fn: the error type, or nil
	Name   string  // of a primitive, user's type or type parameter
	parts  int32   // of a Tuple: how many types it holds, itself and the parts of its parts included
}

// MaxTupleParts is the largest number of types in a tuple type, counting the parts of its parts and every tuple itself.
// Without a limit `let b = (a, a); let c = (b, b); ...` would double a type with every line.
const MaxTupleParts = 256

// partsOf counts the types in t: one, or all of a tuple's.
func partsOf(t *Type) int {
	if t.Kind == Tuple || t.Kind == untypedTuple {
		return int(t.parts)
	}
	return 1
}

// countParts returns the size of a tuple of the given types, as MaxTupleParts counts.
func countParts(types []*Type) int {
	n := 1
	for _, t := range types {
		n += partsOf(t)
	}
	return n
}

// TypeID numbers the types of a Table; a TypeID indexes slices.
type TypeID int32

// primitives are the types without parts, shared by all tables. Their IDs are their kinds.
var primitives = func() (p [Param]*Type) {
	names := map[Kind]string{Invalid: "<error>", I8: "i8", I16: "i16", I32: "i32", I64: "i64", U8: "u8", U16: "u16", U32: "u32",
		U64: "u64", F32: "f32", F64: "f64", Bool: "bool", Unit: "()", Never: "!", Str: "str", None: "none", Any: "any", AnyError: "any Error"}
	for kind, name := range names {
		p[kind] = &Type{Kind: kind, ID: TypeID(kind), Name: name}
	}
	return p
}()

// Prim returns the type of a kind without parts.
func Prim(k Kind) *Type { return primitives[k] }

// PrimitiveNames lists the type names that stand for themselves in source, with their kinds.
var PrimitiveNames = map[string]Kind{"i8": I8, "i16": I16, "i32": I32, "i64": I64, "u8": U8, "u16": U16, "u32": U32, "u64": U64,
	"f32": F32, "f64": F64, "bool": Bool, "str": Str}

// IsInt reports whether k is an integer kind.
func (k Kind) IsInt() bool { return k >= I8 && k <= U64 }

// IsSigned reports whether k is a signed integer kind.
func (k Kind) IsSigned() bool { return k >= I8 && k <= I64 }

// IsFloat reports whether k is a float kind.
func (k Kind) IsFloat() bool { return k == F32 || k == F64 }

// IsNumeric reports whether k is an integer or a float kind.
func (k Kind) IsNumeric() bool { return k >= I8 && k <= F64 }

// Bits returns the width in bits of a numeric kind.
func (k Kind) Bits() int {
	switch k {
	case I8, U8:
		return 8
	case I16, U16:
		return 16
	case I32, U32, F32:
		return 32
	}
	return 64
}

// Normalise extends the low bits of w to a word the way values of integer kind k are kept: sign- or zero-extended.
func (k Kind) Normalise(w uint64) uint64 {
	shift := 64 - k.Bits()
	if k.IsSigned() {
		return uint64(int64(w<<shift) >> shift)
	}
	return w << shift >> shift
}

// MinMax returns the smallest and the largest value of an integer kind as normalised words.
func (k Kind) MinMax() (lo, hi uint64) {
	if k.IsSigned() {
		hi = uint64(1)<<(k.Bits()-1) - 1
		return ^hi, hi
	}
	return 0, ^uint64(0) >> (64 - k.Bits())
}

// LessWords compares two normalised words of integer kind k.
func (k Kind) LessWords(a, b uint64) bool {
	if k.IsSigned() {
		return int64(a) < int64(b)
	}
	return a < b
}

// Printable reports whether `print` takes a value of type t.
func (t *Type) Printable() bool {
	switch t.Kind {
	case Tuple, Union:
		for _, a := range t.Args {
			if !a.Printable() {
				return false
			}
		}
		return true
	case Bool, Unit, Never, Str, None, Any, AnyError, Invalid:
		return true
	}
	return t.Kind.IsNumeric()
}

// HasEq reports whether `==` takes two values of type t.
func (t *Type) HasEq() bool {
	switch t.Kind {
	case Tuple, Union:
		for _, a := range t.Args {
			if !a.HasEq() {
				return false
			}
		}
		return true
	case Bool, Unit, Never, Str, None, Struct, Enum, Array, Atomic, Task, Invalid:
		return true
	}
	return t.Kind.IsNumeric()
}

// HasOrder reports whether `<` takes two values of type t.
func (t *Type) HasOrder() bool {
	return t.Kind.IsNumeric() || t.Kind == Bool || t.Kind == Str || t.Kind == Invalid
}

// String spells the type as source does.
func (t *Type) String() string {
	return t.brief(math.MaxInt)
}

// brief spells the type as source does, but stops after some limit bytes.
func (t *Type) brief(limit int) string {
	b := typeWriter{limit: limit}
	b.typ(t)
	if b.Len() > limit {
		return cut(b.String(), limit)
	}
	return b.String()
}

// typeWriter spells types until there are more than limit bytes.
type typeWriter struct {
	strings.Builder
	limit int
}

func (b *typeWriter) typ(t *Type) {
	if b.Len() > b.limit {
		return
	}
	switch t.Kind {
	case Tuple, untypedTuple:
		b.WriteByte('(')
		b.list(t.Args, ", ")
		if len(t.Args) == 1 {
			b.WriteByte(',')
		}
		b.WriteByte(')')
	case Union:
		b.list(t.Args, " | ")
	case Array:
		b.WriteByte('[')
		b.typ(t.Args[0])
		b.WriteByte(']')
	case Fn:
		b.WriteString("fn(")
		b.list(t.Args, ", ")
		b.WriteByte(')')
		if t.Throws != nil {
			b.WriteString(" throws (")
			b.typ(t.Throws)
			b.WriteByte(')')
		}
		if t.Result.Kind != Unit {
			b.WriteString(" -> ")
			b.typ(t.Result)
		}
	default:
		b.WriteString(t.baseName())
		if len(t.Args) > 0 {
			b.WriteByte('<')
			b.list(t.Args, ", ")
			b.WriteByte('>')
		}
	}
}

func (t *Type) baseName() string {
	switch t.Kind {
	case Range:
		return "Range"
	case RangeInclusive:
		return "RangeInclusive"
	case Ptr:
		return "Ptr"
	case Atomic:
		return "Atomic"
	case Task:
		return "Task"
	}
	return t.Name
}

func (b *typeWriter) list(ts []*Type, sep string) {
	for i, t := range ts {
		if b.Len() > b.limit {
			return
		}
		if i > 0 {
			b.WriteString(sep)
		}
		b.typ(t)
	}
}

// Table interns the types of one program. It is not shared between compiles.
type Table struct {
	byKey map[string]*Type
	list  []*Type // by ID; the primitives first
}

// NewTable returns a table that holds the primitives.
func NewTable() *Table {
	return &Table{byKey: map[string]*Type{}, list: append(make([]*Type, 0, 2*Param), primitives[:]...)}
}

// Len returns one more than the largest TypeID given out.
func (tb *Table) Len() int { return len(tb.list) }

// Tuple returns the tuple of the given parts; no parts are the unit type.
func (tb *Table) Tuple(parts ...*Type) *Type {
	if len(parts) == 0 {
		return Prim(Unit)
	}
	return tb.intern(Type{Kind: Tuple, Args: parts, parts: int32(countParts(parts))})
}

// Range returns the type of `lo..hi` over elem.
func (tb *Table) Range(elem *Type, inclusive bool) *Type {
	kind := Range
	if inclusive {
		kind = RangeInclusive
	}
	return tb.intern(Type{Kind: kind, Args: []*Type{elem}})
}

// Fn returns a function type; throws is nil for one that does not throw.
func (tb *Table) Fn(params []*Type, throws, result *Type) *Type {
	return tb.intern(Type{Kind: Fn, Args: params, Throws: throws, Result: result})
}

// intern returns the one type equal to t. The key is made of the parts' IDs, so it costs nothing for nesting.
func (tb *Table) intern(t Type) *Type {
	var buffer [64]byte
	key := append(buffer[:0], byte(t.Kind))
	for _, a := range t.Args {
		key = appendID(key, a)
	}
	key = append(key, '/')
	key = appendID(key, t.Throws)
	key = appendID(key, t.Result)
	key = append(key, t.Name...)
	if old := tb.byKey[string(key)]; old != nil {
		return old
	}
	n := new(Type)
	*n = t
	n.ID = TypeID(len(tb.list))
	n.Args = append([]*Type(nil), t.Args...)
	tb.byKey[string(key)] = n
	tb.list = append(tb.list, n)
	return n
}

func appendID(key []byte, t *Type) []byte {
	id := TypeID(-1)
	if t != nil {
		id = t.ID
	}
	return append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
}
