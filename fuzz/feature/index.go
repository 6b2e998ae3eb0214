package feature

import (
	"strings"

	"rokrig/compiler/source"
	"rokrig/compiler/types"
)

// The features that depend on what is round a node, or on how it is spelled.
var (
	breakOperand    = def("break/among-operands")
	continueOperand = def("continue/among-operands")
	returnOperand   = def("return/among-operands")
	breakOuter      = def("break/outer-loop")
	breakInHead     = def("break/in-while-condition")
	continueOuter   = def("continue/outer-loop")
	returnInLoop    = def("return/in-loop")
	callRecursive   = def("call/recursive")
	callOdd         = def("call/under-odd-number-of-temporaries")
	callEven        = def("call/under-even-number-of-temporaries")
	blockOperand    = def("block/among-operands")
	ifOperand       = def("if/among-operands")
	matchOperand    = def("match/among-operands")
	loopOperand     = def("loop/among-operands")
	assignInLogic   = def("logic/effect-on-the-right")
	deepOperands    = def("operands/16-or-more-pending")
	shadowing       = def("pattern/binding-shadows")
	bigFrame        = def("function/64-or-more-locals")
	hugeFrame       = def("function/128-or-more-locals")
	loopNest        = def("loop/nested-3-deep")
	litBinary       = def("literal/base-2")
	litOctal        = def("literal/base-8")
	litHex          = def("literal/base-16")
	litSuffix       = def("literal/suffix")
	litUnderscore   = def("literal/underscore")
	litExponent     = def("literal/exponent")
	strEscape       = def("literal/escape")
	strNotUTF8      = def("literal/str-not-utf8")
)

// panicIDs are the ways a program panics, by the start of the message.
var panicIDs = []struct {
	message string
	id      ID
}{
	{"division by zero", def("panic/division-by-zero")},
	{"integer overflow", def("panic/integer-overflow")},
	{"negative exponent", def("panic/negative-exponent")},
	{"index out of bounds", def("panic/index-out-of-bounds")},
	{"assertion failed", def("panic/assertion-failed")},
	{"global used before", def("panic/global-before-initialisation")},
}

var panicOwn = def("panic/of-the-program")

// OfPanic returns the feature of a panic's message, as it stands behind `panic: `.
func OfPanic(message string) ID {
	for _, p := range panicIDs {
		if strings.HasPrefix(message, p.message) {
			return p.id
		}
	}
	return panicOwn
}

// Index knows the features of all nodes of a program, and, after Observe, where each is executed.
type Index struct {
	features [][]ID  // by NodeID
	region   []int32 // by NodeID; -1 for a node that was not observed
}

// NewIndex walks a program.
func NewIndex(p *types.Program) *Index {
	x := &Index{features: make([][]ID, p.Nodes), region: make([]int32, p.Nodes)}
	for i := range x.region {
		x.region[i] = -1
	}
	w := walker{index: x, file: p.Source}
	for _, f := range p.Funcs {
		w.function(f)
	}
	return x
}

// Of returns the features of the node of an ID.
func (x *Index) Of(id types.NodeID) []ID { return x.features[id] }

// Observe notes that a node is in a region; meant for interp.Options.Observe.
func (x *Index) Observe(region int, id types.NodeID) { x.region[id] = int32(region) }

// Executed returns how often a node's region was executed in a run whose regions were executed as often as regions says; known
// is false for a node that was not observed.
func (x *Index) Executed(regions []uint64, id types.NodeID) (count uint64, known bool) {
	if r := x.region[id]; r >= 0 {
		return regions[r], true
	}
	return 0, false
}

// Count adds to counts, which is indexed by ID, how often each feature was executed in a run whose regions were executed
// as often as regions says.
func (x *Index) Count(regions, counts []uint64) {
	for id, fs := range x.features {
		if r := x.region[id]; r >= 0 {
			for _, f := range fs {
				counts[f] += regions[r]
			}
		}
	}
}

// walker goes through a function with what is round the node at hand.
type walker struct {
	index   *Index
	file    *source.File
	fn      *types.Func
	loops   []types.LoopID
	head    []types.LoopID          // loops whose condition is at hand
	pending int                     // words of operands evaluated and not yet used
	names   map[string]*types.Local // the latest variable of a name
}

func (w *walker) function(f *types.Func) {
	*w = walker{index: w.index, file: w.file, fn: f, names: map[string]*types.Local{}}
	for _, p := range f.Params {
		w.names[p.Name] = p
	}
	if n := len(f.Locals); n >= 64 {
		w.note(f.Body, bigFrame)
		if n >= 128 {
			w.note(f.Body, hugeFrame)
		}
	}
	w.expr(f.Body)
}

func (w *walker) note(n Node, id ID) {
	w.index.features[n.ID()] = append(w.index.features[n.ID()], id)
}

// operands walks operands that wait for each other.
func (w *walker) operands(xs ...types.Expr) {
	old := w.pending
	for _, x := range xs {
		if x == nil {
			continue
		}
		w.expr(x)
		general, floats := words(x.Type())
		w.pending += general + floats
	}
	w.pending = old
}

