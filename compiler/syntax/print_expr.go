package syntax

import (
	"strconv"
	"unicode"
	"unicode/utf8"
)

// exprFlags says what may not stand at the outside of an expression because of where it is printed.
type exprFlags uint8

const (
	// inHead: of if, while, match, for. No struct literal may stand open.
	inHead exprFlags = 1 << iota
	// atStmt: at the start of a statement. Nothing that ends in a block may stand first, since the statement would end
	// there. (A try never does: it is looser than any first operand may be.)
	atStmt
	// atTryBody: after the try of a statement. No block may stand first.
	atTryBody
)

// precOf returns how tightly an expression holds together. Prefixes that take all they can get (return, try, print) are
// as loose as what they take, so that they are put into parentheses whenever they are an operand.
func precOf(x Expr) Prec {
	switch x := x.(type) {
	case *Print:
		return PrecNone // it also takes the commas
	case *Assign, *Return, *Throw, *Break, *Continue:
		return PrecAssign
	case *Range, *Try:
		return PrecRange
	case *Binary:
		return x.Op.Prec()
	case *Cast:
		return PrecCast
	case *Unary, *Spawn:
		return PrecUnary
	}
	return PrecPostfix
}

// isBlockLike reports whether x is an expression that ends a statement with its closing brace.
func isBlockLike(x Expr) bool {
	switch x.(type) {
	case *Block, *If, *IfLet, *Match, *Loop, *While, *For:
		return true
	}
	return false
}

// endsInBlock reports whether x, as a statement, needs no semicolon.
func endsInBlock(x Expr) bool {
	if t, ok := x.(*Try); ok {
		_, block := t.X.(*Block)
		return block || len(t.Catches) > 0 || t.Finally != nil
	}
	return isBlockLike(x)
}

func needsParens(x Expr, least Prec, f exprFlags) bool {
	if precOf(x) < least {
		return true
	}
	if f == 0 {
		return false
	}
	switch x.(type) {
	case *StructLit:
		return f&inHead != 0
	case *Block:
		return f&(atStmt|atTryBody) != 0
	}
	return f&atStmt != 0 && isBlockLike(x)
}

// stmtExpr writes an expression in the place of a statement, a block's tail or a match arm's body.
func (w *printer) stmtExpr(x Expr, least Prec) {
	switch t := x.(type) {
	case *Try:
		if _, whole := t.X.(*Block); whole {
			w.bare(x, 0)
		} else {
			w.bare(x, atTryBody)
		}
	default:
		if isBlockLike(x) {
			w.bare(x, 0)
		} else {
			w.expr(x, least, atStmt)
		}
	}
}

// expr writes x where operators below least belong to somebody else.
func (w *printer) expr(x Expr, least Prec, f exprFlags) {
	if needsParens(x, least, f) {
		w.str("(")
		w.bare(x, 0)
		w.str(")")
		return
	}
	w.bare(x, f)
}

// exprs writes the elements of a list in brackets.
func (w *printer) exprs(list []Expr) {
	for i, x := range list {
		w.comma(i)
		w.expr(x, PrecAssign, 0)
	}
}

func (w *printer) head(x Expr) { w.expr(x, PrecRange, inHead) }

// bare writes x without parentheses. The flags hold for its first operand; inHead holds for all that stand open.
func (w *printer) bare(x Expr, f exprFlags) {
	rest := f & inHead
	switch x := x.(type) {
	case *IntLit:
		w.intLit(x)
	case *FloatLit:
		w.floatLit(x)
	case *StrLit:
		w.buf = appendQuoted(w.buf, x.Value)
	case *BoolLit:
		w.buf = strconv.AppendBool(w.buf, x.Value)
	case *NoneLit:
		w.str("none")
	case *PathExpr:
		w.path(x.Path, false)
	case *TupleLit:
		w.str("(")
		w.exprs(x.Elems)
		if len(x.Elems) == 1 {
			w.str(",")
		}
		w.str(")")
	case *ArrayLit:
		w.str("[")
		w.exprs(x.Elems)
		w.str("]")
	case *ArrayRepeat:
		w.str("[")
		w.expr(x.Value, PrecAssign, 0)
		w.str("; ")
		w.expr(x.Count, PrecNone, 0)
		w.str("]")
	case *StructLit:
		w.structLit(x)
	case *Unary:
		w.unary(x, rest)
	case *Binary:
		w.binary(x, f)
	case *Range:
		w.expr(x.Lo, PrecOr, f)
		w.str("..")
		if x.Inclusive {
			w.str("=")
		}
		w.expr(x.Hi, PrecOr, rest)
	case *Cast:
		w.expr(x.X, PrecCast, f)
		w.str(" as ")
		w.typ(x.Type)
	case *Assign:
		w.assign(x, f)
	case *Call, *MethodCall, *Field, *TupleField, *Index:
		w.postfix(x, f)
	case *Print:
		w.str("print ")
		for i, a := range x.Args {
			w.comma(i)
			w.expr(a, PrecAssign, rest)
		}
	case *Panic:
		w.intrinsic("panic(", x.Arg)
	case *Assert:
		w.intrinsic("assert(", x.Arg)
	case *Spawn:
		w.str("spawn ")
		w.expr(x.Call, PrecPostfix, rest)
	default:
		w.control(x, f)
	}
}

