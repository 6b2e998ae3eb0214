package runner

import (
	"strings"
	"testing"
	"time"

	"rokrig/runtime/abi"
)

// runAll runs the programs in one batch.
func runAll(t testing.TB, r *Runner, s Settings, programs []program, calls ...string) []Result {
	t.Helper()
	images, _ := assembleAll(t, r, programs, calls...)
	results, err := r.RunWith(s, images)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

const printOne = "mov $1, %edi\ncall mini_print_int\n"

// Each of these is followed in its batch by a witness that counts on a clean
// state; want is checked here, the witness in TestPrograms.
var misdeeds = []struct {
	program
	kind   abi.Ending
	stdout string
	stderr string
	detail string // a part of it
}{
	{program{"nothing", "", ""}, abi.Returned, "", "", ""},
	{program{"prints", "mov $-5, %rdi\ncall rok_print_i64\ncall rok_print_sep\nmov $1, %edi\ncall rok_print_bool\ncall rok_print_nl", ""},
		abi.Returned, "-5 true\n", "", ""},
	{program{"division by zero", printOne + "mov $5, %edi\nxor %esi, %esi\nmov $2, %edx\nmov $3, %ecx\ncall rok_div_i32", ""},
		abi.Panicked, "1\n", "panic: division by zero at a.rok:2:3\n", ""},
	{program{"overflow", "mov $-128, %rdi\nmov $-1, %rsi\nmov $2, %edx\nmov $3, %ecx\ncall rok_mod_i8", ""},
		abi.Panicked, "", "panic: integer overflow at a.rok:2:3\n", ""},
	{program{"negative exponent", "mov $-128, %rdi\nmov $-1, %rsi\nmov $2, %edx\nmov $3, %ecx\ncall mini_pow", ""},
		abi.Panicked, "", "panic: negative exponent at a.rok:2:3\n", ""},
	{program{"bounds", "mov $3, %edi\nmov $-7, %rsi\nmov $2, %edx\nmov $3, %ecx\ncall rok_panic_bounds", ""},
		abi.Panicked, "", "panic: index out of bounds: the length is 3 but the index is -7 at a.rok:2:3\n", ""},
	{program{"panic", "mov $msg, %edi\nmov $3, %esi\nmov $2, %edx\nmov $3, %ecx\ncall rok_panic", "msg: .ascii \"oh!\""},
		abi.Panicked, "", "panic: oh! at a.rok:2:3\n", ""},
	{program{"null", printOne + "xor %eax, %eax\nmov 16(%rax), %rax", ""}, abi.Signal, "1\n", "", "accessing 0x10"},
	{program{"non-canonical", "movabs $0x123456789abcdef0, %rax\nmov (%rax), %rax", ""}, abi.Signal, "", "", "general protection"},
	{program{"ud2", "ud2", ""}, abi.Signal, "", "", "SIGILL"},
	{program{"hlt", "hlt", ""}, abi.Signal, "", "", "SIGSEGV"},
	{program{"int3", "int3", ""}, abi.Signal, "", "", "SIGTRAP"},
	{program{"idiv", "movabs $0x8000000000000000, %rax\ncqto\nmov $-1, %rcx\nidiv %rcx", ""}, abi.Signal, "", "", "SIGFPE"},
	{program{"writes code", "movb $0, 0f(%rip)\n0:", ""}, abi.Signal, "", "", "SIGSEGV"},
	{program{"wild jump", "mov $0x60100000, %eax\njmp *%rax", ""}, abi.Signal, "", "", "SIGSEGV"},
	{program{"exits", "mov $231, %eax\nxor %edi, %edi\nsyscall", ""}, abi.Signal, "", "", "SIGSYS"},
	{program{"endless", printOne + "0: jmp 0b", ""}, abi.Timeout, "1\n", "", "still running"},
	{program{"recursion", printOne + "0: call 1f\n1: sub $2048, %rsp\npush %rax\njmp 0b", ""}, abi.StackOverflow, "1\n", "", "SIGSEGV"},
	{program{"recursion into a helper", "0: sub $2048, %rsp\nxor %edi, %edi\ncall rok_f64_to_i8\njmp 0b", ""}, abi.StackOverflow, "", "", "SIGSEGV"},
	{program{"trashed rsp", "xor %esp, %esp\npush %rax", ""}, abi.Signal, "", "", "SIGSEGV"},
	{program{"rsp off", "mov (%rbp), %rcx\nmov 8(%rbp), %rax\nmov %rcx, %rbp\njmp *%rax\n", ""}, abi.SentinelBroken, "", "", "rsp was changed"},
	{program{"direction flag", "std", ""}, abi.SentinelBroken, "", "", "eflags was changed"},
	{program{"alignment check", "pushfq\norl $0x40000, (%rsp)\npopfq", ""}, abi.SentinelBroken, "", "", "eflags was changed"},
	{program{"rounding mode", "sub $16, %rsp\nmovl $0x7f80, (%rsp)\nldmxcsr (%rsp)\n", ""}, abi.SentinelBroken, "", "", "mxcsr was changed to 0x7f80"},
	{program{"clobbered rbx", "mov $12, %ebx", ""}, abi.SentinelBroken, "", "", "on return rbx was changed to 0xc"},
	{program{"clobbered r15", "xor %r15, %r15\nmov $1, %r12d", ""}, abi.SentinelBroken, "", "", "r12 was changed to 0x1; r15 was changed to 0x0"},
	{program{"misaligned", printOne + "push %rax\nmov $7, %edi\ncall rok_print_u64\nhere: ud2", ""},
		abi.Misaligned, "1\n", "rokrig: stack misaligned at call to rok_print_u64 at a.rok:12:34\n", ""},
	{program{"flood", "0: mov $msg, %edi\nmov $3, %esi\ncall rok_print_str\njmp 0b", ""}, abi.OutputLimit, "", "", ""},
	{program{"trap flag", "pushfq\norl $0x100, (%rsp)\npopfq\nnop", ""}, abi.Signal, "", "", "SIGTRAP"},
	{program{"alignment check and a fault", "pushfq\norl $0x40000, (%rsp)\npopfq\nud2", ""}, abi.Signal, "", "", "SIGILL"},
	{program{"rounding mode and a panic", "sub $16, %rsp\nmovl $0x7f80, (%rsp)\nldmxcsr (%rsp)\nmov $1, %edi\nxor %esi, %esi\nmov $2, %edx\nmov $3, %ecx\ncall mini_mod\n", ""},
		abi.Panicked, "", "panic: division by zero at a.rok:2:3\n", ""},
	{program{"dirties everything", `
	mov $counter, %edi
	movq $77, (%rdi)
	lea -262144(%rsp), %rdi
	mov $32768, %ecx
	mov $0x77, %eax
	rep stosq
	movb $1, %fs:rok_tls@tpoff+88
	movq $1, %fs:rok_tls@tpoff+56`, ""}, abi.Returned, "", "", ""},
}

// witness prints a counter in its data, unless its stack is dirty, the poll
// flag is set or the rounding mode is another. The stack holds the fill
// pattern 64 KiB deep.
const witness = `
	xor %eax, %eax
	lea -262144(%rsp), %rcx
	lea -65536+16(%rsp), %rdx
0:	or (%rcx), %rax
	add $8, %rcx
	cmp %rdx, %rcx
	jb 0b
	movabs $0xa5a5a5a5a5a5a5a5, %rdx
0:	mov (%rcx), %rsi
	xor %rdx, %rsi
	or %rsi, %rax
	add $8, %rcx
	cmp %rsp, %rcx
	jb 0b
	test %rax, %rax
	jnz 1f
	cmpb $0, %fs:rok_tls@tpoff+88
	jne 1f
	stmxcsr -8(%rsp)
	cmpl $0x1f80, -8(%rsp)
	jne 1f
	incq counter
	mov counter, %rdi
	call rok_print_i64
	call rok_print_nl
1:
`

func TestPrograms(t *testing.T) {
	for _, b := range Builds {
		t.Run(string(b), func(t *testing.T) {
			t.Parallel()
			r := open(t, Options{Build: b, Limits: Limits{CPU: time.Second, Output: 1000}})
			var programs []program
			for _, m := range misdeeds {
				programs = append(programs, m.program, program{"witness", witness, ""})
			}
			programs[1].data = "counter: .quad 41\n"
			results := runAll(t, r, Settings{}, programs, ".quad here\n.long 12, 34, 0, 0")
			for i, m := range misdeeds {
				got, after := results[2*i], results[2*i+1]
				if m.name == "flood" {
					m.stdout = strings.Repeat("oh!", 334)[:1000]
				}
				if got.Kind != m.kind || string(got.Stdout) != m.stdout || string(got.Stderr) != m.stderr || !strings.Contains(got.Detail, m.detail) {
					t.Errorf("%s: %v, %q, %q, %q; want %v, %q, %q, %q", m.name, got.Kind, got.Stdout, got.Stderr, got.Detail, m.kind, m.stdout, m.stderr, m.detail)
				}
				if got.Status != abi.Endings[m.kind].Status {
					t.Errorf("%s: status %d", m.name, got.Status)
				}
				if after.Kind != abi.Returned || string(after.Stdout) != "42\n" {
					t.Errorf("after %s: %v, %q, %q, %q", m.name, after.Kind, after.Stdout, after.Stderr, after.Detail)
				}
			}
		})
	}
}

func BenchmarkRunner(b *testing.B) {
	r := open(b, Options{})
	var programs []program
	for range 64 {
		programs = append(programs, program{"", printOne, ""})
	}
	images, _ := assembleAll(b, r, programs)
	b.ResetTimer()
	var cpu time.Duration
	for range b.N {
		results, err := r.Run(images)
		if err != nil || string(results[63].Stdout) != "1\n" {
			b.Fatal(err, results[63])
		}
		for _, res := range results {
			cpu += res.CPU
		}
	}
	b.ReportMetric(float64(cpu.Nanoseconds())/float64(b.N*64), "worker-cpu-ns/program")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*64), "ns/program")
}

func BenchmarkStackOverflow(b *testing.B) {
	r := open(b, Options{})
	images, _ := assembleAll(b, r, []program{{"", "0: call 1f\n1: sub $48, %rsp\njmp 0b", ""}})
	var cpu time.Duration
	for b.Loop() {
		results, err := r.Run(images)
		if err != nil || results[0].Kind != abi.StackOverflow {
			b.Fatal(err, results[0])
		}
		cpu += results[0].CPU
	}
	b.ReportMetric(float64(cpu.Microseconds())/float64(b.N), "cpu-µs/op")
}