func (w *walker) expr(e types.Expr) {
	if e == nil {
		return
	}
	w.index.features[e.ID()] = appendOf(w.index.features[e.ID()], e)
	if w.pending >= 16 {
		w.note(e, deepOperands)
	}
	switch e := e.(type) {
	case *types.Const:
		w.literal(e)
	case *types.Unary:
		w.expr(e.X)
	case *types.Binary:
		w.operands(e.X, e.Y)
	case *types.Logic:
		w.expr(e.X)
		if hasEffect(e.Y) {
			w.note(e.Y, assignInLogic)
		}
		w.expr(e.Y)
	case *types.Cast:
		w.expr(e.X)
	case *types.TupleExpr:
		w.operands(e.Elems...)
	case *types.TupleField:
		w.expr(e.X)
	case *types.RangeExpr:
		w.operands(e.Lo, e.Hi)
	case *types.StrIndex:
		w.operands(e.X, e.I)
	case *types.StrSlice:
		w.operands(e.X, e.Lo, e.Hi)
	case *types.Len:
		w.expr(e.X)
	case *types.Assign:
		w.expr(e.Value) // the place is no read; the assignment's own features say what it is
	case *types.Call:
		if e.Func == w.fn {
			w.note(e, callRecursive)
		}
		w.note(e, choose(w.pending%2 == 1, callOdd, callEven))
		w.operands(e.Args...)
	case *types.CallValue:
		w.operands(append([]types.Expr{e.Callee}, e.Args...)...)
	case *types.Print:
		w.operands(e.Args...)
	case *types.Panic:
		w.expr(e.Arg)
	case *types.Assert:
		w.expr(e.Arg)
	default:
		w.control(e)
	}
}

func (w *walker) control(e types.Expr) {
	among := func(id ID) {
		if w.pending > 0 {
			w.note(e, id)
		}
	}
	switch e := e.(type) {
	case *types.Block:
		among(blockOperand)
		for _, s := range e.Stmts {
			w.stmt(s)
		}
		w.expr(e.Tail)
	case *types.If:
		among(ifOperand)
		w.expr(e.Cond)
		w.expr(e.Then)
		w.expr(e.Else)
	case *types.Match:
		among(matchOperand)
		w.expr(e.X)
		for i := range e.Arms {
			w.pattern(e.Arms[i].Pat)
			w.expr(e.Arms[i].Guard)
			w.expr(e.Arms[i].Body)
		}
	case *types.Loop:
		among(loopOperand)
		w.loop(e, e.Loop, func() { w.expr(e.Body) })
	case *types.While:
		w.loop(e, e.Loop, func() {
			w.head = append(w.head, e.Loop)
			w.expr(e.Cond)
			w.head = w.head[:len(w.head)-1]
			w.expr(e.Body)
		})
	case *types.For:
		w.expr(e.Iter)
		w.loop(e, e.Loop, func() { w.pattern(e.Pat); w.expr(e.Body) })
	case *types.Break:
		among(breakOperand)
		if e.Loop != w.loops[len(w.loops)-1] {
			w.note(e, breakOuter)
		}
		if n := len(w.head); n > 0 && w.head[n-1] == e.Loop {
			w.note(e, breakInHead)
		}
		w.expr(e.Value)
	case *types.Continue:
		among(continueOperand)
		if e.Loop != w.loops[len(w.loops)-1] {
			w.note(e, continueOuter)
		}
	case *types.Return:
		among(returnOperand)
		if len(w.loops) > 0 {
			w.note(e, returnInLoop)
		}
		w.expr(e.Value)
	}
}

func (w *walker) loop(n Node, id types.LoopID, body func()) {
	w.loops = append(w.loops, id)
	if len(w.loops) >= 3 {
		w.note(n, loopNest)
	}
	body()
	w.loops = w.loops[:len(w.loops)-1]
}

func (w *walker) stmt(s types.Stmt) {
	switch s := s.(type) {
	case *types.LetStmt:
		w.expr(s.Init)
		w.pattern(s.Pat)
	case *types.ExprStmt:
		w.expr(s.X)
	}
}

func (w *walker) pattern(p types.Pattern) {
	w.index.features[p.ID()] = appendOf(w.index.features[p.ID()], p)
	switch p := p.(type) {
	case *types.BindPat:
		if p.Local != nil {
			// Alternatives bind one variable several times, which is no shadowing.
			if old := w.names[p.Local.Name]; old != nil && old != p.Local {
				w.note(p, shadowing)
			}
			w.names[p.Local.Name] = p.Local
		}
	case *types.TuplePat:
		for _, q := range p.Elems {
			w.pattern(q)
		}
	case *types.OrPat:
		for _, q := range p.Alts {
			w.pattern(q)
		}
	}
}

// hasEffect reports whether an expression is a block that starts with an assignment.
func hasEffect(e types.Expr) bool {
	b, ok := e.(*types.Block)
	if !ok || len(b.Stmts) == 0 {
		return false
	}
	s, ok := b.Stmts[0].(*types.ExprStmt)
	if !ok {
		return false
	}
	_, ok = s.X.(*types.Assign)
	return ok
}

// literal looks at a constant's spelling.
func (w *walker) literal(e *types.Const) {
	if w.file == nil {
		return
	}
	span := e.Where()
	text := w.file.Text[w.file.Offset(span.Start):w.file.Offset(span.End)]
	switch k := e.Type().Kind; {
	case k == types.Str:
		if strings.Contains(text, `\`) {
			w.note(e, strEscape)
		}
		if strings.ToValidUTF8(e.Str, "") != e.Str {
			w.note(e, strNotUTF8)
		}
		return
	case !k.IsNumeric():
		return
	}
	digits := strings.TrimPrefix(text, "-")
	for _, base := range []struct {
		prefix string
		id     ID
	}{{"0b", litBinary}, {"0o", litOctal}, {"0x", litHex}} {
		if strings.HasPrefix(digits, base.prefix) {
			w.note(e, base.id)
		}
	}
	if strings.HasSuffix(text, e.Type().Name) {
		w.note(e, litSuffix)
	}
	if strings.Contains(text, "_") {
		w.note(e, litUnderscore)
	}
	if e.Type().Kind.IsFloat() && strings.ContainsAny(digits, "eE") {
		w.note(e, litExponent)
	}
}