// control writes blocks, branches, loops, jumps and try.
func (w *printer) control(x Expr, f exprFlags) {
	rest := f & inHead
	switch x := x.(type) {
	case *Block:
		w.block(x)
	case *If:
		w.str("if ")
		w.head(x.Cond)
		w.branches(x.Then, x.Else)
	case *IfLet:
		w.str("if let ")
		w.pattern(x.Pat, 0)
		w.str(" = ")
		w.head(x.X)
		w.branches(x.Then, x.Else)
	case *Match:
		w.match(x)
	case *Loop:
		w.label(x.Label)
		w.str("loop ")
		w.block(x.Body)
	case *While:
		w.label(x.Label)
		w.str("while ")
		w.head(x.Cond)
		w.str(" ")
		w.block(x.Body)
	case *For:
		w.label(x.Label)
		w.str("for ")
		w.pattern(x.Pat, 0)
		w.str(" in ")
		w.head(x.Iter)
		w.str(" ")
		w.block(x.Body)
	case *Break:
		w.jump("break", x.Label, x.Value, rest)
	case *Continue:
		w.jump("continue", x.Label, nil, rest)
	case *Return:
		w.jump("return", nil, x.Value, rest)
	case *Throw:
		w.jump("throw", nil, x.Value, rest)
	case *Try:
		w.try(x, f)
	default:
		panic("syntax: printing an unknown expression")
	}
}

func (w *printer) intLit(x *IntLit) {
	base := x.Base
	switch base {
	case 2:
		w.str("0b")
	case 8:
		w.str("0o")
	case 16:
		w.str("0x")
	default:
		base = 10
	}
	start := len(w.buf)
	w.buf = strconv.AppendUint(w.buf, x.Value, base)
	if base == 16 {
		for i, c := range w.buf[start:] {
			if c >= 'a' {
				w.buf[start+i] = c - 'a' + 'A'
			}
		}
	}
	w.str(x.Suffix)
}

func (w *printer) floatLit(x *FloatLit) {
	w.str(x.Text)
	w.str(x.Suffix)
}

const hexDigits = "0123456789ABCDEF"

// appendQuoted appends a string literal whose value is s, whatever bytes those are.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < 0x7F && c != '"' && c != '\\' {
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r == 0:
			dst = append(dst, '\\', '0')
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == utf8.RuneError && size == 1 || r < utf8.RuneSelf:
			dst = append(dst, '\\', 'x', hexDigits[s[i]>>4], hexDigits[s[i]&15])
		case unicode.IsPrint(r):
			dst = append(dst, s[i:i+size]...)
		default:
			dst = append(dst, `\u{`...)
			dst = strconv.AppendUint(dst, uint64(r), 16)
			dst = append(dst, '}')
		}
		i += size
	}
	return append(dst, '"')
}

func (w *printer) structLit(x *StructLit) {
	w.path(x.Path, false)
	if len(x.Fields) == 0 {
		w.str(" {}")
		return
	}
	w.str(" { ")
	for i, f := range x.Fields {
		w.comma(i)
		w.str(f.Name.Name)
		if f.Value != nil {
			w.str(": ")
			w.expr(f.Value, PrecAssign, 0)
		}
	}
	w.str(" }")
}

