package syntax

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"golang.org/x/tools/txtar"

	"rokrig/compiler/source"
)

// addSeeds gives the fuzzer every program the other tests have.
func addSeeds(f *testing.F) {
	for _, text := range seedFragments {
		f.Add(text)
	}
	f.Add(benchProgram)
	archives, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range archives {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			f.Add(string(file.Data))
		}
	}
}

// maxFuzzed keeps fuzzed inputs small: a long one finds nothing that a short one does not, and costs more.
const maxFuzzed = 1 << 14

// FuzzLex: tokens are in order, apart from blanks and comments they are all of the text, and the last one is its end.
func FuzzLex(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxFuzzed {
			return
		}
		file := source.NewFile("t.rok", text)
		diags := &source.Diagnostics{File: file}
		l := lexer{text: text, base: file.Pos(0), diags: diags}
		l.checkBytes()
		end := int32(0)
		for {
			tok := l.scan()
			if tok.start < end || tok.end < tok.start || int(tok.end) > len(text) {
				t.Fatalf("token %v after offset %d", tok, end)
			}
			if gap := text[end:tok.start]; !diags.HasErrors() && !isBlankText(gap) {
				t.Fatalf("%q passed without a word", gap)
			}
			end = tok.end
			if tok.kind == tEOF {
				break
			}
			if tok.start == tok.end {
				t.Fatalf("empty token %v", tok)
			}
		}
		if int(end) != len(text) {
			t.Fatalf("ended at %d of %d", end, len(text))
		}
		for _, d := range diags.All() {
			checkDiagnostic(t, file, d)
		}
	})
}

// isBlankText reports whether text is blanks and comments; it does not nest them, which a gap shows by its ends alone.
func isBlankText(text string) bool {
	l := lexer{text: text, diags: &source.Diagnostics{}}
	l.skipBlanks()
	return l.off == len(text)
}

func checkDiagnostic(t *testing.T, f *source.File, d source.Diagnostic) {
	t.Helper()
	if d.Span.Start < f.Pos(0) || d.Span.End < d.Span.Start || d.Span.End > f.Pos(len(f.Text)) || d.Message == "" {
		t.Fatalf("diagnostic %v is outside of the text", d)
	}
}

// FuzzParse: any text has a tree that prints to a text of the same tree, or an error with a place.
func FuzzParse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxFuzzed {
			return
		}
		file := source.NewFile("t.rok", text)
		diags := &source.Diagnostics{File: file}
		tree := Parse(file, diags, Options{})
		for _, d := range diags.All() {
			checkDiagnostic(t, file, d)
		}
		_ = diags.String()
		if depth := depthOf(tree); depth > MaxDepth+2 {
			t.Fatalf("the tree is %d deep", depth)
		}
		if diags.HasErrors() {
			return
		}
		printed := PrintFile(tree)
		again := parse(t, printed)
		if second := PrintFile(again); second != printed {
			t.Fatalf("not a fixed point:\n%s\nthen:\n%s", printed, second)
		}
		copied := Clone(tree)
		strip(reflect.ValueOf(copied.Decls))
		strip(reflect.ValueOf(again.Decls))
		if !reflect.DeepEqual(copied.Decls, again.Decls) {
			t.Fatalf("printed, the program is another one:\n%s\nfrom\n%s", printed, text)
		}
	})
}
