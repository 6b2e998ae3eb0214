package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"rokrig/fuzz/corpus"
	"rokrig/fuzz/reduce"
	"rokrig/reports"
)

// reduceResult is the documented JSON of `rokrig reduce --json`.
type reduceResult struct {
	LinesBefore int     `json:"lines_before"`
	LinesAfter  int     `json:"lines_after"`
	NodesAfter  int     `json:"nodes_after"`
	Seconds     float64 `json:"seconds"`
	Tries       int     `json:"tries"`
	Minimal     bool    `json:"minimal"`
	Config      string  `json:"config"`
	Output      string  `json:"output"`
	text        string
}

func newReduceCommand() *cobra.Command {
	var out, mutant string
	var configs []string
	var jobs int
	cmd := &cobra.Command{
		Use:   "reduce PATH",
		Short: "Make the smallest program that still disagrees in the same way",
		Long: `Reduce a program on which a configuration disagrees with the interpreter, keeping the signature of the difference at
every step. PATH is a .rok file or a finding's directory. The result is written to --out, or to standard output.`,
		Example: `  rokrig reduce findings/0a1b2c3d4e --out small.rok
  rokrig reduce case.rok --mutant arith/raw-idiv`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := runReduce(cmd, args[0], mutant, configs, jobs)
			if err != nil {
				return err
			}
			r.Output = out
			if out != "" {
				if err := os.WriteFile(out, []byte(r.text), 0o666); err != nil {
					return err
				}
			}
			return show(cmd, r, r.show)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "write the reduced program here")
	cmd.Flags().StringVar(&mutant, "mutant", "", "switch a deliberate bug on (see rokrig mutants --list)")
	cmd.Flags().StringSliceVar(&configs, "config", nil, "look at these configurations only (see rokrig configs)")
	cmd.Flags().IntVar(&jobs, "jobs", 0, "candidates run at once (default: one per core)")
	return cmd
}

func runReduce(cmd *cobra.Command, path, mutant string, names []string, jobs int) (*reduceResult, error) {
	if info, err := os.Stat(filepath.Join(path, "case.rok")); err == nil && !info.IsDir() {
		path = filepath.Join(path, "case.rok")
	}
	entries, err := corpus.Collect([]string{path})
	if err == nil && len(entries) != 1 {
		err = fmt.Errorf("%s: %d programs; name one", path, len(entries))
	}
	if err != nil {
		return nil, exitWith(statusUsage, err)
	}
	configs, err := parseConfigs(names)
	if err != nil {
		return nil, err
	}
	e := entries[0]
	finder, err := reduce.NewFinder(cmd.Context(), e.Name, e.Text, mutant, configs, jobs)
	if err != nil {
		return nil, exitWith(statusUsage, err)
	}
	line := reports.NewProgress(cmd.ErrOrStderr())
	res, err := reduce.Reduce(cmd.Context(), e.Name, e.Text, finder.Test, reduce.Options{})
	line.Close()
	if err := errors.Join(err, finder.Close()); err != nil {
		return nil, err
	}
	r := &reduceResult{LinesBefore: res.LinesBefore, LinesAfter: res.LinesAfter, NodesAfter: res.NodesAfter,
		Seconds: res.Elapsed.Seconds(), Tries: res.Tries, Minimal: res.Minimal, text: res.Text}
	if cfg, ok := finder.Config(); ok {
		r.Config = cfg.String()
	}
	return r, nil
}

func (r *reduceResult) show(w io.Writer) error {
	if r.Output == "" {
		fmt.Fprint(w, r.text)
	}
	_, err := fmt.Fprintf(w, "// %d lines to %d (%d nodes) in %.1f s, %d tries, disagrees on %s\n", r.LinesBefore, r.LinesAfter, r.NodesAfter, r.Seconds, r.Tries, r.Config)
	return err
}
