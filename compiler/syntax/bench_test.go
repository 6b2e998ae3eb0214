package syntax

import (
	"strings"
	"testing"

	"rokrig/compiler/source"
)

// benchProgram is a program of the size and the look of a generated one.
const benchProgram = `
static LIMIT: i64 = 1_000;

struct Point<T> { x: T, y: T, name: str }

enum Shape { Circle(f64), Square(f64, f64), Empty }

fn area(s: Shape) -> f64 {
    match s {
        Shape::Circle(r) => 3.14159 * r * r,
        Shape::Square(a, b) if a > 0.0 => a * b,
        _ => 0.0,
    }
}

fn collatz(mut n: u64, limit: i64) -> i64 {
    let mut steps = 0;
    while n != 1 && steps < limit {
        n = if n % 2 == 0 { n / 2 } else { n * 3 + 1 }; // the step
        steps += 1;
    }
    steps
}

fn checksum(values: [i64], salt: u8) throws (Overflow) -> i64 {
    let mut sum: i64 = 0x1F;
    'outer: for i in 0..len(values) {
        for j in 0..=i {
            if values[j] > 1 << (salt as i64 & 63) { continue 'outer; }
            sum = sum * 31 + values[j] ** 2 - -j;
        }
    }
    let parts = (sum, salt, "done\n");
    parts.0 ^ try scale(sum, 10) catch e: Overflow { 0 } finally { print "scaled", sum; }
}

let p = Point { x: 1.5, y: 2.5e3, name: "origin" };
*p.x = area(Shape::Circle(p.y));
let v = loop { if collatz(27, LIMIT) > 100 { break collatz(27, LIMIT); } };
print v, p.x, checksum([1, 2, 3, 4], 7u8);
assert(v == 111 || v < 0);
`

func BenchmarkLex(b *testing.B) {
	b.SetBytes(int64(len(benchProgram)))
	b.ReportAllocs()
	diags := &source.Diagnostics{}
	for b.Loop() {
		l := lexer{text: benchProgram, diags: diags}
		for l.scan().kind != tEOF {
		}
	}
}

func BenchmarkParse(b *testing.B) {
	b.SetBytes(int64(len(benchProgram)))
	b.ReportAllocs()
	f := source.NewFile("bench.rok", benchProgram)
	for b.Loop() {
		diags := source.Diagnostics{File: f}
		Parse(f, &diags, Options{})
		if diags.HasErrors() {
			b.Fatal(diags.String())
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	tree := parse(b, benchProgram)
	b.SetBytes(int64(len(PrintFile(tree))))
	b.ReportAllocs()
	for b.Loop() {
		PrintFile(tree)
	}
}

// BenchmarkParseLong parses 4 MB, where costs that grow with the file would show.
func BenchmarkParseLong(b *testing.B) {
	text := strings.Repeat(strings.ReplaceAll(benchProgram, "\n", " "), 4<<20/len(benchProgram))
	text = strings.ReplaceAll(text, "// the step", "")
	f := source.NewFile("bench.rok", text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		diags := source.Diagnostics{File: f}
		Parse(f, &diags, Options{})
		if diags.HasErrors() {
			b.Fatal(diags.String())
		}
	}
}
