// Package golden compares what code makes of an input with what is written down
// beside that input.
//
// In: txtar archives. The sections whose names begin with "want" hold expected
// outputs, every other section is input; the text above the first section says
// what the case is about. Out: a failed test with a diff where they differ.
//
// One command rewrites the expectations from what the code makes now:
//
//	ROKRIG_UPDATE=1 go test ./...
//
// The rewritten files are reviewed as diffs: an expectation that nobody read
// proves nothing. CI (ROKRIG_REQUIRE_ALL=1) refuses to rewrite.
//
// An archive would add a newline to a section that lacks one at its end, so such
// an output is stored with the line `\ no newline at end` behind it.
package golden

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"rokrig/internal/tier"
)

const (
	updateVariable = "ROKRIG_UPDATE"
	wantPrefix     = "want"
	noNewline      = "\\ no newline at end\n"
)

// Outputs makes the outputs of one archive's input: name of the section ("want"
// first) to text. Every "want" section of the archive has to be among them.
type Outputs func(t *testing.T, archive *txtar.Archive) map[string][]byte

// Run compares, for every archive that matches pattern, in a subtest named for
// the file, what outputs returns with the archive's "want" sections. A pattern
// that matches nothing fails the test.
func Run(t *testing.T, pattern string, outputs Outputs) {
	t.Helper()
	update := updating(t)
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatalf("golden: %s: %v", pattern, err)
	}
	if len(files) == 0 {
		t.Fatalf("golden: no file matches %s", pattern)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		t.Run(name, func(t *testing.T) { runFile(t, file, update, outputs) })
	}
}

// updating reports whether expectations are to be rewritten.
func updating(t testing.TB) bool {
	if os.Getenv(updateVariable) != "1" {
		return false
	}
	if tier.RequireAll() {
		t.Fatalf("golden: %s=1 under ROKRIG_REQUIRE_ALL=1: a CI run must not write its own expectations", updateVariable)
	}
	return true
}

func runFile(t *testing.T, file string, update bool, outputs Outputs) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("golden: %v", err)
	}
	archive := txtar.Parse(data)
	if err := checkNames(archive); err != nil {
		t.Fatalf("golden: %s: %v", file, err)
	}
	// The callee gets a copy: it may do with it what it likes.
	got, err := stored(outputs(t, txtar.Parse(bytes.Clone(data))))
	if err != nil {
		t.Fatalf("golden: %s: %v", file, err)
	}
	if t.Failed() {
		return // outputs has found its input wanting; there is nothing to compare
	}
	if update {
		if err := rewrite(file, archive, got); err != nil {
			t.Fatalf("golden: %v", err)
		}
		return
	}
	for _, difference := range compare(archive, got) {
		t.Errorf("%s: %s\n(if the new output is right: %s=1 go test .)", file, difference, updateVariable)
	}
}

// Section returns the text of an input section, and ends the test if the archive
// has none of that name.
func Section(t testing.TB, archive *txtar.Archive, name string) []byte {
	t.Helper()
	for _, f := range archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	t.Fatalf("golden: the archive has no section %q", name)
	return nil
}

func isWant(name string) bool { return strings.HasPrefix(name, wantPrefix) }

// checkNames rejects an archive with two sections of one name: only one of them
// would be compared.
func checkNames(archive *txtar.Archive) error {
	seen := make(map[string]bool)
	for _, f := range archive.Files {
		if seen[f.Name] {
			return fmt.Errorf("two sections named %q", f.Name)
		}
		seen[f.Name] = true
	}
	return nil
}

// stored turns outputs into the text of sections. Errors: a name that is not an
// output's, text that an archive would read back as something else.
func stored(outputs map[string][]byte) (map[string][]byte, error) {
	texts := make(map[string][]byte, len(outputs))
	for _, name := range sortedNames(outputs) {
		if !isWant(name) {
			return nil, fmt.Errorf("output %q: the names of outputs begin with %q", name, wantPrefix)
		}
		text := bytes.Clone(outputs[name])
		if len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(append(text, '\n'), noNewline...)
		}
		archive := &txtar.Archive{Files: []txtar.File{{Name: name, Data: text}}}
		back := txtar.Parse(txtar.Format(archive))
		if len(back.Files) != 1 || back.Files[0].Name != name || !bytes.Equal(back.Files[0].Data, text) {
			return nil, fmt.Errorf("output %q holds text that an archive cannot (a line like `-- name --`)", name)
		}
		texts[name] = text
	}
	return texts, nil
}

// compare describes every section in which archive and got differ, in the
// archive's order, then what only got has.
func compare(archive *txtar.Archive, got map[string][]byte) []string {
	var differences []string
	known := make(map[string]bool)
	for _, f := range archive.Files {
		if !isWant(f.Name) {
			continue
		}
		known[f.Name] = true
		text, ok := got[f.Name]
		switch {
		case !ok:
			differences = append(differences, fmt.Sprintf("section %q is expected, but the test makes no such output", f.Name))
		case !bytes.Equal(f.Data, text):
			differences = append(differences, fmt.Sprintf("section %q (-want +got):\n%s", f.Name, cmp.Diff(string(f.Data), string(text))))
		}
	}
	for _, name := range sortedNames(got) {
		if !known[name] {
			differences = append(differences, fmt.Sprintf("output %q has no section in the archive:\n%s", name, got[name]))
		}
	}
	return differences
}

// rewrite writes got into the archive's file: changed sections in place, new ones
// at the end, those that are made no more left out. A file that would not change
// is not touched.
func rewrite(file string, archive *txtar.Archive, got map[string][]byte) error {
	result := &txtar.Archive{Comment: archive.Comment}
	written := make(map[string]bool)
	for _, f := range archive.Files {
		if isWant(f.Name) {
			text, ok := got[f.Name]
			if !ok {
				continue
			}
			f.Data = text
			written[f.Name] = true
		}
		result.Files = append(result.Files, f)
	}
	for _, name := range sortedNames(got) {
		if !written[name] {
			result.Files = append(result.Files, txtar.File{Name: name, Data: got[name]})
		}
	}
	before, after := txtar.Format(archive), txtar.Format(result)
	if bytes.Equal(before, after) {
		return nil
	}
	return os.WriteFile(file, after, 0o644)
}

func sortedNames(m map[string][]byte) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
