package campaign

import (
	"context"
	"errors"
	"slices"
	"time"

	"rokrig/fuzz/feature"
	"rokrig/fuzz/gen"
	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
	"rokrig/fuzz/variant"
	"rokrig/oracle/interp"
	"rokrig/oracle/outcome"
)

// CaseName is the file name that generated programs get; findings keep their program under it, so that positions in
// messages stay right.
const CaseName = "case.rok"

// genStage is the time spent on generating; the other stages are the lab's.
const genStage = "generate"

// longLines is the size from which on a program counts as long.
const longLines = 300

// worker is one of the campaign's goroutines with its own lab.
type worker struct {
	c     *campaign
	lab   *subject.Lab
	clean *subject.Lab   // without the mutant; nil until it is needed
	index *feature.Index // of the program that the oracle has run last, if it was watched
	maker *variant.Maker // nil until it is needed

	// of the batch at hand
	sum      *Summary
	features featureCounts
	observed map[*subject.Case]observed
	variants map[*subject.Case]bool // the cases that are variants of others
	findings []*triage.Finding
	long     int64         // programs of longLines or more
	cpu      time.Duration // that the programs used in runners

	spent map[subject.Stage]time.Duration // by the lab, as far as it is booked
}

// work takes batches until the campaign is at its end.
func (c *campaign) work(ctx context.Context) (err error) {
	w := &worker{c: c, spent: map[subject.Stage]time.Duration{}}
	w.lab, err = subject.NewLab(subject.LabOptions{Mutant: c.opts.Mutant, Verify: c.opts.Verify,
		Observe: w.observe})
	if err != nil {
		return err
	}
	defer func() {
		if closed := w.close(); err == nil {
			err = closed
		}
	}()
	for {
		first, n := c.take(ctx)
		if n == 0 {
			return nil
		}
		if err := w.batch(ctx, first, n); err != nil {
			if ctx.Err() != nil {
				return nil // a tool was stopped together with the campaign; the batch counts for nothing
			}
			return err
		}
	}
}

func (w *worker) close() error {
	err := w.lab.Close()
	if w.clean != nil {
		err = errors.Join(err, w.clean.Close())
	}
	return err
}

// observe is the lab's interp.Options.Observe. Programs that are run again have no index.
func (w *worker) observe(region int, n interp.Node) {
	if w.index != nil {
		w.index.Observe(region, n.ID())
	}
}

// bookLab puts what the lab spent since the last time into the batch's counts.
func (w *worker) bookLab() {
	for stage, d := range w.lab.Spent {
		w.sum.Stages[string(stage)] += (d - w.spent[stage]).Seconds()
		w.spent[stage] = d
	}
}

// batch runs programs first to first+n-1.
func (w *worker) batch(ctx context.Context, first uint64, n int) error {
	w.sum, w.features, w.findings, w.long, w.cpu = newSummary(), featureCounts{}, nil, 0, 0
	w.observed, w.variants = make(map[*subject.Case]observed, n), map[*subject.Case]bool{}
	var comparable []*subject.Case
	for i := range uint64(n) {
		cases, err := w.prepare(ctx, first+i)
		if err != nil {
			return err
		}
		comparable = append(comparable, cases...)
	}
	if err := w.lab.Compare(ctx, comparable, w.configs(first)); err != nil {
		return err
	}
	if exe := w.dueForGcc(first, comparable); exe != nil {
		if err := w.lab.Compare(ctx, exe, []subject.Config{exeConfig}); err != nil {
			return err
		}
	}
	for _, c := range comparable {
		if err := w.judge(ctx, c); err != nil {
			return err
		}
	}
	w.bookLab()
	return w.c.merge(first, n, w)
}

// configs is what a batch runs on: everything that is always due, and one of those that take turns.
func (w *worker) configs(first uint64) []subject.Config {
	configs := w.c.opts.Configs
	if rotating := w.c.opts.Rotating; len(rotating) > 0 {
		turn := (first - w.c.opts.First) / uint64(w.c.opts.Batch) % uint64(len(rotating))
		configs = append(configs[:len(configs):len(configs)], rotating[turn])
	}
	return configs
}

// dueForGcc returns the programs of a batch that are also linked by gcc.
func (w *worker) dueForGcc(first uint64, cases []*subject.Case) []*subject.Case {
	every := w.c.opts.ExeEvery
	if every < 0 {
		return nil
	}
	for _, c := range cases {
		if (c.Index-w.c.opts.First)%uint64(every) == uint64(every)/2 {
			return []*subject.Case{c}
		}
	}
	return nil
}

// prepare makes program number index, and a variant of it if one is due, and runs them on the oracle. It returns those that
// are left to compare: not what is a finding already, or wasted.
func (w *worker) prepare(ctx context.Context, index uint64) ([]*subject.Case, error) {
	if each := w.c.opts.RejectEach; each > 0 && index%uint64(each) == uint64(each)-1 {
		if err := w.mustReject(ctx, index); err != nil {
			return nil, err
		}
	}
	kind, followed := variant.Plan(index, w.c.opts.VariantEach)
	var c *subject.Case
	var err error
	if kind == variant.Fresh {
		c, err = w.generate(ctx, index, followed)
	} else {
		c, err = w.derive(ctx, kind, index)
	}
	if c == nil || err != nil {
		return nil, err
	}
	if followed {
		if v, err := w.follow(ctx, c); v != nil || err != nil {
			return []*subject.Case{c, v}, err
		}
	}
	w.lab.Release(c)
	return []*subject.Case{c}, nil
}

