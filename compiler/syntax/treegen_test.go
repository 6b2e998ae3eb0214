package syntax

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"rokrig/compiler/source"
)

// treeGen draws trees of every form that Parse returns: what is documented at PrintFile, and nothing else about them is
// sensible. Size is bounded by depth.
type treeGen struct{ t *rapid.T }

// n draws a number in [0, k).
func (g treeGen) n(k int) int { return rapid.IntRange(0, k-1).Draw(g.t, "n") }

func (g treeGen) coin() bool { return g.n(2) == 0 }

func pick[T any](g treeGen, from ...T) T { return from[g.n(len(from))] }

// some draws a list of least to most elements; nil when it is empty, as the parser has it.
func some[T any](g treeGen, least, most int, draw func() T) []T {
	var list []T
	for range least + g.n(most-least+1) {
		list = append(list, draw())
	}
	return list
}

func maybe[T any](g treeGen, draw func() T) (v T) {
	if g.coin() {
		v = draw()
	}
	return v
}

func (g treeGen) name() string {
	return pick(g, "x", "y", "self", "type", "e5", "_1", "Error", "T", "Item", "S", "len", "a_b", "trying", "x0", "i64", "f32")
}

func (g treeGen) ident() Ident { return Ident{Name: g.name()} }

func (g treeGen) label() *Ident {
	return maybe(g, func() *Ident { return &Ident{Name: pick(g, "outer", "a", "_x", "x1")} })
}

func (g treeGen) segment(depth int) Segment {
	s := Segment{Ident: g.ident()}
	if depth > 0 && g.n(4) == 0 {
		s.Args = some(g, 1, 2, func() TypeExpr { return g.typ(depth - 1) })
	}
	return s
}

func (g treeGen) path(depth, least int) Path {
	return Path{Segments: some(g, least, 3, func() Segment { return g.segment(depth) })}
}

func (g treeGen) intLit() *IntLit {
	return &IntLit{
		Value:  pick(g, 0, 1, 42, 1<<63, 1<<64-1, rapid.Uint64().Draw(g.t, "int")),
		Base:   pick(g, 2, 8, 10, 16),
		Suffix: pick(g, "", "", "", "i8", "u64", "i64"),
	}
}

func (g treeGen) floatLit() *FloatLit {
	return pick(g, &FloatLit{Text: "1.0"}, &FloatLit{Text: "1e9"}, &FloatLit{Text: "2.5E-300"}, &FloatLit{Text: "0.1", Suffix: "f32"},
		&FloatLit{Text: "7", Suffix: "f64"}, &FloatLit{Text: "00.10e+0007"})
}

func (g treeGen) strLit() *StrLit {
	return &StrLit{Value: pick(g, "", "a", "\n\t\r\x00\\\"", "\xff\xfe", "é\u200b\U0001F600", "//", string(rapid.SliceOfN(rapid.Byte(), 0, 6).Draw(g.t, "bytes")))}
}

func (g treeGen) leaf() Expr {
	switch g.n(9) {
	case 0:
		return g.intLit()
	case 1:
		return g.floatLit()
	case 2:
		return g.strLit()
	case 3:
		return &BoolLit{Value: g.coin()}
	case 4:
		return &NoneLit{}
	case 5:
		return &TupleLit{}
	case 6:
		return &Continue{Label: g.label()}
	case 7:
		return &Block{}
	}
	return &PathExpr{Path: Path{Segments: []Segment{{Ident: g.ident()}}}}
}

func (g treeGen) expr(depth int) Expr {
	if depth <= 0 {
		return g.leaf()
	}
	forms := []func(int) Expr{
		g.operator, g.operator, g.operator, g.postfix, g.postfix, g.collection, g.branch, g.loop, g.jump, g.tryExpr, g.intrinsic,
		func(int) Expr { return g.leaf() },
		func(d int) Expr { return g.block(d) },
	}
	return forms[g.n(len(forms))](depth - 1)
}

func (g treeGen) exprs(depth, least int) []Expr {
	return some(g, least, 3, func() Expr { return g.expr(depth) })
}

