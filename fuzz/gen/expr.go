package gen

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// exprForm is a way to make an expression.
type exprForm int

const (
	leafForm exprForm = iota
	arithForm
	bitForm
	divForm
	shiftForm
	powForm
	unaryForm
	castForm
	compareForm
	logicForm
	callForm
	callValueForm
	ifForm
	matchForm
	blockForm
	loopForm
	assignForm
	exitForm
	lenForm
	strIndexForm
	sliceForm
	tupleForm
	fieldForm
	rangeForm
	teeForm
	untypedForm
	chainForm
	towerForm
	numExprForms
)

// exprRow is a form's usual weight, the smallest size that it is worth, and whether and how it makes a type.
type exprRow struct {
	weight uint8
	size   int
	fits   func(g *gen, t *types.Type) bool
	make   func(g *gen, t *types.Type, size int, ctx bool) syntax.Expr
}

var exprTable [numExprForms]exprRow

func init() { // not an initialiser, since the forms use the table
	exprTable = [numExprForms]exprRow{
		leafForm:      {10, 1, always, func(g *gen, t *types.Type, _ int, ctx bool) syntax.Expr { return g.leaf(t, ctx) }},
		arithForm:     {80, 3, isNumber, (*gen).arith},
		bitForm:       {18, 3, isBits, (*gen).bitwise},
		divForm:       {14, 4, isNumber, (*gen).division},
		shiftForm:     {12, 3, isInt, (*gen).shift},
		powForm:       {6, 3, isInt, (*gen).power},
		unaryForm:     {14, 2, hasUnary, (*gen).unaryExpr},
		castForm:      {22, 2, isNumber, (*gen).castExpr},
		compareForm:   {40, 3, isBool, (*gen).compare},
		logicForm:     {24, 3, isBool, (*gen).logic},
		callForm:      {26, 2, (*gen).hasCallee, (*gen).callExpr},
		callValueForm: {30, 3, (*gen).hasFnType, (*gen).callValueExpr},
		ifForm:        {7, 4, always, (*gen).ifExpr},
		matchForm:     {6, 6, always, (*gen).matchExpr},
		blockForm:     {5, 4, always, (*gen).blockOf},
		loopForm:      {5, 10, always, (*gen).loopExpr},
		assignForm:    {6, 4, always, (*gen).assignBlock},
		exitForm:      {8, 5, always, (*gen).exitExpr},
		lenForm:       {8, 2, func(_ *gen, t *types.Type) bool { return t.Kind == types.I64 }, (*gen).lenExpr},
		strIndexForm:  {24, 4, func(_ *gen, t *types.Type) bool { return t.Kind == types.U8 }, (*gen).strIndex},
		sliceForm:     {20, 4, func(_ *gen, t *types.Type) bool { return t.Kind == types.Str }, (*gen).slice},
		tupleForm:     {30, 3, func(_ *gen, t *types.Type) bool { return t.Kind == types.Tuple }, (*gen).tupleExpr},
		fieldForm:     {4, 4, always, (*gen).fieldOfTemporary},
		rangeForm:     {30, 3, func(_ *gen, t *types.Type) bool { return isRange(t) }, (*gen).rangeExpr},
		teeForm:       {10, 2, func(_ *gen, t *types.Type) bool { return visible(t) }, (*gen).teeExpr},
		untypedForm:   {3, 4, isInt, (*gen).untypedOperands},
		chainForm:     {2, 8, isNumber, (*gen).chain},
		towerForm:     {1, 4, hasUnary, (*gen).tower},
	}
}

func always(*gen, *types.Type) bool       { return true }
func isNumber(_ *gen, t *types.Type) bool { return t.Kind.IsNumeric() }
func isInt(_ *gen, t *types.Type) bool    { return t.Kind.IsInt() }
func isBool(_ *gen, t *types.Type) bool   { return t.Kind == types.Bool }
func isBits(_ *gen, t *types.Type) bool   { return t.Kind.IsInt() || t.Kind == types.Bool }
func hasUnary(_ *gen, t *types.Type) bool { return t.Kind.IsNumeric() || t.Kind == types.Bool }
func isRange(t *types.Type) bool          { return t.Kind == types.Range || t.Kind == types.RangeInclusive }

