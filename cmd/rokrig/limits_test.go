package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rokrig/fuzz/triage"
	"rokrig/internal/tier"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{"1048576": 1 << 20, "512M": 512 << 20, "2G": 2 << 30, "1024K": 1 << 20, "3T": 3 << 40} {
		if got, err := parseSize("disk", text, 1<<20); err != nil || got != want {
			t.Errorf("%s: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "M", "x", "-1M", "+2M", "1.5G", "2GB", "2g", " 2G", "9000000T", "99999999999999999999", "0", "1023K"} {
		if got, err := parseSize("disk", text, 1<<20); err == nil || !strings.Contains(err.Error(), "--disk=") {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
}

func TestFuzzRefusesBadLimits(t *testing.T) {
	for _, tt := range [][2]string{{"--disk=lots", "is no size"}, {"--disk=10K", "too little"}, {"--mem=lots", "is no size"}, {"--mem=1M", "too little"}} {
		status, _, errs := statusOf(t, rokrig(t, nil, "fuzz", "--count", "1", tt[0]))
		if status != statusUsage || !strings.Contains(errs, tt[1]) {
			t.Errorf("%s: status %d: %s", tt[0], status, errs)
		}
	}
}

// sizeOf is what all files below a directory take, in blocks.
func sizeOf(t *testing.T, dir string) (size int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += (info.Size() + 4095) / 4096 * 4096
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// Where the directory is full findings are counted all the same, and the report says what is not there.
func TestDiskIsLimited(t *testing.T) {
	tier.NeedTools(t, "gcc")
	args := func(dir, disk string) []string {
		return []string{"fuzz", "--seed", "1", "--count", "2000", "--mutant", "arith/no-sign-extend", "--reduce=false", "--out", dir, "--disk", disk}
	}
	wide, narrow := t.TempDir(), t.TempDir()
	want := fuzzSummary(t, args(wide, "1G"))
	got := fuzzSummary(t, args(narrow, "1M"))
	if want.NotKept != 0 {
		t.Errorf("with room %d programs are not kept", want.NotKept)
	}
	if size := sizeOf(t, narrow); size > triage.MinLimit || got.NotKept == 0 {
		t.Errorf("%d bytes are kept, %d programs are not", size, got.NotKept)
	}
	if a, b := fmt.Sprint(union(want)["buckets"]), fmt.Sprint(union(got)["buckets"]); a != b {
		t.Errorf("buckets and counts differ: %s\n%s", a, b)
	}
	report, err := os.ReadFile(filepath.Join(narrow, "report.md"))
	if err != nil || !strings.Contains(string(report), "--disk is reached") {
		t.Errorf("%v: the report does not say that the limit is reached", err)
	}
	wantWhole(t, narrow)
}

// The kernel knows the limit, which children inherit, and a campaign works within the least one.
func TestMemoryIsLimited(t *testing.T) {
	tier.NeedTools(t, "gcc")
	if raceDetector {
		t.Skip("the race detector's own memory is far above the limit")
	}
	dir := filepath.Join(t.TempDir(), "findings")
	cmd := rokrig(t, nil, "fuzz", "--seed", "1", "--for", "10m", "--mutants", "0", "--out", dir, "--mem", fmt.Sprint(minMemory()))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitForFile(t, filepath.Join(dir, "campaign.json"))
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", cmd.Process.Pid))
	if err != nil || !strings.Contains(strings.Join(strings.Fields(string(limits)), " "), fmt.Sprintf("Max data size %d", minMemory())) {
		t.Errorf("%v: %s", err, limits)
	}
	for range 600 {
		if doneIn(t, dir) > 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if doneIn(t, dir) == 0 {
		t.Error("no program was compared within the limit")
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if got := exitStatus(cmd.ProcessState.ExitCode()); got != statusInterrupted {
		t.Errorf("status %d", got)
	}
}
