package core

import (
	"rokrig/compiler/source"
	"rokrig/compiler/types"
)

// printers gives the operator that prints a scalar.
var printers = [...]Opcode{
	types.I8: PrintI64, types.I16: PrintI64, types.I32: PrintI64, types.I64: PrintI64,
	types.U8: PrintU64, types.U16: PrintU64, types.U32: PrintU64, types.U64: PrintU64,
	types.F32: PrintF32, types.F64: PrintF64, types.Bool: PrintBool, types.Str: PrintStr,
}

// print lowers `print a, b;`: all values are evaluated before the first is written.
func (l *lowerer) print(e *types.Print) Expr {
	mark, pos := l.mark(), e.Span.Start
	if len(e.Args) == 1 && e.Args[0].Type().Kind == types.I64 {
		return l.opAt(PrintIntLine, NoScalar, pos, l.expr(e.Args[0]))
	}
	first := l.mark()
	for _, a := range e.Args {
		l.pushOperand(l.expr(a))
	}
	values := l.take(first)
	l.settle(values, e.Args)
	for i, a := range e.Args {
		if i > 0 {
			l.push(l.opAt(PrintSep, NoScalar, pos))
		}
		l.printValue(a.Type(), values[i], pos)
	}
	l.push(l.opAt(PrintNl, NoScalar, pos))
	return l.seq(mark, nil)
}

// settle pushes the evaluation of all values, in order, into temporaries, and leaves reads of those in their places. What
// reads the same whenever it is evaluated stays.
func (l *lowerer) settle(values []Expr, args []types.Expr) {
	if len(values) == 1 && args[0].Type().Kind != types.Tuple {
		return // printed as it is evaluated
	}
	for i, v := range values {
		isTuple := args[i].Type().Kind == types.Tuple // printed part by part, so it has to stand in a local
		if _, ok := v.(*LocalGet); ok && allReads(values[i:]) || isConstant(v) && !isTuple {
			continue
		}
		if len(v.Classes()) == 0 {
			l.push(v)
			values[i] = l.empty()
			continue
		}
		values[i] = l.whole(l.save(v, args[i].Where().Start))
	}
}

func isConstant(e Expr) bool {
	switch e.(type) {
	case *Const, *Str, *FuncAddr:
		return true
	}
	return false
}

// allReads reports whether evaluating the values does nothing but read locals and constants.
func allReads(values []Expr) bool {
	for _, v := range values {
		if _, ok := v.(*LocalGet); !ok && !isConstant(v) {
			return false
		}
	}
	return true
}

// printValue pushes the printing of one value. A tuple's value is the read of a local, whose parts are printed.
func (l *lowerer) printValue(t *types.Type, value Expr, pos source.Pos) {
	switch t.Kind {
	case types.Unit:
		l.push(value)
		l.printText("()", pos)
	case types.Never:
		l.push(value)
	case types.Tuple:
		read, _ := value.(*LocalGet)
		l.printTuple(t, read, 0, pos)
	default:
		l.push(l.opAt(printers[t.Kind], NoScalar, pos, value))
	}
}

func (l *lowerer) printText(s string, pos source.Pos) {
	l.push(l.opAt(PrintStr, NoScalar, pos, l.str(s)))
}

// printTuple prints the tuple of type t that stands from word off of what read reads; read is nil if it has no words.
// A tuple of one is printed with its comma, as it is written.
func (l *lowerer) printTuple(t *types.Type, read *LocalGet, off int, pos source.Pos) {
	l.printText("(", pos)
	for i, part := range t.Args {
		if i > 0 {
			l.printText(", ", pos)
		}
		words := l.wordsOf(part)
		switch {
		case part.Kind == types.Tuple:
			l.printTuple(part, read, off, pos)
		case len(words) == 0:
			l.printValue(part, l.empty(), pos)
		default:
			l.printValue(part, l.get(read.Local, read.Off+off, words), pos)
		}
		off += len(words)
	}
	if len(t.Args) == 1 {
		l.printText(",", pos)
	}
	l.printText(")", pos)
}
