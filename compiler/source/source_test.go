package source

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// slowPosition counts from the start of the text, the way a person would.
func slowPosition(text string, off int) Position {
	p := Position{1, 1}
	for i := 0; i < off; {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == '\n' {
			p = Position{p.Line + 1, 1}
		} else {
			p.Col++
		}
		i += size
	}
	return p
}

func TestPositionAgreesWithCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"a", "\n", "é", "日", "😀", "\xff", "\xe6\x97", "\t", strings.Repeat("x", 300), strings.Repeat("ß", 300)})
		text := strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "pieces"), "")
		f := NewFile("f", text)
		for off := 0; off < len(text); {
			want := slowPosition(text, off)
			if got := f.Position(f.Pos(off)); got != want {
				t.Fatalf("offset %d of %q: got %v, want %v", off, text, got, want)
			}
			_, size := utf8.DecodeRuneInString(text[off:])
			off += size
		}
	})
}

// A file that is one line of ten megabytes must not make each look-up walk the line.
func TestPositionInOneLongLine(t *testing.T) {
	text := strings.Repeat("é", 5<<20)
	f := NewFile("f", text)
	start := time.Now()
	for off := 0; off < len(text); off += 100 {
		if got, want := f.Position(f.Pos(off)), (Position{1, off/2 + 1}); got != want {
			t.Fatalf("offset %d: got %v, want %v", off, got, want)
		}
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("100,000 look-ups took %v", d)
	}
}

func TestPreludePositionsAreApart(t *testing.T) {
	user, prelude := NewFile("u", "ab\ncd"), NewPreludeFile("p", "ab\ncd")
	if user.Pos(4) >= PreludeBase || prelude.Pos(4) < PreludeBase {
		t.Fatalf("positions %d and %d do not tell the files apart", user.Pos(4), prelude.Pos(4))
	}
	if got, want := prelude.Position(prelude.Pos(4)), (Position{2, 2}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRender(t *testing.T) {
	f := NewFile("x.rok", "let a = 1;\n\tlet é = b\x00;\n"+strings.Repeat("y", 500)+"\n")
	tests := []struct {
		off  int
		want string
	}{
		{4, "x.rok:1:5: error: m\n    let a = 1;\n        ^\n"},
		{21, "x.rok:2:10: error: m\n    \tlet é = b\uFFFD;\n    \t        ^\n"},
		{24 + 1 + 300, "x.rok:3:301: error: m\n    ..." + strings.Repeat("y", 100) + "...\n    " + strings.Repeat(" ", 53) + "^\n"},
	}
	for _, tt := range tests {
		d := Diagnostics{File: f}
		d.Errorf(At(f.Pos(tt.off)), "m")
		if got := d.String(); got != tt.want {
			t.Errorf("offset %d:\ngot  %q\nwant %q", tt.off, got, tt.want)
		}
	}
}

func TestDiagnosticsStopAndSort(t *testing.T) {
	f := NewFile("x.rok", strings.Repeat("a", 1000))
	d := Diagnostics{File: f}
	d.Errorf(At(9), "late")
	d.Errorf(At(9), "late")
	d.Warnf(At(3), "early")
	if all := d.All(); len(all) != 2 || all[0].Message != "early" {
		t.Fatalf("got %v", all)
	}
	for i := range 1000 {
		d.Errorf(At(Pos(i+1)), "e")
	}
	if n := len(d.Errors()); n != MaxErrors+1 {
		t.Errorf("%d errors were kept, want %d and one that says so", n, MaxErrors)
	}
}
