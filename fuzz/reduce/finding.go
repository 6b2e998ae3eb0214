package reduce

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
)

// Finder is a Test for what a finding shows, with the laboratories that it runs candidates in.
type Finder struct {
	labs      []*subject.Lab
	name      string
	configs   []subject.Config
	signature string
}

// ErrNotReducible is the error for findings whose programs mean nothing without the knowledge of who wrote them: a value
// known by construction, a program that had to be accepted or rejected.
var ErrNotReducible = errors.New("such a finding has no second implementation to compare a reduced program with")

// NewFinder prepares to reduce a program that disagrees with the oracle on some of configs, or breaks the oracle down. Of
// several configurations that disagree the first is kept: reducing one is reducing all. mutant is the deliberate bug that
// is on, or "". Close the Finder after use.
func NewFinder(ctx context.Context, name, text, mutant string, configs []subject.Config, jobs int) (*Finder, error) {
	if jobs <= 0 {
		jobs = runtime.NumCPU()
	}
	f := &Finder{name: name, configs: configs}
	for range jobs {
		lab, err := subject.NewLab(subject.LabOptions{Mutant: mutant})
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		f.labs = append(f.labs, lab)
	}
	found, err := f.examine(ctx, f.labs[0], []string{text})
	switch {
	case err != nil:
	case found[0] == nil:
		err = fmt.Errorf("%s: nothing disagrees", name)
	case found[0].Kind == triage.Difference:
		cfg, perr := subject.Parse(found[0].Configs[0])
		f.configs, err = []subject.Config{cfg}, perr
		if err == nil {
			found, err = f.examine(ctx, f.labs[0], []string{text})
		}
	case found[0].Kind != triage.OracleFault:
		err = ErrNotReducible
	}
	if err == nil && found[0] == nil {
		err = fmt.Errorf("%s: it disagrees only now and then", name)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	f.signature = found[0].Signature
	return f, nil
}

// Config returns the configuration on which the program disagrees; false when it breaks the oracle.
func (f *Finder) Config() (subject.Config, bool) {
	if len(f.configs) != 1 {
		return subject.Config{}, false
	}
	return f.configs[0], true
}

// Close ends the laboratories.
func (f *Finder) Close() error {
	var errs []error
	for _, l := range f.labs {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

// Test is the Finder's Test: whether each program has the finding's signature.
func (f *Finder) Test(ctx context.Context, texts []string) ([]bool, error) {
	passed := make([]bool, len(texts))
	errs := make([]error, len(f.labs))
	var workers sync.WaitGroup
	share := (len(texts) + len(f.labs) - 1) / len(f.labs)
	for i, lab := range f.labs {
		from, to := min(i*share, len(texts)), min((i+1)*share, len(texts))
		if from == to {
			continue
		}
		workers.Go(func() {
			found, err := f.examine(ctx, lab, texts[from:to])
			errs[i] = err
			for k, x := range found {
				passed[from+k] = x != nil && x.Signature == f.signature
			}
		})
	}
	workers.Wait()
	return passed, errors.Join(errs...)
}

// examine runs programs and returns what is found in each, nil for nothing.
func (f *Finder) examine(ctx context.Context, lab *subject.Lab, texts []string) ([]*triage.Finding, error) {
	cases := make([]*subject.Case, len(texts))
	var ready []*subject.Case
	for i, text := range texts {
		c := &subject.Case{Name: f.name, Text: text}
		cases[i] = c
		lab.Interpret(c)
		if c.Checked != nil && c.Oracle.Kind.IsFinished() {
			ready = append(ready, c)
		}
	}
	if err := lab.Compare(ctx, ready, f.configs); err != nil {
		return nil, err
	}
	found := make([]*triage.Finding, len(texts))
	for i, c := range cases {
		if c.Oracle.Kind.IsResource() {
			continue
		}
		found[i], _ = triage.Examine(c)
	}
	return found, nil
}
