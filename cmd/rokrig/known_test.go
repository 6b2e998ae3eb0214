package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rokrig/internal/tier"
)

// What a known bug shows is counted under it; it is no finding, ends no campaign, and hides no other bug.
func TestKnownBugsAreNoFindings(t *testing.T) {
	tier.NeedTools(t, "gcc")
	dir, list := t.TempDir(), filepath.Join(t.TempDir(), "known.json")
	args := []string{"fuzz", "--seed", "1", "--count", "200", "--mutant", "arith/no-sign-extend", "--reduce=false", "--out", dir, "--known", list}
	if status, _, errs := statusOf(t, rokrig(t, nil, args...)); status != statusUsage || !strings.Contains(errs, "no such file") {
		t.Errorf("a list that is not there: status %d: %s", status, errs)
	}
	add := func(path string) (exitStatus, string) {
		status, out, errs := statusOf(t, rokrig(t, nil, "known", "add", path, "--note", "reported as 12", "--known", list))
		return status, out + errs
	}
	first := fuzzSummary(t, slices.Clip(args[:len(args)-2]))
	if len(first.Buckets) < 2 {
		t.Fatalf("%d buckets: the test says little", len(first.Buckets))
	}
	b := first.Buckets[0]
	if status, said := add(b.Path); status != statusClean {
		t.Fatalf("status %d: %s", status, said)
	}
	if status, said := add(b.Path); status != statusUsage || !strings.Contains(said, "known already") {
		t.Errorf("added twice: status %d: %s", status, said)
	}

	again := fuzzSummary(t, args)
	fresh, known := again.FreshBuckets(), again.KnownBuckets()
	if len(known) != 1 || known[0].ID != b.ID || known[0].Known != "reported as 12" || known[0].Count != b.Count {
		t.Errorf("known: %+v, want %d cases of %s", known, b.Count, b.ID)
	}
	if len(fresh) != len(first.Buckets)-1 {
		t.Errorf("%d buckets beside the known one, want %d", len(fresh), len(first.Buckets)-1)
	}
	// A known bug does not end a campaign that ends with its first finding.
	if s := fuzzSummary(t, append(args, "--findings", "1")); len(s.FreshBuckets()) == 0 {
		t.Error("--findings 1 ended with no finding")
	}
	if status, out, _ := statusOf(t, rokrig(t, nil, "known", "check", "--known", list)); status != statusClean || !strings.Contains(out, "1 known bugs still show, 0 no longer do") {
		t.Errorf("check: status %d: %s", status, out)
	}
	for _, other := range fresh {
		if status, said := add(other.Path); status != statusClean {
			t.Fatalf("status %d: %s", status, said)
		}
	}
	status, out, errs := statusOf(t, rokrig(t, nil, args...))
	if status != statusClean || !strings.Contains(out, "findings: 0; known bugs: ") || !strings.Contains(out, "reported as 12") {
		t.Errorf("all bugs known: status %d\n%s%s", status, out, errs)
	}
	wantGone(t, list)
}

// wantGone takes the deliberate bug out of a list: then nothing in it shows any more.
func wantGone(t *testing.T, list string) {
	t.Helper()
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	fixed := strings.ReplaceAll(string(text), `"mutant": "arith/no-sign-extend",`, "")
	if err := os.WriteFile(list, []byte(fixed), 0o666); err != nil {
		t.Fatal(err)
	}
	status, out, _ := statusOf(t, rokrig(t, nil, "known", "check", "--known", list))
	if status != statusFindings || !strings.Contains(out, "no longer shows") || !strings.Contains(out, "\n0 known bugs still show") {
		t.Errorf("check of a fixed bug: status %d: %s", status, out)
	}
}

func TestKnownRefuses(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte("{\n  \"schema\": 1,\n  known\n}"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"fuzz", "--count", "1", "--known", bad}, "bad.json:3:3: invalid character"},
		{[]string{"known", "check", "--known", bad}, "bad.json:3:3: invalid character"},
		{[]string{"known", "list", "--known", bad}, "bad.json:3:3: invalid character"},
		{[]string{"known", "add", t.TempDir(), "--note", "x", "--known", bad}, "bad.json:3:3: invalid character"},
		{[]string{"known", "add", t.TempDir(), "--note", "x"}, "finding.json: no such file"},
		{[]string{"known", "add"}, "accepts 1 arg"},
		{[]string{"known", "check", "--known", "/no/such/file"}, "no such file"},
	} {
		status, _, errs := statusOf(t, rokrig(t, nil, tt.args...))
		if status != statusUsage || !strings.Contains(errs, tt.want) {
			t.Errorf("%v: status %d: %s", tt.args, status, errs)
		}
	}
	if status, out, _ := statusOf(t, rokrig(t, nil, "known", "list")); status != statusClean || !strings.Contains(out, "no bug is known") {
		t.Errorf("status %d: %s", status, out)
	}
}
