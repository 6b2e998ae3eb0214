package reduce

import (
	"context"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"rokrig/compiler/syntax"
	"rokrig/internal/tier"
)

// Each kind of edit of the table is there: one edit alone makes the second program of the first.
func TestEachEdit(t *testing.T) {
	for _, tt := range []struct{ name, from, to string }{
		{"a run of declarations", "print 1;\nprint 2;\nprint 3;\nprint 4;\n", "print 3;\nprint 4;\n"},
		{"a statement", "fn f() {\n    print 1;\n    print 2;\n}\nf();\n", "fn f() {\n    print 2;\n}\nf();\n"},
		{"what was not executed", "fn f() {\n    print 1;\n}\nif false {\n    f();\n    print 2;\n}\nprint 3;\n", "if false {}\nprint 3;\n"},
		{"what is in a block", "{\n    print 1;\n    print 2;\n}\n", "print 1;\nprint 2;\n"},
		{"what is in a loop", "fn f() {\n    for i in 0..3 {\n        print 7;\n    }\n}\n", "fn f() {\n    print 7;\n}\n"},
		{"an arm", "match 1 {\n    1 => { print 1; }\n    _ => { print 2; }\n}\n", "match 1 {\n    _ => { print 2; }\n}\n"},
		{"a guard", "match 1 {\n    n if n > 0 => { print n; }\n    _ => { print 2; }\n}\n", "match 1 {\n    n => { print n; }\n    _ => { print 2; }\n}\n"},
		{"an else branch", "if true {\n    print 1;\n} else {\n    print 2;\n}\n", "if true {\n    print 1;\n}\n"},
		{"a printed value", "print 1, 2;\n", "print 2;\n"},
		{"a constant for an expression", "let a = 5;\nprint a * 3;\n", "let a = 5;\nprint 0;\n"},
		{"a part for an expression", "let a = 5;\nprint a * 3;\n", "let a = 5;\nprint a;\n"},
		{"a parameter with its arguments", "fn f(a: i64, b: i64) {\n    print b;\n}\nf(1, 2);\n", "fn f(b: i64) {\n    print b;\n}\nf(2);\n"},
		{"a body for a call", "fn f() -> i64 {\n    5 * 3\n}\nprint f();\n", "print 5 * 3;\n"},
		{"a value for its variable", "let a = 5 * 3;\nprint a, a;\n", "print 5 * 3, 5 * 3;\n"},
		{"a function without its value", "fn f() -> i64 {\n    print 1;\n    2\n}\nf();\nf();\n", "fn f() {\n    print 1;\n    2;\n}\nf();\nf();\n"},
		{"main at the top", "fn main() {\n    print 1;\n}\n", "print 1;\n"},
		{"half an integer", "print 100;\n", "print 50;\n"},
		{"without its lowest bit", "print 100;\n", "print 96;\n"},
		{"without its highest bit", "print 100;\n", "print 36;\n"},
		{"another base", "print 0xff;\n", "print 255;\n"},
		{"a suffix", "print 7i8;\n", "print 7;\n"},
		{"a float", "print 2.5;\n", "print 1.0;\n"},
		{"half a string", "print \"abcd\";\n", "print \"cd\";\n"},
		{"the end of a string", "print \"abcd\";\n", "print \"abc\";\n"},
		{"a pattern", "match 1 {\n    1 => { print 1; }\n    _ => { print 2; }\n}\n", "match 1 {\n    _ => { print 1; }\n    _ => { print 2; }\n}\n"},
		{"an alternative", "match 1 {\n    1 | 2 => { print 1; }\n    _ => { print 2; }\n}\n", "match 1 {\n    2 => { print 1; }\n    _ => { print 2; }\n}\n"},
		{"an annotation", "let a: i64 = 1;\nprint a;\n", "let a = 1;\nprint a;\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from := &reducer{name: "t.rok"}
			from.accept(tt.from)
			want := syntax.PrintFile(parsedFile(tt.to))
			for _, pass := range passes {
				for _, e := range pass(from) {
					if text, ok := from.candidate(e); ok && text == want {
						return
					}
				}
			}
			t.Errorf("no edit of\n%s\ngives\n%s", tt.from, want)
		})
	}
}

// An edit that is undone leaves the tree as it was, or all edits behind it are of another program.
func TestEditsAreUndone(t *testing.T) {
	r := &reducer{name: "t.rok"}
	r.accept("fn f(a: i64) -> i64 {\n    if a > 1 {\n        return 2;\n    }\n    let b = a * 2;\n    b\n}\nmatch f(3) {\n    1 | 2 => print 1,\n    _ => {\n        print \"ab\", 0xffu8;\n    }\n}\n")
	before := r.size.text
	for _, pass := range passes {
		for i, e := range pass(r) {
			e()()
			if after := syntax.PrintFile(r.file); after != before {
				t.Fatalf("edit %d leaves\n%s", i, after)
			}
		}
	}
}

// Integers get smaller in few steps, whatever they are.
func TestIntegersShrinkByBits(t *testing.T) {
	for _, v := range []uint64{0, 1, 2, 3, 255, 1 << 63, 1<<64 - 1, 15713357617302601727} {
		steps := 0
		for next := smaller(v); len(next) > 0; next = smaller(slices.Max(next)) {
			steps++
		}
		if steps > 2*bits.Len64(v) {
			t.Errorf("%d: %d steps", v, steps)
		}
		if v > 1 && (!slices.Contains(smaller(v), 0) || !slices.Contains(smaller(v), 1)) {
			t.Errorf("%d becomes one of %v", v, smaller(v))
		}
	}
}

// A program that shows something else under the tight limits of candidates is reduced all the same, to what it shows under
// the ordinary ones.
func TestTightLimitsDoNotChangeTheFinding(t *testing.T) {
	tier.NeedTools(t, "gcc")
	ctx := context.Background()
	const mutant = "interp/match-last-arm"
	const text = "let n = match 1 {\n    1 => 5000,\n    _ => 0,\n};\nfor i in 0..n {\n    print \"0123456789\";\n}\nprint 7;\n"
	if _, err := aimedFinder(ctx, "t.rok", text, mutant, parsed(t, "stack"), 1, true); err == nil {
		t.Fatal("the tight limits do not matter to this program")
	}
	r, err := Program(ctx, "t.rok", text, mutant, parsed(t, "stack"), 1, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(r.Signature, "resource") || !r.Minimal {
		t.Errorf("%s, minimal %v:\n%s", r.Signature, r.Minimal, r.Text)
	}
	if slipped, err := r.Slipped(ctx, mutant); err != nil || slipped != "" {
		t.Errorf("slipped: %s %v", slipped, err)
	}
}
