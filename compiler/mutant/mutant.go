// Package mutant is the catalogue of deliberate bugs: what `rokrig mutants` switches on, one at a time, to prove that
// the rig would see a real one.
//
// In: a plan, made from a mutant's name. Out: the answer to "is this bug on here?" at every mutation point, which reads
// as one line at the place of the bug: `if plan.On(mutant.RawIdiv) { ... }`.
// Invariants: a nil *Plan answers false everywhere and costs a nil test; a plan belongs to one compile or run and there
// is no global switch; names are stable, since kill records and reports carry them.
package mutant

import (
	"fmt"
	"sync/atomic"
)

// Area is the part of the system that a mutant damages.
type Area string

// The areas.
const (
	FrontEnd    Area = "front"
	CoreArea    Area = "core"
	Arithmetic  Area = "arith"
	Calls       Area = "call"
	Alignment   Area = "align"
	Frame       Area = "frame"
	Control     Area = "control"
	Encoder     Area = "encode"
	Linker      Area = "link"
	Interpreter Area = "interp"
	Runtime     Area = "runtime"
)

// Info is a row of the catalogue.
type Info struct {
	Name   string // area/effect
	Area   Area
	Effect string // one sentence: what is wrong while it is on

	HeldOut bool // written without knowledge of the generator
}

// ID numbers the mutants that live in Go code. Those of the C runtime are named in runtime/abi.
type ID uint16

// Plan says which mutant is on. The zero of the pointer, nil, means none.
type Plan struct {
	id      ID
	reached atomic.Bool
}

// New returns a plan with one mutant on, by its name in the catalogue.
func New(name string) (*Plan, error) {
	for id := range catalogue {
		if id != 0 && catalogue[id].name == name {
			return &Plan{id: ID(id)}, nil
		}
	}
	return nil, fmt.Errorf("no mutant is named %q; `rokrig mutants --list` shows them", name)
}

// On reports whether the mutant is on and, if so, notes that its place was reached.
func (p *Plan) On(id ID) bool {
	if p == nil || p.id != id {
		return false
	}
	if !p.reached.Load() {
		p.reached.Store(true)
	}
	return true
}

// Reached reports whether any mutation point of the plan was reached.
func (p *Plan) Reached() bool { return p != nil && p.reached.Load() }

// Info returns the plan's row.
func (p *Plan) Info() Info { return infoOf(p.id) }

// All returns the catalogue in its order.
func All() []Info {
	list := make([]Info, 0, len(catalogue)-1)
	for id := ID(1); int(id) < len(catalogue); id++ {
		list = append(list, infoOf(id))
	}
	return list
}

func infoOf(id ID) Info {
	row := catalogue[id]
	return Info{row.name, row.area, row.effect, heldOut[id]}
}
