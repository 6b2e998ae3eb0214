package version

import (
	"runtime/debug"
	"testing"
)

func TestStamped(t *testing.T) {
	rev := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123"}
	clean := debug.BuildSetting{Key: "vcs.modified", Value: "false"}
	dirty := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{nil, unversioned},
		{[]debug.BuildSetting{dirty}, unversioned},
		{[]debug.BuildSetting{rev, clean}, "0123456789ab"},
		{[]debug.BuildSetting{rev, dirty}, "0123456789ab+"},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "12"}}, "12"},
	} {
		if got := stamped(c.settings); got != c.want {
			t.Errorf("stamped(%v) = %q, want %q", c.settings, got, c.want)
		}
	}
}

func TestLinkerStampWins(t *testing.T) {
	defer func(old string) { revision = old }(revision)
	revision = "abc+"
	if got := Revision(); got != "abc+" {
		t.Errorf("Revision() = %q, want the linker's stamp", got)
	}
	revision = "+" // what the Makefile makes of a directory without git
	if got := Revision(); got == "+" {
		t.Errorf("Revision() = %q, which names nothing", got)
	}
}
