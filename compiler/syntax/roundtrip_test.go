package syntax

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"rokrig/compiler/source"
)

// failer is what testing.T and rapid.T have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// parse parses text that has to be right.
func parse(t failer, text string) *File {
	t.Helper()
	f := source.NewFile("t.rok", text)
	diags := &source.Diagnostics{File: f}
	tree := Parse(f, diags, Options{})
	if len(diags.All()) > 0 {
		t.Fatalf("does not parse:\n%s\n%s", diags, text)
	}
	return tree
}

// withoutPlaces compares trees by what was said, not where.
var withoutPlaces = cmp.Options{
	cmpopts.IgnoreTypes(Loc{}, source.Pos(0)),
	cmpopts.IgnoreFields(File{}, "Source"),
}

// checkRoundTrip checks that a tree's text has that tree, and that the text is a fixed point.
func checkRoundTrip(t failer, tree *File) {
	t.Helper()
	text := PrintFile(tree)
	again := parse(t, text)
	if diff := cmp.Diff(tree, again, withoutPlaces); diff != "" {
		t.Fatalf("printed and parsed, the tree is another one (-made +parsed):\n%s\n%s", diff, text)
	}
	if second := PrintFile(again); second != text {
		t.Fatalf("not a fixed point:\n%s\nthen:\n%s", text, second)
	}
}

func TestRoundTripRandomTrees(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tree := treeGen{rt}.file(1 + treeGen{rt}.n(5))
		checkRoundTrip(rt, tree)
	})
}

func TestCloneIsDeep(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tree := treeGen{rt}.file(3)
		before := PrintFile(tree)
		copied := Clone(tree)
		if diff := cmp.Diff(tree, copied); diff != "" {
			rt.Fatalf("the copy differs: %s", diff)
		}
		nodes := map[Node]bool{}
		InspectFile(tree, func(n Node) bool { nodes[n] = true; return true })
		InspectFile(copied, func(n Node) bool {
			if nodes[n] && reflect.TypeOf(n).Elem().Size() > 0 {
				rt.Fatalf("the copy shares a %T", n)
			}
			return true
		})
		scribble(reflect.ValueOf(copied))
		if after := PrintFile(tree); after != before {
			rt.Fatalf("writing into the copy changed the original")
		}
	})
}

// scribble changes every string and number below v.
func scribble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			scribble(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			scribble(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			scribble(v.Field(i))
		}
	case reflect.String:
		if v.CanSet() {
			v.SetString("scribbled")
		}
	case reflect.Bool:
		if v.CanSet() {
			v.SetBool(!v.Bool())
		}
	}
}

// slot is a place in an expression where another one stands: put builds the whole round x.
type slot struct {
	name string
	put  func(x Expr) Expr
}

func name(s string) Expr { return &PathExpr{Path: Path{Segments: []Segment{{Ident: Ident{Name: s}}}}} }

func bodyOf(x Expr) *Block { return &Block{Tail: x} }

func i64() TypeExpr {
	return &NamedType{Path: Path{Segments: []Segment{{Ident: Ident{Name: "i64"}}}}}
}

