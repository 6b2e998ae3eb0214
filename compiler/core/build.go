package core

import (
	"rokrig/compiler/source"
	"rokrig/internal/slab"
)

// Memory is where modules are made. A program that lowers many programs one after another gives all of them one Memory
// and resets it in between, when no module is looked at any more. The zero Memory is ready for use.
type Memory struct {
	nodes nodes
	sites []Site // free room for the next module's
	taken []Site // of the last module
}

// Reset takes back all modules made in m: nothing of them may be touched after that.
func (m *Memory) Reset() {
	m.nodes.reset()
	m.sites, m.taken = m.taken[:0], nil
}

// nodes makes the nodes of modules. Kinds that are rare are allocated one by one.
type nodes struct {
	consts     slab.Slab[Const]
	strs       slab.Slab[Str]
	localGets  slab.Slab[LocalGet]
	globalGets slab.Slab[GlobalGet]
	globalSets slab.Slab[SetGlobal]
	opNodes    slab.Slab[Op]
	calls      slab.Slab[Call]
	seqs       slab.Slab[Seq]
	lets       slab.Slab[Let]
	assigns    slab.Slab[Assign]
	ifs        slab.Slab[If]
	blocks     slab.Slab[Block]
	brs        slab.Slab[Br]
	polls      slab.Slab[Poll]
	locals     slab.Slab[Local]
	localLists slab.Slab[*Local]
	lists      slab.Slab[Expr]

	stack []Expr // lists that grow; see push
}

func (n *nodes) reset() {
	n.consts.Reset()
	n.strs.Reset()
	n.localGets.Reset()
	n.globalGets.Reset()
	n.globalSets.Reset()
	n.opNodes.Reset()
	n.calls.Reset()
	n.seqs.Reset()
	n.lets.Reset()
	n.assigns.Reset()
	n.ifs.Reset()
	n.blocks.Reset()
	n.brs.Reset()
	n.polls.Reset()
	n.locals.Reset()
	n.localLists.Reset()
	n.lists.Reset()
	n.stack = n.stack[:0]
}

// list copies expressions into a list that stays; nil for none.
func (n *nodes) list(es ...Expr) []Expr { return n.lists.Copy(es) }

// push adds a statement to the list that grows: its value is dropped, the statements of a Seq are added one by one, and
// what does nothing but leave a value is left out. Who starts a list remembers mark() and ends it with take or seq.
func (n *nodes) push(e Expr) {
	if s, ok := e.(*Seq); ok {
		n.stack = append(n.stack, s.List...)
		e = s.Tail
	}
	switch e.(type) {
	case nil, *Undef, *Const, *Str, *FuncAddr, *LocalGet:
		return
	}
	n.stack = append(n.stack, e)
}

// pushOperand adds an operand, whose value is wanted, to the list that grows.
func (n *nodes) pushOperand(e Expr) { n.stack = append(n.stack, e) }

func (n *nodes) mark() int { return len(n.stack) }

// take cuts off what was pushed since mark.
func (n *nodes) take(mark int) []Expr {
	out := n.list(n.stack[mark:]...)
	clear(n.stack[mark:])
	n.stack = n.stack[:mark]
	return out
}

// seq ends the list since mark; tail may be nil.
func (n *nodes) seq(mark int, tail Expr) Expr {
	if s, ok := tail.(*Seq); ok {
		n.stack = append(n.stack, s.List...)
		tail = s.Tail
	}
	if len(n.stack) == mark && tail != nil {
		return tail
	}
	if len(n.stack) == mark+1 && tail == nil && len(n.stack[mark].Classes()) == 0 {
		only := n.stack[mark]
		n.stack[mark] = nil
		n.stack = n.stack[:mark]
		return only
	}
	s := n.seqs.New()
	s.List, s.Tail = n.take(mark), tail
	return s
}

// empty does nothing and leaves nothing.
func (n *nodes) empty() Expr { return n.seqs.New() }

// adapt makes e leave exactly words: it drops what is not wanted, and after what never ends normally it names words that
// no one will use.
func (n *nodes) adapt(e Expr, words []Class) Expr {
	if sameClasses(e.Classes(), words) {
		return e
	}
	mark := n.mark()
	n.push(e)
	if len(words) == 0 {
		return n.seq(mark, nil)
	}
	return n.seq(mark, &Undef{Words: words})
}

// drop evaluates e and leaves nothing.
func (n *nodes) drop(e Expr) Expr { return n.adapt(e, nil) }

func (n *nodes) word(class Class, bits uint64) Expr {
	c := n.consts.New()
	c.Class, c.Bits = class, bits
	return c
}

func (n *nodes) int(bits uint64) Expr { return n.word(Int, bits) }

// get reads words of a local; no words are no read.
func (n *nodes) get(v *Local, off int, words []Class) Expr {
	if len(words) == 0 {
		return n.empty()
	}
	g := n.localGets.New()
	g.Local, g.Off, g.Words = v, off, words
	return g
}

