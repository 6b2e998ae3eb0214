package types

import "testing"

func TestChecksOrdinaryProgram(t *testing.T) {
	p := mustCheck(t, "fn twice(x: u8) -> u8 { x * 2 }\nlet a = 200;\nprint twice(a as u8), a;\n")
	if len(p.Funcs) != 2 || p.Main != p.Funcs[1] || len(p.Globals) != 1 || p.Globals[0].Type != Prim(I64) {
		t.Errorf("unexpected program:\n%s", Dump(p))
	}
}
