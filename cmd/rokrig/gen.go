package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"rokrig/fuzz/campaign"
	"rokrig/fuzz/gen"
	"rokrig/fuzz/variant"
	"rokrig/reports"
)

// genOptions are the flags of `rokrig gen`.
type genOptions struct {
	seed, index uint64
	count       int
	lines       int
	out         string
	bytes       string
	mustReject  bool
	variant     bool
	choices     bool
	stats       bool
}

// genResult is the documented JSON of `rokrig gen`.
type genResult struct {
	Seed     uint64       `json:"seed"`
	Programs []genProgram `json:"programs"`
	Stats    *genStats    `json:"stats,omitempty"` // with --stats
}

// genProgram is one generated program.
type genProgram struct {
	Index   uint64 `json:"index"`
	Text    string `json:"text,omitempty"` // unless it went to a file
	File    string `json:"file,omitempty"`
	Lines   int    `json:"lines"`
	Nodes   int    `json:"nodes"`            // expressions and patterns; 0 for a must-reject program
	Funcs   int    `json:"functions"`        // likewise
	Checks  int    `json:"checks"`           // assertions of values known by construction
	Steps   int    `json:"steps"`            // estimate of the expressions evaluated
	Choices int    `json:"choices"`          // bytes
	Panic   string `json:"panic,omitempty"`  // the message of the panic in which it ends
	Reject  string `json:"reject,omitempty"` // of a must-reject program: the rule it breaks
	Line    int    `json:"line,omitempty"`   // likewise: where the error is due
	Message string `json:"message,omitempty"`
	// Kind is fresh, spliced, mutated or variant; Rules are what made it of other programs.
	Kind  string   `json:"kind,omitempty"`
	Rules []string `json:"rules,omitempty"`

	bytes []byte
}

func newGenCommand() *cobra.Command {
	o := genOptions{}
	cmd := &cobra.Command{
		Use:   "gen",
		Short: "Generate programs",
		Long: `gen prints a generated program: number I of a campaign with seed S is the one
that --seed S --index I prints. --count makes several, from --index on, and puts
them into a folder.

One program in eight of a campaign is made of others: spliced of two, or mutated.
Those are printed as they are, but --stats and --choices are of the generator's
own programs. --variant prints the variant of a program: another one that has to
behave like it.

A program can be given as its choices instead: the bytes that a coverage-guided
engine mutates. --bytes prints the program of such a file, --choices writes the
choices rather than the program, as a corpus for an engine.`,
		Example: `  rokrig gen --seed 1 --index 42
  rokrig gen --seed 1 --count 1000 --stats
  rokrig gen --seed 1 --index 8 --variant
  rokrig gen --must-reject                       # a program broken on purpose
  rokrig gen --count 64 --choices --out work/corpus
  rokrig gen --bytes work/crashers/da39a3ee`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return exitWith(statusUsage, err)
			}
			result, err := o.generate()
			if err != nil {
				return err
			}
			return show(cmd, result, func(w io.Writer) error { return result.write(w, cmd.ErrOrStderr(), &o) })
		},
	}
	f := cmd.Flags()
	f.Uint64Var(&o.seed, "seed", 1, "seed of the campaign")
	f.Uint64Var(&o.index, "index", 0, "number of the program, from 0")
	f.IntVar(&o.count, "count", 1, "number of programs")
	f.IntVar(&o.lines, "lines", 0, "size to aim at, in lines (default: drawn); not what a campaign runs")
	f.StringVar(&o.out, "out", "", "folder for one file a program")
	f.StringVar(&o.bytes, "bytes", "", "file with the choices of a program")
	f.BoolVar(&o.mustReject, "must-reject", false, "programs that a checker has to reject")
	f.BoolVar(&o.variant, "variant", false, "a variant of the program, which has to behave like it")
	f.BoolVar(&o.choices, "choices", false, "write choices instead of programs")
	f.BoolVar(&o.stats, "stats", false, "show what the programs are made of instead of them")
	return cmd
}

