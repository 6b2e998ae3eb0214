package core

// scalarSet is a set of operand types.
type scalarSet uint16

const (
	signedSet scalarSet = 1<<I8 | 1<<I16 | 1<<I32 | 1<<I64
	intSet              = signedSet | 1<<U8 | 1<<U16 | 1<<U32 | 1<<U64
	floatSet  scalarSet = 1<<SF32 | 1<<SF64
	boolSet   scalarSet = 1 << Bool
	noneSet   scalarSet = 1 << NoScalar
)

// operandScalars says which types an operator works on.
var operandScalars = [NumOps]scalarSet{
	Add: intSet | floatSet, Sub: intSet | floatSet, Mul: intSet | floatSet, Neg: signedSet | floatSet,
	Div: intSet, Rem: intSet, Pow: intSet, FDiv: floatSet, FRem: floatSet,
	And: intSet | boolSet, Or: intSet | boolSet, Xor: intSet | boolSet, Not: intSet | boolSet, Shl: intSet, Shr: intSet,
	Eq: intSet | floatSet | boolSet, Ne: intSet | floatSet | boolSet,
	Lt: intSet | floatSet | boolSet, Le: intSet | floatSet | boolSet,
	Gt: intSet | floatSet | boolSet, Ge: intSet | floatSet | boolSet,
	Conv:  intSet | floatSet,
	StrEq: noneSet, StrCmp: noneSet, StrIndex: noneSet, StrSlice: noneSet,
	PrintIntLine: noneSet, PrintI64: noneSet, PrintU64: noneSet, PrintF32: noneSet, PrintF64: noneSet,
	PrintBool: noneSet, PrintStr: noneSet, PrintSep: noneSet, PrintNl: noneSet,
}

func (set scalarSet) has(s Scalar) bool { return s <= Bool && set&(1<<s) != 0 }

func (v *verifier) op(e *Op) {
	if e.Op <= NoOp || e.Op >= NumOps {
		v.faultf("operator %d does not exist", e.Op)
		return
	}
	from := noneSet
	if e.Op == Conv {
		from = intSet | floatSet | boolSet
	}
	if !operandScalars[e.Op].has(e.Scalar) || !from.has(e.From) {
		v.faultf("operator %s does not work on scalars %d, %d", e.Op, e.Scalar, e.From)
		return
	}
	in, out := e.Op.Signature(e.Scalar, e.From)
	v.all(e, e.Args, in)
	if !sameClasses(e.Words, out) {
		v.nodef(e, "leaves%s, not%s", classList(out), classList(e.Words))
	}
	if e.Op.Has(MayPanic) {
		v.position(e, e.Pos)
	}
	if e.Op.Has(MayCall) {
		v.site(e, e.Site, HelperSite)
	}
}
