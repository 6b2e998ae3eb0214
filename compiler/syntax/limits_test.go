package syntax

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"rokrig/compiler/source"
)

const hundredThousand = 100_000

// hostile are inputs that are deep, long or both, each with the start of the first message about it.
var hostile = []struct {
	name string
	text func() string
	want string // "" for a right program
}{
	{"parentheses", func() string { return "print " + strings.Repeat("(", hundredThousand) }, tooDeepMessage},
	{"closed parentheses", func() string { return wrapped("print ", "(", "1", ")", ";") }, tooDeepMessage},
	{"minuses", func() string { return "print " + strings.Repeat("-", hundredThousand) + "1;" }, tooDeepMessage},
	{"stars", func() string { return strings.Repeat("*", hundredThousand) + "p = 1;" }, tooDeepMessage},
	{"sum", func() string { return "print 1" + strings.Repeat("+1", hundredThousand) + ";" }, tooDeepMessage},
	{"powers", func() string { return "print 1" + strings.Repeat("**1", hundredThousand) + ";" }, tooDeepMessage},
	{"casts", func() string { return "print 1" + strings.Repeat(" as i64", hundredThousand) + ";" }, tooDeepMessage},
	{"calls", func() string { return "f" + strings.Repeat("()", hundredThousand) + ";" }, tooDeepMessage},
	{"fields", func() string { return "f" + strings.Repeat(".f", hundredThousand) + ";" }, tooDeepMessage},
	{"tuple fields", func() string { return "f" + strings.Repeat(".0", hundredThousand) + ";" }, tooDeepMessage},
	{"indices", func() string { return "f" + strings.Repeat("[0]", hundredThousand) + ";" }, tooDeepMessage},
	{"nested indices", func() string { return strings.Repeat("f[", hundredThousand) }, tooDeepMessage},
	{"nested calls", func() string { return wrapped("print ", "f(", "1", ")", ";") }, tooDeepMessage},
	{"blocks", func() string { return wrapped("", "{", "", "}", "") }, tooDeepMessage},
	{"ifs", func() string { return wrapped("", "if a {", "", "}", "") }, tooDeepMessage},
	{"heads", func() string { return strings.Repeat("if ", hundredThousand) }, tooDeepMessage},
	{"else ifs", func() string { return "if a {}" + strings.Repeat(" else if a {}", hundredThousand) }, tooDeepMessage},
	{"matches", func() string { return wrapped("", "match x { _ => ", "1", "}", "") }, tooDeepMessage},
	{"loops", func() string { return strings.Repeat("loop { ", hundredThousand) }, tooDeepMessage},
	{"returns", func() string { return strings.Repeat("return ", hundredThousand) + "1;" }, tooDeepMessage},
	{"tries", func() string { return strings.Repeat("try ", hundredThousand) + "1;" }, tooDeepMessage},
	{"prints", func() string { return strings.Repeat("print ", hundredThousand) + "1;" }, tooDeepMessage},
	{"breaks", func() string { return strings.Repeat("break ", hundredThousand) + "1;" }, tooDeepMessage},
	{"spawns", func() string { return strings.Repeat("spawn (", hundredThousand) + "1;" }, tooDeepMessage},
	{"arrays", func() string { return wrapped("print ", "[", "", "]", ";") }, tooDeepMessage},
	{"tuples", func() string { return wrapped("print ", "(1,", "1", ")", ";") }, tooDeepMessage},
	{"left tuples", func() string { return wrapped("print ", "(", "1", ",1)", ";") }, tooDeepMessage},
	{"structs", func() string { return wrapped("print ", "S { f: ", "1", "}", ";") }, tooDeepMessage},
	{"types", func() string { return wrapped("let x: ", "[", "i64", "]", " = 1;") }, tooDeepMessage},
	{"generic types", func() string { return wrapped("let x: ", "V<", "i64", ">", " = 1;") }, tooDeepMessage},
	{"type parentheses", func() string { return wrapped("let x: ", "(", "i64", ")", " = 1;") }, tooDeepMessage},
	{"function types", func() string { return "let x: " + strings.Repeat("fn() -> ", hundredThousand) + "i64 = 1;" }, tooDeepMessage},
	{"turbofish", func() string { return "f" + strings.Repeat("::<f", hundredThousand) + ";" }, tooDeepMessage},
	{"patterns", func() string { return wrapped("let ", "(", "x", ",)", " = 1;") }, tooDeepMessage},
	{"pattern parentheses", func() string { return wrapped("let ", "(", "x", ")", " = 1;") }, tooDeepMessage},
	{"struct patterns", func() string { return wrapped("let ", "S { f: ", "x", "}", " = 1;") }, tooDeepMessage},
	{"opening braces", func() string { return strings.Repeat("{", hundredThousand) }, tooDeepMessage},
	{"closing braces", func() string { return strings.Repeat("}", hundredThousand) }, "this `}` closes nothing"},
	{"functions in functions", func() string { return strings.Repeat("fn f() {", hundredThousand) }, "items stand at the top level only"},
	{"comments in comments", func() string { return wrapped("", "/*", "", "*/", "print 1;") }, ""},
	{"open comments", func() string { return strings.Repeat("/*", hundredThousand) }, "unterminated comment"},
	{"errors", func() string { return strings.Repeat("let = 1;\n", hundredThousand) }, "expected a pattern"},
	{"errors on a line", func() string { return strings.Repeat("let = 1; let ", hundredThousand) }, "expected a pattern"},
	{"brackets that do not fit", func() string {
		return "fn f() { let = " + strings.Repeat("(", 10*hundredThousand) + strings.Repeat("]", 10*hundredThousand)
	}, "expected a pattern"},
	{"braces that do not fit", func() string {
		return "fn f() { let = " + strings.Repeat("([{", 10*hundredThousand) + strings.Repeat(")", 10*hundredThousand)
	}, "expected a pattern"},
	{"items in an error", func() string { return "let = " + strings.Repeat("fn ", 10*hundredThousand) }, "expected a pattern"},
	{"labels", func() string { return strings.Repeat("'a: ", hundredThousand) }, "a label stands before"},
	{"paths", func() string { return "print a" + strings.Repeat("::a", hundredThousand) + ";" }, ""},
	{"alternatives", func() string { return "match x { 1" + strings.Repeat("|1", hundredThousand) + " => 1 }" }, ""},
	{"unions", func() string { return "let x: A" + strings.Repeat("|A", hundredThousand) + " = 1;" }, ""},
	{"arguments", func() string { return "f(1" + strings.Repeat(",1", hundredThousand) + ");" }, ""},
	{"semicolons", func() string { return strings.Repeat(";", hundredThousand) }, ""},
	{"catches", func() string { return "try f()" + strings.Repeat("catch _ {}", hundredThousand) }, ""},
	{"a line of 10 MB", func() string { return strings.Repeat("print 12345678; ", 10<<20/16) }, ""},
	{"a line of 10 MB with an error", func() string { return strings.Repeat("print 12345678; ", 10<<20/16) + "é +" }, "unknown character"},
	{"a name of 10 MB", func() string { return "print " + strings.Repeat("a", 10<<20) + ";" }, ""},
	{"a number of 10 MB", func() string { return "print " + strings.Repeat("1", 10<<20) + ";" }, "the integer literal does not fit"},
	{"a suffix of 10 MB", func() string { return "print 1" + strings.Repeat("u", 10<<20) + ";" }, "unknown suffix"},
	{"a float of 10 MB", func() string { return "print 1." + strings.Repeat("1", 10<<20) + ";" }, ""},
	{"a string of 10 MB", func() string { return "print \"" + strings.Repeat("\\n", 5<<20) + "\";" }, ""},
	{"10 MB of escapes gone wrong", func() string { return "print \"" + strings.Repeat("\\q", 5<<20) }, "unknown escape"},
	{"10 MB of nothing known", func() string { return strings.Repeat("@ ", 5<<20) }, "unknown character"},
	{"10 MB of zero bytes", func() string { return strings.Repeat("\x00", 10<<20) }, "NUL byte"},
	{"10 MB of invalid bytes", func() string { return strings.Repeat("\xff", 10<<20) }, "invalid UTF-8"},
	{"10 MB of quotes", func() string { return strings.Repeat("' ", 5<<20) }, "a `'` starts a label"},
	{"too many tokens", func() string { return strings.Repeat(";", MaxTokens+1) }, fmt.Sprintf("the program is longer than %d tokens", MaxTokens)},
}

