package x64

import (
	"strings"
	"testing"

	"rokrig/compiler/core"
)

// TestMutants switches every deliberate bug of this package on and expects the program that exercises its place to show
// it: by what it prints or how it ends.
func TestMutants(t *testing.T) {
	ints, _ := intProgram()
	calls, _ := callProgram()
	breaks, _ := breakProgram()
	floats, _ := floatCompareProgram()
	u64 := module(mainFunc(nil, printScalar(core.SF64, conv(core.U64, core.SF64, num(-1)))))
	minimum := module(mainFunc(nil, printInt(op(core.Div, core.I64, num(-1<<63), num(-1)))))
	slots, pad := slotsProgram(), padProgram()
	sound := map[*core.Module]ran{} // what each program does without a mutant
	for _, c := range []struct {
		mutant string
		m      *core.Module
	}{
		{"arith/raw-idiv", minimum},
		{"arith/shift-unmasked", ints},
		{"arith/no-sign-extend", ints},
		{"arith/unsigned-compare-signed", ints},
		{"arith/float-compare-nan", floats},
		{"arith/u64-to-float-signed", u64},
		{"call/args-reversed", calls},
		{"call/stack-args-push-order", calls},
		{"call/slots-overlap", slots},
		{"frame/slot-left-uninitialised", zeroProgram()},
		{"align/no-pad", pad},
		{"align/frame-not-rounded", slots},
		{"control/break-keeps-temporaries", breaks},
	} {
		plan := mutantPlan(t, c.mutant)
		if _, ok := sound[c.m]; !ok {
			sound[c.m] = run(t, c.m, Options{})
		}
		if broken := run(t, c.m, Options{Mutant: plan}); broken == sound[c.m] {
			t.Errorf("%s: nothing shows it", c.mutant)
		}
		if !plan.Reached() {
			t.Errorf("%s: its place was not reached", c.mutant)
		}
	}
}

// slotsProgram calls a function with one parameter, one local and a frame of odd size.
func slotsProgram() *core.Module {
	params, l := locals(1), locals(2)
	f := fn("f", params, l, ints(1), seqOf(add(get(params[0]), get(l[0])), let(l[0], num(5)), printInt(get(l[0]))))
	f.ID = 1
	return module(mainFunc(nil, printInt(call(f, num(1)))), f)
}

// zeroProgram calls a function that leaves numbers on the stack, then one whose variable begins as 0 in their place.
func zeroProgram() *core.Module {
	l, z := locals(1), locals(1)
	f := fn("f", nil, l, nil, seq(let(l[0], num(5)), printInt(get(l[0]))))
	g := fn("g", nil, z, nil, seq(let(z[0], num(0)), printInt(get(z[0]))))
	f.ID, g.ID = 1, 2
	return module(mainFunc(nil, call(f), call(g)), f, g)
}

func TestC07_HelperNamesTheCall(t *testing.T) {
	f := weighed(7)
	f.ID = 1
	m := module(mainFunc(nil, printInt(add(num(1), seqOf(num(2), op(core.PrintNl, core.NoScalar))))), f)
	got := run(t, m, Options{Mutant: mutantPlan(t, "align/no-pad")})
	if got.status != 70 || !strings.Contains(got.stderr, "misaligned at call to rok_print_nl at test.rok:3:7\n") {
		t.Errorf("got %+v", got)
	}
}

// padProgram calls a function of seven arguments, which calls a helper, under one temporary: the seven pushed words and the
// one laid out again fit together, with the temporary they do not.
func padProgram() *core.Module {
	f := weighed(7)
	f.Body = seqOf(num(1), printInt(num(0)))
	f.ID = 1
	var args []core.Expr
	for i := range 7 {
		args = append(args, num(int64(i)))
	}
	return module(mainFunc(nil, printInt(add(num(1), call(f, args...)))), f)
}

func TestC04_StackArgumentsUnderTemporaries(t *testing.T) {
	if got := run(t, padProgram(), Options{}); got != (ran{"0\n2\n", "", 0}) {
		t.Errorf("got %+v", got)
	}
	if got := run(t, padProgram(), Options{Mutant: mutantPlan(t, "align/no-pad")}); got.status != 70 || got.stdout != "" {
		t.Errorf("without the pad: %+v", got)
	}
}
