package reduce

import (
	"math/bits"
	"reflect"
	"slices"

	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// edit changes the tree and returns what changes it back.
type edit func() (undo func())

// set is the edit that stores v at p.
func set[T any](p *T, v T) edit {
	return func() func() {
		old := *p
		*p = v
		return func() { *p = old }
	}
}

// passes are the groups of edits, in the order in which they are tried: what removes most comes first.
var passes = []func(*reducer) []edit{
	(*reducer).idle,
	func(r *reducer) []edit { return chunks(&r.file.Decls) },
	(*reducer).statements,
	(*reducer).parts,
	(*reducer).inline,
	(*reducer).parameters,
	(*reducer).details,
}

// chunks removes runs of a list: halves, quarters, and so on down to single elements.
func chunks[T any](list *[]T) []edit {
	var edits []edit
	n := len(*list)
	for size := n; size > 0; size /= 2 {
		for from := 0; from < n; from += size {
			edits = append(edits, without(list, from, min(from+size, n)))
		}
	}
	return edits
}

// without removes elements from..to-1 of a list.
func without[T any](list *[]T, from, to int) edit {
	return func() func() {
		old := *list
		*list = append(append(make([]T, 0, len(old)), old[:from]...), old[to:]...)
		return func() { *list = old }
	}
}

// splice replaces element i of a list by others.
func splice[T any](list *[]T, i int, with []T) edit {
	return func() func() {
		old := *list
		next := append(append(make([]T, 0, len(old)+len(with)), old[:i]...), with...)
		*list = append(next, old[i+1:]...)
		return func() { *list = old }
	}
}

// places are the parts of a tree that edits work on, in the order of the text.
type places struct {
	blocks   []*syntax.Block
	exprs    []*syntax.Expr
	patterns []*syntax.Pattern
	matches  []*syntax.Match
	prints   []*syntax.Print
	lets     []*syntax.Let
	ifs      []*syntax.If
	funcs    []*syntax.FnDecl
	calls    []*syntax.Call
	names    int // declared otherwise than by a function
}

var (
	exprType    = reflect.TypeFor[syntax.Expr]()
	patternType = reflect.TypeFor[syntax.Pattern]()
	spanType    = reflect.TypeFor[source.Span]()
	sourceType  = reflect.TypeFor[*source.File]()
)

// find collects the places of a tree. It walks by reflection, so that a new kind of node needs no line here.
func find(root any) *places {
	p := &places{}
	p.walk(reflect.ValueOf(root))
	return p
}

func (p *places) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || v.Type() == sourceType {
			return
		}
		p.note(v.Interface())
		p.walk(v.Elem())
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		if v.CanAddr() {
			switch v.Type() {
			case exprType:
				p.exprs = append(p.exprs, v.Addr().Interface().(*syntax.Expr))
			case patternType:
				p.patterns = append(p.patterns, v.Addr().Interface().(*syntax.Pattern))
			}
		}
		p.walk(v.Elem())
	case reflect.Struct:
		if v.Type() == spanType {
			return
		}
		for i := range v.NumField() {
			p.walk(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			p.walk(v.Index(i))
		}
	}
}

func (p *places) note(node any) {
	switch n := node.(type) {
	case *syntax.Block:
		p.blocks = append(p.blocks, n)
	case *syntax.Match:
		p.matches = append(p.matches, n)
	case *syntax.Print:
		p.prints = append(p.prints, n)
	case *syntax.Let:
		p.lets = append(p.lets, n)
	case *syntax.If:
		p.ifs = append(p.ifs, n)
	case *syntax.FnDecl:
		p.funcs = append(p.funcs, n)
		p.names += len(n.Params)
	case *syntax.Call:
		p.calls = append(p.calls, n)
	case *syntax.BindPat, *syntax.StaticDecl:
		p.names++
	}
}

