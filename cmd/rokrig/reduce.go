package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"rokrig/fuzz/corpus"
	"rokrig/fuzz/reduce"
	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
)

// reduceResult is the documented JSON of `rokrig reduce --json`.
type reduceResult struct {
	LinesBefore int     `json:"lines_before"`
	LinesAfter  int     `json:"lines_after"`
	NodesAfter  int     `json:"nodes_after"`
	Seconds     float64 `json:"seconds"`
	Tries       int     `json:"tries"`
	Minimal     bool    `json:"minimal"`
	By          string  `json:"by"` // what was edited: tree or choices
	Signature   string  `json:"signature"`
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
every step. PATH is a .rok file or a finding's directory. A finding that only the generator knows the meaning of (a value
known by construction, a valid program that is rejected, an invalid one that is not) is reduced from its directory, by the
generator's choices. The result is written to --out, or to standard output.`,
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
	res, err := reduceEntry(cmd.Context(), entries[0], filepath.Dir(path), mutant, configs, jobs)
	if err != nil {
		return nil, err
	}
	return &reduceResult{LinesBefore: res.LinesBefore, LinesAfter: res.LinesAfter, NodesAfter: res.NodesAfter, Seconds: res.Elapsed.Seconds(),
		Tries: res.Tries, Minimal: res.Minimal, By: res.By, Signature: res.Signature, Config: res.Config, text: res.Text}, nil
}

// reduceEntry reduces a program, by what its finding in dir says of it if there is one. Whatever cannot be reduced is the
// caller's mistake.
func reduceEntry(ctx context.Context, e corpus.Entry, dir, mutant string, configs []subject.Config, jobs int) (*reduce.Reduced, error) {
	f, err := triage.LoadOriginal(dir)
	var res *reduce.Reduced
	if err == nil && !f.Kind.NeedsTextAlone() {
		f.Mutant = cmp.Or(mutant, f.Mutant)
		res, err = reduce.Find(ctx, f, e.Name, jobs, reduce.Options{})
	} else {
		res, err = reduce.Program(ctx, e.Name, e.Text, mutant, configs, jobs, reduce.Options{})
	}
	if err != nil && ctx.Err() == nil {
		err = exitWith(statusUsage, err)
	}
	return res, err
}

func (r *reduceResult) show(w io.Writer) error {
	if r.Output == "" {
		fmt.Fprint(w, r.text)
	}
	_, err := fmt.Fprintf(w, "// %d lines to %d (%d nodes) by %s in %.1f s, %d tries", r.LinesBefore, r.LinesAfter, r.NodesAfter, r.By, r.Seconds, r.Tries)
	if r.Config != "" {
		fmt.Fprintf(w, ", disagrees on %s", r.Config)
	}
	fmt.Fprintf(w, "\n// %s\n", r.Signature)
	return err
}
