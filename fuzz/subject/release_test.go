package subject

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rokrig/fuzz/gen"
	"rokrig/internal/tier"
	"rokrig/oracle/outcome"
)

// TestMemoryUsedAgainChangesNothing takes programs through a lab that makes all of them in the same memory, and through one
// that does not: outcome and machine code are equal.
func TestMemoryUsedAgainChangesNothing(t *testing.T) {
	var labs [2]*Lab
	for i := range labs {
		lab, err := NewLab(LabOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer lab.Close()
		labs[i] = lab
	}
	for i := range uint64(tier.Steps(20_000)) {
		text := gen.Program(gen.New(gen.ProgramSeed(3, i)), gen.Options{}).Text
		if i%7 == 6 {
			text = gen.MustReject(gen.New(gen.ProgramSeed(3, i)), gen.Options{}).Text
		}
		brief, kept := &Case{Name: "case.rok", Text: text}, &Case{Name: "case.rok", Text: text}
		if labs[0].CheckBriefly(brief) {
			labs[0].Execute(brief)
			labs[0].Release(brief)
		}
		labs[1].Interpret(kept)
		if kept.Checked != nil {
			labs[1].Release(kept)
		}
		brief.Oracle.Usage, kept.Oracle.Usage = outcome.Usage{}, outcome.Usage{}
		if diff := cmp.Diff(kept.Oracle, brief.Oracle); diff != "" {
			t.Fatalf("program %d: the oracle says something else:\n%s", i, diff)
		}
		if diff := cmp.Diff(kept.object, brief.object); diff != "" {
			t.Fatalf("program %d: other machine code:\n%s", i, diff)
		}
		if brief.Checked != nil || brief.Tree != nil {
			t.Fatalf("program %d: a released case has a tree", i)
		}
		if kept.Checked != nil && labs[0].tree(brief) == nil {
			t.Fatalf("program %d: a released case has no tree when it is asked for", i)
		}
	}
}
