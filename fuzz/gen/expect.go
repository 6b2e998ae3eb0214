package gen

import (
	"fmt"
	"strings"

	"rokrig/oracle/outcome"
)

// Unplanned compares how a program ended with how it was made to end, and returns what is wrong, or "". It is an oracle
// of its own: values known by construction are asserted, so that a front end which misreads the program, for compiler
// and interpreter alike, shows as a panic that nobody planned. A run that was cut off by a resource is unplanned too.
func (r *Result) Unplanned(o outcome.Outcome) string {
	switch {
	case o.Kind == outcome.Value && r.Panic == "":
		return ""
	case o.Kind == outcome.Panic && r.Panic != "" && panicMessage(o.Line) == r.Panic:
		return ""
	case r.Panic == "":
		return fmt.Sprintf("the program was made to end normally, but ended with %s %s%s", o.Kind, o.Line, o.Detail)
	}
	return fmt.Sprintf("the program was made to panic with %q, but ended with %s %s%s", r.Panic, o.Kind, o.Line, o.Detail)
}

// panicMessage returns the message in a line `panic: MESSAGE at FILE:LINE:COL`.
func panicMessage(line string) string {
	message := strings.TrimPrefix(line, "panic: ")
	if at := strings.LastIndex(message, " at "); at >= 0 {
		return message[:at]
	}
	return message
}
