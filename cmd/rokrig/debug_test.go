package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rokrig/internal/tier"
)

// TestGdbSeesPrograms debugs a program in the resident runner: gdb stops at its start, breaks at a line, knows functions and
// lines on the stack, and sees it end.
func TestGdbSeesPrograms(t *testing.T) {
	tier.NeedTools(t, "gdb", "gcc", "as", "ld")
	file := filepath.Join(t.TempDir(), "deep.rok")
	text := "fn deep(n: i64) -> i64 {\n    if n == 0 {\n        1 / n\n    } else {\n        n * deep(n - 1)\n    }\n}\nprint deep(2);\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, config := range []string{"stack", "stack/check/fill=b"} {
		var out, errs strings.Builder
		script := strings.NewReader("break deep.rok:3\ncontinue\nbacktrace\ninfo symbol $pc\ncontinue\n")
		status := run(context.Background(), []string{"repro", "--gdb", "--config", config, file}, script, &out, &errs)
		if status != statusClean {
			t.Fatalf("%s: status %d\n%s%s", config, status, out.String(), errs.String())
		}
		for _, want := range []string{
			`Breakpoint 1, rok_main \(\) at deep\.rok:8`,
			`Breakpoint 2, rok\.u\.deep \(\) at deep\.rok:3`,
			`#0  rok\.u\.deep \(\) at deep\.rok:3\n#1  0x\w+ in rok\.u\.deep \(\) at deep\.rok:5\n#2  0x\w+ in rok\.u\.deep \(\) at deep\.rok:5\n#3  0x\w+ in rok_main \(\) at deep\.rok:8\n`,
			`rok\.u\.deep \+ \d+ in section \.text of <in-memory`,
			`exited normally`,
			regexp.QuoteMeta(config) + `: panic panic: division by zero at deep\.rok:3:11`,
		} {
			if !regexp.MustCompile(want).MatchString(out.String()) {
				t.Errorf("%s: no %s in\n%s%s", config, want, out.String(), errs.String())
			}
		}
	}
}

func TestGdbWantsOneProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "one.rok")
	if err := os.WriteFile(file, []byte("print 1;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{file, file}, {"--config", "stack/exe", file}, {"--config", "stack/as", file}, {"--config", "stack,stack/check", file}} {
		status, _, stderr := execute(append([]string{"repro", "--gdb"}, args...)...)
		if status != statusUsage || !strings.Contains(stderr, "one program on one configuration") {
			t.Errorf("%v: status %d, %s", args, status, stderr)
		}
	}
}
