package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"rokrig/fuzz/corpus"
	"rokrig/fuzz/export"
	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
)

func newExportCommand() *cobra.Command {
	var config, mutant string
	cmd := &cobra.Command{
		Use:   "export CASE DIR",
		Short: "Write a program, its assembly and the runtime for people without the rig",
		Long: `Write what is needed to look at a program without the rig: the program, its assembly with line information, the
runtime's C sources, what it should print, a Makefile (make, make run, make check, make gdb) and a gdb script. CASE is a
finding's directory or a .rok file, DIR is made.`,
		Example: `  rokrig export findings/0a1b2c3d4e /tmp/case && make -C /tmp/case check`,
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := exportOptions(args[0], config, mutant)
			if err != nil {
				return exitWith(statusUsage, err)
			}
			r, err := export.Write(cmd.Context(), args[1], o)
			if errors.Is(err, export.ErrNotCompiled) || errors.Is(err, export.ErrExists) {
				return exitWith(statusUsage, err)
			}
			if err != nil {
				return err
			}
			return show(cmd, r, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s: %d files; make -C %s check\n", r.Directory, len(r.Files), r.Directory)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&config, "config", "", "build it like this configuration (default: the finding's first, or stack)")
	cmd.Flags().StringVar(&mutant, "mutant", "", "switch a deliberate bug on (default: the finding's)")
	return cmd
}

// exportOptions says what a path and flags ask to export.
func exportOptions(path, config, mutant string) (export.Options, error) {
	o := export.Options{Mutant: mutant}
	if _, err := os.Stat(filepath.Join(path, "finding.json")); err == nil {
		f, err := triage.Load(path)
		if err != nil {
			return o, err
		}
		o.Text, o.Signature = f.Source, f.Signature
		if mutant == "" {
			o.Mutant = f.Mutant
		}
		if config == "" && len(f.Configs) > 0 {
			config = f.Configs[0]
		}
	} else {
		entries, err := corpus.Collect([]string{path})
		if err != nil {
			return o, err
		}
		if len(entries) != 1 {
			return o, fmt.Errorf("%s: %d programs; name one", path, len(entries))
		}
		o.Text = entries[0].Text
	}
	if config == "" {
		config = "stack"
	}
	configs, err := parseConfigs([]string{config})
	if err != nil {
		return o, err
	}
	o.Config = configs[0]
	_, err = subject.NewLab(subject.LabOptions{Mutant: o.Mutant})
	return o, err
}