// generate makes a fresh program and runs it on the oracle, watched if a variant follows. It returns nil when there is
// nothing left to compare: the program is a finding already, or wasted.
func (w *worker) generate(ctx context.Context, index uint64, followed bool) (*subject.Case, error) {
	start := time.Now()
	program := gen.Program(gen.New(gen.ProgramSeed(w.c.opts.Seed, index)), gen.Options{})
	w.sum.Stages[genStage] += time.Since(start).Seconds()
	w.sum.Programs++
	w.sum.Fresh++
	c := &subject.Case{Name: CaseName, Text: program.Text, Index: index, Plain: !w.counts(index) && !followed}
	if w.lab.CheckBriefly(c) {
		w.execute(c)
	}
	w.sum.Endings[c.Oracle.Kind.String()]++
	if c.Oracle.Kind.IsResource() {
		w.sum.Wasted["oracle: "+c.Oracle.Kind.String()]++
		return nil, nil
	}
	if f := triage.JudgeEnding(c, program); f != nil {
		again := func(_ context.Context, lab *subject.Lab, c *subject.Case) (bool, error) {
			return triage.ExamineEnding(lab, c, program) != nil, nil
		}
		if err := w.found(ctx, c, f, again); err != nil || f.Kind != triage.Assertion {
			return nil, err
		}
	}
	w.note(c, program.Stats.Lines)
	return c, nil
}

// note counts a case that is going to be compared.
func (w *worker) note(c *subject.Case, lines int) {
	w.sum.Statements += c.Statements
	w.sum.Steps += c.Oracle.Usage.Steps
	w.sum.Lines += int64(lines)
	w.sum.Sizes[sizeClass(lines)]++
	if lines >= longLines {
		w.long++
	}
}

// mustReject checks that a program broken on purpose is rejected at its place.
func (w *worker) mustReject(ctx context.Context, index uint64) error {
	broken := gen.MustReject(gen.New(gen.ProgramSeed(w.c.opts.Seed, index)), gen.Options{})
	c := &subject.Case{Name: CaseName, Text: broken.Text, Index: index}
	f := triage.ExamineRejection(w.lab, c, broken)
	if f == nil {
		w.sum.MustReject++
		return nil
	}
	return w.found(ctx, c, f, func(_ context.Context, lab *subject.Lab, c *subject.Case) (bool, error) {
		return triage.ExamineRejection(lab, c, broken) != nil, nil
	})
}

// judge counts a case as compared, wasted or found.
func (w *worker) judge(ctx context.Context, c *subject.Case) error {
	w.sum.Executions += int64(len(c.Runs))
	for _, r := range c.Runs {
		if !r.Config.Executable() {
			w.cpu += r.Outcome.Usage.CPU
		}
		if r.Outcome.Kind == outcome.Timeout {
			w.sum.Timeouts++
		}
	}
	f, wasted := triage.Examine(c)
	if wasted != "" {
		w.sum.Wasted[wasted]++
		return nil
	}
	if w.variants[c] {
		w.sum.Variants++
	} else {
		w.sum.Compared++
	}
	for _, r := range c.Runs {
		w.sum.Configs[r.Config.String()]++
	}
	if o := w.observed[c]; o != nil {
		w.features.count(o)
		w.sum.Counted++
	}
	if f == nil {
		return nil
	}
	return w.found(ctx, c, f, differs)
}

// repeat runs a case again in a laboratory and reports whether anything is found in it.
type repeat func(ctx context.Context, lab *subject.Lab, c *subject.Case) (bool, error)

// differs is the repeat of a case that is compared on configurations: those of its earlier runs.
func differs(ctx context.Context, lab *subject.Lab, c *subject.Case) (bool, error) {
	var configs []subject.Config
	for _, r := range c.Runs {
		configs = append(configs, r.Config)
	}
	c.Runs = nil
	lab.Interpret(c)
	if c.Checked != nil {
		if err := lab.Compare(ctx, []*subject.Case{c}, configs); err != nil {
			return false, err
		}
	}
	f, _ := triage.Examine(c)
	return f != nil, nil
}

// alsoWithoutMutant reports whether a finding of a campaign against a mutant is there without the mutant too: then it is
// no kill.
func (w *worker) alsoWithoutMutant(ctx context.Context, c *subject.Case, again repeat) (bool, error) {
	if w.c.opts.Mutant == "" {
		return false, nil
	}
	if w.clean == nil {
		lab, err := subject.NewLab(subject.LabOptions{})
		if err != nil {
			return false, err
		}
		w.clean = lab
	}
	same := &subject.Case{Name: c.Name, Text: c.Text, Index: c.Index, Runs: c.Runs}
	return again(ctx, w.clean, same)
}

// found confirms a finding if its bucket is young and hands it to the campaign.
func (w *worker) found(ctx context.Context, c *subject.Case, f *triage.Finding, again repeat) error {
	if also, err := w.alsoWithoutMutant(ctx, c, again); err != nil || also {
		w.sum.Wasted["found without the mutant too"]++
		return err
	}
	f.Origin = &triage.Origin{Seed: w.c.opts.Seed, Index: c.Index}
	f.Mutant = w.c.opts.Mutant
	if w.isNew(f.ID) && f.Kind != triage.AcceptedInvalid {
		if err := triage.Confirm(ctx, w.lab, c, f); err != nil {
			return err
		}
		f.Asm = w.lab.Asm(c)
	}
	w.findings = append(w.findings, f)
	return nil
}

// isNew reports whether nothing of the bucket was found yet, in this batch neither.
func (w *worker) isNew(id string) bool {
	return w.c.isNew(id) && !slices.ContainsFunc(w.findings, func(f *triage.Finding) bool { return f.ID == id })
}
