package core_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"rokrig/compiler/core"
	"rokrig/compiler/types"
)

// Matches are checked against matching arm after arm, pattern by pattern: random arms over a small type, whose guards and
// bodies print what they are and what is bound, run on every value of a small domain.

// matchType is a type of matched values: a leaf with its domain, or a tuple.
type matchType struct {
	name   string
	values []any
	parts  []*matchType
}

var (
	leafI64  = &matchType{name: "i64", values: []any{int64(math.MinInt64), int64(-1), int64(0), int64(1), int64(2), int64(math.MaxInt64)}}
	leafI8   = &matchType{name: "i8", values: []any{int64(-128), int64(-1), int64(0), int64(127)}}
	leafU8   = &matchType{name: "u8", values: []any{int64(0), int64(1), int64(2), int64(255)}}
	leafBool = &matchType{name: "bool", values: []any{false, true}}
	leafStr  = &matchType{name: "str", values: []any{"", "a", "ab", "b"}}
	leafF64  = &matchType{name: "f64", values: []any{0.0, math.Copysign(0, -1), 1.5, math.NaN()}}
)

func tupleOf(parts ...*matchType) *matchType {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return &matchType{name: "(" + strings.Join(names, ", ") + ",)", parts: parts}
}

var matchTypes = []*matchType{
	leafI64, leafI8, leafU8, leafBool, leafStr, leafF64,
	tupleOf(leafI64, leafI64), tupleOf(leafI64, leafBool, leafI64), tupleOf(leafStr, leafI64), tupleOf(leafF64, leafBool),
	tupleOf(tupleOf(leafI64, leafBool), tupleOf(leafU8, leafI64)), tupleOf(leafI64), tupleOf(leafBool, leafBool, leafBool),
}

// domain lists the values of a type; a tuple's is a []any.
func (t *matchType) domain() []any {
	if t.parts == nil {
		return t.values
	}
	lists := [][]any{nil}
	for _, p := range t.parts {
		var longer [][]any
		for _, l := range lists {
			for _, v := range p.domain() {
				longer = append(longer, append(slices.Clone(l), v))
			}
		}
		lists = longer
	}
	out := make([]any, len(lists))
	for i, l := range lists {
		out[i] = l
	}
	return out
}

// room is how many i64 variables a pattern on the type can bind.
func (t *matchType) room() (n int) {
	if t == leafI64 {
		return 1
	}
	for _, p := range t.parts {
		n += p.room()
	}
	return n
}

// matchPattern is a pattern and what it means: the ways in which it matches a value, each with its variables, in order.
type matchPattern struct {
	text string
	ways func(value any, bound map[string]int64, next func(map[string]int64) bool) bool
}

func testOf(text string, test func(any) bool) matchPattern {
	return matchPattern{text, func(v any, bound map[string]int64, next func(map[string]int64) bool) bool {
		return test(v) && next(bound)
	}}
}

func bindTo(name string) matchPattern {
	return matchPattern{name, func(v any, bound map[string]int64, next func(map[string]int64) bool) bool {
		with := map[string]int64{name: v.(int64)}
		for k, v := range bound {
			with[k] = v
		}
		return next(with)
	}}
}

func anyOf(alts []matchPattern) matchPattern {
	var texts []string
	for _, a := range alts {
		texts = append(texts, a.text)
	}
	return matchPattern{strings.Join(texts, " | "), func(v any, bound map[string]int64, next func(map[string]int64) bool) bool {
		return slices.ContainsFunc(alts, func(a matchPattern) bool { return a.ways(v, bound, next) })
	}}
}

