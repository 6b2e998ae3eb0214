package abi

import (
	"fmt"
	"strings"
)

// Header returns the text of rok_abi.h: macros, structures with assertions on
// every offset, endings, mutants and the prototypes of all entry points.
func Header() string {
	var b strings.Builder
	b.WriteString("/* Facts shared by compiled code and the runtime. Generated from package\n" +
		" * rokrig/runtime/abi; change them there. */\n#ifndef ROK_ABI_H\n#define ROK_ABI_H\n\n" +
		"#include <stddef.h>\n#include <stdint.h>\n\n")
	for _, n := range Numbers {
		define(&b, n.Name, n.Value)
	}
	b.WriteString("\n/* How a run ends, and the exit status of an executable that ends so. */\n")
	for i, e := range Endings {
		define(&b, "ROK_END_"+macro(e.Name), int64(i))
		if e.Status >= 0 {
			define(&b, "ROK_STATUS_"+macro(e.Name), int64(e.Status))
		}
	}
	define(&b, "ROK_STATUS_SETUP", StatusSetup)
	b.WriteString("\n/* Deliberate bugs of the mutant build. */\n")
	for i, m := range Mutants {
		define(&b, "ROK_MUTANT_"+m.Symbol, int64(i))
	}
	define(&b, "ROK_MUTANT_COUNT", int64(len(Mutants)))
	b.WriteString("#define ROK_MUTANT_NAMES \\\n")
	for i, m := range Mutants {
		fmt.Fprintf(&b, "    \"%s\"%s\n", m.Name, continuation(i, len(Mutants)))
	}
	b.WriteString("\n")
	for _, s := range Structs {
		fmt.Fprintf(&b, "struct %s;\n", s.Name)
	}
	for _, s := range Structs {
		b.WriteString(s.C())
	}
	b.WriteString("\n/* Entry points called by compiled code. */\n")
	for _, e := range EntryPoints {
		b.WriteString(e.prototype())
	}
	b.WriteString("\n#endif\n")
	return b.String()
}

func define(b *strings.Builder, name string, v int64) {
	if v > 1<<31-1 {
		fmt.Fprintf(b, "#define %s INT64_C(%d)\n", name, v)
		return
	}
	fmt.Fprintf(b, "#define %s (%d)\n", name, v)
}

func continuation(i, n int) string {
	if i == n-1 {
		return ""
	}
	return ", \\"
}

func macro(name string) string {
	return strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// C returns the declaration of s with padding members in its holes and a
// static assertion for each offset and for the size.
func (s Struct) C() string {
	var b, asserts strings.Builder
	fmt.Fprintf(&b, "\n/* %s */\nstruct %s {\n", s.Doc, s.Name)
	at, pads := 0, 0
	pad := func(to int) {
		if to > at {
			fmt.Fprintf(&b, "    uint8_t pad%d[%d];\n", pads, to-at)
			pads++
		}
	}
	for _, f := range s.Fields {
		pad(f.Offset)
		sep, suffix, count := " ", "", 1
		if strings.HasSuffix(f.C, "*") {
			sep = ""
		}
		if f.Count > 0 {
			suffix, count = fmt.Sprintf("[%d]", f.Count), f.Count
		}
		fmt.Fprintf(&b, "    %s%s%s%s;%s\n", f.C, sep, f.Name, suffix, comment(f.Doc))
		fmt.Fprintf(&asserts, "_Static_assert(offsetof(struct %s, %s) == %d, \"layout\");\n", s.Name, f.Name, f.Offset)
		at = f.Offset + count*cSize(f.C)
	}
	pad(s.Size)
	fmt.Fprintf(&b, "};\n%s_Static_assert(sizeof(struct %s) == %d, \"layout\");\n", asserts.String(), s.Name, s.Size)
	return b.String()
}

func comment(doc string) string {
	if doc == "" {
		return ""
	}
	return " /* " + doc + " */"
}

// cSize is the size of the C types that occur in Structs.
func cSize(c string) int {
	switch strings.TrimPrefix(c, "volatile ") {
	case "uint8_t":
		return 1
	case "uint32_t":
		return 4
	}
	return PointerSize
}

var cTypes = [...]string{I64: "int64_t", U64: "uint64_t", Pointer: "const char *", F32: "float", F64: "double"}

// prototype is the C declaration of e. Pairs of results are a struct rok_str.
func (e EntryPoint) prototype() string {
	result := "void"
	switch len(e.Results) {
	case 1:
		result = cTypes[e.Results[0]]
	case 2:
		result = "struct rok_str"
	}
	params := make([]string, len(e.Params))
	for i, p := range e.Params {
		params[i] = cTypes[p]
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	noreturn := ""
	if e.NoReturn {
		noreturn = "_Noreturn "
	}
	return fmt.Sprintf("%s%s %s(%s);\n", noreturn, result, e.Name, strings.Join(params, ", "))
}
