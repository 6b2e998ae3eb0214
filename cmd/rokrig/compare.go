package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"rokrig/bench/compare"
	"rokrig/reports"
)

// compareResult is the documented JSON of `rokrig compare`.
type compareResult struct {
	Rows     []compareRow     `json:"rows"`
	Geomeans map[string]ratio `json:"geomeans"` // unit -> geometric mean of new by old; null where there is none
	Hits     []compareHit     `json:"hits"`     // what the gate does not let pass
	Warnings []string         `json:"warnings"`
	result   *compare.Comparison
}

type compareRow struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"`
	Old    ratio   `json:"old"` // median; null where the file has no such benchmark
	New    ratio   `json:"new"`
	P      float64 `json:"p"`
	Change string  `json:"change"` // "~": none that shows
}

type compareHit struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Least float64 `json:"worse_by_at_least"` // 0.05 is 5%
}

// ratio is a number that may be missing.
type ratio *float64

func newRatio(v float64, there bool) ratio {
	if !there || math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func newCompareCommand() *cobra.Command {
	var gate string
	cmd := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Say what changed between two files of benchmark results",
		Long: `Compare two files in the Go benchmark format: medians with their intervals at 95%, the change, and the p-value of the
Mann-Whitney U test. A change that may be chance is shown as ~.

With --gate the exit status is 1 if a row got worse by more than the gate allows, even by the ends of the intervals that are
closest to each other, and with a p-value that stays below 5% after Holm's correction over all rows.`,
		Example: `  rokrig bench rig -o old.txt; git switch feature; make build; rokrig bench rig -o new.txt
  rokrig compare old.txt new.txt --gate 5%`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			limit, err := parseGate(gate)
			if err != nil {
				return exitWith(statusUsage, err)
			}
			result, err := compareFiles(args[0], args[1])
			if err != nil {
				return exitWith(statusUsage, err)
			}
			r := newCompareResult(result, limit)
			if err := show(cmd, r, r.write); err != nil {
				return err
			}
			if len(r.Hits) > 0 {
				return exitWith(statusFindings, nil)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&gate, "gate", "", "fail if something got worse by more than this, such as 5%")
	return cmd
}

// parseGate reads a percentage; without one nothing is a hit.
func parseGate(text string) (float64, error) {
	if text == "" {
		return math.Inf(1), nil
	}
	percent, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || !(percent >= 0) || math.IsInf(percent, 0) {
		return 0, fmt.Errorf("--gate %q: a percentage such as 5%% is needed", text)
	}
	return percent / 100, nil
}

func compareFiles(before, after string) (c *compare.Comparison, err error) {
	old, err := os.Open(before)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, old.Close()) }()
	new, err := os.Open(after)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, new.Close()) }()
	return compare.Files(compare.Input{Name: before, From: old}, compare.Input{Name: after, From: new})
}

func newCompareResult(c *compare.Comparison, limit float64) *compareResult {
	r := &compareResult{Rows: []compareRow{}, Geomeans: map[string]ratio{}, Hits: []compareHit{}, Warnings: append([]string{}, c.Warnings...), result: c}
	for _, t := range c.Tables {
		for _, row := range t.Rows {
			r.Rows = append(r.Rows, compareRow{row.Name, t.Unit, newRatio(row.Old.Median, row.Old.N > 0), newRatio(row.New.Median, row.New.N > 0), row.P, row.Change})
		}
		r.Geomeans[t.Unit] = newRatio(t.Geomean, true)
	}
	for _, h := range c.Gate(limit) {
		r.Hits = append(r.Hits, compareHit{h.Name, h.Unit, h.Least})
	}
	return r
}

// write shows a table for each unit.
func (r *compareResult) write(w io.Writer) error {
	right := reports.Right
	for i, t := range r.result.Tables {
		table := reports.Table{Title: t.Unit, Columns: []reports.Column{{Name: "benchmark"}, {Name: "old", Align: right}, {Name: "±", Align: right},
			{Name: "new", Align: right}, {Name: "±", Align: right}, {Name: "change", Align: right}, {Name: "p", Align: right}}}
		for _, row := range t.Rows {
			p := ""
			if row.Change != "" {
				p = fmt.Sprintf("%.3f", row.P)
			}
			table.Rows = append(table.Rows, []string{row.Name, row.Old.Text, row.Old.Spread, row.New.Text, row.New.Spread, row.Change, p})
		}
		if !math.IsNaN(t.Geomean) {
			table.Rows = append(table.Rows, []string{"geometric mean", "", "", "", "", fmt.Sprintf("%+.2f%%", 100*(t.Geomean-1)), ""})
		}
		if t.HigherBetter {
			table.Notes = []string{"higher is better"}
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := table.Terminal(w); err != nil {
			return err
		}
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "note: %s\n", warning)
	}
	for _, h := range r.Hits {
		fmt.Fprintf(w, "too much worse: %s, %s: by %.1f%% at least\n", h.Name, h.Unit, 100*h.Least)
	}
	return nil
}
