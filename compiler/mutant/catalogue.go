package mutant

// The mutants that live in Go code. A new one is a constant and a row here, and one line at its place.
const (
	_ ID = iota
	// Front end: what interpreter and compiler share, so only by-construction values, must-reject programs and variants see it.
	ShiftPrecedence
	PowLeftAssoc
	HexLetterDigit
	LiteralNegWrap
	ShadowOuter
	FloatLiteralRound
	AcceptMissingCase
	StaticShiftUnmasked
	ShadowShares
	// Core: desugaring.
	GuardSkipsArms
	RangeHalfOpenIncludesEnd
	RangeInclusiveNoEnd
	EagerOr
	BreakInnermost
	OperandsReversed
	AssignOpRereads
	MatchRangeEndExcluded
	TuplePartSwapped
	ContinueInnermost
	GuardFirstAlternative
	WildcardOneWord
	// x64, naive emission.
	RawIdiv
	ShiftCountUnmasked
	NoSignExtend
	ArgsReversed
	StackArgsPushOrder
	NoAlignPad
	FrameNotRounded
	UnsignedCompareSigned
	FloatCompareIgnoresNaN
	BreakKeepsTemporaries
	U64ToFloatSigned
	CalleeSlotsOverlap
	SlotLeftUninitialised
	// x64, machine code.
	EncodeImm128
	EncodeDisp128
	EncodeJump128
	EncodeNoRexInShortMove
	// Binding to a runner's addresses.
	LinkFixupBeyondPage
	// Interpreter.
	InterpDivFloors
	InterpShiftLogical
	InterpNarrowAddKeepsCarry
	InterpMatchLastArm
	InterpCastSaturates
	// Held out; see heldOut.
	StaticShiftLogical
	TreeClassByFirstRow
	GlobalFlagEarly
	ResultMiddleSwapped
	NegateSubtracts
	EncodeStringEndsAtNul
	InterpRangeEndsUnsigned
)

// heldOut are the mutants that were written without knowledge of the generator, its features and its variants, so that
// what is said about their kills is said about bugs that nobody had in mind when the programs were made. Those of the C
// runtime are marked in runtime/abi.
var heldOut = [len(catalogue)]bool{StaticShiftLogical: true, TreeClassByFirstRow: true, GlobalFlagEarly: true, ResultMiddleSwapped: true,
	NegateSubtracts: true, EncodeStringEndsAtNul: true, InterpRangeEndsUnsigned: true}

// row is an Info without what heldOut says.
type row struct {
	name   string
	area   Area
	effect string
}

