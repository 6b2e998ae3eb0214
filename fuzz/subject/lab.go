package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"rokrig/compiler"
	"rokrig/compiler/link"
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/compiler/x64"
	"rokrig/oracle/interp"
	"rokrig/oracle/outcome"
	"rokrig/runtime/abi"
	"rokrig/runtime/runner"
)

// Case is a program on its way through oracle and configurations. What a stage finds out stays in it for the next.
type Case struct {
	Name  string // of the file, in messages
	Text  string
	Index uint64 // in its campaign
	Plain bool   // runs on the oracle without LabOptions.Observe, which takes time
	Fuel  int64  // of the oracle; 0: the lab's

	Tree       *syntax.File   // what Checked was made of
	Checked    *types.Program // nil when the front end reported errors or broke down, and after Lab.Release
	Oracle     outcome.Outcome
	Polls      int64 // the oracle's function entries and back edges
	Statements int64 // that the oracle executed
	Regions    []uint64
	Runs       []Run

	object *x64.Object // the machine code; nil until it is made
	fault  error       // why it could not be
}

// Run is what one configuration showed.
type Run struct {
	Config  Config
	Outcome outcome.Outcome
	Polls   int64 // safepoint polls that took the slow path; -1 when they were not counted
}

// Stage is a part of the work whose time is kept apart.
type Stage string

// The stages, in the order in which a program passes them.
const (
	FrontStage    Stage = "front"
	OracleStage   Stage = "oracle"
	CompileStage  Stage = "compile"
	EncodeStage   Stage = "encode"
	AssembleStage Stage = "as"
	LoadStage     Stage = "load"
	RunStage      Stage = "run"
	LinkStage     Stage = "gcc"
)

// LabOptions says how programs are run. The zero value is the ordinary run.
type LabOptions struct {
	Mutant  string                          // the deliberate bug that is on; "" for none
	Verify  bool                            // run the compiler's verifiers
	Fuel    int64                           // of the oracle; 0: DefaultFuel
	CPU     time.Duration                   // of a native run; 0: DefaultNativeCPU
	Output  int                             // bytes of standard output, of the oracle and of a native run in a runner; 0: DefaultOutput
	Observe func(region int, n interp.Node) // see interp.Options

	// What makes programs visible to gdb and perf; see runner.Options.
	Visible, PerfMap bool
	Attach           func(worker int) error
}

// The limits under which programs are compared. A program that the oracle cannot finish within them is wasted; the native
// limits are far above, so that reaching one of them is a finding for every small program.
const (
	DefaultFuel      = 2_000_000
	DefaultOutput    = 1 << 20
	DefaultNativeCPU = 2 * time.Second
)

// Lab runs cases. It belongs to one goroutine; runner processes are started when a configuration first needs them.
type Lab struct {
	opts     LabOptions
	plan     *mutant.Plan // a mutant of Go code
	runtime  abi.Mutant   // a mutant of the C runtime
	machine  interp.Machine
	memory   compiler.Memory // of the case at hand
	brief    *Case           // whose tree is in memory
	runners  map[runner.Build]*runner.Runner
	places   map[runner.Build]*link.Runtime
	reached  bool
	children time.Duration // CPU time that programs used in runners
	Spent    map[Stage]time.Duration
}

// NewLab makes a lab. An error names a mutant that does not exist.
func NewLab(opts LabOptions) (*Lab, error) {
	l := &Lab{opts: opts, runners: map[runner.Build]*runner.Runner{}, places: map[runner.Build]*link.Runtime{}, Spent: map[Stage]time.Duration{}}
	if l.opts.Fuel == 0 {
		l.opts.Fuel = DefaultFuel
	}
	if l.opts.CPU == 0 {
		l.opts.CPU = DefaultNativeCPU
	}
	if l.opts.Output == 0 {
		l.opts.Output = DefaultOutput
	}
	if opts.Mutant == "" {
		return l, nil
	}
	if m, err := abi.ParseMutant(opts.Mutant); err == nil {
		l.runtime = m
		return l, nil
	}
	plan, err := mutant.New(opts.Mutant)
	l.plan = plan
	return l, err
}

