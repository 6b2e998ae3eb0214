package x64

import (
	"strconv"

	"rokrig/runtime/abi"
)

// TextOptions says how a program is printed.
type TextOptions struct {
	// Prefix stands before every symbol that the program defines and gives its sections names of their own, so that many
	// programs fit into one assembler file. "" leaves the plain names that the runtime's archive expects.
	Prefix string
	// Lines adds .file and .loc directives.
	Lines bool
}

// printer appends one program's text.
type printer struct {
	out     []byte
	program *Program
	opts    TextOptions
	names   []string // symbols of the functions, by FuncID
	calls   []listedCall
	line    int // of the last .loc
	col     int
	fn      *Func
}

// listedCall is a row of the call-site table under construction.
type listedCall struct {
	fn   *Func
	inst *Inst
}

// AppendText appends the program as GNU as text.
func (p *Program) AppendText(out []byte, opts TextOptions) []byte {
	pr := &printer{out: out, program: p, opts: opts, names: symbolNames(p)}
	pr.section(".text", "ax")
	if opts.Lines {
		pr.str("\t.file 1 ")
		pr.quoted(p.Module.Source.Name)
		pr.str("\n")
	}
	for _, f := range p.Funcs {
		pr.function(f)
	}
	pr.data()
	if opts.Prefix == "" {
		pr.str("\t.section .note.GNU-stack,\"\",@progbits\n")
	}
	return pr.out
}

// AppendFuncText appends one function's instructions alone, as they stand in the program's text.
func (p *Program) AppendFuncText(out []byte, f *Func) []byte {
	pr := &printer{out: out, program: p, names: symbolNames(p), fn: f}
	for i := range f.Insts {
		pr.inst(&f.Insts[i])
	}
	return pr.out
}

// symbolNames gives every function its symbol: rok_main to main, `rok.u.` and the path to all others. A path that comes
// twice gets its number too.
func symbolNames(p *Program) []string {
	names := make([]string, len(p.Module.Funcs))
	seen := make(map[string]bool, len(names))
	for i, f := range p.Module.Funcs {
		n := "rok.u." + f.Name
		switch {
		case f.ID == p.Module.Main:
			n = abi.EntrySymbol
		case seen[n]:
			n += "." + strconv.Itoa(i)
		}
		seen[n] = true
		names[i] = n
	}
	return names
}

func (p *printer) str(s string) { p.out = append(p.out, s...) }
func (p *printer) num(v int64)  { p.out = strconv.AppendInt(p.out, v, 10) }

// quoted appends a string of arbitrary bytes as GNU as reads it.
func (p *printer) quoted(s string) {
	p.out = append(p.out, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			p.out = append(p.out, '\\', c)
		case c >= ' ' && c < 0x7f:
			p.out = append(p.out, c)
		default:
			p.out = append(p.out, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		}
	}
	p.out = append(p.out, '"')
}

// section switches to a section, with the program's own name behind the usual one when there is a prefix.
func (p *printer) section(name, flags string) {
	p.str("\t.section ")
	p.str(name)
	if p.opts.Prefix != "" {
		p.str(".")
		p.str(p.opts.Prefix)
	}
	p.str(",\"")
	p.str(flags)
	p.str("\",@progbits\n")
}

func (p *printer) function(f *Func) {
	p.fn = f
	name := p.names[f.ID]
	if f.ID == p.program.Module.Main {
		p.str("\t.globl ")
		p.defined(name)
		p.str("\n")
	}
	p.str("\t.type ")
	p.defined(name)
	p.str(", @function\n")
	p.defined(name)
	p.str(":\n")
	for i := range f.Insts {
		p.loc(&f.Insts[i])
		p.inst(&f.Insts[i])
	}
	p.str("\t.size ")
	p.defined(name)
	p.str(", .-")
	p.defined(name)
	p.str("\n")
}

