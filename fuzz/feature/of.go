package feature

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// The features of single nodes.
var (
	literalMin    = def("literal/minimum")
	literalMax    = def("literal/maximum")
	readFnLocal   = def("read/function-variable")
	readRange     = def("read/range-variable")
	funcRef       = def("function-value/name")
	shortAnd      = def("logic/&&")
	shortOr       = def("logic/||")
	tupleOne      = def("tuple/one-part")
	tupleFew      = def("tuple/2-to-4-parts")
	tupleMany     = def("tuple/5-or-more-parts")
	tupleNested   = def("tuple/nested")
	fieldOfName   = def("tuple-field/of-variable")
	fieldOfField  = def("tuple-field/of-field")
	fieldOfValue  = def("tuple-field/of-temporary")
	rangeOpen     = def("range/exclusive")
	rangeClosed   = def("range/inclusive")
	strIndex      = def("str/index")
	strSlice      = def("str/slice")
	strLen        = def("str/len")
	assignLocal   = def("assign/=/local")
	assignGlobal  = def("assign/=/global")
	assignPart    = def("assign/=/part")
	assignDeep    = def("assign/=/part-of-part")
	callValue     = def("call/function-value")
	blockValue    = def("block/value")
	blockUnit     = def("block/unit")
	blockNever    = def("block/never")
	ifValue       = def("if/value")
	ifUnit        = def("if/unit")
	ifNoElse      = def("if/without-else")
	matchValue    = def("match/value")
	matchUnit     = def("match/unit")
	matchGuard    = def("match/guard")
	matchMany     = def("match/5-or-more-arms")
	loopUnit      = def("loop/unit")
	loopValue     = def("loop/value")
	whileLoop     = def("while")
	forOverValue  = def("for/range-value")
	forWild       = def("for/without-variable")
	breakPlain    = def("break/plain")
	breakValue    = def("break/value")
	continueLoop  = def("continue")
	returnPlain   = def("return/plain")
	returnValue   = def("return/value")
	printOne      = def("print/one")
	printSeveral  = def("print/several")
	assertCall    = def("assert")
	patWild       = def("pattern/wildcard")
	patBind       = def("pattern/binding")
	patBindGlobal = def("pattern/binding-global")
	patBindMut    = def("pattern/binding-mut")
	patTuple      = def("pattern/tuple")
	patOr         = def("pattern/alternatives")
	patOrBind     = def("pattern/alternatives-binding")
	patNested     = def("pattern/nested")
)

// Of returns the features that a node is by itself.
func Of(n Node) []ID { return appendOf(nil, n) }

func appendOf(out []ID, n Node) []ID {
	switch n := n.(type) {
	case types.Expr:
		return appendExpr(out, n)
	case types.Pattern:
		return appendPattern(out, n)
	}
	return out
}

// add appends id unless a table had no feature.
func add(out []ID, id ID) []ID {
	if id == none {
		return out
	}
	return append(out, id)
}

func choose(cond bool, yes, no ID) ID {
	if cond {
		return yes
	}
	return no
}

func appendExpr(out []ID, e types.Expr) []ID {
	c := classOf(e.Type())
	switch e := e.(type) {
	case *types.Const:
		return appendConst(out, e, c)
	case *types.LocalRef:
		return appendRead(out, e.Type(), localIDs[c])
	case *types.GlobalRef:
		if e.Global.Static {
			return add(out, staticIDs[c])
		}
		return appendRead(out, e.Type(), globalIDs[c])
	case *types.FuncRef:
		return append(out, funcRef)
	case *types.Unary:
		if e.Op == syntax.Neg {
			return add(out, negIDs[c])
		}
		return add(out, notIDs[c])
	case *types.Binary:
		if e.Op == syntax.Shl || e.Op == syntax.Shr {
			out = add(out, shiftCountIDs[classOf(e.Y.Type())])
		}
		return add(out, binaryIDs[e.Op][classOf(e.X.Type())])
	case *types.Logic:
		return append(out, choose(e.Op == syntax.And, shortAnd, shortOr))
	case *types.Cast:
		return add(out, castIDs[classOf(e.X.Type())][c])
	case *types.TupleExpr:
		return appendTuple(out, e)
	case *types.TupleField:
		return append(out, fieldKind(e))
	case *types.RangeExpr:
		return append(out, choose(e.Type().Kind == types.Range, rangeOpen, rangeClosed))
	case *types.StrIndex:
		return append(out, strIndex)
	case *types.StrSlice:
		return append(out, strSlice)
	case *types.Len:
		return append(out, strLen)
	case *types.Assign:
		return appendAssign(out, e)
	case *types.Call:
		return appendCall(out, e.Args, e.Type())
	case *types.CallValue:
		return appendCall(append(out, callValue), e.Args, e.Type())
	}
	return appendControl(out, e)
}

