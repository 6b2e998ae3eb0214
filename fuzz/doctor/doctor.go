// Package doctor finds out what this machine can do for the rig, and what it cannot.
//
// In: nothing but the machine. Out: a Report: tools, kernel features and resources, each with what was found and, where it
// is lacking, what to do about it; which configurations run here; and what is not tested, here or by this version.
// Invariants: nothing is taken on trust. A tool is run on a small input and its result looked at, a kernel feature is used
// by a C program the way the runner uses it (probe/probe.c), a configuration runs a program whose output was worked out by
// hand. What could not be tried is reported as not tried, never as there.
package doctor

import (
	"fmt"
	"slices"
	"strings"
)

// Kind sorts the items of a report.
type Kind string

// The kinds of items.
const (
	Tool     Kind = "tool"
	Kernel   Kind = "kernel"
	Resource Kind = "resource"
)

// State is the result of trying an item.
type State string

// The states of items.
const (
	OK       State = "ok"
	Lacking  State = "lacking"
	NotTried State = "not tried" // what trying it needs is lacking itself
)

// Item is one thing that the rig uses, and whether it is there.
type Item struct {
	Name    string `json:"name"`
	Kind    Kind   `json:"kind"`
	State   State  `json:"state"`
	Found   string `json:"found,omitempty"`   // version, size, path: what there is
	Problem string `json:"problem,omitempty"` // why it is lacking or was not tried
	Remedy  string `json:"remedy,omitempty"`  // what to do: a command where one does it
	Package string `json:"package,omitempty"` // the Debian package that Remedy installs
	Purpose string `json:"purpose"`           // what the rig does with it
	Loss    string `json:"loss,omitempty"`    // what goes untested without it
	// Optional items cannot be had on every machine, whatever is installed; the rig works without them.
	Optional bool `json:"optional,omitempty"`
}

// fail marks the item as lacking. Without a problem it changes nothing.
func (i *Item) fail(problem string) {
	if problem != "" {
		i.State, i.Problem = Lacking, problem
	}
}

// Trial says whether a configuration ran a program here.
type Trial struct {
	Config string `json:"configuration"`
	Runs   bool   `json:"runs"`
	Reason string `json:"reason,omitempty"` // why it does not
}

// Report is the result of an examination.
type Report struct {
	Items  []Item  `json:"items"`
	Trials []Trial `json:"configurations"`
}

// DefaultOut is the folder in which campaigns write unless told otherwise.
const DefaultOut = "findings"

// Examine tries everything that a campaign uses. It takes a few seconds the first time, when it builds the runtime, and
// below one later.
func Examine() Report { return examine(DefaultOut, false) }

// ExamineOut tries everything, also what no campaign uses. Campaigns write below the folder out, which need not exist yet.
func ExamineOut(out string) Report { return examine(out, true) }

func examine(out string, beside bool) Report {
	var r Report
	with := scratch{}
	with.open()
	defer with.close()
	r.Items = append(r.Items, examineTools(&with, beside)...)
	r.Items = append(r.Items, examineKernel(&with)...)
	r.Items = append(r.Items, examineResources(out)...)
	r.Trials = tryConfigs()
	return r
}

// AllRun reports whether every configuration runs here.
func (r Report) AllRun() bool {
	for _, t := range r.Trials {
		if !t.Runs {
			return false
		}
	}
	return true
}

// Complete reports whether nothing is lacking but what is optional.
func (r Report) Complete() bool {
	for _, i := range r.Items {
		if i.State != OK && !i.Optional {
			return false
		}
	}
	return r.AllRun()
}

// NotTested lists in sentences what a campaign on this machine leaves untested: configurations that do not run, what is
// not measured, and what this version as a whole does not test yet.
func (r Report) NotTested() []string {
	lines := []string{}
	for _, t := range r.Trials {
		if !t.Runs {
			lines = append(lines, fmt.Sprintf("configuration %s does not run here: %s", t.Config, t.Reason))
		}
	}
	for _, i := range r.Items {
		if i.State != OK && i.Loss != "" {
			lines = append(lines, fmt.Sprintf("%s: %s: %s", i.Name, i.Problem, i.Loss))
		}
	}
	return append(lines, NotYet()...)
}

// Remedies lists what to do about the items that are lacking, each once, in the order of the items. Packages are
// installed by one command, which comes first.
func (r Report) Remedies() []string {
	var packages, lines []string
	for _, i := range r.Items {
		switch {
		case i.State != Lacking || i.Remedy == "":
		case i.Package == "":
			lines = append(lines, i.Name+": "+i.Remedy)
		case !slices.Contains(packages, i.Package):
			packages = append(packages, i.Package)
		}
	}
	if len(packages) > 0 {
		lines = append([]string{installCommand(strings.Join(packages, " "))}, lines...)
	}
	return lines
}
