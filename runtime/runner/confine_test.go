package runner

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"rokrig/runtime/abi"
)

// The worker has its filter, and the zygote's commands are not open in it.
func TestWorkerIsConfined(t *testing.T) {
	r := open(t, Options{})
	if _, err := r.Run(nil); err != nil {
		t.Fatal(err)
	}
	if res := runAll(t, r, Settings{}, []program{{"", printOne, ""}}); string(res[0].Stdout) != "1\n" {
		t.Fatal(res)
	}
	worker := children(t, r.proc.pid)[0]
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", worker))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nSeccomp:\t2\n", "\nNoNewPrivs:\t1\n"} {
		if !strings.Contains(string(status), want) {
			t.Errorf("the worker's status lacks %q:\n%s", want, status)
		}
	}
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", worker))
	if err != nil {
		t.Fatal(err)
	}
	var open []string
	for _, e := range entries {
		open = append(open, e.Name())
	}
	if got := strings.Join(open, " "); got != fmt.Sprintf("%d 2 %d", fdReply, fdBatch) {
		t.Errorf("open in the worker: %s", got)
	}
}

// systemCall calls a system call, from the program's own code or by the
// C library in the runner.
func systemCall(t *testing.T, direct bool, number int, args ...string) string {
	registers := []string{"%rdi", "%rsi", "%rdx", "%r10"}
	text := fmt.Sprintf("mov $%d, %%eax\n", number)
	if !direct {
		registers = []string{"%rsi", "%rdx", "%rcx", "%r8"}
		text = fmt.Sprintf("mov $%d, %%edi\n", number)
	}
	for i, a := range args {
		text += fmt.Sprintf("mov %s, %s\n", a, registers[i])
	}
	if direct {
		return text + "syscall\n"
	}
	return text + fmt.Sprintf("mov $%#x, %%eax\ncall *%%rax\n", runnerSymbol(t, "syscall"))
}

