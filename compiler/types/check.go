package types

import (
	"strings"

	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
)

// Options changes what Check does.
type Options struct {
	Mutant *mutant.Plan // nil for none
	Memory *Memory      // where the checked tree is made; nil: in a new one
}

// Check checks a file. It reports what it finds to diags and returns the checked program, or nil if there are errors.
//
// The order is: names of the top level; signatures and types of statics; top-level statements, which give the types of
// the globals; initialisers of statics; function bodies. The running time is linear in the size of the file, but for
// exhaustiveness, which has a budget (see maxSteps).
func Check(f *syntax.File, diags *source.Diagnostics, opts Options) *Program {
	if diags.HasErrors() {
		return nil
	}
	memory := opts.Memory
	if memory == nil {
		memory = &Memory{}
	}
	c := newChecker(f, diags, opts.Mutant, memory)
	defer c.handBack(memory)
	c.program = &Program{Source: f.Source, Table: c.table}
	for _, phase := range []func(){c.collect, c.signatures, c.checkTopLevel, c.checkStatics, c.checkFunctions} {
		if phase(); diags.Full() {
			return nil
		}
	}
	if diags.HasErrors() {
		return nil
	}
	c.program.Nodes = int(c.nodes)
	return c.program
}

func newChecker(f *syntax.File, diags *source.Diagnostics, plan *mutant.Plan, m *Memory) *checker {
	if m.symIndex == nil {
		m.symIndex, m.syms = make(map[string]symID, 64), make([]symbol, 0, 64)
	}
	clear(m.symIndex)
	return &checker{file: f, diags: diags, mutant: plan, table: NewTable(), make: &m.nodes, symIndex: m.symIndex,
		syms: m.syms[:0], scope: m.scope[:0], steps: maxSteps}
}

// handBack lets the next Check use the room that this one's names took.
func (c *checker) handBack(m *Memory) {
	clear(c.syms)
	clear(c.scope[:cap(c.scope)])
	m.syms, m.scope = c.syms, c.scope
}

// checker is the state of one Check.
type checker struct {
	file    *syntax.File
	diags   *source.Diagnostics
	mutant  *mutant.Plan
	table   *Table
	program *Program
	nodes   NodeID // next free
	make    *nodes

	errors, warnings int // reported so far

	symIndex map[string]symID
	syms     []symbol // by symID
	scope    []scoped // variables in scope, innermost last

	statics []staticInit

	fn    *Func  // being checked
	loops []loop // round the expression being checked, innermost last
	// diverges is set when what was checked since it was last cleared never ends normally. A block without a final
	// value is then of type `!`.
	diverges bool

	pending       []number           // untyped literals, see numberExpr
	untypedBreaks map[*Loop][]*Break // of loops with an untyped value

	binds  []patternBinding // of the pattern being checked
	global bool             // the pattern being checked is of a top-level `let`
	orNext int32            // number of the next alternative, see orPattern

	steps int // left for exhaustiveness
	wilds []Pattern
}

type staticInit struct {
	global *Global
	init   syntax.Expr
}

// errorf reports an error. What can be of any length, names and types, is cut.
func (c *checker) errorf(s source.Span, format string, args ...any) {
	c.errors++
	for i, a := range args {
		switch a := a.(type) {
		case *Type:
			args[i] = a.brief(maxShown)
		case string:
			args[i] = cut(a, maxShown)
		}
	}
	c.diags.Errorf(s, format, args...)
}

// maxShown is how much of a name, a type or a missing case a message shows, in bytes.
const maxShown = 1000

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "..."
}

// maxWarnings is how many warnings one Check gives.
const maxWarnings = 100

func (c *checker) warnf(s source.Span, format string, args ...any) {
	c.warnings++
	if c.warnings < maxWarnings {
		c.diags.Warnf(s, format, args...)
	} else if c.warnings == maxWarnings {
		c.diags.Warnf(s, "too many warnings; the rest is not shown")
	}
}

// unsupported reports a part of the language that this version cannot compile.
func (c *checker) unsupported(s source.Span, what string) {
	c.errorf(s, "%s not supported yet", what)
}