func tuplePattern(parts []matchPattern) matchPattern {
	text := "("
	for _, p := range parts {
		text += p.text + ", "
	}
	var from func(i int, v []any, bound map[string]int64, next func(map[string]int64) bool) bool
	from = func(i int, v []any, bound map[string]int64, next func(map[string]int64) bool) bool {
		if i == len(parts) {
			return next(bound)
		}
		return parts[i].ways(v[i], bound, func(b map[string]int64) bool { return from(i+1, v, b, next) })
	}
	return matchPattern{text + ")", func(v any, bound map[string]int64, next func(map[string]int64) bool) bool {
		return from(0, v.([]any), bound, next)
	}}
}

// drawPattern makes a pattern on type t that binds all of vars.
func drawPattern(t *rapid.T, typ *matchType, vars []string, depth int) matchPattern {
	if depth > 0 && rapid.IntRange(0, 3).Draw(t, "alternatives?") == 0 {
		alts := make([]matchPattern, rapid.IntRange(2, 3).Draw(t, "alternatives"))
		for i := range alts {
			alts[i] = drawPattern(t, typ, vars, depth-1)
		}
		return anyOf(alts)
	}
	if typ.parts == nil {
		return drawLeaf(t, typ, vars)
	}
	if len(vars) == 0 && rapid.IntRange(0, 3).Draw(t, "wild?") == 0 {
		return testOf("_", func(any) bool { return true })
	}
	places := make([][]string, len(typ.parts))
	for _, v := range vars {
		i := rapid.IntRange(0, len(places)-1).Draw(t, "place")
		for len(places[i]) >= typ.parts[i].room() {
			i = (i + 1) % len(places)
		}
		places[i] = append(places[i], v)
	}
	parts := make([]matchPattern, len(typ.parts))
	for i, p := range typ.parts {
		parts[i] = drawPattern(t, p, places[i], depth-1)
	}
	return tuplePattern(parts)
}

func drawLeaf(t *rapid.T, typ *matchType, vars []string) matchPattern {
	if len(vars) > 0 {
		return bindTo(vars[0])
	}
	value := rapid.SampledFrom(typ.values).Draw(t, "literal")
	kind := rapid.IntRange(0, 4).Draw(t, "leaf")
	switch v := value.(type) {
	case int64:
		other := rapid.SampledFrom(typ.values).Draw(t, "end").(int64)
		lo, hi := min(v, other), max(v, other)
		switch kind {
		case 0:
			return testOf("_", func(any) bool { return true })
		case 1:
			return testOf(fmt.Sprintf("%d..%d", lo, hi), func(x any) bool { return lo <= x.(int64) && x.(int64) < hi })
		case 2, 3:
			return testOf(fmt.Sprintf("%d..=%d", lo, hi), func(x any) bool { return lo <= x.(int64) && x.(int64) <= hi })
		}
		return testOf(fmt.Sprint(v), func(x any) bool { return x == v })
	case string:
		if kind > 0 {
			return testOf(fmt.Sprintf("%q", v), func(x any) bool { return x == v })
		}
	case float64:
		if kind > 0 && v == v {
			text := map[bool]string{true: "-0.0", false: fmt.Sprintf("%.1f", v)}[math.Signbit(v)]
			return testOf(text, func(x any) bool { return x.(float64) == v })
		}
	case bool:
		if kind > 0 {
			return testOf(fmt.Sprint(v), func(x any) bool { return x == v })
		}
	}
	return testOf("_", func(any) bool { return true })
}

// matchArm is an arm: its guard prints its number and variables and is true if the first variable (else 1) is at least
// limit; its body prints and has its number as value.
type matchArm struct {
	pat     matchPattern
	vars    []string
	guarded bool
	limit   int64
}

func (a *matchArm) text(i int) string {
	list := strings.Join(append([]string{""}, a.vars...), ", ")
	guard := ""
	if a.guarded {
		guard = fmt.Sprintf(" if { print %d%s; %s >= %d }", 100+i, list, a.subject(), a.limit)
	}
	return fmt.Sprintf("        %s%s => { print %d%s; %d }\n", a.pat.text, guard, 200+i, list, i)
}

