package reduce

import (
	"cmp"
	"context"

	"rokrig/compiler/syntax"
	"rokrig/fuzz/subject"
)

// size is what reducing makes smaller: first the names that a program declares, then its nodes, then the length of its
// canonical text, then the text itself, in which a smaller digit comes first. Names come before nodes so that a value may
// be written in the place of its variable although the program gets longer thereby. There are only so many programs below
// any one, so that steps that go down come to an end.
type size struct {
	names, nodes int
	text         string // canonical
}

// measure returns the size of a program.
func measure(f *syntax.File) size {
	s := bare(f)
	s.text = syntax.PrintFile(f)
	return s
}

// bare returns the size of a program without its text.
func bare(f *syntax.File) size {
	found := find(f)
	return size{names: len(found.funcs) + found.names, nodes: syntax.Nodes(f)}
}

// less reports whether a is smaller than b.
func (a size) less(b size) bool {
	return cmp.Or(cmp.Compare(a.names, b.names), cmp.Compare(a.nodes, b.nodes),
		cmp.Compare(len(a.text), len(b.text)), cmp.Compare(a.text, b.text)) < 0
}

// CheckMinimal reports whether a reduced finding is 1-minimal, by what its kind was edited by; see Minimal. mutant is the
// deliberate bug that is on, or "".
func (r *Reduced) CheckMinimal(ctx context.Context, mutant string, jobs int) (smaller string, ok bool, err error) {
	if r.By == byChoices {
		return r.minimalChoices(mutant)
	}
	var configs []subject.Config
	if r.Config != "" {
		cfg, err := subject.Parse(r.Config)
		if err != nil {
			return "", false, err
		}
		configs = append(configs, cfg)
	}
	finder, err := aimedFinder(ctx, r.name, r.Text, mutant, configs, jobs, true)
	if err != nil {
		return "", false, err
	}
	defer finder.Close()
	return Minimal(ctx, r.name, r.Text, finder.Test)
}

// minimalChoices tries every edit of the choices once, one after the other, in a laboratory of its own.
func (r *Reduced) minimalChoices(mutant string) (smaller string, ok bool, err error) {
	lab, err := subject.NewLab(subject.LabOptions{Mutant: mutant})
	if err != nil {
		return "", false, err
	}
	defer lab.Close()
	now := r.build(r.Choices)
	for _, e := range choiceEdits(segmentsOf(now.choices)) {
		c := r.build(e())
		if !c.less(now) {
			continue
		}
		if found := judge(lab, r.name, c); found != nil && found.Signature == r.Signature {
			return c.text, false, nil
		}
	}
	return "", true, nil
}

// Minimal reports whether a program that passes the test is 1-minimal. If it is not, smaller is one that a single edit makes
// of it. It shares the table of edits with Reduce and nothing else: each edit is made on a tree of its own, fresh from the
// text, and none is left out.
func Minimal(ctx context.Context, name, text string, test Test) (smaller string, ok bool, err error) {
	now := &reducer{name: name}
	now.accept(text)
	var candidates []string
	for _, pass := range passes {
		for i := range pass(now) {
			fresh := &reducer{name: name}
			fresh.accept(text)
			pass(fresh)[i]()
			if c := measure(fresh.file); c.less(now.size) {
				candidates = append(candidates, c.text)
			}
		}
	}
	if len(candidates) == 0 {
		return "", true, nil
	}
	passed, err := test(ctx, candidates)
	if err != nil {
		return "", false, err
	}
	for i, p := range passed {
		if p {
			return candidates[i], false, nil
		}
	}
	return "", true, nil
}
