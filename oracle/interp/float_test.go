package interp

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFloatText is a table of floats and how print writes them.
func TestFloatText(t *testing.T) {
	tests := []struct {
		value float64
		bits  int
		want  string
	}{
		{0, 64, "0"}, {math.Copysign(0, -1), 64, "-0"}, {math.Inf(1), 64, "inf"}, {math.Inf(-1), 64, "-inf"},
		{math.NaN(), 64, "NaN"}, {math.Copysign(math.NaN(), -1), 64, "NaN"}, {math.NaN(), 32, "NaN"},
		{1, 64, "1"}, {-1, 64, "-1"}, {10, 64, "10"}, {123456, 64, "123456"}, {0.1, 64, "0.1"}, {1.5, 64, "1.5"},
		{100000000000000000000, 64, "100000000000000000000"}, {999999999999999900000, 64, "999999999999999900000"},
		{1e21, 64, "1e+21"}, {-1e21, 64, "-1e+21"}, {1.5e21, 64, "1.5e+21"}, {1.2345e22, 64, "1.2345e+22"}, {1e100, 64, "1e+100"},
		{1e-6, 64, "0.000001"}, {1.25e-6, 64, "0.00000125"}, {1e-7, 64, "1e-7"}, {9.99e-7, 64, "9.99e-7"}, {-1.5e-10, 64, "-1.5e-10"},
		{0.001, 64, "0.001"}, {0.0123, 64, "0.0123"}, {123.456, 64, "123.456"}, {12345678.9, 64, "12345678.9"},
		{math.MaxFloat64, 64, "1.7976931348623157e+308"}, {math.SmallestNonzeroFloat64, 64, "5e-324"},
		{2.2250738585072014e-308, 64, "2.2250738585072014e-308"}, {9007199254740993, 64, "9007199254740992"},
		{5e-324, 64, "5e-324"}, {4.35, 64, "4.35"}, {0.30000000000000004, 64, "0.30000000000000004"},
		{math.Ldexp(1, -44), 64, "5.684341886080802e-14"}, // the tie between ...01 and ...02
		{9223372036854775808, 64, "9223372036854776000"},
		{float64(float32(0.1)), 32, "0.1"}, {float64(float32(16777216)), 32, "16777216"}, {float64(float32(1e21)), 32, "1e+21"},
		{float64(float32(1e20)), 32, "100000000000000000000"}, {float64(float32(1e-6)), 32, "0.000001"},
		{math.MaxFloat32, 32, "3.4028235e+38"}, {math.SmallestNonzeroFloat32, 32, "1e-45"}, {float64(float32(3.3e9)), 32, "3300000000"},
		{math.Ldexp(1, -12), 32, "0.00024414062"}, {math.Ldexp(1, -12), 64, "0.000244140625"}, // a tie that strconv resolves upwards
		{float64(float32(8589973000)), 32, "8589974000"}, {float64(float32(1) / 3), 32, "0.33333334"},
	}
	for _, tt := range tests {
		if got := string(AppendFloat(nil, tt.value, tt.bits)); got != tt.want {
			t.Errorf("%x as f%d: got %s, want %s", tt.value, tt.bits, got, tt.want)
		}
	}
}

// TestFloatTextIsShortest checks, for any bits, that the text reads back as the same value, that no text of fewer digits
// does, and that of the texts of that length the nearest is chosen, the even one on a tie.
func TestFloatTextIsShortest(t *testing.T) {
	for exponent := -1074; exponent < 1024; exponent++ {
		checkShortest(t, math.Ldexp(1, exponent), 64)
	}
	for exponent := -149; exponent < 128; exponent++ {
		checkShortest(t, math.Ldexp(1, exponent), 32)
	}
	rapid.Check(t, func(t *rapid.T) {
		checkShortest(t, math.Abs(math.Float64frombits(rapid.Uint64().Draw(t, "bits"))), 64)
		checkShortest(t, math.Abs(float64(math.Float32frombits(rapid.Uint32().Draw(t, "bits32")))), 32)
	})
}

type failer interface{ Errorf(string, ...any) }

