package core_test

import (
	"strings"
	"testing"

	"rokrig/compiler/core"
	"rokrig/compiler/source"
)

// sample is a module that is right: main with an int parameter p and the locals x (int) and s (string), a second function
// f(int, string) -> string, two globals, a string, and a site of every kind. Its main does what a test puts in.
type sample struct {
	*core.Module
	main, f *core.Func
	p, x, s *core.Local
	g, h    *core.Global
}

var (
	intWord  = []core.Class{core.Int}
	strWords = []core.Class{core.Interior, core.Int}
)

// The sites of a sample. The first is the entry's poll.
const (
	entrySite core.SiteID = iota
	callSite
	helperSite
	pollSite
	panicSite
	entrySiteOfF
)

func newSample() *sample {
	m := &sample{Module: &core.Module{Source: source.NewFile("a.rok", "text"), Strings: []string{"abc"}}}
	m.Sites = []core.Site{{Kind: core.PollSite}, {Kind: core.CallSite}, {Kind: core.HelperSite}, {Kind: core.PollSite},
		{Kind: core.PanicSite}, {Kind: core.PollSite, Func: 1}}
	m.g = &core.Global{ID: 0, Name: "g", Classes: intWord, Init: make([]core.InitWord, 1)}
	m.h = &core.Global{ID: 1, Name: "h", Classes: strWords, Init: []core.InitWord{{IsStr: true}, {Bits: 3}}}
	m.Globals = []*core.Global{m.g, m.h}
	m.p = &core.Local{ID: 0, Name: "p", Classes: intWord}
	m.x = &core.Local{ID: 1, Name: "x", Classes: intWord}
	m.s = &core.Local{ID: 2, Name: "s", Classes: strWords}
	m.main = &core.Func{ID: 0, Name: "main", Params: 1, Locals: []*core.Local{m.p, m.x, m.s}, Labels: 4}
	a, b := &core.Local{ID: 0, Name: "a", Classes: intWord}, &core.Local{ID: 1, Name: "b", Classes: strWords}
	m.f = &core.Func{ID: 1, Name: "f", Params: 2, Locals: []*core.Local{a, b}, Result: strWords, Body: list(&core.Poll{Site: entrySiteOfF},
		&core.LocalGet{Local: b, Words: strWords})}
	m.Funcs = []*core.Func{m.main, m.f}
	m.does()
	return m
}

// does makes the expressions the body of main, behind the poll.
func (m *sample) does(es ...core.Expr) {
	m.main.Body = &core.Seq{List: append([]core.Expr{&core.Poll{Site: entrySite}}, es...)}
}

// list is a Seq whose last part is its value.
func list(es ...core.Expr) core.Expr {
	return &core.Seq{List: es[:len(es)-1], Tail: es[len(es)-1]}
}

func num(n uint64) core.Expr { return &core.Const{Bits: n} }

func text() core.Expr { return &core.Str{Len: 3} }

func nothing() core.Expr { return &core.Seq{} }

func (m *sample) get(v *core.Local) core.Expr { return &core.LocalGet{Local: v, Words: v.Classes} }

func (m *sample) poll() core.Expr { return &core.Poll{Site: pollSite} }

func add(args ...core.Expr) *core.Op {
	return &core.Op{Op: core.Add, Scalar: core.I64, Args: args, Words: intWord}
}

func div() *core.Op {
	return &core.Op{Op: core.Div, Scalar: core.I64, Args: []core.Expr{num(1), num(2)}, Words: intWord, Pos: 1, Site: helperSite}
}

func callF(args ...core.Expr) *core.Call {
	return &core.Call{Func: 1, Args: args, Words: strWords, Pos: 1, Site: callSite}
}

func panics() *core.Panic { return &core.Panic{Message: text(), Pos: 1, Site: panicSite} }

func cases(cs ...core.Case) *core.Switch {
	for i := range cs {
		cs[i].Body = nothing()
	}
	return &core.Switch{X: num(1), Scalar: core.I8, Cases: cs, Default: nothing()}
}

func block(label core.LabelID, body core.Expr, words ...core.Class) *core.Block {
	return &core.Block{Label: label, Words: words, Body: body}
}

func br(label core.LabelID, value ...core.Expr) *core.Br {
	b := &core.Br{Label: label}
	if len(value) > 0 {
		b.Value = value[0]
	}
	return b
}

