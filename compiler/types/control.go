package types

import (
	"rokrig/compiler/source"
	"rokrig/compiler/syntax"
)

// loop is a loop round the expression being checked.
type loop struct {
	id     LoopID
	label  *syntax.Ident
	value  bool  // `break` may have a value
	inCond bool  // checking the condition of a `while`: plain `break` and `continue` are not allowed
	hint   *Type // for the values of breaks
	typ    *Type // of the values so far; nil if there was no break
	breaks []*Break
}

func (c *checker) stmt(s syntax.Stmt) Stmt {
	switch s := s.(type) {
	case *syntax.Let:
		return c.let(s, false)
	case *syntax.ExprStmt:
		if s.Semi {
			return c.make.stmts.Put(ExprStmt{c.value(s.X)})
		}
		return c.make.stmts.Put(ExprStmt{c.want(s.X, Prim(Unit))})
	}
	panic("types: unknown statement")
}

// let checks a `let`; of a global one, the variables are globals.
func (c *checker) let(s *syntax.Let, global bool) Stmt {
	var init Expr
	var t *Type
	if s.Type != nil {
		t = c.typeExpr(s.Type)
		init = c.want(s.Init, t)
	} else {
		init = c.value(s.Init)
		t = init.Type()
	}
	c.global = global
	pat := c.irrefutable(s.Pat, t, "let")
	c.global = false
	return c.make.lets.Put(LetStmt{s.Span, pat, init})
}

func (c *checker) block(b *syntax.Block, hint *Type) *Block {
	before := c.diverges
	c.diverges = false
	mark := len(c.scope)
	out := c.make.blocks.Put(Block{})
	if len(b.Stmts) > 0 {
		out.Stmts = c.make.stmtList.List(len(b.Stmts))[:0]
	}
	for _, s := range b.Stmts {
		if c.diags.Full() {
			break
		}
		out.Stmts = append(out.Stmts, c.stmt(s))
	}
	t := Prim(Unit)
	if b.Tail != nil {
		out.Tail = c.expr(b.Tail, hint)
		t = out.Tail.Type()
	} else if c.diverges {
		t = Prim(Never)
	}
	c.leaveScope(mark)
	c.diverges = c.diverges || before
	out.Base = c.base(b.Span, t)
	return out
}

func (c *checker) ifExpr(e *syntax.If, hint *Type) Expr {
	cond := c.want(e.Cond, Prim(Bool))
	before := c.diverges
	if e.Else == nil {
		then := c.block(e.Then, Prim(Unit))
		c.withoutElse(then)
		c.diverges = before
		return c.make.ifs.Put(If{c.base(e.Span, Prim(Unit)), cond, then, nil})
	}
	then := c.block(e.Then, hint)
	both := c.diverges
	c.diverges = before
	els := c.expr(e.Else, hintFrom(then, hint))
	c.diverges = before || both && c.diverges
	t := c.joinBranches(then, els)
	return c.make.ifs.Put(If{c.base(e.Span, t), cond, then, els})
}

// withoutElse reports the value of an `if` that has no `else`.
func (c *checker) withoutElse(then *Block) {
	if t := then.Type(); t.Kind != Unit && t.Kind != Never && t.Kind != Invalid {
		c.errorf(giver(then).Where(), "an `if` without `else` has the value `()`, found `%s`", t)
	}
}

// hintFrom returns the hint for the branch after done: done's type, if it has one.
func hintFrom(done Expr, hint *Type) *Type {
	if t := done.Type(); !t.untyped() && t.Kind != Never && t.Kind != Invalid {
		return t
	}
	return hint
}

// joinBranches returns the one type of two branches and settles both.
func (c *checker) joinBranches(x, y Expr) *Type {
	t := c.unify(x.Type(), y.Type())
	if t == nil {
		c.errorf(giver(y).Where(), "the branches have different types, `%s` and `%s`", x.Type(), y.Type())
		return Prim(Invalid)
	}
	c.settle(x, t)
	c.settle(y, t)
	return t
}

