package tier

import (
	"runtime"
	"testing"
)

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		full           int
		nightly, short bool
		want           int
	}{
		{1_000_000, true, false, 1_000_000},
		{1_000_000, true, true, 1_000_000}, // full size was asked for by name
		{1_000_000, false, false, 20_000},
		{1_000_000, false, true, 1_000},
		{10, false, false, 1},
	} {
		if got := steps(c.full, c.nightly, c.short); got != c.want {
			t.Errorf("steps(%d, nightly %v, short %v) = %d, want %d", c.full, c.nightly, c.short, got, c.want)
		}
	}
}

// recorder stands in for a test, to see how NeedTools ends it.
type recorder struct {
	testing.TB
	skipped, failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Skipf(string, ...any)  { r.skipped = true; runtime.Goexit() }
func (r *recorder) Fatalf(string, ...any) { r.failed = true; runtime.Goexit() }

func ends(tools ...string) *recorder {
	r, done := &recorder{}, make(chan bool)
	go func() {
		defer close(done)
		NeedTools(r, tools...)
	}()
	<-done
	return r
}

func TestMissingToolSkipsForAPersonAndFailsInCI(t *testing.T) {
	t.Setenv("ROKRIG_REQUIRE_ALL", "")
	if r := ends("go", "no-such-tool"); !r.skipped || r.failed {
		t.Errorf("without ROKRIG_REQUIRE_ALL: skipped %v, failed %v; want it skipped", r.skipped, r.failed)
	}
	t.Setenv("ROKRIG_REQUIRE_ALL", "1")
	if r := ends("go", "no-such-tool"); r.skipped || !r.failed {
		t.Errorf("with ROKRIG_REQUIRE_ALL=1: skipped %v, failed %v; want it failed", r.skipped, r.failed)
	}
	if r := ends("go"); r.skipped || r.failed {
		t.Errorf("a tool that is there: skipped %v, failed %v", r.skipped, r.failed)
	}
}
