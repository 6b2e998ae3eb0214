package x64

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"rokrig/compiler/core"
	"rokrig/compiler/mutant"
	"rokrig/runtime/abi"
)

// Section is a part of an Object.
type Section uint8

// The sections: machine code, constants, initialised data.
const (
	Text Section = iota
	Rodata
	Data
	numSections
)

// FixupKind says how an address is written at a fixup.
type FixupKind uint8

// The kinds of fixups.
const (
	Abs64   FixupKind = iota // eight bytes: the address
	Rel32                    // four bytes: the distance from the fixup itself
	Thread4                  // four bytes: an offset from the thread pointer
)

// RefKind says what a fixup refers to.
type RefKind uint8

// The things that fixups refer to.
const (
	RefText   RefKind = iota // this object's code
	RefRodata                // its constants
	RefData                  // its data
	RefEntry                 // a runtime entry point; Ref.ID indexes abi.EntryPoints
	RefEmpty                 // the address of every empty string
	RefThread                // the thread block
)

// Fixup is a place whose final bytes depend on where things lie.
type Fixup struct {
	Off    uint32 // in its section
	In     Section
	Kind   FixupKind
	Ref    RefKind
	ID     int32
	Addend int64 // added to the referred address
}

// Object is a program's machine code and data, not yet bound to addresses. It says the same as the program's text.
type Object struct {
	Bytes  [numSections][]byte
	Fixups []Fixup
	Main   int // offset of rok_main in Text
	Module int // offset of rok_module in Data
}

// encoder makes one object. Its slices are used again for the next one.
type encoder struct {
	p       *Program
	obj     *Object
	text    []byte
	fixups  []Fixup
	funcs   []int // offset of each function in Text, by FuncID
	locals  []localRef
	calls   []listedReturn
	globals []int // offset in Data, by GlobalID
	strings []int // offset in Rodata, by StringID

	// of the function at hand, while its jumps have no size yet
	raw    []byte
	labels []mark
	jumps  []jump
	sizes  []int // total size of the jumps before the i-th
	fixes  []rawFix
	rets   []rawReturn
}

// mark is a place in code whose jumps have no bytes yet: an offset, and how many jumps stand before it.
type mark struct{ off, jumps int }

// jump is a jump whose distance is not known yet; it stands at a mark and goes to a label.
type jump struct {
	at    mark
	label Label
	form  Form
	long  bool
}

type rawFix struct {
	at  mark
	fix Fixup
	sym Sym // SymFunc is resolved when all functions have their place
}

type rawReturn struct {
	at mark
	in *Inst
}

// localRef is a distance to a function of the same program.
type localRef struct {
	off    int
	fn     core.FuncID
	addend int64
}

// listedReturn is a row of the call-site table.
type listedReturn struct {
	off int
	in  *Inst
}

// Assemble encodes a program. The bytes are those that GNU as makes of the program's text.
func (p *Program) Assemble() *Object {
	e := encoders.Get().(*encoder)
	defer e.release()
	e.p, e.obj = p, &Object{}
	e.text, e.fixups, e.locals, e.calls = e.text[:0], e.fixups[:0], e.locals[:0], e.calls[:0]
	e.funcs = resize(e.funcs, len(p.Funcs))
	e.layData()
	for _, f := range p.Funcs {
		e.function(f)
	}
	for _, l := range e.locals {
		binary.LittleEndian.PutUint32(e.text[l.off:], uint32(int64(e.funcs[l.fn]-l.off)+l.addend))
	}
	e.obj.Main = e.funcs[p.Module.Main]
	e.callTable()
	e.obj.Bytes[Text] = append(make([]byte, 0, len(e.text)), e.text...)
	e.obj.Fixups = append(make([]Fixup, 0, len(e.fixups)), e.fixups...)
	return e.obj
}

var encoders = sync.Pool{New: func() any { return &encoder{} }}

// release gives the encoder back, without what it would keep alive.
func (e *encoder) release() {
	clear(e.calls)
	clear(e.rets)
	e.p, e.obj = nil, nil
	encoders.Put(e)
}

// resize returns a slice of n zeroes, in s if that is large enough.
func resize(s []int, n int) []int {
	if cap(s) < n {
		return make([]int, n, n+n/2)
	}
	s = s[:n]
	clear(s)
	return s
}