// Close ends the runner processes.
func (l *Lab) Close() error {
	var errs []error
	for _, r := range l.runners {
		errs = append(errs, r.Close())
	}
	l.runners = map[runner.Build]*runner.Runner{}
	return errors.Join(errs...)
}

// MutantReached reports whether the place of the lab's mutant was reached in any case so far.
func (l *Lab) MutantReached() bool { return l.reached || l.plan.Reached() }

// spend books the time since start under a stage.
func (l *Lab) spend(s Stage, start time.Time) { l.Spent[s] += time.Since(start) }

// Interpret checks a case and runs it on the oracle. With diagnostics, or a front end that broke down, Oracle says so
// and Checked stays nil.
func (l *Lab) Interpret(c *Case) {
	if l.Check(c) {
		l.Execute(c)
	}
}

// Execute runs a case that Check has accepted on the oracle.
func (l *Lab) Execute(c *Case) {
	start := time.Now()
	opts := interp.Options{Fuel: cmp.Or(c.Fuel, l.opts.Fuel), MaxOutput: l.opts.Output}
	if !c.Plain {
		opts.Observe = l.opts.Observe
	}
	if l.plan != nil && l.plan.Info().Area == mutant.Interpreter {
		opts.Mutant = l.interpMutant
	}
	l.machine.Load(c.Checked, opts)
	c.Oracle = l.machine.Run()
	c.Polls, c.Statements = l.machine.Polls(), l.machine.Statements()
	c.Regions = l.machine.Regions()
	l.spend(OracleStage, start)
}

// interpMutant answers the interpreter's question; asking is reaching.
func (l *Lab) interpMutant(name string) bool {
	on := name == l.opts.Mutant
	l.reached = l.reached || on
	return on
}

// Check runs the front end on a case. It reports whether the program was accepted; otherwise Oracle tells why not.
func (l *Lab) Check(c *Case) bool { return l.check(c, l.compileOptions()) }

// CheckBriefly is Check for one of many cases: its trees stand in memory that the next CheckBriefly uses again. They are
// gone after that, or after Release.
func (l *Lab) CheckBriefly(c *Case) bool {
	l.forget()
	opts := l.compileOptions()
	opts.Memory = &l.memory
	l.brief = c
	return l.check(c, opts)
}

func (l *Lab) check(c *Case, opts compiler.Options) bool {
	start := time.Now()
	defer func() { l.spend(FrontStage, start) }()
	c.object, c.fault = nil, nil
	result, err := compiler.Check(source.NewFile(c.Name, c.Text), opts)
	if err != nil {
		c.Oracle = faultOutcome(err)
		return false
	}
	c.Tree, c.Checked = result.Tree, result.Checked
	return true
}

// forget takes back the memory of the case that CheckBriefly checked.
func (l *Lab) forget() {
	if l.brief != nil {
		l.brief.Tree, l.brief.Checked, l.brief = nil, nil, nil
		l.memory.Reset()
	}
}

// Release makes a case's machine code if there is none yet, and lets go of the trees if CheckBriefly made them.
func (l *Lab) Release(c *Case) {
	opts := l.compileOptions()
	if l.brief == c {
		opts.Memory = &l.memory
	}
	l.encode(c, opts)
	if l.brief == c {
		l.forget()
	}
}

// tree returns a case's checked tree, which is made again if the case was released; nil if the program is not accepted.
func (l *Lab) tree(c *Case) *types.Program {
	if c.Checked == nil {
		again := &Case{Name: c.Name, Text: c.Text}
		l.Check(again)
		c.Tree, c.Checked = again.Tree, again.Checked
	}
	return c.Checked
}

// code compiles a case to instructions.
func (l *Lab) code(c *Case, opts compiler.Options) (*x64.Program, error) {
	start := time.Now()
	defer func() { l.spend(CompileStage, start) }()
	opts.StopAfter = compiler.X64
	tree := l.tree(c)
	if tree == nil {
		return nil, fmt.Errorf("%s was accepted before and is not any more", c.Name)
	}
	result, err := compiler.CompileChecked(tree, opts)
	return result.Code, err
}