func (g treeGen) operator(d int) Expr {
	switch g.n(6) {
	case 0:
		return &Unary{Op: pick(g, Neg, Not, Deref), X: g.expr(d)}
	case 1, 2:
		return &Binary{Op: Or + BinaryOp(g.n(int(Pow))), X: g.expr(d), Y: g.expr(d)}
	case 3:
		return &Range{Lo: g.expr(d), Hi: g.expr(d), Inclusive: g.coin()}
	case 4:
		name := Ident{Name: pick(g, "i8", "u64", "f32")}
		return &Cast{X: g.expr(d), Type: &NamedType{Path: Path{Segments: []Segment{{Ident: name}}}}}
	}
	return &Assign{Place: g.place(d), Op: pick(g, NoOp, NoOp, Add, Pow, Shr, BitOr), Value: g.expr(d)}
}

func (g treeGen) place(d int) Expr {
	switch g.n(5) {
	case 0:
		return &Unary{Op: Deref, X: g.expr(d)}
	case 1:
		return &Field{X: g.expr(d), Name: g.ident()}
	case 2:
		return &TupleField{X: g.expr(d), Index: g.n(12)}
	case 3:
		return &Index{X: g.expr(d), I: g.expr(d)}
	}
	return &PathExpr{Path: g.path(d, 1)}
}

func (g treeGen) postfix(d int) Expr {
	switch g.n(4) {
	case 0:
		return &Call{Callee: g.expr(d), Args: g.exprs(d, 0)}
	case 1:
		return &MethodCall{Recv: g.expr(d), Name: g.segment(d), Args: g.exprs(d, 0)}
	}
	return g.place(d)
}

func (g treeGen) collection(d int) Expr {
	switch g.n(4) {
	case 0:
		return &TupleLit{Elems: g.exprs(d, 1)}
	case 1:
		return &ArrayLit{Elems: g.exprs(d, 0)}
	case 2:
		return &ArrayRepeat{Value: g.expr(d), Count: g.expr(d)}
	}
	return &StructLit{Path: g.path(d, 1), Fields: some(g, 0, 3, func() FieldInit {
		return FieldInit{g.ident(), maybe(g, func() Expr { return g.expr(d) })}
	})}
}

func (g treeGen) els(d int) Expr {
	switch g.n(4) {
	case 0:
		return g.block(d)
	case 1:
		if d > 0 {
			return g.ifExpr(d - 1)
		}
	case 2:
		if d > 0 {
			return g.ifLet(d - 1)
		}
	}
	return nil
}

func (g treeGen) ifExpr(d int) Expr {
	return &If{Cond: g.expr(d), Then: g.block(d), Else: g.els(d)}
}

func (g treeGen) ifLet(d int) Expr {
	return &IfLet{Pat: g.pattern(d), X: g.expr(d), Then: g.block(d), Else: g.els(d)}
}

func (g treeGen) branch(d int) Expr {
	switch g.n(3) {
	case 0:
		return g.ifExpr(d)
	case 1:
		return g.ifLet(d)
	}
	return &Match{X: g.expr(d), Arms: some(g, 0, 3, func() Arm {
		return Arm{Pat: g.pattern(d), Guard: maybe(g, func() Expr { return g.expr(d) }), Body: g.expr(d)}
	})}
}

func (g treeGen) loop(d int) Expr {
	switch g.n(3) {
	case 0:
		return &Loop{Label: g.label(), Body: g.block(d)}
	case 1:
		return &While{Label: g.label(), Cond: g.expr(d), Body: g.block(d)}
	}
	return &For{Label: g.label(), Pat: g.pattern(d), Iter: g.expr(d), Body: g.block(d)}
}

func (g treeGen) jump(d int) Expr {
	value := maybe(g, func() Expr { return g.expr(d) })
	switch g.n(3) {
	case 0:
		return &Return{Value: value}
	case 1:
		return &Break{Label: g.label(), Value: value}
	}
	return &Throw{Value: g.expr(d)}
}

func (g treeGen) tryExpr(d int) Expr {
	t := &Try{Kind: TryKind(g.n(3)), X: g.expr(d), Finally: maybe(g, func() *Block { return g.block(d) })}
	if t.Kind == TryPlain {
		t.Catches = some(g, 0, 2, func() Catch { return Catch{Pat: g.pattern(d), Body: g.block(d)} })
	}
	return t
}

func (g treeGen) intrinsic(d int) Expr {
	switch g.n(5) {
	case 0:
		return &Panic{Arg: g.expr(d)}
	case 1:
		return &Assert{Arg: g.expr(d)}
	case 2:
		return &Spawn{Call: &Call{Callee: g.expr(d), Args: g.exprs(d, 0)}}
	case 3:
		return &Spawn{Call: &MethodCall{Recv: g.expr(d), Name: g.segment(d), Args: g.exprs(d, 0)}}
	}
	return &Print{Args: g.exprs(d, 1)}
}

