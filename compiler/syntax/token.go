package syntax

// kind is what sort of token a token is.
type kind uint8

// The kinds of tokens. Those between firstKeyword and lastKeyword are the reserved words.
const (
	tEOF kind = iota
	tIdent
	tInt
	tFloat
	tString
	tLabel // 'outer
	tIndex // the 0 of t.0: digits after a dot
	tUnderscore

	tLParen
	tRParen
	tLBrace
	tRBrace
	tLBracket
	tRBracket
	tComma
	tSemi
	tColon
	tPath // ::
	tDot
	tDotDot
	tDotDotEq
	tArrow    // ->
	tFatArrow // =>
	tAssign
	tEq
	tNe
	tLt
	tLe
	tGt
	tGe
	tShl
	tShr
	tPlus
	tMinus
	tStar
	tPow
	tSlash
	tPercent
	tAnd
	tOr
	tCaret
	tAndAnd
	tOrOr
	tNot
	tPlusAssign
	tMinusAssign
	tStarAssign
	tPowAssign
	tSlashAssign
	tPercentAssign
	tAndAssign
	tOrAssign
	tCaretAssign
	tShlAssign
	tShrAssign

	tTryNone  // try?
	tTryPanic // try!

	tAny
	tAs
	tAssert
	tBreak
	tCatch
	tContinue
	tElse
	tEnum
	tFalse
	tFinally
	tFn
	tFor
	tIf
	tImpl
	tIn
	tLet
	tLoop
	tMatch
	tMut
	tNone
	tPanic
	tPrint
	tReturn
	tSpawn
	tStatic
	tStruct
	tThrow
	tThrows
	tTrait
	tTrue
	tTry
	tWhile

	numKinds
	firstKeyword = tAny
	lastKeyword  = tWhile
)

// kindText is how each kind is spelled; the kinds without one spelling are described.
var kindText = [numKinds]string{
	tEOF: "end of file", tIdent: "a name", tInt: "an integer", tFloat: "a float", tString: "a string", tLabel: "a label",
	tIndex: "a tuple index", tUnderscore: "_",

	tLParen: "(", tRParen: ")", tLBrace: "{", tRBrace: "}", tLBracket: "[", tRBracket: "]", tComma: ",", tSemi: ";",
	tColon: ":", tPath: "::", tDot: ".", tDotDot: "..", tDotDotEq: "..=", tArrow: "->", tFatArrow: "=>", tAssign: "=",
	tEq: "==", tNe: "!=", tLt: "<", tLe: "<=", tGt: ">", tGe: ">=", tShl: "<<", tShr: ">>", tPlus: "+", tMinus: "-",
	tStar: "*", tPow: "**", tSlash: "/", tPercent: "%", tAnd: "&", tOr: "|", tCaret: "^", tAndAnd: "&&", tOrOr: "||",
	tNot: "!", tPlusAssign: "+=", tMinusAssign: "-=", tStarAssign: "*=", tPowAssign: "**=", tSlashAssign: "/=",
	tPercentAssign: "%=", tAndAssign: "&=", tOrAssign: "|=", tCaretAssign: "^=", tShlAssign: "<<=", tShrAssign: ">>=",

	tTryNone: "try?", tTryPanic: "try!",

	tAny: "any", tAs: "as", tAssert: "assert", tBreak: "break", tCatch: "catch", tContinue: "continue", tElse: "else",
	tEnum: "enum", tFalse: "false", tFinally: "finally", tFn: "fn", tFor: "for", tIf: "if", tImpl: "impl", tIn: "in",
	tLet: "let", tLoop: "loop", tMatch: "match", tMut: "mut", tNone: "none", tPanic: "panic", tPrint: "print",
	tReturn: "return", tSpawn: "spawn", tStatic: "static", tStruct: "struct", tThrow: "throw", tThrows: "throws",
	tTrait: "trait", tTrue: "true", tTry: "try", tWhile: "while",
}

// hasSpelling reports whether kindText gives the token's own characters, not a description.
func (k kind) hasSpelling() bool { return k >= tUnderscore }

func (k kind) isKeyword() bool { return k >= firstKeyword && k <= lastKeyword }

// shown is the kind as messages name it.
func (k kind) shown() string {
	if k.hasSpelling() {
		return "`" + kindText[k] + "`"
	}
	return kindText[k]
}

// token is one token. Positions are byte offsets into the text.
type token struct {
	kind       kind
	base       uint8 // of a tInt: 2, 8, 10 or 16
	suffix     uint8 // bytes of a number's type suffix
	escapes    bool  // a tString holds escapes
	start, end int32
	value      uint64 // of a tInt and a tIndex
}

// infixOps and assignOps tell which operator a token is between two operands. NoOp: none.
var infixOps, assignOps [numKinds]BinaryOp

// keywordSlots is the size of the keyword table, a power of two.
const keywordSlots = 64

// keywords is a perfect hash table of the reserved words, as Go's own scanner has one.
var keywords [keywordSlots]kind

// keywordHash hashes a word. Its factors were found by trying all small ones; init checks that no two words collide.
func keywordHash(word string) int {
	first, second, last := int(word[0]), int(word[1]), int(word[len(word)-1])
	return (4*first + 24*second + 11*last + len(word)) & (keywordSlots - 1)
}

// symbol is the spelling of a token made of punctuation.
type symbol struct {
	text string
	kind kind
}

// symbols holds, by first byte, every punctuation token, longer spellings first.
var symbols [128][]symbol

func init() {
	for k := firstKeyword; k <= lastKeyword; k++ {
		h := keywordHash(kindText[k])
		if keywords[h] != tEOF {
			panic("syntax: keywords " + kindText[k] + " and " + kindText[keywords[h]] + " collide")
		}
		keywords[h] = k
	}
	for length := 3; length >= 1; length-- {
		for k := tLParen; k <= tShrAssign; k++ {
			if text := kindText[k]; len(text) == length {
				symbols[text[0]] = append(symbols[text[0]], symbol{text, k})
			}
		}
	}
	for k := tLParen; k <= tShrAssign; k++ {
		for op := Or; op <= Pow; op++ {
			switch {
			case kindText[k] == op.String():
				infixOps[k] = op
			case binaryOps[op].assign && kindText[k] == op.String()+"=":
				assignOps[k] = op
			}
		}
	}
}

// keyword returns the kind of an identifier's text: a keyword, or tIdent.
func keyword(word string) kind {
	if len(word) >= 2 && len(word) <= 8 {
		if k := keywords[keywordHash(word)]; k != tEOF && kindText[k] == word {
			return k
		}
	} else if word == "_" {
		return tUnderscore
	}
	return tIdent
}
