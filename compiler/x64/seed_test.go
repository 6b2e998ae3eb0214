package x64

import (
	"strings"
	"testing"

	"rokrig/compiler/core"
)

// body returns the text of a function between prologue and epilogue, one instruction a line, without blanks at the sides
// and without the labels of listed calls.
func body(t *testing.T, p *Program, f *Func) string {
	t.Helper()
	var lines []string
	for _, l := range strings.Split(strings.TrimSpace(string(p.AppendFuncText(nil, f))), "\n") {
		if l = strings.TrimSpace(l); !strings.HasPrefix(l, ".Lc") {
			lines = append(lines, l)
		}
	}
	got := strings.Join(lines, "\n")
	got, ok := strings.CutPrefix(got, "push %rbp\nmov %rsp, %rbp\n")
	if !ok {
		t.Fatalf("no prologue:\n%s", got)
	}
	got, ok = strings.CutSuffix(got, "\nleave\nret")
	if !ok {
		t.Fatalf("no epilogue:\n%s", got)
	}
	return got
}

func TestC01_SequenceOfTheSeed(t *testing.T) {
	m := module(mainFunc(nil, printInt(op(core.Add, core.I64, num(1), op(core.Mul, core.I64, num(2), num(3))))))
	p := Emit(m, Options{})
	want := `movabs $1, %rax
push %rax
movabs $2, %rax
push %rax
movabs $3, %rax
mov %rax, %rcx
pop %rax
imul %rcx, %rax
mov %rax, %rcx
pop %rax
add %rcx, %rax
mov %rax, %rdi
call mini_print_int`
	if got := body(t, p, p.Funcs[0]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if err := Verify(p); err != nil {
		t.Error(err)
	}
}

func TestC04_PadUnderOneTemporary(t *testing.T) {
	x := local(core.Int)
	f := fn("f", []*core.Local{x}, nil, ints(1), op(core.Mul, core.I64, get(x), num(10)))
	f.ID = 1
	m := module(mainFunc(nil, printInt(op(core.Add, core.I64, num(1), call(f, num(2))))), f)
	p := Emit(m, Options{})
	want := `movabs $1, %rax
push %rax
movabs $2, %rax
push %rax
pop %rdi
sub $8, %rsp
call rok.u.f
add $8, %rsp
mov %rax, %rcx
pop %rax
add %rcx, %rax
mov %rax, %rdi
call mini_print_int`
	if got := body(t, p, p.Funcs[0]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	wantF := `sub $16, %rsp
mov %rdi, -8(%rbp)
mov -8(%rbp), %rax
push %rax
movabs $10, %rax
mov %rax, %rcx
pop %rax
imul %rcx, %rax`
	if got := body(t, p, p.Funcs[1]); got != wantF {
		t.Errorf("got\n%s\nwant\n%s", got, wantF)
	}
	if err := Verify(p); err != nil {
		t.Error(err)
	}
}
