package core

import (
	"math"
	"strconv"
	"strings"

	"rokrig/compiler/source"
)

// Print writes a module as text: S-expressions with the operator first, words as `[off:class ...]` where they are not all
// of a variable, sites as `#n` and places as `@line:column`. The text is for people and tests; nothing reads it back.
func Print(m *Module) string {
	p := &printer{module: m}
	for i, s := range m.Strings {
		p.line("string " + strconv.Itoa(i) + " " + strconv.Quote(s))
	}
	for _, g := range m.Globals {
		p.global(g)
	}
	for _, f := range m.Funcs {
		p.function(f)
	}
	return p.text()
}

// PrintFunc writes the functions of that name alone, as Print does.
func PrintFunc(m *Module, name string) string {
	p := &printer{module: m}
	for _, f := range m.Funcs {
		if f.Name == name {
			p.function(f)
		}
	}
	return p.text()
}

// printWidth is the column up to which a whole expression stands on one line.
const printWidth = 110

type printer struct {
	module *Module
	out    strings.Builder
	buf    []byte // the expression at hand, on one line
}

func (p *printer) text() string {
	if p.out.Len() > 0 {
		p.out.WriteByte('\n')
	}
	return p.out.String()
}

// line starts a new line: the parentheses that close go to the end of the one before.
func (p *printer) line(s string) {
	if p.out.Len() > 0 {
		p.out.WriteByte('\n')
	}
	p.out.WriteString(s)
}

func (p *printer) global(g *Global) {
	text := "global " + strconv.Itoa(int(g.ID)) + " " + g.Name + classList(g.Classes) + " ="
	for _, w := range g.Init {
		if w.IsStr {
			text += " string:" + strconv.Itoa(int(w.Str))
		} else {
			text += " " + strconv.FormatInt(int64(w.Bits), 10)
		}
	}
	p.line(text)
}

func (p *printer) function(f *Func) {
	head := "func " + strconv.Itoa(int(f.ID)) + " " + f.Name + " ("
	for i, v := range f.Locals[:f.Params] {
		if i > 0 {
			head += ", "
		}
		head += localName(v) + classList(v.Classes)
	}
	head += ")" + classList(f.Result)
	if f.ID == p.module.Main {
		head += " main"
	}
	p.line(head)
	for _, v := range f.Locals[f.Params:] {
		p.line("  local " + localName(v) + classList(v.Classes))
	}
	p.expr(f.Body, 1)
}

// localName is a name that no other local of the function has.
func localName(v *Local) string {
	if v == nil {
		return "nil"
	}
	return v.Name + "." + strconv.Itoa(int(v.ID))
}

func classList(words []Class) string {
	text := " ["
	for i, c := range words {
		if i > 0 {
			text += " "
		}
		text += c.String()
	}
	return text + "]"
}

// expr writes an expression, broken into lines where it is too wide.
func (p *printer) expr(e Expr, depth int) {
	indent := strings.Repeat("  ", depth)
	p.buf = p.buf[:0]
	if p.flat(e, printWidth-len(indent)) {
		p.line(indent + string(p.buf))
		return
	}
	p.line(indent + "(" + p.head(e))
	for _, part := range parts(e) {
		if part.label != "" {
			p.line(indent + "  " + part.label)
		}
		if part.e != nil {
			p.expr(part.e, depth+1)
		}
	}
	p.out.WriteByte(')')
}

// flat appends an expression to the buffer and reports whether the buffer is still at most width wide.
func (p *printer) flat(e Expr, width int) bool {
	p.buf = append(p.buf, '(')
	p.buf = append(p.buf, p.head(e)...)
	for _, part := range parts(e) {
		if part.label != "" {
			p.buf = append(append(p.buf, ' '), part.label...)
		}
		if part.e != nil {
			p.buf = append(p.buf, ' ')
			if len(p.buf) > width || !p.flat(part.e, width) {
				return false
			}
		}
	}
	p.buf = append(p.buf, ')')
	return len(p.buf) <= width
}

func (p *printer) at(pos source.Pos) string {
	if pos == source.NoPos || p.module.Source == nil {
		return " @?"
	}
	where := p.module.Source.Position(pos)
	return " @" + strconv.Itoa(where.Line) + ":" + strconv.Itoa(where.Col)
}

func siteText(s SiteID) string { return " #" + strconv.Itoa(int(s)) }

// slice is the words that are read, where they are not all of the variable's.
func slice(off int, words, all []Class) string {
	if off == 0 && sameClasses(words, all) {
		return ""
	}
	return " " + strconv.Itoa(off) + ":" + strings.TrimSpace(classList(words))
}

