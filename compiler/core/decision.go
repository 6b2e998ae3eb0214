package core

import (
	"cmp"
	"slices"

	"rokrig/compiler/mutant"
	"rokrig/compiler/types"
)

// How arms without guards are matched.
//
// A run of such arms becomes one decision tree, after the usual scheme for pattern matrices (L. Maranget, "Compiling
// pattern matching to good decision trees", 2008; J. Jacobs, "How to compile pattern matching", 2021). Every arm is one or
// more rows; a row is a list of tests on words of the value. The tree tests a word that the first row asks for, and so
// needed in any case, which parts the word's values into classes: two values are in one class if the same rows are still
// possible. Each class goes on with those rows. A class whose rows another case of the same test shares is built once
// and reached by branches, so is the body of an arm; therefore no code is copied.
//
// Sharing is not complete, so a tree can still grow out of proportion. Limits bound work and size by a multiple of the
// number of rows, and the depth by a constant: a run past them is cut in half, down to single arms, which is testing arm
// after arm.

// treeLimits bound a decision tree.
type treeLimits struct {
	arms      int // of a run
	rows      int // of an arm: the combinations of its alternatives
	work      int // rows looked at, summed over the nodes, for each row of the run
	depth     int // tests on one path
	constants int // strings or floats that one word is compared with, one after another
	shared    int // nodes and arms that are reached by branches
}

var usualLimits = treeLimits{arms: 1024, rows: 32, work: 32, depth: 64, constants: 64, shared: 64}

// row is one way in which an arm matches.
type row struct {
	arm   int
	tests []wordTest
	binds []binding
}

// wordTest asks whether the word (of a string: the words) at off is in a set. The set of strings and floats is of the
// numbers of constants.
type wordTest struct {
	off int
	typ *types.Type
	set []wordSpan
}

type binding struct {
	pat *types.BindPat
	off int
}

// constKey is equal for constants that are equal by `==`.
type constKey struct {
	kind types.Kind
	text string
	num  float64
}

// decision is a node of the tree: a leaf of a row, the failure of all rows (row and cases are nil), or a test.
type decision struct {
	row   *row
	off   int
	typ   *types.Type // nil if this is no test
	cases []decisionCase
	other *decision // where no case holds
	uses  int       // places that lead here
	label LabelID   // of the block that a branch to here leaves, if there are several such places
}

type decisionCase struct {
	set wordSpan
	to  *decision
}

// tree builds the decision tree of one run.
type tree struct {
	*matcher
	arms      []arm
	rows      []*row
	leaves    []*decision // by row
	fail      *decision
	tests     []*decision // in the order of their completion: what a test leads to comes before it
	decided   []bool      // by word of the value: tested on the way to the node at hand
	numbers   map[constKey]uint64
	constants []*types.ConstPat // by number
	depth     int
	work      int
	tooLarge  bool
}

// buildTree returns the tree for a run of arms without guards; nil if it went past a limit.
func (m *matcher) buildTree(arms []arm) (*tree, *decision) {
	t := &tree{matcher: m, arms: arms, fail: &decision{}, decided: make([]bool, len(m.x.Classes))}
	for i := range arms {
		rows := t.expand([]*row{{arm: i}}, arms[i].pat, 0)
		if t.tooLarge {
			return nil, nil
		}
		t.rows = append(t.rows, rows...)
	}
	t.leaves = make([]*decision, len(t.rows))
	all := make([]int32, len(t.rows))
	for i := range all {
		all[i] = int32(i)
	}
	root := t.build(all)
	if t.tooLarge {
		return nil, nil
	}
	return t, root
}

// expand adds what a pattern asks for, and binds, to every row; alternatives that are no set of words make a row each.
func (t *tree) expand(rows []*row, p types.Pattern, off int) []*row {
	switch p := p.(type) {
	case *types.BindPat:
		for _, r := range rows {
			r.binds = append(r.binds, binding{p, off})
		}
	case *types.ConstPat, *types.RangePat:
		set, _ := t.set(p)
		t.addTest(rows, p.Type(), off, set)
	case *types.TuplePat:
		for i, q := range p.Elems {
			rows = t.expand(rows, q, off)
			n := len(t.wordsOf(p.Typ.Args[i]))
			if _, wild := q.(*types.WildPat); wild && n > 1 && t.mutant.On(mutant.WildcardOneWord) {
				n = 1
			}
			off += n
		}
	case *types.OrPat:
		if set, ok := t.set(p); ok {
			t.addTest(rows, p.Typ, off, set)
			return rows
		}
		var out []*row
		alts := t.alternatives(p)
		if t.tooLarge = t.tooLarge || len(rows)*len(alts) > t.limits.rows; t.tooLarge {
			return rows
		}
		for _, r := range rows {
			for _, q := range alts {
				out = append(out, t.expand([]*row{r.copied()}, q, off)...)
			}
		}
		t.tooLarge = t.tooLarge || len(out) > t.limits.rows
		return out
	}
	return rows
}

