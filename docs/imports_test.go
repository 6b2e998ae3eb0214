package docs

import (
	"cmp"
	"fmt"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "rokrig"

// packageRule says what one package, or a family of packages, may import from this
// module. The standard library is open to all; other modules have a table of their
// own. Paths are relative to the module; "x/..." is x and all below it, "x/*" what
// stands directly below x.
type packageRule struct {
	packages string
	may      []string
	tests    []string // what its _test.go files may import besides
}

var (
	compilerOut   = []string{"compiler/...", "hashbench/table/usedbit"}
	runtimeParts  = []string{"runtime", "runtime/src", "runtime/abi", "runtime/runner"}
	rigParts      = []string{"compiler/...", "oracle/...", "runtime/...", "fuzz/...", "internal/version"}
	benchParts    = append([]string{"bench/..."}, rigParts...)
	testLibraries = []string{"internal/golden", "internal/tier"} // open to every test
)

// packageRules is the module's import direction, one row for each package. A new
// package needs a row: where it stands in the flow of data is a decision.
var packageRules = []packageRule{
	// The compiler: a stage sees what it reads and writes, never a later stage.
	{"compiler", compilerOut, append([]string{"internal/diagtest", "oracle/interp", "oracle/outcome"}, runtimeParts...)},
	{"compiler/source", nil, nil},
	{"compiler/mutant", nil, nil},
	{"compiler/prelude", []string{"compiler/source"}, []string{"compiler/syntax", "compiler/types"}},
	{"compiler/syntax", stage(), []string{"internal/diagtest"}},
	{"compiler/types", stage("compiler/syntax", "compiler/prelude"), []string{"internal/diagtest"}},
	{"compiler/core", stage("compiler/syntax", "compiler/types"), compilerOut},
	{"compiler/ir", stage("compiler/core"), compilerOut},
	{"compiler/lower", stage("compiler/core", "compiler/ir", "runtime/abi"), compilerOut},
	{"compiler/opt", stage("compiler/core", "compiler/ir"), compilerOut},
	{"compiler/roots", stage("compiler/core", "compiler/ir", "runtime/abi"), compilerOut},
	// The register allocator knows no machine and no program representation.
	{"compiler/regalloc", []string{"compiler/mutant", "hashbench/table/usedbit"}, nil},
	{"compiler/x64", stage("compiler/core", "compiler/ir", "compiler/regalloc", "compiler/roots", "runtime/abi"), slices.Concat(compilerOut, runtimeParts)},
	{"compiler/mlir", stage("compiler/core", "runtime/abi"), slices.Concat(compilerOut, runtimeParts)},
	// What link makes is for the runner: an executable with its archive, or an image for its memory.
	{"compiler/link", stage("compiler/x64", "runtime", "runtime/abi", "runtime/src", "runtime/runner"), slices.Concat(compilerOut, runtimeParts)},

	// The oracle shares the front end with the compiler and nothing after it: a
	// mistake in a later stage must not be made twice.
	{"oracle/outcome", nil, nil},
	{"oracle/interp", []string{"oracle/outcome", "compiler/source", "compiler/syntax", "compiler/types", "compiler/prelude"}, []string{"compiler/mutant"}},
	{"oracle/heapmodel", nil, nil},

	// The runtime knows nothing of the compiler that emits calls to it.
	{"runtime", []string{"runtime/abi", "runtime/src"}, nil},
	{"runtime/abi", nil, nil},
	{"runtime/abi/*", []string{"runtime/abi"}, nil},
	{"runtime/src", nil, nil},
	{"runtime/runner", []string{"runtime", "runtime/abi", "runtime/src"}, nil},

	// The rig sees compiler, oracle and runtime; none of them sees the rig.
	{"fuzz", rigParts, nil},
	{"fuzz/gen", rigParts, nil},
	{"fuzz/variant", rigParts, nil},
	{"fuzz/feature", rigParts, nil},
	{"fuzz/reduce", rigParts, nil},
	{"fuzz/export", rigParts, nil},
	{"fuzz/corpus", rigParts, nil},
	{"fuzz/campaign", rigParts, nil},
	{"fuzz/triage", rigParts, nil},
	{"fuzz/mutants", rigParts, nil},
	{"fuzz/subject", rigParts, nil},
	{"fuzz/engine", rigParts, nil},
	{"fuzz/doctor", rigParts, nil},

	{"bench", benchParts, nil},
	{"bench/hot", benchParts, nil},
	{"bench/programs", benchParts, nil},
	{"bench/peers", benchParts, nil},
	{"bench/compare", benchParts, nil},

	// A hash table stands alone: the compiler uses one of them.
	{"hashbench", []string{"hashbench/..."}, nil},
	{"hashbench/table", nil, nil},
	{"hashbench/table/*", []string{"hashbench/table"}, []string{"hashbench/table/..."}},
	{"hashbench/workload", []string{"hashbench/table", "hashbench/table/*"}, nil},
	{"hashbench/peers", []string{"hashbench/table", "hashbench/workload"}, nil},

	// Showing imports nothing: whatever finds out stays free of how it is shown.
	{"reports", nil, nil},
	{"reports/*", []string{"reports"}, nil},

	{"cmd/rokrig", []string{"..."}, nil},
	{"docs", nil, nil},
	{"internal/diagtest", []string{"compiler/source"}, nil},
	{"internal/golden", []string{"internal/tier"}, nil},
	{"internal/slab", nil, nil},
	{"internal/tier", nil, nil},
	{"internal/version", nil, nil},
}

// stage is what every compiler stage may import, and more.
func stage(more ...string) []string {
	return append([]string{"compiler/source", "compiler/mutant", "hashbench/table/usedbit", "internal/slab"}, more...)
}

// libraryRule says which packages may import a module from outside.
type libraryRule struct {
	library  string // a prefix of the import path
	packages []string
	tests    bool // every test may
}

var libraryRules = []libraryRule{
	{"github.com/spf13/cobra", []string{"cmd/rokrig"}, false},
	{"github.com/olekukonko/tablewriter", []string{"reports"}, false},
	{"github.com/mattn/go-runewidth", []string{"reports"}, false},
	{"github.com/schollz/progressbar/v3", []string{"reports"}, false},
	{"github.com/google/go-cmp", []string{"internal/golden"}, true},
	{"github.com/rogpeppe/go-internal", nil, true},
	{"github.com/dvyukov/go-fuzz", []string{"fuzz/engine"}, false},
	{"golang.org/x/arch", []string{"fuzz/triage", "bench/hot"}, true},
	{"golang.org/x/perf", []string{"bench/...", "cmd/rokrig"}, false},
	{"golang.org/x/sync", []string{"runtime/runner", "fuzz/...", "bench/...", "hashbench", "cmd/rokrig"}, true},
	{"golang.org/x/sys", []string{"compiler/link", "runtime/runner", "fuzz/campaign", "fuzz/subject"}, true},
	{"golang.org/x/term", []string{"reports"}, false},
	{"golang.org/x/tools/txtar", []string{"internal/golden", "fuzz/corpus"}, true},
	{"gonum.org/v1/gonum", []string{"bench/...", "hashbench/workload", "fuzz/campaign"}, true},
	{"gonum.org/v1/plot", []string{"reports/plot"}, false},
	{"pgregory.net/rapid", nil, true},
}

// goFile is what the rules look at in one file.
type goFile struct {
	dir     string // relative to the module, slashes; "." is its root
	name    string
	imports []string
}

func (f goFile) isTest() bool { return strings.HasSuffix(f.name, "_test.go") }

func TestImportDirections(t *testing.T) {
	files, err := goFiles("..")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("only %d Go files found: the scan is broken", len(files))
	}
	for _, fault := range violations(packageRules, libraryRules, files) {
		t.Error(fault)
	}
}

