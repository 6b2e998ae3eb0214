package link_test

import (
	"bytes"
	"context"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rokrig/compiler"
	"rokrig/compiler/link"
	"rokrig/compiler/source"
	"rokrig/internal/tier"
	"rokrig/runtime/abi"
	"rokrig/runtime/runner"
)

// load is Assemble and Load.
func load(ctx context.Context, programs []link.Program, at runner.Layout, symbols map[string]uint64) ([]runner.Image, error) {
	a, err := link.Assemble(ctx, programs)
	if err != nil {
		return nil, err
	}
	return a.Load(at, symbols)
}

// limit is a guard against tools that hang.
func limit(t *testing.T) context.Context {
	t.Helper()
	tier.NeedTools(t, "gcc", "as", "ld")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// programs of a batch, with what they print and how they end.
var samples = []struct {
	text, stdout, stderr string
	status               int
}{
	{"print 1 + 2 * 3;", "7\n", "", 0},
	{`let s = "hello"; print s, s[1..3], s == "hello", "" == s[2..2];`, "hello el true true\n", "", 0},
	{"fn f(n: i64) -> i64 { if n < 2 { n } else { f(n - 1) + f(n - 2) } } print f(15);", "610\n", "", 0},
	{"static A: i64 = 40; A += 2; print A; print 1 / (A - 42);", "42\n", "panic: division by zero at p3.rok:1:46\n", 101},
	{"let mut i = 0; while i < 1000 { i += 1; } print i as f64 / 3.0, i as u8;", "333.3333333333333 232\n", "", 0},
	{"fn g(f: fn(i64) -> i64, x: i64) -> i64 { f(x) } fn h(x: i64) -> i64 { x * x } print g(h, 12);", "144\n", "", 0},
}

// batch compiles the samples under prefixes of their own.
func batch(t *testing.T) []link.Program {
	t.Helper()
	var list []link.Program
	for i, s := range samples {
		prefix := fmt.Sprintf("p%d", i)
		r, err := compiler.Compile(source.NewFile(prefix+".rok", s.text), compiler.Options{Verify: true, SymbolPrefix: prefix})
		if err != nil {
			t.Fatalf("%v\n%s", err, r.Diagnostics)
		}
		list = append(list, link.Program{Prefix: prefix, Text: r.Text})
	}
	return list
}

func TestC08_Executables(t *testing.T) {
	ctx := limit(t)
	for i, s := range samples {
		r, err := compiler.Compile(source.NewFile(fmt.Sprintf("p%d.rok", i), s.text), compiler.Options{Verify: true, Debug: true})
		if err != nil {
			t.Fatalf("%v\n%s", err, r.Diagnostics)
		}
		exe := filepath.Join(t.TempDir(), "prog")
		if err := link.Executable(ctx, r.Text, exe, link.ExecutableOptions{Debug: true}); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		cmd := exec.CommandContext(ctx, exe)
		cmd.Stdout, cmd.Stderr = &out, &errs
		_ = cmd.Run() // the status is compared
		if got := cmd.ProcessState.ExitCode(); out.String() != s.stdout || errs.String() != s.stderr || got != s.status {
			t.Errorf("%s: status %d\n%s%s", s.text, got, out.String(), errs.String())
		}
	}
}

// TestC08_LinesReachTheDebugger reads the line table of an executable: every function's first instruction and every call
// that can panic stand on their lines.
func TestC08_LinesReachTheDebugger(t *testing.T) {
	text := "fn f(x: i64) -> i64 {\n    1 / x\n}\nprint 1;\nprint f(2);\n"
	r, err := compiler.Compile(source.NewFile("lines.rok", text), compiler.Options{Debug: true})
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(t.TempDir(), "prog")
	if err := link.Executable(limit(t), r.Text, exe, link.ExecutableOptions{Debug: true}); err != nil {
		t.Fatal(err)
	}
	f, err := elf.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := f.DWARF()
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	lines := map[int]bool{}
	at := map[uint64]int{}
	units := data.Reader()
	for {
		unit, err := units.Next()
		if err != nil {
			t.Fatal(err)
		}
		if unit == nil {
			break
		}
		table, err := data.LineReader(unit)
		if err != nil || table == nil {
			continue
		}
		var e dwarf.LineEntry
		for table.Next(&e) == nil {
			if !e.EndSequence && filepath.Base(e.File.Name) == "lines.rok" {
				lines[e.Line], at[e.Address] = true, e.Line
			}
		}
	}
	for _, want := range []int{1, 2, 4, 5} {
		if !lines[want] {
			t.Errorf("line %d is not in the table", want)
		}
	}
	for _, s := range symbols {
		if want := map[string]int{"rok.u.f": 1, "rok_main": 4}[s.Name]; want != 0 && at[s.Value] != want {
			t.Errorf("%s begins on line %d, want %d", s.Name, at[s.Value], want)
		}
	}
}

func TestLoadedBatchRuns(t *testing.T) {
	r, err := runner.Open(runner.Options{Build: runner.Check})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	images, err := load(limit(t), batch(t), r.Layout(), r.Symbols())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second round finds the data as the first did
		results, err := r.Run(images)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range samples {
			got := results[i]
			if string(got.Stdout) != s.stdout || string(got.Stderr) != s.stderr || got.Status != s.status {
				t.Errorf("%s: %v, status %d\n%s%s%s", s.text, got.Kind, got.Status, got.Stdout, got.Stderr, got.Detail)
			}
		}
	}
}