// expr makes an expression of type t of about size nodes. ctx says that the place tells literals their type; without it
// the expression has the type by itself.
func (g *gen) expr(t *types.Type, size int, ctx bool) syntax.Expr {
	f := g.fn
	if size <= 1 || f.level >= g.sw.maxLevel || f.lines >= f.maxLine+6+f.maxLine/4 || g.spare() <= 0 {
		return g.leaf(t, ctx)
	}
	f.level++
	defer func() { f.level-- }()
	var weights [numExprForms]uint8
	for i := range exprTable {
		row := &exprTable[i]
		if size >= row.size && row.fits(g, t) {
			weights[i] = g.sw.exprs[i]
		}
	}
	return exprTable[g.pick(weights[:])].make(g, t, size, ctx)
}

// rangeExpr makes a range of few elements from masked values.
func (g *gen) rangeExpr(t *types.Type, size int, ctx bool) syntax.Expr {
	if g.chance(90) {
		return g.smallRange(t, ctx)
	}
	elem := t.Args[0]
	left, right := g.split(size)
	end := func(size int, mask uint64) syntax.Expr {
		return g.binary(syntax.BitAnd, g.operand(elem, size), g.integer(mask, ""))
	}
	lo := end(left, 3)
	return g.rangeOf(lo, end(right, 7), t.Kind == types.RangeInclusive)
}

// size draws the size of an expression.
func (g *gen) size() int { return 1 + g.heavy(1, 3*g.sw.exprSize) }

// split divides size among two operands.
func (g *gen) split(size int) (left, right int) {
	size--
	left = 1 + g.n(max(size-1, 1))
	return left, max(size-left, 1)
}

// twoOperands makes both operands of an operator that loses nothing. When the place gives no type, one operand must
// have it by itself; the other may be a bare literal.
func (g *gen) twoOperands(t *types.Type, size int, ctx bool) (x, y syntax.Expr) {
	left, right := g.split(size)
	if !ctx && right == 1 && g.chance(100) {
		x = g.expr(t, left, false)
		return x, g.lit(t, true)
	}
	if !ctx && left == 1 && g.chance(60) {
		x = g.lit(t, true)
		return x, g.expr(t, right, false)
	}
	x = g.expr(t, left, ctx)
	return x, g.expr(t, right, ctx)
}

// numArith is the number of rows of arithTable.
const numArith = 3

var arithTable = [numArith]struct {
	op     syntax.BinaryOp
	weight uint8
}{{syntax.Add, 40}, {syntax.Sub, 40}, {syntax.Mul, 30}}

func (g *gen) arith(t *types.Type, size int, ctx bool) syntax.Expr {
	op := arithTable[g.pick(g.sw.arith[:])].op
	if op == syntax.Mul && g.chance(50) {
		left, right := g.split(size)
		x := g.operand(t, left)
		return g.binary(op, x, g.operand(t, right))
	}
	x, y := g.twoOperands(t, size, ctx)
	return g.binary(op, x, y)
}

// bitwise makes `&`, `|` and `^`, of integers or of bools.
func (g *gen) bitwise(t *types.Type, size int, ctx bool) syntax.Expr {
	switch g.n(3) {
	case 0:
		x, y := g.twoOperands(t, size, ctx)
		return g.binary(syntax.BitXor, x, y)
	case 1:
		return g.masking(syntax.BitAnd, t, size)
	}
	return g.masking(syntax.BitOr, t, size)
}

func (g *gen) masking(op syntax.BinaryOp, t *types.Type, size int) syntax.Expr {
	left, right := g.split(size)
	x := g.operand(t, left)
	if g.chance(80) {
		return g.binary(op, x, g.lit(t, true))
	}
	return g.binary(op, x, g.operand(t, right))
}

// division makes `/` or `%` that cannot panic.
func (g *gen) division(t *types.Type, size int, ctx bool) syntax.Expr {
	op := syntax.Div
	if g.chance(110) {
		op = syntax.Rem
	}
	left, right := g.split(size)
	if t.Kind.IsFloat() {
		x, y := g.twoOperands(t, size, ctx)
		return g.binary(op, x, y)
	}
	if t.Kind.IsSigned() && g.chance(50) {
		return g.checkedDivision(op, t, left, right)
	}
	x := g.operand(t, left)
	return g.binary(op, x, g.divisor(t, right))
}

