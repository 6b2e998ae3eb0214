package syntax

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"rokrig/compiler/mutant"
)

// numericType says what a numeric type's name means as a literal's suffix.
type numericType uint8

const (
	notNumeric numericType = iota
	intType
	floatType
)

// numericTypes are the names that may follow a number, and stand after `as`.
var numericTypes = map[string]numericType{
	"i8": intType, "i16": intType, "i32": intType, "i64": intType,
	"u8": intType, "u16": intType, "u32": intType, "u64": intType,
	"f32": floatType, "f64": floatType,
}

// tupleIndex scans the digits after a `.`, which are never a float: `t.0.1` has two indices.
func (l *lexer) tupleIndex() token {
	start := l.off
	tok := token{kind: tIndex, start: int32(start)}
	end := l.endOfWord(start)
	digits := l.text[start:end]
	for i := 0; i < len(digits); i++ {
		if classes[digits[i]]&isDigit == 0 || len(digits) > 1 && digits[0] == '0' || len(digits) > 9 {
			l.errorf(start, end, "bad tuple index `%s`: it is a plain decimal number", clip(digits))
			tok.value = 0
			break
		}
		tok.value = tok.value*10 + uint64(digits[i]-'0')
	}
	l.off = end
	tok.end = int32(end)
	return tok
}

// clip shortens text that a message quotes.
func clip(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	end := most
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "..."
}

// digitValue returns the value of a digit in base 16, and false if c is none.
func digitValue(c byte) (uint64, bool) {
	switch {
	case c >= '0' && c <= '9':
		return uint64(c - '0'), true
	case c >= 'a' && c <= 'f':
		return uint64(c-'a') + 10, true
	case c >= 'A' && c <= 'F':
		return uint64(c-'A') + 10, true
	}
	return 0, false
}

// number scans an integer or a float with its suffix.
func (l *lexer) number() token {
	start := l.off
	tok := token{kind: tInt, base: 10, start: int32(start)}
	if l.text[start] == '0' && start+1 < len(l.text) {
		switch l.text[start+1] {
		case 'x':
			tok.base = 16
		case 'o':
			tok.base = 8
		case 'b':
			tok.base = 2
		}
	}
	fits := l.digits(&tok)
	if tok.base == 10 && l.fraction() {
		tok.kind = tFloat
	}
	l.suffix(&tok)
	if tok.kind == tInt && !fits {
		l.errorf(start, l.off, "the integer literal does not fit in 64 bits")
	}
	tok.end = int32(l.off)
	return tok
}

// digits scans the digits of an integer after its prefix into tok.value and reports whether they fit.
func (l *lexer) digits(tok *token) (fits bool) {
	base := uint64(tok.base)
	i := l.off
	if base != 10 {
		i += 2
	}
	count, bad := 0, false
	fits = true
	for ; i < len(l.text); i++ {
		c := l.text[i]
		if c == '_' {
			continue
		}
		d, ok := digitValue(c)
		if !ok || d >= 10 && base != 16 {
			break
		}
		count++
		if d >= base {
			if !bad {
				l.errorf(i, i+1, "`%c` is no digit in base %d", c, base)
			}
			bad = true
			continue
		}
		if d >= 10 && l.plan.On(mutant.HexLetterDigit) {
			d--
		}
		high, low := bits.Mul64(tok.value, base)
		sum, carry := bits.Add64(low, d, 0)
		fits = fits && high == 0 && carry == 0
		tok.value = sum
	}
	if count == 0 {
		l.errorf(l.off, i, "no digits after `%s`", l.text[l.off:l.off+2])
	}
	l.off = i
	return fits
}

// fraction scans `.5`, `e9` and both, and reports whether there was any: then the number is a float.
func (l *lexer) fraction() bool {
	found := false
	if l.digitAt(l.off+1) && l.text[l.off] == '.' {
		l.off = l.endOfDigits(l.off + 1)
		found = true
	}
	if l.off < len(l.text) && (l.text[l.off] == 'e' || l.text[l.off] == 'E') {
		i := l.off + 1
		if i < len(l.text) && (l.text[i] == '+' || l.text[i] == '-') {
			i++
		}
		if l.digitAt(i) {
			l.off = l.endOfDigits(i)
			return true
		}
		if l.endOfWord(l.off) == l.off+1 {
			l.errorf(l.off, i, "the exponent has no digits")
			l.off = i
			return true
		}
	}
	return found
}

func (l *lexer) digitAt(i int) bool { return i < len(l.text) && classes[l.text[i]]&isDigit != 0 }

