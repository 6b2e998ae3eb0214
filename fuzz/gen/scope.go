package gen

import (
	"strconv"

	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// shortNames are names that get shadowed: none that fresh makes. `self` and the names of types are ordinary identifiers.
var shortNames = [...]string{"x", "y", "a", "b", "c", "i", "n", "t", "v", "tmp", "self", "use", "u64", "u8", "str", "f", "main_", "_z", "Range", "_q"}

// fresh returns a name that nothing else has.
func (g *gen) fresh(prefix string) string {
	g.names++
	return prefix + strconv.Itoa(g.names)
}

// localName draws the name of a new local; it may shadow another variable, and sometimes a function.
func (g *gen) localName() string {
	if !g.chance(g.sw.shadow) {
		return g.fresh("v")
	}
	switch {
	case len(g.fn.vars) > 0 && g.chance(120):
		// Counters and fuel keep their names: the code that moves them comes later.
		if v := g.fn.vars[g.n(len(g.fn.vars))]; !v.locked {
			return v.name
		}
	case len(g.globals) > 0 && g.chance(40):
		if v := g.globals[g.n(len(g.globals))]; !v.locked {
			return v.name
		}
	case len(g.funcs) > 0 && g.chance(16):
		f := g.funcs[g.n(len(g.funcs))]
		if f.fuelMax == 0 && !f.asValue {
			return f.name
		}
	}
	return shortNames[g.n(len(shortNames))]
}

// keep puts a variable where it stays.
func (g *gen) keep(v variable) *variable {
	kept := g.vars.new()
	*kept = v
	return kept
}

// declare brings a new local into scope.
func (g *gen) declare(v *variable) *variable {
	if v.hides = g.meaning(v.name); v.hides != nil {
		*v.hides++
	}
	g.fn.vars = append(g.fn.vars, v)
	return v
}

// meaning returns the hidden counter of what a name means at this place, or nil if it means nothing.
func (g *gen) meaning(name string) *int {
	for i := len(g.fn.vars) - 1; i >= 0; i-- {
		if v := g.fn.vars[i]; v.name == name {
			return &v.hidden
		}
	}
	for _, v := range g.globals {
		if v.name == name {
			return &v.hidden
		}
	}
	for _, f := range g.funcs {
		if f.name == name {
			return &f.hidden
		}
	}
	return nil
}

// openScope starts a block's scope.
func (g *gen) openScope() {
	g.fn.declare = append(g.fn.declare, len(g.fn.vars))
	g.fn.depth++
}

// closeScope ends it.
func (g *gen) closeScope() {
	f := g.fn
	mark := f.declare[len(f.declare)-1]
	f.declare = f.declare[:len(f.declare)-1]
	f.depth--
	for len(f.vars) > mark {
		v := f.vars[len(f.vars)-1]
		f.vars = f.vars[:len(f.vars)-1]
		g.gone = v.name
		if v.hides != nil {
			*v.hides--
		}
	}
}

// read returns the expression that reads a variable.
func (g *gen) read(v *variable) syntax.Expr {
	g.fn.needs |= v.need
	return g.path(v.name)
}

// readable reports whether v may be read here.
func (g *gen) readable(v *variable) bool {
	return v.hidden == 0 && (v.need == 0 || g.fn.result != nil && !g.fn.noLets || g.fn.inited&v.need != 0)
}

// place is a variable, or a part of one.
type place struct {
	v    *variable
	path [3]uint8 // indices of tuple fields
	deep int
	ty   *types.Type
}

// expr returns the expression of the place.
func (g *gen) placeExpr(p place) syntax.Expr {
	e := g.read(p.v)
	for _, i := range p.path[:p.deep] {
		e = g.tupleField(e, int(i))
	}
	return e
}

// findPlace draws a readable place of type t; with assign, one that a random statement may store to.
func (g *gen) findPlace(t *types.Type, assign bool) (place, bool) {
	var found [24]place
	n := 0
	add := func(v *variable) {
		if n < len(found) && (!assign || v.mut && !v.locked) && g.readable(v) {
			n += g.parts(place{v: v, ty: v.ty}, t, found[n:])
		}
	}
	for i := len(g.fn.vars) - 1; i >= 0; i-- {
		add(g.fn.vars[i])
	}
	for _, v := range g.globals {
		add(v)
	}
	if n == 0 {
		return place{}, false
	}
	return found[g.n(n)], true
}

// parts writes the places of type t in p to out and returns their number.
func (g *gen) parts(p place, t *types.Type, out []place) int {
	if len(out) == 0 {
		return 0
	}
	if p.ty == t {
		out[0] = p
		return 1
	}
	if p.ty.Kind != types.Tuple || p.deep == len(p.path) {
		return 0
	}
	n := 0
	for i, part := range p.ty.Args {
		sub := p
		sub.path[sub.deep], sub.ty = uint8(i), part
		sub.deep++
		n += g.parts(sub, t, out[n:])
	}
	return n
}

// lit makes the simplest expression of a type: a literal, or a function's name.
func (g *gen) lit(t *types.Type, ctx bool) syntax.Expr {
	switch k := t.Kind; {
	case k.IsInt():
		return g.intLit(k, g.intValue(k), ctx)
	case k.IsFloat():
		return g.floatLit(k, g.floatValue(k), ctx)
	case k == types.Bool:
		return g.boolean(g.chance(128))
	case k == types.Str:
		return g.str(g.strValue())
	case k == types.Unit:
		return g.tuple(nil)
	case k == types.Tuple:
		elems := g.exprs.list(len(t.Args))
		for i, part := range t.Args {
			elems[i] = g.leaf(part, ctx)
		}
		return g.tuple(elems)
	case k == types.Range || k == types.RangeInclusive:
		return g.smallRange(t, ctx)
	case k == types.Fn:
		return g.fnName(t)
	}
	panic("gen: no literal of type " + t.String())
}

// leaf makes an expression of one node, or of few.
func (g *gen) leaf(t *types.Type, ctx bool) syntax.Expr {
	if g.chance(g.sw.reuse) {
		if p, ok := g.findPlace(t, false); ok {
			return g.placeExpr(p)
		}
	}
	return g.lit(t, ctx)
}

// smallRange makes a range of few elements; such a one is safe to loop over whatever became of it.
func (g *gen) smallRange(t *types.Type, ctx bool) syntax.Expr {
	k := t.Args[0].Kind
	lo := g.intValue(k)
	_, most := k.MinMax()
	length := uint64(g.n(5))
	hi := lo + length
	switch {
	case most-lo < length:
		hi = most
	case g.chance(30): // empty
		lo, hi = hi, lo
	}
	lit := func(v uint64, ctx bool) syntax.Expr { return g.intLit(k, v, ctx) }
	return g.rangeOf(lit(lo, ctx), lit(hi, ctx), t.Kind == types.RangeInclusive)
}

// fnName names a function of type t.
func (g *gen) fnName(t *types.Type) syntax.Expr {
	var found [16]*function
	n := 0
	for _, f := range g.funcs {
		if f.fnType == t && f.asValue && f.hidden == 0 && n < len(found) {
			found[n] = f
			n++
		}
	}
	if n == 0 {
		panic("gen: no function of type " + t.String())
	}
	f := found[g.n(n)]
	f.called = true
	return g.path(f.name)
}