// violations lists every import that the rules do not allow, every package without
// a rule of its own, and every package that two rules claim.
func violations(packages []packageRule, libraries []libraryRule, files []goFile) []string {
	var faults []string
	unknown := make(map[string]bool)
	for _, f := range files {
		rules := rulesFor(packages, f.dir)
		if len(rules) != 1 {
			if !unknown[f.dir] {
				unknown[f.dir] = true
				faults = append(faults, fmt.Sprintf("package %s has %d rows in packageRules (docs/imports_test.go), it needs one: decide what it may import", f.dir, len(rules)))
			}
			continue
		}
		for _, imported := range f.imports {
			if fault := judge(rules[0], libraries, f, imported); fault != "" {
				faults = append(faults, fmt.Sprintf("%s imports %s: %s", path.Join(f.dir, f.name), imported, fault))
			}
		}
	}
	return faults
}

func rulesFor(packages []packageRule, dir string) []packageRule {
	var found []packageRule
	for _, r := range packages {
		if matches(r.packages, dir) {
			found = append(found, r)
		}
	}
	return found
}

// judge returns why a file must not import something, or "".
func judge(rule packageRule, libraries []libraryRule, f goFile, imported string) string {
	if inner, ours := strings.CutPrefix(imported, module+"/"); ours {
		may := rule.may
		if f.isTest() {
			may = slices.Concat(may, rule.tests, testLibraries, []string{f.dir})
		}
		if matchesAny(may, inner) {
			return ""
		}
		return fmt.Sprintf("%s may import %s of this module", rule.packages, cmp.Or(strings.Join(rule.may, ", "), "nothing"))
	}
	first, _, _ := strings.Cut(imported, "/")
	if !strings.Contains(first, ".") {
		return "" // the standard library
	}
	for _, l := range libraries {
		if imported != l.library && !strings.HasPrefix(imported, l.library+"/") {
			continue
		}
		if matchesAny(l.packages, f.dir) || l.tests && f.isTest() {
			return ""
		}
		return fmt.Sprintf("%s is for %s", l.library, cmp.Or(strings.Join(l.packages, ", "), "tests"))
	}
	return "a module without a row in libraryRules (docs/imports_test.go): decide who may use it"
}

