package types

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"rokrig/compiler/mutant"
)

// Exhaustiveness is Maranget's usefulness algorithm ("Warnings for pattern matching", JFP 17, 2007), with integers split
// into the ranges between the ends that occur, as rustc does it, and computed for all rows at once: one walk over the
// matrix of patterns visits every class of values, and at its leaves sees which rows are reached and whether a value
// falls through. A row is a stack of patterns, one for each part of the value that is not looked at yet; tuples are
// taken apart on the way, so the columns are the leaves of the scrutinee's type, from left to right.
//
// The worst case is exponential (deciding it is NP-complete), so the walk has a budget of steps.

// maxSteps is the budget of one Check: how many rows its exhaustiveness may look at. A match of n arms over one integer
// takes some n steps.
const maxSteps = 1 << 22

// usefulnessResult is what the walk found.
type usefulnessResult struct {
	useful     []bool // by row: some value reaches it
	missing    string // a case that no row without a guard matches, as a pattern; "" if there is none
	tooComplex bool   // the budget was used up; the rest says nothing
}

// patStack is a persistent stack of patterns: list first, then rest.
type patStack struct {
	list []Pattern
	rest *patStack
}

type typeStack struct {
	list []*Type
	rest *typeStack
}

// pop takes the first pattern away.
func (s patStack) pop() patStack {
	if len(s.list) == 1 && s.rest != nil {
		return *s.rest
	}
	return patStack{s.list[1:], s.rest}
}

func (s patStack) push(list []Pattern) patStack {
	if len(s.list) == 0 {
		return patStack{list: list}
	}
	return patStack{list, &s}
}

func (s typeStack) pop() typeStack {
	if len(s.list) == 1 && s.rest != nil {
		return *s.rest
	}
	return typeStack{s.list[1:], s.rest}
}

func (s typeStack) push(list []*Type) typeStack {
	if len(s.list) == 0 {
		return typeStack{list: list}
	}
	return typeStack{list, &s}
}

// row is what is left of an arm's pattern, or of one of its alternatives.
type row struct {
	pats    patStack
	arm     int32
	guarded bool
}

// choice is a step on the way to a class of values.
type choice struct {
	kind   choiceKind
	lo, hi uint64 // of a chosenRange, normalised words
	text   string // of a chosenText
}

type choiceKind uint8

const (
	anything    choiceKind = iota // no row looks at this part
	chosenTuple                   // its parts follow
	chosenRange
	chosenText
)

// walk is one run of the algorithm.
type walk struct {
	c       *checker
	useful  []bool
	path    []choice
	missing []choice // the first path on which a value falls through
	found   bool
}

// usefulness finds out which of the patterns over values of type t are reached, and what they miss. guarded is nil if no
// row has a guard.
func (c *checker) usefulness(pats []Pattern, guarded []bool, t *Type) usefulnessResult {
	w := &walk{c: c, useful: make([]bool, len(pats))}
	if uninhabited(t) {
		for i := range w.useful {
			w.useful[i] = true // no value arrives at all; that is not the arm's fault
		}
		return usefulnessResult{useful: w.useful}
	}
	rows := make([]row, len(pats))
	for i := range pats {
		rows[i] = row{patStack{list: pats[i : i+1]}, int32(i), guarded != nil && guarded[i]}
	}
	// Half of what is left: one match must not leave nothing for those behind it.
	reserve := c.steps / 2
	c.steps -= reserve
	w.solve(rows, typeStack{list: []*Type{t}})
	result := usefulnessResult{useful: w.useful, tooComplex: c.steps < 0}
	c.steps = max(c.steps, 0) + reserve
	if w.found {
		result.missing = w.show(t)
	}
	return result
}

// uninhabited reports whether no value has type t.
func uninhabited(t *Type) bool {
	return t.Kind == Never || t.Kind == Tuple && slices.ContainsFunc(t.Args, uninhabited)
}

func (c *checker) reportMissing(m *Match, missing string) {
	if missing == "" || c.mutant.On(mutant.AcceptMissingCase) {
		return
	}
	c.errorf(m.Span, "this `match` misses a case: `%s`", missing)
}

// solve walks over the values that the types describe, for the rows that can still match them.
func (w *walk) solve(rows []row, types typeStack) {
	if w.c.steps -= len(rows) + 1; w.c.steps < 0 {
		return
	}
	if len(rows) == 0 || len(types.list) == 0 {
		w.leaf(rows)
		return
	}
	if !rows[0].guarded && w.matchesAll(rows[0].pats) {
		w.useful[rows[0].arm] = true
		return
	}
	t := types.list[0]
	rows = w.expand(rows)
	depth := len(w.path)
	switch {
	case !slices.ContainsFunc(rows, func(r row) bool { return !isWild(r.pats.list[0]) }): // no row looks at this part
		w.path = append(w.path, choice{})
		w.solve(popAll(rows), types.pop())
	case t.Kind == Tuple:
		w.path = append(w.path, choice{kind: chosenTuple})
		w.solve(w.openTuples(rows, len(t.Args)), types.pop().push(t.Args))
	case t.Kind.IsInt() || t.Kind == Bool:
		w.splitRanges(rows, types)
	default:
		w.splitConstants(rows, types)
	}
	w.path = w.path[:depth]
}

