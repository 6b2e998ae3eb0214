package core

// eachOperand calls visit for the operands of e, in the order in which they stand; those that are left out are skipped.
func eachOperand(e Expr, visit func(Expr)) {
	one := func(x Expr) {
		if x != nil {
			visit(x)
		}
	}
	list := func(xs []Expr) {
		for _, x := range xs {
			one(x)
		}
	}
	switch e := e.(type) {
	case *Op:
		list(e.Args)
	case *Concat:
		list(e.Parts)
	case *Part:
		one(e.X)
	case *Call:
		list(e.Args)
	case *CallIndirect:
		one(e.Callee)
		list(e.Args)
	case *Seq:
		list(e.List)
		one(e.Tail)
	case *Let:
		one(e.Init)
	case *Assign:
		one(e.Value)
	case *SetGlobal:
		one(e.Value)
	case *Block:
		one(e.Body)
	case *Br:
		one(e.Value)
	case *If:
		one(e.Cond)
		one(e.Then)
		one(e.Else)
	case *Switch:
		one(e.X)
		for _, c := range e.Cases {
			one(c.Body)
		}
		one(e.Default)
	case *Loop:
		one(e.Body)
	case *While:
		one(e.Cond)
		one(e.Body)
	case *Panic:
		one(e.Message)
	case *Return:
		one(e.Value)
	}
}
