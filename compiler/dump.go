package compiler

import (
	"fmt"
	"io"
	"strings"

	"rokrig/compiler/core"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/compiler/x64"
)

// Stage is a stage of the pipeline, after which a compile can stop or dump what it has.
type Stage uint8

// The stages in their order.
const (
	NoStage Stage = iota
	Tokens
	Syntax
	Types
	Core
	X64
	Text
)

var stageNames = [...]string{"", "tokens", "syntax", "types", "core", "x64", "text"}

func (s Stage) String() string { return stageNames[s] }

// Stages returns the names that ParseDump and ParseStage take.
func Stages() []string { return stageNames[1:] }

// ParseStage finds a stage by name.
func ParseStage(name string) (Stage, error) {
	for s := Tokens; int(s) < len(stageNames); s++ {
		if stageNames[s] == name {
			return s, nil
		}
	}
	return NoStage, fmt.Errorf("no stage is named %q; there are %s", name, strings.Join(Stages(), ", "))
}

// Dump asks for what a stage made, of all functions or of one.
type Dump struct {
	Stage Stage
	Func  string // path of the function in the source; "" for everything
}

// ParseDump reads STAGE or STAGE:FUNC.
func ParseDump(text string) (Dump, error) {
	name, fn, named := strings.Cut(text, ":")
	stage, err := ParseStage(name)
	if err != nil {
		return Dump{}, err
	}
	if named && (stage == Tokens || stage == Text || fn == "") {
		return Dump{}, fmt.Errorf("--dump=%s: stage %s takes no function", text, stage)
	}
	return Dump{stage, fn}, nil
}

// dumpers write what the stages made.
var dumpers = [...]func(w io.Writer, r *Result, fn string) error{
	Tokens: func(w io.Writer, r *Result, _ string) error { return syntax.DumpTokens(w, r.Diagnostics.File) },
	Syntax: dumpSyntax,
	Types:  dumpTypes,
	Core:   dumpCore,
	X64:    dumpX64,
	Text:   func(w io.Writer, r *Result, _ string) error { _, err := w.Write(r.Text); return err },
}

// dump writes what was asked for of the stage that has just ended.
func (c *compile) dump() error {
	for _, d := range c.opts.Dumps {
		if d.Stage != c.stage {
			continue
		}
		if err := dumpers[d.Stage](c.opts.DumpTo, c.result, d.Func); err != nil {
			return fmt.Errorf("dump of stage %s: %w", d.Stage, err)
		}
	}
	return nil
}

// NoFunctionError says that a function whose dump was asked for does not exist.
type NoFunctionError struct{ Func string }

func (e *NoFunctionError) Error() string { return fmt.Sprintf("no function is named %q", e.Func) }

// writeDump writes a dump. One of a function that does not exist is empty.
func writeDump(w io.Writer, text, fn string) error {
	if text == "" && fn != "" {
		return &NoFunctionError{fn}
	}
	_, err := io.WriteString(w, text)
	return err
}

func dumpSyntax(w io.Writer, r *Result, fn string) error {
	if fn == "" {
		return writeDump(w, syntax.PrintFile(r.Tree), fn)
	}
	text := ""
	for _, d := range r.Tree.Decls {
		if d, ok := d.(*syntax.FnDecl); ok && d.Name.Name == fn {
			text += syntax.PrintDecl(d) + "\n"
		}
	}
	return writeDump(w, text, fn)
}

func dumpTypes(w io.Writer, r *Result, fn string) error {
	shown := *r.Checked
	if fn != "" {
		shown.Globals, shown.Funcs = nil, nil
		for _, f := range r.Checked.Funcs {
			if f.Name == fn {
				shown.Funcs = append(shown.Funcs, f)
			}
		}
	}
	return writeDump(w, types.Dump(&shown), fn)
}

func dumpCore(w io.Writer, r *Result, fn string) error {
	if fn == "" {
		return writeDump(w, core.Print(r.Core), fn)
	}
	return writeDump(w, core.PrintFunc(r.Core, fn), fn)
}

func dumpX64(w io.Writer, r *Result, fn string) error {
	var text strings.Builder
	if err := x64.Dump(&text, r.Code, fn); err != nil {
		return err
	}
	return writeDump(w, text.String(), fn)
}
