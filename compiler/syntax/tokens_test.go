package syntax

import (
	"strings"
	"testing"

	"rokrig/compiler/source"
)

func TestDumpTokens(t *testing.T) {
	var b strings.Builder
	text := "let x = t.0.1; // no token\nprint 'a \"s\\n\" 1..2.5 ?;"
	if err := DumpTokens(&b, source.NewFile("a.rok", text)); err != nil {
		t.Fatal(err)
	}
	want := `1:1	keyword	let
1:5	a name	x
1:7	symbol	=
1:9	a name	t
1:10	symbol	.
1:11	a tuple index	0
1:12	symbol	.
1:13	a tuple index	1
1:14	symbol	;
2:1	keyword	print
2:7	a label	'a
2:10	a string	"s\n"
2:16	an integer	1
2:17	symbol	..
2:19	a float	2.5
2:24	symbol	;
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
