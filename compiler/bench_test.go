package compiler_test

import (
	"testing"

	"rokrig/compiler"
	"rokrig/compiler/source"
	"rokrig/compiler/x64"
)

// BenchmarkStages times each stage on a small program.
func BenchmarkStages(b *testing.B) {
	r, err := compiler.Compile(source.NewFile("sample.rok", sample), compiler.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("check", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := compiler.Check(source.NewFile("sample.rok", sample), compiler.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("emit", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x64.Emit(r.Core, x64.Options{})
		}
	})
	b.Run("verify", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := x64.Verify(r.Code); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("text", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(r.Text)))
		for b.Loop() {
			r.Code.AppendText(nil, x64.TextOptions{})
		}
	})
}
