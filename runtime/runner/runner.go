// Package runner builds the runtime and runs compiled programs.
//
// [Archive] returns the static library that gcc links into executables. A
// [Runner] runs machine code directly: it drives a process, made of the same
// sources and src/runner.c, which executes programs one after another in
// shared memory, recovers from everything they do, and says how each ended.
//
// What goes in are [Image] values: code already relocated for the addresses
// that [Runner.Layout] gives and linked against [Runner.Symbols]. What comes
// out are [Result] values. A program sees a stack filled anew, its own data, and a
// fresh thread block, whatever ran before it; an odd result is confirmed by
// [Runner.RunFresh], in a process where nothing ran before.
package runner

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"rokrig/runtime/abi"
)

// Image is one program, ready to run.
type Image struct {
	Code     []byte // machine code and constants; readable and executable, never writable
	CodeAddr uint64 // where Code goes, within the code region
	Data     []byte // initialised data; goes to the start of the data region
	BSS      int    // bytes of zeroes after Data
	Entry    uint64 // address of rok_main
	Module   uint64 // address of rok_module, or 0
	Symfile  []byte // for debuggers: an ELF file whose symbols and lines have Code's final addresses, or nil
}

// Layout says where a program's parts go.
type Layout struct {
	CodeBase, CodeSize uint64
	DataBase, DataSize uint64
	TPOff              int64 // offset of rok_tls from the thread pointer
}

// Limits bounds each program of a run. A field that is 0 takes its default.
type Limits struct {
	CPU    time.Duration // default 1 s; measured in steps of 5 ms
	Output int           // bytes on each of standard output and standard error; default 1 MiB
}

// Options choose a Runner.
type Options struct {
	Build  Build      // default Release
	Mutant abi.Mutant // deliberate bug of every Run; needs MutantBld
	Limits Limits
	// Visible makes programs visible to gdb, by its JIT interface. Each batch
	// then has a worker of its own.
	Visible bool
	// PerfMap leaves a MapFile for each worker, for perf. It needs Visible.
	PerfMap bool
	// Attach, if not nil, is called with the worker's process id before it runs
	// a batch. It needs Visible.
	Attach func(worker int) error
}

// Settings choose how the programs of one run are run.
type Settings struct {
	ForceYield bool       // the yield flag stays set: every poll takes the slow path and is counted
	Mutant     abi.Mutant // deliberate bug; needs MutantBld
	Fill       Fill       // what a program finds where it has written nothing yet
}

// Fill is a pattern in the stack below a program's entry and in the registers
// that a function need not preserve. A program that reads them before it
// has written them shows something else under the other pattern.
type Fill uint8

// The patterns. They have no bit in common.
const (
	FillA Fill = iota
	FillB
)

// fillBytes are repeated in all bytes of a word.
var fillBytes = [...]uint32{FillA: 0xa5, FillB: 0x5a}

// Result says how a program ended and what it showed.
type Result struct {
	Kind   abi.Ending
	Status int    // exit status that an executable would have, -1 if it would not exit by itself
	Stdout []byte // on OutputLimit, cut off at the limit
	Stderr []byte

	Signal    int    // Signal, StackOverflow, Died
	PC        uint64 // Signal, StackOverflow, Timeout: where the program was
	FaultAddr uint64 // Signal, StackOverflow: the address accessed, if it was an access
	Detail    string // for people: what exactly was wrong
	Registers []Register

	Polls         uint64 // polls that took the slow path
	CPU           time.Duration
	MutantReached bool // the place of the deliberate bug was reached
}

// Register is a register and its value at a fault or timeout.
type Register struct {
	Name  string
	Value uint64
}

// reforkAfter programs the worker is replaced even though nothing happened.
const reforkAfter = 4096

// Runner runs programs. It may be used by one goroutine at a time or many; runs
// do not overlap.
type Runner struct {
	mu        sync.Mutex
	options   Options
	proc      *process
	mem       *memory
	symbols   map[string]uint64
	tpOff     int64 // as the process gave it
	sinceFork int
	dirty     []extent // code written for the last batch
	visible   []Image  // of the batch, in a visible runner
	seen      int      // process id of the worker, in a visible runner
	mapError  error    // why a map file could not be written
}

// Open starts a runner process, building it if need be.
func Open(o Options) (*Runner, error) {
	if o.Build == "" {
		o.Build = Release
	}
	if o.Limits.CPU <= 0 {
		o.Limits.CPU = time.Second
	}
	if o.Limits.Output <= 0 {
		o.Limits.Output = 1 << 20
	}
	if o.Mutant != abi.NoMutant && o.Build != MutantBld {
		return nil, fmt.Errorf("runner: mutant %v needs build %q", o.Mutant, MutantBld)
	}
	files, err := build(o.Build)
	if err != nil {
		return nil, err
	}
	r := &Runner{options: o}
	if r.symbols, err = readSymbols(files.runner); err != nil {
		return nil, err
	}
	// The regions' addresses are fixed, the heap's is random: on the rare
	// clash the process says so and another one is tried.
	for try := 0; ; try++ {
		if r.mem, err = newMemory(o.Limits.Output, o.Visible); err != nil {
			return nil, err
		}
		r.proc, err = startProcess(files.runner, r.mem)
		if err == nil {
			r.tpOff = r.mem.header.TPOff
			if o.Visible {
				r.proc.born = r.named
			}
			return r, nil
		}
		r.mem.close()
		if try == 4 {
			return nil, err
		}
	}
}

// Layout returns the addresses for which code has to be relocated.
func (r *Runner) Layout() Layout {
	return Layout{
		CodeBase: codeBase, CodeSize: codeSize,
		DataBase: dataBase, DataSize: dataSize,
		TPOff: r.tpOff,
	}
}

