package syntax

import "rokrig/compiler/source"

// decls parses a whole file.
func (p *parser) decls() []Decl {
	var list []Decl
	for !p.at(tEOF) {
		switch {
		case p.got(tSemi):
			continue
		case p.at(tRBrace):
			p.complain(source.Span{Start: p.pos(p.tok.start), End: p.pos(p.tok.end)}, "this `}` closes nothing")
			p.next()
			continue
		}
		start := p.here()
		list = append(list, p.decl())
		if p.bad {
			p.resync(0, start)
		}
	}
	return list
}

func (p *parser) decl() Decl {
	outer := p.enter()
	defer p.leave(outer)
	if p.startsItem() {
		return p.item()
	}
	start := p.here()
	s := p.topStmt()
	return &TopStmt{p.from(start), s}
}

func (p *parser) item() Decl {
	start := p.here()
	switch p.tok.kind {
	case tFn:
		return p.fnDecl(fnAtTop)
	case tStruct:
		return p.structDecl(start)
	case tEnum:
		return p.enumDecl(start)
	case tTrait:
		return p.traitDecl(start)
	case tImpl:
		return p.implDecl(start)
	}
	return p.staticDecl(start)
}

// fnPlace is where a function is declared.
type fnPlace uint8

const (
	fnAtTop fnPlace = iota
	fnInImpl
	fnInTrait
)

func (p *parser) fnDecl(place fnPlace) *FnDecl {
	start := p.here()
	p.expect(tFn)
	f := &FnDecl{Name: p.ident("the function's name")}
	f.TypeParams = p.typeParams()
	f.Params = p.params(place)
	f.Throws = p.throws()
	if p.got(tArrow) {
		f.Result = p.typ()
	}
	switch {
	case p.at(tSemi) && place == fnInTrait:
		p.next()
	case p.at(tSemi):
		p.errorHere("a function needs a body; only a trait's method may go without")
	default:
		f.Body = p.block()
	}
	f.Loc = p.from(start)
	return f
}

func (p *parser) params(place fnPlace) []Param {
	if !p.expect(tLParen) {
		return nil
	}
	mark := p.lists.params.mark()
	for !p.at(tRParen) && !p.at(tEOF) {
		p.lists.params.push(p.param(place != fnAtTop && p.lists.params.mark() == mark))
		if !p.got(tComma) {
			break
		}
	}
	p.expect(tRParen)
	return p.lists.params.cut(mark)
}

// param parses `x: T`, `mut x: T`, `_: T` and, where selfAllowed, `self`.
func (p *parser) param(selfAllowed bool) Param {
	start := p.here()
	x := Param{Mut: p.got(tMut)}
	isSelf := p.isWord("self")
	if p.at(tUnderscore) && !x.Mut {
		p.next()
		x.Name = Ident{p.from(start), "_"}
	} else {
		x.Name = p.ident("a parameter's name")
	}
	switch {
	case p.got(tColon):
		x.Type = p.typ()
	case isSelf && !selfAllowed:
		p.complain(x.Name.Span, "`self` is the first parameter of a method")
	case !isSelf:
		p.expected("`:` and the parameter's type")
	}
	x.Loc = p.from(start)
	return x
}

// typeParams parses `<T: Bound + Bound, U>`, or nothing.
func (p *parser) typeParams() []TypeParam {
	if !p.got(tLt) {
		return nil
	}
	var list []TypeParam
	for {
		t := TypeParam{Ident: p.ident("a type parameter's name")}
		if p.got(tColon) {
			t.Bounds = append(t.Bounds, p.bound())
			for p.got(tPlus) {
				t.Bounds = append(t.Bounds, p.bound())
			}
		}
		list = append(list, t)
		if !p.got(tComma) || p.atAngleEnd() {
			break
		}
	}
	p.closeAngle()
	return list
}

// bound parses `Iterator<Item = i64>`.
func (p *parser) bound() Bound {
	start := p.here()
	name := p.ident("a trait's name")
	b := Bound{Path: Path{name.Loc, p.nodes.one(Segment{Ident: name})}}
	if !p.got(tLt) {
		return b
	}
	for {
		b.Assoc = append(b.Assoc, p.assocType())
		if !p.got(tComma) || p.atAngleEnd() {
			break
		}
	}
	p.closeAngle()
	b.Loc = p.from(start)
	return b
}

