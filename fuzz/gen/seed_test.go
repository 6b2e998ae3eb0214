package gen

import "testing"

// Findings carry (seed, index): what they mean must never change.
func TestProgramSeedIsFixed(t *testing.T) {
	for _, c := range []struct{ seed, index, want uint64 }{
		{0, 0, 0xa706dd2f4d197e6f}, // splitmix64 from its state 0 gives 0xe220a8397b1dcdaf, and from that state this
		{1, 0, 0x5e41ab087439611e},
		{1 << 63, 12345, 0x6ae19c3d49aea5fb},
	} {
		if got := ProgramSeed(c.seed, c.index); got != c.want {
			t.Errorf("ProgramSeed(%d, %d) = %#x, want %#x", c.seed, c.index, got, c.want)
		}
	}
}

// No two programs of neighbouring campaigns are the same.
func TestProgramSeedsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(64) {
		for index := range uint64(1024) {
			s := ProgramSeed(seed, index)
			if seen[s] {
				t.Fatalf("seed %d, index %d: %#x came before", seed, index, s)
			}
			seen[s] = true
		}
	}
}
