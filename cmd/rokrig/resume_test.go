package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rokrig/fuzz/campaign"
	"rokrig/fuzz/triage"
	"rokrig/internal/tier"
)

// fuzzSummary runs a campaign to its end and returns what it says.
func fuzzSummary(t *testing.T, args []string) campaign.Summary {
	t.Helper()
	status, out, errs := statusOf(t, rokrig(t, nil, append(args, "--json")...))
	if status != statusFindings && status != statusClean {
		t.Fatalf("%v: status %d: %s", args, status, errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var s campaign.Summary
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// union is what a campaign must say whether or not it was killed on its way.
func union(s campaign.Summary) map[string]any {
	buckets := map[string]int64{}
	for _, b := range s.Buckets {
		buckets[b.ID] = b.Count
	}
	return map[string]any{"programs": s.Programs, "compared": s.Compared, "counted": s.Counted, "must reject": s.MustReject,
		"executions": s.Executions, "statements": s.Statements, "steps": s.Steps, "lines": s.Lines, "long": s.LongShare,
		"wasted": s.Wasted, "endings": s.Endings, "differences": s.Differences, "configs": s.Configs,
		"features": s.Features, "feature programs": s.FeatureCases, "buckets": buckets}
}

// A campaign that is killed again and again, and goes on each time, ends with what an undisturbed one says: no program is
// lost and none is counted twice.
func TestKilledCampaignGoesOn(t *testing.T) {
	tier.NeedTools(t, "gcc")
	const kills = 10
	count := fmt.Sprint(max(600, tier.Steps(12_000)))
	args := func(dir string) []string {
		return []string{"fuzz", "--seed", "1", "--count", count, "--mutant", "arith/mod-sign-of-divisor", "--out", dir, "--reduce=false"}
	}
	start := time.Now()
	want := fuzzSummary(t, args(filepath.Join(t.TempDir(), "whole")))
	whole := time.Since(start)

	dir := filepath.Join(t.TempDir(), "killed")
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	var programs []int64
	for i := range kills {
		line := args(dir)
		if i > 0 {
			line = append(line, "--resume")
		}
		cmd := rokrig(t, nil, line...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// The first run must have come as far as its state; the others may be killed before anything.
		if i == 0 {
			waitForFile(t, filepath.Join(dir, campaign.StateFile))
		}
		time.Sleep(time.Duration(rng.Int64N(int64(whole) / 2)))
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		cmd.Wait()
		programs = append(programs, doneIn(t, dir))
	}
	got := fuzzSummary(t, append(args(dir), "--resume"))
	t.Logf("programs done after each kill: %v", programs)
	if d := cmp.Diff(union(want), union(got)); d != "" {
		t.Errorf("killed %d times it differs: %s", kills, d)
	}
	if len(want.Buckets) == 0 || programs[kills-1] == 0 {
		t.Errorf("%d buckets, programs done before each kill %v: the comparison says little", len(want.Buckets), programs)
	}
	wantWhole(t, dir)
	wantOriginals(t, dir, got)
}

func waitForFile(t *testing.T, path string) {
	t.Helper()
	for range 600 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%s does not come", path)
}

// doneIn is how many programs a campaign's state counts.
func doneIn(t *testing.T, dir string) int64 {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, campaign.StateFile))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		State struct{ Summary struct{ Programs int64 } }
	}
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return s.State.Summary.Programs
}

// wantOriginals checks that each bucket keeps as many programs as it can, and none twice.
func wantOriginals(t *testing.T, dir string, s campaign.Summary) {
	t.Helper()
	store := triage.Store{Dir: dir}
	for _, b := range s.Buckets {
		f, err := triage.Load(store.Path(b.ID))
		if err != nil {
			t.Error(err)
			continue
		}
		others, err := filepath.Glob(filepath.Join(store.Path(b.ID), "others", "*.rok"))
		if err != nil {
			t.Fatal(err)
		}
		// A program and its variant may both be in the bucket; they have one name.
		if n, want := int64(1+len(others)), min(b.Count, triage.MaxOriginals); n > want || n < (want+1)/2 {
			t.Errorf("bucket %s keeps %d programs of %d", b.ID, n, b.Count)
		}
		for _, o := range others {
			if filepath.Base(o) == fmt.Sprintf("%d-%d.rok", f.Origin.Seed, f.Origin.Index) {
				t.Errorf("%s is the bucket's first program once more", o)
			}
		}
	}
}

func TestResumeOnTheCommandLine(t *testing.T) {
	tier.NeedTools(t, "gcc")
	dir := filepath.Join(t.TempDir(), "findings")
	fuzz := func(more ...string) []string {
		return append([]string{"fuzz", "--out", dir, "--mutants", "0"}, more...)
	}
	status, _, errs := statusOf(t, rokrig(t, nil, fuzz("--resume", "--count", "8")...))
	if status != statusUsage || !strings.Contains(errs, "no campaign was started there") {
		t.Errorf("without a state: status %d: %s", status, errs)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a directory was made for nothing")
	}
	if s := fuzzSummary(t, fuzz("--seed", "18446744073709551615", "--config", "stack", "--count", "40")); s.Programs != 40 {
		t.Errorf("%d programs", s.Programs)
	}
	// What is not said stays as it was; what is said must agree.
	s := fuzzSummary(t, fuzz("--resume", "--count", "72"))
	if s.Programs != 72 || s.Seed != 18446744073709551615 || s.Resumed != 1 || s.Configs["stack"] != s.Compared+s.Variants {
		t.Errorf("%d programs of seed %d, resumed %d times, %v", s.Programs, s.Seed, s.Resumed, s.Configs)
	}
	for _, wrong := range [][]string{{"--seed", "1"}, {"--mutant", "arith/raw-idiv"}, {"--profile", "nightly"}, {"--config", "stack/check"}} {
		status, _, errs := statusOf(t, rokrig(t, nil, fuzz(append(wrong, "--resume", "--count", "80")...)...))
		if status != statusUsage || !strings.Contains(errs, "it is another campaign") {
			t.Errorf("%v: status %d: %s", wrong, status, errs)
		}
	}
	if s := fuzzSummary(t, fuzz("--resume", "--count", "73")); s.Programs != 73 {
		t.Errorf("%d programs after the refusals, want 73", s.Programs)
	}
}
