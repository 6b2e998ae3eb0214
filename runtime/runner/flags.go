package runner

import (
	"slices"
	"strings"
)

// CompileFlags are what gcc compiles the runtime's sources with, for those who build them without the rig.
func CompileFlags(b Build) []string { return slices.Concat(commonFlags, buildFlags[b]) }

// ExecutableSources names the C files, among those that WriteSources writes, that belong to an executable.
func ExecutableSources() ([]string, error) {
	files, err := sourceFiles()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files {
		if strings.HasSuffix(f.name, ".c") && !slices.Contains(runnerHost, f.name) {
			names = append(names, f.name)
		}
	}
	return names, nil
}
