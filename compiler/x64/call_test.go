package x64

import (
	"fmt"
	"strings"
	"testing"

	"rokrig/compiler/core"
	"rokrig/compiler/mutant"
)

// weighed makes a function of n integers that returns the sum of i+1 times the i-th, so that no two may change places.
func weighed(n int) *core.Func {
	params := locals(n)
	sum := num(0)
	for i, p := range params {
		sum = op(core.Add, core.I64, sum, op(core.Mul, core.I64, num(int64(i+1)), get(p)))
	}
	return fn(fmt.Sprintf("weighed%d", n), params, nil, ints(1), sum)
}

// argument is the i-th argument of the tests' calls.
func argument(i int) int64 { return int64(100 + i*i) }

// callProgram calls functions of 0 to 20 integers under 0 to 2 pushed temporaries, some arguments being calls themselves.
func callProgram() (*core.Module, string) {
	main := mainFunc(nil)
	var list []core.Expr
	var want strings.Builder
	callees := []*core.Func{}
	for n := range 21 {
		callees = append(callees, weighed(n))
	}
	m := module(append([]*core.Func{main}, callees...)...)
	for n, f := range callees {
		for under := range 3 {
			var args []core.Expr
			var sum int64
			for i := range n {
				args = append(args, num(argument(i)))
				sum += int64(i+1) * argument(i)
			}
			if n > 2 { // the last argument is a call itself, under all others
				args[n-1] = call(callees[2], num(argument(n-1)), num(0))
			}
			x := call(f, args...)
			for range under {
				x = op(core.Add, core.I64, num(1), x)
			}
			list = append(list, printInt(x))
			fmt.Fprintln(&want, sum+int64(under))
		}
	}
	main.Body = seq(list...)
	return m, want.String()
}

func TestC02_ArgumentsOfAnyNumber(t *testing.T) {
	m, want := callProgram()
	expect(t, m, want)
}

func TestC02_PoppedInReverse(t *testing.T) {
	f := weighed(8)
	f.ID = 1
	var args []core.Expr
	for i := range 8 {
		args = append(args, num(int64(i)))
	}
	m := module(mainFunc(nil, call(f, args...)), f)
	p := Emit(m, Options{})
	got := body(t, p, p.Funcs[0])
	for i := range 8 {
		got = strings.Replace(got, fmt.Sprintf("movabs $%d, %%rax\npush %%rax\n", i), "", 1)
	}
	want := `pushq (%rsp)
pushq 16(%rsp)
mov 72(%rsp), %rdi
mov 64(%rsp), %rsi
mov 56(%rsp), %rdx
mov 48(%rsp), %rcx
mov 40(%rsp), %r8
mov 32(%rsp), %r9
call rok.u.weighed8
add $80, %rsp`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	six := weighed(6)
	six.ID = 1
	m = module(mainFunc(nil, call(six, args[:6]...)), six)
	p = Emit(m, Options{})
	if got := body(t, p, p.Funcs[0]); !strings.HasSuffix(got, `push %rax
pop %r9
pop %r8
pop %rcx
pop %rdx
pop %rsi
pop %rdi
call rok.u.weighed6`) {
		t.Errorf("got\n%s", got)
	}
}

// mixed makes a function of 24 words of all classes, among them strings; it prints them all and returns the sum of the f64s.
func mixed(m *core.Module) *core.Func {
	var params []*core.Local
	var list []core.Expr
	sum := f64(0)
	for range 9 {
		i, f, d := local(core.Int), local(core.F32), local(core.F64)
		params = append(params, i, f, d)
		list = append(list, printScalar(core.I64, get(i)), printScalar(core.SF32, get(f)), printScalar(core.SF64, get(d)))
		sum = op(core.Add, core.SF64, sum, get(d))
	}
	s := local(strCl...)
	params = append(params, s)
	list = append(list, op(core.PrintStr, core.NoScalar, get(s)), op(core.PrintNl, core.NoScalar))
	return fn("mixed", params, nil, []core.Class{core.F64}, seqOf(sum, list...))
}

