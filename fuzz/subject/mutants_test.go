package subject

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"rokrig/compiler/mutant"
	"rokrig/internal/tier"
	"rokrig/oracle/outcome"
	"rokrig/runtime/abi"
)

// shown has a program for each of the mutants that came with the encoder, and for each that is held out: one whose
// behaviour the mutant changes, so that none of them is without effect.
var shown = []struct{ mutant, text string }{
	// A frame of 16 words: its prologue subtracts 128 from %rsp.
	{"encode/imm8-at-128", "fn f(n: i64) -> i64 { let t = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, n); t.0 + t.14 } print f(5);"},
	// The first of 17 words lies 128 bytes above the last.
	{"encode/disp8-at-128", "fn f(n: i64) -> i64 { (n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17).0 } print f(5);"},
	{"encode/no-rex-in-short-move", "fn f(i: i64) -> u8 { \"abc\"[i] } print f(2); print f(3);"},
	// The address of a string behind 5760 bytes of data.
	{"link/fixup-beyond-page", wideStatic("A") + wideStatic("B") + wideStatic("C") + "static S: str = \"end\";\nprint S;"},
	{"control/continue-innermost", "'a: for i in 0..3 { for j in 0..3 { if j == 1 { continue 'a; } print i, j; } }"},
	{"control/guard-first-alternative", "fn f(a: i64, b: i64) -> i64 { match (a, b) { (x, _) | (_, x) if x > 5 => x, _ => 0 } } print f(1, 9);"},
	{"core/wildcard-one-word", "fn f(t: ((i64, i64), i64)) -> i64 { match t { (_, 1) => 10, (_, x) => x } } print f(((7, 8), 9));"},
	{"arith/static-shift-logical", "static S: i8 = -64 >> 2; print S;"},
	{"core/tree-class-by-first-row", "fn f(a: i64, b: i64) -> i64 { match (a, b) { (0..=9, 1) => 1, (5, 2) => 2, _ => 3 } } print f(3, 1), f(5, 2);"},
	{"core/global-flag-early", "fn f() -> i64 { g } let g = f() + 1; print g;"},
	{"call/result-middle-swapped", "fn f(n: i64) -> (i64, i64, i64, i64) { (n, n + 1, n + 2, n + 3) } print f(1);"},
	{"arith/negate-subtracts", "fn f(x: f64) -> f64 { -x } print f(0.0);"},
	{"encode/string-ends-at-nul", "print \"a\\0b\", \"cd\";"},
	{"interp/range-ends-unsigned", "fn f(a: i64, b: i64) { for i in a..b { print i; } } f(-2, 1);"},
	{"float/even-spacing", "fn f(x: f64) -> f64 { x } print f(18446744073709551616.0);"},
	{"arith/pow-exponent-cut", "fn f(a: u64, b: u64) -> u64 { a ** b } print f(3, 4294967298);"},
	{"str/cmp-length-first", "fn f(a: str, b: str) -> bool { a < b } print f(\"b\", \"aa\");"},
}

// wideStatic declares a static of 240 words.
func wideStatic(name string) string {
	repeated := func(s string, n int) string { return "(" + strings.Repeat(s+", ", n-1) + s + ")" }
	return "static " + name + ": " + repeated(repeated("i64", 16), 15) + " = " + repeated(repeated("1", 16), 15) + ";\n"
}

func TestMutantsShow(t *testing.T) {
	tier.NeedTools(t, "gcc")
	sound := newLab(t, "")
	tried := map[string]bool{}
	for _, s := range shown {
		tried[s.mutant] = true
		mustShow(t, sound, s.mutant, s.text)
	}
	for _, m := range mutant.All() {
		if m.HeldOut && !tried[m.Name] {
			t.Errorf("no program shows %s", m.Name)
		}
	}
	for i, m := range abi.Mutants {
		if abi.Mutant(i).HeldOut() && !tried[m.Name] {
			t.Errorf("no program shows %s", m.Name)
		}
	}
}

// TestJumpMutantShows looks for a taken jump over just 128 bytes, which depends on every byte that the back end emits.
func TestJumpMutantShows(t *testing.T) {
	tier.NeedTools(t, "gcc")
	sound, lab := newLab(t, ""), newLab(t, "encode/rel8-at-128")
	for stores := range 9 {
		for negations := range 14 {
			text := "fn f(c: bool, mut x: i64) -> i64 { if c { " + strings.Repeat("x = 1; ", stores) + strings.Repeat("x = -x; ", negations) + "} x }\nprint f(false, 5);"
			if _, native := observe(t, lab, text); native != "value 0 \"5\\n\" \"\"" {
				mustShow(t, sound, "encode/rel8-at-128", text)
				return
			}
		}
	}
	t.Error("no jump goes over 128 bytes")
}

func newLab(t *testing.T, mutant string) *Lab {
	t.Helper()
	lab, err := NewLab(LabOptions{Mutant: mutant})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lab.Close() })
	return lab
}

// mustShow expects that a program agrees in oracle and machine code, and no longer does so with the mutant on.
func mustShow(t *testing.T, sound *Lab, mutant, text string) {
	t.Helper()
	oracle, native := observe(t, sound, text)
	if oracle != native {
		t.Errorf("%s: without it the oracle says %s and the machine code %s", mutant, oracle, native)
	}
	lab := newLab(t, mutant)
	wrongOracle, wrongNative := observe(t, lab, text)
	if wrongOracle == oracle && wrongNative == native {
		t.Errorf("%s: no difference from %s", mutant, oracle)
	}
	t.Logf("%s: oracle %s, machine code %s, without it %s", mutant, wrongOracle, wrongNative, oracle)
	if !lab.MutantReached() {
		t.Errorf("%s: its place was not reached", mutant)
	}
}

// observe returns what a program does on the oracle and on the naive back end.
func observe(t *testing.T, lab *Lab, text string) (oracle, native string) {
	t.Helper()
	c := &Case{Name: "case.rok", Text: text}
	if lab.Interpret(c); c.Checked == nil {
		t.Fatalf("%s: %s", text, show(c.Oracle))
	}
	if err := lab.Compare(context.Background(), []*Case{c}, []Config{MustParse("stack")}); err != nil {
		t.Fatal(err)
	}
	return show(c.Oracle), show(c.Runs[0].Outcome)
}

func show(o outcome.Outcome) string {
	return fmt.Sprintf("%v %d %q %q", o.Kind, o.Status, o.Stdout, o.Line)
}
