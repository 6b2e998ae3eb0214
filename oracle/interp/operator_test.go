package interp

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"rokrig/compiler/types"
	"rokrig/oracle/outcome"
)

var integerKinds = []types.Kind{types.I8, types.I16, types.I32, types.I64, types.U8, types.U16, types.U32, types.U64}

// edges are the values of an integer kind round which operators go wrong.
func edges(k types.Kind) []*big.Int {
	one := big.NewInt(1)
	top := new(big.Int).Lsh(one, uint(k.Bits()))
	var list []*big.Int
	if k.IsSigned() {
		half := new(big.Int).Lsh(one, uint(k.Bits()-1))
		lo := new(big.Int).Neg(half)
		list = append(list, lo, new(big.Int).Add(lo, one), new(big.Int).Sub(half, one), big.NewInt(-1), big.NewInt(-3))
	} else {
		half := new(big.Int).Lsh(one, uint(k.Bits()-1))
		list = append(list, new(big.Int).Sub(top, one), half, new(big.Int).Sub(half, one))
	}
	return append(list, big.NewInt(0), one, big.NewInt(2), big.NewInt(7), big.NewInt(100))
}

// wrap brings x into the range of kind k, modulo its width.
func wrap(k types.Kind, x *big.Int) *big.Int {
	top := new(big.Int).Lsh(big.NewInt(1), uint(k.Bits()))
	x = new(big.Int).Mod(x, top)
	if k.IsSigned() && x.Bit(k.Bits()-1) == 1 {
		x.Sub(x, top)
	}
	return x
}

// meaning computes x op y by the words of the language's description, or the message of its panic.
func meaning(k types.Kind, op string, x, y *big.Int) (*big.Int, string) {
	z := new(big.Int)
	lo := new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), uint(k.Bits()-1)))
	switch op {
	case "+":
		z.Add(x, y)
	case "-":
		z.Sub(x, y)
	case "*":
		z.Mul(x, y)
	case "/", "%":
		if y.Sign() == 0 {
			return nil, "division by zero"
		}
		if k.IsSigned() && x.Cmp(lo) == 0 && y.IsInt64() && y.Int64() == -1 {
			return nil, "integer overflow"
		}
		rem := new(big.Int)
		if z.QuoRem(x, y, rem); op == "%" {
			z = rem
		}
	case "**":
		if y.Sign() < 0 {
			return nil, "negative exponent"
		}
		top := new(big.Int).Lsh(big.NewInt(1), uint(k.Bits()))
		z.Exp(x, y, top)
	case "<<", ">>":
		count := uint(new(big.Int).Mod(y, big.NewInt(int64(k.Bits()))).Int64())
		if z.Lsh(x, count); op == ">>" {
			z.Rsh(x, count)
		}
	case "&":
		z.And(x, y)
	case "|":
		z.Or(x, y)
	case "^":
		z.Xor(x, y)
	}
	return wrap(k, z), ""
}

// literal writes x in source so that it may stand under any operator.
func literal(x *big.Int) string {
	if x.Sign() < 0 {
		return "(" + x.String() + ")"
	}
	return x.String()
}

// shapes are the ways in which operands reach an operator: as variables, as constants, as calls.
var shapes = []string{"a %s b", "id(a) %s b", "a %s id(b)", "id(a) %s id(b)", "a %s Y", "id(a) %s Y", "X %s b", "X %s Y"}

// TestIntegerOperators compares every operator on every type, in every shape, at the edges with arithmetic on big
// integers.
func TestIntegerOperators(t *testing.T) {
	for _, k := range integerKinds {
		for _, op := range []string{"+", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^"} {
			for _, shape := range shapes {
				checkOperator(t, k, op, fmt.Sprintf(shape, op))
			}
		}
	}
}

