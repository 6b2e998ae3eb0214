package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"rokrig/fuzz/corpus"
	"rokrig/fuzz/triage"
	"rokrig/reports"
)

// knownResult is the documented JSON of `rokrig known check --json`.
type knownResult struct {
	Reproduce int                   `json:"reproduce"`
	Gone      int                   `json:"gone"`
	Verdicts  []corpus.KnownVerdict `json:"verdicts"`
}

func newKnownCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "known",
		Short: "File bugs that are known, and check whether they are still there",
		Long: `Keep the list of bugs that are known and not yet fixed. A campaign counts what falls into the bucket of a known bug under
it: that is no finding, and hides no other.`,
		Example: `  rokrig known add findings/0a1b2c3d4e --note "reported as number 12"
  rokrig known check`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&file, "known", corpus.KnownFile, "the list")
	var note string
	add := &cobra.Command{
		Use:     "add CASE_DIR",
		Short:   "File a finding as known",
		Long:    `File a finding, reduced or not, as a known bug. --note says where it is reported or what is the matter.`,
		Example: `  rokrig known add findings/0a1b2c3d4e --note "reported as number 12"`,
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return addKnown(cmd, file, args[0], note) },
	}
	add.Flags().StringVar(&note, "note", "", "where it is reported, or what is the matter")
	list := &cobra.Command{
		Use:     "list",
		Short:   "Show the known bugs",
		Long:    `Show the list of known bugs.`,
		Example: `  rokrig known list --json`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return listKnown(cmd, file) },
	}
	check := &cobra.Command{
		Use:     "check",
		Short:   "Say which known bugs no longer show",
		Long:    `Run the case of each known bug again. Exit status 1 if one no longer shows its bug: it can go from the list.`,
		Example: `  rokrig known check --known my-compiler/known.json`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return checkKnown(cmd, file) },
	}
	cmd.AddCommand(add, list, check)
	return cmd
}

// loadKnown reads a list of known bugs. One that may be missing is empty then.
func loadKnown(file string, mayMiss bool) (*corpus.KnownList, error) {
	l, err := corpus.LoadKnown(file)
	if mayMiss && errors.Is(err, fs.ErrNotExist) {
		return &corpus.KnownList{Schema: corpus.KnownSchema, Known: []corpus.Known{}}, nil
	}
	return l, err
}

func addKnown(cmd *cobra.Command, file, dir, note string) error {
	l, err := loadKnown(file, true)
	if err != nil {
		return exitWith(statusUsage, err)
	}
	f, err := triage.Load(dir)
	if err == nil {
		err = l.Add(f, note)
	}
	if err != nil {
		return exitWith(statusUsage, err)
	}
	if err := l.Save(file); err != nil {
		return err
	}
	return show(cmd, l.Known[len(l.Known)-1], func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s is known now: %s\n", f.ID, file)
		return err
	})
}

func listKnown(cmd *cobra.Command, file string) error {
	l, err := loadKnown(file, !cmd.Flags().Changed("known"))
	if err != nil {
		return exitWith(statusUsage, err)
	}
	return show(cmd, l, func(w io.Writer) error {
		if len(l.Known) == 0 {
			_, err := fmt.Fprintln(w, "no bug is known")
			return err
		}
		t := &reports.Table{Title: "Known bugs", Columns: []reports.Column{{Name: "bucket"}, {Name: "note"}, {Name: "signature"}}}
		for _, k := range l.Known {
			t.Rows = append(t.Rows, []string{k.ID, k.Note, k.Signature})
		}
		return t.Terminal(w)
	})
}

func checkKnown(cmd *cobra.Command, file string) error {
	l, err := loadKnown(file, !cmd.Flags().Changed("known"))
	if err != nil {
		return exitWith(statusUsage, err)
	}
	r := knownResult{Verdicts: []corpus.KnownVerdict{}}
	for i := range l.Known {
		v, err := l.Known[i].Check(cmd.Context())
		if err != nil {
			return err
		}
		if v.Reproduces {
			r.Reproduce++
		} else {
			r.Gone++
		}
		r.Verdicts = append(r.Verdicts, v)
	}
	if err := show(cmd, r, r.text); err != nil {
		return err
	}
	if r.Gone > 0 {
		return exitWith(statusFindings, nil)
	}
	return nil
}

func (r *knownResult) text(w io.Writer) error {
	for _, v := range r.Verdicts {
		if !v.Reproduces {
			fmt.Fprintf(w, "%s (%s) no longer shows; its case: %s\n", v.ID, v.Note, v.Shows)
		}
	}
	_, err := fmt.Fprintf(w, "%d known bugs still show, %d no longer do\n", r.Reproduce, r.Gone)
	return err
}
