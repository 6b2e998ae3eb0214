package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"rokrig/fuzz/corpus"
	"rokrig/fuzz/subject"
	"rokrig/runtime/runner"
)

// debugCPU is the CPU limit of a program that a person looks at.
const debugCPU = 24 * time.Hour

// runUnderGdb runs one program on one configuration in the resident runner, with gdb attached to it and stopped at the
// program's start, and shows how it ended.
func runUnderGdb(cmd *cobra.Command, paths, names []string, mutant string) error {
	entries, err := corpus.Collect(paths)
	if err != nil {
		return exitWith(statusUsage, err)
	}
	if len(names) == 0 {
		names = []string{string(subject.Stack)}
	}
	configs, err := parseConfigs(names)
	if err != nil {
		return err
	}
	if len(entries) != 1 || len(configs) != 1 || configs[0].Executable() || configs[0].Assembled() {
		return exitWith(statusUsage, errors.New("gdb looks at one program on one configuration, encoded and in the resident runner"))
	}
	if _, err := exec.LookPath("gdb"); err != nil {
		return errors.New("gdb not found; install it (Debian: apt-get install gdb)")
	}
	// Ctrl-C stops the program in gdb, not this process.
	signal.Ignore(os.Interrupt)
	defer signal.Reset(os.Interrupt)
	g := &gdb{ctx: context.WithoutCancel(cmd.Context()), dir: filepath.Dir(entries[0].Path), in: cmd.InOrStdin(), out: cmd.OutOrStdout(), err: cmd.ErrOrStderr()}
	lab, err := subject.NewLab(subject.LabOptions{Mutant: mutant, CPU: debugCPU, Visible: true, Attach: g.attach})
	if err != nil {
		return exitWith(statusUsage, err)
	}
	defer lab.Close()
	c := &subject.Case{Name: entries[0].Name, Text: entries[0].Text}
	lab.Interpret(c)
	if c.Checked == nil {
		return errors.New(c.Oracle.Line + c.Oracle.Detail)
	}
	if err := lab.Compare(g.ctx, []*subject.Case{c}, configs); err != nil {
		return errors.Join(err, g.wait())
	}
	// gdb writes to the same place until it ends.
	err = g.wait()
	o := c.Runs[0].Outcome
	fmt.Fprintf(cmd.OutOrStdout(), "%s%s: %v %s %s\n", o.Stdout, configs[0], o.Kind, o.Line, o.Detail)
	return err
}

// gdb is a debugger attached to a worker of the runner.
type gdb struct {
	ctx      context.Context
	dir      string // where the program's source lies
	in       io.Reader
	out, err io.Writer
	ended    chan error // nil while it does not run
}

// attach starts gdb on a worker and returns when it has stopped it. gdb then sets its breakpoint and lets the worker go on.
func (g *gdb) attach(worker int) error {
	cmd := exec.CommandContext(g.ctx, "gdb", "-q", "-iex", "set demangle-style none", "-d", g.dir, "-p", fmt.Sprint(worker),
		"-ex", "handle SIGPROF nostop noprint pass", "-ex", "break rok_main", "-ex", "continue")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = g.in, g.out, g.err
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("gdb: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	g.ended = ended
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", worker))
		if err != nil {
			return fmt.Errorf("gdb: the worker: %w", err)
		}
		if !bytes.Contains(status, []byte("\nTracerPid:\t0\n")) {
			return nil
		}
		select {
		case err := <-ended:
			g.ended = nil
			return fmt.Errorf("gdb does not attach: %w", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// wait waits for gdb's end.
func (g *gdb) wait() error {
	if g.ended == nil {
		return nil
	}
	if err := <-g.ended; err != nil {
		return fmt.Errorf("gdb: %w", err)
	}
	return nil
}

// noteMapFile tells where perf finds the names of a worker's functions.
func noteMapFile(w io.Writer) func(worker int) error {
	return func(worker int) error {
		_, err := fmt.Fprintln(w, "names for perf:", runner.MapFile(worker))
		return err
	}
}
