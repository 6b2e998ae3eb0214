// Package gen makes random Rok programs.
//
// In: a Source of choices (a seed, or the bytes of a coverage-guided engine). Out: a program as tree and text.
// Invariants: the program is well-typed; it ends, after a bounded number of steps (every loop has a bounded count, every
// recursion a fuel written into the source, and executed work is estimated while generating); it panics only when it was
// meant to (Result.Panic says so); and it is live: values flow into checksums that it prints, so that a wrong one shows.
//
// Swarm testing (Groce et al., "Swarm Testing", ISSTA 2012): each program draws its own subset and weights of features,
// its sizes and its caps. Liveness by checksums is Csmith's idea (Yang et al., PLDI 2011); here the checksum functions
// are part of the program and let an operand through, so that what a masking operator would hide is seen before it.
// Values known by construction are worked out here, by an evaluator and a precedence table of this package's own, and
// asserted in the program: they show a fault that compiler and interpreter share.
package gen

import (
	"rokrig/compiler/syntax"
	"rokrig/compiler/types"
)

// Options narrows what is generated; the zero value draws everything.
type Options struct {
	// Lines, if not 0, is the size to aim at, in printed lines, instead of a drawn one.
	Lines int
	// NoPanic makes programs that end normally only.
	NoPanic bool
	// KeepTree asks for Result.File; without it the tree's memory goes to the next program.
	KeepTree bool
}

// Result is a generated program.
type Result struct {
	// File is the tree that Text was printed from, with Options.KeepTree, else nil. Fragments spelled on purpose (1_000, "\x41", operators without
	// parentheses) stand in it as names; parse Text for a faithful tree.
	File  *syntax.File
	Text  string
	Bytes []byte // the choices; FromBytes(Bytes) gives the same program
	Panic string // the message of the panic that the program ends in, or "" if it ends normally
	Stats Stats
}

// Stats says what a program is made of.
type Stats struct {
	Lines  int // of Text, blank ones left out
	Nodes  int // expressions and patterns generated
	Funcs  int // functions, the checksum functions included
	Checks int // assertions of values known by construction
	Steps  int // estimate of the expressions evaluated
}

// gen is the state of one program being generated.
type gen struct {
	*builder
	src   Source
	opt   Options
	sw    swarm
	table *types.Table
	sink  sink
	fn    *funcState

	globals []*variable // statics, and the top-level lets that functions read
	funcs   []*function
	fnTypes []*types.Type // function types that values of exist for
	ranges  []*types.Type // range types in the pool
	statics []*syntax.StaticDecl
	lets    []*variable // the top-level lets among globals

	mainStmts []syntax.Stmt

	gone      string      // the name of a variable whose scope has ended
	names     int         // distinct names given out
	needs     uint32      // bits for top-level lets given out
	fuel      *variable   // the static that limits recursion, or nil
	panicLine string      // the message of the panic at the end
	after     syntax.Stmt // what follows the panic
	checks    int
	reject    *rejection // what MustReject wants broken; nil for a valid program
}

// variable is a local or a global as the generator sees it.
type variable struct {
	name   string
	ty     *types.Type
	mut    bool
	locked bool // counters, fuel, checksums: read, but never assigned by a random statement
	global bool
	need   uint32 // of a top-level let: its bit in function.needs
	hidden int    // number of inner names that shadow it
	hides  *int   // the hidden counter of what this one shadows
	dirty  bool   // holds a value that no checksum has seen
	minLen int    // of a str: a length it has at least
	known  bool   // val is its value, for ever
	val    value
	bounds interval // of an integer: what it is known to be within
}

// interval is a range of values known to hold an integer, both ends included; ok false means nothing is known.
type interval struct {
	lo, hi int64
	ok     bool
}

// function is a generated function, or one whose signature is fixed already.
type function struct {
	name    string
	params  []*types.Type
	result  *types.Type
	fnType  *types.Type
	cost    float64 // estimated steps of a call
	needs   uint32  // top-level lets that must be initialised before a call
	fuelMax int     // of a function whose first parameter limits its recursion: the largest fuel a caller may give
	fuelKey types.Kind
	hidden  int
	called  bool
	asValue bool // may be used as a value: cheap, and needs nothing
	decl    *syntax.FnDecl
}

