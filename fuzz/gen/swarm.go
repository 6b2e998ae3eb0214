package gen

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// swarm is what one program draws for itself before anything is generated: sizes, caps, and a weight for every form.
type swarm struct {
	lines     int // to aim at
	atLeast   int // printed lines of everything but main
	steps     float64
	funcs     int
	exprSize  int // usual number of nodes of an expression
	maxDepth  int // of nested blocks
	maxLevel  int // of nested expressions
	trips     int // largest count of a loop
	maxParams int
	fnCost    float64 // cost that a function used as a value may have

	tee      int // of 256: an operand of a masking operator goes through a checksum
	flush    int // a variable is mixed into a checksum when its scope ends
	annotate int // a let has a type
	suffix   int // a literal has a suffix though it needs none
	odd      int // a literal is spelled oddly: another base, underscores
	edge     int // a constant is an edge
	shadow   int // a new variable takes an old name
	check    int // a statement is an assertion of a value known by construction
	reuse    int // a leaf is a variable rather than a literal
	comment  int // a known-value fragment holds a comment
	mutable  int

	topLevel bool // top-level statements rather than fn main
	panics   bool // ends in a panic
	lets     int  // top-level lets that functions read
	statics  int
	mainPart int // of 16: main's part of the lines

	exprs [numExprForms]uint8
	stmts [numStmtForms]uint8
	arith [numArith]uint8
	kinds [types.U64 + 1]uint8 // of integer kinds

	pool    []*types.Type // types of variables, parameters, results
	weights []uint8       // of pool
}

// scale draws a factor for a weight: absent, seldom, usual, often. The choice 0 is the usual one.
func (g *gen) scale(w uint8) uint8 {
	switch b := g.src.Byte(); {
	case b < 128:
		return w
	case b < 168:
		return w / 4
	case b < 200:
		return 0
	case b < 232:
		return uint8(min(2*int(w), 255))
	default:
		return uint8(min(4*int(w), 255))
	}
}

// drawSize draws the size of a program, counted as the generator plans: statements and braces without what is made on
// the way, such as functions that take checksums. Most programs have 10 to 60 printed lines, since small ones are compared
// at a higher rate and show most faults; a tenth has 300 or more, for what only a long program reaches.
func (g *gen) drawSize() {
	s := &g.sw
	if g.opt.Lines > 0 {
		s.lines = max(g.opt.Lines*2/7, 1)
		return
	}
	switch b := int(g.src.Byte()); {
	case b < 168:
		s.lines = 1 + b/112
	case b < 212:
		s.lines = 3 + (b-168)/13
	case b < 224:
		s.lines = 7 + (b-212)*3/4
	case b < 226:
		s.lines = 20 + (b-224)*25
	default:
		s.lines = 40 + (b - 228)
		s.atLeast = longProgram
	}
}

// longProgram is the number of printed lines of a long program, without main.
const longProgram = 242

func (g *gen) drawSwarm() {
	s := &g.sw
	g.drawSize()
	s.steps = float64(s.lines)*float64(between8(g.src.Byte(), 20, 120)) + float64(g.heavy(15000, 120000))
	s.funcs = g.heavy(min(1, s.lines/12), min(1+s.lines/7, 48))
	s.exprSize = g.heavy(4, 30)
	s.maxDepth = g.between(1, 6)
	s.maxLevel = g.heavy(6, 70)
	s.trips = g.heavy(8, 400)
	s.maxParams = g.heavy(4, 26)
	s.fnCost = float64(g.between(20, 120))
	for _, p := range []struct {
		at     *int
		lo, hi int
	}{
		{&s.tee, 150, 256}, {&s.flush, 190, 256}, {&s.annotate, 20, 220}, {&s.suffix, 5, 160}, {&s.odd, 0, 90},
		{&s.edge, 10, 140}, {&s.shadow, 0, 110}, {&s.check, 0, 28}, {&s.reuse, 150, 236}, {&s.comment, 0, 60}, {&s.mutable, 60, 200},
	} {
		*p.at = g.between(p.lo, p.hi)
	}
	s.topLevel = g.chance(150)
	s.panics = g.chance(33) && !g.opt.NoPanic
	if s.topLevel {
		s.lets = g.heavy(0, min(5, 1+s.lines/5))
	}
	s.statics = g.between(0, min(6, 1+s.lines/4))
	s.mainPart = g.between(2, 9)
	for i := range s.exprs {
		s.exprs[i] = g.scale(exprTable[i].weight)
	}
	for i := range s.stmts {
		s.stmts[i] = g.scale(stmtTable[i].weight)
	}
	g.focus()
	for i := range s.arith {
		s.arith[i] = g.scale(arithTable[i].weight)
	}
	g.drawTypes()
}

