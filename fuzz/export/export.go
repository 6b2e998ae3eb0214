// Package export writes what a compiler engineer needs to look at a program without the rig: sources, assembler text with
// lines, the runtime, a Makefile and a gdb script.
//
// In: a program, the configuration to build it like, and the deliberate bug that is on, if any. Out: a directory.
// Invariants: the directory is there whole or not at all, and never over something that is there already; it needs make, a C
// compiler and nothing of the rig; what it expects is what the reference interpreter shows.
package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"rokrig/fuzz/subject"
	"rokrig/internal/version"
	"rokrig/oracle/outcome"
	"rokrig/runtime/abi"
	"rokrig/runtime/runner"
)

// Name is the program's file in the directory; messages of the program name it so.
const Name = "case.rok"

// Options say what is exported.
type Options struct {
	Text      string
	Config    subject.Config // how it is built; the program is always linked by gcc
	Mutant    string         // the deliberate bug that is on; ""
	Signature string         // of the finding that the program is from; ""
}

// ErrNotCompiled is the error for programs of which there is no machine code.
var ErrNotCompiled = errors.New("there is no machine code to export")

// ErrExists is the error for a directory in which something is already.
var ErrExists = errors.New("something is there already")

// Result says what was exported.
type Result struct {
	Directory string   `json:"directory"`
	Files     []string `json:"files"` // relative to Directory, sorted
	Expected  string   `json:"expected"`
	Shows     string   `json:"shows"` // on the configuration
}

// content is what the templates of the files speak of.
type content struct {
	Options
	Version          string
	Oracle, Native   outcome.Outcome
	Build            runner.Build
	CFlags, LDFlags  string
	Sources          string
	Environment      string // of the program
	Prints           []string
	Stop             stop // where gdb stops it
	Expects, Shows   string
	AsmFile, RokFile string
}

// Write exports a program to dir. Errors: the program is none, something is in dir, or the environment's.
func Write(ctx context.Context, dir string, o Options) (*Result, error) {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s: %w", dir, ErrExists)
	}
	c, asm, err := run(ctx, o)
	if err != nil {
		return nil, err
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp(parent, ".unfinished-export-")
	if err != nil {
		return nil, err
	}
	names, err := c.write(temp, asm)
	if err == nil {
		err = os.Chmod(temp, 0o755)
	}
	if err == nil {
		err = os.Rename(temp, dir)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	return &Result{dir, names, c.Expects, c.Shows}, nil
}

// run finds out what the program should show and what it shows, and compiles it.
func run(ctx context.Context, o Options) (c *content, asm string, err error) {
	lab, err := subject.NewLab(subject.LabOptions{Mutant: o.Mutant})
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, lab.Close()) }()
	k := &subject.Case{Name: Name, Text: o.Text}
	lab.Interpret(k)
	if k.Checked == nil {
		return nil, "", fmt.Errorf("%w: %s%s", ErrNotCompiled, k.Oracle.Line, k.Oracle.Detail)
	}
	if asm = lab.Asm(k); asm == "" {
		return nil, "", fmt.Errorf("%w: the compiler breaks down", ErrNotCompiled)
	}
	if err := lab.Compare(ctx, []*subject.Case{k}, []subject.Config{o.Config}); err != nil {
		return nil, "", err
	}
	c, err = newContent(o, k.Oracle, k.Runs[0].Outcome)
	return c, asm, err
}

func newContent(o Options, oracle, native outcome.Outcome) (*content, error) {
	c := &content{Options: o, Version: version.Revision(), Oracle: oracle, Native: native, Build: runner.Build(o.Config.Build()),
		AsmFile: "case.s", RokFile: Name, Expects: describe(oracle), Shows: describe(native)}
	if _, err := abi.ParseMutant(o.Mutant); o.Mutant != "" && err == nil {
		c.Build, c.Environment = runner.MutantBld, "ROK_MUTANT="+o.Mutant
	}
	sources, err := runner.ExecutableSources()
	if err != nil {
		return nil, err
	}
	c.CFlags = strings.Join(runner.CompileFlags(c.Build), " ")
	c.LDFlags = strings.Join(runner.LinkFlags, " ")
	c.Sources = "runtime/" + strings.Join(sources, " runtime/")
	for _, e := range abi.EntryPoints {
		if strings.Contains(e.Name, "_print_") {
			c.Prints = append(c.Prints, e.Name)
		}
	}
	c.Stop = stopOf(native.Kind)
	return c, nil
}

// stop is the place that is worth looking at in a debugger.
type stop string

const (
	atPanic  stop = "it panics"
	atSignal stop = "the signal comes"
	atEnd    stop = "the runtime ends it"
	atPrint  stop = "it prints first"
)

func stopOf(k outcome.Kind) stop {
	switch k {
	case outcome.Panic:
		return atPanic
	case outcome.Crash, outcome.OutOfStack:
		return atSignal
	case outcome.Broken, outcome.Misaligned:
		return atEnd
	}
	return atPrint
}

func describe(o outcome.Outcome) string {
	return strings.TrimSpace(fmt.Sprintf("%s, status %d %s", o.Kind, o.Status, o.Line))
}

// write fills the directory and returns the names of its files.
func (c *content) write(dir, asm string) ([]string, error) {
	if err := writeRuntime(filepath.Join(dir, "runtime")); err != nil {
		return nil, err
	}
	line := c.Oracle.Line
	if line != "" {
		line += "\n"
	}
	files := map[string][]byte{
		Name: []byte(c.Text), c.AsmFile: []byte(asm), "expected.out": c.Oracle.Stdout, "expected.err": []byte(line),
		"expected.status": fmt.Appendln(nil, c.Oracle.Status),
	}
	for name, t := range map[string]*template.Template{"Makefile": makefile, "case.gdb": gdbScript, "README.md": readme} {
		var b bytes.Buffer
		if err := t.Execute(&b, c); err != nil {
			return nil, err
		}
		files[name] = b.Bytes()
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return nil, err
		}
	}
	names, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	for i, n := range names {
		names[i] = "runtime/" + filepath.Base(n)
	}
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, err
}

// writeRuntime writes the runtime's sources without those of the rig's runner.
func writeRuntime(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := runner.WriteSources(dir); err != nil {
		return err
	}
	wanted, err := runner.ExecutableSources()
	if err != nil {
		return err
	}
	all, err := filepath.Glob(filepath.Join(dir, "*.c"))
	if err != nil {
		return err
	}
	for _, path := range all {
		if !slices.Contains(wanted, filepath.Base(path)) {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return nil
}