var catalogue = [...]row{
	{},
	ShiftPrecedence:           {"front/shift-precedence", FrontEnd, "`<<` and `>>` bind tighter than `+` and `-`"},
	PowLeftAssoc:              {"front/pow-left-associative", FrontEnd, "`a ** b ** c` groups from the left"},
	HexLetterDigit:            {"front/hex-letter-digit", FrontEnd, "a letter digit of a hexadecimal literal is one too small"},
	LiteralNegWrap:            {"front/literal-negation", FrontEnd, "the minus before a literal pattern is dropped"},
	ShadowOuter:               {"front/shadow-outer", FrontEnd, "a shadowed name means the outer variable"},
	FloatLiteralRound:         {"front/f32-literal-via-f64", FrontEnd, "an f32 literal is rounded twice"},
	AcceptMissingCase:         {"front/accept-missing-case", FrontEnd, "a match that misses a case is accepted"},
	StaticShiftUnmasked:       {"front/static-shift-unmasked", FrontEnd, "a static's initialiser does not take shift counts modulo the width"},
	ShadowShares:              {"front/shadow-shares", FrontEnd, "a mut variable that hides one of its type stays the hidden one"},
	GuardSkipsArms:            {"core/guard-skips-arms", CoreArea, "a guard that fails goes to the last arm"},
	RangeHalfOpenIncludesEnd:  {"core/range-includes-end", CoreArea, "`for x in a..b` runs for b too"},
	RangeInclusiveNoEnd:       {"core/range-inclusive-no-end", CoreArea, "`for x in a..=b` leaves b out"},
	EagerOr:                   {"core/eager-or", CoreArea, "`||` evaluates its right operand always"},
	BreakInnermost:            {"control/break-innermost", Control, "`break 'label` leaves the innermost loop"},
	OperandsReversed:          {"core/operands-reversed", CoreArea, "the right operand is evaluated first when it is a call"},
	AssignOpRereads:           {"core/assign-op-rereads", CoreArea, "`x op= v` loads x after v"},
	MatchRangeEndExcluded:     {"control/match-range-end", Control, "a range pattern's last value does not match"},
	TuplePartSwapped:          {"core/tuple-part-swapped", CoreArea, "storing into a tuple's part hits the first part"},
	ContinueInnermost:         {"control/continue-innermost", Control, "`continue 'label` goes on with the innermost loop"},
	GuardFirstAlternative:     {"control/guard-first-alternative", Control, "a guard is tried for the first alternative that matches and no other"},
	WildcardOneWord:           {"core/wildcard-one-word", CoreArea, "in an arm without a guard, a `_` in a tuple takes one word, also for a part of more words"},
	RawIdiv:                   {"arith/raw-idiv", Arithmetic, "signed 64-bit division is a bare idiv"},
	ShiftCountUnmasked:        {"arith/shift-unmasked", Arithmetic, "the shift count of a narrow type is not taken modulo its width"},
	NoSignExtend:              {"arith/no-sign-extend", Arithmetic, "results of narrow signed arithmetic are not normalised"},
	ArgsReversed:              {"call/args-reversed", Calls, "the first two register arguments change places"},
	StackArgsPushOrder:        {"call/stack-args-push-order", Calls, "stack arguments stay in the order they were pushed"},
	NoAlignPad:                {"align/no-pad", Alignment, "a call under an odd number of words is not padded"},
	FrameNotRounded:           {"align/frame-not-rounded", Alignment, "a frame's size is not rounded up to 16"},
	UnsignedCompareSigned:     {"arith/unsigned-compare-signed", Arithmetic, "`<` on unsigned types uses the signed condition"},
	FloatCompareIgnoresNaN:    {"arith/float-compare-nan", Arithmetic, "float comparisons do not look at the parity flag"},
	BreakKeepsTemporaries:     {"control/break-keeps-temporaries", Control, "leaving an expression by break leaves its temporaries pushed"},
	U64ToFloatSigned:          {"arith/u64-to-float-signed", Arithmetic, "u64 converts to float as if signed"},
	CalleeSlotsOverlap:        {"call/slots-overlap", Calls, "the last parameter and the first local share a slot"},
	SlotLeftUninitialised:     {"frame/slot-left-uninitialised", Frame, "a variable's initial 0 is not stored, as if the stack held zeroes"},
	EncodeImm128:              {"encode/imm8-at-128", Encoder, "an immediate of 128 takes one byte and so means -128"},
	EncodeDisp128:             {"encode/disp8-at-128", Encoder, "a displacement of 128 takes one byte and so means -128"},
	EncodeJump128:             {"encode/rel8-at-128", Encoder, "a jump over 128 bytes stays short and goes back instead"},
	EncodeNoRexInShortMove:    {"encode/no-rex-in-short-move", Encoder, "a 32-bit constant for r8 or r9 has no REX prefix and goes to another register"},
	LinkFixupBeyondPage:       {"link/fixup-beyond-page", Linker, "addresses in data behind the first page are not filled in"},
	InterpDivFloors:           {"interp/div-floors", Interpreter, "the interpreter's division rounds down"},
	InterpShiftLogical:        {"interp/shift-logical", Interpreter, "the interpreter's `>>` on signed types is logical"},
	InterpNarrowAddKeepsCarry: {"interp/narrow-add-carry", Interpreter, "the interpreter's narrow addition keeps its carry"},
	InterpMatchLastArm:        {"interp/match-last-arm", Interpreter, "the interpreter takes the last arm that matches"},
	InterpCastSaturates:       {"interp/cast-saturates", Interpreter, "the interpreter's integer casts saturate"},
	StaticShiftLogical:        {"arith/static-shift-logical", Arithmetic, "a static's initialiser shifts signed values right without their sign"},
	TreeClassByFirstRow:       {"core/tree-class-by-first-row", CoreArea, "a match takes two values of a tested part for alike when the same arm comes first for both"},
	GlobalFlagEarly:           {"core/global-flag-early", CoreArea, "a global counts as initialised while its initialiser runs"},
	ResultMiddleSwapped:       {"call/result-middle-swapped", Calls, "the middle two words of a long result of an even number of words change places"},
	NegateSubtracts:           {"arith/negate-subtracts", Arithmetic, "a float is negated by subtracting it from 0, so that 0 keeps its sign"},
	EncodeStringEndsAtNul:     {"encode/string-ends-at-nul", Encoder, "a string's bytes from its first NUL on are not there"},
	InterpRangeEndsUnsigned:   {"interp/range-ends-unsigned", Interpreter, "the interpreter compares the ends of a signed range as unsigned"},
}
