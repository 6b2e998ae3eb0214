package outcome

import (
	"bytes"
	"fmt"
)

// Class is the sort of a verdict.
type Class uint8

// The classes of verdicts.
const (
	Same      Class = iota // compared and equal
	Wasted                 // nothing, or only a prefix, could be compared
	Different              // a finding
)

func (c Class) String() string { return [...]string{"same", "wasted", "different"}[c] }

// Verdict is the result of comparing two outcomes.
type Verdict struct {
	Class      Class
	Reason     string     // why a Wasted comparison says nothing
	Difference Difference // of a Different one
}

// DifferenceKind is the sort of a difference; a part of a finding's signature.
type DifferenceKind string

// The kinds of differences.
const (
	FaultDifference    DifferenceKind = "fault"    // a crash, a broken ABI, a compiler that panicked
	RejectDifference   DifferenceKind = "reject"   // one took the program, the other reported errors
	ResourceDifference DifferenceKind = "resource" // a small program exhausted a native limit
	EndingDifference   DifferenceKind = "ending"   // value, panic and error changed places
	OutputDifference   DifferenceKind = "output"
	MessageDifference  DifferenceKind = "message"  // of a panic or an error
	PositionDifference DifferenceKind = "position" // same message, another place
	StatusDifference   DifferenceKind = "status"
)

// Difference is the first thing in which two outcomes differ.
type Difference struct {
	Kind   DifferenceKind
	First  string // normalised: equal for every program that shows the same bug in the same way
	Line   int    // of an OutputDifference: the line of standard output, from 1
	Oracle string // what the oracle showed there, as it is, cut to a line
	Native string // what the subject showed there
}

// Signature is the difference's part of a finding's signature: its kind and its normalised text.
func (d Difference) Signature() string { return string(d.Kind) + ": " + d.First }

// Compare judges a subject's outcome by the oracle's.
//
// Faults are always findings. Two programs that ran to their own end must agree in ending, output, line and status. A
// cut-off must not hide a bug: if the oracle finished on under a tenth of its limits, exhausting a native limit is a
// finding; otherwise what was printed before the cut-off must be a prefix of what the other printed, and then the
// comparison is wasted.
func Compare(oracle, native Outcome) Verdict {
	switch {
	case oracle.Kind.IsFault():
		return different(faultOf("oracle ", oracle), oracle, native)
	case native.Kind.IsFault():
		return different(faultOf("", native), oracle, native)
	case oracle.Kind == Environment:
		return wasted("environment: " + oracle.Detail)
	case native.Kind == Environment:
		return wasted("environment: " + native.Detail)
	case oracle.Kind == Rejected && native.Kind == Rejected:
		return wasted("rejected by both")
	case oracle.Kind == Rejected || native.Kind == Rejected:
		first := fmt.Sprintf("%s, %s", endingText(oracle), endingText(native))
		return different(Difference{Kind: RejectDifference, First: first}, oracle, native)
	case oracle.Kind.IsResource() || native.Kind.IsResource():
		return compareCutOff(oracle, native)
	}
	return compareFinished(oracle, native)
}

func wasted(reason string) Verdict { return Verdict{Class: Wasted, Reason: reason} }

// different completes d by what both showed, unless it says so itself.
func different(d Difference, oracle, native Outcome) Verdict {
	if d.Oracle == "" && d.Native == "" {
		d.Oracle, d.Native = shownEnding(oracle), shownEnding(native)
	}
	return Verdict{Class: Different, Difference: d}
}

func faultOf(who string, o Outcome) Difference {
	return Difference{Kind: FaultDifference, First: who + o.Kind.String() + ": " + Normalise(o.Detail)}
}

// compareCutOff compares when at least one of the two hit a limit.
func compareCutOff(oracle, native Outcome) Verdict {
	if oracle.Kind.IsFinished() && oracle.Usage.isSmall() {
		return different(Difference{Kind: ResourceDifference, First: native.Kind.String()}, oracle, native)
	}
	if d, ok := cutOutput(oracle, native); !ok {
		return different(d, oracle, native)
	}
	if native.Kind.IsResource() {
		return wasted(native.Kind.String())
	}
	return wasted("interpreter: " + oracle.Kind.String())
}

// cutOutput checks that a cut-off output is a prefix of the other one.
func cutOutput(oracle, native Outcome) (Difference, bool) {
	a, b := oracle.Stdout, native.Stdout
	switch {
	case oracle.Kind.IsResource() && native.Kind.IsResource():
		n := min(len(a), len(b))
		a, b = a[:n], b[:n]
	case oracle.Kind.IsResource() && len(b) > len(a):
		b = b[:len(a)]
	case native.Kind.IsResource() && len(a) > len(b):
		a = a[:len(b)]
	}
	if bytes.Equal(a, b) {
		return Difference{}, true
	}
	return outputDifference(a, b), false
}

// compareFinished compares two programs that both ran to their own end.
func compareFinished(oracle, native Outcome) Verdict {
	switch {
	case oracle.Kind != native.Kind:
		first := fmt.Sprintf("%s, %s", endingText(oracle), endingText(native))
		return different(Difference{Kind: EndingDifference, First: first}, oracle, native)
	case !bytes.Equal(oracle.Stdout, native.Stdout):
		return different(outputDifference(oracle.Stdout, native.Stdout), oracle, native)
	case oracle.Line != native.Line:
		return different(lineDifference(oracle.Line, native.Line), oracle, native)
	case oracle.Status != native.Status:
		first := fmt.Sprintf("%d, %d", oracle.Status, native.Status)
		return different(Difference{Kind: StatusDifference, First: first}, oracle, native)
	}
	return Verdict{Class: Same}
}

// lineDifference compares two panic or error lines that are not equal.
func lineDifference(oracle, native string) Difference {
	d := Difference{Kind: MessageDifference, Oracle: cut(oracle), Native: cut(native)}
	a, atA := splitPosition(oracle)
	b, atB := splitPosition(native)
	if a == b && atA != "" && atB != "" {
		d.Kind, d.First = PositionDifference, Normalise(a)
		return d
	}
	d.First = Normalise(a) + ", " + Normalise(b)
	return d
}
