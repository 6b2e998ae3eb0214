package core

import (
	"rokrig/compiler/mutant"
)

// Options says how a program is lowered. The zero value is the ordinary compile.
type Options struct {
	Mutant *mutant.Plan // the deliberate bug that is on; nil for none
	Memory *Memory      // where the module is made; nil: in a new one
}
