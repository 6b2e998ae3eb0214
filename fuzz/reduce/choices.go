package reduce

import (
	"bytes"
	"cmp"
	"context"
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

// made is a program with the choices that it is made of.
type made struct {
	choices []byte
	text    string
	nodes   int
}

// less reports whether a is smaller than b: its program is, or its choices are.
func (a made) less(b made) bool {
	return cmp.Or(cmp.Compare(a.nodes, b.nodes), cmp.Compare(len(a.text), len(b.text)),
		cmp.Compare(len(a.choices), len(b.choices)), bytes.Compare(a.choices, b.choices)) < 0
}

// maker makes the program of choices.
type maker func(choices []byte) made

// makeValid makes a valid program; makeBroken one that must be rejected.
func makeValid(choices []byte) made {
	p := gen.Program(gen.FromBytes(choices), gen.Options{})
	return made{p.Bytes, p.Text, nodesOf(p.Text)}
}

func makeBroken(choices []byte) made {
	p := gen.MustReject(gen.FromBytes(choices), gen.Options{})
	return made{p.Bytes, p.Text, nodesOf(p.Text)}
}

// nodesOf counts the nodes of a text's tree, of one that does not parse those up to the error.
func nodesOf(text string) int {
	src := source.NewFile("", text)
	return syntax.Nodes(syntax.Parse(src, &source.Diagnostics{File: src}, syntax.Options{}))
}

// choiceTest says of choices whether their programs show the same.
type choiceTest func(ctx context.Context, candidates []made) ([]bool, error)

// reduceChoices reduces the choices behind a program. It returns the smallest program so far when ctx ends or the bound is
// reached, with minimal false.
func reduceChoices(ctx context.Context, from made, build maker, test choiceTest, opts Options) (made, *Result, error) {
	start := time.Now()
	res := &Result{}
	now := from
	tried := map[[16]byte]bool{}
	for at := 0; ; {
		edits := choiceEdits(segmentsOf(now.choices))
		if at >= len(edits) {
			at = 0
			if res.Minimal { // nothing was taken since the table was begun
				break
			}
			res.Minimal = true
			continue
		}
		if ctx.Err() != nil || res.Tries >= opts.MaxTries {
			res.Minimal = false
			break
		}
		var batch []made
		var from []int // index of the edit
		next := at
		for ; next < len(edits) && len(batch) < opts.Batch; next++ {
			if c := build(edits[next]()); c.less(now) && !tried[key(string(c.choices))] {
				batch, from = append(batch, c), append(from, next)
			}
		}
		at = next
		passed, err := test(ctx, batch)
		if err != nil {
			return now, res, err
		}
		res.Tries += len(batch)
		for i, p := range passed {
			if p {
				now, res.Minimal, at = batch[i], false, from[i]
				break
			}
			tried[key(string(batch[i].choices))] = true
		}
	}
	res.Elapsed = time.Since(start)
	return now, res, nil
}

// choiceEdit makes other choices.
type choiceEdit func() []byte

// choiceEdits is the table of edits of choices: remove runs of segments, empty them, cut them off, remove bytes, and make
// bytes smaller. 0 is always the simplest choice.
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
			for _, v := range []byte{b / 2, b - 1} {
				if v < b && v > 0 {
					changed := append([]byte(nil), s...)
					changed[at] = v
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
