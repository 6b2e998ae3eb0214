package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain keeps the tests' builds in the ordinary cache: they are the same
// builds, and making them takes seconds.
func TestMain(m *testing.M) {
	Warnings = io.Discard
	os.Exit(m.Run())
}

// moduleText is the data of a program without calls in its call-site table,
// or with the entries given as assembly.
func moduleText(calls ...string) string {
	return fmt.Sprintf(`
	.section .rodata
file:	.ascii "a.rok"
calls:	%s
	.data
	.balign 8
	.globl rok_module
rok_module:
	.quad file, 5, calls, %d, 0, 0, 0, 0, 0, 0
	.section .note.GNU-stack,"",@progbits
`, strings.Join(calls, "\n\t"), len(calls))
}

const prologue = `
	.text
	.globl rok_main
rok_main:
	push %rbp
	mov %rsp, %rbp
`

// link assembles body as a program and links it with the archive of b.
func link(t *testing.T, b Build, body string, calls ...string) string {
	t.Helper()
	archive, err := Archive(b)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	asm := filepath.Join(dir, "prog.s")
	if err := os.WriteFile(asm, []byte(body+moduleText(calls...)), 0o644); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "prog")
	args := append(append([]string{"-o", exe}, LinkFlags...), asm, archive)
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return exe
}

// status runs cmd and returns what it wrote to standard error and its status.
func status(t *testing.T, cmd *exec.Cmd) (stderr string, code int) {
	t.Helper()
	var e bytes.Buffer
	cmd.Stderr = &e
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return e.String(), cmd.ProcessState.ExitCode()
}

func TestExecutables(t *testing.T) {
	const hello = prologue + `
	mov $42, %edi
	call rok_print_i64
	call rok_print_nl
`
	tests := []struct {
		name, body     string
		calls          []string
		stdout, stderr string
		status         int
	}{
		{"returns", hello + "leave\nret\n", nil, "42\n", "", 0},
		{"panics", hello + "mov $7, %edi\nxor %esi, %esi\nmov $3, %edx\nmov $9, %ecx\ncall mini_div\n", nil,
			"42\n", "panic: division by zero at a.rok:3:9\n", 101},
		{"misaligned", hello + "push %rax\nmov $1, %edi\ncall rok_print_u64\nafter: ud2\n", []string{".quad after\n.long 12, 34, 5, 0"},
			"42\n", "rokrig: stack misaligned at call to rok_print_u64 at a.rok:12:34\n", 70},
		{"misaligned by one", hello + "dec %rsp\nmov $1, %edi\ncall mini_print_int\nafter: ud2\n", []string{".quad 0\n.long 0, 0, 0, 0", ".quad after\n.long 1, 2, 5, 0"},
			"42\n", "rokrig: stack misaligned at call to mini_print_int at a.rok:1:2\n", 70},
		{"recurses", hello + "again: push %rax\njmp again\n", nil, "42\n", "rokrig: out of stack\n", 71},
		{"recurses in frames", hello + "again: sub $4096, %rsp\nmovb $0, (%rsp)\njmp again\n", nil, "42\n", "rokrig: out of stack\n", 71},
	}
	for _, tc := range tests {
		for _, b := range Builds {
			t.Run(tc.name+"/"+string(b), func(t *testing.T) {
				t.Parallel()
				cmd := exec.Command(link(t, b, tc.body, tc.calls...))
				var out bytes.Buffer
				cmd.Stdout = &out
				stderr, code := status(t, cmd)
				if out.String() != tc.stdout || stderr != tc.stderr || code != tc.status {
					t.Errorf("got %q, %q, %d; want %q, %q, %d", out.String(), stderr, code, tc.stdout, tc.stderr, tc.status)
				}
			})
		}
	}
}

func TestNullDereferenceIsNotOutOfStack(t *testing.T) {
	stderr, code := status(t, exec.Command(link(t, Release, prologue+"xor %eax, %eax\nmov (%rax), %rax\n")))
	if code != -1 || stderr != "" {
		t.Errorf("got status %d and %q, want the signal", code, stderr)
	}
}

// A program's output that cannot be written must not be lost in silence, even
// when the program itself did well.
func TestWriteErrors(t *testing.T) {
	many := prologue + `
	mov $100000, %ebx
	push %rbx
	push %rbx
1:	mov %rbx, %rdi
	call mini_print_int
	dec %rbx
	jnz 1b
	leave
	ret
`
	few := prologue + "mov $1, %edi\ncall mini_print_int\nleave\nret\n"
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for name, body := range map[string]string{"many": many, "few": few} {
		exe := link(t, Release, body)
		cmd := exec.Command(exe)
		cmd.Stdout = full
		stderr, code := status(t, cmd)
		if code != 74 || stderr != "rokrig: cannot write output: No space left on device\n" {
			t.Errorf("%s, full disk: %q, %d", name, stderr, code)
		}
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd = exec.Command(exe)
		cmd.Stdout = w
		stderr, code = status(t, cmd)
		w.Close()
		if code != 74 || stderr != "rokrig: cannot write output: Broken pipe\n" {
			t.Errorf("%s, closed pipe: %q, %d", name, stderr, code)
		}
	}
}

func TestLongOutput(t *testing.T) {
	body := prologue + `
	push %rbx
	push %rbx
	mov $100000, %ebx
1:	mov %rbx, %rdi
	call mini_print_int
	dec %rbx
	jnz 1b
	leave
	ret
`
	out, err := exec.Command(link(t, Check, body)).Output()
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for i := 100000; i > 0; i-- {
		fmt.Fprintln(&want, i)
	}
	if string(out) != want.String() {
		t.Errorf("%d bytes, want %d, or different ones", len(out), want.Len())
	}
}

func TestExecutableMutant(t *testing.T) {
	body := prologue + "mov $1, %edi\nmov $-1, %rsi\ncall mini_pow\nmov %rax, %rdi\ncall mini_print_int\nleave\nret\n"
	exe := link(t, MutantBld, body)
	run := func(mutant string) (string, string, int) {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), "ROK_MUTANT="+mutant)
		var out bytes.Buffer
		cmd.Stdout = &out
		stderr, code := status(t, cmd)
		return out.String(), stderr, code
	}
	if out, stderr, code := run("none"); code != 101 || !strings.Contains(stderr, "negative exponent") {
		t.Errorf("sound: %q, %q, %d", out, stderr, code)
	}
	if out, stderr, code := run("arith/pow-negative"); code != 0 || out != "1\n" {
		t.Errorf("mutant: %q, %q, %d", out, stderr, code)
	}
	if _, stderr, code := run("arith/none-such"); code != 73 {
		t.Errorf("unknown mutant: %q, %d", stderr, code)
	}
}
