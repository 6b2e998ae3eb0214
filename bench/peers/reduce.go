package peers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"rokrig/bench"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/fuzz/campaign"
	"rokrig/fuzz/reduce"
	"rokrig/fuzz/subject"
)

// The case that both reducers get: the first finding of a size that people meet, with a deliberate bug on.
const (
	plantedBug = "arith/mod-sign-of-divisor"
	minLines   = 100
	maxLines   = 300
	workers    = 2
)

// stopGrace is how long C-Vise may take to end after it was asked to.
const stopGrace = 5 * time.Second

// reduction is what a reducer did.
type reduction struct {
	text  string
	tries int
	cut   bool
	bench.Span
}

// reduce gives the same case to both reducers, one after the other.
func (o Options) reduce(ctx context.Context, dir string, w io.Writer) error {
	text, err := findCase(ctx, o.Seed)
	if err != nil {
		return err
	}
	o.note("reducing by rokrig")
	ours, config, signature, err := reduceOurs(ctx, text)
	if err != nil {
		return err
	}
	if err := writeReduction(w, ReduceName, text, ours); err != nil {
		return err
	}
	o.note("reducing by C-Vise, for %v at most", o.Limit)
	test := []string{o.Rokrig, "repro", "--mutant", plantedBug, "--config", config, "--signature", signature, caseName}
	theirs, err := reduceByCVise(ctx, dir, text, test, o.Limit)
	if err != nil {
		return err
	}
	return writeReduction(w, CViseName, text, theirs)
}

const caseName = "case.rok"

// findCase looks for a difference that the planted bug makes in a program of the size wanted.
func findCase(ctx context.Context, seed uint64) (string, error) {
	const attempts = 200
	var first uint64
	for range attempts {
		s, err := campaign.Run(ctx, campaign.Options{Seed: seed, First: first, Mutant: plantedBug, Findings: 1, Count: 4000, Jobs: 1,
			Batch: 1, ExeEvery: -1, RejectEach: -1, VariantEach: -1, Rotating: []subject.Config{}})
		switch {
		case err != nil:
			return "", err
		case s.Interrupted:
			return "", context.Canceled
		case len(s.Buckets) == 0:
			return "", fmt.Errorf("peers: seed %d: %s was not found", seed, plantedBug)
		}
		text := s.Buckets[0].First.Source
		if n := printedLines(text); n >= minLines && n <= maxLines {
			return text, nil
		}
		first += uint64(s.Programs)
	}
	return "", fmt.Errorf("peers: seed %d: no finding of %d to %d lines", seed, minLines, maxLines)
}

// reduceOurs reduces in this process and returns what the other reducer has to keep too.
func reduceOurs(ctx context.Context, text string) (r reduction, config, signature string, err error) {
	r.Span, err = bench.Measure(func() error {
		configs := campaign.DefaultConfigs()
		f, err := reduce.NewFinder(ctx, caseName, text, plantedBug, configs, workers)
		if err != nil {
			return err
		}
		res, err := reduce.Reduce(ctx, caseName, text, f.Test, reduce.Options{})
		if err := errors.Join(err, f.Close(), ctx.Err()); err != nil {
			return err
		}
		cfg, ok := f.Config()
		if !ok {
			return errors.New("peers: the case breaks the oracle")
		}
		r.text, r.tries, r.cut = res.Text, res.Tries, !res.Minimal
		config, signature = cfg.String(), f.Signature()
		return nil
	})
	return r, config, signature, err
}

// reduceByCVise lets C-Vise reduce text as long as the command test succeeds in a folder with the candidate.
func reduceByCVise(ctx context.Context, dir, text string, test []string, limit time.Duration) (r reduction, err error) {
	file, script, log := filepath.Join(dir, caseName), filepath.Join(dir, "interesting.sh"), filepath.Join(dir, "tries")
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/sh\necho >>%s\nexec", quote(log))
	for _, arg := range test {
		b.WriteString(" " + quote(arg))
	}
	b.WriteString(" >/dev/null 2>&1\n")
	if err := errors.Join(os.WriteFile(file, []byte(text), 0o666), os.WriteFile(script, []byte(b.String()), 0o777)); err != nil {
		return r, err
	}
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(bounded, "cvise", "--not-c", "--tidy", "--n", fmt.Sprint(workers), script, caseName)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it ends its workers and waits for them
	cmd.WaitDelay = stopGrace
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	r.Span, err = bench.Measure(cmd.Run)
	r.cut = bounded.Err() != nil
	if cmd.Process != nil && r.cut {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what is left of its workers
	}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil && !r.cut {
		return r, fmt.Errorf("cvise: %w: %s", err, said.String())
	}
	reduced, err := os.ReadFile(file)
	tries, logErr := os.ReadFile(log)
	r.text, r.tries = string(reduced), len(tries)
	return r, errors.Join(err, logErr)
}

// quote makes a word of the shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func writeReduction(w io.Writer, name, before string, r reduction) error {
	cut := 0
	if r.cut {
		cut = 1
	}
	_, err := fmt.Fprintf(w, "Benchmark%s 1 %.3f %s %.3f %s %d %s %d %s %d %s %d %s %d %s\n", name, r.Wall.Seconds(), WallUnit, r.CPU.Seconds(), CPUUnit,
		r.tries, TriesUnit, printedLines(before), BeforeUnit, printedLines(r.text), AfterUnit, len(r.text), BytesUnit, cut, CutUnit)
	return err
}

// printedLines counts a program's lines as the compiler prints it, so that layout does not count.
func printedLines(text string) int {
	src := source.NewFile(caseName, text)
	return syntax.Lines(syntax.Parse(src, &source.Diagnostics{File: src}, syntax.Options{}))
}
