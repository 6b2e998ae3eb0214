// Package reduce makes the smallest program that still shows what a finding shows.
//
// In: a program and a test that says of candidates whether they show the same. Out: a program of which no part can go.
// Invariants: every step is a program that passed the test, so it never slips to another bug; every step is smaller than
// the one before in the order of size, so that reducing ends; the same input and test give the same result, whatever the
// number of workers behind the test.
//
// The result is 1-minimal. That means: no single edit of the table in edits.go (passes), applied at any one place, gives a
// program that is smaller in the order of size and passes the test. An edit removes a run of declarations, statements,
// match arms or printed values; replaces an expression by a part of it or by a constant of its type; puts what is inside a
// block, branch or loop in its place; drops an else branch, a guard, a block's value, an annotation, or a parameter with
// its arguments; puts a body in the place of a call, or a value in the place of its variable; makes a literal or a pattern
// simpler. Two edits at once may still give something smaller. Minimal checks this apart from Reduce.
//
// Programs are tried by editing the tree: delta debugging (Zeller and Hildebrandt 2002; Sun and others, "Perses", ICSE
// 2018): pieces of lists go first, large ones before small ones. Programs that only their generator knows the meaning of
// are tried by editing its choices instead: see choices.go.
package reduce

import (
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
	Batch    int // candidates that a Test is given at once; 0: 16
}

// DefaultMaxTries bounds a reduction that is not bounded otherwise.
const DefaultMaxTries = 100_000

func (o Options) withDefaults() Options {
	if o.MaxTries == 0 {
		o.MaxTries = DefaultMaxTries
	}
	if o.Batch == 0 {
		o.Batch = 16
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
	test  Test
	opts  Options
	name  string
	file  *syntax.File
	size  size              // of file
	tried map[[16]byte]bool // candidates that did not pass
	types map[source.Span]*types.Type
	tries int
}

// Reduce reduces the program text, which must pass the test. name is the file name that positions in messages bear. When
// ctx ends or the bound is reached, the smallest program so far is the result.
func Reduce(ctx context.Context, name, text string, test Test, opts Options) (*Result, error) {
	opts = opts.withDefaults()
	start := time.Now()
	r := &reducer{test: test, opts: opts, name: name, tried: map[[16]byte]bool{}}
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
	r.types = map[source.Span]*types.Type{}
	if diags.HasErrors() {
		return
	}
	if checked := types.Check(r.file, diags, types.Options{}); checked != nil {
		interp.New(checked, interp.Options{Observe: func(_ int, n interp.Node) { r.types[n.Where()] = n.Type() }})
	}
}

// round tries every edit once, in the catalogue's order, going on behind an edit that was taken. It reports whether any was.
func (r *reducer) round(ctx context.Context) (changed bool, err error) {
	for _, pass := range passes {
		for at := 0; ; {
			edits := pass(r)
			if at >= len(edits) || ctx.Err() != nil || r.tries >= r.opts.MaxTries {
				break
			}
			batch := edits[at:min(at+r.opts.Batch, len(edits))]
			taken, err := r.try(ctx, batch)
			if err != nil {
				return changed, err
			}
			if taken < 0 {
				at += len(batch)
				continue
			}
			changed = true
			at += taken // what stood at this place is gone: the next edit is there now
		}
	}
	return changed, nil
}

// try tests a batch of edits and takes the first that passes; it returns its index, or -1.
func (r *reducer) try(ctx context.Context, batch []edit) (int, error) {
	var texts []string
	var from []int // index in the batch
	for i, e := range batch {
		undo := e()
		candidate := measure(r.file)
		undo()
		if !candidate.less(r.size) || r.tried[key(candidate.text)] {
			continue
		}
		texts, from = append(texts, candidate.text), append(from, i)
	}
	if len(texts) == 0 {
		return -1, nil
	}
	r.tries += len(texts)
	judged, err := r.test(ctx, texts)
	if err != nil {
		return -1, err
	}
	for i, passed := range judged {
		if passed {
			r.accept(texts[i])
			return from[i], nil
		}
		r.tried[key(texts[i])] = true
	}
	return -1, nil
}

// key stands for a text in the set of those that were tried.
func key(text string) [16]byte {
	sum := sha256.Sum256([]byte(text))
	return [16]byte(sum[:16])
}
