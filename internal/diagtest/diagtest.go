// Package diagtest compares diagnostics with markers in the source they are about.
//
// In: a source file whose comments hold markers, and the diagnostics a stage gave for it. Out: one complaint per marker
// without a diagnostic and per diagnostic without a marker.
//
// A marker is `//~ ERROR text` or `//~ WARNING text`: a diagnostic of that severity starts on the marker's line, and text
// is part of its message. Each `^` right after the tilde moves the marker one line up (`//~^^ ERROR text`). A line may
// hold several markers.
package diagtest

import (
	"fmt"
	"strings"

	"rokrig/compiler/source"
)

// Marker is one expectation.
type Marker struct {
	Line     int
	Severity source.Severity
	Text     string // a part of the message
}

// Markers reads the markers of a file, in the order of their places.
func Markers(f *source.File) ([]Marker, error) {
	var out []Marker
	for line := 1; line <= f.Lines(); line++ {
		parts := strings.Split(f.LineText(line), "//~")
		for _, part := range parts[1:] {
			m, err := parseMarker(part, line)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", f.Name, line, err)
			}
			out = append(out, m)
		}
	}
	return out, nil
}

func parseMarker(text string, line int) (Marker, error) {
	rest := strings.TrimLeft(text, "^")
	m := Marker{Line: line - (len(text) - len(rest))}
	kind, want, _ := strings.Cut(strings.TrimSpace(rest), " ")
	switch kind {
	case "ERROR":
		m.Severity = source.Error
	case "WARNING":
		m.Severity = source.Warning
	default:
		return m, fmt.Errorf("a marker says ERROR or WARNING, not %q", kind)
	}
	if m.Text = strings.TrimSpace(want); m.Text == "" {
		return m, fmt.Errorf("a marker needs a text to look for")
	}
	return m, nil
}

// Compare returns what is wrong with diags, judged by the markers of its file; nothing if all is as marked.
func Compare(diags *source.Diagnostics) ([]string, error) {
	markers, err := Markers(diags.File)
	if err != nil {
		return nil, err
	}
	var wrong []string
	used := make([]bool, len(markers))
	for _, d := range diags.All() {
		at := diags.File.Position(d.Span.Start)
		if !take(markers, used, at.Line, d) {
			wrong = append(wrong, fmt.Sprintf("%s:%d:%d: not marked: %s: %s", diags.File.Name, at.Line, at.Col, d.Severity, d.Message))
		}
	}
	for i, m := range markers {
		if !used[i] {
			wrong = append(wrong, fmt.Sprintf("%s:%d: marked but not reported: %s: %s", diags.File.Name, m.Line, m.Severity, m.Text))
		}
	}
	return wrong, nil
}

// take uses up the first unused marker that d satisfies.
func take(markers []Marker, used []bool, line int, d source.Diagnostic) bool {
	for i, m := range markers {
		if !used[i] && m.Line == line && m.Severity == d.Severity && strings.Contains(d.Message, m.Text) {
			used[i] = true
			return true
		}
	}
	return false
}
