package types

import (
	"strings"
	"testing"
)

// tailOf returns the final value of a function's body.
func tailOf(p *Program, fn int) Expr { return p.Funcs[fn].Body.(*Block).Tail }

// Verify finds each kind of damage, and nothing in the undamaged program.
func TestVerifyFindsDamage(t *testing.T) {
	const text = `
static S: (i8, bool) = (-1, true);
fn f(a: i64, mut b: u8) -> i64 { b += 1; a + 1 }
fn g(c: bool) -> i64 { if c { f(1, 2) } else { loop { break 3 } } }
fn h(x: (i64, str)) -> i64 { match x { (1, "a") => 2, (3..=4, _) | (_, _) => x.0 } }
fn main() { let y = h((1, "s")); while y < 3 { continue } print y as u8, "abc"[0], len("x"); }
`
	for name, damage := range map[string]func(p *Program){
		"LocalRef has no type":    func(p *Program) { tailOf(p, 0).(*Binary).X.(*LocalRef).Typ = Prim(Invalid) },
		"has no type":             func(p *Program) { tailOf(p, 0).(*Binary).Y.(*Const).Typ = anInteger },
		"is not in the table":     func(p *Program) { p.Funcs[2].Params[0].Type = &Type{Kind: Tuple, ID: 1 << 20} },
		"used twice":              func(p *Program) { tailOf(p, 0).(*Binary).Y.(*Const).Node = tailOf(p, 0).ID() },
		"has number 999":          func(p *Program) { tailOf(p, 0).(*Binary).Node = 999 },
		"where i64 is wanted":     func(p *Program) { tailOf(p, 0).(*Binary).Y = p.Globals[0].Init.(*TupleExpr).Elems[0] },
		"not normalised":          func(p *Program) { p.Globals[0].Init.(*TupleExpr).Elems[0].(*Const).Bits = 0xff },
		"is no bool":              func(p *Program) { p.Globals[0].Init.(*TupleExpr).Elems[1].(*Const).Bits = 2 },
		"initialiser false":       func(p *Program) { p.Globals[0].Init = nil },
		"belongs to another":      func(p *Program) { tailOf(p, 0).(*Binary).X.(*LocalRef).Local = p.Funcs[1].Locals[0] },
		"used as i64":             func(p *Program) { tailOf(p, 0).(*Binary).X.(*LocalRef).Local = p.Funcs[0].Locals[1] },
		"which is not mut":        func(p *Program) { p.Funcs[0].Locals[1].Mut = false },
		"a call of":               func(p *Program) { c := call(p); c.Args = c.Args[1:] },
		"main is not among":       func(p *Program) { p.Main = &Func{} },
		"is not round its break":  func(p *Program) { loopOf(p).Body.(*Block).Tail.(*Break).Loop = 7 },
		"loop 0 of 0":             func(p *Program) { p.Funcs[1].Loops = 0 },
		"ends in a":               func(p *Program) { tailOf(p, 1).(*If).Then.(*Block).Typ = Prim(Unit) },
		"an if without else":      func(p *Program) { tailOf(p, 1).(*If).Else = nil },
		"a pattern of type":       func(p *Program) { arm(p, 0).Pat.(*TuplePat).Elems[0].(*ConstPat).Typ = Prim(U8) },
		"0x5 of type str":         func(p *Program) { arm(p, 0).Pat.(*TuplePat).Elems[1].(*ConstPat).Bits = 5 },
		"a range pattern of type": func(p *Program) { arm(p, 1).Pat.(*OrPat).Alts[0].(*TuplePat).Elems[0].(*RangePat).Hi = 0 },
		"part 5 of":               func(p *Program) { arm(p, 1).Body.(*TupleField).Index = 5 },
		"a cast to bool":          func(p *Program) { printArg(p, 0).(*Cast).Typ = Prim(Bool) },
		"a *types.StrIndex":       func(p *Program) { printArg(p, 1).(*StrIndex).Typ = Prim(I8) },
		"a *types.Len of type u8": func(p *Program) { printArg(p, 2).(*Len).Typ = Prim(U8) },
		"has number 5, not 0":     func(p *Program) { p.Funcs[0].ID = 5 },
		"not one variable":        func(p *Program) { p.Funcs[3].Body.(*Block).Stmts[0].(*LetStmt).Pat.(*BindPat).Local = nil },
		"fn(i64, u8) -> i64 with": func(p *Program) { call(p).Typ = Prim(U8) },
	} {
		p := mustCheck(t, text)
		damage(p)
		if faults := strings.Join(Verify(p), "\n"); !strings.Contains(faults, name) {
			t.Errorf("%s: not found, but:\n%s", name, faults)
		}
	}
}

func call(p *Program) *Call      { return tailOf(p, 1).(*If).Then.(*Block).Tail.(*Call) }
func loopOf(p *Program) *Loop    { return tailOf(p, 1).(*If).Else.(*Block).Tail.(*Loop) }
func arm(p *Program, i int) *Arm { return &tailOf(p, 2).(*Match).Arms[i] }
func printArg(p *Program, i int) Expr {
	return p.Funcs[3].Body.(*Block).Stmts[2].(*ExprStmt).X.(*Print).Args[i]
}
