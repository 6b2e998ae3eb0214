package gen

import (
	"testing"

	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// check parses and checks a program, and returns the diagnostics if it is not accepted.
func check(text string) (*types.Program, *source.Diagnostics) {
	file := source.NewFile("gen.rok", text)
	diags := &source.Diagnostics{File: file}
	tree := syntax.Parse(file, diags, syntax.Options{})
	if diags.HasErrors() {
		return nil, diags
	}
	return types.Check(tree, diags, types.Options{}), diags
}

func TestEveryProgramIsAccepted(t *testing.T) {
	bad := 0
	for seed := uint64(0); seed < 500; seed++ {
		r := Program(New(seed), Options{})
		if p, diags := check(r.Text); p == nil {
			t.Errorf("seed %d is rejected:\n%s", seed, diags)
			if bad++; bad > 5 {
				return
			}
		}
	}
}
