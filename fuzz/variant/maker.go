package variant

import (
	"rokrig/compiler"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/fuzz/gen"
)

// Kind is how the program of an index in a campaign is made.
type Kind uint8

// The kinds of programs.
const (
	Fresh   Kind = iota // by the generator alone
	Spliced             // of two programs
	Mutated             // of one, changed
)

func (k Kind) String() string { return [...]string{"fresh", "spliced", "mutated"}[k] }

// DefaultEach is how seldom programs are made of others, and fresh ones are followed by a variant of themselves.
const DefaultEach = 8

// Plan says how program number index of a campaign is made, and whether a variant of it follows: one of each so many
// programs is made of others, splices and mutations in turn, and one other is followed. each below 1 means never.
func Plan(index uint64, each int) (kind Kind, followed bool) {
	if each < 1 {
		return Fresh, false
	}
	n := uint64(each)
	switch {
	case index%n == n/2 && n > 1 && index/n%2 == 0:
		return Spliced, false
	case index%n == n/2 && n > 1:
		return Mutated, false
	}
	return Fresh, index%n == 0
}

// What a program is made with comes of its campaign's seed and its index, each use with a seed of its own.
const (
	variantSalt = 0x76617269616e7400
	deriveSalt  = 0x6465726976650000
	parentSalt  = 0x706172656e740000
)

// Follow makes the variant of program number index; nil if no rule that was drawn found a place in it.
func Follow(seed, index uint64, o *Original) *Result {
	return Make(gen.New(gen.ProgramSeed(seed^variantSalt, index)), o)
}

// The programs that others are made of belong to a stretch of indices, so that they are made and checked once for many.
const (
	stretch = 2048
	parents = 64
)

// Tries is how many programs Maker.Derive offers for an index: one that the checker rejects is no finding.
const Tries = 4

// Maker makes the programs of a campaign that are made of others. It belongs to one goroutine; what it makes depends on the
// campaign's seed, the index and the corpus alone.
type Maker struct {
	seed   uint64
	corpus []*Original
	kept   [2]parentSet // of the stretches used last
}

type parentSet struct {
	stretch uint64
	list    []*Original // nil where none was asked for
}

// NewMaker prepares for a campaign. The corpus are texts; those that the checker rejects, or works on for long, are left out.
func NewMaker(seed uint64, corpus []string) *Maker {
	m := &Maker{seed: seed}
	for _, text := range corpus {
		tree := syntax.Parse(source.NewFile("parent.rok", text), &source.Diagnostics{}, syntax.Options{})
		if tree == nil || isCostly(tree) {
			continue
		}
		if o := check(text); o != nil {
			m.corpus = append(m.corpus, o)
		}
	}
	return m
}

// check makes a program ready to make others of; nil if it is rejected.
func check(text string) *Original {
	result, err := compiler.Check(source.NewFile("parent.rok", text), compiler.Options{})
	if err != nil {
		return nil
	}
	return &Original{Text: text, Tree: result.Tree, Checked: result.Checked}
}

// isCostly reports whether a match has so many patterns that whether it covers everything takes long to decide.
func isCostly(f *syntax.File) bool {
	costly := false
	syntax.InspectFile(f, func(n syntax.Node) bool {
		if m, ok := n.(*syntax.Match); ok {
			patterns := 0
			for i := range m.Arms {
				patterns += nodes(m.Arms[i].Pat)
			}
			costly = costly || patterns > maxPatterns
		}
		return !costly
	})
	return costly
}

// maxPatterns is how many nodes the patterns of a corpus program's match may have.
const maxPatterns = 150

// Derive makes program number index as kind says. Of the tries, from 0, the first that the checker accepts is the program;
// nil if there is nothing to try.
func (m *Maker) Derive(kind Kind, index uint64, try int) *Result {
	src := gen.New(gen.ProgramSeed(gen.ProgramSeed(m.seed^deriveSalt, index), uint64(try)))
	a := m.parent(src, index)
	if a == nil {
		return nil
	}
	if kind == Mutated {
		return Mutate(src, a)
	}
	b := m.parent(src, index)
	if b == nil {
		return nil
	}
	return Splice(src, a, b)
}

// parent draws a program to make another of: of the corpus, or one generated for the index's stretch.
func (m *Maker) parent(src gen.Source, index uint64) *Original {
	from, which := src.Byte(), src.Byte()
	if n := len(m.corpus); n > 0 && from < 32 {
		return m.corpus[int(which)*n>>8]
	}
	set := m.set(index / stretch)
	k := int(which) * parents >> 8
	if set.list[k] == nil {
		seed := gen.ProgramSeed(m.seed^parentSalt, set.stretch*parents+uint64(k))
		set.list[k] = check(gen.Program(gen.New(seed), gen.Options{}).Text)
	}
	return set.list[k]
}

// set returns the parents of a stretch. Two stretches are kept, since workers cross from one into the next.
func (m *Maker) set(stretch uint64) *parentSet {
	s := &m.kept[stretch%2]
	if s.list == nil || s.stretch != stretch {
		*s = parentSet{stretch, make([]*Original, parents)}
	}
	return s
}