// function encodes one function behind those before it.
func (e *encoder) function(f *Func) {
	e.raw, e.jumps, e.fixes, e.rets = e.raw[:0], e.jumps[:0], e.fixes[:0], e.rets[:0]
	if cap(e.labels) < f.Labels {
		e.labels = make([]mark, f.Labels)
	}
	e.labels = e.labels[:f.Labels]
	for i := range f.Insts {
		e.inst(&f.Insts[i])
	}
	e.relax()
	base := len(e.text)
	e.funcs[f.ID] = base
	e.writeJumps()
	for _, r := range e.rets {
		e.calls = append(e.calls, listedReturn{base + e.offset(r.at), r.in})
	}
	for _, x := range e.fixes {
		x.fix.Off = uint32(base + e.offset(x.at))
		if x.sym.Kind == SymFunc {
			e.locals = append(e.locals, localRef{int(x.fix.Off), core.FuncID(x.sym.ID), x.fix.Addend})
			continue
		}
		e.fixups = append(e.fixups, x.fix)
	}
}

func (e *encoder) here() mark { return mark{len(e.raw), len(e.jumps)} }

// inst encodes one instruction.
func (e *encoder) inst(in *Inst) {
	row := &rows[in.Form]
	switch {
	case in.Form == LabelDef:
		e.labels[in.Args[0].Val] = e.here()
		return
	case row.Enc.Layout == Rel && row.Args[0] == kLabel:
		e.jumps = append(e.jumps, jump{at: mark{len(e.raw), len(e.jumps)}, label: Label(in.Args[0].Val), form: in.Form})
		return
	}
	e.encode(in, row)
	if in.Site != NoSite {
		e.rets = append(e.rets, rawReturn{e.here(), in})
	}
}

// REX bits.
const (
	rexBase = 0x40
	rexW    = 8
	rexR    = 4
	rexB    = 1
)

// encode appends the bytes of an instruction that is no jump.
func (e *encoder) encode(in *Inst, row *Row) {
	enc := &row.Enc
	var reg, rm *Operand
	immediate := -1
	switch enc.Layout {
	case RegToRM:
		reg, rm = &in.Args[0], &in.Args[1]
	case RMToReg:
		rm, reg = &in.Args[0], &in.Args[1]
	case ExtRM, InOp:
		last := 0
		for last+1 < len(row.Args) && row.Args[last+1] != kNone {
			last++
		}
		rm = &in.Args[last]
		if last > 0 && in.Args[0].Kind == OpImm {
			immediate = 0
		}
	case ImmOnly:
		immediate = 0
	}
	op, size := enc.Op, 0
	if immediate >= 0 {
		op, size = e.immediateForm(row, rm, in.Args[0].Val)
	}
	e.prefixes(row, in, reg, rm)
	if enc.Two {
		e.raw = append(e.raw, 0x0f)
	}
	switch {
	case enc.Layout == InOp:
		e.raw = append(e.raw, op|rm.Reg.Code()&7)
	case op == enc.Acc && enc.Acc != 0 || enc.Layout == Plain || enc.Layout == ImmOnly:
		e.raw = append(e.raw, op)
	case enc.Layout == Rel:
		e.raw = append(e.raw, op)
		e.fix(Sym{in.Args[0].SymK, in.Args[0].Sym}, Rel32, -4)
		e.raw = append(e.raw, 0, 0, 0, 0)
	default:
		e.raw = append(e.raw, op)
		field := enc.Ext
		if reg != nil {
			field = reg.Reg.Code()
		}
		e.modRM(field&7, rm, size)
	}
	if immediate >= 0 {
		e.number(in.Args[0].Val, size)
	}
}

// immediateForm chooses opcode and size of an instruction with an immediate.
func (e *encoder) immediateForm(row *Row, rm *Operand, v int64) (op byte, size int) {
	enc := &row.Enc
	switch {
	case row.Args[0] == kI64:
		return enc.Op, 8
	case row.Args[0] == kI8:
		return enc.Op, 1
	case enc.Short && (v == int64(int8(v)) || v == 128 && e.p.mutant.On(mutant.EncodeImm128)):
		return enc.Op | 2, 1
	case enc.Acc != 0 && rm.Kind == OpReg && rm.Reg == RAX:
		return enc.Acc, 4
	}
	return enc.Op, 4
}

// prefixes appends the segment, the mandatory and the REX prefix.
func (e *encoder) prefixes(row *Row, in *Inst, reg, rm *Operand) {
	if rm != nil && rm.Kind == OpMem && rm.SymK == SymThread {
		e.raw = append(e.raw, 0x64)
	}
	if row.Enc.Prefix != 0 {
		e.raw = append(e.raw, row.Enc.Prefix)
	}
	rex := byte(0)
	if row.Enc.Wide {
		rex |= rexW
	}
	if reg != nil && reg.Reg.Code() >= 8 {
		rex |= rexR
	}
	if rm != nil && rm.Reg != NoReg && rm.Kind != OpImm && rm.Reg.Code() >= 8 &&
		(in.Form != MovIR32 || !e.p.mutant.On(mutant.EncodeNoRexInShortMove)) {
		rex |= rexB
	}
	for i, k := range row.Args {
		// %spl, %bpl, %sil and %dil are what the codes of %ah and its like mean under any REX prefix.
		if k == kR8 && in.Args[i].Reg >= RSP && in.Args[i].Reg <= RDI {
			rex |= rexBase
		}
	}
	if rex != 0 {
		e.raw = append(e.raw, rexBase|rex)
	}
}

