package types

import (
	"testing"

	"rokrig/compiler/mutant"
)

func plan(t *testing.T, name string) *mutant.Plan {
	t.Helper()
	p, err := mutant.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Each mutant of the checker changes the program below as its entry says, and is reached.
func TestMutants(t *testing.T) {
	for _, c := range []struct {
		name, text string
		differs    func(p *Program) bool
	}{
		{"front/shadow-outer", "fn f(x: i64) -> i64 { let x = x + 1; x }", func(p *Program) bool {
			return tailOf(p, 0).(*LocalRef).Local == p.Funcs[0].Params[0]
		}},
		{"front/literal-negation", "fn f(x: i64) { match x { -5 => {}, _ => {} } }", func(p *Program) bool {
			return tailOf(p, 0).(*Match).Arms[0].Pat.(*ConstPat).Bits == 5
		}},
		{"front/f32-literal-via-f64", "static S: f32 = 1.000000059604644775390626;", func(p *Program) bool {
			return p.Globals[0].Init.(*Const).Bits == 0x3f800000
		}},
		{"front/static-shift-unmasked", "static S: u8 = 3 << 9;", func(p *Program) bool {
			return p.Globals[0].Init.(*Const).Bits == 0
		}},
		{"arith/static-shift-logical", "static S: i8 = -64 >> 2;", func(p *Program) bool {
			return p.Globals[0].Init.(*Const).Bits == 48
		}},
		{"front/shadow-shares", "fn f() -> i64 { let mut x = 1; { let mut x = 2; x += 1; } x }", func(p *Program) bool {
			return len(p.Funcs[0].Locals) == 1
		}},
		{"front/accept-missing-case", "match 1 { 1 => print 2 }", func(p *Program) bool { return true }},
	} {
		m := plan(t, c.name)
		p, diags := checkText("mutant.rok", c.text, m)
		if p == nil || !c.differs(p) || !m.Reached() {
			t.Errorf("%s: reached %v, program %v\n%s", c.name, m.Reached(), p != nil, diags)
		}
		if p, _ := checkText("mutant.rok", c.text, nil); p != nil && c.differs(p) {
			t.Errorf("%s: the program without the mutant is the same", c.name)
		}
	}
}
