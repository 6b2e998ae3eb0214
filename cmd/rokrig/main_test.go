package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// execute runs one command line in this process.
func execute(args ...string) (status exitStatus, stdout, stderr string) {
	var out, errs strings.Builder
	status = run(context.Background(), args, strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}

// withCommand adds a subcommand "probe" whose body is given.
func withCommand(t *testing.T, body func(*cobra.Command, []string) error) {
	t.Helper()
	saved := commands
	t.Cleanup(func() { commands = saved })
	commands = append(commands[:len(commands):len(commands)], func() *cobra.Command {
		return &cobra.Command{Use: "probe", Args: cobra.NoArgs, RunE: body}
	})
}

func TestExitStatusOfErrors(t *testing.T) {
	plain := errors.New("disk full")
	for _, c := range []struct {
		name   string
		err    error
		want   exitStatus
		stderr string
	}{
		{"none", nil, statusClean, ""},
		{"without a status", plain, statusEnvironment, "rokrig: disk full\n"},
		{"with one", exitWith(statusFindings, plain), statusFindings, "rokrig: disk full\n"},
		{"silent", exitWith(statusInterrupted, nil), statusInterrupted, ""},
		{"status zero", exitWith(statusClean, plain), statusClean, ""},
		{"wrapped", fmt.Errorf("shard 3: %w", exitWith(statusPanic, plain)), statusPanic, "rokrig: shard 3: disk full\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			withCommand(t, func(*cobra.Command, []string) error { return c.err })
			status, stdout, stderr := execute("probe")
			if status != c.want || stderr != c.stderr || stdout != "" {
				t.Errorf("status %d, stdout %q, stderr %q; want %d, nothing, %q", status, stdout, stderr, c.want, c.stderr)
			}
		})
	}
}

func TestBadUsageHasStatusTwo(t *testing.T) {
	withCommand(t, func(*cobra.Command, []string) error { return nil })
	for _, args := range [][]string{{"nothing-of-that-name"}, {"--no-such-flag"}, {"probe", "--no-such-flag"}, {"probe", "too", "many"}} {
		status, stdout, stderr := execute(args...)
		if status != statusUsage || stdout != "" || !strings.HasPrefix(stderr, "rokrig: ") {
			t.Errorf("%q: status %d, stdout %q, stderr %q", args, status, stdout, stderr)
		}
	}
}

func TestBreakdownHasStatusThree(t *testing.T) {
	withCommand(t, func(*cobra.Command, []string) error { panic("index out of range") })
	status, _, stderr := execute("probe")
	if status != statusEnvironment || !strings.Contains(stderr, "broke down: index out of range") || !strings.Contains(stderr, "main_test.go") {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
}

func TestJSONIsTheLastLine(t *testing.T) {
	withCommand(t, func(cmd *cobra.Command, _ []string) error {
		fmt.Fprintln(cmd.OutOrStdout(), "on the way")
		return show(cmd, map[string]int{"programs": 3}, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, "3 programs")
			return err
		})
	})
	if _, stdout, _ := execute("probe"); stdout != "on the way\n3 programs\n" {
		t.Errorf("as text: %q", stdout)
	}
	if _, stdout, _ := execute("probe", "--json"); stdout != "on the way\n{\"programs\":3}\n" {
		t.Errorf("with --json: %q", stdout)
	}
}

func TestVersion(t *testing.T) {
	status, stdout, _ := execute("version", "--json")
	var build struct{ Revision, Go, Platform string }
	if err := json.Unmarshal([]byte(stdout), &build); err != nil || status != statusClean {
		t.Fatalf("status %d, %v: %q", status, err, stdout)
	}
	if build.Revision == "" || !strings.HasPrefix(build.Go, "go") || !strings.Contains(build.Platform, "/") {
		t.Errorf("version says %+v", build)
	}
}

// Every subcommand can be found in the help, with a line on what it does.
func TestHelpListsEveryCommand(t *testing.T) {
	_, stdout, _ := execute("help")
	for _, newCommand := range commands {
		if cmd := newCommand(); cmd.Short == "" || !strings.Contains(stdout, cmd.Short) {
			t.Errorf("help does not tell what %q does (%q)", cmd.Name(), cmd.Short)
		}
	}
	for _, s := range exitStatuses {
		if !strings.Contains(stdout, s.meaning) {
			t.Errorf("help does not tell exit status %d", s.status)
		}
	}
}
