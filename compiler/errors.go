package compiler

import (
	"fmt"
	"runtime/debug"

	"rokrig/compiler/source"
)

// DiagnosticsError says that a program is wrong.
type DiagnosticsError struct{ Diagnostics *source.Diagnostics }

// Error returns the first error; Diagnostics holds and renders all.
func (e *DiagnosticsError) Error() string {
	errs := e.Diagnostics.Errors()
	if len(errs) == 0 {
		return "the program is wrong"
	}
	at := e.Diagnostics.File.Position(errs[0].Span.Start)
	return fmt.Sprintf("%s:%d:%d: error: %s", e.Diagnostics.File.Name, at.Line, at.Col, errs[0].Message)
}

// InternalError is a fault of the compiler itself: a panic in a stage, or what a verifier found behind it.
type InternalError struct {
	Stage Stage
	Func  string // the Rok function at hand, "" if that is not known
	Fault any    // the panic's value
	Stack []byte // of the panicking goroutine
}

// inFunc is what a panic's value may implement to name the function at hand.
type inFunc interface {
	InFunc() (name string, fault any, stack []byte)
}

func newInternalError(stage Stage, fault any) *InternalError {
	e := &InternalError{Stage: stage, Fault: fault}
	if in, ok := fault.(inFunc); ok {
		e.Func, e.Fault, e.Stack = in.InFunc()
	} else {
		e.Stack = debug.Stack()
	}
	return e
}

func (e *InternalError) Error() string {
	in := ""
	if e.Func != "" {
		in = " in function " + e.Func
	}
	return fmt.Sprintf("the compiler broke down at stage %s%s: %v", e.Stage, in, e.Fault)
}

// Unwrap returns the panic's value if it is an error.
func (e *InternalError) Unwrap() error {
	err, _ := e.Fault.(error)
	return err
}