func (w *printer) unary(x *Unary, rest exprFlags) {
	w.str(x.Op.String())
	// `- -x` for the reader's sake, `* *x` because `**` is one token.
	if inner, ok := x.X.(*Unary); ok && inner.Op == x.Op && x.Op != Not {
		w.str(" ")
	}
	w.expr(x.X, PrecUnary, rest)
}

func (w *printer) binary(x *Binary, f exprFlags) {
	prec := x.Op.Prec()
	left, right := prec, prec+1
	switch {
	case x.Op == Pow: // right-associative, and its right operand may have a prefix
		left, right = PrecPostfix, PrecUnary
	case x.Op.IsCompare(): // does not chain
		left = prec + 1
	}
	w.expr(x.X, left, f)
	w.str(" ")
	w.str(x.Op.String())
	w.str(" ")
	w.expr(x.Y, right, f&inHead)
}

func (w *printer) assign(x *Assign, f exprFlags) {
	w.expr(x.Place, PrecOr, f)
	w.str(" ")
	if x.Op != NoOp {
		w.str(x.Op.String())
	}
	w.str("= ")
	w.expr(x.Value, PrecRange, f&inHead)
}

func (w *printer) intrinsic(name string, arg Expr) {
	w.str(name)
	w.expr(arg, PrecAssign, 0)
	w.str(")")
}

// postfix writes calls, fields and indices.
func (w *printer) postfix(x Expr, f exprFlags) {
	switch x := x.(type) {
	case *Call:
		least := PrecPostfix
		if _, ok := x.Callee.(*Field); ok {
			least++ // `(a.f)(x)` calls what is in the field, `a.f(x)` a method
		}
		w.expr(x.Callee, least, f)
		w.args(x.Args)
	case *MethodCall:
		w.expr(x.Recv, PrecPostfix, f)
		w.str(".")
		w.segment(&x.Name, false)
		w.args(x.Args)
	case *Field:
		w.expr(x.X, PrecPostfix, f)
		w.str(".")
		w.str(x.Name.Name)
	case *TupleField:
		least := PrecPostfix
		if _, ok := x.X.(*IntLit); ok {
			least++ // `1.0` is a float
		}
		w.expr(x.X, least, f)
		w.str(".")
		w.int(x.Index)
	case *Index:
		w.expr(x.X, PrecPostfix, f)
		w.str("[")
		w.expr(x.I, PrecNone, 0)
		w.str("]")
	}
}

func (w *printer) args(list []Expr) {
	w.str("(")
	w.exprs(list)
	w.str(")")
}

func (w *printer) branches(then *Block, els Expr) {
	w.str(" ")
	w.block(then)
	if els != nil {
		w.str(" else ")
		w.bare(els, 0)
	}
}

func (w *printer) label(l *Ident) {
	if l != nil {
		w.str("'")
		w.str(l.Name)
		w.str(": ")
	}
}

func (w *printer) match(x *Match) {
	w.str("match ")
	w.head(x.X)
	if len(x.Arms) == 0 {
		w.str(" {}")
		return
	}
	w.str(" {")
	w.indent++
	for i := range x.Arms {
		arm := &x.Arms[i]
		w.line()
		w.pattern(arm.Pat, 0)
		if arm.Guard != nil {
			w.str(" if ")
			w.expr(arm.Guard, PrecAssign, 0)
		}
		w.str(" => ")
		w.stmtExpr(arm.Body, PrecAssign)
		if _, ok := arm.Body.(*Block); !ok {
			w.str(",")
		}
	}
	w.indent--
	w.line()
	w.str("}")
}

func (w *printer) jump(word string, label *Ident, value Expr, f exprFlags) {
	w.str(word)
	if label != nil {
		w.str(" '")
		w.str(label.Name)
	}
	if value != nil {
		w.str(" ")
		w.expr(value, PrecAssign, f)
	}
}

func (w *printer) try(x *Try, f exprFlags) {
	w.str(x.Kind.String())
	w.str(" ")
	w.expr(x.X, PrecOr, f&(inHead|atTryBody))
	for i := range x.Catches {
		w.str(" catch ")
		w.pattern(x.Catches[i].Pat, patNoStruct)
		w.str(" ")
		w.block(x.Catches[i].Body)
	}
	if x.Finally != nil {
		w.str(" finally ")
		w.block(x.Finally)
	}
}
