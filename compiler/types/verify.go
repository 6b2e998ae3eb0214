package types

import (
	"fmt"

	"rokrig/compiler/syntax"
)

// Verify checks that a program keeps the invariants of this package, and returns every fault that it finds: a type that
// is missing or untyped, operands that do not go together, a number that is used twice or out of range, a variable or
// loop of another function. It shares no code with Check.
func Verify(p *Program) []string {
	v := &verifier{p: p, seen: make([]bool, p.Nodes)}
	for i, g := range p.Globals {
		v.check(g.ID == GlobalID(i), "global %s has number %d, not %d", g.Name, g.ID, i)
		v.check(g.Static == (g.Init != nil), "global %s: static %v, initialiser %v", g.Name, g.Static, g.Init != nil)
		v.typ(g.Type, g.Name)
		if g.Init != nil {
			v.constant(g.Init, g.Type)
		}
	}
	main := false
	for i, f := range p.Funcs {
		v.check(f.ID == FuncID(i), "function %s has number %d, not %d", f.Name, f.ID, i)
		main = main || f == p.Main
		v.function(f)
	}
	v.check(main, "main is not among the functions")
	return v.faults
}

type verifier struct {
	p      *Program
	fn     *Func
	loops  []LoopID
	seen   []bool // by NodeID
	faults []string
}

func (v *verifier) check(ok bool, format string, args ...any) {
	if !ok {
		v.faults = append(v.faults, fmt.Sprintf(format, args...))
	}
}

// typ checks a type itself.
func (v *verifier) typ(t *Type, what string) {
	if t == nil || t.Kind == Invalid || t.untyped() {
		v.check(false, "%s has no type", what)
		return
	}
	known := int(t.ID) < v.p.Table.Len() && v.p.Table.list[t.ID] == t
	v.check(known, "%s: type %s is not in the table", what, t)
	for _, a := range t.Args {
		v.typ(a, what)
	}
	if t.Result != nil {
		v.typ(t.Result, what)
	}
}

func (v *verifier) function(f *Func) {
	v.fn, v.loops = f, nil
	v.typ(f.Type, f.Name)
	v.check(len(f.Params) == len(f.Type.Args), "%s: %d parameters, %d in the type", f.Name, len(f.Params), len(f.Type.Args))
	for i, l := range f.Locals {
		v.check(l.ID == LocalID(i), "%s: local %s has number %d, not %d", f.Name, l.Name, l.ID, i)
		v.typ(l.Type, f.Name+": local "+l.Name)
	}
	for i, l := range f.Params {
		v.check(l == f.Locals[i] && l.Type == f.Type.Args[i], "%s: parameter %d is not local %d", f.Name, i, i)
	}
	v.fits(f.Body, f.Result())
}

// fits checks e and that it may stand where a t is wanted.
func (v *verifier) fits(e Expr, t *Type) {
	v.expr(e)
	v.check(e.Type() == t || e.Type().Kind == Never, "%s: %T of type %s where %s is wanted", v.fn.Name, e, e.Type(), t)
}

func (v *verifier) node(id NodeID, t *Type, what any) {
	v.typ(t, fmt.Sprintf("a %T", what))
	if id < 0 || int(id) >= len(v.seen) {
		v.check(false, "a %T has number %d of %d", what, id, len(v.seen))
		return
	}
	v.check(!v.seen[id], "number %d is used twice, by a %T", id, what)
	v.seen[id] = true
}

// constant checks a static's value.
func (v *verifier) constant(e Expr, t *Type) {
	v.node(e.ID(), e.Type(), e)
	v.check(e.Type() == t, "an initialiser of type %s for %s", e.Type(), t)
	switch e := e.(type) {
	case *Const:
		v.word(e.Bits, t)
	case *TupleExpr:
		for i, x := range e.Elems {
			v.constant(x, t.Args[i])
		}
	default:
		v.check(false, "a %T in an initialiser", e)
	}
}

// word checks that bits are a value of a scalar type.
func (v *verifier) word(bits uint64, t *Type) {
	switch k := t.Kind; {
	case k.IsInt():
		v.check(k.Normalise(bits) == bits, "%#x is not normalised for %s", bits, t)
	case k == F32:
		v.check(bits>>32 == 0, "%#x is no f32", bits)
	case k == Bool:
		v.check(bits <= 1, "%#x is no bool", bits)
	case k != F64:
		v.check(bits == 0 && (k == Str || k == Unit), "%#x of type %s", bits, t)
	}
}

