// Package engine offers the rig to coverage-guided fuzzing engines: go-fuzz, libFuzzer and Go's own.
//
// In: bytes, any at all. They are the choices of the generator (gen.FromBytes), so that what an engine mutates is a program
// that is always well-typed, and one byte changed is one decision changed. Out: whether the input is worth keeping, or a
// Fault: an invariant that does not hold. An engine takes a panic for a crash, so its entry points panic on a fault.
//
// The invariants need no native run, which keeps an execution within about a millisecond and without any tool: the program
// is the same when generated again; the front end accepts it; printing and parsing changes nothing but the layout, not
// even once the printed program is run; it ends as its generator planned, so that no value known by construction is wrong;
// it compiles, past every verifier, and to the same bytes the second time. An engine lives on its rate, so its entry
// points do what has to be done twice for one input in repeatEach only.
package engine

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"rokrig/compiler"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/compiler/x64"
	"rokrig/fuzz/gen"
	"rokrig/oracle/interp"
	"rokrig/oracle/outcome"
)

// repeatEach: of so many inputs an engine's entry point puts one through everything. Which one its bytes decide, so that
// a crash can be replayed.
const repeatEach = 8

// fuel is what the oracle may use, in steps: less than in campaigns, for the sake of the rate.
const fuel = 100_000

// fileName is the program's, in messages.
const fileName = "fuzz.rok"

// Invariant names what is checked.
type Invariant string

// The invariants, in the order in which they are checked.
const (
	Repeatable    Invariant = "generated again, the program is the same"
	Accepted      Invariant = "the front end accepts it"
	Printable     Invariant = "printing and parsing keep the tree"
	EndsAsPlanned Invariant = "it ends as its generator planned"
	PrintKeeps    Invariant = "printed, it does the same"
	Compiles      Invariant = "it compiles, past every verifier"
	Deterministic Invariant = "compiled again, it gives the same bytes"
)

// Fault is an invariant that does not hold for a program. It can only be caused by a bug.
type Fault struct {
	Invariant Invariant
	Detail    string // one line: engines tell crashes apart by it
	Program   string
	Stack     []byte // of a panic, else nil
}

// Error leaves the program out, so that one bug has one text as far as possible.
func (f *Fault) Error() string { return fmt.Sprintf("not true: %s: %s", f.Invariant, f.Detail) }

// trial is one input on its way through the invariants.
type trial struct {
	opts    compiler.Options
	program *gen.Result
	result  *compiler.Result // of the front end
	printed string           // the tree
	outcome outcome.Outcome
	text    []byte      // assembly
	object  *x64.Object // machine code
}

// Check tries every invariant on the program that data stands for. The options are those of the compiles. finished tells
// whether the program ran to its end within the fuel. The error is a *Fault.
func Check(data []byte, opts compiler.Options) (finished bool, err error) {
	return check(data, opts, true)
}

// check is Check, or with repeat false without what generates, runs or compiles a program a second time.
func check(data []byte, opts compiler.Options, repeat bool) (finished bool, err error) {
	t := &trial{opts: opts}
	t.program = gen.Program(gen.FromBytes(data), gen.Options{})
	for _, step := range []struct {
		try    func(*trial) *Fault
		second bool
	}{
		{(*trial).generateAgain, true},
		{(*trial).accept, false},
		{(*trial).print, false},
		{(*trial).run, false},
		{(*trial).runPrinted, true},
		{(*trial).compile, false},
		{(*trial).compileAgain, true},
	} {
		if step.second && !repeat {
			continue
		}
		if f := step.try(t); f != nil {
			f.Program = t.program.Text
			return t.outcome.Kind.IsFinished(), f
		}
	}
	return t.outcome.Kind.IsFinished(), nil
}

func fault(i Invariant, format string, args ...any) *Fault {
	detail, _, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	return &Fault{Invariant: i, Detail: detail}
}

// generateAgain makes the program from the bytes that it says it was made of.
func (t *trial) generateAgain() *Fault {
	again := gen.Program(gen.FromBytes(t.program.Bytes), gen.Options{})
	if again.Text != t.program.Text {
		return fault(Repeatable, "the texts differ from line %d on", differingLine(t.program.Text, again.Text))
	}
	if !bytes.Equal(again.Bytes, t.program.Bytes) {
		return fault(Repeatable, "the choices differ")
	}
	return nil
}

