package subject

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"rokrig/compiler"
	"rokrig/compiler/link"
	"rokrig/oracle/outcome"
	"rokrig/runtime/abi"
	"rokrig/runtime/runner"
)

// kindOf tells which kind of outcome each ending is.
var kindOf = [...]outcome.Kind{
	abi.Returned:       outcome.Value,
	abi.Panicked:       outcome.Panic,
	abi.Misaligned:     outcome.Misaligned,
	abi.CheckFailed:    outcome.Broken,
	abi.StackOverflow:  outcome.OutOfStack,
	abi.WriteFailed:    outcome.Environment,
	abi.OutputLimit:    outcome.OutputLimit,
	abi.Timeout:        outcome.Timeout,
	abi.Signal:         outcome.Crash,
	abi.SentinelBroken: outcome.Broken,
	abi.Died:           outcome.Crash,
}

// NativeOutcome turns a runner's result into an outcome.
func NativeOutcome(r runner.Result) outcome.Outcome {
	o := outcome.Outcome{Kind: kindOf[r.Kind], Status: r.Status, Stdout: r.Stdout, Line: firstLine(r.Stderr), Detail: r.Detail}
	o.Usage.CPU = r.CPU
	if o.Kind == outcome.Crash {
		o.Status = r.Signal
	}
	if o.Kind.IsFault() && o.Detail == "" {
		o.Detail = o.Line
	}
	return o
}

func firstLine(stderr []byte) string {
	line, _, _ := bytes.Cut(stderr, []byte("\n"))
	return string(line)
}

// runLinked links a case by gcc and runs it as a process of its own.
func (l *Lab) runLinked(ctx context.Context, c *Case, cfg Config) error {
	start := time.Now()
	defer func() { l.spend(LinkStage, start) }()
	result, err := compiler.CompileChecked(l.tree(c), l.compileOptions())
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "rokrig-exe-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	exe := filepath.Join(dir, "program")
	if err := link.Executable(ctx, result.Text, exe, link.ExecutableOptions{Runtime: l.build(cfg)}); err != nil {
		return err
	}
	o, err := RunExecutable(ctx, exe, l.opts.CPU)
	if err == nil {
		c.Runs = append(c.Runs, Run{cfg, o, -1})
	}
	return err
}

// wallPerCPU is how many times the CPU limit a process may take by the clock before it is ended: the machine may be busy.
const wallPerCPU = 20

// RunExecutable runs a program that gcc has linked and tells what it showed. An error means that it could not be run.
func RunExecutable(ctx context.Context, exe string, cpu time.Duration) (outcome.Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, wallPerCPU*cpu)
	defer cancel()
	var stdout, stderr limited
	cmd := exec.CommandContext(ctx, exe)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && ctx.Err() == nil && !stdout.full {
		return outcome.Outcome{}, err
	}
	o := outcome.Outcome{Stdout: stdout.Bytes(), Line: firstLine(stderr.Bytes())}
	if cmd.ProcessState != nil {
		o.Usage.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		o.Status = cmd.ProcessState.ExitCode()
	}
	switch status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus); {
	case stdout.full:
		o.Kind = outcome.OutputLimit
	case ctx.Err() != nil:
		o.Kind = outcome.Timeout
	case status.Signaled():
		o.Kind, o.Status, o.Detail = outcome.Crash, int(status.Signal()), status.Signal().String()
	default:
		o.Kind = statusKind(o.Status)
		if o.Kind.IsFault() {
			o.Detail = o.Line
		}
	}
	return o, nil
}

// statusKind tells which kind of outcome an executable's exit status is.
func statusKind(status int) outcome.Kind {
	for ending, info := range abi.Endings {
		if info.Status == status {
			return kindOf[ending]
		}
	}
	if status == abi.StatusError {
		return outcome.Error
	}
	return outcome.Crash
}

// limited keeps what is written up to DefaultOutput and then refuses more.
type limited struct {
	bytes.Buffer
	full bool
}

func (w *limited) Write(p []byte) (int, error) {
	if room := DefaultOutput - w.Len(); len(p) > room {
		w.full = true
		w.Buffer.Write(p[:room])
		return room, fmt.Errorf("more than %d bytes of output", DefaultOutput)
	}
	return w.Buffer.Write(p)
}
