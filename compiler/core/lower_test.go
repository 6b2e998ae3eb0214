package core_test

import (
	"testing"

	"golang.org/x/tools/txtar"

	"rokrig/compiler/core"
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/internal/golden"
)

// tester is what *testing.T and *rapid.T have in common.
type tester interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// check parses and checks a program that has to be right.
func check(t tester, text string) *types.Program {
	t.Helper()
	file := source.NewFile("test.rok", text)
	diags := &source.Diagnostics{File: file}
	tree := syntax.Parse(file, diags, syntax.Options{})
	var p *types.Program
	if !diags.HasErrors() {
		p = types.Check(tree, diags, types.Options{})
	}
	if diags.HasErrors() {
		t.Fatalf("the program has errors:\n%s", diags)
	}
	return p
}

// lower lowers a program that has to be right, with a mutant on or "" for none.
func lower(t tester, text, mutantName string) *core.Module {
	t.Helper()
	var plan *mutant.Plan
	if mutantName != "" {
		var err error
		if plan, err = mutant.New(mutantName); err != nil {
			t.Fatal(err)
		}
	}
	m := core.Lower(check(t, text), core.Options{Mutant: plan})
	for _, fault := range core.Verify(m) {
		t.Errorf("%v", fault)
	}
	if mutantName != "" && !plan.Reached() {
		t.Fatalf("mutant %s was not reached", mutantName)
	}
	return m
}

func TestGolden(t *testing.T) {
	golden.Run(t, "testdata/*.txtar", func(t *testing.T, a *txtar.Archive) map[string][]byte {
		m := lower(t, string(golden.Section(t, a, "in.rok")), "")
		return map[string][]byte{"want": []byte(core.Print(m))}
	})
}