// divisor makes an integer that is neither 0 nor -1.
func (g *gen) divisor(t *types.Type, size int) syntax.Expr {
	k := t.Kind
	if v, ok := g.boundedVar(k, 1, 1<<62); ok && g.chance(100) {
		return g.read(v)
	}
	if size > 3 && g.affords(20) {
		if !k.IsSigned() {
			return g.binary(syntax.BitOr, g.operand(t, size-2), g.integer(1+2*uint64(g.n(8)), ""))
		}
		masked := g.binary(syntax.BitAnd, g.operand(t, size-3), g.integer(uint64(g.n(128)), ""))
		if g.chance(128) {
			return g.binary(syntax.BitOr, masked, g.integer(1+2*uint64(g.n(8)), ""))
		}
		// A negative divisor: -(masked) - 2 is at most -2.
		return g.binary(syntax.Sub, g.unary(syntax.Neg, masked), g.integer(2+uint64(g.n(3)), ""))
	}
	v := g.intValue(k)
	if v == 0 || k.IsSigned() && int64(v) == -1 {
		v = 3 + uint64(g.n(8))
	}
	return g.intLit(k, v, true)
}

// checkedDivision makes a division whose operands a match has looked at: only what would panic goes elsewhere, so the
// edges -1 and MIN are divided.
func (g *gen) checkedDivision(op syntax.BinaryOp, t *types.Type, left, right int) syntax.Expr {
	k := t.Kind
	lo, _ := k.MinMax()
	x := g.operand(t, left)
	y := g.operand(t, right)
	a, b := g.fresh("p"), g.fresh("q")
	lit := func(v uint64) syntax.Pattern { return &syntax.LitPat{Value: g.intLit(k, v, true)} }
	pair := func(p, q syntax.Pattern) syntax.Pattern { return &syntax.TuplePat{Elems: []syntax.Pattern{p, q}} }
	g.nodes += 8
	return &syntax.Match{X: g.tuple([]syntax.Expr{x, y}), Arms: []syntax.Arm{
		{Pat: pair(&syntax.WildPat{}, lit(0)), Body: g.intLit(k, g.intValue(k), false)},
		{Pat: pair(lit(lo), lit(^uint64(0))), Body: g.intLit(k, g.intValue(k), false)},
		{Pat: pair(g.bind(a, false), g.bind(b, false)), Body: g.binary(op, g.path(a), g.path(b))},
	}}
}

// boundedVar draws a variable of an integer kind that is known to lie between lo and hi.
func (g *gen) boundedVar(k types.Kind, lo, hi int64) (*variable, bool) {
	var found [8]*variable
	n := 0
	for i := len(g.fn.vars) - 1; i >= 0 && n < len(found); i-- {
		v := g.fn.vars[i]
		if v.ty.Kind == k && v.bounds.ok && v.bounds.lo >= lo && v.bounds.hi <= hi && g.readable(v) {
			found[n] = v
			n++
		}
	}
	if n == 0 {
		return nil, false
	}
	return found[g.n(n)], true
}

// shift makes `<<` or `>>` with a count of any type and any value.
func (g *gen) shift(t *types.Type, size int, _ bool) syntax.Expr {
	op := syntax.Shl
	if g.chance(128) {
		op = syntax.Shr
	}
	left, right := g.split(size)
	x := g.operand(t, left)
	ct := g.intType()
	if right > 1 && g.chance(128) {
		return g.binary(op, x, g.operand(ct, right))
	}
	return g.binary(op, x, g.intLit(ct.Kind, g.shiftCount(ct.Kind), false))
}

// shiftCount draws a count: usual ones, and those at, above and below the width.
func (g *gen) shiftCount(k types.Kind) uint64 {
	switch g.n(4) {
	case 0:
		return uint64(g.n(8))
	case 1:
		return uint64(g.n(70))
	case 2:
		if k.IsSigned() {
			return -uint64(g.n(70))
		}
	}
	return g.intValue(k)
}

// power makes `**` whose exponent is not negative.
func (g *gen) power(t *types.Type, size int, _ bool) syntax.Expr {
	left, right := g.split(size)
	x := g.operand(t, left)
	if right > 2 && g.chance(140) {
		if !t.Kind.IsSigned() {
			return g.binary(syntax.Pow, x, g.operand(t, right))
		}
		return g.binary(syntax.Pow, x, g.binary(syntax.BitAnd, g.operand(t, right-1), g.integer(uint64(g.n(128)), "")))
	}
	v := uint64(g.n(12))
	if g.chance(30) {
		v = uint64(g.n(128))
	}
	return g.binary(syntax.Pow, x, g.intLit(t.Kind, v, true))
}

func (g *gen) unaryExpr(t *types.Type, size int, ctx bool) syntax.Expr {
	x := g.expr(t, size-1, ctx)
	return g.unary(g.unaryOp(t), x)
}

