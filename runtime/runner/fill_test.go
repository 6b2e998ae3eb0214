package runner

import (
	"fmt"
	"strings"
	"testing"

	"rokrig/runtime/abi"
)

// filledWords are the words that reads prints.
const filledWords = 9 + 2*16 + 3

// reads prints what it finds in registers and in words of its stack that it
// has not written.
func reads() string {
	text := "push %rbx\npush %rbx\n"
	for _, r := range []string{"rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"} {
		text += "push %" + r + "\n"
	}
	for i := range 16 {
		text += fmt.Sprintf("sub $16, %%rsp\nmovups %%xmm%d, (%%rsp)\n", i)
	}
	print := "call rok_print_u64\ncall rok_print_sep\n"
	text += "mov %rsp, %rbx\nsub $8, %rsp\n0: mov (%rbx), %rdi\n" + print + "add $8, %rbx\nlea -16(%rbp), %rcx\ncmp %rcx, %rbx\njb 0b\n"
	// The helpers have used the stack, but not so deep.
	for _, depth := range []int{6 << 10, 16 << 10, 60 << 10} {
		text += fmt.Sprintf("mov -%d(%%rbp), %%rdi\n", depth) + print
	}
	return text + "mov -8(%rbp), %rbx\n"
}

// What a program reads before it has written it is the pattern of the
// settings, in registers and on the stack, whatever ran before.
func TestUninitialisedReadsShowTheFill(t *testing.T) {
	r := open(t, Options{})
	dirt := "lea -61440(%rsp), %rdi\nmov $7680, %ecx\nmov $0x77, %eax\nrep stosq\n"
	programs := []program{{"", reads(), ""}, {"", dirt, ""}, {"", reads(), ""}}
	for _, fill := range []Fill{FillA, FillB, FillA} {
		want := strings.Repeat(fmt.Sprintf("%d ", uint64(fillBytes[fill])*0x0101010101010101), filledWords)
		results := runAll(t, r, Settings{Fill: fill}, programs)
		for i, res := range results {
			if res.Kind != abi.Returned || i != 1 && string(res.Stdout) != want {
				t.Errorf("fill %d, program %d: %v %s, %q, want %q", fill, i, res.Kind, res.Detail, res.Stdout, want)
			}
		}
	}
}