// ifLet checks `if let p = x { a } else { b }` as `match x { p => a, _ => b }`.
func (c *checker) ifLet(e *syntax.IfLet, hint *Type) Expr {
	x := c.value(e.X)
	before := c.diverges
	if e.Else == nil {
		hint = Prim(Unit)
	}
	mark := len(c.scope)
	pat := c.bindPattern(e.Pat, x.Type())
	then := c.block(e.Then, hint)
	c.leaveScope(mark)
	both := c.diverges
	c.diverges = before
	other := &WildPat{c.patBase(e.Span, x.Type())}
	var els Expr
	t := Prim(Unit)
	if e.Else == nil {
		c.withoutElse(then)
		els = &Block{Base: c.base(e.Span, t)}
	} else {
		els = c.expr(e.Else, hintFrom(then, hint))
		t = c.joinBranches(then, els)
	}
	c.diverges = before || both && c.diverges
	return &Match{c.base(e.Span, t), x, []Arm{
		{Pat: pat, Body: then, Span: e.Pat.Where().To(e.Then.Span)},
		{Pat: other, Body: els, Span: els.Where()},
	}}
}

func (c *checker) match(e *syntax.Match, hint *Type) Expr {
	x := c.value(e.X)
	before := c.diverges
	t, all, sound := Prim(Never), true, true
	out := &Match{X: x, Arms: make([]Arm, 0, len(e.Arms))}
	for i := range e.Arms {
		if c.diags.Full() {
			break
		}
		c.diverges = before
		arm, ok := c.arm(&e.Arms[i], x.Type(), hint)
		sound = sound && ok
		out.Arms = append(out.Arms, arm)
		all = all && c.diverges
		joined := c.unify(t, arm.Body.Type())
		if joined == nil {
			c.errorf(giver(arm.Body).Where(), "this arm has type `%s`, those before have `%s`", arm.Body.Type(), t)
			joined = Prim(Invalid)
		}
		t = joined
		if !t.untyped() && t.Kind != Never && t.Kind != Invalid {
			hint = t
		}
	}
	c.diverges = before || all
	for i := range out.Arms {
		c.settle(out.Arms[i].Body, t)
	}
	out.Base = c.base(e.Span, t)
	if sound && x.Type().Kind != Invalid && !c.diags.Full() {
		c.exhaustive(out)
	}
	return out
}

// arm checks an arm; ok is false if its pattern has errors.
func (c *checker) arm(a *syntax.Arm, t, hint *Type) (out Arm, ok bool) {
	mark, errors := len(c.scope), c.errors
	out = Arm{Pat: c.bindPattern(a.Pat, t), Span: a.Span}
	ok = c.errors == errors
	if a.Guard != nil {
		out.Guard = c.want(a.Guard, Prim(Bool))
	}
	out.Body = c.expr(a.Body, hint)
	c.leaveScope(mark)
	return out, ok
}

// exhaustive reports the case that a match misses and the arms that are never reached.
func (c *checker) exhaustive(m *Match) {
	pats := make([]Pattern, len(m.Arms))
	guarded := make([]bool, len(m.Arms))
	for i := range m.Arms {
		pats[i], guarded[i] = m.Arms[i].Pat, m.Arms[i].Guard != nil
	}
	result := c.usefulness(pats, guarded, m.X.Type())
	if result.tooComplex {
		// Which arms are reached stays unknown, but an arm that matches everything at first sight leaves nothing to miss.
		for i, p := range pats {
			if !guarded[i] && simple(p) {
				return
			}
		}
		c.errorf(m.Span, "match too complex to check")
		return
	}
	c.reportMissing(m, result.missing)
	for i, useful := range result.useful {
		if !useful {
			c.warnf(m.Arms[i].Pat.Where(), "this arm is never reached")
		}
	}
}

func (c *checker) enterLoop(label *syntax.Ident, value bool, hint *Type) LoopID {
	id := LoopID(c.fn.Loops)
	c.fn.Loops++
	c.loops = append(c.loops, loop{id: id, label: label, value: value, hint: hint})
	return id
}

func (c *checker) exitLoop() loop {
	last := c.loops[len(c.loops)-1]
	c.loops = c.loops[:len(c.loops)-1]
	return last
}

// loopBody checks the body of a loop, whose value is ().
func (c *checker) loopBody(b *syntax.Block) Expr {
	body := c.block(b, Prim(Unit))
	c.coerce(body, Prim(Unit))
	return body
}

func (c *checker) loop(e *syntax.Loop, hint *Type) Expr {
	before := c.diverges
	id := c.enterLoop(e.Label, true, hint)
	body := c.loopBody(e.Body)
	l := c.exitLoop()
	c.diverges = before
	t := l.typ
	if t == nil {
		t = Prim(Never)
	}
	out := &Loop{c.base(e.Span, t), id, body}
	if t.untyped() {
		if c.untypedBreaks == nil {
			c.untypedBreaks = map[*Loop][]*Break{}
		}
		c.untypedBreaks[out] = l.breaks
	} else {
		for _, b := range l.breaks {
			c.settle(b.Value, t)
		}
	}
	return out
}

