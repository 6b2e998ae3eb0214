package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"rokrig/fuzz/corpus"
	"rokrig/fuzz/subject"
)

// reproResult is the documented JSON of `rokrig repro --json`.
type reproResult struct {
	Passed   int              `json:"passed"`
	Failed   int              `json:"failed"`
	Verdicts []corpus.Verdict `json:"verdicts"`
}

func newReproCommand() *cobra.Command {
	var configs []string
	var mutant, signature string
	var bisect, gdb, perfMap bool
	cmd := &cobra.Command{
		Use:   "repro PATH...",
		Short: "Run findings or programs again on every configuration",
		Long: `Run programs again on the reference interpreter and on every configuration, and say whether all agree.
A PATH is a .rok file, a finding's directory, or a folder that is searched for both.
Exit status 0 only if all agree; with --bisect it fits "git bisect run": 125 if a program cannot be tested.
With --signature it is the test of a reducer such as C-Vise: status 0 only if every program shows just that.
With --gdb, one program runs under gdb, stopped at its start: functions are named rok.u.NAME, lines are those of the program.`,
		Example: `  rokrig repro findings/0a1b2c3d4e
  rokrig repro fuzz/corpus
  git bisect run rokrig repro --bisect findings/0a1b2c3d4e
  rokrig repro --gdb --config stack/check findings/0a1b2c3d4e
  perf record rokrig repro --perf-map --config stack slow.rok`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if gdb {
				return runUnderGdb(cmd, args, configs, mutant)
			}
			result, err := runRepro(cmd, args, configs, mutant, perfMap)
			if err != nil {
				return cannotTest(bisect, err)
			}
			if err := show(cmd, result, result.text); err != nil {
				return err
			}
			if signature != "" {
				return result.shows(signature)
			}
			return result.status(bisect)
		},
	}
	cmd.Flags().StringSliceVar(&configs, "config", nil, "compare only these configurations (see rokrig configs)")
	cmd.Flags().StringVar(&mutant, "mutant", "", "switch a deliberate bug on (see rokrig mutants --list)")
	cmd.Flags().StringVar(&signature, "signature", "", "succeed where the programs show this signature, and only there")
	cmd.Flags().BoolVar(&bisect, "bisect", false, "exit with 125 where nothing can be tested")
	cmd.Flags().BoolVar(&gdb, "gdb", false, "run one program on one configuration (default stack) under gdb")
	cmd.Flags().BoolVar(&perfMap, "perf-map", false, "name functions for perf, in /tmp/perf-PID.map, which stays")
	return cmd
}

// cannotTest gives an error the status that git bisect understands, if it asked.
func cannotTest(bisect bool, err error) error {
	if bisect {
		return exitWith(statusCannotTest, err)
	}
	return err
}

func runRepro(cmd *cobra.Command, paths, names []string, mutant string, perfMap bool) (*reproResult, error) {
	entries, err := corpus.Collect(paths)
	if err != nil {
		return nil, exitWith(statusUsage, err)
	}
	configs, err := parseConfigs(names)
	if err != nil {
		return nil, err
	}
	opts := subject.LabOptions{Mutant: mutant, Verify: mutant == ""}
	if perfMap {
		opts.Visible, opts.PerfMap, opts.Attach = true, true, noteMapFile(cmd.ErrOrStderr())
	}
	lab, err := subject.NewLab(opts)
	if err != nil {
		return nil, exitWith(statusUsage, err)
	}
	defer lab.Close()
	result := &reproResult{Verdicts: []corpus.Verdict{}}
	for _, e := range entries {
		v, err := corpus.Replay(cmd.Context(), lab, e, configs)
		if err != nil {
			return nil, err
		}
		if v.Passed {
			result.Passed++
		} else {
			result.Failed++
		}
		result.Verdicts = append(result.Verdicts, v)
	}
	return result, nil
}

// parseConfigs reads configurations from flags; none given means every native one.
func parseConfigs(names []string) ([]subject.Config, error) {
	var configs []subject.Config
	for _, name := range names {
		c, err := subject.Parse(name)
		if err == nil && !c.Native() {
			err = fmt.Errorf("configuration %q: the oracle is what others are compared with", name)
		}
		if err != nil {
			return nil, exitWith(statusUsage, err)
		}
		configs = append(configs, c)
	}
	if len(names) > 0 {
		return configs, nil
	}
	for _, row := range subject.All() {
		if row.Config.Native() {
			configs = append(configs, row.Config)
		}
	}
	return configs, nil
}

func (r *reproResult) text(w io.Writer) error {
	for _, v := range r.Verdicts {
		if v.Passed {
			continue
		}
		fmt.Fprintf(w, "%s: %s\n", v.Path, v.Reason)
		if v.Finding != nil {
			fmt.Fprint(w, v.Finding.Diff())
		}
	}
	_, err := fmt.Fprintf(w, "%d agree, %d do not\n", r.Passed, r.Failed)
	return err
}

// status is 0 if all agree, 1 if something differs; where nothing differs but something could not be compared, the
// revision cannot be tested.
func (r *reproResult) status(bisect bool) error {
	wasted := false
	for _, v := range r.Verdicts {
		if !v.Passed && !v.Wasted {
			return exitWith(statusFindings, nil)
		}
		wasted = wasted || v.Wasted
	}
	switch {
	case wasted && bisect:
		return exitWith(statusCannotTest, nil)
	case wasted:
		return exitWith(statusFindings, nil)
	}
	return nil
}

// shows is status 0 if every program shows the signature, 1 if not.
func (r *reproResult) shows(signature string) error {
	for _, v := range r.Verdicts {
		if v.Finding == nil || v.Finding.Signature != signature {
			return exitWith(statusFindings, nil)
		}
	}
	return nil
}
