package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rokrig/fuzz/triage"
	"rokrig/internal/tier"
)

// mainEnv makes the test binary be rokrig itself, so that tests can run it as a process of its own and kill it.
const mainEnv = "ROKRIG_TEST_IS_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(mainEnv) == "1" {
		main()
		panic("main returned")
	}
	os.Exit(m.Run())
}

// rokrig prepares a run of the command as a process of its own.
func rokrig(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(append(os.Environ(), mainEnv+"=1"), env...)
	cmd.Dir = t.TempDir()
	return cmd
}

// statusOf runs a command to its end and returns its exit status and what it wrote.
func statusOf(t *testing.T, cmd *exec.Cmd) (status exitStatus, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return exitStatus(cmd.ProcessState.ExitCode()), out.String(), errs.String()
}

// wantWhole checks that a findings' directory holds whole findings and nothing half-written, and returns how many.
func wantWhole(t *testing.T, dir string) int {
	t.Helper()
	store, err := triage.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := store.IDs()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	dirs := 0
	for _, e := range entries {
		if e.IsDir() {
			dirs++
		}
	}
	if dirs != len(ids) {
		t.Errorf("%d directories, %d findings: %v", dirs, len(ids), entries)
	}
	for _, id := range ids {
		f, err := triage.Load(store.Path(id))
		if err != nil {
			t.Errorf("%s: %v", id, err)
		} else if f.ID != id || f.Source == "" {
			t.Errorf("%s is incomplete", id)
		}
	}
	return len(ids)
}

// After kill -9 at any moment what was found is there whole, no runner is left, and the next run works.
func TestKilledCampaign(t *testing.T) {
	tier.NeedTools(t, "gcc")
	dir := filepath.Join(t.TempDir(), "findings")
	args := []string{"fuzz", "--seed", "1", "--for", "10m", "--mutant", "arith/no-sign-extend", "--out", dir}
	found := 0
	for i := range max(2, min(10, tier.Steps(500))) {
		cmd := rokrig(t, nil, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(200+rand.IntN(1200)) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if _, err := os.Stat(dir); err == nil {
			found = wantWhole(t, dir)
		}
		if left := runnersOf(t, cmd.Process.Pid); len(left) > 0 {
			t.Errorf("try %d: runners %v outlive their campaign", i, left)
		}
	}
	status, out, errs := statusOf(t, rokrig(t, nil, "fuzz", "--seed", "1", "--count", "200", "--mutant", "arith/no-sign-extend", "--out", dir, "--json", "--reduce=false"))
	if status != statusFindings {
		t.Errorf("the next run ends with %d\n%s%s", status, out, errs)
	}
	if n := wantWhole(t, dir); n < found || n == 0 {
		t.Errorf("%d findings are left of %d", n, found)
	}
}

// runnersOf lists processes whose executable is a runner and whose environment says that they descend from a process,
// after giving them time to notice its end.
func runnersOf(t *testing.T, parent int) []string {
	t.Helper()
	var left []string
	for range 100 {
		left = nil
		exes, err := filepath.Glob("/proc/[0-9]*/exe")
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range exes {
			target, err := os.Readlink(link)
			if err != nil || !strings.Contains(target, "/runner") {
				continue
			}
			stat, err := os.ReadFile(filepath.Join(filepath.Dir(link), "stat"))
			if err != nil {
				continue
			}
			// The parent is the second field behind the name in parentheses; an orphan's is 1.
			fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
			if len(fields) > 1 && fields[1] == "1" {
				left = append(left, link)
			}
		}
		if len(left) == 0 {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return left
}

func TestInterruptedCampaignKeepsItsResults(t *testing.T) {
	tier.NeedTools(t, "gcc")
	// The runtime has to be there before the clock of this test starts.
	if status, out, errs := statusOf(t, rokrig(t, nil, "fuzz", "--seed", "1", "--count", "10", "--mutants", "0")); status != statusClean {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	dir := filepath.Join(t.TempDir(), "findings")
	for _, tt := range []struct {
		mutant []string
		want   exitStatus
	}{{nil, statusInterrupted}, {[]string{"--mutant", "arith/no-sign-extend"}, statusFindings}} {
		cmd := rokrig(t, nil, append([]string{"fuzz", "--seed", "1", "--for", "10m", "--out", dir, "--json"}, tt.mutant...)...)
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(4 * time.Second)
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if got := exitStatus(cmd.ProcessState.ExitCode()); got != tt.want {
			t.Errorf("%v: status %d, want %d", tt.mutant, got, tt.want)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		var s struct {
			Interrupted bool
			Compared    int
		}
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &s); err != nil || !s.Interrupted || s.Compared == 0 {
			t.Errorf("%v: %+v, %v", tt.mutant, s, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "report.json")); err != nil {
			t.Error(err)
		}
	}
}

// On a full disk the campaign says so and leaves nothing half-written; with room again it works.
func TestCampaignOnAFullDisk(t *testing.T) {
	tier.NeedTools(t, "gcc")
	if os.Getuid() != 0 {
		t.Skip("mounting a small file system needs root")
	}
	dir := t.TempDir()
	mount := func(size string) {
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
			t.Skipf("no tmpfs can be mounted here: %v", err)
		}
	}
	mount("16k")
	args := []string{"fuzz", "--seed", "1", "--count", "300", "--mutant", "arith/no-sign-extend", "--out", dir, "--reduce=false"}
	status, _, errs := statusOf(t, rokrig(t, nil, args...))
	if status != statusEnvironment || !strings.Contains(errs, "no space left on device") || strings.Contains(errs, "goroutine") {
		t.Errorf("status %d: %s", status, errs)
	}
	wantWhole(t, dir)
	if err := syscall.Unmount(dir, 0); err != nil {
		t.Fatal(err)
	}
	mount("16m")
	defer syscall.Unmount(dir, 0)
	if status, _, errs := statusOf(t, rokrig(t, nil, args...)); status != statusFindings {
		t.Errorf("with room: status %d: %s", status, errs)
	}
	if wantWhole(t, dir) == 0 {
		t.Error("with room nothing is kept")
	}
}

// A cache that cannot be written costs time, not the run.
func TestReadOnlyCache(t *testing.T) {
	tier.NeedTools(t, "gcc")
	cache := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(cache, nil, 0o444); err != nil { // root may write anywhere, but not below a file
		t.Fatal(err)
	}
	status, _, errs := statusOf(t, rokrig(t, []string{"ROKRIG_CACHE=" + filepath.Join(cache, "cache")}, "fuzz", "--seed", "1", "--count", "50", "--mutants", "0"))
	if status != statusClean || !strings.Contains(errs, "cache") {
		t.Errorf("status %d: %s", status, errs)
	}
}

// Without gcc the command says what to install, also where the runtime would have to be built first.
func TestWithoutGCC(t *testing.T) {
	env := []string{"PATH=" + t.TempDir(), "ROKRIG_CACHE=" + t.TempDir()}
	for _, args := range [][]string{
		{"fuzz", "--seed", "1", "--count", "50"},
		{"mutants", "--only", "arith/raw-idiv"},
	} {
		status, _, errs := statusOf(t, rokrig(t, env, args...))
		if status != statusEnvironment || !strings.Contains(errs, "gcc") || !strings.Contains(errs, "install") || strings.Contains(errs, "goroutine") {
			t.Errorf("%v: status %d: %s", args, status, errs)
		}
	}
}

func TestFuzzRefusesBadFlags(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"fuzz", "--profile", "smok"}, "there are: smoke"},
		{[]string{"fuzz", "--for", "-1s"}, "--for must not be negative"},
		{[]string{"fuzz", "--count", "-1"}, "--count must not be negative"},
		{[]string{"fuzz", "--config", "opt"}, "no subject is named"},
		{[]string{"fuzz", "--config", "interp"}, "the oracle is what others are compared with"},
		{[]string{"fuzz", "--mutant", "x/y"}, "no mutant is named"},
		{[]string{"fuzz", "extra"}, "unknown command"},
		{[]string{"mutants", "--only", "x/y"}, "no mutant is named"},
		{[]string{"mutants", "--sample", "-1"}, "positive"},
		{[]string{"mutants", "--sample", "1", "--all"}, "none of the others can be"},
		{[]string{"repro", "/no/such/path"}, "no such file"},
		{[]string{"repro"}, "requires at least 1 arg"},
		{[]string{"reduce", "/no/such/path"}, "no such file"},
	} {
		status, _, errs := statusOf(t, rokrig(t, nil, tt.args...))
		if status != statusUsage || !strings.Contains(errs, tt.want) {
			t.Errorf("%v: status %d: %s", tt.args, status, errs)
		}
	}
}

