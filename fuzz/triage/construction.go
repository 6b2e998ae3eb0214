package triage

import (
	"fmt"
	"strings"

	"rokrig/fuzz/gen"
	"rokrig/fuzz/subject"
	"rokrig/oracle/outcome"
)

// ExamineEnding runs a generated program on the oracle and returns what JudgeEnding finds.
func ExamineEnding(lab *subject.Lab, c *subject.Case, program *gen.Result) *Finding {
	if lab.CheckBriefly(c) {
		lab.Execute(c)
	}
	return JudgeEnding(c, program)
}

// JudgeEnding compares how the oracle ended a generated program with how it was made to end. It returns the finding, not
// yet confirmed: that it was rejected, that the oracle broke down, or that it ended otherwise; nil if all is well or a
// resource cut the run off.
func JudgeEnding(c *subject.Case, program *gen.Result) *Finding {
	switch {
	case c.Oracle.Kind.IsFault() || c.Oracle.Kind == outcome.Rejected:
		f, _ := Examine(c)
		return f
	case c.Oracle.Kind.IsResource() || program.Unplanned(c.Oracle) == "":
		return nil
	}
	return endingFinding(c, plannedEnding(program.Panic))
}

// plannedEnding names the ending that a generator put into a program: a panic's message, or "" for a normal end.
func plannedEnding(message string) string {
	if message == "" {
		return "value"
	}
	return "panic " + message
}

// ExamineRejection runs the front end on a program broken on purpose. It returns nil if that is rejected at its place.
func ExamineRejection(lab *subject.Lab, c *subject.Case, broken *gen.Reject) *Finding {
	accepted := lab.CheckBriefly(c)
	at := fmt.Sprintf("%s:%d:", c.Name, broken.Line)
	want := fmt.Sprintf("an error at %s that says %q", at, broken.Message)
	switch {
	case accepted:
		return acceptedFinding(c, want, broken.Rule+": accepted")
	case c.Oracle.Kind != outcome.Rejected:
		f, _ := Examine(c)
		return f
	case !strings.HasPrefix(c.Oracle.Line, at) || !strings.Contains(c.Oracle.Line, broken.Message):
		return acceptedFinding(c, want, broken.Rule+": rejected otherwise")
	}
	return nil
}
