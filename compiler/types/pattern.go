package types

import (
	"slices"

	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
)

// patternBinding is a variable of the pattern being checked.
type patternBinding struct {
	sym    symID
	name   syntax.Ident
	typ    *Type
	mut    bool
	local  *Local
	global *Global
}

// altBinding is what an alternative of an OrPat has to bind a name to: the first alternative's variable.
type altBinding struct {
	number int32 // of the alternative that has to; 0 if none
	first  *patternBinding
}

// bindPattern checks a pattern against values of type t and brings its variables into scope.
func (c *checker) bindPattern(p syntax.Pattern, t *Type) Pattern {
	out := c.pattern(p, t)
	for i := range c.binds {
		b := &c.binds[i]
		c.syms[b.sym].bound = 0
		if b.local != nil {
			c.declare(b.sym, b.local)
		}
	}
	c.binds = c.binds[:0]
	return out
}

// irrefutable is bindPattern for a place where the pattern has to match every value; where is what the message names.
func (c *checker) irrefutable(p syntax.Pattern, t *Type, where string) Pattern {
	errors := c.errors
	out := c.bindPattern(p, t)
	if simple(out) || c.errors != errors || t.Kind == Invalid {
		return out
	}
	result := c.usefulness([]Pattern{out}, nil, t)
	switch {
	case result.tooComplex:
		c.errorf(out.Where(), "pattern too complex to check")
	case result.missing != "":
		c.errorf(out.Where(), "the pattern of a `%s` has to match every value, but not `%s`", where, result.missing)
	}
	return out
}

// simple reports whether a pattern matches everything at first sight.
func simple(p Pattern) bool {
	switch p := p.(type) {
	case *WildPat, *BindPat:
		return true
	case *TuplePat:
		for _, e := range p.Elems {
			if !simple(e) {
				return false
			}
		}
		return true
	case *OrPat:
		return slices.ContainsFunc(p.Alts, simple)
	}
	return false
}

func (c *checker) patBase(s source.Span, t *Type) PatBase { return PatBase{s, t, c.node()} }

// pattern checks a pattern against values of type t. Variables are collected in c.binds. After an error it still goes
// through all parts, so that every variable exists.
func (c *checker) pattern(p syntax.Pattern, t *Type) Pattern {
	switch p := p.(type) {
	case *syntax.WildPat:
		return &WildPat{c.patBase(p.Span, t)}
	case *syntax.BindPat:
		return c.bind(p.Name, p.Mut, p.Span, t)
	case *syntax.TypePat:
		return c.typePattern(p, t)
	case *syntax.LitPat:
		return c.literalPattern(p, t)
	case *syntax.RangePat:
		return c.rangePattern(p, t)
	case *syntax.TuplePat:
		return c.tuplePattern(p, t)
	case *syntax.OrPat:
		return c.orPattern(p, t)
	}
	c.heapPattern(p)
	return &WildPat{c.patBase(p.Where(), t)}
}

// heapPattern reports a struct or enum pattern and binds its variables.
func (c *checker) heapPattern(p syntax.Pattern) {
	var head syntax.Segment
	switch p := p.(type) {
	case *syntax.StructPat:
		head = p.Path.Segments[0]
	case *syntax.EnumPat:
		head = p.Path.Segments[0]
	}
	if !c.isTypeItem(head.Name) { // else reported where it is declared
		c.errorf(head.Span, "no type is named `%s`", head.Name)
	}
	c.heapPatternParts(p, func(q syntax.Pattern) { c.pattern(q, Prim(Invalid)) })
}

// heapPatternParts calls visit for the parts of a struct or enum pattern.
func (c *checker) heapPatternParts(p syntax.Pattern, visit func(syntax.Pattern)) {
	switch p := p.(type) {
	case *syntax.StructPat:
		for _, f := range p.Fields {
			if f.Pat == nil {
				visit(&syntax.BindPat{Loc: f.Name.Loc, Name: f.Name})
			} else {
				visit(f.Pat)
			}
		}
	case *syntax.EnumPat:
		for _, a := range p.Args {
			visit(a)
		}
	}
}

