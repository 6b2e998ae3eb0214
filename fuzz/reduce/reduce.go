// Package reduce makes the smallest program that still shows what a finding shows.
//
// In: a program and a test that says of candidates whether they show the same. Out: a program of which no part can go.
// Invariants: every step is a program that passed the test, so it never slips to another bug; every step is smaller than
// the one before in the order of size, so that reducing ends; the same input and test give the same result, whatever the
// number of workers behind the test.
//
// The result is 1-minimal. That means: no single edit of the table in edits.go (passes), applied at any one place, gives a
// program that is smaller in the order of size and passes the test. An edit removes what the oracle did not execute, or a
// run of declarations, statements, match arms or printed values; replaces an expression by a part of it or by a constant
// of its type; puts what is inside a block, branch or loop in its place; drops an else branch, a guard, a block's value, an
// annotation, or a parameter with its arguments; puts a body in the place of a call, or a value in the place of its
// variable; makes a literal or a pattern simpler: an integer becomes 0, 1, its half, or itself without its lowest or its
// highest bit, a float 0 or 1, a string a half of itself or all but its end. Two edits at once may still give something
// smaller. Minimal checks this apart from Reduce.
//
// Programs are tried by editing the tree: delta debugging (Zeller and Hildebrandt 2002; Sun and others, "Perses", ICSE
// 2018): pieces of lists go first, large ones before small ones. Programs that only their generator knows the meaning of
// are tried by editing its choices instead: see choices.go.
package reduce

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/oracle/interp"
)

// Test says of programs whether they show the same. It may run them at once.
type Test func(ctx context.Context, texts []string) ([]bool, error)

// Options bounds a reduction.
type Options struct {
	MaxTries int // candidates; 0: DefaultMaxTries
	Batch    int // candidates that a Test is given at once, at the most; 0: 32
}

// DefaultMaxTries bounds a reduction that is not bounded otherwise.
const DefaultMaxTries = 100_000

func (o Options) withDefaults() Options {
	if o.MaxTries == 0 {
		o.MaxTries = DefaultMaxTries
	}
	if o.Batch == 0 {
		o.Batch = 32
	}
	return o
}

// Result is a reduced program and what it took.
type Result struct {
	Text        string
	LinesBefore int
	LinesAfter  int // canonically printed
	NodesAfter  int
	Tries       int
	Minimal     bool // false when the bound or the context ended it
	Elapsed     time.Duration
}

// reducer is a reduction under way.
type reducer struct {
	test   Test
	opts   Options
	name   string
	file   *syntax.File
	size   size              // of file
	tried  map[[16]byte]bool // candidates that did not pass
	types  map[source.Span]*types.Type
	ran    map[source.Span]uint64 // how often the oracle executed what stands there
	tries  int
	batch  int            // candidates that the test is given next
	oracle interp.Machine // for types and ran
}

// fewest is how many candidates a test is given after one has passed: where one passes the next often does, and then
// all behind it were tried in vain. The number doubles with every batch in which none passes.
const fewest = 4

// watchFuel bounds the oracle's run that tells what is executed.
const watchFuel = 200_000

// Reduce reduces the program text, which must pass the test. name is the file name that positions in messages bear. When
// ctx ends or the bound is reached, the smallest program so far is the result.
func Reduce(ctx context.Context, name, text string, test Test, opts Options) (*Result, error) {
	opts = opts.withDefaults()
	start := time.Now()
	r := &reducer{test: test, opts: opts, name: name, tried: map[[16]byte]bool{}, batch: min(fewest, opts.Batch)}
	first, err := test(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	if !first[0] {
		return nil, errors.New("the program does not show what it is to be reduced for")
	}
	r.accept(text)
	res := &Result{LinesBefore: syntax.Lines(r.file)}
	for {
		changed, err := r.round(ctx)
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil || r.tries >= opts.MaxTries {
			break
		}
		if !changed {
			res.Minimal = true
			break
		}
	}
	res.Text = syntax.PrintFile(r.file)
	res.LinesAfter, res.NodesAfter = syntax.Lines(r.file), syntax.Nodes(r.file)
	res.Tries, res.Elapsed = r.tries, time.Since(start)
	return res, nil
}

// accept makes a program that passed the current one.
func (r *reducer) accept(text string) {
	src := source.NewFile(r.name, text)
	diags := &source.Diagnostics{File: src}
	r.file = syntax.Parse(src, diags, syntax.Options{})
	r.size = measure(r.file)
	r.types, r.ran = map[source.Span]*types.Type{}, map[source.Span]uint64{}
	if diags.HasErrors() {
		return
	}
	if checked := types.Check(r.file, diags, types.Options{}); checked != nil {
		r.watch(checked)
	}
}

// watch runs a program on the oracle to learn the types of its expressions and how often each is executed.
func (r *reducer) watch(checked *types.Program) {
	regions := map[source.Span]int{}
	r.oracle.Load(checked, interp.Options{Fuel: watchFuel, Observe: func(region int, n interp.Node) {
		r.types[n.Where()] = n.Type()
		regions[n.Where()] = region
	}})
	r.oracle.Run()
	counts := r.oracle.Regions()
	for at, region := range regions {
		r.ran[at] = counts[region]
	}
}

// round tries every edit once, in the catalogue's order, going on behind an edit that was taken. It reports whether any was.
func (r *reducer) round(ctx context.Context) (changed bool, err error) {
	for _, pass := range passes {
		edits := pass(r)
		for at := 0; at < len(edits) && ctx.Err() == nil && r.tries < r.opts.MaxTries; {
			next, taken, err := r.try(ctx, edits, at)
			if err != nil {
				return changed, err
			}
			at = next
			if taken {
				changed = true
				edits = pass(r) // what stood at this place is gone: the next edit is there now
			}
		}
	}
	return changed, nil
}

// try tests a batch of edits from index at on, and takes the first that passes. It returns where to go on.
func (r *reducer) try(ctx context.Context, edits []edit, at int) (next int, taken bool, err error) {
	var texts []string
	var from []int // index of the edit
	for next = at; next < len(edits) && len(texts) < r.batch; next++ {
		if text, ok := r.candidate(edits[next]); ok && !r.tried[key(text)] {
			texts, from = append(texts, text), append(from, next)
		}
	}
	if len(texts) == 0 {
		return next, false, nil
	}
	r.tries += len(texts)
	judged, err := r.test(ctx, texts)
	if err != nil {
		return next, false, err
	}
	for i, passed := range judged {
		if passed {
			r.accept(texts[i])
			r.batch = min(fewest, r.opts.Batch)
			return from[i], true, nil
		}
		r.tried[key(texts[i])] = true
	}
	r.batch = min(2*r.batch, r.opts.Batch)
	return next, false, nil
}

// candidate returns the text that an edit makes; false if it is not smaller. The text is made last: most edits that make
// nothing smaller are told by less.
func (r *reducer) candidate(e edit) (string, bool) {
	undo := e()
	defer undo()
	if c := bare(r.file); cmp.Or(cmp.Compare(c.names, r.size.names), cmp.Compare(c.nodes, r.size.nodes)) > 0 {
		return "", false
	}
	c := measure(r.file)
	return c.text, c.less(r.size)
}

// key stands for a text in the set of those that were tried.
func key(text string) [16]byte {
	sum := sha256.Sum256([]byte(text))
	return [16]byte(sum[:16])
}
