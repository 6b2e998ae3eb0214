package compare

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"rokrig/internal/tier"
)

// results writes n results of a benchmark round a centre, spread over so many percent.
func results(name string, n int, centre, percent float64, unit string) string {
	var b strings.Builder
	for i := range n {
		f := 1 + percent/100*(float64(i)/float64(n-1)-0.5)
		fmt.Fprintf(&b, "Benchmark%s 1 %g %s\n", name, centre*f, unit)
	}
	return b.String()
}

func mustCompare(t *testing.T, old, new string) *Comparison {
	t.Helper()
	c, err := Files(Input{"old", strings.NewReader(old)}, Input{"new", strings.NewReader(new)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFiles(t *testing.T) {
	old := results("A", 10, 1000, 2, "ns/op") + results("B", 10, 50, 2, "programs/cpu-s") + results("Gone", 10, 1, 2, "ns/op")
	new := results("A", 10, 1100, 2, "ns/op") + results("B", 10, 50, 2, "programs/cpu-s") + results("Fresh", 10, 1, 2, "ns/op")
	c := mustCompare(t, old, new)
	if len(c.Tables) != 2 || c.Tables[0].Unit != "sec/op" || c.Tables[0].HigherBetter || !c.Tables[1].HigherBetter {
		t.Fatalf("%+v", c.Tables)
	}
	a := c.Tables[0].Rows[0]
	if a.Name != "A" || a.Change != "+10.00%" || a.P > 0.001 || math.Abs(a.Old.Median-1e-6) > 1e-9 || a.Old.N != 10 || a.Old.Text != "1.000µ" {
		t.Errorf("%+v", a)
	}
	b := c.Tables[1].Rows[0]
	if b.Name != "B" || b.Change != "~" || b.P < 0.9 {
		t.Errorf("%+v", b)
	}
	gone, fresh := c.Tables[0].Rows[1], c.Tables[0].Rows[2]
	if gone.New.N != 0 || gone.Change != "" || gone.P != 1 || fresh.Old.N != 0 || fresh.Name != "Fresh" {
		t.Errorf("%+v, %+v", gone, fresh)
	}
	if g := c.Tables[0].Geomean; math.Abs(g-1.1) > 1e-9 {
		t.Errorf("geomean %v", g)
	}
	if len(c.Warnings) != 0 {
		t.Errorf("warnings %q", c.Warnings)
	}
}

func TestFewSamplesAreAWarning(t *testing.T) {
	c := mustCompare(t, "BenchmarkA 1 5 ns/op\n", "BenchmarkA 1 9 ns/op\n")
	if len(c.Warnings) == 0 || c.Tables[0].Rows[0].Change != "~" {
		t.Errorf("%+v", c)
	}
	c = mustCompare(t, "BenchmarkA 1 0 x\n", "BenchmarkA 1 0 x\n")
	if !math.IsNaN(c.Tables[0].Geomean) {
		t.Errorf("the geometric mean of nothing is %v", c.Tables[0].Geomean)
	}
}

func TestFilesErrors(t *testing.T) {
	good := "BenchmarkA 1 5 ns/op\n"
	for _, bad := range []string{"", "hello\n", "BenchmarkA x 5 ns/op\n"} {
		if _, err := Files(Input{"o", strings.NewReader(bad)}, Input{"n", strings.NewReader(good)}); err == nil {
			t.Errorf("%q as the old file: no error", bad)
		}
		if _, err := Files(Input{"o", strings.NewReader(good)}, Input{"n", strings.NewReader(bad)}); err == nil {
			t.Errorf("%q as the new file: no error", bad)
		}
	}
}

func TestGate(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new string
		limit    float64
		hit      bool
	}{
		{"slower", results("A", 10, 1000, 2, "ns/op"), results("A", 10, 1200, 2, "ns/op"), 0.05, true},
		{"slower, within the limit", results("A", 10, 1000, 2, "ns/op"), results("A", 10, 1200, 2, "ns/op"), 0.25, false},
		{"slower by the medians only", results("A", 10, 1000, 2, "ns/op"), results("A", 10, 1060, 8, "ns/op"), 0.05, false},
		{"faster", results("A", 10, 1000, 2, "ns/op"), results("A", 10, 800, 2, "ns/op"), 0.05, false},
		{"a lower rate", results("A", 10, 1000, 2, "x/cpu-s"), results("A", 10, 800, 2, "x/cpu-s"), 0.05, true},
		{"a higher rate", results("A", 10, 1000, 2, "x/cpu-s"), results("A", 10, 1200, 2, "x/cpu-s"), 0.05, false},
		{"too few to know", results("A", 2, 1000, 2, "ns/op"), results("A", 2, 1200, 2, "ns/op"), 0.05, false},
		{"a new benchmark", results("B", 10, 1000, 2, "ns/op"), results("A", 10, 1200, 2, "ns/op"), 0.05, false},
	} {
		hits := mustCompare(t, c.old, c.new).Gate(c.limit)
		if (len(hits) == 1) != c.hit || len(hits) > 1 {
			t.Errorf("%s: hits %+v", c.name, hits)
		}
	}
}

// Among many rows, one with a p-value that is small by chance is no hit: 6 samples a side give at best p = 0.002.
func TestGateCorrectsForManyRows(t *testing.T) {
	old, new := results("Bad", 6, 1000, 2, "ns/op"), results("Bad", 6, 1200, 2, "ns/op")
	if hits := mustCompare(t, old, new).Gate(0.05); len(hits) != 1 {
		t.Fatalf("alone: %+v", hits)
	}
	for i := range 40 {
		same := results(fmt.Sprintf("Same%d", i), 6, 1000, 2, "ns/op")
		old, new = old+same, new+same
	}
	if hits := mustCompare(t, old, new).Gate(0.05); len(hits) != 0 {
		t.Errorf("among 41: %+v", hits)
	}
}

// The figures are benchstat's own.
func TestAgreesWithBenchstat(t *testing.T) {
	tier.NeedTools(t, "go")
	dir := t.TempDir()
	old := results("A", 8, 1000, 7, "ns/op") + results("B", 8, 3000, 9, "ns/op")
	new := results("A", 8, 1015, 7, "ns/op") + results("B", 8, 2500, 3, "ns/op")
	writeFile(t, dir+"/old.txt", old)
	writeFile(t, dir+"/new.txt", new)
	out, err := exec.Command("go", "tool", "benchstat", dir+"/old.txt", dir+"/new.txt").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, r := range mustCompare(t, old, new).Tables[0].Rows {
		// A-2  1.000µ ± 3%  1.015µ ± 3%  ~ (p=0.130 n=8)
		pattern := fmt.Sprintf(`(?m)^%s\s+%s ± +%s\s+%s ± +%s\s+%s \(p=%.3f n=8\)`, r.Name, r.Old.Text, r.Old.Spread, r.New.Text, r.New.Spread, regexp.QuoteMeta(r.Change), r.P)
		if !regexp.MustCompile(pattern).Match(out) {
			t.Errorf("benchstat does not say %s:\n%s", pattern, out)
		}
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
