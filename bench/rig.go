// Package bench measures. Everything is written in the Go benchmark format and read back through golang.org/x/perf, so that
// benchstat works on any file of ours.
//
// In: what to measure and how often. Out: a file of results, and their medians with intervals.
// Invariants: one run measures all that is compared with each other; a figure that was read back is the one that was
// written; times are CPU or wall seconds as the unit says, never mixed.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"

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

// rigName is the name of the benchmark; its stages are sub-benchmarks.
const rigName = "BenchmarkRig"

// Units of the rig's results beside ns/op.
const (
	programsUnit   = "programs/cpu-s"   // compared, per second of CPU of the rig and its runners
	statementsUnit = "statements/cpu-s" // executed by the oracle in programs that were compared
	linesUnit      = "lines/program"
)

// Rig runs campaigns on one worker and writes, for each repetition, what every stage took for one program and the rate of
// the whole, in the Go benchmark format. It returns the rates over time of the last one.
func Rig(ctx context.Context, o RigOptions, w io.Writer) ([]campaign.RateSample, error) {
	if _, err := fmt.Fprintf(w, "pkg: rokrig\nrevision: %s\nseed: %d\n", version.Revision(), o.Seed); err != nil {
		return nil, err
	}
	var rates []campaign.RateSample
	for repeat := range o.Repeats {
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
		if err := writeRig(w, s); err != nil {
			return nil, err
		}
		rates = s.Rates
	}
	return rates, nil
}

// writeRig writes one repetition.
func writeRig(w io.Writer, s *campaign.Summary) error {
	stages := make([]string, 0, len(s.Stages))
	for name := range s.Stages {
		stages = append(stages, name)
	}
	sort.Strings(stages)
	var b strings.Builder
	for _, name := range stages {
		fmt.Fprintf(&b, "%s/stage=%s %d %.1f ns/op\n", rigName, name, s.Programs, s.Stages[name]*1e9/float64(s.Programs))
	}
	fmt.Fprintf(&b, "%s/all %d %.1f ns/op %.2f %s %.0f %s %.2f %s\n", rigName, s.Programs,
		s.Seconds*1e9/float64(s.Programs), s.RatePerCore, programsUnit,
		float64(s.Statements)/s.CPUSeconds, statementsUnit, float64(s.Lines)/float64(s.Compared), linesUnit)
	_, err := io.WriteString(w, b.String())
	return err
}

// Figure is the summary of one unit of one benchmark over its repetitions.
type Figure struct {
	Name   string
	Unit   string
	Median float64
	Lo, Hi float64 // interval at 95%, or the range where there are too few repetitions for one
	N      int
	Warn   []string
}

// Read reads results in the Go benchmark format and summarises them, in the order of their first appearance. An error
// names the line that is no result.
func Read(r io.Reader, name string) ([]Figure, error) {
	type key struct{ name, unit string }
	var order []key
	values := map[key][]float64{}
	reader := benchfmt.NewReader(r, name)
	for reader.Scan() {
		switch rec := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, rec
		case *benchfmt.Result:
			for _, v := range rec.Values {
				k := key{string(rec.Name.Full()), v.Unit}
				value := v.Value
				if v.OrigUnit != "" {
					k.unit, value = v.OrigUnit, v.OrigValue
				}
				if values[k] == nil {
					order = append(order, k)
				}
				values[k] = append(values[k], value)
			}
		}
	}
	if err := reader.Err(); err != nil {
		return nil, err
	}
	if len(order) == 0 {
		return nil, fmt.Errorf("%s: no benchmark results", name)
	}
	figures := make([]Figure, len(order))
	for i, k := range order {
		sample := benchmath.NewSample(values[k], &benchmath.DefaultThresholds)
		s := benchmath.AssumeNothing.Summary(sample, 0.95)
		figures[i] = Figure{Name: k.name, Unit: k.unit, Median: s.Center, Lo: s.Lo, Hi: s.Hi, N: len(values[k])}
		for _, w := range s.Warnings {
			figures[i].Warn = append(figures[i].Warn, w.Error())
		}
	}
	return figures, nil
}

// PerProgram is a figure of ns/op as a duration.
func (f Figure) PerProgram() time.Duration { return time.Duration(f.Median) }
