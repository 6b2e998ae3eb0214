package diagtest

import (
	"strings"
	"testing"

	"rokrig/compiler/source"
)

func TestCompare(t *testing.T) {
	text := "one //~ ERROR bad one\ntwo\n//~^ WARNING odd\nthree //~ ERROR missing\nfour\n"
	f := source.NewFile("t.rok", text)
	diags := &source.Diagnostics{File: f}
	at := func(word string) source.Span { return source.At(f.Pos(strings.Index(text, word))) }
	diags.Errorf(at("one"), "a bad one")
	diags.Warnf(at("two"), "an odd two")
	diags.Errorf(at("four"), "extra")
	wrong, err := Compare(diags)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"t.rok:5:1: not marked: error: extra",
		"t.rok:4: marked but not reported: error: missing",
	}
	if strings.Join(wrong, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", wrong, want)
	}
}

// A severity or a line that differs is not a match, nor is one marker enough for two diagnostics.
func TestCompareIsStrict(t *testing.T) {
	f := source.NewFile("t.rok", "x //~ ERROR m\ny\n")
	for name, report := range map[string]func(*source.Diagnostics){
		"severity": func(d *source.Diagnostics) { d.Warnf(source.At(1), "m") },
		"line":     func(d *source.Diagnostics) { d.Errorf(source.At(f.Pos(14)), "m") },
		"twice": func(d *source.Diagnostics) {
			d.Errorf(source.At(1), "m one")
			d.Errorf(source.At(2), "m two")
		},
		"none": func(*source.Diagnostics) {},
	} {
		diags := &source.Diagnostics{File: f}
		report(diags)
		if wrong, err := Compare(diags); err != nil || len(wrong) == 0 {
			t.Errorf("%s: nothing found wrong (%v)", name, err)
		}
	}
}

func TestMarkersRefuseNonsense(t *testing.T) {
	for _, text := range []string{"x //~ NOTE a", "x //~ ERROR", "x //~"} {
		if _, err := Markers(source.NewFile("t.rok", text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
