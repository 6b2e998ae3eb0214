package reduce

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/fuzz/gen"
	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
)

// Finder is a Test for what a finding shows, with the laboratories that it runs candidates in.
type Finder struct {
	labs      []*subject.Lab
	name      string
	mutant    string
	kind      triage.Kind
	configs   []subject.Config
	signature string
	tight     bool // the laboratories have the limits of limitsFor
}

// ErrNotReducible is the error for findings whose programs mean nothing without the knowledge of who wrote them, when the
// choices behind the program are not known.
var ErrNotReducible = errors.New("such a finding has no second implementation to compare a reduced program with, and the choices behind its program are not known")

// NewFinder prepares to reduce a program that disagrees with the oracle on some of configs, or breaks the oracle down. Of
// several configurations that disagree the simplest is kept, and of its options those without which the signature is
// another one: reducing one is reducing all. Thereby the signature's own part that names configurations says "every
// configuration" from then on, and what is kept is its kind and its normalised difference. mutant is the deliberate bug
// that is on, or "". Close the Finder after use.
func NewFinder(ctx context.Context, name, text, mutant string, configs []subject.Config, jobs int) (*Finder, error) {
	return aimedFinder(ctx, name, text, mutant, configs, jobs, false)
}

func aimedFinder(ctx context.Context, name, text, mutant string, configs []subject.Config, jobs int, tight bool) (*Finder, error) {
	f, err := newFinder(name, mutant, jobs)
	if err != nil {
		return nil, err
	}
	f.configs, f.tight = configs, tight
	if err := f.aim(ctx, text); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func newFinder(name, mutant string, jobs int) (*Finder, error) {
	if jobs <= 0 {
		jobs = runtime.NumCPU()
	}
	f := &Finder{name: name, mutant: mutant}
	return f, f.open(jobs, subject.LabOptions{})
}

// open makes as many laboratories as jobs, in the place of those that are there.
func (f *Finder) open(jobs int, limits subject.LabOptions) error {
	if err := f.Close(); err != nil {
		return err
	}
	limits.Mutant = f.mutant
	for range jobs {
		lab, err := subject.NewLab(limits)
		if err != nil {
			return errors.Join(err, f.Close())
		}
		f.labs = append(f.labs, lab)
	}
	return nil
}

// aim finds out what the program shows and on which configuration.
func (f *Finder) aim(ctx context.Context, text string) error {
	found, err := f.examineOne(ctx, text, f.configs)
	switch {
	case err != nil:
		return err
	case found == nil:
		return fmt.Errorf("%s: nothing disagrees", f.name)
	case found.Kind == triage.OracleFault:
		f.configs = nil
	case found.Kind != triage.Difference:
		return ErrNotReducible
	}
	f.kind, f.signature = found.Kind, found.Signature
	symptom := found.Symptom()
	if found.Kind == triage.OracleFault {
		return nil
	}
	if f.tight {
		if err := f.open(len(f.labs), limitsFor(found.Oracle)); err != nil {
			return err
		}
	}
	cfg, err := subject.Parse(simplest(found.Configs))
	if err != nil {
		return err
	}
	f.configs = []subject.Config{cfg}
	if found, err = f.examineOne(ctx, text, f.configs); err != nil {
		return err
	}
	if found == nil {
		return fmt.Errorf("%s: it disagrees only now and then", f.name)
	}
	if found.Symptom() != symptom {
		return fmt.Errorf("%s: it shows %q and then %q", f.name, symptom, found.Symptom())
	}
	f.signature = found.Signature
	return f.Simplify(ctx, text)
}

// limitsFor is what a candidate may take. An original of some steps, which took next to no time, leaves room: candidates do
// less. Those that hang or flood, which for some bugs is most of them, must not cost seconds and megabytes each. The
// factors are above the share under which hitting a native limit counts as a difference (outcome.Compare): so small a
// candidate that a timeout says something takes no more than a fiftieth of the native limit.
func limitsFor(original triage.Outcome) subject.LabOptions {
	fuel := min(20*original.Steps+10_000, subject.DefaultFuel)
	return subject.LabOptions{
		Fuel:   fuel,
		CPU:    max(leastCPU, time.Duration(fuel/smallShare)*50*stepTime),
		Output: min(4*len(original.Output())+16<<10, subject.DefaultOutput),
	}
}

const (
	leastCPU   = 15 * time.Millisecond // three ticks of the runner's watchdog
	stepTime   = 10 * time.Nanosecond  // about what a step of the oracle takes natively
	smallShare = 10                    // the share of its fuel that the oracle uses of a small program
)

// simplest returns the configuration with the fewest options, the first of several.
func simplest(configs []string) string {
	best := configs[0]
	for _, c := range configs {
		if strings.Count(c, "/") < strings.Count(best, "/") {
			best = c
		}
	}
	return best
}

// Simplify drops options of the configuration, one by one, as long as the program keeps the signature on what is left: then
// no single option can go. It does nothing for a finding without a configuration.
func (f *Finder) Simplify(ctx context.Context, text string) error {
	if len(f.configs) != 1 {
		return nil
	}
	for again := true; again; {
		again = false
		parts := strings.Split(f.configs[0].String(), "/")
		for i := 1; i < len(parts); i++ {
			fewer := append(append([]string(nil), parts[:i]...), parts[i+1:]...)
			cfg, err := subject.Parse(strings.Join(fewer, "/"))
			if err != nil {
				continue // what is left does not go together
			}
			found, err := f.examineOne(ctx, text, []subject.Config{cfg})
			if err != nil {
				return err
			}
			if found != nil && found.Signature == f.signature {
				f.configs[0], again = cfg, true
				break
			}
		}
	}
	return nil
}

// Config returns the configuration on which the program disagrees; false when it breaks the oracle.
func (f *Finder) Config() (subject.Config, bool) {
	if len(f.configs) != 1 {
		return subject.Config{}, false
	}
	return f.configs[0], true
}

// Signature is what every candidate that passes has.
func (f *Finder) Signature() string { return f.signature }

// Close ends the laboratories.
func (f *Finder) Close() error {
	var errs []error
	for _, l := range f.labs {
		errs = append(errs, l.Close())
	}
	f.labs = nil
	return errors.Join(errs...)
}

// Test is the Finder's Test: whether each program has the finding's signature.
func (f *Finder) Test(ctx context.Context, texts []string) ([]bool, error) {
	passed := make([]bool, len(texts))
	err := f.share(len(texts), func(lab *subject.Lab, from, to int) error {
		found, err := f.examine(ctx, lab, texts[from:to], f.configs)
		for k, x := range found {
			passed[from+k] = x != nil && x.Signature == f.signature
		}
		return err
	})
	return passed, err
}

// share divides n candidates among the laboratories, which work at once.
func (f *Finder) share(n int, work func(lab *subject.Lab, from, to int) error) error {
	errs := make([]error, len(f.labs))
	var workers sync.WaitGroup
	each := (n + len(f.labs) - 1) / len(f.labs)
	for i, lab := range f.labs {
		from, to := min(i*each, n), min((i+1)*each, n)
		if from < to {
			workers.Go(func() { errs[i] = work(lab, from, to) })
		}
	}
	workers.Wait()
	return errors.Join(errs...)
}

// examineOne runs one program.
func (f *Finder) examineOne(ctx context.Context, text string, configs []subject.Config) (*triage.Finding, error) {
	found, err := f.examine(ctx, f.labs[0], []string{text}, configs)
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// examine runs programs and returns what is found in each, nil for nothing. Only what the oracle has run to its end runs
// natively.
func (f *Finder) examine(ctx context.Context, lab *subject.Lab, texts []string, configs []subject.Config) ([]*triage.Finding, error) {
	cases := make([]*subject.Case, len(texts))
	var ready []*subject.Case
	for i, text := range texts {
		c := &subject.Case{Name: f.name, Text: text}
		cases[i] = c
		if !lab.CheckBriefly(c) {
			continue
		}
		lab.Execute(c)
		if c.Oracle.Kind.IsFinished() && len(configs) > 0 {
			lab.Release(c)
			ready = append(ready, c)
		}
	}
	if err := lab.Compare(ctx, ready, configs); err != nil {
		return nil, err
	}
	found := make([]*triage.Finding, len(texts))
	for i, c := range cases {
		if !c.Oracle.Kind.IsResource() {
			found[i], _ = triage.Examine(c)
		}
	}
	return found, nil
}

// Reduced is a reduced finding.
type Reduced struct {
	Result
	Signature string // of the reduced program
	Config    string // the reduced configuration; "" if it needs none
	By        string // what was edited: "tree" or "choices"
	Choices   []byte // behind Text, if they were edited

	kind  triage.Kind
	name  string
	build maker
}

// What is edited.
const (
	byTree    = "tree"
	byChoices = "choices"
)

// Find reduces a finding by what its kind allows. A difference and a breakdown of the oracle are reduced on the tree, then
// the configuration is. An unplanned ending, a valid program that is rejected and an invalid one that is accepted are
// reduced by their choices, which are known if the program came fresh from a generator. A variant's finding is not reduced:
// it is about two programs at once. Whatever is not reduced is an error that says why.
func Find(ctx context.Context, f *triage.Finding, name string, jobs int, opts Options) (*Reduced, error) {
	switch f.Kind {
	case triage.Difference, triage.OracleFault:
		return findByTree(ctx, f, name, jobs, opts)
	case triage.Assertion, triage.RejectedValid:
		return findByChoices(ctx, f, name, jobs, opts, makeValid)
	case triage.AcceptedInvalid:
		return findByChoices(ctx, f, name, jobs, opts, makeBroken)
	}
	return nil, fmt.Errorf("a finding of kind %s is about two programs at once: an edit of one needs the same edit of the other", f.Kind)
}

func findByTree(ctx context.Context, f *triage.Finding, name string, jobs int, opts Options) (*Reduced, error) {
	var configs []subject.Config
	for _, c := range f.Configs {
		cfg, err := subject.Parse(c)
		if err != nil {
			return nil, err
		}
		configs = append(configs, cfg)
	}
	return Program(ctx, name, f.Source, f.Mutant, configs, jobs, opts)
}

// Program reduces a program by its tree; see NewFinder for what has to be found in it. Candidates get tight limits. Under
// those a program may show what it does not under the ordinary ones: that it prints too much, say. What came out is
// therefore run once more under the ordinary ones, and if it does not stand, reducing begins again with them.
func Program(ctx context.Context, name, text, mutant string, configs []subject.Config, jobs int, opts Options) (*Reduced, error) {
	r, err := reduceTree(ctx, name, text, mutant, configs, jobs, opts, true)
	if err == nil {
		found, err := r.Shows(ctx, mutant)
		if err != nil || found != nil && found.Signature == r.Signature {
			return r, err
		}
	}
	return reduceTree(ctx, name, text, mutant, configs, jobs, opts, false)
}

func reduceTree(ctx context.Context, name, text, mutant string, configs []subject.Config, jobs int, opts Options, tight bool) (*Reduced, error) {
	finder, err := aimedFinder(ctx, name, text, mutant, configs, jobs, tight)
	if err != nil {
		return nil, err
	}
	r := &Reduced{By: byTree, kind: finder.kind, name: name}
	res, err := Reduce(ctx, name, text, finder.Test, opts)
	if err == nil {
		r.Result = *res
		err = finder.Simplify(ctx, res.Text)
	}
	r.Signature = finder.signature
	if cfg, ok := finder.Config(); ok {
		r.Config = cfg.String()
	}
	return r, errors.Join(err, finder.Close())
}

// judge says what a program of choices shows by what its generator knows of it; nil for nothing.
func judge(lab *subject.Lab, name string, m made) *triage.Finding {
	c := &subject.Case{Name: name, Text: m.text}
	if m.broken != nil {
		return triage.ExamineRejection(lab, c, m.broken)
	}
	return triage.ExamineEnding(lab, c, m.valid)
}

func findByChoices(ctx context.Context, f *triage.Finding, name string, jobs int, opts Options, build maker) (*Reduced, error) {
	from, ok := choicesOf(f, build)
	if !ok {
		return nil, ErrNotReducible
	}
	finder, err := newFinder(name, f.Mutant, jobs)
	if err != nil {
		return nil, err
	}
	defer finder.Close()
	found := judge(finder.labs[0], name, from)
	if found == nil || found.Signature != f.Signature {
		return nil, fmt.Errorf("%s: the program of the same choices does not show it", name)
	}
	if err := finder.open(len(finder.labs), limitsFor(found.Oracle)); err != nil {
		return nil, err
	}
	finder.kind, finder.signature = f.Kind, f.Signature
	last, res, err := reduceChoices(ctx, from, build, finder.testChoices, opts.withDefaults())
	if err != nil {
		return nil, err
	}
	res.Text, res.NodesAfter = last.text, nodesOf(last.text)
	res.LinesBefore, res.LinesAfter = linesOf(from.text), linesOf(last.text)
	return &Reduced{Result: *res, Signature: f.Signature, By: byChoices, Choices: last.choices, kind: f.Kind, name: name, build: build}, nil
}

// testChoices is the choiceTest of a Finder: whether each program has its signature.
func (f *Finder) testChoices(_ context.Context, candidates []made) ([]bool, error) {
	passed := make([]bool, len(candidates))
	err := f.share(len(candidates), func(lab *subject.Lab, from, to int) error {
		for i := from; i < to; i++ {
			found := judge(lab, f.name, candidates[i])
			passed[i] = found != nil && found.Signature == f.signature
		}
		return nil
	})
	return passed, err
}

// choicesOf returns the choices behind a finding's program; false if they are not known: the program is a variant or a
// splice, or from a file.
func choicesOf(f *triage.Finding, build maker) (made, bool) {
	if len(f.Choices) > 0 {
		m := build(f.Choices)
		return m, m.text == f.Source
	}
	if f.Origin == nil {
		return made{}, false
	}
	src := gen.New(gen.ProgramSeed(f.Origin.Seed, f.Origin.Index))
	if f.Kind == triage.AcceptedInvalid {
		p := gen.MustReject(src, gen.Options{})
		return build(p.Bytes), p.Text == f.Source
	}
	p := gen.Program(src, gen.Options{})
	return build(p.Bytes), p.Text == f.Source
}

// linesOf counts the lines of a program as it is printed canonically, if it can be.
func linesOf(text string) int {
	src := source.NewFile("", text)
	diags := &source.Diagnostics{File: src}
	tree := syntax.Parse(src, diags, syntax.Options{})
	if diags.HasErrors() {
		return strings.Count(text, "\n")
	}
	return syntax.Lines(tree)
}

// Shows runs the reduced program afresh, in a laboratory of its own with the given mutant or none, and returns what is
// found in it; nil for nothing.
func (r *Reduced) Shows(ctx context.Context, mutant string) (*triage.Finding, error) {
	lab, err := subject.NewLab(subject.LabOptions{Mutant: mutant})
	if err != nil {
		return nil, err
	}
	defer lab.Close()
	if r.By == byChoices {
		return judge(lab, r.name, r.build(r.Choices)), nil
	}
	f := &Finder{name: r.name}
	var configs []subject.Config
	if r.Config != "" {
		cfg, err := subject.Parse(r.Config)
		if err != nil {
			return nil, err
		}
		configs = append(configs, cfg)
	}
	found, err := f.examine(ctx, lab, []string{r.Text}, configs)
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// Slipped says in what way a reduced finding is another one than it was, or "": under the same mutant a fresh run does not
// show its signature, or without the mutant something is found too.
func (r *Reduced) Slipped(ctx context.Context, mutant string) (string, error) {
	with, err := r.Shows(ctx, mutant)
	if err != nil {
		return "", err
	}
	switch {
	case with == nil:
		return "nothing is found", nil
	case with.Kind != r.kind || with.Signature != r.Signature:
		return "another finding: " + with.Signature, nil
	case mutant == "":
		return "", nil
	}
	without, err := r.Shows(ctx, "")
	if err != nil || without == nil {
		return "", err
	}
	return "also without the mutant: " + without.Signature, nil
}
