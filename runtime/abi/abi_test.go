package abi

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// facts pairs C expressions with the Go constants that the back ends use. It
// is written out by hand: derived from the tables it could not disagree.
var facts = []struct {
	c     string
	value int64
}{
	{"sizeof(struct rok_thread)", 128},
	{"offsetof(struct rok_thread, shadow_head)", 0},
	{"offsetof(struct rok_thread, tlab_cursor)", 8},
	{"offsetof(struct rok_thread, tlab_limit)", 16},
	{"offsetof(struct rok_thread, module)", ThreadModule},
	{"offsetof(struct rok_thread, types)", ThreadTypeTable},
	{"offsetof(struct rok_thread, statics)", ThreadStaticTable},
	{"offsetof(struct rok_thread, poll_count)", ThreadPollCount},
	{"offsetof(struct rok_thread, yield_forced)", ThreadYieldForced},
	{"offsetof(struct rok_thread, stack_lowest)", ThreadStackLowest},
	{"offsetof(struct rok_thread, yield_flag)", 88},
	{"sizeof(struct rok_header)", HeaderSize},
	{"offsetof(struct rok_header, type_id)", HeaderTypeID},
	{"offsetof(struct rok_header, gc_flags)", HeaderGCFlags},
	{"offsetof(struct rok_header, gc_word)", HeaderGCWord},
	{"sizeof(struct rok_type)", TypeEntrySize},
	{"offsetof(struct rok_type, size)", TypeSize},
	{"offsetof(struct rok_type, stride)", TypeStride},
	{"offsetof(struct rok_type, words)", TypeWords},
	{"offsetof(struct rok_type, word_count)", TypeWordCount},
	{"offsetof(struct rok_type, flags)", TypeFlags},
	{"offsetof(struct rok_type, name)", TypeName},
	{"offsetof(struct rok_type, name_len)", TypeNameLen},
	{"sizeof(struct rok_static)", StaticEntrySize},
	{"offsetof(struct rok_static, address)", StaticAddress},
	{"offsetof(struct rok_static, kind)", StaticKind},
	{"sizeof(struct rok_call)", CallEntrySize},
	{"offsetof(struct rok_call, return_address)", CallReturn},
	{"offsetof(struct rok_call, line)", CallLine},
	{"offsetof(struct rok_call, column)", CallColumn},
	{"offsetof(struct rok_call, site)", CallSite},
	{"offsetof(struct rok_call, reserved)", CallReserved},
	{"sizeof(struct rok_module)", ModuleSize},
	{"offsetof(struct rok_module, file)", ModuleFile},
	{"offsetof(struct rok_module, file_len)", ModuleFileLen},
	{"offsetof(struct rok_module, calls)", ModuleCalls},
	{"offsetof(struct rok_module, call_count)", ModuleCallCount},
	{"offsetof(struct rok_module, types)", ModuleTypes},
	{"offsetof(struct rok_module, type_count)", ModuleTypeCount},
	{"offsetof(struct rok_module, statics)", ModuleStatics},
	{"offsetof(struct rok_module, static_count)", ModuleStaticCount},
	{"sizeof(struct rok_str)", StrSize},
	{"offsetof(struct rok_str, data)", StrPointer},
	{"offsetof(struct rok_str, length)", StrLength},
	{"ROK_THREAD_ALIGN", 16},
	{"ROK_ARRAY_LENGTH", 16},
	{"ROK_ARRAY_ELEMENTS", 24},
	{"ROK_FLAG_UNLOGGED", FlagUnlogged},
	{"ROK_FLAG_CARDED", FlagCarded},
	{"ROK_FLAG_MARKED", FlagMarked},
	{"ROK_FLAG_FORWARDED", FlagForwarded},
	{"ROK_BARRIER_MASK", FlagUnlogged | FlagCarded},
	{"ROK_CARD_SIZE", 512},
	{"1 << ROK_CARD_SHIFT", 512},
	{"ROK_CARD_TABLE_SLOT", -8},
	{"ROK_CARD_DIRTY", CardDirty},
	{"ROK_MAX_ARRAY_LENGTH", 4294967295},
	{"ROK_TAG_NONE", 0},
	{"ROK_FRAME_PREV", FramePrev},
	{"ROK_FRAME_COUNT", FrameCount},
	{"ROK_FRAME_SLOTS", FrameSlots},
	{"ROK_SLOT_REF", SlotRef},
	{"ROK_SLOT_INTERIOR", SlotInterior},
	{"ROK_SLOT_TAGGED", SlotTagged},
	{"ROK_SLOT_KIND_MASK", SlotKindMask},
	{"ROK_WORD_PLAIN", WordPlain},
	{"ROK_WORD_REF", WordRef},
	{"ROK_WORD_INTERIOR", WordInterior},
	{"ROK_WORD_TAGGED", WordTagged},
	{"ROK_TYPE_HAS_REFS", TypeHasRefs},
	{"ROK_STACK_SIZE", 64 << 20},
	{"ROK_STACK_GUARD", StackGuard},
	{"ROK_STACK_ALIGN", 16},
	{"ROK_PAGE_SIZE", 4096},
	{"ROK_STATUS_PANICKED", 101},
	{"ROK_STATUS_MISALIGNED", 70},
	{"ROK_STATUS_STACK_OVERFLOW", 71},
	{"ROK_STATUS_WRITE_FAILED", 74},
	{"ROK_STATUS_SETUP", StatusSetup},
	{"ROK_END_SENTINEL_BROKEN", int64(SentinelBroken)},
	{"ROK_MUTANT_FMOD_SIGN", int64(MutantFmodSign)},
	{"ROK_MUTANT_COUNT", int64(len(Mutants))},
	{"sizeof((const char *[]){ROK_MUTANT_NAMES}) / sizeof(char *)", int64(len(Mutants))},
}