func TestReproOfFindingsAndCorpus(t *testing.T) {
	tier.NeedTools(t, "gcc", "as")
	corpus, err := filepath.Abs("../../fuzz/corpus")
	if err != nil {
		t.Fatal(err)
	}
	status, out, errs := statusOf(t, rokrig(t, nil, "repro", corpus))
	if status != statusClean || !strings.Contains(out, ", 0 do not") || strings.HasPrefix(out, "0 agree") {
		t.Errorf("the corpus: status %d\n%s%s", status, out, errs)
	}
	dir := t.TempDir()
	const mutant = "arith/no-sign-extend"
	if status, out, errs := statusOf(t, rokrig(t, nil, "fuzz", "--seed", "1", "--count", "500", "--findings", "1", "--mutant", mutant, "--out", dir)); status != statusFindings {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	if status, out, _ := statusOf(t, rokrig(t, nil, "repro", dir, "--mutant", mutant)); status != statusFindings || !strings.Contains(out, "difference: ") {
		t.Errorf("with the bug: status %d\n%s", status, out)
	}
	if status, out, _ := statusOf(t, rokrig(t, nil, "repro", dir)); status != statusClean {
		t.Errorf("without the bug: status %d\n%s", status, out)
	}
	broken := filepath.Join(t.TempDir(), "broken.rok")
	if err := os.WriteFile(broken, []byte("let = ;"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, out, _ := statusOf(t, rokrig(t, nil, "repro", "--bisect", broken)); status != statusFindings {
		t.Errorf("a program that is rejected: status %d\n%s", status, out)
	}
	if status, _, _ := statusOf(t, rokrig(t, nil, "repro", "--bisect", "/no/such/file")); status != statusCannotTest {
		t.Errorf("no program at all: status %d", status)
	}
}
