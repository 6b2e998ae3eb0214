package syntax

import "strings"

// exprStarts are the tokens an expression can start with.
var exprStarts = [numKinds]bool{
	tIdent: true, tInt: true, tFloat: true, tString: true, tLabel: true, tLParen: true, tLBrace: true, tLBracket: true,
	tMinus: true, tNot: true, tStar: true, tPow: true, tTryNone: true, tTryPanic: true, tTry: true, tAssert: true,
	tBreak: true, tContinue: true, tFalse: true, tFor: true, tIf: true, tLoop: true, tMatch: true, tNone: true,
	tPanic: true, tPrint: true, tReturn: true, tSpawn: true, tThrow: true, tTrue: true, tWhile: true,
}

func (p *parser) startsExpr() bool { return exprStarts[p.tok.kind] }

// exprHints say more than "expected an expression" about tokens that people put where one is expected.
var exprHints = map[kind]string{
	tLet:        "`let` is a statement; only `if let PATTERN = e { }` stands in an expression",
	tElse:       "`else` without an `if` before it",
	tCatch:      "`catch` without a `try` before it that it could belong to",
	tFinally:    "`finally` without a `try` before it that it could belong to",
	tDotDot:     wholeRange,
	tDotDotEq:   wholeRange,
	tAnd:        "there is no `&` before an operand: structs, enums and arrays are references already",
	tAndAnd:     "there is no `&&` before an operand",
	tPlus:       "there is no `+` before an operand",
	tUnderscore: "`_` is a pattern, not a value",
	tFn:         "functions are declared at the top level and have names",
	tOr:         "there are no closures; a function's name is a value",
	tOrOr:       "there are no closures; a function's name is a value",
}

// primary parses an expression without operators. On an error it returns a placeholder.
func (p *parser) primary() Expr {
	switch p.tok.kind {
	case tIdent:
		return p.pathOrStruct()
	case tInt:
		return p.intLit()
	case tFloat, tString, tTrue, tFalse, tNone:
		return p.literal()
	case tLParen:
		return p.paren()
	case tLBracket:
		return p.array()
	case tPanic, tAssert:
		return p.intrinsic()
	case tLBrace, tIf, tMatch, tLoop, tWhile, tFor, tLabel:
		return p.blockLike()
	}
	start := p.here()
	if hint := exprHints[p.tok.kind]; hint != "" {
		p.errorHere("%s", hint)
	}
	p.expected("an expression")
	return &NoneLit{p.from(start)}
}

// startsBlockLike reports whether the current token starts an expression that ends a statement with its `}`.
func (p *parser) startsBlockLike() bool {
	switch p.tok.kind {
	case tLBrace, tIf, tMatch, tLoop, tWhile, tFor, tLabel:
		return true
	}
	return false
}

func (p *parser) blockLike() Expr {
	switch p.tok.kind {
	case tIf:
		return p.ifExpr()
	case tMatch:
		return p.match()
	case tLoop, tWhile, tFor, tLabel:
		return p.loop()
	}
	return p.blockHere()
}

func (p *parser) intLit() Expr {
	n := p.nodes.ints.New()
	start := p.here()
	n.Value, n.Base, n.Suffix = p.tok.value, int(p.tok.base), p.lex.text[p.tok.end-int32(p.tok.suffix):p.tok.end]
	p.next()
	n.Loc = p.from(start)
	return n
}

// literal parses a literal that is not an integer.
func (p *parser) literal() Expr {
	tok, text := p.tok, p.text()
	p.next()
	loc := p.from(tok.start)
	switch tok.kind {
	case tFloat:
		digits := text[:len(text)-int(tok.suffix)]
		return &FloatLit{loc, strings.ReplaceAll(digits, "_", ""), text[len(digits):]}
	case tString:
		text = strings.TrimSuffix(text[1:], `"`) // it lacks where the string is unterminated
		if tok.escapes {
			text = unquote(text)
		}
		return &StrLit{loc, text}
	case tNone:
		return &NoneLit{loc}
	}
	return &BoolLit{loc, tok.kind == tTrue}
}

// paren parses `(e)`, which leaves no node, `()`, `(a,)` and `(a, b)`.
func (p *parser) paren() Expr {
	open := p.here()
	p.next()
	if p.got(tRParen) {
		return &TupleLit{Loc: p.from(open)}
	}
	saved := p.noStruct
	p.noStruct = false
	p.openParen()
	x := p.exprHere(PrecNone)
	p.closeParen()
	p.noStruct = saved
	if !p.at(tComma) {
		p.expect(tRParen)
		return x
	}
	p.wrap() // now x is known to be an element
	p.next()
	rest, _ := p.exprList(tRParen)
	p.expect(tRParen)
	return &TupleLit{p.from(open), append([]Expr{x}, rest...)}
}

// array parses `[a, b]` and `[v; n]`.
func (p *parser) array() Expr {
	open := p.here()
	p.next()
	list, comma := p.exprList(tRBracket)
	if at := p.here(); len(list) > 0 && !comma && p.got(tSemi) {
		if len(list) > 1 {
			p.complain(p.from(at).Span, "`[v; n]` repeats one value, not a list")
		}
		saved := p.noStruct
		p.noStruct = false
		count := p.expr(PrecNone)
		p.noStruct = saved
		p.expect(tRBracket)
		return &ArrayRepeat{p.from(open), list[0], count}
	}
	p.expect(tRBracket)
	return &ArrayLit{p.from(open), list}
}

