package x64

import (
	"errors"
	"fmt"
)

// Verify checks every function of p and reports every fault: operands that do not fit their forms, and stack depths that
// do not fit together. nil means none.
func Verify(p *Program) error {
	var faults []error
	for _, f := range p.Funcs {
		faults = append(faults, verifyOperands(p, f)...)
		faults = append(faults, VerifyAlignment(p, f)...)
	}
	return errors.Join(faults...)
}

// fits tells which operands a kind accepts.
func (k Kind) fits(o Operand) bool {
	switch k {
	case kNone:
		return o.Kind == OpNone
	case kR64, kR32, kR16, kR8:
		return o.Kind == OpReg && o.Reg <= R15
	case kX:
		return o.Kind == OpReg && o.Reg.IsVector()
	case kM64, kM8, kAddr:
		return o.Kind == OpMem && o.Val == int64(int32(o.Val)) &&
			((o.SymK == SymNone && o.Reg <= R15) || (o.SymK != SymNone && o.Reg == NoReg))
	case kI64:
		return o.Kind == OpImm
	case kI32:
		return o.Kind == OpImm && o.Val == int64(int32(o.Val))
	case kI8:
		return o.Kind == OpImm && o.Val == int64(int8(o.Val))
	case kCL:
		return o.Kind == OpReg && o.Reg == RCX
	case kLabel:
		return o.Kind == OpLabel
	case kSym:
		return o.Kind == OpSym && (o.SymK == SymFunc || o.SymK == SymEntry)
	}
	return false
}

// verifyOperands checks every instruction against its row, and that labels stand once.
func verifyOperands(p *Program, f *Func) (faults []error) {
	defined := make([]int, f.Labels)
	for i := range f.Insts {
		in := &f.Insts[i]
		if in.Form == NoForm || in.Form >= NumForms {
			faults = append(faults, fault(p, f, i, "no such form: %d", in.Form))
			continue
		}
		for n, k := range in.Form.Row().Args {
			o := in.Args[n]
			switch {
			case !k.fits(o):
				faults = append(faults, fault(p, f, i, "operand %d does not fit", n+1))
			case k == kLabel && (o.Val < 0 || o.Val >= int64(f.Labels)):
				faults = append(faults, fault(p, f, i, "label %d is outside the function's %d", o.Val, f.Labels))
			case k == kLabel && in.Form == LabelDef:
				defined[o.Val]++
			}
		}
	}
	for l, n := range defined {
		if n > 1 {
			faults = append(faults, fmt.Errorf("x64: %s: label %d stands %d times", f.Name, l, n))
		}
	}
	return faults
}

// Depths of the alignment check, in bytes from %rsp up to where it was before the call of the function, the return address
// included. There it was a multiple of 16, so it is one wherever the depth is.
const (
	unreached   = -1
	entryDepth  = wordSize     // the return address
	framedDepth = 2 * wordSize // and the caller's %rbp
)

// stackState is the stack at one point, as far as the check follows it.
type stackState struct {
	depth  int64 // bytes, return address included; unreached if no way leads here
	framed bool  // %rbp holds the stack pointer as it was at framedDepth
}

// VerifyAlignment follows %rsp through a function's instructions, knowing nothing of how they were made, and reports every
// call at which it is no multiple of 16, every place that two ways reach with different depths, and every return that
// would not find the return address.
func VerifyAlignment(p *Program, f *Func) []error {
	v := &stackWalk{p: p, f: f, at: make([]stackState, f.Labels), where: make([]int, f.Labels), report: map[int]bool{}}
	for l := range v.at {
		v.at[l].depth, v.where[l] = unreached, -1
	}
	for i := range f.Insts {
		if l, ok := v.label(i); ok && f.Insts[i].Form == LabelDef {
			v.where[l] = i
		}
	}
	v.walk(0, stackState{depth: entryDepth})
	for len(v.todo) > 0 {
		l := v.todo[len(v.todo)-1]
		v.todo = v.todo[:len(v.todo)-1]
		v.walk(v.where[l], v.at[l])
	}
	return v.faults
}

type stackWalk struct {
	p      *Program
	f      *Func
	at     []stackState // by label: as the first way reached it
	where  []int        // by label: index of its definition
	todo   []Label      // reached by a jump, not walked yet
	faults []error
	report map[int]bool // instructions that have a fault already; never iterated
}

// label returns the label that an instruction defines or jumps to; false if it has none that exists, which is a fault of its
// operands and reported as such.
func (v *stackWalk) label(i int) (Label, bool) {
	o := v.f.Insts[i].Args[0]
	return Label(o.Val), o.Kind == OpLabel && o.Val >= 0 && o.Val < int64(len(v.at))
}

