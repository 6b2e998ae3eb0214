package syntax

import (
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
)

const (
	// MaxDepth bounds the depth of the tree that Parse returns, and the number of parentheses open at one place. What is
	// deeper is an error, so every later stage may recurse over the tree. Depth is counted in declarations, blocks,
	// expressions, patterns and types from the outside in (statements, arms and clauses do not count; a chain of n
	// left-associative operators is n deep).
	MaxDepth = 500
	// MaxTokens bounds the size of a program, so that a file of any size takes a bounded amount of memory.
	MaxTokens = 1 << 23
)

// Options changes how a file is parsed; the zero value is right for everyone but the mutants
// and those in a hurry.
type Options struct {
	Mutant *mutant.Plan // nil: none
	Memory *Memory      // where the tree is made; nil: in a new one
}

// Parse parses a file. What is wrong with the text goes to diags, with its place, several errors in one run; the tree
// is then incomplete, holds placeholders, and is good for nothing but being looked at. Without errors it is exact.
func Parse(f *source.File, diags *source.Diagnostics, opts Options) *File {
	out := &File{Source: f}
	if len(f.Text) > source.MaxSize {
		diags.Errorf(source.At(f.Pos(0)), "the file is larger than %d bytes", source.MaxSize)
		return out
	}
	memory := opts.Memory
	if memory == nil {
		memory = &Memory{}
	}
	p := &parser{lists: &memory.lists, nodes: &memory.nodes, file: f, diags: diags, plan: opts.Mutant, base: f.Pos(0), left: MaxTokens}
	p.lex = lexer{text: f.Text, base: p.base, diags: diags, plan: opts.Mutant}
	const byteOrderMark = "\uFEFF"
	if len(f.Text) >= len(byteOrderMark) && f.Text[:len(byteOrderMark)] == byteOrderMark {
		p.lex.off = len(byteOrderMark)
	}
	p.lex.checkBytes()
	p.next()
	out.Decls = p.decls()
	return out
}

// parser is a recursive-descent parser with one token of lookahead (two where peek is called).
//
// After an error the current token is made tEOF, which no production takes, so that all of them return; whoever runs a
// list of statements or items then calls resync. Nothing is reported in between.
type parser struct {
	file  *source.File
	diags *source.Diagnostics
	plan  *mutant.Plan
	lex   lexer
	base  source.Pos
	tok   token
	last  int32 // offset of the end of the last token taken
	left  int   // tokens until MaxTokens

	noStruct bool // in the head of if, while, match, for: a `{` after a name starts the body
	bad      bool // between an error and resync
	stopped  token
	braces   int     // `{` taken and not yet closed
	open     []int32 // offsets of the brackets taken and not yet closed
	ended    bool    // the end of the file was reported as an error

	depth  int // of the node being parsed
	peak   int // depth of the deepest node so far in the operand being parsed; see wrap
	parens int // open parentheses, which leave no nodes

	lists *lists
	nodes *nodes
}

// next takes the current token.
func (p *parser) next() {
	switch p.tok.kind {
	case tLBrace:
		p.braces++
		p.open = append(p.open, p.tok.start)
	case tLParen, tLBracket:
		p.open = append(p.open, p.tok.start)
	case tRParen, tRBracket, tRBrace:
		p.closed(p.tok.kind)
	case tEOF:
		if p.bad {
			return
		}
	}
	p.last = p.tok.end
	p.tok = p.lex.scan()
	if p.left--; p.left < 0 {
		p.fatalf("the program is longer than %d tokens", MaxTokens)
	}
}

// openers gives the opening bracket of a closing one.
var openers = [numKinds]byte{tRParen: '(', tRBracket: '[', tRBrace: '{'}

