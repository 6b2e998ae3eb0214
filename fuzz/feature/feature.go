// Package feature names the constructs of the language, so that a campaign can say which of them it executed.
//
// In: nodes of the checked tree. Out: the features that a node stands for. A feature's name is stable: reports of
// different versions are compared by it. Of looks at a node alone; an Index looks at a whole program and also knows
// what depends on a node's surroundings, such as a `break` among the operands of an operator. Together with
// interp.Options.Observe and Machine.Regions either gives counts of executions.
package feature

import (
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// ID is a feature. IDs are dense and start at 0, but only names are stable.
type ID int16

// Node is an expression or a pattern of the checked tree.
type Node interface {
	Where() source.Span
	Type() *types.Type
	ID() types.NodeID
}

// names is the list of features by ID; ids finds one by its name.
var (
	names []string
	ids   = map[string]ID{}
)

// def gives the feature of a name its ID.
func def(name string) ID {
	if id, ok := ids[name]; ok {
		return id
	}
	id := ID(len(names))
	names = append(names, name)
	ids[name] = id
	return id
}

// String returns the feature's name.
func (id ID) String() string { return names[id] }

// Count returns the number of features.
func Count() int { return len(names) }

// ByName returns the feature of a name.
func ByName(name string) (ID, bool) {
	id, ok := ids[name]
	return id, ok
}

// class is a group of types for which code generators do the same.
type class uint8

const (
	noClass  class = iota
	narrowS        // i8 i16 i32
	wideS          // i64
	narrowU        // u8 u16 u32
	wideU          // u64
	single         // f32
	double         // f64
	boolean        // bool
	text           // str
	compound       // tuples
	unit
	numClasses
)

var classNames = [numClasses]string{"other", "narrow-signed", "i64", "narrow-unsigned", "u64", "f32", "f64", "bool", "str", "tuple", "unit"}

func classOf(t *types.Type) class {
	switch k := t.Kind; {
	case k == types.I64:
		return wideS
	case k == types.U64:
		return wideU
	case k.IsInt() && k.IsSigned():
		return narrowS
	case k.IsInt():
		return narrowU
	case k == types.F32:
		return single
	case k == types.F64:
		return double
	case k == types.Bool:
		return boolean
	case k == types.Str:
		return text
	case k == types.Tuple:
		return compound
	case k == types.Unit:
		return unit
	}
	return noClass
}

var (
	ints    = []class{narrowS, wideS, narrowU, wideU}
	numbers = []class{narrowS, wideS, narrowU, wideU, single, double}
	bits    = []class{narrowS, wideS, narrowU, wideU, boolean}
	ordered = []class{narrowS, wideS, narrowU, wideU, single, double, boolean, text}
	equal   = []class{narrowS, wideS, narrowU, wideU, single, double, boolean, text, compound, unit}
	signed  = []class{narrowS, wideS, single, double}
)

// classTable is a family of features `prefix/class`.
type classTable [numClasses]ID

func defClasses(prefix string, classes []class) (t classTable) {
	for i := range t {
		t[i] = none
	}
	for _, c := range classes {
		t[c] = def(prefix + "/" + classNames[c])
	}
	return t
}

// none stands in tables where there is no feature.
const none ID = -1

var (
	binaryIDs = func() (t [syntax.Pow + 1]classTable) {
		for op := syntax.Eq; op <= syntax.Pow; op++ {
			classes := ordered
			switch op {
			case syntax.Eq, syntax.Ne:
				classes = equal
			case syntax.BitAnd, syntax.BitOr, syntax.BitXor:
				classes = bits
			case syntax.Add, syntax.Sub, syntax.Mul, syntax.Div, syntax.Rem:
				classes = numbers
			case syntax.Shl, syntax.Shr, syntax.Pow:
				classes = ints
			}
			t[op] = defClasses("binary/"+op.String(), classes)
		}
		return t
	}()
	assignOpIDs = func() (t [syntax.Pow + 1]classTable) {
		assignBits := []class{narrowS, boolean}
		assignNumbers := []class{narrowS, double}
		for op := syntax.BitOr; op <= syntax.Pow; op++ {
			classes := []class{narrowS}
			switch op {
			case syntax.BitAnd, syntax.BitOr, syntax.BitXor:
				classes = assignBits
			case syntax.Add, syntax.Sub, syntax.Mul, syntax.Div, syntax.Rem:
				classes = assignNumbers
			}
			for i := range t[op] {
				t[op][i] = none
			}
			for _, c := range classes {
				kind := map[class]string{narrowS: "int", boolean: "bool", double: "float"}[c]
				id := def("assign/" + op.String() + "=/" + kind)
				for _, other := range assignGroups[c] {
					t[op][other] = id
				}
			}
		}
		return t
	}()
	shiftCountIDs = defClasses("shift-count", ints)
	negIDs        = defClasses("unary/-", signed)
	notIDs        = defClasses("unary/!", bits)
	castIDs       = func() (t [numClasses]classTable) {
		for from := range t {
			for to := range t[from] {
				t[from][to] = none
			}
		}
		for _, from := range append([]class{boolean}, numbers...) {
			for _, to := range numbers {
				if from == boolean && (to == single || to == double) {
					continue
				}
				t[from][to] = def("cast/" + classNames[from] + "-to-" + classNames[to])
			}
		}
		return t
	}()
	forIDs          = defClasses("for/exclusive", ints)
	forInclusiveIDs = defClasses("for/inclusive", ints)
	litIDs          = defClasses("literal", []class{narrowS, wideS, narrowU, wideU, single, double, boolean, text, unit})
	printIDs        = defClasses("print", equal)
	matchIDs        = defClasses("match/on", equal)
	patConstIDs     = defClasses("pattern/literal", []class{narrowS, wideS, narrowU, wideU, single, double, boolean, text})
	patRangeIDs     = defClasses("pattern/range", ints)
	localIDs        = defClasses("read/local", equal)
	globalIDs       = defClasses("read/global", equal)
	staticIDs       = defClasses("read/static", equal)
)

// assignGroups says which classes an op= feature stands for.
var assignGroups = map[class][]class{narrowS: ints, boolean: {boolean}, double: {single, double}}
