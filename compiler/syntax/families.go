package syntax

// Which family each node belongs to.

func (*IntLit) isExpr()      {}
func (*FloatLit) isExpr()    {}
func (*StrLit) isExpr()      {}
func (*BoolLit) isExpr()     {}
func (*NoneLit) isExpr()     {}
func (*PathExpr) isExpr()    {}
func (*TupleLit) isExpr()    {}
func (*Unary) isExpr()       {}
func (*Binary) isExpr()      {}
func (*Range) isExpr()       {}
func (*Cast) isExpr()        {}
func (*Assign) isExpr()      {}
func (*Call) isExpr()        {}
func (*MethodCall) isExpr()  {}
func (*Field) isExpr()       {}
func (*TupleField) isExpr()  {}
func (*Index) isExpr()       {}
func (*StructLit) isExpr()   {}
func (*ArrayLit) isExpr()    {}
func (*ArrayRepeat) isExpr() {}
func (*Block) isExpr()       {}
func (*If) isExpr()          {}
func (*IfLet) isExpr()       {}
func (*Match) isExpr()       {}
func (*Loop) isExpr()        {}
func (*While) isExpr()       {}
func (*For) isExpr()         {}
func (*Break) isExpr()       {}
func (*Continue) isExpr()    {}
func (*Return) isExpr()      {}
func (*Throw) isExpr()       {}
func (*Try) isExpr()         {}
func (*Print) isExpr()       {}
func (*Panic) isExpr()       {}
func (*Assert) isExpr()      {}
func (*Spawn) isExpr()       {}

func (*LitPat) isPattern()    {}
func (*RangePat) isPattern()  {}
func (*WildPat) isPattern()   {}
func (*BindPat) isPattern()   {}
func (*TuplePat) isPattern()  {}
func (*StructPat) isPattern() {}
func (*EnumPat) isPattern()   {}
func (*TypePat) isPattern()   {}
func (*OrPat) isPattern()     {}

func (*NamedType) isType() {}
func (*TupleType) isType() {}
func (*ArrayType) isType() {}
func (*UnionType) isType() {}
func (*FnType) isType()    {}
func (*AnyType) isType()   {}
func (*NoneType) isType()  {}
func (*NeverType) isType() {}

func (*Let) isStmt()      {}
func (*ExprStmt) isStmt() {}

func (*TopStmt) isDecl()    {}
func (*FnDecl) isDecl()     {}
func (*StructDecl) isDecl() {}
func (*EnumDecl) isDecl()   {}
func (*TraitDecl) isDecl()  {}
func (*ImplDecl) isDecl()   {}
func (*StaticDecl) isDecl() {}
