package types

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// value is a value of a type made of bool, u8, i8, (), str and tuples.
type value struct {
	word  uint64
	str   string
	parts []value
}

// stringDomain stands for all strings: the patterns of the tests use the first three only.
var stringDomain = []string{"", "a", "b", "c"}

// valuesOf lists all values of a type.
func valuesOf(t *Type) (out []value) {
	switch t.Kind {
	case Bool:
		return []value{{word: 0}, {word: 1}}
	case Unit:
		return []value{{}}
	case Str:
		for _, s := range stringDomain {
			out = append(out, value{str: s})
		}
		return out
	case Tuple:
		out = []value{{}}
		for _, part := range t.Args {
			var longer []value
			for _, prefix := range out {
				for _, v := range valuesOf(part) {
					longer = append(longer, value{parts: append(append([]value(nil), prefix.parts...), v)})
				}
			}
			out = longer
		}
		return out
	}
	for i := range uint64(256) {
		out = append(out, value{word: t.Kind.Normalise(i)})
	}
	return out
}

// countValues returns the length of valuesOf.
func countValues(t *Type) int {
	switch t.Kind {
	case Bool:
		return 2
	case Unit:
		return 1
	case Str:
		return len(stringDomain)
	case Tuple:
		n := 1
		for _, part := range t.Args {
			n *= min(countValues(part), 1<<20)
		}
		return min(n, 1<<20)
	}
	return 256
}

// matches is the meaning of patterns, written down without any cleverness.
func matches(p Pattern, v value) bool {
	switch p := p.(type) {
	case *ConstPat:
		return p.Bits == v.word && p.Str == v.str
	case *RangePat:
		return !p.Empty && !p.Typ.Kind.LessWords(v.word, p.Lo) && !p.Typ.Kind.LessWords(p.Hi, v.word)
	case *TuplePat:
		for i, q := range p.Elems {
			if !matches(q, v.parts[i]) {
				return false
			}
		}
	case *OrPat:
		for _, q := range p.Alts {
			if matches(q, v) {
				return true
			}
		}
		return false
	}
	return true
}

func drawType(t *rapid.T, table *Table, depth int) *Type {
	switch kind := rapid.IntRange(0, 6).Draw(t, "kind"); {
	case kind >= 5 && depth > 0:
		parts := make([]*Type, rapid.IntRange(1, 3).Draw(t, "arity"))
		for i := range parts {
			parts[i] = drawType(t, table, depth-1)
		}
		return table.Tuple(parts...)
	case kind == 0:
		return Prim(U8)
	case kind == 1:
		return Prim(I8)
	case kind == 2:
		return Prim(Str)
	case kind == 3:
		return Prim(Unit)
	}
	return Prim(Bool)
}

func drawPattern(t *rapid.T, typ *Type, depth int) Pattern {
	base := PatBase{Typ: typ}
	choice := rapid.IntRange(0, 9).Draw(t, "pattern")
	switch {
	case choice == 0:
		return &WildPat{base}
	case choice == 1:
		return &BindPat{PatBase: base}
	case choice == 2 && depth > 0:
		alts := make([]Pattern, rapid.IntRange(2, 3).Draw(t, "alternatives"))
		for i := range alts {
			alts[i] = drawPattern(t, typ, depth-1)
		}
		return &OrPat{base, alts}
	}
	switch typ.Kind {
	case Bool:
		return &ConstPat{PatBase: base, Bits: rapid.Uint64Range(0, 1).Draw(t, "bool")}
	case Str:
		return &ConstPat{PatBase: base, Str: rapid.SampledFrom(stringDomain[:3]).Draw(t, "str")}
	case Tuple:
		p := &TuplePat{PatBase: base}
		for _, part := range typ.Args {
			p.Elems = append(p.Elems, drawPattern(t, part, depth))
		}
		return p
	case U8, I8:
		return drawInteger(t, base)
	}
	return &WildPat{base}
}

// drawInteger favours the ends of the type and few different values, so that ranges meet.
func drawInteger(t *rapid.T, base PatBase) Pattern {
	k := base.Typ.Kind
	lo, hi := k.MinMax()
	end := rapid.OneOf(rapid.SampledFrom([]uint64{lo, lo + 1, hi - 1, hi, 10, 11, 12}), rapid.Map(rapid.Uint64(), k.Normalise))
	a, b := end.Draw(t, "a"), end.Draw(t, "b")
	switch {
	case a == b:
		return &ConstPat{PatBase: base, Bits: a}
	case k.LessWords(b, a):
		a, b = b, a
	}
	return &RangePat{PatBase: base, Lo: a, Hi: b, Empty: rapid.IntRange(0, 20).Draw(t, "empty") == 0}
}

