package core

import (
	"rokrig/compiler/mutant"
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// expr lowers an expression. The result leaves the words of the expression's type.
func (l *lowerer) expr(e types.Expr) Expr {
	return l.adapt(l.anyExpr(e), l.wordsOf(e.Type()))
}

// valueAs lowers an expression where a value of type t is wanted; the expression's own type is t or `!`.
func (l *lowerer) valueAs(e types.Expr, t *types.Type) Expr {
	return l.adapt(l.anyExpr(e), l.wordsOf(t))
}

func never(e types.Expr) bool { return e.Type().Kind == types.Never }

// anyExpr lowers an expression; what it leaves may differ from what is wanted if it never ends normally.
func (l *lowerer) anyExpr(e types.Expr) Expr {
	switch e := e.(type) {
	case *types.Const:
		return l.constant(e)
	case *types.LocalRef:
		return l.get(l.local(e.Local), 0, l.wordsOf(e.Local.Type))
	case *types.GlobalRef:
		return l.globalRef(e)
	case *types.FuncRef:
		return &FuncAddr{Func: FuncID(e.Func.ID)}
	case *types.Unary:
		return l.unary(e)
	case *types.Binary:
		return l.binary(e)
	case *types.Logic:
		return l.logic(e)
	case *types.Cast:
		return l.cast(e)
	case *types.TupleExpr:
		return l.tuple(e)
	case *types.TupleField:
		return l.tupleField(e)
	case *types.RangeExpr:
		elem := e.Typ.Args[0]
		return l.concat(l.wordsOf(e.Typ), l.valueAs(e.Lo, elem), l.valueAs(e.Hi, elem))
	case *types.StrIndex:
		x, i := l.valueAs(e.X, types.Prim(types.Str)), l.adapt(l.anyExpr(e.I), oneInt)
		return l.opAt(StrIndex, NoScalar, e.Bracket, x, i)
	case *types.StrSlice:
		x := l.valueAs(e.X, types.Prim(types.Str))
		lo, hi := l.adapt(l.anyExpr(e.Lo), oneInt), l.adapt(l.anyExpr(e.Hi), oneInt)
		return l.opAt(StrSlice, NoScalar, e.Bracket, x, lo, hi)
	case *types.Len:
		return l.part(l.valueAs(e.X, types.Prim(types.Str)), 1, oneInt)
	case *types.Assign:
		return l.assignment(e)
	case *types.Call:
		return l.call(e)
	case *types.CallValue:
		return l.callValue(e)
	default:
		return l.control(e)
	}
}

// control lowers what decides where the program goes on.
func (l *lowerer) control(e types.Expr) Expr {
	switch e := e.(type) {
	case *types.Block:
		return l.blockExpr(e)
	case *types.If:
		return l.ifExpr(e)
	case *types.Match:
		return l.match(e)
	case *types.Loop:
		return l.loopExpr(e)
	case *types.While:
		return l.while(e)
	case *types.For:
		return l.forRange(e)
	case *types.Break:
		return l.breakLoop(e)
	case *types.Continue:
		return l.continueLoop(e)
	case *types.Return:
		return l.returnExpr(e)
	case *types.Print:
		return l.print(e)
	case *types.Panic:
		return l.panicWith(l.valueAs(e.Arg, types.Prim(types.Str)), e.Span.Start)
	case *types.Assert:
		return l.when(l.not(l.adapt(l.anyExpr(e.Arg), oneInt)), l.panicAt("assertion failed", e.Span.Start))
	}
	panic("core: unknown expression")
}

func (l *lowerer) constant(e *types.Const) Expr {
	switch e.Typ.Kind {
	case types.Unit:
		return l.empty()
	case types.Str:
		return l.str(e.Str)
	}
	return l.word(scalarOf(e.Typ).Class(), e.Bits)
}

// inOrder evaluates expressions one after another and drops their values.
func (l *lowerer) inOrder(es ...types.Expr) Expr {
	mark := l.mark()
	for _, e := range es {
		l.push(l.drop(l.anyExpr(e)))
	}
	return l.seq(mark, nil)
}

func (l *lowerer) unary(e *types.Unary) Expr {
	if e.Op == syntax.Deref {
		return l.anyExpr(e.X) // the identity on everything but raw memory
	}
	if never(e.X) {
		return l.anyExpr(e.X)
	}
	op := Neg
	if e.Op == syntax.Not {
		op = Not
	}
	return l.op(op, scalarOf(e.X.Type()), l.anyExpr(e.X))
}

// operandType is the type that both operands of a binary operator have; nil if neither ever ends normally.
func operandType(x, y types.Expr) *types.Type {
	if !never(x) {
		return x.Type()
	}
	if !never(y) {
		return y.Type()
	}
	return nil
}

func isShift(op syntax.BinaryOp) bool { return op == syntax.Shl || op == syntax.Shr }

func (l *lowerer) binary(e *types.Binary) Expr {
	t := operandType(e.X, e.Y)
	if t == nil || isShift(e.Op) && never(e.X) {
		return l.inOrder(e.X, e.Y)
	}
	if e.Op.IsCompare() {
		return l.compare(e, t)
	}
	if isCall(e.Y) && l.mutant.On(mutant.OperandsReversed) {
		return l.binaryReversed(e, t)
	}
	x := l.valueAs(e.X, t)
	return l.binaryOp(e.Op, t, e.OpPos, x, l.rightOperand(e.Op, e.Y, t))
}

// rightOperand lowers the right operand of an operator on t; a shift's count has an integer type of its own.
func (l *lowerer) rightOperand(op syntax.BinaryOp, y types.Expr, t *types.Type) Expr {
	if isShift(op) {
		return l.adapt(l.anyExpr(y), oneInt)
	}
	return l.valueAs(y, t)
}

func isCall(e types.Expr) bool {
	switch e.(type) {
	case *types.Call, *types.CallValue:
		return true
	}
	return false
}

// binaryReversed is the deliberate bug of evaluating the right operand first.
func (l *lowerer) binaryReversed(e *types.Binary, t *types.Type) Expr {
	mark := l.mark()
	y := l.save(l.rightOperand(e.Op, e.Y, t), e.OpPos)
	x := l.valueAs(e.X, t)
	return l.seq(mark, l.binaryOp(e.Op, t, e.OpPos, x, l.whole(y)))
}

// save pushes the evaluation of e into a new temporary.
func (l *lowerer) save(e Expr, pos source.Pos) *Local {
	v := l.temp(e.Classes(), pos)
	l.push(l.let(v, e))
	return v
}

// arithmetic gives the operators of the source that are operators of core.
var arithmetic = [...]Opcode{
	syntax.BitOr: Or, syntax.BitXor: Xor, syntax.BitAnd: And, syntax.Shl: Shl, syntax.Shr: Shr,
	syntax.Add: Add, syntax.Sub: Sub, syntax.Mul: Mul, syntax.Div: Div, syntax.Rem: Rem, syntax.Pow: Pow,
}

// binaryOp applies an arithmetic or bit operator to operands of type t.
func (l *lowerer) binaryOp(op syntax.BinaryOp, t *types.Type, pos source.Pos, x, y Expr) Expr {
	s, code := scalarOf(t), arithmetic[op]
	if s.IsFloat() {
		switch code {
		case Div:
			code = FDiv
		case Rem:
			code = FRem
		}
	}
	return l.opAt(code, s, pos, x, y)
}

func (l *lowerer) logic(e *types.Logic) Expr {
	x, y := l.adapt(l.anyExpr(e.X), oneInt), l.adapt(l.anyExpr(e.Y), oneInt)
	if e.Op == syntax.And {
		return l.choose(x, y, l.int(0))
	}
	if l.mutant.On(mutant.EagerOr) {
		return l.op(Or, Bool, x, y)
	}
	return l.choose(x, l.int(1), y)
}

func (l *lowerer) cast(e *types.Cast) Expr {
	if never(e.X) || e.X.Type() == e.Typ {
		return l.anyExpr(e.X)
	}
	x := l.expr(e.X)
	op := l.opAt(Conv, scalarOf(e.Typ), e.Span.Start, x)
	op.From = scalarOf(e.X.Type())
	return op
}

func (l *lowerer) tuple(e *types.TupleExpr) Expr {
	if e.Typ.Kind != types.Tuple {
		return l.inOrder(e.Elems...)
	}
	if len(e.Elems) == 1 {
		return l.valueAs(e.Elems[0], e.Typ.Args[0])
	}
	mark := l.mark()
	for i, x := range e.Elems {
		l.pushOperand(l.valueAs(x, e.Typ.Args[i]))
	}
	return l.concatList(l.wordsOf(e.Typ), l.take(mark))
}

func (l *lowerer) concat(words []Class, parts ...Expr) Expr {
	return l.concatList(words, l.list(parts...))
}

// concatList puts parts together; without any words only their evaluation is left.
func (l *lowerer) concatList(words []Class, parts []Expr) Expr {
	if len(words) == 0 {
		s := l.seqs.New()
		s.List = parts
		return s
	}
	return &Concat{Parts: parts, Words: words}
}

func (l *lowerer) tupleField(e *types.TupleField) Expr {
	t := e.X.Type()
	if t.Kind != types.Tuple {
		return l.anyExpr(e.X)
	}
	return l.part(l.expr(e.X), l.partOffset(t, e.Index), l.wordsOf(t.Args[e.Index]))
}

// args lowers a call's arguments for parameters of the given types.
func (l *lowerer) args(args []types.Expr, params []*types.Type) []Expr {
	mark := l.mark()
	for i, a := range args {
		l.pushOperand(l.valueAs(a, params[i]))
	}
	return l.take(mark)
}

func (l *lowerer) call(e *types.Call) Expr {
	args := l.args(e.Args, e.Func.Type.Args)
	pos := e.Span.Start
	result := e.Func.Result()
	return l.calls.Put(Call{Func: FuncID(e.Func.ID), Args: args, Words: l.wordsOf(result), Pos: pos, Site: l.site(CallSite, pos),
		NoReturn: result.Kind == types.Never})
}

func (l *lowerer) callValue(e *types.CallValue) Expr {
	t := e.Callee.Type()
	if t.Kind != types.Fn {
		return l.anyExpr(e.Callee)
	}
	callee := l.expr(e.Callee)
	args := l.args(e.Args, t.Args)
	pos := e.Span.Start
	return &CallIndirect{Callee: callee, Args: args, Words: l.wordsOf(t.Result), Pos: pos, Site: l.site(CallSite, pos),
		NoReturn: t.Result.Kind == types.Never}
}

func (l *lowerer) blockExpr(e *types.Block) Expr {
	mark := l.mark()
	for _, s := range e.Stmts {
		switch s := s.(type) {
		case *types.LetStmt:
			l.letStmt(s)
		case *types.ExprStmt:
			l.push(l.anyExpr(s.X))
		}
	}
	if e.Tail == nil {
		return l.seq(mark, nil)
	}
	tail := l.anyExpr(e.Tail)
	if len(tail.Classes()) == 0 {
		l.push(tail)
		tail = nil
	}
	return l.seq(mark, tail)
}

func (l *lowerer) ifExpr(e *types.If) Expr {
	cond := l.adapt(l.anyExpr(e.Cond), oneInt)
	then := l.valueAs(e.Then, e.Typ)
	if e.Else == nil {
		return l.when(cond, then)
	}
	return l.choose(cond, then, l.valueAs(e.Else, e.Typ))
}

func (l *lowerer) returnExpr(e *types.Return) Expr {
	if e.Value == nil {
		return &Return{}
	}
	value := l.valueAs(e.Value, l.src.Result())
	if len(value.Classes()) > 0 {
		return &Return{Value: value}
	}
	mark := l.mark()
	l.push(value)
	l.push(&Return{})
	return l.seq(mark, nil)
}