// unaryOp draws an operator that type t has.
func (g *gen) unaryOp(t *types.Type) syntax.UnaryOp {
	switch {
	case t.Kind.IsFloat():
		return syntax.Neg
	case t.Kind.IsSigned() && g.chance(128):
		return syntax.Neg
	}
	return syntax.Not
}

// castExpr converts a number, or a bool to an integer.
func (g *gen) castExpr(t *types.Type, size int, _ bool) syntax.Expr {
	from := g.typeWhere(func(u *types.Type) bool {
		return u.Kind.IsNumeric() || u.Kind == types.Bool && t.Kind.IsInt()
	}, types.Prim(types.I64))
	if from.Kind.IsInt() && from.Kind.Bits() == 64 && t.Kind.IsFloat() && size > 4 && g.chance(50) {
		// A value that no constant gives away, next to where the rounding goes one way or the other.
		small := g.binary(syntax.BitAnd, g.varying(from, size-4), g.integer(1, ""))
		return g.cast(g.binary(syntax.Add, small, g.intLit(from.Kind, g.nearTie(from.Kind), true)), t.Kind)
	}
	if t.Kind == types.F32 && from.Kind.IsInt() && from.Kind.Bits() == 64 && g.chance(100) {
		return g.cast(g.intLit(from.Kind, g.nearTie(from.Kind), false), t.Kind)
	}
	if from.Kind.IsInt() && t.Kind.IsInt() && from.Kind.Bits() <= t.Kind.Bits() {
		return g.cast(g.expr(from, size-1, false), t.Kind)
	}
	return g.cast(g.operand(from, size-1), t.Kind)
}

func (g *gen) teeExpr(t *types.Type, size int, ctx bool) syntax.Expr {
	if !g.affords(g.teeCost(t)) {
		return g.leaf(t, ctx)
	}
	return g.seen(g.expr(t, size-1, !g.viaWide(t)), t)
}

func (g *gen) lenExpr(_ *types.Type, size int, _ bool) syntax.Expr {
	return g.call("len", g.operand(types.Prim(types.Str), size-1))
}

// tupleExpr makes a tuple from its parts.
func (g *gen) tupleExpr(t *types.Type, size int, ctx bool) syntax.Expr {
	elems := g.exprs.list(len(t.Args))
	each := max((size-1)/len(elems), 1)
	for i, part := range t.Args {
		elems[i] = g.expr(part, 1+g.n(2*each), ctx)
	}
	return g.tuple(elems)
}

// fieldOfTemporary makes a tuple and takes one part of it.
func (g *gen) fieldOfTemporary(t *types.Type, size int, _ bool) syntax.Expr {
	n := 1 + g.heavy(1, 5)
	at := g.n(n)
	elems := g.exprs.list(n)
	for i := range elems {
		if i == at {
			elems[i] = g.expr(t, max(size/2, 1), false)
			continue
		}
		part := g.typeWhere(visible, types.Prim(types.I64))
		elems[i] = g.operand(part, max(size/2/n, 1))
	}
	return g.tupleField(g.tuple(elems), at)
}

// untypedOperands makes operators over literals without a suffix, which take the type of the last operand.
func (g *gen) untypedOperands(t *types.Type, size int, _ bool) syntax.Expr {
	_, hi := t.Kind.MinMax()
	lit := func() syntax.Expr { return g.magnitude(uint64(g.n(127))&hi, "") }
	x := lit()
	for range g.heavy(1, 4) {
		x = g.binary([...]syntax.BinaryOp{syntax.Add, syntax.Mul, syntax.Sub, syntax.BitXor}[g.n(4)], x, lit())
	}
	return g.binary(syntax.Add, x, g.expr(t, max(size-4, 1), false))
}

// chain makes a long left-associative row of operands.
func (g *gen) chain(t *types.Type, size int, ctx bool) syntax.Expr {
	n := g.heavy(4, max(5, min(size*3, 120)))
	x := g.expr(t, 2, false)
	for range n {
		if !g.affords(4) {
			break
		}
		x = g.binary(arithTable[g.n(2)].op, x, g.leaf(t, true))
	}
	return x
}

// tower makes a nest of prefix operators.
func (g *gen) tower(t *types.Type, size int, ctx bool) syntax.Expr {
	x := g.expr(t, max(size/2, 1), ctx)
	for range g.heavy(2, 24) {
		op := g.unaryOp(t)
		if g.chance(24) {
			op = syntax.Deref // the identity on everything but a Ptr
		}
		x = g.unary(op, x)
	}
	return x
}
