package core_test

import (
	"slices"
	"testing"

	"rokrig/compiler/core"
	"rokrig/compiler/types"
)

func TestClassify(t *testing.T) {
	tb := types.NewTable()
	p := types.Prim
	const i, f, d, in = core.Int, core.F32, core.F64, core.Interior
	for _, c := range []struct {
		typ  *types.Type
		want []core.Class
	}{
		{p(types.I8), []core.Class{i}},
		{p(types.U64), []core.Class{i}},
		{p(types.Bool), []core.Class{i}},
		{p(types.F32), []core.Class{f}},
		{p(types.F64), []core.Class{d}},
		{p(types.Str), []core.Class{in, i}},
		{p(types.Unit), nil},
		{p(types.Never), nil},
		{tb.Fn([]*types.Type{p(types.Str)}, nil, p(types.Unit)), []core.Class{i}},
		{tb.Range(p(types.U8), false), []core.Class{i, i}},
		{tb.Range(p(types.I64), true), []core.Class{i, i}},
		{tb.Tuple(p(types.Unit), p(types.Never)), nil},
		{tb.Tuple(p(types.Str), tb.Tuple(p(types.F32), p(types.Unit)), p(types.F64), tb.Range(p(types.I8), true)),
			[]core.Class{in, i, f, d, i, i}},
		{tb.Tuple(slices.Repeat([]*types.Type{p(types.I64)}, 100)...), slices.Repeat([]core.Class{i}, 100)},
	} {
		if got := core.Classify(c.typ); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.typ, got, c.want)
		}
	}
}

// TestClassifyUnknown wants a compiler bug, not a guess, for what has no representation.
func TestClassifyUnknown(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a type without a representation was classified")
		}
	}()
	core.Classify(types.Prim(types.Any))
}
