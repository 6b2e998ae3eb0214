// Package campaign looks for differences: it generates programs, runs each on the oracle and on the configurations of the
// compiler, and keeps what disagrees.
//
// In: Options. Out: a Summary, and a directory of findings.
// Invariants: program i of seed s is the same whatever the number of workers, the bounds or the machine; no program counts
// as compared that did not run natively on every configuration that was due; a run that looks wrong is repeated in fresh
// processes before it counts; after kill -9 a campaign goes on with no program lost or counted twice.
package campaign

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"rokrig/fuzz/feature"
	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
	"rokrig/fuzz/variant"
)

// Options bounds a campaign and says what it compares. The zero value of a field is its default.
type Options struct {
	Seed     uint64
	First    uint64        // index of the first program
	For      time.Duration // 0: not bounded by time
	Count    int64         // programs; 0: not bounded
	Findings int           // buckets that are not known after which it ends; 0: not bounded
	Jobs     int           // workers; 0: one per core
	Batch    int           // programs a worker takes at once; 0: 32

	Configs   []subject.Config // what every program runs on; nil: DefaultConfigs
	Rotating  []subject.Config // of which every batch draws one; nil: DefaultRotating
	ExeEvery  int64            // every so-manyth program is also linked by gcc; 0: 2000, negative: never
	CountEach int64            // features are counted in every so-manyth program; 0: 4
	// VariantEach is how seldom programs are made of others, and fresh ones are followed by a variant; 0: 8, negative: never.
	VariantEach int
	RejectEach  int // a must-reject program for every so-many programs; 0: 10, negative: never

	Mutant  string            // a deliberate bug to switch on
	Verify  bool              // run every verifier on every program
	Profile string            // for the summary
	Dir     string            // of findings and state; "": none are kept
	Known   map[string]string // notes of known bugs, by bucket; they count as known, not as found
	Disk    int64             // bytes that Dir may take; 0: not limited
	Resume  bool              // go on with the campaign in Dir; For is then the time from now on, Count that of all programs

	Progress func(Progress) // called a few times a second
	Found    func(Bucket)   // called for every new bucket
}

// DefaultConfigs is what every program is compared on. The two differ in what memory is filled with, so that what a program
// reads uninitialised makes a difference.
func DefaultConfigs() []subject.Config {
	return []subject.Config{subject.MustParse("stack"), subject.MustParse("stack/check/fill=b")}
}

// DefaultRotating is what batches take turns in.
func DefaultRotating() []subject.Config {
	return []subject.Config{subject.MustParse("stack/poll=force"), subject.MustParse("stack/check/poll=force")}
}

// exeConfig is the sampled configuration that goes all the way through gcc.
var exeConfig = subject.MustParse("stack/exe")

const (
	defaultBatch      = 32
	defaultExeEvery   = 2000
	defaultRejectEach = 10
	defaultCountEach  = 4
	progressPeriod    = 200 * time.Millisecond
	samplePeriod      = time.Second
	maxSamples        = 128 // for the first 128 s, and as many again for each e-fold of time
)

func (o *Options) setDefaults() {
	if o.Jobs <= 0 {
		o.Jobs = runtime.NumCPU()
	}
	if o.Batch <= 0 {
		o.Batch = defaultBatch
	}
	if o.Configs == nil {
		o.Configs = DefaultConfigs()
	}
	if o.Rotating == nil {
		o.Rotating = DefaultRotating()
	}
	if o.ExeEvery == 0 {
		o.ExeEvery = defaultExeEvery
	}
	if o.CountEach <= 0 {
		o.CountEach = defaultCountEach
	}
	if o.VariantEach == 0 {
		o.VariantEach = variant.DefaultEach
	}
	if o.RejectEach == 0 {
		o.RejectEach = defaultRejectEach
	}
}

// campaign is a running campaign: what its workers share.
type campaign struct {
	opts     Options
	identity Identity
	store    *triage.Store // nil: neither findings nor state are kept
	start    time.Time
	startCPU float64 // CPU seconds of this process before
	earlier  time.Duration
	// earlierCPU is the CPU seconds of earlier runs of a campaign that was resumed; earlier is their time.
	earlierCPU float64

	compared atomic.Int64
	programs atomic.Int64

	mu       sync.Mutex
	todo     spans // programs that no worker has taken
	done     spans // programs that are counted
	summary  *Summary
	buckets  map[string]*Bucket
	fresh    int // buckets that are not known
	features featureCounts
	reached  bool  // the mutant's place was reached
	long     int64 // programs of longLines or more
	stop     context.CancelFunc

	programCPU time.Duration // that programs used in runners which were not waited for yet
}

