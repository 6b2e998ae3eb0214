package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"rokrig/fuzz/mutants"
	"rokrig/internal/tier"
)

// A finding that only its generator knows the meaning of is reduced from its directory, and the table of reduced findings
// says how small they became.
func TestReductionsOfMutants(t *testing.T) {
	tier.NeedTools(t, "gcc")
	dir := t.TempDir()
	const mutant = "front/accept-missing-case"
	status, out, errs := statusOf(t, rokrig(t, nil, "mutants", "--only", mutant, "--reduce=2", "--out", dir, "--json"))
	var r mutantsResult
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != statusClean {
		t.Fatalf("status %d, %v: %s", status, err, errs)
	}
	reduced := r.Mutants[mutant].Reduced
	if len(reduced) != 2 || reduced[0].Seed != 1 || reduced[1].Seed != 2 {
		t.Fatalf("%+v", reduced)
	}
	for _, x := range reduced {
		if !x.Minimal || x.Slipped != "" || x.Failed != "" || x.By != "choices" || x.Lines == 0 || x.Lines > 40 {
			t.Errorf("%+v", x)
		}
	}
	found, err := filepath.Glob(filepath.Join(dir, "*", r.Mutants[mutant].Bucket))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	status, out, errs = statusOf(t, rokrig(t, nil, "reduce", found[0], "--json"))
	var one reduceResult
	if err := json.Unmarshal([]byte(out), &one); err != nil || status != statusClean {
		t.Fatalf("status %d, %v: %s", status, err, errs)
	}
	if one.By != "choices" || !one.Minimal || one.LinesAfter != reduced[0].Lines || one.Signature != r.Mutants[mutant].Signature {
		t.Errorf("%+v", one)
	}
}

func TestReductionNotes(t *testing.T) {
	notes := reductionNotes([]mutants.Reduction{
		{Lines: 9, Nodes: 30, Seconds: 6, Minimal: true},
		{Lines: 1, Nodes: 4, Seconds: 0.5, Minimal: true},
		{Lines: 4, Nodes: 10, Seconds: 1, Slipped: "nothing is found"},
		{Failed: "why"},
	})
	want := "reduced 3 of 4: 1-minimal, tried once more apart, 2; slipped to another finding 1; 5 s or more 1\n" +
		"median and most: lines 4 and 9, nodes 10 and 30, seconds 1.0 and 6.0"
	if got := strings.Join(notes, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if reductionNotes(nil) != nil {
		t.Error("a note about nothing")
	}
}
