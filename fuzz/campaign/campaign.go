// Package campaign looks for differences: it generates programs, runs each on the oracle and on the configurations of the
// compiler, and keeps what disagrees.
//
// In: Options. Out: a Summary, and a directory of findings.
// Invariants: program i of seed s is the same whatever the number of workers, the bounds or the machine; no program counts
// as compared that did not run natively on every configuration that was due; a run that looks wrong is repeated in fresh
// processes before it counts; what was found survives kill -9.
package campaign

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"rokrig/fuzz/feature"
	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
)

// Options bounds a campaign and says what it compares. The zero value of a field is its default.
type Options struct {
	Seed     uint64
	First    uint64        // index of the first program
	For      time.Duration // 0: not bounded by time
	Count    int64         // programs; 0: not bounded
	Findings int           // buckets after which it ends; 0: not bounded
	Jobs     int           // workers; 0: one per core
	Batch    int           // programs a worker takes at once; 0: 32

	Configs    []subject.Config // what every program runs on; nil: DefaultConfigs
	Rotating   []subject.Config // of which every batch draws one; nil: DefaultRotating
	ExeEvery   int64            // every so-manyth program is also linked by gcc; 0: 2000, negative: never
	CountEach  int64            // features are counted in every so-manyth program; 0: 4
	RejectEach int              // a must-reject program for every so-many programs; 0: 10, negative: never

	Mutant  string // a deliberate bug to switch on
	Verify  bool   // run every verifier on every program
	Profile string // for the summary
	Dir     string // of findings; "": none are kept

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
	if o.RejectEach == 0 {
		o.RejectEach = defaultRejectEach
	}
}

// campaign is a running campaign: what its workers share.
type campaign struct {
	opts  Options
	store *triage.Store // nil: findings are not kept
	start time.Time

	next     atomic.Uint64 // index of the next program
	compared atomic.Int64
	programs atomic.Int64

	mu       sync.Mutex
	summary  *Summary
	buckets  map[string]*Bucket
	features featureCounts
	reached  bool  // the mutant's place was reached
	long     int64 // programs of longLines or more
	stop     context.CancelFunc
}

// Run runs a campaign until its bounds are reached or ctx is cancelled; the latter is no error, and the summary says so.
// An error is the environment's fault; the summary then holds what was done before it.
func Run(ctx context.Context, opts Options) (*Summary, error) {
	opts.setDefaults()
	c := &campaign{opts: opts, start: time.Now(), summary: newSummary(), buckets: map[string]*Bucket{}}
	c.next.Store(opts.First)
	if opts.Dir != "" {
		store, err := triage.Open(opts.Dir)
		if err != nil {
			return c.summary, err
		}
		c.store = store
	}
	bounded, cancel := context.WithCancel(ctx)
	defer cancel()
	c.stop = cancel
	if opts.For > 0 {
		bounded, cancel = context.WithTimeout(bounded, opts.For)
		defer cancel()
	}
	before := cpuSeconds()
	err := c.runWorkers(bounded)
	c.finish(ctx, cpuSeconds()-before)
	return c.summary, err
}

// runWorkers runs the workers and the watcher of progress to their end.
func (c *campaign) runWorkers(ctx context.Context) error {
	errs := make([]error, c.opts.Jobs)
	var workers, watcher sync.WaitGroup
	done := make(chan struct{})
	watcher.Go(func() { c.watch(done) })
	for i := range errs {
		workers.Go(func() {
			if errs[i] = c.work(ctx); errs[i] != nil {
				c.stop()
			}
		})
	}
	workers.Wait()
	close(done)
	watcher.Wait()
	return errors.Join(errs...)
}

// take reserves the next batch: the indices first to first+n-1; n is 0 when the campaign is at its end.
func (c *campaign) take(ctx context.Context) (first uint64, n int) {
	if ctx.Err() != nil {
		return 0, 0
	}
	size := uint64(c.opts.Batch)
	first = c.next.Add(size) - size
	if c.opts.Count > 0 {
		end := c.opts.First + uint64(c.opts.Count)
		if first >= end {
			return 0, 0
		}
		size = min(size, end-first)
	}
	return first, int(size)
}

// watch reports progress and samples the rate until done is closed.
func (c *campaign) watch(done <-chan struct{}) {
	tick := time.NewTicker(progressPeriod)
	defer tick.Stop()
	lastSample, lastCompared, rate := time.Duration(0), int64(0), 0.0
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		elapsed := time.Since(c.start)
		if span := elapsed - lastSample; span >= samplePeriod {
			now := c.compared.Load()
			rate = float64(now-lastCompared) / span.Seconds()
			lastSample, lastCompared = elapsed, now
			c.mu.Lock()
			c.summary.Rates = append(c.summary.Rates, RateSample{elapsed.Seconds(), rate})
			c.mu.Unlock()
		}
		if c.opts.Progress != nil {
			c.opts.Progress(c.progress(elapsed, rate))
		}
	}
}

func (c *campaign) progress(elapsed time.Duration, rate float64) Progress {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := Progress{Elapsed: elapsed, Programs: c.programs.Load(), Compared: c.compared.Load(), Target: c.opts.Count, Rate: rate,
		Features: c.features.covered(), Known: feature.Count(), Buckets: len(c.buckets)}
	if c.opts.For > 0 {
		p.Left = max(0, c.opts.For-elapsed)
	}
	if left := c.opts.Count - p.Programs; c.opts.Count > 0 && p.Programs > 0 {
		byCount := time.Duration(float64(elapsed) * float64(left) / float64(p.Programs))
		if p.Left == 0 || byCount < p.Left {
			p.Left = max(0, byCount)
		}
	}
	return p
}

// finish completes the summary.
func (c *campaign) finish(ctx context.Context, cpu float64) {
	s := c.summary
	s.Seed, s.Profile, s.Jobs, s.Directory = c.opts.Seed, c.opts.Profile, c.opts.Jobs, c.opts.Dir
	s.Seconds = time.Since(c.start).Seconds()
	s.CPUSeconds = cpu
	s.Interrupted = ctx.Err() != nil
	s.MutantReached = c.reached
	if s.Programs > 0 {
		s.LongShare = float64(c.long) / float64(s.Programs)
	}
	if cpu > 0 {
		s.RatePerCore = float64(s.Compared) / cpu
	}
	for _, b := range c.buckets {
		s.Buckets = append(s.Buckets, *b)
	}
	s.sortBuckets()
	c.features.into(s)
}

// isNew reports whether no finding of the bucket was reported yet.
func (c *campaign) isNew(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.buckets[id] == nil
}

// report takes a finding in: it belongs to a bucket that is there, or makes one.
func (c *campaign) report(f *triage.Finding) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.summary.Differences++
	b := c.buckets[f.ID]
	isNew := b == nil
	if isNew {
		b = &Bucket{ID: f.ID, Kind: f.Kind, Signature: f.Signature, First: f}
		c.buckets[f.ID] = b
	}
	b.Count++
	b.Flaky = b.Flaky || f.IsFlaky()
	var err error
	if c.store != nil && b.Count <= triage.MaxOriginals {
		_, err = c.store.Add(f)
		b.Path = c.store.Path(f.ID)
	}
	if isNew && c.opts.Found != nil {
		c.opts.Found(*b)
	}
	if c.opts.Findings > 0 && len(c.buckets) >= c.opts.Findings {
		c.stop()
	}
	return err
}

// merge adds what a worker counted for one batch.
func (c *campaign) merge(batch *Summary, features *featureCounts) {
	c.programs.Add(batch.Programs)
	c.compared.Add(batch.Compared)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.summary.add(batch)
	c.features.add(features)
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
