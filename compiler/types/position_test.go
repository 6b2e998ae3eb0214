package types

import (
	"strings"
	"testing"

	"rokrig/compiler/source"
)

// A diagnostic stands at the expression that is wrong, inside whatever surrounds it, and covers it.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ text, at string }{
		{"fn f(c: bool) -> str { if c { \"a\" } else { match 1 { 1 => return \"b\", _ => { 5u8 } } } }", "5u8"},
		{"let a = 1u8 + 3u16;", "1u8 + 3u16"},
		{"let a: u8 = (1 + 2) * (3 + 256);", "256"},
		{"let a: i8 = - 129;", "- 129"},
		{"print 1, nothing, 2;", "nothing"},
		{"fn f(a: i64) {} f(1 == 2);", "1 == 2"},
		{"fn f(a: i64, b: str, a: u8) {}", "a: u8"},
		{"match (1, 2) { (1, \"x\") => 1, _ => 2 };", "\"x\""},
		{"match (1, 2) { (1, x) | (2, _) => 1, _ => 2 };", "(2, _)"},
		{"match 5 { 1 => 2, 3 => 4 };", "match"},
		{"static S: i64 = 1 + 2 / (1 - 1);", "/ (1"},
		{"fn f() -> i64 { print 1; }", "}"},
		{"'a: loop { break 'b; }", "'b"},
	} {
		_, diags := checkText("place.rok", c.text, nil)
		errs := diags.Errors()
		if len(errs) != 1 {
			t.Errorf("%s: %d errors\n%s", c.text, len(errs), diags)
			continue
		}
		span := errs[0].Span
		if from := diags.File.Offset(span.Start); from != strings.Index(c.text, c.at) {
			t.Errorf("%s: the error is at offset %d, not at %q", c.text, from, c.at)
		}
		if to := diags.File.Offset(span.End); span.End != span.Start && to > len(c.text) || span.End < span.Start {
			t.Errorf("%s: span %v", c.text, span)
		}
	}
}

// What a message quotes is cut, however long names and types are.
func TestLongNamesAreCut(t *testing.T) {
	params := strings.Repeat("fn(i64, i64), ", 5000)
	for _, text := range []string{
		strings.Repeat("a", 100000) + ";",
		"fn f(" + strings.Repeat("a: i64, ", 50000) + ") {}",
		"fn f(x: fn(" + params + ")) { print (x, (x, x)); }",
		"match \"" + strings.Repeat("x", 100000) + "\" { \"\" => 1 };",
		"match (\"a\", true) { (\"" + strings.Repeat("x", 100000) + "\", true) => 1, };",
	} {
		_, diags := checkText("long.rok", text, nil)
		if !diags.HasErrors() {
			t.Errorf("%.40s...: accepted", text)
		}
		for _, d := range diags.All() {
			if len(d.Message) > 3*maxShown {
				t.Errorf("%.40s...: a message of %d bytes", text, len(d.Message))
			}
		}
	}
}

// A program with very many warnings shows the first ones.
func TestWarningsAreLimited(t *testing.T) {
	p, diags := checkText("warn.rok", "match 1 { _ => 0, "+strings.Repeat("1 => 1, ", 5000)+"};", nil)
	if p == nil || len(diags.All()) != maxWarnings {
		t.Errorf("%d warnings, program %v", len(diags.All()), p != nil)
	}
	if last := diags.All()[maxWarnings-1]; last.Severity != source.Warning || !strings.Contains(last.Message, "too many") {
		t.Errorf("the last one says %q", last.Message)
	}
}
