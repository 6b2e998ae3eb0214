package interp

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rokrig/compiler/mutant"
	"rokrig/compiler/types"
	"rokrig/oracle/outcome"
)

const endless = "let mut n = 0; loop { n += 1; if n % 1000 == 0 { print n; } }"

// TestFuel checks that running out of fuel is deterministic, exact, and does not depend on the slices it is handed out in.
func TestFuel(t *testing.T) {
	for _, fuel := range []int64{1, 5, 4095, 4096, 4097, 100000} {
		o, m := run(t, endless, Options{Fuel: fuel})
		again := m.Run()
		if o.Kind != outcome.OutOfFuel || o.Usage.Steps != fuel || o.Usage.MaxSteps != fuel {
			t.Errorf("fuel %d: %v after %d of %d steps", fuel, o.Kind, o.Usage.Steps, o.Usage.MaxSteps)
		}
		if shown(o) != shown(again) || o.Usage != again.Usage {
			t.Errorf("fuel %d: two runs differ:\n%s%v\n%s%v", fuel, shown(o), o.Usage, shown(again), again.Usage)
		}
	}
	// A round is the body's two statements, the inner block once in 1000 rounds, and the back edge; before the first
	// there are the call of main and its two statements.
	o, _ := run(t, endless, Options{Fuel: 3 + 1000*3 + 1 - 1})
	if want := "1000\n"; string(o.Stdout) != want {
		t.Errorf("got %q", o.Stdout)
	}
}

// TestSteps counts steps and polls by hand.
func TestSteps(t *testing.T) {
	tests := []struct {
		text              string
		steps, statements int64
		polls             int64
	}{
		{"print 1;", 2, 1, 1},                               // main, statement
		{"let x = 1; print x; x;", 4, 3, 1},                 // main, three statements
		{"fn f() -> i64 { 1 } f(); f();", 7, 4, 3},          // main, two statements, two calls with a tail each
		{"fn f() {} f();", 3, 1, 2},                         // a block of nothing
		{"for i in 0..3 { print i; }", 8, 4, 4},             // main, for, 3 x (statement, back edge)
		{"for _ in 0..=3 { }", 6, 1, 5},                     // also behind the last round
		{"let mut i = 0; while i < 2 { i += 1; }", 7, 4, 3}, // no back edge behind the last test
		{"loop { break; }", 3, 2, 1},                        // no back edge
		{"let mut i = 0; loop { i += 1; if i < 3 { continue; } break; }", 16, 11, 3},
		{"let mut z = 0; 'd: while { z += 1; if z < 3 { continue 'd } z < 5 } { }", 24, 17, 5}, // a condition that goes on takes one
		{"'a: loop { loop { break 'a; } }", 4, 3, 1},
		{"let b = true; if b { print 1; } else { print 2; print 3; }", 4, 3, 1},
		{"fn f(n: i64) -> i64 { if n == 0 { return 7; } f(n - 1) } f(2);", 12, 7, 4},
	}
	for _, tt := range tests {
		o, m := run(t, tt.text, Options{})
		if o.Kind != outcome.Value || m.Steps() != tt.steps || m.Statements() != tt.statements || m.Polls() != tt.polls {
			t.Errorf("%s: %v, %d steps, %d statements, %d polls; want %d, %d, %d",
				tt.text, o.Kind, m.Steps(), m.Statements(), m.Polls(), tt.steps, tt.statements, tt.polls)
		}
	}
}

const recursion = "fn f(n: i64) -> i64 { if n == 0 { 0 } else { f(n - 1) + 1 } }\n"

// TestDepth checks the limit of calls: main is one of them.
func TestDepth(t *testing.T) {
	for _, n := range []int{1, 100, 2000} {
		text := fmt.Sprintf(recursion+"print f(%d);", n)
		o, m := run(t, text, Options{MaxDepth: n + 2})
		if o.Kind != outcome.Value || o.Usage.Depth != n+2 {
			t.Errorf("%d calls: %s depth %d", n, shown(o), o.Usage.Depth)
		}
		machine.Load(m.program, Options{MaxDepth: n + 1})
		if o := machine.Run(); o.Kind != outcome.OutOfStack || o.Usage.Depth != n+2 || len(o.Stdout) > 0 {
			t.Errorf("%d calls under a limit of %d: %s depth %d", n, n+1, shown(o), o.Usage.Depth)
		}
	}
	o, _ := run(t, "print 1;\nfn f() { f(); }\nf();", Options{})
	if o.Kind != outcome.OutOfStack || string(o.Stdout) != "1\n" || o.Usage.Steps >= o.Usage.MaxSteps/10 {
		t.Errorf("endless recursion: %s, %d steps", shown(o), o.Usage.Steps)
	}
}