func checkShortest(t failer, v float64, bits int) {
	if math.IsNaN(v) || math.IsInf(v, 0) || v == 0 {
		return
	}
	text := string(AppendFloat(nil, v, bits))
	if !readsBack(text, v, bits) {
		t.Errorf("f%d %x: %s is another value", bits, v, text)
	}
	digits, scale := significant(text)
	exact := new(big.Rat).SetFloat64(v)
	distance := func(d *big.Int) *big.Rat {
		r := new(big.Rat).Sub(decimal(d, scale), exact)
		return r.Abs(r)
	}
	for _, other := range []int64{-1, 1} {
		n := new(big.Int).Add(digits, big.NewInt(other))
		if n.Sign() == 0 || !readsBack(n.String()+fmt.Sprintf("e%d", scale), v, bits) {
			continue
		}
		if c := distance(n).Cmp(distance(digits)); c < 0 || c == 0 && digits.Bit(0) == 1 {
			t.Errorf("f%d %x: %se%d is nearer or even, got %s", bits, v, n, scale, text)
		}
	}
	// One digit fewer: only the two neighbours of that length can read back.
	short := new(big.Int).Quo(digits, big.NewInt(10))
	for range 2 {
		if short.Sign() > 0 && readsBack(short.String()+fmt.Sprintf("e%d", scale+1), v, bits) {
			t.Errorf("f%d %x: %se%d is shorter than %s", bits, v, short, scale+1, text)
		}
		short.Add(short, big.NewInt(1))
	}
}

// readsBack reads a decimal text as a float of bits by rounding its exact value to nearest even.
func readsBack(text string, v float64, bits int) bool {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return false
	}
	if bits == 32 {
		f, _ := r.Float32()
		return float64(f) == v
	}
	f, _ := r.Float64()
	return f == v
}

// significant takes a text apart: its digits without zeros at either end, and the power of ten of the last one.
func significant(text string) (*big.Int, int) {
	mantissa, exponent, _ := strings.Cut(text, "e")
	scale := 0
	if exponent != "" {
		fmt.Sscanf(exponent, "%d", &scale)
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	scale -= len(part)
	digits := strings.TrimLeft(whole+part, "0")
	trimmed := strings.TrimRight(digits, "0")
	n, _ := new(big.Int).SetString(trimmed, 10)
	return n, scale + len(digits) - len(trimmed)
}

func decimal(digits *big.Int, scale int) *big.Rat {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(scale, -scale))), nil)
	if scale >= 0 {
		return new(big.Rat).SetInt(new(big.Int).Mul(digits, power))
	}
	return new(big.Rat).SetFrac(digits, power)
}

// edgeFloats are floats round which operators and casts go wrong.
var edgeFloats = []string{"0.0", "(-0.0)", "1.0", "(-1.5)", "0.1", "3.0", "127.5", "(-128.9)", "255.9", "65535.5",
	"2147483647.5", "(-2147483649.0)", "4294967296.0", "9223372036854775807.0", "(-9223372036854775808.0)",
	"18446744073709551615.0", "1e300", "(-1e300)", "5e-324", "1e-40", "1.7976931348623157e308"}

// TestFloatOperators compares f64 and f32 with arithmetic of 200 bits, rounded once, and exact remainders.
func TestFloatOperators(t *testing.T) {
	for _, bits := range []int{64, 32} {
		var text, want strings.Builder
		for _, op := range []string{"+", "-", "*", "/", "%"} {
			fmt.Fprintf(&text, "fn f%d(a: f%d, b: f%d) -> f%d { a %s b }\n", strings.Index("+-*/%", op), bits, bits, bits, op)
			for _, x := range edgeFloats {
				for _, y := range edgeFloats {
					a, b := readFloat(x, bits), readFloat(y, bits)
					if math.IsInf(a, 0) || math.IsInf(b, 0) {
						continue // no f32 is that large
					}
					fmt.Fprintf(&text, "print f%d(%s, %s);\n", strings.Index("+-*/%", op), x, y)
					fmt.Fprintf(&want, "%s\n", AppendFloat(nil, exactFloat(op, a, b, bits), bits))
				}
			}
		}
		if o, _ := run(t, text.String(), Options{}); string(o.Stdout) != want.String() {
			t.Errorf("f%d: %s", bits, firstDifference(string(o.Stdout), want.String(), text.String()))
		}
	}
}

