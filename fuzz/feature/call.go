package feature

import "rokrig/compiler/types"

// The features of calls: by the number of arguments, by the words they take, by the words of the result.
var (
	argsNone     = def("call/0-arguments")
	argsFew      = def("call/1-to-6-arguments")
	argsSome     = def("call/7-to-12-arguments")
	argsMany     = def("call/13-or-more-arguments")
	argsStackInt = def("call/integer-words-on-the-stack")
	argsStackSSE = def("call/floats-on-the-stack")
	argsOddStack = def("call/odd-number-of-stack-words")
	argsMixed    = def("call/mixed-integers-and-floats")
	argsStr      = def("call/str-argument")
	argsTuple    = def("call/tuple-argument")
	argsFn       = def("call/function-argument")
	argsRange    = def("call/range-argument")
	resultUnit   = def("result/unit")
	resultOne    = def("result/one-word")
	resultFloat  = def("result/float")
	resultStr    = def("result/str")
	resultTwo    = def("result/tuple-of-2-words")
	resultMany   = def("result/tuple-of-3-or-more-words")
	resultFn     = def("result/function")
	resultRange  = def("result/range")
)

// words counts the words of a value of type t that are integers or pointers, and those that are floats.
func words(t *types.Type) (general, floats int) {
	switch k := t.Kind; {
	case k.IsFloat():
		return 0, 1
	case k == types.Unit || k == types.Never:
		return 0, 0
	case k == types.Str || k == types.Range || k == types.RangeInclusive:
		return 2, 0
	case k == types.Tuple:
		for _, p := range t.Args {
			g, f := words(p)
			general, floats = general+g, floats+f
		}
		return general, floats
	}
	return 1, 0
}

// The registers that the System V ABI passes arguments in.
const (
	generalRegisters = 6
	floatRegisters   = 8
)

func appendCall(out []ID, args []types.Expr, result *types.Type) []ID {
	switch n := len(args); {
	case n == 0:
		out = append(out, argsNone)
	case n <= 6:
		out = append(out, argsFew)
	case n <= 12:
		out = append(out, argsSome)
	default:
		out = append(out, argsMany)
	}
	general, floats := 0, 0
	for _, a := range args {
		g, f := words(a.Type())
		general, floats = general+g, floats+f
		switch a.Type().Kind {
		case types.Str:
			out = append(out, argsStr)
		case types.Tuple:
			out = append(out, argsTuple)
		case types.Fn:
			out = append(out, argsFn)
		case types.Range, types.RangeInclusive:
			out = append(out, argsRange)
		}
	}
	stackInts, stackFloats := max(general-generalRegisters, 0), max(floats-floatRegisters, 0)
	if stackInts > 0 {
		out = append(out, argsStackInt)
	}
	if stackFloats > 0 {
		out = append(out, argsStackSSE)
	}
	if (stackInts+stackFloats)%2 == 1 {
		out = append(out, argsOddStack)
	}
	if general > 0 && floats > 0 {
		out = append(out, argsMixed)
	}
	return appendResult(out, result)
}

func appendResult(out []ID, t *types.Type) []ID {
	switch k := t.Kind; {
	case k == types.Unit:
		return append(out, resultUnit)
	case k.IsFloat():
		return append(out, resultFloat)
	case k == types.Str:
		return append(out, resultStr)
	case k == types.Fn:
		return append(out, resultFn)
	case k == types.Range || k == types.RangeInclusive:
		return append(out, resultRange)
	case k == types.Tuple:
		general, floats := words(t)
		switch n := general + floats; {
		case n == 2:
			return append(out, resultTwo)
		case n > 2:
			return append(out, resultMany)
		}
	}
	return append(out, resultOne)
}
