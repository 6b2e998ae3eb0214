package gen

import (
	"bytes"
	"sort"

	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/fuzz/feature"
	"rokrig/oracle/interp"
	"rokrig/oracle/outcome"
)

// SensitivityReport is a measurement of liveness: how often one wrong value changes what a program shows.
type SensitivityReport struct {
	Trials    int
	Seen      int // trials in which the outcome changed
	ByFeature []FeatureSensitivity
}

// FeatureSensitivity is the part of the trials whose value was of one feature.
type FeatureSensitivity struct {
	Feature      string
	Trials, Seen int
}

// Share returns the share of trials that were seen, from 0 to 1.
func (r *SensitivityReport) Share() float64 { return float64(r.Seen) / float64(max(r.Trials, 1)) }

// Blind lists the features of at least `least` trials of which less than a share of the trials were seen.
func (r *SensitivityReport) Blind(least int, share float64) []FeatureSensitivity {
	var out []FeatureSensitivity
	for _, f := range r.ByFeature {
		if f.Trials >= least && float64(f.Seen) < share*float64(f.Trials) {
			out = append(out, f)
		}
	}
	return out
}

// trialsPerProgram is how many values of one program are changed, one a run.
const trialsPerProgram = 10

// Sensitivity changes n executed values of generated programs, one at a time, and counts how often the outcome changes.
// The programs are those of the seeds from seed on; the values are drawn evenly from those that a run evaluates.
// An error is a program that the checker rejects.
func Sensitivity(n int, seed uint64) (*SensitivityReport, error) {
	report := &SensitivityReport{}
	counts := map[string]*FeatureSensitivity{}
	for ; report.Trials < n; seed++ {
		program, err := checked(Program(New(seed), Options{}).Text)
		if err != nil {
			return nil, err
		}
		perturb := &interp.Perturb{At: -1}
		m := interp.New(program, interp.Options{Perturb: perturb, Fuel: 1_000_000})
		right := m.Run()
		draw := New(^seed)
		for i := 0; i < trialsPerProgram && perturb.Evaluations > 0 && report.Trials < n; i++ {
			total := perturb.Evaluations
			perturb.At = int64((&gen{src: draw}).word() % uint64(total))
			seen := !same(right, m.Run())
			report.add(counts, perturb.Node, seen)
			perturb.Evaluations = total
		}
	}
	for _, c := range counts {
		report.ByFeature = append(report.ByFeature, *c)
	}
	sort.Slice(report.ByFeature, func(i, j int) bool { return report.ByFeature[i].Feature < report.ByFeature[j].Feature })
	return report, nil
}

func same(a, b outcome.Outcome) bool {
	return a.Kind == b.Kind && a.Line == b.Line && bytes.Equal(a.Stdout, b.Stdout)
}

func (r *SensitivityReport) add(counts map[string]*FeatureSensitivity, node types.Expr, seen bool) {
	r.Trials++
	if seen {
		r.Seen++
	}
	for _, id := range feature.Of(node) {
		name := id.String()
		c := counts[name]
		if c == nil {
			c = &FeatureSensitivity{Feature: name}
			counts[name] = c
		}
		c.Trials++
		if seen {
			c.Seen++
		}
	}
}

// RejectedError is a generated program that the checker does not accept: a fault of the generator or of the checker.
type RejectedError struct{ Diagnostics string }

func (e *RejectedError) Error() string { return "a generated program is rejected:\n" + e.Diagnostics }

// checked parses and checks a program.
func checked(text string) (*types.Program, error) {
	file := source.NewFile("gen.rok", text)
	diags := &source.Diagnostics{File: file}
	tree := syntax.Parse(file, diags, syntax.Options{})
	if p := types.Check(tree, diags, types.Options{}); p != nil {
		return p, nil
	}
	return nil, &RejectedError{diags.String()}
}
