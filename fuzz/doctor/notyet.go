package doctor

import (
	"rokrig/compiler"
	"rokrig/compiler/source"
	"rokrig/fuzz/subject"
)

// gap is a part of the language or of the rig that this version does not test. Exactly one of program and config is
// there, and shows that the line still holds: the program is refused, the configuration unknown.
type gap struct {
	line    string
	program string
	config  string
}

// gaps lists them. A line goes, with the test's help, when its part is there.
var gaps = []gap{
	{line: "structs: not compiled yet", program: "struct P { x: i64 }\n"},
	{line: "enums: not compiled yet", program: "enum E { A, B }\n"},
	{line: "arrays: not compiled yet", program: "let a = [1, 2];\n"},
	{line: "unions and none: not compiled yet", program: "let a: i64 | none = none;\n"},
	{line: "any: not compiled yet", program: "let a: any = 1;\n"},
	{line: "string concatenation: not compiled yet", program: "print(\"a\" + \"b\");\n"},
	{line: "errors (throws, try, catch, finally): not compiled yet", program: "fn f() throws (i64) { throw 1; }\n"},
	{line: "traits and methods: not compiled yet", program: "trait T { fn f(self) -> i64; }\n"},
	{line: "generic functions: not compiled yet", program: "fn id<T>(x: T) -> T { x }\n"},
	{line: "tasks (spawn, join, Atomic): not compiled yet", program: "fn f() {}\nlet t = spawn f();\n"},
	{line: "the collector and its stress modes: nothing allocates yet", config: "stack/gc=every:1"},
	{line: "linear scan and the optimising back end: not there yet", config: "opt"},
	{line: "the MLIR back end: not there yet", config: "mlir:O0"},
	{line: "the Windows x64 convention: not there yet", config: "stack/win64"},
	{line: "external compilers (cmd:): not there yet", config: "cmd:"},
}

// NotYet lists what this version does not test on any machine.
func NotYet() []string {
	lines := []string{}
	for _, g := range gaps {
		if g.open() {
			lines = append(lines, g.line)
		}
	}
	return lines
}

// open reports whether the gap is still there.
func (g gap) open() bool {
	if g.config != "" {
		_, err := subject.Parse(g.config)
		return err != nil
	}
	_, err := compiler.Check(source.NewFile("gap.rok", g.program), compiler.Options{})
	return err != nil
}
