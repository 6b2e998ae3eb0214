package gen

import (
	"strings"

	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// Reject is a program broken on purpose in one place. A right checker reports an error at Line that holds Message.
type Reject struct {
	Text    string
	Bytes   []byte
	Rule    string // what is broken, one of RejectRules
	Line    int    // from 1
	Message string // part of the message
}

// marker stands in a comment on the line where the error is to be reported.
const marker = "/*!*/"

// rejectRule is a way to break a program: statements of which one is wrong, marked by the marker. `@` in the text and
// in the message is replaced by a name that nothing else has.
type rejectRule struct {
	name    string
	text    string // statements, one a line
	message string
}

var rejectRules = [...]rejectRule{
	{"type/let", "let @: i32 = true; /*!*/", "expected `i32`, found `bool`"},
	{"type/let-literal", "let @: bool = 1; /*!*/", "expected `bool`"},
	{"type/let-tuple", "let @: (i32, bool) = (1i32, 2i32); /*!*/", "expected `(i32, bool)`"},
	{"type/int-as-float", "let @: f64 = 1; /*!*/", "expected `f64`"},
	{"type/float-as-int", "let @: i64 = 1.5; /*!*/", "expected `i64`"},
	{"type/widening", "let @: i64 = 1i32; /*!*/", "expected `i64`, found `i32`"},
	{"type/operands", "let @ = 1u8 + 1i8; /*!*/", "operands of one type"},
	{"type/compare-operands", "let @ = 1u8 < 1u16; /*!*/", "operands of one type"},
	{"type/condition", "if 1 { /*!*/ }", "expected `bool`"},
	{"type/while-condition", "while 1u8 { /*!*/ }", "expected `bool`, found `u8`"},
	{"type/and", "let @ = true && 1; /*!*/", "expected `bool`"},
	{"type/not-on-float", "let @ = !1.0; /*!*/", "not for type"},
	{"type/neg-on-bool", "let @ = -true; /*!*/", "not for type `bool`"},
	{"type/neg-on-unsigned", "let @ = 1u8;\nlet @_ = -@; /*!*/", "not for type `u8`"},
	{"type/neg-unsigned-literal", "let @: u16 = -1; /*!*/", "u16"},
	{"type/bits-on-float", "let @ = 1.0 & 2.0; /*!*/", "not for type"},
	{"type/pow-on-float", "let @ = 2.0 ** 2.0; /*!*/", "not for type"},
	{"type/shift-by-float", "let @ = 2 << 1.0; /*!*/", "shift count"},
	{"type/arith-on-bool", "let @ = true + false; /*!*/", "not for type `bool`"},
	{"type/arith-on-str", "let @ = \"a\" - \"b\"; /*!*/", "not for type `str`"},
	{"type/branches", "let @ = if true { 1i32 } else { 1u32 }; /*!*/", "different types"},
	{"type/arms", "let @ = match 1 { 1 => true, _ => 2 }; /*!*/", "arm"},
	{"type/breaks", "let @ = loop { if true { break 1i8; } break true; }; /*!*/", "break"},
	{"type/order-on-tuple", "let @ = (1, 2) < (1, 3); /*!*/", "not for type"},
	{"type/order-on-unit", "let @ = () < (); /*!*/", "not for type"},
	{"type/eq-on-range", "let @ = (1..2) == (1..2); /*!*/", "not for type"},
	{"type/cast-from-str", "let @ = \"1\" as i64; /*!*/", "does not convert"},
	{"type/cast-to-bool", "let @ = 1 as bool; /*!*/", "`as`"},
	{"type/cast-of-tuple", "let @ = (1, 2) as i64; /*!*/", "does not convert"},
	{"type/if-without-else", "let @: i64 = if true { 1 }; /*!*/", "`()`"},
	{"type/op-assign", "let mut @ = 1u8;\n@ += 1i8; /*!*/", "`u8`"},
	{"type/assign", "let mut @ = 1u8;\n@ = true; /*!*/", "expected `u8`, found `bool`"},
	{"type/str-index", "let @ = \"abc\"[1u8]; /*!*/", "expected `i64`"},
	{"type/index-of-int", "let @ = 5;\nlet @_ = @[0]; /*!*/", "cannot be indexed"},
	{"type/len-of-int", "let @ = len(5); /*!*/", "has no length"},
	{"type/assert", "assert(1); /*!*/", "expected `bool`"},
	{"type/panic", "panic(1); /*!*/", "expected `str`"},
	{"type/for-over-int", "for @ in 5 { /*!*/ }", "does not go over"},
	{"type/range-ends", "for @ in 1u8..2i8 { /*!*/ }", "range"},
	{"type/range-of-floats", "let @ = 1.0..2.0; /*!*/", "ranges are of integers"},
	{"type/call-of-int", "let @ = 5;\n@(1); /*!*/", "cannot be called"},
	{"type/print-range", "print 1..2; /*!*/", "cannot be printed"},
	{"type/field-of-int", "let @ = 5;\nlet @_ = @.0; /*!*/", "has no parts"},
	{"type/tuple-index", "let @ = (1, 2);\nlet @_ = @.2; /*!*/", "no part 2"},
	{"literal/u8", "let @ = 256u8; /*!*/", "out of range for `u8`"},
	{"literal/i8", "let @: i8 = 128; /*!*/", "out of range for `i8`"},
	{"literal/i8-negative", "let @: i8 = -129; /*!*/", "out of range for `i8`"},
	{"literal/i8-not-under-minus", "let @ = !128i8; /*!*/", "out of range for `i8`"},
	{"literal/i16-hex", "let @: i16 = 0xFFFF; /*!*/", "out of range for `i16`"},
	{"literal/u32", "let @ = 1u32 + 4294967296; /*!*/", "out of range for `u32`"},
	{"literal/i64", "let @ = 9223372036854775808; /*!*/", "out of range for `i64`"},
	{"literal/u64", "let @ = 18446744073709551616u64; /*!*/", "64 bits"},
	{"literal/f32", "let @ = 1e39f32; /*!*/", "out of range for `f32`"},
	{"literal/binary-digit", "let @ = 0b102; /*!*/", "digit"},
	{"literal/suffix", "let @ = 1i9; /*!*/", "suffix"},
	{"literal/escape", "let @ = \"\\q\"; /*!*/", "escape"},
	{"name/undefined", "let @_ = @ + 1; /*!*/", "named `@`"},
	{"name/undefined-function", "@(1, 2); /*!*/", "named `@`"},
	{"name/out-of-scope", "{ let @ = 1; }\nprint @; /*!*/", "named `@`"},
	{"name/own-initialiser", "let @ = @; /*!*/", "`@`"},
	{"name/label", "loop { break '@; /*!*/ }", "label `@`"},
	{"name/type", "let @_: @ = 1; /*!*/", "named `@`"},
	{"name/keyword", "let struct = 1; /*!*/", "struct"},
	{"mut/assign", "let @ = 1;\n@ = 2; /*!*/", "not `mut`"},
	{"mut/op-assign", "let @ = 1;\n@ += 2; /*!*/", "not `mut`"},
	{"mut/part", "let @ = (1, 2);\n@.0 = 2; /*!*/", "not `mut`"},
	{"mut/loop-variable", "for @ in 0..2 {\n@ = 1; /*!*/\n}", "not `mut`"},
	{"mut/pattern", "match 1 {\n@ => @ = 2, /*!*/\n}", "not `mut`"},
	{"mut/str", "let mut @ = \"abc\";\n@[0] = 65u8; /*!*/", "`str` cannot be changed"},
	{"place/literal", "1 = 2; /*!*/", "assign"},
	{"place/temporary", "(1, 2).0 = 3; /*!*/", "assign"},
	{"place/chain", "let mut @ = 1;\nlet mut @_ = 1;\n@ = @_ = 2; /*!*/", "assign"},
	{"case/int", "match 5 { 1 => {} 2..=9 => {} } /*!*/", "misses a case"},
	{"case/bool", "match true { true => {} } /*!*/", "misses a case: `false`"},
	{"case/tuple", "match (true, 1) { (true, _) => {} (false, 0) => {} } /*!*/", "misses a case"},
	{"case/gap", "match 1u8 { 0..=99 => {} 101..=255 => {} } /*!*/", "misses a case: `100"},
	{"case/end", "match 1i8 { -128..127 => {} } /*!*/", "misses a case: `127"},
	{"case/guard", "match true { true => {} false if true => {} } /*!*/", "misses a case: `false`"},
	{"case/str", "match \"a\" { \"a\" => {} } /*!*/", "misses a case"},
	{"case/float", "match 1.0 { 1.0 => {} } /*!*/", "misses a case"},
	{"pattern/refutable-let", "let (@, 1) = (1, 2); /*!*/", "has to match every value"},
	{"pattern/refutable-for", "for 1 in 0..3 { /*!*/ }", "has to match every value"},
	{"pattern/type", "match 1 { true => {} _ => {} } /*!*/", "pattern of type `i64`"},
	{"pattern/tuple-size", "let (@, @_) = (1, 2, 3); /*!*/", "tuple pattern"},
	{"pattern/twice", "let (@, @) = (1, 2); /*!*/", "bound twice"},
	{"pattern/alternatives", "match (1, 2) { (@, 1) | (1, _) => {} _ => {} } /*!*/", "alternative"},
	{"pattern/empty-range", "match 1 { 5..=4 => {} _ => {} } /*!*/", "greater than its end"},
	{"pattern/range-of-str", "match \"a\" { 1..=2 => {} _ => {} } /*!*/", "range pattern"},
	{"pattern/literal-range", "match 1u8 { 256 => {} _ => {} } /*!*/", "out of range for `u8`"},
	{"loop/value-in-while", "while true { break 1; /*!*/ }", "left with a value"},
	{"loop/value-in-for", "for @ in 0..1 { break @; /*!*/ }", "left with a value"},
	{"loop/condition", "while { break; true } { /*!*/ }", "needs a label"},
	{"call/too-few", "let @ = len(); /*!*/", "`len` takes"},
	{"call/too-many", "let @ = len(\"a\", 1); /*!*/", "`len` takes"},
	{"syntax/compare-chain", "let @ = 1 < 2 < 3; /*!*/", "chain"},
	{"syntax/let-without-value", "let @: i64; /*!*/", "initialiser"},
	{"syntax/operand", "let @ = 1 + ; /*!*/", "expected"},
	{"syntax/parenthesis", "let @ = (1 + 2; /*!*/", "expected"},
	{"syntax/arrow", "match 1 { 1 = 2, _ => 3 }; /*!*/", "=>"},
	{"syntax/slice-open", "let @ = \"abc\"[1..]; /*!*/", "end"},
}

// rejectDecls break the top level.
var rejectDecls = [...]rejectRule{
	{"item/result", "fn @() -> i64 { /*!*/ }", "without a value"},
	{"item/result-type", "fn @() -> i64 { true } /*!*/", "expected `i64`, found `bool`"},
	{"item/return-type", "fn @() -> i64 { return true; } /*!*/", "expected `i64`, found `bool`"},
	{"item/return-nothing", "fn @() -> i64 { return; } /*!*/", "needs a value"},
	{"item/return-value", "fn @() { return 1; } /*!*/", "expected `()`"},
	{"item/break", "fn @() { break; } /*!*/", "outside of a loop"},
	{"item/continue", "fn @() { continue; } /*!*/", "outside of a loop"},
	{"item/same-parameter", "fn @(a: i64, a: i64) {} /*!*/", "parameters are named `a`"},
	{"item/twice", "fn @() {}\nfn @() {} /*!*/", "declared twice"},
	{"item/parameter-mut", "fn @(a: i64) { a = 1; } /*!*/", "not `mut`"},
	{"item/static-call", "static @: i64 = len(\"a\"); /*!*/", "initialiser"},
	{"item/static-type", "static @: i64 = true; /*!*/", "expected `i64`, found `bool`"},
	{"item/static-panic", "static @: i64 = 1 / 0; /*!*/", "division by zero"},
	{"item/static-overflow", "static @: i8 = -128 / -1; /*!*/", "overflow"},
	{"item/static-exponent", "static @: i8 = 2 ** -1; /*!*/", "exponent"},
	{"item/argument-count", "fn @(a: i64) {}\nfn @_() { @(); } /*!*/", "takes 1 argument"},
	{"item/argument-type", "fn @(a: i64) {}\nfn @_() { @(true); } /*!*/", "expected `i64`, found `bool`"},
	{"item/print-function", "fn @() { print @; } /*!*/", "cannot be printed"},
	{"item/compare-functions", "fn @() { assert(@ == @); } /*!*/", "not for type"},
	{"item/assign-function", "fn @() { @ = @; } /*!*/", "function"},
	{"item/function-type", "fn @(a: i64) {}\nfn @_() { let f: fn(i32) = @; } /*!*/", "expected `fn(i32)`"},
	{"item/missing-body", "fn @()\nfn @_() {} /*!*/", "expected"},
}

// RejectRules lists the names of the rules, in the order of their tables.
func RejectRules() []string {
	var out []string
	for _, r := range rejectRules {
		out = append(out, r.name)
	}
	for _, r := range rejectDecls {
		out = append(out, r.name)
	}
	for _, r := range insideRules {
		out = append(out, r.name)
	}
	return append(out, "inside/argument", "inside/let")
}

// insideRules make one wrong statement out of what is at hand where it is to stand. They return "" where nothing fits.
var insideRules = [...]struct {
	name    string
	make    func(g *gen) (text, about string)
	message string // `@` is what the text is about
}{
	{"inside/not-mut", (*gen).assignImmutable, "`@` is not `mut`"},
	{"inside/out-of-scope", (*gen).readOutOfScope, "named `@`"},
	{"inside/argument-count", (*gen).callWithTooMany, "`@` takes"},
	{"inside/call-type", (*gen).assignResult, "expected `@`"},
}

// assignImmutable stores to a variable that is not `mut`.
func (g *gen) assignImmutable() (text, about string) {
	for i := len(g.fn.vars) - 1; i >= 0; i-- {
		if v := g.fn.vars[i]; !v.mut && v.hidden == 0 && g.readable(v) {
			return v.name + " = " + v.name, v.name
		}
	}
	return "", ""
}

// readOutOfScope reads a variable whose block has ended.
func (g *gen) readOutOfScope() (text, about string) {
	_, isType := types.PrimitiveNames[g.gone]
	if g.gone == "" || isType || g.meaning(g.gone) != nil {
		return "", ""
	}
	return "print " + g.gone, g.gone
}

// callWithTooMany calls a function with one argument too many.
func (g *gen) callWithTooMany() (text, about string) {
	for _, f := range g.funcs {
		if f.hidden == 0 && len(f.params) == 0 {
			return f.name + "(1)", f.name
		}
	}
	return "", ""
}

// assignResult binds a function's result to a variable of another type.
func (g *gen) assignResult() (text, about string) {
	for _, f := range g.funcs {
		if f.hidden == 0 && len(f.params) == 0 && f.result.Kind != types.Str {
			return "let " + g.fresh("bad") + ": str = " + f.name + "()", "str"
		}
	}
	return "", ""
}

// rejection is what a program under generation is to have wrong, and where.
type rejection struct {
	rule  rejectRule
	decl  bool                              // at the top level rather than as statements
	after int                               // statements (or operands) still to go by before it comes
	make  func(g *gen) (text, about string) // of an inside rule; else nil
	value bool                              // an operand of the wrong type rather than statements
	let   bool                              // the operand is a let's initialiser rather than an argument
	name  string
	done  bool
}

// MustReject generates a program and breaks it in one place.
func MustReject(src Source, opt Options) *Reject {
	g := newGen(src, opt)
	r := &rejection{name: g.fresh("bad")}
	rules := len(rejectRules) + len(rejectDecls) + 32
	switch i := g.n(rules); {
	case i < len(rejectRules):
		r.rule = rejectRules[i]
	case i < len(rejectRules)+len(rejectDecls):
		r.rule, r.decl = rejectDecls[i-len(rejectRules)], true
	case i%8 < len(insideRules):
		inside := &insideRules[i%8]
		r.rule.name, r.rule.message, r.make = inside.name, inside.message, inside.make
	default:
		r.value, r.let = true, i%2 == 0
		r.rule.name = "inside/argument"
		if r.let {
			r.rule.name = "inside/let"
		}
	}
	r.after = g.heavy(0, 40)
	g.reject = r
	g.program()
	res := g.finish()
	text := res.Text
	before, _, found := strings.Cut(text, marker)
	if !found {
		// The place did not come, or the rule wants no place among statements; the top level has one always.
		if r.value || r.make != nil {
			r.rule = rejectDecls[0]
		}
		text += g.topLevel(r)
		before, _, _ = strings.Cut(text, marker)
	}
	return &Reject{Text: text, Bytes: res.Bytes, Rule: r.rule.name, Line: 1 + strings.Count(before, "\n"), Message: r.fill(r.rule.message)}
}

func (r *rejection) fill(s string) string { return strings.ReplaceAll(s, "@", r.name) }

// topLevel spells the rule's text as items, behind everything else.
func (g *gen) topLevel(r *rejection) string {
	text := r.fill(r.rule.text)
	for _, d := range rejectDecls {
		if d.name == r.rule.name {
			return text + "\n"
		}
	}
	return "fn " + g.fresh("bad") + "() {\n" + text + "\n}\n"
}

// statement puts the wrong statements here if it is time.
func (r *rejection) statement(g *gen, out *[]syntax.Stmt) bool {
	if r.done || r.decl || r.value {
		return false
	}
	if r.after--; r.after >= 0 {
		return false
	}
	text := r.fill(r.rule.text)
	if r.make != nil {
		made, about := r.make(g)
		if made == "" {
			return false // another statement will do
		}
		text = made + "; " + marker
		r.rule.message = strings.ReplaceAll(r.rule.message, "@", about)
	}
	r.done = true
	if head, ok := strings.CutSuffix(text, "; "+marker); ok { // the printer writes the semicolon
		text = head + " " + marker
	}
	*out = append(*out, g.stmt(g.raw(text)))
	return true
}

// wrongType reports whether the operand of type t that is about to be made is to have another type.
func (r *rejection) wrongType(let bool) bool {
	if r.done || !r.value || r.let != let {
		return false
	}
	if r.after--; r.after >= 0 {
		return false
	}
	r.done = true
	return true
}

// operand makes an operand that is not of type t.
func (r *rejection) operand(g *gen, t *types.Type) syntax.Expr {
	text := "(1u8, true, ()) /*!*/ "
	if t.Kind != types.Str {
		text = "\"wrong\" /*!*/ "
	}
	r.rule.message = "expected `" + t.String() + "`"
	return g.raw(text)
}