// loc appends a .loc directive when the place in the source changes.
func (p *printer) loc(in *Inst) {
	if !p.opts.Lines || in.Pos == 0 || in.Form == LabelDef {
		return
	}
	at := p.program.Module.Source.Position(in.Pos)
	if at.Line == p.line && at.Col == p.col {
		return
	}
	p.line, p.col = at.Line, at.Col
	p.str("\t.loc 1 ")
	p.num(int64(at.Line))
	p.str(" ")
	p.num(int64(at.Col))
	p.str("\n")
}

// inst appends one instruction, and behind a call that the call-site table lists the label of its return address.
func (p *printer) inst(in *Inst) {
	row := &rows[in.Form]
	if in.Form == LabelDef {
		p.label(Label(in.Args[0].Val))
		p.str(":\n")
		return
	}
	p.out = append(p.out, '\t')
	p.str(row.Name)
	for i, k := range row.Args {
		if k == kNone {
			break
		}
		if i == 0 {
			p.out = append(p.out, ' ')
			if row.Star {
				p.out = append(p.out, '*')
			}
		} else {
			p.out = append(p.out, ", "...)
		}
		p.operand(k, &in.Args[i])
	}
	p.out = append(p.out, '\n')
	if in.Site != NoSite {
		p.callLabel(len(p.calls))
		p.str(":\n")
		p.calls = append(p.calls, listedCall{p.fn, in})
	}
}

// kindWidth is the width in which a register of a kind is printed.
var kindWidth = [...]width{kR64: width64, kR32: width32, kR16: width16, kR8: width8, kX: width64, kCL: width8, kSym: 0}

func (p *printer) operand(k Kind, o *Operand) {
	switch o.Kind {
	case OpReg:
		p.str(regNames[kindWidth[k]][o.Reg])
	case OpImm:
		p.out = append(p.out, '$')
		p.num(o.Val)
	case OpMem:
		p.memory(o)
	case OpLabel:
		p.label(Label(o.Val))
	case OpSym:
		p.symbol(Sym{o.SymK, o.Sym})
	default:
		panic("x64: an operand is missing in " + p.fn.Name)
	}
}

func (p *printer) memory(o *Operand) {
	if o.SymK == SymThread {
		p.str("%fs:" + abi.ThreadSymbol + "@tpoff")
	} else if o.SymK != SymNone {
		p.symbol(Sym{o.SymK, o.Sym})
	}
	if o.Val > 0 && o.SymK != SymNone {
		p.out = append(p.out, '+')
	}
	if o.Val != 0 {
		p.num(o.Val)
	}
	switch {
	case o.SymK == SymThread:
	case o.SymK != SymNone:
		p.str("(%rip)")
	default:
		p.out = append(p.out, '(')
		p.str(regNames[width64][o.Reg])
		p.out = append(p.out, ')')
	}
}

// label appends a function's label, unique in the assembler file.
func (p *printer) label(l Label) {
	p.local(".L")
	p.num(int64(p.fn.ID))
	p.out = append(p.out, '_')
	p.num(int64(l))
}

// local appends the start of a file-local label.
func (p *printer) local(kind string) {
	p.str(kind)
	if p.opts.Prefix != "" {
		p.str(p.opts.Prefix)
		p.out = append(p.out, '_')
	}
}

func (p *printer) callLabel(i int) {
	p.local(".Lc")
	p.num(int64(i))
}

// defined appends the name of a symbol that the program defines.
func (p *printer) defined(name string) {
	if p.opts.Prefix != "" {
		p.str(p.opts.Prefix)
		p.out = append(p.out, '.')
	}
	p.str(name)
}

func (p *printer) symbol(s Sym) {
	switch s.Kind {
	case SymFunc:
		p.defined(p.names[s.ID])
	case SymGlobal:
		p.local(".Lg")
		p.num(int64(s.ID))
	case SymString:
		p.local(".Ls")
		p.num(int64(s.ID))
	case SymEntry:
		p.str(abi.EntryPoints[s.ID].Name)
	case SymEmpty:
		p.str(abi.EmptySymbol)
	default:
		panic("x64: a symbol has no name")
	}
}

// position returns the line and column of a place in the module's source.
func (p *Program) position(in *Inst) (line, col int) {
	at := p.Module.Source.Position(in.Pos)
	return at.Line, at.Col
}
