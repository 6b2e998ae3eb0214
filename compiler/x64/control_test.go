package x64

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"rokrig/compiler/core"
)

func block(l core.LabelID, words []core.Class, list ...core.Expr) core.Expr {
	return &core.Block{Label: l, Words: words, Body: seqOf(&core.Undef{Words: words}, list...)}
}

func loop(list ...core.Expr) core.Expr { return &core.Loop{Body: seq(list...)} }

func ifThen(c core.Expr, list ...core.Expr) core.Expr { return &core.If{Cond: c, Then: seq(list...)} }

func add(a, b core.Expr) core.Expr { return op(core.Add, core.I64, a, b) }

// breakProgram leaves blocks from under 0 to 3 temporaries with 0 to 4 words, and calls something behind it, so that a
// temporary left behind shows as a wrong sum or as a misaligned stack.
func breakProgram() (*core.Module, string) {
	main := mainFunc(nil)
	var list []core.Expr
	var want strings.Builder
	for words := range 5 {
		for under := range 4 {
			l := local(ints(words)...)
			main.Locals = append(main.Locals, l)
			var value core.Expr
			if words > 0 {
				value = tuple(ints(words), 40)
			}
			x := core.Expr(seqOf(num(0), br(1, value)))
			for range under {
				x = add(num(7), x)
			}
			b := block(1, l.Classes, x)
			list = append(list, printInt(add(num(100), seqOf(num(11), let(l, b)))))
			fmt.Fprintln(&want, 111)
			list = append(list, printWords(l)...)
			for i := range words {
				fmt.Fprintln(&want, 40+i)
			}
		}
	}
	for i, l := range main.Locals {
		l.ID = core.LocalID(i)
	}
	main.Body = seq(list...)
	return module(main), want.String()
}

func TestC04_BranchOutOfAnExpression(t *testing.T) {
	m, want := breakProgram()
	expect(t, m, want)
}

func TestC06_LoopsAndConditions(t *testing.T) {
	l := locals(3)
	i, sum, odd := l[0], l[1], l[2]
	step := assign(i, add(get(i), num(1)))
	expect(t, module(mainFunc(l,
		let(i, num(0)), let(sum, num(0)), let(odd, num(0)),
		&core.While{Cond: op(core.Lt, core.I64, get(i), num(10)), Body: seq(
			step,
			&core.If{Cond: op(core.And, core.I64, get(i), num(1)),
				Then: assign(odd, add(get(odd), num(1))),
				Else: assign(sum, add(get(sum), get(i)))},
		)},
		printInt(get(sum)), printInt(get(odd)),
		// The value of a loop is that of the branch out of it.
		printInt(block(3, ints(1), loop(
			assign(i, op(core.Sub, core.I64, get(i), num(3))),
			ifThen(op(core.Lt, core.I64, get(i), num(0)), br(3, get(i))),
			&core.Poll{Pos: at(2, 2)},
		))),
		// Short circuit as core spells it.
		printScalar(core.Bool, &core.If{Cond: num(0), Then: num(1), Else: num(0), Words: ints(1)}),
	)), "30\n5\n-2\nfalse\n")
}