// ModRM.mod and special codes of ModRM.rm.
const (
	modDisp0  = 0 << 6
	modDisp8  = 1 << 6
	modDisp32 = 2 << 6
	modReg    = 3 << 6
	rmSIB     = 4 // a SIB byte follows
	rmRIP     = 5 // with modDisp0: relative to the next instruction
	sibBase   = 0x20
	sibNoBase = 0x25
)

// modRM appends ModRM, SIB and displacement; behind stands an immediate of so many bytes.
func (e *encoder) modRM(field byte, rm *Operand, behind int) {
	field <<= 3
	switch {
	case rm.Kind == OpReg:
		e.raw = append(e.raw, modReg|field|rm.Reg.Code()&7)
	case rm.SymK == SymThread:
		e.raw = append(e.raw, modDisp0|field|rmSIB, sibNoBase)
		e.fix(Sym{SymThread, 0}, Thread4, rm.Val)
		e.raw = append(e.raw, 0, 0, 0, 0)
	case rm.SymK != SymNone:
		e.raw = append(e.raw, modDisp0|field|rmRIP)
		e.fix(Sym{rm.SymK, rm.Sym}, Rel32, rm.Val-4-int64(behind))
		e.raw = append(e.raw, 0, 0, 0, 0)
	default:
		e.based(field, rm)
	}
}

// based appends an address of base register and displacement.
func (e *encoder) based(field byte, rm *Operand) {
	low := rm.Reg.Code() & 7
	mod, size := byte(modDisp32), 4
	switch {
	case rm.Val == 0 && low != RBP.Code(): // %rbp and %r13 without displacement mean something else
		mod, size = modDisp0, 0
	case rm.Val == int64(int8(rm.Val)) || rm.Val == 128 && e.p.mutant.On(mutant.EncodeDisp128):
		mod, size = modDisp8, 1
	}
	e.raw = append(e.raw, mod|field|low)
	if low == RSP.Code() { // %rsp and %r12 are the mark of a SIB byte
		e.raw = append(e.raw, sibBase|low)
	}
	e.number(rm.Val, size)
}

// number appends the low bytes of v.
func (e *encoder) number(v int64, size int) {
	for range size {
		e.raw = append(e.raw, byte(v))
		v >>= 8
	}
}

// fix notes that the bytes appended next depend on a symbol's address.
func (e *encoder) fix(s Sym, kind FixupKind, addend int64) {
	f := Fixup{In: Text, Kind: kind, Addend: addend}
	switch s.Kind {
	case SymGlobal:
		f.Ref, f.Addend = RefData, addend+int64(e.globals[s.ID])
	case SymString:
		f.Ref, f.Addend = RefRodata, addend+int64(e.strings[s.ID])
	case SymEntry:
		f.Ref, f.ID = RefEntry, s.ID
	case SymEmpty:
		f.Ref = RefEmpty
	case SymThread:
		f.Ref = RefThread
	}
	e.fixes = append(e.fixes, rawFix{e.here(), f, s})
}

// jumpSize is the size of a jump: two bytes if its distance fits a byte.
func (j *jump) size() int {
	switch {
	case !j.long:
		return 2
	case rows[j.form].Enc.Two:
		return 6
	}
	return 5
}

// offset is where a mark lies, now that jumps have sizes.
func (e *encoder) offset(m mark) int { return m.off + e.sizes[m.jumps] }

// relax finds the jumps that have to be long: all start short, and those that do not reach grow until nothing changes. The
// result is the least one, as GNU as finds it too.
func (e *encoder) relax() {
	if cap(e.sizes) <= len(e.jumps) {
		e.sizes = make([]int, len(e.jumps)+64)
	}
	e.sizes = e.sizes[:len(e.jumps)+1]
	for changed := true; changed; {
		changed = false
		total := 0
		for i := range e.jumps {
			e.sizes[i] = total
			total += e.jumps[i].size()
		}
		e.sizes[len(e.jumps)] = total
		for i := range e.jumps {
			j := &e.jumps[i]
			if d := e.distance(i); !j.long && d != int(int8(d)) && (d != 128 || !e.p.mutant.On(mutant.EncodeJump128)) {
				j.long, changed = true, true
			}
		}
	}
}

