// Package planted is a target for go-fuzz with a bug in it: the compiler panics when a program raises an i16 to a power.
// A test builds it and shows that the engine finds that.
package planted

import (
	"bytes"

	"rokrig/compiler"
	"rokrig/fuzz/engine"
)

// Fuzz is engine.Fuzz with the bug.
func Fuzz(data []byte) int { return engine.FuzzWith(data, Options()) }

// Options plants the bug: the writer of a dump panics inside the compiler, on the call of a helper that only programs with
// that operator make.
func Options() compiler.Options {
	return compiler.Options{Dumps: []compiler.Dump{{Stage: compiler.Text}}, DumpTo: trap{}}
}

type trap struct{}

func (trap) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("rok_pow_i16")) {
		panic("planted: a power of i16")
	}
	return len(p), nil
}
