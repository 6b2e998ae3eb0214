package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rokrig/bench"
	"rokrig/bench/peers"
	"rokrig/internal/tier"
)

func TestBenchRig(t *testing.T) {
	tier.NeedTools(t, "gcc", "as")
	dir := t.TempDir()
	out, picture := filepath.Join(dir, "out.txt"), filepath.Join(dir, "rate.svg")
	status, stdout, stderr := execute("bench", "rig", "--programs", "40", "--count", "2", "-o", out, "--plot", picture, "--json")
	var got benchResult
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || status != statusClean {
		t.Fatalf("status %d, %v: %s%s", status, err, stdout, stderr)
	}
	sum := 0.0
	for _, stage := range bench.Stages {
		share, there := got.Ratios[stage.Name]
		if !there || !(got.Results[bench.StagePrefix+stage.Name][bench.CPUUnit] > 0) {
			t.Errorf("stage %s: share %v, results %v", stage.Name, share, got.Results[bench.StagePrefix+stage.Name])
		}
		if !stage.Beside {
			sum += share
		}
	}
	// Medians of the stages need not add up to the median of the sums, yet roughly they do.
	if math.Abs(sum-1) > 0.5 {
		t.Errorf("the path's shares add up to %v", sum)
	}
	if svg, err := os.ReadFile(picture); err != nil || !strings.Contains(string(svg), "programs/s<") {
		t.Errorf("picture: %v, %d bytes", err, len(svg))
	}
	// What was written can be compared.
	if status, stdout, stderr := execute("compare", out, out); status != statusClean || !strings.Contains(stdout, bench.CampaignName) {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
}

func TestBenchBadUsage(t *testing.T) {
	for _, args := range [][]string{{"--programs", "0"}, {"--count", "-1"}, {"--plot", "x.jpeg"}, {"extra"}, {"--seed", "x"}} {
		status, stdout, stderr := execute(append([]string{"bench", "rig"}, args...)...)
		if status != statusUsage || stdout != "" || !strings.HasPrefix(stderr, "rokrig: ") {
			t.Errorf("%q: status %d, stdout %q, stderr %q", args, status, stdout, stderr)
		}
	}
}

func TestBenchPeersBadUsage(t *testing.T) {
	for _, args := range [][]string{{"--seconds", "0"}, {"--seconds", "NaN"}, {"--count", "0"}, {"--limit", "-1"}, {"extra"}} {
		status, stdout, stderr := execute(append([]string{"bench", "peers"}, args...)...)
		if status != statusUsage || stdout != "" || !strings.HasPrefix(stderr, "rokrig: ") {
			t.Errorf("%q: status %d, stdout %q, stderr %q", args, status, stdout, stderr)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if status, _, stderr := execute("bench", "peers"); status != statusUsage || !strings.Contains(stderr, "packages csmith libcsmith-dev cvise") {
		t.Errorf("without the tools: status %d: %s", status, stderr)
	}
}

func TestPeersTable(t *testing.T) {
	r := &peersResult{figures: []bench.Figure{
		{Name: peers.CsmithName, Unit: peers.ProgramsUnit, Median: 0.25, Lo: 0.2, Hi: 0.3, N: 6},
		{Name: peers.CViseName, Unit: peers.AfterUnit, Median: 9, N: 1},
	}}
	var b strings.Builder
	if err := r.write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"0.25 ±20%", "not measured", "lines-after"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
}

// A reducer's test succeeds on the signature that a planted bug gives, not on another one, and not without the bug.
func TestReproSignature(t *testing.T) {
	tier.NeedTools(t, "gcc", "as")
	path := filepath.Join(t.TempDir(), "case.rok")
	if err := os.WriteFile(path, []byte("fn f(x: i64) -> i64 { x % 3 }\nprint(f(-7));\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	const signature = "difference: every configuration: output: number, number"
	for _, c := range []struct {
		mutant, signature string
		want              exitStatus
	}{{"arith/mod-sign-of-divisor", signature, statusClean}, {"arith/mod-sign-of-divisor", "difference: other", statusFindings}, {"", signature, statusFindings}} {
		status, stdout, stderr := execute("repro", "--config", "stack", "--mutant", c.mutant, "--signature", c.signature, path)
		if status != c.want {
			t.Errorf("%+v: status %d: %s%s", c, status, stdout, stderr)
		}
	}
}

func TestBenchTable(t *testing.T) {
	r := newBenchResult([]bench.Figure{
		{Name: bench.StagePrefix + "gen", Unit: bench.CPUUnit, Median: 2000, Lo: 1900, Hi: 2200},
		{Name: bench.StagePrefix + "as", Unit: bench.CPUUnit, Median: 8000, Lo: math.Inf(-1), Hi: math.Inf(1), Warn: []string{"need more"}},
		{Name: bench.PathName, Unit: bench.CPUUnit, Median: 4000, Lo: 4000, Hi: 4000},
		{Name: bench.PathName, Unit: bench.ProgramsUnit, Median: 250, Lo: 250, Hi: 250},
	})
	var b strings.Builder
	if err := r.write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"gen    2.00 µs  10%", "50.0%", "(200.0%)", "?", "choices to program text", "250  0%  programs/cpu-s", "note: need more"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
}
