// Package subject turns programs into outcomes: it drives the oracle and every configuration of the compiler.
//
// A configuration is a subject (which compiler) plus options (runtime build, how it is linked, what is forced). It has one
// spelling everywhere, in flags, finding.json and reports: the subject's name, then its options, divided by slashes, as in
// `stack/check/poll=force`. Parse and Config.String are inverse, and String is canonical: defaults are left out, the rest
// stands in the order of the table.
package subject

import (
	"fmt"
	"strings"

	"rokrig/runtime/runner"
)

// Subject is a way to run a program.
type Subject string

// The subjects.
const (
	Interp Subject = "interp" // the reference interpreter over the checked tree
	Stack  Subject = "stack"  // the naive back end: every value through %rax and the machine stack
)

// subjects lists what exists, with what `rokrig configs` says of each.
var subjects = []struct {
	name   Subject
	native bool
	what   string
}{
	{Interp, false, "reference interpreter: runs the checked tree, the oracle of every comparison"},
	{Stack, true, "naive native code: every value through %rax and the machine stack"},
}

// Option is a row of the option table: one choice of a configuration.
type Option struct {
	Name   string   // what stands before `=`; "" for options that are named by their value alone
	Values []string // the first is the default, which is never written
	What   string
}

// options is the grammar's table, in canonical order.
var options = []Option{
	{"", []string{"release", "check"}, "runtime build: release, or check with its own verification"},
	{"", []string{"encoded", "as", "exe"}, "machine code by the rig's own encoder or by GNU as, run in the resident runner; or an executable linked by gcc"},
	{"poll", []string{"off", "force"}, "force: the yield flag is set before each safepoint poll, and polls are counted"},
	{"fill", []string{"a", "b"}, "pattern in stack and registers before a program runs, complementary: what reads them uninitialised shows a difference"},
}

// The places in options, for the accessors below.
const (
	buildOption = iota
	linkOption
	pollOption
	fillOption
	numOptions
)

// Config is a subject with its options. The zero options are the defaults. Configs are comparable.
type Config struct {
	Subject Subject
	choice  [numOptions]uint8 // index into the option's values
}

// Build returns the runtime build, "release" or "check".
func (c Config) Build() string { return options[buildOption].Values[c.choice[buildOption]] }

// Executable reports whether the program is linked by gcc and run as a process of its own.
func (c Config) Executable() bool { return c.choice[linkOption] == 2 }

// Assembled reports whether the machine code comes from GNU as and not from the rig's own encoder.
func (c Config) Assembled() bool { return c.choice[linkOption] == 1 }

// ForcePolls reports whether every safepoint poll takes its slow path.
func (c Config) ForcePolls() bool { return c.choice[pollOption] == 1 }

// Fill is the pattern that a program finds where nothing has been written yet.
func (c Config) Fill() runner.Fill { return runner.Fill(c.choice[fillOption]) }

// exists reports whether the choices go together.
func (c Config) exists() bool {
	return !c.Executable() || !c.ForcePolls() && c.Fill() == runner.FillA
}

// Native reports whether the configuration runs machine code.
func (c Config) Native() bool {
	for _, s := range subjects {
		if s.name == c.Subject {
			return s.native
		}
	}
	return false
}

// String is the canonical spelling.
func (c Config) String() string {
	var b strings.Builder
	b.WriteString(string(c.Subject))
	for i, o := range options {
		if c.choice[i] == 0 {
			continue
		}
		b.WriteByte('/')
		if o.Name != "" {
			b.WriteString(o.Name)
			b.WriteByte('=')
		}
		b.WriteString(o.Values[c.choice[i]])
	}
	return b.String()
}

// Parse reads a configuration. Options may come in any order and defaults may be written; what is unknown, doubled or
// meaningless for the subject is an error that says what there is.
func Parse(text string) (Config, error) {
	parts := strings.Split(text, "/")
	c := Config{Subject: Subject(parts[0])}
	known := false
	for _, s := range subjects {
		known = known || s.name == c.Subject
	}
	if !known {
		return Config{}, fmt.Errorf("configuration %q: no subject is named %q; there are: %s", text, parts[0], subjectNames())
	}
	var given [numOptions]bool
	for _, part := range parts[1:] {
		opt, val, ok := findOption(part)
		if !ok {
			return Config{}, fmt.Errorf("configuration %q: unknown option %q; there are: %s", text, part, optionNames())
		}
		if given[opt] {
			return Config{}, fmt.Errorf("configuration %q: %q chooses again what was chosen before", text, part)
		}
		given[opt] = true
		c.choice[opt] = uint8(val)
	}
	if !c.Native() && c != (Config{Subject: c.Subject}) {
		return Config{}, fmt.Errorf("configuration %q: %s runs no native code and takes no options", text, c.Subject)
	}
	if !c.exists() {
		return Config{}, fmt.Errorf("configuration %q: polls are forced and counted, and memory is filled, in the resident runner only, not in an executable", text)
	}
	return c, nil
}

// MustParse is Parse for configurations written in the source.
func MustParse(text string) Config {
	c, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return c
}

// findOption finds the option and value that a part of a configuration spells.
func findOption(part string) (opt, val int, ok bool) {
	name, value, named := strings.Cut(part, "=")
	if !named {
		name, value = "", part
	}
	for i, o := range options {
		if o.Name != name {
			continue
		}
		for v, s := range o.Values {
			if s == value {
				return i, v, true
			}
		}
	}
	return 0, 0, false
}

func subjectNames() string {
	var names []string
	for _, s := range subjects {
		names = append(names, string(s.name))
	}
	return strings.Join(names, ", ")
}

func optionNames() string {
	var names []string
	for _, o := range options {
		for _, v := range o.Values {
			if o.Name != "" {
				v = o.Name + "=" + v
			}
			names = append(names, v)
		}
	}
	return strings.Join(names, ", ")
}

// Row is what `rokrig configs` shows of a configuration.
type Row struct {
	Config Config
	What   string
}

// All lists every configuration that exists, the oracle first.
func All() []Row {
	var rows []Row
	for _, s := range subjects {
		if !s.native {
			rows = append(rows, Row{Config{Subject: s.name}, s.what})
			continue
		}
		rows = appendChoices(rows, Row{Config{Subject: s.name}, s.what}, 0)
	}
	return rows
}

// appendChoices appends row with every choice of the options from opt on.
func appendChoices(rows []Row, row Row, opt int) []Row {
	if opt == numOptions {
		if row.Config.exists() {
			rows = append(rows, row)
		}
		return rows
	}
	for v := range options[opt].Values {
		next := row
		next.Config.choice[opt] = uint8(v)
		if v > 0 {
			next.What += "; " + options[opt].Values[v]
			if options[opt].Name != "" {
				next.What += " " + options[opt].Name
			}
		}
		rows = appendChoices(rows, next, opt+1)
	}
	return rows
}

// Options returns the option table, for `rokrig configs`.
func Options() []Option { return append([]Option(nil), options...) }
