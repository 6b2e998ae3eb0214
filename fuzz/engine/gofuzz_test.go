package engine_test

import (
	"bytes"
	"context"
	"crypto/sha1"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rokrig/compiler"
	"rokrig/fuzz/engine"
	"rokrig/fuzz/engine/testdata/planted"
	"rokrig/internal/tier"
)

// Hang guards, many times what is expected: building takes half a minute, finding a few seconds.
const (
	buildGuard = 15 * time.Minute
	findGuard  = 10 * time.Minute
	round      = 45 * time.Second
)

// The real go-fuzz finds a bug that a rare construct sets off, although no program of its corpus has that construct; and
// what it saves shows the bug again.
func TestGoFuzzFindsAPlantedBug(t *testing.T) {
	if testing.Short() {
		t.Skip("builds an instrumented compiler; runs in make check")
	}
	tier.NeedTools(t, "go")
	dir := t.TempDir()
	target := filepath.Join(dir, "planted.zip")
	build(t, target, "./testdata/planted")
	work := filepath.Join(dir, "work")
	writeCorpus(t, filepath.Join(work, "corpus"), planted.Options())
	crasher := find(t, target, work)

	data, err := os.ReadFile(crasher)
	if err != nil {
		t.Fatal(err)
	}
	output, err := os.ReadFile(crasher + ".output")
	if err != nil {
		t.Fatal(err)
	}
	const bug = "planted: a power of i16"
	if !strings.Contains(string(output), bug) {
		t.Fatalf("go-fuzz found another bug:\n%s", output)
	}
	if _, err := engine.Check(data, planted.Options()); err == nil || !strings.Contains(err.Error(), bug) {
		t.Errorf("replayed, %d bytes give %v", len(data), err)
	}
	if _, err := engine.Check(data, compiler.Options{}); err != nil {
		t.Errorf("without the bug they give %v", err)
	}
	// The input is a program for a person too.
	text, err := os.ReadFile(crasher + ".quoted")
	if err != nil || len(text) == 0 {
		t.Errorf("go-fuzz saved no quoted input: %v", err)
	}
}

// build builds an instrumented target of package pkg.
func build(t *testing.T, target, pkg string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), buildGuard)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "tool", "go-fuzz-build", "-o", target, pkg)
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go-fuzz-build: %v\n%s", err, out)
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	t.Logf("built within %v, %v of CPU time", time.Since(start).Round(time.Second), used.Round(time.Second))
}

// writeCorpus fills a corpus with programs that do not show the bug. There are enough of them to cover most of the
// compiler: on every input that covers something new go-fuzz spends tens of thousands of executions before it looks at
// what crashed.
func writeCorpus(t *testing.T, dir string, bug compiler.Options) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const programs, longest = 100, 1500 // bytes of choices
	for i, n := uint64(0), 0; n < programs; i++ {
		data := engine.Seed(1, i)
		if len(data) > longest {
			continue
		}
		if _, err := engine.Check(data, bug); err != nil {
			continue
		}
		// go-fuzz's own name for an input: it does not minimise those.
		name := fmt.Sprintf("%x", sha1.Sum(data))
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		n++
	}
}

// find runs go-fuzz on a target until it has saved a crasher, and returns that file. It runs in rounds: a worker that
// goes through the neighbours of a new input does not report what crashed on the way before its end, and in the next round
// that input is an old one.
func find(t *testing.T, target, work string) string {
	t.Helper()
	var log string
	for start := time.Now(); time.Since(start) < findGuard; {
		found := ""
		if found, log = findInOneRound(t, target, work); found != "" {
			t.Logf("found after %v", time.Since(start).Round(time.Second))
			return found
		}
	}
	t.Fatalf("nothing found within %v\n%s", findGuard, log)
	return ""
}

// findInOneRound returns the crasher, or "" if there is none at the round's end, and what go-fuzz said.
func findInOneRound(t *testing.T, target, work string) (found, said string) {
	t.Helper()
	cmd := exec.Command("go", "tool", "go-fuzz", "-bin", target, "-workdir", work, "-procs", "2",
		"-sonar=false", "-covercounters=false", "-minimize", "1s")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // `go tool` and go-fuzz end together
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	crashers := filepath.Join(work, "crashers")
	for end := time.Now().Add(round); found == "" && time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		select {
		case err := <-ended:
			t.Fatalf("go-fuzz ended by itself: %v\n%s", err, log.String())
		default:
		}
		found = saved(crashers)
	}
	interrupt(t, cmd, ended)
	return found, log.String()
}

// saved is a crasher that is saved whole, or "": what it printed comes last.
func saved(dir string) string {
	names, err := filepath.Glob(filepath.Join(dir, "*.output"))
	if err != nil || len(names) == 0 {
		return ""
	}
	return strings.TrimSuffix(names[0], ".output")
}

// interrupt ends go-fuzz by SIGINT, the only way it has, and by force if it does not listen.
func interrupt(t *testing.T, cmd *exec.Cmd, ended <-chan error) {
	t.Helper()
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(time.Minute):
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		t.Error("go-fuzz does not end on an interrupt")
	}
}