// focus makes a few forms much more frequent than the others, in some programs.
func (g *gen) focus() {
	if !g.chance(110) {
		return
	}
	s := &g.sw
	for range 1 + g.n(3) {
		if g.chance(100) {
			i := g.n(len(s.stmts))
			s.stmts[i] = uint8(min(int(stmtTable[i].weight)*4+60, 255))
		} else {
			i := g.n(len(s.exprs))
			s.exprs[i] = uint8(min(int(exprTable[i].weight)*4+60, 255))
		}
	}
}

func between8(b byte, lo, hi int) int { return lo + int(b)*(hi-lo+1)>>8 }

// intKinds are the integer kinds, the default one first.
var intKinds = [...]types.Kind{types.I64, types.I32, types.U8, types.I8, types.U64, types.U32, types.I16, types.U16}

// drawTypes draws the types that the program works with.
func (g *gen) drawTypes() {
	s := &g.sw
	for _, k := range intKinds {
		s.kinds[k] = g.scale(24)
		g.addType(types.Prim(k), s.kinds[k])
	}
	if total(s.kinds[:]) == 0 {
		s.kinds[types.I64] = 24
		g.addType(types.Prim(types.I64), 24)
	}
	g.addType(types.Prim(types.F64), g.scale(34))
	g.addType(types.Prim(types.F32), g.scale(30))
	g.addType(types.Prim(types.Bool), g.scale(36))
	g.addType(types.Prim(types.Str), g.scale(30))
	g.addType(types.Prim(types.Unit), g.scale(8))
	for range g.heavy(0, 6) {
		g.addType(g.drawTuple(g.between(1, 3)), 12)
	}
	for range g.heavy(0, 3) {
		t := g.table.Range(types.Prim(g.intKind()), g.chance(128))
		g.ranges = append(g.ranges, t)
		g.addType(t, 5)
	}
}

func total(weights []uint8) (sum int) {
	for _, w := range weights {
		sum += int(w)
	}
	return sum
}

func (g *gen) addType(t *types.Type, weight uint8) {
	if weight > 0 {
		g.sw.pool = append(g.sw.pool, t)
		g.sw.weights = append(g.sw.weights, weight)
	}
}

// drawTuple makes a tuple type, nested at most depth deep.
func (g *gen) drawTuple(depth int) *types.Type {
	n := g.heavy(2, 9)
	if g.chance(16) {
		n = 1
	}
	parts := make([]*types.Type, n)
	total := 1
	for i := range parts {
		if depth > 1 && g.chance(30) {
			parts[i] = g.drawTuple(depth - 1)
		} else {
			parts[i] = g.poolType()
		}
		if total += partsOf(parts[i]); total > mostParts {
			total -= partsOf(parts[i])
			parts[i] = types.Prim(types.I64)
		}
	}
	return g.table.Tuple(parts...)
}

// mostParts is how many parts a tuple type has at the most, nested ones included, plus one for each scalar behind those. The
// pool's tuples are parts of others, which would otherwise grow past types.MaxTupleParts.
const mostParts = types.MaxTupleParts / 4

// partsOf counts the parts of a type, nested ones and itself included, as the checker does.
func partsOf(t *types.Type) int {
	n := 1
	if t.Kind == types.Tuple {
		for _, p := range t.Args {
			n += partsOf(p)
		}
	}
	return n
}

// addFnType adds a function type to the pool, with functions that are its values.
func (g *gen) addFnType() {
	g.src.Segment()
	params := make([]*types.Type, g.heavy(0, 7))
	for i := range params {
		params[i] = g.poolType()
	}
	t := g.table.Fn(params, nil, g.poolType())
	for range 1 + g.n(2) {
		f := &function{name: g.functionName(), params: params, result: t.Result}
		g.src.Segment()
		g.define(f, 2, g.sw.fnCost*0.6, func(*[]syntax.Stmt, []*variable) { g.fn.noLets = true })
		f.cost = min(f.cost, g.sw.fnCost)
		g.addFunction(f)
	}
	g.fnTypes = append(g.fnTypes, t)
	g.addType(t, 5)
	if g.chance(60) {
		g.addType(g.table.Tuple(t, g.poolType()), 5)
	}
}

// poolType draws one of the program's types.
func (g *gen) poolType() *types.Type { return g.sw.pool[g.pick(g.sw.weights)] }

// typeWhere draws a type of the program that holds a property; fallback if a few draws find none.
func (g *gen) typeWhere(ok func(*types.Type) bool, fallback *types.Type) *types.Type {
	for range 4 {
		if t := g.poolType(); ok(t) {
			return t
		}
	}
	return fallback
}

func (g *gen) intKind() types.Kind { return types.Kind(g.pick(g.sw.kinds[:])) }

// intType draws an integer type.
func (g *gen) intType() *types.Type { return types.Prim(g.intKind()) }
