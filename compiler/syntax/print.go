package syntax

import (
	"bytes"
	"strconv"
)

// PrintFile returns the canonical text of a file: four spaces a level, one statement a line, every block that is not empty
// broken over lines, parentheses only where the tree needs them.
//
// Parse(PrintFile(t)) equals t up to places for every tree of a form that Parse returns. A program that makes trees keeps
// to these forms: lists with a least length have it; TupleLit{} as a pattern is a LitPat; a FloatLit's Text has a point, an
// exponent or a suffix; IntLit.Base is set; an ExprStmt without Semi holds an expression that ends in a block, and is
// not the last of a block without a Tail (it would be the tail).
func PrintFile(f *File) string { return string(Append(make([]byte, 0, 4096), f)) }

// Append appends the canonical text of a file to dst.
func Append(dst []byte, f *File) []byte {
	w := printer{buf: dst}
	for i, d := range f.Decls {
		if i > 0 && (!isLine(d) || !isLine(f.Decls[i-1])) {
			w.buf = append(w.buf, '\n')
		}
		w.decl(d)
		w.buf = append(w.buf, '\n')
	}
	return w.buf
}

// isLine reports whether a declaration stands close to its neighbours.
func isLine(d Decl) bool {
	switch d.(type) {
	case *TopStmt, *StaticDecl:
		return true
	}
	return false
}

// Lines counts the lines of a file as PrintFile writes it, blank lines left out.
func Lines(f *File) int {
	text := Append(nil, f)
	return bytes.Count(text, []byte("\n")) - bytes.Count(text, []byte("\n\n"))
}

// PrintExpr returns the canonical text of an expression.
func PrintExpr(x Expr) string {
	var w printer
	w.expr(x, PrecNone, 0)
	return string(w.buf)
}

// PrintStmt returns the canonical text of a statement.
func PrintStmt(s Stmt) string {
	var w printer
	w.stmt(s)
	return string(w.buf)
}

// PrintDecl returns the canonical text of a declaration.
func PrintDecl(d Decl) string {
	var w printer
	w.decl(d)
	return string(w.buf)
}

// PrintPattern returns the canonical text of a pattern.
func PrintPattern(p Pattern) string {
	var w printer
	w.pattern(p, 0)
	return string(w.buf)
}

// PrintType returns the canonical text of a type.
func PrintType(t TypeExpr) string {
	var w printer
	w.typ(t)
	return string(w.buf)
}

// String returns the path as it is written in an expression.
func (p Path) String() string {
	var w printer
	w.path(p, false)
	return string(w.buf)
}

// printer appends text; indent is in levels.
type printer struct {
	buf    []byte
	indent int
}

func (w *printer) str(s string) { w.buf = append(w.buf, s...) }

func (w *printer) int(n int) { w.buf = strconv.AppendInt(w.buf, int64(n), 10) }

// line starts a new line.
func (w *printer) line() {
	w.buf = append(w.buf, '\n')
	for range w.indent {
		w.buf = append(w.buf, "    "...)
	}
}

// comma writes what stands before element i of a list.
func (w *printer) comma(i int) {
	if i > 0 {
		w.buf = append(w.buf, ", "...)
	}
}

// path writes a path; in a type, type arguments follow their name directly.
func (w *printer) path(p Path, inType bool) {
	for i := range p.Segments {
		if i > 0 {
			w.str("::")
		}
		w.segment(&p.Segments[i], inType)
	}
}

func (w *printer) segment(s *Segment, inType bool) {
	w.str(s.Name)
	if s.Args == nil {
		return
	}
	if !inType {
		w.str("::")
	}
	w.str("<")
	w.typeList(s.Args)
	w.str(">")
}

func (w *printer) typeList(list []TypeExpr) {
	for i, t := range list {
		w.comma(i)
		w.typ(t)
	}
}

func (w *printer) typ(t TypeExpr) {
	switch t := t.(type) {
	case *NamedType:
		w.path(t.Path, true)
	case *TupleType:
		w.str("(")
		w.typeList(t.Elems)
		if len(t.Elems) == 1 {
			w.str(",")
		}
		w.str(")")
	case *ArrayType:
		w.str("[")
		w.typ(t.Elem)
		w.str("]")
	case *UnionType:
		for i, m := range t.Members {
			if i > 0 {
				w.str(" | ")
			}
			w.member(m)
		}
	case *FnType:
		w.str("fn(")
		w.typeList(t.Params)
		w.str(")")
		w.signatureEnd(t.Throws, t.Result)
	case *AnyType:
		w.str("any")
		if t.Error {
			w.str(" Error")
		}
	case *NoneType:
		w.str("none")
	case *NeverType:
		w.str("!")
	}
}

// member writes a type where a `|` may follow that is not its own.
func (w *printer) member(t TypeExpr) {
	open := false
	switch t := t.(type) {
	case *UnionType:
		open = true
	case *FnType:
		open = t.Result != nil
	}
	if open {
		w.str("(")
	}
	w.typ(t)
	if open {
		w.str(")")
	}
}

// signatureEnd writes what follows the parameters of a function or a function type.
func (w *printer) signatureEnd(t *Throws, result TypeExpr) {
	if t != nil {
		w.str(" throws")
		if t.Type != nil {
			w.str(" (")
			w.typ(t.Type)
			w.str(")")
		}
	}
	if result != nil {
		w.str(" -> ")
		w.typ(result)
	}
}

func (w *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Let:
		w.str("let ")
		w.pattern(s.Pat, patNoType)
		if s.Type != nil {
			w.str(": ")
			w.typ(s.Type)
		}
		w.str(" = ")
		w.expr(s.Init, PrecNone, 0)
		w.str(";")
	case *ExprStmt:
		w.stmtExpr(s.X, PrecNone)
		if s.Semi || !endsInBlock(s.X) {
			w.str(";")
		}
	}
}

func (w *printer) block(b *Block) {
	if len(b.Stmts) == 0 && b.Tail == nil {
		w.str("{}")
		return
	}
	w.str("{")
	w.indent++
	for _, s := range b.Stmts {
		w.line()
		w.stmt(s)
	}
	if b.Tail != nil {
		w.line()
		w.stmtExpr(b.Tail, PrecNone)
	}
	w.indent--
	w.line()
	w.str("}")
}
