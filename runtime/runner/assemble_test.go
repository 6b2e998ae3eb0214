package runner

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// assemble turns assembly into one image: real as, and a relocator for the few
// relocation types that such code has. Sections whose names begin with .text
// or .rodata go to the code region, the others to the data region.
func assemble(t testing.TB, r *Runner, source string) (Image, map[string]uint64) {
	t.Helper()
	f := assembleObject(t, source)
	var image Image
	image.CodeAddr = codeBase
	base := make([]uint64, len(f.Sections))
	for i, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		var body []byte
		if s.Type != elf.SHT_NOBITS {
			var err error
			if body, err = s.Data(); err != nil {
				t.Fatal(err)
			}
		}
		place := func(to *[]byte, at uint64) {
			for uint64(len(*to))%max(s.Addralign, 1) != 0 {
				*to = append(*to, 0)
			}
			base[i] = at + uint64(len(*to))
			*to = append(*to, body...)
		}
		switch {
		case s.Flags&elf.SHF_WRITE == 0:
			place(&image.Code, codeBase)
		case s.Type == elf.SHT_NOBITS: // .bss follows .data in the section table
			place(&image.Data, dataBase)
			image.BSS += int(s.Size)
		default:
			place(&image.Data, dataBase)
		}
	}
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	values := make([]uint64, len(symbols)+1)
	names := map[string]uint64{}
	for i, s := range symbols {
		switch {
		case s.Section == elf.SHN_UNDEF && (s.Name == "rok_tls" || s.Name == "_GLOBAL_OFFSET_TABLE_"):
		case s.Section == elf.SHN_UNDEF:
			at, ok := r.symbols[s.Name]
			if !ok {
				t.Fatalf("%s is undefined", s.Name)
			}
			values[i+1] = at
		case int(s.Section) < len(base):
			values[i+1] = base[s.Section] + s.Value
		}
		names[s.Name] = values[i+1]
	}
	relocate(t, r, f, base, values, &image)
	return image, names
}

func assembleObject(t testing.TB, source string) *elf.File {
	t.Helper()
	dir := t.TempDir()
	asm, obj := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o")
	if err := os.WriteFile(asm, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("as", "-o", obj, asm).CombinedOutput(); err != nil {
		t.Fatalf("as: %v\n%s", err, out)
	}
	f, err := elf.Open(obj)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func relocate(t testing.TB, r *Runner, f *elf.File, base, values []uint64, image *Image) {
	t.Helper()
	for _, s := range f.Sections {
		if s.Type != elf.SHT_RELA || base[s.Info] == 0 {
			continue
		}
		list, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		for ; len(list) >= 24; list = list[24:] {
			off := binary.LittleEndian.Uint64(list)
			info := binary.LittleEndian.Uint64(list[8:])
			value := values[info>>32] + binary.LittleEndian.Uint64(list[16:])
			at := base[s.Info] + off
			var to []byte
			if at >= dataBase {
				to = image.Data[at-dataBase:]
			} else {
				to = image.Code[at-codeBase:]
			}
			switch kind := elf.R_X86_64(info & 0xffffffff); kind {
			case elf.R_X86_64_64:
				binary.LittleEndian.PutUint64(to, value)
			case elf.R_X86_64_32, elf.R_X86_64_32S:
				binary.LittleEndian.PutUint32(to, uint32(value))
			case elf.R_X86_64_PC32, elf.R_X86_64_PLT32:
				binary.LittleEndian.PutUint32(to, uint32(value-at))
			case elf.R_X86_64_TPOFF32:
				binary.LittleEndian.PutUint32(to, uint32(int64(value)+r.Layout().TPOff))
			default:
				t.Fatalf("relocation %v", kind)
			}
		}
	}
}

// open starts a runner for a test.
func open(t testing.TB, o Options) *Runner {
	t.Helper()
	r, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// program is a body of assembly between a function's prologue and epilogue.
type program struct {
	name string
	body string
	data string // goes to .data
}

// assembleAll assembles all programs as one file and returns an image for each. They
// share code and data.
func assembleAll(t testing.TB, r *Runner, programs []program, calls ...string) ([]Image, map[string]uint64) {
	t.Helper()
	text := "\t.text\n"
	for i, p := range programs {
		text += fmt.Sprintf("\t.balign 16\nprog%d:\tpush %%rbp\n\tmov %%rsp, %%rbp\n%s\n\tleave\n\tret\n", i, p.body)
		if p.data != "" {
			text += "\t.data\n" + p.data + "\n\t.text\n"
		}
	}
	image, names := assemble(t, r, text+moduleText(calls...))
	images := make([]Image, len(programs))
	for i := range programs {
		images[i] = image
		images[i].Entry = names[fmt.Sprintf("prog%d", i)]
		images[i].Module = names["rok_module"]
	}
	return images, names
}
