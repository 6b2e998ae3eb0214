package campaign

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rokrig/fuzz/subject"
	"rokrig/internal/tier"
)

func TestSpans(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var s spans
		var has [64]bool
		for _, i := range rng.Perm(16)[:rng.IntN(17)] {
			s = s.add(uint64(4*i), uint64(4*i+4))
			for k := range 4 {
				has[4*i+k] = true
			}
			if !s.sound() {
				t.Fatalf("%v", s)
			}
		}
		gaps := s.gaps(0)
		for i := range uint64(64) {
			in := func(list spans) bool {
				for _, x := range list {
					if x.lo <= i && i < x.hi {
						return true
					}
				}
				return false
			}
			if in(s) != has[i] || in(gaps) == has[i] {
				t.Fatalf("%d: done %v, want %v; missing %v", i, in(s), has[i], in(gaps))
			}
		}
		if last := gaps[len(gaps)-1]; last.hi != math.MaxUint64 {
			t.Fatalf("%v has an end", gaps)
		}
	}
}

// counted is what must be the same whether or not a campaign was interrupted.
func counted(s *Summary) map[string]any {
	return map[string]any{"programs": s.Programs, "compared": s.Compared, "counted": s.Counted, "must reject": s.MustReject,
		"executions": s.Executions, "statements": s.Statements, "steps": s.Steps, "lines": s.Lines, "long": s.LongShare,
		"wasted": s.Wasted, "endings": s.Endings, "differences": s.Differences, "configs": s.Configs, "features": s.Features,
		"feature programs": s.FeatureCases, "reached": s.MutantReached, "buckets": bucketsOf(s)}
}

// What several runs of one campaign did together is what one run does, also where a run ended within a batch.
func TestResumedRunsAreOneCampaign(t *testing.T) {
	o := Options{Seed: 3, First: 5, Mutant: "arith/no-sign-extend", Batch: 16, ExeEvery: 50, Dir: t.TempDir()}
	o.Count = 150
	want := run(t, o)
	o.Dir = t.TempDir()
	var got *Summary
	for i, count := range []int64{20, 20, 33, 96, 150} {
		o.Count, o.Resume, o.Jobs = count, i > 0, 1+i%3
		got = run(t, o)
		if got.Programs != count || got.Resumed != i {
			t.Errorf("run %d: %d programs, want %d; resumed %d times", i, got.Programs, count, got.Resumed)
		}
	}
	if len(want.Buckets) == 0 {
		t.Error("nothing was found: the comparison says little")
	}
	if d := cmp.Diff(counted(want), counted(got)); d != "" {
		t.Errorf("one run and five: %s", d)
	}
	if got.Seconds <= 0 || got.CPUSeconds <= 0 || got.RatePerCore <= 0 {
		t.Errorf("%v s, %v s of CPU, %v programs a CPU second", got.Seconds, got.CPUSeconds, got.RatePerCore)
	}
	for _, b := range got.Buckets {
		if b.First == nil || b.Path == "" {
			t.Errorf("bucket %s has lost its first program", b.ID)
		}
	}
}

func TestResumeRefuses(t *testing.T) {
	base := Options{Seed: 3, Count: 8, Batch: 8, ExeEvery: -1, Dir: t.TempDir()}
	run(t, base)
	path := filepath.Join(base.Dir, StateFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flip := func(text, by string) []byte {
		if !bytes.Contains(whole, []byte(text)) {
			t.Fatalf("the state does not hold %s", text)
		}
		return bytes.Replace(whole, []byte(text), []byte(by), 1)
	}
	for _, tt := range []struct {
		name   string
		change func(o *Options)
		file   []byte
		want   string
	}{
		{"seed", func(o *Options) { o.Seed = 4 }, whole, `seed: it has "3", this command asks for "4"`},
		{"configurations", func(o *Options) { o.Configs = []subject.Config{subject.MustParse("stack")} }, whole, "configurations: it has"},
		{"turns", func(o *Options) { o.Rotating = []subject.Config{} }, whole, "configurations that take turns"},
		{"mutant", func(o *Options) { o.Mutant = "arith/raw-idiv" }, whole, `mutant: it has "", this`},
		{"profile", func(o *Options) { o.Profile = "nightly" }, whole, "profile"},
		{"batch", func(o *Options) { o.Batch = 16 }, whole, "programs in a batch"},
		{"gcc", func(o *Options) { o.ExeEvery = 10 }, whole, "linked by gcc"},
		{"must reject", func(o *Options) { o.RejectEach = 3 }, whole, "must be rejected"},
		{"verify", func(o *Options) { o.Verify = true }, whole, "verifiers"},
		{"no state", func(*Options) {}, nil, "no campaign was started there"},
		{"empty", func(*Options) {}, []byte{}, "damaged"},
		{"cut off", func(*Options) {}, whole[:len(whole)/2], "damaged"},
		{"one digit", func(*Options) {}, flip(`"done":[[0,8]]`, `"done":[[0,9]]`), "checksum"},
		{"schema", func(*Options) {}, flip(`"schema":1`, `"schema":99`), "schema 99, this build reads 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := base
			o.Resume = true
			tt.change(&o)
			if err := os.Remove(path); err != nil && tt.file != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			if tt.file != nil {
				if err := os.WriteFile(path, tt.file, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			_, err := Run(context.Background(), o)
			var refused *ResumeError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one that says %q", err, tt.want)
			}
			if left, err := os.ReadFile(path); tt.file != nil && (err != nil || !bytes.Equal(left, tt.file)) {
				t.Error("the state was changed")
			}
		})
	}
}

// Another build may make other programs of the same seed.
func TestResumeKnowsTheBuild(t *testing.T) {
	o := Options{Seed: 3}
	o.setDefaults()
	a := o.identity()
	b := a
	b.Build += "x"
	if err := a.conflict(&b); err == nil || !strings.Contains(err.Error(), "build of rokrig") {
		t.Errorf("error %v", err)
	}
	if a.conflict(&a) != nil || a.Build == "" {
		t.Errorf("%+v", a)
	}
}

// Two campaigns in one directory would each undo what the other says is done.
func TestOneCampaignInADirectory(t *testing.T) {
	tier.NeedTools(t, "gcc")
	dir := t.TempDir()
	held, err := lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), Options{Seed: 1, Count: 1, Dir: dir}); err == nil || !strings.Contains(err.Error(), "another campaign runs") {
		t.Errorf("error %v", err)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	run(t, Options{Seed: 1, Count: 1, Dir: dir, ExeEvery: -1})
}

// A state is never written over: one that was opened before stays whole, whenever the campaign is killed.
func TestStateIsReplacedAsAWhole(t *testing.T) {
	o := Options{Seed: 1, Count: 40, ExeEvery: -1, Dir: t.TempDir()}
	run(t, o)
	path := filepath.Join(o.Dir, StateFile)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	o.Count, o.Resume = 80, true
	run(t, o)
	if still, err := io.ReadAll(old); err != nil || !bytes.Equal(still, before) {
		t.Errorf("the file was written over: %d bytes, before %d; %v", len(still), len(before), err)
	}
	if s, err := decodeState(path); err != nil || s.Summary.Programs != o.Count {
		t.Errorf("the new state: %+v, %v", s, err)
	}
}
