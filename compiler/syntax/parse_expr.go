package syntax

import (
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
)

// expr parses a child of the node being parsed: an expression of operators that bind at least as tightly as least.
func (p *parser) expr(least Prec) Expr {
	outer := p.enter()
	x := p.exprHere(least)
	p.leave(outer)
	return x
}

// exprHere is expr for the node being parsed itself.
func (p *parser) exprHere(least Prec) Expr {
	start := p.here()
	return p.infix(p.unary(false), start, least)
}

// head parses the expression before the body of an if, while, match or for, in which `S {` is no struct literal.
func (p *parser) head() Expr {
	saved := p.noStruct
	p.noStruct = true
	x := p.expr(PrecNone)
	p.noStruct = saved
	return x
}

// precOf returns the binding strength of an infix operator.
func (p *parser) precOf(op BinaryOp) Prec {
	prec := op.Prec()
	if prec == PrecShift && p.plan.On(mutant.ShiftPrecedence) {
		prec = PrecMul
	}
	return prec
}

// infix parses the operators after the operand x, which starts at start: precedence climbing.
func (p *parser) infix(x Expr, start int32, least Prec) Expr {
	prev := PrecNone // of the operator that made x; an operator in parentheses does not count
	for {
		k := p.tok.kind
		switch op := infixOps[k]; {
		case op == Pow:
			return x // power took all that have a right to it
		case op != NoOp:
			prec := p.precOf(op)
			if prec < least {
				return x
			}
			if prec == PrecCompare && prev == PrecCompare {
				p.comparisonChain(x)
			}
			x = p.binary(x, start, op, prec)
			prev = prec
		case k == tAs && least <= PrecCast:
			x = p.cast(x, start)
			prev = PrecCast
		case (k == tDotDot || k == tDotDotEq) && least <= PrecRange:
			if prev == PrecRange {
				p.errorHere("ranges do not chain")
			}
			x = p.rangeTail(x, start)
			prev = PrecRange
		case (k == tAssign || assignOps[k] != NoOp) && least <= PrecAssign:
			x = p.assign(x, start)
			prev = PrecAssign
		default:
			return x
		}
	}
}

func (p *parser) binary(x Expr, start int32, op BinaryOp, prec Prec) Expr {
	b := p.nodes.binaries.New()
	b.Op, b.OpPos, b.X = op, p.pos(p.here()), x
	p.wrap()
	p.next()
	b.Y = p.expr(prec + 1)
	b.Loc = p.from(start)
	return b
}

// comparisonChain reports `a < b < c`, and `f<T>(x)`, which reads like one.
func (p *parser) comparisonChain(x Expr) {
	if b, ok := x.(*Binary); ok && b.Op == Lt && p.at(tGt) && p.peek().kind == tLParen {
		p.errorHere("comparisons do not chain; type arguments are written `f::<T>(x)`")
		return
	}
	p.errorHere("comparisons do not chain; write `a < b && b < c`")
}

func (p *parser) cast(x Expr, start int32) Expr {
	p.wrap()
	p.next()
	c := p.nodes.casts.New()
	c.X = x
	outer := p.enter()
	at := p.here()
	if p.at(tIdent) {
		name := p.ident("a type")
		if numericTypes[name.Name] == notNumeric {
			p.complain(name.Span, "`as` converts to i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 only, not to `%s`", name.Name)
		}
		c.Type = p.namedType(name, at)
	} else {
		p.expected("a numeric type after `as`")
		c.Type = &NoneType{p.from(at)}
	}
	p.leave(outer)
	c.Loc = p.from(start)
	return c
}

const wholeRange = "a range needs both ends: `a..b` or `a..=b`"

func (p *parser) rangeTail(lo Expr, start int32) Expr {
	r := &Range{Lo: lo, Inclusive: p.at(tDotDotEq)}
	p.wrap()
	p.next()
	if !p.startsExpr() {
		p.errorHere(wholeRange)
	}
	r.Hi = p.expr(PrecOr)
	r.Loc = p.from(start)
	return r
}