func (a *matchArm) subject() string {
	if len(a.vars) > 0 {
		return a.vars[0]
	}
	return "1"
}

// expected is what matching arm after arm prints and gives.
func expected(arms []matchArm, value any) (trace []string, arm int) {
	show := func(number int, vars []string, bound map[string]int64) {
		trace = append(trace, fmt.Sprint(number))
		for _, v := range vars {
			trace = append(trace, fmt.Sprint(bound[v]))
		}
	}
	for i := range arms {
		a := &arms[i]
		taken := a.pat.ways(value, nil, func(bound map[string]int64) bool {
			if a.guarded {
				show(100+i, a.vars, bound)
				x := int64(1)
				if len(a.vars) > 0 {
					x = bound[a.vars[0]]
				}
				if x < a.limit {
					return false
				}
			}
			show(200+i, a.vars, bound)
			return true
		})
		if taken {
			return trace, i
		}
	}
	return append(trace, "200"), len(arms)
}

// flatten gives the words of a value.
func flatten(m *core.Module, value any) []uint64 {
	switch v := value.(type) {
	case int64:
		return []uint64{uint64(v)}
	case bool:
		if v {
			return []uint64{1}
		}
		return []uint64{0}
	case float64:
		return []uint64{math.Float64bits(v)}
	case string:
		if !slices.Contains(m.Strings, v) {
			m.Strings = append(m.Strings, v)
		}
		return []uint64{uint64(slices.Index(m.Strings, v)), uint64(len(v))}
	case []any:
		var words []uint64
		for _, p := range v {
			words = append(words, flatten(m, p)...)
		}
		return words
	}
	panic("no words")
}

func drawArms(t *rapid.T, typ *matchType) []matchArm {
	arms := make([]matchArm, rapid.IntRange(1, 7).Draw(t, "arms"))
	for i := range arms {
		vars := []string{"x", "y"}[:rapid.IntRange(0, min(2, typ.room())).Draw(t, "variables")]
		arms[i] = matchArm{
			pat:     drawPattern(t, typ, vars, 3),
			vars:    vars,
			guarded: rapid.IntRange(0, 2).Draw(t, "guarded?") == 0,
			limit:   rapid.Int64Range(0, 2).Draw(t, "limit"),
		}
	}
	return arms
}

// TestMatchAgainstArmAfterArm is the property: with decision trees, with trees cut by small limits, and arm after arm, every
// value of the type's domain takes the way that the patterns say.
func TestMatchAgainstArmAfterArm(t *testing.T) {
	ways := map[string]func(*types.Program, core.Options) *core.Module{
		"trees": core.Lower, "cramped": core.LowerCramped, "in turn": core.LowerInTurn}
	for name, lower := range ways {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) { checkMatch(rt, lower) })
		})
	}
}

func checkMatch(rt *rapid.T, lower func(*types.Program, core.Options) *core.Module) {
	typ := rapid.SampledFrom(matchTypes).Draw(rt, "type")
	arms := drawArms(rt, typ)
	text := "fn f(v: " + typ.name + ") -> i64 {\n    match v {\n"
	for i := range arms {
		text += arms[i].text(i)
	}
	text += fmt.Sprintf("        _ => { print 200; %d }\n    }\n}\n", len(arms))
	m := lower(check(rt, text), core.Options{})
	for _, fault := range core.Verify(m) {
		rt.Errorf("%v", fault)
	}
	everySiteStands(rt, m)
	for _, value := range typ.domain() {
		wantTrace, wantArm := expected(arms, value)
		v := &evaluator{module: m}
		words, how := v.run(m.Funcs[0], flatten(m, value))
		if how != "" || words[0] != uint64(wantArm) || !slices.Equal(v.trace, wantTrace) {
			rt.Fatalf("%s\nvalue %v: %q, arm %d, prints %v; want arm %d, %v\n%s", text, value, how, words, v.trace, wantArm, wantTrace, core.Print(m))
		}
	}
}
