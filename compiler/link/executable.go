// Package link turns assembler text into something that runs.
//
// In: GNU as text of programs, as package x64 writes it. Out: an executable, assembled and linked by gcc with the runtime's
// archive (Executable, Object); or, on the fast path, the relocated bytes of many programs out of one run of as (Assemble).
// Invariants: what Load relocates is what ld would have written; an unknown relocation or symbol is an error, never
// skipped. Errors of the tools are wrapped with what to do about them.
package link

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"

	"rokrig/runtime/runner"
)

// ExecutableOptions says how an executable is made.
type ExecutableOptions struct {
	Runtime runner.Build // which build of the runtime is linked; "" is the release build
	Debug   bool         // keep line information
}

// Executable assembles a program's text and links it with the runtime to the file out. Errors: gcc is missing or refuses.
func Executable(ctx context.Context, text []byte, out string, opts ExecutableOptions) error {
	if opts.Runtime == "" {
		opts.Runtime = runner.Release
	}
	archive, err := runner.Archive(opts.Runtime)
	if err != nil {
		return err
	}
	args := []string{"-o", out}
	if opts.Debug {
		args = append(args, "-g")
	}
	args = append(args, runner.LinkFlags...)
	return gcc(ctx, text, append(args, "-x", "assembler", "-", "-x", "none", archive))
}

// Object assembles a program's text to the relocatable object file out.
func Object(ctx context.Context, text []byte, out string) error {
	return gcc(ctx, text, []string{"-c", "-o", out, "-x", "assembler", "-"})
}

// gcc runs gcc with text on its standard input.
func gcc(ctx context.Context, text []byte, args []string) error {
	cmd := exec.CommandContext(ctx, "gcc", args...)
	cmd.Stdin = bytes.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		return toolError("gcc", out, err)
	}
	return nil
}

// packages names the Debian package of each tool.
var packages = map[string]string{"gcc": "gcc libc6-dev", "as": "binutils", "ld": "binutils"}

// maxToolOutput is how much of a failed tool's output an error quotes.
const maxToolOutput = 4000

// toolError says what a failed tool said, or how to get one that is missing.
func toolError(tool string, out []byte, err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%s not found; install it (Debian: apt-get install %s)", tool, packages[tool])
	}
	if len(out) > maxToolOutput {
		out = append(out[:maxToolOutput:maxToolOutput], "..."...)
	}
	return fmt.Errorf("%s: %w\n%s", tool, err, bytes.TrimSpace(out))
}
