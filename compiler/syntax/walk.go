package syntax

// Inspect calls f for n and, where f returns true, for everything below it, in the order of the text. Nodes are
// expressions, patterns, types, statements, declarations, and the *Arm and *Catch values of matches and tries; f never
// gets nil. A node that f changes in place is walked as f left it.
func Inspect(n Node, f func(Node) bool) {
	var visit func(Node)
	visit = func(n Node) {
		if f(n) {
			children(n, visit)
		}
	}
	visit(n)
}

// InspectFile is Inspect for every declaration of a file.
func InspectFile(file *File, f func(Node) bool) {
	for _, d := range file.Decls {
		Inspect(d, f)
	}
}

// Nodes counts the nodes of a file, as Inspect visits them.
func Nodes(file *File) int {
	count := 0
	InspectFile(file, func(Node) bool { count++; return true })
	return count
}

// walker calls visit for the nodes it is given, and skips what is absent.
type walker struct{ visit func(Node) }

func (w walker) expr(x Expr) {
	if x != nil {
		w.visit(x)
	}
}

func (w walker) typ(t TypeExpr) {
	if t != nil {
		w.visit(t)
	}
}

func (w walker) block(b *Block) {
	if b != nil {
		w.visit(b)
	}
}

func (w walker) pattern(p Pattern) {
	if p != nil {
		w.visit(p)
	}
}

func (w walker) throws(t *Throws) {
	if t != nil {
		w.typ(t.Type)
	}
}

func (w walker) exprs(list []Expr) {
	for _, x := range list {
		w.expr(x)
	}
}

func (w walker) patterns(list []Pattern) {
	for _, p := range list {
		w.pattern(p)
	}
}

func (w walker) types(list []TypeExpr) {
	for _, t := range list {
		w.typ(t)
	}
}

func (w walker) path(p *Path) {
	for i := range p.Segments {
		w.types(p.Segments[i].Args)
	}
}

// children calls visit for the nodes directly below n, in the order of the text.
func children(n Node, visit func(Node)) {
	w := walker{visit}
	switch n := n.(type) {
	case Expr:
		w.ofExpr(n)
	case Pattern:
		w.ofPattern(n)
	case TypeExpr:
		w.ofType(n)
	case Stmt:
		w.ofStmt(n)
	case Decl:
		w.ofDecl(n)
	case *Arm:
		w.pattern(n.Pat)
		w.expr(n.Guard)
		w.expr(n.Body)
	case *Catch:
		w.pattern(n.Pat)
		w.block(n.Body)
	}
}

func (w walker) ofExpr(n Expr) {
	switch n := n.(type) {
	case *PathExpr:
		w.path(&n.Path)
	case *TupleLit:
		w.exprs(n.Elems)
	case *Unary:
		w.expr(n.X)
	case *Binary:
		w.expr(n.X)
		w.expr(n.Y)
	case *Range:
		w.expr(n.Lo)
		w.expr(n.Hi)
	case *Cast:
		w.expr(n.X)
		w.typ(n.Type)
	case *Assign:
		w.expr(n.Place)
		w.expr(n.Value)
	case *Call:
		w.expr(n.Callee)
		w.exprs(n.Args)
	case *MethodCall:
		w.expr(n.Recv)
		w.types(n.Name.Args)
		w.exprs(n.Args)
	case *Field:
		w.expr(n.X)
	case *TupleField:
		w.expr(n.X)
	case *Index:
		w.expr(n.X)
		w.expr(n.I)
	case *StructLit:
		w.path(&n.Path)
		for i := range n.Fields {
			w.expr(n.Fields[i].Value)
		}
	case *ArrayLit:
		w.exprs(n.Elems)
	case *ArrayRepeat:
		w.expr(n.Value)
		w.expr(n.Count)
	case *Print:
		w.exprs(n.Args)
	case *Panic:
		w.expr(n.Arg)
	case *Assert:
		w.expr(n.Arg)
	case *Spawn:
		w.expr(n.Call)
	default:
		w.ofControl(n)
	}
}