func (p *parser) assign(place Expr, start int32) Expr {
	a := p.nodes.assigns.New()
	a.Place, a.Op, a.OpPos = place, assignOps[p.tok.kind], p.pos(p.here())
	if !isPlace(place) {
		p.complain(place.Where(), "cannot assign to this: a place is a variable, a field, an element or `*p`")
	}
	p.wrap()
	p.next()
	a.Value = p.expr(PrecRange)
	if p.at(tAssign) || assignOps[p.tok.kind] != NoOp {
		p.errorHere("assignment does not chain: its value is `()`")
	}
	a.Loc = p.from(start)
	return a
}

// isPlace reports whether x has the form of a place. Whether it is rooted in a temporary is the checker's question.
func isPlace(x Expr) bool {
	switch x := x.(type) {
	case *PathExpr, *Field, *TupleField, *Index:
		return true
	case *Unary:
		return x.Op == Deref
	}
	return false
}

// unary parses a prefix operator with its operand, or what binds tighter. chained: it is the right operand of a `**`.
func (p *parser) unary(chained bool) Expr {
	switch p.tok.kind {
	case tMinus:
		return p.prefix(Neg)
	case tNot:
		return p.prefix(Not)
	case tStar:
		return p.prefix(Deref)
	case tPow: // in front of an operand it is two stars
		start := p.here()
		u := p.nodes.unaries.New()
		u.Op = Deref
		p.splitFirst(tStar)
		outer := p.enter()
		u.X = p.prefix(Deref)
		p.leave(outer)
		u.Loc = p.from(start)
		return u
	case tTry, tTryNone, tTryPanic:
		x, _ := p.try(false)
		return x
	case tReturn, tThrow, tBreak, tContinue:
		return p.jump()
	case tPrint:
		return p.print()
	case tSpawn:
		return p.spawn()
	}
	start := p.here()
	return p.power(p.suffixes(p.primary(), start), start, chained)
}

func (p *parser) prefix(op UnaryOp) Expr {
	start := p.here()
	u := p.nodes.unaries.New()
	u.Op = op
	p.next()
	outer := p.enter()
	u.X = p.unary(false)
	p.leave(outer)
	u.Loc = p.from(start)
	return u
}

// power parses `** y` after the operand x. It is right-associative because its right operand takes the next `**`.
func (p *parser) power(x Expr, start int32, chained bool) Expr {
	for p.at(tPow) {
		if chained && p.plan.On(mutant.PowLeftAssoc) {
			return x
		}
		b := p.nodes.binaries.New()
		b.Op, b.OpPos, b.X = Pow, p.pos(p.here()), x
		p.wrap()
		p.next()
		outer := p.enter()
		b.Y = p.unary(true)
		p.leave(outer)
		b.Loc = p.from(start)
		x = b
	}
	return x
}

// try parses a try of any kind with its clauses. As a statement, a body that starts with a brace is that block alone;
// blockLike tells whether the statement may end without a semicolon.
func (p *parser) try(stmt bool) (x Expr, blockLike bool) {
	start := p.here()
	t := &Try{Kind: tryKinds[p.tok.kind]}
	p.next()
	if stmt && p.at(tLBrace) {
		t.X, blockLike = p.tryBody()
	} else {
		t.X = p.expr(PrecOr)
	}
	for p.at(tCatch) {
		at := p.here()
		p.next()
		if t.Kind != TryPlain {
			p.complain(p.from(at).Span, "`catch` cannot follow `%s`, which lets no error through", t.Kind)
		}
		c := Catch{Pat: p.pattern(patNoStruct)}
		c.Body = p.block()
		c.Loc = p.from(at)
		t.Catches = append(t.Catches, c)
	}
	if p.got(tFinally) {
		t.Finally = p.block()
	}
	t.Loc = p.from(start)
	return t, blockLike || len(t.Catches) > 0 || t.Finally != nil
}

var tryKinds = [numKinds]TryKind{tTry: TryPlain, tTryNone: TryNone, tTryPanic: TryPanic}

func (k TryKind) String() string { return [...]string{"try", "try?", "try!"}[k] }

// tryBody parses the block after a try that is a statement; followed by a dot it is an operand after all.
func (p *parser) tryBody() (body Expr, whole bool) {
	outer := p.enter()
	defer p.leave(outer)
	start := p.here()
	body = p.blockHere()
	if p.at(tDot) {
		return p.operandTail(body, start, PrecOr), false
	}
	return body, true
}

