// Package rokruntime carries the C sources of the runtime, so that a single
// binary can build them wherever it is. The facts they share with compiled code
// are in package runtime/abi; package runtime/runner builds and drives them.
package rokruntime

import "embed"

// Sources holds the files of src.
//
//go:embed src/*.c src/*.h
var Sources embed.FS