// intrinsic parses panic(message) and assert(condition).
func (p *parser) intrinsic() Expr {
	start, k := p.here(), p.tok.kind
	p.next()
	if !p.at(tLParen) {
		p.expected("`(`")
	}
	args := p.args()
	if len(args) != 1 {
		p.complain(p.from(start).Span, "`%s` takes one argument", kindText[k])
		args = []Expr{&NoneLit{p.from(start)}}
	}
	if k == tPanic {
		return &Panic{p.from(start), args[0]}
	}
	return &Assert{p.from(start), args[0]}
}

func (p *parser) pathOrStruct() Expr {
	start := p.here()
	path := p.path(false)
	if p.at(tLBrace) && !p.noStruct {
		return p.structLit(path, start)
	}
	x := p.nodes.paths.New()
	x.Path, x.Loc = path, path.Loc
	return x
}

// path parses `a::b::<T>::c`; in a type (inType) type arguments may follow a name directly.
func (p *parser) path(inType bool) Path {
	start := p.here()
	seg := Segment{Ident: p.ident("a name")}
	if !p.at(tPath) && !(inType && p.at(tLt)) {
		return Path{seg.Loc, p.nodes.one(seg)}
	}
	mark := p.lists.segments.mark()
	for {
		more := p.segmentArgs(&seg, inType)
		p.lists.segments.push(seg)
		if !more {
			break
		}
		seg = Segment{Ident: p.ident("a name after `::`")}
	}
	return Path{p.from(start), p.lists.segments.cut(mark)}
}

// segmentArgs parses the type arguments after a segment's name and the `::` before the next; more: there is one.
func (p *parser) segmentArgs(seg *Segment, inType bool) (more bool) {
	if inType && p.at(tLt) {
		seg.Args = p.typeArgs()
		return p.got(tPath)
	}
	if !p.got(tPath) {
		return false
	}
	if !p.at(tLt) {
		return true
	}
	seg.Args = p.typeArgs()
	return p.got(tPath)
}

func (p *parser) structLit(path Path, start int32) Expr {
	saved := p.noStruct
	p.noStruct = false
	p.next()
	s := &StructLit{Path: path}
	for !p.at(tRBrace) && !p.at(tEOF) {
		f := FieldInit{Name: p.ident("a field's name")}
		if p.got(tColon) {
			f.Value = p.expr(PrecNone)
		}
		s.Fields = append(s.Fields, f)
		if !p.got(tComma) {
			break
		}
	}
	p.noStruct = saved
	p.expect(tRBrace)
	s.Loc = p.from(start)
	return s
}

func (p *parser) ifExpr() Expr {
	start := p.here()
	p.next()
	if p.got(tLet) {
		x := &IfLet{Pat: p.pattern(0)}
		p.expect(tAssign)
		x.X = p.head()
		x.Then = p.block()
		x.Else = p.elseBranch()
		x.Loc = p.from(start)
		return x
	}
	x := p.nodes.ifs.New()
	x.Cond = p.head()
	x.Then = p.block()
	x.Else = p.elseBranch()
	x.Loc = p.from(start)
	return x
}

func (p *parser) elseBranch() Expr {
	if !p.got(tElse) {
		return nil
	}
	if !p.at(tIf) {
		return p.block()
	}
	outer := p.enter()
	defer p.leave(outer)
	return p.ifExpr()
}

// loop parses loop, while and for, with a label perhaps.
func (p *parser) loop() Expr {
	start := p.here()
	var label *Ident
	if p.at(tLabel) {
		label = p.label()
		p.expect(tColon)
	}
	k := p.tok.kind
	switch k {
	case tLoop:
		p.next()
		body := p.block()
		return &Loop{p.from(start), label, body}
	case tWhile:
		p.next()
		if p.at(tLet) {
			p.errorHere("there is no `while let`; use `loop` with `if let` and `break`")
		}
		cond := p.head()
		body := p.block()
		return &While{p.from(start), label, cond, body}
	case tFor:
		p.next()
		pat := p.pattern(0)
		p.expect(tIn)
		iter := p.head()
		body := p.block()
		return &For{p.from(start), label, pat, iter, body}
	}
	p.errorHere("a label stands before `loop`, `while` or `for`, found %s", p.found())
	return &NoneLit{p.from(start)}
}

func (p *parser) match() Expr {
	start := p.here()
	p.next()
	m := &Match{X: p.head()}
	if !p.expect(tLBrace) {
		return m
	}
	saved := p.noStruct
	p.noStruct = false
	mark := p.lists.arms.mark()
	for !p.at(tRBrace) && !p.at(tEOF) {
		arm, blockLike := p.arm()
		p.lists.arms.push(arm)
		if p.got(tComma) || blockLike {
			continue
		}
		if !p.at(tRBrace) {
			p.expected("`,` or `}` after a match arm")
		}
	}
	m.Arms = p.lists.arms.cut(mark)
	p.noStruct = saved
	p.expect(tRBrace)
	m.Loc = p.from(start)
	return m
}

// arm parses `P if g => body`. After a block-like body the comma may be left out.
func (p *parser) arm() (arm Arm, blockLike bool) {
	start := p.here()
	arm.Pat = p.pattern(0)
	if p.got(tIf) {
		arm.Guard = p.expr(PrecNone)
	}
	if p.at(tAssign) {
		p.errorHere("expected `=>`, found `=`")
	}
	p.expect(tFatArrow)
	arm.Body, blockLike = p.stmtExpr()
	arm.Loc = p.from(start)
	return arm, blockLike
}
