package variant

import (
	"strconv"
	"strings"
	"sync"

	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
	"rokrig/fuzz/gen"
)

// draft is a copy of a program that is being changed. Nodes copied from the original keep their places in its text, by
// which their checked nodes are found; nodes that a rule adds have none, and are known by the draft's side tables as far
// as rules have to know them.
type draft struct {
	src        gen.Source
	o          *Original
	index      *index
	items      []item
	main       []syntax.Stmt // the top-level statements
	funcs      []*function
	names      string // what fresh names begin with
	used       int    // fresh names given out
	exprs      []exprSite
	lists      []listSite
	scanned    bool
	renamed    map[*types.Local]string
	guards     *guards       // nil for a variant: nothing is fixed
	disordered []*types.Func // functions whose statements have changed their order
	shadows    []string      // names that a rule has given to variables

	// added tells what new names mean.
	added map[*syntax.PathExpr]*types.Local
	binds map[*syntax.BindPat]*types.Local
}

// memory is what one draft leaves to the next.
type memory struct {
	exprs []exprSite
	lists []listSite
	text  []byte
}

var memories = sync.Pool{New: func() any { return &memory{} }}

// leave hands the draft's memory on. The draft is not used any more.
func (d *draft) leave() {
	if !d.scanned {
		return
	}
	clear(d.exprs)
	clear(d.lists)
	m := memories.Get().(*memory)
	m.exprs, m.lists = d.exprs[:0], d.lists[:0]
	memories.Put(m)
}

// item is a function or a static, and how many top-level statements stand before it.
type item struct {
	decl syntax.Decl
	at   int
}

// function is a function's tree; of the top-level statements, decl is nil.
type function struct {
	decl *syntax.FnDecl
	info *types.Func // nil for one that a rule added
}

func newDraft(src gen.Source, o *Original) *draft {
	if o.places == nil {
		o.places = newIndex(o)
	}
	d := &draft{src: src, o: o, index: o.places, names: unusedPrefix(o.Text)}
	fn := 0
	for _, decl := range o.Tree.Decls {
		c := syntax.CloneDecl(decl)
		switch c := c.(type) {
		case *syntax.TopStmt:
			d.main = append(d.main, c.Stmt)
			continue
		case *syntax.FnDecl:
			d.funcs = append(d.funcs, &function{c, o.Checked.Funcs[fn]})
			fn++
		}
		d.items = append(d.items, item{c, len(d.main)})
	}
	return d
}

// unusedPrefix returns what no name in a text contains.
func unusedPrefix(text string) string {
	prefix := "zq"
	for strings.Contains(text, prefix) {
		prefix += "q"
	}
	return prefix
}

// print returns the text of the draft.
func (d *draft) print() string {
	file := &syntax.File{Decls: make([]syntax.Decl, 0, len(d.items)+len(d.main))}
	add := func(at int) {
		for _, it := range d.items {
			if it.at == at || at == len(d.main) && it.at > at {
				file.Decls = append(file.Decls, it.decl)
			}
		}
	}
	for i, s := range d.main {
		add(i)
		file.Decls = append(file.Decls, &syntax.TopStmt{Stmt: s})
	}
	add(len(d.main))
	m := memories.Get().(*memory)
	defer memories.Put(m)
	m.text = syntax.Append(m.text[:0], file)
	return string(m.text)
}

// n returns a choice among k alternatives.
func (d *draft) n(k int) int {
	if k <= 1 {
		return 0
	}
	if k > 256 {
		return (int(d.src.Byte())<<8 | int(d.src.Byte())) % k
	}
	return int(d.src.Byte()) * k >> 8
}

// word returns 64 choices at once.
func (d *draft) word() uint64 {
	var w uint64
	for range 8 {
		w = w<<8 | uint64(d.src.Byte())
	}
	return w
}

// fresh returns a name that the program does not have.
func (d *draft) fresh() string {
	d.used++
	return d.names + strconv.Itoa(d.used)
}

// index finds the checked node of a place in the text.
type index struct {
	base     source.Pos
	expr     []int32 // by offset: 1 + the last entry that starts there
	pattern  []int32
	exprs    []entry[types.Expr]
	patterns []entry[types.Pattern]
}

type entry[T any] struct {
	end  source.Pos
	next int32
	node T
}

func newIndex(o *Original) *index {
	base := o.Checked.Source.Pos(0)
	x := &index{base: base, expr: make([]int32, len(o.Text)+1), pattern: make([]int32, len(o.Text)+1),
		exprs: make([]entry[types.Expr], 0, o.Checked.Nodes), patterns: make([]entry[types.Pattern], 0, o.Checked.Nodes/4)}
	w := treeWalk{expr: x.addExpr, pattern: x.addPattern}
	for _, f := range o.Checked.Funcs {
		w.walk(f.Body)
	}
	return x
}

