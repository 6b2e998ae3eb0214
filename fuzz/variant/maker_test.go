package variant

import (
	"testing"

	"rokrig/internal/tier"
)

// TestDerivedProgramsAreWorthRunning makes splices and mutations as a campaign does: few may be rejected or never end.
func TestDerivedProgramsAreWorthRunning(t *testing.T) {
	var b bench
	m := NewMaker(5, nil)
	n := tier.Steps(2000)
	for _, kind := range []Kind{Spliced, Mutated} {
		tried, rejected, lost, cut, changed := 0, 0, 0, 0, map[string]int{}
		for i := range uint64(n) {
			accepted := false
			for try := 0; try < Tries && !accepted; try++ {
				r := m.Derive(kind, i*64, try)
				if r == nil {
					continue
				}
				tried++
				_, out, err := b.run(r.Text)
				if err != nil {
					rejected++
					if rejected < 5 && testing.Verbose() {
						t.Logf("%v: %v", r.Rules, err)
					}
					continue
				}
				accepted = true
				for _, rule := range r.Rules {
					changed[rule]++
				}
				switch {
				case out.Kind.IsFault():
					t.Errorf("%s %d: %s", kind, i, out.Detail)
				case out.Kind.IsResource():
					cut++
				}
			}
			if !accepted {
				lost++
			}
		}
		t.Logf("%s: %d tries, %d rejected, %d given up, %d of %d cut off; %v", kind, tried, rejected, lost, cut, n, changed)
		if lost*20 > n || cut*20 > n {
			t.Errorf("%s: of %d, %d given up and %d cut off", kind, n, lost, cut)
		}
	}
}

func TestPlan(t *testing.T) {
	kinds, followed := map[Kind]int{}, 0
	for i := range uint64(1600) {
		kind, f := Plan(i, DefaultEach)
		kinds[kind]++
		if f {
			followed++
		}
		if f && kind != Fresh {
			t.Errorf("program %d is %s and has a variant", i, kind)
		}
		if kind, f := Plan(i, -1); kind != Fresh || f {
			t.Errorf("program %d is %s without variants", i, kind)
		}
	}
	if kinds[Spliced] != 100 || kinds[Mutated] != 100 || followed != 200 {
		t.Errorf("%v, %d followed", kinds, followed)
	}
}
