package gen

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// domain is what the generator knows about the values a scrutinee takes, so that arms are hit and missed.
type domain struct {
	ty    *types.Type
	lo    uint64 // of an integer: values lie from lo on, width of them as a rule
	width int
	parts []domain // of a tuple
	texts []string // of a str
}

// scrutinee makes an expression to match on, with what is known about its values.
func (g *gen) scrutinee(size, deep int) (syntax.Expr, domain) {
	switch b := g.n(17); {
	case b < 7:
		return g.intScrutinee(size)
	case b < 9:
		t := types.Prim(types.Bool)
		return g.operand(t, size), domain{ty: t}
	case b < 11:
		return g.strScrutinee(size)
	case b < 14 && deep > 0:
		return g.tupleScrutinee(size, deep)
	case b < 16:
		if g.chance(24) {
			t := types.Prim(types.Unit)
			return g.expr(t, size, false), domain{ty: t}
		}
		t := g.typeWhere(func(t *types.Type) bool { return t.Kind.IsFloat() }, types.Prim(types.F64))
		return g.operand(t, size), domain{ty: t}
	}
	t := g.typeWhere(matchable, types.Prim(types.I64))
	return g.operand(t, size), g.anyDomain(t)
}

// matchable reports whether patterns other than bindings exist for t.
func matchable(t *types.Type) bool {
	switch t.Kind {
	case types.Bool, types.Str, types.Unit, types.Tuple:
		return true
	}
	return t.Kind.IsNumeric()
}

// anyDomain knows nothing but the type.
func (g *gen) anyDomain(t *types.Type) domain {
	d := domain{ty: t}
	switch {
	case t.Kind.IsInt():
		d.lo, d.width = g.intValue(t.Kind), 1+g.n(9)
	case t.Kind == types.Tuple:
		for _, p := range t.Args {
			d.parts = append(d.parts, g.anyDomain(p))
		}
	case t.Kind == types.Str:
		d.texts = append(d.texts, g.strValue())
	}
	return d
}

func (g *gen) intScrutinee(size int) (syntax.Expr, domain) {
	t := g.intType()
	k := t.Kind
	switch g.n(4) {
	case 0:
		mask := uint64(1)<<(1+g.n(4)) - 1
		return g.binary(syntax.BitAnd, g.varying(t, size), g.integer(mask, "")), domain{ty: t, width: int(mask) + 1}
	case 1:
		m := uint64(2 + g.n(9))
		d := domain{ty: t, width: int(m)}
		if k.IsSigned() {
			d.lo, d.width = 1-m, 2*int(m)-1
		}
		return g.binary(syntax.Rem, g.varying(t, size), g.integer(m, "")), d
	case 2:
		return g.operand(t, size), domain{ty: t, lo: g.intValue(k), width: 1 + g.n(40)}
	}
	// Near an end of the type: base + small.
	base := g.intValue(k)
	mask := uint64(1)<<(1+g.n(3)) - 1
	small := g.binary(syntax.BitAnd, g.varying(t, size), g.integer(mask, ""))
	return g.binary(syntax.Add, small, g.intLit(k, base, true)), domain{ty: t, lo: base, width: int(mask) + 1}
}

func (g *gen) strScrutinee(size int) (syntax.Expr, domain) {
	d := domain{ty: strType}
	for range 1 + g.n(4) {
		d.texts = append(d.texts, g.strValue())
	}
	if g.chance(100) {
		return g.operand(strType, size), d
	}
	var x syntax.Expr = g.str(d.texts[0])
	for _, s := range d.texts[1:] {
		x = g.ifElse(g.cond(3), g.block(g.str(s)), g.block(x))
	}
	return x, d
}

func (g *gen) tupleScrutinee(size, deep int) (syntax.Expr, domain) {
	if g.chance(80) {
		if t := g.typeWhere(func(t *types.Type) bool { return t.Kind == types.Tuple }, nil); t != nil {
			return g.operand(t, size), g.anyDomain(t)
		}
	}
	n := g.heavy(2, 5)
	elems := g.exprs.list(n)
	d := domain{parts: make([]domain, n)}
	parts := make([]*types.Type, n)
	alike := g.chance(150)
	for i := range elems {
		if alike && i > 0 { // parts of one type, so that alternatives can bind at one place or another
			d.parts[i] = d.parts[0]
			elems[i] = g.binary(syntax.BitXor, g.operand(parts[0], max(size/n, 2)), g.integer(uint64(g.n(8)), ""))
			parts[i] = parts[0]
			continue
		}
		elems[i], d.parts[i] = g.scrutinee(max(size/n, 2), deep-1)
		alike = alike && d.parts[i].ty.Kind.IsInt()
		parts[i] = d.parts[i].ty
	}
	d.ty = g.table.Tuple(parts...)
	if partsOf(d.ty) > types.MaxTupleParts/2 {
		return elems[0], d.parts[0]
	}
	return g.tuple(elems), d
}

