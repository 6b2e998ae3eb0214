package campaign

import (
	"context"
	"strings"
	"time"

	"rokrig/compiler"
	"rokrig/compiler/source"
	"rokrig/compiler/types"
	"rokrig/fuzz/corpus"
	"rokrig/fuzz/feature"
	"rokrig/fuzz/gen"
	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
	"rokrig/fuzz/variant"
	"rokrig/oracle/interp"
	"rokrig/oracle/outcome"
)

// derivedFuel is the oracle's fuel for splices and mutations. A mutation may have made a loop endless; then little is lost.
const derivedFuel = 200_000

// derive makes program number index of others and runs it on the oracle. It returns nil when nothing is left to compare.
func (w *worker) derive(ctx context.Context, kind variant.Kind, index uint64) (*subject.Case, error) {
	if w.maker == nil {
		w.maker = variant.NewMaker(w.c.opts.Seed, corpus.Cases())
	}
	w.sum.Programs++
	c := &subject.Case{Name: CaseName, Index: index, Plain: !w.counts(index), Fuel: derivedFuel}
	for try := range variant.Tries {
		start := time.Now()
		made := w.maker.Derive(kind, index, try)
		w.sum.Stages[genStage] += time.Since(start).Seconds()
		if made == nil {
			continue
		}
		c.Text = made.Text
		if w.lab.CheckBriefly(c) || c.Oracle.Kind != outcome.Rejected {
			break
		}
	}
	if c.Checked != nil {
		w.execute(c)
	}
	switch {
	case c.Text == "" || c.Oracle.Kind == outcome.Rejected:
		w.sum.Wasted[kind.String()+": rejected"]++
		return nil, nil
	case c.Oracle.Kind.IsFault():
		f, _ := triage.Examine(c)
		return nil, w.found(ctx, c, f, differs)
	}
	w.sum.Endings[c.Oracle.Kind.String()]++
	if c.Oracle.Kind.IsResource() {
		w.sum.Wasted[kind.String()+": "+c.Oracle.Kind.String()]++
		return nil, nil
	}
	if kind == variant.Spliced {
		w.sum.Spliced++
	} else {
		w.sum.Mutated++
	}
	w.note(c, strings.Count(c.Text, "\n"))
	return c, nil
}

// counts reports whether the features of a program are counted.
func (w *worker) counts(index uint64) bool { return index%uint64(w.c.opts.CountEach) == 0 }

// execute runs a case that the checker has accepted on the oracle, and watches it unless it is plain.
func (w *worker) execute(c *subject.Case) {
	w.index = nil
	if !c.Plain {
		w.index = feature.NewIndex(c.Checked)
	}
	w.lab.Execute(c)
	if w.index != nil && w.counts(c.Index) {
		w.observed[c] = observe(w.index, c)
	}
}

// follow makes the variant of a program that the oracle has run just now, and compares the two on the oracle. It returns
// the variant, to be compared on the configurations like any program; nil if there is none.
func (w *worker) follow(ctx context.Context, c *subject.Case) (*subject.Case, error) {
	start := time.Now()
	made := variant.Follow(w.c.opts.Seed, c.Index, originalOf(c, w.index))
	w.sum.Stages[genStage] += time.Since(start).Seconds()
	w.index = nil
	if made == nil {
		return nil, nil
	}
	w.lab.Release(c)
	v := &subject.Case{Name: CaseName, Text: made.Text, Index: c.Index, Plain: true}
	if w.lab.CheckBriefly(v) {
		w.lab.Execute(v)
	}
	switch verdict := triage.CompareVariant(c.Oracle, v.Oracle); verdict.Class {
	case outcome.Wasted:
		w.sum.Wasted["variant: "+verdict.Reason]++
		return nil, nil
	case outcome.Different:
		again := func(_ context.Context, lab *subject.Lab, v *subject.Case) (bool, error) {
			first := &subject.Case{Name: c.Name, Text: c.Text}
			lab.Interpret(first)
			lab.Interpret(v)
			return triage.CompareVariant(first.Oracle, v.Oracle).Class == outcome.Different, nil
		}
		return nil, w.found(ctx, v, triage.MetamorphicFinding(v, c, made.Rules, verdict.Difference), again)
	}
	for _, rule := range made.Rules {
		w.sum.VariantRules[rule]++
	}
	w.variants[v] = true
	w.lab.Release(v)
	return v, nil
}

// Made is a program of a campaign, made again.
type Made struct {
	Text  string
	Kind  string   // fresh, spliced, mutated, variant
	Rules []string // that made it of others
}

// Program makes program number index of a campaign that has the default VariantEach and no mutant of the front end. It
// returns nil for a program that could not be made of others.
func Program(seed, index uint64) *Made {
	kind, _ := variant.Plan(index, variant.DefaultEach)
	if kind == variant.Fresh {
		return &Made{Text: gen.Program(gen.New(gen.ProgramSeed(seed, index)), gen.Options{}).Text, Kind: kind.String()}
	}
	maker := variant.NewMaker(seed, corpus.Cases())
	for try := range variant.Tries {
		r := maker.Derive(kind, index, try)
		if r == nil {
			continue
		}
		if _, err := compiler.Check(source.NewFile(CaseName, r.Text), compiler.Options{}); err == nil {
			return &Made{r.Text, kind.String(), r.Rules}
		}
	}
	return nil
}

// Variant makes the variant that follows fresh program number index where one is due. It returns nil if no rule that was
// drawn found a place.
func Variant(seed, index uint64) (*Made, error) {
	var x *feature.Index
	lab, err := subject.NewLab(subject.LabOptions{Observe: func(region int, n interp.Node) { x.Observe(region, n.ID()) }})
	if err != nil {
		return nil, err
	}
	c := &subject.Case{Name: CaseName, Text: gen.Program(gen.New(gen.ProgramSeed(seed, index)), gen.Options{}).Text}
	if lab.Check(c) {
		x = feature.NewIndex(c.Checked)
		lab.Execute(c)
	}
	if !c.Oracle.Kind.IsFinished() {
		return nil, lab.Close()
	}
	r := variant.Follow(seed, index, originalOf(c, x))
	if r == nil {
		return nil, lab.Close()
	}
	return &Made{r.Text, "variant", r.Rules}, lab.Close()
}

// originalOf is a case as variants are made of it; x has watched its run, or is nil.
func originalOf(c *subject.Case, x *feature.Index) *variant.Original {
	o := &variant.Original{Text: c.Text, Tree: c.Tree, Checked: c.Checked}
	if x != nil && c.Oracle.Kind == outcome.Value {
		o.Executed = func(id types.NodeID) (uint64, bool) { return x.Executed(c.Regions, id) }
	}
	return o
}