// firstDifference shows the first line that differs, and the call that printed it.
func firstDifference(got, want, text string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	var calls []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "print") {
			calls = append(calls, line)
		}
	}
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("%s got %s, want %s", calls[i], g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

func readFloat(text string, bits int) float64 {
	r, _ := new(big.Rat).SetString(strings.Trim(text, "()"))
	if r.Sign() == 0 && strings.Contains(text, "-") {
		return math.Copysign(0, -1)
	}
	if bits == 32 {
		f, _ := r.Float32()
		return float64(f)
	}
	f, _ := r.Float64()
	return f
}

// exactFloat computes a op b by rational arithmetic and rounds once.
func exactFloat(op string, a, b float64, bits int) float64 {
	x, y := new(big.Rat).SetFloat64(a), new(big.Rat).SetFloat64(b)
	z := new(big.Rat)
	sign := math.Signbit(a) != math.Signbit(b)
	switch op {
	case "+", "-":
		if z.Add(x, y); op == "-" {
			z.Sub(x, y)
			b = -b
		}
		sign = math.Signbit(a) && math.Signbit(b) // of a zero sum: only -0 + -0
	case "*":
		z.Mul(x, y)
	case "/", "%":
		if b == 0 {
			if a == 0 || op == "%" {
				return math.NaN()
			}
			return math.Inf(map[bool]int{false: 1, true: -1}[sign])
		}
		if z.Quo(x, y); op == "%" {
			quotient := new(big.Int).Quo(z.Num(), z.Denom())
			z.Sub(x, z.Mul(y, new(big.Rat).SetInt(quotient)))
			sign = math.Signbit(a)
		}
	}
	if z.Sign() == 0 {
		return math.Copysign(0, map[bool]float64{false: 1, true: -1}[sign])
	}
	if bits == 32 {
		f, _ := z.Float32()
		if f == 0 {
			return math.Copysign(0, float64(z.Sign()))
		}
		return float64(f)
	}
	f, _ := z.Float64()
	if f == 0 {
		return math.Copysign(0, float64(z.Sign()))
	}
	return f
}

// TestFloatCasts compares the casts from and to floats with exact arithmetic.
func TestFloatCasts(t *testing.T) {
	var text, want strings.Builder
	for _, k := range integerKinds {
		for _, bits := range []int{64, 32} {
			fmt.Fprintf(&text, "fn to_%v_%d(x: f%d) -> %v { x as %v }\n", name(k), bits, bits, name(k), name(k))
			fmt.Fprintf(&text, "fn from_%v_%d(x: %v) -> f%d { x as f%d }\n", name(k), bits, name(k), bits, bits)
			for _, x := range edgeFloats {
				v := readFloat(x, bits)
				if math.IsInf(v, 0) {
					continue
				}
				fmt.Fprintf(&text, "print to_%v_%d(%s);\n", name(k), bits, x)
				r := new(big.Rat).SetFloat64(v)
				z := new(big.Int).Quo(r.Num(), r.Denom())
				e := edges(k)
				lo, hi := e[0], e[2]
				if !k.IsSigned() {
					lo, hi = big.NewInt(0), e[0]
				}
				if z.Cmp(lo) < 0 {
					z = lo
				}
				if z.Cmp(hi) > 0 {
					z = hi
				}
				fmt.Fprintln(&want, z)
			}
			for _, x := range append(edges(k), roundingIntegers(k)...) {
				fmt.Fprintf(&text, "print from_%v_%d(%s);\n", name(k), bits, literal(x))
				r := new(big.Rat).SetInt(x)
				v, _ := r.Float64()
				if bits == 32 {
					f, _ := r.Float32()
					v = float64(f)
				}
				fmt.Fprintf(&want, "%s\n", AppendFloat(nil, v, bits))
			}
		}
	}
	if o, _ := run(t, text.String(), Options{}); string(o.Stdout) != want.String() {
		t.Error(firstDifference(string(o.Stdout), want.String(), text.String()))
	}
}

// roundingIntegers are 64-bit integers that show a second rounding: just above and below the middle of two f32.
func roundingIntegers(k interface{ Bits() int }) []*big.Int {
	if k.Bits() < 64 {
		return nil
	}
	var list []*big.Int
	for _, s := range []string{"9007199791611905", "9007199791611904", "9007199791611903", "4611686293305294849",
		"4611686293305294848", "4611686293305294847", "9007199254740993", "9007199254740995", "9223371761976868863"} {
		x, _ := new(big.Int).SetString(s, 10)
		list = append(list, x)
	}
	if u, _ := new(big.Int).SetString("9223372586610589697", 10); fmt.Sprint(k) == fmt.Sprint(integerKinds[7]) {
		list = append(list, u, new(big.Int).Sub(u, big.NewInt(1)), new(big.Int).Sub(u, big.NewInt(2)))
	}
	return list
}