func (r *row) copied() *row {
	return &row{r.arm, slices.Clone(r.tests), slices.Clone(r.binds)}
}

func (t *tree) addTest(rows []*row, typ *types.Type, off int, set []wordSpan) {
	if typ.Kind == types.Unit || len(set) == 1 && set[0] == domain(typ.Kind) {
		return // every value passes
	}
	for _, r := range rows {
		r.tests = append(r.tests, wordTest{off, typ, set})
	}
}

// set returns the words, or numbers of constants, that a pattern without variables matches. ok is false for others.
func (t *tree) set(p types.Pattern) (set []wordSpan, ok bool) {
	if isDiscrete(p.Type().Kind) {
		set, ok = t.patternSpans(nil, p)
	} else {
		set, ok = t.constantSet(nil, p)
	}
	if ok {
		set, _ = union(set)
	}
	return set, ok
}

func (t *tree) constantSet(to []wordSpan, p types.Pattern) (set []wordSpan, ok bool) {
	switch p := p.(type) {
	case *types.WildPat:
		return append(to, domain(p.Typ.Kind)), true
	case *types.ConstPat:
		n := t.number(p)
		return append(to, wordSpan{n, n}), true
	case *types.OrPat:
		for _, q := range p.Alts {
			if to, ok = t.constantSet(to, q); !ok {
				return to, false
			}
		}
		return to, true
	}
	return to, false
}

// number returns the number of a constant among those of the run; constants that are equal by `==` have one.
func (t *tree) number(p *types.ConstPat) uint64 {
	key := constKey{kind: p.Typ.Kind, text: p.Str}
	if key.kind.IsFloat() {
		key.num = floatValue(key.kind, p.Bits) // 0 and -0 are one key of a Go map
	}
	n, ok := t.numbers[key]
	if !ok {
		if t.numbers == nil {
			t.numbers = map[constKey]uint64{}
		}
		n = uint64(len(t.constants))
		t.constants = append(t.constants, p)
		t.numbers[key] = n
	}
	return n
}

// remaining returns the first test of a row that is not decided, nil if there is none.
func (t *tree) remaining(r *row) *wordTest {
	for i := range r.tests {
		if !t.decided[r.tests[i].off] {
			return &r.tests[i]
		}
	}
	return nil
}

// testAt returns the row's test of the word at off, nil if it has none.
func (r *row) testAt(off int) *wordTest {
	for i := range r.tests {
		if r.tests[i].off == off {
			return &r.tests[i]
		}
	}
	return nil
}

// build makes the node that finds the first of the rows that matches; what is decided holds for all of them.
func (t *tree) build(rows []int32) *decision {
	if t.work += len(rows) + 1; t.work > t.maxWork() || t.depth > t.limits.depth {
		t.tooLarge = true
	}
	if len(rows) == 0 || t.tooLarge {
		return t.fail
	}
	first := t.remaining(t.rows[rows[0]])
	if first == nil {
		return t.leaf(rows[0])
	}
	test := t.mostAsked(rows, t.rows[rows[0]])
	t.decided[test.off] = true
	t.depth++
	n := t.partition(rows, test.off, test.typ)
	t.depth--
	t.decided[test.off] = false
	return n
}

func (t *tree) maxWork() int { return t.limits.work * (len(t.rows) + 1) }

func (t *tree) leaf(i int32) *decision {
	if t.leaves[i] == nil {
		t.leaves[i] = &decision{row: t.rows[i]}
	}
	return t.leaves[i]
}

// mostAsked chooses among the tests of the first row the one that most rows have.
func (t *tree) mostAsked(rows []int32, first *row) *wordTest {
	var best *wordTest
	most := 0
	for i := range first.tests {
		test := &first.tests[i]
		if t.decided[test.off] {
			continue
		}
		asked := 0
		for _, r := range rows {
			if t.rows[r].testAt(test.off) != nil {
				asked++
			}
		}
		if t.work += len(rows); asked > most {
			best, most = test, asked
		}
	}
	return best
}

