// Package interp is the reference interpreter: it says what a Rok program means.
//
// In: a checked program, before any desugaring. Out: an outcome.Outcome, and counts of what was executed.
// It shares nothing with the compiler past the type checker: arithmetic, float text, layout and control flow are its own,
// so that a mistake on either side shows as a difference.
//
// A program is compiled to Go closures over a frame of words, one closure an expression, specialised by operator, width
// and shape of the operands. A value is one word (integers normalised, floats as their bits, a `str` as offset and length
// in the program's text), a tuple or a range the words of its parts. break, continue and return set word 0 of the frame;
// which expressions may do so is known when closures are made, and only behind those is the word looked at. A Rok panic,
// and running out of a resource, is one Go panic, caught in Run.
// Invariants: equal programs and options give equal outcomes and counts; a run allocates nothing per operation; no input
// can exhaust the Go stack (see DefaultMaxStack).
package interp

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"rokrig/compiler/source"
	"rokrig/compiler/types"
	"rokrig/oracle/outcome"
)

// The limits that stand for a zero in Options.
const (
	DefaultFuel      = 10_000_000
	DefaultMaxDepth  = 4000
	DefaultMaxStack  = 1 << 22
	DefaultMaxOutput = 1 << 20
)

// Options are the limits of a run and what is watched. The zero value is ready.
type Options struct {
	Fuel      int64 // steps; see Machine.Steps
	MaxDepth  int   // Rok calls at once
	MaxStack  int   // words of Go stack, and of frames times frameCharge, at once; see function.cost
	MaxOutput int   // bytes

	// Mutant tells whether the named mutant of compiler/mutant's catalogue is on; it is asked while closures are made.
	Mutant func(name string) bool
	// Observe is told, while closures are made, which region each expression and pattern is in. With Machine.Regions
	// that tells what was executed. What stands to the right of an operand that left the region counts as executed.
	Observe func(region int, n Node)
	// Perturb changes one value of a run. Its At may be changed between runs of one machine.
	Perturb *Perturb
	// Interrupt ends a run with Timeout soon after it is set.
	Interrupt *atomic.Bool
}

// Node is an expression or a pattern of the checked tree.
type Node interface {
	Where() source.Span
	Type() *types.Type
	ID() types.NodeID
}

func (o *Options) setDefaults() {
	if o.Fuel == 0 {
		o.Fuel = DefaultFuel
	}
	if o.MaxDepth == 0 {
		o.MaxDepth = DefaultMaxDepth
	}
	if o.MaxStack == 0 {
		o.MaxStack = DefaultMaxStack
	}
	if o.MaxOutput == 0 {
		o.MaxOutput = DefaultMaxOutput
	}
}

// Machine is a program made ready to run. It may run any number of times, and be loaded with another program, which
// reuses its memory. It belongs to one goroutine at a time.
type Machine struct {
	// left is the part of the fuel that may be used before pause looks at the limit and the interrupt.
	left int64
	// polls counts function entries and back edges.
	polls int64
	sp    int // words of stack in use
	depth int
	room  int // what is left of MaxStack
	stack []uint64

	rest           int64 // fuel not yet handed to left
	deepest, least int   // the extremes of depth and room
	out            []byte
	text           []byte // every string of the program; begins with spareText
	globals        []uint64
	initialised    []bool // by GlobalID
	statics        []staticWord
	funcs          []function // by FuncID
	main           *function
	counters       counters
	kinds          []regionKind // by region

	program *types.Program
	opts    Options
	fault   string // what went wrong while closures were made
	tooWide bool   // some frame does not fit
	end     outcome.Outcome
}

// staticWord is one word of a static's initial value.
type staticWord struct {
	at   int
	bits uint64
}

// New makes p ready to run. It allocates the stack, 8 MiB by default; who runs many programs calls Load again instead.
func New(p *types.Program, opts Options) *Machine {
	m := &Machine{}
	m.Load(p, opts)
	return m
}

// Load makes m ready to run p; what was loaded before is gone, and so is every slice that Regions returned.
func (m *Machine) Load(p *types.Program, opts Options) {
	opts.setDefaults()
	m.program, m.opts = p, opts
	m.fault, m.tooWide = "", false
	m.counters.reset()
	m.kinds = m.kinds[:0]
	m.statics = m.statics[:0]
	m.text = append(m.text[:0], spareText)
	m.main = nil
	defer m.catchFault("while making closures: ")
	compile(m)
}

// halt is the value of the one Go panic that ends a run early; Machine.end says how.
type halt struct{}

