package reports

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"rokrig/internal/golden"
)

// sample holds every trap of a table at once: capitals and slashes in names, cells
// with markup, newlines, control characters, leading blanks, wide letters.
var sample = Table{
	Title: "Traps | all of *them*",
	Columns: []Column{
		{"name", Left}, {"ns/op", Right}, {"geo_mean B/s", Right}, {"note", Left},
	},
	Rows: [][]string{
		{"barrier/omit_card@7", "1.25", "1,234", ""},
		{"a|b \\| c", "10", "9", "<b>&amp;</b>"},
		{"two\nlines", "100", "-", "`code` [x](y) $1$ ~z~"},
		{"  indented", "", "0", "bell\a escape\x1b[31m bad\xff tab\t quote\" back\\slash"},
		{"é→±日本", "1", "1", "_edge_ in_side"},
		{strings.Repeat("long ", 30) + "end", "1", "1", ""},
	},
	Notes: []string{"measured once | only", "n < 6"},
}

func TestTable(t *testing.T) {
	golden.Run(t, "testdata/table/*.txtar", func(t *testing.T, _ *txtar.Archive) map[string][]byte {
		var terminal, markdown strings.Builder
		if err := sample.Terminal(&terminal); err != nil {
			t.Fatal(err)
		}
		if err := sample.Markdown(&markdown); err != nil {
			t.Fatal(err)
		}
		return map[string][]byte{"want.terminal": []byte(terminal.String()), "want.markdown": []byte(markdown.String())}
	})
}

// The width of letters must not depend on where the program runs: tablewriter asks
// the environment, once a process, unless it is told not to.
func TestTableIgnoresTheLocale(t *testing.T) {
	for _, setting := range []string{"LC_ALL=C", "LC_ALL=ja_JP.UTF-8", "RUNEWIDTH_EASTASIAN=1"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTable$")
		cmd.Env = append(os.Environ(), "ROKRIG_UPDATE=", setting)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("with %s: %v\n%s", setting, err, out)
		}
	}
}

// Every Markdown row must split into as many cells as there are columns, whatever
// the cells hold; the splitter here follows the GitHub grammar (a backslash takes
// the next character with it).
func TestMarkdownRowsKeepTheirCells(t *testing.T) {
	nasty := []string{"|", "\\", "\\|", "\\\\|", "a\nb", "\r\n", "||", "`|`", "| - |", "\n"}
	for _, cell := range nasty {
		table := Table{Columns: []Column{{"a|b", Left}, {"c", Right}}, Rows: [][]string{{cell, cell}}}
		var b strings.Builder
		if err := table.Markdown(&b); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) != 3 {
			t.Errorf("cell %q makes %d lines, want 3:\n%s", cell, len(lines), b.String())
			continue
		}
		for _, line := range lines {
			if n := splitMarkdownRow(line); n != 2 {
				t.Errorf("cell %q: line %q has %d cells, want 2", cell, line, n)
			}
		}
	}
}

func splitMarkdownRow(line string) int {
	bars := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			bars++
		}
	}
	return bars - 1
}

func TestTableRejects(t *testing.T) {
	two := []Column{{"a", Left}, {"b", Right}}
	for name, table := range map[string]Table{
		"no columns": {Rows: [][]string{{"x"}}},
		"long row":   {Columns: two, Rows: [][]string{{"1", "2"}, {"1", "2", "3"}}},
		"short row":  {Columns: two, Rows: [][]string{{"1"}}},
	} {
		var b strings.Builder
		if err := table.Terminal(&b); err == nil {
			t.Errorf("%s: Terminal accepts it", name)
		}
		if err := table.Markdown(&b); err == nil {
			t.Errorf("%s: Markdown accepts it", name)
		}
		if b.Len() > 0 {
			t.Errorf("%s: something is written: %q", name, b.String())
		}
	}
}

func TestTableWithoutRows(t *testing.T) {
	table := Table{Columns: []Column{{"a", Left}, {"b", Right}}}
	var b strings.Builder
	if err := table.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(b.String(), "\n"); lines != 2 {
		t.Errorf("a table without rows has %d lines in Markdown, want head and rule:\n%s", lines, b.String())
	}
}

func TestJSON(t *testing.T) {
	var b strings.Builder
	if err := JSON(&b, map[string]any{"b": 1, "a": "x<y\n"}); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), `{"a":"x<y\n","b":1}`+"\n"; got != want {
		t.Errorf("JSON writes %q, want %q", got, want)
	}
	zero := 0.0
	if err := JSON(&b, 1/zero); err == nil {
		t.Error("JSON accepts an infinity")
	}
}
