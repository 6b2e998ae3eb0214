package core

import (
	"cmp"
	"math"
	"slices"

	"rokrig/compiler/mutant"
	"rokrig/compiler/types"
)

// wordSpan is the set of the words from lo to hi, both included, in an order in which unsigned comparison is the type's own:
// the sign bit of signed words is turned over.
type wordSpan struct{ lo, hi uint64 }

// ordered turns a normalised word of a kind into one that unsigned comparison orders, and back.
func ordered(k types.Kind, w uint64) uint64 {
	if k.IsSigned() {
		return w ^ 1<<63
	}
	return w
}

// domain is the set of all words of an integer kind or bool; for other kinds, of all numbers of constants.
func domain(k types.Kind) wordSpan {
	switch {
	case k == types.Bool:
		return wordSpan{0, 1}
	case !isDiscrete(k):
		return wordSpan{0, ^uint64(0)}
	}
	lo, hi := k.MinMax()
	return wordSpan{ordered(k, lo), ordered(k, hi)}
}

// isDiscrete reports whether values of the kind are words that a Switch can tell apart.
func isDiscrete(k types.Kind) bool { return k.IsInt() || k == types.Bool }

// patternSpans appends the words that a pattern on an integer or bool matches. ok is false for other patterns, and for a
// pattern that binds a variable.
func (l *lowerer) patternSpans(to []wordSpan, p types.Pattern) (spans []wordSpan, ok bool) {
	k := p.Type().Kind
	switch p := p.(type) {
	case *types.WildPat:
		return append(to, domain(k)), isDiscrete(k)
	case *types.ConstPat:
		w := ordered(k, p.Bits)
		return append(to, wordSpan{w, w}), isDiscrete(k)
	case *types.RangePat:
		if p.Empty {
			return to, true
		}
		lo, hi := ordered(k, p.Lo), ordered(k, p.Hi)
		if lo < hi && l.mutant.On(mutant.MatchRangeEndExcluded) {
			hi--
		}
		return append(to, wordSpan{lo, hi}), true
	case *types.OrPat:
		for _, q := range p.Alts {
			if to, ok = l.patternSpans(to, q); !ok {
				return to, false
			}
		}
		return to, true
	}
	return to, false
}

// union sorts spans and joins those that touch. It reports whether no word was in two of them.
func union(spans []wordSpan) (joined []wordSpan, disjoint bool) {
	slices.SortFunc(spans, func(a, b wordSpan) int { return cmp.Compare(a.lo, b.lo) })
	disjoint = true
	for _, s := range spans {
		last := len(joined) - 1
		switch {
		case last < 0 || joined[last].hi < s.lo && joined[last].hi+1 < s.lo:
			joined = append(joined, s)
			continue
		case joined[last].hi >= s.lo:
			disjoint = false
		}
		joined[last].hi = max(joined[last].hi, s.hi)
	}
	return joined, disjoint
}

// floatValue is the number that a float constant stands for.
func floatValue(k types.Kind, bits uint64) float64 {
	if k == types.F32 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}
