package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rokrig/fuzz/campaign"
	"rokrig/fuzz/corpus"
	"rokrig/fuzz/doctor"
	"rokrig/fuzz/mutants"
	"rokrig/fuzz/reduce"
	"rokrig/fuzz/triage"
	"rokrig/reports"
)

// profile is a named set of a campaign's settings; a flag given beside it wins.
type profile struct {
	name    string
	what    string
	length  time.Duration
	mutants int           // how many are sampled after the campaign
	each    time.Duration // for one mutant, on average
	verify  bool
}

var profiles = []profile{
	{"smoke", "a first look: short, with a small sample of mutants", time.Minute, 6, 10 * time.Second, true},
	{"nightly", "the long run: hours, with a sample of mutants", 8 * time.Hour, 20, time.Minute, true},
}

// mutantShare is the part of --for that the sample of mutants may take.
const mutantShare = 0.25

// fuzzFlags is what the command line of `rokrig fuzz` says.
type fuzzFlags struct {
	seed     uint64
	length   time.Duration
	count    int64
	findings int
	jobs     int
	profile  string
	out      string
	configs  []string
	mutant   string
	mutants  int
	reduce   bool
	resume   bool
	known    string
	mem      string
	disk     string
}

// fuzzResult is the documented JSON of `rokrig fuzz --json`: the campaign's summary and the mutants.
type fuzzResult struct {
	*campaign.Summary
	Mutants []mutants.Result `json:"mutants"`
}

func newFuzzCommand() *cobra.Command {
	var f fuzzFlags
	cmd := &cobra.Command{
		Use:   "fuzz",
		Short: "Generate programs and compare native code with the interpreter",
		Long: `Generate random programs, run each on the reference interpreter and on native code, and keep what disagrees.

A run is bounded by --for, --count or --findings, whichever comes first, and by the profile's length when none is given.
Ctrl-C stops it cleanly; what was found stays. Afterwards a sample of deliberate bugs (mutants) is switched on, one at a
time, to prove that real ones would have been seen. Exit status 1 if there are findings, or if a sampled mutant
lived although it had time enough.

A campaign that ended, or was killed at any moment, goes on with --resume: seed, mutant, profile and configurations are
then those it has, --for is the time from now on, --count the number of all its programs.

` + profileHelp(),
		Example: `  rokrig fuzz --for 1m --profile smoke
  rokrig fuzz --seed 7 --count 50000 --out /tmp/campaign --json
  rokrig fuzz --resume --count 80000 --out /tmp/campaign`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runFuzz(cmd, f) },
	}
	flags := cmd.Flags()
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the programs (default: drawn from the clock and printed)")
	flags.DurationVar(&f.length, "for", 0, "how long, the sample of mutants included")
	flags.Int64Var(&f.count, "count", 0, "how many programs")
	flags.IntVar(&f.findings, "findings", 0, "stop after so many buckets of findings")
	flags.IntVar(&f.jobs, "jobs", 0, "worker threads (default: one per core)")
	flags.StringVar(&f.mem, "mem", "", "memory that this process and each of its children may take, such as 2G (default: not limited)")
	flags.StringVar(&f.disk, "disk", "1G", "what --out may take; beyond it findings are counted, their programs not kept")
	flags.StringVar(&f.profile, "profile", "smoke", "named settings, see above")
	flags.StringVar(&f.known, "known", corpus.KnownFile, "list of known bugs, which are counted but are no findings (see rokrig known)")
	flags.BoolVar(&f.resume, "resume", false, "go on with the campaign in --out")
	flags.StringVar(&f.out, "out", "findings", "directory for findings, report and picture")
	flags.StringSliceVar(&f.configs, "config", nil, "compare only these configurations (see rokrig configs)")
	flags.StringVar(&f.mutant, "mutant", "", "switch a deliberate bug on during the campaign")
	flags.BoolVar(&f.reduce, "reduce", true, "reduce the first program of each bucket afterwards")
	flags.IntVar(&f.mutants, "mutants", -1, "how many mutants to sample afterwards (default: the profile's)")
	return cmd
}

func profileHelp() string {
	var b strings.Builder
	b.WriteString("Profiles:\n")
	for _, p := range profiles {
		fmt.Fprintf(&b, "  %-8s %s (%v, %d mutants)\n", p.name, p.what, p.length, p.mutants)
	}
	return b.String()
}

func findProfile(name string) (profile, error) {
	var names []string
	for _, p := range profiles {
		if p.name == name {
			return p, nil
		}
		names = append(names, p.name)
	}
	return profile{}, exitWith(statusUsage, fmt.Errorf("no profile is named %q; there are: %s", name, strings.Join(names, ", ")))
}