// encode makes a case's machine code if there is none yet. A compiler that breaks down is the case's fault.
func (l *Lab) encode(c *Case, opts compiler.Options) {
	if c.object != nil || c.fault != nil {
		return
	}
	code, err := l.code(c, opts)
	if c.fault = err; err != nil {
		return
	}
	start := time.Now()
	c.object = code.Assemble()
	l.spend(EncodeStage, start)
}

func (l *Lab) compileOptions() compiler.Options {
	return compiler.Options{Mutant: l.plan, Verify: l.opts.Verify}
}

// faultOutcome is the outcome of a program that the compiler did not take.
func faultOutcome(err error) outcome.Outcome {
	var diags *compiler.DiagnosticsError
	if errors.As(err, &diags) {
		first := diags.Diagnostics.Errors()[0]
		file := diags.Diagnostics.File
		at := file.Position(first.Span.Start)
		return outcome.Outcome{Kind: outcome.Rejected, Status: 2, Line: fmt.Sprintf("%s:%d:%d: error: %s", file.Name, at.Line, at.Col, first.Message)}
	}
	return outcome.Outcome{Kind: outcome.CompilerPanic, Status: 3, Detail: err.Error()}
}

// Compare runs cases that the oracle has run on the given configurations and appends to their Runs. An error is the
// environment's fault; a program's or the compiler's stands in the Runs.
func (l *Lab) Compare(ctx context.Context, cases []*Case, configs []Config) error {
	ready := l.compile(cases, configs)
	if len(ready) == 0 {
		return nil
	}
	made := map[imagesKey][]runner.Image{}
	for _, cfg := range configs {
		if cfg.Executable() {
			for _, c := range ready {
				if err := l.runLinked(ctx, c, cfg); err != nil {
					return err
				}
			}
			continue
		}
		key := imagesKey{l.build(cfg), cfg.Assembled()}
		if made[key] == nil {
			images, err := l.images(ctx, ready, key)
			if err != nil {
				return err
			}
			made[key] = images
		}
		start := time.Now()
		results, err := l.runners[key.build].RunWith(l.settings(cfg), made[key])
		if err != nil {
			return err
		}
		l.spend(RunStage, start)
		for i, r := range results {
			ready[i].Runs = append(ready[i].Runs, l.newRun(cfg, r))
		}
	}
	return nil
}

// imagesKey says for which runner, and by which assembler, images are made.
type imagesKey struct {
	build     runner.Build
	assembled bool
}

// compile makes the code of every case that has none yet and returns those for which that went well. A compiler that
// breaks down is the outcome of every configuration.
func (l *Lab) compile(cases []*Case, configs []Config) []*Case {
	ready := make([]*Case, 0, len(cases))
	for _, c := range cases {
		l.encode(c, l.compileOptions())
		if c.fault != nil {
			for _, cfg := range configs {
				c.Runs = append(c.Runs, Run{cfg, faultOutcome(c.fault), -1})
			}
			continue
		}
		ready = append(ready, c)
	}
	return ready
}

// images makes the images of cases for a runner, which it starts if need be.
func (l *Lab) images(ctx context.Context, cases []*Case, key imagesKey) ([]runner.Image, error) {
	if err := l.open(key.build); err != nil {
		return nil, err
	}
	if key.assembled {
		return l.assembled(ctx, cases, key.build)
	}
	objects := make([]*x64.Object, len(cases))
	for i, c := range cases {
		objects[i] = c.object
	}
	start := time.Now()
	defer func() { l.spend(LoadStage, start) }()
	images, err := link.Place(objects, l.places[key.build])
	if err == nil && l.opts.Visible {
		err = l.makeVisible(ctx, cases, images, l.places[key.build])
	}
	return images, err
}