func TestC06_Switch(t *testing.T) {
	x := local(core.Int)
	sw := func(s core.Scalar, cases ...core.Case) core.Expr {
		return &core.Switch{X: get(x), Scalar: s, Cases: cases, Default: num(-1), Words: ints(1)}
	}
	f := fn("signed", []*core.Local{x}, nil, ints(1), sw(core.I8,
		core.Case{Lo: wrap(core.I8, 0x80), Hi: wrap(core.I8, 0xf0), Body: num(1)},
		core.Case{Lo: wrap(core.I8, 0xff), Hi: 0, Body: num(2)},
		core.Case{Lo: 5, Hi: 5, Body: num(3)}))
	f.ID = 1
	g := fn("unsigned", []*core.Local{x}, nil, ints(1), sw(core.U64,
		core.Case{Lo: 0, Hi: 0, Body: num(1)},
		core.Case{Lo: 2, Hi: 1 << 63, Body: num(2)},
		core.Case{Lo: ^uint64(0), Hi: ^uint64(0), Body: num(3)}))
	g.ID = 2
	var list []core.Expr
	for _, v := range []int64{-128, -16, -15, -1, 0, 1, 4, 5, 6, 127} {
		list = append(list, printInt(call(f, num(v))))
	}
	for _, v := range []uint64{0, 1, 2, 1 << 63, 1<<63 + 1, ^uint64(0) - 1, ^uint64(0)} {
		list = append(list, printInt(call(g, num(int64(v)))))
	}
	expect(t, module(mainFunc(nil, list...), f, g), strings.ReplaceAll("1 1 -1 2 2 -1 -1 3 -1 -1 1 -1 2 2 -1 -1 3 ", " ", "\n"))
}

func TestC06_GlobalsInData(t *testing.T) {
	m := module(mainFunc(nil))
	hello := str(m, "hello")
	empty := str(m, "")
	g := &core.Global{ID: 0, Name: "g", Classes: ints(1), Init: []core.InitWord{{Bits: 42}}}
	s := &core.Global{ID: 1, Name: "s", Classes: strCl, Init: []core.InitWord{{Str: 0, IsStr: true}, {Bits: 5}}}
	e := &core.Global{ID: 2, Name: "e", Classes: strCl, Init: []core.InitWord{{Str: 1, IsStr: true}, {}}}
	m.Globals = []*core.Global{g, s, e}
	all := func(g *core.Global) core.Expr { return &core.GlobalGet{Global: g, Words: g.Classes} }
	m.Funcs[0].Body = seq(
		printInt(all(g)),
		&core.SetGlobal{Global: g, Value: add(all(g), num(1))},
		printInt(all(g)),
		op(core.PrintStr, core.NoScalar, all(s)), op(core.PrintNl, core.NoScalar),
		op(core.PrintStr, core.NoScalar, all(e)), op(core.PrintNl, core.NoScalar),
		printScalar(core.Bool, op(core.StrEq, core.NoScalar, all(s), hello)),
		printScalar(core.Bool, op(core.StrEq, core.NoScalar, all(e), hello)),
		&core.SetGlobal{Global: s, Value: op(core.StrSlice, core.NoScalar, hello, num(1), num(4))},
		op(core.PrintStr, core.NoScalar, all(s)), op(core.PrintNl, core.NoScalar),
		printInt(op(core.StrCmp, core.NoScalar, all(s), hello)),
		printInt(op(core.StrIndex, core.NoScalar, all(s), num(0))),
		&core.SetGlobal{Global: s, Off: 1, Value: num(1)},
		op(core.PrintStr, core.NoScalar, all(s)), op(core.PrintNl, core.NoScalar),
		printScalar(core.Bool, op(core.StrEq, core.NoScalar, all(e), empty)),
	)
	expect(t, m, "42\n43\nhello\n\ntrue\nfalse\nell\n-1\n101\ne\ntrue\n")
	text := string(Emit(m, Options{}).AppendText(nil, TextOptions{}))
	if data := text[strings.Index(text, ".section .data"):]; !strings.Contains(data, ".Lg0:\n\t.quad 42\n") {
		t.Errorf("the global is not in .data:\n%s", data)
	}
}