var tooDeepMessage = fmt.Sprintf("nesting deeper than %d levels", MaxDepth)

func wrapped(before, open, inside, closing, after string) string {
	return before + strings.Repeat(open, hundredThousand) + inside + strings.Repeat(closing, hundredThousand) + after
}

// TestHostileInputs: every input has an answer, and soon. The guard is far above what the slowest takes.
func TestHostileInputs(t *testing.T) {
	const guard = 30 * time.Second
	for _, test := range hostile {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			start := time.Now()
			text := test.text()
			if len(text) > 2<<20 && testing.Short() {
				t.Skip("10 MB")
			}
			f := source.NewFile("t.rok", text)
			diags := &source.Diagnostics{File: f}
			tree := Parse(f, diags, Options{})
			_ = diags.String()
			if took := time.Since(start); took > guard {
				t.Errorf("took %v", took)
			}
			list := diags.All()
			switch {
			case test.want == "" && len(list) > 0:
				t.Fatalf("reported: %s", list[0].Message)
			case test.want != "" && len(list) == 0:
				t.Fatal("nothing reported")
			case test.want != "" && !strings.HasPrefix(list[0].Message, test.want):
				t.Errorf("reported %q, want %q", list[0].Message, test.want)
			}
			if depth := depthOf(tree); depth > MaxDepth+2 { // after an error there are placeholders below the limit
				t.Errorf("the tree is %d deep", depth)
			}
		})
	}
}

