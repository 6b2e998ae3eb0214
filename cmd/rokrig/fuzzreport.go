package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"rokrig/fuzz/campaign"
	"rokrig/fuzz/mutants"
	"rokrig/reports"
)

// tables is the report of a campaign: what a person looks for first stands at its top.
func (r *fuzzResult) tables() []*reports.Table {
	tables := []*reports.Table{r.overview(), r.notTested()}
	if len(r.FreshBuckets()) > 0 {
		tables = append(tables, r.findingsTable())
	}
	if len(r.KnownBuckets()) > 0 {
		tables = append(tables, r.knownTable())
	}
	if len(r.Mutants) > 0 {
		tables = append(tables, mutantTable(r.Mutants))
	}
	return append(tables, r.configTable(), r.sizeTable(), r.featureTable())
}

func (r *fuzzResult) text(w io.Writer) error {
	for _, t := range r.tables() {
		if err := t.Terminal(w); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, r.verdict())
	return err
}

func (r *fuzzResult) markdown(w io.Writer) error {
	for _, t := range r.tables() {
		if err := t.Markdown(w); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, r.verdict())
	return err
}

// verdict is the last line: what the run found, and how much that says.
func (r *fuzzResult) verdict() string {
	var parts []string
	fresh, known := r.FreshBuckets(), r.KnownBuckets()
	if n := len(fresh); n == 0 {
		parts = append(parts, "findings: 0")
	} else {
		parts = append(parts, fmt.Sprintf("findings: %d buckets, %d cases; see %s", n, campaign.Cases(fresh), r.Directory))
	}
	if n := len(known); n > 0 {
		parts = append(parts, fmt.Sprintf("known bugs: %d, %d cases", n, campaign.Cases(known)))
	}
	if r.Compared > 0 && len(r.Buckets) == 0 {
		// The rule of three: after N trials without a failure its rate is below 3/N at 95%.
		parts = append(parts, fmt.Sprintf("at 95%% fewer than %.2g of programs like these differ", min(1, 3/float64(r.Compared))))
	}
	if n := len(r.Mutants); n > 0 {
		alive, lost := r.alive()
		text := fmt.Sprintf("mutants: %d of %d sampled were killed", n-alive, n)
		if alive > lost {
			text += fmt.Sprintf(", %d had too little time", alive-lost)
		}
		parts = append(parts, text)
	}
	if r.Interrupted {
		parts = append(parts, "interrupted")
	}
	return strings.Join(parts, "; ")
}

func twoColumns(title string) *reports.Table {
	return &reports.Table{Title: title, Columns: []reports.Column{{Name: "what"}, {Name: "figure"}}}
}

func (r *fuzzResult) overview() *reports.Table {
	t := twoColumns("Campaign")
	add := func(what, format string, args ...any) {
		t.Rows = append(t.Rows, []string{what, fmt.Sprintf(format, args...)})
	}
	add("seed", "%d", r.Seed)
	add("time", "%s on %d workers, %s of CPU", reports.Duration(seconds(r.Seconds)), r.Jobs, reports.Duration(seconds(r.CPUSeconds)))
	if r.Resumed > 0 {
		add("resumed", "%d times; all figures are for the whole campaign", r.Resumed)
	}
	add("programs generated", "%s: %s fresh, %s spliced of two, %s mutated; and %s variants of these compared with them", reports.Count(r.Programs),
		reports.Count(r.Fresh), reports.Count(r.Spliced), reports.Count(r.Mutated), reports.Count(r.Variants))
	add("compared", "%s (%.1f%%), %s of CPU", reports.Count(r.Compared), 100*r.ComparedShare(), reports.Rate(r.RatePerCore, "programs"))
	add("native runs", "%s: %s", reports.Count(r.Executions), counts(r.Configs))
	if n := r.Compared; n > 0 {
		add("size", "%.0f lines on average, %.1f%% of programs with 300 or more; %s statements run", float64(r.Lines)/float64(n), 100*r.LongShare, reports.Count(r.Statements))
	}
	add("ended by", "%s", counts(r.Endings))
	add("wasted", "%s", orNone(counts(r.Wasted)))
	add("must be rejected", "%s programs broken on purpose were, at the right place", reports.Count(r.MustReject))
	add("features", "%d of %d executed in the %s programs in which they were counted; at zero: %s", len(r.Features)-len(r.NeverRun),
		len(r.Features), reports.Count(r.Counted), orNone(firstOf(r.NeverRun)))
	add("findings", "%d buckets, %d cases", len(r.FreshBuckets()), campaign.Cases(r.FreshBuckets()))
	if r.NotKept > 0 {
		add("not kept", "%s programs of findings: --disk is reached; findings are still counted", reports.Count(r.NotKept))
	}
	if known := r.KnownBuckets(); len(known) > 0 {
		add("known bugs", "%d, %d cases", len(known), campaign.Cases(known))
	}
	return t
}