// leaf marks the rows that are reached when nothing is left to test, and notes a value that falls through.
func (w *walk) leaf(rows []row) {
	for _, r := range rows {
		w.useful[r.arm] = true
		if !r.guarded {
			return
		}
	}
	if !w.found {
		w.found = true
		w.missing = append([]choice(nil), w.path...)
	}
}

// matchesAll reports whether nothing is left to test.
func (w *walk) matchesAll(s patStack) bool {
	for {
		for _, p := range s.list {
			w.c.steps--
			if !isWild(p) {
				return false
			}
		}
		if s.rest == nil {
			return true
		}
		s = *s.rest
	}
}

func isWild(p Pattern) bool {
	switch p.(type) {
	case *WildPat, *BindPat:
		return true
	}
	return false
}

// expand makes a row of each alternative at the front of a row.
func (w *walk) expand(rows []row) []row {
	isOr := func(r row) bool {
		_, ok := r.pats.list[0].(*OrPat)
		return ok
	}
	if !slices.ContainsFunc(rows, isOr) {
		return rows
	}
	out := make([]row, 0, len(rows)+8)
	for _, r := range rows {
		out = w.alternatives(out, r)
	}
	return out
}

func (w *walk) alternatives(out []row, r row) []row {
	or, ok := r.pats.list[0].(*OrPat)
	if !ok {
		return append(out, r)
	}
	rest := r.pats.pop()
	for i := range or.Alts {
		if w.c.steps--; w.c.steps < 0 {
			break
		}
		out = w.alternatives(out, row{rest.push(or.Alts[i : i+1]), r.arm, r.guarded})
	}
	return out
}

func popAll(rows []row) []row {
	out := make([]row, len(rows))
	for i, r := range rows {
		out[i] = row{r.pats.pop(), r.arm, r.guarded}
	}
	return out
}

// openTuples puts the n parts of the first column in its place.
func (w *walk) openTuples(rows []row, n int) []row {
	for len(w.c.wilds) < n {
		w.c.wilds = append(w.c.wilds, &WildPat{})
	}
	out := make([]row, len(rows))
	for i, r := range rows {
		parts := w.c.wilds[:n]
		if p, ok := r.pats.list[0].(*TuplePat); ok && len(p.Elems) == n {
			parts = p.Elems
		}
		out[i] = row{r.pats.pop().push(parts), r.arm, r.guarded}
	}
	return out
}

// classes lists, for each class of the first column's values, the rows that match it, as indices; rows in order.
type classes struct {
	rows   [][]int32
	others []int32 // what matches a value that no row names
}

// follow walks on for the values of class i. Two neighbours with the same rows need one walk.
func (w *walk) follow(cl *classes, i int, popped []row, types typeStack, here choice) {
	members := cl.rows[i]
	if i > 0 && slices.Equal(members, cl.rows[i-1]) {
		return
	}
	w.enter(members, popped, types, here)
}

func (w *walk) enter(members []int32, popped []row, types typeStack, here choice) {
	rows := make([]row, len(members))
	for k, m := range members {
		rows[k] = popped[m]
	}
	depth := len(w.path)
	w.path = append(w.path, here)
	w.solve(rows, types.pop())
	w.path = w.path[:depth]
}

// ordered maps a normalised word of an integer kind or bool to one whose unsigned order is the values' order.
func ordered(k Kind, word uint64) uint64 {
	if k.IsSigned() {
		return word ^ 1<<63
	}
	return word
}

// endsOf returns the ordered ends of what a pattern of an integer or bool matches; ok is false if that is nothing.
func endsOf(p Pattern, k Kind, largest uint64) (lo, hi uint64, ok bool) {
	switch p := p.(type) {
	case *ConstPat:
		v := ordered(k, p.Bits)
		return v, v, true
	case *RangePat:
		return ordered(k, p.Lo), ordered(k, p.Hi), !p.Empty
	}
	return ordered(k, smallest(k)), largest, true
}

func smallest(k Kind) uint64 {
	if k == Bool {
		return 0
	}
	lo, _ := k.MinMax()
	return lo
}