// class is a set of words after which the same rows are possible.
type class struct {
	rows     []int32
	segments int
}

// segment is a longest span of words of one class.
type segment struct {
	set   wordSpan
	class int
}

// partition makes the test of the word at off, which counts as decided.
func (t *tree) partition(rows []int32, off int, typ *types.Type) *decision {
	segments, classes := t.segmentsOf(rows, off, typ)
	if t.tooLarge {
		return t.fail
	}
	next := make([]*decision, len(classes))
	for i := range classes {
		next[i] = t.build(classes[i].rows)
	}
	if len(classes) == 1 {
		return next[0]
	}
	other := segments[len(segments)-1].class // for strings and floats: of the values that no row names
	if isDiscrete(typ.Kind) {
		for i := range classes {
			if classes[i].segments > classes[other].segments {
				other = i
			}
		}
	}
	n := &decision{off: off, typ: typ, other: next[other]}
	n.other.uses++
	for _, s := range segments {
		if s.class != other {
			next[s.class].uses++
			n.cases = append(n.cases, decisionCase{s.set, next[s.class]})
		}
	}
	t.tests = append(t.tests, n)
	return n
}

// edge is where a row begins or stops to be possible as the words go up.
type edge struct {
	at    uint64
	row   int32 // place among the rows
	begin bool
}

// segmentsOf parts the words at off by the rows that are possible for them, going through them from the smallest on.
func (t *tree) segmentsOf(rows []int32, off int, typ *types.Type) (segments []segment, classes []class) {
	all := domain(typ.Kind)
	active, edges := t.edges(rows, off, all)
	t.work += len(edges)
	for at, i := all.lo, 0; ; {
		for ; i < len(edges) && edges[i].at == at; i++ {
			active = edges[i].apply(active)
		}
		end := all.hi
		if i < len(edges) {
			end = edges[i].at - 1
		}
		segments, classes = t.addSegment(segments, classes, wordSpan{at, end}, t.possible(rows, active))
		t.tooLarge = t.tooLarge || t.work > t.maxWork() || !isDiscrete(typ.Kind) && len(segments) > t.limits.constants
		if end == all.hi || t.tooLarge {
			return segments, classes
		}
		at = end + 1
	}
}

// edges returns the places of the rows that do not ask for the word at off, and where the others begin and stop.
func (t *tree) edges(rows []int32, off int, all wordSpan) (wild []int32, edges []edge) {
	for i, r := range rows {
		test := t.rows[r].testAt(off)
		if test == nil {
			wild = append(wild, int32(i))
			continue
		}
		for _, s := range test.set {
			edges = append(edges, edge{s.lo, int32(i), true})
			if s.hi != all.hi {
				edges = append(edges, edge{s.hi + 1, int32(i), false})
			}
		}
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	return wild, edges
}

// apply adds the edge's row to the sorted places, or takes it out.
func (e edge) apply(active []int32) []int32 {
	i, found := slices.BinarySearch(active, e.row)
	switch {
	case e.begin && !found:
		return slices.Insert(active, i, e.row)
	case !e.begin && found:
		return slices.Delete(active, i, i+1)
	}
	return active
}

// possible returns the rows at the given places up to the first that has no test left: what comes after is not reached.
func (t *tree) possible(rows, places []int32) []int32 {
	var out []int32
	for _, i := range places {
		out = append(out, rows[i])
		if t.remaining(t.rows[rows[i]]) == nil {
			break
		}
	}
	t.work += len(out)
	return out
}

// addSegment adds a span of words after which rows are possible.
func (t *tree) addSegment(segments []segment, classes []class, set wordSpan, rows []int32) ([]segment, []class) {
	if last := len(segments) - 1; last >= 0 && slices.Equal(classes[segments[last].class].rows, rows) {
		segments[last].set.hi = set.hi
		return segments, classes
	}
	c := slices.IndexFunc(classes, func(c class) bool {
		return slices.Equal(c.rows, rows) ||
			len(rows) > 0 && len(c.rows) > 0 && c.rows[0] == rows[0] && t.mutant.On(mutant.TreeClassByFirstRow)
	})
	if c < 0 {
		c = len(classes)
		classes = append(classes, class{rows: rows})
	}
	classes[c].segments++
	return append(segments, segment{set, c}), classes
}
