package types

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
)

// The table of types in LANGUAGE.md has no empty cell, and says what the checker does.
func TestLanguageTable(t *testing.T) {
	table := NewTable()
	samples := map[string]*Type{
		"integers": Prim(I32), "`f32` `f64`": Prim(F32), "`bool`": Prim(Bool), "`()`": Prim(Unit), "`str`": Prim(Str),
		"tuples": table.Tuple(Prim(I64), Prim(Str)), "`fn(A) -> R`": table.Fn(nil, nil, Prim(Unit)),
		"`Range<T>`, `RangeInclusive<T>`": table.Range(Prim(I64), false),
	}
	text, err := os.ReadFile("../LANGUAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	checked, inTable := 0, false
	for _, line := range strings.Split(string(text), "\n") {
		inTable = strings.HasPrefix(line, "| type |") || inTable && strings.HasPrefix(line, "|")
		if !inTable {
			continue
		}
		cells := strings.Split(strings.Trim(strings.ReplaceAll(line, `\|`, "or"), "|"), "|")
		for i := range cells {
			if cells[i] = strings.TrimSpace(cells[i]); cells[i] == "" || len(cells) != 7 {
				t.Errorf("an empty cell, or not seven of them: %s", line)
			}
		}
		typ := samples[cells[0]]
		if typ == nil {
			continue
		}
		checked++
		for i, allowed := range []bool{typ.Printable(), typ.HasEq(), typ.HasOrder()} {
			if (cells[i+1] != "no") != allowed {
				t.Errorf("%s: column %d says %q, the checker says %v", cells[0], i+1, cells[i+1], allowed)
			}
		}
	}
	if checked != len(samples) {
		t.Errorf("%d of %d rows found", checked, len(samples))
	}
}

// The limits that LANGUAGE.md names are those of the code.
func TestLanguageLimits(t *testing.T) {
	text, err := os.ReadFile("../LANGUAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	power := func(n int) string {
		for e := range 62 {
			if 1<<e == n {
				return "2^" + strconv.Itoa(e)
			}
		}
		return strconv.Itoa(n)
	}
	for _, want := range []string{
		power(source.MaxSize) + " bytes", power(syntax.MaxTokens) + " tokens", strconv.Itoa(syntax.MaxDepth) + " levels",
		strconv.Itoa(MaxTupleParts) + " types", power(maxSteps) + " steps", strconv.Itoa(source.MaxErrors) + " errors",
		strconv.Itoa(maxWarnings) + " warnings",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("LANGUAGE.md does not say %q", want)
		}
	}
}
