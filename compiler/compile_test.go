package compiler_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"rokrig/compiler"
	"rokrig/compiler/core"
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/x64"
)

const sample = `
static LIMIT: i64 = 10;
let mut total = 0;
fn add(a: i64, b: i64) -> i64 { a + b }
fn pair(x: i64) -> (i64, str) { (x, "x") }
let mut i = 0;
while i < LIMIT { total = add(total, i); i += 1; }
for k in 0..3 { print k, pair(k).1; }
print total, 1.5, true;
print 1 + 2 * 3;
let r = loop { if i > 20 { break i * 2; } i += 3; };
print r, match r { 0 => "zero", 42..=50 => "big", _ => "other" };
`

func compile(t *testing.T, text string, opts compiler.Options) *compiler.Result {
	t.Helper()
	r, err := compiler.Compile(source.NewFile("sample.rok", text), opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, r.Diagnostics)
	}
	return r
}

func TestC01_SeedProgramThroughThePipeline(t *testing.T) {
	r := compile(t, "print 1 + 2 * 3;", compiler.Options{Verify: true})
	want := `	movabs $1, %rax
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
	call mini_print_int
`
	if !strings.Contains(string(r.Text), want) {
		t.Errorf("the seed's sequence is not in\n%s", r.Text)
	}
}

func TestSameBytesEveryTime(t *testing.T) {
	for _, opts := range []compiler.Options{{}, {Debug: true}, {SymbolPrefix: "p7", Verify: true}} {
		want := compile(t, sample, opts).Text
		var all sync.WaitGroup
		texts := make([][]byte, 8)
		for i := range texts {
			all.Go(func() {
				if r, err := compiler.Compile(source.NewFile("sample.rok", sample), opts); err == nil {
					texts[i] = r.Text
				}
			})
		}
		all.Wait()
		for _, got := range texts {
			if !bytes.Equal(got, want) {
				t.Errorf("%+v: two compiles differ", opts)
			}
		}
	}
}

func TestCheckThenCompileChecked(t *testing.T) {
	want := compile(t, sample, compiler.Options{}).Text
	checked, err := compiler.Check(source.NewFile("sample.rok", sample), compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // a checked program may be compiled any number of times
		r, err := compiler.CompileChecked(checked.Checked, compiler.Options{Verify: true})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(r.Text, want) {
			t.Error("CompileChecked makes other text than Compile")
		}
	}
}

func TestDiagnosticsAreAnError(t *testing.T) {
	r, err := compiler.Compile(source.NewFile("bad.rok", "print nothing;\nprint 1 + true;"), compiler.Options{})
	var diags *compiler.DiagnosticsError
	if !errors.As(err, &diags) || r == nil || r.Code != nil {
		t.Fatalf("got %v", err)
	}
	if got := len(diags.Diagnostics.Errors()); got != 2 {
		t.Errorf("%d errors:\n%s", got, diags.Diagnostics)
	}
	if !strings.HasPrefix(err.Error(), "bad.rok:1:7: error: ") {
		t.Errorf("got %q", err)
	}
}

// TestFaultOfTheCompiler hands the back end a module that it cannot have, and expects the stage and the function named.
func TestFaultOfTheCompiler(t *testing.T) {
	checked, err := compiler.Check(source.NewFile("a.rok", "fn f() { print 1; } f();"), compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	checked.Checked.Funcs[0].Body = nil
	_, err = compiler.CompileChecked(checked.Checked, compiler.Options{})
	var internal *compiler.InternalError
	if !errors.As(err, &internal) || internal.Stage != compiler.Core || len(internal.Stack) == 0 {
		t.Errorf("got %v", err)
	}

	fault := func() (fault any) {
		defer func() { fault = recover() }()
		f := &core.Func{Name: "broken", Body: nil}
		x64.Emit(&core.Module{Source: source.NewFile("a.rok", ""), Funcs: []*core.Func{f}}, x64.Options{})
		return nil
	}()
	in, ok := fault.(interface{ InFunc() (string, any, []byte) })
	if !ok {
		t.Fatalf("got %v", fault)
	}
	if name, _, stack := in.InFunc(); name != "broken" || len(stack) == 0 {
		t.Errorf("got function %q", name)
	}
}

func TestVerifierFaultsAreTheCompilers(t *testing.T) {
	plan, err := mutant.New("align/no-pad")
	if err != nil {
		t.Fatal(err)
	}
	src := source.NewFile("a.rok", "fn f(x: i64) -> i64 { x } print 1 + f(2);")
	if _, err := compiler.Compile(src, compiler.Options{Mutant: plan, Verify: true}); err != nil {
		t.Errorf("a mutant is caught before it runs: %v", err)
	}
	_, err = compiler.Compile(src, compiler.Options{Mutant: plan, Verify: true, VerifyMutant: true})
	var internal *compiler.InternalError
	if !errors.As(err, &internal) || internal.Stage != compiler.X64 || !strings.Contains(err.Error(), "not aligned") {
		t.Errorf("got %v", err)
	}
}

func TestStopAfter(t *testing.T) {
	for stage := compiler.Syntax; stage <= compiler.Text; stage++ {
		r := compile(t, sample, compiler.Options{StopAfter: stage})
		made := []bool{r.Tree != nil, r.Checked != nil, r.Core != nil, r.Code != nil, r.Text != nil}
		for i, m := range made {
			if want := compiler.Stage(i)+compiler.Syntax <= stage; m != want {
				t.Errorf("after %s: stage %s made something: %v", stage, compiler.Stage(i)+compiler.Syntax, m)
			}
		}
	}
}

func TestDumps(t *testing.T) {
	for _, name := range compiler.Stages() {
		d, err := compiler.ParseDump(name)
		if err != nil {
			t.Fatal(err)
		}
		var whole, one, none bytes.Buffer
		compile(t, sample, compiler.Options{Dumps: []compiler.Dump{d}, DumpTo: &whole})
		if !strings.Contains(whole.String(), "pair") {
			t.Errorf("dump of %s:\n%s", name, whole.String())
		}
		if d, err = compiler.ParseDump(name + ":add"); name == "text" || name == "tokens" {
			if err == nil {
				t.Errorf("%s of one function are taken", name)
			}
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		compile(t, sample, compiler.Options{Dumps: []compiler.Dump{d}, DumpTo: &one})
		if !strings.Contains(one.String(), "add") || strings.Contains(one.String(), "pair") || one.Len() >= whole.Len() {
			t.Errorf("dump of %s:add:\n%s", name, one.String())
		}
		d.Func = "nothing"
		if _, err := compiler.Compile(source.NewFile("sample.rok", sample), compiler.Options{Dumps: []compiler.Dump{d}, DumpTo: &none}); err == nil {
			t.Errorf("dump of %s:nothing:\n%s", name, none.String())
		}
	}
	for _, bad := range []string{"", "nothing", "x64:", ":f"} {
		if _, err := compiler.ParseDump(bad); err == nil {
			t.Errorf("dump %q is taken", bad)
		}
	}
	d := []compiler.Dump{{Stage: compiler.X64}}
	if _, err := compiler.Compile(source.NewFile("a.rok", sample), compiler.Options{Dumps: d, DumpTo: failing{}}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a dump that cannot be written: %v", err)
	}
}

// failing refuses everything.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, fmt.Errorf("no: %w", io.ErrClosedPipe) }
