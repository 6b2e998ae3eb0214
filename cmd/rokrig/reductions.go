package main

import (
	"cmp"
	"fmt"
	"slices"

	"rokrig/fuzz/mutants"
	"rokrig/reports"
)

// reductionTable shows how small the findings of mutants became, and what that took.
func reductionTable(results []mutants.Result) *reports.Table {
	t := &reports.Table{Title: "Reduced findings", Columns: []reports.Column{{Name: "mutant"}, {Name: "seed", Align: reports.Right}, {Name: "by"},
		{Name: "lines", Align: reports.Right}, {Name: "nodes", Align: reports.Right}, {Name: "seconds", Align: reports.Right},
		{Name: "tries", Align: reports.Right}, {Name: "minimal"}, {Name: "slipped"}}}
	var all []mutants.Reduction
	for _, m := range results {
		for _, r := range m.Reduced {
			all = append(all, r)
			cells := []string{m.Name, fmt.Sprint(r.Seed), r.By, fmt.Sprint(r.Lines), fmt.Sprint(r.Nodes),
				fmt.Sprintf("%.1f", r.Seconds), fmt.Sprint(r.Tries), yesNo(r.Minimal), cmp.Or(r.Slipped, "no")}
			if r.Failed != "" {
				cells = []string{m.Name, fmt.Sprint(r.Seed), "-", "-", "-", "-", "-", "-", r.Failed}
			}
			t.Rows = append(t.Rows, cells)
		}
	}
	t.Notes = reductionNotes(all)
	return t
}

// slowReduction is from how many seconds on a reduction is counted as slow.
const slowReduction = 5

// reductionNotes sums up reductions.
func reductionNotes(all []mutants.Reduction) []string {
	var lines, nodes, seconds []float64
	minimal, slipped, slow := 0, 0, 0
	for _, r := range all {
		if r.Failed != "" {
			continue
		}
		lines, nodes, seconds = append(lines, float64(r.Lines)), append(nodes, float64(r.Nodes)), append(seconds, r.Seconds)
		if r.Minimal {
			minimal++
		}
		if r.Slipped != "" {
			slipped++
		}
		if r.Seconds >= slowReduction {
			slow++
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return []string{
		fmt.Sprintf("reduced %d of %d: 1-minimal, tried once more apart, %d; slipped to another finding %d; %d s or more %d", len(lines), len(all), minimal, slipped, slowReduction, slow),
		fmt.Sprintf("median and most: lines %s, nodes %s, seconds %s", medianMost(lines, 0), medianMost(nodes, 0), medianMost(seconds, 1)),
	}
}

// medianMost shows the median and the largest of figures.
func medianMost(figures []float64, decimals int) string {
	slices.Sort(figures)
	n := len(figures)
	median := (figures[(n-1)/2] + figures[n/2]) / 2
	return fmt.Sprintf("%.*f and %.*f", decimals, median, decimals, figures[n-1])
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
