package docs

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rokrig/internal/tier"
)

const rowsPage = "rows.md"

// milestones are the words the column "due" may hold besides "now".
var milestones = []string{"registers", "objects", "errors", "collector", "mlir", "tables"}

// rowCount is how many rows each letter has: rows are never given up in silence.
var rowCount = []struct {
	letter string
	n      int
}{{"L", 15}, {"R", 9}, {"C", 9}, {"H", 9}}

// row is one line of the page's tables.
type row struct {
	id       string // "C4"
	line     int    // index into the page's lines
	cells    []string
	due      string
	provedBy []string
}

// rowTest is a top-level test named for a row.
type rowTest struct{ name, file string }

var (
	rowLine     = regexp.MustCompile(`^\| ([A-Z][0-9]+) \|`)
	rowTestName = regexp.MustCompile(`^Test([LRCH])([0-9]+)(_|$)`)
	testNames   = regexp.MustCompile("`(Test\\w+)`")
)

func TestRows(t *testing.T) {
	page, err := os.ReadFile(rowsPage)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := rowTests("..")
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("ROKRIG_UPDATE") == "1" && !tier.RequireAll() {
		if page, err = rewriteProofs(page, tests); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(rowsPage, page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := parseRows(string(page))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range rowCount {
		for i := 1; i <= c.n; i++ {
			if id := fmt.Sprintf("%s%d", c.letter, i); !slices.ContainsFunc(rows, func(r row) bool { return r.id == id }) {
				t.Errorf("%s: row %s is missing", rowsPage, id)
			}
		}
	}
	for _, fault := range judgeRows(rows, tests) {
		t.Error(fault)
	}
}

// parseRows reads the page's rows. Errors: a row twice, a line without its four
// cells, an unknown milestone.
func parseRows(page string) ([]row, error) {
	var rows []row
	var faults []error
	seen := make(map[string]bool)
	for i, line := range strings.Split(page, "\n") {
		m := rowLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), " | ")
		if len(cells) != 4 {
			faults = append(faults, fmt.Errorf("row %s has %d cells", m[1], len(cells)))
			continue
		}
		for j := range cells {
			cells[j] = strings.TrimSpace(cells[j])
		}
		r := row{id: m[1], line: i, cells: cells, due: cells[2]}
		for _, name := range testNames.FindAllStringSubmatch(cells[3], -1) {
			r.provedBy = append(r.provedBy, name[1])
		}
		if r.due != "now" && !slices.Contains(milestones, r.due) {
			faults = append(faults, fmt.Errorf("row %s is due %q, which is neither now nor a milestone", r.id, r.due))
		}
		if seen[r.id] {
			faults = append(faults, fmt.Errorf("row %s stands twice", r.id))
		}
		seen[r.id] = true
		rows = append(rows, r)
	}
	return rows, errors.Join(faults...)
}

// judgeRows lists every disagreement between the page and the tests.
func judgeRows(rows []row, tests []rowTest) []string {
	var faults []string
	byRow := make(map[string][]string)
	for _, test := range tests {
		id, ok := rowOf(test.name)
		if !ok {
			faults = append(faults, fmt.Sprintf("%s: %s: a row's test is named like TestC04_Something, two digits and a name", test.file, test.name))
			continue
		}
		if !slices.ContainsFunc(rows, func(r row) bool { return r.id == id }) {
			faults = append(faults, fmt.Sprintf("%s: %s is named for row %s, which %s does not have", test.file, test.name, id, rowsPage))
			continue
		}
		byRow[id] = append(byRow[id], test.name)
	}
	for _, r := range rows {
		if r.due == "now" && len(byRow[r.id]) == 0 {
			faults = append(faults, fmt.Sprintf("row %s is due now and has no test", r.id))
		}
		if !slices.Equal(r.provedBy, byRow[r.id]) {
			faults = append(faults, fmt.Sprintf("row %s: the page names %v, the tests are %v (ROKRIG_UPDATE=1 go test ./docs rewrites the page)", r.id, r.provedBy, byRow[r.id]))
		}
	}
	return faults
}

// rowOf returns the row a test is named for; false if it is named in a way that
// only looks like a row's.
func rowOf(test string) (id string, ok bool) {
	m := rowTestName.FindStringSubmatch(test)
	if m == nil || len(m[2]) != 2 || m[3] != "_" || strings.HasSuffix(test, "_") {
		return "", false
	}
	return m[1] + strings.TrimPrefix(m[2], "0"), true
}

