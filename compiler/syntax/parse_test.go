package syntax

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
)

// seedFragments are the pieces of Rok that the language was first described by, as they stood there; where one had an
// ellipsis, that is filled in.
var seedFragments = []string{
	"print 1 + 2 * 3;",
	"1 + f(2)",
	"if cond { x } else { y }",
	"if cond { do_thing(); }",
	"if let v: T = compute() { use(v) } else { fallback() }",
	"match v {\n    1 => a,\n    2 => b,\n    n if n > 100 => c,\n    _ => d,\n}",
	"let v = loop { tick(); if cond { break x; } }",
	"while cond { body }",
	"for x in xs { body }",
	"let it = xs.into_iter(); loop { match it.next() { none => break, x: T => {} } }",
	"'outer: loop { break 'outer; }",
	"let v = try f(x);              // f: fn(X) throws (E) -> T",
	"try body catch e: A { handler_a } catch _ { handler_any }",
	"throw err;",
	"try { body } finally { cleanup }",
	"let p = Point { x: 1.0, y: 2.0 };",
	"*p.field = q;       // a store of a reference into an object",
	"arr[5]",
	"Index::index(arr, 5)",
}

func TestSeedFragmentsParse(t *testing.T) {
	for _, text := range seedFragments {
		diags := errorsOf(text)
		if len(diags.All()) > 0 {
			t.Errorf("%s\n%s", text, diags)
		}
		if diags = errorsOf(PrintFile(parse(t, text))); len(diags.All()) > 0 {
			t.Errorf("%s printed\n%s", text, diags)
		}
	}
}

// TestSpansCoverText: a node lies inside its parent, and the text of an expression's span is that expression.
func TestSpansCoverText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		made := treeGen{rt}.file(4)
		text := PrintFile(made)
		tree := parse(rt, text)
		var visit func(parent, n Node)
		visit = func(parent, n Node) {
			span := n.Where()
			if span.Start < parent.Where().Start || span.End > parent.Where().End || span.Start >= span.End {
				rt.Fatalf("%T %v is not inside %T %v:\n%s", n, span, parent, parent.Where(), text)
			}
			if x, ok := n.(Expr); ok {
				part := text[span.Start-1 : span.End-1]
				alone := parse(rt, "let v = "+part+";").Decls[0].(*TopStmt).Stmt.(*Let).Init
				if PrintExpr(alone) != PrintExpr(x) {
					rt.Fatalf("the span of\n%s\nis that of\n%s", PrintExpr(x), part)
				}
			}
			children(n, func(c Node) { visit(n, c) })
		}
		for _, d := range tree.Decls {
			visit(d, d)
		}
	})
}

// TestNodesCountsAll compares Inspect, which has a case for every kind of node, with reflection, which needs none.
func TestNodesCountsAll(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tree := treeGen{rt}.file(4)
		if got, want := Nodes(tree), countNodes(reflect.ValueOf(tree.Decls)); got != want {
			rt.Fatalf("Nodes says %d, there are %d", got, want)
		}
	})
}

func countNodes(v reflect.Value) int {
	count := 0
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return 0
		}
		if v.Kind() == reflect.Pointer {
			switch v.Interface().(type) {
			case Expr, Pattern, TypeExpr, Stmt, Decl:
				count++
			}
		}
		return count + countNodes(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			count += countNodes(v.Index(i))
		}
	case reflect.Struct:
		switch v.Interface().(type) {
		case Arm, Catch:
			count++
		}
		for i := range v.NumField() {
			count += countNodes(v.Field(i))
		}
	}
	return count
}

// TestInspectPrunes: what f refuses is not entered.
func TestInspectPrunes(t *testing.T) {
	tree := parse(t, "fn f() { g(1 + 2, h(3)); }\nprint 4;")
	var ints []uint64
	InspectFile(tree, func(n Node) bool {
		if lit, ok := n.(*IntLit); ok {
			ints = append(ints, lit.Value)
		}
		call, ok := n.(*Call)
		return !ok || len(call.Args) != 1
	})
	if !reflect.DeepEqual(ints, []uint64{1, 2, 4}) {
		t.Errorf("visited %v", ints)
	}
}