// checkOperator runs one program with all pairs that do not panic, and one for each kind of panic.
func checkOperator(t *testing.T, k types.Kind, op, body string) {
	head := fmt.Sprintf("fn id(x: %s) -> %s { x }\n", name(k), name(k))
	var text, want strings.Builder
	text.WriteString(head)
	panics := map[string]bool{}
	declared := map[string]string{} // expression to the function that computes it
	for _, x := range edges(k) {
		for _, y := range edges(k) {
			expr := strings.NewReplacer("X", typed(k, x), "Y", typed(k, y)).Replace(body)
			fn, known := declared[expr]
			if !known {
				fn = fmt.Sprintf("f%d", len(declared))
				declared[expr] = fn
			}
			decl := fmt.Sprintf("fn %s(a: %s, b: %s) -> %s { %s }\n", fn, name(k), name(k), name(k), expr)
			call := fmt.Sprintf("print %s(%s, %s);\n", fn, literal(x), literal(y))
			z, message := meaning(k, op, x, y)
			if message != "" {
				if !panics[message] {
					checkPanic(t, head+decl+call, message, strings.Index(decl, expr)+strings.Index(expr, " "+op+" ")+2)
				}
				panics[message] = true
			}
			if !known {
				text.WriteString(decl)
			}
			if message == "" {
				text.WriteString(call)
				fmt.Fprintln(&want, z)
			}
		}
	}
	if o, _ := run(t, text.String(), Options{}); string(o.Stdout) != want.String() || o.Kind != outcome.Value {
		t.Errorf("%s: `%s` on edges: %s", name(k), body, firstDifference(string(o.Stdout), want.String(), text.String()))
	}
}

// checkPanic runs a program whose second line panics.
func checkPanic(t *testing.T, text, message string, column int) {
	t.Helper()
	o, _ := run(t, text, Options{})
	if line := fmt.Sprintf("panic: %s at t.rok:2:%d", message, column); o.Line != line || o.Status != 101 || len(o.Stdout) > 0 {
		t.Errorf("%s: got %q, want %q", text, shown(o), line)
	}
}

// typed writes x with its type, so that it may also stand where nothing else tells it.
func typed(k types.Kind, x *big.Int) string {
	if x.Sign() < 0 {
		return "(" + x.String() + name(k) + ")"
	}
	return x.String() + name(k)
}

// TestOtherIntegerOperators covers what has another form: op=, prefix operators, comparisons, shift counts of other types,
// casts between integers.
func TestOtherIntegerOperators(t *testing.T) {
	for _, k := range integerKinds {
		var text, want strings.Builder
		name := types.Prim(k).String()
		for i, x := range edges(k) {
			fmt.Fprintf(&text, "let mut v%d: %s = %s; v%d -= 100; print v%d, !v%d;\n", i, name, literal(x), i, i, i)
			v := wrap(k, new(big.Int).Sub(x, big.NewInt(100)))
			fmt.Fprintln(&want, v, wrap(k, new(big.Int).Not(v)))
			if k.IsSigned() {
				fmt.Fprintf(&text, "print -v%d;\n", i)
				fmt.Fprintln(&want, wrap(k, new(big.Int).Neg(v)))
			}
			for _, count := range integerKinds {
				fmt.Fprintf(&text, "print v%d << %s, v%d as %s;\n", i, "127"+types.Prim(count).String(), i, types.Prim(count))
				z, _ := meaning(k, "<<", v, big.NewInt(127))
				fmt.Fprintln(&want, z, wrap(count, v))
			}
			for _, y := range edges(k) {
				fmt.Fprintf(&text, "print v%d < %s, v%d <= %s, v%d > %s, v%d >= %s, v%d == %s, v%d != %s;\n",
					i, literal(y), i, literal(y), i, literal(y), i, literal(y), i, literal(y), i, literal(y))
				c := v.Cmp(y)
				fmt.Fprintln(&want, c < 0, c <= 0, c > 0, c >= 0, c == 0, c != 0)
			}
		}
		if o, _ := run(t, text.String(), Options{}); string(o.Stdout) != want.String() || o.Kind != outcome.Value {
			t.Errorf("%s: got\n%swant\n%s", name, shown(o), want.String())
		}
	}
}

func name(k types.Kind) string { return types.Prim(k).String() }
