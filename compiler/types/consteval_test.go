package types

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"rokrig/compiler/syntax"
)

var intKinds = []Kind{I8, I16, I32, I64, U8, U16, U32, U64}

// bigOf returns the value of a normalised word.
func bigOf(k Kind, w uint64) *big.Int {
	if k.IsSigned() {
		return big.NewInt(int64(w))
	}
	return new(big.Int).SetUint64(w)
}

// wordOfBig returns v modulo 2^width as a normalised word.
func wordOfBig(k Kind, v *big.Int) uint64 {
	low := new(big.Int).And(v, new(big.Int).SetUint64(math.MaxUint64)) // And works on two's complement
	return k.Normalise(low.Uint64())
}

func drawWord(t *rapid.T, k Kind, label string) uint64 {
	lo, hi := k.MinMax()
	corner := rapid.SampledFrom([]uint64{0, 1, k.Normalise(math.MaxUint64), lo, hi, lo + 1, hi - 1, 2, 7, 10, 63, 64})
	return k.Normalise(rapid.OneOf(corner, rapid.Uint64()).Draw(t, label))
}

// The arithmetic on words agrees with arithmetic on unbounded integers.
func TestEvalBinaryAgainstBig(t *testing.T) {
	ops := []syntax.BinaryOp{syntax.Add, syntax.Sub, syntax.Mul, syntax.Div, syntax.Rem, syntax.BitAnd, syntax.BitOr, syntax.BitXor,
		syntax.Shl, syntax.Shr, syntax.Pow}
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom(intKinds).Draw(t, "kind")
		op := rapid.SampledFrom(ops).Draw(t, "op")
		ky := k
		if op == syntax.Shl || op == syntax.Shr {
			ky = rapid.SampledFrom(intKinds).Draw(t, "count kind")
		}
		x, y := drawWord(t, k, "x"), drawWord(t, ky, "y")
		want, fault := bigBinary(op, k, bigOf(k, x), bigOf(ky, y))
		got, gotFault := evalBinary(op, k, x, ky, y)
		if gotFault != fault || fault == "" && got != want {
			t.Fatalf("%s: %d %s %d: got %d %q, want %d %q", Prim(k), x, op, y, got, gotFault, want, fault)
		}
	})
}

func bigBinary(op syntax.BinaryOp, k Kind, x, y *big.Int) (uint64, string) {
	z := new(big.Int)
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(k.Bits()))
	switch op {
	case syntax.Add:
		z.Add(x, y)
	case syntax.Sub:
		z.Sub(x, y)
	case syntax.Mul:
		z.Mul(x, y)
	case syntax.Div, syntax.Rem:
		if y.Sign() == 0 {
			return 0, "division by zero"
		}
		r := new(big.Int)
		z.QuoRem(x, y, r) // toward zero
		if bigOf(k, wordOfBig(k, z)).Cmp(z) != 0 {
			return 0, "integer overflow"
		}
		if op == syntax.Rem {
			z = r
		}
	case syntax.BitAnd:
		z.And(x, y)
	case syntax.BitOr:
		z.Or(x, y)
	case syntax.BitXor:
		z.Xor(x, y)
	case syntax.Shl, syntax.Shr:
		count := uint(new(big.Int).Mod(y, big.NewInt(int64(k.Bits()))).Uint64())
		if op == syntax.Shl {
			z.Lsh(x, count)
		} else {
			z.Rsh(x, count) // rounds down, as an arithmetic shift does
		}
	case syntax.Pow:
		if y.Sign() < 0 {
			return 0, "negative exponent"
		}
		z.Exp(new(big.Int).Mod(x, modulus), y, modulus)
	}
	return wordOfBig(k, z), ""
}

// Conversions between numbers agree with unbounded integers and with big floats that round once.
func TestEvalCastAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom(intKinds).Draw(t, "from")
		x := drawWord(t, from, "x")
		value := bigOf(from, x)
		to := rapid.SampledFrom(intKinds).Draw(t, "to")
		if got, want := evalCast(from, to, x), wordOfBig(to, value); got != want {
			t.Fatalf("%v as %s: got %d, want %d", value, Prim(to), got, want)
		}
		f32, _ := new(big.Float).SetInt(value).Float32()
		if got, want := evalCast(from, F32, x), uint64(math.Float32bits(f32)); got != want {
			t.Fatalf("%v as f32: got %x, want %x", value, got, want)
		}
		f64, _ := new(big.Float).SetInt(value).Float64()
		if got, want := evalCast(from, F64, x), math.Float64bits(f64); got != want {
			t.Fatalf("%v as f64: got %x, want %x", value, got, want)
		}
	})
}

func TestEvalFloatToIntAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		to := rapid.SampledFrom(intKinds).Draw(t, "to")
		edge := rapid.Map(rapid.IntRange(-2, 1), func(e int) float64 { return math.Ldexp(1, to.Bits()+e) })
		v := rapid.OneOf(rapid.Float64(), edge,
			rapid.Map(edge, func(x float64) float64 { return math.Nextafter(x, 0) }),
			rapid.Map(edge, func(x float64) float64 { return x * 1.5 }),
			rapid.Map(edge, func(x float64) float64 { return x - 0.5 }),
			rapid.Map(rapid.IntRange(-3, 3), func(i int) float64 { return float64(i) / 2 }),
		).Draw(t, "v")
		if rapid.Bool().Draw(t, "negative") {
			v = -v
		}
		lo, hi := to.MinMax()
		want := wordOf(false)
		if v == v {
			f := big.NewFloat(0).SetMode(big.ToZero)
			exact, _ := f.SetFloat64(max(-1e300, min(1e300, v))).Int(nil)
			switch {
			case exact.Cmp(bigOf(to, lo)) < 0:
				want = lo
			case exact.Cmp(bigOf(to, hi)) > 0:
				want = hi
			default:
				want = wordOfBig(to, exact)
			}
		}
		if got := evalCast(F64, to, math.Float64bits(v)); got != want {
			t.Fatalf("%v as %s: got %d, want %d", v, Prim(to), got, want)
		}
	})
}

// staticText checks a static's initialiser and spells its value.
func staticText(t *testing.T, typ, init string) string {
	t.Helper()
	p, diags := checkText("static.rok", "static S: "+typ+" = "+init+";", nil)
	if p == nil {
		t.Fatalf("%s", diags)
	}
	k := p.Globals[0].Init.(*Const)
	if k.Typ != p.Globals[0].Type {
		t.Errorf("%s: the constant has type %s", init, k.Typ)
	}
	return constText(k.Typ.Kind, k.Bits, k.Str)
}

func TestStaticValues(t *testing.T) {
	for _, c := range []struct{ typ, init, want string }{
		{"i64", "-2 ** 2", "-4"},
		{"i64", "2 ** 3 ** 2", "512"},
		{"i64", "0 ** 0", "1"},
		{"i8", "127 + 1", "-128"},
		{"i8", "-(-128)", "-128"},
		{"u8", "!0", "255"},
		{"i64", "!0", "-1"},
		{"i64", "-7 / 2", "-3"},
		{"i64", "-7 % 2", "-1"},
		{"u8", "300 as u8", "44"},
		{"i8", "200 as i8", "-56"},
		{"u64", "-1 as u64", "18446744073709551615"},
		{"i32", "1 << 33", "2"},
		{"i8", "-128 >> 7", "-1"},
		{"u8", "1 << -1i8", "128"},
		{"i64", "true as i64 + 1", "2"},
		{"i64", "1.9 as i64", "1"},
		{"i8", "1e9 as i8", "127"},
		{"u8", "-1.0 as u8", "0"},
		{"i64", "(0.0 / 0.0) as i64", "0"},
		{"f64", "0.0 / 0.0", "NaN:7ff8000000000000"},
		{"f32", "-(0.0 / 0.0)", "NaN:7fc00000"},
		{"f64", "-0.0", "-0:8000000000000000"},
		{"f64", "0.0 - 0.0", "0:0000000000000000"},
		{"f64", "0.1 + 0.2", "0.30000000000000004:3fd3333333333334"},
		{"f32", "0.1 + 0.2", "0.3:3e99999a"},
		{"f64", "5.5 % -2.0", "1.5:3ff8000000000000"},
		{"f64", "-5.5 % 2.0", "-1.5:bff8000000000000"},
		{"f64", "1.0 % 0.0", "NaN:7ff8000000000000"},
		{"f32", "16777217 as f32", "1.6777216e+07:4b800000"},
		{"f32", "1e-45", "1e-45:00000001"},
		{"f32", "9223372586610589697u64 as f32", "9.223373e+18:5f000001"}, // just above the middle; as an f64 it is the middle
		{"bool", "0.0 == -0.0", "1"},
		{"bool", "0.0 / 0.0 != 0.0 / 0.0", "1"},
		{"bool", "0.0 / 0.0 < 1.0", "0"},
		{"bool", "0.0 / 0.0 >= 1.0", "0"},
		{"bool", "-1 < 1 && 255u8 > 1", "1"},
		{"bool", "\"a\\xFF\" > \"a\"", "1"},
		{"bool", "\"b\" <= \"abc\"", "0"},
		{"bool", "(1, (\"x\", 2.0)) == (1, (\"x\", 2.0))", "1"},
		{"bool", "(1, 2) != (1, 3)", "1"},
		{"bool", "() == ()", "1"},
		{"bool", "true ^ true | false", "0"},
		{"bool", "!(true & false)", "1"},
		{"bool", "true > false", "1"},
		{"str", "\"a\\0\\u{e9}\"", `"a\x00\xC3\xA9"`},
		{"()", "()", "()"},
	} {
		want := c.want
		if c.typ == "bool" {
			want = map[string]string{"0": "false", "1": "true"}[want]
		}
		if got := staticText(t, c.typ, c.init); got != want {
			t.Errorf("%s: got %s, want %s", c.init, got, want)
		}
	}
}

// An f32 literal is rounded once. This one lies above the middle of two f32 by less than an f64 can hold.
func TestFloatLiteralRoundsOnce(t *testing.T) {
	const literal = "1.000000059604644775390626"
	if got := staticText(t, "f32", literal); got != "1.0000001:3f800001" {
		t.Errorf("got %s", got)
	}
}
