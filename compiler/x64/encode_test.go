package x64

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rokrig/compiler/core"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/internal/tier"
	"rokrig/runtime/abi"
)

// gnuAs assembles text with GNU as and returns the object.
func gnuAs(t *testing.T, text []byte) *elf.File {
	t.Helper()
	tier.NeedTools(t, "as")
	out := filepath.Join(t.TempDir(), "x.o")
	cmd := exec.Command("as", "--64", "-o", out, "-")
	cmd.Stdin = bytes.NewReader(text)
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("as: %v\n%s", err, msg)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func sectionBytes(t *testing.T, f *elf.File, name string) []byte {
	t.Helper()
	s := f.Section(name)
	if s == nil {
		return nil
	}
	data, err := s.Data()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// candidates are the operands that a kind is tried with.
func candidates(k Kind, labels int) []Operand {
	var ops []Operand
	switch k {
	case kR64, kR32, kR16, kR8:
		for r := RAX; r <= R15; r++ {
			ops = append(ops, reg(r))
		}
	case kX:
		for r := XMM0; r <= XMM15; r++ {
			ops = append(ops, reg(r))
		}
	case kM64, kM8, kAddr:
		for r := RAX; r <= R15; r++ {
			for _, d := range []int{0, 1, -1, 127, 128, -128, -129, math.MaxInt32, math.MinInt32} {
				ops = append(ops, mem(r, d))
			}
		}
		ops = append(ops, symbolMem(Sym{SymThread, 0}, 0), symbolMem(Sym{SymThread, 0}, 88), symbolMem(Sym{SymGlobal, 0}, 0),
			symbolMem(Sym{SymGlobal, 1}, 8), symbolMem(Sym{SymString, 1}, 0), symbolMem(Sym{SymEmpty, 0}, 0), symbolMem(Sym{SymFunc, 1}, 0))
	case kI64, kI32, kI8:
		for _, v := range []int64{0, 1, -1, 127, 128, -128, -129, 255, 256, math.MaxInt32, math.MinInt32, math.MaxInt32 + 1,
			math.MinInt32 - 1, math.MaxUint32, math.MaxInt64, math.MinInt64} {
			if o := imm(v); k.fits(o) {
				ops = append(ops, o)
			}
		}
	case kCL:
		ops = append(ops, reg(RCX))
	case kLabel:
		for l := range labels {
			ops = append(ops, target(Label(l)))
		}
	case kSym:
		ops = append(ops, symbol(Sym{SymFunc, 1}), symbol(Sym{SymEntry, 0}), symbol(Sym{SymEntry, 3}))
	default:
		ops = append(ops, Operand{})
	}
	return ops
}

// testProgram is a module with something of everything that operands can name, and the given code as its second function.
func testProgram(insts []Inst, labels int) *Program {
	src := source.NewFile("some file.rok", "print 1;\n")
	words := []core.InitWord{{Bits: 1}, {Str: 1, IsStr: true}, {Str: 0, IsStr: true}, {Bits: math.MaxUint64}}
	m := &core.Module{Source: src, Strings: []string{"", "abc", "\xff\""}, Globals: []*core.Global{
		{ID: 0, Name: "a", Init: words[:1]}, {ID: 1, Name: "b", Init: words[1:]}}}
	m.Funcs = []*core.Func{{ID: 0, Name: "main"}, {ID: 1, Name: "f"}}
	return &Program{Module: m, Funcs: []*Func{
		{ID: 0, Name: "main", Insts: []Inst{{Form: Ret, Site: NoSite}}}, {ID: 1, Name: "f", Insts: insts, Labels: labels}}}
}

// Every form with every register and the edge immediates and displacements gives the bytes of GNU as.
func TestEncoderAgreesWithGNUAs(t *testing.T) {
	var insts []Inst
	for form := LabelDef + 1; form < NumForms; form++ {
		row := form.Row()
		if row.Args[0] == kLabel {
			continue // TestJumpsAgreeWithGNUAs
		}
		for _, a := range candidates(row.Args[0], 0) {
			for _, b := range candidates(row.Args[1], 0) {
				insts = append(insts, Inst{Form: form, Args: [3]Operand{a, b}, Site: NoSite})
			}
		}
	}
	p := testProgram(insts, 0)
	if err := errorsOf(verifyOperands(p, p.Funcs[1])); err != "" {
		t.Fatal(err)
	}
	text := p.AppendText(nil, TextOptions{})
	t.Logf("%d instructions", len(insts))
	compareObjects(t, p, text)
}

func errorsOf(errs []error) string {
	var b strings.Builder
	for _, e := range errs {
		fmt.Fprintln(&b, e)
	}
	return b.String()
}

// compareObjects compares sections and relocations of a program with those that GNU as makes of its text.
func compareObjects(t *testing.T, p *Program, text []byte) {
	t.Helper()
	f := gnuAs(t, text)
	obj := p.Assemble()
	for s, name := range [...]string{".text", ".rodata", ".data"} {
		if got, want := obj.Bytes[s], sectionBytes(t, f, name); !bytes.Equal(got, want) {
			at := 0
			for at < len(got) && at < len(want) && got[at] == want[at] {
				at++
			}
			t.Fatalf("%s, %d and %d bytes, differs at %#x: % x, as has % x\n%s", name, len(got), len(want), at,
				got[at:min(at+12, len(got))], want[at:min(at+12, len(want))], nearby(p, Section(s), at))
		}
	}
	got, want := map[string]bool{}, relocationsOf(t, f, p)
	for _, x := range obj.Fixups {
		got[fixupText(x)] = true
	}
	for k := range want {
		if !got[k] {
			t.Errorf("as has the relocation %s", k)
		}
	}
	for k := range got {
		if !want[k] {
			t.Errorf("as lacks the fixup %s", k)
		}
	}
}

// nearby names the instruction at an offset of the text.
func nearby(p *Program, s Section, at int) string {
	if s != Text {
		return ""
	}
	for n := range p.Funcs[1].Insts {
		q := testProgram(p.Funcs[1].Insts[:n+1], p.Funcs[1].Labels)
		if q.Funcs[1].Insts[n].Form >= JmpL && q.Funcs[1].Insts[n].Form.Row().Args[0] == kLabel {
			return ""
		}
		if len(q.Assemble().Bytes[Text]) > at {
			return instText(p, p.Funcs[1], n)
		}
	}
	return ""
}

func fixupText(x Fixup) string {
	return fmt.Sprintf("%d+%#x kind %d to %d.%d%+d", x.In, x.Off, x.Kind, x.Ref, x.ID, x.Addend)
}

// relocationsOf reads the relocations of an object as fixups.
func relocationsOf(t *testing.T, f *elf.File, p *Program) map[string]bool {
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for s, name := range [...]string{".rela.text", ".rela.rodata", ".rela.data"} {
		for raw := sectionBytes(t, f, name); len(raw) >= 24; raw = raw[24:] {
			info := binary.LittleEndian.Uint64(raw[8:])
			x := Fixup{In: Section(s), Off: uint32(binary.LittleEndian.Uint64(raw)), Addend: int64(binary.LittleEndian.Uint64(raw[16:]))}
			sym := symbols[info>>32-1]
			x.Kind = map[elf.R_X86_64]FixupKind{elf.R_X86_64_64: Abs64, elf.R_X86_64_PC32: Rel32, elf.R_X86_64_PLT32: Rel32, elf.R_X86_64_TPOFF32: Thread4}[elf.R_X86_64(uint32(info))]
			switch {
			case sym.Name == abi.ThreadSymbol:
				x.Ref = RefThread
			case sym.Name == abi.EmptySymbol:
				x.Ref = RefEmpty
			case sym.Section == elf.SHN_UNDEF:
				x.Ref, x.ID = RefEntry, entrySym(sym.Name).ID
			default:
				x.Addend += int64(sym.Value)
				x.Ref = map[string]RefKind{".text": RefText, ".rodata": RefRodata, ".data": RefData}[f.Sections[sym.Section].Name]
			}
			all[fixupText(x)] = true
		}
	}
	return all
}

// Jumps of every distance round the limits of a byte, and chains that grow one after another.
func TestJumpsAgreeWithGNUAs(t *testing.T) {
	filler := func(n int) (insts []Inst) {
		for range n {
			insts = append(insts, Inst{Form: Cqto, Site: NoSite}) // two bytes
		}
		return insts
	}
	label := func(l int) Inst { return Inst{Form: LabelDef, Args: [3]Operand{target(Label(l))}, Site: NoSite} }
	jump := func(f Form, l int) Inst { return Inst{Form: f, Args: [3]Operand{target(Label(l))}, Site: NoSite} }
	forms := []Form{JmpL}
	for c := range NumConds {
		forms = append(forms, Jcc+c)
	}
	for _, n := range []int{0, 1, 58, 60, 61, 62, 63, 64, 65, 66, 70, 200} {
		var insts []Inst
		labels := 0
		for _, f := range forms {
			insts = append(insts, label(labels))
			insts = append(insts, filler(n)...)
			insts = append(insts, jump(f, labels), jump(f, labels+1), Inst{Form: Leave, Site: NoSite})
			insts = append(insts, filler(n)...)
			insts = append(insts, label(labels+1))
			labels += 2
		}
		// Each of these reaches only as long as the next one is short.
		for i := range 40 {
			insts = append(insts, jump(Jcc+Form(i)%NumConds, labels+i))
		}
		for i := range 40 {
			insts = append(insts, filler(1+i%3)...)
			insts = append(insts, label(labels+i))
		}
		p := testProgram(insts, labels+40)
		f := gnuAs(t, p.AppendText(nil, TextOptions{}))
		if got, want := p.Assemble().Bytes[Text], sectionBytes(t, f, ".text"); !bytes.Equal(got, want) {
			t.Errorf("filler of %d: %d bytes, as has %d", n, len(got), len(want))
		}
	}
}

// Whole programs, call-site tables and data included.
func TestProgramsEncodeAsGNUAsHasIt(t *testing.T) {
	for _, text := range []string{
		"print 1 + 2 * 3;",
		"let mut g = \"x\"; static S: str = \"\"; fn f(a: i64, b: f64, c: str) -> (i64, f64, str, i64) { (a, b, c, a / 2) }\nprint f(1, 2.5, g), S;",
		"fn f(a: i8, b: i8, c: i8, d: i8, e: i8, g: i8, h: i8, i: i8) -> i8 { a + i }\nlet p = f; print 1 + p(1, 2, 3, 4, 5, 6, 7, 8) as i64;",
		"let mut n = 0u16; 'a: loop { for i in 0..=255u8 { if i as u16 > n { continue; } n += 300; if n > 60000 { break 'a; } print n; } }",
	} {
		diags := &source.Diagnostics{}
		diags.File = source.NewFile("t.rok", text)
		checked := types.Check(syntax.Parse(diags.File, diags, syntax.Options{}), diags, types.Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		p := Emit(core.Lower(checked, core.Options{}), Options{})
		compareObjects(t, p, p.AppendText(nil, TextOptions{}))
	}
}

func BenchmarkAssemble(b *testing.B) {
	diags := &source.Diagnostics{}
	diags.File = source.NewFile("t.rok", strings.Repeat("print (1 + 2 * 3, 4.5 / 2.0, \"abc\"[1..2]);\n", 60))
	checked := types.Check(syntax.Parse(diags.File, diags, syntax.Options{}), diags, types.Options{})
	p := Emit(core.Lower(checked, core.Options{}), Options{})
	n := 0
	for _, f := range p.Funcs {
		n += len(f.Insts)
	}
	b.ReportAllocs()
	for b.Loop() {
		p.Assemble()
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "M-insts/s")
}