// No system call that could do harm is made, neither from the code region nor
// by a jump into the C library.
func TestSystemCallsAreRefused(t *testing.T) {
	dir := t.TempDir()
	file := dir + "/file"
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := open(t, Options{})
	name := fmt.Sprintf("path: .asciz %q\n", file)
	calls := []struct {
		name   string
		number int
		args   []string
	}{
		{"kill the zygote", 62, []string{fmt.Sprintf("$%d", r.proc.pid), "$9"}},
		{"kill the driver", 62, []string{fmt.Sprintf("$%d", os.Getpid()), "$9"}},
		{"unlink", 87, []string{"$path"}},
		{"open", 2, []string{"$path", "$1"}},
		{"fork", 57, nil},
		{"clone", 56, []string{"$17", "$0"}},
		{"execve", 59, []string{"$path", "$0", "$0"}},
		{"munmap the stack", 11, []string{"%rsp", "$4096"}},
		{"mprotect the code", 10, []string{"$0x60000000", "$4096", "$7"}},
		{"mmap", 9, []string{"$0", "$4096", "$3", "$34"}},
		{"block signals", 14, []string{"$2", "$path", "$0", "$8"}},
		{"change a handler", 13, []string{"$11", "$path", "$0", "$8"}},
		{"stop the timer", 38, []string{"$2", "$path", "$0"}},
		{"pause", 34, nil},
		{"futex", 202, []string{"$path", "$0", "$0", "$0"}},
		{"write to stderr", 1, []string{"$2", "$path", "$4"}},
		{"write to the code file", 1, []string{"$4", "$path", "$4"}},
		{"read a command", 0, []string{"$0", "%rsp", "$1"}},
		{"drop memory", 28, []string{"$0x68000000", "$4096", "$4"}},
		{"another clock", 228, []string{"$0", "%rsp"}},
		{"x32 exit", 60 | 1<<30, []string{"$0"}},
		{"memory write", 311, []string{fmt.Sprintf("$%d", r.proc.pid), "$0", "$0", "$0"}},
	}
	var programs []program
	for _, c := range calls {
		for _, direct := range []bool{true, false} {
			programs = append(programs, program{c.name, systemCall(t, direct, c.number, c.args...), ""}, program{"", printOne, ""})
		}
	}
	programs = append(programs, program{"by int 0x80", "mov $1, %eax\nint $0x80", ""}, program{"", printOne, ""})
	programs[0].data = name
	results := runAll(t, r, Settings{}, programs)
	for i := 0; i < len(programs); i += 2 {
		got, after := results[i], results[i+1]
		if got.Kind != abi.Signal || !strings.HasPrefix(got.Detail, "SIGSYS") {
			t.Errorf("%s: %v, %s", programs[i].name, got.Kind, got.Detail)
		}
		if after.Kind != abi.Returned || string(after.Stdout) != "1\n" {
			t.Errorf("after %s: %v, %q, %s", programs[i].name, after.Kind, after.Stdout, after.Detail)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "text" {
		t.Errorf("the file: %q, %v", text, err)
	}
}

// threadOffset is the offset of a thread-local variable of the runner from the
// thread pointer.
func threadOffset(t *testing.T, r *Runner, name string) int64 {
	t.Helper()
	return r.tpOff + int64(runnerSymbol(t, name)) - int64(runnerSymbol(t, abi.ThreadSymbol))
}

// dies ends the worker in a way that it cannot report.
func dies(t *testing.T) string {
	return fmt.Sprintf("movl $0, %#x\nud2\n", runnerSymbol(t, "run"))
}

// fieldOf is the offset in the control file of a field of result i.
func fieldOf(t *testing.T, i int, name string) int {
	t.Helper()
	row := reflect.TypeFor[result]()
	f, ok := row.FieldByName(name)
	if !ok {
		t.Fatalf("a result has no %s", name)
	}
	return resultsAt + i*int(row.Size()) + int(f.Offset)
}

// Whatever a program writes to the memory shared with the driver, the results
// of the others stay right.
func TestSharedMemoryIsGuarded(t *testing.T) {
	r := open(t, Options{Limits: Limits{CPU: 50 * time.Millisecond}})
	// The output area begins a page, and so few programs do not fill it.
	base := fmt.Sprintf("mov %%fs:%d, %%rax\nand $-4096, %%rax\nsub $%d, %%rax\n", threadOffset(t, r, "rok_out"), outputAt)
	store := func(at int, value string) string {
		return base + fmt.Sprintf("movl $%s, %d(%%rax)\n", value, at)
	}
	victim := program{"", printOne, ""}
	for _, c := range []struct {
		name string
		body string
		kind abi.Ending
	}{
		{"header", store(0, "1"), abi.Signal},
		{"requests", store(requestsAt, "1"), abi.Signal},
		{"staged data", store(stagingAt, "1"), abi.Signal},
		{"progress", store(progressAt, "1"), abi.Returned},
		{"an earlier ending", store(fieldOf(t, 0, "Ending"), "1"), abi.Returned},
		{"an earlier state", store(fieldOf(t, 0, "State"), "0"), abi.Returned},
		{"an earlier output", store(outputAt, "0x32323232"), abi.Returned},
		{"an earlier length", store(fieldOf(t, 0, "OutputLen"), "0"), abi.Returned},
		{"its own state, before it dies", store(fieldOf(t, 1, "State"), "0") + dies(t), abi.Died},
		{"its own state, as if complete", store(fieldOf(t, 1, "State"), "2") + "ud2", abi.Signal},
		{"a later state", store(fieldOf(t, 2, "State"), "2") + "ud2", abi.Signal},
		{"a later state, dying", store(fieldOf(t, 2, "State"), "2") + dies(t), abi.Died},
		{"a later state as if running", store(fieldOf(t, 2, "State"), "1") + dies(t), abi.Died},
	} {
		results := runAll(t, r, Settings{}, []program{victim, {c.name, c.body, ""}, victim, victim})
		for i, res := range results {
			if i == 1 {
				if res.Kind != c.kind {
					t.Errorf("%s: %v, %s", c.name, res.Kind, res.Detail)
				}
				continue
			}
			if res.Kind != abi.Returned || string(res.Stdout) != "1\n" {
				t.Errorf("%s: program %d: %v, %q, %s", c.name, i, res.Kind, res.Stdout, res.Detail)
			}
		}
	}
}

// Messages that a program sends to the driver, or signal state that it leaves
// behind, do not reach the others.
func TestWorkerGoneAstray(t *testing.T) {
	r := open(t, Options{Limits: Limits{CPU: 50 * time.Millisecond}})
	write := runnerSymbol(t, "write")
	send := func(letter byte) string {
		return fmt.Sprintf("sub $16, %%rsp\nmovq $%d, (%%rsp)\nmovq $77, 8(%%rsp)\nmov $%d, %%edi\nmov %%rsp, %%rsi\nmov $16, %%edx\nmov $%#x, %%eax\ncall *%%rax\n",
			letter, fdReply, write)
	}
	for _, c := range []struct {
		program
		kinds  []abi.Ending
		detail string
	}{
		{program{"says done", send(replyDone) + "0: jmp 0b", ""}, []abi.Ending{abi.Died, abi.Timeout}, ""},
		{program{"says dead", send(replyDead) + "0: jmp 0b", ""}, []abi.Ending{abi.Died, abi.Timeout}, ""},
		{program{"babbles", "1:\n" + send(7) + "add $16, %rsp\njmp 1b", ""}, []abi.Ending{abi.Died, abi.Timeout}, ""},
		{program{"says done and returns", send(replyDone), ""}, []abi.Ending{abi.Returned, abi.Died}, ""},
		{program{"blocks signals", sigreturn(t, "movb $0xff, frame+296\nmovb $0xff, frame+299\n"), signalFrame}, []abi.Ending{abi.SentinelBroken}, "the signal mask was changed to 0xff0000ff"},
		{program{"moves the signal stack", sigreturn(t, "movq $0x68000000, frame+16\nmovq $0x10000, frame+32\n"), signalFrame}, []abi.Ending{abi.SentinelBroken}, "the signal stack was changed to 0x68000000"},
		{program{"blocks signals and panics", sigreturn(t, "movb $0xff, frame+296\n") + "mov $5, %edi\nxor %esi, %esi\nmov $2, %edx\nmov $3, %ecx\ncall rok_div_i32", signalFrame}, []abi.Ending{abi.SentinelBroken}, "the signal mask"},
		{program{"loses the output buffer", fmt.Sprintf("movq $0, %%fs:%d", threadOffset(t, r, "rok_out")+8), ""}, []abi.Ending{abi.SentinelBroken}, "the output buffer"},
		{program{"loses the thread block", "mov $counted, %eax\nmovq $0, counted\nwrfsbase %rax", "counted: .quad 0\n.zero 256\n"}, []abi.Ending{abi.SentinelBroken, abi.Died, abi.Signal}, ""},
	} {
		results := runAll(t, r, Settings{}, []program{{"", printOne, ""}, c.program, {"", printOne, ""}, {"", "ud2", ""}, {"", "0: jmp 0b", ""}})
		for i, want := range []abi.Ending{abi.Returned, 0, abi.Returned, abi.Signal, abi.Timeout} {
			got := results[i]
			switch {
			case i == 1:
				if !slices.Contains(c.kinds, got.Kind) || !strings.Contains(got.Detail, c.detail) {
					t.Errorf("%s: %v, %s", c.name, got.Kind, got.Detail)
				}
			case got.Kind != want || want == abi.Returned && string(got.Stdout) != "1\n":
				t.Errorf("%s: program %d: %v, %q, %s", c.name, i, got.Kind, got.Stdout, got.Detail)
			}
		}
	}
}

// signalFrame is what rt_sigreturn reads, a ucontext, at the start of the data.
const signalFrame = "frame: .quad 6\n.zero 176\n.quad 0x2b000000000033\n.zero 300\n"

// sigreturn goes on behind itself by a jump to rt_sigreturn, with a frame that
// change has altered.
func sigreturn(t *testing.T, change string) string {
	text := ""
	for offset, register := range map[int]string{72: "r12", 80: "r13", 88: "r14", 96: "r15", 120: "rbp", 128: "rbx", 160: "rsp"} {
		text += fmt.Sprintf("mov %%%s, frame+%d\n", register, offset)
	}
	return text + change + fmt.Sprintf("movq $1f, frame+168\nmovq $2, frame+176\nmov $frame, %%esp\nmov $%#x, %%eax\njmp *%%rax\n1:\n", runnerSymbol(t, "__restore_rt"))
}