// closed notes a closing bracket. A brace also closes what was opened inside and forgotten; other brackets that do not
// fit close nothing. Nothing is searched for, so that a million brackets that do not fit cost no more than as many that do.
func (p *parser) closed(k kind) {
	last := len(p.open) - 1
	if k == tRBrace {
		if p.braces == 0 {
			return
		}
		p.braces--
		for p.lex.text[p.open[last]] != '{' {
			last--
		}
	}
	if last >= 0 && p.lex.text[p.open[last]] == openers[k] {
		p.open = p.open[:last]
	}
}

// peek returns the token after the current one.
func (p *parser) peek() token {
	saved := p.lex
	tok := p.lex.scan()
	p.lex = saved
	return tok
}

func (p *parser) at(k kind) bool { return p.tok.kind == k }

// got takes the current token if it is of kind k.
func (p *parser) got(k kind) bool {
	if p.tok.kind == k {
		p.next()
		return true
	}
	return false
}

// expect takes a token of kind k or reports that it is missing.
func (p *parser) expect(k kind) bool {
	if p.got(k) {
		return true
	}
	p.expected(k.shown())
	return false
}

// splitFirst takes the first byte of a token of two or three characters, and leaves the rest, of kind rest.
func (p *parser) splitFirst(rest kind) {
	p.last = p.tok.start + 1
	p.tok.start++
	p.tok.kind = rest
}

// text returns the current token's text.
func (p *parser) text() string { return p.lex.text[p.tok.start:p.tok.end] }

// here returns the offset of the current token.
func (p *parser) here() int32 { return p.tok.start }

func (p *parser) pos(off int32) source.Pos { return p.base + source.Pos(off) }

// from returns the place from offset start to the end of the last token taken.
func (p *parser) from(start int32) Loc {
	return Loc{source.Span{Start: p.pos(start), End: p.pos(max(start, p.last))}}
}

func (p *parser) errorAt(start, end int32, format string, args ...any) {
	if p.bad {
		return
	}
	p.diags.Errorf(source.Span{Start: p.pos(start), End: p.pos(end)}, format, args...)
	p.stop()
	if p.diags.Full() {
		p.giveUp()
	}
}

// stop enters the state of error, in which no production finds anything to take.
func (p *parser) stop() {
	p.bad = true
	p.stopped = p.tok
	p.tok = token{kind: tEOF, start: p.tok.start, end: p.tok.start}
}

// errorHere reports an error at the current token.
func (p *parser) errorHere(format string, args ...any) {
	p.errorAt(p.tok.start, p.tok.end, format, args...)
}

// complain reports an error that does not stop the parser: the text has a tree, but not a legal one.
func (p *parser) complain(at source.Span, format string, args ...any) {
	if !p.bad {
		p.diags.Errorf(at, format, args...)
	}
}

// fatalf reports an error after which the rest of the file is not looked at.
func (p *parser) fatalf(format string, args ...any) {
	p.errorHere(format, args...)
	p.giveUp()
}

func (p *parser) giveUp() {
	p.ended = true
	p.lex.off = len(p.lex.text)
	p.stopped.kind = tEOF
}

// expected reports that something else was expected here.
func (p *parser) expected(what string) {
	switch {
	case p.bad:
		return
	case p.at(tEOF) && p.ended: // one report is enough
		p.stop()
		return
	case p.at(tEOF):
		p.ended = true
		if n := len(p.open); n > 0 {
			p.errorAt(p.open[n-1], p.open[n-1]+1, "this bracket is never closed")
			return
		}
	}
	if what == tSemi.shown() {
		// Where it is missing, not where the next statement starts.
		p.errorAt(max(p.last-1, 0), p.last, "expected %s after this, found %s", what, p.found())
		return
	}
	p.errorHere("expected %s, found %s", what, p.found())
}

// found describes the current token.
func (p *parser) found() string {
	switch {
	case p.tok.kind.isKeyword():
		return "the keyword " + p.tok.kind.shown()
	case p.tok.kind.hasSpelling() || p.tok.kind == tEOF:
		return p.tok.kind.shown()
	}
	return "`" + clip(oneLine(p.text())) + "`"
}

