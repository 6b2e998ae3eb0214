package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rokrig/compiler/core"
	"rokrig/compiler/link"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/compiler/x64"
	"rokrig/fuzz/campaign"
	"rokrig/fuzz/gen"
	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
	"rokrig/oracle/interp"
	"rokrig/runtime/runner"
)

// batchSize is how many programs go through a stage together, as in a campaign.
const batchSize = 32

// Stage is a step on a program's way, or one beside it.
type Stage struct {
	Name   string
	What   string
	Beside bool // campaigns do without it, or do it for a few programs only
	run    func(*rig, context.Context) error
}

// Stages lists them in the order in which a program passes them.
var Stages = []Stage{
	{"gen", "choices to program text", false, (*rig).generate},
	{"parse", "text to tree", false, (*rig).parse},
	{"print", "tree to text", true, (*rig).print},
	{"check", "tree to checked tree", false, (*rig).check},
	{"interp", "the oracle's run", false, (*rig).interpret},
	{"core", "checked tree to core", false, (*rig).lower},
	{"x64", "core to instructions", false, (*rig).emit},
	{"verify", "verifiers of core and instructions", true, (*rig).verify},
	{"encode", "instructions to machine code", false, (*rig).encode},
	{"text", "instructions to assembly", true, (*rig).text},
	{"as", "assembly to object file, by GNU as", true, (*rig).assemble},
	{"load", "machine code to the runners' addresses", false, (*rig).load},
	{"execute", "native runs on every configuration", false, (*rig).execute},
	{"compare", "outcomes to verdicts", false, (*rig).compare},
}

// StageNamed finds a stage; the zero Stage if there is none of that name.
func StageNamed(name string) Stage {
	for _, s := range Stages {
		if s.Name == name {
			return s
		}
	}
	return Stage{}
}

// executes tells whether a stage runs programs, so that statements rather than lines are its work.
func (s Stage) executes() bool { return s.Name == "interp" || s.Name == "execute" }

func (s Stage) unit() string {
	if s.executes() {
		return StatementsUnit
	}
	return LinesUnit
}

// rate is the work of a stage's unit per second of CPU. Native code executes every statement once a configuration.
func (s Stage) rate(g *rig, took Span) float64 {
	amount := float64(g.work.lines)
	switch s.Name {
	case "interp":
		amount = float64(g.work.statements)
	case "execute":
		amount = float64(g.work.statements) * float64(len(g.configs))
	}
	return amount / max(took.CPU, 1).Seconds()
}

// rig runs batches through the stages. What a stage makes is the next one's input.
type rig struct {
	seed    uint64
	configs []subject.Config
	runners map[runner.Build]*runner.Runner
	places  map[runner.Build]*link.Runtime
	machine interp.Machine
	native  time.Duration // CPU time in the runners, of the stage at hand

	// Of the pass at hand.
	spans    []Span // by place in Stages
	work     work
	compared int

	// Of the batch.
	first    uint64
	size     int
	programs []*item
}

// work is how much the programs of a pass are, of those that the oracle finished.
type work struct {
	programs   int
	lines      int
	statements int64 // that the oracle executed
}

// item is a program on its way.
type item struct {
	text    string
	file    *source.File
	tree    *syntax.File
	printed string
	lines   int
	core    *core.Module
	code    *x64.Program
	object  *x64.Object
	asm     []byte
	images  map[runner.Build]runner.Image
	c       subject.Case
}

