package syntax

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"rokrig/compiler/source"
	"rokrig/internal/golden"
)

// input returns the section input.rok of an archive as a file.
func input(t *testing.T, archive *txtar.Archive) *source.File {
	t.Helper()
	for _, f := range archive.Files {
		if f.Name == "input.rok" {
			return source.NewFile(f.Name, string(f.Data))
		}
	}
	t.Fatal("no section input.rok")
	return nil
}

// TestPlaces shows where every node of a tree is.
func TestPlaces(t *testing.T) {
	golden.Run(t, "testdata/parse/*.txtar", func(t *testing.T, archive *txtar.Archive) map[string][]byte {
		f := input(t, archive)
		diags := &source.Diagnostics{File: f}
		tree := Parse(f, diags, Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		var out bytes.Buffer
		for _, d := range tree.Decls {
			showPlaces(&out, f, d, 0)
		}
		return map[string][]byte{"want": out.Bytes()}
	})
}

func showPlaces(out *bytes.Buffer, f *source.File, n Node, indent int) {
	at := func(p source.Pos) string {
		pos := f.Position(p)
		return fmt.Sprintf("%d:%d", pos.Line, pos.Col)
	}
	span := n.Where()
	own := ""
	switch n := n.(type) {
	case *Binary:
		own = " operator " + at(n.OpPos)
	case *Assign:
		own = " operator " + at(n.OpPos)
	case *Index:
		own = " bracket " + at(n.LBracket)
	}
	text := f.Text[f.Offset(span.Start):f.Offset(span.End)]
	fmt.Fprintf(out, "%s%s %s-%s%s %s\n", strings.Repeat("  ", indent), strings.TrimPrefix(fmt.Sprintf("%T", n), "*syntax."),
		at(span.Start), at(span.End), own, text)
	children(n, func(c Node) { showPlaces(out, f, c, indent+1) })
}

// TestPrintGolden shows the canonical layout.
func TestPrintGolden(t *testing.T) {
	golden.Run(t, "testdata/print/*.txtar", func(t *testing.T, archive *txtar.Archive) map[string][]byte {
		f := input(t, archive)
		diags := &source.Diagnostics{File: f}
		tree := Parse(f, diags, Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		text := PrintFile(tree)
		if again := PrintFile(parse(t, text)); again != text {
			t.Errorf("not a fixed point:\n%s", again)
		}
		lines := 0
		for _, line := range strings.Split(text, "\n") {
			if line != "" {
				lines++
			}
		}
		if got := Lines(tree); got != lines {
			t.Errorf("Lines says %d, there are %d", got, lines)
		}
		return map[string][]byte{"want": []byte(text)}
	})
}
