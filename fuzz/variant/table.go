package variant

// The phases of rules. Within one, they are applied as drawn.
const (
	deadPhase   = iota // what was never executed: the oracle knows the original's nodes
	movePhase          // what asks where variables are read and written
	wrapPhase          // what only adds round something
	valuePhase         // other spellings of the same value
	globalPhase        // items and names
	phases
)

// rules is every way to make a variant. Each keeps the outcome but for positions in a panic's line.
var rules []rule

func init() {
	rules = []rule{
		{"dead-insert", deadPhase, deadInsert},
		{"dead-delete", deadPhase, deadDelete},
		{"dead-replace", deadPhase, deadReplace},
		{"dead-arm", deadPhase, deadArm},
		{"dead-else", deadPhase, deadElse},

		{"outline-statements", movePhase, outlineStatements},
		{"outline-expression", movePhase, outlineExpr},
		{"swap-statements", movePhase, swapStatements},
		{"first-operand-let", movePhase, firstInLet},

		{"hide", wrapPhase, hideForAWhile},
		{"wrap-block", wrapPhase, wrapStatements(false, inBlock)},
		{"wrap-if", wrapPhase, wrapStatements(false, inIf)},
		{"wrap-else", wrapPhase, wrapStatements(false, inElse)},
		{"wrap-match", wrapPhase, wrapStatements(false, inMatch)},
		{"wrap-loop", wrapPhase, wrapStatements(true, inLoop)},
		{"wrap-while", wrapPhase, wrapStatements(true, inWhile)},
		{"wrap-for", wrapPhase, wrapStatements(true, inFor)},

		{"if-swap", valuePhase, rewrite(swapBranches)},
		{"if-match", valuePhase, rewrite(ifToMatch)},
		{"if-let", valuePhase, rewrite(ifToLet)},
		{"if-and", valuePhase, rewrite(splitAnd)},
		{"if-let-match", valuePhase, rewrite(ifLetToMatch)},
		{"match-peel", valuePhase, rewrite(matchToLets)},
		{"match-alternatives", valuePhase, rewrite(splitAlternatives)},
		{"match-swap", valuePhase, rewrite(swapArms)},
		{"while-loop", valuePhase, rewrite(whileToLoop)},
		{"loop-while", valuePhase, rewrite(loopToWhile)},
		{"for-while", valuePhase, rewrite(forToWhile)},
		{"assign-op", valuePhase, spellOut},

		{"value-block", valuePhase, wrapExpr(anyExpr, exprInBlock)},
		{"value-let", valuePhase, wrapExpr(anyExpr, exprInLet)},
		{"value-if", valuePhase, wrapExpr(anyExpr, exprInIf)},
		{"value-match", valuePhase, wrapExpr(anyExpr, exprInMatch)},
		{"value-loop", valuePhase, wrapExpr(staysInLoop, exprInLoop)},
		{"value-tuple", valuePhase, wrapExpr(isStrong, exprInTuple)},
		{"operands-let", valuePhase, wrapExpr(anyExpr, operandsInLets)},
		{"law", valuePhase, wrapExpr(hasLaw, applyLaw)},
		{"compare-negate", valuePhase, wrapExpr(isBinary, negateCompare)},
		{"mirror", valuePhase, wrapExpr(isBinary, mirror)},
		{"arithmetic", valuePhase, wrapExpr(isBinary, rewriteArith)},
		{"literal", valuePhase, wrapExpr(isConst, respell)},
		{"call-value", valuePhase, wrapExpr(isCall, callByValue)},

		{"rename-variable", globalPhase, renameVariable},
		{"rename-shadow", globalPhase, renameToShadow},
		{"rename-item", globalPhase, renameItem},
		{"move-item", globalPhase, moveItem},
		{"static-law", globalPhase, staticLaw},
		{"static-at-run", globalPhase, staticAtRun},
	}
}
