package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"rokrig/fuzz/doctor"
	"rokrig/reports"
)

// doctorResult is the documented JSON of `rokrig doctor`.
type doctorResult struct {
	doctor.Report
	AllRun    bool     `json:"all_run"`  // every configuration runs
	Complete  bool     `json:"complete"` // nothing is lacking but what is optional
	Remedies  []string `json:"remedies"`
	NotTested []string `json:"not_tested"`
}

func newDoctorCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine has and which configurations run on it",
		Long: `doctor tries every tool, kernel feature and resource that the rig uses, and runs
a program on every configuration. It says what is lacking, what to do about it,
and what therefore goes untested.

The exit status is 0 if every configuration runs and 3 if not. With
ROKRIG_REQUIRE_ALL=1 in the environment it is also 3 if anything at all is
lacking, except what is marked optional: that depends on the machine, and
nothing can be installed to get it.`,
		Example: `  rokrig doctor
  rokrig doctor --json | tail -n 1 | jq .not_tested`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			result := newDoctorResult(doctor.ExamineOut(out))
			if err := show(cmd, result, result.write); err != nil {
				return err
			}
			return exitWith(result.status(os.Getenv("ROKRIG_REQUIRE_ALL") == "1"), nil)
		},
	}
	cmd.Flags().StringVar(&out, "out", doctor.DefaultOut, "the folder in which campaigns are to write")
	return cmd
}

func newDoctorResult(r doctor.Report) *doctorResult {
	result := &doctorResult{Report: r, AllRun: r.AllRun(), Complete: r.Complete(), Remedies: r.Remedies(), NotTested: r.NotTested()}
	if result.Remedies == nil {
		result.Remedies = []string{}
	}
	return result
}

func (r *doctorResult) status(requireAll bool) exitStatus {
	if !r.AllRun || requireAll && !r.Complete {
		return statusEnvironment
	}
	return statusClean
}

// write shows the result as two tables and two lists.
func (r *doctorResult) write(w io.Writer) error {
	items := reports.Table{Columns: []reports.Column{{Name: "what"}, {Name: "state"}, {Name: "found"}, {Name: "used for"}}}
	for _, i := range r.Items {
		state := string(i.State)
		if i.Optional && i.State != doctor.OK {
			state += " (optional)"
		}
		found := i.Found
		if i.State != doctor.OK {
			found = i.Problem
		}
		items.Rows = append(items.Rows, []string{i.Name, state, found, i.Purpose})
	}
	configs := reports.Table{Columns: []reports.Column{{Name: "configuration"}, {Name: "runs here"}}}
	for _, t := range r.Trials {
		runs := "yes"
		if !t.Runs {
			runs = "no: " + t.Reason
		}
		configs.Rows = append(configs.Rows, []string{t.Config, runs})
	}
	if err := items.Terminal(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := configs.Terminal(w); err != nil {
		return err
	}
	for _, list := range []struct {
		title string
		lines []string
	}{{"To do:", r.Remedies}, {"Not tested:", r.NotTested}} {
		if len(list.lines) > 0 {
			fmt.Fprintf(w, "\n%s\n  %s\n", list.title, strings.Join(list.lines, "\n  "))
		}
	}
	return nil
}
