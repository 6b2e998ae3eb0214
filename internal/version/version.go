// Package version names the build, so that findings, reports and campaign states
// can say which one made them.
package version

import (
	"runtime/debug"
	"strings"
)

// revision is set by the linker (Makefile, LDFLAGS): the abbreviated commit, with
// a "+" behind it when the checkout had changes.
var revision string

// Revision returns the commit this binary was built from, "+" behind it when the
// checkout had changes. Without the Makefile's stamp it falls back to the Go
// toolchain's, and where neither is there ("go test", "go run") to "unversioned".
func Revision() string {
	if revision != "" && revision != "+" {
		return revision
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unversioned
	}
	return stamped(info.Settings)
}

const unversioned = "unversioned"

// IsExact reports whether Revision says all: there were no changes in the checkout.
func IsExact() bool {
	r := Revision()
	return r != unversioned && !strings.HasSuffix(r, "+")
}

// stamped reads the toolchain's version-control stamp.
func stamped(settings []debug.BuildSetting) string {
	rev, dirty := "", ""
	for _, s := range settings {
		switch s.Key {
		case "vcs.revision":
			rev = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+"
			}
		}
	}
	if rev == "" {
		return unversioned
	}
	return rev + dirty
}
