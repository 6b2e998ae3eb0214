package triage

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rokrig/oracle/outcome"
)

func sample(index uint64) *Finding {
	f := &Finding{
		Kind: Difference, Origin: &Origin{Seed: 7, Index: index}, Configs: []string{"stack/check", "stack"},
		Oracle:     NewOutcome(outcome.Outcome{Kind: outcome.Value, Stdout: []byte("1\n2\n3\n\xff\n")}),
		Runs:       []Run{{"stack", NewOutcome(outcome.Outcome{Kind: outcome.Value, Stdout: []byte("1\n2\n4\n")})}},
		OracleSays: "3", NativeSays: "4", Line: 3, Versions: map[string]string{}, Source: "print 1;\n", Choices: []byte{1, 2}, Asm: "ret\n",
	}
	f.Seal("output: number, number")
	return f
}

func TestStoreKeepsABucketOnce(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "findings"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(30) {
		isNew, err := s.Add(sample(i))
		if err != nil || isNew != (i == 0) {
			t.Fatalf("finding %d: new %v, %v", i, isNew, err)
		}
	}
	ids, err := s.IDs()
	if err != nil || len(ids) != 1 || ids[0] != sample(0).ID {
		t.Fatalf("buckets %v, %v", ids, err)
	}
	others, err := os.ReadDir(filepath.Join(s.Path(ids[0]), othersDir))
	if err != nil || len(others) != MaxOriginals-1 {
		t.Errorf("%d other programs are kept, want %d; %v", len(others), MaxOriginals-1, err)
	}
	got, err := Load(s.Path(ids[0]))
	if err != nil {
		t.Fatal(err)
	}
	want := sample(0)
	want.Choices, want.Asm = nil, ""
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("read back: %s", d)
	}
	if got := string(got.Oracle.Output()); got != "1\n2\n3\n\xff\n" {
		t.Errorf("output that is no UTF-8 comes back as %q", got)
	}
}

func TestBucketIDDependsOnTheSignatureAlone(t *testing.T) {
	a, b := sample(1), sample(2)
	b.Configs = []string{"stack", "stack/check"}
	b.OracleSays = "something else"
	b.Seal("output: number, number")
	if a.ID != b.ID {
		t.Errorf("%s and %s have one signature", a.ID, b.ID)
	}
	if b.Seal("output: number, NaN"); a.ID == b.ID {
		t.Error("two signatures have one id")
	}
}

func TestOpenClearsWhatWasInterrupted(t *testing.T) {
	dir := t.TempDir()
	left := filepath.Join(dir, tempPrefix+"123")
	if err := os.MkdirAll(left, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left, caseFile), []byte("half"), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left: %v", entries)
	}
	if ids, err := s.IDs(); err != nil || len(ids) != 0 {
		t.Errorf("buckets %v, %v", ids, err)
	}
}

// On a full disk a finding is reported as not kept, and nothing of it stays behind.
func TestStoreOnAFullDisk(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("mounting a small file system needs root")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("no tmpfs can be mounted here: %v", err)
	}
	defer syscall.Unmount(dir, 0)
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add(sample(1)); err != nil {
		t.Fatalf("with room: %v", err)
	}
	big := sample(2)
	big.Asm = strings.Repeat("x", 1<<20)
	big.Seal("another")
	if _, err := s.Add(big); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("without room: %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != sample(1).ID {
		t.Errorf("the directory holds %v, %v", entries, err)
	}
	if err := WriteFile(filepath.Join(dir, "report.md"), []byte(big.Asm)); err == nil {
		t.Error("a report larger than the disk was written")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("a part of the report stays: %v", entries)
	}
}

func TestDecodeRefusesOtherSchemas(t *testing.T) {
	if _, err := Decode([]byte(`{"schema": 99}`)); err == nil || !strings.Contains(err.Error(), "schema 99") {
		t.Errorf("schema 99: %v", err)
	}
	if _, err := Decode([]byte(`{"schema": `)); err == nil {
		t.Error("half a file was read")
	}
}

func TestDiffShowsTheFirstDifference(t *testing.T) {
	got := sample(0).Diff()
	for _, want := range []string{` "2\n"`, `-"3\n"`, `+"4\n"`, "@@ from line 1 of standard output @@"} {
		if !strings.Contains(got, want) {
			t.Errorf("the diff lacks %q:\n%s", want, got)
		}
	}
}
