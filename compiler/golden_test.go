package compiler_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"rokrig/compiler"
	"rokrig/compiler/link"
	"rokrig/compiler/source"
	"rokrig/internal/golden"
	"rokrig/internal/tier"
	"rokrig/oracle/interp"
	"rokrig/runtime/runner"
)

// TestC06_GoldenText compares the machine code of small programs with what was read and found right.
func TestC06_GoldenText(t *testing.T) {
	golden.Run(t, "testdata/x64/*.txtar", func(t *testing.T, a *txtar.Archive) map[string][]byte {
		r := compile(t, string(golden.Section(t, a, "program.rok")), compiler.Options{Verify: true})
		var text []byte
		for _, f := range r.Code.Funcs {
			text = append(append(text, f.Name...), ":\n"...)
			text = r.Code.AppendFuncText(text, f)
		}
		return map[string][]byte{"want": text}
	})
}

// TestC08_Programs runs programs whose output was worked out by hand, compiled and on the reference interpreter.
func TestC08_Programs(t *testing.T) {
	tier.NeedTools(t, "gcc", "as")
	r, err := runner.Open(runner.Options{Build: runner.Check})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	golden.Run(t, "testdata/run/*.txtar", func(t *testing.T, a *txtar.Archive) map[string][]byte {
		text := string(golden.Section(t, a, "program.rok"))
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		c, err := compiler.Compile(source.NewFile("program.rok", text), compiler.Options{Verify: true, SymbolPrefix: "p"})
		if err != nil {
			t.Fatalf("%v\n%s", err, c.Diagnostics)
		}
		object, err := link.Assemble(ctx, []link.Program{{Prefix: "p", Text: c.Text}})
		if err != nil {
			t.Fatal(err)
		}
		images, err := object.Load(r.Layout(), r.Symbols())
		if err != nil {
			t.Fatal(err)
		}
		results, err := r.Run(images)
		if err != nil {
			t.Fatal(err)
		}
		got := results[0]
		if o := interp.New(c.Checked, interp.Options{}).Run(); string(o.Stdout) != string(got.Stdout) || o.Line != strings.TrimSuffix(string(got.Stderr), "\n") || o.Status != got.Status {
			t.Errorf("compiled: %v, status %d, %q\n%s\ninterpreted: %v, status %d, %q\n%s", got.Kind, got.Status, got.Stderr, got.Stdout, o.Kind, o.Status, o.Line, o.Stdout)
		}
		shown := map[string][]byte{"want": got.Stdout}
		if len(got.Stderr) > 0 {
			shown["want.stderr"] = got.Stderr
		}
		return shown
	})
}
