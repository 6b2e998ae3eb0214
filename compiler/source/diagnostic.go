package source

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Severity tells errors, which stop a compile, from warnings.
type Severity uint8

// The severities.
const (
	Error Severity = iota
	Warning
)

func (s Severity) String() string { return [...]string{"error", "warning"}[s] }

// Diagnostic is one message about one place.
type Diagnostic struct {
	Span     Span
	Severity Severity
	Message  string // one line, lower case, without a final stop
}

// MaxErrors is how many errors one run reports before it gives up.
const MaxErrors = 50

// Diagnostics collects what a compile has to say about one file. The zero value with File set is ready.
type Diagnostics struct {
	File   *File
	list   []Diagnostic
	errors int
	seen   map[Diagnostic]bool
}

// Errorf reports an error at s. The same error at the same place is reported once.
func (d *Diagnostics) Errorf(s Span, format string, args ...any) {
	d.add(Diagnostic{s, Error, fmt.Sprintf(format, args...)})
}

// Warnf reports a warning at s.
func (d *Diagnostics) Warnf(s Span, format string, args ...any) {
	d.add(Diagnostic{s, Warning, fmt.Sprintf(format, args...)})
}

func (d *Diagnostics) add(g Diagnostic) {
	if d.Full() || d.seen[g] {
		return
	}
	if d.seen == nil {
		d.seen = map[Diagnostic]bool{}
	}
	d.seen[g] = true
	d.list = append(d.list, g)
	if g.Severity == Error {
		if d.errors++; d.errors == MaxErrors {
			d.list = append(d.list, Diagnostic{g.Span, Error, "too many errors"})
		}
	}
}

// Full reports whether so many errors came that nothing more is taken; a stage may then stop early.
func (d *Diagnostics) Full() bool { return d.errors >= MaxErrors }

// HasErrors reports whether any error was reported.
func (d *Diagnostics) HasErrors() bool { return d.errors > 0 }

// All returns the diagnostics in the order of their places.
func (d *Diagnostics) All() []Diagnostic {
	sort.SliceStable(d.list, func(i, j int) bool { return d.list[i].Span.Start < d.list[j].Span.Start })
	return d.list
}

// Errors returns the errors alone, in the order of their places.
func (d *Diagnostics) Errors() []Diagnostic {
	var out []Diagnostic
	for _, g := range d.All() {
		if g.Severity == Error {
			out = append(out, g)
		}
	}
	return out
}

// Render writes every diagnostic as `FILE:LINE:COL: error: MESSAGE`, the source line and a caret.
func (d *Diagnostics) Render(w io.Writer) {
	for _, g := range d.All() {
		d.render(w, g)
	}
}

func (d *Diagnostics) String() string {
	var b strings.Builder
	d.Render(&b)
	return b.String()
}

func (d *Diagnostics) render(w io.Writer, g Diagnostic) {
	at := d.File.Position(g.Span.Start)
	fmt.Fprintf(w, "%s:%d:%d: %s: %s\n", d.File.Name, at.Line, at.Col, g.Severity, g.Message)
	text := d.File.LineText(at.Line)
	start := d.File.Offset(g.Span.Start) - d.File.Offset(d.File.Pos(int(d.File.lines[at.Line-1])))
	line, caret := window(text, min(start, len(text)))
	fmt.Fprintf(w, "    %s\n    %s^\n", line, caret)
}

// shownColumns is how much of a long line is shown round the place: a person's terminal, not ten megabytes.
const shownColumns = 100

// window cuts line to what surrounds byte offset at, and returns it with the blanks that stand before the caret.
// Control characters and invalid bytes are shown as a replacement, so that a terminal stays sane; tabs are kept in both.
func window(line string, at int) (shown, caret string) {
	from, to := 0, len(line)
	prefix, suffix := "", ""
	if at > shownColumns/2 && len(line) > shownColumns {
		from, prefix = at-shownColumns/2, "..."
	}
	if to-from > shownColumns {
		to, suffix = from+shownColumns, "..."
	}
	for from > 0 && from < len(line) && !utf8.RuneStart(line[from]) {
		from--
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to++
	}
	visible := func(r rune) rune {
		if r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}
	blank := func(r rune) rune {
		if r == '\t' {
			return '\t'
		}
		return ' '
	}
	shown = prefix + strings.Map(visible, strings.ToValidUTF8(line[from:to], "\uFFFD")) + suffix
	caret = strings.Map(blank, prefix+strings.ToValidUTF8(line[from:max(from, min(at, to))], "\uFFFD"))
	return shown, caret
}
