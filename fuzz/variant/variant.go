// Package variant makes programs out of programs: variants that must behave like their original, mutations that need not,
// and splices of two programs.
//
// In: a program, checked, with what the oracle executed of it, and a stream of choices. Out: another program's text, and
// the names of the rules that made it.
// Invariants: equal choices and inputs give equal bytes; a variant has the outcome of its original but for the positions
// in a panic's line (every rule of the table says why); the given trees are left as they are.
//
// Comparing a program with variants of itself needs no second implementation: "Compiler Validation via Equivalence Modulo
// Inputs" (Le, Afshari, Su, PLDI 2014) changes code that the run at hand never executes, "Metamorphic Testing" (Chen,
// Cheung, Yiu, 1998) whatever is equal by the language's laws. What interpreter and compiler share, the front end, shows
// here: it would have to be wrong about two spellings of one program in the same way.
package variant

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/fuzz/gen"
)

// Original is a program to make others of.
type Original struct {
	Text    string
	Tree    *syntax.File
	Checked *types.Program
	// Executed reports how often the region of a node was executed in a run that came to its normal end, and whether that is
	// known. nil: nothing is known, and no code counts as dead.
	Executed func(types.NodeID) (count uint64, known bool)

	places *index // of Checked, made when it is first needed
}

// Result is a program made of others.
type Result struct {
	Text  string
	Rules []string // that were applied, in their order; a rule may come more than once
}

// rule is a way to change a program.
type rule struct {
	name string
	// phase orders the rules of one variant: what asks who reads and writes what goes before what only adds wrappers.
	phase int
	apply func(*draft) bool // reports whether it found a place
}

// Rules names the rules that Make draws from.
func Rules() []string {
	names := make([]string, len(rules))
	for i := range rules {
		names[i] = rules[i].name
	}
	return names
}

// The bounds of a variant.
const (
	maxRules = 12  // applied at most
	maxDepth = 200 // nesting at a place that is changed; the parser takes 500 levels
)

// Make makes a variant of a program. It returns nil if no rule that was drawn found a place.
func Make(src gen.Source, o *Original) *Result {
	d := newDraft(src, o)
	defer d.leave()
	drawn := make([]int, 2+d.n(maxRules-1))
	for i := range drawn {
		drawn[i] = d.n(len(rules))
	}
	result := &Result{}
	for phase := range phases {
		for _, r := range drawn {
			if rules[r].phase != phase {
				continue
			}
			d.src.Segment()
			if rules[r].apply(d) {
				result.Rules = append(result.Rules, rules[r].name)
			}
		}
	}
	if len(result.Rules) == 0 {
		return nil
	}
	result.Text = d.print()
	return result
}