func (v *verifier) expr(e Expr) {
	t := e.Type()
	v.node(e.ID(), t, e)
	is := func(k Kind) { v.check(t.Kind == k, "a %T of type %s", e, t) }
	switch e := e.(type) {
	case *Const:
		v.word(e.Bits, t)
	case *LocalRef:
		v.local(e.Local, t)
	case *GlobalRef:
		v.check(v.p.Globals[e.Global.ID] == e.Global && e.Global.Type == t, "a reference to global %s of type %s", e.Global.Name, t)
	case *FuncRef:
		v.check(e.Func.Type == t, "a reference to function %s of type %s", e.Func.Name, t)
	case *Unary:
		v.fits(e.X, t)
	case *Binary:
		v.binary(e)
	case *Logic:
		is(Bool)
		v.fits(e.X, t)
		v.fits(e.Y, t)
	case *Cast:
		v.expr(e.X)
		from := e.X.Type().Kind
		v.check(t.Kind.IsNumeric() && (from.IsNumeric() || from == Never || from == Bool && t.Kind.IsInt()), "a cast to %s", t)
	case *TupleExpr:
		v.tuple(e)
	case *TupleField:
		v.expr(e.X)
		whole := e.X.Type()
		v.check(whole.Kind == Tuple && e.Index < len(whole.Args) && whole.Args[e.Index] == t, "part %d of %s", e.Index, whole)
	case *RangeExpr:
		v.check(t.Kind == Range || t.Kind == RangeInclusive, "a range of type %s", t)
		v.fits(e.Lo, t.Args[0])
		v.fits(e.Hi, t.Args[0])
	case *StrIndex:
		is(U8)
		v.fits(e.X, Prim(Str))
		v.fits(e.I, Prim(I64))
	case *StrSlice:
		is(Str)
		v.fits(e.X, Prim(Str))
		v.fits(e.Lo, Prim(I64))
		v.fits(e.Hi, Prim(I64))
	case *Len:
		is(I64)
		v.fits(e.X, Prim(Str))
	case *Assign:
		is(Unit)
		v.assign(e)
	case *Call:
		v.call(e.Func.Type, e.Args, t)
	case *CallValue:
		v.expr(e.Callee)
		v.call(e.Callee.Type(), e.Args, t)
	default:
		v.control(e)
	}
}

func (v *verifier) local(l *Local, t *Type) {
	ok := int(l.ID) < len(v.fn.Locals) && v.fn.Locals[l.ID] == l
	v.check(ok, "%s: local %s belongs to another function", v.fn.Name, l.Name)
	v.check(l.Type == t, "%s: local %s of type %s used as %s", v.fn.Name, l.Name, l.Type, t)
}

func (v *verifier) tuple(e *TupleExpr) {
	if e.Typ.Kind != Tuple || len(e.Typ.Args) != len(e.Elems) {
		v.check(false, "a tuple of %d parts has type %s", len(e.Elems), e.Typ)
		return
	}
	for i, x := range e.Elems {
		v.fits(x, e.Typ.Args[i])
	}
}

func (v *verifier) binary(e *Binary) {
	t := e.Typ
	if e.Op.IsCompare() {
		v.check(t.Kind == Bool, "a comparison of type %s", t)
		if t = e.X.Type(); t.Kind == Never {
			t = e.Y.Type()
		}
		v.check(t.HasEq(), "a comparison of %s", t)
	}
	v.fits(e.X, t)
	if e.Op == syntax.Shl || e.Op == syntax.Shr {
		v.expr(e.Y)
		v.check(e.Y.Type().Kind.IsInt() || e.Y.Type().Kind == Never, "a shift count of type %s", e.Y.Type())
		return
	}
	v.fits(e.Y, t)
}

func (v *verifier) assign(e *Assign) {
	v.expr(e.Place)
	root := e.Place
	for {
		part, ok := root.(*TupleField)
		if !ok {
			break
		}
		root = part.X
	}
	switch root := root.(type) {
	case *LocalRef:
		v.check(root.Local.Mut, "an assignment to %s, which is not mut", root.Local.Name)
	case *GlobalRef:
		v.check(root.Global.Mut, "an assignment to %s, which is not mut", root.Global.Name)
	default:
		v.check(false, "an assignment to a %T", root)
	}
	if e.Op == syntax.Shl || e.Op == syntax.Shr {
		v.expr(e.Value)
		return
	}
	v.fits(e.Value, e.Place.Type())
}

func (v *verifier) call(f *Type, args []Expr, t *Type) {
	if f.Kind != Fn || len(args) != len(f.Args) || f.Result != t {
		v.check(false, "a call of a %s with %d arguments and type %s", f, len(args), t)
		return
	}
	for i, a := range args {
		v.fits(a, f.Args[i])
	}
}