// Symbols returns the addresses of the runtime's entry points and of rok_empty.
// The map is the caller's.
func (r *Runner) Symbols() map[string]uint64 {
	m := make(map[string]uint64, len(r.symbols))
	for name, at := range r.symbols {
		m[name] = at
	}
	return m
}

// Run runs the programs of batch with the mutant of the options and returns
// one result for each. An error means that an image is malformed or that the
// runner itself failed, never that a program misbehaved.
func (r *Runner) Run(batch []Image) ([]Result, error) {
	return r.RunWith(Settings{Mutant: r.options.Mutant}, batch)
}

// RunWith is Run with settings. Programs whose code overlaps, or that do not
// fit in at once, are run in several steps.
func (r *Runner) RunWith(s Settings, batch []Image) ([]Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.Mutant != abi.NoMutant && r.options.Build != MutantBld {
		return nil, fmt.Errorf("runner: mutant %v needs build %q", s.Mutant, MutantBld)
	}
	if r.proc == nil {
		return nil, fmt.Errorf("runner: closed")
	}
	for i := range batch {
		if err := batch[i].check(); err != nil {
			return nil, fmt.Errorf("runner: image %d: %w", i, err)
		}
	}
	results := make([]Result, len(batch))
	for at := 0; at < len(batch); {
		n := r.load(batch[at:])
		if r.options.Visible {
			if err := r.show(batch[at : at+n]); err != nil {
				return nil, err
			}
		}
		if err := r.execute(s, results[at:at+n]); err != nil {
			return nil, err
		}
		at += n
	}
	r.visible = nil
	return results, nil
}

// RunFresh runs one program in a worker that ran nothing before, and replaces
// that worker afterwards.
func (r *Runner) RunFresh(s Settings, image Image) (Result, error) {
	if err := r.refork(); err != nil {
		return Result{}, err
	}
	results, err := r.RunWith(s, []Image{image})
	if err != nil {
		return Result{}, err
	}
	return results[0], r.refork()
}

func (r *Runner) refork() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.proc == nil {
		return fmt.Errorf("runner: closed")
	}
	r.sinceFork = 0
	return r.proc.refork()
}

// Close ends the process. It may be called more than once.
func (r *Runner) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.proc == nil {
		return nil
	}
	err := r.proc.close()
	r.mem.close()
	r.proc = nil
	return err
}

// execute runs the entries that load has put into the requests. Whenever the
// worker ends before the last of them, the next worker goes on with the rest.
func (r *Runner) execute(s Settings, results []Result) error {
	r.writeHeader(s, len(results))
	if r.sinceFork += len(results); r.sinceFork > reforkAfter && !r.options.Visible {
		if err := r.proc.refork(); err != nil {
			return err
		}
		r.sinceFork = len(results)
	}
	var alone bool // the next entry runs in a worker of its own
	lost := 0      // rounds in a row that got nowhere
	for first := 0; first < len(results); {
		n, damaged, end, err := r.round(first, alone, results)
		if err != nil {
			return err
		}
		first += n
		alone = damaged && n == 0 && !alone
		if lost++; n > 0 {
			lost = 0
		}
		if lost < maxLost {
			continue
		}
		if end.status.ExitStatus() == abi.StatusSetup {
			return fmt.Errorf("runner: the worker does not start: %s%s", end.describe(), r.proc.stderr.String())
		}
		results[first] = end.result()
		first++
		lost = 0
	}
	return nil
}

// After maxLost rounds that got nowhere it is the next program's fault, or no
// worker can start. One such round may be the fault of the program before.
const maxLost = 3

func (r *Runner) writeHeader(s Settings, count int) {
	r.mem.layOut()
	h := r.mem.header
	h.Count = uint32(count)
	h.OutputLimit = uint64(r.options.Limits.Output)
	h.TickLimit = uint32((r.options.Limits.CPU + tickMicros*time.Microsecond - 1) / (tickMicros * time.Microsecond))
	h.ForceYield = 0
	if s.ForceYield {
		h.ForceYield = 1
	}
	h.Mutant = uint32(s.Mutant)
	h.Fill = fillBytes[s.Fill]
}

// round lets a worker run the entries from first on, or only that one if it is
// to be alone, and takes over their results. It returns how many there are,
// and whether a program has damaged something: then the worker is a new one.
func (r *Runner) round(first int, alone bool, results []Result) (n int, damaged bool, end batchEnd, err error) {
	h := r.mem.header
	h.First, h.Count, h.Tag = uint32(first), uint32(len(results)), rand.Uint64()
	if alone {
		h.Count = h.First + 1
	}
	for i := first; i < len(results); i++ {
		r.mem.results[i].State = stateIdle
	}
	end, err = r.proc.runBatch(r.mem, r.options.Limits.CPU)
	if err != nil {
		return 0, false, end, err
	}
	next, last := first, int(h.Count)
	for next < last && r.mem.results[next].State == stateComplete && r.mem.sealed(next) {
		results[next] = r.mem.result(next)
		next++
	}
	if next == last || !end.dead && next > first && r.mem.results[next].State == stateIdle {
		return next - first, false, end, nil // all, or all for which there was room
	}
	switch state := r.mem.results[next].State; {
	case state == stateRunning && end.dead:
		results[next] = end.result()
		next++
	case state == stateRunning || state != stateIdle && alone:
		results[next] = Result{Kind: abi.Died, Status: -1, Detail: wroteOver}
		next++
	}
	if !end.dead {
		err = r.proc.refork()
	}
	return next - first, true, end, err
}