// Run runs the program from its start and returns what it showed. Outcomes of later runs share no memory with it.
func (m *Machine) Run() outcome.Outcome {
	if m.fault != "" {
		return outcome.Outcome{Kind: outcome.CompilerPanic, Detail: m.fault}
	}
	m.resetRun()
	if m.tooWide {
		m.end = outcome.Outcome{Kind: outcome.OutOfStack, Detail: fmt.Sprintf("a frame of more than %d words", frameWords)}
	} else {
		m.runMain()
	}
	if m.fault != "" {
		o := outcome.Outcome{Kind: outcome.CompilerPanic, Detail: m.fault}
		m.fault = "" // it belongs to this run, not to the program
		return o
	}
	m.end.Stdout = append([]byte(nil), m.out...)
	m.end.Usage = m.usage()
	return m.end
}

func (m *Machine) usage() outcome.Usage {
	return outcome.Usage{
		Steps: m.Steps(), MaxSteps: m.opts.Fuel,
		Depth: m.deepest, MaxDepth: m.opts.MaxDepth,
		Stack: m.opts.MaxStack - max(0, m.least), MaxStack: m.opts.MaxStack,
		Output: len(m.out), MaxOutput: m.opts.MaxOutput,
	}
}

// resetRun brings back the state before the first statement.
func (m *Machine) resetRun() {
	m.end = outcome.Outcome{}
	m.out = m.out[:0]
	clear(m.initialised) // globals themselves are stored to before they are read
	for _, s := range m.statics {
		m.globals[s.at] = s.bits
	}
	m.counters.zero()
	m.left, m.rest, m.polls = 0, m.opts.Fuel, 0
	m.refill()
	m.sp, m.depth, m.deepest = 0, 0, 0
	m.room, m.least = m.opts.MaxStack, m.opts.MaxStack
	if m.opts.Perturb != nil {
		m.opts.Perturb.reset()
	}
}

// runMain runs main and turns a halt into its outcome.
func (m *Machine) runMain() {
	defer m.catchFault("")
	m.main.run(m.push(m.main))
	m.pop(m.main)
}

// catchFault catches a halt. Any other panic it notes as a fault of the interpreter, or of the tree it was given: it is
// never the program's fault, so it must not look like an outcome of the program.
func (m *Machine) catchFault(when string) {
	switch r := recover().(type) {
	case nil, halt:
	default:
		m.fault = fmt.Sprintf("interp: %s%v\n%s", when, r, debug.Stack())
	}
}

// Steps returns the fuel that the last run used: one for every statement and tail of an entered block, one for every
// call and one for every back edge.
func (m *Machine) Steps() int64 { return m.opts.Fuel - m.rest - max(0, m.left) }

// Polls returns how often the last run entered a function (main included) or took a loop's back edge: a body that
// ended normally or by `continue` takes one, also the last round of a `for`.
func (m *Machine) Polls() int64 { return m.polls }

// Regions returns, by region, how often it was executed to its end or left by break, continue or return. Regions are
// function bodies, statements, tails, branches, arms, guards, loop bodies and right operands of && and ||. The slice is
// good until the next call.
func (m *Machine) Regions() []uint64 { return m.counters.flat() }

// Statements returns how many statements and tails the last run executed.
func (m *Machine) Statements() int64 {
	n := uint64(0)
	for i, count := range m.counters.flat() {
		if m.kinds[i] == statementRegion {
			n += count
		}
	}
	return int64(n)
}

// stop ends the run.
func (m *Machine) stop(o outcome.Outcome) {
	m.end = o
	panic(halt{})
}

// panicAt ends the run with a Rok panic.
func (m *Machine) panicAt(at source.Pos, message string) {
	pos := m.program.Source.Position(at)
	line := fmt.Sprintf("panic: %s at %s:%d:%d", message, m.program.Source.Name, pos.Line, pos.Col)
	m.stop(outcome.Outcome{Kind: outcome.Panic, Status: outcome.StatusPanic, Line: line})
}

// fuelSlice is how many steps pass between two looks at the interrupt.
const fuelSlice = 4096

// refill hands the next slice of the fuel out.
func (m *Machine) refill() {
	n := min(m.rest, fuelSlice)
	m.rest -= n
	m.left += n
}

// pause is called when left is used up.
func (m *Machine) pause() {
	if m.opts.Interrupt != nil && m.opts.Interrupt.Load() {
		m.stop(outcome.Outcome{Kind: outcome.Timeout, Detail: "interrupted"})
	}
	for m.left < 0 {
		if m.rest == 0 {
			m.stop(outcome.Outcome{Kind: outcome.OutOfFuel, Detail: fmt.Sprintf("%d steps", m.opts.Fuel)})
		}
		m.refill()
	}
}

// backEdge counts one round of a loop.
func (m *Machine) backEdge() {
	m.polls++
	if m.left--; m.left < 0 {
		m.pause()
	}
}
