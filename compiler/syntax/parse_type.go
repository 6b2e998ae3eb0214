package syntax

// typ parses a type that is a child of the node being parsed.
func (p *parser) typ() TypeExpr {
	outer := p.enter()
	t := p.typeHere(true)
	p.leave(outer)
	return t
}

// typeHere parses a type. With union false a `|` after it is not the type's, as in a type pattern.
func (p *parser) typeHere(union bool) TypeExpr {
	start := p.here()
	t := p.typeAtom(union)
	if !union || !p.at(tOr) {
		return t
	}
	p.wrap()
	mark := p.lists.types.mark()
	p.lists.types.push(t)
	for p.got(tOr) {
		outer := p.enter()
		member := p.typeAtom(true)
		p.leave(outer)
		p.lists.types.push(member)
	}
	return &UnionType{Members: p.lists.types.cut(mark), Loc: p.from(start)}
}

func (p *parser) typeAtom(union bool) TypeExpr {
	start := p.here()
	switch p.tok.kind {
	case tIdent:
		t := p.nodes.named.New()
		t.Path = p.path(true)
		t.Loc = t.Path.Loc
		return t
	case tLParen:
		return p.parenType()
	case tLBracket:
		p.next()
		elem := p.typ()
		p.expect(tRBracket)
		return &ArrayType{p.from(start), elem}
	case tFn:
		return p.fnType(union)
	case tAny:
		p.next()
		isError := p.isWord("Error")
		if isError {
			p.next()
		}
		return &AnyType{p.from(start), isError}
	case tNone:
		p.next()
		return &NoneType{p.from(start)}
	case tNot:
		p.next()
		return &NeverType{p.from(start)}
	}
	p.expected("a type")
	return &NoneType{p.from(start)}
}

// namedType makes a type of one name.
func (p *parser) namedType(name Ident, start int32) TypeExpr {
	t := p.nodes.named.New()
	t.Path = Path{name.Loc, p.nodes.one(Segment{Ident: name})}
	t.Loc = p.from(start)
	return t
}

// parenType parses `(T)`, which leaves no node, `()`, `(A,)` and `(A, B)`.
func (p *parser) parenType() TypeExpr {
	open := p.here()
	p.next()
	if p.got(tRParen) {
		return &TupleType{Loc: p.from(open)}
	}
	p.openParen()
	t := p.typeHere(true)
	p.closeParen()
	if !p.at(tComma) {
		p.expect(tRParen)
		return t
	}
	p.wrap()
	p.next()
	rest := p.typeList(tRParen)
	p.expect(tRParen)
	return &TupleType{p.from(open), append([]TypeExpr{t}, rest...)}
}

// typeList parses types with commas between up to the closing bracket end.
func (p *parser) typeList(end kind) []TypeExpr {
	mark := p.lists.types.mark()
	for !p.at(end) && !p.at(tEOF) {
		t := p.typ()
		p.lists.types.push(t)
		if !p.got(tComma) {
			break
		}
	}
	return p.lists.types.cut(mark)
}

// typeArgs parses `<A, B>`.
func (p *parser) typeArgs() []TypeExpr {
	if !p.expect(tLt) {
		return nil
	}
	mark := p.lists.types.mark()
	for {
		t := p.typ()
		p.lists.types.push(t)
		if !p.got(tComma) || p.atAngleEnd() {
			break
		}
	}
	p.closeAngle()
	return p.lists.types.cut(mark)
}

// angleEnds tells what is left of a token when the `>` that closes a list of types is taken from it.
var angleEnds = map[kind]kind{tGt: tEOF, tShr: tGt, tGe: tAssign, tShrAssign: tGe}

func (p *parser) atAngleEnd() bool {
	_, ok := angleEnds[p.tok.kind]
	return ok
}

// closeAngle takes a `>`, perhaps the first half of `>>`.
func (p *parser) closeAngle() {
	rest, ok := angleEnds[p.tok.kind]
	switch {
	case !ok:
		p.expected("`,` or `>`")
	case rest == tEOF:
		p.next()
	default:
		p.splitFirst(rest)
	}
}

func (p *parser) fnType(union bool) TypeExpr {
	start := p.here()
	p.next()
	f := &FnType{}
	if p.expect(tLParen) {
		f.Params = p.typeList(tRParen)
		p.expect(tRParen)
	}
	f.Throws = p.throws()
	if p.got(tArrow) {
		outer := p.enter()
		f.Result = p.typeHere(union)
		p.leave(outer)
	}
	f.Loc = p.from(start)
	return f
}

// throws parses `throws` and `throws (E)`, or nothing.
func (p *parser) throws() *Throws {
	start := p.here()
	if !p.got(tThrows) {
		return nil
	}
	t := &Throws{}
	if p.got(tLParen) {
		t.Type = p.typ()
		p.expect(tRParen)
	}
	t.Loc = p.from(start)
	return t
}
