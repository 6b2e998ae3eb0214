package mutants

import (
	"context"
	"strings"
	"testing"
	"time"

	"rokrig/internal/tier"
)

func TestCatalogueIsWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range All() {
		area, effect, ok := strings.Cut(m.Name, "/")
		if !ok || area == "" || effect == "" || m.Effect == "" || m.Area == "" {
			t.Errorf("%+v", m)
		}
		if seen[m.Name] {
			t.Errorf("%s stands twice", m.Name)
		}
		seen[m.Name] = true
		if got, err := Lookup(m.Name); err != nil || got != m {
			t.Errorf("Lookup(%s) = %+v, %v", m.Name, got, err)
		}
	}
	if len(seen) < 20 {
		t.Errorf("%d mutants", len(seen))
	}
	if _, err := Lookup("no/such"); err == nil {
		t.Error("an unknown name was found")
	}
}

func TestSample(t *testing.T) {
	a, b, c := Sample(5, 1), Sample(5, 1), Sample(5, 2)
	if strings.Join(a, " ") != strings.Join(b, " ") {
		t.Errorf("one seed draws %v and %v", a, b)
	}
	if strings.Join(a, " ") == strings.Join(c, " ") {
		t.Errorf("two seeds draw %v", a)
	}
	if n := len(Sample(1000, 1)); n != len(All()) {
		t.Errorf("a sample of more than all has %d", n)
	}
}

// Killed, and not killed in the time there was, are told apart.
func TestRun(t *testing.T) {
	tier.NeedTools(t, "gcc")
	var told []string
	results, err := Run(context.Background(), Options{Names: []string{"align/no-pad", "interp/shift-logical", "core/range-includes-end"}, Seed: 1,
		Before: func(i, n int, name string) { told = append(told, name) }})
	if err != nil || len(results) != 3 || len(told) != 3 {
		t.Fatalf("%d results, told %v, %v", len(results), told, err)
	}
	for _, r := range results {
		if r.Verdict != Killed || r.Check == "" || r.Signature == "" || r.Programs == 0 || !r.IsDecided() {
			t.Errorf("%+v", r)
		}
	}
	results, err = Run(context.Background(), Options{Names: []string{"float/tie-away"}, Seed: 1, For: time.Nanosecond})
	if err != nil || len(results) != 1 || results[0].Verdict == Killed || results[0].IsDecided() {
		t.Errorf("without time: %+v, %v", results, err)
	}
	if _, err := Run(context.Background(), Options{Names: []string{"no/such"}}); err == nil {
		t.Error("an unknown name was tried")
	}
}

// A shared time is not used up by those that die at once.
func TestTotalIsShared(t *testing.T) {
	tier.NeedTools(t, "gcc")
	start := time.Now()
	results, err := Run(context.Background(), Options{Names: []string{"align/no-pad", "arith/no-sign-extend"}, Seed: 1, Total: time.Hour})
	if err != nil || len(results) != 2 || time.Since(start) > 10*time.Minute {
		t.Errorf("%d results after %v, %v", len(results), time.Since(start), err)
	}
}