// differingLine is the number, from 1, of the first line in which two texts differ.
func differingLine(a, b string) int {
	line := 1
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			break
		}
		if a[i] == '\n' {
			line++
		}
	}
	return line
}

func (t *trial) accept() *Fault {
	result, err := compiler.Check(source.NewFile(fileName, t.program.Text), t.opts)
	t.result = result
	return brokenDown(Accepted, err)
}

// brokenDown is the fault of a compile that failed, or nil.
func brokenDown(i Invariant, err error) *Fault {
	if err == nil {
		return nil
	}
	f := fault(i, "%v", err)
	var internal *compiler.InternalError
	if errors.As(err, &internal) {
		f.Stack = internal.Stack
	}
	return f
}

// print prints the tree, reads that and prints it again.
func (t *trial) print() *Fault {
	t.printed = syntax.PrintFile(t.result.Tree)
	file := source.NewFile(fileName, t.printed)
	diags := &source.Diagnostics{File: file}
	again := syntax.Parse(file, diags, syntax.Options{Mutant: t.opts.Mutant})
	if diags.HasErrors() {
		return fault(Printable, "%s", diags)
	}
	if second := syntax.PrintFile(again); second != t.printed {
		return fault(Printable, "printed again, line %d differs", differingLine(t.printed, second))
	}
	return nil
}

func (t *trial) run() *Fault {
	t.outcome = interpret(t.result.Checked)
	return t.endsAsPlanned(t.outcome)
}

// runPrinted runs the printed tree. Its layout is another one, so a panic's position may be too.
func (t *trial) runPrinted() *Fault {
	again, err := compiler.Check(source.NewFile(fileName, t.printed), t.opts)
	if err != nil {
		return brokenDown(PrintKeeps, err)
	}
	first, second := t.outcome, interpret(again.Checked)
	if first.Kind != second.Kind || first.Status != second.Status || !bytes.Equal(first.Stdout, second.Stdout) {
		return fault(PrintKeeps, "%s became %s", first.Kind, second.Kind)
	}
	return nil
}

func interpret(p *types.Program) outcome.Outcome {
	return interp.New(p, interp.Options{Fuel: fuel}).Run()
}

// endsAsPlanned compares an outcome with the generator's plan. A failed assertion of a value known by construction is an
// unplanned panic.
func (t *trial) endsAsPlanned(o outcome.Outcome) *Fault {
	planned := t.program.Panic
	switch {
	case o.Kind.IsResource():
		return nil
	case o.Kind == outcome.Value && planned == "":
		return nil
	case o.Kind == outcome.Panic && planned != "" && strings.HasPrefix(o.Line, "panic: "+planned+" at "):
		return nil
	case o.Kind.IsFault():
		f := fault(EndsAsPlanned, "%s", o.Detail)
		f.Stack = []byte(o.Detail)
		return f
	}
	want := "a normal end"
	if planned != "" {
		want = fmt.Sprintf("panic %q", planned)
	}
	message, _, _ := strings.Cut(o.Line, " at ")
	return fault(EndsAsPlanned, "planned was %s, it ended by %s %s", want, o.Kind, message)
}

// compile compiles the checked tree, to text and to machine code.
func (t *trial) compile() *Fault {
	opts := t.opts
	opts.Verify = true
	result, err := compiler.CompileChecked(t.result.Checked, opts)
	if err != nil {
		return brokenDown(Compiles, err)
	}
	t.text, t.object = result.Text, result.Code.Assemble()
	return nil
}

// compileAgain compiles the text, from the start.
func (t *trial) compileAgain() *Fault {
	again, err := compiler.Compile(source.NewFile(fileName, t.program.Text), t.opts)
	if err != nil {
		return brokenDown(Compiles, err)
	}
	if !bytes.Equal(t.text, again.Text) {
		return fault(Deterministic, "line %d of the assembly differs", differingLine(string(t.text), string(again.Text)))
	}
	if !reflect.DeepEqual(t.object, again.Code.Assemble()) {
		return fault(Deterministic, "the machine code differs")
	}
	return nil
}

// Seed returns the choices of program number index of a campaign's seed: a raw input for an engine's corpus.
func Seed(seed, index uint64) []byte {
	return gen.Program(gen.New(gen.ProgramSeed(seed, index)), gen.Options{}).Bytes
}
