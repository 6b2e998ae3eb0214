package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompareCommand(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, values ...string) string {
		path := filepath.Join(dir, name)
		text := ""
		for _, v := range values {
			text += "BenchmarkA 1 " + v + " ns/op\n"
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old := file("old", "100", "101", "102", "103", "104", "105", "106", "107")
	new := file("new", "200", "201", "202", "203", "204", "205", "206", "207")
	for _, c := range []struct {
		args   []string
		want   exitStatus
		stdout string
	}{
		{[]string{old, new}, statusClean, "+96."},
		{[]string{old, new, "--gate", "5%"}, statusFindings, "too much worse: A, sec/op: by "},
		{[]string{new, old, "--gate", "5%"}, statusClean, "-49."},
		{[]string{old, new, "--gate", "200"}, statusClean, "geometric mean"},
		{[]string{old, old, "--gate", "0"}, statusClean, "~"},
	} {
		status, stdout, stderr := execute(append([]string{"compare"}, c.args...)...)
		if status != c.want || !strings.Contains(stdout, c.stdout) || stderr != "" {
			t.Errorf("%q: status %d, want %d; %s%s", c.args, status, c.want, stdout, stderr)
		}
	}
	status, stdout, _ := execute("compare", old, new, "--json", "--gate", "1%")
	var got struct {
		Rows []struct {
			Name     string
			Old, New *float64
		}
		Hits     []compareHit
		Geomeans map[string]*float64
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || status != statusFindings || len(got.Rows) != 1 || len(got.Hits) != 1 || got.Rows[0].Old == nil || got.Geomeans["sec/op"] == nil {
		t.Errorf("status %d, %v: %s", status, err, stdout)
	}
}

func TestCompareBadUsage(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {empty}, {"/nonexistent", empty}, {empty, empty}, {empty, empty, "--gate", "much"}, {empty, empty, "--gate", "-1%"}, {empty, empty, "--gate", "NaN"}} {
		status, stdout, stderr := execute(append([]string{"compare"}, args...)...)
		if status != statusUsage || stdout != "" || !strings.HasPrefix(stderr, "rokrig: ") {
			t.Errorf("%q: status %d, stdout %q, stderr %q", args, status, stdout, stderr)
		}
	}
}