// oneLine cuts text at its first line break.
func oneLine(text string) string {
	for i := 0; i < len(text); i++ {
		if text[i] < ' ' {
			return text[:i] + "..."
		}
	}
	return text
}

// startsItem reports whether the current token can only start an item.
func (p *parser) startsItem() bool {
	switch p.tok.kind {
	case tFn, tStruct, tEnum, tTrait, tImpl, tStatic:
		return true
	}
	return false
}

// resync ends the state of error: it passes tokens up to where a new statement (or item) can start in the list that is
// `level` braces deep, or to the brace that closes that list. What could not be parsed started at offset start; at
// least one token of it is passed.
func (p *parser) resync(level int, start int32) {
	p.tok, p.bad = p.stopped, false
	if p.here() == start && !p.at(tRBrace) {
		p.next()
	}
	for !p.at(tEOF) {
		switch {
		case p.at(tRBrace) && p.braces <= level:
			return
		case p.at(tRBrace):
			p.next()
			if p.braces == level && p.startsAnew() {
				p.got(tSemi)
				return
			}
			continue
		case p.braces <= level && p.got(tSemi):
			return
		case p.braces <= level && (p.startsItem() || p.at(tLet)) && p.firstOnLine():
			return
		}
		p.next()
	}
}

// firstOnLine reports whether nothing but blanks stands before the current token in its line.
func (p *parser) firstOnLine() bool {
	i := p.tok.start - 1
	for i >= 0 && p.lex.text[i] != '\n' {
		if classes[p.lex.text[i]]&isBlank == 0 {
			return false
		}
		i--
	}
	return true
}

// startsAnew reports whether the token after a `}` belongs to a new statement, as far as one token can tell.
func (p *parser) startsAnew() bool {
	switch p.tok.kind {
	case tIdent, tSemi, tRBrace, tLet, tIf, tMatch, tLoop, tWhile, tFor, tReturn, tBreak, tContinue, tThrow, tPrint, tTry, tLabel:
		return true
	}
	return p.startsItem()
}

// enter goes down to a child of the node being parsed. What it returns goes to leave.
//
// Depth is a function of the tree alone: every step from a node to its child is 1, whatever was written round it. So a
// tree that was accepted once is accepted again after printing, whatever parentheses are printed into it.
func (p *parser) enter() (outer int) {
	outer = p.peak
	p.depth++
	p.peak = p.depth
	if p.depth > MaxDepth {
		p.tooDeep()
	}
	return outer
}

func (p *parser) leave(outer int) {
	p.depth--
	p.peak = max(p.peak, outer)
}

// wrap notes that the operand just parsed becomes the child of a new node at its own place: `a + b` is known to be one
// only after `a`. Everything in it is one deeper then; without this count a chain 1+1+1+... would be a deep tree that
// no recursion of the parser shows.
func (p *parser) wrap() {
	p.peak++
	if p.peak > MaxDepth {
		p.tooDeep()
	}
}

// openParen counts a parenthesis that leaves no node.
func (p *parser) openParen() {
	if p.parens++; p.parens > MaxDepth {
		p.tooDeep()
	}
}

func (p *parser) closeParen() { p.parens-- }

func (p *parser) tooDeep() { p.fatalf("nesting deeper than %d levels", MaxDepth) }

// ident takes a name.
func (p *parser) ident(what string) Ident {
	start := p.here()
	switch {
	case p.at(tIdent):
		name := p.text()
		p.next()
		return Ident{p.from(start), name}
	case p.tok.kind.isKeyword():
		p.errorHere("expected %s, found `%s`, which is reserved", what, p.text())
	default:
		p.expected(what)
	}
	return Ident{Loc: p.from(start)}
}

// isWord reports whether the current token is the given identifier, for words that are reserved only in places.
func (p *parser) isWord(word string) bool { return p.at(tIdent) && p.text() == word }
