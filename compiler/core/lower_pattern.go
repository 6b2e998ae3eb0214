package core

import "rokrig/compiler/types"

// letStmt pushes a let statement.
func (l *lowerer) letStmt(s *types.LetStmt) {
	t := s.Pat.Type()
	l.letPattern(s.Pat, t, l.valueAs(s.Init, t))
}

// letPattern pushes the binding of a value of type t to an irrefutable pattern.
func (l *lowerer) letPattern(p types.Pattern, t *types.Type, value Expr) {
	switch p := p.(type) {
	case *types.BindPat:
		l.bindVar(p, value)
		return
	case *types.WildPat:
		l.push(l.drop(value))
		return
	}
	x := l.save(value, p.Where().Start)
	if isPlain(p) {
		l.bindParts(p, x, 0)
		return
	}
	l.push(l.matchLocal(x, t, p.Where().Start, []arm{{pat: p}}, nil))
}

// isPlain reports whether a pattern is made of variables, `_` and tuples alone: it matches without a test.
func isPlain(p types.Pattern) bool {
	switch p := p.(type) {
	case *types.WildPat, *types.BindPat:
		return true
	case *types.TuplePat:
		for _, q := range p.Elems {
			if !isPlain(q) {
				return false
			}
		}
		return true
	}
	return false
}

// bindVar pushes the first store into a pattern's variable.
func (l *lowerer) bindVar(p *types.BindPat, value Expr) {
	if p.Global != nil {
		l.initGlobal(p.Global, value)
		return
	}
	l.push(l.let(l.local(p.Local), value))
}

// bindParts pushes the bindings of a plain pattern, matched with what stands from word off of x.
func (l *lowerer) bindParts(p types.Pattern, x *Local, off int) {
	switch p := p.(type) {
	case *types.BindPat:
		l.bindVar(p, l.get(x, off, l.wordsOf(p.Typ)))
	case *types.TuplePat:
		for i, q := range p.Elems {
			l.bindParts(q, x, off)
			off += len(l.wordsOf(p.Typ.Args[i]))
		}
	}
}

// hasVariables reports whether a pattern binds anything.
func hasVariables(p types.Pattern) bool {
	switch p := p.(type) {
	case *types.BindPat:
		return true
	case *types.TuplePat:
		for _, q := range p.Elems {
			if hasVariables(q) {
				return true
			}
		}
	case *types.OrPat:
		return hasVariables(p.Alts[0]) // the others bind the same
	}
	return false
}