func TestC02_ArgumentsOfAllClasses(t *testing.T) {
	main := mainFunc(nil)
	m := module(main)
	f := mixed(m)
	f.ID = 1
	m.Funcs = append(m.Funcs, f)
	var args []core.Expr
	var want strings.Builder
	for i := range 9 {
		v := float64(i) + 0.5
		args = append(args, num(int64(-i)), f32(v), f64(-v))
		fmt.Fprintf(&want, "%d\n%v\n%v\n", -i, v, -v)
	}
	args = append(args, str(m, "héllo \"x\"\n\x00\xff\\7"))
	want.WriteString("héllo \"x\"\n\x00\xff\\7\n")
	main.Body = printScalar(core.SF64, op(core.Sub, core.SF64, f64(1), call(f, args...)))
	fmt.Fprintln(&want, 1+40.5)
	expect(t, m, want.String())
}

// identity makes a function that returns its one parameter of n words, of the given classes in turn.
func identity(n int, classes ...core.Class) *core.Func {
	p := local()
	for i := range n {
		p.Classes = append(p.Classes, classes[i%len(classes)])
	}
	return fn(fmt.Sprintf("identity%d%s", n, classes[0]), []*core.Local{p}, nil, p.Classes, get(p))
}

// tuple makes a value of n words, base, base+1, ... or the floats of these.
func tuple(classes []core.Class, base int) core.Expr {
	c := &core.Concat{Words: classes}
	for i, k := range classes {
		x := num(int64(base + i))
		switch k {
		case core.F32:
			x = f32(float64(base + i))
		case core.F64:
			x = f64(float64(base + i))
		}
		c.Parts = append(c.Parts, x)
	}
	return c
}

var scalarOf = map[core.Class]core.Scalar{core.Int: core.I64, core.F32: core.SF32, core.F64: core.SF64}

// printWords prints the words of a value by Part, each on a line.
func printWords(l *core.Local) []core.Expr {
	var list []core.Expr
	for i, c := range l.Classes {
		one := []core.Class{c}
		if i%2 == 0 {
			list = append(list, printScalar(scalarOf[c], &core.Part{X: get(l), Off: i, Words: one}))
		} else {
			list = append(list, printScalar(scalarOf[c], &core.LocalGet{Local: l, Off: i, Words: one}))
		}
	}
	return list
}

// resultProgram calls functions with results of 0 to 9 words, directly and through their addresses, under 0 and 1
// temporaries.
func resultProgram() (*core.Module, string) {
	main := mainFunc(nil)
	funcs := []*core.Func{main}
	var list []core.Expr
	var want strings.Builder
	for n := range 10 {
		for _, classes := range [][]core.Class{{core.Int}, {core.F64, core.Int}, {core.F32, core.F64}} {
			f := identity(n, classes...)
			f.ID = core.FuncID(len(funcs))
			funcs = append(funcs, f)
			for way := range 4 {
				l := local(f.Result...)
				main.Locals = append(main.Locals, l)
				x := call(f, tuple(f.Result, 10*n))
				if way >= 2 {
					x = &core.CallIndirect{Callee: &core.FuncAddr{Func: f.ID}, Args: []core.Expr{tuple(f.Result, 10*n)}, Words: f.Result, Pos: at(5, 5)}
				}
				if way%2 == 1 { // under a temporary
					x = op(core.Add, core.I64, num(1), seqOf(num(1), let(l, x)))
				} else {
					x = let(l, x)
				}
				list = append(list, x)
				list = append(list, printWords(l)...)
				for i := range n {
					fmt.Fprintln(&want, 10*n+i)
				}
			}
		}
	}
	for i, l := range main.Locals {
		l.ID = core.LocalID(i)
	}
	main.Body = seq(list...)
	return module(funcs...), want.String()
}

func TestC02_ResultsOfAnyNumberOfWords(t *testing.T) {
	m, want := resultProgram()
	expect(t, m, want)
}

func TestC02_Recursion(t *testing.T) {
	n := local(core.Int)
	f := fn("fib", []*core.Local{n}, nil, ints(1), nil)
	f.ID = 1
	minus := func(k int64) core.Expr { return op(core.Sub, core.I64, get(n), num(k)) }
	f.Body = &core.If{Cond: op(core.Lt, core.I64, get(n), num(2)), Then: get(n),
		Else: op(core.Add, core.I64, call(f, minus(1)), call(f, minus(2))), Words: ints(1)}
	expect(t, module(mainFunc(nil, printInt(call(f, num(20)))), f), "6765\n")
}

// mutantPlan switches a mutant on by name.
func mutantPlan(t *testing.T, name string) *mutant.Plan {
	t.Helper()
	plan, err := mutant.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}