// distance is how far jump i goes from its end.
func (e *encoder) distance(i int) int {
	j := &e.jumps[i]
	return e.offset(e.labels[j.label]) - (e.offset(j.at) + j.size())
}

// writeJumps appends the function's bytes to the text, with its jumps between.
func (e *encoder) writeJumps() {
	text := e.text
	from := 0
	for i := range e.jumps {
		j := &e.jumps[i]
		text = append(text, e.raw[from:j.at.off]...)
		from = j.at.off
		enc := &rows[j.form].Enc
		d := uint32(e.distance(i))
		switch {
		case !j.long && enc.Two: // a condition: 0x0f 0x8c is long, 0x7c short
			text = append(text, enc.Op-0x10, byte(d))
		case !j.long:
			text = append(text, enc.Op|2, byte(d))
		case enc.Two:
			text = binary.LittleEndian.AppendUint32(append(text, 0x0f, enc.Op), d)
		default:
			text = binary.LittleEndian.AppendUint32(append(text, enc.Op), d)
		}
	}
	e.text = append(text, e.raw[from:]...)
}

// layData writes strings, globals and the module descriptor in the order of the program's text, all but the call-site table.
func (e *encoder) layData() {
	m := e.p.Module
	e.strings, e.globals = resize(e.strings, len(m.Strings)), resize(e.globals, len(m.Globals))
	var rodata []byte
	for i, s := range m.Strings {
		e.strings[i] = len(rodata)
		if nul := strings.IndexByte(s, 0); nul >= 0 && e.p.mutant.On(mutant.EncodeStringEndsAtNul) {
			s = s[:nul]
		}
		rodata = append(rodata, s...)
	}
	file := len(rodata)
	rodata = append(rodata, m.Source.Name...)
	for len(rodata)%abi.PointerSize != 0 {
		rodata = append(rodata, 0)
	}
	e.obj.Bytes[Rodata] = rodata
	for _, g := range m.Globals {
		e.globals[g.ID] = len(e.obj.Bytes[Data])
		for _, w := range g.Init {
			e.initWord(w)
		}
	}
	e.obj.Module = len(e.obj.Bytes[Data])
	e.obj.Bytes[Data] = append(e.obj.Bytes[Data], make([]byte, abi.ModuleSize)...)
	e.moduleWord(abi.ModuleFileLen, uint64(len(m.Source.Name)))
	e.moduleRef(abi.ModuleFile, file)
	e.moduleRef(abi.ModuleCalls, len(rodata))
}

// initWord appends a global's initial word.
func (e *encoder) initWord(w core.InitWord) {
	data := &e.obj.Bytes[Data]
	if w.IsStr {
		f := Fixup{Off: uint32(len(*data)), In: Data, Kind: Abs64, Ref: RefEmpty}
		if stringSym(e.p.Module, w.Str).Kind == SymString {
			f.Ref, f.Addend = RefRodata, int64(e.strings[w.Str])
		}
		e.fixups = append(e.fixups, f)
		w.Bits = 0
	}
	*data = binary.LittleEndian.AppendUint64(*data, w.Bits)
}

func (e *encoder) moduleWord(field int, v uint64) {
	binary.LittleEndian.PutUint64(e.obj.Bytes[Data][e.obj.Module+field:], v)
}

// moduleRef makes a field of the module descriptor an address in Rodata.
func (e *encoder) moduleRef(field, rodata int) {
	e.fixups = append(e.fixups, Fixup{Off: uint32(e.obj.Module + field), In: Data, Kind: Abs64, Ref: RefRodata, Addend: int64(rodata)})
}

// callTable appends the call-site table to the constants.
func (e *encoder) callTable() {
	rodata := slices.Grow(e.obj.Bytes[Rodata], len(e.calls)*abi.CallEntrySize)
	for _, c := range e.calls {
		line, col := e.p.position(c.in)
		e.fixups = append(e.fixups, Fixup{Off: uint32(len(rodata)), In: Rodata, Kind: Abs64, Ref: RefText, Addend: int64(c.off)})
		rodata = binary.LittleEndian.AppendUint64(rodata, 0)
		for _, v := range [...]uint32{uint32(line), uint32(col), uint32(c.in.Site), 0} {
			rodata = binary.LittleEndian.AppendUint32(rodata, v)
		}
	}
	e.obj.Bytes[Rodata] = rodata
	e.moduleWord(abi.ModuleCallCount, uint64(len(e.calls)))
}
