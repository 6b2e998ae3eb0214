package campaign

import (
	"context"
	"strings"
	"time"

	"rokrig/compiler/types"
	"rokrig/fuzz/corpus"
	"rokrig/fuzz/feature"
	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
	"rokrig/fuzz/variant"
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
		if w.lab.Check(c) || c.Oracle.Kind != outcome.Rejected {
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
	original := &variant.Original{Text: c.Text, Tree: c.Tree, Checked: c.Checked}
	if x := w.index; x != nil && c.Oracle.Kind == outcome.Value {
		original.Executed = func(id types.NodeID) (uint64, bool) { return x.Executed(c.Regions, id) }
	}
	made := variant.Follow(w.c.opts.Seed, c.Index, original)
	w.sum.Stages[genStage] += time.Since(start).Seconds()
	w.index = nil
	if made == nil {
		return nil, nil
	}
	v := &subject.Case{Name: CaseName, Text: made.Text, Index: c.Index, Plain: true}
	w.lab.Interpret(v)
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
	return v, nil
}