// Run runs a campaign until its bounds are reached or ctx is cancelled; the latter is no error, and the summary says so.
// An error is the environment's fault; the summary then holds what was done before it.
func Run(ctx context.Context, opts Options) (*Summary, error) {
	opts.setDefaults()
	c := &campaign{opts: opts, identity: opts.identity(), start: time.Now(), startCPU: cpuSeconds(), summary: newSummary(),
		buckets: map[string]*Bucket{}}
	if opts.Dir != "" {
		held, err := c.open()
		if err != nil {
			return c.summary, err
		}
		defer held.Close()
	}
	c.todo = c.done.gaps(opts.First)
	bounded, cancel := context.WithCancel(ctx)
	defer cancel()
	c.stop = cancel
	if opts.For > 0 {
		bounded, cancel = context.WithTimeout(bounded, opts.For)
		defer cancel()
	}
	err := c.runWorkers(bounded)
	c.finish(ctx)
	return c.summary, err
}

// open takes the directory, and in it goes on or starts anew. The campaign has the directory until the file is closed.
func (c *campaign) open() (held *os.File, err error) {
	if c.opts.Resume {
		if _, err := readState(c.opts.Dir); err != nil {
			return nil, err // before anything is made there
		}
	}
	if held, err = lock(c.opts.Dir); err != nil {
		return nil, err
	}
	c.store, err = triage.Open(c.opts.Dir)
	if err == nil {
		err = c.store.Limit(c.opts.Disk)
	}
	if err == nil && c.opts.Resume {
		err = c.restore()
	}
	if err == nil {
		_, err = c.save()
	}
	if err != nil {
		return nil, errors.Join(err, held.Close())
	}
	return held, nil
}

// runWorkers runs the workers and the watcher of progress to their end.
func (c *campaign) runWorkers(ctx context.Context) error {
	errs := make([]error, c.opts.Jobs)
	var workers, watcher sync.WaitGroup
	done := make(chan struct{})
	watcher.Go(func() { c.watch(done) })
	var kept error
	if c.store != nil {
		watcher.Go(func() {
			if kept = c.keep(done); kept != nil {
				c.stop()
			}
		})
	}
	for i := range errs {
		workers.Go(func() {
			if errs[i] = c.work(ctx); errs[i] != nil {
				c.stop()
			}
		})
	}
	workers.Wait()
	c.mu.Lock()
	c.programCPU = 0 // the runners have ended and are counted among the children
	c.mu.Unlock()
	close(done)
	watcher.Wait()
	return errors.Join(append(errs, kept)...)
}

// take reserves the next batch: the indices first to first+n-1; n is 0 when the campaign is at its end. Batches lie in a
// fixed grid, also those that are left over from an earlier run, because what a program runs on goes by its batch.
func (c *campaign) take(ctx context.Context) (first uint64, n int) {
	if ctx.Err() != nil {
		return 0, 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	next, size := &c.todo[0], uint64(c.opts.Batch)
	first = next.lo
	end := min(next.hi, first-(first-c.opts.First)%size+size)
	if c.opts.Count > 0 {
		end = min(end, c.opts.First+uint64(c.opts.Count))
	}
	if first >= end {
		return 0, 0
	}
	if next.lo = end; next.lo == next.hi {
		c.todo = c.todo[1:]
	}
	return first, int(end - first)
}

// watch reports progress and samples the rate until done is closed.
func (c *campaign) watch(done <-chan struct{}) {
	tick := time.NewTicker(progressPeriod)
	defer tick.Stop()
	lastSample, lastCompared, rate := time.Duration(0), c.compared.Load(), 0.0
	before := c.programs.Load()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		elapsed := time.Since(c.start)
		// Samples become rarer in a long campaign, so that their number stays small.
		if span := elapsed - lastSample; span >= max(samplePeriod, (c.earlier+elapsed)/maxSamples) {
			now := c.compared.Load()
			rate = float64(now-lastCompared) / span.Seconds()
			lastSample, lastCompared = elapsed, now
			c.mu.Lock()
			c.summary.Rates = append(c.summary.Rates, RateSample{tenths((c.earlier + elapsed).Seconds()), tenths(rate)})
			c.mu.Unlock()
		}
		if c.opts.Progress != nil {
			c.opts.Progress(c.progress(elapsed, rate, before))
		}
	}
}

func tenths(x float64) float64 { return math.Round(10*x) / 10 }

