// Package bench measures. Everything is written in the Go benchmark format and read back through golang.org/x/perf, so that
// benchstat works on any file of ours.
//
// In: what to measure and how often. Out: a file of results, and their medians with intervals.
// Invariants: one run measures all that is compared with each other; a figure that was read back is the one that was
// written; times are CPU or wall seconds as the unit says, never mixed. What is timed is the code that campaigns run, on the
// programs that campaigns run. CPU time counts all that a core spends: garbage collection, GNU as, the runners.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"rokrig/fuzz/campaign"
	"rokrig/fuzz/subject"
	"rokrig/internal/version"
)

// RigOptions says what Rig measures.
type RigOptions struct {
	Seed     uint64
	Programs int64 // for each repetition
	Repeats  int
	Progress func(repeat int, p campaign.Progress)
}

// Names in what Rig writes, without Benchmark.
const (
	StagePrefix  = "Rig/stage="
	PathName     = "Rig/path"
	CampaignName = "Rig/all"
)

// Units of the rig's results.
const (
	WallUnit       = "ns/op"
	CPUUnit        = "cpu-ns/op"
	ProgramsUnit   = "programs/cpu-s"   // compared, per second of CPU of the rig and its runners
	StatementsUnit = "statements/cpu-s" // executed by the oracle in programs that were compared; by native code, once a configuration
	ExecutionUnit  = "cpu-us/execution" // of one program on one configuration, driver and runner together
	LinesUnit      = "lines/cpu-s"      // of those programs
	SizeUnit       = "lines/program"
)

// Rig measures on one core, one repetition after the other, and writes the Go benchmark format: what every stage takes for
// one program (Stages), all stages of a campaign together (PathName), and a campaign over the same programs, with its
// counting and keeping (CampaignName). It returns the rates of the campaigns over the time of all of them.
// Errors: a program on which a stage fails or configurations differ; the environment's; ctx cancelled.
func Rig(ctx context.Context, o RigOptions, w io.Writer) ([]campaign.RateSample, error) {
	if o.Programs < 1 || o.Repeats < 1 {
		return nil, fmt.Errorf("bench: %d programs, %d repetitions: at least one of each is needed", o.Programs, o.Repeats)
	}
	if _, err := fmt.Fprintf(w, "goos: %s\ngoarch: %s\npkg: rokrig\nrevision: %s\nseed: %d\n", runtime.GOOS, runtime.GOARCH, version.Revision(), o.Seed); err != nil {
		return nil, err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	g, err := newRig(o.Seed)
	if err != nil {
		return nil, err
	}
	rates, err := g.repeat(ctx, o, w)
	return rates, errors.Join(err, g.close())
}

// repeat measures stages and campaign by turns, after a short pass for which no result is written and that fills caches.
func (g *rig) repeat(ctx context.Context, o RigOptions, w io.Writer) (rates []campaign.RateSample, err error) {
	if err := g.pass(ctx, int(min(o.Programs, batchSize))); err != nil {
		return nil, err
	}
	elapsed := 0.0 // seconds of campaigns
	for repeat := range o.Repeats {
		if err := g.pass(ctx, int(o.Programs)); err != nil {
			return nil, err
		}
		if err := g.writeStages(w, o.Programs); err != nil {
			return nil, err
		}
		s, err := runCampaign(ctx, o, repeat)
		if err != nil {
			return nil, err
		}
		if err := writeCampaign(w, s); err != nil {
			return nil, err
		}
		rates = append(rates, ratesOf(s, elapsed)...)
		elapsed += s.Seconds
	}
	return rates, nil
}

// ratesOf is a campaign's rates over time, moved by its start; one that was too short for a sample has its mean.
func ratesOf(s *campaign.Summary, start float64) []campaign.RateSample {
	if len(s.Rates) == 0 {
		return []campaign.RateSample{{Seconds: start + s.Seconds, Rate: float64(s.Compared) / s.Seconds}}
	}
	rates := slices.Clone(s.Rates)
	for i := range rates {
		rates[i].Seconds += start
	}
	return rates
}

// runCampaign runs a campaign of nothing but comparing, on one worker.
func runCampaign(ctx context.Context, o RigOptions, repeat int) (*campaign.Summary, error) {
	s, err := campaign.Run(ctx, campaign.Options{Seed: o.Seed, Count: o.Programs, Jobs: 1, ExeEvery: -1, RejectEach: -1,
		Rotating: []subject.Config{}, Profile: "bench",
		Progress: func(p campaign.Progress) {
			if o.Progress != nil {
				o.Progress(repeat, p)
			}
		}})
	switch {
	case err != nil:
		return nil, err
	case s.Interrupted:
		return nil, context.Canceled
	case s.Compared == 0:
		return nil, errors.New("no program was compared")
	case len(s.Buckets) > 0:
		return nil, fmt.Errorf("there are findings, so that this measures nothing: %s", s.Buckets[0].Signature)
	}
	return s, nil
}

// writeStages writes the times of a pass over so many programs.
func (g *rig) writeStages(w io.Writer, programs int64) error {
	var b strings.Builder
	var path Span
	for i, s := range Stages {
		writeSpan(&b, StagePrefix+s.Name, programs, g.spans[i])
		fmt.Fprintf(&b, " %.0f %s", s.rate(g, g.spans[i]), s.unit())
		if s.Name == "execute" {
			executions := max(1, g.compared*len(g.configs))
			fmt.Fprintf(&b, " %.2f %s", float64(g.spans[i].CPU.Nanoseconds())/1e3/float64(executions), ExecutionUnit)
		}
		b.WriteByte('\n')
		if !s.Beside {
			path.add(g.spans[i])
		}
	}
	writeSpan(&b, PathName, programs, path)
	cpu := path.CPU.Seconds()
	fmt.Fprintf(&b, " %.2f %s %.0f %s %.0f %s\n", float64(g.compared)/cpu, ProgramsUnit,
		float64(g.work.statements)/cpu, StatementsUnit, float64(g.work.lines)/cpu, LinesUnit)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeSpan(b *strings.Builder, name string, programs int64, s Span) {
	n := float64(programs)
	fmt.Fprintf(b, "Benchmark%s %d %.1f %s %.1f %s", name, programs, float64(s.Wall.Nanoseconds())/n, WallUnit, float64(s.CPU.Nanoseconds())/n, CPUUnit)
}

// writeCampaign writes what a campaign did.
func writeCampaign(w io.Writer, s *campaign.Summary) error {
	n := float64(s.Programs)
	_, err := fmt.Fprintf(w, "Benchmark%s %d %.1f %s %.1f %s %.2f %s %.0f %s %.2f %s\n", CampaignName, s.Programs,
		s.Seconds*1e9/n, WallUnit, s.CPUSeconds*1e9/n, CPUUnit, s.RatePerCore, ProgramsUnit,
		float64(s.Statements)/s.CPUSeconds, StatementsUnit, float64(s.Lines)/float64(s.Compared), SizeUnit)
	return err
}
