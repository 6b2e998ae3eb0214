package core

import (
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/types"
)

// declareGlobal makes the global of core with the same number. A `let` is all zero until its initialiser runs.
func (l *lowerer) declareGlobal(g *types.Global) {
	words := l.wordsOf(g.Type)
	var init []InitWord
	if g.Init != nil {
		init = l.initWords(make([]InitWord, 0, len(words)), g.Init)
	} else if len(words) > 0 {
		init = make([]InitWord, len(words))
	}
	l.addGlobal(g.Name, words, init, g.Span.Start)
}

func (l *lowerer) addGlobal(name string, words []Class, init []InitWord, pos source.Pos) *Global {
	g := &Global{ID: GlobalID(len(l.mod.Globals)), Name: name, Classes: words, Init: init, Pos: pos}
	l.mod.Globals = append(l.mod.Globals, g)
	return g
}

// initWords appends the words of a static's constant.
func (l *lowerer) initWords(to []InitWord, e types.Expr) []InitWord {
	switch e := e.(type) {
	case *types.TupleExpr:
		for _, part := range e.Elems {
			to = l.initWords(to, part)
		}
		return to
	case *types.Const:
		switch e.Typ.Kind {
		case types.Unit:
			return to
		case types.Str:
			return append(to, InitWord{Str: l.pooled(e.Str), IsStr: true}, InitWord{Bits: uint64(len(e.Str))})
		}
		return append(to, InitWord{Bits: e.Bits})
	}
	panic("core: the initialiser of a static is not constant")
}

// flag returns the global that tells whether the initialiser of g has run.
func (l *lowerer) flag(g *types.Global) *Global {
	if l.flags[g.ID] == nil {
		// A dot cannot stand in a name of the source, so no variable is called that.
		l.flags[g.ID] = l.addGlobal(g.Name+".initialised", oneInt, make([]InitWord, 1), g.Span.Start)
	}
	return l.flags[g.ID]
}

// initGlobal stores the initialiser's value into a `let` of the top level. Nothing can run between the store and the flag.
func (l *lowerer) initGlobal(g *types.Global, value Expr) {
	early := l.flags[g.ID] != nil && l.mutant.On(mutant.GlobalFlagEarly)
	if early {
		l.push(&SetGlobal{Global: l.flags[g.ID], Value: l.int(1)})
	}
	l.push(l.setGlobal(g, 0, value))
	if l.flags[g.ID] != nil && !early {
		l.push(&SetGlobal{Global: l.flags[g.ID], Value: l.int(1)})
	}
	l.ran[g.ID] = true
}

func (l *lowerer) setGlobal(g *types.Global, off int, value Expr) Expr {
	if len(value.Classes()) == 0 {
		return value
	}
	return l.globalSets.Put(SetGlobal{Global: l.mod.Globals[g.ID], Off: off, Value: value})
}

// checkGlobal pushes the check that a global's initialiser has run. It is left out where that is plain: for statics, and
// in main after the initialiser (main is lowered last, so that no other function knows of any). Initialisers stand
// directly among main's statements, never in a loop or a branch, so what is lowered later runs later.
func (l *lowerer) checkGlobal(g *types.Global, pos source.Pos) {
	if g.Static || l.ran[g.ID] {
		return
	}
	l.push(l.when(l.not(&GlobalGet{Global: l.flag(g), Words: oneInt}), l.panicAt("global used before its initialisation", pos)))
}
