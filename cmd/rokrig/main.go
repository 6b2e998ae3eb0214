// Command rokrig compiles Rok programs and looks for bugs in Rok compilers.
//
// Each subcommand stands in a file of its own: it reads its flags, calls a plain
// function of another package and shows the result. This is the only package
// that knows cobra.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"rokrig/reports"
)

// commands lists the subcommands in the order in which help shows them.
var commands = []func() *cobra.Command{
	newFuzzCommand,
	newReproCommand,
	newReduceCommand,
	newKnownCommand,
	newExportCommand,
	newMutantsCommand,
	newBuildCommand,
	newRunCommand,
	newGenCommand,
	newBenchCommand,
	newCompareCommand,
	newConfigsCommand,
	newDoctorCommand,
	newVersionCommand,
}

// gcPercent lets the heap grow to this many percent of what is live before Go collects. The rig makes many short-lived
// trees and keeps little, so that the default of 100 collects far too often; GOGC overrides it.
const gcPercent = 800

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	// The first interrupt asks the command to save what it has and stop; after
	// stop() the second one ends the process at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	os.Exit(int(status))
}

// run executes one command line and returns its exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (status exitStatus) {
	defer func() {
		// The Go runtime would end with status 2, which means bad usage here.
		if fault := recover(); fault != nil {
			status = reportPanic(stderr, fault)
		}
	}()
	root := newRootCommand(commands)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return reportError(stderr, root.ExecuteContext(ctx))
}

func newRootCommand(subcommands []func() *cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:   "rokrig",
		Short: "Compile Rok programs, and find the bugs of Rok compilers",
		Long: `rokrig compiles Rok programs, and finds the bugs of Rok compilers.

Exit status:
` + exitStatusHelp(),
		SilenceErrors: true, // reportError prints them, in one place
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.PersistentFlags().Bool("json", false, "print one JSON object as the last line of standard output")
	cobra.EnableCommandSorting = false
	for _, newCommand := range subcommands {
		root.AddCommand(newCommand())
	}
	markRunErrors(root)
	return root
}

// wantsJSON reports whether --json was given.
func wantsJSON(cmd *cobra.Command) bool {
	on, err := cmd.Flags().GetBool("json")
	return err == nil && on
}

// show ends a command's output: with --json by result as one JSON line, else by
// what the text function writes.
func show(cmd *cobra.Command, result any, text func(io.Writer) error) error {
	if wantsJSON(cmd) {
		return reports.JSON(cmd.OutOrStdout(), result)
	}
	return text(cmd.OutOrStdout())
}