// layout is one that no process stands behind.
var layout = runner.Layout{CodeBase: 0x60000000, CodeSize: 1 << 20, DataBase: 0x68000000, DataSize: 1 << 20, TPOff: -128}

// symbols gives every entry point an address.
func symbols() map[string]uint64 {
	m := map[string]uint64{abi.EmptySymbol: 0x500000}
	for i, e := range abi.EntryPoints {
		m[e.Name] = 0x400000 + uint64(i)*16
	}
	return m
}

// TestLoadWritesWhatLdWrites links one program with ld at the same addresses and compares every byte.
func TestLoadWritesWhatLdWrites(t *testing.T) {
	ctx := limit(t)
	for _, p := range batch(t) {
		images, err := load(ctx, []link.Program{p}, layout, symbols())
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		object, exe := filepath.Join(dir, "p.o"), filepath.Join(dir, "p")
		// ld finds the thread block 128 bytes below the thread pointer if it is all there is.
		block := "\t.section .tbss,\"awT\",@nobits\n\t.balign 16\nrok_tls:\n\t.zero 128\n"
		if err := link.Object(ctx, append([]byte(block), p.Text...), object); err != nil {
			t.Fatal(err)
		}
		img := images[0]
		script := fmt.Sprintf("SECTIONS { .code 0x%x : { *(.text.%s) *(.rodata.%s) } =0 .data 0x%x : { *(.data.%s) } .tbss : { *(.tbss) } }",
			img.CodeAddr, p.Prefix, p.Prefix, layout.DataBase, p.Prefix)
		scriptFile := filepath.Join(dir, "script")
		if err := os.WriteFile(scriptFile, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"-static", "-o", exe, "-T", scriptFile, "-e", p.Prefix + ".rok_main"}
		for _, e := range abi.EntryPoints {
			args = append(args, fmt.Sprintf("--defsym=%s=0x%x", e.Name, symbols()[e.Name]))
		}
		args = append(args, fmt.Sprintf("--defsym=%s=0x%x", abi.EmptySymbol, symbols()[abi.EmptySymbol]), object)
		if out, err := exec.CommandContext(ctx, "ld", args...).CombinedOutput(); err != nil {
			t.Fatalf("ld: %v\n%s", err, out)
		}
		f, err := elf.Open(exe)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for name, got := range map[string][]byte{".code": img.Code, ".data": img.Data} {
			want, err := f.Section(name).Data()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %s differs:\n% x\n% x", p.Prefix, name, got, want)
			}
		}
		if f.Entry != img.Entry {
			t.Errorf("%s: entry 0x%x, ld says 0x%x", p.Prefix, img.Entry, f.Entry)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	text := func(lines ...string) string {
		return "\t.section .text.p,\"ax\"\np.rok_main:\n" + strings.Join(lines, "\n") +
			"\n\t.section .rodata.p,\"a\"\n\t.section .data.p,\"aw\"\np.rok_module:\n\t.quad 0\n"
	}
	small := layout
	small.CodeSize = 16
	for _, c := range []struct {
		name, text, prefix string
		at                 runner.Layout
		want               string
	}{
		{"unknown symbol", text("call no_such_helper"), "p", layout, `unknown symbol "no_such_helper"`},
		{"unknown relocation", text("mov foo@GOTPCREL(%rip), %rax"), "p", layout, "unknown relocation type"},
		{"thread block as an address", text("lea rok_tls(%rip), %rax"), "p", layout, "relocation type"},
		{"helper as a thread offset", text("mov %fs:rok_panic@tpoff, %rax"), "p", layout, "relocation type"},
		{"out of reach", text(".long rok_panic+0x7fffffff*3"), "p", layout, "out of reach"},
		{"wrong prefix", text("ret"), "q", layout, `prefix "q"`},
		{"no prefix", text("ret"), "", layout, `prefix ""`},
		{"no entry", strings.Replace(text("ret"), "p.rok_main", "p.other", 1), "p", layout, "defines no rok_main"},
		{"too large", text(".zero 64"), "p", small, "does not fit"},
		{"huge alignment", text(".balign 4096"), "p", layout, "alignment of 4096"},
		{"relocation elsewhere", text("ret") + "\t.section .other,\"a\"\n\t.quad p.rok_main\n", "p", layout, "a relocation in section .other"},
		{"syntax", text("frobnicate %rax"), "p", layout, "no such instruction"},
	} {
		_, err := load(limit(t), []link.Program{{Prefix: c.prefix, Text: []byte(c.text)}}, c.at, symbols())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	two := []link.Program{{Prefix: "p", Text: []byte(text("ret"))}, {Prefix: "p", Text: nil}}
	if _, err := load(limit(t), two, layout, symbols()); err == nil || !strings.Contains(err.Error(), "used twice") {
		t.Errorf("a prefix used twice: %v", err)
	}
	other := strings.ReplaceAll(text("call p.rok_main@plt", "\t.globl p.rok_main"), ".text.p", ".text.q")
	other = strings.NewReplacer("p.rok_main:", "q.rok_main:", "p.rok_module", "q.rok_module", ".rodata.p", ".rodata.q", ".data.p", ".data.q").Replace(other)
	crossing := []link.Program{{Prefix: "p", Text: []byte(text("ret"))}, {Prefix: "q", Text: []byte(other)}}
	if _, err := load(limit(t), crossing, layout, symbols()); err == nil || !strings.Contains(err.Error(), "of another") {
		t.Errorf("a program that calls another: %v", err)
	}
}

func TestMissingToolsSayWhatToInstall(t *testing.T) {
	if _, err := runner.Archive(runner.Release); err != nil {
		t.Fatal(err)
	}
	ctx := limit(t) // before the tools are gone
	t.Setenv("PATH", t.TempDir())
	_, err := load(ctx, nil, layout, nil)
	if err == nil || !strings.Contains(err.Error(), "apt-get install binutils") {
		t.Errorf("as: %v", err)
	}
	err = link.Executable(ctx, nil, filepath.Join(t.TempDir(), "x"), link.ExecutableOptions{})
	if err == nil || !strings.Contains(err.Error(), "apt-get install gcc") {
		t.Errorf("gcc: %v", err)
	}
}
