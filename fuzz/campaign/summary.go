package campaign

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"rokrig/fuzz/triage"
)

// Summary is what a campaign did. Its JSON is the documented output of `rokrig fuzz --json`.
type Summary struct {
	Seed       uint64  `json:"seed"`
	Profile    string  `json:"profile"`
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpu_seconds"` // of this process and its runners, user and system
	Jobs       int     `json:"jobs"`

	Programs    int64   `json:"programs"`      // generated
	Compared    int64   `json:"compared"`      // by every configuration that was due
	Counted     int64   `json:"counted"`       // compared programs in which features were counted
	Fresh       int64   `json:"fresh"`         // of the generated: by the generator alone
	Spliced     int64   `json:"spliced"`       // of two others
	Mutated     int64   `json:"mutated"`       // of another one, changed
	Variants    int64   `json:"variants"`      // compared beside these: variants of fresh programs that behave like them
	MustReject  int64   `json:"must_reject"`   // programs broken on purpose and rejected at the right place
	Executions  int64   `json:"executions"`    // native runs
	Statements  int64   `json:"statements"`    // that the oracle executed in compared programs
	Steps       int64   `json:"steps"`         // of the oracle's fuel
	Lines       int64   `json:"lines"`         // canonically printed, of compared programs
	LongShare   float64 `json:"long_share"`    // share of programs with 300 lines or more
	RatePerCore float64 `json:"rate_per_core"` // programs compared per CPU second, variants included

	VariantRules map[string]int64 `json:"variant_rules"` // rule -> times applied in a variant
	Wasted       map[string]int64 `json:"wasted"`        // reason -> programs that could not be compared
	Timeouts     int64            `json:"timeouts"`      // native runs cut off by the clock
	Endings      map[string]int64 `json:"endings"`       // the oracle's: value, panic, ...
	Differences  int64            `json:"differences"`
	Buckets      []Bucket         `json:"buckets"`
	Configs      map[string]int64 `json:"configs"`  // configuration -> programs compared on it
	Sizes        map[string]int64 `json:"sizes"`    // lines, as in SizeClasses -> compared programs
	Features     map[string]int64 `json:"features"` // feature -> times executed in compared programs
	FeatureCases map[string]int64 `json:"feature_programs"`
	NeverRun     []string         `json:"features_at_zero"`
	NotTested    []string         `json:"not_tested"` // what did not run here, and why

	Rates       []RateSample       `json:"rates"`
	Stages      map[string]float64 `json:"stage_seconds"` // stage -> CPU-bound wall seconds over all workers
	Interrupted bool               `json:"interrupted"`
	Resumed     int                `json:"resumed,omitempty"` // how many times the campaign was gone on with
	// MutantReached tells, of a campaign against a mutant, whether the mutant's place was reached.
	MutantReached bool   `json:"mutant_reached,omitempty"`
	Directory     string `json:"directory,omitempty"` // of the findings
	NotKept       int64  `json:"not_kept"`            // programs of findings that the limit of the directory left out
}

// Bucket is a bucket of findings in a summary.
type Bucket struct {
	ID        string          `json:"id"`
	Kind      triage.Kind     `json:"kind"`
	Signature string          `json:"signature"`
	Count     int64           `json:"count"`
	Path      string          `json:"path,omitempty"`
	Flaky     bool            `json:"flaky,omitempty"`
	Known     string          `json:"known,omitempty"`         // the note, if it is a known bug
	Lines     int             `json:"reduced_lines,omitempty"` // of the reduced program, once there is one
	First     *triage.Finding `json:"-"`
}

// RateSample is the rate of comparing at one time.
type RateSample struct {
	Seconds float64 `json:"at"`
	Rate    float64 `json:"rate"` // programs compared per second since the sample before
}

// Progress is the state of a running campaign.
type Progress struct {
	Elapsed, Left      time.Duration // Left is 0 when the campaign is bounded by something else than time
	Programs, Compared int64
	Target             int64 // programs, 0 when not bounded by count
	Rate               float64
	Features, Known    int // features executed so far, of how many
	Buckets            int // that are not known
}

// ComparedShare is compared programs by generated ones, in 0..1.
func (s *Summary) ComparedShare() float64 {
	if s.Programs == 0 {
		return 0
	}
	return float64(s.Compared) / float64(s.Programs)
}

// WastedTotal is the number of programs that could not be compared.
func (s *Summary) WastedTotal() int64 {
	var n int64
	for _, c := range s.Wasted {
		n += c
	}
	return n
}

// FreshBuckets lists the buckets that are not known bugs.
func (s *Summary) FreshBuckets() []Bucket {
	return slices.DeleteFunc(slices.Clone(s.Buckets), func(b Bucket) bool { return b.Known != "" })
}

// KnownBuckets lists the buckets that are known bugs.
func (s *Summary) KnownBuckets() []Bucket {
	return slices.DeleteFunc(slices.Clone(s.Buckets), func(b Bucket) bool { return b.Known == "" })
}

// Cases is how many programs fell into buckets.
func Cases(buckets []Bucket) int64 {
	var n int64
	for _, b := range buckets {
		n += b.Count
	}
	return n
}

// add puts the counts of t on top of s's. Rates, seconds and what is derived stay.
func (s *Summary) add(t *Summary) {
	s.Programs += t.Programs
	s.Compared += t.Compared
	s.Counted += t.Counted
	s.Fresh += t.Fresh
	s.Spliced += t.Spliced
	s.Mutated += t.Mutated
	s.Variants += t.Variants
	s.MustReject += t.MustReject
	s.Executions += t.Executions
	s.Statements += t.Statements
	s.Steps += t.Steps
	s.Lines += t.Lines
	s.Timeouts += t.Timeouts
	s.Differences += t.Differences
	for _, pair := range []struct{ into, from map[string]int64 }{
		{s.Wasted, t.Wasted}, {s.VariantRules, t.VariantRules}, {s.Endings, t.Endings}, {s.Configs, t.Configs}, {s.Sizes, t.Sizes}, {s.Features, t.Features}, {s.FeatureCases, t.FeatureCases}} {
		for k, n := range pair.from {
			pair.into[k] += n
		}
	}
	for k, n := range t.Stages {
		s.Stages[k] += n
	}
}

func newSummary() *Summary {
	counts := func() map[string]int64 { return map[string]int64{} }
	return &Summary{Wasted: counts(), VariantRules: counts(), Endings: counts(), Configs: counts(), Sizes: counts(), Features: counts(), FeatureCases: counts(),
		Stages: map[string]float64{}, Buckets: []Bucket{}, NeverRun: []string{}, NotTested: []string{}, Rates: []RateSample{}}
}

// sortBuckets puts the most frequent bucket first.
func sortBuckets(list []Bucket) {
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if a.Count != b.Count {
			return a.Count > b.Count
		}
		return a.ID < b.ID
	})
}

// SizeClasses are the classes of program sizes, in lines, smallest first.
var SizeClasses = func() []string {
	var names []string
	for i, from := range sizeFrom {
		if i+1 < len(sizeFrom) {
			names = append(names, fmt.Sprintf("%d-%d", from, sizeFrom[i+1]-1))
		} else {
			names = append(names, fmt.Sprintf("%d and more", from))
		}
	}
	return names
}()

var sizeFrom = [...]int{0, 10, 20, 30, 50, 75, 100, 150, 200, 300, 400, 600}

// sizeClass names the class of a program of so many lines.
func sizeClass(lines int) string {
	i := len(sizeFrom) - 1
	for lines < sizeFrom[i] {
		i--
	}
	return SizeClasses[i]
}
