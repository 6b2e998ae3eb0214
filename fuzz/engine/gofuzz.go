package engine

import (
	"hash/crc32"

	"rokrig/compiler"
)

// The values that go-fuzz's functions return.
const (
	plain       = 0
	interesting = 1 // to be mutated more often
)

// Fuzz is the function that go-fuzz and, through go-fuzz-build -libfuzzer, libFuzzer call:
//
//	go tool go-fuzz-build -o fuzz.zip ./fuzz/engine
//	go tool go-fuzz -bin fuzz.zip -workdir DIR    (it has no end of its own: interrupt it)
//
// `rokrig gen --choices --out DIR/corpus` makes a corpus to start from.
func Fuzz(data []byte) int { return fuzzOne(data, compiler.Options{}) }

// FuzzWith is Fuzz with options for the compiler, for targets that plant a bug.
func FuzzWith(data []byte, opts compiler.Options) int { return fuzzOne(data, opts) }

// fuzzOne checks one input. A fault is a panic, which every engine takes for a crash.
func fuzzOne(data []byte, opts compiler.Options) int {
	repeat := crc32.ChecksumIEEE(data)%repeatEach == 0
	finished, err := check(data, opts, repeat)
	if err != nil {
		panic(err.Error())
	}
	if finished {
		return interesting
	}
	return plain
}
