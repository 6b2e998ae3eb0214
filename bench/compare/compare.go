// Package compare says what changed between two files of benchmark results, and whether it is worse than allowed.
//
// In: two files in the Go benchmark format. Out: for each benchmark and unit the medians of both with their intervals, the
// change, and the p-value of the Mann-Whitney U test: what benchstat shows, by the same packages of golang.org/x/perf.
// Invariants: rows stand in the order of the first file; doubts (too few samples) are warnings beside the result and change
// nothing in it.
package compare

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchproc"
	"golang.org/x/perf/benchunit"
)

// confidence of the intervals, and alpha of the tests.
const (
	confidence = 0.95
	alpha      = 0.05
)

// Comparison holds a table for each unit.
type Comparison struct {
	Tables   []Table
	Warnings []string // each once
}

// Table compares the benchmarks of one unit.
type Table struct {
	Unit         string
	HigherBetter bool // a rate
	Rows         []Row
	// Geomean is the geometric mean of the rows' new by old; NaN where no row has both above zero.
	Geomean float64
}

// Row compares one benchmark. A side without results has N = 0.
type Row struct {
	Name     string
	Old, New Side
	P        float64 // of the hypothesis that nothing changed; 1 where a side is missing
	Change   string  // "+1.23%", or "~" when P is not below alpha, or "" where a side is missing
}

// Side is one file's results of a benchmark.
type Side struct {
	N              int
	Median, Lo, Hi float64
	Spread         string // of the interval, in percent of the median
	Text           string // the median with its unit's prefix
}

// Input is a named file of results.
type Input struct {
	Name string
	From io.Reader
}

// cell is where results are collected.
type cell struct {
	unit string
	key  benchproc.Key
}

// Files compares two files. Errors: a line that looks like a result and is none, a file without results.
func Files(before, after Input) (*Comparison, error) {
	var parser benchproc.ProjectionParser
	rows, err := parser.Parse(".fullname", nil)
	if err != nil {
		panic(err) // the projection is a constant
	}
	var values [2]map[cell][]float64
	var keys []benchproc.Key
	var units []string
	for side, in := range []Input{before, after} {
		values[side] = map[cell][]float64{}
		results, err := read(in)
		if err != nil {
			return nil, err
		}
		for _, r := range results {
			key := rows.Project(r)
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
			for _, v := range r.Values {
				if !slices.Contains(units, v.Unit) {
					units = append(units, v.Unit)
				}
				at := cell{v.Unit, key}
				values[side][at] = append(values[side][at], v.Value)
			}
		}
	}
	c := &Comparison{}
	for _, unit := range units {
		t := Table{Unit: unit, HigherBetter: isRate(unit)}
		for _, key := range keys {
			at := cell{unit, key}
			if old, new := values[0][at], values[1][at]; len(old)+len(new) > 0 {
				t.Rows = append(t.Rows, c.row(key.StringValues(), unit, old, new))
			}
		}
		t.Geomean = geomean(t.Rows)
		c.Tables = append(c.Tables, t)
	}
	return c, nil
}

// read returns the results of a file.
func read(in Input) ([]*benchfmt.Result, error) {
	var results []*benchfmt.Result
	reader := benchfmt.NewReader(in.From, in.Name)
	for reader.Scan() {
		switch r := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, r
		case *benchfmt.Result:
			results = append(results, r.Clone())
		}
	}
	if err := reader.Err(); err != nil {
		return nil, err
	}
	if len(results) == 0 {
		return nil, fmt.Errorf("%s: no benchmark results", in.Name)
	}
	return results, nil
}

// isRate reports whether more of a unit is better: something per second.
func isRate(unit string) bool { return strings.HasSuffix(unit, "/s") || strings.HasSuffix(unit, "-s") }

func (c *Comparison) row(name, unit string, old, new []float64) Row {
	r := Row{Name: name, P: 1}
	thresholds := benchmath.DefaultThresholds
	thresholds.CompareAlpha = alpha
	samples := [2]*benchmath.Sample{benchmath.NewSample(old, &thresholds), benchmath.NewSample(new, &thresholds)}
	for i, side := range []*Side{&r.Old, &r.New} {
		if len(samples[i].Values) == 0 {
			continue
		}
		s := benchmath.AssumeNothing.Summary(samples[i], confidence)
		*side = Side{N: len(samples[i].Values), Median: s.Center, Lo: s.Lo, Hi: s.Hi, Spread: s.PctRangeString(),
			Text: benchunit.Scale(s.Center, benchunit.ClassOf(unit))}
		c.warn(s.Warnings)
	}
	if r.Old.N > 0 && r.New.N > 0 {
		test := benchmath.AssumeNothing.Compare(samples[0], samples[1])
		c.warn(test.Warnings)
		r.P, r.Change = test.P, test.FormatDelta(r.Old.Median, r.New.Median)
	}
	return r
}

func (c *Comparison) warn(warnings []error) {
	for _, w := range warnings {
		if !slices.Contains(c.Warnings, w.Error()) {
			c.Warnings = append(c.Warnings, w.Error())
		}
	}
}

func geomean(rows []Row) float64 {
	sum, n := 0.0, 0
	for _, r := range rows {
		if r.Old.Median > 0 && r.New.Median > 0 {
			sum += math.Log(r.New.Median / r.Old.Median)
			n++
		}
	}
	return math.Exp(sum / float64(n)) // NaN for no rows
}

// Hit is a row that got worse than a gate allows.
type Hit struct {
	Name, Unit string
	Change     string
	Least      float64 // how much worse it is at least, by the intervals: 0.05 is 5%
}

// Gate returns the rows that are worse by more than limit (0.05 is 5%) beyond doubt: by the ends of the intervals that
// are closest to each other, and with a p-value that stays below alpha after Holm's correction over all rows of all units
// (S. Holm, "A simple sequentially rejective multiple test procedure", 1979).
func (c *Comparison) Gate(limit float64) []Hit {
	type tested struct {
		row Row
		t   *Table
	}
	var all []tested
	for i := range c.Tables {
		for _, r := range c.Tables[i].Rows {
			if r.Old.N > 0 && r.New.N > 0 {
				all = append(all, tested{r, &c.Tables[i]})
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].row.P < all[j].row.P })
	var hits []Hit
	for i, x := range all {
		if x.row.P*float64(len(all)-i) >= alpha {
			break // neither this one nor any with a larger p-value
		}
		worse := x.row.New.Lo/x.row.Old.Hi - 1
		if x.t.HigherBetter {
			worse = x.row.Old.Lo/x.row.New.Hi - 1
		}
		if worse > limit && !math.IsInf(worse, 0) {
			hits = append(hits, Hit{x.row.Name, x.t.Unit, x.row.Change, worse})
		}
	}
	return hits
}