// newRig starts a runner for each build that campaigns use.
func newRig(seed uint64) (*rig, error) {
	g := &rig{seed: seed, runners: map[runner.Build]*runner.Runner{}, places: map[runner.Build]*link.Runtime{}, configs: campaign.DefaultConfigs()}
	if err := g.open(); err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

func (g *rig) open() error {
	for _, cfg := range g.configs {
		build := runner.Build(cfg.Build())
		if g.runners[build] != nil {
			continue
		}
		limits := runner.Limits{CPU: subject.DefaultNativeCPU, Output: subject.DefaultOutput}
		r, err := runner.Open(runner.Options{Build: build, Limits: limits})
		if err != nil {
			return err
		}
		g.runners[build] = r
		if g.places[build], err = link.NewRuntime(r.Layout(), r.Symbols()); err != nil {
			return err
		}
	}
	return nil
}

func (g *rig) close() error {
	var errs []error
	for _, r := range g.runners {
		errs = append(errs, r.Close())
	}
	return errors.Join(errs...)
}

// pass takes programs 0 to n-1 through the stages, a batch at a time.
func (g *rig) pass(ctx context.Context, n int) error {
	g.spans, g.work, g.compared = make([]Span, len(Stages)), work{}, 0
	for first := 0; first < n; first += batchSize {
		if err := g.batch(ctx, uint64(first), min(batchSize, n-first)); err != nil {
			return err
		}
	}
	return nil
}

// batch takes programs first to first+n-1 through every stage.
func (g *rig) batch(ctx context.Context, first uint64, n int) error {
	g.first, g.size, g.programs = first, n, nil
	for i, s := range Stages {
		if err := ctx.Err(); err != nil {
			return err
		}
		g.native = 0
		span, err := Measure(func() error { return s.run(g, ctx) })
		if err != nil {
			return fmt.Errorf("bench: stage %s: programs %d to %d of seed %d: %w", s.Name, first, first+uint64(n)-1, g.seed, err)
		}
		span.CPU += g.native
		g.spans[i].add(span)
	}
	return nil
}

func (g *rig) generate(context.Context) error {
	for i := range uint64(g.size) {
		p := gen.Program(gen.New(gen.ProgramSeed(g.seed, g.first+i)), gen.Options{})
		g.programs = append(g.programs, &item{text: p.Text, lines: p.Stats.Lines, c: subject.Case{Name: campaign.CaseName, Text: p.Text, Index: g.first + i}})
	}
	return nil
}

func (g *rig) parse(context.Context) error {
	for _, p := range g.programs {
		p.file = source.NewFile(campaign.CaseName, p.text)
		diags := &source.Diagnostics{File: p.file}
		p.tree = syntax.Parse(p.file, diags, syntax.Options{})
		if diags.HasErrors() {
			return fmt.Errorf("%s", diags)
		}
	}
	return nil
}

func (g *rig) print(context.Context) error {
	for _, p := range g.programs {
		p.printed = syntax.PrintFile(p.tree)
	}
	return nil
}

func (g *rig) check(context.Context) error {
	for _, p := range g.programs {
		diags := &source.Diagnostics{File: p.file}
		if p.c.Checked = types.Check(p.tree, diags, types.Options{}); p.c.Checked == nil {
			return fmt.Errorf("%s", diags)
		}
	}
	return nil
}

// interpret runs the oracle. Programs that it cannot finish end here, as in a campaign.
func (g *rig) interpret(context.Context) error {
	finished := g.programs[:0]
	for _, p := range g.programs {
		g.machine.Load(p.c.Checked, interp.Options{Fuel: subject.DefaultFuel, MaxOutput: subject.DefaultOutput})
		p.c.Oracle = g.machine.Run()
		p.c.Polls, p.c.Statements = g.machine.Polls(), g.machine.Statements()
		if p.c.Oracle.Kind.IsFault() {
			return fmt.Errorf("%s", p.c.Oracle.Detail)
		}
		if p.c.Oracle.Kind.IsFinished() {
			finished = append(finished, p)
			g.work.programs++
			g.work.statements += p.c.Statements
			g.work.lines += p.lines
		}
	}
	g.programs = finished
	return nil
}

func (g *rig) lower(context.Context) error {
	for _, p := range g.programs {
		p.core = core.Lower(p.c.Checked, core.Options{})
	}
	return nil
}

func (g *rig) emit(context.Context) error {
	for _, p := range g.programs {
		p.code = x64.Emit(p.core, x64.Options{})
	}
	return nil
}

func (g *rig) verify(context.Context) error {
	for _, p := range g.programs {
		if err := errors.Join(errors.Join(core.Verify(p.core)...), x64.Verify(p.code)); err != nil {
			return err
		}
	}
	return nil
}

func (g *rig) encode(context.Context) error {
	for _, p := range g.programs {
		p.object = p.code.Assemble()
	}
	return nil
}

func (g *rig) text(context.Context) error {
	for i, p := range g.programs {
		p.asm = p.code.AppendText(nil, x64.TextOptions{Prefix: prefix(i)})
	}
	return nil
}

func prefix(i int) string { return fmt.Sprintf("p%d", i) }

func (g *rig) assemble(ctx context.Context) error {
	programs := make([]link.Program, len(g.programs))
	for i, p := range g.programs {
		programs[i] = link.Program{Prefix: prefix(i), Text: p.asm}
	}
	_, err := link.Assemble(ctx, programs)
	return err
}

// load binds the programs to the addresses of each runner.
func (g *rig) load(context.Context) error {
	objects := make([]*x64.Object, len(g.programs))
	for i, p := range g.programs {
		objects[i] = p.object
		p.images = map[runner.Build]runner.Image{}
	}
	for build, at := range g.places {
		images, err := link.Place(objects, at)
		if err != nil {
			return err
		}
		for i, p := range g.programs {
			p.images[build] = images[i]
		}
	}
	return nil
}

// execute runs the programs on every configuration. The runners' CPU time comes from them: their processes go on.
func (g *rig) execute(context.Context) error {
	images := make([]runner.Image, len(g.programs))
	for _, cfg := range g.configs {
		build := runner.Build(cfg.Build())
		for i, p := range g.programs {
			images[i] = p.images[build]
		}
		results, err := g.runners[build].RunWith(runner.Settings{ForceYield: cfg.ForcePolls(), Fill: cfg.Fill()}, images)
		if err != nil {
			return err
		}
		for i, r := range results {
			g.native += r.CPU
			run := subject.Run{Config: cfg, Outcome: subject.NativeOutcome(r), Polls: -1}
			if cfg.ForcePolls() {
				run.Polls = int64(r.Polls)
			}
			g.programs[i].c.Runs = append(g.programs[i].c.Runs, run)
		}
	}
	return nil
}

// compare judges the runs. A difference is no benchmark result but a finding.
func (g *rig) compare(context.Context) error {
	for _, p := range g.programs {
		f, wasted := triage.Examine(&p.c)
		switch {
		case f != nil:
			return fmt.Errorf("program %d: %s", p.c.Index, f.Signature)
		case wasted == "":
			g.compared++
		}
	}
	return nil
}