// splitRanges cuts the values of the first column wherever a pattern starts or ends, and walks on for every piece.
func (w *walk) splitRanges(rows []row, types typeStack) {
	k := types.list[0].Kind
	largest := uint64(1)
	if k != Bool {
		_, hi := k.MinMax()
		largest = ordered(k, hi)
	}
	starts := []uint64{ordered(k, smallest(k))}
	for _, r := range rows {
		if lo, hi, ok := endsOf(r.pats.list[0], k, largest); ok {
			starts = append(starts, lo)
			if hi < largest {
				starts = append(starts, hi+1)
			}
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	cl := classes{rows: make([][]int32, len(starts))}
	last := types.rest == nil && len(types.list) == 1
	closed := make([]bool, len(starts)) // nothing below is reached
	named := make([]bool, len(starts))  // a row looks at this class
	for i, r := range rows {
		lo, hi, ok := endsOf(r.pats.list[0], k, largest)
		if !ok {
			continue
		}
		for at, _ := slices.BinarySearch(starts, lo); at < len(starts) && starts[at] <= hi; at++ {
			if w.c.steps--; w.c.steps < 0 {
				return
			}
			if !closed[at] {
				cl.rows[at] = append(cl.rows[at], int32(i))
				closed[at] = last && !r.guarded
				named[at] = named[at] || !isWild(r.pats.list[0])
			}
		}
	}
	popped := popAll(rows)
	seen := false // the classes that no row names have the same rows, so one walk does
	for i, start := range starts {
		if !named[i] && seen {
			continue
		}
		seen = seen || !named[i]
		end := largest
		if i+1 < len(starts) {
			end = starts[i+1] - 1
		}
		w.follow(&cl, i, popped, types, choice{kind: chosenRange, lo: ordered(k, start), hi: ordered(k, end)})
	}
}

// splitConstants walks on for every string or float that a pattern names, and for all others together.
func (w *walk) splitConstants(rows []row, types typeStack) {
	index := map[string]int{}
	var keys []string
	cl := classes{}
	for _, r := range rows {
		if p, ok := r.pats.list[0].(*ConstPat); ok {
			key := constantKey(p)
			if _, known := index[key]; !known {
				index[key] = len(keys)
				keys = append(keys, key)
			}
		}
	}
	cl.rows = make([][]int32, len(keys))
	for i, r := range rows {
		if p, ok := r.pats.list[0].(*ConstPat); ok {
			at := index[constantKey(p)]
			cl.rows[at] = append(cl.rows[at], int32(i))
			continue
		}
		if w.c.steps -= len(keys); w.c.steps < 0 {
			return
		}
		for at := range cl.rows {
			cl.rows[at] = append(cl.rows[at], int32(i))
		}
		cl.others = append(cl.others, int32(i))
	}
	popped := popAll(rows)
	for i, key := range keys {
		w.follow(&cl, i, popped, types, choice{kind: chosenText, text: key})
	}
	w.enter(cl.others, popped, types, choice{kind: chosenText, text: freshConstant(types.list[0].Kind, index)})
}

// constantKey spells a string or float constant as source does. Equal constants have equal spellings: -0 is 0.
func constantKey(p *ConstPat) string {
	switch p.Typ.Kind {
	case F32:
		return floatText(float64(math.Float32frombits(uint32(p.Bits))), 32)
	case F64:
		return floatText(math.Float64frombits(p.Bits), 64)
	}
	return quote(p.Str)
}

func floatText(v float64, bits int) string {
	if v == 0 {
		return "0.0"
	}
	text := strconv.FormatFloat(v, 'g', -1, bits)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// freshConstant spells a string or float that is not among those taken.
func freshConstant(k Kind, taken map[string]int) string {
	for i := 0; ; i++ {
		text := quote("")
		switch {
		case k.IsFloat():
			text = floatText(float64(i), 64)
		case i > 0 && i <= 26:
			text = quote(string(rune('a' + i - 1)))
		case i > 26:
			text = quote("s" + strconv.Itoa(i))
		}
		if _, used := taken[text]; !used {
			return text
		}
	}
}

// quote spells a string as source does.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case ch == '"' || ch == '\\':
			b.WriteByte('\\')
			b.WriteByte(ch)
		case ch == '\n':
			b.WriteString(`\n`)
		case ch < ' ' || ch >= 0x7f:
			const digits = "0123456789ABCDEF"
			b.WriteString(`\x`)
			b.WriteByte(digits[ch>>4])
			b.WriteByte(digits[ch&15])
		default:
			b.WriteByte(ch)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// show spells the missing case, a value of type t, as a pattern.
func (w *walk) show(t *Type) string {
	var b strings.Builder
	w.showPart(&b, t)
	return b.String()
}

func (w *walk) showPart(b *strings.Builder, t *Type) {
	if len(w.missing) == 0 {
		b.WriteByte('_')
		return
	}
	here := w.missing[0]
	w.missing = w.missing[1:]
	switch here.kind {
	case anything:
		b.WriteByte('_')
	case chosenText:
		b.WriteString(here.text)
	case chosenRange:
		b.WriteString(word(t.Kind, here.lo))
		if here.lo != here.hi {
			if t.Kind == Bool {
				panic("types: a class of two bools")
			}
			b.WriteString("..=" + word(t.Kind, here.hi))
		}
	case chosenTuple:
		b.WriteByte('(')
		for i, part := range t.Args {
			if i > 0 {
				b.WriteString(", ")
			}
			w.showPart(b, part)
		}
		if len(t.Args) == 1 {
			b.WriteByte(',')
		}
		b.WriteByte(')')
	}
}

// word spells a normalised word of an integer kind or bool.
func word(k Kind, v uint64) string {
	switch {
	case k == Bool:
		return strconv.FormatBool(v != 0)
	case k.IsSigned():
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatUint(v, 10)
}