// bind makes the variable of a pattern, or, in a later alternative, takes the first one's.
func (c *checker) bind(name syntax.Ident, mut bool, span source.Span, t *Type) Pattern {
	out := c.make.binds.Put(BindPat{PatBase: c.patBase(span, t)})
	id := c.sym(name.Name)
	s := &c.syms[id]
	if s.bound != 0 {
		c.errorf(name.Span, "`%s` is bound twice in this pattern", name.Name)
		return out
	}
	b := patternBinding{sym: id, name: name, typ: t, mut: mut}
	switch {
	case s.alt.number != 0:
		first := s.alt.first
		b.local, b.global = first.local, first.global
		if first.typ != t && first.typ.Kind != Invalid && t.Kind != Invalid {
			c.errorf(name.Span, "`%s` has type `%s` here and `%s` in the first alternative", name.Name, t, first.typ)
		} else if first.mut != mut {
			c.errorf(name.Span, "`%s` is `mut` in one alternative and not in the other", name.Name)
		}
	case c.global:
		if b.global = s.item.global; b.global == nil {
			b.global = &Global{Name: name.Name} // the name was declared twice, or is not in the first alternative
		}
		b.global.Type = t
	default:
		if old := c.lookupLocal(id); old != nil && mut && old.Mut && old.Type == t && c.mutant.On(mutant.ShadowShares) {
			b.local = old
		} else {
			b.local = c.newLocal(name, t, mut)
		}
	}
	c.binds = append(c.binds, b)
	s.bound = int32(len(c.binds))
	out.Local, out.Global = b.local, b.global
	return out
}

// typePattern checks `x: T`, which outside of unions is allowed for the exact type only.
func (c *checker) typePattern(p *syntax.TypePat, t *Type) Pattern {
	want := c.typeExpr(p.Type)
	if want != t && want.Kind != Invalid && t.Kind != Invalid {
		c.errorf(p.Span, "a value of type `%s` never has type `%s`", t, want)
	}
	if p.Name.Name == "_" {
		return &WildPat{c.patBase(p.Span, t)}
	}
	return c.bind(p.Name, p.Mut, p.Span, want)
}

func (c *checker) tuplePattern(p *syntax.TuplePat, t *Type) Pattern {
	if t.Kind != Invalid && (t.Kind != Tuple || len(t.Args) != len(p.Elems)) {
		c.errorf(p.Span, "a tuple pattern of %d parts does not go with type `%s`", len(p.Elems), t)
		t = Prim(Invalid)
	}
	out := &TuplePat{Elems: make([]Pattern, len(p.Elems))}
	for i, e := range p.Elems {
		out.Elems[i] = c.pattern(e, partOf(t, i))
	}
	out.PatBase = c.patBase(p.Span, t)
	return out
}

func (c *checker) literalPattern(p *syntax.LitPat, t *Type) Pattern {
	mismatch := func(found *Type) Pattern {
		if t.Kind != Invalid {
			c.errorf(p.Span, "expected a pattern of type `%s`, found a literal of type `%s`", t, found)
		}
		return badPattern(p)
	}
	if n, ok := numberOf(p.Value); ok {
		if found := n.typeFor(t); found != t {
			return mismatch(found)
		}
		return &ConstPat{PatBase: c.patBase(p.Span, t), Bits: c.patternBits(n, p.Span, t)}
	}
	switch v := p.Value.(type) {
	case *syntax.BoolLit:
		if t.Kind != Bool {
			return mismatch(Prim(Bool))
		}
		return &ConstPat{PatBase: c.patBase(p.Span, t), Bits: wordOf(v.Value)}
	case *syntax.StrLit:
		if t.Kind != Str {
			return mismatch(Prim(Str))
		}
		return &ConstPat{PatBase: c.patBase(p.Span, t), Str: v.Value}
	case *syntax.TupleLit:
		if t.Kind != Unit || len(v.Elems) > 0 {
			return mismatch(Prim(Unit))
		}
		return &WildPat{c.patBase(p.Span, t)} // `()` has one value
	case *syntax.NoneLit:
		c.unsupported(p.Span, "`none` is")
	default:
		c.errorf(p.Span, "a pattern cannot hold this expression")
	}
	return badPattern(p)
}

