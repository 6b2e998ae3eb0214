package reduce

import (
	"bytes"
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/fuzz/gen"
)

// Some programs mean something only to their generator: that one is valid, that an assertion holds, that a line must be
// rejected. No edit of the tree can be trusted to keep that when there is no second implementation to ask. What the
// generator makes of any choices whatever has that meaning, though: its programs are valid by construction, it works out the
// asserted values anew, and it says where the broken line is. So such programs are reduced by editing the choices behind
// them, which is sound by construction (MacIver and Donaldson, "Test-Case Reduction via Test-Case Generation", ECOOP
// 2020). 1-minimal means here: no single edit in choiceEdits gives choices whose program is smaller and shows the same.

// made is a program with the choices that it is made of, and what its generator knows of it.
type made struct {
	choices []byte
	text    string
	valid   *gen.Result // of a valid program
	broken  *gen.Reject // of one that must be rejected
}

// less reports whether a is smaller than b: its program is, or its choices are.
func (a made) less(b made) bool {
	return cmp.Or(cmp.Compare(len(a.text), len(b.text)), cmp.Compare(len(a.choices), len(b.choices)),
		bytes.Compare(a.choices, b.choices)) < 0
}

// maker makes the program of choices.
type maker func(choices []byte) made

// makeValid makes a valid program; makeBroken one that must be rejected.
func makeValid(choices []byte) made {
	p := gen.Program(gen.FromBytes(choices), gen.Options{})
	return made{choices: p.Bytes, text: p.Text, valid: p}
}

func makeBroken(choices []byte) made {
	p := gen.MustReject(gen.FromBytes(choices), gen.Options{})
	return made{choices: p.Bytes, text: p.Text, broken: p}
}

// nodesOf counts the nodes of a text's tree, of one that does not parse those up to the error.
func nodesOf(text string) int {
	src := source.NewFile("", text)
	return syntax.Nodes(syntax.Parse(src, &source.Diagnostics{File: src}, syntax.Options{}))
}

// choiceTest says of choices whether their programs show the same.
type choiceTest func(ctx context.Context, candidates []made) ([]bool, error)

// choiceReducer is a reduction by choices under way.
type choiceReducer struct {
	build maker
	test  choiceTest
	opts  Options
	now   made
	tried map[[16]byte]bool // texts that did not pass
	tries int
	batch int
}

// reduceChoices reduces the choices behind a program. It returns the smallest program so far when ctx ends or the bound is
// reached, with minimal false.
func reduceChoices(ctx context.Context, from made, build maker, test choiceTest, opts Options) (made, *Result, error) {
	start := time.Now()
	r := &choiceReducer{build: build, test: test, opts: opts, now: from, tried: map[[16]byte]bool{}, batch: min(fewest, opts.Batch)}
	res := &Result{}
	for changed := true; changed && !r.isOver(ctx); {
		var err error
		if changed, err = r.round(ctx); err != nil {
			return r.now, res, err
		}
		res.Minimal = !changed && !r.isOver(ctx)
	}
	res.Tries, res.Elapsed = r.tries, time.Since(start)
	return r.now, res, nil
}

func (r *choiceReducer) isOver(ctx context.Context) bool {
	return ctx.Err() != nil || r.tries >= r.opts.MaxTries
}

// round tries every edit once, going on behind one that was taken. It reports whether any was.
func (r *choiceReducer) round(ctx context.Context) (changed bool, err error) {
	edits := choiceEdits(segmentsOf(r.now.choices))
	for at := 0; at < len(edits) && !r.isOver(ctx); {
		next, taken, err := r.try(ctx, edits, at)
		if err != nil {
			return changed, err
		}
		at = next
		if taken {
			changed = true
			edits = choiceEdits(segmentsOf(r.now.choices))
		}
	}
	return changed, nil
}

