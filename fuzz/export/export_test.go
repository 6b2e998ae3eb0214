package export

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rokrig/fuzz/subject"
	"rokrig/internal/tier"
)

const panics = `fn f(a: i64) -> i64 {
    10 / (a - 3)
}
print f(2);
print f(3);
`

// exported writes a program to a directory of its own.
func exported(t *testing.T, text, config, mutant string) string {
	t.Helper()
	tier.NeedTools(t, "gcc", "make", "diff")
	dir := filepath.Join(t.TempDir(), "made here", "case")
	r, err := Write(context.Background(), dir, Options{Text: text, Config: subject.MustParse(config), Mutant: mutant, Signature: "difference: something"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(slices.Clone(r.Files), "README.md", "runtime/rok.h", "case.rok", "case.gdb") {
		if _, err := os.Stat(filepath.Join(dir, f)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "runtime", "runner.c")); err == nil {
		t.Error("the rig's runner is among the runtime's sources")
	}
	return dir
}

// command runs a tool in a directory.
func command(t *testing.T, dir string, line ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestMakeChecksWhatTheProgramShows(t *testing.T) {
	for _, tt := range []struct {
		name, text, config, mutant string
		same                       bool
		want                       string
	}{
		{"a value", "print 7, \"x\";\n", "stack", "", true, "as expected"},
		{"a panic", panics, "stack/check", "", true, "as expected"},
		{"a bug of the compiler", "fn f(a: i64, b: i64) -> i64 { a - b }\nprint f(7, 2);\n", "stack", "call/args-reversed", false, "-5"},
		{"a crash", panics, "stack", "arith/raw-idiv", false, "+136"},
		{"a bug of the runtime", "print 1;\nprint 1 / (2 - 2);\n", "stack", "panic/loses-output", false, "-1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := exported(t, tt.text, tt.config, tt.mutant)
			out, err := command(t, dir, "make", "check")
			if (err == nil) != tt.same || !strings.Contains(out, tt.want) || strings.Contains(out, "warning") {
				t.Errorf("%v\n%s", err, out)
			}
			asm, err := os.ReadFile(filepath.Join(dir, "case.s"))
			if err != nil || !strings.Contains(string(asm), ".file 1 \"case.rok\"") || !strings.Contains(string(asm), "\t.loc 1 1 ") {
				t.Errorf("no lines in the assembly: %v", err)
			}
		})
	}
}

// The debugger stops at the place that matters and shows the line of the Rok source.
func TestGdbShowsTheLine(t *testing.T) {
	tier.NeedTools(t, "gdb")
	for _, tt := range []struct {
		name, text, config, mutant string
		want                       []string
	}{
		{"the first print", "let x = 1;\n\nprint x + 2;\nprint 4;\n", "stack", "", []string{"Line 3 of \"case.rok\"", "3\tprint x + 2;", "rok_main () at case.rok:3"}},
		{"a panic", panics, "stack", "", []string{"rok.u.f () at case.rok:2", "\n2\t    10 / (a - 3)\n"}},
		{"a signal", panics, "stack", "arith/raw-idiv", []string{"SIGFPE", "Line 2 of \"case.rok\"", "2\t    10 / (a - 3)", "idiv"}},
		{"no stack left", "fn f(a: i64) -> i64 {\n    1 + f(a + 1)\n}\nprint f(1);\n", "stack", "", []string{"SIGSEGV", "rok.u.f () at case.rok:"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := exported(t, tt.text, tt.config, tt.mutant)
			if out, err := command(t, dir, "make"); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			out, err := command(t, dir, "gdb", "-nx", "-batch", "-x", "case.gdb", "./program")
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			for _, want := range tt.want {
				if !strings.Contains(out, want) {
					t.Errorf("gdb does not say %q:\n%s", want, out)
				}
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	tier.NeedTools(t, "gcc")
	stack := subject.MustParse("stack")
	parent := t.TempDir()
	dir := filepath.Join(parent, "case")
	if _, err := Write(context.Background(), dir, Options{Text: "let = ;", Config: stack}); !errors.Is(err, ErrNotCompiled) || !strings.Contains(err.Error(), "case.rok:1:5") {
		t.Errorf("a program that is none: %v", err)
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	precious := filepath.Join(dir, "precious")
	if err := os.WriteFile(precious, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(context.Background(), dir, Options{Text: "print 1;", Config: stack}); !errors.Is(err, ErrExists) {
		t.Errorf("over something: %v", err)
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
	if _, err := Write(context.Background(), filepath.Join(parent, "other"), Options{Text: "print 1;", Config: stack, Mutant: "x/y"}); err == nil {
		t.Error("an unknown mutant is no error")
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
