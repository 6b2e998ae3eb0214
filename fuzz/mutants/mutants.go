// Package mutants proves that the rig sees bugs: it switches on one deliberate bug at a time and lets a campaign look
// for it.
//
// In: names out of the catalogue (compiler/mutant for Go code, runtime/abi for the C runtime). Out: for each, whether it was
// killed, by which check, after how many programs and seconds; or that it survived, or that its place was never reached.
// Invariants: a kill counts from fresh programs only, never from the corpus; a mutant that no program reached is told
// apart from one that was reached and lived, since the first is a hole in the generator and the second one in a check.
package mutants

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"rokrig/compiler/mutant"
	"rokrig/fuzz/campaign"
	"rokrig/fuzz/triage"
	"rokrig/runtime/abi"
)

// Verdict is how a mutant came off.
type Verdict string

// The verdicts.
const (
	Killed    Verdict = "killed"
	Survived  Verdict = "survived"  // its place was reached, and no check saw it
	Unreached Verdict = "unreached" // no program came to its place
)

// Result is one row of the matrix.
type Result struct {
	Name      string      `json:"name"`
	Area      string      `json:"area"`
	Effect    string      `json:"effect"`
	Verdict   Verdict     `json:"verdict"`
	Check     triage.Kind `json:"check,omitempty"` // that killed it
	Signature string      `json:"signature,omitempty"`
	Programs  int64       `json:"programs"` // until it was killed, or tried in vain
	Seconds   float64     `json:"seconds"`
	Bucket    string      `json:"bucket,omitempty"`
	Reduced   []Reduction `json:"reduced,omitempty"` // with Options.Reduce
}

// Options says which mutants are tried and for how long.
type Options struct {
	Names  []string      // nil: all
	Seed   uint64        // of the programs
	For    time.Duration // for each mutant; 0: a minute
	Total  time.Duration // if not 0, for all of them instead: most die at once, so that a hard one may have the rest
	Jobs   int           // workers of each campaign; 0: one per core
	Dir    string        // keeps the findings, a directory for each mutant; "": none are kept
	Reduce int           // so many findings of each: the first ones of campaigns of Seed, Seed+1 and so on
	Before func(i, n int, name string)
	After  func(Result)
}

// All lists the whole catalogue.
func All() []mutant.Info {
	list := mutant.All()
	for i, m := range abi.Mutants[1:] {
		list = append(list, mutant.Info{Name: m.Name, Area: mutant.Runtime, Effect: m.Doc, HeldOut: abi.Mutant(i + 1).HeldOut()})
	}
	return list
}

// Lookup finds a mutant by its name.
func Lookup(name string) (mutant.Info, error) {
	for _, m := range All() {
		if m.Name == name {
			return m, nil
		}
	}
	return mutant.Info{}, fmt.Errorf("no mutant is named %q; `rokrig mutants --list` shows them", name)
}

// Sample draws n names, other ones for another seed, in the catalogue's order.
func Sample(n int, seed uint64) []string {
	all := All()
	picked := rand.New(rand.NewPCG(seed, 0)).Perm(len(all))[:min(n, len(all))]
	chosen := make([]bool, len(all))
	for _, i := range picked {
		chosen[i] = true
	}
	var names []string
	for i, m := range all {
		if chosen[i] {
			names = append(names, m.Name)
		}
	}
	return names
}

// Run tries each mutant in turn. When ctx is cancelled it returns the results so far; an error is the environment's
// fault or an unknown name.
func Run(ctx context.Context, opts Options) ([]Result, error) {
	if opts.For == 0 {
		opts.For = time.Minute
	}
	names := opts.Names
	if names == nil {
		for _, m := range All() {
			names = append(names, m.Name)
		}
	}
	var results []Result
	start := time.Now()
	for i, name := range names {
		info, err := Lookup(name)
		if err != nil {
			return results, err
		}
		if opts.Before != nil {
			opts.Before(i, len(names), name)
		}
		if opts.Total > 0 {
			behind := leastShare * time.Duration(len(names)-i-1)
			opts.For = max(opts.Total-time.Since(start)-behind, leastShare)
		}
		r, err := try(ctx, opts, info)
		if err != nil || ctx.Err() != nil {
			return results, err
		}
		results = append(results, r)
		if opts.After != nil {
			opts.After(r)
		}
	}
	return results, nil
}

// IsDecided reports whether a result says something: a mutant that lives may just not have had the time. The mutants that
// are hardest to kill need some two thousand programs.
func (r Result) IsDecided() bool { return r.Verdict == Killed || r.Programs >= decisive }

const decisive = 20_000

// try runs one campaign against one mutant, until its first finding.
func try(ctx context.Context, opts Options, info mutant.Info) (Result, error) {
	o := campaign.Options{Seed: opts.Seed, For: opts.For, Jobs: opts.Jobs, Findings: 1, Mutant: info.Name,
		ExeEvery: -1, Profile: "mutant", Batch: mutantBatch}
	if opts.Dir != "" {
		o.Dir = opts.Dir + "/" + dirName(info.Name)
	}
	s, err := campaign.Run(ctx, o)
	r := Result{Name: info.Name, Area: string(info.Area), Effect: info.Effect, Programs: s.Programs, Seconds: s.Seconds, Verdict: Survived}
	switch {
	case len(s.Buckets) > 0:
		b := s.Buckets[0]
		r.Verdict, r.Check, r.Signature, r.Bucket = Killed, b.Kind, b.Signature, b.ID
	case !s.MutantReached:
		r.Verdict = Unreached
	}
	if err == nil && r.Verdict == Killed && s.Buckets[0].First != nil {
		r.Reduced, err = reduceFindings(ctx, opts, o, s.Buckets[0].First)
	}
	return r, err
}

// leastShare is what every mutant gets of Options.Total, whatever those before it took.
const leastShare = time.Second

// mutantBatch is smaller than a campaign's batch: most mutants die within some programs, and a batch is the least that runs.
const mutantBatch = 8

// dirName makes one path element of a mutant's name.
func dirName(name string) string {
	out := []byte(name)
	for i, c := range out {
		if c == '/' {
			out[i] = '-'
		}
	}
	return string(out)
}
