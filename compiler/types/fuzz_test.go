package types

import (
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// FuzzCheck feeds any text to the parser and the checker: neither panics nor takes long, a program that is given back
// passes Verify (checkText sees to that) and can be dumped, and a second check says the same.
func FuzzCheck(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, section := range archive.Files {
			f.Add(string(section.Data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		p, diags := checkText("fuzz.rok", text, nil)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%d bytes took %v", len(text), took)
		}
		dump := ""
		if p != nil {
			dump = Dump(p)
		}
		again, diagsAgain := checkText("fuzz.rok", text, nil)
		if diags.String() != diagsAgain.String() || (p == nil) != (again == nil) || again != nil && Dump(again) != dump {
			t.Errorf("two checks of one text differ")
		}
	})
}
