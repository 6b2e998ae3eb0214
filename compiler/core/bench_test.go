package core_test

import (
	"testing"

	"rokrig/compiler/core"
)

// BenchmarkLower lowers a program of some hundred lines that has a bit of everything.
func BenchmarkLower(b *testing.B) {
	text := everything(b)
	p := check(b, text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		core.Lower(p, core.Options{})
	}
}