// TestWideFrames checks that large frames are limited too, whatever the depth.
func TestWideFrames(t *testing.T) {
	tuple := "(" + strings.TrimSuffix(strings.Repeat("n, ", 200), ", ") + ")"
	var body strings.Builder
	for i := range 100 {
		fmt.Fprintf(&body, "let t%d = %s; ", i, tuple)
	}
	text := "fn f(n: i64) -> i64 { " + body.String() + "if n == 0 { 0 } else { f(n - 1) + t5.3 } }\nprint f(%d);"
	o, _ := run(t, fmt.Sprintf(text, 30), Options{})
	if string(o.Stdout) != "465\n" {
		t.Errorf("30 wide frames: %s", shown(o))
	}
	o, _ = run(t, fmt.Sprintf(text, 100), Options{})
	if o.Kind != outcome.OutOfStack || o.Usage.Depth > 60 {
		t.Errorf("100 wide frames: %s at depth %d", shown(o), o.Usage.Depth)
	}
	for range 260 {
		fmt.Fprintf(&body, "let t = %s; ", tuple)
	}
	o, _ = run(t, "fn f(n: i64) { "+body.String()+"}\nf(1);", Options{})
	if o.Kind != outcome.OutOfStack {
		t.Errorf("a frame too wide: %s", shown(o))
	}
}

// nestings are functions that call themselves from within many closures.
func nestings() map[string]string {
	deep := func(n int, open, close string) string {
		return "fn f(n: i64) -> i64 { " + strings.Repeat(open, n) + "f(n + 1)" + strings.Repeat(close, n) + " }"
	}
	wide := strings.TrimSuffix(strings.Repeat("n, ", 100), ", ")
	var names strings.Builder
	for i := range 99 {
		fmt.Fprintf(&names, "a%d, ", i)
	}
	return map[string]string{
		"plain":    "fn f(n: i64) -> i64 { f(n + 1) }",
		"sum":      deep(60, "n + (", ")"),
		"blocks":   deep(60, "{ let x = 1; ", "}"),
		"ifs":      deep(40, "if n > 0 { ", " } else { 2 }"),
		"tests":    deep(40, "if (", ") == 0 { 1 } else { 2 }"),
		"match":    deep(40, "match n { 0 => 1, _ => { ", "} }"),
		"loops":    deep(40, "loop { break ", ";}"),
		"preludes": deep(40, "1 + (if n < 0 { return 5 } else { 1 }) * (", ")"),
		"tuples":   deep(40, "(1, ", ").1"),
		"casts":    deep(40, "-((", ") as i32 as i64)"),
		"guards":   "fn f(n: i64) -> i64 { match (" + wide + ") { (" + names.String() + "1 | _) if f(n) > 0 => 1, _ => 2 } }",
		"logic":    "fn f(n: i64) -> i64 { if " + strings.Repeat("n == 0 || (", 40) + "f(n) == 3" + strings.Repeat(")", 40) + " { 1 } else { 2 } }",
		"values":   "fn g(f: fn(i64) -> i64, n: i64) -> i64 { f(n) }\nfn f(n: i64) -> i64 { g(f, n + 1) }",
		"units":    "fn f(n: i64) -> () { if n > 0 { { while true { for i in 0..9 { f(n + 1); } } } } }",
		"wide":     "fn f(n: (i64, i64)) -> (i64, i64) { f((n.0, f(n).1)) }",
	}
}

// TestGoStack checks that the Go stack a run takes is at most what the calls are charged for it, in functions whose
// closures nest in every way: then MaxStack bounds it, and no program can overflow it.
func TestGoStack(t *testing.T) {
	const limit = 1 << 20 // words
	for name, text := range nestings() {
		arg := "1"
		if name == "wide" {
			arg = "(1, 2)"
		}
		p := checked(t, name, text+"\nf("+arg+");")
		machine.Load(p, Options{MaxDepth: 1 << 30, MaxStack: limit})
		used, o := goStackOf(func() outcome.Outcome { return machine.Run() })
		if o.Kind != outcome.OutOfStack {
			t.Errorf("%s: %s", name, shown(o))
		}
		// A Go stack doubles when it is full, and the limit is a power of two: one that is larger held more than that.
		if used > 12*limit {
			t.Errorf("%s: %d bytes of Go stack at depth %d, charged for %d", name, used, o.Usage.Depth, 8*o.Usage.Stack)
		}
	}
}

