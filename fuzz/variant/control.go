package variant

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// rewrite makes the rule that puts another spelling in the place of an expression, also of a statement; what form returns
// has to end in a block if the old one did. It returns nil if the expression is none of its kind.
func rewrite(form func(*draft, *exprSite) syntax.Expr) func(*draft) bool {
	return func(d *draft) bool {
		var x syntax.Expr
		s := d.someExpr(func(s *exprSite) bool {
			x = form(d, s)
			return x != nil
		})
		if s == nil {
			return false
		}
		*s.slot = x
		return true
	}
}

// swapBranches turns `if c { a } else { b }` into `if !c { b } else { a }`.
func swapBranches(d *draft, s *exprSite) syntax.Expr {
	x, ok := (*s.slot).(*syntax.If)
	if !ok || d.diverges(x.Cond) {
		return nil
	}
	other := block(nil)
	if x.Else != nil {
		other = asBlock(x.Else)
	}
	return &syntax.If{Cond: not(x.Cond), Then: other, Else: x.Then}
}

// ifToMatch turns an `if` into a `match` on its condition.
func ifToMatch(d *draft, s *exprSite) syntax.Expr {
	x, ok := (*s.slot).(*syntax.If)
	if !ok {
		return nil
	}
	other := block(nil)
	if x.Else != nil {
		other = asBlock(x.Else)
	}
	yes := syntax.Arm{Pat: literalPattern(truth(true)), Body: x.Then}
	no := syntax.Arm{Pat: literalPattern(truth(false)), Body: other}
	arms := []syntax.Arm{yes, no}
	if d.n(2) == 1 {
		arms = []syntax.Arm{no, yes}
	}
	if d.n(2) == 1 {
		arms[1].Pat = &syntax.WildPat{}
	}
	return &syntax.Match{X: x.Cond, Arms: arms}
}

// ifToLet turns `if c { a }` into `if let true = c { a }`.
func ifToLet(_ *draft, s *exprSite) syntax.Expr {
	x, ok := (*s.slot).(*syntax.If)
	if !ok {
		return nil
	}
	return &syntax.IfLet{Pat: literalPattern(truth(true)), X: x.Cond, Then: x.Then, Else: x.Else}
}

// ifLetToMatch spells `if let` out, and a `match` of two arms the other way round.
func ifLetToMatch(_ *draft, s *exprSite) syntax.Expr {
	switch x := (*s.slot).(type) {
	case *syntax.IfLet:
		other := block(nil)
		if x.Else != nil {
			other = asBlock(x.Else)
		}
		return &syntax.Match{X: x.X, Arms: []syntax.Arm{{Pat: x.Pat, Body: x.Then}, {Pat: &syntax.WildPat{}, Body: other}}}
	case *syntax.Match:
		if len(x.Arms) == 2 && x.Arms[0].Guard == nil && x.Arms[1].Guard == nil {
			if _, all := x.Arms[1].Pat.(*syntax.WildPat); all {
				return &syntax.IfLet{Pat: x.Arms[0].Pat, X: x.X, Then: asBlock(x.Arms[0].Body), Else: asBlock(x.Arms[1].Body)}
			}
		}
	}
	return nil
}

// matchToLets takes the first arm off a match: `if let P = t { a } else { match t { rest } }`. The rest gets an arm for what
// only the first one covered, which is never reached.
func matchToLets(d *draft, s *exprSite) syntax.Expr {
	x, ok := (*s.slot).(*syntax.Match)
	if !ok || len(x.Arms) < 2 || x.Arms[0].Guard != nil || !small(s.typ) {
		return nil
	}
	t := d.typeOf(x.X)
	if t == nil || t.Kind == types.Never || !small(t) || d.diverges(x) {
		return nil
	}
	v, let := d.temp(t, x.X, false)
	rest := &syntax.Match{X: d.read(v), Arms: append([]syntax.Arm(nil), x.Arms[1:]...)}
	if _, all := x.Arms[len(x.Arms)-1].Pat.(*syntax.WildPat); !all || x.Arms[len(x.Arms)-1].Guard != nil {
		rest.Arms = append(rest.Arms, syntax.Arm{Pat: &syntax.WildPat{}, Body: block(nil, stmt(&syntax.Panic{Arg: d.message()}))})
	}
	first := &syntax.IfLet{Pat: x.Arms[0].Pat, X: d.read(v), Then: asBlock(x.Arms[0].Body), Else: block(rest)}
	return block(first, let)
}

// splitAlternatives turns an arm `P | Q` into two arms with the same body. A guard is tried for each alternative anyway.
func splitAlternatives(_ *draft, s *exprSite) syntax.Expr {
	x, ok := (*s.slot).(*syntax.Match)
	if !ok {
		return nil
	}
	for i := range x.Arms {
		or, ok := x.Arms[i].Pat.(*syntax.OrPat)
		if !ok || len(or.Alts) < 2 || !copyable(&x.Arms[i]) {
			continue
		}
		var rest syntax.Pattern = &syntax.OrPat{Alts: or.Alts[1:]}
		if len(or.Alts) == 2 {
			rest = or.Alts[1]
		}
		// The copy's nodes keep their places in the text, and so their types; its variables are those of its own pattern.
		arms := append([]syntax.Arm(nil), x.Arms[:i]...)
		arms = append(arms, syntax.Arm{Pat: or.Alts[0], Guard: syntax.CloneExpr(x.Arms[i].Guard), Body: syntax.CloneExpr(x.Arms[i].Body)},
			syntax.Arm{Pat: rest, Guard: x.Arms[i].Guard, Body: x.Arms[i].Body})
		return &syntax.Match{Loc: x.Loc, X: x.X, Arms: append(arms, x.Arms[i+1:]...)}
	}
	return nil
}