func (g treeGen) block(d int) *Block {
	b := &Block{Stmts: some(g, 0, 3, func() Stmt { return g.stmt(d - 1) })}
	b.Tail = maybe(g, func() Expr { return g.expr(d - 1) })
	if len(b.Stmts) > 0 && b.Tail == nil {
		if last, ok := b.Stmts[len(b.Stmts)-1].(*ExprStmt); ok {
			last.Semi = true
		}
	}
	return b
}

func (g treeGen) stmt(d int) Stmt {
	if g.coin() {
		return &Let{Pat: g.pattern(d), Type: maybe(g, func() TypeExpr { return g.typ(d) }), Init: g.expr(d)}
	}
	s := &ExprStmt{X: g.expr(d)}
	s.Semi = !endsInBlock(s.X) || g.coin()
	return s
}

func (g treeGen) number() Expr {
	var x Expr = g.intLit()
	if g.coin() {
		x = &Unary{Op: Neg, X: x}
	}
	return x
}

func (g treeGen) pattern(d int) Pattern {
	if d <= 0 {
		return g.leafPattern()
	}
	d--
	switch g.n(8) {
	case 0:
		return &TuplePat{Elems: g.patterns(d, 1)}
	case 1, 2:
		return &StructPat{Path: g.path(d, 1), Rest: g.coin(), Fields: some(g, 0, 3, func() FieldPat {
			return FieldPat{g.ident(), maybe(g, func() Pattern { return g.pattern(d) })}
		})}
	case 3:
		return &EnumPat{Path: g.path(d, 2), Args: g.patterns(d, 0)}
	case 4, 5:
		t := &TypePat{Name: g.ident(), Mut: g.coin(), Type: g.typ(d)}
		if g.coin() {
			t.Name.Name, t.Mut = "_", false
		}
		return t
	case 6:
		return &OrPat{Alts: g.patterns(d, 2)}
	}
	return g.leafPattern()
}

func (g treeGen) patterns(d, least int) []Pattern {
	return some(g, least, 3, func() Pattern { return g.pattern(d) })
}

func (g treeGen) leafPattern() Pattern {
	switch g.n(8) {
	case 0:
		return &LitPat{Value: g.number()}
	case 1:
		return &LitPat{Value: &Unary{Op: Neg, X: g.floatLit()}}
	case 2:
		return &LitPat{Value: pick[Expr](g, g.strLit(), &BoolLit{Value: g.coin()}, &NoneLit{}, &TupleLit{}, g.floatLit())}
	case 3:
		return &RangePat{Lo: g.number(), Hi: g.number(), Inclusive: g.coin()}
	case 4:
		return &WildPat{}
	}
	return &BindPat{Name: g.ident(), Mut: g.coin()}
}

func (g treeGen) typ(d int) TypeExpr {
	if d <= 0 {
		return pick[TypeExpr](g, &NamedType{Path: g.path(0, 1)}, &AnyType{Error: g.coin()}, &NoneType{}, &NeverType{}, &TupleType{})
	}
	d--
	types := func(least int) []TypeExpr { return some(g, least, 3, func() TypeExpr { return g.typ(d) }) }
	switch g.n(6) {
	case 0:
		return &NamedType{Path: g.path(d, 1)}
	case 1:
		return &TupleType{Elems: types(1)}
	case 2:
		return &ArrayType{Elem: g.typ(d)}
	case 3:
		return &UnionType{Members: types(2)}
	}
	return &FnType{Params: types(0), Throws: g.throws(d), Result: maybe(g, func() TypeExpr { return g.typ(d) })}
}

func (g treeGen) throws(d int) *Throws {
	return maybe(g, func() *Throws { return &Throws{Type: maybe(g, func() TypeExpr { return g.typ(d) })} })
}

func (g treeGen) typeParams(d int) []TypeParam {
	return some(g, 0, 2, func() TypeParam {
		return TypeParam{g.ident(), some(g, 0, 2, func() Bound {
			b := Bound{Path: Path{Segments: []Segment{{Ident: g.ident()}}}}
			b.Assoc = some(g, 0, 2, func() AssocType { return AssocType{g.ident(), g.typ(d)} })
			return b
		})}
	})
}

