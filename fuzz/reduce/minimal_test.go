package reduce

import (
	"context"
	"strings"
	"testing"

	"rokrig/compiler/syntax"
	"rokrig/fuzz/campaign"
	"rokrig/fuzz/gen"
	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
	"rokrig/internal/tier"
)

// firstFinding lets a campaign look for a planted bug.
func firstFinding(t *testing.T, mutant string) *triage.Finding {
	t.Helper()
	s, err := campaign.Run(context.Background(), campaign.Options{Seed: 1, Count: 20_000, Mutant: mutant, Findings: 1, Batch: 8, ExeEvery: -1})
	if err != nil || len(s.Buckets) == 0 {
		t.Fatalf("%v, %d buckets", err, len(s.Buckets))
	}
	return s.Buckets[0].First
}

// No single edit makes a reduced finding smaller; and what is no longer reduced to its end is told from it.
func TestReducedFindingsAreMinimal(t *testing.T) {
	tier.NeedTools(t, "gcc")
	mutants := []string{"align/no-pad", "convert/float-to-int-wraps", "str/slice-past-end", "str/eq-length", "arith/no-sign-extend"}
	for _, m := range mutants[:max(1, min(len(mutants), tier.Steps(200)))] {
		t.Run(m, func(t *testing.T) {
			ctx := context.Background()
			f := firstFinding(t, m)
			r, err := Find(ctx, f, campaign.CaseName, 0, Options{})
			if err != nil {
				t.Fatal(err)
			}
			finder, err := NewFinder(ctx, campaign.CaseName, r.Text, m, parsed(t, r.Config), 0)
			if err != nil {
				t.Fatal(err)
			}
			defer finder.Close()
			smaller, ok, err := Minimal(ctx, campaign.CaseName, r.Text, finder.Test)
			if err != nil || !ok || !r.Minimal {
				t.Errorf("%v: Reduce says minimal %v, but\n%s\ncan become\n%s", err, r.Minimal, r.Text, smaller)
			}
			if slipped, err := r.Slipped(ctx, m); err != nil || slipped != "" {
				t.Errorf("slipped: %s %v", slipped, err)
			}
			if _, ok, err := Minimal(ctx, campaign.CaseName, "print 1 + 1;\n"+r.Text, finder.Test); ok && r.Signature == finder.Signature() {
				t.Errorf("with a statement too many it is said to be minimal (%v)", err)
			}
		})
	}
}

// The order goes down with every edit that is taken, and is an order.
func TestSizeIsAnOrder(t *testing.T) {
	var sizes []size
	for _, text := range []string{"print 1;\n", "print 0;\n", "print 10;\n", "let a = 1;\nprint a;\n", "print 1 + 1 + 1 + 1;\n", "print \"a\";\n"} {
		r := &reducer{name: "t.rok"}
		r.accept(text)
		sizes = append(sizes, measure(r.file))
	}
	for i, a := range sizes {
		for k, b := range sizes {
			if a.less(b) == b.less(a) && i != k {
				t.Errorf("%q and %q: both or neither is smaller", a.text, b.text)
			}
			if i == k && a.less(b) {
				t.Errorf("%q is smaller than itself", a.text)
			}
		}
	}
	for _, down := range [][2]int{{1, 0}, {0, 2}, {4, 3}, {0, 4}} {
		if !sizes[down[0]].less(sizes[down[1]]) {
			t.Errorf("%q is not smaller than %q", sizes[down[0]].text, sizes[down[1]].text)
		}
	}
}

