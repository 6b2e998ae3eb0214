package syntax

import (
	"fmt"
	"io"

	"rokrig/compiler/source"
)

// DumpTokens writes the tokens of a file, one a line: place, sort and text. What is wrong inside a token is not reported
// here; parsing the file does that.
func DumpTokens(w io.Writer, f *source.File) error {
	l := lexer{text: f.Text, base: f.Pos(0), diags: &source.Diagnostics{File: f}}
	for range MaxTokens {
		t := l.scan()
		if t.kind == tEOF {
			break
		}
		sort := "symbol"
		switch {
		case t.kind.isKeyword():
			sort = "keyword"
		case !t.kind.hasSpelling():
			sort = kindText[t.kind]
		}
		at := f.Position(f.Pos(int(t.start)))
		if _, err := fmt.Fprintf(w, "%d:%d\t%s\t%s\n", at.Line, at.Col, sort, f.Text[t.start:t.end]); err != nil {
			return err
		}
	}
	return nil
}
