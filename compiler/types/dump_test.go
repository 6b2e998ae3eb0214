package types

import (
	"testing"

	"golang.org/x/tools/txtar"

	"rokrig/internal/golden"
)

// The checked trees of the programs under testdata/dump are as written there.
func TestDump(t *testing.T) {
	golden.Run(t, "testdata/dump/*.txtar", func(t *testing.T, archive *txtar.Archive) map[string][]byte {
		for _, f := range archive.Files {
			if f.Name == "program.rok" {
				p := mustCheck(t, string(f.Data))
				return map[string][]byte{"want": []byte(Dump(p))}
			}
		}
		t.Fatal("no program.rok")
		return nil
	})
}