// goStackOf returns the size of the goroutine's stack behind a run.
func goStackOf(run func() outcome.Outcome) (bytes uint64, o outcome.Outcome) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would shrink the stack before it is measured
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.GC() // frees the stacks of goroutines that ended
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		o = run()
		runtime.ReadMemStats(&after)
		bytes = max(after.StackInuse, before.StackInuse) - before.StackInuse
	}()
	<-done
	return bytes, o
}

func TestOutputLimit(t *testing.T) {
	o, _ := run(t, "loop { print 12345; }", Options{MaxOutput: 100})
	if o.Kind != outcome.OutputLimit || len(o.Stdout) != 100 || o.Usage.Output != 100 {
		t.Errorf("%v, %d bytes", o.Kind, len(o.Stdout))
	}
	o, _ = run(t, "print 123;", Options{MaxOutput: 4})
	if o.Kind != outcome.Value {
		t.Errorf("output that just fits: %s", shown(o))
	}
}

func TestInterrupt(t *testing.T) {
	var flag atomic.Bool
	machine.Load(checked(t, "t.rok", "loop { }"), Options{Fuel: 1 << 60, Interrupt: &flag})
	timer := time.AfterFunc(10*time.Millisecond, func() { flag.Store(true) })
	defer timer.Stop()
	if o := machine.Run(); o.Kind != outcome.Timeout {
		t.Errorf("%s", shown(o))
	}
}

// TestRunsWithoutAllocating checks that a longer run allocates no more than a short one.
func TestRunsWithoutAllocating(t *testing.T) {
	text := `fn f(n: i64, p: (str, f64)) -> (i64, f64) { if n < 2 { return (1, p.1); } (f(n - 1, p).0 + f(n - 2, p).0, p.1 * 1.5) }
let mut s = 0;
for i in 0..%d {
    let t = f(i %% 8, ("abc"[0..2], 2.5));
    s += match t { (1, _) => 1, (n, x) if x > 2.0 => n, _ => loop { break 7 } };
    s ^= (if s %% 3 == 0 { continue } else { s }) as u8 as i64;
}
print s;`
	allocs := func(rounds int) float64 {
		m := New(checked(t, "t.rok", fmt.Sprintf(text, rounds)), Options{})
		if o := m.Run(); o.Kind != outcome.Value {
			t.Fatal(shown(o))
		}
		return testing.AllocsPerRun(5, func() { m.Run() })
	}
	if short, long := allocs(10), allocs(5000); long > short {
		t.Errorf("%v allocations in a short run, %v in a long one", short, long)
	}
}

// TestRegions checks what coverage reads: which nodes were executed.
func TestRegions(t *testing.T) {
	text := `fn unused() { print 1; }
fn f(b: bool) -> i64 { if b { return 10; } 20 }
fn g(x: i64) -> i64 {
    match x { 11 => 21, n if n > 12 => 22, 13 | _ => 23 }
}
print f(true) + 30;
if false { print 40; } else { print 41; }
print g(14), false && 50 > 51, true && 60 > 61;
let z = 0;
while z > 70 { print 71; }
loop { break; print 81; }
print 90 / z + 91;
print 92;`
	executed := map[string]bool{}
	regions := map[uint64]int{}
	var words []uint64
	p := checked(t, "t.rok", text)
	m := New(p, Options{Observe: func(region int, n Node) {
		if e, ok := n.(*types.Const); ok && e.Typ.Kind == types.I64 && e.Bits >= 10 {
			if _, twice := regions[e.Bits]; twice {
				t.Errorf("%d is observed twice", e.Bits)
			}
			regions[e.Bits] = region
			words = append(words, e.Bits)
		}
	}})
	if o := m.Run(); o.Kind != outcome.Panic {
		t.Fatal(shown(o))
	}
	counts := m.Regions()
	for _, w := range words {
		executed[fmt.Sprint(w)] = counts[regions[w]] > 0
	}
	// 90 and 91 stand in the statement that panicked; 81 is never reached and so not even observed.
	want := map[string]bool{"10": true, "20": false, "21": false, "12": true, "22": true, "23": false, "30": true,
		"40": false, "41": true, "14": true, "50": false, "51": false, "60": true, "61": true, "70": true, "71": false,
		"90": false, "91": false, "92": false}
	if fmt.Sprint(executed) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", executed, want)
	}
}

