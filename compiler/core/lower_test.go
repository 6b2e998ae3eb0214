package core_test

import (
	"os"
	"testing"

	"golang.org/x/tools/txtar"

	"rokrig/compiler/core"
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/internal/golden"
)

// tester is what *testing.T, *testing.B and *rapid.T have in common.
type tester interface {
	Helper()
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

// lower lowers a program that has to be right, and verifies what comes out.
func lower(t tester, text string) *core.Module {
	t.Helper()
	m := core.Lower(check(t, text), core.Options{})
	for _, fault := range core.Verify(m) {
		t.Errorf("%v", fault)
	}
	everySiteStands(t, m)
	return m
}

// everySiteStands checks that lowering gives no site to what it does not emit: a mutant or a report of that site would
// mean nothing. (That no two nodes share one is for the verifier.)
func everySiteStands(t tester, m *core.Module) {
	t.Helper()
	stands := 0
	var visit func(core.Expr)
	visit = func(e core.Expr) {
		switch e := e.(type) {
		case *core.Op:
			if e.Op.Has(core.MayCall) {
				stands++
			}
		case *core.Call, *core.CallIndirect, *core.Poll, *core.Panic:
			stands++
		}
		core.EachOperand(e, visit)
	}
	for _, f := range m.Funcs {
		visit(f.Body)
	}
	if stands != len(m.Sites) {
		t.Errorf("%d of %d sites stand somewhere", stands, len(m.Sites))
	}
}

func planOf(t tester, name string) *mutant.Plan {
	t.Helper()
	plan, err := mutant.New(name)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return plan
}

func TestGolden(t *testing.T) {
	golden.Run(t, "testdata/*.txtar", func(t *testing.T, a *txtar.Archive) map[string][]byte {
		m := lower(t, string(golden.Section(t, a, "in.rok")))
		return map[string][]byte{"want": []byte(core.Print(m))}
	})
}

func everything(t tester) string {
	t.Helper()
	text, err := os.ReadFile("testdata/everything.rok")
	if err != nil {
		t.Fatalf("%v", err)
	}
	return string(text)
}

// TestPrintOfOneInteger keeps the classic program down to one printing operation on one product and sum.
func TestPrintOfOneInteger(t *testing.T) {
	m := lower(t, "print 1 + 2 * 3;")
	want := "func 0 main () [] main\n  (seq (poll #0) (print.intline #1 (add.i64 (1) (mul.i64 (2) (3)))))\n"
	if got := core.Print(m); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

// TestDeterminism lowers one program many times.
func TestDeterminism(t *testing.T) {
	p := check(t, everything(t))
	first := core.Lower(p, core.Options{})
	for _, fault := range core.Verify(first) {
		t.Error(fault)
	}
	for range 20 {
		if core.Print(core.Lower(p, core.Options{})) != core.Print(first) {
			t.Fatal("two runs differ")
		}
	}
}

// TestPrintFunc prints one function as it stands in the whole.
func TestPrintFunc(t *testing.T) {
	m := lower(t, "fn f() -> i64 { 1 } fn g() -> i64 { f() }")
	want := "func 1 g () [int]\n  (seq (poll #1) (call f.0 #2 @1:37))\n"
	if got := core.PrintFunc(m, "g"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := core.PrintFunc(m, "h"); got != "" {
		t.Errorf("got %q for no function", got)
	}
}