// makeVisible gives every image what a debugger reads.
func (l *Lab) makeVisible(ctx context.Context, cases []*Case, images []runner.Image, at *link.Runtime) error {
	for i, c := range cases {
		code, err := l.code(c, l.compileOptions())
		if err != nil {
			return err
		}
		text := code.AppendText(nil, x64.TextOptions{Lines: true})
		if images[i].Symfile, err = at.Symfile(ctx, text, &images[i]); err != nil {
			return err
		}
	}
	return nil
}

// assembled makes images by one run of GNU as.
func (l *Lab) assembled(ctx context.Context, cases []*Case, build runner.Build) ([]runner.Image, error) {
	programs := make([]link.Program, len(cases))
	for i, c := range cases {
		code, err := l.code(c, l.compileOptions())
		if err != nil {
			return nil, err
		}
		name := "p" + strconv.Itoa(i)
		programs[i] = link.Program{Prefix: name, Text: code.AppendText(nil, x64.TextOptions{Prefix: name})}
	}
	start := time.Now()
	defer func() { l.spend(AssembleStage, start) }()
	object, err := link.Assemble(ctx, programs)
	if err != nil {
		return nil, err
	}
	return object.Load(l.runners[build].Layout(), l.runners[build].Symbols())
}

// open starts a build's runner if it does not run yet.
func (l *Lab) open(build runner.Build) error {
	if l.runners[build] != nil {
		return nil
	}
	r, err := runner.Open(runner.Options{Build: build, Limits: runner.Limits{CPU: l.opts.CPU, Output: l.opts.Output},
		Visible: l.opts.Visible, PerfMap: l.opts.PerfMap, Attach: l.opts.Attach})
	if err != nil {
		return err
	}
	l.runners[build] = r
	if l.places[build], err = link.NewRuntime(r.Layout(), r.Symbols()); err == nil {
		l.places[build].Mutant = l.plan
	}
	return err
}

// build is the runtime build of a configuration; a mutant of the runtime needs the build that has it.
func (l *Lab) build(cfg Config) runner.Build {
	if l.runtime != abi.NoMutant {
		return runner.MutantBld
	}
	return runner.Build(cfg.Build())
}

func (l *Lab) settings(cfg Config) runner.Settings {
	return runner.Settings{ForceYield: cfg.ForcePolls(), Mutant: l.runtime, Fill: cfg.Fill()}
}

// newRun turns a runner's result into what a configuration showed.
func (l *Lab) newRun(cfg Config, r runner.Result) Run {
	l.reached = l.reached || r.MutantReached
	l.children += r.CPU
	run := Run{Config: cfg, Outcome: NativeOutcome(r), Polls: -1}
	if cfg.ForcePolls() {
		run.Polls = int64(r.Polls)
	}
	return run
}

// Confirm runs a case on one configuration in a process in which nothing ran before.
func (l *Lab) Confirm(ctx context.Context, c *Case, cfg Config) (Run, error) {
	if cfg.Executable() {
		again := *c
		again.Runs = nil
		if err := l.Compare(ctx, []*Case{&again}, []Config{cfg}); err != nil {
			return Run{}, err
		}
		return again.Runs[0], nil
	}
	again := *c
	again.Runs, again.object, again.fault = nil, nil, nil
	if len(l.compile([]*Case{&again}, []Config{cfg})) == 0 {
		return again.Runs[0], nil
	}
	build := l.build(cfg)
	images, err := l.images(ctx, []*Case{&again}, imagesKey{build, cfg.Assembled()})
	if err != nil {
		return Run{}, err
	}
	r, err := l.runners[build].RunFresh(l.settings(cfg), images[0])
	return l.newRun(cfg, r), err
}

// Asm compiles a case to the text that a person reads: plain symbols, with lines. "" when the compiler breaks down.
func (l *Lab) Asm(c *Case) string {
	opts := l.compileOptions()
	opts.Debug = true
	tree := l.tree(c)
	if tree == nil {
		return ""
	}
	result, err := compiler.CompileChecked(tree, opts)
	if err != nil {
		return ""
	}
	return string(result.Text)
}
