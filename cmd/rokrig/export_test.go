package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rokrig/fuzz/export"
	"rokrig/fuzz/triage"
	"rokrig/internal/tier"
)

// A finding is exported with the configuration and the deliberate bug that it was found with.
func TestExportOfAFinding(t *testing.T) {
	tier.NeedTools(t, "gcc")
	store, err := triage.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &triage.Finding{Kind: triage.Difference, Configs: []string{"stack/check"}, Mutant: "arith/raw-idiv", Source: "print 1 / (2 - 2);\n"}
	f.Seal("fault: crash")
	if _, err := store.Add(f); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "case")
	status, out, errs := statusOf(t, rokrig(t, nil, "export", store.Path(f.ID), dir, "--json"))
	var r export.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != statusClean {
		t.Fatalf("status %d, %v: %s", status, err, errs)
	}
	if !strings.HasPrefix(r.Expected, "panic, status 101") || !strings.HasPrefix(r.Shows, "crash") || !slices.Contains(r.Files, "Makefile") {
		t.Errorf("%+v", r)
	}
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil || !strings.Contains(string(text), "`arith/raw-idiv`") || !strings.Contains(string(text), "stack/check") || !strings.Contains(string(text), f.Signature) {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestExportRefuses(t *testing.T) {
	tier.NeedTools(t, "gcc")
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.rok"), filepath.Join(dir, "bad.rok")
	for path, text := range map[string]string{good: "print 1;\n", bad: "let = ;\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{good, dir}, "something is there already"},
		{[]string{bad, filepath.Join(dir, "x")}, "case.rok:1:5: error:"},
		{[]string{"/no/such/file", filepath.Join(dir, "x")}, "no such file"},
		{[]string{dir, filepath.Join(dir, "x")}, "2 programs; name one"},
		{[]string{good, filepath.Join(dir, "x"), "--config", "x"}, "no subject is named"},
		{[]string{good, filepath.Join(dir, "x"), "--mutant", "x/y"}, "x/y"},
		{[]string{good}, "accepts 2 arg"},
	} {
		status, _, errs := statusOf(t, rokrig(t, nil, append([]string{"export"}, tt.args...)...))
		if status != statusUsage || !strings.Contains(errs, tt.want) {
			t.Errorf("%v: status %d: %s", tt.args, status, errs)
		}
	}
}