// statements removes statements, and replaces what is made of blocks by the statements inside.
func (r *reducer) statements() []edit {
	var edits []edit
	found := find(r.file)
	for _, b := range found.blocks {
		edits = append(edits, chunks(&b.Stmts)...)
		for i, s := range b.Stmts {
			for _, inner := range innerBlocks(s) {
				edits = append(edits, splice(&b.Stmts, i, asStatements(inner)))
			}
		}
		if b.Tail != nil {
			for _, inner := range innerBlocks(&syntax.ExprStmt{X: b.Tail}) {
				edits = append(edits, all([]edit{set(&b.Stmts, append(slices.Clone(b.Stmts), inner.Stmts...)), set(&b.Tail, inner.Tail)}))
			}
		}
	}
	for i, d := range r.file.Decls {
		top, ok := d.(*syntax.TopStmt)
		if !ok {
			continue
		}
		for _, inner := range innerBlocks(top.Stmt) {
			var decls []syntax.Decl
			for _, s := range asStatements(inner) {
				decls = append(decls, &syntax.TopStmt{Stmt: s})
			}
			edits = append(edits, splice(&r.file.Decls, i, decls))
		}
	}
	return edits
}

// innerBlocks returns the blocks directly inside a statement.
func innerBlocks(s syntax.Stmt) []*syntax.Block {
	var x syntax.Expr
	switch s := s.(type) {
	case *syntax.ExprStmt:
		x = s.X
	case *syntax.Let:
		x = s.Init
	}
	var blocks []*syntax.Block
	for _, c := range children(x) {
		if b, ok := c.(*syntax.Block); ok {
			blocks = append(blocks, b)
		}
	}
	if b, ok := x.(*syntax.Block); ok {
		blocks = append(blocks, b)
	}
	return blocks
}

// asStatements returns a block's content as statements.
func asStatements(b *syntax.Block) []syntax.Stmt {
	stmts := append([]syntax.Stmt(nil), b.Stmts...)
	if b.Tail != nil {
		stmts = append(stmts, &syntax.ExprStmt{X: b.Tail, Semi: true})
	}
	return stmts
}

// children returns the expressions directly inside x, in the order of the text.
func children(x syntax.Expr) []syntax.Expr {
	if x == nil {
		return nil
	}
	var out []syntax.Expr
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface, reflect.Pointer:
			if v.IsNil() {
				return
			}
			if e, ok := v.Interface().(syntax.Expr); ok {
				out = append(out, e)
				return
			}
			if _, ok := v.Interface().(syntax.Pattern); ok {
				return
			}
			walk(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		}
	}
	walk(reflect.ValueOf(x).Elem())
	return out
}

// parts replaces expressions by constants of their type and by their own parts, and drops arms, else branches, tails,
// printed values and the bindings of values that nobody uses.
func (r *reducer) parts() []edit {
	var edits []edit
	found := find(r.file)
	for _, p := range found.exprs {
		for _, c := range r.constants(*p) {
			edits = append(edits, set(p, c))
		}
		for _, c := range children(*p) {
			edits = append(edits, set(p, c))
			if b, ok := c.(*syntax.Block); ok && len(b.Stmts) == 0 && b.Tail != nil {
				edits = append(edits, set(p, b.Tail))
			}
		}
	}
	for _, m := range found.matches {
		edits = append(edits, chunks(&m.Arms)...)
		for i := range m.Arms {
			if m.Arms[i].Guard != nil {
				edits = append(edits, set(&m.Arms[i].Guard, nil))
			}
		}
	}
	for _, i := range found.ifs {
		if i.Else != nil {
			edits = append(edits, set(&i.Else, nil))
		}
	}
	for _, b := range found.blocks {
		if b.Tail != nil {
			edits = append(edits, set(&b.Tail, nil))
		}
	}
	for _, p := range found.prints {
		for i := range p.Args {
			if len(p.Args) > 1 {
				edits = append(edits, without(&p.Args, i, i+1))
			}
		}
	}
	return edits
}

// constants returns what may stand for an expression: a constant of its type, if it is not one already.
func (r *reducer) constants(x syntax.Expr) []syntax.Expr {
	switch x.(type) {
	case *syntax.IntLit, *syntax.FloatLit, *syntax.BoolLit, *syntax.StrLit:
		return nil
	}
	t := r.types[x.Where()]
	if t == nil {
		return nil
	}
	if _, isTuple := x.(*syntax.TupleLit); isTuple && t.Kind == types.Unit {
		return nil
	}
	return defaults(t)
}