func (w walker) ofControl(n Expr) {
	switch n := n.(type) {
	case *Block:
		for _, s := range n.Stmts {
			w.visit(s)
		}
		w.expr(n.Tail)
	case *If:
		w.expr(n.Cond)
		w.block(n.Then)
		w.expr(n.Else)
	case *IfLet:
		w.pattern(n.Pat)
		w.expr(n.X)
		w.block(n.Then)
		w.expr(n.Else)
	case *Match:
		w.expr(n.X)
		for i := range n.Arms {
			w.visit(&n.Arms[i])
		}
	case *Loop:
		w.block(n.Body)
	case *While:
		w.expr(n.Cond)
		w.block(n.Body)
	case *For:
		w.pattern(n.Pat)
		w.expr(n.Iter)
		w.block(n.Body)
	case *Break:
		w.expr(n.Value)
	case *Return:
		w.expr(n.Value)
	case *Throw:
		w.expr(n.Value)
	case *Try:
		w.expr(n.X)
		for i := range n.Catches {
			w.visit(&n.Catches[i])
		}
		w.block(n.Finally)
	}
}

func (w walker) ofPattern(n Pattern) {
	switch n := n.(type) {
	case *LitPat:
		w.expr(n.Value)
	case *RangePat:
		w.expr(n.Lo)
		w.expr(n.Hi)
	case *TuplePat:
		w.patterns(n.Elems)
	case *StructPat:
		w.path(&n.Path)
		for i := range n.Fields {
			w.pattern(n.Fields[i].Pat)
		}
	case *EnumPat:
		w.path(&n.Path)
		w.patterns(n.Args)
	case *TypePat:
		w.typ(n.Type)
	case *OrPat:
		w.patterns(n.Alts)
	}
}

func (w walker) ofType(n TypeExpr) {
	switch n := n.(type) {
	case *NamedType:
		w.path(&n.Path)
	case *TupleType:
		w.types(n.Elems)
	case *ArrayType:
		w.typ(n.Elem)
	case *UnionType:
		w.types(n.Members)
	case *FnType:
		w.types(n.Params)
		w.throws(n.Throws)
		w.typ(n.Result)
	}
}

func (w walker) ofStmt(n Stmt) {
	switch n := n.(type) {
	case *Let:
		w.pattern(n.Pat)
		w.typ(n.Type)
		w.expr(n.Init)
	case *ExprStmt:
		w.expr(n.X)
	}
}

func (w walker) ofDecl(n Decl) {
	switch n := n.(type) {
	case *TopStmt:
		w.visit(n.Stmt)
	case *FnDecl:
		w.typeParams(n.TypeParams)
		for i := range n.Params {
			w.typ(n.Params[i].Type)
		}
		w.throws(n.Throws)
		w.typ(n.Result)
		w.block(n.Body)
	case *StructDecl:
		w.typeParams(n.TypeParams)
		for i := range n.Fields {
			w.typ(n.Fields[i].Type)
		}
	case *EnumDecl:
		w.typeParams(n.TypeParams)
		for i := range n.Variants {
			w.types(n.Variants[i].Args)
		}
	case *TraitDecl:
		for _, m := range n.Methods {
			w.visit(m)
		}
	case *ImplDecl:
		w.typeParams(n.TypeParams)
		if n.Trait != nil {
			w.path(n.Trait)
		}
		w.typ(n.Type)
		for i := range n.Types {
			w.typ(n.Types[i].Type)
		}
		for _, m := range n.Methods {
			w.visit(m)
		}
	case *StaticDecl:
		w.typ(n.Type)
		w.expr(n.Init)
	}
}

func (w walker) typeParams(list []TypeParam) {
	for i := range list {
		for j := range list[i].Bounds {
			b := &list[i].Bounds[j]
			w.path(&b.Path)
			for k := range b.Assoc {
				w.typ(b.Assoc[k].Type)
			}
		}
	}
}
