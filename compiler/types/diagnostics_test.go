package types

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"rokrig/compiler/source"
	"rokrig/internal/diagtest"
)

// Every program under testdata/diagnostics gets the diagnostics that its markers ask for, and no others.
func TestDiagnostics(t *testing.T) {
	files, err := filepath.Glob("testdata/diagnostics/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	rejected := 0
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			title := strings.TrimSuffix(filepath.Base(name), ".txtar") + "/" + f.Name
			p, diags := checkText(title, string(f.Data), nil)
			wrong, err := diagtest.Compare(diags)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range wrong {
				t.Error(w)
			}
			if diags.HasErrors() != (p == nil) {
				t.Errorf("%s: errors: %v, program given: %v", title, diags.HasErrors(), p != nil)
			}
			if p == nil {
				rejected += len(alone(diags))
			}
		}
	}
	if rejected < 60 {
		t.Errorf("only %d malformed lines are tried", rejected)
	}
}

func alone(diags *source.Diagnostics) []source.Diagnostic { return diags.Errors() }