// node returns a fresh NodeID.
func (c *checker) node() NodeID {
	c.nodes++
	return c.nodes - 1
}

func (c *checker) base(s source.Span, t *Type) Base { return Base{s, t, c.node()} }

// bad stands for an expression that was reported.
func (c *checker) bad(s source.Span) Expr { return &Const{Base: Base{Span: s, Typ: Prim(Invalid)}} }

// collect gives every top-level name its meaning, and resolves the types that functions and statics declare.
func (c *checker) collect() {
	for i, d := range c.file.Decls {
		if c.diags.Full() {
			return
		}
		switch d := d.(type) {
		case *syntax.FnDecl:
			f := c.make.funcs.Put(Func{ID: FuncID(len(c.program.Funcs)), Name: d.Name.Name, Decl: d, Span: d.Span})
			c.program.Funcs = append(c.program.Funcs, f)
			c.declareItem(d.Name, item{kind: fnItem, decl: int32(i), fn: f})
		case *syntax.StaticDecl:
			g := c.newGlobal(d.Name, true)
			g.Static = true
			c.statics = append(c.statics, staticInit{g, d.Init})
			c.declareItem(d.Name, item{kind: globalItem, decl: int32(i), global: g})
		case *syntax.TopStmt:
			if let, ok := d.Stmt.(*syntax.Let); ok {
				c.collectPattern(let.Pat, int32(i))
			}
		case *syntax.StructDecl:
			c.unsupported(d.Span, "`struct` is")
			c.declareItem(d.Name, item{kind: typeItem, decl: int32(i)})
		case *syntax.EnumDecl:
			c.unsupported(d.Span, "`enum` is")
			c.declareItem(d.Name, item{kind: typeItem, decl: int32(i)})
		case *syntax.TraitDecl:
			c.unsupported(d.Span, "`trait` is")
			c.declareItem(d.Name, item{kind: typeItem, decl: int32(i)})
		case *syntax.ImplDecl:
			c.unsupported(d.Span, "`impl` is")
		}
	}
}

func (c *checker) newGlobal(name syntax.Ident, mut bool) *Global {
	g := &Global{ID: GlobalID(len(c.program.Globals)), Name: name.Name, Mut: mut, Span: name.Span}
	c.program.Globals = append(c.program.Globals, g)
	return g
}

// collectPattern makes globals of the variables of a top-level `let`. A name that the pattern binds twice is left to the
// check of the pattern; so are alternatives.
func (c *checker) collectPattern(p syntax.Pattern, decl int32) {
	bind := func(name syntax.Ident, mut bool) {
		if it := &c.syms[c.sym(name.Name)].item; it.kind == globalItem && it.decl == decl {
			return
		}
		c.declareItem(name, item{kind: globalItem, decl: decl, global: c.newGlobal(name, mut)})
	}
	switch p := p.(type) {
	case *syntax.BindPat:
		bind(p.Name, p.Mut)
	case *syntax.TypePat:
		if p.Name.Name != "_" {
			bind(p.Name, p.Mut)
		}
	case *syntax.TuplePat:
		for _, e := range p.Elems {
			c.collectPattern(e, decl)
		}
	case *syntax.OrPat:
		c.collectPattern(p.Alts[0], decl)
	default:
		c.heapPatternParts(p, func(q syntax.Pattern) { c.collectPattern(q, decl) })
	}
}

// signatures resolves the types of functions and statics.
func (c *checker) signatures() {
	static := 0
	fn := 0
	for _, d := range c.file.Decls {
		switch d := d.(type) {
		case *syntax.FnDecl:
			c.fn = c.program.Funcs[fn]
			c.signature(d)
			fn++
		case *syntax.StaticDecl:
			c.statics[static].global.Type = c.typeExpr(d.Type)
			static++
		}
		if c.diags.Full() {
			return
		}
	}
}

