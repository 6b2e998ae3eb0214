package interp

import (
	"os"
	"testing"

	"rokrig/oracle/outcome"
)

// BenchmarkInterp measures what a campaign pays: making the closures of a program of 60 lines, running it, and steps a
// second in a long run. The checked tree is made outside.
func BenchmarkInterp(b *testing.B) {
	text, err := os.ReadFile("testdata/bench.rok")
	if err != nil {
		b.Fatal(err)
	}
	p := checked(b, "bench.rok", string(text))
	b.Run("load", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			machine.Load(p, Options{})
		}
	})
	b.Run("run", func(b *testing.B) {
		machine.Load(p, Options{})
		steps := int64(0)
		for b.Loop() {
			if o := machine.Run(); o.Kind != outcome.Value {
				b.Fatal(shown(o))
			}
			steps += machine.Steps()
		}
		reportSteps(b, steps)
	})
	for name, text := range map[string]string{
		"fib":   "fn fib(n: i64) -> i64 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } } print fib(22);",
		"loop":  "fn f(n: i64) -> i64 { let mut s = 0; let mut i = 0; while i < n { s += i * 3 ^ s >> 2; i += 1; } s } print f(100000);",
		"float": "fn f(n: i64) -> f64 { let mut s = 0.5; for i in 0..n { s = s * 1.0001 + i as f64; } s } print f(100000);",
		"match": "fn f(n: i64) -> i64 { let mut s = 0; for i in 0..n { s += match (i % 5, s & 1) { (0, _) => 1, (1 | 2, 1) => 2, (a, b) if a > b => a, _ => 9 }; } s } print f(100000);",
	} {
		b.Run(name, func(b *testing.B) {
			machine.Load(checked(b, name, text), Options{})
			steps := int64(0)
			for b.Loop() {
				machine.Run()
				steps += machine.Steps()
			}
			reportSteps(b, steps)
		})
	}
}

func reportSteps(b *testing.B, steps int64) {
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds()/1e6, "Msteps/s")
	b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
}
