package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"rokrig/bench"
	"rokrig/bench/peers"
	"rokrig/fuzz/triage"
	"rokrig/reports"
)

// peersResult is the documented JSON of `rokrig bench peers --json`.
type peersResult struct {
	Results map[string]map[string]float64 `json:"results"` // name -> unit -> median
	figures []bench.Figure
}

func newBenchPeersCommand() *cobra.Command {
	var o peers.Options
	var seconds, limit float64
	var out string
	cmd := &cobra.Command{
		Use:   "peers",
		Short: "Measure Csmith with gcc and C-Vise beside the rig",
		Long: `Let Csmith with gcc -O0 and -O3 and a campaign take turns, one worker each, and say how many programs each compares per
second of CPU and how long those programs are. Then give one finding, made by a deliberate bug, to rokrig's reducer and to
C-Vise, two workers each. C-Vise asks "rokrig repro --signature" about every candidate, each in a new process.
Needs the Debian packages csmith, libcsmith-dev and cvise. The results are in the Go benchmark format.`,
		Example: `  rokrig bench peers --seconds 5 --count 6 -o peers.txt`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !(seconds > 0) || !(limit > 0) || seconds > 1e6 || limit > 1e6 || o.Turns <= 0 {
				return exitWith(statusUsage, errors.New("--seconds, --limit and --count take positive numbers, seconds up to a million"))
			}
			o.Turn, o.Limit = time.Duration(seconds*float64(time.Second)), time.Duration(limit*float64(time.Second))
			return runBenchPeers(cmd, o, out)
		},
	}
	flags := cmd.Flags()
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of the programs")
	flags.Float64Var(&seconds, "seconds", 5, "seconds of one turn")
	flags.IntVar(&o.Turns, "count", 6, "turns of each (an interval needs six)")
	flags.Float64Var(&limit, "limit", 120, "seconds after which C-Vise is stopped")
	flags.StringVarP(&out, "out", "o", "", "write the results to this file too")
	return cmd
}

func runBenchPeers(cmd *cobra.Command, o peers.Options, out string) (err error) {
	if o.Rokrig, err = os.Executable(); err != nil {
		return err
	}
	line := reports.NewProgress(cmd.ErrOrStderr())
	o.Note = line.Update
	var text bytes.Buffer
	err = peers.Run(cmd.Context(), o, &text)
	line.Close()
	switch {
	case cmd.Context().Err() != nil:
		return exitWith(statusInterrupted, errors.New("interrupted: a part of a measurement is none"))
	case errors.Is(err, peers.ErrMissing):
		return exitWith(statusUsage, err)
	case err != nil:
		return err
	}
	if out != "" {
		if err := triage.WriteFile(out, text.Bytes()); err != nil {
			return err
		}
	}
	figures, err := bench.Read(&text, "results")
	if err != nil {
		return err
	}
	r := &peersResult{Results: newBenchResult(figures).Results, figures: figures}
	return show(cmd, r, r.write)
}

// peerTables are what people see: the benchmarks that stand beside each other, and their units.
var peerTables = []struct {
	title, theirs string
	names, units  []string
}{
	{"Comparing, one worker each, medians of the turns", "Csmith, gcc -O0 and -O3", []string{peers.CsmithName, peers.CampaignName},
		[]string{peers.ProgramsUnit, peers.LinesUnit, peers.StatementsUnit, peers.ComparedUnit, peers.LimitUnit, peers.DiffersUnit}},
	{"Reducing the same finding, two workers each", "C-Vise", []string{peers.CViseName, peers.ReduceName},
		[]string{peers.WallUnit, peers.CPUUnit, peers.TriesUnit, peers.BeforeUnit, peers.AfterUnit, peers.BytesUnit, peers.CutUnit}},
}

// write shows a table for each pair.
func (r *peersResult) write(w io.Writer) error {
	for i, t := range peerTables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		table := reports.Table{Title: t.title, Columns: []reports.Column{{Name: "unit"}, {Name: t.theirs, Align: reports.Right}, {Name: "rokrig", Align: reports.Right}}}
		for _, unit := range t.units {
			row := []string{unit}
			for _, name := range t.names {
				row = append(row, r.cell(name, unit))
			}
			table.Rows = append(table.Rows, row)
		}
		if err := table.Terminal(w); err != nil {
			return err
		}
	}
	return nil
}

// cell is a median with its interval where there is one.
func (r *peersResult) cell(name, unit string) string {
	for _, f := range r.figures {
		if f.Name != name || f.Unit != unit {
			continue
		}
		if f.N > 1 && f.Median != 0 {
			return fmt.Sprintf("%.4g ±%s", f.Median, spread(f))
		}
		return fmt.Sprintf("%.4g", f.Median)
	}
	return "not measured"
}
