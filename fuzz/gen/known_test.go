package gen

import (
	"strings"
	"testing"

	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// row makes a row of i32 from its text: numbers and operators with blanks between.
func row(t *testing.T, text string) flatRow {
	t.Helper()
	byText := map[string]syntax.BinaryOp{}
	for op, s := range opText {
		byText[s] = op
	}
	var r flatRow
	for i, word := range strings.Fields(text) {
		if i%2 == 1 {
			op, ok := byText[word]
			if !ok {
				t.Fatalf("no operator %q", word)
			}
			r.ops = append(r.ops, op)
			continue
		}
		v := value{kind: types.I32}
		switch word {
		case "true":
			v = boolOf(true)
		case "false":
			v = boolOf(false)
		default:
			for _, c := range word {
				v.bits = v.bits*10 + uint64(c-'0')
			}
		}
		r.vals = append(r.vals, v)
		r.text = append(r.text, word)
	}
	return r
}

// TestRowsByHand checks the generator's own idea of precedence against values worked out by hand from the list of
// operators in LANGUAGE.md.
func TestRowsByHand(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int64
	}{
		{"2 + 3 * 4", 14},
		{"7 - 2 - 1", 4},
		{"100 / 7 / 2", 7},
		{"100 % 7 * 3", 6},
		{"1 + 2 << 3", 24},
		{"1 << 2 + 3", 32},
		{"256 >> 2 >> 1", 32},
		{"1 | 6 ^ 3 & 2", 5},
		{"6 & 3 + 1", 4},
		{"1 | 2 << 1", 5},
		{"5 - 8", -3},
		{"0 - 7 / 2", -3},
		{"3 & 1 == 1", 1},
		{"1 + 1 == 2 && 3 > 4 || 2 * 2 == 4", 1},
		{"true || false && false", 1},
		{"true ^ true | true & false", 0},
		{"true == false | true", 1},
		{"false && 1 / 0 == 1", 0},
	} {
		r := row(t, tt.text)
		v, ok := r.eval()
		if !ok || int64(v.bits) != tt.want {
			t.Errorf("%s is %d (%v), not %d", tt.text, int64(v.bits), ok, tt.want)
		}
		if got := string(r.write(nil, "")); got != tt.text {
			t.Errorf("%q is written %q", tt.text, got)
		}
	}
	for _, text := range []string{"1 / 0", "1 + 5 % 0", "true && 1 / 0 == 1"} {
		r := row(t, text)
		if v, ok := r.eval(); ok {
			t.Errorf("%s has the value %d", text, v.bits)
		}
	}
}

func TestSpelling(t *testing.T) {
	for _, tt := range []struct {
		v           uint64
		base, style int
		want        string
	}{
		{0, 10, 0, "0"}, {255, 16, 0, "0xff"}, {255, 16, 1, "0xFF"}, {5, 2, 0, "0b101"}, {64, 8, 0, "0o100"}, {7, 10, 32, "07"},
		{1234567, 10, 8 | 2, "1_234_567"}, {0xabcd, 16, 8, "0xab_cd"}, {0xabcd, 16, 8 | 16, "0xab__cd"},
		{1<<64 - 1, 10, 0, "18446744073709551615"},
	} {
		if got := spell(tt.v, tt.base, tt.style); got != tt.want {
			t.Errorf("%d in base %d, style %d: %s, want %s", tt.v, tt.base, tt.style, got, tt.want)
		}
	}
}

// TestConstantsByHand checks the evaluator at the edges.
func TestConstantsByHand(t *testing.T) {
	i8 := func(v int64) value { return value{types.I8, uint64(v)} }
	for _, tt := range []struct {
		op   syntax.BinaryOp
		x, y value
		want int64
		ok   bool
	}{
		{syntax.Add, i8(127), i8(1), -128, true},
		{syntax.Mul, i8(-128), i8(-1), -128, true},
		{syntax.Div, i8(-128), i8(-1), 0, false},
		{syntax.Rem, i8(-128), i8(-1), 0, false},
		{syntax.Div, i8(-7), i8(2), -3, true},
		{syntax.Rem, i8(-7), i8(2), -1, true},
		{syntax.Shl, i8(1), i8(9), 2, true},
		{syntax.Shr, i8(-128), i8(-1), -1, true},
		{syntax.Shr, value{types.I64, ^uint64(7)}, value{types.U8, 65}, -4, true},
		{syntax.Shr, value{types.U8, 0x80}, i8(9), 0x40, true},
		{syntax.Pow, i8(2), i8(7), -128, true},
		{syntax.Pow, i8(0), i8(0), 1, true},
		{syntax.Pow, i8(2), i8(-1), 0, false},
	} {
		v, ok := evalBinary(tt.op, tt.x, tt.y)
		if ok != tt.ok || ok && int64(v.bits) != tt.want {
			t.Errorf("%d %s %d is %d (%v)", int64(tt.x.bits), opText[tt.op], int64(tt.y.bits), int64(v.bits), ok)
		}
	}
	for _, tt := range []struct {
		x    value
		to   types.Kind
		want uint64
	}{
		{floatOf(types.F64, 1e30), types.I8, 127},
		{floatOf(types.F64, -1e30), types.U8, 0},
		{floatOf(types.F64, -1.9), types.I32, ^uint64(0)},
		{value{types.I64, 300}, types.U8, 44},
		{value{types.I64, 200}, types.I8, ^uint64(55)},
		{value{types.U64, 1<<64 - 1}, types.F32, 0x5f800000},
		{value{types.I64, 16777217}, types.F32, 0x4b800000},
	} {
		if got := evalCast(tt.x, tt.to); got.bits != tt.want {
			t.Errorf("%v as %s is %#x, want %#x", tt.x, types.Prim(tt.to), got.bits, tt.want)
		}
	}
}