// progress describes the campaign after some time of this run; before is the number of programs of earlier ones.
func (c *campaign) progress(elapsed time.Duration, rate float64, before int64) Progress {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := Progress{Elapsed: c.earlier + elapsed, Programs: c.programs.Load(), Compared: c.compared.Load(), Target: c.opts.Count, Rate: rate,
		Features: c.features.covered(), Known: feature.Count(), Buckets: c.fresh}
	if c.opts.For > 0 {
		p.Left = max(0, c.opts.For-elapsed)
	}
	if left, here := c.opts.Count-p.Programs, p.Programs-before; c.opts.Count > 0 && here > 0 {
		byCount := time.Duration(float64(elapsed) * float64(left) / float64(here))
		if p.Left == 0 || byCount < p.Left {
			p.Left = max(0, byCount)
		}
	}
	return p
}

// finish completes the summary.
func (c *campaign) finish(ctx context.Context) {
	cpu := c.cpu()
	s := c.summary
	s.Seed, s.Profile, s.Jobs, s.Directory = c.opts.Seed, c.opts.Profile, c.opts.Jobs, c.opts.Dir
	s.Seconds = (c.earlier + time.Since(c.start)).Seconds()
	s.CPUSeconds = cpu
	s.Interrupted = ctx.Err() != nil
	s.MutantReached = c.reached
	if s.Programs > 0 {
		s.LongShare = float64(c.long) / float64(s.Programs)
	}
	if cpu > 0 {
		s.RatePerCore = float64(s.Compared+s.Variants) / cpu
	}
	s.Buckets = c.bucketList()
	c.features.into(s)
}

// cpu is the CPU seconds of the campaign so far, without what runners use that were not waited for yet.
func (c *campaign) cpu() float64 { return c.earlierCPU + cpuSeconds() - c.startCPU }

// bucketList lists the buckets, the most frequent first.
func (c *campaign) bucketList() []Bucket {
	list := make([]Bucket, 0, len(c.buckets))
	for _, b := range c.buckets {
		list = append(list, *b)
	}
	sortBuckets(list)
	return list
}

// isNew reports whether no finding of the bucket was reported yet.
func (c *campaign) isNew(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.buckets[id]
	return b == nil || b.First == nil
}

// merge takes in what a worker found and counted in the batch of programs first to first+n-1: first the findings, which
// are on the disk then, and all counts together behind them.
func (c *campaign) merge(first uint64, n int, w *worker) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.keepFindings(w.findings); err != nil {
		return err
	}
	for _, f := range w.findings {
		c.report(f)
	}
	c.summary.add(w.sum)
	c.features.add(&w.features)
	c.long += w.long
	c.programCPU += w.cpu
	c.reached = c.reached || w.lab.MutantReached()
	c.done = c.done.add(first, first+uint64(n))
	c.programs.Add(w.sum.Programs)
	c.compared.Add(w.sum.Compared)
	if c.opts.Findings > 0 && c.fresh >= c.opts.Findings {
		c.stop()
	}
	return nil
}

// keepFindings brings findings to the disk. A bucket that has enough programs gets no more.
func (c *campaign) keepFindings(found []*triage.Finding) error {
	if c.store == nil {
		return nil
	}
	for _, f := range found {
		if b := c.buckets[f.ID]; b != nil && b.First != nil && b.Count >= triage.MaxOriginals {
			continue
		}
		switch _, err := c.store.Add(f); {
		case errors.Is(err, triage.ErrFull):
			c.summary.NotKept++
		case err != nil:
			return err
		}
	}
	return nil
}

// addBucket adds a bucket that is not there yet.
func (c *campaign) addBucket(b *Bucket) {
	c.buckets[b.ID] = b
	if b.Known = c.opts.Known[b.ID]; b.Known == "" {
		c.fresh++
	}
}

// report counts a finding: it belongs to a bucket that is there, or makes one.
func (c *campaign) report(f *triage.Finding) {
	c.summary.Differences++
	b := c.buckets[f.ID]
	isNew := b == nil
	if isNew {
		b = &Bucket{ID: f.ID, Kind: f.Kind, Signature: f.Signature}
		c.addBucket(b)
	}
	if b.First == nil {
		b.First = f
		if c.store != nil && c.store.Has(f.ID) {
			b.Path = c.store.Path(f.ID)
		}
	}
	b.Count++
	b.Flaky = b.Flaky || f.IsFlaky()
	if isNew && b.Known == "" && c.opts.Found != nil {
		c.opts.Found(*b)
	}
}

// cpuSeconds is the CPU time of this process and of the children it has waited for. Runners are asked by the workers.
func cpuSeconds() float64 {
	total := 0.0
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			panic(fmt.Sprintf("getrusage: %v", err))
		}
		total += float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	}
	return total
}