// badPattern stands for a pattern that was reported.
func badPattern(p syntax.Pattern) Pattern { return &WildPat{PatBase{p.Where(), Prim(Invalid), 0}} }

func wordOf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// patternBits is numberBits for a pattern.
func (c *checker) patternBits(n number, span source.Span, t *Type) uint64 {
	if c.mutant.On(mutant.LiteralNegWrap) {
		n.neg = false
	}
	return c.numberBits(n, span, t)
}

func (c *checker) rangePattern(p *syntax.RangePat, t *Type) Pattern {
	out := &RangePat{PatBase: c.patBase(p.Span, t)}
	if t.Kind == Invalid {
		return out
	}
	lo, loOK := numberOf(p.Lo)
	hi, hiOK := numberOf(p.Hi)
	switch {
	case !loOK || !hiOK:
		c.errorf(p.Span, "the ends of a range pattern are integer literals")
		return out
	case !t.Kind.IsInt():
		c.errorf(p.Span, "a range pattern is for integers, not for type `%s`", t)
		return out
	}
	for _, end := range []number{lo, hi} {
		if found := end.typeFor(t); found != t {
			c.errorf(end.lit.Where(), "expected a pattern of type `%s`, found a literal of type `%s`", t, found)
			return out
		}
	}
	errors := c.errors
	out.Lo, out.Hi = c.patternBits(lo, p.Lo.Where(), t), c.patternBits(hi, p.Hi.Where(), t)
	switch {
	case c.errors != errors:
	case t.Kind.LessWords(out.Hi, out.Lo):
		c.errorf(p.Span, "the range pattern's start is greater than its end")
	case !p.Inclusive && out.Lo == out.Hi:
		out.Empty = true
	case !p.Inclusive:
		out.Hi--
	}
	return out
}

// orPattern checks `p | q`: every alternative has to bind the first one's variables, with their types.
func (c *checker) orPattern(p *syntax.OrPat, t *Type) Pattern {
	out := &OrPat{Alts: make([]Pattern, 0, len(p.Alts))}
	base := len(c.binds)
	out.Alts = append(out.Alts, c.pattern(p.Alts[0], t))
	first := append([]patternBinding(nil), c.binds[base:]...)
	for _, alt := range p.Alts[1:] {
		if c.diags.Full() {
			break
		}
		out.Alts = append(out.Alts, c.laterAlternative(alt, t, base, first))
	}
	c.binds = append(c.unbind(base), first...)
	for i := range first {
		c.syms[first[i].sym].bound = int32(base + i + 1)
	}
	out.PatBase = c.patBase(p.Span, t)
	return out
}

// unbind takes away the bindings from base on.
func (c *checker) unbind(base int) []patternBinding {
	for _, b := range c.binds[base:] {
		c.syms[b.sym].bound = 0
	}
	return c.binds[:base]
}

func (c *checker) laterAlternative(alt syntax.Pattern, t *Type, base int, first []patternBinding) Pattern {
	c.binds = c.unbind(base)
	c.orNext++
	number := c.orNext
	outer := make([]altBinding, len(first)) // what an alternative round this one asks for
	for i := range first {
		s := &c.syms[first[i].sym]
		outer[i] = s.alt
		s.alt = altBinding{number, &first[i]}
	}
	out := c.pattern(alt, t)
	for _, b := range c.binds[base:] {
		if c.syms[b.sym].alt.number != number {
			c.errorf(b.name.Span, "`%s` is not bound in every alternative", b.name.Name)
		}
	}
	for i := range first {
		s := &c.syms[first[i].sym]
		if s.bound == 0 {
			c.errorf(alt.Where(), "`%s` is not bound in every alternative", first[i].name.Name)
		}
		s.alt = outer[i]
	}
	return out
}
