package syntax

func (w *printer) decl(d Decl) {
	switch d := d.(type) {
	case *TopStmt:
		w.stmt(d.Stmt)
	case *FnDecl:
		w.fn(d)
	case *StructDecl:
		w.str("struct ")
		w.str(d.Name.Name)
		w.typeParams(d.TypeParams)
		w.lines(len(d.Fields), func(i int) {
			w.str(d.Fields[i].Name.Name)
			w.str(": ")
			w.typ(d.Fields[i].Type)
			w.str(",")
		})
	case *EnumDecl:
		w.str("enum ")
		w.str(d.Name.Name)
		w.typeParams(d.TypeParams)
		w.lines(len(d.Variants), func(i int) { w.variant(&d.Variants[i]) })
	case *TraitDecl:
		w.str("trait ")
		w.str(d.Name.Name)
		w.lines(len(d.Types)+len(d.Methods), func(i int) {
			if i < len(d.Types) {
				w.str("type ")
				w.str(d.Types[i].Name)
				w.str(";")
			} else {
				w.fn(d.Methods[i-len(d.Types)])
			}
		})
	case *ImplDecl:
		w.impl(d)
	case *StaticDecl:
		w.str("static ")
		w.str(d.Name.Name)
		w.str(": ")
		w.typ(d.Type)
		w.str(" = ")
		w.expr(d.Init, PrecNone, 0)
		w.str(";")
	}
}

// lines writes a body in braces, one of n members on each line.
func (w *printer) lines(n int, member func(i int)) {
	if n == 0 {
		w.str(" {}")
		return
	}
	w.str(" {")
	w.indent++
	for i := range n {
		w.line()
		member(i)
	}
	w.indent--
	w.line()
	w.str("}")
}

func (w *printer) variant(v *Variant) {
	w.str(v.Name.Name)
	if v.Args != nil {
		w.str("(")
		w.typeList(v.Args)
		w.str(")")
	}
	w.str(",")
}

func (w *printer) impl(d *ImplDecl) {
	w.str("impl")
	w.typeParams(d.TypeParams)
	w.str(" ")
	if d.Trait != nil {
		w.path(*d.Trait, true)
		w.str(" for ")
	}
	w.typ(d.Type)
	w.lines(len(d.Types)+len(d.Methods), func(i int) {
		if i < len(d.Types) {
			w.str("type ")
			w.assoc(&d.Types[i])
			w.str(";")
		} else {
			w.fn(d.Methods[i-len(d.Types)])
		}
	})
}

func (w *printer) fn(f *FnDecl) {
	w.str("fn ")
	w.str(f.Name.Name)
	w.typeParams(f.TypeParams)
	w.str("(")
	for i := range f.Params {
		w.comma(i)
		x := &f.Params[i]
		if x.Mut {
			w.str("mut ")
		}
		w.str(x.Name.Name)
		if x.Type != nil {
			w.str(": ")
			w.typ(x.Type)
		}
	}
	w.str(")")
	w.signatureEnd(f.Throws, f.Result)
	if f.Body == nil {
		w.str(";")
		return
	}
	w.str(" ")
	w.block(f.Body)
}

func (w *printer) typeParams(list []TypeParam) {
	if len(list) == 0 {
		return
	}
	w.str("<")
	for i := range list {
		w.comma(i)
		w.str(list[i].Name)
		for j := range list[i].Bounds {
			if j == 0 {
				w.str(": ")
			} else {
				w.str(" + ")
			}
			w.bound(&list[i].Bounds[j])
		}
	}
	w.str(">")
}

func (w *printer) bound(b *Bound) {
	w.path(b.Path, true)
	if len(b.Assoc) == 0 {
		return
	}
	w.str("<")
	for i := range b.Assoc {
		w.comma(i)
		w.assoc(&b.Assoc[i])
	}
	w.str(">")
}

func (w *printer) assoc(a *AssocType) {
	w.str(a.Name)
	w.str(" = ")
	w.typ(a.Type)
}

func (w *printer) patterns(list []Pattern) {
	for i, p := range list {
		w.comma(i)
		w.pattern(p, 0)
	}
}

// pattern writes a pattern; f says what needs parentheses at its outside, as in parsing.
func (w *printer) pattern(p Pattern, f patFlags) {
	switch p := p.(type) {
	case *LitPat:
		w.expr(p.Value, PrecNone, 0)
	case *RangePat:
		w.expr(p.Lo, PrecNone, 0)
		w.str("..")
		if p.Inclusive {
			w.str("=")
		}
		w.expr(p.Hi, PrecNone, 0)
	case *WildPat:
		w.str("_")
	case *BindPat:
		if p.Mut {
			w.str("mut ")
		}
		w.str(p.Name.Name)
	case *TuplePat:
		w.str("(")
		w.patterns(p.Elems)
		if len(p.Elems) == 1 {
			w.str(",")
		}
		w.str(")")
	case *StructPat:
		w.inParens(f&patNoStruct != 0, func() { w.structPat(p) })
	case *EnumPat:
		w.path(p.Path, false)
		if p.Args != nil {
			w.str("(")
			w.patterns(p.Args)
			w.str(")")
		}
	case *TypePat:
		w.inParens(f&patNoType != 0, func() { w.typePat(p) })
	case *OrPat:
		for i, alt := range p.Alts {
			if i > 0 {
				w.str(" | ")
			}
			if _, nested := alt.(*OrPat); nested {
				w.inParens(true, func() { w.pattern(alt, 0) })
			} else {
				w.pattern(alt, f)
			}
		}
	}
}

func (w *printer) inParens(parens bool, write func()) {
	if parens {
		w.str("(")
		defer w.str(")")
	}
	write()
}

func (w *printer) structPat(p *StructPat) {
	w.path(p.Path, false)
	if len(p.Fields) == 0 && !p.Rest {
		w.str(" {}")
		return
	}
	w.str(" { ")
	for i := range p.Fields {
		w.comma(i)
		w.str(p.Fields[i].Name.Name)
		if p.Fields[i].Pat != nil {
			w.str(": ")
			w.pattern(p.Fields[i].Pat, 0)
		}
	}
	if p.Rest {
		w.comma(len(p.Fields))
		w.str("..")
	}
	w.str(" }")
}

func (w *printer) typePat(p *TypePat) {
	if p.Mut {
		w.str("mut ")
	}
	w.str(p.Name.Name)
	w.str(": ")
	w.member(p.Type)
}