func (v *verifier) control(e Expr) {
	t := e.Type()
	switch e := e.(type) {
	case *Block:
		for _, s := range e.Stmts {
			v.stmt(s)
		}
		if e.Tail != nil {
			v.expr(e.Tail)
			v.check(e.Tail.Type() == t, "a block of type %s ends in a %s", t, e.Tail.Type())
		} else {
			v.check(t.Kind == Unit || t.Kind == Never, "a block without a value has type %s", t)
		}
	case *If:
		v.fits(e.Cond, Prim(Bool))
		v.fits(e.Then, t)
		if e.Else != nil {
			v.fits(e.Else, t)
		} else {
			v.check(t.Kind == Unit, "an if without else has type %s", t)
		}
	case *Match:
		v.expr(e.X)
		for _, a := range e.Arms {
			v.pattern(a.Pat, e.X.Type())
			if a.Guard != nil {
				v.fits(a.Guard, Prim(Bool))
			}
			v.fits(a.Body, t)
		}
	case *Loop:
		v.body(e.Loop, e.Body)
	case *While:
		v.loops = append(v.loops, e.Loop)
		v.fits(e.Cond, Prim(Bool))
		v.loops = v.loops[:len(v.loops)-1]
		v.body(e.Loop, e.Body)
	case *For:
		v.expr(e.Iter)
		if r := e.Iter.Type(); r.Kind == Range || r.Kind == RangeInclusive {
			v.pattern(e.Pat, r.Args[0])
		} else {
			v.check(r.Kind == Never, "a for over %s", r)
			v.pattern(e.Pat, r)
		}
		v.body(e.Loop, e.Body)
	default:
		v.leaving(e)
	}
}

func (v *verifier) body(id LoopID, body Expr) {
	v.check(int(id) < v.fn.Loops, "%s: loop %d of %d", v.fn.Name, id, v.fn.Loops)
	v.loops = append(v.loops, id)
	v.fits(body, Prim(Unit))
	v.loops = v.loops[:len(v.loops)-1]
}

// leaving checks the statement-like expressions and the ones that leave.
func (v *verifier) leaving(e Expr) {
	kind := Never
	switch e := e.(type) {
	case *Break:
		v.inLoop(e.Loop)
		if e.Value != nil {
			v.expr(e.Value)
		}
	case *Continue:
		v.inLoop(e.Loop)
	case *Return:
		if e.Value != nil {
			v.fits(e.Value, v.fn.Result())
		} else {
			v.check(v.fn.Result().Kind == Unit, "%s: a return without a value", v.fn.Name)
		}
	case *Panic:
		v.fits(e.Arg, Prim(Str))
	case *Assert:
		kind = Unit
		v.fits(e.Arg, Prim(Bool))
	case *Print:
		kind = Unit
		for _, a := range e.Args {
			v.expr(a)
			v.check(a.Type().Printable(), "a print of %s", a.Type())
		}
	default:
		v.check(false, "unknown expression %T", e)
		return
	}
	v.check(e.Type().Kind == kind, "a %T of type %s", e, e.Type())
}

func (v *verifier) inLoop(id LoopID) {
	for _, l := range v.loops {
		if l == id {
			return
		}
	}
	v.check(false, "%s: loop %d is not round its break or continue", v.fn.Name, id)
}

func (v *verifier) stmt(s Stmt) {
	switch s := s.(type) {
	case *LetStmt:
		v.expr(s.Init)
		t := s.Pat.Type() // the annotation's, where the initialiser is of type `!`
		v.check(s.Init.Type() == t || s.Init.Type().Kind == Never, "a let of type %s is initialised with %s", t, s.Init.Type())
		v.pattern(s.Pat, t)
	case *ExprStmt:
		v.expr(s.X)
	}
}

func (v *verifier) pattern(p Pattern, t *Type) {
	v.node(p.ID(), p.Type(), p)
	v.check(p.Type() == t, "a pattern of type %s for %s", p.Type(), t)
	switch p := p.(type) {
	case *WildPat:
	case *BindPat:
		switch {
		case (p.Local == nil) == (p.Global == nil):
			v.check(false, "a binding of not one variable")
		case p.Local != nil:
			v.local(p.Local, t)
		default:
			v.check(v.p.Globals[p.Global.ID] == p.Global && p.Global.Type == t, "a binding of global %s", p.Global.Name)
		}
	case *ConstPat:
		v.word(p.Bits, t)
	case *RangePat:
		v.word(p.Lo, t)
		v.word(p.Hi, t)
		v.check(t.Kind.IsInt() && !t.Kind.LessWords(p.Hi, p.Lo), "a range pattern of type %s", t)
	case *TuplePat:
		if t.Kind != Tuple || len(t.Args) != len(p.Elems) {
			v.check(false, "a tuple pattern for %s", t)
			return
		}
		for i, q := range p.Elems {
			v.pattern(q, t.Args[i])
		}
	case *OrPat:
		for _, q := range p.Alts {
			v.pattern(q, t)
		}
	}
}
