package golden

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

func TestRun(t *testing.T) {
	Run(t, "testdata/*.txtar", func(t *testing.T, ar *txtar.Archive) map[string][]byte {
		lines := strings.SplitAfter(string(Section(t, ar, "in")), "\n")
		slices.Reverse(lines)
		return map[string][]byte{"want.reversed": []byte(strings.Join(lines, ""))}
	})
}

// TestRun itself must fail where expectations are wrong or missing: it runs again
// in a process of its own, in folders made for that.
func TestRunFails(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"as expected", "a.txtar", "-- in --\nx\ny\n-- want.reversed --\ny\nx\n", ""},
		{"difference", "a.txtar", "-- in --\nx\ny\n-- want.reversed --\nx\ny\n", "(-want +got)"},
		{"no expectation", "a.txtar", "-- in --\nx\n", "has no section"},
		{"no input", "a.txtar", "-- out --\nx\n", `no section "in"`},
		{"no file", "a.txt", "", "no file matches"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "testdata"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "testdata", c.file), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0], "-test.run=^TestRun$")
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), updateVariable+"=")
			out, err := cmd.CombinedOutput()
			if failed := err != nil; failed != (c.want != "") || !strings.Contains(string(out), c.want) {
				t.Errorf("failed: %v, want it to say %q; it says:\n%s", failed, c.want, out)
			}
		})
	}
}

func outputs(pairs ...string) map[string][]byte {
	m := make(map[string][]byte)
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = []byte(pairs[i+1])
	}
	return m
}

// Each way in which outputs and expectations can differ has to be told.
func TestCompare(t *testing.T) {
	archive := txtar.Parse([]byte("about\n-- in --\nx\n-- want.a --\na\n-- want.b --\nb\n"))
	for _, c := range []struct {
		name string
		got  map[string][]byte
		want []string // parts of the differences, in order
	}{
		{"equal", outputs("want.a", "a\n", "want.b", "b\n"), nil},
		{"changed", outputs("want.a", "A\n", "want.b", "b\n"), []string{`section "want.a" (-want +got)`}},
		{"lost", outputs("want.b", "b\n"), []string{`section "want.a" is expected`}},
		{"emptied", outputs("want.a", "", "want.b", "b\n"), []string{`section "want.a" (-want +got)`}},
		{"new", outputs("want.a", "a\n", "want.b", "b\n", "want.c", "c\n"), []string{`output "want.c" has no section`}},
		{"newline lost", outputs("want.a", "a", "want.b", "b\n"), []string{`section "want.a" (-want +got)`}},
		{"several", outputs("want.d", "", "want.b", "B\n"), []string{`"want.a"`, `"want.b"`, `"want.d"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			texts, err := stored(c.got)
			if err != nil {
				t.Fatal(err)
			}
			got := compare(archive, texts)
			if len(got) != len(c.want) {
				t.Fatalf("%d differences, want %d: %q", len(got), len(c.want), got)
			}
			for i := range got {
				if !strings.Contains(got[i], c.want[i]) {
					t.Errorf("difference %d is %q, want it to say %q", i, got[i], c.want[i])
				}
			}
		})
	}
}

func TestStoredRejects(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"stdout", "x\n"},                      // an output's name begins with "want"
		{"want", "a\n-- in --\nb\n"},           // would become a section
		{"want.x", "a\n-- want.y --\n"},        // likewise
		{"want", "last line\n-- unended --"},   // a section even without its newline
		{"want two\nlines", "a name of lines"}, // no section can have it
	} {
		if got, err := stored(outputs(c.name, c.text)); err == nil {
			t.Errorf("stored(%q: %q) = %q, want an error", c.name, c.text, got)
		}
	}
}

func TestTwoSectionsOfOneName(t *testing.T) {
	if checkNames(txtar.Parse([]byte("-- want --\na\n-- want --\nb\n"))) == nil {
		t.Error("an archive with two sections of one name is accepted; one of them is never compared")
	}
}

func TestRewrite(t *testing.T) {
	const before = "about\n-- want.old --\nold\n-- in --\ninput\n-- want.a --\na\n"
	file := filepath.Join(t.TempDir(), "case.txtar")
	if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := stored(outputs("want.a", "no newline", "want.z", "z\n", "want.m", ""))
	if err != nil {
		t.Fatal(err)
	}
	if err := rewrite(file, txtar.Parse([]byte(before)), got); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const want = "about\n-- in --\ninput\n-- want.a --\nno newline\n\\ no newline at end\n-- want.m --\n-- want.z --\nz\n"
	if string(after) != want {
		t.Errorf("rewritten file:\n%s\nwant:\n%s", after, want)
	}
	if d := compare(txtar.Parse(after), got); len(d) != 0 {
		t.Errorf("the rewritten file differs from what it was written from: %q", d)
	}
}

func TestRewriteLeavesEqualFilesAlone(t *testing.T) {
	const text = "-- want --\na\n"
	file := filepath.Join(t.TempDir(), "missing-folder", "case.txtar") // writing would fail
	if err := rewrite(file, txtar.Parse([]byte(text)), outputs("want", "a\n")); err != nil {
		t.Errorf("an unchanged file is written: %v", err)
	}
}

func TestCIRefusesToRewrite(t *testing.T) {
	t.Setenv(updateVariable, "1")
	t.Setenv("ROKRIG_REQUIRE_ALL", "")
	if !updating(t) {
		t.Errorf("%s=1 does not rewrite", updateVariable)
	}
	t.Setenv("ROKRIG_REQUIRE_ALL", "1")
	var r refusal
	func() {
		defer func() { _ = recover() }()
		updating(&r)
	}()
	if !r.refused {
		t.Error("expectations are rewritten in CI")
	}
}

// refusal stands in for a test that ends.
type refusal struct {
	testing.TB
	refused bool
}

func (r *refusal) Fatalf(string, ...any) { r.refused = true; panic("ended") }

func TestCalleeCannotChangeTheArchive(t *testing.T) {
	file := filepath.Join(t.TempDir(), "case.txtar")
	if err := os.WriteFile(file, []byte("-- in --\nx\n-- want --\nx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	runFile(t, file, false, func(t *testing.T, ar *txtar.Archive) map[string][]byte {
		in := bytes.Clone(Section(t, ar, "in"))
		for i := range ar.Files {
			ar.Files[i].Data[0] = '!'
			ar.Files[i].Name = "want"
		}
		return map[string][]byte{"want": in}
	})
}
