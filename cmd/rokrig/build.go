package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"rokrig/compiler"
	"rokrig/compiler/link"
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/runtime/runner"
)

// buildFlags is what the command line of `rokrig build` says.
type buildFlags struct {
	out       string
	emit      string
	dumps     []string
	stopAfter string
	runtime   string
	mutant    string
	debug     bool
	verify    bool
}

// buildResult is the documented JSON of `rokrig build --json`.
type buildResult struct {
	Output   string `json:"output"` // the file written; empty if none was
	Kind     string `json:"kind"`   // asm, obj or exe
	Warnings int    `json:"warnings"`
}

// outputs are the kinds of files that build makes, with the endings of their names.
var outputs = map[string]string{"asm": ".s", "obj": ".o", "exe": ""}

func newBuildCommand() *cobra.Command {
	var flags buildFlags
	cmd := &cobra.Command{
		Use:   "build FILE",
		Short: "Compile a program to an executable, an object file or assembler text",
		Long: `Compile a Rok program. FILE "-" is the standard input, and "-o -" writes assembler text to the standard output.
With --dump or --stop-after and neither -o nor --emit, nothing is written but the dumps.
Stages: ` + strings.Join(compiler.Stages(), ", ") + `.`,
		Example: `  rokrig build hello.rok
  rokrig build hello.rok --emit asm -o -
  rokrig build hello.rok --dump=core:fib --dump=x64:fib`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runBuild(cmd, args[0], flags) },
	}
	f := cmd.Flags()
	f.StringVarP(&flags.out, "output", "o", "", "the file to write (default: FILE without .rok)")
	f.StringVar(&flags.emit, "emit", "exe", "what to make: asm, obj or exe")
	f.StringArrayVar(&flags.dumps, "dump", nil, "show what a stage made: STAGE or STAGE:FUNCTION")
	f.StringVar(&flags.stopAfter, "stop-after", "", "the last stage to run")
	f.StringVar(&flags.runtime, "runtime", string(runner.Release), "the runtime to link: release or check")
	f.StringVar(&flags.mutant, "mutant", "", "switch a deliberate bug of the compiler on (see rokrig mutants --list)")
	f.BoolVarP(&flags.debug, "debug", "g", false, "keep line information")
	f.BoolVar(&flags.verify, "verify", false, "run the verifier behind every stage")
	return cmd
}

func runBuild(cmd *cobra.Command, path string, flags buildFlags) error {
	suffix, ok := outputs[flags.emit]
	if !ok {
		return exitWith(statusUsage, fmt.Errorf("--emit=%s: there are asm, obj and exe", flags.emit))
	}
	build, err := parseRuntime(flags.runtime)
	if err != nil {
		return err
	}
	opts, err := flags.options(cmd.OutOrStdout())
	if err != nil {
		return exitWith(statusUsage, err)
	}
	onlyDumps := len(opts.Dumps) > 0 && !cmd.Flags().Changed("output") && !cmd.Flags().Changed("emit")
	if onlyDumps && opts.StopAfter == compiler.NoStage {
		for _, d := range opts.Dumps {
			opts.StopAfter = max(opts.StopAfter, d.Stage)
		}
	}
	src, err := readSource(cmd, path)
	if err != nil {
		return err
	}
	result, err := compiler.Compile(src, opts)
	result.Diagnostics.Render(cmd.ErrOrStderr())
	if err != nil {
		return compileError(cmd, err)
	}
	done := buildResult{Kind: flags.emit, Warnings: len(result.Diagnostics.All())}
	if !onlyDumps && result.Text != nil {
		done.Output = flags.out
		if done.Output == "" {
			if done.Output, err = outputName(path, suffix); err != nil {
				return err
			}
		}
		if err := writeOutput(cmd, result.Text, done, link.ExecutableOptions{Runtime: build, Debug: flags.debug}); err != nil {
			return err
		}
	}
	return show(cmd, done, func(io.Writer) error { return nil })
}

// options are the compiler's, with dumps going to w.
func (f *buildFlags) options(w io.Writer) (compiler.Options, error) {
	opts := compiler.Options{Verify: f.verify, VerifyMutant: f.verify, Debug: f.debug, DumpTo: w}
	for _, text := range f.dumps {
		d, err := compiler.ParseDump(text)
		if err != nil {
			return opts, err
		}
		opts.Dumps = append(opts.Dumps, d)
	}
	var err error
	if f.stopAfter != "" {
		if opts.StopAfter, err = compiler.ParseStage(f.stopAfter); err != nil {
			return opts, err
		}
	}
	if f.mutant != "" {
		opts.Mutant, err = mutant.New(f.mutant)
	}
	return opts, err
}

// parseRuntime finds a build of the runtime that programs may be linked with.
func parseRuntime(name string) (runner.Build, error) {
	switch b := runner.Build(name); b {
	case runner.Release, runner.Check:
		return b, nil
	}
	return "", exitWith(statusUsage, fmt.Errorf("--runtime=%s: there are release and check", name))
}

// readSource reads a program, "-" from the standard input. One that is larger than the compiler takes is not read.
func readSource(cmd *cobra.Command, path string) (*source.File, error) {
	in, name := cmd.InOrStdin(), "stdin"
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, exitWith(statusUsage, err)
		}
		defer f.Close()
		in, name = f, path
	}
	text, err := io.ReadAll(io.LimitReader(in, source.MaxSize+1))
	if err != nil {
		return nil, exitWith(statusUsage, err)
	}
	return source.NewFile(name, string(text)), nil
}

// compileError gives an error of the compiler its exit status. Diagnostics have been printed already; a breakdown of the
// compiler comes with its stack.
func compileError(cmd *cobra.Command, err error) error {
	var diags *compiler.DiagnosticsError
	if errors.As(err, &diags) {
		return exitWith(statusUsage, nil)
	}
	var missing *compiler.NoFunctionError
	if errors.As(err, &missing) {
		return exitWith(statusUsage, err)
	}
	var internal *compiler.InternalError
	if errors.As(err, &internal) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s", internal.Stack)
	}
	return exitWith(statusEnvironment, err)
}

// outputName is the name of the file that comes out of one that goes in.
func outputName(path, suffix string) (string, error) {
	if path == "-" {
		return "a.out" + suffix, nil
	}
	name := strings.TrimSuffix(path, ".rok") + suffix
	if name == path {
		return "", exitWith(statusUsage, fmt.Errorf("%s would be overwritten: name the output with -o", path))
	}
	return name, nil
}

// writeOutput makes the file that was asked for.
func writeOutput(cmd *cobra.Command, text []byte, done buildResult, opts link.ExecutableOptions) error {
	ctx := commandContext(cmd)
	switch {
	case done.Kind == "asm" && done.Output == "-":
		_, err := cmd.OutOrStdout().Write(text)
		return err
	case done.Kind == "asm":
		return os.WriteFile(done.Output, text, 0o666)
	case done.Kind == "obj":
		return link.Object(ctx, text, done.Output)
	}
	return link.Executable(ctx, text, done.Output, opts)
}

// commandContext is the command's context, also where a test has given none.
func commandContext(cmd *cobra.Command) context.Context {
	if ctx := cmd.Context(); ctx != nil {
		return ctx
	}
	return context.Background()
}
