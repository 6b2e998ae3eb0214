package types

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"rokrig/compiler/syntax"
)

// Dump spells a checked program as S-expressions, one node a line, each with its type: what `rokrig build --dump=types`
// shows and what golden files hold. Variables and functions carry their numbers, so that shadowing can be seen.
func Dump(p *Program) string {
	d := &dumper{}
	for _, g := range p.Globals {
		d.global(g)
	}
	for _, f := range p.Funcs {
		d.function(f, f == p.Main)
	}
	return d.b.String()
}

type dumper struct {
	b     strings.Builder
	depth int
}

// line starts a node's line; its children follow one level deeper, until close.
func (d *dumper) line(format string, args ...any) {
	if d.b.Len() > 0 {
		d.b.WriteByte('\n')
	}
	for range d.depth {
		d.b.WriteString("  ")
	}
	fmt.Fprintf(&d.b, "("+format, args...)
	d.depth++
}

func (d *dumper) close() {
	d.b.WriteByte(')')
	if d.depth--; d.depth == 0 {
		d.b.WriteByte('\n')
	}
}

func (d *dumper) leaf(format string, args ...any) {
	d.line(format, args...)
	d.close()
}

func mutWord(mut bool) string {
	if mut {
		return "mut "
	}
	return ""
}

func (d *dumper) global(g *Global) {
	kind := "global"
	if g.Static {
		kind = "static"
	}
	d.line("%s %s%s#%d %s", kind, mutWord(g.Mut && !g.Static), g.Name, g.ID, g.Type)
	if g.Init != nil {
		d.expr(g.Init)
	}
	d.close()
}

func (d *dumper) function(f *Func, main bool) {
	kind := "fn"
	if main {
		kind = "main"
	}
	d.line("%s %s#%d %s", kind, f.Name, f.ID, f.Type)
	for i, l := range f.Locals {
		what := "local"
		if i < len(f.Params) {
			what = "param"
		}
		d.leaf("%s %s%s#%d %s", what, mutWord(l.Mut), l.Name, l.ID, l.Type)
	}
	d.expr(f.Body)
	d.close()
}

func (d *dumper) exprs(list ...Expr) {
	for _, e := range list {
		d.expr(e)
	}
}

// node writes a node with its children; absent ones are nil.
func (d *dumper) node(head string, t *Type, children ...Expr) {
	d.line("%s %s", head, t)
	for _, e := range children {
		if e != nil {
			d.expr(e)
		}
	}
	d.close()
}

func (d *dumper) expr(e Expr) {
	t := e.Type()
	switch e := e.(type) {
	case *Const:
		d.leaf("const %s %s", t, constText(t.Kind, e.Bits, e.Str))
	case *LocalRef:
		d.leaf("local %s %s#%d", t, e.Local.Name, e.Local.ID)
	case *GlobalRef:
		d.leaf("global %s %s#%d", t, e.Global.Name, e.Global.ID)
	case *FuncRef:
		d.leaf("func %s %s#%d", t, e.Func.Name, e.Func.ID)
	case *Unary:
		d.node(e.Op.String(), t, e.X)
	case *Binary:
		d.node(e.Op.String(), t, e.X, e.Y)
	case *Logic:
		d.node(e.Op.String(), t, e.X, e.Y)
	case *Cast:
		d.node("as", t, e.X)
	case *TupleExpr:
		d.node("tuple", t, e.Elems...)
	case *TupleField:
		d.node("."+strconv.Itoa(e.Index), t, e.X)
	case *RangeExpr:
		d.node("range", t, e.Lo, e.Hi)
	case *StrIndex:
		d.node("index", t, e.X, e.I)
	case *StrSlice:
		d.node("slice", t, e.X, e.Lo, e.Hi)
	case *Len:
		d.node("len", t, e.X)
	case *Assign:
		head := "="
		if e.Op != syntax.NoOp {
			head = e.Op.String() + "="
		}
		d.node(head, t, e.Place, e.Value)
	case *Call:
		d.node(fmt.Sprintf("call %s#%d", e.Func.Name, e.Func.ID), t, e.Args...)
	case *CallValue:
		d.line("call-value %s", t)
		d.expr(e.Callee)
		d.exprs(e.Args...)
		d.close()
	case *Print:
		d.node("print", t, e.Args...)
	case *Panic:
		d.node("panic", t, e.Arg)
	case *Assert:
		d.node("assert", t, e.Arg)
	default:
		d.control(e)
	}
}