func (c *checker) while(e *syntax.While) Expr {
	id := c.enterLoop(e.Label, false, nil)
	c.loops[len(c.loops)-1].inCond = true
	cond := c.want(e.Cond, Prim(Bool))
	before := c.diverges
	c.loops[len(c.loops)-1].inCond = false
	body := c.loopBody(e.Body)
	l := c.exitLoop()
	c.diverges = before && l.typ == nil
	return &While{c.base(e.Span, Prim(Unit)), id, cond, body}
}

func (c *checker) forExpr(e *syntax.For) Expr {
	iter := c.value(e.Iter)
	before := c.diverges
	elem := Prim(Invalid)
	switch t := iter.Type(); t.Kind {
	case Range, RangeInclusive:
		elem = t.Args[0]
	case Invalid:
	case Never:
		elem = t
	default:
		c.errorf(e.Iter.Where(), "`for` does not go over a value of type `%s`", t)
	}
	id := c.enterLoop(e.Label, false, nil)
	mark := len(c.scope)
	pat := c.irrefutable(e.Pat, elem, "for")
	body := c.loopBody(e.Body)
	c.leaveScope(mark)
	c.exitLoop()
	c.diverges = before
	return &For{c.base(e.Span, Prim(Unit)), id, pat, iter, body}
}

// target finds the loop that a `break` or `continue` means, or reports why there is none.
func (c *checker) target(label *syntax.Ident, span source.Span, word string) *loop {
	if len(c.loops) == 0 {
		c.errorf(span, "`%s` outside of a loop", word)
		return nil
	}
	if label == nil {
		l := &c.loops[len(c.loops)-1]
		if l.inCond {
			c.errorf(span, "`%s` in the condition of a `while` needs a label", word)
			return nil
		}
		return l
	}
	for i := len(c.loops) - 1; i >= 0; i-- {
		if l := &c.loops[i]; l.label != nil && l.label.Name == label.Name {
			return l
		}
	}
	c.errorf(label.Span, "no loop round this has the label `%s`", label.Name)
	return nil
}

func (c *checker) breakExpr(e *syntax.Break) Expr {
	l := c.target(e.Label, e.Span, "break")
	if l == nil {
		if e.Value != nil {
			c.value(e.Value)
		}
		return &Break{Base: c.base(e.Span, Prim(Never))}
	}
	out := &Break{Loop: l.id}
	found := Prim(Unit)
	if e.Value != nil {
		at := l.id
		out.Value = c.expr(e.Value, l.hint)
		l = c.loopByID(at) // the value may have grown c.loops
		found = out.Value.Type()
		if !l.value {
			c.settleDefault(out.Value)
			c.errorf(e.Value.Where(), "only a `loop` can be left with a value")
			found = Prim(Invalid)
		}
	}
	out.Base = c.base(e.Span, Prim(Never))
	c.joinBreak(l, out, found)
	return out
}

func (c *checker) loopByID(id LoopID) *loop {
	for i := len(c.loops) - 1; ; i-- {
		if c.loops[i].id == id {
			return &c.loops[i]
		}
	}
}

// joinBreak makes the value of a break part of its loop's type.
func (c *checker) joinBreak(l *loop, b *Break, found *Type) {
	if l.typ == nil {
		l.typ = Prim(Never)
	}
	t := c.unify(l.typ, found)
	if t == nil {
		c.errorf(b.Span, "this `break` gives `%s`, those before give `%s`", found, l.typ)
		t = Prim(Invalid)
	}
	l.typ = t
	if t.Kind != Never && t.Kind != Invalid && !t.untyped() {
		l.hint = t
	}
	if b.Value != nil {
		l.breaks = append(l.breaks, b)
	}
}

func (c *checker) continueExpr(e *syntax.Continue) Expr {
	out := &Continue{}
	if l := c.target(e.Label, e.Span, "continue"); l != nil {
		out.Loop = l.id
	}
	out.Base = c.base(e.Span, Prim(Never))
	return out
}

func (c *checker) returnExpr(e *syntax.Return) Expr {
	out := &Return{}
	result := c.fn.Result()
	switch {
	case e.Value != nil:
		out.Value = c.want(e.Value, result)
	case result.Kind != Unit && result.Kind != Invalid:
		c.errorf(e.Span, "`return` needs a value of type `%s`", result)
	}
	out.Base = c.base(e.Span, Prim(Never))
	return out
}
