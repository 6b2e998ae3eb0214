package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"rokrig/compiler"
	"rokrig/compiler/link"
	"rokrig/oracle/interp"
	"rokrig/oracle/outcome"
	"rokrig/runtime/abi"
	"rokrig/runtime/runner"
)

// runFlags is what the command line of `rokrig run` says.
type runFlags struct {
	subject string
	runtime string
	verify  bool
}

// runResult is the documented JSON of `rokrig run --json`.
type runResult struct {
	Subject string `json:"subject"`
	Ending  string `json:"ending"` // value, panic, error, timeout, ...
	Status  int    `json:"status"` // of rokrig
	Line    string `json:"line"`   // the panic or error line
}

// subjects run a compiled program: its output goes to the command's.
var subjects = map[string]func(cmd *cobra.Command, r *compiler.Result, flags runFlags) (runResult, error){
	"interp": runInterpreter,
	"stack":  runNative,
}

func newRunCommand() *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a program, on the reference interpreter or compiled",
		Long: `Run a Rok program. FILE "-" is the standard input. Subjects: interp, the reference interpreter; stack, compiled by the
naive back end. The exit status is the program's: 0, 1 after an error that left it, 101 after a panic; 3 if it was cut off.`,
		Example: `  rokrig run hello.rok
  rokrig run hello.rok --subject interp`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runRun(cmd, args[0], flags) },
	}
	cmd.Flags().StringVar(&flags.subject, "subject", "stack", "what runs the program: interp or stack")
	cmd.Flags().StringVar(&flags.runtime, "runtime", string(runner.Release), "the runtime of a compiled program: release or check")
	cmd.Flags().BoolVar(&flags.verify, "verify", false, "run the verifier behind every stage of the compiler")
	return cmd
}

func runRun(cmd *cobra.Command, path string, flags runFlags) error {
	subject, ok := subjects[flags.subject]
	if !ok {
		return exitWith(statusUsage, fmt.Errorf("--subject=%s: there are interp and stack", flags.subject))
	}
	if _, err := parseRuntime(flags.runtime); err != nil {
		return err
	}
	src, err := readSource(cmd, path)
	if err != nil {
		return err
	}
	result, err := compiler.Check(src, compiler.Options{Verify: flags.verify})
	if err != nil {
		result.Diagnostics.Render(cmd.ErrOrStderr())
		return compileError(cmd, err)
	}
	done, err := subject(cmd, result, flags)
	if err != nil {
		return err
	}
	done.Subject = flags.subject
	if err := show(cmd, done, func(io.Writer) error { return nil }); err != nil {
		return err
	}
	return exitWith(exitStatus(done.Status), nil)
}

// unlimited is a bound on what the interpreter counts that no program reaches in a lifetime.
const unlimited = math.MaxInt64 / 4

// runInterpreter runs a checked program on the reference interpreter, without limits but those of the machine.
func runInterpreter(cmd *cobra.Command, r *compiler.Result, _ runFlags) (runResult, error) {
	var interrupted atomic.Bool
	stop := context.AfterFunc(commandContext(cmd), func() { interrupted.Store(true) })
	defer stop()
	m := interp.New(r.Checked, interp.Options{Fuel: unlimited, MaxOutput: math.MaxInt32, Interrupt: &interrupted})
	o := m.Run()
	if _, err := cmd.OutOrStdout().Write(o.Stdout); err != nil {
		return runResult{}, err
	}
	if o.Line != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), o.Line)
	}
	done := runResult{Ending: o.Kind.String(), Status: o.Status, Line: o.Line}
	if interrupted.Load() {
		return runResult{}, exitWith(statusInterrupted, errors.New("interrupted"))
	}
	if !o.Kind.IsFinished() {
		done.Status = int(statusEnvironment)
		fmt.Fprintf(cmd.ErrOrStderr(), "rokrig: %s: %s\n", o.Kind, o.Detail)
	}
	return done, nil
}

// runNative compiles a checked program to an executable and runs it as a process with the command's input and output.
func runNative(cmd *cobra.Command, r *compiler.Result, flags runFlags) (runResult, error) {
	ctx := commandContext(cmd)
	code, err := compiler.CompileChecked(r.Checked, compiler.Options{Verify: flags.verify})
	if err != nil {
		return runResult{}, compileError(cmd, err)
	}
	dir, err := os.MkdirTemp("", "rokrig-run-")
	if err != nil {
		return runResult{}, err
	}
	defer os.RemoveAll(dir)
	exe := filepath.Join(dir, "program")
	if err := link.Executable(ctx, code.Text, exe, link.ExecutableOptions{Runtime: runner.Build(flags.runtime)}); err != nil {
		return runResult{}, err
	}
	last := &lastLine{to: cmd.ErrOrStderr()}
	process := exec.CommandContext(ctx, exe)
	process.Stdin, process.Stdout, process.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), last
	process.WaitDelay = time.Second
	err = process.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return runResult{}, exitWith(statusInterrupted, errors.New("interrupted"))
	case err != nil && !errors.As(err, &exit):
		return runResult{}, err
	}
	return nativeResult(cmd, process.ProcessState, last.String()), nil
}

// nativeResult turns a process's end into that of the command.
func nativeResult(cmd *cobra.Command, state *os.ProcessState, line string) runResult {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		fmt.Fprintf(cmd.ErrOrStderr(), "rokrig: the program was ended by a signal: %s\n", status.Signal())
		return runResult{Ending: outcome.Crash.String(), Status: int(statusEnvironment)}
	}
	switch code := state.ExitCode(); code {
	case abi.StatusOK:
		return runResult{Ending: outcome.Value.String()}
	case abi.StatusPanic:
		return runResult{Ending: outcome.Panic.String(), Status: code, Line: line}
	case abi.StatusError:
		return runResult{Ending: outcome.Error.String(), Status: code, Line: line}
	default: // the runtime has said what it was
		for _, e := range abi.Endings {
			if e.Status == code {
				return runResult{Ending: e.Name, Status: int(statusEnvironment), Line: line}
			}
		}
		return runResult{Ending: fmt.Sprintf("exit status %d", code), Status: int(statusEnvironment), Line: line}
	}
}

// lastLine passes everything on and remembers the last line of it.
type lastLine struct {
	to   io.Writer
	line []byte
}

// maxRemembered bounds what is remembered of a line.
const maxRemembered = 4096

func (w *lastLine) Write(p []byte) (int, error) {
	kept := append(w.line, p...)
	if end := bytes.LastIndexByte(bytes.TrimRight(kept, "\n"), '\n'); end >= 0 {
		kept = kept[end+1:]
	}
	w.line = append([]byte(nil), kept[max(0, len(kept)-maxRemembered):]...)
	return w.to.Write(p)
}

func (w *lastLine) String() string { return string(bytes.TrimRight(w.line, "\n")) }