// plan turns flags into a campaign's options and the number of mutants to sample.
func (f *fuzzFlags) plan(cmd *cobra.Command) (campaign.Options, profile, error) {
	var earlier *campaign.Identity
	if f.resume {
		var err error
		if earlier, err = f.takeOver(cmd); err != nil {
			return campaign.Options{}, profile{}, exitWith(statusUsage, err)
		}
	}
	p, err := findProfile(f.profile)
	if err != nil {
		return campaign.Options{}, p, err
	}
	for name, bad := range map[string]bool{"for": f.length < 0, "count": f.count < 0, "findings": f.findings < 0, "jobs": f.jobs < 0} {
		if bad {
			return campaign.Options{}, p, exitWith(statusUsage, fmt.Errorf("--%s must not be negative", name))
		}
	}
	disk, err := parseSize("disk", f.disk, triage.MinLimit)
	if err == nil {
		err = limitMemory(f.mem)
	}
	if err != nil {
		return campaign.Options{}, p, exitWith(statusUsage, err)
	}
	known, err := loadKnown(f.known, !cmd.Flags().Changed("known"))
	if err != nil {
		return campaign.Options{}, p, exitWith(statusUsage, err)
	}
	if f.mutants >= 0 {
		p.mutants = f.mutants
	}
	if f.mutant != "" {
		if _, err := mutants.Lookup(f.mutant); err != nil {
			return campaign.Options{}, p, exitWith(statusUsage, err)
		}
		p.mutants = 0 // one deliberate bug at a time
	}
	if !cmd.Flags().Changed("seed") && !f.resume {
		f.seed = uint64(time.Now().UnixNano())
	}
	o := campaign.Options{Seed: f.seed, For: f.length, Count: f.count, Findings: f.findings, Jobs: f.jobs,
		Mutant: f.mutant, Verify: p.verify, Profile: p.name, Dir: f.out, Resume: f.resume, Known: known.Notes(), Disk: disk}
	if f.length == 0 && f.count == 0 && f.findings == 0 {
		o.For = p.length
	}
	if o.For > 0 && p.mutants > 0 {
		// --for bounds the whole command.
		share := min(time.Duration(mutantShare*float64(o.For)), time.Duration(p.mutants)*p.each)
		p.each = share / time.Duration(p.mutants)
		o.For -= share
	}
	if len(f.configs) > 0 {
		if o.Configs, err = parseConfigs(f.configs); err != nil {
			return o, p, err
		}
	}
	if earlier != nil && len(earlier.Rotating) > 0 {
		o.Rotating, err = parseConfigs(earlier.Rotating)
	}
	return o, p, err
}

// takeOver gives flags that were not given the values of the campaign that is resumed. One that was given stays, and is
// refused later if it says something else.
func (f *fuzzFlags) takeOver(cmd *cobra.Command) (*campaign.Identity, error) {
	id, err := campaign.ReadIdentity(f.out)
	if err != nil {
		return nil, err
	}
	given := cmd.Flags().Changed
	if !given("seed") {
		f.seed = id.Seed
	}
	if !given("mutant") {
		f.mutant = id.Mutant
	}
	if !given("profile") {
		f.profile = id.Profile
	}
	if !given("config") {
		f.configs = id.Configs
	}
	return id, nil
}

func runFuzz(cmd *cobra.Command, f fuzzFlags) error {
	o, p, err := f.plan(cmd)
	if err != nil {
		return err
	}
	line := reports.NewProgress(cmd.ErrOrStderr())
	verb := ""
	if o.Resume {
		verb = " goes on"
	}
	line.Printf("seed %d%s, findings go to %s", o.Seed, verb, o.Dir)
	o.Progress = func(s campaign.Progress) { line.Update(progressText(s)) }
	o.Found = func(b campaign.Bucket) { line.Printf("found %s: %s", b.ID, b.Signature) }
	s, err := campaign.Run(cmd.Context(), o)
	if refused := new(campaign.ResumeError); errors.As(err, &refused) {
		line.Close()
		return exitWith(statusUsage, err)
	}
	result := fuzzResult{s, []mutants.Result{}}
	if err == nil && f.reduce {
		err = reduceBuckets(cmd.Context(), line, s, o)
	}
	if err == nil && p.mutants > 0 && !s.Interrupted {
		result.Mutants, err = sampleMutants(cmd, line, o, p)
	}
	line.Close()
	s.NotTested = doctor.Examine().NotTested()
	// What was done is shown also when something failed on the way.
	if shown := writeReports(cmd, f.out, &result); err == nil {
		err = shown
	}
	if err != nil {
		return err
	}
	return result.status()
}

