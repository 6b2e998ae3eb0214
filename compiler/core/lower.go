package core

import (
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/types"
)

// lowerer turns one checked program into a module. The fields below `fn` belong to the function at hand.
type lowerer struct {
	*nodes
	prog   *types.Program
	mod    *Module
	mutant *mutant.Plan
	limits treeLimits
	words  []typeWords // by types.TypeID
	pool   map[string]StringID
	flags  []*Global // by types.GlobalID: tells that the initialiser ran; nil until a check needs it

	fn    *Func
	src   *types.Func
	loops []loop       // by types.LoopID
	inner types.LoopID // of the innermost loop round what is being lowered
	used  []bool       // by LabelID: something branches there
	ran   []bool       // by types.GlobalID, in main: its initialiser was lowered, so that it ran before what comes now
}

// Lower translates a checked program that has no errors. It keeps the order of evaluation, spells out what core does not
// have (match, for, op=, short circuit, the check of globals), and gives out the sites. Sites and globals of flags are
// numbered in the order in which they are made: functions as declared, main last, each from its start to its end.
func Lower(p *types.Program, opts Options) *Module { return lowerWithin(p, opts, usualLimits) }

// lowerWithin is Lower with other limits for decision trees, which only tests need.
func lowerWithin(p *types.Program, opts Options, limits treeLimits) *Module {
	memory := opts.Memory
	if memory == nil {
		memory = &Memory{}
	}
	l := &lowerer{
		nodes:  &memory.nodes,
		limits: limits,
		prog:   p,
		mutant: opts.Mutant,
		mod:    &Module{Source: p.Source, Main: FuncID(p.Main.ID), Funcs: make([]*Func, len(p.Funcs)), Sites: memory.sites},
		flags:  make([]*Global, len(p.Globals)),
		ran:    make([]bool, len(p.Globals)),
	}
	for _, g := range p.Globals {
		l.declareGlobal(g)
	}
	// Main comes last: only then is known which globals some function reads, so that their initialisers set a flag.
	for _, f := range p.Funcs {
		if f != p.Main {
			l.function(f)
		}
	}
	l.function(p.Main)
	memory.sites, memory.taken = nil, l.mod.Sites
	return l.mod
}

// function lowers one function: a poll, then the body.
func (l *lowerer) function(f *types.Func) {
	fn := &Func{ID: FuncID(f.ID), Name: f.Name, Params: len(f.Params), Pos: f.Span.Start, Result: l.wordsOf(f.Result())}
	l.fn, l.src = fn, f
	l.used = l.used[:0]
	l.loops = append(l.loops[:0], make([]loop, f.Loops)...)
	fn.Locals = l.localLists.List(len(f.Locals) + spareLocals)[:len(f.Locals)]
	for i, v := range f.Locals {
		local := l.locals.New()
		local.ID, local.Name, local.Classes, local.Pos = LocalID(v.ID), v.Name, l.wordsOf(v.Type), v.Span.Start
		fn.Locals[i] = local
	}
	mark := l.mark()
	l.push(l.poll(fn.Pos))
	body := l.valueAs(f.Body, f.Result())
	if len(fn.Result) == 0 {
		l.push(body)
		body = nil
	}
	fn.Body = l.seq(mark, body)
	fn.Labels = len(l.used)
	l.mod.Funcs[fn.ID] = fn
}

// spareLocals is room for locals that only core has.
const spareLocals = 8

// local returns the local of core for one of the checked tree.
func (l *lowerer) local(v *types.Local) *Local { return l.fn.Locals[v.ID] }

// site numbers a new site.
func (l *lowerer) site(kind SiteKind, pos source.Pos) SiteID {
	l.mod.Sites = append(l.mod.Sites, Site{Kind: kind, Func: l.fn.ID, Pos: pos})
	return SiteID(len(l.mod.Sites) - 1)
}

func (l *lowerer) poll(pos source.Pos) Expr {
	return l.polls.Put(Poll{Site: l.site(PollSite, pos), Pos: pos})
}

// panicAt ends the program with a message that the language fixes.
func (l *lowerer) panicAt(message string, pos source.Pos) Expr {
	return l.panicWith(l.str(message), pos)
}

func (l *lowerer) panicWith(message Expr, pos source.Pos) Expr {
	return &Panic{Message: message, Pos: pos, Site: l.site(PanicSite, pos)}
}

// str is a string constant; equal ones share their data.
func (l *lowerer) str(s string) Expr { return l.strs.Put(Str{ID: l.pooled(s), Len: len(s)}) }

func (l *lowerer) pooled(s string) StringID {
	id, ok := l.pool[s]
	if !ok {
		if l.pool == nil {
			l.pool = map[string]StringID{}
		}
		id = StringID(len(l.mod.Strings))
		l.mod.Strings = append(l.mod.Strings, s)
		l.pool[s] = id
	}
	return id
}