// compileC runs gcc on source together with the generated header.
func compileC(t *testing.T, source string, args ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("rok_abi.h", Header())
	write("main.c", source)
	cmd := exec.Command("gcc", append([]string{"-std=gnu11", "-Wall", "-Wextra", "-Werror", "main.c"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return dir
}

func TestHeaderAgreesWithC(t *testing.T) {
	var src strings.Builder
	src.WriteString("#include <stdio.h>\n#include \"rok_abi.h\"\nint main(void)\n{\n")
	for _, f := range facts {
		fmt.Fprintf(&src, "    printf(\"%%lld\\n\", (long long)(%s));\n", f.c)
	}
	src.WriteString("    return 0;\n}\n")
	dir := compileC(t, src.String(), "-o", "facts")
	out, err := exec.Command(filepath.Join(dir, "facts")).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(out))
	if len(lines) != len(facts) {
		t.Fatalf("%d values printed, want %d", len(lines), len(facts))
	}
	for i, f := range facts {
		if lines[i] != fmt.Sprint(f.value) {
			t.Errorf("%s is %s in C, %d in Go", f.c, lines[i], f.value)
		}
	}
}

// Every macro and every field of the header must be in facts, so that a new
// fact cannot go unchecked.
func TestFactsAreComplete(t *testing.T) {
	var all strings.Builder
	for _, f := range facts {
		all.WriteString(f.c + "\n")
	}
	unchecked := map[string]bool{"ROK_OBJECT_ALIGN": true} // no C code depends on it yet
	for _, n := range Numbers {
		if !strings.Contains(all.String(), n.Name) && !unchecked[n.Name] {
			t.Errorf("%s is not checked against C", n.Name)
		}
	}
	for _, s := range Structs {
		for _, f := range s.Fields {
			if f.Name != "reserved" && !strings.Contains(all.String(), fmt.Sprintf("offsetof(struct %s, %s)", s.Name, f.Name)) {
				t.Errorf("%s.%s is not checked against C", s.Name, f.Name)
			}
		}
	}
}

func TestEntryPointTable(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range EntryPoints {
		if seen[e.Name] {
			t.Errorf("%s is there twice", e.Name)
		}
		seen[e.Name] = true
		if e.NoReturn && len(e.Results) > 0 {
			t.Errorf("%s returns nothing and has results", e.Name)
		}
		if len(e.Results) > 2 {
			t.Errorf("%s has %d results", e.Name, len(e.Results))
		}
		got, ok := LookupEntry(e.Name)
		if !ok || got.Name != e.Name {
			t.Errorf("LookupEntry(%q) = %v, %v", e.Name, got, ok)
		}
	}
	for _, name := range []string{"mini_print_int", "mini_div", "rok_pow_u8", "rok_f32_to_i16", "rok_runtime_yield"} {
		if !seen[name] {
			t.Errorf("%s is missing", name)
		}
	}
	if _, ok := LookupEntry("rok_nothing"); ok {
		t.Error("LookupEntry finds rok_nothing")
	}
}

func TestMutantNames(t *testing.T) {
	for i, m := range Mutants {
		if m.Name == "" || m.Symbol == "" || m.Doc == "" {
			t.Errorf("mutant %d is incomplete", i)
		}
		got, err := ParseMutant(m.Name)
		if err != nil || got != Mutant(i) {
			t.Errorf("ParseMutant(%q) = %v, %v", m.Name, got, err)
		}
	}
	if _, err := ParseMutant("print/nothing"); err == nil {
		t.Error("an unknown mutant is accepted")
	}
}