func matchesAny(patterns []string, dir string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, dir) })
}

func matches(pattern, dir string) bool {
	if pattern == "..." {
		return true
	}
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return dir == base || strings.HasPrefix(dir, base+"/")
	}
	if base, ok := strings.CutSuffix(pattern, "/*"); ok {
		return path.Dir(dir) == base
	}
	return dir == pattern
}

// goFiles reads the imports of every Go file below root, files for other systems
// too. Left out are testdata, folders that the go command ignores, and files
// with the build tag "never".
func goFiles(root string) ([]goFile, error) {
	var files []goFile
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() {
			if name != root && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") {
			return nil
		}
		f, err := readGoFile(root, name)
		if f != nil {
			files = append(files, *f)
		}
		return err
	})
	return files, err
}

// readGoFile reads the imports of one file; nil for a file that is never built.
func readGoFile(root, name string) (*goFile, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if neverBuilt(string(text)) {
		return nil, nil
	}
	dir, err := filepath.Rel(root, filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	tree, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	f := &goFile{dir: filepath.ToSlash(dir), name: filepath.Base(name)}
	for _, spec := range tree.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f.imports = append(f.imports, imported)
	}
	return f, nil
}

func neverBuilt(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "package ") {
			return false
		}
		if constraint.IsGoBuild(line) {
			return line == "//go:build never"
		}
	}
	return false
}

