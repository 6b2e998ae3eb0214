// Package tier tells a test how much is asked of it. There are three tiers (the
// README's table): `make test` runs with -short, `make check` without,
// `make nightly` with ROKRIG_FULL=1.
//
// Missing tools are treated here too, in one way: a test that needs a tool the
// machine lacks is skipped on a person's machine and fails in CI, which sets
// ROKRIG_REQUIRE_ALL=1.
package tier

import (
	"os"
	"os/exec"
	"testing"
)

// reduction is what the two lower tiers take off a full-size test.
const (
	checkReduction = 50
	shortReduction = 1000
)

// Full reports whether this run is the nightly one.
func Full() bool { return os.Getenv("ROKRIG_FULL") == "1" }

// RequireAll reports whether a missing tool is a failure.
func RequireAll() bool { return os.Getenv("ROKRIG_REQUIRE_ALL") == "1" }

// Steps scales the number of steps of a full-size test to the tier: all of them
// at night, a fiftieth in `make check`, a thousandth in `make test`, never less
// than one.
func Steps(full int) int {
	return steps(full, Full(), testing.Short())
}

func steps(full int, nightly, short bool) int {
	switch {
	case nightly:
		return full
	case short:
		return max(1, full/shortReduction)
	default:
		return max(1, full/checkReduction)
	}
}

// NeedTools ends the test when one of the tools is not on the PATH: skipped on
// a person's machine, failed where RequireAll holds.
func NeedTools(t testing.TB, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err == nil {
			continue
		}
		if RequireAll() {
			t.Fatalf("%s is not on the PATH; `make setup` installs what is lacking", tool)
		}
		t.Skipf("%s is not on the PATH; `make setup` installs what is lacking", tool)
	}
}
