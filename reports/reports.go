// Package reports shows results to people and machines: tables for the terminal
// and for Markdown, one JSON object a command, figures with units, a progress
// line. It measures nothing.
//
// In: plain values of its own types (Table, Column), numbers, durations. It
// imports nothing of the rest of the module, so that whatever a package finds out
// stays independent of how it is shown. Out: text on an io.Writer.
//
// The same input gives the same bytes, on every machine and in every locale; only
// the progress line depends on the clock and the terminal.
package reports

import (
	"encoding/json"
	"fmt"
	"io"
)

// JSON writes v as one JSON object on one line, which commands print last so that
// `tail -n 1` finds it. Text keeps its <, > and &. NaN and infinities have no JSON
// form and are an error.
func JSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("reports: JSON: %w", err)
	}
	return nil
}