// slots lists every place of every kind of expression that can hold any expression, and (with put ignoring x) the leaves.
func slots() []slot {
	a := func() Expr { return name("a") }
	bind := func() Pattern { return &BindPat{Name: Ident{Name: "v"}} }
	list := []slot{
		{"leaf", func(Expr) Expr { return a() }},
		{"int", func(Expr) Expr { return &IntLit{Value: 1, Base: 10} }},
		{"float", func(Expr) Expr { return &FloatLit{Text: "1.5"} }},
		{"empty block", func(Expr) Expr { return &Block{} }},
		{"return", func(Expr) Expr { return &Return{} }},
		{"break", func(Expr) Expr { return &Break{} }},
		{"continue", func(Expr) Expr { return &Continue{} }},
		{"-x", func(x Expr) Expr { return &Unary{Op: Neg, X: x} }},
		{"!x", func(x Expr) Expr { return &Unary{Op: Not, X: x} }},
		{"*x", func(x Expr) Expr { return &Unary{Op: Deref, X: x} }},
		{"x..a", func(x Expr) Expr { return &Range{Lo: x, Hi: a()} }},
		{"a..=x", func(x Expr) Expr { return &Range{Lo: a(), Hi: x, Inclusive: true} }},
		{"x as i64", func(x Expr) Expr { return &Cast{X: x, Type: i64()} }},
		{"*x = a", func(x Expr) Expr { return &Assign{Place: &Unary{Op: Deref, X: x}, Value: a()} }},
		{"x.f += a", func(x Expr) Expr { return &Assign{Place: &Field{X: x, Name: Ident{Name: "f"}}, Op: Add, Value: a()} }},
		{"a = x", func(x Expr) Expr { return &Assign{Place: a(), Value: x} }},
		{"x(a)", func(x Expr) Expr { return &Call{Callee: x, Args: []Expr{a()}} }},
		{"a(x, a)", func(x Expr) Expr { return &Call{Callee: a(), Args: []Expr{x, a()}} }},
		{"x.f(a)", func(x Expr) Expr {
			return &MethodCall{Recv: x, Name: Segment{Ident: Ident{Name: "f"}}, Args: []Expr{a()}}
		}},
		{"x.f", func(x Expr) Expr { return &Field{X: x, Name: Ident{Name: "f"}} }},
		{"x.0", func(x Expr) Expr { return &TupleField{X: x, Index: 0} }},
		{"x[a]", func(x Expr) Expr { return &Index{X: x, I: a()} }},
		{"a[x]", func(x Expr) Expr { return &Index{X: a(), I: x} }},
		{"S { f: x }", func(x Expr) Expr {
			return &StructLit{Path: name("S").(*PathExpr).Path, Fields: []FieldInit{{Ident{Name: "f"}, x}, {Ident{Name: "g"}, nil}}}
		}},
		{"(x,)", func(x Expr) Expr { return &TupleLit{Elems: []Expr{x}} }},
		{"[x, a]", func(x Expr) Expr { return &ArrayLit{Elems: []Expr{x, a()}} }},
		{"[x; a]", func(x Expr) Expr { return &ArrayRepeat{Value: x, Count: a()} }},
		{"[a; x]", func(x Expr) Expr { return &ArrayRepeat{Value: a(), Count: x} }},
		{"{ x }", func(x Expr) Expr { return bodyOf(x) }},
		{"{ x; a }", func(x Expr) Expr { return &Block{Stmts: []Stmt{&ExprStmt{X: x, Semi: true}}, Tail: a()} }},
		{"{ x a }", func(x Expr) Expr { return &Block{Stmts: []Stmt{&ExprStmt{X: x, Semi: !endsInBlock(x)}}, Tail: a()} }},
		{"{ let v = x; }", func(x Expr) Expr { return &Block{Stmts: []Stmt{&Let{Pat: bind(), Init: x}}} }},
		{"if x {}", func(x Expr) Expr { return &If{Cond: x, Then: &Block{}} }},
		{"if a { x } else {}", func(x Expr) Expr { return &If{Cond: a(), Then: bodyOf(x), Else: &Block{}} }},
		{"if let v = x {} else if a {}", func(x Expr) Expr {
			return &IfLet{Pat: bind(), X: x, Then: &Block{}, Else: &If{Cond: a(), Then: &Block{}}}
		}},
		{"match x { v => a }", func(x Expr) Expr { return &Match{X: x, Arms: []Arm{{Pat: bind(), Body: a()}}} }},
		{"match a { v => x, v => x }", func(x Expr) Expr {
			return &Match{X: a(), Arms: []Arm{{Pat: bind(), Body: x}, {Pat: bind(), Body: CloneExpr(x)}}}
		}},
		{"match a { v if x => a }", func(x Expr) Expr { return &Match{X: a(), Arms: []Arm{{Pat: bind(), Guard: x, Body: a()}}} }},
		{"'l: loop { x }", func(x Expr) Expr { return &Loop{Label: &Ident{Name: "l"}, Body: bodyOf(x)} }},
		{"while x {}", func(x Expr) Expr { return &While{Cond: x, Body: &Block{}} }},
		{"for v in x {}", func(x Expr) Expr { return &For{Pat: bind(), Iter: x, Body: &Block{}} }},
		{"break x", func(x Expr) Expr { return &Break{Value: x} }},
		{"break 'l x", func(x Expr) Expr { return &Break{Label: &Ident{Name: "l"}, Value: x} }},
		{"return x", func(x Expr) Expr { return &Return{Value: x} }},
		{"throw x", func(x Expr) Expr { return &Throw{Value: x} }},
		{"try x", func(x Expr) Expr { return &Try{X: x} }},
		{"try? x", func(x Expr) Expr { return &Try{Kind: TryNone, X: x} }},
		{"try x catch v {}", func(x Expr) Expr { return &Try{X: x, Catches: []Catch{{Pat: bind(), Body: &Block{}}}} }},
		{"try! x finally {}", func(x Expr) Expr { return &Try{Kind: TryPanic, X: x, Finally: &Block{}} }},
		{"try a catch v { x }", func(x Expr) Expr { return &Try{X: a(), Catches: []Catch{{Pat: bind(), Body: bodyOf(x)}}} }},
		{"print x", func(x Expr) Expr { return &Print{Args: []Expr{x}} }},
		{"print x, x", func(x Expr) Expr { return &Print{Args: []Expr{x, CloneExpr(x)}} }},
		{"panic(x)", func(x Expr) Expr { return &Panic{Arg: x} }},
		{"spawn x(a)", func(x Expr) Expr { return &Spawn{Call: &Call{Callee: x, Args: []Expr{a()}}} }},
	}
	for op := Or; op <= Pow; op++ {
		list = append(list,
			slot{"x " + op.String() + " a", func(x Expr) Expr { return &Binary{Op: op, X: x, Y: a()} }},
			slot{"a " + op.String() + " x", func(x Expr) Expr { return &Binary{Op: op, X: a(), Y: x} }})
	}
	return list
}

