package runner

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestMissingGCC(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := gccVersion(); err == nil || !strings.Contains(err.Error(), "apt-get install gcc") {
		t.Errorf("got %v", err)
	}
}

func TestUnknownBuild(t *testing.T) {
	if _, err := Archive("fast"); err == nil {
		t.Error("build fast exists")
	}
}

func TestCacheFolder(t *testing.T) {
	var said bytes.Buffer
	Warnings = &said
	defer func() { Warnings = new(bytes.Buffer) }()

	own := filepath.Join(t.TempDir(), "a", "b")
	t.Setenv("ROKRIG_CACHE", own)
	if got, err := cacheRoot(); err != nil || got != own || said.Len() > 0 {
		t.Errorf("got %s, %v, warning %q", got, err, said.String())
	}
	t.Setenv("ROKRIG_CACHE", "")
	t.Setenv("XDG_CACHE_HOME", own)
	if got, err := cacheRoot(); err != nil || got != filepath.Join(own, "rokrig") {
		t.Errorf("got %s, %v", got, err)
	}

	// A folder below a file cannot be made, by root neither.
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	t.Setenv("ROKRIG_CACHE", filepath.Join(file, "x"))
	t.Setenv("TMPDIR", tmp)
	got, err := cacheRoot()
	if err != nil || filepath.Dir(got) != tmp || !strings.Contains(said.String(), "cannot be written; using "+got) {
		t.Errorf("got %s, %v, warning %q", got, err, said.String())
	}
	// What others can write to must not be executed.
	if err := os.Chmod(got, 0o777); err != nil {
		t.Fatal(err)
	}
	if got, err := cacheRoot(); err == nil {
		t.Errorf("%s is taken although everybody can write to it", got)
	}
	t.Setenv("TMPDIR", filepath.Join(file, "y"))
	if _, err := cacheRoot(); err == nil || !strings.Contains(err.Error(), "ROKRIG_CACHE") {
		t.Errorf("got %v", err)
	}
}

// Builders at the same time agree on one result, leave nothing else behind, and
// a result that lost a file is made again.
func TestCacheIsFilledOnce(t *testing.T) {
	files := []sourceFile{
		{"entry.c", []byte("int main(void) { return 0; }\n")},
		{"print.c", []byte("int rok_print = 1;\n")},
		{"runner.c", []byte("int main(void) { return 0; }\n")},
	}
	root := t.TempDir()
	dir := filepath.Join(root, cacheKey(Release, "gcc", files))
	fill := func() {
		a, err := cached(dir, Release, files)
		if err != nil || !present(a.archive) || !present(a.runner) {
			t.Errorf("got %v, %v", a, err)
		}
	}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(fill)
	}
	wg.Wait()
	fill()
	if err := os.Remove(filepath.Join(dir, "runner")); err != nil {
		t.Fatal(err)
	}
	fill()
	left, err := os.ReadDir(root)
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, err := cached(filepath.Join(root, "x"), Release, append(files, sourceFile{"bad.c", []byte("int x = ;\n")})); err == nil || !strings.Contains(err.Error(), "bad.c") {
		t.Errorf("a source that does not compile: %v", err)
	}
}

func TestCacheKey(t *testing.T) {
	files := []sourceFile{{"a.c", []byte("x")}, {"b.c", []byte("y")}}
	keys := map[string]string{}
	for name, key := range map[string]string{
		"base":    cacheKey(Release, "gcc 1", files),
		"build":   cacheKey(Check, "gcc 1", files),
		"version": cacheKey(Release, "gcc 2", files),
		"text":    cacheKey(Release, "gcc 1", []sourceFile{{"a.c", []byte("z")}, {"b.c", []byte("y")}}),
		"border":  cacheKey(Release, "gcc 1", []sourceFile{{"a.c", []byte("xb.c\ny")}}),
		"border2": cacheKey(Release, "gcc 1", []sourceFile{{"a.c", []byte("xb.c 1\ny")}}),
	} {
		if other, ok := keys[key]; ok {
			t.Errorf("%s and %s have one key", name, other)
		}
		keys[key] = name
	}
}