// assocType parses `Item = T`.
func (p *parser) assocType() AssocType {
	a := AssocType{Ident: p.ident("an associated type's name")}
	p.expect(tAssign)
	a.Type = p.typ()
	return a
}

func (p *parser) structDecl(start int32) Decl {
	p.next()
	s := &StructDecl{Name: p.ident("the struct's name")}
	s.TypeParams = p.typeParams()
	if p.at(tLParen) {
		p.errorHere("there are no tuple structs; a struct's fields have names")
	}
	if p.expect(tLBrace) {
		for !p.at(tRBrace) && !p.at(tEOF) {
			at := p.here()
			f := FieldDecl{Name: p.ident("a field's name")}
			p.expect(tColon)
			f.Type = p.typ()
			f.Loc = p.from(at)
			s.Fields = append(s.Fields, f)
			if !p.got(tComma) {
				break
			}
		}
		p.expect(tRBrace)
	}
	s.Loc = p.from(start)
	return s
}

func (p *parser) enumDecl(start int32) Decl {
	p.next()
	e := &EnumDecl{Name: p.ident("the enum's name")}
	e.TypeParams = p.typeParams()
	if p.expect(tLBrace) {
		for !p.at(tRBrace) && !p.at(tEOF) {
			e.Variants = append(e.Variants, p.variant())
			if !p.got(tComma) {
				break
			}
		}
		p.expect(tRBrace)
	}
	e.Loc = p.from(start)
	return e
}

func (p *parser) variant() Variant {
	start := p.here()
	v := Variant{Name: p.ident("a variant's name")}
	if p.at(tLBrace) {
		p.errorHere("there are no variants with named fields; put a struct into the variant")
	}
	if open := p.here(); p.got(tLParen) {
		v.Args = p.typeList(tRParen)
		p.expect(tRParen)
		if len(v.Args) == 0 {
			p.complain(p.from(open).Span, "empty parentheses; a variant without a payload has none")
		}
	}
	v.Loc = p.from(start)
	return v
}

func (p *parser) traitDecl(start int32) Decl {
	p.next()
	t := &TraitDecl{Name: p.ident("the trait's name")}
	switch p.tok.kind {
	case tLt:
		p.errorHere("traits have no type parameters; use an associated type")
	case tColon:
		p.errorHere("traits have no supertraits")
	}
	p.members(func() {
		if p.isWord("type") {
			p.next()
			t.Types = append(t.Types, p.ident("the associated type's name"))
			p.expect(tSemi)
			return
		}
		t.Methods = append(t.Methods, p.method(fnInTrait))
	})
	t.Loc = p.from(start)
	return t
}

func (p *parser) implDecl(start int32) Decl {
	p.next()
	d := &ImplDecl{TypeParams: p.typeParams()}
	d.Type = p.typ()
	if p.got(tFor) {
		if named, ok := d.Type.(*NamedType); ok {
			d.Trait = &named.Path
		} else {
			p.complain(d.Type.Where(), "expected a trait's name before `for`")
		}
		d.Type = p.typ()
	}
	p.members(func() {
		if p.isWord("type") {
			p.next()
			d.Types = append(d.Types, p.assocType())
			p.expect(tSemi)
			return
		}
		d.Methods = append(d.Methods, p.method(fnInImpl))
	})
	d.Loc = p.from(start)
	return d
}

// method parses a function in a trait or an impl.
func (p *parser) method(place fnPlace) *FnDecl {
	if !p.at(tFn) {
		p.expected("`fn`, `type` or `}`")
	}
	outer := p.enter()
	defer p.leave(outer)
	return p.fnDecl(place)
}

// members parses the body of a trait or an impl, member by member.
func (p *parser) members(member func()) {
	if !p.expect(tLBrace) {
		return
	}
	level := p.braces
	for !p.at(tRBrace) && !p.at(tEOF) {
		start := p.here()
		member()
		if p.bad {
			p.resync(level, start)
		}
	}
	p.expect(tRBrace)
}

func (p *parser) staticDecl(start int32) Decl {
	p.next()
	s := &StaticDecl{Name: p.ident("the static's name")}
	p.expect(tColon)
	s.Type = p.typ()
	p.expect(tAssign)
	s.Init = p.expr(PrecNone)
	p.endOfStmt()
	s.Loc = p.from(start)
	return s
}