// with changes an operator and returns it.
func with[T any](e *T, change func(*T)) *T {
	change(e)
	return e
}

// right lists what no verifier may object to.
var right = map[string]func(m *sample){
	"empty":     func(m *sample) {},
	"operators": func(m *sample) { m.does(add(num(1), m.get(m.p)), div()) },
	"call":      func(m *sample) { m.does(callF(num(1), text()), &core.FuncAddr{Func: 1}) },
	"call concat": func(m *sample) {
		m.does(callF(&core.Concat{Parts: []core.Expr{num(1), text()}, Words: []core.Class{core.Int, core.Interior, core.Int}}))
	},
	"let": func(m *sample) { m.does(&core.Let{Local: m.x, Init: num(1)}, m.get(m.x)) },
	"let on both sides": func(m *sample) {
		m.does(&core.If{Cond: m.get(m.p), Then: &core.Let{Local: m.x, Init: num(1)}, Else: &core.Let{Local: m.x, Init: num(2)}}, m.get(m.x))
	},
	"let on the side that goes on": func(m *sample) {
		m.does(&core.If{Cond: m.get(m.p), Then: &core.Let{Local: m.x, Init: num(1)}, Else: panics()}, m.get(m.x))
	},
	"let in all cases": func(m *sample) {
		s := cases(core.Case{Lo: 1, Hi: 1})
		s.Cases[0].Body, s.Default = &core.Let{Local: m.x, Init: num(1)}, &core.Let{Local: m.x, Init: num(1)}
		m.does(s, m.get(m.x))
	},
	"let before each branch": func(m *sample) {
		m.does(block(0, list(&core.If{Cond: m.get(m.p), Then: list(&core.Let{Local: m.x, Init: num(1)}, br(0))}, &core.Let{Local: m.x, Init: num(1)})), m.get(m.x))
	},
	"part of a string": func(m *sample) {
		m.does(&core.Let{Local: m.s, Init: text()}, &core.LocalGet{Local: m.s, Off: 1, Words: intWord}, &core.Assign{Local: m.s, Off: 1, Value: num(1)},
			&core.Part{X: m.get(m.s), Off: 0, Words: strWords[:1]}, &core.GlobalGet{Global: m.h, Words: strWords}, &core.SetGlobal{Global: m.h, Off: 1, Value: num(1)})
	},
	"block with a value": func(m *sample) {
		m.does(add(num(1), block(2, list(br(2, num(1)), &core.Undef{Words: intWord}), core.Int)))
	},
	"undef after a loop": func(m *sample) { m.does(list(&core.Loop{Body: m.poll()}, &core.Undef{Words: intWord})) },
	"undef after a call": func(m *sample) {
		m.f.Result, m.f.Body = nil, list(&core.Poll{Site: entrySiteOfF}, &core.Loop{Body: block(0, list(br(0)))})
		m.f.Labels = 1
		m.Sites = append(m.Sites, core.Site{Kind: core.PollSite, Func: 1})
		m.f.Body = &core.Seq{List: []core.Expr{&core.Poll{Site: entrySiteOfF}, &core.Loop{Body: &core.Poll{Site: entrySiteOfF + 1}}}}
		m.does(list(with(callF(num(1), text()), func(c *core.Call) { c.NoReturn, c.Words = true, nil }), &core.Undef{Words: intWord}))
	},
	"while": func(m *sample) { m.does(&core.While{Cond: m.get(m.p), Body: m.poll()}) },
	"poll behind": func(m *sample) {
		m.does(&core.Loop{Body: list(block(1, list(&core.If{Cond: m.get(m.p), Then: br(1)}, br(1))), m.poll())})
	},
	"bounded": func(m *sample) {
		m.does(block(0, &core.Loop{Body: &core.If{Cond: m.get(m.p), Then: br(0)}, Bounded: true}))
	},
	"no second turn": func(m *sample) { m.does(block(0, &core.Loop{Body: br(0)})) },
	"cases": func(m *sample) {
		m.does(cases(core.Case{Lo: ^uint64(127), Hi: ^uint64(0)}, core.Case{Lo: 0, Hi: 0}, core.Case{Lo: 1, Hi: 127}))
	},
	"call by value": func(m *sample) {
		m.does(&core.CallIndirect{Callee: &core.FuncAddr{Func: 1}, Args: []core.Expr{num(1)}, Pos: 1, Site: callSite})
	},
	"f32": func(m *sample) { m.does(&core.Const{Class: core.F32, Bits: 1<<32 - 1}) },
}