// matchExpr makes a match with a value.
func (g *gen) matchExpr(t *types.Type, size int, ctx bool) syntax.Expr {
	return g.match(size/2, func(factor float64) (body syntax.Expr) {
		g.times(factor, func() {
			if g.chance(60) {
				body = g.valueBlock(t, max(size/4, 1), ctx, g.fewStmts())
			} else {
				body = g.expr(t, max(size/4, 1), ctx)
			}
		})
		return body
	})
}

// match makes a match whose arms' bodies body makes.
func (g *gen) match(size int, body func(factor float64) syntax.Expr) syntax.Expr {
	x, d := g.scrutinee(max(size, 2), 2)
	n := g.heavy(1, 9)
	m := &syntax.Match{X: x}
	g.nodes++
	arm := func(pat syntax.Pattern, bound []*variable) {
		g.openScope()
		for _, v := range bound {
			g.declare(v)
		}
		a := syntax.Arm{Pat: pat}
		if g.chance(44) {
			a.Guard = g.cond(4)
		}
		a.Body = body(1.5 / float64(n+1))
		g.closeScope()
		g.fn.lines++
		m.Arms = append(m.Arms, a)
	}
	if covers := g.cover(d); covers != nil && g.chance(110) {
		for _, p := range covers {
			arm(p, nil)
			last := &m.Arms[len(m.Arms)-1]
			if last.Guard != nil {
				// A guard may fail, so its pattern comes again without one.
				m.Arms = append(m.Arms, syntax.Arm{Pat: p, Body: body(0.2)})
			}
		}
	} else {
		for range n {
			b := patternBuilder{gen: g}
			p := b.pattern(d, 3)
			arm(p, b.bound)
		}
		last := syntax.Pattern(&syntax.WildPat{})
		var bound []*variable
		if g.chance(80) {
			b := patternBuilder{gen: g}
			last = b.binding(d.ty)
			bound = b.bound
		}
		g.openScope()
		for _, v := range bound {
			g.declare(v)
		}
		m.Arms = append(m.Arms, syntax.Arm{Pat: last, Body: body(0.5)})
		g.closeScope()
	}
	g.fn.lines += 2
	return m
}

// cover makes patterns that together match every value of d's type, each once; nil if that takes too many.
func (g *gen) cover(d domain) []syntax.Pattern {
	switch k := d.ty.Kind; {
	case k == types.Bool:
		first := g.chance(128)
		return []syntax.Pattern{&syntax.LitPat{Value: g.boolean(first)}, &syntax.LitPat{Value: g.boolean(!first)}}
	case k == types.Unit:
		return []syntax.Pattern{&syntax.LitPat{Value: g.tuple(nil)}}
	case k.IsInt():
		return g.coverInts(d)
	case k == types.Tuple && len(d.parts) <= 3:
		return g.coverTuple(d)
	}
	return nil
}

// coverInts cuts the values of an integer type into ranges and single values.
func (g *gen) coverInts(d domain) []syntax.Pattern {
	k := d.ty.Kind
	from, hi := k.MinMax()
	var out []syntax.Pattern
	next := d.lo
	for range 1 + g.n(5) {
		if next-from > hi-from || next == hi {
			break
		}
		out = append(out, g.intRange(k, from, next))
		from = next + 1
		next = from + uint64(g.n(max(d.width/3, 1)))
		if next-from > hi-from {
			next = hi
		}
	}
	return append(out, g.intRange(k, from, hi))
}

// intRange makes the pattern of the values from lo to hi.
func (g *gen) intRange(k types.Kind, lo, hi uint64) syntax.Pattern {
	g.nodes++
	lit := func(v uint64) syntax.Expr { return g.intLit(k, v, true) }
	switch {
	case lo == hi && g.chance(200):
		return &syntax.LitPat{Value: lit(lo)}
	case g.chance(60):
		if _, most := k.MinMax(); hi != most {
			return &syntax.RangePat{Lo: lit(lo), Hi: lit(hi + 1)}
		}
	}
	return &syntax.RangePat{Lo: lit(lo), Hi: lit(hi), Inclusive: true}
}

// coverTuple covers one part, and repeats it for every way to cover the rest.
func (g *gen) coverTuple(d domain) []syntax.Pattern {
	all := [][]syntax.Pattern{nil}
	for _, part := range d.parts {
		covers := g.cover(part)
		if covers == nil || len(all)*len(covers) > 12 {
			covers = []syntax.Pattern{&syntax.WildPat{}}
		}
		var next [][]syntax.Pattern
		for _, row := range all {
			for _, p := range covers {
				next = append(next, append(append([]syntax.Pattern(nil), row...), p))
			}
		}
		all = next
	}
	out := g.patterns.list(len(all))
	for i, row := range all {
		out[i] = &syntax.TuplePat{Elems: row}
	}
	return out
}

// patternBuilder makes one pattern and collects the variables it binds.
type patternBuilder struct {
	*gen
	bound []*variable
	fresh bool // no name may shadow another
	plain bool // nothing may be bound here, since another alternative would have to bind it too
}

