package syntax

// patFlags says what may not stand at the outside of a pattern, because something else could follow there.
type patFlags uint8

const (
	patNoType   patFlags = 1 << iota // after `let`: a `:` starts the type of the whole
	patNoStruct                      // after `catch`: a `{` starts the handler
)

// pattern parses a pattern that is a child of the node being parsed.
func (p *parser) pattern(f patFlags) Pattern {
	outer := p.enter()
	x := p.patternHere(f)
	p.leave(outer)
	return x
}

// patternHere parses alternatives for the node being parsed itself. A `|` may stand before the first one.
func (p *parser) patternHere(f patFlags) Pattern {
	start := p.here()
	p.got(tOr)
	x := p.alternative(f)
	if !p.at(tOr) {
		return x
	}
	p.wrap()
	mark := p.lists.patterns.mark()
	p.lists.patterns.push(x)
	for p.got(tOr) {
		outer := p.enter()
		alt := p.alternative(f)
		p.leave(outer)
		p.lists.patterns.push(alt)
	}
	return &OrPat{Alts: p.lists.patterns.cut(mark), Loc: p.from(start)}
}

func (p *parser) alternative(f patFlags) Pattern {
	start := p.here()
	switch p.tok.kind {
	case tUnderscore:
		p.next()
		if f&patNoType == 0 && p.at(tColon) {
			return p.typePat(Ident{p.from(start), "_"}, false, start)
		}
		return &WildPat{p.from(start)}
	case tMut:
		p.next()
		return p.binding(p.ident("the name of a mutable variable"), true, f, start)
	case tIdent:
		return p.namePat(f)
	case tInt, tFloat, tString, tTrue, tFalse, tNone, tMinus:
		return p.literalPat()
	case tLParen:
		return p.parenPat()
	case tDotDot, tDotDotEq:
		p.errorHere("a range pattern needs both ends: `a..b` or `a..=b`")
	case tLBracket:
		p.errorHere("there are no array patterns")
	}
	p.expected("a pattern")
	return &WildPat{p.from(start)}
}

// binding parses what follows a name that is bound.
func (p *parser) binding(name Ident, mut bool, f patFlags, start int32) Pattern {
	if f&patNoType == 0 && p.at(tColon) {
		return p.typePat(name, mut, start)
	}
	b := p.nodes.binds.New()
	b.Name, b.Mut, b.Loc = name, mut, p.from(start)
	return b
}

// typePat parses the `: T` after a name. A union there needs parentheses, since `|` separates alternatives.
func (p *parser) typePat(name Ident, mut bool, start int32) Pattern {
	p.next()
	t := &TypePat{Name: name, Mut: mut}
	outer := p.enter()
	t.Type = p.typeHere(false)
	p.leave(outer)
	t.Loc = p.from(start)
	return t
}

// namePat parses a pattern that starts with a name: a binding, a struct or an enum variant.
func (p *parser) namePat(f patFlags) Pattern {
	start := p.here()
	path := p.path(false)
	switch {
	case p.at(tLBrace) && f&patNoStruct == 0:
		return p.structPat(path, start)
	case p.at(tLParen):
		if len(path.Segments) == 1 {
			p.complain(path.Span, "an enum variant is matched by its full name, as in `Enum::%s(...)`", path.Segments[0].Name)
		}
		open := p.here()
		p.next()
		args := p.patternList(tRParen)
		p.expect(tRParen)
		if len(args) == 0 {
			p.complain(p.from(open).Span, "empty parentheses; a variant without a payload is matched without them")
		}
		return &EnumPat{p.from(start), path, args}
	case len(path.Segments) > 1:
		return &EnumPat{p.from(start), path, nil}
	}
	if path.Segments[0].Args != nil {
		p.complain(path.Span, "a variable has no type arguments")
	}
	return p.binding(path.Segments[0].Ident, false, f, start)
}

// patternList parses patterns with commas between up to the closing bracket end.
func (p *parser) patternList(end kind) []Pattern {
	mark := p.lists.patterns.mark()
	for !p.at(end) && !p.at(tEOF) {
		x := p.pattern(0)
		p.lists.patterns.push(x)
		if !p.got(tComma) {
			break
		}
	}
	return p.lists.patterns.cut(mark)
}

func (p *parser) structPat(path Path, start int32) Pattern {
	p.next()
	s := &StructPat{Path: path}
	for !p.at(tRBrace) && !p.at(tEOF) {
		if p.got(tDotDot) {
			s.Rest = true
			break // `..` is the last
		}
		s.Fields = append(s.Fields, p.fieldPat())
		if !p.got(tComma) {
			break
		}
	}
	p.expect(tRBrace)
	s.Loc = p.from(start)
	return s
}

// fieldPat parses `f`, `f: pattern` or `mut f`, which is short for `f: mut f`.
func (p *parser) fieldPat() FieldPat {
	start := p.here()
	if p.got(tMut) {
		f := FieldPat{Name: p.ident("a field's name")}
		outer := p.enter()
		f.Pat = p.binding(f.Name, true, patNoType, start)
		p.leave(outer)
		return f
	}
	f := FieldPat{Name: p.ident("a field's name or `..`")}
	if p.got(tColon) {
		f.Pat = p.pattern(0)
	}
	return f
}

// parenPat parses `(p)`, which leaves no node, `()`, `(p,)` and `(p, q)`.
func (p *parser) parenPat() Pattern {
	open := p.here()
	p.next()
	if p.got(tRParen) {
		outer := p.enter()
		p.leave(outer)
		return &LitPat{p.from(open), &TupleLit{Loc: p.from(open)}}
	}
	p.openParen()
	x := p.patternHere(0)
	p.closeParen()
	if !p.at(tComma) {
		p.expect(tRParen)
		return x
	}
	p.wrap()
	p.next()
	rest := p.patternList(tRParen)
	p.expect(tRParen)
	return &TuplePat{p.from(open), append([]Pattern{x}, rest...)}
}

// literalPat parses a literal, with a minus perhaps, or a range between two.
func (p *parser) literalPat() Pattern {
	start := p.here()
	lo := p.patLiteral()
	if !p.at(tDotDot) && !p.at(tDotDotEq) {
		return &LitPat{p.from(start), lo}
	}
	r := &RangePat{Lo: lo, Inclusive: p.at(tDotDotEq)}
	p.next()
	switch p.tok.kind {
	case tInt, tFloat, tString, tTrue, tFalse, tNone, tMinus:
		r.Hi = p.patLiteral()
	default:
		p.errorHere("a range pattern needs both ends: `a..b` or `a..=b`")
		r.Hi = lo
	}
	for _, end := range []Expr{r.Lo, r.Hi} {
		if !isIntegerPattern(end) {
			p.complain(end.Where(), "a range pattern goes from integer to integer")
		}
	}
	r.Loc = p.from(start)
	return r
}

// patLiteral parses a literal in a pattern, a child of the node being parsed.
func (p *parser) patLiteral() Expr {
	outer := p.enter()
	defer p.leave(outer)
	start := p.here()
	switch p.tok.kind {
	case tMinus:
		p.next()
		if !p.at(tInt) && !p.at(tFloat) {
			p.expected("a number after `-`")
			return &NoneLit{p.from(start)}
		}
		u := p.nodes.unaries.New()
		u.Op, u.X = Neg, p.patLiteral()
		u.Loc = p.from(start)
		return u
	case tInt:
		return p.intLit()
	}
	return p.literal()
}

func isIntegerPattern(x Expr) bool {
	if u, ok := x.(*Unary); ok {
		x = u.X
	}
	_, ok := x.(*IntLit)
	return ok
}