// Which arms are reached, whether a case is missing, and that the named case is one: all as trying every value says.
func TestUsefulnessAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := NewTable()
		typ := drawType(t, table, 2)
		if countValues(typ) > 1<<12 {
			t.Skip("too many values")
		}
		values := valuesOf(typ)
		arms := rapid.IntRange(0, 6).Draw(t, "arms")
		pats, guarded := make([]Pattern, arms), make([]bool, arms)
		for i := range pats {
			pats[i] = drawPattern(t, typ, 2)
			guarded[i] = rapid.IntRange(0, 3).Draw(t, "guard") == 0
		}
		c := &checker{table: table, steps: maxSteps}
		got := c.usefulness(pats, guarded, typ)
		if got.tooComplex {
			t.Fatalf("the budget was used up")
		}
		useful := make([]bool, arms)
		falls := func(v value) bool {
			for i, p := range pats {
				if matches(p, v) {
					useful[i] = true
					if !guarded[i] {
						return false
					}
				}
			}
			return true
		}
		missing := 0
		for _, v := range values {
			if falls(v) {
				missing++
			}
		}
		if fmt.Sprint(got.useful) != fmt.Sprint(useful) {
			t.Fatalf("useful: got %v, want %v", got.useful, useful)
		}
		if (missing > 0) != (got.missing != "") {
			t.Fatalf("%d values are missing, named is %q", missing, got.missing)
		}
		if missing > 0 {
			checkNamed(t, typ, got.missing, values, falls)
		}
	})
}

// checkNamed reads the named case as a pattern and finds that it matches values, and only such that fall through.
func checkNamed(t *rapid.T, typ *Type, missing string, values []value, falls func(value) bool) {
	p, diags := checkText("named.rok", "fn f(x: "+typ.String()+") { match x { "+missing+" => {}, _ => {} } }", nil)
	if p == nil {
		t.Fatalf("the named case %q is no pattern:\n%s", missing, diags)
	}
	named := p.Funcs[0].Body.(*Block).Tail.(*Match).Arms[0].Pat
	some := false
	for _, v := range values {
		if matches(named, v) {
			some = true
			if !falls(v) {
				t.Fatalf("the named case %q holds %v, which is matched", missing, v)
			}
		}
	}
	if !some {
		t.Fatalf("the named case %q holds no value", missing)
	}
}

// A match of many arms is checked in time that grows with its size, and one that asks for too much is refused.
func TestUsefulnessIsBounded(t *testing.T) {
	start := time.Now()
	random := rand.New(rand.NewPCG(1, 2))
	arms := func(n int, arm func(i int) string) string {
		var b strings.Builder
		b.WriteString("match x {\n")
		for i := range n {
			b.WriteString(arm(i))
			b.WriteString(" => 1,\n")
		}
		b.WriteString("_ => 0 };\n")
		return b.String()
	}
	for name, c := range map[string]struct {
		text    string
		complex bool
	}{
		"many literals": {"let x = 1;" + arms(50000, func(i int) string { return fmt.Sprint(i) }), false},
		"many strings":  {"let x = \"\";" + arms(20000, func(i int) string { return fmt.Sprintf("%q", fmt.Sprint(i)) }), false},
		"nested ranges": {"let x = 1;" + arms(1000, func(i int) string { return fmt.Sprintf("%d..=%d", 1000-i, 1001+i) }), false},
		"too many overlaps": {"let x = 1;" + arms(5000, func(i int) string {
			return fmt.Sprintf("%d..=%d if x > 0", i, 20000-i)
		}), true},
		"exponential": {"let x = (" + strings.Repeat("true, ", 60) + ");" + arms(250, func(int) string {
			parts := strings.Split(strings.Repeat("_ ", 60), " ")[:60]
			for range 3 { // a clause of 3-SAT
				parts[random.IntN(60)] = fmt.Sprint(random.IntN(2) == 0)
			}
			return "(" + strings.Join(parts, ", ") + ")"
		}), true},
	} {
		if c.complex {
			// With an arm that takes everything the match is all right all the same, and so are those behind it.
			_, diags := checkText("big.rok", c.text+"let y = match (true, 1) { (true, 1) => 1, (true, _) => 2, (false, n) => n };", nil)
			if diags.HasErrors() {
				t.Errorf("%s, with an arm for everything: %.500s", name, diags)
			}
			c.text = strings.Replace(c.text, "_ => 0 };", "_ if true => 0 };", 1)
		}
		_, diags := checkText("big.rok", c.text, nil)
		complaint := strings.Contains(diags.String(), "match too complex to check")
		if complaint != c.complex || !c.complex && diags.HasErrors() {
			t.Errorf("%s: too complex: %v\n%.500s", name, complaint, diags)
		}
	}
	if took := time.Since(start); took > 60*time.Second {
		t.Errorf("took %v", took)
	}
}
