package core

import (
	"errors"
	"fmt"

	"rokrig/compiler/source"
)

// Verify checks the invariants of a module and returns every fault it finds: what each place wants and gets, labels,
// locals, globals and sites, that no node stands in two places, that every local has a value where it is read, that
// no loop can go round without a poll, and that words named Undef are never reached. It trusts nothing in m and does not
// change it.
func Verify(m *Module) []error {
	v := &verifier{m: m, seen: map[Expr]bool{}, sites: make([]bool, len(m.Sites))}
	if m.Main < 0 || int(m.Main) >= len(m.Funcs) {
		v.faultf("main is function %d of %d", m.Main, len(m.Funcs))
	}
	for i, g := range m.Globals {
		v.global(i, g)
	}
	for i, f := range m.Funcs {
		v.function(i, f)
	}
	return v.faults
}

type verifier struct {
	m      *Module
	faults []error
	seen   map[Expr]bool // nodes that were met
	sites  []bool        // sites that a node has

	f       *Func
	blocks  []*openBlock // by LabelID; nil for a label that is not open
	defined []bool       // by LabelID
	at      state
}

// state is what is known at a point of a function. A point that cannot be reached knows everything.
type state struct {
	live   bool
	polled bool     // since the round of the innermost loop began
	has    []uint64 // set of locals that have a value
}

// openBlock is a block round what is being verified; out is what is known behind it.
type openBlock struct {
	block *Block
	out   state
}

func (v *verifier) faultf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if v.f != nil {
		text = "function " + v.f.Name + ": " + text
	}
	v.faults = append(v.faults, errors.New(text))
}

// nodef reports a fault of a node.
func (v *verifier) nodef(e Expr, format string, args ...any) {
	p := printer{module: v.m}
	v.faultf("(%s): %s", p.head(e), fmt.Sprintf(format, args...))
}

func (v *verifier) global(i int, g *Global) {
	switch {
	case g == nil:
		v.faultf("global %d is missing", i)
		return
	case int(g.ID) != i:
		v.faultf("global %s has number %d at place %d", g.Name, g.ID, i)
	}
	if len(g.Init) != len(g.Classes) {
		v.faultf("global %s has %d words and %d first values", g.Name, len(g.Classes), len(g.Init))
	}
	for _, w := range g.Init {
		if w.IsStr && !v.hasString(w.Str) {
			v.faultf("global %s: string %d of %d", g.Name, w.Str, len(v.m.Strings))
		}
	}
}

func (v *verifier) hasString(id StringID) bool { return id >= 0 && int(id) < len(v.m.Strings) }

func (v *verifier) function(i int, f *Func) {
	if f == nil {
		v.faultf("function %d is missing", i)
		return
	}
	v.f = f
	defer func() { v.f = nil }()
	if int(f.ID) != i {
		v.faultf("has number %d at place %d", f.ID, i)
	}
	if f.Params < 0 || f.Params > len(f.Locals) {
		v.faultf("has %d parameters and %d locals", f.Params, len(f.Locals))
		return
	}
	for i, local := range f.Locals {
		if local == nil || int(local.ID) != i {
			v.faultf("local %d is missing or has another number", i)
			return
		}
	}
	if f.Body == nil {
		v.faultf("has no body")
		return
	}
	v.blocks, v.defined = make([]*openBlock, max(f.Labels, 0)), make([]bool, max(f.Labels, 0))
	v.at = state{live: true, has: make([]uint64, len(f.Locals)/64+1)}
	for i := range f.Params {
		v.at.set(i)
	}
	if _, ok := firstOf(f.Body).(*Poll); !ok {
		v.faultf("does not begin with a poll")
	}
	v.wants(f.Body, f.Result, "the body")
}

// firstOf is the first thing that evaluating e does.
func firstOf(e Expr) Expr {
	for {
		s, ok := e.(*Seq)
		if !ok || len(s.List) == 0 {
			return e
		}
		e = s.List[0]
	}
}

// wants verifies e, which has to leave exactly the given words.
func (v *verifier) wants(e Expr, words []Class, what string) {
	if e == nil {
		v.faultf("%s is missing", what)
		return
	}
	v.expr(e)
	if got := e.Classes(); !sameClasses(got, words) {
		v.nodef(e, "%s leaves%s where%s are wanted", what, classList(got), classList(words))
	}
}

// optional is wants for what may be left out if no words are wanted.
func (v *verifier) optional(e Expr, words []Class, what string) {
	if e != nil || len(words) > 0 {
		v.wants(e, words, what)
	}
}

// all verifies operands that together leave the given words.
func (v *verifier) all(owner Expr, es []Expr, words []Class) {
	var got []Class
	for _, e := range es {
		if e == nil {
			v.nodef(owner, "an operand is missing")
			continue
		}
		v.expr(e)
		got = append(got, e.Classes()...)
	}
	if !sameClasses(got, words) {
		v.nodef(owner, "takes%s, its operands leave%s", classList(words), classList(got))
	}
}

// position checks that a place is named.
func (v *verifier) position(e Expr, pos source.Pos) {
	if pos <= source.NoPos {
		v.nodef(e, "can panic and has no position")
	}
}

// site checks the number of a site and what stands there.
func (v *verifier) site(e Expr, id SiteID, kind SiteKind) {
	if id < 0 || int(id) >= len(v.m.Sites) {
		v.nodef(e, "site %d of %d", id, len(v.m.Sites))
		return
	}
	if v.sites[id] {
		v.nodef(e, "site %d is another node's too", id)
	}
	v.sites[id] = true
	if s := v.m.Sites[id]; s.Kind != kind || s.Func != v.f.ID {
		v.nodef(e, "site %d is of kind %d in function %d", id, s.Kind, s.Func)
	}
}

func (s *state) set(i int) { s.has[i/64] |= 1 << (i % 64) }

func (s *state) holds(i int) bool { return s.has[i/64]&(1<<(i%64)) != 0 }

// copied returns a state that shares nothing with s.
func (s state) copied() state {
	s.has = append([]uint64(nil), s.has...)
	return s
}

// meet makes s what is known at a point that both s and t lead to.
func (s *state) meet(t state) {
	switch {
	case !t.live:
	case !s.live:
		*s = t.copied()
	default:
		s.polled = s.polled && t.polled
		for i := range s.has {
			s.has[i] &= t.has[i]
		}
	}
}
