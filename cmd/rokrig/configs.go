package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"rokrig/fuzz/subject"
	"rokrig/reports"
)

// configsResult is the documented JSON of `rokrig configs`.
type configsResult struct {
	Configurations []configEntry `json:"configurations"`
	Options        []optionEntry `json:"options"`
}

type configEntry struct {
	Name   string `json:"name"`
	Native bool   `json:"native"` // runs machine code
	What   string `json:"what"`
}

type optionEntry struct {
	Option  string   `json:"option"` // what stands before "="; "" for options named by their value alone
	Values  []string `json:"values"` // as they are written in a configuration
	Default string   `json:"default"`
	What    string   `json:"what"`
}

func newConfigsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "configs [CONFIGURATION...]",
		Short: "List the configurations a program can be run on",
		Long: `configs lists every configuration and the options they are made of. Given
configurations, it checks their spelling and shows the canonical one.

A configuration is a subject and its options, divided by slashes. It is spelled
the same in flags, findings and reports.`,
		Example: `  rokrig configs
  rokrig configs stack/poll=force/check    # the canonical spelling: stack/check/poll=force`,
		RunE: func(cmd *cobra.Command, args []string) error {
			result, err := listConfigs(args)
			if err != nil {
				return exitWith(statusUsage, err)
			}
			return show(cmd, result, result.write)
		},
	}
}

// listConfigs returns the rows of the given configurations, or of all. Errors: a
// spelling that means nothing.
func listConfigs(names []string) (*configsResult, error) {
	rows := subject.All()
	if len(names) > 0 {
		what := make(map[subject.Config]string, len(rows))
		for _, row := range rows {
			what[row.Config] = row.What
		}
		rows = nil
		for _, name := range names {
			c, err := subject.Parse(name)
			if err != nil {
				return nil, err
			}
			rows = append(rows, subject.Row{Config: c, What: what[c]})
		}
	}
	result := &configsResult{}
	for _, row := range rows {
		result.Configurations = append(result.Configurations, configEntry{row.Config.String(), row.Config.Native(), row.What})
	}
	for _, o := range subject.Options() {
		entry := optionEntry{Option: o.Name, What: o.What}
		for _, value := range o.Values {
			if o.Name != "" {
				value = o.Name + "=" + value
			}
			entry.Values = append(entry.Values, value)
		}
		entry.Default = entry.Values[0]
		result.Options = append(result.Options, entry)
	}
	return result, nil
}

// write shows the result as two tables.
func (r *configsResult) write(w io.Writer) error {
	configs := reports.Table{Columns: []reports.Column{{Name: "configuration"}, {Name: "what it is"}}}
	for _, c := range r.Configurations {
		configs.Rows = append(configs.Rows, []string{c.Name, c.What})
	}
	options := reports.Table{Columns: []reports.Column{{Name: "option"}, {Name: "default"}, {Name: "what it changes"}}}
	for _, o := range r.Options {
		options.Rows = append(options.Rows, []string{strings.Join(o.Values, " | "), o.Default, o.What})
	}
	options.Notes = []string{"options follow the subject after slashes, in any order; defaults are left out"}
	if err := configs.Terminal(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return options.Terminal(w)
}
