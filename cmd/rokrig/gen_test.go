package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rokrig/compiler"
	"rokrig/compiler/source"
	"rokrig/fuzz/gen"
)

func accepted(name, text string) error {
	_, err := compiler.Check(source.NewFile(name, text), compiler.Options{})
	return err
}

// Program I of seed S is what a campaign runs under that pair.
func TestGenPrintsTheCampaignsProgram(t *testing.T) {
	for _, index := range []string{"0", "41"} {
		status, stdout, stderr := execute("gen", "--seed", "9", "--index", index)
		n := uint64(0)
		if index == "41" {
			n = 41
		}
		want := gen.Program(gen.New(gen.ProgramSeed(9, n)), gen.Options{}).Text
		if status != statusClean || stderr != "" || stdout != want {
			t.Errorf("index %s: status %d, stderr %q, stdout\n%s", index, status, stderr, stdout)
		}
		if err := accepted("gen.rok", stdout); err != nil {
			t.Errorf("index %s: %v", index, err)
		}
	}
}

func TestGenIntoAFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if status, _, stderr := execute("gen", "--seed", "2", "--index", "5", "--count", "3", "--out", dir); status != statusClean {
		t.Fatalf("status %d: %s", status, stderr)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 3 {
		t.Fatalf("files %q, %v", names, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "2-6.rok"))
	_, want, _ := execute("gen", "--seed", "2", "--index", "6")
	if err != nil || string(text) != want {
		t.Errorf("%v: 2-6.rok holds\n%s", err, text)
	}
}

// Choices written, then read, are the same program.
func TestGenFromChoices(t *testing.T) {
	dir := t.TempDir()
	if status, stdout, stderr := execute("gen", "--seed", "3", "--choices", "--out", dir); status != statusClean || stdout != filepath.Join(dir, "3-0")+"\n" {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	_, want, _ := execute("gen", "--seed", "3")
	status, stdout, _ := execute("gen", "--bytes", filepath.Join(dir, "3-0"))
	if status != statusClean || stdout != want {
		t.Errorf("status %d:\n%s\nwant\n%s", status, stdout, want)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "3-0"))
	if err != nil {
		t.Fatal(err)
	}
	if _, stdout, _ := execute("gen", "--seed", "3", "--choices"); stdout != string(raw) {
		t.Error("choices on standard output differ from those in a file")
	}
}

func TestGenMustReject(t *testing.T) {
	for _, index := range []string{"0", "1", "2", "3", "4"} {
		status, stdout, stderr := execute("gen", "--must-reject", "--index", index)
		if status != statusClean || !strings.Contains(stderr, "to be rejected (") {
			t.Fatalf("status %d: %s", status, stderr)
		}
		if err := accepted("gen.rok", stdout); err == nil {
			t.Errorf("a program that must be rejected is accepted:\n%s", stdout)
		}
	}
}

func TestGenStats(t *testing.T) {
	status, stdout, stderr := execute("gen", "--count", "50", "--stats", "--json")
	var got genResult
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || status != statusClean {
		t.Fatalf("status %d, %v: %s", status, err, stderr)
	}
	if len(got.Programs) != 50 || got.Stats == nil {
		t.Fatalf("%d programs, stats %v", len(got.Programs), got.Stats)
	}
	lines, total := got.Stats.Quantities[0], 0
	for _, size := range got.Stats.Sizes {
		total += size.Programs
	}
	if total != 50 || lines.Name != "lines" || lines.Min < 1 || lines.Median < lines.Min || lines.P90 < lines.Median || lines.Max < lines.P90 {
		t.Errorf("%d programs in the histogram; %+v", total, lines)
	}
	// A figure that can be counted from outside is right.
	_, text, _ := execute("gen", "--index", "7")
	if p := got.Programs[7]; p.Lines != countLines(text) || p.Text != "" {
		t.Errorf("program 7 has %d lines, the statistics say %d", countLines(text), p.Lines)
	}
	if _, stdout, _ := execute("gen", "--count", "50", "--stats"); !strings.Contains(stdout, "50 programs") || !strings.Contains(stdout, "█") {
		t.Errorf("as text:\n%s", stdout)
	}
}

func TestGenStatsOfKnownPrograms(t *testing.T) {
	s := newGenStats([]genProgram{{Lines: 5}, {Lines: 10, Panic: "x"}, {Lines: 19}, {Lines: 700}})
	want := genQuantity{"lines", 5, 19, 183.5, 700, 700}
	if s.Quantities[0] != want || s.Panics != 1 {
		t.Errorf("%+v, %d panics", s.Quantities[0], s.Panics)
	}
	for _, size := range s.Sizes {
		want := map[int]int{1: 1, 10: 2, 600: 1}[size.From]
		if size.Programs != want {
			t.Errorf("%d programs from %d lines on, want %d", size.Programs, size.From, want)
		}
	}
}

func TestGenBadUsage(t *testing.T) {
	for _, args := range [][]string{
		{"--count", "0"}, {"--count", "2"}, {"--lines", "-1"}, {"--bytes", "/nonexistent"}, {"--bytes", "x", "--seed", "1"},
		{"--must-reject", "--stats"}, {"--index", "-1"}, {"--seed", "x"}, {"argument"},
	} {
		status, stdout, stderr := execute(append([]string{"gen"}, args...)...)
		if status != statusUsage || stdout != "" || !strings.HasPrefix(stderr, "rokrig: ") {
			t.Errorf("%q: status %d, stdout %q, stderr %q", args, status, stdout, stderr)
		}
	}
}