func offset(off int) string {
	if off == 0 {
		return ""
	}
	return " " + strconv.Itoa(off) + ":"
}

// head is what stands before the operands: the operator and all that is not an expression.
func (p *printer) head(e Expr) string {
	switch e := e.(type) {
	case *Const:
		return constText(e)
	case *Str:
		return "str " + strconv.Itoa(int(e.ID)) + " " + strconv.Itoa(e.Len)
	case *Undef:
		return "undef" + classList(e.Words)
	case *FuncAddr:
		return "funcaddr " + p.funcName(e.Func)
	case *LocalGet:
		return "get " + localName(e.Local) + slice(e.Off, e.Words, e.Local.Classes)
	case *GlobalGet:
		return "global.get " + e.Global.Name + slice(e.Off, e.Words, e.Global.Classes)
	case *Op:
		return p.opText(e)
	case *Concat:
		return "concat"
	case *Part:
		return "part " + strconv.Itoa(e.Off) + ":" + strings.TrimSpace(classList(e.Words))
	case *Call:
		return "call " + p.funcName(e.Func) + siteText(e.Site) + p.at(e.Pos)
	case *CallIndirect:
		return "call.indirect" + siteText(e.Site) + p.at(e.Pos) + classList(e.Words)
	case *Let:
		return "let " + localName(e.Local)
	case *Assign:
		return "set " + localName(e.Local) + offset(e.Off)
	case *SetGlobal:
		return "global.set " + e.Global.Name + offset(e.Off)
	default:
		return p.controlHead(e)
	}
}

func (p *printer) controlHead(e Expr) string {
	switch e := e.(type) {
	case *Seq:
		return "seq"
	case *Block:
		return "block " + labelName(e.Label) + words(e.Words)
	case *Br:
		return "br " + labelName(e.Label)
	case *If:
		return "if" + words(e.Words)
	case *Switch:
		return "switch." + e.Scalar.String() + words(e.Words)
	case *Loop:
		if e.Bounded {
			return "loop.bounded"
		}
		return "loop"
	case *While:
		return "while"
	case *Poll:
		return "poll" + siteText(e.Site)
	case *Panic:
		return "panic" + siteText(e.Site) + p.at(e.Pos)
	case *Return:
		return "return"
	}
	return "?"
}

func words(list []Class) string {
	if len(list) == 0 {
		return ""
	}
	return classList(list)
}

func labelName(id LabelID) string { return "L" + strconv.Itoa(int(id)) }

func constText(e *Const) string {
	switch e.Class {
	case F32:
		return "f32 " + strconv.FormatFloat(float64(math.Float32frombits(uint32(e.Bits))), 'g', -1, 32)
	case F64:
		return "f64 " + strconv.FormatFloat(math.Float64frombits(e.Bits), 'g', -1, 64)
	case Int:
		return strconv.FormatInt(int64(e.Bits), 10)
	}
	return e.Class.String() + " " + strconv.FormatInt(int64(e.Bits), 10)
}

func (p *printer) opText(e *Op) string {
	text := e.Op.String()
	if e.Scalar != NoScalar {
		text += "." + e.Scalar.String()
	}
	if e.From != NoScalar {
		text += "." + e.From.String()
	}
	if e.Op.Has(MayCall) {
		text += siteText(e.Site)
	}
	if e.Op.Has(MayPanic) {
		text += p.at(e.Pos)
	}
	return text
}

func (p *printer) funcName(id FuncID) string {
	if int(id) < 0 || int(id) >= len(p.module.Funcs) || p.module.Funcs[id] == nil {
		return strconv.Itoa(int(id))
	}
	return p.module.Funcs[id].Name + "." + strconv.Itoa(int(id))
}

// labelled is an operand, or a word before one.
type labelled struct {
	label string
	e     Expr
}

// parts are the operands in their order.
func parts(e Expr) []labelled {
	if s, ok := e.(*Switch); ok {
		list := []labelled{{"", s.X}}
		for _, c := range s.Cases {
			list = append(list, labelled{caseText(c), c.Body})
		}
		return append(list, labelled{"default", s.Default})
	}
	var list []labelled
	eachOperand(e, func(x Expr) { list = append(list, labelled{"", x}) })
	return list
}

func caseText(c Case) string {
	text := "case " + strconv.FormatInt(int64(c.Lo), 10)
	if c.Hi != c.Lo {
		text += ".." + strconv.FormatInt(int64(c.Hi), 10)
	}
	return text
}