func (d *dumper) control(e Expr) {
	t := e.Type()
	switch e := e.(type) {
	case *Block:
		d.line("block %s", t)
		for _, s := range e.Stmts {
			d.stmt(s)
		}
		if e.Tail != nil {
			d.line("tail")
			d.expr(e.Tail)
			d.close()
		}
		d.close()
	case *If:
		d.node("if", t, e.Cond, e.Then, e.Else)
	case *Match:
		d.line("match %s", t)
		d.expr(e.X)
		for _, a := range e.Arms {
			d.arm(a)
		}
		d.close()
	case *Loop:
		d.node(fmt.Sprintf("loop @%d", e.Loop), t, e.Body)
	case *While:
		d.node(fmt.Sprintf("while @%d", e.Loop), t, e.Cond, e.Body)
	case *For:
		d.line("for @%d %s", e.Loop, t)
		d.pattern(e.Pat)
		d.exprs(e.Iter, e.Body)
		d.close()
	case *Break:
		d.node(fmt.Sprintf("break @%d", e.Loop), t, e.Value)
	case *Continue:
		d.node(fmt.Sprintf("continue @%d", e.Loop), t)
	case *Return:
		d.node("return", t, e.Value)
	default:
		panic(fmt.Sprintf("types: cannot dump a %T", e))
	}
}

func (d *dumper) arm(a Arm) {
	d.line("arm")
	d.pattern(a.Pat)
	if a.Guard != nil {
		d.line("guard")
		d.expr(a.Guard)
		d.close()
	}
	d.expr(a.Body)
	d.close()
}

func (d *dumper) stmt(s Stmt) {
	switch s := s.(type) {
	case *LetStmt:
		d.line("let")
		d.pattern(s.Pat)
		d.expr(s.Init)
		d.close()
	case *ExprStmt:
		d.expr(s.X)
	}
}

func (d *dumper) pattern(p Pattern) {
	t := p.Type()
	switch p := p.(type) {
	case *WildPat:
		d.leaf("_ %s", t)
	case *BindPat:
		if p.Global != nil {
			d.leaf("bind %s global %s#%d", t, p.Global.Name, p.Global.ID)
		} else {
			d.leaf("bind %s %s#%d", t, p.Local.Name, p.Local.ID)
		}
	case *ConstPat:
		d.leaf("const %s %s", t, constText(t.Kind, p.Bits, p.Str))
	case *RangePat:
		if p.Empty {
			d.leaf("range %s empty", t)
		} else {
			d.leaf("range %s %s..=%s", t, word(t.Kind, p.Lo), word(t.Kind, p.Hi))
		}
	case *TuplePat:
		d.line("tuple %s", t)
		for _, q := range p.Elems {
			d.pattern(q)
		}
		d.close()
	case *OrPat:
		d.line("or %s", t)
		for _, q := range p.Alts {
			d.pattern(q)
		}
		d.close()
	}
}

// constText spells a constant. The bits of a float follow its digits, since they are what counts.
func constText(k Kind, bits uint64, str string) string {
	switch {
	case k == Str:
		return quote(str)
	case k == Unit:
		return "()"
	case k == F32:
		v := math.Float32frombits(uint32(bits))
		return fmt.Sprintf("%s:%08x", strconv.FormatFloat(float64(v), 'g', -1, 32), bits)
	case k == F64:
		return fmt.Sprintf("%s:%016x", strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64), bits)
	}
	return word(k, bits)
}