// operandTail parses what follows the primary expression x.
func (p *parser) operandTail(x Expr, start int32, least Prec) Expr {
	return p.infix(p.power(p.suffixes(x, start), start, false), start, least)
}

// jump parses return, throw, break and continue.
func (p *parser) jump() Expr {
	start, k := p.here(), p.tok.kind
	p.next()
	var label *Ident
	if (k == tBreak || k == tContinue) && p.at(tLabel) && p.peek().kind != tColon {
		label = p.label()
	}
	var value Expr
	if k == tThrow || k != tContinue && p.startsExpr() && !(p.at(tLBrace) && p.noStruct) {
		value = p.expr(PrecNone)
	}
	loc := p.from(start)
	switch k {
	case tReturn:
		return &Return{loc, value}
	case tThrow:
		return &Throw{loc, value}
	case tBreak:
		return &Break{loc, label, value}
	}
	return &Continue{loc, label}
}

// label takes a label.
func (p *parser) label() *Ident {
	start := p.here()
	name := p.text()[1:]
	p.next()
	return &Ident{p.from(start), name}
}

func (p *parser) print() Expr {
	start := p.here()
	p.next()
	mark := p.lists.exprs.mark()
	for {
		x := p.expr(PrecNone)
		p.lists.exprs.push(x)
		if !p.got(tComma) {
			break
		}
	}
	if p.at(tFatArrow) {
		p.errorHere("`print` takes every comma-separated expression; as a match arm it needs braces")
	}
	return &Print{Args: p.lists.exprs.cut(mark), Loc: p.from(start)}
}

func (p *parser) spawn() Expr {
	start := p.here()
	p.next()
	outer := p.enter()
	at := p.here()
	x := p.suffixes(p.primary(), at)
	p.leave(outer)
	switch x.(type) {
	case *Call, *MethodCall:
	default:
		p.complain(source.Span{Start: p.pos(at), End: p.pos(p.last)}, "`spawn` takes a call")
	}
	return &Spawn{p.from(start), x}
}

// suffixes parses calls, indices and fields after x. They and x are one chain: each is the child of the next.
func (p *parser) suffixes(x Expr, start int32) Expr {
	for {
		switch p.tok.kind {
		case tLParen:
			p.wrap()
			c := p.nodes.calls.New()
			c.Callee, c.Args = x, p.args()
			c.Loc = p.from(start)
			x = c
		case tLBracket:
			p.wrap()
			x = p.index(x, start)
		case tDot:
			p.wrap()
			x = p.member(x, start)
		default:
			return x
		}
	}
}

// args parses `(a, b)`.
func (p *parser) args() []Expr {
	p.next()
	list, _ := p.exprList(tRParen)
	p.expect(tRParen)
	return list
}

// exprList parses expressions with commas between and perhaps one at the end, up to the closing bracket end. comma
// tells whether the last one was followed by a comma.
func (p *parser) exprList(end kind) (list []Expr, comma bool) {
	saved := p.noStruct
	p.noStruct = false
	mark := p.lists.exprs.mark()
	comma = true
	for comma && !p.at(end) && !p.at(tEOF) {
		x := p.expr(PrecNone)
		p.lists.exprs.push(x)
		comma = p.got(tComma)
	}
	p.noStruct = saved
	return p.lists.exprs.cut(mark), comma
}

func (p *parser) index(x Expr, start int32) Expr {
	open := p.here()
	saved := p.noStruct
	p.noStruct = false
	p.next()
	i := p.expr(PrecNone)
	p.noStruct = saved
	p.expect(tRBracket)
	return &Index{Loc: p.from(start), X: x, I: i, LBracket: p.pos(open)}
}

// member parses `.name`, `.name(args)`, `.name::<T>(args)` and `.0`.
func (p *parser) member(x Expr, start int32) Expr {
	p.next()
	if p.at(tIndex) {
		index := int(p.tok.value)
		p.next()
		return &TupleField{p.from(start), x, index}
	}
	name := Segment{Ident: p.ident("a field, a method or a tuple index after `.`")}
	if p.at(tPath) {
		p.next()
		name.Args = p.typeArgs()
		if !p.at(tLParen) {
			p.expected("the arguments of a method call")
		}
	}
	if p.at(tLParen) {
		args := p.args()
		return &MethodCall{p.from(start), x, name, args}
	}
	return &Field{p.from(start), x, name.Ident}
}