// The rules themselves, tried on imports that must and must not pass.
func TestViolations(t *testing.T) {
	in := func(dir, imported string) goFile { return goFile{dir, "x.go", []string{imported}} }
	inTest := func(dir, imported string) goFile { return goFile{dir, "x_test.go", []string{imported}} }
	for _, c := range []struct {
		file goFile
		want string // part of the fault, "" for none
	}{
		{in("compiler/lower", "rokrig/compiler/ir"), ""},
		{in("compiler/lower", "rokrig/compiler/x64"), "compiler/lower may import"},
		{in("compiler/syntax", "rokrig/compiler/types"), "compiler/syntax may import"},
		{in("compiler/regalloc", "rokrig/compiler/ir"), "compiler/regalloc may import"},
		{in("compiler/regalloc", "rokrig/compiler/source"), "compiler/regalloc may import"},
		{in("compiler", "rokrig/oracle/interp"), "compiler may import"},
		{in("compiler", "rokrig/hashbench/table/swiss"), "compiler may import"},
		{in("oracle/interp", "rokrig/compiler/types"), ""},
		{in("oracle/interp", "rokrig/compiler/core"), "oracle/interp may import"},
		{in("oracle/interp", "rokrig/compiler"), "oracle/interp may import"},
		{in("runtime/runner", "rokrig/compiler/source"), "runtime/runner may import"},
		{in("runtime/abi", "rokrig/compiler/core"), "runtime/abi may import nothing"},
		{in("reports", "rokrig/fuzz/triage"), "reports may import nothing"},
		{in("reports/plot", "rokrig/reports"), ""},
		{in("fuzz/gen", "rokrig/bench/hot"), "fuzz/gen may import"},
		{in("fuzz/gen", "rokrig/reports"), "fuzz/gen may import"},
		{in("cmd/rokrig", "github.com/spf13/cobra"), ""},
		{in("cmd/rokrig", "rokrig/anything/at/all"), ""},
		{in("fuzz/campaign", "github.com/spf13/cobra"), "cobra is for cmd/rokrig"},
		{in("reports/plot", "gonum.org/v1/plot/plotter"), ""},
		{in("reports", "gonum.org/v1/plot"), "is for reports/plot"},
		{in("compiler/ir", "gonum.org/v1/plotter"), "without a row in libraryRules"},
		{in("compiler/ir", "example.com/new/module"), "without a row in libraryRules"},
		{in("compiler/ir", "pgregory.net/rapid"), "is for tests"},
		{inTest("compiler/ir", "pgregory.net/rapid"), ""},
		{inTest("compiler/ir", "rokrig/internal/golden"), ""},
		{in("compiler/ir", "rokrig/internal/golden"), "compiler/ir may import"},
		{inTest("compiler/regalloc", "rokrig/compiler/regalloc"), ""},
		{inTest("compiler/regalloc", "rokrig/compiler/ir"), "compiler/regalloc may import"},
		{inTest("compiler/x64", "rokrig/runtime/runner"), ""},
		{in("compiler/x64", "rokrig/runtime/runner"), "compiler/x64 may import"},
		{in("bench", "rokrig/benchmarks"), "bench may import"}, // no part of bench/...
		{in("compiler/ir", "go/ast"), ""},
		{in("compiler/helpers", "fmt"), "compiler/helpers has 0 rows"},
		{in(".", "fmt"), "package . has 0 rows"},
	} {
		got := strings.Join(violations(packageRules, libraryRules, []goFile{c.file}), "\n")
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s imports %s: fault %q, want %q", path.Join(c.file.dir, c.file.name), c.file.imports[0], got, c.want)
		}
	}
}

// Two rows for one package could contradict each other.
func TestViolationsOfDoubledRows(t *testing.T) {
	doubled := []packageRule{{"a/*", nil, nil}, {"a/b", nil, nil}}
	if got := violations(doubled, nil, []goFile{{"a/b", "x.go", nil}}); len(got) != 1 {
		t.Errorf("violations = %q, want the doubled row", got)
	}
}

func TestNeverBuilt(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"//go:build never\n\npackage x\n", true},
		{"// Comment.\n\n//go:build never\n\npackage x\n", true},
		{"//go:build windows\n\npackage x\n", false},
		{"package x\n//go:build never\n", false},
		{"package x\n", false},
	} {
		if got := neverBuilt(c.text); got != c.want {
			t.Errorf("neverBuilt(%q) = %v", c.text, got)
		}
	}
}
