package abi

import "fmt"

// Mutant numbers a deliberate bug of the runtime's mutant build. NoMutant is
// the sound runtime.
type Mutant int

// The deliberate bugs.
const (
	NoMutant Mutant = iota
	MutantPrintDropsMinus
	MutantDivMinUnchecked
	MutantDivZeroMessage
	MutantModSignOfDivisor
	MutantPowNegative
	MutantPowNoWrap
	MutantStrIndexAtLength
	MutantStrSlicePastEnd
	MutantStrSliceSecondBound
	MutantStrCmpSigned
	MutantStrCmpPrefix
	MutantStrEqLength
	MutantFloatNotShortest
	MutantFloatTieAway
	MutantFloatLayoutEarly
	MutantFloatMinusZero
	MutantF32AsF64
	MutantFmodSign
	MutantU64ToF32Twice
	MutantFloatToIntWraps
	MutantPanicLosesOutput
	MutantBoundsSwapped
	MutantPollNotCounted
	MutantDataNotCopied
	MutantPollsKept
	MutantFloatEvenSpacing // held out from here on; see HeldOut
	MutantPowExponentCut
	MutantStrCmpLengthFirst
)

// HeldOut reports whether the mutant was written without knowledge of the
// generator of programs, as those of compiler/mutant that are marked so.
func (m Mutant) HeldOut() bool { return m >= MutantFloatEvenSpacing }

// MutantInfo describes one deliberate bug.
type MutantInfo struct {
	Name   string // area/effect
	Symbol string // C constant without its prefix
	Doc    string
}

// Mutants is indexed by Mutant.
var Mutants = [...]MutantInfo{
	NoMutant:                  {"none", "NONE", "no deliberate bug"},
	MutantPrintDropsMinus:     {"print/drops-minus", "PRINT_DROPS_MINUS", "the smallest i64 is printed without its sign"},
	MutantDivMinUnchecked:     {"arith/div-min-unchecked", "DIV_MIN_UNCHECKED", "MIN / -1 wraps to MIN and MIN % -1 to 0 instead of a panic"},
	MutantDivZeroMessage:      {"arith/div-zero-message", "DIV_ZERO_MESSAGE", "a zero divisor reports an integer overflow"},
	MutantModSignOfDivisor:    {"arith/mod-sign-of-divisor", "MOD_SIGN_OF_DIVISOR", "a remainder takes the sign of the divisor"},
	MutantPowNegative:         {"arith/pow-negative", "POW_NEGATIVE", "a negative exponent gives 1 instead of a panic"},
	MutantPowNoWrap:           {"arith/pow-no-wrap", "POW_NO_WRAP", "a narrow power is not cut to its width"},
	MutantStrIndexAtLength:    {"str/index-at-length", "STR_INDEX_AT_LENGTH", "the index just past the end is accepted"},
	MutantStrSlicePastEnd:     {"str/slice-past-end", "STR_SLICE_PAST_END", "a slice may end one byte past the string"},
	MutantStrSliceSecondBound: {"str/slice-second-bound", "STR_SLICE_SECOND_BOUND", "the panic names the second bound when the first is wrong"},
	MutantStrCmpSigned:        {"str/cmp-signed", "STR_CMP_SIGNED", "bytes compare as signed"},
	MutantStrCmpPrefix:        {"str/cmp-prefix", "STR_CMP_PREFIX", "a string equals its own prefix when ordered"},
	MutantStrEqLength:         {"str/eq-length", "STR_EQ_LENGTH", "equality compares only the common length"},
	MutantFloatNotShortest:    {"float/not-shortest", "FLOAT_NOT_SHORTEST", "digits are not shortened"},
	MutantFloatTieAway:        {"float/tie-away", "FLOAT_TIE_AWAY", "between two equally near texts the larger wins"},
	MutantFloatLayoutEarly:    {"float/layout-early", "FLOAT_LAYOUT_EARLY", "exponents begin at 1e+20"},
	MutantFloatMinusZero:      {"float/minus-zero", "FLOAT_MINUS_ZERO", "-0 prints as 0"},
	MutantF32AsF64:            {"float/f32-as-f64", "F32_AS_F64", "an f32 is printed with the digits of its f64"},
	MutantFmodSign:            {"float/fmod-sign", "FMOD_SIGN", "a float remainder loses the dividend's sign"},
	MutantU64ToF32Twice:       {"convert/u64-to-f32-twice", "U64_TO_F32_TWICE", "u64 to f32 rounds through f64"},
	MutantFloatToIntWraps:     {"convert/float-to-int-wraps", "FLOAT_TO_INT_WRAPS", "a float out of range does not saturate"},
	MutantPanicLosesOutput:    {"panic/loses-output", "PANIC_LOSES_OUTPUT", "a panic drops what is still buffered"},
	MutantBoundsSwapped:       {"panic/bounds-swapped", "BOUNDS_SWAPPED", "length and index are swapped in the message"},
	MutantPollNotCounted:      {"safepoint/poll-not-counted", "POLL_NOT_COUNTED", "a poll's slow path is not counted"},
	MutantDataNotCopied:       {"runner/data-not-copied", "DATA_NOT_COPIED", "initialised data is not copied when it is as large as that of the program before"},
	MutantPollsKept:           {"runner/polls-kept", "POLLS_KEPT", "the count of polls goes on from the program before"},
	MutantFloatEvenSpacing:    {"float/even-spacing", "FLOAT_EVEN_SPACING", "powers of two count as having equal distances to both neighbours"},
	MutantPowExponentCut:      {"arith/pow-exponent-cut", "POW_EXPONENT_CUT", "exponents are cut to 32 bits"},
	MutantStrCmpLengthFirst:   {"str/cmp-length-first", "STR_CMP_LENGTH_FIRST", "the shorter of two strings comes first, whatever their bytes"},
}

func (m Mutant) String() string { return Mutants[m].Name }

// ParseMutant finds a mutant by name; "" is NoMutant.
func ParseMutant(name string) (Mutant, error) {
	if name == "" {
		return NoMutant, nil
	}
	for i := range Mutants {
		if Mutants[i].Name == name {
			return Mutant(i), nil
		}
	}
	return NoMutant, fmt.Errorf("unknown runtime mutant %q", name)
}