// Options of a configuration that the difference does not need are dropped.
func TestConfigurationIsReduced(t *testing.T) {
	tier.NeedTools(t, "gcc")
	ctx := context.Background()
	const text = "let x: i8 = 127;\nprint x + 1;\n"
	finder, err := NewFinder(ctx, "t.rok", text, "arith/no-sign-extend", parsed(t, "stack/check/poll=force/fill=b"), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer finder.Close()
	if cfg, _ := finder.Config(); cfg.String() != "stack" {
		t.Errorf("reduced to %v", cfg)
	}
	// This one shows only when polls are counted.
	const loop = "for i in 0..3 {\n    print i;\n}\n"
	polls, err := NewFinder(ctx, "t.rok", loop, "safepoint/poll-not-counted", parsed(t, "stack/check/poll=force"), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer polls.Close()
	if cfg, _ := polls.Config(); cfg.String() != "stack/poll=force" {
		t.Errorf("reduced to %v", cfg)
	}
}

// Choices come back out of their segments, whatever they are.
func TestSegmentsRoundTrip(t *testing.T) {
	for i := range uint64(50) {
		b := gen.Program(gen.New(i), gen.Options{}).Bytes
		again := makeValid(encode(segmentsOf(b)))
		if string(again.choices) != string(b) {
			t.Fatalf("seed %d: other choices come out", i)
		}
	}
	long := [][]byte{make([]byte, 255), nil, make([]byte, 600), {1}}
	if got := segmentsOf(encode(long)); len(got) != 4 || len(got[0]) != 255 || len(got[2]) != 600 {
		t.Errorf("%d segments come back", len(got))
	}
}

// What only its generator knows the meaning of is reduced by its choices, and stays what it is.
func TestReduceByChoices(t *testing.T) {
	for _, tt := range []struct {
		mutant string
		kind   triage.Kind
	}{
		{"front/shift-precedence", triage.Assertion},
		{"front/accept-missing-case", triage.AcceptedInvalid},
	} {
		t.Run(tt.mutant, func(t *testing.T) {
			tier.NeedTools(t, "gcc")
			ctx := context.Background()
			f := firstFinding(t, tt.mutant)
			r, err := Find(ctx, f, campaign.CaseName, 0, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if f.Kind != tt.kind || r.By != byChoices || !r.Minimal || len(r.Text) >= len(f.Source) {
				t.Errorf("%s by %s, minimal %v:\n%s", f.Kind, r.By, r.Minimal, r.Text)
			}
			if slipped, err := r.Slipped(ctx, tt.mutant); err != nil || slipped != "" {
				t.Errorf("slipped: %s %v", slipped, err)
			}
			if smaller, ok, err := r.CheckMinimal(ctx, tt.mutant, 0); err != nil || !ok {
				t.Errorf("%v: an edit of the choices gives\n%s", err, smaller)
			}
		})
	}
}

// Of programs by choices too, only those pass that show the finding itself; and what is not reduced to its end is told.
func TestChoicesDoNotSlip(t *testing.T) {
	tier.NeedTools(t, "gcc")
	ctx := context.Background()
	const mutant = "front/shift-precedence"
	f := firstFinding(t, mutant)
	from, ok := choicesOf(f, makeValid)
	if !ok {
		t.Fatal("its choices are not known")
	}
	finder, err := newFinder(campaign.CaseName, mutant, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer finder.Close()
	for signature, want := range map[string]bool{f.Signature: true, f.Signature + " or another": false} {
		finder.signature = signature
		if got, err := finder.testChoices(ctx, []made{from, makeValid(nil)}); err != nil || got[0] != want || got[1] {
			t.Errorf("looking for %q: %v %v", signature, got, err)
		}
	}
	whole := &Reduced{Signature: f.Signature, By: byChoices, Choices: from.choices, kind: f.Kind, name: campaign.CaseName, build: makeValid}
	if smaller, ok, err := whole.CheckMinimal(ctx, mutant, 1); err != nil || ok || len(smaller) > len(f.Source) {
		t.Errorf("the program as it was generated is said to be minimal: %v %v", ok, err)
	}
}

// A candidate that grows or stays as it is, is never tried: else reducing might not end.
func TestNothingLargerIsTried(t *testing.T) {
	last := size{names: 1 << 30}
	test := func(_ context.Context, texts []string) ([]bool, error) {
		passed := make([]bool, len(texts))
		for i, text := range texts {
			r := &reducer{name: "t.rok"}
			r.accept(text)
			if s := measure(r.file); !s.less(last) && last.nodes > 0 {
				t.Errorf("%q is not smaller than %q", s.text, last.text)
			} else if i == 0 && strings.Contains(text, "print") {
				passed[0], last = true, s
			}
		}
		return passed, nil
	}
	text := syntax.PrintFile(parsedFile(gen.Program(gen.New(3), gen.Options{Lines: 40}).Text))
	if _, err := Reduce(context.Background(), "t.rok", text, test, Options{Batch: 1}); err != nil {
		t.Fatal(err)
	}
}

func parsed(t *testing.T, names ...string) []subject.Config {
	t.Helper()
	var configs []subject.Config
	for _, name := range names {
		cfg, err := subject.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		configs = append(configs, cfg)
	}
	return configs
}

func parsedFile(text string) *syntax.File {
	r := &reducer{name: "t.rok"}
	r.accept(text)
	return r.file
}
