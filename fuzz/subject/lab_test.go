package subject

import (
	"context"
	"strings"
	"testing"

	"rokrig/internal/tier"
	"rokrig/oracle/outcome"
)

// programs whose output was worked out by hand, to see that every configuration really runs.
var programs = []struct {
	text   string
	stdout string
	kind   outcome.Kind
	line   string
}{
	{"print 1 + 2 * 3;", "7\n", outcome.Value, ""},
	{"fn f(n: i64) -> i64 { if n < 2 { n } else { f(n - 1) + f(n - 2) } }\nprint f(15), \"x\";", "610 x\n", outcome.Value, ""},
	{"let mut s = 0;\nfor i in 1..=10 { s += i; }\nprint s;\nprint s / (s - 55);", "55\n", outcome.Panic, "panic: division by zero at case.rok:4:9"},
	{"print 0.1f32 + 0.2f32, (1, true);", "0.3 (1, true)\n", outcome.Value, ""},
	{"let s = \"abc\";\nprint s[1..3], s[0];\nprint s[3];", "bc 97\n", outcome.Panic, "panic: index out of bounds: the length is 3 but the index is 3 at case.rok:3:8"},
}

func newCases() []*Case {
	var cases []*Case
	for _, p := range programs {
		cases = append(cases, &Case{Name: "case.rok", Text: p.text})
	}
	return cases
}

func TestLabRunsEveryConfiguration(t *testing.T) {
	tier.NeedTools(t, "gcc", "as")
	lab, err := NewLab(LabOptions{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer lab.Close()
	var configs []Config
	for _, row := range All() {
		if row.Config.Native() {
			configs = append(configs, row.Config)
		}
	}
	cases := newCases()
	for _, c := range cases {
		lab.Interpret(c)
	}
	if err := lab.Compare(context.Background(), cases, configs); err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		want := programs[i]
		check := func(who string, o outcome.Outcome) {
			if o.Kind != want.kind || string(o.Stdout) != want.stdout || o.Line != want.line {
				t.Errorf("%s on %q: %v, %q, %q %s", who, want.text, o.Kind, o.Stdout, o.Line, o.Detail)
			}
		}
		check("interp", c.Oracle)
		if len(c.Runs) != len(configs) {
			t.Errorf("%d runs, want %d", len(c.Runs), len(configs))
		}
		for _, r := range c.Runs {
			check(r.Config.String(), r.Outcome)
			if counted := r.Polls >= 0; counted != (r.Config.ForcePolls() && !r.Config.Executable()) {
				t.Errorf("%s: polls %d", r.Config, r.Polls)
			}
			if r.Polls >= 0 && r.Polls != c.Polls {
				t.Errorf("%s on %q: %d polls, the oracle has %d", r.Config, want.text, r.Polls, c.Polls)
			}
		}
	}
}

func TestLabReportsDiagnosticsAsRejected(t *testing.T) {
	lab, err := NewLab(LabOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer lab.Close()
	c := &Case{Name: "case.rok", Text: "let x: i64 = true;"}
	lab.Interpret(c)
	if c.Oracle.Kind != outcome.Rejected || !strings.HasPrefix(c.Oracle.Line, "case.rok:1:14: error: ") {
		t.Errorf("%v %q", c.Oracle.Kind, c.Oracle.Line)
	}
}

func TestLabKnowsItsMutants(t *testing.T) {
	for _, name := range []string{"arith/raw-idiv", "interp/div-floors", "str/cmp-signed"} {
		lab, err := NewLab(LabOptions{Mutant: name})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if lab.MutantReached() {
			t.Errorf("%s is reached before anything ran", name)
		}
		lab.Close()
	}
	if _, err := NewLab(LabOptions{Mutant: "no/such"}); err == nil {
		t.Error("an unknown mutant was taken")
	}
}

// TestFillShowsUninitialisedReads compares a program whose variable is not initialised, by a deliberate bug. Memory fresh
// from the system holds the right value by luck; the two fill patterns show two others.
func TestFillShowsUninitialisedReads(t *testing.T) {
	tier.NeedTools(t, "gcc", "as")
	configs := []Config{MustParse("stack/exe"), MustParse("stack"), MustParse("stack/fill=b")}
	for _, c := range []struct {
		mutant string
		want   []string
	}{
		{"", []string{"0\n", "0\n", "0\n"}},
		{"frame/slot-left-uninitialised", []string{"0\n", "-6510615555426900571\n", "6510615555426900570\n"}},
	} {
		lab, err := NewLab(LabOptions{Mutant: c.mutant})
		if err != nil {
			t.Fatal(err)
		}
		defer lab.Close()
		cs := &Case{Name: "case.rok", Text: "fn f() { let zero = 0; print zero; }\nf();"}
		lab.Interpret(cs)
		if err := lab.Compare(context.Background(), []*Case{cs}, configs); err != nil {
			t.Fatal(err)
		}
		for i, r := range cs.Runs {
			if got := string(r.Outcome.Stdout); got != c.want[i] {
				t.Errorf("mutant %q, %s: %q, want %q", c.mutant, r.Config, got, c.want[i])
			}
		}
	}
}
