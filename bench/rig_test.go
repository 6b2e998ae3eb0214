package bench

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"rokrig/internal/tier"
)

// What is measured can be read back by the benchmark packages, every stage of it.
func TestRigIsReadBack(t *testing.T) {
	tier.NeedTools(t, "gcc")
	var text bytes.Buffer
	if _, err := Rig(context.Background(), RigOptions{Seed: 1, Programs: 40, Repeats: 2}, &text); err != nil {
		t.Fatal(err)
	}
	figures, err := Read(bytes.NewReader(text.Bytes()), "test")
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	seen := map[string]bool{}
	for _, f := range figures {
		seen[f.Name+" "+f.Unit] = true
		if f.N != 2 || !(f.Median > 0) {
			t.Errorf("%s %s: %v of %d", f.Name, f.Unit, f.Median, f.N)
		}
	}
	for _, want := range []string{"Rig/stage=generate ns/op", "Rig/stage=front ns/op", "Rig/stage=oracle ns/op", "Rig/stage=compile ns/op",
		"Rig/stage=encode ns/op", "Rig/stage=load ns/op", "Rig/stage=run ns/op", "Rig/all ns/op", "Rig/all " + programsUnit, "Rig/all " + statementsUnit} {
		if !seen[want] {
			t.Errorf("lacks %s:\n%s", want, text.String())
		}
	}
}

func TestRead(t *testing.T) {
	figures, err := Read(strings.NewReader("BenchmarkA 1 30 ns/op 5 x/y\nBenchmarkA 1 10 ns/op 6 x/y\nBenchmarkA 1 20 ns/op 9 x/y\nBenchmarkB 1 7 ns/op\n"), "test")
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		name, unit string
		median     float64
		n          int
	}{{"A", "ns/op", 20, 3}, {"A", "x/y", 6, 3}, {"B", "ns/op", 7, 1}}
	if len(figures) != len(want) {
		t.Fatalf("%+v", figures)
	}
	for i, w := range want {
		f := figures[i]
		if f.Name != w.name || f.Unit != w.unit || math.Abs(f.Median-w.median) > 1e-9 || f.N != w.n || len(f.Warn) == 0 {
			t.Errorf("%+v, want %+v", f, w)
		}
	}
	for _, bad := range []string{"", "nothing here\n", "BenchmarkA x 1 ns/op\n"} {
		if _, err := Read(strings.NewReader(bad), "test"); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