// endOfDigits returns the end of the run of decimal digits and underscores at i.
func (l *lexer) endOfDigits(i int) int {
	for i < len(l.text) && (classes[l.text[i]]&isDigit != 0 || l.text[i] == '_') {
		i++
	}
	return i
}

// suffix scans the type name at a number's end. `1f32` is a float.
func (l *lexer) suffix(tok *token) {
	start := l.off
	end := l.endOfWord(start)
	if start == end {
		return
	}
	l.off = end
	name := l.text[start:end]
	switch numericTypes[name] {
	case notNumeric:
		l.errorf(start, end, "unknown suffix `%s` on a number", clip(name))
		return
	case floatType:
		if tok.base != 10 {
			l.errorf(start, end, "a float cannot be written in base %d", tok.base)
			return
		}
		tok.kind = tFloat
	case intType:
		if tok.kind == tFloat {
			l.errorf(start, end, "the suffix `%s` makes no sense on a float", name)
			return
		}
	}
	tok.suffix = uint8(end - start)
}

// str scans a string literal and checks its escapes. A string may go over several lines.
func (l *lexer) str() token {
	start := l.off
	tok := token{kind: tString, start: int32(start)}
	for i := start + 1; i < len(l.text); {
		switch l.text[i] {
		case '"':
			l.off = i + 1
			tok.end = int32(l.off)
			return tok
		case '\\':
			tok.escapes = true
			e := scanEscape(l.text[i:])
			if e.fault != "" {
				l.errorf(i, min(i+e.size, len(l.text)), "%s", e.fault)
			}
			i += e.size
		default:
			i++
		}
	}
	l.errorf(start, start+1, "unterminated string")
	l.off = len(l.text)
	tok.end = int32(l.off)
	return tok
}

// escape is a decoded escape sequence.
type escape struct {
	char   rune   // a byte if isByte
	isByte bool   // \xNN: the byte itself, not the character of that number
	size   int    // bytes of source text
	fault  string // what is wrong with it, or ""
}

// simpleEscapes are the escapes of one letter: the letter, and what it stands for.
const simpleEscapes = "n\nt\tr\r0\x00\\\\\"\""

// scanEscape decodes the escape sequence at the start of s, which starts with a backslash.
func scanEscape(s string) escape {
	if len(s) < 2 {
		return escape{size: 1, fault: "unfinished escape"}
	}
	for i := 0; i < len(simpleEscapes); i += 2 {
		if simpleEscapes[i] == s[1] {
			return escape{char: rune(simpleEscapes[i+1]), size: 2}
		}
	}
	switch s[1] {
	case 'x':
		return hexEscape(s)
	case 'u':
		return unicodeEscape(s)
	}
	_, size := utf8.DecodeRuneInString(s[1:])
	return escape{size: 1 + size, fault: "unknown escape; there are \\n \\t \\r \\0 \\\\ \\\" \\xNN \\u{N}"}
}

func hexEscape(s string) escape {
	e := escape{isByte: true, size: 2}
	for ; e.size < 4; e.size++ {
		if e.size >= len(s) {
			e.fault = "`\\x` takes two hexadecimal digits"
			break
		}
		d, ok := digitValue(s[e.size])
		if !ok {
			e.fault = "`\\x` takes two hexadecimal digits"
			break
		}
		e.char = e.char*16 + rune(d)
	}
	return e
}

func unicodeEscape(s string) escape {
	const form = "`\\u{N}` takes one to six hexadecimal digits"
	if len(s) < 3 || s[2] != '{' {
		return escape{size: 2, fault: form}
	}
	e := escape{size: 3}
	for ; e.size < len(s) && e.size < 9; e.size++ {
		d, ok := digitValue(s[e.size])
		if !ok {
			break
		}
		e.char = e.char*16 + rune(d)
	}
	switch {
	case e.size == 3 || e.size >= len(s) || s[e.size] != '}':
		e.fault = form
		return e
	case !utf8.ValidRune(e.char):
		e.fault = "`\\u{N}` must be a Unicode scalar value"
	}
	e.size++
	return e
}

// unquote returns the value of a string token's text, whose escapes were checked.
func unquote(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		next := strings.IndexByte(text[i:], '\\')
		if next < 0 {
			b.WriteString(text[i:])
			break
		}
		b.WriteString(text[i : i+next])
		i += next
		e := scanEscape(text[i:])
		if e.isByte {
			b.WriteByte(byte(e.char))
		} else {
			b.WriteRune(e.char)
		}
		i += e.size
	}
	return b.String()
}