// check refuses flags that make no sense together.
func (o *genOptions) check(cmd *cobra.Command) error {
	switch {
	case o.count < 1:
		return fmt.Errorf("--count %d: at least one program has to be made", o.count)
	case o.lines < 0:
		return fmt.Errorf("--lines %d: a size cannot be negative", o.lines)
	case o.count > 1 && o.out == "" && !o.stats && !wantsJSON(cmd):
		return errors.New("--count above 1 needs --out, --stats or --json")
	case o.mustReject && o.stats:
		return errors.New("--stats is of valid programs: it does not go with --must-reject")
	case o.variant && (o.mustReject || o.bytes != "" || o.lines > 0 || o.choices || o.stats):
		return errors.New("--variant is of a campaign's program: it goes with --seed, --index, --count and --out only")
	case o.bytes == "":
		return nil
	}
	for _, name := range []string{"seed", "index", "count"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--bytes names the program: --%s has no meaning beside it", name)
		}
	}
	return nil
}

// generate makes the programs and writes their files, if they are to have any.
func (o *genOptions) generate() (*genResult, error) {
	result := &genResult{Seed: o.seed}
	if o.out != "" {
		if err := os.MkdirAll(o.out, 0o777); err != nil {
			return nil, err
		}
	}
	for i := range uint64(o.count) {
		p, err := o.make(o.index + i)
		if err != nil {
			return nil, err
		}
		if o.out != "" {
			if err := o.writeFile(&p); err != nil {
				return nil, err
			}
		}
		if o.stats || o.out != "" {
			p.Text = ""
		}
		result.Programs = append(result.Programs, p)
	}
	if o.stats {
		result.Stats = newGenStats(result.Programs)
	}
	return result, nil
}

// make makes program number index, or the one of the file.
func (o *genOptions) make(index uint64) (genProgram, error) {
	if o.variant {
		made, err := campaign.Variant(o.seed, index)
		if err == nil && made == nil {
			err = fmt.Errorf("program %d of seed %d has no variant", index, o.seed)
		}
		if err != nil {
			return genProgram{}, err
		}
		return newMade(index, made), nil
	}
	kind, _ := variant.Plan(index, variant.DefaultEach)
	if kind != variant.Fresh && !o.mustReject && o.bytes == "" && o.lines == 0 && !o.choices && !o.stats {
		if made := campaign.Program(o.seed, index); made != nil {
			return newMade(index, made), nil
		}
		return genProgram{}, fmt.Errorf("program %d of seed %d could not be made of others; a campaign counts it as wasted", index, o.seed)
	}
	source, err := o.source(index)
	if err != nil {
		return genProgram{}, err
	}
	return o.program(source, index), nil
}

func newMade(index uint64, made *campaign.Made) genProgram {
	return genProgram{Index: index, Text: made.Text, Lines: countLines(made.Text), Kind: made.Kind, Rules: made.Rules}
}

// source returns the choices of program number index, or of the file.
func (o *genOptions) source(index uint64) (gen.Source, error) {
	if o.bytes == "" {
		return gen.New(gen.ProgramSeed(o.seed, index)), nil
	}
	data, err := os.ReadFile(o.bytes)
	if err != nil {
		return nil, exitWith(statusUsage, err)
	}
	return gen.FromBytes(data), nil
}

func (o *genOptions) program(source gen.Source, index uint64) genProgram {
	if o.mustReject {
		r := gen.MustReject(source, gen.Options{Lines: o.lines})
		return genProgram{Index: index, Text: r.Text, Lines: countLines(r.Text), Choices: len(r.Bytes),
			Reject: r.Rule, Line: r.Line, Message: r.Message, bytes: r.Bytes}
	}
	r := gen.Program(source, gen.Options{Lines: o.lines})
	return genProgram{Index: index, Text: r.Text, Lines: r.Stats.Lines, Nodes: r.Stats.Nodes, Funcs: r.Stats.Funcs,
		Checks: r.Stats.Checks, Steps: r.Stats.Steps, Choices: len(r.Bytes), Panic: r.Panic, bytes: r.Bytes}
}

