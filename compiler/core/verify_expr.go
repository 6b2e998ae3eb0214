package core

// expr verifies one node and what is below it, in the order of evaluation.
func (v *verifier) expr(e Expr) {
	if v.seen[e] {
		v.nodef(e, "stands in two places")
		return
	}
	v.seen[e] = true
	switch e := e.(type) {
	case *Const:
		if e.Class == F32 && e.Bits>>32 != 0 {
			v.nodef(e, "the high half of an f32 is not zero")
		}
	case *Str:
		if !v.hasString(e.ID) {
			v.nodef(e, "string %d of %d", e.ID, len(v.m.Strings))
		} else if e.Len != len(v.m.Strings[e.ID]) {
			v.nodef(e, "length %d for a string of %d", e.Len, len(v.m.Strings[e.ID]))
		}
	case *Undef:
		if v.at.live {
			v.nodef(e, "can be reached")
		}
	case *FuncAddr:
		v.hasFunc(e, e.Func)
	case *LocalGet:
		v.localGet(e)
	case *GlobalGet:
		if v.isGlobal(e, e.Global) {
			v.within(e, e.Off, e.Words, e.Global.Classes)
		}
	case *Op:
		v.op(e)
	case *Concat:
		v.all(e, e.Parts, e.Words)
	case *Part:
		if e.X == nil {
			v.nodef(e, "the operand is missing")
			return
		}
		v.expr(e.X)
		v.within(e, e.Off, e.Words, e.X.Classes())
	case *Call:
		v.call(e)
	case *CallIndirect:
		v.callIndirect(e)
	default:
		v.statement(e)
	}
}

// statement verifies what stores.
func (v *verifier) statement(e Expr) {
	switch e := e.(type) {
	case *Seq:
		for _, x := range e.List {
			if x == nil {
				v.nodef(e, "a part of the list is missing")
				continue
			}
			v.expr(x)
		}
		if e.Tail != nil {
			v.expr(e.Tail)
		}
	case *Let:
		if v.isLocal(e, e.Local) {
			v.wants(e.Init, e.Local.Classes, "the first value")
			v.at.set(int(e.Local.ID))
		}
	case *Assign:
		if v.isLocal(e, e.Local) {
			v.stored(e, e.Value, e.Off, e.Local.Classes)
			v.assigned(e, e.Local)
		}
	case *SetGlobal:
		if v.isGlobal(e, e.Global) {
			v.stored(e, e.Value, e.Off, e.Global.Classes)
		}
	default:
		v.control(e)
	}
}

// control verifies what decides where the program goes on.
func (v *verifier) control(e Expr) {
	switch e := e.(type) {
	case *Block:
		v.block(e)
	case *Br:
		v.br(e)
	case *If:
		v.wants(e.Cond, oneInt, "the condition")
		v.branches(len(e.Words) == 0, e.Words, e.Then, e.Else)
	case *Switch:
		v.switchExpr(e)
	case *Loop:
		v.round(e, e.Body)
		v.at.live = false
	case *While:
		v.while(e)
	case *Poll:
		v.site(e, e.Site, PollSite)
		v.at.polled = true
	case *Panic:
		v.wants(e.Message, strWords, "the message")
		v.position(e, e.Pos)
		v.site(e, e.Site, PanicSite)
		v.at.live = false
	case *Return:
		v.optional(e.Value, v.f.Result, "the result")
		v.at.live = false
	default:
		v.nodef(e, "unknown node %T", e)
	}
}

func (v *verifier) hasFunc(e Expr, id FuncID) bool {
	if id < 0 || int(id) >= len(v.m.Funcs) || v.m.Funcs[id] == nil {
		v.nodef(e, "function %d of %d", id, len(v.m.Funcs))
		return false
	}
	return true
}

func (v *verifier) isLocal(e Expr, local *Local) bool {
	if local == nil || local.ID < 0 || int(local.ID) >= len(v.f.Locals) || v.f.Locals[local.ID] != local {
		v.nodef(e, "the local is not one of the function's")
		return false
	}
	return true
}

func (v *verifier) isGlobal(e Expr, g *Global) bool {
	if g == nil || g.ID < 0 || int(g.ID) >= len(v.m.Globals) || v.m.Globals[g.ID] != g {
		v.faultf("%T: the global is not one of the module's", e)
		return false
	}
	return true
}

// within checks that words stand at off in all.
func (v *verifier) within(e Expr, off int, words, all []Class) {
	if len(words) == 0 || off < 0 || off+len(words) > len(all) || !sameClasses(words, all[off:off+len(words)]) {
		v.nodef(e, "words%s at %d of%s", classList(words), off, classList(all))
	}
}

func (v *verifier) localGet(e *LocalGet) {
	if !v.isLocal(e, e.Local) {
		return
	}
	v.within(e, e.Off, e.Words, e.Local.Classes)
	v.assigned(e, e.Local)
}

// assigned checks that a local has a value on every way to here.
func (v *verifier) assigned(e Expr, local *Local) {
	if v.at.live && !v.at.holds(int(local.ID)) {
		v.nodef(e, "the local may have no value yet")
	}
}

// stored checks a store into some words of a variable.
func (v *verifier) stored(e, value Expr, off int, all []Class) {
	if value == nil {
		v.nodef(e, "the value is missing")
		return
	}
	v.expr(value)
	v.within(e, off, value.Classes(), all)
}

