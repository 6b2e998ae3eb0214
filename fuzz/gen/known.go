package gen

import (
	"math"
	"strconv"

	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// Assertions of values known by construction. Text relies on precedence and associativity as language.md states them,
// without parentheses; it is written and worked out here, with a table of this file's own, and passed through the printer
// as a name. So a mistake that parser, printer, checker and interpreter agree on fails an assertion.

// looseness lists the binary operators of the language, loosest first; all but `**` group from the left, and comparisons
// do not chain.
var looseness = [...][]syntax.BinaryOp{
	{syntax.Or}, {syntax.And}, {syntax.Eq, syntax.Ne, syntax.Lt, syntax.Le, syntax.Gt, syntax.Ge},
	{syntax.BitOr}, {syntax.BitXor}, {syntax.BitAnd}, {syntax.Shl, syntax.Shr}, {syntax.Add, syntax.Sub},
	{syntax.Mul, syntax.Div, syntax.Rem},
}

// opText spells the operators, again apart from the compiler's table.
var opText = map[syntax.BinaryOp]string{
	syntax.Or: "||", syntax.And: "&&", syntax.Eq: "==", syntax.Ne: "!=", syntax.Lt: "<", syntax.Le: "<=", syntax.Gt: ">", syntax.Ge: ">=",
	syntax.BitOr: "|", syntax.BitXor: "^", syntax.BitAnd: "&", syntax.Shl: "<<", syntax.Shr: ">>", syntax.Add: "+", syntax.Sub: "-",
	syntax.Mul: "*", syntax.Div: "/", syntax.Rem: "%", syntax.Pow: "**",
}

// flatRow is a row of operands with operators between them, as it is written.
type flatRow struct {
	vals []value
	text []string
	ops  []syntax.BinaryOp // ops[i] stands between vals[i] and vals[i+1]
}

// eval works the row out; false if it would panic or has no type.
func (r *flatRow) eval() (value, bool) { return r.level(0, len(r.vals), 0) }

// level evaluates operands from..to, between which stand only operators of level or tighter.
func (r *flatRow) level(from, to, level int) (value, bool) {
	if level == len(looseness) {
		if to-from != 1 {
			return value{}, false
		}
		return r.vals[from], true
	}
	acc, have := value{}, false
	pending := syntax.NoOp
	start := from
	for i := from; i < to; i++ {
		last := i == to-1
		if !last && !contains(looseness[level], r.ops[i]) {
			continue
		}
		// Short circuit: what the right operand would do does not matter if it does not run.
		v, ok := r.level(start, i+1, level+1)
		if have && (pending == syntax.And && acc.bits == 0 || pending == syntax.Or && acc.bits == 1) {
			v, ok = acc, true
		}
		if !ok {
			return value{}, false
		}
		if have {
			if pending.IsCompare() && level == 2 && i != from && acc.kind != v.kind {
				return value{}, false
			}
			if v, ok = evalBinary(pending, acc, v); !ok {
				return value{}, false
			}
		}
		acc, have, start = v, true, i+1
		if !last {
			pending = r.ops[i]
		}
	}
	return acc, have
}

func contains(ops []syntax.BinaryOp, op syntax.BinaryOp) bool {
	for _, o := range ops {
		if o == op {
			return true
		}
	}
	return false
}

func (r *flatRow) write(buf []byte, comment string) []byte {
	for i, t := range r.text {
		if i > 0 {
			buf = append(buf, ' ')
			buf = append(buf, opText[r.ops[i-1]]...)
			buf = append(buf, ' ')
			if i == 1 {
				buf = append(buf, comment...)
			}
		}
		buf = append(buf, t...)
	}
	return buf
}

var (
	intRowOps  = [...]syntax.BinaryOp{syntax.Add, syntax.Sub, syntax.Mul, syntax.Div, syntax.Rem, syntax.BitAnd, syntax.BitOr, syntax.BitXor, syntax.Shl, syntax.Shr}
	boolRowOps = [...]syntax.BinaryOp{syntax.And, syntax.Or, syntax.BitAnd, syntax.BitOr, syntax.BitXor, syntax.Eq, syntax.Ne}
)

// knownValue makes an assertion of one of several sorts.
func (g *gen) knownValue(out *[]syntax.Stmt) {
	if !g.chance(g.sw.check * 9) {
		g.letStmt(out)
		return
	}
	g.knownOne(out)
}

// knownOne makes an assertion.
func (g *gen) knownOne(out *[]syntax.Stmt) {
	g.checks++
	switch g.n(8) {
	case 0, 1, 2:
		g.knownRow(out)
	case 3:
		g.knownComparison(out)
	case 4:
		g.knownString(out)
	case 5:
		g.knownFloat(out)
	case 6:
		g.knownPattern(out)
	case 7:
		g.knownShadow(out)
	}
}

// operandText draws an operand of integer kind k: a literal with prefix operators, `**` and `as`.
func (g *gen) operandText(k types.Kind) (string, value) {
	v, text := g.knownLiteral(k)
	if g.chance(40) {
		e := uint64(g.n(6))
		text += " ** " + spell(e, 10, 0) + types.Prim(k).Name
		v, _ = evalBinary(syntax.Pow, v, value{k, e})
		if g.chance(120) { // right-associative: a ** b ** c is a ** (b ** c)
			f := uint64(g.n(4))
			base, baseText := g.knownLiteral(k)
			text = baseText + " ** " + spell(e, 10, 0) + types.Prim(k).Name + " ** " + spell(f, 10, 0) + types.Prim(k).Name
			exp, _ := evalBinary(syntax.Pow, value{k, e}, value{k, f})
			v = value{}
			if p, ok := evalBinary(syntax.Pow, base, exp); ok {
				v = p
			} else {
				return g.operandText(k)
			}
		}
	}
	for g.chance(50) {
		if k.IsSigned() && g.chance(128) {
			text, v = "-"+text, evalUnary(syntax.Neg, v)
		} else {
			text, v = "!"+text, evalUnary(syntax.Not, v)
		}
	}
	if g.chance(40) {
		from := intKinds[g.n(len(intKinds))]
		w, fromText := g.knownLiteral(from)
		if from.IsSigned() && g.chance(128) {
			w, fromText = evalUnary(syntax.Neg, w), "-"+fromText
		}
		text, v = fromText+" as "+types.Prim(k).Name, evalCast(w, k)
	}
	return text, v
}

// knownLiteral draws a literal with its suffix.
func (g *gen) knownLiteral(k types.Kind) (value, string) {
	_, hi := k.MinMax()
	w := uint64(g.n(20))
	if g.chance(60) {
		w = g.intValue(k) & hi
	}
	base := 10
	if g.chance(90) {
		base = [...]int{16, 2, 8}[g.n(3)]
	}
	return value{k, w}, spell(w, base, int(g.src.Byte())&^32) + types.Prim(k).Name
}

// intRow draws a row of integers that does not panic.
func (g *gen) intRow(k types.Kind, n int) (flatRow, value) {
	for {
		var r flatRow
		for i := range n {
			text, v := g.operandText(k)
			r.text, r.vals = append(r.text, text), append(r.vals, v)
			if i > 0 {
				r.ops = append(r.ops, intRowOps[g.n(len(intRowOps))])
			}
		}
		if v, ok := r.eval(); ok {
			return r, v
		}
		if n--; n == 0 {
			n = 1
		}
	}
}

// known writes a value as a literal that stands by itself.
func (g *gen) knownText(v value) string {
	switch {
	case v.kind == types.Bool && v.bits == 1:
		return "true"
	case v.kind == types.Bool:
		return "false"
	case v.kind.IsSigned() && int64(v.bits) < 0:
		return "-" + strconv.FormatUint(-v.bits, 10) + types.Prim(v.kind).Name
	}
	return strconv.FormatUint(v.bits, 10) + types.Prim(v.kind).Name
}

func (g *gen) comment() string {
	if !g.chance(g.sw.comment) {
		return ""
	}
	return [...]string{"/* a */ ", "/* /* nested */ ** */ ", "/**/ ", "/* \" */ "}[g.n(4)]
}

// assertRaw makes `assert(text);`.
func (g *gen) assertRaw(text string) syntax.Stmt {
	return g.stmt(g.assert(g.raw(text)))
}

// knownRow asserts what a row of integer operators gives, or binds it first.
func (g *gen) knownRow(out *[]syntax.Stmt) {
	k := g.intKind()
	r, v := g.intRow(k, 2+g.n(6))
	text := string(r.write(nil, g.comment()))
	g.nodes += 2 * len(r.vals)
	if g.chance(40) { // worked out by the checker, for everyone
		kept := g.keep(variable{name: g.fresh("K"), ty: types.Prim(k), known: true, val: v})
		g.addStatic(kept, g.raw(text))
		*out = append(*out, g.assertRaw(kept.name+" == "+g.knownText(v)))
		return
	}
	if g.chance(60) {
		name := g.fresh("k")
		kept := g.keep(variable{name: name, ty: types.Prim(k), known: true, val: v, dirty: true})
		g.addLocal(out, kept, g.raw(text), nil)
		*out = append(*out, g.assertRaw(name+" == "+g.knownText(v)))
		return
	}
	*out = append(*out, g.assertRaw(text+" == "+g.knownText(v)))
}

// knownComparison asserts a row of comparisons under `&&`, `||`, `|`, `^` and `&`.
func (g *gen) knownComparison(out *[]syntax.Stmt) {
	var all flatRow
	n := 2 + g.n(3)
	for i := range n {
		k := g.intKind()
		left, a := g.intRow(k, 1+g.n(3))
		right, b := g.intRow(k, 1+g.n(3))
		op := comparisons[g.n(len(comparisons))]
		if i > 0 {
			all.ops = append(all.ops, [...]syntax.BinaryOp{syntax.And, syntax.Or}[g.n(2)])
		}
		text := string(left.write(nil, "")) + " " + opText[op] + " " + string(right.write(nil, g.comment()))
		all.text = append(all.text, text)
		all.vals = append(all.vals, evalCompare(op, a, b))
		g.nodes += 2 * (len(left.vals) + len(right.vals))
	}
	v, _ := all.eval()
	text := string(all.write(nil, ""))
	if v.bits == 0 {
		// `== false` would bind tighter than && and ||, so the assertion goes by a variable.
		name := g.fresh("k")
		kept := g.keep(variable{name: name, ty: types.Prim(types.Bool), known: true, val: v})
		g.addLocal(out, kept, g.raw(text), nil)
		*out = append(*out, g.assertRaw("!"+name))
		return
	}
	*out = append(*out, g.assertRaw(text))
	if g.chance(80) {
		g.knownBools(out)
	}
}

// knownBools asserts a row of bools.
func (g *gen) knownBools(out *[]syntax.Stmt) {
	var r flatRow
	compared := false
	for i := range 3 + g.n(5) {
		v := boolOf(g.chance(128))
		text := g.knownText(v)
		if g.chance(60) {
			text, v = "!"+text, evalUnary(syntax.Not, v)
		}
		r.text, r.vals = append(r.text, text), append(r.vals, v)
		if i > 0 {
			op := boolRowOps[g.n(len(boolRowOps))]
			if op == syntax.And || op == syntax.Or {
				compared = false
			}
			if op.IsCompare() {
				if compared { // comparisons do not chain
					op = syntax.BitXor
				}
				compared = true
			}
			r.ops = append(r.ops, op)
		}
	}
	v, ok := r.eval()
	if !ok {
		return
	}
	name := g.fresh("k")
	g.nodes += 2 * len(r.vals)
	g.addLocal(out, g.keep(variable{name: name, ty: types.Prim(types.Bool), known: true, val: v}), g.raw(string(r.write(nil, ""))), nil)
	*out = append(*out, g.assertRaw(name+" == "+g.knownText(v)))
}

// knownString asserts that two spellings of some bytes are one string, and how long it is.
func (g *gen) knownString(out *[]syntax.Stmt) {
	var plain, other []byte
	n := 0
	for range 1 + g.n(8) {
		i := g.n(len(escapePairs))
		p := escapePairs[i]
		plain, other = append(plain, p.a...), append(other, p.b...)
		n += p.n
	}
	text := "\"" + string(plain) + "\" == \"" + string(other) + "\""
	g.nodes += 8
	*out = append(*out, g.assertRaw(text), g.assertRaw("len(\""+string(other)+"\") == "+strconv.Itoa(n)))
}

// escapePairs are two spellings each of the same n bytes.
var escapePairs = [...]struct {
	a, b string
	n    int
}{
	{`A`, `\x41`, 1}, {`\n`, `\x0a`, 1}, {`\n`, `\u{A}`, 1}, {`\t`, `\x09`, 1}, {`\r`, `\u{000d}`, 1}, {`\0`, `\x00`, 1}, {`\\`, `\x5C`, 1},
	{`\"`, `\x22`, 1}, {`é`, `\u{e9}`, 2}, {`é`, `\xc3\xA9`, 2}, {`日`, `\u{65e5}`, 3}, {`😀`, `\u{1F600}`, 4}, {`\xff`, `\xFF`, 1}, {`//`, `\x2f/`, 2}, {`/*`, `/\u{2a}`, 2},
	{`0`, `\u{30}`, 1}, {`'`, `\x27`, 1}, {`\x7f`, `\u{7f}`, 1}, {`\xc2\x80`, `\u{80}`, 2},
}

// knownFloatText writes a finite float as a literal that stands by itself.
func knownFloatText(v value) string {
	text := floatText(math.Abs(v.float()), v.kind, false) + types.Prim(v.kind).Name
	if v.float() < 0 {
		return "-" + text
	}
	return text
}

// knownFloat asserts that a literal is rounded once, to its own type.
func (g *gen) knownFloat(out *[]syntax.Stmt) {
	g.nodes += 4
	if g.chance(80) {
		from := [...]types.Kind{types.U64, types.I64}[g.n(2)]
		to := [...]types.Kind{types.F32, types.F64}[g.n(2)]
		v := value{from, g.nearTie(from)}
		*out = append(*out, g.assertRaw(g.knownText(v)+" as "+types.Prim(to).Name+" == "+knownFloatText(evalCast(v, to))))
		return
	}
	if g.chance(100) {
		a, b := float64(g.n(64)), float64(1+g.n(64))
		ops := [...]syntax.BinaryOp{syntax.Add, syntax.Sub, syntax.Mul, syntax.Div}
		op := ops[g.n(4)]
		k := [...]types.Kind{types.F64, types.F32}[g.n(2)]
		v, _ := evalBinary(op, floatOf(k, a/8), floatOf(k, b/8))
		text := knownFloatText(floatOf(k, a/8)) + " " + opText[op] + " " + knownFloatText(floatOf(k, b/8)) + " == "
		*out = append(*out, g.assertRaw(text+knownFloatText(v)))
		return
	}
	// A decimal just above the middle of two neighbours of f32: rounding to f64 first loses what is above, and the tie
	// then goes to the even one.
	low := math.Float32frombits(0x3f800000 + uint32(g.word()>>48)&^1)
	high := math.Nextafter32(low, 2)
	middle := (float64(low) + float64(high)) / 2
	text := strconv.FormatFloat(middle, 'f', 30, 64) + "00000000001f32"
	*out = append(*out, g.assertRaw(text+" == "+floatText(float64(high), types.F32, false)+"f32"))
	*out = append(*out, g.assertRaw(strconv.FormatFloat(middle, 'f', 30, 64)+"f32 == "+floatText(float64(low), types.F32, false)+"f32"))
}

// knownPattern asserts which arm a literal takes.
func (g *gen) knownPattern(out *[]syntax.Stmt) {
	k := g.intKind()
	w := g.intValue(k)
	lo, hi := k.MinMax()
	below, above := "", ""
	if w != lo {
		below = g.bareText(k, lo) + ".." + g.bareText(k, w) + " => 1, "
	}
	if w != hi {
		above = g.bareText(k, w+1) + "..=" + g.bareText(k, hi) + " => 2, "
	}
	text := "match " + g.knownText(value{k, w}) + " { " + below + above + g.bareText(k, w) + " => 3 }"
	name := g.fresh("k")
	g.nodes += 8
	g.addLocal(out, g.keep(variable{name: name, ty: types.Prim(types.I64), known: true, val: value{types.I64, 3}}), g.raw(text), nil)
	*out = append(*out, g.assertRaw(name+" == 3"))
}

// bareText writes a value without a suffix.
func (g *gen) bareText(k types.Kind, w uint64) string {
	if k.IsSigned() {
		return strconv.FormatInt(int64(w), 10)
	}
	return strconv.FormatUint(w, 10)
}

// knownShadow asserts which of several variables of one name is meant.
func (g *gen) knownShadow(out *[]syntax.Stmt) {
	k := g.intKind()
	a, b, c := g.intValue(k), g.intValue(k), g.intValue(k)
	name := g.fresh("k")
	is := func(w uint64) syntax.Stmt {
		return g.assertRaw(name + " == " + g.bareText(k, w))
	}
	lit := func(w uint64) syntax.Expr { return g.intLit(k, w, false) }
	inner := g.block(nil, g.let(name, false, nil, lit(b)), is(b), g.let(name, false, nil, lit(c)), is(c))
	g.fn.lines += 6
	if g.chance(100) {
		loop := &syntax.For{Pat: g.bind(name, false), Iter: g.rangeOf(lit(5), lit(6), false), Body: g.block(nil, is(5))}
		inner.Stmts = append(inner.Stmts, g.blockStmt(loop))
	}
	*out = append(*out, g.blockStmt(g.block(nil, g.let(name, false, nil, lit(a)), is(a), g.blockStmt(inner), is(a))))
}