// copyable reports whether an arm is small and of the original alone, whose nodes a copy can be told by.
func copyable(a *syntax.Arm) bool {
	count := 0
	syntax.Inspect(a, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.PathExpr); ok && isAdded(p) {
			count = maxCopied
		}
		count++
		return count <= maxCopied
	})
	return count <= maxCopied
}

// maxCopied is the size of the largest arm that is copied, in nodes.
const maxCopied = 60

func nodes(n syntax.Node) int {
	count := 0
	syntax.Inspect(n, func(syntax.Node) bool { count++; return true })
	return count
}

// swapArms exchanges two neighbouring arms whose patterns are different literals.
func swapArms(d *draft, s *exprSite) syntax.Expr {
	x, ok := (*s.slot).(*syntax.Match)
	if !ok || len(x.Arms) < 2 {
		return nil
	}
	at := d.n(len(x.Arms) - 1)
	a, okA := d.index.patternAt(x.Arms[at].Pat.Where()).(*types.ConstPat)
	b, okB := d.index.patternAt(x.Arms[at+1].Pat.Where()).(*types.ConstPat)
	if !okA || !okB || a.Typ.Kind.IsFloat() || a.Bits == b.Bits && a.Str == b.Str || x.Arms[at].Guard != nil || x.Arms[at+1].Guard != nil {
		return nil
	}
	arms := append([]syntax.Arm(nil), x.Arms...)
	arms[at], arms[at+1] = arms[at+1], arms[at]
	return &syntax.Match{Loc: x.Loc, X: x.X, Arms: arms}
}

// whileToLoop turns `while c { b }` into `loop { if c { b } else { break } }`.
func whileToLoop(d *draft, s *exprSite) syntax.Expr {
	x, ok := (*s.slot).(*syntax.While)
	if !ok || d.diverges(x.Cond) {
		return nil
	}
	out := &syntax.Loop{Label: x.Label}
	switch d.n(3) {
	case 0:
		out.Body = block(nil, stmt(&syntax.If{Cond: x.Cond, Then: x.Body, Else: block(nil, stmt(&syntax.Break{}))}))
	case 1:
		out.Body = block(nil, stmt(&syntax.If{Cond: not(x.Cond), Then: block(nil, stmt(&syntax.Break{}))}), stmt(x.Body))
	default:
		out.Body = block(nil, stmt(&syntax.Match{X: x.Cond, Arms: []syntax.Arm{
			{Pat: literalPattern(truth(false)), Body: block(nil, stmt(&syntax.Break{}))},
			{Pat: &syntax.WildPat{}, Body: x.Body}}}))
	}
	return out
}

// loopToWhile turns a `loop` without a value into `while true`.
func loopToWhile(_ *draft, s *exprSite) syntax.Expr {
	x, ok := (*s.slot).(*syntax.Loop)
	if !ok || s.typ.Kind != types.Unit {
		return nil
	}
	values := false
	syntax.Inspect(x.Body, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.Break); ok && b.Value != nil {
			values = true // perhaps of another loop
		}
		return !values
	})
	if values {
		return nil
	}
	return &syntax.While{Label: x.Label, Cond: truth(true), Body: x.Body}
}

// forToWhile turns a `for` over a range that stands in its head into a `while` with a counter, which moves on before the
// body, so that `continue` comes by it. An inclusive range ends right at the type's maximum too.
func forToWhile(d *draft, s *exprSite) syntax.Expr {
	x, ok := (*s.slot).(*syntax.For)
	if !ok {
		return nil
	}
	r, ok := x.Iter.(*syntax.Range)
	if !ok || d.typeOf(r) == nil || d.diverges(r) {
		return nil
	}
	let := &syntax.Let{}
	switch p := x.Pat.(type) {
	case *syntax.BindPat, *syntax.WildPat:
		let.Pat = p
	case *syntax.TypePat:
		let.Pat, let.Type = &syntax.BindPat{Loc: p.Loc, Name: p.Name, Mut: p.Mut}, p.Type
		if p.Name.Name == "_" {
			let.Pat = &syntax.WildPat{}
		}
	default:
		return nil
	}
	t := d.typeOf(r).Args[0]
	i, first := d.temp(t, r.Lo, true)
	end, last := d.temp(t, r.Hi, false)
	let.Init = d.read(i)
	step := assign(d.read(i), syntax.Add, integer(t.Kind, 1, 10))
	w := &syntax.While{Label: x.Label}
	if !r.Inclusive {
		w.Cond = binary(syntax.Lt, d.read(i), d.read(end))
		w.Body = block(nil, let, step, stmt(x.Body))
		return block(nil, first, last, stmt(w))
	}
	more, start := d.temp(types.Prim(types.Bool), binary(syntax.Le, d.read(i), d.read(end)), true)
	w.Cond = d.read(more)
	go1 := assign(d.read(more), syntax.NoOp, binary(syntax.Ne, d.read(i), d.read(end)))
	w.Body = block(nil, let, go1, step, stmt(x.Body))
	return block(nil, first, last, start, stmt(w))
}

// splitAnd takes an `if` with `&&` apart into two.
func splitAnd(d *draft, s *exprSite) syntax.Expr {
	x, ok := (*s.slot).(*syntax.If)
	if !ok || x.Else != nil {
		return nil
	}
	and, ok := x.Cond.(*syntax.Binary)
	if !ok || and.Op != syntax.And || d.diverges(and.X) || d.diverges(and.Y) {
		return nil
	}
	return &syntax.If{Cond: and.X, Then: block(nil, stmt(&syntax.If{Cond: and.Y, Then: x.Then}))}
}
