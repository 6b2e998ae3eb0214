package engine

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"rokrig/compiler"
	"rokrig/compiler/mutant"
	"rokrig/compiler/x64"
	"rokrig/fuzz/gen"
	"rokrig/internal/tier"
	"rokrig/oracle/outcome"
)

// FuzzChoices is the target for Go's own engine, which without the last flag takes a minute to make each new input small:
//
//	go test -fuzz FuzzChoices -fuzzminimizetime 1s ./fuzz/engine
func FuzzChoices(f *testing.F) {
	for i := range uint64(64) {
		f.Add(Seed(1, i))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Check(data, compiler.Options{}); err != nil {
			t.Fatal(full(err))
		}
	})
}

// full is everything that a fault says.
func full(err error) string {
	var f *Fault
	if !errors.As(err, &f) {
		return err.Error()
	}
	return f.Error() + "\n" + string(f.Stack) + "\n" + f.Program
}

// Programs of seeds, the same damaged, and bytes that never were a program: all invariants hold for all of them.
func TestInvariants(t *testing.T) {
	finished := 0
	r := rand.New(rand.NewPCG(1, 2))
	inputs := tier.Steps(50_000)
	for i := range inputs {
		input := Seed(7, uint64(i))
		damaged := append([]byte(nil), input...)
		for range 1 + r.IntN(4) {
			if len(damaged) > 0 {
				damaged[r.IntN(len(damaged))] = byte(r.Uint32())
			}
		}
		noise := make([]byte, r.IntN(2000))
		for i := range noise {
			noise[i] = byte(r.Uint32())
		}
		for _, data := range [][]byte{input, damaged, noise} {
			ok, err := Check(data, compiler.Options{})
			if err != nil {
				t.Fatal(full(err))
			}
			if ok {
				finished++
			}
		}
	}
	if total := 3 * inputs; finished*10 < total*9 {
		t.Errorf("only %d of %d programs ran to their end", finished, total)
	}
}

// Seeds are the programs of a campaign, in the form that an engine reads.
func TestSeedsAreThePrograms(t *testing.T) {
	for i := range uint64(20) {
		want := gen.Program(gen.New(gen.ProgramSeed(3, i)), gen.Options{}).Text
		if got := gen.Program(gen.FromBytes(Seed(3, i)), gen.Options{}).Text; got != want {
			t.Errorf("seed %d: the bytes make another program", i)
		}
	}
}

// Deliberate bugs of the front end, which nothing but these invariants can see without a native run. The input that shows
// one shows nothing when the bug is off.
func TestPlantedBugsAreNoticed(t *testing.T) {
	for _, name := range []string{
		"front/shift-precedence", "front/hex-letter-digit", "front/pow-left-associative", "front/literal-negation",
	} {
		t.Run(strings.ReplaceAll(name, "/", "_"), func(t *testing.T) {
			plan, err := mutant.New(name)
			if err != nil {
				t.Fatal(err)
			}
			for i := range uint64(2000) {
				data := Seed(5, i)
				_, err := Check(data, compiler.Options{Mutant: plan})
				if err == nil {
					continue
				}
				t.Logf("program %d: %v", i, err)
				if _, err := Check(data, compiler.Options{}); err != nil {
					t.Errorf("without the bug: %s", full(err))
				}
				return
			}
			t.Error("not noticed in 2000 programs")
		})
	}
}

// Each invariant fails when what it is about is damaged.
func TestInvariantsCanFail(t *testing.T) {
	fresh := func() *trial {
		tr := &trial{program: gen.Program(gen.FromBytes(Seed(1, 0)), gen.Options{})}
		for _, step := range []func(*trial) *Fault{(*trial).accept, (*trial).print, (*trial).run, (*trial).compile} {
			if f := step(tr); f != nil {
				t.Fatal(f)
			}
		}
		return tr
	}
	other := gen.Program(gen.FromBytes(Seed(1, 1)), gen.Options{})
	for _, c := range []struct {
		want   Invariant
		damage func(*trial)
		step   func(*trial) *Fault
	}{
		{Repeatable, func(tr *trial) { tr.program.Text += " " }, (*trial).generateAgain},
		{Repeatable, func(tr *trial) { tr.program.Bytes = other.Bytes }, (*trial).generateAgain},
		{Accepted, func(tr *trial) { tr.program.Text = "let x: bool = 1;" }, (*trial).accept},
		{EndsAsPlanned, func(tr *trial) { tr.program.Panic = "never" }, (*trial).run},
		{PrintKeeps, func(tr *trial) { tr.printed = "print 1;" }, (*trial).runPrinted},
		{PrintKeeps, func(tr *trial) { tr.printed = "print 1" }, (*trial).runPrinted},
		{Deterministic, func(tr *trial) { tr.text[len(tr.text)/2] ^= 1 }, (*trial).compileAgain},
		{Deterministic, func(tr *trial) { tr.object.Bytes[x64.Text][3] ^= 1 }, (*trial).compileAgain},
	} {
		tr := fresh()
		if f := c.step(tr); f != nil {
			t.Errorf("%s: undamaged: %v", c.want, f)
		}
		c.damage(tr)
		if f := c.step(tr); f == nil || f.Invariant != c.want {
			t.Errorf("%s: damaged, it gives %v", c.want, f)
		}
	}
}

// What the program ends in is judged by the plan alone.
func TestEndsAsPlanned(t *testing.T) {
	panics := func(line string) outcome.Outcome { return outcome.Outcome{Kind: outcome.Panic, Line: line} }
	for _, c := range []struct {
		planned string
		o       outcome.Outcome
		ok      bool
	}{
		{"", outcome.Outcome{Kind: outcome.Value}, true},
		{"", panics("panic: assertion failed at fuzz.rok:1:1"), false},
		{"division by zero", panics("panic: division by zero at fuzz.rok:1:1"), true},
		{"division by zero", panics("panic: assertion failed at fuzz.rok:1:1"), false},
		{"division by zero", outcome.Outcome{Kind: outcome.Value}, false},
		{"", outcome.Outcome{Kind: outcome.OutOfFuel}, true}, // cut off: nothing is known
		{"division by zero", outcome.Outcome{Kind: outcome.OutOfStack}, true},
		{"", outcome.Outcome{Kind: outcome.CompilerPanic, Detail: "interp: index out of range\ngoroutine 1"}, false},
	} {
		tr := &trial{program: &gen.Result{Panic: c.planned}}
		if f := tr.endsAsPlanned(c.o); (f == nil) != c.ok {
			t.Errorf("planned %q, %s %q: %v", c.planned, c.o.Kind, c.o.Line, f)
		} else if f != nil && strings.Contains(f.Error(), "\n") {
			t.Errorf("the fault has several lines: %q", f)
		}
	}
}

// The entry point of the engines panics on a fault, and tells a program that ran from one that was cut off.
func TestFuzzOne(t *testing.T) {
	if got := Fuzz(Seed(1, 0)); got != interesting {
		t.Errorf("Fuzz gives %d for a program that runs to its end", got)
	}
	plan, err := mutant.New("front/hex-letter-digit")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "not true: ") || strings.Contains(text, "\n") {
			t.Errorf("a fault panics with %q", text)
		}
	}()
	for i := range uint64(2000) {
		FuzzWith(Seed(5, i), compiler.Options{Mutant: plan})
	}
	t.Error("no panic")
}
