package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"rokrig/fuzz/mutants"
	"rokrig/reports"
)

// mutantsFlags is what the command line of `rokrig mutants` says.
type mutantsFlags struct {
	list   bool
	all    bool
	sample int
	only   []string
	seed   uint64
	each   time.Duration
	jobs   int
	out    string
	reduce int
}

// mutantsResult is the documented JSON of `rokrig mutants --json`.
type mutantsResult struct {
	Total     int                       `json:"total"`
	Killed    int                       `json:"killed"`
	Survived  int                       `json:"survived"`
	Unreached int                       `json:"unreached"`
	Mutants   map[string]mutants.Result `json:"mutants"`
	rows      []mutants.Result
}

func newMutantsCommand() *cobra.Command {
	var f mutantsFlags
	cmd := &cobra.Command{
		Use:   "mutants",
		Short: "Switch on deliberate bugs and show which check kills each",
		Long: `Switch on one deliberate bug at a time, in the front end, the compiler, the interpreter or the runtime, and let a
campaign of fresh programs look for it. Killed says which check saw it and after how many programs; survived is a hole in a
check; unreached is a hole in the generator. Exit status 1 unless all are killed.`,
		Example: `  rokrig mutants --all
  rokrig mutants --only arith/raw-idiv,align/no-pad
  rokrig mutants --sample 8 --seed 3
  rokrig mutants --reduce=2 --each 10s`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMutants(cmd, f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.list, "list", false, "list the catalogue and stop")
	flags.BoolVar(&f.all, "all", false, "try every mutant (the default)")
	flags.IntVar(&f.sample, "sample", 0, "try so many, drawn by --seed")
	flags.StringSliceVar(&f.only, "only", nil, "try these")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the programs and of the sample")
	flags.DurationVar(&f.each, "each", time.Minute, "how long to look for one mutant")
	flags.IntVar(&f.jobs, "jobs", 0, "worker threads (default: one per core)")
	flags.StringVar(&f.out, "out", "", "keep the findings that killed in this directory")
	flags.IntVar(&f.reduce, "reduce", 0, "reduce so many findings of each (=1), of --seed and the seeds behind it, and look whether they are still the same")
	flags.Lookup("reduce").NoOptDefVal = "1"
	cmd.MarkFlagsMutuallyExclusive("list", "all", "sample", "only")
	return cmd
}

func runMutants(cmd *cobra.Command, f mutantsFlags) error {
	if f.list {
		return showCatalogue(cmd)
	}
	names := f.only
	for _, name := range names {
		if _, err := mutants.Lookup(name); err != nil {
			return exitWith(statusUsage, err)
		}
	}
	if f.sample < 0 || f.each <= 0 || f.jobs < 0 || f.reduce < 0 {
		return exitWith(statusUsage, fmt.Errorf("--sample, --each, --jobs and --reduce take positive values"))
	}
	if f.sample > 0 {
		names = mutants.Sample(f.sample, f.seed)
	}
	line := reports.NewProgress(cmd.ErrOrStderr())
	killed := 0
	start := time.Now()
	rows, err := mutants.Run(cmd.Context(), mutants.Options{Names: names, Seed: f.seed, For: f.each, Jobs: f.jobs, Dir: f.out, Reduce: f.reduce,
		Before: func(i, n int, name string) { line.Update(mutantProgress(i, n, killed, name, start)) },
		After: func(r mutants.Result) {
			if r.Verdict == mutants.Killed {
				killed++
			} else {
				line.Printf("%s %s after %d programs", r.Name, r.Verdict, r.Programs)
			}
		}})
	line.Close()
	result := newMutantsResult(rows)
	if shown := show(cmd, result, result.text); err == nil {
		err = shown
	}
	switch {
	case err != nil:
		return err
	case result.Killed < result.Total:
		return exitWith(statusFindings, nil)
	case cmd.Context().Err() != nil:
		return exitWith(statusInterrupted, nil)
	}
	return nil
}

func mutantProgress(i, n, killed int, name string, start time.Time) string {
	text := fmt.Sprintf("mutant %d of %d, %d killed: %s", i+1, n, killed, name)
	if i > 0 {
		left := time.Since(start) / time.Duration(i) * time.Duration(n-i)
		text += fmt.Sprintf(", about %s left", reports.Duration(left.Round(time.Second)))
	}
	return text
}

func newMutantsResult(rows []mutants.Result) *mutantsResult {
	r := &mutantsResult{Total: len(rows), Mutants: map[string]mutants.Result{}, rows: rows}
	for _, m := range rows {
		r.Mutants[m.Name] = m
		switch m.Verdict {
		case mutants.Killed:
			r.Killed++
		case mutants.Survived:
			r.Survived++
		case mutants.Unreached:
			r.Unreached++
		}
	}
	return r
}

func (r *mutantsResult) text(w io.Writer) error {
	if err := mutantTable(r.rows).Terminal(w); err != nil {
		return err
	}
	if reduced := reductionTable(r.rows); len(reduced.Rows) > 0 {
		fmt.Fprintln(w)
		if err := reduced.Terminal(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "\nkilled %d of %d, survived %d, never reached %d\n", r.Killed, r.Total, r.Survived, r.Unreached)
	return err
}

// showCatalogue lists what there is.
func showCatalogue(cmd *cobra.Command) error {
	t := &reports.Table{Title: "Mutants", Columns: []reports.Column{{Name: "mutant"}, {Name: "area"}, {Name: "what is wrong while it is on"}}}
	list := mutants.All()
	for _, m := range list {
		t.Rows = append(t.Rows, []string{m.Name, string(m.Area), m.Effect})
	}
	return show(cmd, list, t.Terminal)
}