// rowTests finds the tests named for rows, or nearly so, in order of their names.
func rowTests(root string) ([]rowTest, error) {
	files, err := goFiles(root)
	if err != nil {
		return nil, err
	}
	var tests []rowTest
	for _, f := range files {
		if !f.isTest() {
			continue
		}
		name := filepath.Join(root, filepath.FromSlash(f.dir), f.name)
		tree, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range tree.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if ok && fn.Recv == nil && rowTestName.MatchString(fn.Name.Name) {
				tests = append(tests, rowTest{fn.Name.Name, f.dir + "/" + f.name})
			}
		}
	}
	slices.SortFunc(tests, func(a, b rowTest) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.file, b.file)) })
	return tests, nil
}

// rewriteProofs fills the page's last column with the tests there are.
func rewriteProofs(page []byte, tests []rowTest) ([]byte, error) {
	rows, err := parseRows(string(page))
	if err != nil {
		return nil, err
	}
	lines := bytes.Split(page, []byte("\n"))
	for _, r := range rows {
		var names []string
		for _, test := range tests {
			if id, ok := rowOf(test.name); ok && id == r.id {
				names = append(names, "`"+test.name+"`")
			}
		}
		r.cells[3] = cmp.Or(strings.Join(names, " "), "—")
		lines[r.line] = []byte("| " + strings.Join(r.cells, " | ") + " |")
	}
	return bytes.Join(lines, []byte("\n")), nil
}

func TestJudgeRows(t *testing.T) {
	const page = "| C1 | x | now | `TestC01_A` |\n| C2 | x | registers | — |\n"
	for _, c := range []struct {
		name  string
		page  string
		tests []string
		want  []string
	}{
		{"all is well", page, []string{"TestC01_A"}, nil},
		{"due without a test", page, nil, []string{"C1 is due now", "row C1: the page names [TestC01_A]"}},
		{"a test unknown to the page", page, []string{"TestC01_A", "TestC01_B"}, []string{"row C1: the page names"}},
		{"a test before its time", page, []string{"TestC01_A", "TestC02_A"}, []string{"row C2: the page names []"}},
		{"a test for no row", page, []string{"TestC01_A", "TestC03_A"}, []string{"row C3, which"}},
		{"one digit", page, []string{"TestC01_A", "TestC1_A"}, []string{"two digits"}},
		{"three digits", page, []string{"TestC01_A", "TestC001_A"}, []string{"two digits"}},
		{"no name", page, []string{"TestC01_A", "TestC01_"}, []string{"two digits"}},
		{"no underscore", page, []string{"TestC01_A", "TestC01"}, []string{"two digits"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, err := parseRows(c.page)
			if err != nil {
				t.Fatal(err)
			}
			var tests []rowTest
			for _, name := range c.tests {
				tests = append(tests, rowTest{name, "x_test.go"})
			}
			got := judgeRows(rows, tests)
			if len(got) != len(c.want) {
				t.Fatalf("faults %q, want %d", got, len(c.want))
			}
			for i := range got {
				if !strings.Contains(got[i], c.want[i]) {
					t.Errorf("fault %q, want it to say %q", got[i], c.want[i])
				}
			}
		})
	}
}

func TestParseRowsRejects(t *testing.T) {
	for _, page := range []string{
		"| C1 | x | now |\n",
		"| C1 | x | someday | — |\n",
		"| C1 | x | now | — |\n| C1 | x | now | — |\n",
	} {
		if rows, err := parseRows(page); err == nil {
			t.Errorf("parseRows(%q) = %v, want an error", page, rows)
		}
	}
}

func TestRewriteProofs(t *testing.T) {
	const before = "text\n\n| C1 | has a `TestC01_Old` in it | now | — |\n| C2 | x | registers | `TestC02_Gone` |\n"
	const want = "text\n\n| C1 | has a `TestC01_Old` in it | now | `TestC01_A` `TestC01_B` |\n| C2 | x | registers | — |\n"
	got, err := rewriteProofs([]byte(before), []rowTest{{"TestC01_A", "a_test.go"}, {"TestC01_B", "a_test.go"}})
	if err != nil || string(got) != want {
		t.Errorf("rewriteProofs gives %v\n%s\nwant\n%s", err, got, want)
	}
}

func TestRowTestsAreFound(t *testing.T) {
	dir := t.TempDir()
	text := "package p\n\nfunc TestC04_A() {}\nfunc (x T) TestC05_A() {}\nfunc TestCamel() {}\nfunc TestL9() {}\n"
	for _, name := range []string{"p_test.go", "p.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := rowTests(dir)
	want := []rowTest{{"TestC04_A", "./p_test.go"}, {"TestL9", "./p_test.go"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("rowTests = %v, %v, want %v", got, err, want)
	}
}
