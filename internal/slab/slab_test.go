package slab

import "testing"

// TestValuesAreApartAndZero writes into all that was handed out and looks for a place that two share or that is not zero,
// over several resets.
func TestValuesAreApartAndZero(t *testing.T) {
	var s Slab[int]
	for round := range 4 {
		var all [][]int
		for n := range 200 {
			all = append(all, s.List(n%7))
			v := s.New()
			if *v != 0 {
				t.Fatalf("round %d: New is not zero", round)
			}
			*v = -1
			all = append(all, s.Copy([]int{1, 2, 3}))
		}
		all = append(all, s.List(3*mostChunk))
		for i, list := range all {
			for j := range list {
				if i < len(all)-1 && i%2 == 1 {
					if list[j] != j+1 {
						t.Fatalf("round %d: list %d was overwritten: %v", round, i, list)
					}
				} else if list[j] != 0 {
					t.Fatalf("round %d: list %d is not zero: %v", round, i, list)
				}
				if j == len(list)-1 && cap(list) != len(list) {
					t.Fatalf("room for more behind a list of %d", len(list))
				}
			}
			for j := range list {
				list[j] = i
			}
		}
		for i, list := range all {
			for _, v := range list {
				if v != i {
					t.Fatalf("round %d: lists share memory", round)
				}
			}
		}
		s.Reset()
	}
}

// TestResetSlabMakesNoGarbage repeats the same work.
func TestResetSlabMakesNoGarbage(t *testing.T) {
	var s Slab[[4]int]
	work := func() {
		s.Reset()
		for range 1000 {
			s.New()
		}
		s.List(77)
	}
	work()
	work()
	if n := testing.AllocsPerRun(20, work); n != 0 {
		t.Errorf("%v allocations a round, after the first", n)
	}
}

// TestResetKeepsLittle resets a slab after a program far larger than others.
func TestResetKeepsLittle(t *testing.T) {
	var s Slab[byte]
	for range 10 * mostKept {
		s.New()
	}
	s.Reset()
	if len(s.chunk) > mostKept {
		t.Errorf("%d elements are kept", len(s.chunk))
	}
}