// TestPerturb changes every evaluation of a small program in turn.
func TestPerturb(t *testing.T) {
	text := `fn f(n: i64, s: str) -> i64 { if n > 1 && len(s) > 0 { n * 2 } else { 0 } }
let a = f(3, "ab");
let b = (a, 2.5, a == 6);
print a, b.1 * 2.0, b.2, "abc"[0..2];
let unused = a + 1;`
	p := checked(t, "t.rok", text)
	perturb := &Perturb{At: -1}
	m := New(p, Options{Perturb: perturb})
	plain := m.Run()
	machine.Load(p, Options{})
	if o := machine.Run(); shown(o) != shown(plain) || perturb.Node != nil {
		t.Fatalf("counting alone changes the run:\n%s%s", shown(o), shown(plain))
	}
	total := perturb.Evaluations
	if total < 15 || total > 40 {
		t.Errorf("%d evaluations", total)
	}
	dead := map[string]bool{}
	for i := range total {
		perturb.At = i
		o := m.Run()
		if perturb.Node == nil {
			t.Fatalf("evaluation %d: nothing was changed", i)
		}
		if shown(o) == shown(plain) {
			span := perturb.Node.Where()
			dead[text[p.Source.Offset(span.Start):p.Source.Offset(span.End)]] = true
		}
	}
	// What is only compared with a far bound, or never read, may change unseen.
	want := map[string]bool{"a + 1": true, "a": true, "n": true, "s": true, "len(s)": true}
	if fmt.Sprint(dead) != fmt.Sprint(want) {
		t.Errorf("unseen: %v, want %v", dead, want)
	}
}

// TestEvaluations counts evaluations by hand: what control left before its value was there is none.
func TestEvaluations(t *testing.T) {
	text := "fn f(c: bool) -> i64 { 1 + if c { return 5 } else { 2 } }\nprint f(%s);"
	for arg, want := range map[string]int64{
		"true":  2, // c, the call
		"false": 6, // c, the block of 2, the if, the sum, the body, the call
	} {
		perturb := &Perturb{At: -1}
		if run(t, fmt.Sprintf(text, arg), Options{Perturb: perturb}); perturb.Evaluations != want {
			t.Errorf("f(%s): %d evaluations, want %d", arg, perturb.Evaluations, want)
		}
	}
}

// TestPerturbedRunsStartAfresh checks that a changed run sees nothing of the runs before: here the change makes a
// function read a global that an earlier run initialised.
func TestPerturbedRunsStartAfresh(t *testing.T) {
	perturb := &Perturb{At: -1}
	m := New(checked(t, "t.rok", "fn get() -> i64 { g }\nlet early = len(\"a\") == 2;\nif early { print get(); }\nlet g = 1;"), Options{Perturb: perturb})
	seen := false
	for i := int64(-1); i < perturb.Evaluations; i++ {
		perturb.At = i
		o := m.Run()
		seen = seen || strings.Contains(o.Line, usedBeforeInit)
	}
	if !seen {
		t.Error("no change made the early read panic")
	}
}

