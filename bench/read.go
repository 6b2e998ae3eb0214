package bench

import (
	"fmt"
	"io"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

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
