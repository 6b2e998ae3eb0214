// Package compiler compiles Rok programs.
//
// In: a source file. Out: machine code with everything that led to it (Compile), or the checked tree alone (Check).
// A program's faults are a *DiagnosticsError; a fault of the compiler is an *InternalError, never mistaken for the former.
// Invariants: there is no state outside a call, so any number may run at once; the same source and options give the same
// bytes.
package compiler

import (
	"errors"
	"fmt"
	"io"

	"rokrig/compiler/core"
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/compiler/x64"
)

// Options says how a program is compiled. The zero value is the ordinary compile.
type Options struct {
	Mutant *mutant.Plan // the deliberate bug that is on; nil for none
	// Verify runs the verifier behind every stage. With a mutant on, that of the machine code is left out, so that the bug
	// reaches what runs, unless VerifyMutant is set too.
	Verify       bool
	VerifyMutant bool
	Debug        bool   // line information in the text
	SymbolPrefix string // of every symbol and section, so that many programs fit into one assembler file
	Dumps        []Dump // what is written to DumpTo on the way
	DumpTo       io.Writer
	StopAfter    Stage   // NoStage: go to the end
	Memory       *Memory // where trees, core and instructions are made; nil: in a new one
}

// Memory is where a compile makes its trees, its core and its instructions. Who compiles many programs one after another
// gives all of them one Memory and resets it in between, when nothing of their results is looked at any more. The zero
// Memory is ready for use.
type Memory struct {
	syntax syntax.Memory
	types  types.Memory
	core   core.Memory
	code   x64.Memory
}

// Reset takes back all that was made in m: nothing of it may be touched after that.
func (m *Memory) Reset() {
	m.syntax.Reset()
	m.types.Reset()
	m.core.Reset()
	m.code.Reset()
}

// Result is what a compile made, as far as it went.
type Result struct {
	Diagnostics *source.Diagnostics // warnings only
	Tree        *syntax.File
	Checked     *types.Program
	Core        *core.Module
	Code        *x64.Program
	Text        []byte // GNU as text
}

// Compile compiles a program. Errors: *DiagnosticsError for what is wrong with the program, *InternalError for a fault of
// the compiler, *NoFunctionError for a dump of a function that does not exist, and what writing the dumps fails with. The result is never nil and holds what was made before the error.
func Compile(src *source.File, opts Options) (*Result, error) {
	c := newCompile(src, opts)
	err := c.run(c.scan, c.parse, c.check, c.lower, c.emit, c.print)
	return c.result, err
}

// Check parses and checks a program. Errors are those of Compile.
func Check(src *source.File, opts Options) (*Result, error) {
	c := newCompile(src, opts)
	err := c.run(c.scan, c.parse, c.check)
	return c.result, err
}

// CompileChecked compiles a program that Check has let pass, which it leaves as it is. Errors are those of Compile.
func CompileChecked(p *types.Program, opts Options) (*Result, error) {
	c := newCompile(p.Source, opts)
	c.result.Checked = p
	err := c.run(c.lower, c.emit, c.print)
	return c.result, err
}

// compile is one compile under way.
type compile struct {
	src    *source.File
	opts   Options
	stage  Stage
	result *Result
}

func newCompile(src *source.File, opts Options) *compile {
	if opts.Memory == nil {
		opts.Memory = &Memory{}
	}
	return &compile{src: src, opts: opts, result: &Result{Diagnostics: &source.Diagnostics{File: src}}}
}

// run runs stages in order until one fails or the last one asked for is done. It is the one place that catches a panic of
// the compiler.
func (c *compile) run(stages ...func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = newInternalError(c.stage, fault)
		}
	}()
	for _, stage := range stages {
		if err := stage(); err != nil {
			return err
		}
		if err := c.dump(); err != nil {
			return err
		}
		if c.stage == c.opts.StopAfter {
			break
		}
	}
	return nil
}

// scan is there for its dump: the parser takes its tokens one at a time.
func (c *compile) scan() error {
	c.stage = Tokens
	return nil
}

func (c *compile) parse() error {
	c.stage = Syntax
	c.result.Tree = syntax.Parse(c.src, c.result.Diagnostics, syntax.Options{Mutant: c.opts.Mutant, Memory: &c.opts.Memory.syntax})
	return c.diagnosed()
}

func (c *compile) check() error {
	c.stage = Types
	c.result.Checked = types.Check(c.result.Tree, c.result.Diagnostics, types.Options{Mutant: c.opts.Mutant, Memory: &c.opts.Memory.types})
	return c.diagnosed()
}

// diagnosed ends a compile whose program has errors.
func (c *compile) diagnosed() error {
	if c.result.Diagnostics.HasErrors() {
		return &DiagnosticsError{c.result.Diagnostics}
	}
	return nil
}

func (c *compile) lower() error {
	c.stage = Core
	c.result.Core = core.Lower(c.result.Checked, core.Options{Mutant: c.opts.Mutant, Memory: &c.opts.Memory.core})
	if c.opts.Verify {
		c.mustHold(errors.Join(core.Verify(c.result.Core)...))
	}
	return nil
}

func (c *compile) emit() error {
	c.stage = X64
	c.result.Code = x64.Emit(c.result.Core, x64.Options{Mutant: c.opts.Mutant, Memory: &c.opts.Memory.code})
	if c.opts.Verify && (c.opts.Mutant == nil || c.opts.VerifyMutant) {
		c.mustHold(x64.Verify(c.result.Code))
	}
	return nil
}

func (c *compile) print() error {
	c.stage = Text
	c.result.Text = c.result.Code.AppendText(nil, x64.TextOptions{Prefix: c.opts.SymbolPrefix, Lines: c.opts.Debug})
	return nil
}

// mustHold takes a verifier's verdict: a fault that it found is the compiler's.
func (c *compile) mustHold(err error) {
	if err != nil {
		panic(fmt.Errorf("verifier: %w", err))
	}
}