func TestVerifyRight(t *testing.T) {
	for name, build := range right {
		m := newSample()
		build(m)
		for _, fault := range core.Verify(m.Module) {
			t.Errorf("%s: %v", name, fault)
		}
	}
}

// wrong lists broken modules and what the verifier says of each.
var wrong = []struct {
	want  string
	build func(m *sample)
}{
	{"main is function 2 of 2", func(m *sample) { m.Main = 2 }},
	{"main is function -1 of 2", func(m *sample) { m.Main = -1 }},
	{"function 1 is missing", func(m *sample) { m.Funcs[1] = nil }},
	{"global 0 is missing", func(m *sample) { m.Globals[0] = nil }},
	{"global h has number 0 at place 1", func(m *sample) { m.h.ID = 0 }},
	{"global g has 1 words and 0 first values", func(m *sample) { m.g.Init = nil }},
	{"global h: string 1 of 1", func(m *sample) { m.h.Init[0].Str = 1 }},
	{"function f: has number 3 at place 1", func(m *sample) { m.f.ID = 3 }},
	{"function f: has 3 parameters and 2 locals", func(m *sample) { m.f.Params = 3 }},
	{"function f: has -1 parameters and 2 locals", func(m *sample) { m.f.Params = -1 }},
	{"local 1 is missing or has another number", func(m *sample) { m.main.Locals[1] = nil }},
	{"local 1 is missing or has another number", func(m *sample) { m.x.ID = 2 }},
	{"has no body", func(m *sample) { m.main.Body = nil }},
	{"does not begin with a poll", func(m *sample) { m.main.Body = nothing() }},
	{"does not begin with a poll", func(m *sample) { m.main.Body = list(num(1), &core.Poll{Site: entrySite}) }},
	{"the body leaves [int] where [interior int] are wanted", func(m *sample) { m.f.Body = list(&core.Poll{Site: entrySiteOfF}, num(1)) }},
	{"stands in two places", func(m *sample) { c := num(1); m.does(add(c, c)) }},
	{"stands in two places", func(m *sample) { e := div(); m.does(e, e) }},
	{"high half of an f32", func(m *sample) { m.does(&core.Const{Class: core.F32, Bits: 1 << 32}) }},
	{"string 1 of 1", func(m *sample) { m.does(&core.Str{ID: 1}) }},
	{"length 2 for a string of 3", func(m *sample) { m.does(&core.Str{Len: 2}) }},
	{"(undef [int]): can be reached", func(m *sample) { m.does(&core.Undef{Words: intWord}) }},
	{"(undef [int]): can be reached", func(m *sample) { m.does(list(callF(num(1), text()), &core.Undef{Words: intWord})) }},
	{"can be reached", func(m *sample) {
		m.does(list(block(0, &core.Loop{Body: list(br(0))}), &core.Undef{Words: intWord}))
	}},
	{"(funcaddr 2): function 2 of 2", func(m *sample) { m.does(&core.FuncAddr{Func: 2}) }},
	{"the local is not one of the function's", func(m *sample) { m.does(m.get(m.f.Locals[0])) }},
	{"the local is not one of the function's", func(m *sample) { m.does(&core.Let{Local: m.f.Locals[0], Init: num(1)}) }},
	{"the local is not one of the function's", func(m *sample) { m.does(&core.Assign{Local: m.f.Locals[0], Value: num(1)}) }},
	{"the global is not one of the module's", func(m *sample) { m.does(&core.GlobalGet{Global: &core.Global{}, Words: intWord}) }},
	{"the global is not one of the module's", func(m *sample) { m.does(&core.SetGlobal{Global: nil, Value: num(1)}) }},
	{"words [int] at 1 of [int]", func(m *sample) { m.does(&core.LocalGet{Local: m.p, Off: 1, Words: intWord}) }},
	{"words [int] at -1 of [int]", func(m *sample) { m.does(&core.LocalGet{Local: m.p, Off: -1, Words: intWord}) }},
	{"words [f64] at 0 of [int]", func(m *sample) { m.does(&core.LocalGet{Local: m.p, Words: []core.Class{core.F64}}) }},
	{"words [] at 0 of [int]", func(m *sample) { m.does(&core.LocalGet{Local: m.p}) }},
	{"words [int] at 0 of [interior int]", func(m *sample) { m.does(&core.GlobalGet{Global: m.h, Words: intWord}) }},
	{"words [int] at 0 of [interior int]", func(m *sample) { m.does(&core.Part{X: text(), Words: intWord}) }},
	{"words [interior int] at 0 of [int]", func(m *sample) { m.does(&core.Assign{Local: m.p, Value: text()}) }},
	{"words [int] at 0 of [interior int]", func(m *sample) { m.does(&core.SetGlobal{Global: m.h, Value: num(1)}) }},
	{"(part 0:[int]): the operand is missing", func(m *sample) { m.does(&core.Part{Words: intWord}) }},
	{"(set p.0): the value is missing", func(m *sample) { m.does(&core.Assign{Local: m.p}) }},
	{"the first value is missing", func(m *sample) { m.does(&core.Let{Local: m.p}) }},
	{"the first value leaves [interior int] where [int] are wanted", func(m *sample) { m.does(&core.Let{Local: m.x, Init: text()}) }},
	{"a part of the list is missing", func(m *sample) { m.does(&core.Seq{List: []core.Expr{nil}}) }},
	{"(get x.1): the local may have no value yet", func(m *sample) { m.does(m.get(m.x)) }},
	{"(set x.1): the local may have no value yet", func(m *sample) { m.does(&core.Assign{Local: m.x, Value: num(1)}) }},
	{"may have no value yet", func(m *sample) { m.does(&core.If{Cond: num(1), Then: &core.Let{Local: m.x, Init: num(1)}}, m.get(m.x)) }},
	{"may have no value yet", func(m *sample) {
		m.does(&core.While{Cond: num(1), Body: list(&core.Let{Local: m.x, Init: num(1)}, m.poll())}, m.get(m.x))
	}},
	{"may have no value yet", func(m *sample) {
		s := cases(core.Case{Lo: 1, Hi: 1})
		s.Cases[0].Body = &core.Let{Local: m.x, Init: num(1)}
		m.does(s, m.get(m.x))
	}},
	{"may have no value yet", func(m *sample) {
		s := cases(core.Case{Lo: 1, Hi: 1})
		s.Default = &core.Let{Local: m.x, Init: num(1)}
		m.does(s, m.get(m.x))
	}},
	{"may have no value yet", func(m *sample) {
		m.does(block(0, list(&core.If{Cond: num(1), Then: br(0)}, &core.Let{Local: m.x, Init: num(1)})), m.get(m.x))
	}},
	{"operator 0 does not exist", func(m *sample) { m.does(&core.Op{}) }},
	{"does not exist", func(m *sample) { m.does(&core.Op{Op: core.NumOps}) }},
	{"operator fdiv does not work on scalars 4, 0", func(m *sample) { m.does(&core.Op{Op: core.FDiv, Scalar: core.I64}) }},
	{"operator div does not work on scalars 10, 0", func(m *sample) { m.does(&core.Op{Op: core.Div, Scalar: core.SF64}) }},
	{"operator add does not work on scalars 0, 0", func(m *sample) { m.does(&core.Op{Op: core.Add}) }},
	{"operator neg does not work on scalars 8, 0", func(m *sample) { m.does(&core.Op{Op: core.Neg, Scalar: core.U64}) }},
	{"operator conv does not work on scalars 4, 0", func(m *sample) { m.does(&core.Op{Op: core.Conv, Scalar: core.I64}) }},
	{"operator conv does not work on scalars 11, 4", func(m *sample) { m.does(&core.Op{Op: core.Conv, Scalar: core.Bool, From: core.I64}) }},
	{"operator add does not work on scalars 4, 4", func(m *sample) { m.does(&core.Op{Op: core.Add, Scalar: core.I64, From: core.I64}) }},
	{"operator add does not work on scalars 99, 0", func(m *sample) { m.does(&core.Op{Op: core.Add, Scalar: 99}) }},
	{"takes [int int], its operands leave [int]", func(m *sample) { m.does(add(num(1))) }},
	{"takes [int int], its operands leave [int f64]", func(m *sample) { m.does(add(num(1), &core.Const{Class: core.F64})) }},
	{"(add.i64): an operand is missing", func(m *sample) { m.does(add(num(1), num(1), nil)) }},
	{"leaves [int], not []", func(m *sample) { m.does(with(add(num(1), num(1)), func(e *core.Op) { e.Words = nil })) }},
	{"can panic and has no position", func(m *sample) { m.does(with(div(), func(e *core.Op) { e.Pos = 0 })) }},
	{"site 9 of 6", func(m *sample) { m.does(with(div(), func(e *core.Op) { e.Site = 9 })) }},
	{"site -1 of 6", func(m *sample) { m.does(with(div(), func(e *core.Op) { e.Site = -1 })) }},
	{"site 0 is another node's too", func(m *sample) { m.does(&core.Poll{Site: entrySite}) }},
	{"site 1 is of kind 0 in function 0", func(m *sample) { m.does(with(div(), func(e *core.Op) { e.Site = callSite })) }},
	{"site 2 is of kind 1 in function 1", func(m *sample) { m.Sites[helperSite].Func = 1; m.does(div()) }},
	{"site 3 is of kind 2", func(m *sample) { m.does(with(panics(), func(e *core.Panic) { e.Site = pollSite })) }},
	{"site 4 is of kind 3", func(m *sample) { m.does(&core.Poll{Site: panicSite}) }},
	{"site 3 is of kind 2", func(m *sample) { m.does(with(callF(num(1), text()), func(e *core.Call) { e.Site = pollSite })) }},
	{"its operands leave [int]", func(m *sample) { m.does(&core.Concat{Parts: []core.Expr{num(1)}, Words: strWords}) }},
	{"function 2 of 2", func(m *sample) { m.does(with(callF(), func(e *core.Call) { e.Func = 2 })) }},
	{"takes [int interior int], its operands leave [int]", func(m *sample) { m.does(callF(num(1))) }},
	{"leaves [int], the function gives [interior int]", func(m *sample) {
		m.does(with(callF(num(1), text()), func(e *core.Call) { e.Words = intWord }))
	}},
	{"unknown node *core.Alien", func(m *sample) { m.does(&core.Alien{}) }},
	{"has no position", func(m *sample) { m.does(with(callF(num(1), text()), func(e *core.Call) { e.Pos = 0 })) }},
	{"never returns and leaves words", func(m *sample) { m.does(with(callF(num(1), text()), func(e *core.Call) { e.NoReturn = true })) }},
	{"the callee is missing", func(m *sample) { m.does(&core.CallIndirect{Pos: 1, Site: callSite}) }},
	{"the callee leaves [interior int]", func(m *sample) { m.does(&core.CallIndirect{Callee: text(), Pos: 1, Site: callSite}) }},
	{"(call.indirect #1 @1:1 []): an operand is missing", func(m *sample) {
		m.does(&core.CallIndirect{Callee: num(1), Args: []core.Expr{nil}, Pos: 1, Site: callSite})
	}},
	{"(call.indirect #1 @? []): has no position", func(m *sample) { m.does(&core.CallIndirect{Callee: num(1), Site: callSite}) }},
	{"label 4 of 4", func(m *sample) { m.does(block(4, nothing())) }},
	{"label -1 of 4", func(m *sample) { m.does(block(-1, nothing())) }},
	{"the label is another block's too", func(m *sample) { m.does(block(0, nothing()), block(0, nothing())) }},
	{"the label is another block's too", func(m *sample) { m.does(block(0, block(0, nothing()))) }},
	{"the block leaves [] where [int] are wanted", func(m *sample) { m.does(block(0, br(0, num(1)), core.Int)) }},
	{"the block is missing", func(m *sample) { m.does(block(0, nil)) }},
	{"no block round it has this label", func(m *sample) { m.does(br(0)) }},
	{"no block round it has this label", func(m *sample) { m.does(block(0, nothing()), br(0, add(num(1), num(1)))) }},
	{"no block round it has this label", func(m *sample) { m.does(br(7)) }},
	{"the branch is missing", func(m *sample) { m.does(block(0, list(br(0), &core.Undef{Words: intWord}), core.Int)) }},
	{"the branch leaves [int] where [] are wanted", func(m *sample) { m.does(block(0, br(0, num(1)))) }},
	{"the condition leaves []", func(m *sample) { m.does(&core.If{Cond: nothing(), Then: nothing()}) }},
	{"the condition is missing", func(m *sample) { m.does(&core.If{Then: nothing()}) }},
	{"the first side is missing", func(m *sample) { m.does(&core.If{Cond: num(1)}) }},
	{"the first side leaves [] where [int]", func(m *sample) { m.does(&core.If{Cond: num(1), Then: nothing(), Else: num(1), Words: intWord}) }},
	{"the other side leaves [] where [int]", func(m *sample) { m.does(&core.If{Cond: num(1), Then: num(1), Else: nothing(), Words: intWord}) }},
	{"the other side is missing", func(m *sample) { m.does(&core.If{Cond: num(1), Then: num(1), Words: intWord}) }},
	{"the first side leaves [int] where []", func(m *sample) { m.does(&core.If{Cond: num(1), Then: num(1)}) }},
	{"what is switched on leaves []", func(m *sample) { m.does(with(cases(), func(s *core.Switch) { s.X = nothing() })) }},
	{`switches on "f64"`, func(m *sample) { m.does(with(cases(), func(s *core.Switch) { s.Scalar = core.SF64 })) }},
	{"case 128 is not of the type", func(m *sample) { m.does(cases(core.Case{Lo: 128, Hi: 128})) }},
	{"case 2 is not of the type", func(m *sample) {
		m.does(with(cases(core.Case{Lo: 2, Hi: 2}), func(s *core.Switch) { s.Scalar = core.Bool }))
	}},
	{"case 2..1 is empty", func(m *sample) { m.does(cases(core.Case{Lo: 2, Hi: 1})) }},
	{"case 0..3 does not lie behind case 3", func(m *sample) { m.does(cases(core.Case{Lo: 3, Hi: 3}, core.Case{Lo: 0, Hi: 3})) }},
	{"case -1 does not lie behind case 0", func(m *sample) { m.does(cases(core.Case{Lo: 0, Hi: 0}, core.Case{Lo: ^uint64(0), Hi: ^uint64(0)})) }},
	{"the default is missing", func(m *sample) { m.does(with(cases(), func(s *core.Switch) { s.Default = nil })) }},
	{"a case leaves [] where [int]", func(m *sample) {
		m.does(with(cases(core.Case{Lo: 1, Hi: 1}), func(s *core.Switch) { s.Words, s.Default = intWord, num(1) }))
	}},
	{"(loop): can go round without a poll", func(m *sample) { m.does(&core.Loop{Body: nothing()}) }},
	{"(loop): can go round without a poll", func(m *sample) { m.does(&core.Loop{Body: &core.If{Cond: m.get(m.p), Then: m.poll()}}) }},
	{"(loop): can go round without a poll", func(m *sample) { m.does(&core.Loop{Body: &core.While{Cond: m.get(m.p), Body: m.poll()}}) }},
	{"(while): can go round without a poll", func(m *sample) {
		m.does(&core.While{Cond: num(1), Body: block(0, list(&core.If{Cond: m.get(m.p), Then: br(0)}, m.poll()))})
	}},
	{"the body leaves [int] where []", func(m *sample) { m.does(&core.Loop{Body: list(m.poll(), num(1))}) }},
	{"the condition leaves [interior int]", func(m *sample) { m.does(&core.While{Cond: text(), Body: m.poll()}) }},
	{"the message leaves [int]", func(m *sample) { m.does(with(panics(), func(e *core.Panic) { e.Message = num(1) })) }},
	{"can panic and has no position", func(m *sample) { m.does(with(panics(), func(e *core.Panic) { e.Pos = 0 })) }},
	{"the result leaves [int] where [] are wanted", func(m *sample) { m.does(&core.Return{Value: num(1)}) }},
	{"the result is missing", func(m *sample) { m.f.Body = list(&core.Poll{Site: entrySiteOfF}, &core.Return{}, text()) }},
}

func TestVerifyWrong(t *testing.T) {
	for _, c := range wrong {
		m := newSample()
		c.build(m)
		faults := core.Verify(m.Module)
		found := false
		for _, f := range faults {
			found = found || strings.Contains(f.Error(), c.want)
		}
		if !found {
			t.Errorf("want %q among %q", c.want, faults)
		}
	}
}

func TestVerifyReportsEveryFault(t *testing.T) {
	m := newSample()
	m.g.Init = nil
	m.does(m.get(m.x), br(0), add(num(1)), &core.Str{ID: 4})
	m.f.Body = nil
	if faults := core.Verify(m.Module); len(faults) != 6 {
		t.Errorf("want 6 faults (first values, no value, label, operands, string, body), got %q", faults)
	}
}
