package core_test

import (
	"fmt"
	"math"

	"rokrig/compiler/core"
)

// evaluator runs the core of a function whose only effects are printing integers and calling itself not at all: enough to
// see which way a match goes.
type evaluator struct {
	module *core.Module
	locals map[*core.Local][]uint64
	trace  []string
	steps  int
}

// leaving is how a branch or return goes outward.
type leaving struct {
	label core.LabelID
	words []uint64
}

// run calls a function with the words of its arguments; how is "" or the panic's message.
func (v *evaluator) run(f *core.Func, args []uint64) (words []uint64, how string) {
	v.locals = map[*core.Local][]uint64{}
	for _, p := range f.Locals[:f.Params] {
		v.locals[p], args = args[:len(p.Classes)], args[len(p.Classes):]
	}
	defer func() {
		if text, ok := recover().(string); ok {
			how = text
		}
	}()
	return v.eval(f.Body), ""
}

func (v *evaluator) all(es []core.Expr) (words []uint64) {
	for _, e := range es {
		words = append(words, v.eval(e)...)
	}
	return words
}

func (v *evaluator) eval(e core.Expr) []uint64 {
	if v.steps++; v.steps > 1e6 {
		panic("too many steps")
	}
	switch e := e.(type) {
	case *core.Const:
		return []uint64{e.Bits}
	case *core.Str:
		return []uint64{uint64(e.ID), uint64(e.Len)}
	case *core.LocalGet:
		return append([]uint64(nil), v.locals[e.Local][e.Off:e.Off+len(e.Words)]...)
	case *core.Op:
		return v.op(e, v.all(e.Args))
	case *core.Concat:
		return v.all(e.Parts)
	case *core.Seq:
		v.all(e.List)
		if e.Tail != nil {
			return v.eval(e.Tail)
		}
	case *core.Let:
		v.locals[e.Local] = v.eval(e.Init)
	case *core.Assign:
		copy(v.locals[e.Local][e.Off:], v.eval(e.Value))
	case *core.If:
		if v.eval(e.Cond)[0] != 0 {
			return v.eval(e.Then)
		} else if e.Else != nil {
			return v.eval(e.Else)
		}
	case *core.Switch:
		return v.switched(e)
	case *core.Block:
		return v.block(e)
	case *core.Br:
		out := leaving{label: e.Label}
		if e.Value != nil {
			out.words = v.eval(e.Value)
		}
		panic(out)
	case *core.Loop:
		for {
			v.eval(e.Body)
		}
	case *core.Panic:
		panic(v.module.Strings[v.eval(e.Message)[0]])
	case *core.Poll:
	default:
		panic(fmt.Sprintf("no evaluation of %T", e))
	}
	return nil
}

func (v *evaluator) block(e *core.Block) (words []uint64) {
	defer func() {
		switch out := recover().(type) {
		case nil:
		case leaving:
			if out.label != e.Label {
				panic(out)
			}
			words = out.words
		default:
			panic(out)
		}
	}()
	return v.eval(e.Body)
}

func (v *evaluator) switched(e *core.Switch) []uint64 {
	x := v.eval(e.X)[0]
	for _, c := range e.Cases {
		inside := c.Lo <= x && x <= c.Hi
		if e.Scalar.IsSigned() {
			inside = int64(c.Lo) <= int64(x) && int64(x) <= int64(c.Hi)
		}
		if inside {
			return v.eval(c.Body)
		}
	}
	return v.eval(e.Default)
}

func (v *evaluator) op(e *core.Op, x []uint64) []uint64 {
	truth := func(b bool) []uint64 {
		if b {
			return []uint64{1}
		}
		return []uint64{0}
	}
	order := 0 // of x[0] and x[1]; 2 for a NaN
	if len(x) == 2 {
		order = compareWords(e.Scalar, x[0], x[1])
	}
	switch e.Op {
	case core.Add:
		return []uint64{x[0] + x[1]}
	case core.Not:
		return []uint64{x[0] ^ 1}
	case core.Eq:
		return truth(order == 0)
	case core.Ne:
		return truth(order != 0)
	case core.Lt:
		return truth(order == -1)
	case core.Le:
		return truth(order == -1 || order == 0)
	case core.Gt:
		return truth(order == 1)
	case core.Ge:
		return truth(order == 1 || order == 0)
	case core.StrEq:
		return truth(v.module.Strings[x[0]] == v.module.Strings[x[2]])
	case core.PrintIntLine, core.PrintI64, core.PrintU64, core.PrintBool:
		v.trace = append(v.trace, fmt.Sprint(int64(x[0])))
	case core.PrintSep, core.PrintNl:
	default:
		panic("no evaluation of " + e.Op.String())
	}
	return nil
}

func compareWords(s core.Scalar, a, b uint64) int {
	switch {
	case s == core.SF64:
		x, y := math.Float64frombits(a), math.Float64frombits(b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		case x == y:
			return 0
		}
		return 2
	case a == b:
		return 0
	case s.IsSigned() && int64(a) < int64(b) || !s.IsSigned() && a < b:
		return -1
	}
	return 1
}
