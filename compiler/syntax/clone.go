package syntax

// Clone returns a copy of a file that shares no node with it.
func Clone(f *File) *File {
	return &File{Source: f.Source, Decls: mapped(f.Decls, CloneDecl)}
}

// mapped returns the list of copies; nil stays nil.
func mapped[T any](list []T, clone func(T) T) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, v := range list {
		out[i] = clone(v)
	}
	return out
}

// of returns a shallow copy of a node, which the caller then deepens. nil stays nil.
func of[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

func cloneExprs(list []Expr) []Expr          { return mapped(list, CloneExpr) }
func clonePatterns(list []Pattern) []Pattern { return mapped(list, ClonePattern) }
func cloneTypes(list []TypeExpr) []TypeExpr  { return mapped(list, CloneType) }

func cloneSegment(s Segment) Segment {
	s.Args = cloneTypes(s.Args)
	return s
}

func clonePath(p Path) Path {
	p.Segments = mapped(p.Segments, cloneSegment)
	return p
}

// CloneExpr returns a deep copy; nil stays nil (so in all these functions).
func CloneExpr(x Expr) Expr {
	switch x := x.(type) {
	case nil:
		return nil
	case *IntLit:
		return of(x)
	case *FloatLit:
		return of(x)
	case *StrLit:
		return of(x)
	case *BoolLit:
		return of(x)
	case *NoneLit:
		return of(x)
	case *PathExpr:
		return &PathExpr{x.Loc, clonePath(x.Path)}
	case *TupleLit:
		return &TupleLit{x.Loc, cloneExprs(x.Elems)}
	case *Unary:
		return &Unary{x.Loc, x.Op, CloneExpr(x.X)}
	case *Binary:
		return &Binary{x.Loc, x.Op, x.OpPos, CloneExpr(x.X), CloneExpr(x.Y)}
	case *Range:
		return &Range{x.Loc, CloneExpr(x.Lo), CloneExpr(x.Hi), x.Inclusive}
	case *Cast:
		return &Cast{x.Loc, CloneExpr(x.X), CloneType(x.Type)}
	case *Assign:
		return &Assign{x.Loc, CloneExpr(x.Place), x.Op, x.OpPos, CloneExpr(x.Value)}
	case *Call:
		return &Call{x.Loc, CloneExpr(x.Callee), cloneExprs(x.Args)}
	case *MethodCall:
		return &MethodCall{x.Loc, CloneExpr(x.Recv), cloneSegment(x.Name), cloneExprs(x.Args)}
	case *Field:
		return &Field{x.Loc, CloneExpr(x.X), x.Name}
	case *TupleField:
		return &TupleField{x.Loc, CloneExpr(x.X), x.Index}
	case *Index:
		return &Index{x.Loc, CloneExpr(x.X), CloneExpr(x.I), x.LBracket}
	case *StructLit:
		return &StructLit{x.Loc, clonePath(x.Path), mapped(x.Fields, cloneFieldInit)}
	case *ArrayLit:
		return &ArrayLit{x.Loc, cloneExprs(x.Elems)}
	case *ArrayRepeat:
		return &ArrayRepeat{x.Loc, CloneExpr(x.Value), CloneExpr(x.Count)}
	case *Print:
		return &Print{x.Loc, cloneExprs(x.Args)}
	case *Panic:
		return &Panic{x.Loc, CloneExpr(x.Arg)}
	case *Assert:
		return &Assert{x.Loc, CloneExpr(x.Arg)}
	case *Spawn:
		return &Spawn{x.Loc, CloneExpr(x.Call)}
	}
	return cloneControl(x)
}

func cloneControl(x Expr) Expr {
	switch x := x.(type) {
	case *Block:
		return CloneBlock(x)
	case *If:
		return &If{x.Loc, CloneExpr(x.Cond), CloneBlock(x.Then), CloneExpr(x.Else)}
	case *IfLet:
		return &IfLet{x.Loc, ClonePattern(x.Pat), CloneExpr(x.X), CloneBlock(x.Then), CloneExpr(x.Else)}
	case *Match:
		return &Match{x.Loc, CloneExpr(x.X), mapped(x.Arms, cloneArm)}
	case *Loop:
		return &Loop{x.Loc, of(x.Label), CloneBlock(x.Body)}
	case *While:
		return &While{x.Loc, of(x.Label), CloneExpr(x.Cond), CloneBlock(x.Body)}
	case *For:
		return &For{x.Loc, of(x.Label), ClonePattern(x.Pat), CloneExpr(x.Iter), CloneBlock(x.Body)}
	case *Break:
		return &Break{x.Loc, of(x.Label), CloneExpr(x.Value)}
	case *Continue:
		return &Continue{x.Loc, of(x.Label)}
	case *Return:
		return &Return{x.Loc, CloneExpr(x.Value)}
	case *Throw:
		return &Throw{x.Loc, CloneExpr(x.Value)}
	case *Try:
		return &Try{x.Loc, x.Kind, CloneExpr(x.X), mapped(x.Catches, cloneCatch), CloneBlock(x.Finally)}
	}
	panic("syntax: cloning an unknown expression")
}

// CloneBlock is CloneExpr for a block.
func CloneBlock(b *Block) *Block {
	if b == nil {
		return nil
	}
	return &Block{b.Loc, mapped(b.Stmts, CloneStmt), CloneExpr(b.Tail)}
}

func cloneFieldInit(f FieldInit) FieldInit { return FieldInit{f.Name, CloneExpr(f.Value)} }

func cloneArm(a Arm) Arm {
	return Arm{a.Loc, ClonePattern(a.Pat), CloneExpr(a.Guard), CloneExpr(a.Body)}
}

func cloneCatch(c Catch) Catch { return Catch{c.Loc, ClonePattern(c.Pat), CloneBlock(c.Body)} }

// ClonePattern returns a deep copy.
func ClonePattern(p Pattern) Pattern {
	switch p := p.(type) {
	case nil:
		return nil
	case *LitPat:
		return &LitPat{p.Loc, CloneExpr(p.Value)}
	case *RangePat:
		return &RangePat{p.Loc, CloneExpr(p.Lo), CloneExpr(p.Hi), p.Inclusive}
	case *WildPat:
		return of(p)
	case *BindPat:
		return of(p)
	case *TuplePat:
		return &TuplePat{p.Loc, clonePatterns(p.Elems)}
	case *StructPat:
		return &StructPat{p.Loc, clonePath(p.Path), mapped(p.Fields, cloneFieldPat), p.Rest}
	case *EnumPat:
		return &EnumPat{p.Loc, clonePath(p.Path), clonePatterns(p.Args)}
	case *TypePat:
		return &TypePat{p.Loc, p.Name, p.Mut, CloneType(p.Type)}
	case *OrPat:
		return &OrPat{p.Loc, clonePatterns(p.Alts)}
	}
	panic("syntax: cloning an unknown pattern")
}

func cloneFieldPat(f FieldPat) FieldPat { return FieldPat{f.Name, ClonePattern(f.Pat)} }

// CloneType returns a deep copy.
func CloneType(t TypeExpr) TypeExpr {
	switch t := t.(type) {
	case nil:
		return nil
	case *NamedType:
		return &NamedType{t.Loc, clonePath(t.Path)}
	case *TupleType:
		return &TupleType{t.Loc, cloneTypes(t.Elems)}
	case *ArrayType:
		return &ArrayType{t.Loc, CloneType(t.Elem)}
	case *UnionType:
		return &UnionType{t.Loc, cloneTypes(t.Members)}
	case *FnType:
		return &FnType{t.Loc, cloneTypes(t.Params), cloneThrows(t.Throws), CloneType(t.Result)}
	case *AnyType:
		return of(t)
	case *NoneType:
		return of(t)
	case *NeverType:
		return of(t)
	}
	panic("syntax: cloning an unknown type")
}

func cloneThrows(t *Throws) *Throws {
	if t == nil {
		return nil
	}
	return &Throws{t.Loc, CloneType(t.Type)}
}

// CloneStmt returns a deep copy.
func CloneStmt(s Stmt) Stmt {
	switch s := s.(type) {
	case nil:
		return nil
	case *Let:
		return &Let{s.Loc, ClonePattern(s.Pat), CloneType(s.Type), CloneExpr(s.Init)}
	case *ExprStmt:
		return &ExprStmt{s.Loc, CloneExpr(s.X), s.Semi}
	}
	panic("syntax: cloning an unknown statement")
}

// CloneDecl returns a deep copy.
func CloneDecl(d Decl) Decl {
	switch d := d.(type) {
	case nil:
		return nil
	case *TopStmt:
		return &TopStmt{d.Loc, CloneStmt(d.Stmt)}
	case *FnDecl:
		return cloneFn(d)
	case *StructDecl:
		return &StructDecl{d.Loc, d.Name, cloneTypeParams(d.TypeParams), mapped(d.Fields, cloneFieldDecl)}
	case *EnumDecl:
		return &EnumDecl{d.Loc, d.Name, cloneTypeParams(d.TypeParams), mapped(d.Variants, cloneVariant)}
	case *TraitDecl:
		types := append([]Ident(nil), d.Types...)
		return &TraitDecl{d.Loc, d.Name, types, mapped(d.Methods, cloneFn)}
	case *ImplDecl:
		c := *d
		c.TypeParams = cloneTypeParams(d.TypeParams)
		if d.Trait != nil {
			path := clonePath(*d.Trait)
			c.Trait = &path
		}
		c.Type = CloneType(d.Type)
		c.Types = mapped(d.Types, cloneAssoc)
		c.Methods = mapped(d.Methods, cloneFn)
		return &c
	case *StaticDecl:
		return &StaticDecl{d.Loc, d.Name, CloneType(d.Type), CloneExpr(d.Init)}
	}
	panic("syntax: cloning an unknown declaration")
}

func cloneFn(f *FnDecl) *FnDecl {
	return &FnDecl{f.Loc, f.Name, cloneTypeParams(f.TypeParams), mapped(f.Params, cloneParam), cloneThrows(f.Throws),
		CloneType(f.Result), CloneBlock(f.Body)}
}

func cloneParam(p Param) Param { return Param{p.Loc, p.Name, p.Mut, CloneType(p.Type)} }

func cloneFieldDecl(f FieldDecl) FieldDecl { return FieldDecl{f.Loc, f.Name, CloneType(f.Type)} }

func cloneVariant(v Variant) Variant { return Variant{v.Loc, v.Name, cloneTypes(v.Args)} }

func cloneAssoc(a AssocType) AssocType { return AssocType{a.Ident, CloneType(a.Type)} }

func cloneTypeParams(list []TypeParam) []TypeParam {
	return mapped(list, func(t TypeParam) TypeParam {
		t.Bounds = mapped(t.Bounds, func(b Bound) Bound {
			return Bound{clonePath(b.Path), mapped(b.Assoc, cloneAssoc)}
		})
		return t
	})
}
