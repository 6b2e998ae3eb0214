package feature

import (
	"os"
	"sort"
	"strings"
	"testing"

	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/oracle/interp"
	"rokrig/oracle/outcome"
)

// counts runs a program and returns how often each feature was executed, by name.
func counts(t *testing.T, text string) map[string]uint64 {
	t.Helper()
	file := source.NewFile("feature.rok", text)
	diags := &source.Diagnostics{File: file}
	p := types.Check(syntax.Parse(file, diags, syntax.Options{}), diags, types.Options{})
	if p == nil {
		t.Fatal(diags)
	}
	x := NewIndex(p)
	m := interp.New(p, interp.Options{Observe: func(region int, n interp.Node) { x.Observe(region, n.ID()) }})
	if o := m.Run(); o.Kind != outcome.Value {
		t.Fatalf("%s %s", o.Kind, o.Line)
	}
	sums := make([]uint64, Count())
	x.Count(m.Regions(), sums)
	out := map[string]uint64{}
	for id, n := range sums {
		if n > 0 {
			out[ID(id).String()] = n
		}
	}
	return out
}

func TestFeaturesOfPrograms(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       map[string]uint64 // these, with these counts
		not        string            // and none whose name starts so
	}{
		{"loop", "fn main() { let mut s = 0u8; for i in 0u8..3 { s += i; } print s; }",
			map[string]uint64{"for/exclusive/narrow-unsigned": 1, "assign/+=/int": 3, "range/exclusive": 1, "print/narrow-unsigned": 1, "literal/suffix": 2}, "binary/"},
		{"not executed", "fn main() { if false { print 1 + 2; } }", map[string]uint64{"if/without-else": 1, "literal/bool": 1}, "binary/"},
		{"right operand", "fn main() { let a = 1 == 2 && 3 < 4; }", map[string]uint64{"binary/==/i64": 1, "logic/&&": 1}, "binary/<"},
		{"break among operands", "fn main() { loop { print 1 + (if true { break } else { 2 }); } }",
			map[string]uint64{"break/among-operands": 1, "if/among-operands": 1}, "break/outer"},
		{"outer loop", "fn main() { 'a: loop { while true { break 'a; } } }", map[string]uint64{"break/outer-loop": 1}, "break/among"},
		{"recursion", "fn f(n: i64) -> i64 { if n == 0 { return 0; } f(n - 1) + 1 } fn main() { print f(3); }",
			map[string]uint64{"call/recursive": 3, "call/1-to-6-arguments": 4, "return/value": 1}, "call/13"},
		{"stack arguments", "fn f(a: i64, b: str, c: (i64, f64, i64), d: i64, e: i64) {} fn main() { f(1, \"\", (1, 2.0, 3), 4, 5); }",
			map[string]uint64{"call/integer-words-on-the-stack": 1, "call/odd-number-of-stack-words": 1, "call/mixed-integers-and-floats": 1, "call/str-argument": 1, "result/unit": 1}, "call/floats"},
		{"temporaries", "fn f() -> i64 { 1 } fn main() { print 2 + f(), f(); }",
			map[string]uint64{"call/under-odd-number-of-temporaries": 2}, "call/under-even"},
		{"spelling", "fn main() { print 0x1F, 0b1, 0o7, 1_0, 1e2, \"\\xff\"; }",
			map[string]uint64{"literal/base-16": 1, "literal/base-2": 1, "literal/base-8": 1, "literal/underscore": 1, "literal/exponent": 1, "literal/escape": 1, "literal/str-not-utf8": 1}, "literal/suffix"},
		{"patterns", "fn main() { match (1, (2u64, 3)) { (0, _) => {} (x, (5u64, y)) | (x, (_, y)) if x > 0 => print_(x + y), _ => {} } } fn print_(x: i64) { let x = x; }",
			map[string]uint64{"match/on/tuple": 1, "match/unit": 1, "match/guard": 1, "pattern/binding-shadows": 1}, "pattern/range"},
		{"globals", "static S: i32 = 1; let mut g = (1, (2, 3)); g.1.0 = 5; S = S << 2; print S, g.1.1;",
			map[string]uint64{"assign/=/part-of-part": 1, "assign/=/global": 1, "binary/<</narrow-signed": 1, "shift-count/i64": 1, "read/static/narrow-signed": 2, "tuple-field/of-field": 1}, "read/local"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := counts(t, tt.text)
			for name, n := range tt.want {
				if got[name] != n {
					t.Errorf("%s executed %d times, want %d; all: %v", name, got[name], n, got)
				}
			}
			for name := range got {
				if strings.HasPrefix(name, tt.not) {
					t.Errorf("%s is executed", name)
				}
			}
		})
	}
}

func TestPanics(t *testing.T) {
	for message, want := range map[string]string{
		"division by zero": "panic/division-by-zero", "index out of bounds: the length is 1 but the index is 2": "panic/index-out-of-bounds",
		"integer overflow": "panic/integer-overflow", "my own": "panic/of-the-program",
	} {
		if got := OfPanic(message).String(); got != want {
			t.Errorf("%q is %s", message, got)
		}
	}
}

// TestNamesAreStable compares the names with the list that reports of earlier versions used. A new feature is added to
// the list; one that changes its name breaks the comparison of reports.
func TestNamesAreStable(t *testing.T) {
	list, err := os.ReadFile("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields(string(list))
	var now []string
	for id := range Count() {
		now = append(now, ID(id).String())
		if back, ok := ByName(ID(id).String()); !ok || back != ID(id) {
			t.Errorf("%s is found as %d", ID(id), back)
		}
	}
	sort.Strings(now)
	if got, want := strings.Join(now, "\n"), strings.Join(known, "\n"); got != want {
		t.Errorf("the names are now:\n%s", got)
	}
}
