package x64

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"rokrig/compiler/core"
	"rokrig/internal/tier"
	"rokrig/runtime/runner"
)

// ran is what a program did.
type ran struct {
	stdout, stderr string
	status         int
}

// run builds an executable of m with gcc and the check build of the runtime, and runs it. Without a mutant the code is
// verified first.
func run(t *testing.T, m *core.Module, opts Options) ran {
	t.Helper()
	tier.NeedTools(t, "gcc")
	p := Emit(m, opts)
	if opts.Mutant == nil {
		if err := Verify(p); err != nil {
			t.Fatalf("%v\n%s", err, p.AppendText(nil, TextOptions{}))
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	exe := filepath.Join(t.TempDir(), "prog")
	text := p.AppendText(nil, TextOptions{})
	archive, err := runner.Archive(runner.Check)
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-o", exe, "-x", "assembler", "-", "-x", "none", archive}, runner.LinkFlags...)
	gcc := exec.CommandContext(ctx, "gcc", args...)
	gcc.Stdin = bytes.NewReader(text)
	if out, err := gcc.CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s\n%s", err, out, text)
	}
	cmd := exec.CommandContext(ctx, exe)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return ran{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// expect runs m and compares what it prints.
func expect(t *testing.T, m *core.Module, want string) {
	t.Helper()
	if got := run(t, m, Options{}); got != (ran{want, "", 0}) {
		t.Errorf("got status %d, stderr %q, stdout\n%s\nwant\n%s", got.status, got.stderr, got.stdout, want)
	}
}

func TestC08_Smoke(t *testing.T) {
	expect(t, module(mainFunc(nil, printInt(op(core.Add, core.I64, num(1), op(core.Mul, core.I64, num(2), num(3)))))), "7\n")
}
