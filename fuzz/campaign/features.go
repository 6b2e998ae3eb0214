package campaign

import (
	"strings"

	"rokrig/fuzz/feature"
	"rokrig/fuzz/subject"
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

// observed is what a program executed, by feature.ID.
type observed []uint64

// observe counts the features that a run of a program executed, the message of its panic included.
func observe(x *feature.Index, c *subject.Case) observed {
	counts := make(observed, feature.Count())
	x.Count(c.Regions, counts)
	if message, ok := strings.CutPrefix(c.Oracle.Line, "panic: "); ok {
		counts[feature.OfPanic(message)]++
	}
	return counts
}

// count adds what one program executed.
func (f *featureCounts) count(o observed) {
	f.grow()
	for i, n := range o {
		if n > 0 {
			f.executed[i] += int64(n)
			f.programs[i]++
		}
	}
}
