package campaign

import (
	"rokrig/fuzz/feature"
	"rokrig/oracle/interp"
)

// featureCounts counts, by feature.ID, how often a feature was executed in compared programs, and in how many of them.
type featureCounts struct {
	executed []int64
	programs []int64
}

func (f *featureCounts) grow() {
	if f.executed == nil {
		n := feature.Count()
		f.executed, f.programs = make([]int64, n), make([]int64, n)
	}
}

func (f *featureCounts) add(g *featureCounts) {
	f.grow()
	for i := range g.executed {
		f.executed[i] += g.executed[i]
		f.programs[i] += g.programs[i]
	}
}

func (f *featureCounts) covered() int {
	n := 0
	for _, c := range f.programs {
		if c > 0 {
			n++
		}
	}
	return n
}

// into writes the counts into a summary, by name.
func (f *featureCounts) into(s *Summary) {
	f.grow()
	for i := range feature.Count() {
		name := feature.ID(i).String()
		s.Features[name] = f.executed[i]
		s.FeatureCases[name] = f.programs[i]
		if f.programs[i] == 0 {
			s.NeverRun = append(s.NeverRun, name)
		}
	}
}

// observer notes which features stand in which region of one program, and afterwards counts what was executed.
type observer struct {
	seen    []placed
	regions []uint64
}

type placed struct {
	region  int
	feature feature.ID
}

// observe is an interp.Options.Observe.
func (o *observer) observe(region int, n interp.Node) {
	for _, id := range feature.Of(n) {
		o.seen = append(o.seen, placed{region, id})
	}
}

// count adds what the program executed to f; inProgram is scratch space of the same length, all false between calls.
func (o *observer) count(f *featureCounts, inProgram []bool) {
	f.grow()
	for _, p := range o.seen {
		n := o.regions[p.region]
		f.executed[p.feature] += int64(n)
		if n > 0 && !inProgram[p.feature] {
			inProgram[p.feature] = true
			f.programs[p.feature]++
		}
	}
	clear(inProgram)
}
