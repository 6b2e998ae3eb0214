package x64

import (
	"strings"

	"rokrig/compiler/core"
	"rokrig/compiler/source"
)

// Core by hand: short constructors, so that a test reads like the program that it is.

var (
	ints  = func(n int) []core.Class { return make([]core.Class, n) } // core.Int is 0
	strCl = []core.Class{core.Interior, core.Int}
)

// text is the source that hand-made positions point into: 20 lines of 80 columns.
var text = strings.Repeat(strings.Repeat(".", 80)+"\n", 20)

// at returns the position of a line and column of text.
func at(line, col int) source.Pos { return source.Pos(1 + (line-1)*81 + col - 1) }

// module makes a module of main and other functions, whose IDs follow their order, main first.
func module(funcs ...*core.Func) *core.Module {
	m := &core.Module{Source: source.NewFile("test.rok", text), Funcs: funcs}
	for i, f := range funcs {
		f.ID = core.FuncID(i)
	}
	return m
}

// mainFunc makes main.
func mainFunc(locals []*core.Local, body ...core.Expr) *core.Func {
	return fn("main", nil, locals, nil, seq(body...))
}

// fn makes a function and numbers its locals. Labels up to 15 may be used.
func fn(name string, params, locals []*core.Local, result []core.Class, body core.Expr) *core.Func {
	f := &core.Func{Name: name, Params: len(params), Result: result, Body: body, Labels: 16, Pos: at(1, 1)}
	f.Locals = append(append(f.Locals, params...), locals...)
	for i, l := range f.Locals {
		l.ID = core.LocalID(i)
	}
	return f
}

func local(classes ...core.Class) *core.Local { return &core.Local{Classes: classes} }

func locals(n int) []*core.Local {
	list := make([]*core.Local, n)
	for i := range list {
		list[i] = local(core.Int)
	}
	return list
}

func num(v int64) core.Expr { return &core.Const{Bits: uint64(v)} }

func seq(list ...core.Expr) core.Expr { return &core.Seq{List: list} }

func seqOf(tail core.Expr, list ...core.Expr) core.Expr { return &core.Seq{List: list, Tail: tail} }

func get(l *core.Local) core.Expr { return &core.LocalGet{Local: l, Words: l.Classes} }

func let(l *core.Local, x core.Expr) core.Expr { return &core.Let{Local: l, Init: x} }

func assign(l *core.Local, x core.Expr) core.Expr { return &core.Assign{Local: l, Value: x} }

// op applies an operator; its position is line 3, column 7.
func op(o core.Opcode, s core.Scalar, args ...core.Expr) core.Expr {
	_, out := o.Signature(s, s)
	return &core.Op{Op: o, Scalar: s, Args: args, Words: out, Pos: at(3, 7)}
}

func conv(from, to core.Scalar, x core.Expr) core.Expr {
	return &core.Op{Op: core.Conv, Scalar: to, From: from, Args: []core.Expr{x}, Words: []core.Class{to.Class()}, Pos: at(3, 7)}
}

func printInt(x core.Expr) core.Expr { return op(core.PrintIntLine, core.I64, x) }

func call(f *core.Func, args ...core.Expr) core.Expr {
	return &core.Call{Func: f.ID, Args: args, Words: f.Result, Pos: at(4, 9)}
}

func br(l core.LabelID, x core.Expr) core.Expr { return &core.Br{Label: l, Value: x} }

// str returns a string constant of m's pool.
func str(m *core.Module, s string) core.Expr {
	for i, old := range m.Strings {
		if old == s {
			return &core.Str{ID: core.StringID(i), Len: len(s)}
		}
	}
	m.Strings = append(m.Strings, s)
	return &core.Str{ID: core.StringID(len(m.Strings) - 1), Len: len(s)}
}
