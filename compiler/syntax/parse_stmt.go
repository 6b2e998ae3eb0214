package syntax

import "rokrig/compiler/source"

// block parses a block that is a child of the node being parsed.
func (p *parser) block() *Block {
	outer := p.enter()
	b := p.blockHere()
	p.leave(outer)
	return b
}

// blockHere is block for the node being parsed itself.
func (p *parser) blockHere() *Block {
	b := p.nodes.blocks.New()
	open := p.here()
	if !p.expect(tLBrace) {
		b.Loc = p.from(open)
		return b
	}
	saved := p.noStruct
	p.noStruct = false
	level := p.braces
	mark := p.lists.stmts.mark()
	for !p.at(tRBrace) && !p.at(tEOF) {
		start := p.here()
		b.Tail = p.blockStmt()
		if p.bad {
			p.resync(level, start)
		}
	}
	b.Stmts = p.lists.stmts.cut(mark)
	p.noStruct = saved
	p.expect(tRBrace)
	b.Loc = p.from(open)
	return b
}

// blockStmt parses one statement of a block onto the list of statements. If it is the value the block ends with, it is
// returned instead.
func (p *parser) blockStmt() (tail Expr) {
	switch {
	case p.got(tSemi): // an empty statement leaves no node
		return nil
	case p.startsItem():
		p.complain(source.Span{Start: p.pos(p.tok.start), End: p.pos(p.tok.end)},
			"items stand at the top level only; is a `}` missing before this one?")
		p.item()
		return nil
	case p.at(tLet):
		let := p.let()
		p.lists.stmts.push(let)
		return nil
	}
	start := p.here()
	x, blockLike := p.stmtExpr()
	if p.at(tRBrace) {
		return x
	}
	s := p.exprStmt(x, blockLike, start)
	p.lists.stmts.push(s)
	return nil
}

// exprStmt makes a statement of the expression x that was parsed at its place, and takes its semicolon.
func (p *parser) exprStmt(x Expr, blockLike bool, start int32) Stmt {
	s := p.nodes.stmts.New()
	s.X = x
	if p.got(tSemi) {
		s.Semi = true
	} else if !blockLike {
		p.expect(tSemi)
	}
	s.Loc = p.from(start)
	return s
}

// stmtExpr parses an expression in the place of a statement (or of a match arm's body): one that ends in a block there
// is not continued by what follows, but for a dot. The rule is Rust's.
func (p *parser) stmtExpr() (x Expr, blockLike bool) {
	outer := p.enter()
	defer p.leave(outer)
	start := p.here()
	switch {
	case p.startsBlockLike():
		x = p.blockLike()
		if !p.at(tDot) {
			return x, true
		}
		return p.operandTail(x, start, PrecNone), false
	case p.at(tTry) || p.at(tTryNone) || p.at(tTryPanic):
		if x, blockLike = p.try(true); blockLike {
			return x, true
		}
		return p.infix(x, start, PrecNone), false
	}
	return p.exprHere(PrecNone), false
}

// let parses `let pattern: T = init;`.
func (p *parser) let() Stmt {
	start := p.here()
	p.next()
	let := p.nodes.lets.New()
	let.Pat = p.pattern(patNoType)
	if p.got(tColon) {
		let.Type = p.typ()
	}
	if p.at(tSemi) {
		p.errorHere("a `let` needs an initialiser")
	}
	p.expect(tAssign)
	let.Init = p.expr(PrecNone)
	p.endOfStmt()
	let.Loc = p.from(start)
	return let
}

// endOfStmt takes a semicolon. The last statement of a file may go without.
func (p *parser) endOfStmt() {
	if !(p.at(tEOF) && p.braces == 0) {
		p.expect(tSemi)
	}
}

// topStmt parses a statement of the top level.
func (p *parser) topStmt() Stmt {
	if p.at(tLet) {
		return p.let()
	}
	start := p.here()
	x, blockLike := p.stmtExpr()
	if p.at(tEOF) && !p.bad && !blockLike {
		s := p.nodes.stmts.New()
		*s = ExprStmt{p.from(start), x, true}
		return s
	}
	return p.exprStmt(x, blockLike, start)
}