// try makes the programs of a batch of edits from index at on, and takes the first that passes. It returns where to go on.
// Of choices that make the program at hand once more, the smaller ones are taken without a test.
func (r *choiceReducer) try(ctx context.Context, edits []choiceEdit, at int) (next int, taken bool, err error) {
	next = min(at+4*r.batch, len(edits)) // most make a program that is larger, or one that was tried
	var candidates []made
	var from []int // index of the edit
	for i, c := range r.buildAll(edits[at:next]) {
		switch {
		case !c.less(r.now) || r.tried[key(c.text)]:
			continue
		case c.text == r.now.text && len(candidates) == 0:
			r.now = c
			return at + i, true, nil
		}
		candidates, from = append(candidates, c), append(from, at+i)
	}
	if len(candidates) == 0 {
		r.batch = min(2*r.batch, r.opts.Batch)
		return next, false, nil
	}
	r.tries += len(candidates)
	passed, err := r.test(ctx, candidates)
	if err != nil {
		return next, false, err
	}
	for i, p := range passed {
		if p {
			r.now, r.batch = candidates[i], min(fewest, r.opts.Batch)
			return from[i], true, nil
		}
		r.tried[key(candidates[i].text)] = true
	}
	r.batch = min(2*r.batch, r.opts.Batch)
	return next, false, nil
}

// buildAll makes the programs of edits, on all cores.
func (r *choiceReducer) buildAll(edits []choiceEdit) []made {
	out := make([]made, len(edits))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(edits)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(edits); i = int(next.Add(1)) - 1 {
				out[i] = r.build(edits[i]())
			}
		})
	}
	workers.Wait()
	return out
}

// choiceEdit makes other choices.
type choiceEdit func() []byte

// choiceEdits is the table of edits of choices: remove runs of segments, empty them, cut them off, remove bytes, and make
// bytes smaller, as integers of a program are. 0 is always the simplest choice.
func choiceEdits(segments [][]byte) []choiceEdit {
	var edits []choiceEdit
	n := len(segments)
	for size := n; size > 0; size /= 2 {
		for from := 0; from < n; from += size {
			to := min(from+size, n)
			edits = append(edits,
				func() []byte { return encode(append(append([][]byte(nil), segments[:from]...), segments[to:]...)) },
				func() []byte {
					emptied := append([][]byte(nil), segments...)
					for i := from; i < to; i++ {
						emptied[i] = nil
					}
					return encode(emptied)
				})
		}
	}
	with := func(i int, segment []byte) choiceEdit {
		return func() []byte {
			changed := append([][]byte(nil), segments...)
			changed[i] = segment
			return encode(changed)
		}
	}
	for i, s := range segments {
		for size := len(s) / 2; size > 0; size /= 2 {
			for from := 0; from < len(s); from += size {
				to := min(from+size, len(s))
				edits = append(edits, with(i, append(append([]byte(nil), s[:from]...), s[to:]...)))
				edits = append(edits, with(i, append(append(append([]byte(nil), s[:from]...), make([]byte, to-from)...), s[to:]...)))
			}
		}
		for at, b := range s {
			for _, v := range smaller(uint64(b)) {
				if v > 0 { // 0 is a run of one byte above
					changed := append([]byte(nil), s...)
					changed[at] = byte(v)
					edits = append(edits, with(i, changed))
				}
			}
		}
	}
	return edits
}

// fullChunk is the length of a chunk that another one of the same segment follows; see gen.Source.
const fullChunk = 255

// segmentsOf cuts recorded choices into segments.
func segmentsOf(choices []byte) [][]byte {
	var segments [][]byte
	var current []byte
	for len(choices) > 0 {
		n := int(choices[0])
		rest := choices[1:]
		current = append(current, rest[:min(n, len(rest))]...)
		choices = rest[min(n, len(rest)):]
		if n < fullChunk {
			segments, current = append(segments, current), nil
		}
	}
	if len(current) > 0 {
		segments = append(segments, current)
	}
	return segments
}

// encode is the inverse of segmentsOf.
func encode(segments [][]byte) []byte {
	var out []byte
	for _, s := range segments {
		for len(s) >= fullChunk {
			out = append(append(out, fullChunk), s[:fullChunk]...)
			s = s[fullChunk:]
		}
		out = append(append(out, byte(len(s))), s...)
	}
	return out
}