// let gives v its first value; a local without words is only evaluated.
func (n *nodes) let(v *Local, init Expr) Expr {
	if len(v.Classes) == 0 {
		return init
	}
	e := n.lets.New()
	e.Local, e.Init = v, init
	return e
}

func (n *nodes) assign(v *Local, off int, value Expr) Expr {
	if len(value.Classes()) == 0 {
		return value
	}
	e := n.assigns.New()
	e.Local, e.Off, e.Value = v, off, value
	return e
}

// choose is an if with two sides of the same words; a second side that does nothing is left out.
func (n *nodes) choose(cond, then, els Expr) Expr {
	if s, ok := els.(*Seq); ok && len(s.List) == 0 && s.Tail == nil {
		return n.when(cond, then)
	}
	e := n.ifs.New()
	e.Cond, e.Then, e.Else, e.Words = cond, then, els, then.Classes()
	return e
}

// when is an if without an else.
func (n *nodes) when(cond, then Expr) Expr {
	e := n.ifs.New()
	e.Cond, e.Then = cond, then
	return e
}

func (n *nodes) block(label LabelID, words []Class, body Expr) Expr {
	e := n.blocks.New()
	e.Label, e.Words, e.Body = label, words, body
	return e
}

// part is words off.. of x. Where x is a read, the read itself is narrowed.
func (n *nodes) part(x Expr, off int, words []Class) Expr {
	if sameClasses(x.Classes(), words) {
		return x
	}
	if len(words) == 0 {
		return n.drop(x)
	}
	switch x := x.(type) {
	case *LocalGet:
		x.Off, x.Words = x.Off+off, words
		return x
	case *GlobalGet:
		x.Off, x.Words = x.Off+off, words
		return x
	case *Seq:
		x.Tail = n.part(x.Tail, off, words)
		return x
	case *Part:
		x.Off, x.Words = x.Off+off, words
		return x
	case *Undef:
		x.Words = words
		return x
	case *Str:
		if off == 1 {
			return n.int(uint64(x.Len))
		}
	}
	return &Part{X: x, Off: off, Words: words}
}

// opResult returns the words that an operator leaves, as Signature does but without an allocation.
func opResult(op Opcode, s Scalar) []Class {
	switch ops[op].shape {
	case unaryS, binaryS, convS:
		return oneClass[s.Class()]
	case shiftS, compareS, str2Int, strInt:
		return oneInt
	case strSlice:
		return strWords
	}
	return nil
}

// op applies an operator that is not a call on any machine.
func (n *nodes) op(op Opcode, s Scalar, args ...Expr) *Op {
	e := n.opNodes.New()
	e.Op, e.Scalar, e.Args, e.Words = op, s, n.list(args...), opResult(op, s)
	return e
}

// not negates a truth value.
func (n *nodes) not(x Expr) Expr { return n.op(Not, Bool, x) }

// opAt applies an operator at a place. It gets a site if it may be a call.
func (l *lowerer) opAt(op Opcode, s Scalar, pos source.Pos, args ...Expr) *Op {
	e := l.op(op, s, args...)
	e.Pos = pos
	if op.Has(MayCall) {
		e.Site = l.site(HelperSite, pos)
	}
	return e
}

// br leaves a block that has no words.
func (l *lowerer) br(label LabelID) Expr { return l.brWith(label, nil) }

func (l *lowerer) brWith(label LabelID, value Expr) Expr {
	l.used[label] = true
	e := l.brs.New()
	e.Label, e.Value = label, value
	return e
}

// leave evaluates e and leaves the block with its value. What never ends normally stays as it is.
func (l *lowerer) leave(label LabelID, e Expr) Expr {
	if s, ok := e.(*Seq); ok {
		if _, never := s.Tail.(*Undef); never {
			return l.drop(e)
		}
	}
	if len(e.Classes()) > 0 {
		return l.brWith(label, e)
	}
	mark := l.mark()
	l.push(e)
	l.push(l.br(label))
	return l.seq(mark, nil)
}

// newLabel returns a label for a block of the current function.
func (l *lowerer) newLabel() LabelID {
	l.used = append(l.used, false)
	return LabelID(len(l.used) - 1)
}

// blockIfUsed puts a block round body if anything branches to its label.
func (l *lowerer) blockIfUsed(label LabelID, words []Class, body Expr) Expr {
	if !l.used[label] {
		return body
	}
	return l.block(label, words, body)
}

// temp returns a new local without a name.
func (l *lowerer) temp(words []Class, pos source.Pos) *Local {
	v := l.locals.New()
	v.ID, v.Classes, v.Pos = LocalID(len(l.fn.Locals)), words, pos
	l.fn.Locals = append(l.fn.Locals, v)
	return v
}

// whole reads all of a local.
func (n *nodes) whole(v *Local) Expr { return n.get(v, 0, v.Classes) }

// intTemp returns a new local of one integer word.
func (l *lowerer) intTemp(pos source.Pos) *Local { return l.temp(oneInt, pos) }