// depthOf measures a tree as MaxDepth is defined, without the parser's own count.
func depthOf(tree *File) int {
	deepest := 0
	var visit func(n Node, depth int)
	visit = func(n Node, depth int) {
		switch n.(type) {
		case Stmt, *Arm, *Catch:
			depth--
		}
		deepest = max(deepest, depth)
		children(n, func(c Node) { visit(c, depth+1) })
	}
	for _, d := range tree.Decls {
		visit(d, 1)
	}
	return deepest
}

// TestDepthLimitIsExact: what is one below the limit is accepted, printed and accepted again, also where printing adds
// parentheses.
func TestDepthLimitIsExact(t *testing.T) {
	shapes := []struct {
		name  string
		build func(n int) string
	}{
		{"sum", func(n int) string { return "print 1" + strings.Repeat("+1", n) + ";" }},
		{"parentheses to the right", func(n int) string {
			return "print " + strings.Repeat("1+(", n) + "1" + strings.Repeat(")", n) + ";"
		}},
		{"chains in chains", func(n int) string {
			inner := "1" + strings.Repeat("+1", n/2)
			return "print (" + inner + ")" + strings.Repeat("+1", n-n/2) + ";"
		}},
		{"jumps as operands", func(n int) string { return "print " + strings.Repeat("1+return ", n) + "1;" }},
		{"tries as operands", func(n int) string { return "print " + strings.Repeat("1+try ", n) + "1;" }},
		{"minuses", func(n int) string { return "print " + strings.Repeat("-", n) + "1;" }},
		{"methods", func(n int) string { return "print 1" + strings.Repeat(".f()", n) + ";" }},
		{"blocks", func(n int) string { return strings.Repeat("{", n) + strings.Repeat("}", n) }},
		{"patterns", func(n int) string { return "let " + strings.Repeat("(", n) + "x" + strings.Repeat(",)", n) + "=1;" }},
		{"left tuples in sums", func(n int) string {
			return "print " + strings.Repeat("(", n) + "1" + strings.Repeat(",1)+1", n) + ";"
		}},
		{"alternatives", func(n int) string {
			return "let " + strings.Repeat("(", n) + "x" + strings.Repeat(",)|y", n) + "=1;"
		}},
		{"types", func(n int) string {
			return "let x: " + strings.Repeat("(", n) + "A|B" + strings.Repeat(",)|C", n) + "=1;"
		}},
	}
	for _, shape := range shapes {
		accepted := func(n int) bool { return !errorsOf(shape.build(n)).HasErrors() }
		n := 1
		for n < 2*MaxDepth && accepted(n) {
			n++
		}
		if n < MaxDepth/4 || n > MaxDepth {
			t.Errorf("%s: refused from %d on", shape.name, n)
		}
		for _, n := range []int{n - 1, n - 2} {
			f := source.NewFile("t.rok", shape.build(n))
			diags := &source.Diagnostics{File: f}
			tree := Parse(f, diags, Options{})
			again := errorsOf(PrintFile(tree))
			if diags.HasErrors() || again.HasErrors() {
				t.Errorf("%s: %d are accepted, but not when printed: %v%v", shape.name, n, diags, again)
			}
			if depth := depthOf(tree); depth > MaxDepth {
				t.Errorf("%s: %d are accepted, and the tree is %d deep", shape.name, n, depth)
			}
		}
		if accepted(n + 1) {
			t.Errorf("%s: %d are refused, but %d are accepted", shape.name, n, n+1)
		}
	}
}