// TestRoundTripNestings puts every kind of expression into every place of every kind, and that into every place again.
func TestRoundTripNestings(t *testing.T) {
	all := slots()
	outer := all
	if testing.Short() { // the outermost places with rules of their own
		outer = []slot{{"statement", func(x Expr) Expr { return x }}}
		for _, s := range all {
			switch s.name {
			case "{ x; a }", "if x {}", "match a { v => x, v => x }", "try x", "try x catch v {}", "print x, x":
				outer = append(outer, s)
			}
		}
	}
	for _, o := range outer {
		for _, m := range all {
			for _, i := range all {
				x := o.put(m.put(i.put(name("b"))))
				checkNesting(t, &ExprStmt{X: x, Semi: true}, o.name, m.name, i.name)
			}
		}
	}
}

// checkNesting is checkRoundTrip for one statement, by a faster comparison.
func checkNesting(t *testing.T, s Stmt, names ...string) {
	t.Helper()
	tree := &File{Decls: []Decl{&TopStmt{Stmt: s}}}
	text := PrintFile(tree)
	f := source.NewFile("t.rok", text)
	diags := &source.Diagnostics{File: f}
	again := Parse(f, diags, Options{})
	again.Source = nil
	strip(reflect.ValueOf(again))
	if diags.HasErrors() || !reflect.DeepEqual(tree, again) {
		t.Fatalf("%s: printed and parsed, the tree is another one:\n%s\n%s", strings.Join(names, " <- "), text, diags)
	}
}

// typeForms builds a type of every form round the type it is given.
var typeForms = []func(TypeExpr) TypeExpr{
	func(TypeExpr) TypeExpr { return i64() },
	func(TypeExpr) TypeExpr { return &AnyType{} },
	func(TypeExpr) TypeExpr { return &AnyType{Error: true} },
	func(TypeExpr) TypeExpr { return &NoneType{} },
	func(TypeExpr) TypeExpr { return &NeverType{} },
	func(t TypeExpr) TypeExpr { return &TupleType{Elems: []TypeExpr{t}} },
	func(t TypeExpr) TypeExpr { return &TupleType{Elems: []TypeExpr{t, t}} },
	func(t TypeExpr) TypeExpr { return &ArrayType{Elem: t} },
	func(t TypeExpr) TypeExpr { return &UnionType{Members: []TypeExpr{t, i64()}} },
	func(t TypeExpr) TypeExpr { return &UnionType{Members: []TypeExpr{i64(), t}} },
	func(t TypeExpr) TypeExpr { return &FnType{Params: []TypeExpr{t, t}} },
	func(t TypeExpr) TypeExpr { return &FnType{Result: t} },
	func(t TypeExpr) TypeExpr { return &FnType{Throws: &Throws{}, Result: t} },
	func(t TypeExpr) TypeExpr { return &FnType{Throws: &Throws{Type: t}} },
	func(t TypeExpr) TypeExpr {
		return &NamedType{Path: Path{Segments: []Segment{{Ident{Name: "M"}, []TypeExpr{t, t}}, {Ident: Ident{Name: "Item"}}}}}
	},
}

