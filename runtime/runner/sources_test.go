package runner

import (
	"os/exec"
	"strings"
	"testing"
)

// The sources' own test under the sanitizers, with and without the extra
// verification.
func TestSourcesUnderSanitizers(t *testing.T) {
	for _, check := range []string{"-DROK_CHECK=0", "-DROK_CHECK=1"} {
		t.Run(check, func(t *testing.T) {
			t.Parallel()
			path := buildDriver(t, "unit.c", "-O1", "-g", check, "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
			if out, err := exec.Command(path).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// All sources compile without a warning in every build.
func TestSourcesWithoutWarnings(t *testing.T) {
	t.Parallel()
	files, err := sourceFiles()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := WriteSources(dir); err != nil {
		t.Fatal(err)
	}
	for _, b := range Builds {
		args := append([]string{"-c", "-Werror"}, commonFlags...)
		args = append(args, buildFlags[b]...)
		for _, f := range files {
			if strings.HasSuffix(f.name, ".c") {
				args = append(args, f.name)
			}
		}
		if err := gcc(dir, args...); err != nil {
			t.Errorf("%s: %v", b, err)
		}
	}
}