// signature makes the parameters and the type of the function c.fn.
func (c *checker) signature(d *syntax.FnDecl) {
	c.setTypeParams(c.fn)
	if len(d.TypeParams) > 0 {
		c.unsupported(d.TypeParams[0].Span, "generic functions are")
	}
	if d.Throws != nil {
		c.unsupported(d.Throws.Span, "`throws` is")
	}
	params := make([]*Type, len(d.Params))
	for i, p := range d.Params {
		params[i] = Prim(Invalid)
		if p.Type == nil {
			c.errorf(p.Span, "`%s` without a type is for methods only", p.Name.Name)
		} else {
			params[i] = c.typeExpr(p.Type)
		}
		c.newLocal(p.Name, params[i], p.Mut)
	}
	c.fn.Params = c.fn.Locals[:len(d.Params):len(d.Params)]
	result := Prim(Unit)
	if d.Result != nil {
		result = c.typeExpr(d.Result)
	}
	c.fn.Type = c.table.Fn(params, nil, result)
}

// setTypeParams makes the type parameters of f known; those of other functions are forgotten by that.
func (c *checker) setTypeParams(f *Func) {
	for _, p := range f.Decl.TypeParams {
		c.syms[c.sym(p.Name)].typeParamOf = f
	}
}

// checkTopLevel checks the top-level statements, and decides which function is the program's main.
func (c *checker) checkTopLevel() {
	main := c.mainFunction()
	var stmts []syntax.Stmt
	for _, d := range c.file.Decls {
		if top, ok := d.(*syntax.TopStmt); ok {
			stmts = append(stmts, top.Stmt)
		}
	}
	if main != nil && len(stmts) > 0 {
		c.errorf(stmts[0].Where(), "a program has top-level statements or `fn main`, not both")
	}
	if main != nil && len(stmts) == 0 {
		c.program.Main = main
		return
	}
	f := &Func{ID: FuncID(len(c.program.Funcs)), Name: "main", Type: c.table.Fn(nil, nil, Prim(Unit))}
	if len(stmts) > 0 {
		f.Span = stmts[0].Where().To(stmts[len(stmts)-1].Where())
	}
	c.program.Funcs = append(c.program.Funcs, f)
	c.program.Main = f
	c.enter(f)
	block := &Block{Base: Base{Span: f.Span, Typ: Prim(Unit)}}
	for _, s := range stmts {
		if c.diags.Full() {
			return
		}
		if let, ok := s.(*syntax.Let); ok {
			block.Stmts = append(block.Stmts, c.let(let, true))
		} else {
			block.Stmts = append(block.Stmts, c.stmt(s))
		}
	}
	if c.diverges {
		block.Typ = Prim(Never)
	}
	block.Node = c.node()
	f.Body = block
}

// mainFunction returns the declared `main`, whose signature it checks, or nil.
func (c *checker) mainFunction() *Func {
	id, ok := c.symIndex["main"]
	if !ok || c.syms[id].item.kind != fnItem {
		return nil
	}
	f := c.syms[id].item.fn
	if len(f.Decl.Params) > 0 {
		c.errorf(f.Decl.Name.Span, "`main` has no parameters")
	}
	if r := f.Result().Kind; r != Unit && r != Never && r != Invalid {
		c.errorf(f.Decl.Name.Span, "`main` has no result")
	}
	return f
}

// enter prepares for checking the body of f.
func (c *checker) enter(f *Func) {
	c.fn = f
	c.loops = c.loops[:0]
	c.diverges = false
}

func (c *checker) checkFunctions() {
	for _, f := range c.program.Funcs {
		if f.Decl == nil || f.Type == nil {
			continue
		}
		if c.diags.Full() {
			return
		}
		c.enter(f)
		c.setTypeParams(f)
		c.function(f)
	}
}

func (c *checker) function(f *Func) {
	for i, l := range f.Params {
		sym := c.sym(l.Name)
		if at := c.syms[sym].local; at != 0 {
			c.errorf(f.Decl.Params[i].Name.Span, "two parameters are named `%s`", l.Name)
		}
		c.declare(sym, l)
	}
	if f.Decl.Body == nil {
		c.errorf(f.Decl.Span, "function `%s` has no body", f.Name)
	} else {
		body := c.block(f.Decl.Body, f.Result())
		c.coerce(body, f.Result())
		f.Body = body
	}
	c.leaveScope(0)
}
