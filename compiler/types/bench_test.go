package types

import (
	"strings"
	"testing"

	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
)

// benchProgram is the kind of program that a campaign checks by the thousand.
const benchProgram = `
let mut total = 0;
let table = ((1, 2u8), ("abc", 2.5));
fn mix(a: i64, b: u8, c: bool) -> i64 {
    let mut x = a * 31 + b as i64;
    for i in 0..10 {
        if c && i % 3 == 0 { x += i << 2; } else { x = x ^ (i - 1); }
    }
    match (x % 4, c) { (0, true) => x, (1..=2, _) => x + 1, (_, false) => -x, _ => 7 }
}
fn fold(n: i64, f: fn(i64, u8, bool) -> i64) -> i64 {
    let mut acc = 0;
    let mut i = 0;
    while i < n { acc = f(acc, (i * 7) as u8, i > 3) + acc; i += 1; }
    'outer: loop {
        loop { if acc > 100 { break 'outer acc } acc = acc * 2 + 1; }
    }
}
total += fold(10, mix);
print total, table.0.1, len(table.1.0), table.1.1 * 2.0;
assert(total != 0);
`

func BenchmarkCheck(b *testing.B) {
	for name, text := range map[string]string{"small": benchProgram, "large": large(200)} {
		f := source.NewFile("bench.rok", text)
		diags := &source.Diagnostics{File: f}
		tree := syntax.Parse(f, diags, syntax.Options{})
		if Check(tree, diags, Options{}) == nil {
			b.Fatal(diags)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Check(tree, &source.Diagnostics{File: f}, Options{})
			}
		})
	}
}

// large repeats the functions of the program under fresh names.
func large(n int) string {
	var b strings.Builder
	for i := range n {
		name := "f" + strings.Repeat("x", i)
		b.WriteString("fn " + name + "(a: i64) -> i64 { let b = a + 1; match b { 0 => 1, 1..=9 => { a * b }, x if x > 5 => -x, _ => 0 } }\n")
	}
	return b.String()
}