// funcState is what is known while a function's body is generated.
type funcState struct {
	info    *function
	result  *types.Type // nil in main
	top     bool        // the top-level statements: lets at depth 0 are globals
	vars    []*variable
	loops   []*loopState
	selves  []*selfCall // recursive calls that may still be placed
	needs   uint32
	noLets  bool   // top-level lets may not be read: the function is to be used as a value
	inited  uint32 // in main: top-level lets whose initialisers have run
	depth   int    // of nested blocks
	level   int    // of nested expressions
	mult    float64
	cost    float64
	limit   float64 // what cost should stay below
	seen    int     // builder.nodes when cost was last brought up to date
	lines   int
	maxLine int
	local   *variable // a checksum of this function alone, or nil
	noExit  bool      // no return, break or continue here
	declare []int     // marks of the scopes open, as lengths of vars
}

// loopState is a loop being generated.
type loopState struct {
	label  string
	value  *types.Type
	ctx    bool // the place of a loop with a value tells literals their type
	isLoop bool // `loop`, which alone may break with a value
	contOK bool // `continue` makes progress
	inHead bool // generating the condition of a while
}

// selfCall is a permission to call a function that is being generated, with less fuel.
type selfCall struct {
	target *function
	fuel   *variable // the caller's fuel parameter
	sites  int       // calls that may still be placed
}

// Program generates a program from the choices of src.
func Program(src Source, opt Options) *Result {
	g := newGen(src, opt)
	g.program()
	return g.finish()
}

func newGen(src Source, opt Options) *gen {
	g := &gen{builder: builders.Get().(*builder), src: src, opt: opt, table: types.NewTable()}
	g.drawSwarm()
	return g
}

// n returns a choice among k alternatives, 0 being the simplest.
func (g *gen) n(k int) int {
	if k <= 1 {
		return 0
	}
	if k > 256 {
		return (int(g.src.Byte())<<8 | int(g.src.Byte())) * k >> 16
	}
	return int(g.src.Byte()) * k >> 8
}

// chance is true in p of 256 cases, and false for the choice 0.
func (g *gen) chance(p int) bool { return int(g.src.Byte()) >= 256-p }

// between returns a number from lo to hi, both included; lo is the simplest.
func (g *gen) between(lo, hi int) int {
	if hi <= lo {
		return lo
	}
	return lo + g.n(hi-lo+1)
}

// heavy returns a number from lo to hi, large ones seldom: what is drawn so is small as a rule and still has no value
// that never comes.
func (g *gen) heavy(lo, hi int) int {
	b := int(g.src.Byte())
	span := hi - lo
	switch {
	case span <= 0:
		return lo
	case b < 144:
		return lo + b*(span/4+1)/144
	case b < 228:
		return lo + (b-144)*((2*span+2)/3+1)/84
	}
	return lo + (b-228)*(span+1)/28
}

// word returns 64 choices at once.
func (g *gen) word() uint64 {
	var w uint64
	for range 8 {
		w = w<<8 | uint64(g.src.Byte())
	}
	return w
}

// pick returns an index with a chance that is its share of the weights; the first of weight above 0 is the simplest.
func (g *gen) pick(weights []uint8) int {
	total := 0
	for _, w := range weights {
		total += int(w)
	}
	if total == 0 {
		return 0
	}
	at := g.n(total)
	for i, w := range weights {
		if at -= int(w); at < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// account brings the estimate of executed work up to date; called before the multiplicity changes.
func (g *gen) account() {
	f := g.fn
	f.cost += float64(g.nodes-f.seen) * f.mult
	f.seen = g.nodes
}

// times generates code that runs factor times as often as what surrounds it.
func (g *gen) times(factor float64, body func()) {
	g.account()
	old := g.fn.mult
	g.fn.mult = old * factor
	body()
	g.account()
	g.fn.mult = old
}

// spare returns how many more steps the function may cost.
func (g *gen) spare() float64 {
	g.account()
	return g.fn.limit - g.fn.cost
}

// affords reports whether n more expressions may be evaluated at this place.
func (g *gen) affords(n float64) bool { return g.spare() > n*g.fn.mult }

// tight reports whether the function has used up its lines or its steps.
func (g *gen) tight() bool { return g.fn.lines >= g.fn.maxLine || g.spare() <= 0 }
