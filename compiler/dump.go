package compiler

import (
	"fmt"
	"io"
	"strings"

	"rokrig/compiler/x64"
)

// Stage is a stage of the pipeline, after which a compile can stop or dump what it has.
type Stage uint8

// The stages in their order.
const (
	NoStage Stage = iota
	Syntax
	Types
	Core
	X64
	Text
)

var stageNames = [...]string{"", "syntax", "types", "core", "x64", "text"}

func (s Stage) String() string { return stageNames[s] }

// Stages returns the names that ParseDump and ParseStage take.
func Stages() []string { return stageNames[1:] }

// ParseStage finds a stage by name.
func ParseStage(name string) (Stage, error) {
	for s := Syntax; int(s) < len(stageNames); s++ {
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
	if named && (stage == Text || fn == "") {
		return Dump{}, fmt.Errorf("--dump=%s: stage %s takes no function", text, stage)
	}
	return Dump{stage, fn}, nil
}

// dumpers write what the stages made; one that is nil has nothing to show.
var dumpers = [...]func(w io.Writer, r *Result, fn string) error{
	X64:  func(w io.Writer, r *Result, fn string) error { return x64.Dump(w, r.Code, fn) },
	Text: func(w io.Writer, r *Result, _ string) error { _, err := w.Write(r.Text); return err },
}

// dump writes what was asked for of the stage that has just ended.
func (c *compile) dump() error {
	for _, d := range c.opts.Dumps {
		if d.Stage != c.stage || dumpers[d.Stage] == nil {
			continue
		}
		if err := dumpers[d.Stage](c.opts.DumpTo, c.result, d.Func); err != nil {
			return fmt.Errorf("dump of stage %s: %w", d.Stage, err)
		}
	}
	return nil
}