func (x *index) addExpr(e types.Expr) {
	s := e.Where()
	if at := int(s.Start - x.base); at >= 0 && at < len(x.expr) {
		x.exprs = append(x.exprs, entry[types.Expr]{s.End, x.expr[at], e})
		x.expr[at] = int32(len(x.exprs))
	}
}

func (x *index) addPattern(p types.Pattern) {
	s := p.Where()
	if at := int(s.Start - x.base); at >= 0 && at < len(x.pattern) {
		x.patterns = append(x.patterns, entry[types.Pattern]{s.End, x.pattern[at], p})
		x.pattern[at] = int32(len(x.patterns))
	}
}

// at returns the checked expression of a place, or nil. Of several, it is the outermost.
func (x *index) at(s source.Span) types.Expr {
	at := int(s.Start - x.base)
	if s.End <= s.Start || at < 0 || at >= len(x.expr) {
		return nil
	}
	for i := x.expr[at]; i != 0; i = x.exprs[i-1].next {
		if x.exprs[i-1].end == s.End {
			return x.exprs[i-1].node
		}
	}
	return nil
}

// patternAt is at for patterns.
func (x *index) patternAt(s source.Span) types.Pattern {
	at := int(s.Start - x.base)
	if s.End <= s.Start || at < 0 || at >= len(x.pattern) {
		return nil
	}
	for i := x.pattern[at]; i != 0; i = x.patterns[i-1].next {
		if x.patterns[i-1].end == s.End {
			return x.patterns[i-1].node
		}
	}
	return nil
}

// node returns the checked node of an expression of the original, or nil.
func (d *draft) node(x syntax.Expr) types.Expr { return d.index.at(x.Where()) }

// typeOf returns the type of an expression of the original, or nil.
func (d *draft) typeOf(x syntax.Expr) *types.Type {
	if u, ok := x.(*syntax.Unary); ok && u.Op == syntax.Deref {
		return d.typeOf(u.X)
	}
	if n := d.node(x); n != nil {
		return n.Type()
	}
	if p, ok := x.(*syntax.PathExpr); ok && d.added[p] != nil {
		return d.added[p].Type
	}
	return nil
}

// dead reports whether an expression is known not to have been executed.
func (d *draft) dead(x syntax.Expr) bool {
	if d.o.Executed == nil {
		return false
	}
	n := d.node(x)
	if n == nil {
		return false
	}
	count, known := d.o.Executed(n.ID())
	return known && count == 0
}

// local returns the variable of a function that a name means, or nil.
func (d *draft) local(p *syntax.PathExpr) *types.Local {
	if l := d.added[p]; l != nil {
		return l
	}
	if ref, ok := d.node(p).(*types.LocalRef); ok {
		return ref.Local
	}
	return nil
}

// bound returns the variable of a function that a pattern binds, or nil.
func (d *draft) bound(p syntax.Pattern) *types.Local {
	if b, ok := p.(*syntax.BindPat); ok && d.binds[b] != nil {
		return d.binds[b]
	}
	if b, ok := d.index.patternAt(p.Where()).(*types.BindPat); ok {
		return b.Local
	}
	return nil
}

// read makes a read of a variable.
func (d *draft) read(l *types.Local) *syntax.PathExpr {
	p := pathTo(l.Name)
	if d.added == nil {
		d.added = map[*syntax.PathExpr]*types.Local{}
	}
	d.added[p] = l
	return p
}

// temp makes `let NAME: T = init;` for a fresh name and returns its variable too.
func (d *draft) temp(t *types.Type, init syntax.Expr, mut bool) (*types.Local, syntax.Stmt) {
	l := &types.Local{Name: d.fresh(), Type: t, Mut: mut}
	b := &syntax.BindPat{Name: syntax.Ident{Name: l.Name}, Mut: mut}
	if d.binds == nil {
		d.binds = map[*syntax.BindPat]*types.Local{}
	}
	d.binds[b] = l
	return l, &syntax.Let{Pat: b, Type: typeExpr(t), Init: init}
}

// hides reports whether a function's variable, or for `len` an item, may stand between a name and what it means at the
// top level.
func (d *draft) hides(name string) bool {
	for _, f := range d.o.Checked.Funcs {
		for _, l := range f.Locals {
			if l.Name == name {
				return true
			}
		}
		if name == "len" && f.Name == name {
			return true
		}
	}
	for _, g := range d.o.Checked.Globals {
		if name == "len" && g.Name == name {
			return true
		}
	}
	return contains(d.shadows, name)
}

// isAdded reports whether a node is none of the original's.
func isAdded(n syntax.Node) bool { return n.Where().Start == source.NoPos }
