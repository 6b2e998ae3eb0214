package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rokrig/bench"
	"rokrig/fuzz/campaign"
	"rokrig/fuzz/triage"
	"rokrig/reports"
	"rokrig/reports/plot"
)

// benchResult is the documented JSON of `rokrig bench --json`.
type benchResult struct {
	Results map[string]map[string]float64 `json:"results"` // name -> unit -> median
	Ratios  map[string]float64            `json:"ratios"`  // stage -> share of the time of all stages
	figures []bench.Figure
}

func newBenchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "bench",
		Short:   "Measure the rig",
		Example: `  rokrig bench rig --count 5 -o new.txt`,
	}
	cmd.AddCommand(newBenchRigCommand())
	return cmd
}

func newBenchRigCommand() *cobra.Command {
	var o bench.RigOptions
	var out, picture string
	cmd := &cobra.Command{
		Use:   "rig",
		Short: "Measure how many programs the rig compares, by stage",
		Long: `Run campaigns on one worker and measure what each stage takes for a program, and how many programs are compared per
second of CPU, the runners' included. The results are written in the Go benchmark format, so that benchstat compares files.`,
		Example: `  rokrig bench rig --count 5 -o new.txt --plot throughput.svg
  benchstat old.txt new.txt`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Programs <= 0 || o.Repeats <= 0 {
				return exitWith(statusUsage, errors.New("--programs and --count take positive numbers"))
			}
			return runBenchRig(cmd, o, out, picture)
		},
	}
	flags := cmd.Flags()
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of the programs")
	flags.Int64Var(&o.Programs, "programs", 4000, "programs of one repetition")
	flags.IntVar(&o.Repeats, "count", 6, "repetitions (an interval needs six)")
	flags.StringVarP(&out, "out", "o", "", "write the results to this file too")
	flags.StringVar(&picture, "plot", "", "draw the last repetition's throughput to this .svg or .png file")
	return cmd
}

func runBenchRig(cmd *cobra.Command, o bench.RigOptions, out, picture string) error {
	line := reports.NewProgress(cmd.ErrOrStderr())
	o.Progress = func(repeat int, p campaign.Progress) {
		line.Update(fmt.Sprintf("repetition %d of %d: %s", repeat+1, o.Repeats, progressText(p)))
	}
	var text bytes.Buffer
	rates, err := bench.Rig(cmd.Context(), o, &text)
	line.Close()
	if cmd.Context().Err() != nil {
		return exitWith(statusInterrupted, errors.New("interrupted: a part of a measurement is none"))
	}
	if err != nil {
		return err
	}
	if out != "" {
		if err := triage.WriteFile(out, text.Bytes()); err != nil {
			return err
		}
	}
	if picture != "" {
		if err := drawRates(picture, rates); err != nil {
			return err
		}
	}
	figures, err := bench.Read(&text, "results")
	if err != nil {
		return err
	}
	r := newBenchResult(figures)
	return show(cmd, r, r.table().Terminal)
}

// drawRates draws a throughput picture in the format of the file's name.
func drawRates(path string, rates []campaign.RateSample) error {
	fig, err := throughputFigure(rates)
	if err != nil {
		return err
	}
	write := map[string]func(io.Writer) error{".svg": fig.SVG, ".png": fig.PNG}[filepath.Ext(path)]
	if write == nil {
		return exitWith(statusUsage, fmt.Errorf("%s: a picture is .svg or .png", path))
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o666)
}

// throughputFigure draws the rate of comparing over time.
func throughputFigure(rates []campaign.RateSample) (*plot.Figure, error) {
	series := plot.Series{Name: "compared"}
	for _, s := range rates {
		series.Samples = append(series.Samples, plot.Sample{At: time.Duration(s.Seconds * float64(time.Second)), Rate: s.Rate})
	}
	return plot.Throughput("Programs compared", "programs/s", []plot.Series{series})
}

// stagePrefix is what the names of stages begin with.
const stagePrefix = "Rig/stage="

func newBenchResult(figures []bench.Figure) *benchResult {
	r := &benchResult{Results: map[string]map[string]float64{}, Ratios: map[string]float64{}, figures: figures}
	total := 0.0
	for _, f := range figures {
		if r.Results[f.Name] == nil {
			r.Results[f.Name] = map[string]float64{}
		}
		r.Results[f.Name][f.Unit] = f.Median
		if strings.HasPrefix(f.Name, stagePrefix) {
			total += f.Median
		}
	}
	for _, f := range figures {
		if stage, ok := strings.CutPrefix(f.Name, stagePrefix); ok && total > 0 {
			r.Ratios[stage] = f.Median / total
		}
	}
	return r
}

func (r *benchResult) table() *reports.Table {
	t := &reports.Table{Title: "Rig", Columns: []reports.Column{{Name: "benchmark"}, {Name: "unit"},
		{Name: "median", Align: reports.Right}, {Name: "±", Align: reports.Right}, {Name: "share", Align: reports.Right}}}
	warned := map[string]bool{}
	for _, f := range r.figures {
		share := ""
		if s, ok := r.Ratios[strings.TrimPrefix(f.Name, stagePrefix)]; ok {
			share = fmt.Sprintf("%.0f%%", 100*s)
		}
		spread := "?"
		if f.Median != 0 && !math.IsInf(f.Lo, 0) && !math.IsInf(f.Hi, 0) {
			spread = fmt.Sprintf("%.0f%%", 100*max(f.Hi-f.Median, f.Median-f.Lo)/f.Median)
		}
		t.Rows = append(t.Rows, []string{f.Name, f.Unit, fmt.Sprintf("%.1f", f.Median), spread, share})
		for _, w := range f.Warn {
			if !warned[w] {
				warned[w] = true
				t.Notes = append(t.Notes, w)
			}
		}
	}
	return t
}