// The reductions behind a campaign: of so many buckets, each for so long at the most.
const (
	mostReduced = 20
	reduceTime  = 20 * time.Second
)

// reduceBuckets reduces the first program of every bucket that can be reduced. An interrupted campaign is not held up.
func reduceBuckets(ctx context.Context, line *reports.Progress, s *campaign.Summary, o campaign.Options) error {
	store := triage.Store{Dir: o.Dir}
	for i := range s.Buckets[:min(len(s.Buckets), mostReduced)] {
		b := &s.Buckets[i]
		if b.Known != "" || b.First == nil || b.Path == "" || ctx.Err() != nil {
			continue
		}
		if store.IsReduced(b.ID) { // in an earlier run of this campaign
			b.Lines = strings.Count(b.First.Source, "\n")
			continue
		}
		line.Update(fmt.Sprintf("reducing %d of %d: %s", i+1, len(s.Buckets), b.ID))
		res, err := reduceBucket(ctx, b)
		if err != nil {
			line.Printf("%s is not reduced: %v", b.ID, err)
			if ctx.Err() != nil {
				break // interrupted: a resumed campaign tries again
			}
			if err := store.SetNotReduced(b.ID, err.Error()); err != nil {
				return err
			}
			continue
		}
		if err := store.SetReduced(b.ID, res.Text, triage.Reduction{Config: res.Config, Signature: res.Signature, By: res.By,
			Lines: res.LinesAfter, Tries: res.Tries, Minimal: res.Minimal}); err != nil {
			return err
		}
		b.Lines = res.LinesAfter
	}
	return nil
}

func reduceBucket(ctx context.Context, b *campaign.Bucket) (*reduce.Reduced, error) {
	ctx, cancel := context.WithTimeout(ctx, reduceTime)
	defer cancel()
	return reduce.Find(ctx, b.First, campaign.CaseName, 0, reduce.Options{})
}

// sampleMutants runs the sample that says whether the campaign would have seen a bug.
func sampleMutants(cmd *cobra.Command, line *reports.Progress, o campaign.Options, p profile) ([]mutants.Result, error) {
	return mutants.Run(cmd.Context(), mutants.Options{
		Names: mutants.Sample(p.mutants, o.Seed), Seed: o.Seed, Total: p.each * time.Duration(p.mutants), Jobs: o.Jobs,
		Before: func(i, n int, name string) { line.Update(fmt.Sprintf("mutant %d of %d: %s", i+1, n, name)) },
	})
}

func progressText(s campaign.Progress) string {
	text := fmt.Sprintf("%s compared, %s, features %d/%d, buckets %d", reports.Count(s.Compared), reports.Rate(s.Rate, "programs"), s.Features, s.Known, s.Buckets)
	if s.Left > 0 {
		text += fmt.Sprintf(", %s left", reports.Duration(s.Left.Round(time.Second)))
	}
	return text
}

// writeReports shows the result and keeps it as report.json, report.md and throughput.svg in the findings' directory.
func writeReports(cmd *cobra.Command, dir string, r *fuzzResult) error {
	if err := show(cmd, r, r.text); err != nil {
		return err
	}
	var markdown, picture bytes.Buffer
	if err := r.markdown(&markdown); err != nil {
		return err
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	files := []struct {
		name string
		data []byte
	}{{"report.json", append(data, '\n')}, {"report.md", markdown.Bytes()}}
	if len(r.Rates) > 1 {
		fig, err := throughputFigure(r.Rates)
		if err != nil {
			return err
		}
		if err := fig.SVG(&picture); err != nil {
			return err
		}
		files = append(files, struct {
			name string
			data []byte
		}{"throughput.svg", picture.Bytes()})
	}
	for _, file := range files {
		if err := triage.WriteFile(filepath.Join(dir, file.name), file.data); err != nil {
			return fmt.Errorf("the report cannot be kept: %w", err)
		}
	}
	return nil
}

// alive counts the sampled mutants that were not killed; of these, lost had time enough to say that none of the checks
// sees them.
func (r *fuzzResult) alive() (alive, lost int) {
	for _, m := range r.Mutants {
		if m.Verdict != mutants.Killed {
			alive++
			if m.IsDecided() {
				lost++
			}
		}
	}
	return alive, lost
}

func (r *fuzzResult) status() error {
	_, lost := r.alive()
	switch {
	case len(r.FreshBuckets()) > 0 || lost > 0:
		return exitWith(statusFindings, nil)
	case r.Interrupted:
		return exitWith(statusInterrupted, nil)
	}
	return nil
}
