package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program writes a program to a folder of its own and returns its path.
func program(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prog.rok")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRunOnEverySubject(t *testing.T) {
	for _, c := range []struct {
		text, stdout, stderr string // stderr: how its only line begins, and after "..." how it ends
		status               exitStatus
	}{
		{"print 1 + 2 * 3;", "7\n", "", statusClean},
		{"print 1; print 1 / 0;", "1\n", "panic: division by zero at ...prog.rok:1:18\n", statusPanic},
		{"fn f(n: i64) -> i64 { 1 + f(n + 1) } print 1; print f(0);", "1\n", "rokrig: ...\n", statusEnvironment},
		{"print true + 1;", "", "...^\n", statusUsage},
	} {
		for _, args := range [][]string{{"--subject", "interp"}, {"--subject", "stack"}, {"--runtime", "check", "--verify"}} {
			status, stdout, stderr := execute(append([]string{"run", program(t, c.text)}, args...)...)
			begin, end, _ := strings.Cut(c.stderr, "...")
			if status != c.status || stdout != c.stdout || !strings.HasPrefix(stderr, begin) || !strings.HasSuffix(stderr, end) {
				t.Errorf("%s %v: status %d, stdout %q, stderr %q", c.text, args, status, stdout, stderr)
			}
		}
	}
}

func TestRunAsJSON(t *testing.T) {
	for _, subject := range []string{"interp", "stack"} {
		status, stdout, _ := execute("run", "--json", "--subject", subject, program(t, "print 5; panic(\"no\");"))
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		var got runResult
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &got); err != nil {
			t.Fatal(err)
		}
		if status != statusPanic || lines[0] != "5" || got.Ending != "panic" || got.Status != 101 || !strings.HasPrefix(got.Line, "panic: no at ") {
			t.Errorf("%s: status %d, %s", subject, status, stdout)
		}
	}
}

func TestBuildMakesWhatIsAskedFor(t *testing.T) {
	path := program(t, "print 1 + 2 * 3;")
	base := strings.TrimSuffix(path, ".rok")
	for _, c := range []struct {
		args []string
		file string
	}{
		{nil, base},
		{[]string{"--emit", "asm"}, base + ".s"},
		{[]string{"--emit", "obj"}, base + ".o"},
		{[]string{"-o", base + ".exe", "-g", "--verify", "--runtime", "check"}, base + ".exe"},
	} {
		if status, stdout, stderr := execute(append([]string{"build", path}, c.args...)...); status != statusClean || stdout+stderr != "" {
			t.Errorf("%v: status %d, %s%s", c.args, status, stdout, stderr)
		}
		if _, err := os.Stat(c.file); err != nil {
			t.Errorf("%v: %v", c.args, err)
		}
	}
	for _, exe := range []string{base, base + ".exe"} {
		if out, err := exec.Command(exe).CombinedOutput(); err != nil || string(out) != "7\n" {
			t.Errorf("%s: %v, %s", exe, err, out)
		}
	}
	if _, text, _ := execute("build", path, "--emit", "asm", "-o", "-"); !strings.Contains(text, "call mini_print_int") {
		t.Errorf("text on the standard output: %s", text)
	}
}

func TestBuildDumpsAlone(t *testing.T) {
	path := program(t, "fn f() {} fn g() {} f(); g();")
	status, stdout, stderr := execute("build", path, "--dump=x64:g", "--dump=core:g")
	if status != statusClean || stderr != "" || !strings.Contains(stdout, "rok.u.g:") || strings.Contains(stdout, "rok.u.f:") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	if _, err := os.Stat(strings.TrimSuffix(path, ".rok")); err == nil {
		t.Error("an executable was written")
	}
}

func TestBuildRefuses(t *testing.T) {
	good := program(t, "print 1;")
	for _, args := range [][]string{
		{"build", filepath.Join(t.TempDir(), "missing.rok")},
		{"build", t.TempDir()},
		{"build", good, "--emit", "elf"},
		{"build", good, "--dump", "nothing"},
		{"build", good, "--dump", "x64:nothing"},
		{"build", good, "--stop-after", "nothing"},
		{"build", good, "--runtime", "mutant"},
		{"build", good, "--mutant", "nothing"},
		{"build", program(t, "let = 3;")},
		{"run", good, "--subject", "nothing"},
		{"run", good, "--runtime", "nothing"},
		{"run", filepath.Join(t.TempDir(), "missing.rok")},
	} {
		if status, stdout, stderr := execute(args...); status != statusUsage || stdout != "" || stderr == "" {
			t.Errorf("%v: status %d, stdout %q, stderr %q", args, status, stdout, stderr)
		}
	}
	// A name without .rok would be overwritten by its own executable.
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, []byte("print 1;"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := execute("build", plain); status != statusUsage {
		t.Errorf("status %d", status)
	}
	if text, err := os.ReadFile(plain); err != nil || string(text) != "print 1;" {
		t.Errorf("the program was overwritten: %v", err)
	}
}
