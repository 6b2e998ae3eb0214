package outcome

import (
	"strings"
	"testing"
)

// Outcomes to compare; the limits are those of a small run unless a test says otherwise.
func value(out string) Outcome {
	return Outcome{Kind: Value, Stdout: []byte(out), Usage: Usage{Steps: 10, MaxSteps: 1000, Depth: 1, MaxDepth: 100, Stack: 1, MaxStack: 100}}
}

func panicked(out, line string) Outcome {
	o := value(out)
	o.Kind, o.Status, o.Line = Panic, StatusPanic, line
	return o
}

func ended(k Kind, out string) Outcome { return Outcome{Kind: k, Stdout: []byte(out)} }

// big makes an oracle outcome large in one of its limits.
func big(o Outcome, change func(*Usage)) Outcome {
	change(&o.Usage)
	return o
}

func manySteps(u *Usage) { u.Steps = 100 }
func deepCalls(u *Usage) { u.Depth = 10 }
func wideStack(u *Usage) { u.Stack = 10 }
func noLimits(u *Usage)  { *u = Usage{} }

func TestCompare(t *testing.T) {
	divLine := "panic: division by zero at a.rok:3:7"
	tests := []struct {
		name           string
		oracle, native Outcome
		class          Class
		want           string // the signature, or the reason
	}{
		{"equal values", value("1\n2\n"), ended(Value, "1\n2\n"), Same, ""},
		{"equal panics", panicked("1\n", divLine), panicked("1\n", divLine), Same, ""},
		{"other number", value("1\n-42\n"), ended(Value, "1\n17\n"), Different, "output: number, number"},
		{"other number, other program", value("1 2 3.5\n"), ended(Value, "1 2 0\n"), Different, "output: number, number"},
		{"bool", value("true\n"), ended(Value, "false\n"), Different, "output: true, false"},
		{"sign of zero", value("-0\n"), ended(Value, "0\n"), Different, "output: -0, number"},
		{"inside a word", value("1\n-0\n"), ended(Value, "1\n-1\n"), Different, "output: -0, number"},
		{"text", value("ab\n"), ended(Value, "ac\n"), Different, "output: text, text"},
		{"native stops early", value("1\n2\n"), ended(Value, "1\n"), Different, "output: number, end of output"},
		{"native goes on", value("1\n"), ended(Value, "1\n5\n"), Different, "output: end of output, number"},
		{"line goes on", value("1\n"), ended(Value, "1 5\n"), Different, "output: end of line, separator"},
		{"value for panic", panicked("1\n", divLine), ended(Value, "1\n"), Different, "ending: panic: division by zero, value"},
		{"ending before output", value("1\n"), panicked("2\n", divLine), Different, "ending: value, panic: division by zero"},
		{"message", panicked("", "panic: index out of bounds: the length is 3 but the index is 7 at a.rok:1:2"),
			panicked("", "panic: index out of bounds: the length is 5 but the index is 7 at a.rok:1:2"), Different,
			"message: panic: index out of bounds: the length is # but the index is #, panic: index out of bounds: the length is # but the index is #"},
		{"position", panicked("", divLine), panicked("", "panic: division by zero at a.rok:3:9"), Different, "position: panic: division by zero"},
		{"status", panicked("", divLine), func() Outcome { o := panicked("", divLine); o.Status = 1; return o }(), Different, "status: 101, 1"},

		{"crash", value("1\n"), Outcome{Kind: Crash, Detail: "SIGSEGV at 0x7f12"}, Different, "fault: crash: SIGSEGV at #"},
		{"crash under an oracle that was cut off", ended(OutOfStack, ""), Outcome{Kind: Crash}, Different, "fault: crash: "},
		{"misaligned", value(""), Outcome{Kind: Misaligned, Detail: "rok_print at +12"}, Different, "fault: misaligned: rok_print at #"},
		{"broken", value(""), Outcome{Kind: Broken, Detail: "rbx"}, Different, "fault: broken ABI: rbx"},
		{"compiler panic", value(""), Outcome{Kind: CompilerPanic, Detail: "lower"}, Different, "fault: compiler panic: lower"},
		{"oracle panics", Outcome{Kind: CompilerPanic, Detail: "interp"}, ended(Value, ""), Different, "fault: oracle compiler panic: interp"},

		{"native rejects", value(""), Outcome{Kind: Rejected, Line: "a.rok:1:1: error: no x12"}, Different, "reject: value, rejected: error: no x#"},
		{"oracle rejects", Outcome{Kind: Rejected, Line: "a.rok:1:1: error: e"}, ended(Value, ""), Different, "reject: rejected: error: e, value"},
		{"both reject", Outcome{Kind: Rejected}, Outcome{Kind: Rejected}, Wasted, "rejected by both"},
		{"environment", value(""), Outcome{Kind: Environment, Detail: "no gcc"}, Wasted, "environment: no gcc"},
		{"oracle's environment", Outcome{Kind: Environment, Detail: "m"}, ended(Value, ""), Wasted, "environment: m"},

		{"small program times out", value("1\n"), ended(Timeout, "1\n"), Different, "resource: timeout"},
		{"small program overflows", value("1\n"), ended(OutOfStack, ""), Different, "resource: out of stack"},
		{"small panic runs out", panicked("1\n", divLine), ended(OutOfMemory, ""), Different, "resource: out of memory"},
		{"small program prints on", value("1\n"), ended(OutputLimit, "1\n1\n"), Different, "resource: output limit"},
		{"long program times out", big(value("1\n2\n"), manySteps), ended(Timeout, "1\n"), Wasted, "timeout"},
		{"deep program overflows", big(value("1\n2\n"), deepCalls), ended(OutOfStack, "1\n"), Wasted, "out of stack"},
		{"wide program overflows", big(value("1\n2\n"), wideStack), ended(OutOfStack, "1\n"), Wasted, "out of stack"},
		{"no limits known", big(value("1\n2\n"), noLimits), ended(Timeout, "1\n"), Wasted, "timeout"},
		{"long program, wrong prefix", big(value("1\n2\n"), manySteps), ended(Timeout, "1\n3"), Different, "output: number, number"},
		{"long program prints too much", big(value("1\n"), manySteps), ended(OutputLimit, "1\n1\n"), Different, "output: end of output, number"},

		{"oracle out of stack", ended(OutOfStack, "1\n"), ended(Value, "1\n2\n"), Wasted, "interpreter: out of stack"},
		{"oracle out of stack, panic", ended(OutOfStack, "1\n"), panicked("1\n", divLine), Wasted, "interpreter: out of stack"},
		{"oracle out of stack, wrong", ended(OutOfStack, "1\n"), ended(Value, "2\n2\n"), Different, "output: number, number"},
		{"oracle out of fuel, native stops early", ended(OutOfFuel, "1\n2\n"), ended(Value, "1\n"), Different, "output: number, end of output"},
		{"oracle printed too much on few steps", func() Outcome { o := value("1\n"); o.Kind = OutputLimit; return o }(), ended(Timeout, "1\n"), Wasted, "timeout"},
		{"both cut off", ended(OutputLimit, "1\n1\n"), ended(Timeout, "1\n"), Wasted, "timeout"},
		{"both cut off, native longer", ended(OutOfFuel, "1\n"), ended(Timeout, "1\n1\n"), Wasted, "timeout"},
		{"both cut off, wrong", ended(OutOfFuel, "1\n"), ended(Timeout, "2\n1\n"), Different, "output: number, number"},
	}
	for _, tt := range tests {
		v := Compare(tt.oracle, tt.native)
		got := v.Reason
		if v.Class == Different {
			got = v.Difference.Signature()
		}
		if v.Class != tt.class || got != tt.want {
			t.Errorf("%s: got %v %q, want %v %q", tt.name, v.Class, got, tt.class, tt.want)
		}
	}
}

