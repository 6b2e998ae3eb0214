package interp

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/internal/golden"
	"rokrig/oracle/outcome"
)

// checked parses and checks a program that must be right.
func checked(t testing.TB, name, text string) *types.Program {
	t.Helper()
	file := source.NewFile(name, text)
	diags := &source.Diagnostics{File: file}
	p := types.Check(syntax.Parse(file, diags, syntax.Options{}), diags, types.Options{})
	if p == nil {
		t.Fatalf("%s is not accepted:\n%s", name, diags)
	}
	return p
}

// machine is what run uses again and again: tests of this package do not run in parallel.
var machine Machine

// run runs a program from its text. The machine is good until the next call.
func run(t testing.TB, text string, opts Options) (outcome.Outcome, *Machine) {
	t.Helper()
	machine.Load(checked(t, "t.rok", text), opts)
	return machine.Run(), &machine
}

// shown is an outcome as the archives hold it: what was printed, then how it ended.
func shown(o outcome.Outcome) string {
	end := fmt.Sprintf("%v %d", o.Kind, o.Status)
	if o.Line != "" {
		end += ": " + o.Line
	}
	if o.Kind == outcome.CompilerPanic {
		end += ": " + o.Detail
	}
	return string(o.Stdout) + "[" + end + "]\n"
}

// TestPrograms runs programs whose outputs were worked out by hand from the language's description.
func TestPrograms(t *testing.T) {
	golden.Run(t, "testdata/*.txtar", func(t *testing.T, archive *txtar.Archive) map[string][]byte {
		out := map[string][]byte{}
		m := &Machine{}
		for _, f := range archive.Files {
			name, ok := strings.CutSuffix(f.Name, ".rok")
			if !ok {
				continue
			}
			m.Load(checked(t, f.Name, string(f.Data)), Options{})
			got := shown(m.Run())
			if again := shown(m.Run()); again != got {
				t.Errorf("%s: a second run shows\n%s", f.Name, again)
			}
			out["want/"+name] = []byte(got)
		}
		return out
	})
}
