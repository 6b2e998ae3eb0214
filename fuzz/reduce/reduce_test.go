package reduce

import (
	"context"
	"errors"
	"strings"
	"testing"

	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/fuzz/campaign"
	"rokrig/fuzz/gen"
	"rokrig/fuzz/subject"
	"rokrig/internal/tier"
)

// holds makes a Test of a property of well-typed programs.
func holds(property func(text string) bool) Test {
	return func(_ context.Context, texts []string) ([]bool, error) {
		passed := make([]bool, len(texts))
		for i, text := range texts {
			src := source.NewFile("t.rok", text)
			diags := &source.Diagnostics{File: src}
			tree := syntax.Parse(src, diags, syntax.Options{})
			passed[i] = !diags.HasErrors() && types.Check(tree, diags, types.Options{}) != nil && property(text)
		}
		return passed, nil
	}
}

func TestReduceKeepsOnlyWhatTheTestAsksFor(t *testing.T) {
	for _, tt := range []struct{ name, text, keep, want string }{
		{"a statement among many", "let a = 1;\nlet b = a + 2;\nprint b;\nprint 7 / 2;\nprint a;\n", "/", "0 / 0;\n"},
		{"inside a function", "fn f(x: i64, y: bool) -> i64 { if y { print x; x ** 2 } else { 0 } }\nprint f(3, true);", "**", ""},
		{"in a guard", "match 3 { n if n % 2 == 1 => { print 1; } _ => { } }", "%", ""},
		{"in nested loops", "for i in 0..3 { for j in 0..3 { while true { print i ^ j; break; } } }", "^", "0 ^ 0;\n"},
		{"a literal", "print \"abcdef\", 0xff_u8, 1.5f32;", "f32", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, err := Reduce(context.Background(), "t.rok", tt.text, holds(func(s string) bool { return strings.Contains(s, tt.keep) }), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !res.Minimal || !strings.Contains(res.Text, tt.keep) || res.LinesAfter > 4 {
				t.Errorf("minimal %v, %d lines:\n%s", res.Minimal, res.LinesAfter, res.Text)
			}
			if tt.want != "" && res.Text != tt.want {
				t.Errorf("got %q, want %q", res.Text, tt.want)
			}
		})
	}
}

func TestReduceRefusesWhatDoesNotShowIt(t *testing.T) {
	if _, err := Reduce(context.Background(), "t.rok", "print 1;", holds(func(string) bool { return false }), Options{}); err == nil {
		t.Error("no error")
	}
	boom := errors.New("boom")
	_, err := Reduce(context.Background(), "t.rok", "print 1;", func(context.Context, []string) ([]bool, error) { return nil, boom }, Options{})
	if !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
}

func TestReduceStopsAtItsBound(t *testing.T) {
	text := gen.Program(gen.New(1), gen.Options{Lines: 100}).Text
	res, err := Reduce(context.Background(), "t.rok", text, holds(func(s string) bool { return strings.Contains(s, "print") }), Options{MaxTries: 20, Batch: 4})
	if err != nil {
		t.Fatal(err)
	}
	if res.Minimal || res.Tries > 24 {
		t.Errorf("minimal %v after %d tries", res.Minimal, res.Tries)
	}
}

// The result depends on neither the batch nor the workers.
func TestReduceIsDeterministic(t *testing.T) {
	text := gen.Program(gen.New(5), gen.Options{Lines: 60}).Text
	test := holds(func(s string) bool { return strings.Contains(s, "print") && strings.Contains(s, "fn ") })
	var first string
	for _, batch := range []int{1, 7, 64} {
		res, err := Reduce(context.Background(), "t.rok", text, test, Options{Batch: batch})
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = res.Text
		}
		if res.Text != first {
			t.Errorf("batches of %d give\n%s\nothers\n%s", batch, res.Text, first)
		}
	}
}

// Findings of planted bugs become small, and stay what they are.
func TestReduceFindings(t *testing.T) {
	tier.NeedTools(t, "gcc")
	mutants := []string{"arith/no-sign-extend", "call/stack-args-push-order", "core/range-includes-end", "align/no-pad"}
	for _, m := range mutants[:max(1, min(len(mutants), tier.Steps(200)))] {
		t.Run(m, func(t *testing.T) { reduceFinding(t, m) })
	}
}

func reduceFinding(t *testing.T, mutant string) {
	ctx := context.Background()
	s, err := campaign.Run(ctx, campaign.Options{Seed: 1, Count: 4000, Mutant: mutant, Findings: 1, Batch: 8, ExeEvery: -1})
	if err != nil || len(s.Buckets) == 0 {
		t.Fatalf("%v, %d buckets", err, len(s.Buckets))
	}
	var configs []subject.Config
	for _, name := range s.Buckets[0].First.Configs {
		configs = append(configs, subject.MustParse(name))
	}
	finder, err := NewFinder(ctx, campaign.CaseName, s.Buckets[0].First.Source, mutant, configs, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer finder.Close()
	res, err := Reduce(ctx, campaign.CaseName, s.Buckets[0].First.Source, finder.Test, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d lines to %d, %d nodes, %d tries, %v\n%s", res.LinesBefore, res.LinesAfter, res.NodesAfter, res.Tries, res.Elapsed, res.Text)
	if !res.Minimal || res.LinesAfter > 40 {
		t.Errorf("minimal %v, %d lines", res.Minimal, res.LinesAfter)
	}
	again, err := finder.Test(ctx, []string{res.Text})
	if err != nil || !again[0] {
		t.Errorf("the reduced program does not show it: %v", err)
	}
}

// What means nothing without its generator is not reduced to nonsense.
func TestNotReducible(t *testing.T) {
	tier.NeedTools(t, "gcc")
	configs := []subject.Config{subject.MustParse("stack")}
	if _, err := NewFinder(context.Background(), "t.rok", "let x: i64 = true;", "", configs, 1); !errors.Is(err, ErrNotReducible) {
		t.Errorf("a rejected program: %v", err)
	}
	if _, err := NewFinder(context.Background(), "t.rok", "print 1;", "", configs, 1); err == nil || !strings.Contains(err.Error(), "nothing disagrees") {
		t.Errorf("a sound program: %v", err)
	}
}

// A program that disagrees in another way does not pass for the finding, or a reduction could slip to another bug.
func TestAnotherDifferenceIsNotTheFinding(t *testing.T) {
	tier.NeedTools(t, "gcc")
	const (
		output = "let x: i8 = 127;\nprint x + 1;\n"           // another number
		ending = "let x: i8 = 127;\nassert(x + 1 == -128);\n" // a panic where there should be none
	)
	ctx := context.Background()
	finder, err := NewFinder(ctx, "t.rok", output, "arith/no-sign-extend", []subject.Config{subject.MustParse("stack")}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer finder.Close()
	got, err := finder.Test(ctx, []string{output, ending, "print 1;\n", "let x: i8 = 100;\nprint x + 100;\n"})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, false, true} {
		if got[i] != want {
			t.Errorf("program %d passes: %v", i, got[i])
		}
	}
}
