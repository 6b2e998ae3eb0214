package compiler_test

import (
	"testing"

	"rokrig/compiler"
	"rokrig/compiler/source"
)

const sample = `
static LIMIT: i64 = 10;
let mut total = 0;
fn add(a: i64, b: i64) -> i64 { a + b }
fn pair(x: i64) -> (i64, str) { (x, "x") }
let mut i = 0;
while i < LIMIT { total = add(total, i); i += 1; }
for k in 0..3 { print k, pair(k).1; }
print total, 1.5, true;
print 1 + 2 * 3;
let r = loop { if i > 20 { break i * 2; } i += 3; };
print r, match r { 0 => "zero", 42..=50 => "big", _ => "other" };
`

func TestPipeline(t *testing.T) {
	r, err := compiler.Compile(source.NewFile("sample.rok", sample), compiler.Options{Verify: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, r.Diagnostics)
	}
	t.Logf("%s", r.Text)
}