// defaults returns constants of a type, the simplest first; none if the type has none that can be written down.
func defaults(t *types.Type) []syntax.Expr {
	switch {
	case t.Kind.IsInt():
		return []syntax.Expr{&syntax.IntLit{Value: 0, Base: 10}, &syntax.IntLit{Value: 1, Base: 10},
			&syntax.IntLit{Value: 0, Base: 10, Suffix: t.Name}, &syntax.IntLit{Value: 1, Base: 10, Suffix: t.Name}}
	case t.Kind.IsFloat():
		return []syntax.Expr{&syntax.FloatLit{Text: "0.0"}, &syntax.FloatLit{Text: "1.0"}, &syntax.FloatLit{Text: "1.0", Suffix: t.Name}}
	case t.Kind == types.Bool:
		return []syntax.Expr{&syntax.BoolLit{}, &syntax.BoolLit{Value: true}}
	case t.Kind == types.Str:
		return []syntax.Expr{&syntax.StrLit{}, &syntax.StrLit{Value: "a"}}
	case t.Kind == types.Unit:
		return []syntax.Expr{&syntax.TupleLit{}}
	case t.Kind == types.Tuple:
		parts := &syntax.TupleLit{}
		for _, a := range t.Args {
			d := defaults(a)
			if d == nil {
				return nil
			}
			parts.Elems = append(parts.Elems, d[0])
		}
		return []syntax.Expr{parts}
	}
	return nil
}

// parameters removes a parameter of a function together with the arguments of its calls.
func (r *reducer) parameters() []edit {
	var edits []edit
	found := find(r.file)
	for _, f := range found.funcs {
		for i := range f.Params {
			edits = append(edits, withoutParameter(f, i, found.calls))
		}
	}
	return edits
}

func withoutParameter(f *syntax.FnDecl, i int, calls []*syntax.Call) edit {
	return func() func() {
		undos := []func(){without(&f.Params, i, i+1)()}
		for _, c := range calls {
			callee, ok := c.Callee.(*syntax.PathExpr)
			if ok && len(callee.Path.Segments) == 1 && callee.Path.Segments[0].Name == f.Name.Name && i < len(c.Args) {
				undos = append(undos, without(&c.Args, i, i+1)())
			}
		}
		return func() {
			for _, undo := range undos {
				undo()
			}
		}
	}
}

// details simplifies literals, patterns and annotations.
func (r *reducer) details() []edit {
	var edits []edit
	found := find(r.file)
	for _, p := range found.exprs {
		switch x := (*p).(type) {
		case *syntax.IntLit:
			edits = append(edits, intEdits(p, x)...)
		case *syntax.FloatLit:
			for _, text := range []string{"0.0", "1.0"} {
				if x.Text != text && (x.Text != "0.0" || text == "0.0") {
					edits = append(edits, set(&x.Text, text))
				}
			}
			if x.Suffix != "" {
				edits = append(edits, set(&x.Suffix, ""))
			}
		case *syntax.StrLit:
			if n := len(x.Value); n > 0 {
				edits = append(edits, set(&x.Value, x.Value[:n/2]), set(&x.Value, x.Value[n-n/2:]), set(&x.Value, x.Value[:n-1]))
			}
		}
	}
	for _, p := range found.patterns {
		if _, wild := (*p).(*syntax.WildPat); !wild {
			edits = append(edits, set[syntax.Pattern](p, &syntax.WildPat{}))
		}
		if or, ok := (*p).(*syntax.OrPat); ok {
			for _, a := range or.Alts {
				edits = append(edits, set(p, a))
			}
		}
	}
	for _, l := range found.lets {
		if l.Type != nil {
			edits = append(edits, set(&l.Type, nil))
		}
	}
	return edits
}

// smaller returns numbers to put in the place of one: 0, 1, its half, and it without its lowest or its highest bit. The
// next number is not among them: stepping down from a large one would take as many steps as it is large, while each of
// these has fewer bits.
func smaller(v uint64) []uint64 {
	var out []uint64
	for _, w := range []uint64{0, 1, v / 2, v & (v - 1), v &^ (1 << max(0, bits.Len64(v)-1))} {
		if w < v && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// intEdits makes an integer literal smaller and plainer.
func intEdits(p *syntax.Expr, x *syntax.IntLit) []edit {
	var edits []edit
	for _, v := range smaller(x.Value) {
		edits = append(edits, set[syntax.Expr](p, &syntax.IntLit{Value: v, Base: 10, Suffix: x.Suffix}))
	}
	if x.Base != 10 {
		edits = append(edits, set(&x.Base, 10))
	}
	if x.Suffix != "" {
		edits = append(edits, set(&x.Suffix, ""))
	}
	return edits
}