func appendControl(out []ID, e types.Expr) []ID {
	isUnit := e.Type().Kind == types.Unit
	switch e := e.(type) {
	case *types.Block:
		if e.Type().Kind == types.Never {
			return append(out, blockNever)
		}
		return append(out, choose(isUnit, blockUnit, blockValue))
	case *types.If:
		if e.Else == nil {
			return append(out, ifNoElse)
		}
		return append(out, choose(isUnit, ifUnit, ifValue))
	case *types.Match:
		return appendMatch(out, e, isUnit)
	case *types.Loop:
		return append(out, choose(isUnit || e.Type().Kind == types.Never, loopUnit, loopValue))
	case *types.While:
		return append(out, whileLoop)
	case *types.For:
		return appendFor(out, e)
	case *types.Break:
		return append(out, choose(e.Value == nil, breakPlain, breakValue))
	case *types.Continue:
		return append(out, continueLoop)
	case *types.Return:
		return append(out, choose(e.Value == nil, returnPlain, returnValue))
	case *types.Print:
		for _, a := range e.Args {
			out = add(out, printIDs[classOf(a.Type())])
		}
		return append(out, choose(len(e.Args) == 1, printOne, printSeveral))
	case *types.Assert:
		return append(out, assertCall)
	}
	return out
}

func appendConst(out []ID, e *types.Const, c class) []ID {
	if k := e.Type().Kind; k.IsInt() {
		lo, hi := k.MinMax()
		if e.Bits == hi {
			out = append(out, literalMax)
		}
		if e.Bits == lo && k.IsSigned() {
			out = append(out, literalMin)
		}
	}
	return add(out, litIDs[c])
}

func appendRead(out []ID, t *types.Type, id ID) []ID {
	switch t.Kind {
	case types.Fn:
		return append(out, readFnLocal)
	case types.Range, types.RangeInclusive:
		return append(out, readRange)
	}
	return add(out, id)
}

func appendTuple(out []ID, e *types.TupleExpr) []ID {
	for _, x := range e.Elems {
		if x.Type().Kind == types.Tuple {
			out = append(out, tupleNested)
			break
		}
	}
	switch n := len(e.Elems); {
	case n == 1:
		return append(out, tupleOne)
	case n < 5:
		return append(out, tupleFew)
	}
	return append(out, tupleMany)
}

func fieldKind(e *types.TupleField) ID {
	switch e.X.(type) {
	case *types.LocalRef, *types.GlobalRef:
		return fieldOfName
	case *types.TupleField:
		return fieldOfField
	}
	return fieldOfValue
}

func appendAssign(out []ID, e *types.Assign) []ID {
	switch place := e.Place.(type) {
	case *types.LocalRef:
		out = append(out, assignLocal)
	case *types.GlobalRef:
		out = append(out, assignGlobal)
	case *types.TupleField:
		_, deep := place.X.(*types.TupleField)
		out = append(out, choose(deep, assignDeep, assignPart))
	}
	if e.Op == syntax.NoOp {
		return out
	}
	return add(out, assignOpIDs[e.Op][classOf(e.Place.Type())])
}

func appendMatch(out []ID, e *types.Match, isUnit bool) []ID {
	for i := range e.Arms {
		if e.Arms[i].Guard != nil {
			out = append(out, matchGuard)
			break
		}
	}
	if len(e.Arms) >= 5 {
		out = append(out, matchMany)
	}
	out = append(out, choose(isUnit, matchUnit, matchValue))
	return add(out, matchIDs[classOf(e.X.Type())])
}

func appendFor(out []ID, e *types.For) []ID {
	if _, wild := e.Pat.(*types.WildPat); wild {
		out = append(out, forWild)
	}
	if _, spelled := e.Iter.(*types.RangeExpr); !spelled {
		out = append(out, forOverValue)
	}
	switch t := e.Iter.Type(); t.Kind {
	case types.Range:
		return add(out, forIDs[classOf(t.Args[0])])
	case types.RangeInclusive:
		return add(out, forInclusiveIDs[classOf(t.Args[0])])
	}
	return out
}

func appendPattern(out []ID, p types.Pattern) []ID {
	switch p := p.(type) {
	case *types.WildPat:
		return append(out, patWild)
	case *types.BindPat:
		if p.Global != nil {
			return append(out, patBindGlobal)
		}
		if p.Local.Mut {
			out = append(out, patBindMut)
		}
		return append(out, patBind)
	case *types.ConstPat:
		return add(out, patConstIDs[classOf(p.Type())])
	case *types.RangePat:
		return add(out, patRangeIDs[classOf(p.Type())])
	case *types.TuplePat:
		for _, q := range p.Elems {
			if _, nested := q.(*types.TuplePat); nested {
				out = append(out, patNested)
				break
			}
		}
		return append(out, patTuple)
	case *types.OrPat:
		if binds(p.Alts[0]) {
			out = append(out, patOrBind)
		}
		return append(out, patOr)
	}
	return out
}

// binds reports whether a pattern binds a variable.
func binds(p types.Pattern) bool {
	switch p := p.(type) {
	case *types.BindPat:
		return true
	case *types.TuplePat:
		for _, q := range p.Elems {
			if binds(q) {
				return true
			}
		}
	case *types.OrPat:
		return binds(p.Alts[0])
	}
	return false
}
