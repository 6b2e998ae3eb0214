package types

import (
	"strings"
	"testing"

	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
)

// checkText parses and checks a program.
func checkText(name, text string, plan *mutant.Plan) (*Program, *source.Diagnostics) {
	f := source.NewFile(name, text)
	diags := &source.Diagnostics{File: f}
	tree := syntax.Parse(f, diags, syntax.Options{})
	p := Check(tree, diags, Options{Mutant: plan})
	if p != nil {
		if faults := Verify(p); len(faults) > 0 {
			panic(name + ": " + strings.Join(faults, "\n") + "\n" + Dump(p))
		}
	}
	return p, diags
}

// mustCheck checks a program that has no errors.
func mustCheck(t *testing.T, text string) *Program {
	t.Helper()
	p, diags := checkText("test.rok", text, nil)
	if p == nil {
		t.Fatalf("rejected:\n%s", diags)
	}
	return p
}