func TestC06_PartsAndConcats(t *testing.T) {
	five := tuple(ints(5), 1)
	l := local(ints(3)...)
	one := local(core.Int)
	empty := &core.Concat{}
	expect(t, module(mainFunc([]*core.Local{l, one},
		let(l, &core.Part{X: five, Off: 1, Words: ints(3)}),
		seq(printWords(l)...),
		let(l, &core.Part{X: five, Off: 0, Words: ints(3)}),
		seq(printWords(l)...),
		let(l, &core.Part{X: five, Off: 2, Words: ints(3)}),
		seq(printWords(l)...),
		&core.Part{X: five, Off: 2},
		// A part without words behind the only word must not lose it.
		let(one, &core.Concat{Words: ints(1), Parts: []core.Expr{empty, num(9), &core.Block{Label: 1, Body: printInt(num(8))}}}),
		printInt(get(one)),
		&core.Assign{Local: l, Off: 1, Value: tuple(ints(2), 70)},
		seq(printWords(l)...),
	)), "2\n3\n4\n1\n2\n3\n3\n4\n5\n8\n9\n3\n70\n71\n")
}

func TestC03_FrameAndSlots(t *testing.T) {
	params, l := locals(2), locals(1)
	f := fn("f", params, l, ints(1), seqOf(get(l[0]), let(l[0], get(params[1]))))
	p := Emit(module(f), Options{})
	want := `	push %rbp
	mov %rsp, %rbp
	sub $32, %rsp
	mov %rdi, -8(%rbp)
	mov %rsi, -16(%rbp)
	mov -16(%rbp), %rax
	mov %rax, -24(%rbp)
	mov -24(%rbp), %rax
	leave
	ret
`
	if got := string(p.AppendFuncText(nil, p.Funcs[0])); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestC03_LargeFrames lets a function with a frame of many pages recurse until the guard below the stack stops it, which
// it does only if no page is skipped.
func TestC03_LargeFrames(t *testing.T) {
	f := fn("deep", nil, []*core.Local{local(ints(100_000)...)}, nil, nil)
	f.ID = 1
	f.Body = seq(call(f), call(f))
	m := module(mainFunc(nil, printInt(num(1)), call(f)), f)
	p := Emit(m, Options{})
	subs := regexp.MustCompile(`sub \$(\d+), %rsp\n(\torq \$0, \(%rsp\)\n)?`).FindAllStringSubmatch(string(p.AppendFuncText(nil, p.Funcs[1])), -1)
	for _, s := range subs {
		if len(s[1]) > 4 || s[1] > "4096" && len(s[1]) == 4 || s[1] == "4096" && s[2] == "" {
			t.Errorf("no probe at %q", s[0])
		}
	}
	if len(subs) != 196 { // 100,000 words of 8 bytes in pages of 4096
		t.Errorf("%d steps", len(subs))
	}
	got := run(t, m, Options{})
	if got.stdout != "1\n" || got.status != 71 || !strings.Contains(got.stderr, "out of stack") {
		t.Errorf("got %+v", got)
	}
}

func TestC05_Panics(t *testing.T) {
	m := module(mainFunc(nil))
	for _, c := range []struct {
		x    core.Expr
		want string
	}{
		{op(core.Div, core.I64, num(-1<<63), num(-1)), "integer overflow"},
		{op(core.Rem, core.I64, num(-1<<63), num(-1)), "integer overflow"},
		{op(core.Div, core.I8, num(-128), num(-1)), "integer overflow"},
		{op(core.Div, core.U32, num(5), num(0)), "division by zero"},
		{op(core.Pow, core.I64, num(2), num(-1)), "negative exponent"},
		{op(core.StrIndex, core.NoScalar, str(m, "ab"), num(2)), "index out of bounds: the length is 2 but the index is 2"},
		{&core.Panic{Message: str(m, "boom"), Pos: at(3, 7)}, "boom"},
	} {
		m.Funcs[0].Body = seq(printInt(num(5)), &core.Seq{List: []core.Expr{c.x}})
		if got, want := run(t, m, Options{}), (ran{"5\n", "panic: " + c.want + " at test.rok:3:7\n", 101}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestC05_NoDivisionInstruction(t *testing.T) {
	m, _ := intProgram()
	if text := string(Emit(m, Options{}).AppendText(nil, TextOptions{})); strings.Contains(text, "div ") {
		t.Error("a division instruction came out")
	}
}