func (v *verifier) call(e *Call) {
	if !v.hasFunc(e, e.Func) {
		return
	}
	f := v.m.Funcs[e.Func]
	var params []Class
	for _, p := range f.Locals[:max(0, min(f.Params, len(f.Locals)))] {
		if p != nil {
			params = append(params, p.Classes...)
		}
	}
	v.all(e, e.Args, params)
	if !sameClasses(e.Words, f.Result) {
		v.nodef(e, "leaves%s, the function gives%s", classList(e.Words), classList(f.Result))
	}
	v.called(e, e.Pos != 0, e.Site, e.NoReturn)
}

func (v *verifier) callIndirect(e *CallIndirect) {
	v.wants(e.Callee, oneInt, "the callee")
	for _, a := range e.Args {
		if a == nil {
			v.nodef(e, "an operand is missing")
			continue
		}
		v.expr(a)
	}
	v.called(e, e.Pos != 0, e.Site, e.NoReturn)
}

// called checks what direct and indirect calls have in common.
func (v *verifier) called(e Expr, placed bool, site SiteID, noReturn bool) {
	if !placed {
		v.nodef(e, "has no position")
	}
	v.site(e, site, CallSite)
	if noReturn {
		if len(e.Classes()) > 0 {
			v.nodef(e, "never returns and leaves words")
		}
		v.at.live = false
	}
}

func (v *verifier) block(e *Block) {
	if e.Label < 0 || int(e.Label) >= len(v.blocks) {
		v.nodef(e, "label %d of %d", e.Label, len(v.blocks))
		return
	}
	if v.defined[e.Label] {
		v.nodef(e, "the label is another block's too")
		return
	}
	open := &openBlock{block: e}
	v.defined[e.Label], v.blocks[e.Label] = true, open
	v.wants(e.Body, e.Words, "the block")
	v.blocks[e.Label] = nil
	open.out.meet(v.at)
	v.at = v.known(open.out)
}

// known makes a state that was never met usable: nothing gets there.
func (v *verifier) known(s state) state {
	if s.has == nil {
		s.has = make([]uint64, len(v.at.has))
	}
	return s
}

func (v *verifier) br(e *Br) {
	if e.Label < 0 || int(e.Label) >= len(v.blocks) || v.blocks[e.Label] == nil {
		v.nodef(e, "no block round it has this label")
		if e.Value != nil {
			v.expr(e.Value)
		}
		v.at.live = false
		return
	}
	open := v.blocks[e.Label]
	v.optional(e.Value, open.block.Words, "the branch")
	open.out.meet(v.at)
	v.at.live = false
}

// branches verifies the two sides of an If; els may be missing if bare.
func (v *verifier) branches(bare bool, words []Class, then, els Expr) {
	before := v.at.copied()
	v.wants(then, words, "the first side")
	after := v.at
	v.at = before
	if els != nil || !bare {
		v.wants(els, words, "the other side")
	}
	after.meet(v.at)
	v.at = after
}

func (v *verifier) switchExpr(e *Switch) {
	v.wants(e.X, oneInt, "what is switched on")
	if !e.Scalar.IsInt() && e.Scalar != Bool {
		v.nodef(e, "switches on %q", e.Scalar)
	}
	before, after := v.at, state{}
	for i := range e.Cases {
		v.caseBounds(e, i)
		v.at = before.copied()
		v.wants(e.Cases[i].Body, e.Words, "a case")
		after.meet(v.at)
	}
	v.at = before.copied()
	v.wants(e.Default, e.Words, "the default")
	after.meet(v.at)
	v.at = v.known(after)
}

// caseBounds checks that a case lies in the type, and behind the case before it.
func (v *verifier) caseBounds(e *Switch, i int) {
	c := e.Cases[i]
	if normalised(e.Scalar, c.Lo) != c.Lo || normalised(e.Scalar, c.Hi) != c.Hi {
		v.nodef(e, "%s is not of the type", caseText(c))
	}
	if less(e.Scalar, c.Hi, c.Lo) {
		v.nodef(e, "%s is empty", caseText(c))
	}
	if i > 0 && !less(e.Scalar, e.Cases[i-1].Hi, c.Lo) {
		v.nodef(e, "%s does not lie behind %s", caseText(c), caseText(e.Cases[i-1]))
	}
}

// normalised extends the low bits of a word to a value of type s.
func normalised(s Scalar, w uint64) uint64 {
	if s == Bool {
		return w & 1
	}
	shift := 64 - s.Bits()
	if s.IsSigned() {
		return uint64(int64(w<<shift) >> shift)
	}
	return w << shift >> shift
}

// less compares two words of type s.
func less(s Scalar, a, b uint64) bool {
	if s.IsSigned() {
		return int64(a) < int64(b)
	}
	return a < b
}

// round verifies the body of a loop, from whose end the next round begins.
func (v *verifier) round(e, body Expr) {
	outer := v.at.polled
	v.at.polled = false
	v.wants(body, nil, "the body")
	loop, isLoop := e.(*Loop)
	if v.at.live && !v.at.polled && !(isLoop && loop.Bounded) {
		v.nodef(e, "can go round without a poll")
	}
	v.at.polled = outer
}

func (v *verifier) while(e *While) {
	v.wants(e.Cond, oneInt, "the condition")
	after := v.at.copied()
	v.round(e, e.Body)
	v.at = after
}