// TestDifferenceShows checks what a person is shown beside the signature.
func TestDifferenceShows(t *testing.T) {
	d := Compare(value("a\nx 12 y\nz\n"), ended(Value, "a\nx 13 y\n")).Difference
	if d.Line != 2 || d.Oracle != "x 12 y" || d.Native != "x 13 y" {
		t.Errorf("line %d, %q, %q", d.Line, d.Oracle, d.Native)
	}
	d = Compare(panicked("", "panic: a at f.rok:1:2"), ended(Value, "")).Difference
	if d.Oracle != "panic: a at f.rok:1:2" || d.Native != "value" {
		t.Errorf("%q, %q", d.Oracle, d.Native)
	}
	long := strings.Repeat("x", 10*maxShown)
	d = Compare(value(long+"1"), ended(Value, long+"2")).Difference
	if len(d.Oracle) > maxShown+3 || len(d.First) > maxShown {
		t.Errorf("a long line is not cut: %d, %d", len(d.Oracle), len(d.First))
	}
}

func TestNormalise(t *testing.T) {
	tests := map[string]string{
		"SIGSEGV at 0x7ffe12aB in f12": "SIGSEGV at # in f#",
		"length -3, 1.5e-7, 1e+21":     "length #, #, #",
		"a..b":                         "a..b",
		"":                             "",
	}
	for in, want := range tests {
		if got := Normalise(in); got != want {
			t.Errorf("Normalise(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestKinds(t *testing.T) {
	for k := Value; k <= Environment; k++ {
		sorts := 0
		for _, is := range []bool{k.IsFinished(), k.IsResource(), k.IsFault(), k == Rejected && !k.IsFault(), k == Environment} {
			if is {
				sorts++
			}
		}
		if sorts != 1 || k.String() == "" {
			t.Errorf("%v is of %d sorts", k, sorts)
		}
	}
}
