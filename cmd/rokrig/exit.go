package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// exitStatus is the process's exit status; every command uses this one
// convention.
type exitStatus int

const (
	statusClean       exitStatus = 0
	statusFindings    exitStatus = 1
	statusUsage       exitStatus = 2
	statusEnvironment exitStatus = 3
	statusPanic       exitStatus = 101
	statusCannotTest  exitStatus = 125
	statusInterrupted exitStatus = 130
)

var exitStatuses = []struct {
	status  exitStatus
	meaning string
}{
	{statusClean, "clean"},
	{statusFindings, "findings, a lost kill, a failed gate; in run: an error left the program"},
	{statusUsage, "bad usage, or diagnostics for a program"},
	{statusEnvironment, "the rig or its environment is at fault; in build: the compiler broke down"},
	{statusPanic, "in run: the program panicked"},
	{statusCannotTest, "in repro --bisect: this revision cannot be tested"},
	{statusInterrupted, "interrupted, results saved (1 if there are findings)"},
}

func exitStatusHelp() string {
	var b strings.Builder
	for _, s := range exitStatuses {
		fmt.Fprintf(&b, "  %3d  %s\n", s.status, s.meaning)
	}
	return b.String()
}

// exitError carries the exit status from a command to main. Its error may be nil:
// then the command has already said everything, and only the status is left.
type exitError struct {
	status exitStatus
	err    error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// exitWith makes an error that ends the process with status after printing err,
// or silently when err is nil. Status 0 makes no error.
func exitWith(status exitStatus, err error) error {
	if status == statusClean {
		return nil
	}
	return &exitError{status, err}
}

// markRunErrors makes the two sources of errors distinguishable. What a command
// returns without a status is the environment's fault (3); what cobra returns
// before any command ran (unknown command, flag, wrong arguments) has no status
// and is bad usage (2).
func markRunErrors(cmd *cobra.Command) {
	if inner := cmd.RunE; inner != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			err := inner(cmd, args)
			var marked *exitError
			if err == nil || errors.As(err, &marked) {
				return err
			}
			return exitWith(statusEnvironment, err)
		}
	}
	for _, sub := range cmd.Commands() {
		markRunErrors(sub)
	}
}

// reportError prints err, if there is something to print, and returns the status.
func reportError(stderr io.Writer, err error) exitStatus {
	if err == nil {
		return statusClean
	}
	var marked *exitError
	if !errors.As(err, &marked) {
		fmt.Fprintf(stderr, "rokrig: %v\nrokrig: `rokrig help` lists commands and flags\n", err)
		return statusUsage
	}
	if marked.err != nil {
		fmt.Fprintf(stderr, "rokrig: %v\n", err)
	}
	return marked.status
}

// reportPanic prints a breakdown of the rig itself.
func reportPanic(stderr io.Writer, fault any) exitStatus {
	fmt.Fprintf(stderr, "rokrig: broke down: %v\n%s", fault, debug.Stack())
	return statusEnvironment
}