// countLines counts like gen.Stats: blank lines do not count.
func countLines(text string) (n int) {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// writeFile writes the program, or its choices, into the folder.
func (o *genOptions) writeFile(p *genProgram) error {
	name, content := fmt.Sprintf("%d-%d", o.seed, p.Index), p.bytes
	if o.bytes != "" {
		name = filepath.Base(o.bytes)
	}
	if !o.choices {
		name, content = name+".rok", []byte(p.Text)
	}
	p.File = filepath.Join(o.out, name)
	return os.WriteFile(p.File, content, 0o666)
}

// write shows what was made. What a must-reject program is to be rejected for goes to stderr, as it is no part of it.
func (r *genResult) write(w, stderr io.Writer, o *genOptions) error {
	if r.Stats != nil {
		return r.Stats.write(w, len(r.Programs))
	}
	for _, p := range r.Programs {
		text := p.Text
		switch {
		case p.File != "":
			text = p.File + "\n"
		case o.choices:
			text = string(p.bytes)
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
		if p.Reject != "" && p.File == "" {
			fmt.Fprintf(stderr, "rokrig: to be rejected (%s): on line %d an error that says %q\n", p.Reject, p.Line, p.Message)
		}
	}
	return nil
}

// genStats says what a number of programs is made of.
type genStats struct {
	Quantities []genQuantity `json:"quantities"`
	Sizes      []genSize     `json:"sizes"`
	Panics     int           `json:"panics"` // programs that end in one
}

// genQuantity is how one figure is spread over the programs.
type genQuantity struct {
	Name   string  `json:"name"`
	Min    int     `json:"min"`
	Median int     `json:"median"`
	Mean   float64 `json:"mean"`
	P90    int     `json:"p90"`
	Max    int     `json:"max"`
}

// genSize counts the programs of a range of sizes.
type genSize struct {
	From     int `json:"from"` // lines
	To       int `json:"to"`   // included; 0: no end
	Programs int `json:"programs"`
}

// sizeBounds are the first sizes of the histogram's ranges.
var sizeBounds = []int{1, 10, 20, 40, 80, 160, 300, 600}

func newGenStats(programs []genProgram) *genStats {
	s := &genStats{}
	for _, q := range []struct {
		name string
		of   func(*genProgram) int
	}{
		{"lines", func(p *genProgram) int { return p.Lines }},
		{"nodes", func(p *genProgram) int { return p.Nodes }},
		{"functions", func(p *genProgram) int { return p.Funcs }},
		{"known values checked", func(p *genProgram) int { return p.Checks }},
		{"estimated steps", func(p *genProgram) int { return p.Steps }},
		{"bytes of choices", func(p *genProgram) int { return p.Choices }},
	} {
		values := make([]int, len(programs))
		sum := 0
		for i := range programs {
			values[i] = q.of(&programs[i])
			sum += values[i]
		}
		slices.Sort(values)
		n := len(values)
		s.Quantities = append(s.Quantities, genQuantity{q.name, values[0], values[n/2], float64(sum) / float64(n), values[n*9/10], values[n-1]})
	}
	for i, from := range sizeBounds {
		size := genSize{From: from}
		if i+1 < len(sizeBounds) {
			size.To = sizeBounds[i+1] - 1
		}
		for _, p := range programs {
			if p.Lines >= from && (size.To == 0 || p.Lines <= size.To) {
				size.Programs++
			}
		}
		s.Sizes = append(s.Sizes, size)
	}
	for _, p := range programs {
		if p.Panic != "" {
			s.Panics++
		}
	}
	return s
}

// write shows the statistics of n programs as two tables.
func (s *genStats) write(w io.Writer, n int) error {
	right := reports.Right
	quantities := reports.Table{
		Title:   reports.Count(int64(n)) + " programs",
		Columns: []reports.Column{{Name: "per program"}, {Name: "min", Align: right}, {Name: "median", Align: right}, {Name: "mean", Align: right}, {Name: "90%", Align: right}, {Name: "max", Align: right}},
		Notes:   []string{fmt.Sprintf("%d of them end in a panic", s.Panics)},
	}
	for _, q := range s.Quantities {
		quantities.Rows = append(quantities.Rows, []string{q.Name, count(q.Min), count(q.Median), fmt.Sprintf("%.1f", q.Mean), count(q.P90), count(q.Max)})
	}
	sizes := reports.Table{Columns: []reports.Column{{Name: "lines", Align: right}, {Name: "programs", Align: right}, {Name: "share", Align: right}, {Name: ""}}}
	const barLength = 40
	for _, size := range s.Sizes {
		lines := strconv.Itoa(size.From) + "–" + strconv.Itoa(size.To)
		if size.To == 0 {
			lines = strconv.Itoa(size.From) + "–"
		}
		share := float64(size.Programs) / float64(n)
		bar := ""
		for range int(share*barLength + 0.5) {
			bar += "█"
		}
		sizes.Rows = append(sizes.Rows, []string{lines, count(size.Programs), fmt.Sprintf("%.1f%%", 100*share), bar})
	}
	if err := quantities.Terminal(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return sizes.Terminal(w)
}

func count(n int) string { return reports.Count(int64(n)) }