// TestFlip checks that a flipped value differs in what print shows of it.
func TestFlip(t *testing.T) {
	m := &Machine{text: []byte{spareText, 'a', 'b'}}
	for _, k := range []types.Kind{types.I8, types.I64, types.U8, types.U64, types.F32, types.F64, types.Bool, types.Str} {
		for _, w := range []uint64{0, 1, packText(1, 2), word64(1.5), word32(1.5), word64(nan()), word32(float32(nan()))} {
			switch {
			case k == types.Bool:
				w &= 1
			case k == types.Str && w>>32+uint64(uint32(w)) > 3:
				continue
			case k.IsInt():
				w = k.Normalise(w)
			}
			a := string(m.appendWord(nil, k, w))
			if b := string(m.appendWord(nil, k, Flip(types.Prim(k), w))); a == b {
				t.Errorf("%v: %x is shown as %s before and after", types.Prim(k), w, a)
			}
		}
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

// TestMutants checks that each of the interpreter's deliberate bugs shows in a program made for it, and in no other.
func TestMutants(t *testing.T) {
	programs := map[string]string{
		"interp/div-floors":          "fn f(a: i64, b: i64) -> i64 { a / b } print f(7, 2), f(-6, 3); print f(-7, 2);",
		"interp/shift-logical":       "fn f(a: i8, b: i8) -> i8 { a >> b } print f(64, 2); print f(-128, 3);",
		"interp/narrow-add-carry":    "fn f(a: u8, b: u8) -> u8 { a + b } print f(1, 2); print f(200, 100);",
		"interp/match-last-arm":      "fn f(a: i64) -> i64 { match a { 1 => 10, 1 | 2 => 20, 3 => 30, _ => 40 } } print f(5); print f(3);",
		"interp/cast-saturates":      "fn f(a: i64) -> i8 { a as i8 } print f(-5); print f(300);",
		"interp/range-ends-unsigned": "fn f(a: i64, b: i64) { for i in a..b { print i; } } f(1, 3); f(-2, 1);",
	}
	for _, info := range mutant.All() {
		if info.Area == mutant.Interpreter && programs[info.Name] == "" {
			t.Errorf("no program for %s", info.Name)
		}
	}
	for name, text := range programs {
		for other := range programs {
			plain, _ := run(t, text, Options{})
			asked := false
			damaged, _ := run(t, text, Options{Mutant: func(n string) bool { asked = asked || n == other; return n == other }})
			if differs := shown(plain) != shown(damaged); differs != (name == other) {
				t.Errorf("%s under %s: got\n%swithout it\n%s", name, other, shown(damaged), shown(plain))
			}
			if name == other && !asked {
				t.Errorf("%s is not asked about", name)
			}
		}
	}
}

// TestReuse checks that a machine that ran another program before shows nothing of it.
func TestReuse(t *testing.T) {
	texts := []string{
		"let g = (1, \"a\"); static S: i64 = 5; fn f() -> i64 { S += 1; S + g.0 } print f(), g, 1.5;",
		"fn f() -> str { g } print f(); let g = \"x\";",
		"loop { print 1; }",
		"let a = 1; let b = 2; let c = \"cde\"; print a, b, c[1..3]; assert(a == b);",
		"fn f(n: i64) -> i64 { f(n + 1) } f(0);",
		"print 1 / (1 - 1);",
	}
	var shared Machine
	for i := range 3 * len(texts) * len(texts) {
		text := texts[(i*i+i/7)%len(texts)]
		p := checked(t, "t.rok", text)
		opts := Options{Fuel: 10000}
		shared.Load(p, opts)
		fresh := New(p, opts)
		for range 2 {
			a, b := shared.Run(), fresh.Run()
			if shown(a) != shown(b) || a.Usage != b.Usage {
				t.Errorf("%s: a used machine shows\n%s%+v\na new one\n%s%+v", text, shown(a), a.Usage, shown(b), b.Usage)
			}
		}
		if fmt.Sprint(shared.Regions()) != fmt.Sprint(fresh.Regions()) {
			t.Errorf("%s: regions of a used machine differ", text)
		}
	}
}

// TestFault checks that a tree no checker makes is reported as the rig's fault, not as an outcome of the program.
func TestFault(t *testing.T) {
	p := checked(t, "t.rok", "print 1;")
	good := *p.Main
	damaged := good
	damaged.Body = &types.Block{Base: types.Base{Typ: types.Prim(types.Unit)}, Stmts: []types.Stmt{
		&types.ExprStmt{X: &types.Binary{Base: types.Base{Typ: types.Prim(types.Str)}, X: str("a"), Y: str("b")}}}}
	p.Funcs[0], p.Main = &damaged, &damaged
	m := New(p, Options{})
	if o := m.Run(); o.Kind != outcome.CompilerPanic || !strings.Contains(o.Detail, "interp") {
		t.Errorf("got %s", shown(o))
	}
	p.Funcs[0], p.Main = &good, &good
	m.Load(p, Options{})
	if o := m.Run(); o.Kind != outcome.Value {
		t.Errorf("the fault stays: %s", shown(o))
	}
}

func str(s string) *types.Const {
	return &types.Const{Base: types.Base{Typ: types.Prim(types.Str)}, Str: s}
}
