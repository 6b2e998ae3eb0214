package x64

import (
	"rokrig/compiler/core"
	"rokrig/runtime/abi"
)

// data appends everything that is not code: the strings, the globals, the call-site table and the module descriptor.
func (p *printer) data() {
	m := p.program.Module
	p.section(".rodata", "a")
	for id, s := range m.Strings {
		p.symbol(Sym{SymString, int32(id)})
		p.str(":\n\t.ascii ")
		p.quoted(s)
		p.str("\n")
	}
	p.local(".Lfile")
	p.str(":\n\t.ascii ")
	p.quoted(m.Source.Name)
	p.str("\n\t.balign 8\n")
	p.local(".Lcalls")
	p.str(":\n")
	for i, c := range p.calls {
		p.callEntry(i, c)
	}
	p.section(".data", "aw")
	p.str("\t.balign 8\n")
	for _, g := range m.Globals {
		p.symbol(Sym{SymGlobal, int32(g.ID)})
		p.str(":\n")
		for _, w := range g.Init {
			p.str("\t.quad ")
			if w.IsStr {
				p.stringAddress(w.Str)
			} else {
				p.num(int64(w.Bits))
			}
			p.str("\n")
		}
	}
	p.descriptor()
}

// stringAddress names a string's data; all empty strings are one.
func (p *printer) stringAddress(id core.StringID) {
	p.symbol(stringSym(p.program.Module, id))
}

// callEntry appends a row of the call-site table.
func (p *printer) callEntry(i int, c listedCall) {
	line, col := p.program.position(c.inst)
	p.str("\t.quad ")
	p.callLabel(i)
	p.str("\n\t.long ")
	for i, v := range [...]int64{int64(line), int64(col), int64(c.inst.Site), 0} {
		if i > 0 {
			p.str(", ")
		}
		p.num(v)
	}
	p.str("\n")
}

// descriptor appends the module descriptor, field by field as runtime/abi lays it out.
func (p *printer) descriptor() {
	m := p.program.Module
	if p.opts.Prefix == "" {
		p.str("\t.globl " + abi.ModuleSymbol + "\n")
	}
	p.defined(abi.ModuleSymbol)
	p.str(":\n")
	at := 0
	field := func(offset int, label string, value int) {
		if offset > at {
			p.str("\t.zero ")
			p.num(int64(offset - at))
			p.str("\n")
		}
		p.str("\t.quad ")
		if label != "" {
			p.local(label)
		} else {
			p.num(int64(value))
		}
		p.str("\n")
		at = offset + abi.PointerSize
	}
	field(abi.ModuleFile, ".Lfile", 0)
	field(abi.ModuleFileLen, "", len(m.Source.Name))
	field(abi.ModuleCalls, ".Lcalls", 0)
	field(abi.ModuleCallCount, "", len(p.calls))
	p.str("\t.zero ")
	p.num(int64(abi.ModuleSize - at))
	p.str("\n")
}
