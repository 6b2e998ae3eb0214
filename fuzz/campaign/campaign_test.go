package campaign

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rokrig/fuzz/triage"
	"rokrig/internal/tier"
)

func run(t *testing.T, o Options) *Summary {
	t.Helper()
	tier.NeedTools(t, "gcc", "as")
	s, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The compiler of this revision has no known difference, and nearly all that is generated can be compared.
func TestCampaignOfASoundCompilerFindsNothing(t *testing.T) {
	s := run(t, Options{Seed: 11, Count: int64(tier.Steps(50_000)), ExeEvery: 200, Verify: true})
	for _, b := range s.Buckets {
		t.Errorf("%s: %s\n%s\n%s", b.ID, b.Signature, b.First.Source, b.First.Diff())
	}
	if s.Programs > 0 && s.ComparedShare() < 0.95 {
		t.Errorf("compared %d of %d programs; wasted: %v", s.Compared, s.Programs, s.Wasted)
	}
	if s.Executions < 3*s.Compared {
		t.Errorf("%d native runs of %d programs", s.Executions, s.Compared)
	}
}

// bucketsOf is what two campaigns over the same programs must have in common.
func bucketsOf(s *Summary) map[string]int64 {
	m := map[string]int64{}
	for _, b := range s.Buckets {
		m[b.ID] = b.Count
	}
	return m
}

// The programs of a campaign, and so its findings, depend on the seed alone.
func TestCampaignDependsOnItsSeedAlone(t *testing.T) {
	o := Options{Seed: 3, Count: 64, Mutant: "arith/no-sign-extend", Jobs: 1, Batch: 16, ExeEvery: -1}
	a := run(t, o)
	o.Jobs = 3
	b := run(t, o)
	if len(a.Buckets) == 0 || !a.MutantReached {
		t.Fatalf("a planted bug was not found: %d buckets, reached %v", len(a.Buckets), a.MutantReached)
	}
	if d := cmp.Diff(bucketsOf(a), bucketsOf(b)); d != "" {
		t.Errorf("one worker and three find other things: %s", d)
	}
	if a.Programs != b.Programs || a.Statements != b.Statements {
		t.Errorf("%d programs with %d statements, and %d with %d", a.Programs, a.Statements, b.Programs, b.Statements)
	}
}

// Each kind of check kills what it is there for.
func TestEveryCheckKills(t *testing.T) {
	for _, tt := range []struct {
		mutant string
		kind   triage.Kind
	}{
		{"call/args-reversed", triage.Difference},
		{"align/no-pad", triage.Difference},
		{"interp/div-floors", triage.Difference},
		{"str/slice-second-bound", triage.Difference},
		{"safepoint/poll-not-counted", triage.Difference},
		{"front/pow-left-associative", triage.Assertion},
		{"front/accept-missing-case", triage.AcceptedInvalid},
	} {
		t.Run(tt.mutant, func(t *testing.T) {
			s := run(t, Options{Seed: 1, Count: 4000, Mutant: tt.mutant, Findings: 1, Batch: 8, ExeEvery: -1})
			if len(s.Buckets) == 0 {
				t.Fatalf("alive after %d programs, reached: %v", s.Programs, s.MutantReached)
			}
			b := s.Buckets[0]
			// What the interpreter computes wrongly fails an assertion of a known value as well.
			byValue := strings.HasPrefix(tt.mutant, "interp/") && b.Kind == triage.Assertion
			if b.Kind != tt.kind && !byValue {
				t.Errorf("killed by %s: %s", b.Kind, b.Signature)
			}
		})
	}
}

// What is found is on the disk whole, and can be read back.
func TestFindingsAreKept(t *testing.T) {
	dir := t.TempDir()
	s := run(t, Options{Seed: 1, Count: 500, Mutant: "arith/mod-sign-of-divisor", Findings: 1, Dir: dir, ExeEvery: -1})
	if len(s.Buckets) == 0 {
		t.Fatal("nothing was found")
	}
	f, err := triage.Load(s.Buckets[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	if f.Source == "" || f.Origin == nil || f.Mutant == "" || f.Tries == 0 || f.Shown != f.Tries || len(f.Runs) < 3 {
		t.Errorf("incomplete: %+v", f)
	}
}

func TestCampaignStopsWhenAskedTo(t *testing.T) {
	tier.NeedTools(t, "gcc")
	ctx, cancel := context.WithCancel(context.Background())
	o := Options{Seed: 1, Count: 1 << 40, Progress: func(p Progress) {
		if p.Compared > 0 {
			cancel()
		}
	}}
	done := make(chan struct{})
	var s *Summary
	var err error
	go func() {
		s, err = Run(ctx, o)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Minute):
		t.Fatal("still running")
	}
	if err != nil || !s.Interrupted || s.Compared == 0 {
		t.Errorf("err %v, interrupted %v, compared %d", err, s.Interrupted, s.Compared)
	}
}

func TestCountIsExact(t *testing.T) {
	for _, count := range []int64{1, 31, 33, 100} {
		if s := run(t, Options{Seed: 2, First: 1000, Count: count, ExeEvery: -1}); s.Programs != count {
			t.Errorf("%d programs, want %d", s.Programs, count)
		}
	}
}

func TestUnknownMutantIsAnError(t *testing.T) {
	if _, err := Run(context.Background(), Options{Count: 1, Mutant: "no/such"}); err == nil {
		t.Error("no error")
	}
}

// TestVariantsKillWhatTheFrontEndGetsWrongAlike runs campaigns against bugs that interpreter and compiler share and that no
// other check sees: only a program and its variant differ.
func TestVariantsKillWhatTheFrontEndGetsWrongAlike(t *testing.T) {
	for _, name := range []string{"front/shadow-shares"} {
		dir := t.TempDir()
		s := run(t, Options{Seed: 1, Mutant: name, Findings: 1, Count: 4000, ExeEvery: -1, RejectEach: -1, VariantEach: 1, Dir: dir})
		if len(s.Buckets) == 0 || s.Buckets[0].Kind != triage.Metamorphic {
			t.Fatalf("%s: %v after %d programs", name, s.Buckets, s.Programs)
		}
		f := s.Buckets[0].First
		made, err := Variant(1, f.Origin.Index)
		if err != nil || made == nil || f.Before == "" || f.Before == f.Source || len(f.Rules) == 0 {
			t.Errorf("%s: the finding %+v, the variant made again: %v, %v", name, f, made, err)
		}
	}
}

// TestProgramsMadeOfOthers makes programs twice, and counts how they are made.
func TestProgramsMadeOfOthers(t *testing.T) {
	kinds := map[string]int{}
	for i := range uint64(32) {
		a, b := Program(9, i), Program(9, i)
		if a == nil || b == nil || a.Text != b.Text {
			t.Fatalf("program %d: %v, %v", i, a, b)
		}
		kinds[a.Kind]++
	}
	if kinds["fresh"] != 28 || kinds["spliced"] != 2 || kinds["mutated"] != 2 {
		t.Errorf("%v", kinds)
	}
}
