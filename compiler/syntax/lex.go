package syntax

import (
	"strings"
	"unicode/utf8"

	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
)

// The classes of bytes that the lexer asks for.
const (
	isLetter = 1 << iota // starts an identifier
	isDigit
	isBlank
)

var classes [256]uint8

func init() {
	for c := 'a'; c <= 'z'; c++ {
		classes[c] = isLetter
		classes[c-'a'+'A'] = isLetter
	}
	classes['_'] = isLetter
	for c := '0'; c <= '9'; c++ {
		classes[c] = isDigit
	}
	for _, c := range " \t\r\n" {
		classes[c] = isBlank
	}
}

// lexer cuts a text into tokens, one at a time; it reports what is wrong inside a token and goes on, so that the
// parser sees a token of the right kind. Copying a lexer saves its state.
type lexer struct {
	text     string
	off      int
	afterDot bool // the last token was `.`: digits are a tuple index
	base     source.Pos
	diags    *source.Diagnostics
	plan     *mutant.Plan
}

func (l *lexer) errorf(from, to int, format string, args ...any) {
	if l.diags.Full() {
		return // before the work of formatting: a hostile file has millions of errors
	}
	l.diags.Errorf(source.Span{Start: l.base + source.Pos(from), End: l.base + source.Pos(to)}, format, args...)
}

// maxBadBytes is how many invalid bytes are reported one by one: a file that is not text has nothing but them.
const maxBadBytes = 5

// checkBytes reports NUL bytes and bytes that are not UTF-8, wherever they stand, comments and strings included.
func (l *lexer) checkBytes() {
	if utf8.ValidString(l.text) && strings.IndexByte(l.text, 0) < 0 {
		return
	}
	reported := 0
	for i := 0; i < len(l.text) && reported < maxBadBytes; {
		r, size := utf8.DecodeRuneInString(l.text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			l.errorf(i, i+1, "invalid UTF-8: byte 0x%02X", l.text[i])
			reported++
		case r == 0:
			l.errorf(i, i+1, "NUL byte in the source text")
			reported++
		}
		i += size
	}
}

// scan returns the next token; at the end of the text, or after too many errors, tEOF, again and again.
func (l *lexer) scan() token {
	for {
		if l.diags.Full() {
			l.off = len(l.text)
		}
		l.skipBlanks()
		start := l.off
		if start >= len(l.text) {
			return token{kind: tEOF, start: int32(len(l.text)), end: int32(len(l.text))}
		}
		afterDot := l.afterDot
		l.afterDot = false
		c := l.text[start]
		switch {
		case classes[c]&isLetter != 0:
			return l.word()
		case classes[c]&isDigit != 0:
			if afterDot {
				return l.tupleIndex()
			}
			return l.number()
		case c == '"':
			return l.str()
		case c == '\'':
			if tok, ok := l.label(); ok {
				return tok
			}
		case c < utf8.RuneSelf && symbols[c] != nil:
			return l.symbol()
		default:
			l.unknown()
		}
	}
}

// skipBlanks passes blanks and comments.
func (l *lexer) skipBlanks() {
	for l.off < len(l.text) {
		c := l.text[l.off]
		switch {
		case classes[c]&isBlank != 0:
			l.off++
		case c != '/':
			return
		case strings.HasPrefix(l.text[l.off:], "//"):
			n := strings.IndexByte(l.text[l.off:], '\n')
			if n < 0 {
				n = len(l.text) - l.off
			}
			l.off += n
		case strings.HasPrefix(l.text[l.off:], "/*"):
			l.blockComment()
		default:
			return
		}
	}
}

// blockComment passes a comment that may hold others.
func (l *lexer) blockComment() {
	start, depth := l.off, 0
	for i := start; i+1 < len(l.text); {
		switch {
		case l.text[i] == '/' && l.text[i+1] == '*':
			depth++
			i += 2
		case l.text[i] == '*' && l.text[i+1] == '/':
			depth--
			i += 2
			if depth == 0 {
				l.off = i
				return
			}
		default:
			i++
		}
	}
	l.errorf(start, start+2, "unterminated comment")
	l.off = len(l.text)
}

// endOfWord returns the end of the run of letters and digits that starts at off.
func (l *lexer) endOfWord(off int) int {
	for off < len(l.text) && classes[l.text[off]]&(isLetter|isDigit) != 0 {
		off++
	}
	return off
}

// word scans an identifier, a keyword, `try?` or `try!`.
func (l *lexer) word() token {
	start := l.off
	end := l.endOfWord(start)
	k := keyword(l.text[start:end])
	if k == tTry && end < len(l.text) {
		switch l.text[end] {
		case '?':
			k = tTryNone
			end++
		case '!':
			k = tTryPanic
			end++
		}
	}
	l.off = end
	return token{kind: k, start: int32(start), end: int32(end)}
}

// label scans `'outer`. Without a name after the quote it reports and returns false.
func (l *lexer) label() (token, bool) {
	start := l.off
	end := l.endOfWord(start + 1)
	l.off = end
	switch {
	case end == start+1 || classes[l.text[start+1]]&isDigit != 0:
		l.errorf(start, end, "a `'` starts a label, as in `'outer`; text goes in double quotes")
		l.skipQuote()
		return token{}, false
	case end < len(l.text) && l.text[end] == '\'':
		l.off++
		l.errorf(start, l.off, "there are no character literals; text goes in double quotes")
	case keyword(l.text[start+1:end]) != tIdent:
		l.errorf(start, end, "`%s` is reserved and cannot name a label", l.text[start+1:end])
	}
	return token{kind: tLabel, start: int32(start), end: int32(end)}, true
}

// skipQuote passes what is left of something like '+' or '\n', so that it is reported once.
func (l *lexer) skipQuote() {
	line, _, _ := strings.Cut(l.text[l.off:min(l.off+8, len(l.text))], "\n")
	if i := strings.IndexByte(line, '\''); i >= 0 {
		l.off += i + 1
	}
}

func (l *lexer) symbol() token {
	start := l.off
	rest := l.text[start:]
	for _, s := range symbols[rest[0]] {
		if strings.HasPrefix(rest, s.text) {
			l.off += len(s.text)
			l.afterDot = s.kind == tDot
			return token{kind: s.kind, start: int32(start), end: int32(l.off)}
		}
	}
	panic("syntax: a symbol's first byte is no symbol") // the table has every one-byte spelling of a first byte
}

// unknown passes a run of characters that no token starts with, and reports it once. Invalid bytes and NULs were
// reported by checkBytes.
func (l *lexer) unknown() {
	var first rune
	at := -1 // of first, the first one to report
	for l.off < len(l.text) {
		c := l.text[l.off]
		if classes[c] != 0 || c == '"' || c == '\'' || c < utf8.RuneSelf && symbols[c] != nil {
			break
		}
		r, size := utf8.DecodeRuneInString(l.text[l.off:])
		if at < 0 && r != 0 && !(r == utf8.RuneError && size == 1) {
			first, at = r, l.off
		}
		l.off += size
	}
	if at >= 0 {
		l.errorf(at, l.off, "unknown character %s", showRune(first))
	}
}

// showRune is a character as messages show it: itself if it can be seen, and its number.
func showRune(r rune) string {
	if r > ' ' && r < 0x7F {
		return "`" + string(r) + "`"
	}
	const digits = "0123456789ABCDEF"
	hex := []byte{}
	for shift := 20; shift >= 0; shift -= 4 {
		if d := r >> shift & 15; d != 0 || len(hex) > 0 || shift < 16 {
			hex = append(hex, digits[d])
		}
	}
	return "U+" + string(hex)
}