// pattern makes a pattern that some values of d match; deep bounds its nesting.
func (b *patternBuilder) pattern(d domain, deep int) syntax.Pattern {
	b.nodes++
	switch c := b.n(16); {
	case c == 0:
		return &syntax.WildPat{}
	case c == 1:
		return b.binding(d.ty)
	case c < 5 && deep > 0:
		return b.alternatives(d, deep-1)
	}
	switch k := d.ty.Kind; {
	case k.IsInt():
		lo := d.lo + uint64(b.n(d.width))
		k := d.ty.Kind
		lo = k.Normalise(lo)
		_, most := k.MinMax()
		length := uint64(b.n(max(d.width/2, 1)))
		if b.chance(120) || most-lo < length {
			return &syntax.LitPat{Value: b.intLit(k, lo, true)}
		}
		return b.intRange(k, lo, lo+length)
	case k.IsFloat():
		return &syntax.LitPat{Value: b.floatLit(k, b.floatValue(k), true)}
	case k == types.Bool:
		return &syntax.LitPat{Value: b.boolean(b.chance(128))}
	case k == types.Str:
		if b.chance(40) {
			return &syntax.LitPat{Value: b.str(b.strValue())}
		}
		return &syntax.LitPat{Value: b.str(d.texts[b.n(len(d.texts))])}
	case k == types.Unit:
		return &syntax.LitPat{Value: b.tuple(nil)}
	case k == types.Tuple:
		elems := b.patterns.list(len(d.parts))
		for i, part := range d.parts {
			if b.chance(90) {
				elems[i] = b.binding(part.ty)
			} else {
				elems[i] = b.pattern(part, deep-1)
			}
		}
		return &syntax.TuplePat{Elems: elems}
	}
	return b.binding(d.ty)
}

// binding makes `x`, `mut x` or `_`.
func (b *patternBuilder) binding(t *types.Type) syntax.Pattern {
	if b.plain || b.chance(50) {
		return &syntax.WildPat{}
	}
	v := b.keep(variable{name: b.gen.fresh("m"), ty: t, mut: b.chance(40), dirty: true})
	if !b.fresh && b.chance(b.sw.shadow) {
		v.name = b.unboundName(v.name)
	}
	b.bound = append(b.bound, v)
	return b.bind(v.name, v.mut)
}

// unboundName draws a name that the pattern does not bind yet.
func (b *patternBuilder) unboundName(fallback string) string {
	name := b.localName()
	for _, v := range b.bound {
		if v.name == name {
			return fallback
		}
	}
	return name
}

// alternatives makes `p | q`. The alternatives bind nothing, or are pairs that bind one variable at two places.
func (b *patternBuilder) alternatives(d domain, deep int) syntax.Pattern {
	if d.ty.Kind == types.Tuple && len(d.parts) >= 2 && !b.plain && b.chance(200) {
		if p := b.swapped(d); p != nil {
			return p
		}
	}
	old := b.plain
	b.plain = true
	n := 2 + b.heavy(0, 4)
	alts := b.patterns.list(n)
	for i := range alts {
		alts[i] = b.pattern(d, deep)
	}
	b.plain = old
	return &syntax.OrPat{Alts: flat(alts)}
}

// flat puts alternatives of alternatives into one list.
func flat(alts []syntax.Pattern) []syntax.Pattern {
	out := make([]syntax.Pattern, 0, len(alts))
	for _, p := range alts {
		if or, ok := p.(*syntax.OrPat); ok {
			out = append(out, or.Alts...)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// swapped makes `(p, x) | (x, q)` over two parts of one type.
func (b *patternBuilder) swapped(d domain) syntax.Pattern {
	first := b.n(len(d.parts) - 1)
	i, j := -1, 0
	for k := range len(d.parts) - 1 {
		if at := (first + k) % (len(d.parts) - 1); d.parts[at].ty == d.parts[at+1].ty {
			i, j = at, at+1
			break
		}
	}
	if i < 0 {
		return nil
	}
	v := b.keep(variable{name: b.gen.fresh("m"), ty: d.parts[i].ty, dirty: true})
	old := b.plain
	b.plain = true
	left, right := b.patterns.list(len(d.parts)), b.patterns.list(len(d.parts))
	for n := range d.parts {
		left[n], right[n] = &syntax.WildPat{}, &syntax.WildPat{}
	}
	left[i], left[j] = b.pattern(d.parts[i], 0), b.bind(v.name, false)
	right[i], right[j] = b.bind(v.name, false), b.pattern(d.parts[j], 0)
	b.plain = old
	b.bound = append(b.bound, v)
	return &syntax.OrPat{Alts: []syntax.Pattern{&syntax.TuplePat{Elems: left}, &syntax.TuplePat{Elems: right}}}
}

// irrefutable makes a pattern that every value of type t matches, with the variables it binds.
func (b *patternBuilder) irrefutable(t *types.Type, deep int) syntax.Pattern {
	if t.Kind != types.Tuple || deep == 0 {
		return b.binding(t)
	}
	elems := b.patterns.list(len(t.Args))
	for i, p := range t.Args {
		elems[i] = b.irrefutable(p, deep-1)
	}
	return &syntax.TuplePat{Elems: elems}
}
