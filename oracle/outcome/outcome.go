// Package outcome says what a run of a program showed, and when two runs agree.
//
// In: Outcomes, one from the reference interpreter and one from a subject under test. Out: a Verdict and, for a
// difference, the text by which findings of one bug fall into one bucket.
// Invariants: Compare looks at nothing but its arguments, so that a verdict can be repeated from a saved finding; a
// resource outcome never hides a bug (see Compare); the text of a difference holds no number and no name that a program
// drew at random.
package outcome

import (
	"fmt"
	"time"
)

// Kind is how a run ended.
type Kind uint8

// The kinds of endings.
const (
	Value Kind = iota // the end of main
	Panic             // a Rok panic
	Error             // an error left main

	// Resource outcomes: the run was cut off, and Stdout is what came before.
	OutOfFuel   // the interpreter's count of steps
	Timeout     // the clock, or a cancelled run
	OutOfMemory // the heap
	OutOfStack  // call depth or stack size
	OutputLimit // bytes printed

	// Faults of a subject.
	Crash         // a signal that no Rok program can cause
	Misaligned    // a helper was entered with a stack pointer off its boundary
	Broken        // a register or word that the ABI keeps was damaged
	CompilerPanic // a stage of the compiler, or the interpreter, panicked; Detail names it
	Rejected      // diagnostics instead of a program; Line is the first

	Environment // the machine or the rig, not the subject
)

var kindNames = [...]string{
	Value: "value", Panic: "panic", Error: "error", OutOfFuel: "out of fuel", Timeout: "timeout",
	OutOfMemory: "out of memory", OutOfStack: "out of stack", OutputLimit: "output limit", Crash: "crash",
	Misaligned: "misaligned", Broken: "broken ABI", CompilerPanic: "compiler panic", Rejected: "rejected",
	Environment: "environment",
}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// IsFinished reports whether the program ran to an end that its own text decides.
func (k Kind) IsFinished() bool { return k <= Error }

// IsResource reports whether the run was cut off by a limit.
func (k Kind) IsResource() bool { return k >= OutOfFuel && k <= OutputLimit }

// IsFault reports whether no program, however written, may end so.
func (k Kind) IsFault() bool { return k >= Crash && k <= CompilerPanic }

// The exit statuses of a finished program.
const (
	StatusValue = 0
	StatusError = 1
	StatusPanic = 101
)

// Outcome is what one run showed.
type Outcome struct {
	Kind   Kind
	Status int    // exit status; of a Crash the signal's number
	Stdout []byte // everything printed; of a cut-off run, what was printed before
	Line   string // the panic or error line, or the first diagnostic, as on standard error, without its newline
	Detail string // for people: the signal and its address, the stage that panicked, the limit that was hit
	Usage  Usage
}

// Usage is what a run used. The interpreter fills the counts and their limits, native runs the time. A limit of 0
// says nothing.
type Usage struct {
	Steps, MaxSteps   int64 // the interpreter's fuel
	Depth, MaxDepth   int   // calls on the stack at once
	Stack, MaxStack   int   // words of frames and of the interpreter's own stack at once
	Output, MaxOutput int   // bytes printed
	CPU               time.Duration
}

// smallShare is the part of its limits below which a program counts as small: what is that far from the interpreter's
// limits must not exhaust a native run.
const smallShare = 10

// isSmall reports whether fuel and depth stayed under a tenth of their limits. Nothing is claimed without limits.
func (u Usage) isSmall() bool {
	under := func(used, limit int64) bool { return limit == 0 || used < limit/smallShare }
	known := u.MaxSteps > 0 && (u.MaxDepth > 0 || u.MaxStack > 0)
	return known && under(u.Steps, u.MaxSteps) && under(int64(u.Depth), int64(u.MaxDepth)) &&
		under(int64(u.Stack), int64(u.MaxStack))
}
