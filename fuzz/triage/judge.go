package triage

import (
	"context"
	"fmt"
	"strings"

	"rokrig/fuzz/subject"
	"rokrig/internal/version"
	"rokrig/oracle/outcome"
)

// pollDifference is the difference of a run that polled more or less often than the oracle entered functions and took
// back edges.
const pollDifference outcome.DifferenceKind = "polls"

// Judge compares a run with the oracle.
func Judge(c *subject.Case, r subject.Run) outcome.Verdict {
	v := outcome.Compare(c.Oracle, r.Outcome)
	if v.Class == outcome.Same && r.Polls >= 0 && r.Polls != c.Polls {
		return outcome.Verdict{Class: outcome.Different, Difference: outcome.Difference{
			Kind: pollDifference, First: "count",
			Oracle: fmt.Sprintf("%d function entries and back edges", c.Polls), Native: fmt.Sprintf("%d polls", r.Polls)}}
	}
	return v
}

// Examine judges all runs of a case. It returns the finding, or nil, and the reason why nothing could be compared, or "".
// The finding is not yet confirmed.
func Examine(c *subject.Case) (f *Finding, wasted string) {
	if c.Oracle.Kind.IsFault() || c.Oracle.Kind == outcome.Rejected {
		return oracleFinding(c), ""
	}
	var first outcome.Difference
	for _, r := range c.Runs {
		switch v := Judge(c, r); v.Class {
		case outcome.Wasted:
			wasted = v.Reason
		case outcome.Different:
			if f == nil {
				f, first = newFinding(c, Difference), v.Difference
			}
			f.Configs = append(f.Configs, r.Config.String())
		}
	}
	if f == nil {
		return nil, wasted
	}
	f.OracleSays, f.NativeSays, f.Line = first.Oracle, first.Native, first.Line
	f.Seal(scope(f, c) + first.Signature())
	return f, ""
}

// everyConfig stands in a signature where every configuration disagrees.
const everyConfig = "every configuration: "

// scope tells whether every configuration disagrees. Which ones ran changes from batch to batch, so a bug that all of
// them show must not get a bucket for each set of them: then the set is left out of the signature.
func scope(f *Finding, c *subject.Case) string {
	if len(f.Configs) == len(c.Runs) {
		return everyConfig
	}
	return strings.Join(f.Configs, " ") + ": "
}

// oracleFinding is the finding of a valid program that did not get as far as a comparison.
func oracleFinding(c *subject.Case) *Finding {
	kind := OracleFault
	if c.Oracle.Kind == outcome.Rejected {
		kind = RejectedValid
	}
	f := newFinding(c, kind)
	f.OracleSays, f.NativeSays = c.Oracle.Line+c.Oracle.Detail, "a valid program"
	said := c.Oracle.Line
	if at := strings.Index(said, "error: "); at >= 0 {
		said = said[at:]
	}
	firstLine, _, _ := strings.Cut(said+c.Oracle.Detail, "\n")
	f.Seal(outcome.Normalise(firstLine))
	return f
}

// endingFinding is the finding of a program that ended otherwise than its generator knew it would: a value known by
// construction was another one, for interpreter and compiler alike.
func endingFinding(c *subject.Case, want string) *Finding {
	f := newFinding(c, Assertion)
	f.OracleSays, f.NativeSays = describe(c.Oracle), "by construction: "+want
	message, _, _ := strings.Cut(c.Oracle.Line, " at ")
	f.Seal(outcome.Normalise(c.Oracle.Kind.String() + " " + message + ", not " + want))
	return f
}

func describe(o outcome.Outcome) string { return strings.TrimSpace(o.Kind.String() + " " + o.Line) }

// CompareVariant compares what a program and a variant of it showed. A panic's place moves with the text.
func CompareVariant(original, variant outcome.Outcome) outcome.Verdict {
	original.Line, variant.Line = withoutPlace(original.Line), withoutPlace(variant.Line)
	return outcome.Compare(original, variant)
}

func withoutPlace(line string) string {
	if at := strings.LastIndex(line, " at "); at >= 0 && strings.HasPrefix(line, "panic: ") {
		return line[:at]
	}
	return line
}

// MetamorphicFinding is the finding of a variant, made by rules that keep a program's meaning, that the oracle does not run
// like its original.
func MetamorphicFinding(c, original *subject.Case, rules []string, d outcome.Difference) *Finding {
	f := newFinding(c, Metamorphic)
	f.OracleSays, f.NativeSays = "the original: "+d.Oracle, "the variant: "+d.Native
	f.Rules, f.Before = rules, original.Text
	f.Seal(outcome.Normalise(d.Signature()))
	return f
}

// acceptedFinding is the finding of a program broken on purpose that was not rejected at its place.
func acceptedFinding(c *subject.Case, want, detail string) *Finding {
	f := newFinding(c, AcceptedInvalid)
	f.OracleSays, f.NativeSays = describe(c.Oracle), want
	f.Seal(detail)
	return f
}

func newFinding(c *subject.Case, kind Kind) *Finding {
	f := &Finding{Kind: kind, Oracle: NewOutcome(c.Oracle), Source: c.Text, Runs: []Run{}, Configs: []string{},
		Versions: map[string]string{"rokrig": version.Revision()}}
	for _, r := range c.Runs {
		f.Runs = append(f.Runs, Run{Config: r.Config.String(), Outcome: NewOutcome(r.Outcome)})
	}
	return f
}

// confirmations is how many fresh runs confirm the first finding of a bucket.
const confirmations = 3

// Confirm repeats the first disagreeing run of a finding in fresh processes and counts how often it disagrees again.
func Confirm(ctx context.Context, lab *subject.Lab, c *subject.Case, f *Finding) error {
	f.Tries = confirmations
	if len(f.Configs) == 0 {
		again := *c
		for range f.Tries {
			again.Checked = nil
			lab.Interpret(&again)
			if again.Oracle.Kind == c.Oracle.Kind && again.Oracle.Line == c.Oracle.Line {
				f.Shown++
			}
		}
		return nil
	}
	cfg, err := subject.Parse(f.Configs[0])
	if err != nil {
		return err
	}
	for range f.Tries {
		r, err := lab.Confirm(ctx, c, cfg)
		if err != nil {
			return err
		}
		if Judge(c, r).Class == outcome.Different {
			f.Shown++
		}
	}
	return nil
}
