package interp

import (
	"fmt"

	"rokrig/compiler/types"
)

// operand is an operand of one word, with the shapes that operators are specialised for.
type operand struct {
	kind operandKind
	slot slot
	bits uint64
	run  word
}

type operandKind uint8

const (
	general  operandKind = iota
	inSlot               // a local, or a part of one
	constant             // bits
)

func (o operand) isSlot() bool  { return o.kind == inSlot }
func (o operand) isConst() bool { return o.kind == constant }

// word returns the operand as a closure.
func (o operand) word() word {
	switch o.kind {
	case inSlot:
		s := o.slot
		return func(fr *frame) uint64 { return fr[s] }
	case constant:
		bits := o.bits
		return func(*frame) uint64 { return bits }
	}
	return o.run
}

// operand makes the closure of e, a value of one word, or finds that it needs none.
func (c *compiler) operand(e types.Expr) operand {
	if c.m.opts.Perturb == nil {
		switch e := e.(type) {
		case *types.Const:
			c.observe(e)
			return operand{kind: constant, bits: c.constant(e)}
		case *types.LocalRef, *types.TupleField:
			if s, ok := c.localPart(e); ok && c.width(e.Type()) == 1 {
				c.observePath(e)
				return operand{kind: inSlot, slot: s}
			}
		}
	}
	return operand{run: c.word(e)}
}

// prelude is what must run before an operator because one of its operands may leave the expression: it evaluates
// operands into temporaries and looks at the control word. Nil when no operand may.
type prelude exec

// word puts the prelude before w.
func (p prelude) word(w word) word {
	if p == nil {
		return w
	}
	return func(fr *frame) uint64 {
		if p(fr); fr[0] != ctlNormal {
			return 0
		}
		return w(fr)
	}
}

func (p prelude) test(t test) test {
	if p == nil {
		return t
	}
	return func(fr *frame) bool {
		if p(fr); fr[0] != ctlNormal {
			return false
		}
		return t(fr)
	}
}

func (p prelude) exec(x exec) exec {
	if p == nil {
		return x
	}
	return func(fr *frame) {
		if p(fr); fr[0] == ctlNormal {
			x(fr)
		}
	}
}

// open starts to note whether the closures made from now on may leave their expression by a control transfer. What it
// returns goes to close.
func (c *compiler) open() (outer int) {
	outer = c.escape
	c.escape = noEscape
	return outer
}

// close ends what open started and reports whether any may.
func (c *compiler) close(outer int) bool {
	leaves := c.escape != noEscape
	c.escape = min(outer, c.escape)
	return leaves
}

// operand1 makes the only operand of an operator.
func (c *compiler) operand1(e types.Expr) (operand, prelude) {
	outer := c.open()
	x := c.operand(e)
	if !c.close(outer) {
		return x, nil
	}
	t := c.temp(1)
	return operand{kind: inSlot, slot: t}, prelude(c.store(t, x.word()))
}

// operands2 makes both operands of an operator.
func (c *compiler) operands2(x, y types.Expr) (a, b operand, before prelude) {
	outer := c.open()
	a = c.operand(x)
	if b = (operand{kind: constant}); x.Type().Kind != types.Never {
		b = c.operand(y)
	}
	if !c.close(outer) {
		return a, b, nil
	}
	ops := []operand{a, b}
	before = c.spill(ops)
	return ops[0], ops[1], before
}

// operandList makes any number of operands.
func (c *compiler) operandList(es ...types.Expr) (ops []operand, before prelude) {
	outer := c.open()
	ops = make([]operand, len(es))
	dead := false // what stands to the right of an operand that never ends is never evaluated
	for i, e := range es {
		if ops[i].kind = constant; !dead {
			ops[i] = c.operand(e)
		}
		dead = dead || e.Type().Kind == types.Never
	}
	if c.close(outer) {
		before = c.spill(ops)
	}
	return ops, before
}

// spill makes a prelude that evaluates ops into temporaries, from left to right, as long as none leaves the expression;
// the ops become those temporaries. They lie above everything that the operands, whose closures are made by now, use: a
// block in a later operand has its variables where the frame ended before.
func (c *compiler) spill(ops []operand) prelude {
	c.top = c.peak
	steps := make([]exec, 0, len(ops))
	for i := range ops {
		if ops[i].isConst() {
			continue
		}
		t := c.temp(1)
		steps = append(steps, c.store(t, ops[i].word()))
		ops[i] = operand{kind: inSlot, slot: t}
	}
	return prelude(guarded(steps))
}

// store puts a word into a slot. When the word's closure left its expression, the slot may take anything.
func (c *compiler) store(s slot, w word) exec {
	return func(fr *frame) { fr[s] = w(fr) }
}

// guarded runs steps as long as none leaves its expression.
func guarded(steps []exec) exec {
	switch len(steps) {
	case 0:
		return func(*frame) {}
	case 1:
		return steps[0]
	case 2:
		a, b := steps[0], steps[1]
		return func(fr *frame) {
			if a(fr); fr[0] == ctlNormal {
				b(fr)
			}
		}
	}
	return func(fr *frame) {
		for _, s := range steps {
			if s(fr); fr[0] != ctlNormal {
				return
			}
		}
	}
}

// localPart returns the slot of e's first word if e is a local or a part of one.
func (c *compiler) localPart(e types.Expr) (slot, bool) {
	offset := 0
	for {
		switch x := e.(type) {
		case *types.LocalRef:
			return c.slots[x.Local.ID] + slot(offset), true
		case *types.TupleField:
			offset += c.partOffset(x)
			e = x.X
		default:
			return 0, false
		}
	}
}

// globalPart returns the global of which e is a part, and the part's first word in Machine.globals.
func (c *compiler) globalPart(e types.Expr) (ref *types.GlobalRef, at int, ok bool) {
	for {
		switch x := e.(type) {
		case *types.GlobalRef:
			return x, at + c.offsets[x.Global.ID], true
		case *types.TupleField:
			at += c.partOffset(x)
			e = x.X
		default:
			return nil, 0, false
		}
	}
}

// partOffset returns the distance of e's first word from that of the tuple it is a part of.
func (c *compiler) partOffset(e *types.TupleField) int {
	offset := 0
	if t := e.X.Type(); t.Kind == types.Tuple {
		for _, part := range t.Args[:e.Index] {
			offset += c.width(part)
		}
	}
	return offset
}

// observePath reports the nodes of a path to a variable's part, the outermost first.
func (c *compiler) observePath(e types.Expr) {
	for e != nil && c.m.opts.Observe != nil {
		c.observe(e)
		if field, ok := e.(*types.TupleField); ok {
			e = field.X
		} else {
			e = nil
		}
	}
}

// unexpectedNode is the Go panic for a node that no checked tree has.
type unexpectedNode struct {
	node      Node
	line, col int
}

func (u unexpectedNode) String() string {
	return fmt.Sprintf("unexpected %T of type %v at %d:%d", u.node, u.node.Type(), u.line, u.col)
}
