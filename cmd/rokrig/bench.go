package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
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
	Ratios  map[string]float64            `json:"ratios"`  // stage -> its CPU time by that of all stages of the path
	figures []bench.Figure
}

func newBenchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "bench",
		Short:   "Measure the rig",
		Example: `  rokrig bench rig --count 5 -o new.txt`,
	}
	cmd.AddCommand(newBenchRigCommand(), newBenchPeersCommand())
	return cmd
}

func newBenchRigCommand() *cobra.Command {
	var o bench.RigOptions
	var out, picture string
	cmd := &cobra.Command{
		Use:   "rig",
		Short: "Measure how many programs the rig compares, by stage",
		Long: `Take the first programs of a seed through every stage, then through a campaign, on one core, again and again, and say what
each stage takes for a program and how many programs are compared per second of CPU, the runners' included. The results are
written in the Go benchmark format: benchstat and rokrig compare read them. ns/op is by the clock on the wall, cpu-ns/op CPU.`,
		Example: `  rokrig bench rig --count 5 -o new.txt --plot throughput.svg
  rokrig compare old.txt new.txt`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Programs <= 0 || o.Repeats <= 0 {
				return exitWith(statusUsage, errors.New("--programs and --count take positive numbers"))
			}
			if err := checkPicture(picture); err != nil {
				return err
			}
			return runBenchRig(cmd, o, out, picture)
		},
	}
	flags := cmd.Flags()
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of the programs")
	flags.Int64Var(&o.Programs, "programs", 2000, "programs of one repetition")
	flags.IntVar(&o.Repeats, "count", 6, "repetitions (an interval needs six)")
	flags.StringVarP(&out, "out", "o", "", "write the results to this file too")
	flags.StringVar(&picture, "plot", "", "draw the throughput over time to this .svg or .png file")
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
	return show(cmd, r, r.write)
}

// pictureFormats writes pictures by the extension of the file's name.
var pictureFormats = map[string]func(*plot.Figure, io.Writer) error{".svg": (*plot.Figure).SVG, ".png": (*plot.Figure).PNG}

// checkPicture refuses a name of a picture that has no format, before anything is measured.
func checkPicture(path string) error {
	if path != "" && pictureFormats[filepath.Ext(path)] == nil {
		return exitWith(statusUsage, fmt.Errorf("--plot %s: a picture is .svg or .png", path))
	}
	return nil
}

// drawRates draws a throughput picture in the format of the file's name.
func drawRates(path string, rates []campaign.RateSample) error {
	fig, err := throughputFigure(rates)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := pictureFormats[filepath.Ext(path)](fig, &b); err != nil {
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
	return plot.Throughput("Programs compared", "programs", []plot.Series{series})
}

func newBenchResult(figures []bench.Figure) *benchResult {
	r := &benchResult{Results: map[string]map[string]float64{}, Ratios: map[string]float64{}, figures: figures}
	for _, f := range figures {
		if r.Results[f.Name] == nil {
			r.Results[f.Name] = map[string]float64{}
		}
		r.Results[f.Name][f.Unit] = f.Median
	}
	if path := r.Results[bench.PathName][bench.CPUUnit]; path > 0 {
		for name, units := range r.Results {
			if stage, ok := strings.CutPrefix(name, bench.StagePrefix); ok {
				r.Ratios[stage] = units[bench.CPUUnit] / path
			}
		}
	}
	return r
}

// write shows a table of times and one of rates.
func (r *benchResult) write(w io.Writer) error {
	times := reports.Table{Title: "Time for one program", Columns: []reports.Column{{Name: "stage"}, {Name: "CPU", Align: reports.Right}, {Name: "±", Align: reports.Right},
		{Name: "wall", Align: reports.Right}, {Name: "share", Align: reports.Right}, {Name: "what it does"}}}
	rates := reports.Table{Title: "Work per second of CPU", Columns: []reports.Column{{Name: "of"}, {Name: "median", Align: reports.Right}, {Name: "±", Align: reports.Right}, {Name: "unit"}}}
	for _, f := range r.figures {
		name, what, share := r.describe(f.Name)
		switch f.Unit {
		case bench.CPUUnit:
			wall := r.Results[f.Name][bench.WallUnit]
			times.Rows = append(times.Rows, []string{name, reports.Duration(f.PerProgram()), spread(f), reports.Duration(time.Duration(wall)), share, what})
		case bench.WallUnit:
		default:
			rates.Rows = append(rates.Rows, []string{name, fmt.Sprintf("%.4g", f.Median), spread(f), f.Unit})
		}
		for _, warning := range f.Warn {
			if !slices.Contains(rates.Notes, warning) {
				rates.Notes = append(rates.Notes, warning)
			}
		}
	}
	times.Notes = []string{"± is the interval at 95%; shares are of the path's CPU time, (in brackets) for what stands beside the path"}
	if err := times.Terminal(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return rates.Terminal(w)
}

// describe is what the table says of a benchmark: its short name, what is measured, and its share of the path's time.
func (r *benchResult) describe(benchmark string) (name, what, share string) {
	switch benchmark {
	case bench.PathName:
		return "path", "the stages without those beside it", "100%"
	case bench.CampaignName:
		return "campaign", "a campaign, which counts features besides", ""
	}
	name = strings.TrimPrefix(benchmark, bench.StagePrefix)
	share = fmt.Sprintf("%.1f%%", 100*r.Ratios[name])
	stage := bench.StageNamed(name)
	if stage.Beside {
		share = "(" + share + ")"
	}
	return name, stage.What, share
}

// spread is the half-width of a figure's interval in percent.
func spread(f bench.Figure) string {
	if f.Median == 0 || math.IsInf(f.Lo, 0) || math.IsInf(f.Hi, 0) {
		return "?"
	}
	return fmt.Sprintf("%.0f%%", 100*max(f.Hi-f.Median, f.Median-f.Lo)/f.Median)
}