func (g treeGen) fn(d int, place fnPlace) *FnDecl {
	f := &FnDecl{Name: g.ident(), TypeParams: g.typeParams(d), Throws: g.throws(d)}
	f.Params = some(g, 0, 3, func() Param { return Param{Name: g.ident(), Mut: g.coin(), Type: g.typ(d)} })
	if place != fnAtTop && g.coin() {
		f.Params = append([]Param{{Name: Ident{Name: "self"}, Mut: g.coin()}}, f.Params...)
	}
	f.Result = maybe(g, func() TypeExpr { return g.typ(d) })
	if place != fnInTrait || g.coin() {
		f.Body = g.block(d)
	}
	return f
}

func (g treeGen) decl(d int) Decl {
	switch g.n(7) {
	case 0:
		return g.fn(d, fnAtTop)
	case 1:
		return &StructDecl{Name: g.ident(), TypeParams: g.typeParams(d), Fields: some(g, 0, 2, func() FieldDecl {
			return FieldDecl{Name: g.ident(), Type: g.typ(d)}
		})}
	case 2:
		return &EnumDecl{Name: g.ident(), TypeParams: g.typeParams(d), Variants: some(g, 0, 2, func() Variant {
			return Variant{Name: g.ident(), Args: some(g, 0, 2, func() TypeExpr { return g.typ(d) })}
		})}
	case 3:
		return &TraitDecl{Name: g.ident(), Types: some(g, 0, 2, g.ident), Methods: some(g, 0, 2, func() *FnDecl { return g.fn(d, fnInTrait) })}
	case 4:
		i := &ImplDecl{TypeParams: g.typeParams(d), Type: g.typ(d)}
		i.Types = some(g, 0, 2, func() AssocType { return AssocType{g.ident(), g.typ(d)} })
		i.Methods = some(g, 0, 2, func() *FnDecl { return g.fn(d, fnInImpl) })
		i.Trait = maybe(g, func() *Path { p := g.path(d, 1); return &p })
		return i
	case 5:
		return &StaticDecl{Name: g.ident(), Type: g.typ(d), Init: g.expr(d)}
	}
	return &TopStmt{Stmt: g.stmt(d)}
}

func (g treeGen) file(d int) *File {
	return &File{Decls: some(g, 0, 3, func() Decl { return g.decl(d) })}
}

// strip sets every place in a tree to nothing, so that reflect.DeepEqual compares what was said.
func strip(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			strip(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			strip(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Field(i); f.Interface().(type) {
			case Loc, source.Pos:
				f.SetZero()
			case *source.File:
			default:
				strip(f)
			}
		}
	}
}

// TestGeneratorCoversKinds keeps the property tests honest: every kind of node turns up in them.
func TestGeneratorCoversKinds(t *testing.T) {
	seen := map[reflect.Type]bool{}
	files := rapid.Custom(func(t *rapid.T) *File { return treeGen{t}.file(4) })
	for seed := range 300 {
		InspectFile(files.Example(seed), func(n Node) bool { seen[reflect.TypeOf(n)] = true; return true })
	}
	for _, n := range allKinds() {
		if !seen[reflect.TypeOf(n)] {
			t.Errorf("treeGen never made a %T", n)
		}
	}
}

// allKinds has one node of every kind.
func allKinds() []Node {
	return []Node{
		&IntLit{}, &FloatLit{}, &StrLit{}, &BoolLit{}, &NoneLit{}, &PathExpr{}, &TupleLit{}, &Unary{}, &Binary{}, &Range{}, &Cast{},
		&Assign{}, &Call{}, &MethodCall{}, &Field{}, &TupleField{}, &Index{}, &StructLit{}, &ArrayLit{}, &ArrayRepeat{}, &Block{},
		&If{}, &IfLet{}, &Match{}, &Loop{}, &While{}, &For{}, &Break{}, &Continue{}, &Return{}, &Throw{}, &Try{}, &Print{}, &Panic{},
		&Assert{}, &Spawn{}, &Arm{}, &Catch{},
		&LitPat{}, &RangePat{}, &WildPat{}, &BindPat{}, &TuplePat{}, &StructPat{}, &EnumPat{}, &TypePat{}, &OrPat{},
		&NamedType{}, &TupleType{}, &ArrayType{}, &UnionType{}, &FnType{}, &AnyType{}, &NoneType{}, &NeverType{},
		&Let{}, &ExprStmt{}, &TopStmt{}, &FnDecl{}, &StructDecl{}, &EnumDecl{}, &TraitDecl{}, &ImplDecl{}, &StaticDecl{},
	}
}