// configTable is the histogram of configurations.
func (r *fuzzResult) configTable() *reports.Table {
	names := slices.Sorted(maps.Keys(r.Configs))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(r.Configs[b], r.Configs[a]) })
	return histogram("Configurations", "configuration", names, r.Configs)
}

// sizeTable is the histogram of program sizes.
func (r *fuzzResult) sizeTable() *reports.Table {
	return histogram("Sizes of compared programs", "lines", campaign.SizeClasses, r.Sizes)
}

// histogramWidth is the length of the longest bar, in characters.
const histogramWidth = 40

// histogram shows counts as bars, in the order of names.
func histogram(title, what string, names []string, counts map[string]int64) *reports.Table {
	t := &reports.Table{Title: title, Columns: []reports.Column{{Name: what}, {Name: "programs", Align: reports.Right}, {Name: ""}}}
	most := int64(1)
	for _, n := range counts {
		most = max(most, n)
	}
	for _, name := range names {
		bar := strings.Repeat("█", int(math.Ceil(float64(counts[name])*histogramWidth/float64(most))))
		t.Rows = append(t.Rows, []string{name, reports.Count(counts[name]), bar})
	}
	return t
}

func (r *fuzzResult) notTested() *reports.Table {
	t := &reports.Table{Title: "Not tested", Columns: []reports.Column{{Name: "what, and why"}}}
	for _, line := range r.NotTested {
		t.Rows = append(t.Rows, []string{line})
	}
	return t
}

func (r *fuzzResult) findingsTable() *reports.Table {
	t := &reports.Table{Title: "Findings", Columns: []reports.Column{{Name: "bucket"}, {Name: "cases", Align: reports.Right}, {Name: "lines", Align: reports.Right}, {Name: "signature"}, {Name: "again"}}}
	for _, b := range r.FreshBuckets() {
		again := "rokrig repro " + b.Path
		if b.Path == "" && b.First != nil && b.First.Origin != nil {
			again = fmt.Sprintf("not kept; rokrig gen --seed %d --index %d", b.First.Origin.Seed, b.First.Origin.Index)
		}
		if b.Flaky {
			again += " (flaky)"
		}
		t.Rows = append(t.Rows, []string{b.ID, reports.Count(b.Count), fmt.Sprint(b.Lines), b.Signature, again})
	}
	return t
}

// knownTable lists the known bugs that were met.
func (r *fuzzResult) knownTable() *reports.Table {
	t := &reports.Table{Title: "Known bugs", Columns: []reports.Column{{Name: "bucket"}, {Name: "cases", Align: reports.Right}, {Name: "note"}, {Name: "signature"}}}
	for _, b := range r.KnownBuckets() {
		t.Rows = append(t.Rows, []string{b.ID, reports.Count(b.Count), b.Known, b.Signature})
	}
	return t
}

// mutantTable is the matrix of mutants.
func mutantTable(results []mutants.Result) *reports.Table {
	t := &reports.Table{Title: "Mutants", Columns: []reports.Column{{Name: "mutant"}, {Name: "verdict"}, {Name: "check"},
		{Name: "programs", Align: reports.Right}, {Name: "seconds", Align: reports.Right}}}
	for _, m := range results {
		t.Rows = append(t.Rows, []string{m.Name, string(m.Verdict), string(m.Check), reports.Count(m.Programs), fmt.Sprintf("%.1f", m.Seconds)})
	}
	return t
}

// featureTable lists the features that were executed least.
func (r *fuzzResult) featureTable() *reports.Table {
	const shown = 12
	type row struct {
		name            string
		count, programs int64
	}
	var rows []row
	for name, n := range r.Features {
		rows = append(rows, row{name, n, r.FeatureCases[name]})
	}
	sort.Slice(rows, func(i, j int) bool {
		if rows[i].programs != rows[j].programs {
			return rows[i].programs < rows[j].programs
		}
		return rows[i].name < rows[j].name
	})
	t := &reports.Table{Title: "Rarest features", Columns: []reports.Column{{Name: "feature"}, {Name: "programs", Align: reports.Right}, {Name: "executions", Align: reports.Right}},
		Notes: []string{"all features: report.json"}}
	for _, x := range rows[:min(shown, len(rows))] {
		t.Rows = append(t.Rows, []string{x.name, reports.Count(x.programs), reports.Count(x.count)})
	}
	return t
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// firstOf lists names, cut to what fits a line.
func firstOf(names []string) string {
	const shown = 4
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more (report.json)", strings.Join(names[:shown], ", "), len(names)-shown)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// counts spells a table of counts in a line, the largest first.
func counts(m map[string]int64) string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool {
		if m[names[i]] != m[names[j]] {
			return m[names[i]] > m[names[j]]
		}
		return names[i] < names[j]
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %s", name, reports.Count(m[name]))
	}
	return strings.Join(names, ", ")
}
