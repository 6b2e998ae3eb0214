package peers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Limits on the wall for one step of a program. Csmith's programs need not end; 5 s is what its users give them.
const (
	runLimit     = 5 * time.Second
	compileLimit = 60 * time.Second
)

// levels are gcc's, between which programs are compared.
var levels = []string{"-O0", "-O3"}

// csmith generates programs in C, compiles each twice and compares what they print.
type csmith struct {
	dir, include string
	seed         uint64 // of the next program
	runLimit     time.Duration
	tally
}

// tally is what one turn did.
type tally struct {
	compared, differ, overLimit int
	lines                       int // of programs that were compared
	cpu                         time.Duration
}

// errLimit is the end of a step that took too long.
var errLimit = errors.New("over the limit")

// turn works for d, and then on to the end of the program at hand.
func (c *csmith) turn(ctx context.Context, d time.Duration, w io.Writer) error {
	c.tally = tally{}
	for start := time.Now(); time.Since(start) < d || c.compared == 0; {
		if err := c.program(ctx); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "Benchmark%s %d %.4f %s %.1f %s %d %s %d %s %d %s\n", CsmithName, c.compared, float64(c.compared)/max(c.cpu.Seconds(), 1e-6), ProgramsUnit,
		float64(c.lines)/float64(c.compared), LinesUnit, c.overLimit, LimitUnit, c.differ, DiffersUnit, c.compared, ComparedUnit)
	return err
}

// program makes one program and compares its outputs. An ending by a signal is an output too.
func (c *csmith) program(ctx context.Context) error {
	source := filepath.Join(c.dir, "program.c")
	seed := strconv.FormatUint(c.seed%(1<<32), 10) // Csmith's seeds have 32 bits
	c.seed++
	if _, err := c.step(ctx, compileLimit, "csmith", "--seed", seed, "-o", source); err != nil {
		return fmt.Errorf("csmith --seed %s: %w", seed, err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	var outputs []string
	for _, level := range levels {
		exe := filepath.Join(c.dir, "program"+level)
		_, err := c.step(ctx, compileLimit, "gcc", "-w", level, "-I", c.include, source, "-o", exe)
		if err == nil {
			var out string
			out, err = c.run(ctx, exe)
			outputs = append(outputs, out)
		}
		if errors.Is(err, errLimit) {
			c.overLimit++
			return nil
		}
		if err != nil {
			return fmt.Errorf("csmith --seed %s, gcc %s: %w", seed, level, err)
		}
	}
	c.compared++
	c.lines += codeLines(string(text))
	if outputs[0] != outputs[1] {
		c.differ++
	}
	return nil
}

// run runs a compiled program; its output ends in how it ended.
func (c *csmith) run(ctx context.Context, exe string) (string, error) {
	limit := c.runLimit
	if limit == 0 {
		limit = runLimit
	}
	out, err := c.step(ctx, limit, exe)
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return out + ended.String(), nil
	}
	return out, err
}

// step runs a process and books its CPU time, with that of the children that it waited for.
func (c *csmith) step(ctx context.Context, limit time.Duration, name string, args ...string) (string, error) {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(bounded, name, args...)
	cmd.Dir = c.dir // csmith leaves a file where it runs
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if p := cmd.ProcessState; p != nil {
		c.cpu += p.UserTime() + p.SystemTime()
	}
	switch {
	case err == nil:
		return stdout.String(), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case bounded.Err() != nil:
		return "", errLimit
	}
	first, _, _ := strings.Cut(stderr.String(), "\n")
	return stdout.String(), fmt.Errorf("%w: %s", err, first)
}

// codeLines counts the lines that hold more than a comment, as Csmith writes comments: alone on their lines.
func codeLines(text string) int {
	n, inside := 0, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		opens := strings.HasPrefix(line, "/*")
		if line != "" && !inside && (!opens || !strings.HasSuffix(line, "*/") && strings.Contains(line, "*/")) {
			n++
		}
		if opens {
			inside = true
		}
		if strings.Contains(line, "*/") {
			inside = false
		}
	}
	return n
}
