package reports

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Align says where a column's text stands.
type Align uint8

const (
	Left  Align = iota // text
	Right              // figures, so that their digits stand below each other
)

// Column heads one column of a Table.
type Column struct {
	Name  string
	Align Align
}

// Table is a titled table of plain text. Cells are shown as they are: a format
// that gives characters a meaning of their own escapes them.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]string // every row has one cell per column
	Notes   []string   // doubts and explanations, one line each, below the table
}

// Terminal writes the table for a terminal of any width; lines are never wrapped.
func (t *Table) Terminal(w io.Writer) error {
	if err := t.check(); err != nil {
		return err
	}
	var b strings.Builder
	if t.Title != "" {
		fmt.Fprintf(&b, "%s\n", printable(t.Title))
	}
	blueprint := renderer.NewBlueprint(tw.Rendition{
		Borders: tw.BorderNone,
		Symbols: tw.NewSymbols(tw.StyleLight),
		Settings: tw.Settings{
			Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
			Lines:      tw.Lines{ShowHeaderLine: tw.On},
		},
	})
	// Two blanks between columns, none before the first.
	gap := tw.Padding{Right: "  ", Overwrite: true}
	if err := t.render(&b, blueprint, printable, tablewriter.WithPadding(gap)); err != nil {
		return err
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&b, "note: %s\n", printable(note))
	}
	_, err := io.WriteString(w, trimLineEnds(b.String()))
	return err
}

// Markdown writes the table as GitHub-flavoured Markdown under a bold title.
func (t *Table) Markdown(w io.Writer) error {
	if err := t.check(); err != nil {
		return err
	}
	var b strings.Builder
	if t.Title != "" {
		fmt.Fprintf(&b, "**%s**\n\n", markdownText(t.Title))
	}
	if err := t.render(&b, renderer.NewMarkdown(), markdownText); err != nil {
		return err
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&b, "\nNote: %s\n", markdownText(note))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// check rejects what tablewriter would show wrongly without a word: it gives a row
// that is too long a column without a name.
func (t *Table) check() error {
	if len(t.Columns) == 0 {
		return fmt.Errorf("reports: table %q has no columns", t.Title)
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("reports: table %q: row %d has %d cells for %d columns", t.Title, i, len(row), len(t.Columns))
		}
	}
	return nil
}

// render writes head and rows through tablewriter, every cell passed through escape.
func (t *Table) render(w io.Writer, r tw.Renderer, escape func(string) string, more ...tablewriter.Option) error {
	aligns := make([]tw.Align, len(t.Columns))
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		aligns[i] = tw.AlignLeft
		if c.Align == Right {
			aligns[i] = tw.AlignRight
		}
		names[i] = escape(c.Name)
	}
	cells := tw.CellConfig{
		// AutoFormat would write NS/OP for ns/op.
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft, PerColumn: aligns},
	}
	options := []tablewriter.Option{
		tablewriter.WithRenderer(r),
		tablewriter.WithHeaderConfig(cells),
		tablewriter.WithRowConfig(cells),
		// Else the width of "±" or "→" depends on the environment (LANG, RUNEWIDTH_EASTASIAN).
		tablewriter.WithEastAsian(tw.Off),
		// Leading blanks can carry meaning (indented code).
		tablewriter.WithTrimSpace(tw.Off),
	}
	table := tablewriter.NewTable(w, append(options, more...)...)
	table.Header(names)
	for _, row := range t.Rows {
		escaped := make([]string, len(row))
		for i, cell := range row {
			escaped[i] = escape(cell)
		}
		if err := table.Append(escaped); err != nil {
			return fmt.Errorf("reports: table %q: %w", t.Title, err)
		}
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("reports: table %q: %w", t.Title, err)
	}
	return nil
}

// printable shows control characters and broken UTF-8 as escapes, so that a cell
// taken from a program's output cannot drive the terminal. Newlines stay: a cell
// of several lines takes several lines.
func printable(s string) string {
	s = strings.TrimSuffix(s, "\n")
	clean := true
	for _, r := range s {
		if r == unicode.ReplacementChar || (r != '\n' && !unicode.IsPrint(r)) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		quoted := fmt.Sprintf("%q", line)
		// The line as %q has it, but with its own quotes and backslashes bare.
		b.WriteString(strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(quoted[1 : len(quoted)-1]))
	}
	return b.String()
}

// markdownText escapes what Markdown, its tables or HTML would take for markup.
// tablewriter does none of it.
func markdownText(s string) string {
	var b strings.Builder
	runes := []rune(printable(s))
	for i, r := range runes {
		switch r {
		case '\n':
			b.WriteString("<br>")
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '\\', '|', '*', '`', '[', ']', '~', '$':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '_':
			if !insideWord(runes, i) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// insideWord reports whether rune i stands between letters or digits. There an
// underscore never starts emphasis, and names stay readable in the source.
func insideWord(runes []rune, i int) bool {
	word := func(j int) bool {
		return j >= 0 && j < len(runes) && (unicode.IsLetter(runes[j]) || unicode.IsDigit(runes[j]))
	}
	return word(i-1) && word(i+1)
}

// trimLineEnds takes the padding off the ends of lines.
func trimLineEnds(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}
