package core

import "rokrig/compiler/types"

// staticInts backs every list that is Int and nothing else, so that the commonest lists cost no allocation.
var staticInts [32]Class

// primitiveWords are the words of the types without parts, by kind.
var primitiveWords = [...][]Class{
	types.I8: oneInt, types.I16: oneInt, types.I32: oneInt, types.I64: oneInt,
	types.U8: oneInt, types.U16: oneInt, types.U32: oneInt, types.U64: oneInt,
	types.F32: {F32}, types.F64: {F64},
	types.Bool: oneInt, types.Unit: nil, types.Never: nil, types.Str: strWords,
	types.Fn: oneInt,
}

// Classify returns the classes of the words that a value of type t is made of; none for () and `!`. It is the one place
// that knows. The result is shared: do not write to it. A kind that has no representation yet is a compiler bug.
func Classify(t *types.Type) []Class {
	switch t.Kind {
	case types.Tuple:
		return concatWords(t.Args, Classify)
	case types.Range, types.RangeInclusive:
		return rangeWords(Classify(t.Args[0]))
	}
	if int(t.Kind) < len(primitiveWords) && (primitiveWords[t.Kind] != nil || t.Kind == types.Unit || t.Kind == types.Never) {
		return primitiveWords[t.Kind]
	}
	panic("core: no representation of type " + t.String())
}

// rangeWords are those of a range: its two ends.
func rangeWords(elem []Class) []Class {
	return shareInts(append(append(make([]Class, 0, 2*len(elem)), elem...), elem...))
}

// concatWords puts the words of several types one after another; of finds those of one.
func concatWords(ts []*types.Type, of func(*types.Type) []Class) []Class {
	n := 0
	for _, t := range ts {
		n += len(of(t))
	}
	if n == 0 {
		return nil
	}
	list := make([]Class, 0, n)
	for _, t := range ts {
		list = append(list, of(t)...)
	}
	return shareInts(list)
}

// shareInts returns the shared list when w holds nothing but Int.
func shareInts(w []Class) []Class {
	for _, c := range w {
		if c != Int {
			return w
		}
	}
	if len(w) > len(staticInts) {
		return w
	}
	return staticInts[:len(w):len(w)]
}

// wordsOf is Classify with a memory: tuples of tuples are classified once in a program.
func (l *lowerer) wordsOf(t *types.Type) []Class {
	if t.Kind != types.Tuple && t.Kind != types.Range && t.Kind != types.RangeInclusive {
		return Classify(t)
	}
	if int(t.ID) >= len(l.words) {
		l.words = append(l.words, make([]typeWords, l.prog.Table.Len()-len(l.words))...)
	}
	memo := &l.words[t.ID]
	if !memo.known {
		memo.known = true
		if t.Kind == types.Tuple {
			memo.list = concatWords(t.Args, l.wordsOf)
		} else {
			memo.list = Classify(t)
		}
	}
	return l.words[t.ID].list
}

// typeWords remembers the words of a type.
type typeWords struct {
	known bool
	list  []Class
}

// partOffset returns the number of words of a tuple before part i.
func (l *lowerer) partOffset(tuple *types.Type, i int) int {
	n := 0
	for _, t := range tuple.Args[:i] {
		n += len(l.wordsOf(t))
	}
	return n
}

// scalars gives the operand type of the kinds that operators work on.
var scalars = [...]Scalar{
	types.I8: I8, types.I16: I16, types.I32: I32, types.I64: I64, types.U8: U8, types.U16: U16, types.U32: U32, types.U64: U64,
	types.F32: SF32, types.F64: SF64, types.Bool: Bool,
}

// scalarOf returns the operand type of t. Another type here is a compiler bug.
func scalarOf(t *types.Type) Scalar {
	if int(t.Kind) < len(scalars) && scalars[t.Kind] != NoScalar {
		return scalars[t.Kind]
	}
	panic("core: no operator works on type " + t.String())
}

// sameClasses reports whether two lists of words are equal.
func sameClasses(a, b []Class) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
