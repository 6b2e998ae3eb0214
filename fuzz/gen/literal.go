package gen

import (
	"math"
	"math/bits"
	"strconv"

	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// magnitudes are the edges of encodings and of widths: immediates of 8 and 32 bits, powers of two, their neighbours.
var magnitudes = [...]uint64{0, 1, 2, 3, 7, 8, 9, 10, 15, 16, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 254, 255, 256, 257, 1000,
	32767, 32768, 32769, 65535, 65536, 65537, 1 << 24, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1 << 53, 1<<53 + 1,
	1<<63 - 1, 1 << 63, 1<<63 + 1, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, math.MaxUint64}

// intValue draws a value of an integer kind, as a normalised word.
func (g *gen) intValue(k types.Kind) uint64 {
	if !g.chance(g.sw.edge) {
		if g.chance(40) {
			return k.Normalise(g.word() >> g.n(64))
		}
		v := uint64(g.n(17))
		if k.IsSigned() && g.chance(50) {
			v = -v
		}
		return v
	}
	lo, hi := k.MinMax()
	switch g.n(7) {
	case 6:
		if k.Bits() == 64 {
			return g.nearTie(k)
		}
	case 0:
		return hi
	case 1:
		return lo
	case 2:
		return k.Normalise(hi - uint64(g.n(4)))
	case 3:
		return k.Normalise(lo + uint64(g.n(4)))
	}
	v := magnitudes[g.n(len(magnitudes))]
	if g.chance(128) {
		v = -v
	}
	return k.Normalise(v)
}

// nearTie draws a 64-bit integer that lies next to the middle of two neighbours of f32, nearer than f64 can tell: one
// rounding and two give different singles.
func (g *gen) nearTie(k types.Kind) uint64 {
	top := 1<<23 | uint64(g.n(1<<16))<<7 | uint64(g.n(64))<<1 // 24 bits, an even number
	v := top<<40 | 1<<39
	if g.chance(128) {
		v |= 1
	} else {
		v-- // just below the middle of an odd neighbour
		v += 1 << 40
	}
	if k.IsSigned() {
		v = v>>2 | v&1
		if g.chance(128) {
			v = -v
		}
	}
	return v
}

// intLit spells a value of an integer kind. ctx: the place tells the literal its type.
func (g *gen) intLit(k types.Kind, word uint64, ctx bool) syntax.Expr {
	magnitude, neg := word, false
	if k.IsSigned() && int64(word) < 0 {
		magnitude, neg = -word, true
	}
	suffix := ""
	if !ctx && k != types.I64 || g.chance(g.sw.suffix) {
		suffix = types.Prim(k).Name
	}
	lit := g.magnitude(magnitude, suffix)
	if neg {
		return g.unary(syntax.Neg, lit)
	}
	return lit
}

// magnitude spells a number without a sign.
func (g *gen) magnitude(v uint64, suffix string) syntax.Expr {
	if !g.chance(g.sw.odd) {
		return g.integer(v, suffix)
	}
	base := [...]int{16, 2, 8, 10}[g.n(4)]
	if g.chance(100) {
		return g.raw(spell(v, base, int(g.src.Byte())) + suffix)
	}
	lit := g.integer(v, suffix)
	lit.(*syntax.IntLit).Base = base
	return lit
}

// raw makes a fragment of source text stand where an expression does. It is a name to the printer, which so cannot
// respell it.
func (g *gen) raw(text string) syntax.Expr { return g.path(text) }

// spell writes a number in a base, by rules of its own: style chooses leading zeros, underscores and the case of letters.
func spell(v uint64, base, style int) string {
	const lower, upper = "0123456789abcdef", "0123456789ABCDEF"
	digits := lower
	if style&1 != 0 {
		digits = upper
	}
	var buf [160]byte
	at := len(buf)
	put := func(c byte) { at--; buf[at] = c }
	group := 2 + style>>1&3
	for n := 0; ; n++ {
		if n > 0 && n%group == 0 && style&8 != 0 {
			put('_')
			if style&16 != 0 {
				put('_')
			}
		}
		put(digits[v%uint64(base)])
		if v /= uint64(base); v == 0 {
			break
		}
	}
	if style&32 != 0 {
		put('0') // 007 is 7
	}
	switch base {
	case 2:
		put('b')
	case 8:
		put('o')
	case 16:
		put('x')
	}
	if base != 10 {
		put('0')
	}
	return string(buf[at:])
}

// floatEdges are magnitudes whose sums, conversions and shortest digits are known to go wrong.
var floatEdges = [...]float64{1, 0, 0.5, 2, 1.5, 0.1, 0.3, 3.25, 7, 100, 255.5, 256, 1e-6, 1e-7, 123456.789, 16777216, 16777217, 2147483647, 2147483648,
	4294967295, 4294967296, 9007199254740993, 9.2e18, 9223372036854775807, 1.8446744073709552e19, 1e20, 1e21, 1e22, 3.4028234663852886e38, 1e38, 1e-38,
	1.401298464324817e-45, 1e-45, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1e308, 4.35, 0.000001, 5e-7, 299792458.125}

// floatValue draws a finite value of a float kind.
func (g *gen) floatValue(k types.Kind) float64 {
	var v float64
	switch {
	case g.chance(g.sw.edge):
		v = floatEdges[g.n(len(floatEdges))]
	case g.chance(24):
		v = math.Abs(math.Float64frombits(g.word()))
		if k == types.F32 {
			v = math.Abs(float64(math.Float32frombits(uint32(g.word()))))
		}
	default:
		v = float64(g.n(4000)) / float64(int(1)<<g.n(5))
	}
	if k == types.F32 {
		v = float64(float32(v))
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v = 1
	}
	if g.chance(50) {
		v = -v
	}
	return v
}

// floatLit spells a finite value of a float kind.
func (g *gen) floatLit(k types.Kind, v float64, ctx bool) syntax.Expr {
	lit := g.floats.new()
	g.nodes++
	if !ctx && k != types.F64 || g.chance(g.sw.suffix) {
		lit.Suffix = types.Prim(k).Name
	}
	lit.Text = floatText(math.Abs(v), k, lit.Suffix != "" && g.chance(60))
	if math.Signbit(v) {
		return g.unary(syntax.Neg, lit)
	}
	return lit
}

// floatText writes the shortest digits of v that read back as v; bare leaves a whole number without its `.0`, which
// only a suffix makes a float.
func floatText(v float64, k types.Kind, bare bool) string {
	var buf [32]byte
	out := strconv.AppendFloat(buf[:0], v, 'g', -1, k.Bits())
	whole := true
	for i, c := range out {
		switch c {
		case '.', 'e':
			whole = false
		case '+': // 1e+21: both spellings are legal, the shorter one is usual
			out = append(out[:i], out[i+1:]...)
			return string(out)
		}
	}
	if whole && !bare {
		out = append(out, ".0"...)
	}
	return string(out)
}

// words are pieces of string literals; among them what must be escaped, several bytes a character, and no UTF-8 at all.
var words = [...]string{"a", "", "rok", "x=", "zero", "0123456789", "longer text, with blanks", "\n", "\t\"q\"\\", "\x00", "\xff\xfe", "é", "日本", "\u2028", "\U0001F600",
	"{}", "%d", "//", "/*", "'", "\r", "\x7f", "\x80", "-0", "true", "none"}

// strValue draws the bytes of a string.
func (g *gen) strValue() string {
	s := words[g.n(len(words))]
	for g.chance(90) && len(s) < 300 {
		switch g.n(4) {
		case 0:
			s += words[g.n(len(words))]
		case 1:
			s += string([]byte{g.src.Byte()})
		case 2:
			s += s
		default:
			s += "abcdefghijklmnopqrstuvwxyz"[g.n(20):]
		}
	}
	return s
}

// lengthInBits is the number of bits that hold n.
func lengthInBits(n uint64) int { return bits.Len64(n) }
