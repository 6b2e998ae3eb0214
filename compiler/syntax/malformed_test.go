package syntax

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"rokrig/compiler/source"
	"rokrig/internal/diagtest"
)

// errorsOf parses text and returns its diagnostics.
func errorsOf(text string) *source.Diagnostics {
	f := source.NewFile("t.rok", text)
	diags := &source.Diagnostics{File: f}
	Parse(f, diags, Options{})
	return diags
}

// TestMalformed compares what is reported about the programs of testdata/malformed with the markers in them.
func TestMalformed(t *testing.T) {
	archives, err := filepath.Glob("testdata/malformed/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	programs := 0
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			programs++
			t.Run(filepath.Base(path)+"/"+file.Name, func(t *testing.T) {
				f := source.NewFile(file.Name, string(file.Data))
				diags := &source.Diagnostics{File: f}
				Parse(f, diags, Options{})
				wrong, err := diagtest.Compare(diags)
				if err != nil {
					t.Fatal(err)
				}
				for _, w := range wrong {
					t.Error(w)
				}
			})
		}
	}
	if programs < 35 {
		t.Errorf("only %d programs", programs)
	}
}

// TestErrorPlaces checks line and column of errors, also where no marker can stand.
func TestErrorPlaces(t *testing.T) {
	tests := []struct{ text, want string }{
		{"print \"abc", "1:7: unterminated string"},
		{"print 1;\nprint \"a\\\";\nx", "2:7: unterminated string"},
		{"print 1; /* a /* b */ c", "1:10: unterminated comment"},
		{"print \"\xff\";", "1:8: invalid UTF-8: byte 0xFF"},
		{"// \xc3(\nprint 1;", "1:4: invalid UTF-8: byte 0xC3"},
		{"print \x00 1;", "1:7: NUL byte in the source text"},
		{"print 1; // \x00", "1:13: NUL byte in the source text"},
		{"print \"\x00\";", "1:8: NUL byte in the source text"},
		{"\xff\xfe\x00\x01", "1:1: invalid UTF-8: byte 0xFF|1:2: invalid UTF-8: byte 0xFE|1:3: NUL byte in the source text|1:4: unknown character U+0001"},
		{"print \"é\", @;", "1:12: unknown character `@`|1:13: expected an expression, found `;`"},
		{"print \"\\u{110000}\\q\";", "1:8: `\\u{N}` must be a Unicode scalar value|1:18: unknown escape; there are \\n \\t \\r \\0 \\\\ \\\" \\xNN \\u{N}"},
		{"print 0b12;", "1:10: `2` is no digit in base 2"},
		{"print 7u7;", "1:8: unknown suffix `u7` on a number"},
		{"print 1\nprint 2;", "1:7: expected `;` after this, found the keyword `print`"},
		{"fn f() {\n\tprint 1;\n", "1:8: this bracket is never closed"},
		{"print f(1,\n2", "1:8: this bracket is never closed"},
		{"print 1 <\n2 < 3;", "2:3: comparisons do not chain; write `a < b && b < c`"},
		{"", ""},
		{"\uFEFFprint 1;", ""},
		{"print 1", ""},
		{"let x = 1", ""},
		{"let x = {\n1", "1:9: this bracket is never closed"},
		{"/**/ /***/ /*/ */ print 1; // x", ""},
		{"print \"two\nlines\";", ""},
	}
	for _, test := range tests {
		diags := errorsOf(test.text)
		var got []string
		for _, d := range diags.All() {
			at := diags.File.Position(d.Span.Start)
			got = append(got, fmt.Sprintf("%d:%d: %s", at.Line, at.Col, d.Message))
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("%q:\ngot  %s\nwant %s", test.text, strings.Join(got, "|"), test.want)
		}
	}
}