// patternForms builds a pattern of every form round the pattern and the type it is given.
var patternForms = []func(Pattern, TypeExpr) Pattern{
	func(p Pattern, _ TypeExpr) Pattern { return p },
	func(Pattern, TypeExpr) Pattern { return &WildPat{} },
	func(Pattern, TypeExpr) Pattern { return &LitPat{Value: &TupleLit{}} },
	func(Pattern, TypeExpr) Pattern {
		return &LitPat{Value: &Unary{Op: Neg, X: &IntLit{Value: 7, Base: 16}}}
	},
	func(Pattern, TypeExpr) Pattern {
		return &RangePat{Lo: &Unary{Op: Neg, X: &IntLit{Value: 7, Base: 10}}, Hi: &IntLit{Base: 10}}
	},
	func(_ Pattern, t TypeExpr) Pattern { return &TypePat{Name: Ident{Name: "v"}, Mut: true, Type: t} },
	func(_ Pattern, t TypeExpr) Pattern { return &TypePat{Name: Ident{Name: "_"}, Type: t} },
	func(p Pattern, _ TypeExpr) Pattern { return &TuplePat{Elems: []Pattern{p}} },
	func(p Pattern, _ TypeExpr) Pattern { return &TuplePat{Elems: []Pattern{p, p}} },
	func(p Pattern, _ TypeExpr) Pattern { return &OrPat{Alts: []Pattern{p, &WildPat{}}} },
	func(p Pattern, _ TypeExpr) Pattern { return &OrPat{Alts: []Pattern{&WildPat{}, p}} },
	func(p Pattern, t TypeExpr) Pattern {
		path := Path{Segments: []Segment{{Ident{Name: "E"}, []TypeExpr{t}}, {Ident: Ident{Name: "V"}}}}
		return &EnumPat{Path: path, Args: []Pattern{p}}
	},
	func(p Pattern, _ TypeExpr) Pattern {
		path := Path{Segments: []Segment{{Ident: Ident{Name: "S"}}}}
		return &StructPat{Path: path, Fields: []FieldPat{{Ident{Name: "f"}, p}, {Ident{Name: "g"}, nil}}, Rest: true}
	},
	func(p Pattern, _ TypeExpr) Pattern {
		return &StructPat{Path: Path{Segments: []Segment{{Ident: Ident{Name: "S"}}}}}
	},
}

// TestRoundTripPatternsAndTypes nests patterns and types like expressions, under every statement that holds a pattern.
func TestRoundTripPatternsAndTypes(t *testing.T) {
	holders := []func(Pattern) Stmt{
		func(p Pattern) Stmt { return &Let{Pat: p, Init: name("a")} },
		func(p Pattern) Stmt { return &Let{Pat: p, Type: i64(), Init: name("a")} },
		func(p Pattern) Stmt {
			return &ExprStmt{X: &Try{X: name("a"), Catches: []Catch{{Pat: p, Body: &Block{}}}}}
		},
		func(p Pattern) Stmt { return &ExprStmt{X: &For{Pat: p, Iter: name("a"), Body: &Block{}}} },
		func(p Pattern) Stmt { return &ExprStmt{X: &IfLet{Pat: p, X: name("a"), Then: &Block{}}} },
		func(p Pattern) Stmt {
			return &ExprStmt{X: &Match{X: name("a"), Arms: []Arm{{Pat: p, Guard: name("c"), Body: name("b")}}}}
		},
	}
	bind := &BindPat{Name: Ident{Name: "v"}, Mut: true}
	for _, hold := range holders {
		for _, outer := range patternForms {
			for _, inner := range patternForms {
				for _, form := range typeForms {
					checkNesting(t, hold(outer(inner(bind, form(i64())), form(i64()))))
				}
			}
		}
	}
	for _, outer := range typeForms {
		for _, middle := range typeForms {
			for _, inner := range typeForms {
				checkNesting(t, &Let{Pat: bind, Type: outer(middle(inner(i64()))), Init: name("a")})
				arm := Arm{Pat: &TypePat{Name: Ident{Name: "_"}, Type: outer(middle(inner(i64())))}, Body: name("a")}
				checkNesting(t, &ExprStmt{X: &Match{X: name("a"), Arms: []Arm{arm}}})
			}
		}
	}
}