// TestMutants: each deliberate bug does what its row says, where its construct stands, and nothing where it does not.
func TestMutants(t *testing.T) {
	tests := []struct {
		mutant, text, want string
		reached            bool
	}{
		{"front/shift-precedence", "1 + 2 << 3 - 4", "1 + (2 << 3) - 4", true},
		{"front/shift-precedence", "1 + 2 * 3", "1 + 2 * 3", false},
		{"front/pow-left-associative", "2 ** 3 ** 4 ** 5", "((2 ** 3) ** 4) ** 5", true},
		{"front/pow-left-associative", "2 ** (3 ** 4)", "2 ** 3 ** 4", false},
		{"front/pow-left-associative", "2 ** -3 ** 4", "2 ** -3 ** 4", false},
		{"front/pow-left-associative", "(2 ** 3) ** 4", "(2 ** 3) ** 4", false},
		{"front/hex-letter-digit", "0x1F + 0xa0", "0x1E + 0x90", true},
		{"front/hex-letter-digit", "0x10 + 77", "0x10 + 77", false},
	}
	for _, test := range tests {
		plan, err := mutant.New(test.mutant)
		if err != nil {
			t.Fatal(err)
		}
		f := source.NewFile("t.rok", "let v = "+test.text+";")
		diags := &source.Diagnostics{File: f}
		tree := Parse(f, diags, Options{Mutant: plan})
		// Parenthesised with a tree of its own, since a printed mutant reads as the right program.
		want := parse(t, "let v = "+test.want+";")
		strip(reflect.ValueOf(tree.Decls))
		strip(reflect.ValueOf(want.Decls))
		if !reflect.DeepEqual(tree.Decls, want.Decls) {
			t.Errorf("%s: %s became %s, want %s", test.mutant, test.text, PrintFile(tree), test.want)
		}
		if plan.Reached() != test.reached {
			t.Errorf("%s: %s: reached is %v", test.mutant, test.text, plan.Reached())
		}
	}
}

// TestForms checks trees that printing cannot show, because it writes them in one way only.
func TestForms(t *testing.T) {
	same := []struct{ a, b string }{
		{"if return { f(); }", "if (return) { f(); }"},
		{"while a || return { }", "while (a || (return)) { }"},
		{"match break { _ => 1 }", "match (break) { _ => 1 }"},
		{"x = 1 + return 2 + 3;", "x = 1 + (return (2 + 3));"},
		{"x = a || try b || c;", "x = a || (try (b || c));"},
		{"x = 1 + try f() catch _ { 0 } + 2;", "x = (1 + (try f() catch _ { 0 })) + 2;"},
		{"x = try { a } + b;", "x = try ({ a } + b);"},
		{"fn f() { try { a } -b; }", "fn f() { try { a } (-b); }"},
		{"fn f() { if a { b } else { c } -d; }", "fn f() { if a { b } else { c } (-d); }"},
		{"fn f() { match a { } [0]; }", "fn f() { match a { } ([0]); }"},
		{"fn f() { loop { }.g() + 1; }", "fn f() { (loop { }.g()) + 1; }"},
		{"fn f() { { a }.g }", "fn f() { ({ a }).g }"},
		{"x = {f}(a)[0];", "x = (({f})(a))[0];"},
		{"try try f() catch _ { } finally { }", "try (try f() catch _ { } finally { });"},
		{"print a, b; ", "print (a), (b); "},
		{"f(return a, b)", "f((return a), b)"},
		{"a - b - c << d + e", "((a - b) - c) << (d + e)"},
		{"a = b..c || d", "a = (b..(c || d))"},
		{"return a = b", "return (a = b)"},
	}
	for _, test := range same {
		a, b := parse(t, test.a), parse(t, test.b)
		strip(reflect.ValueOf(a.Decls))
		strip(reflect.ValueOf(b.Decls))
		clearSemi(a)
		clearSemi(b)
		if !reflect.DeepEqual(a.Decls, b.Decls) {
			t.Errorf("%s is read as\n%sbut should be\n%s", test.a, PrintFile(a), PrintFile(b))
		}
	}
}

func clearSemi(f *File) {
	InspectFile(f, func(n Node) bool {
		if s, ok := n.(*ExprStmt); ok {
			s.Semi = false
		}
		return true
	})
}