func (v *stackWalk) fault(i int, format string, args ...any) {
	if !v.report[i] {
		v.report[i] = true
		v.faults = append(v.faults, fault(v.p, v.f, i, format, args...))
	}
}

// reach merges a way to a label with those before, and reports whether it was the first.
func (v *stackWalk) reach(i int, l Label, s stackState) bool {
	switch was := v.at[l]; {
	case v.where[l] < 0:
		v.fault(i, "jump to label %d, which stands nowhere", l)
	case was.depth == unreached:
		v.at[l] = s
		return true
	case was.depth != s.depth:
		v.fault(i, "label %d is reached with %d bytes on the stack, and elsewhere with %d", l, s.depth, was.depth)
	case was.framed != s.framed:
		v.fault(i, "label %d is reached with and without a frame", l)
	}
	return false
}

// walk follows instructions from index i on until they end or meet what was walked before.
func (v *stackWalk) walk(i int, s stackState) {
	started := false
	for ; i < len(v.f.Insts); i++ {
		in := &v.f.Insts[i]
		l, labelled := v.label(i)
		if in.Form == LabelDef && labelled {
			if started || v.at[l].depth == unreached {
				if !v.reach(i, l, s) {
					return
				}
			}
			started = true
			continue
		}
		started = true
		if in.Form >= NumForms {
			continue // reported with the operands
		}
		row := in.Form.Row()
		if labelled && (row.Flow == Maybe || row.Flow == Jump) && v.reach(i, l, s) {
			v.todo = append(v.todo, l)
		}
		switch {
		case row.Flow == Call && s.depth%stackAlign != 0:
			v.fault(i, "the stack is not aligned at this call: %d bytes", s.depth)
		case in.Form == Ret && (s.depth != entryDepth || s.framed):
			v.fault(i, "return with %d bytes on the stack", s.depth)
		}
		if row.Flow == Jump || row.Flow == End {
			return
		}
		s = v.step(i, in, s)
	}
	v.fault(len(v.f.Insts)-1, "control runs past the function's end")
}

// step returns the state after an instruction.
func (v *stackWalk) step(i int, in *Inst, s stackState) stackState {
	row := in.Form.Row()
	s.depth += wordSize * int64(row.Push)
	dest := lastArg(in)
	switch {
	case in.Form == SubIR && dest == reg(RSP):
		s.depth += in.Args[0].Val
	case in.Form == AddIR && dest == reg(RSP):
		s.depth -= in.Args[0].Val
	case in.Form == MovRR && dest == reg(RBP):
		if in.Args[0] != reg(RSP) || s.depth != framedDepth || s.framed {
			v.fault(i, "the frame pointer changes")
		}
		s.framed = true
	case in.Form == Leave:
		if !s.framed {
			v.fault(i, "leave without a frame")
		}
		s = stackState{depth: entryDepth}
	case in.Form == PushR || in.Form == CmpRR || in.Form == TestRR:
	case dest == reg(RSP) || dest == reg(RBP):
		v.fault(i, "the stack pointer or frame pointer is written")
	}
	if low := int64(entryDepth); s.depth < low || s.framed && s.depth < framedDepth {
		v.fault(i, "more is popped than was pushed")
	}
	return s
}

// lastArg returns the destination operand.
func lastArg(in *Inst) Operand {
	for n := len(in.Args) - 1; n >= 0; n-- {
		if in.Args[n].Kind != OpNone {
			return in.Args[n]
		}
	}
	return Operand{}
}

// fault describes a fault at instruction i with its text and place in the source.
func fault(p *Program, f *Func, i int, format string, args ...any) error {
	where, text := "", "(no instruction)"
	if i >= 0 && i < len(f.Insts) {
		text = instText(p, f, i)
		if in := &f.Insts[i]; in.Pos != 0 {
			line, col := p.position(in)
			where = fmt.Sprintf(" at %s:%d:%d", p.Module.Source.Name, line, col)
		}
	}
	return fmt.Errorf("x64: %s%s: instruction %d, %s: %s", f.Name, where, i, text, fmt.Sprintf(format, args...))
}

// instText prints one instruction, also one that is broken.
func instText(p *Program, f *Func, i int) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("(form %d, unprintable)", f.Insts[i].Form)
		}
	}()
	pr := &printer{program: p, fn: f, names: symbolNames(p)}
	pr.inst(&f.Insts[i])
	return firstLine(pr.out)
}
