package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	rokruntime "rokrig/runtime"
	"rokrig/runtime/abi"
)

// Build selects one of the three builds of the runtime's sources.
type Build string

// The builds.
const (
	Release   Build = "release" // what users get
	Check     Build = "check"   // verifies what compiled code hands over; with debug information
	MutantBld Build = "mutant"  // release with the deliberate bugs of abi.Mutants, one chosen per run
)

// Builds lists them.
var Builds = []Build{Release, Check, MutantBld}

// commonFlags hold for every build. Objects are not position independent and
// the thread block is reached by the local-exec model, so executables are
// linked with LinkFlags.
var commonFlags = []string{
	"-std=gnu11", "-Wall", "-Wextra",
	"-fno-pie", "-ftls-model=local-exec",
	"-fno-omit-frame-pointer", // the alignment check reads rbp
	"-ffp-contract=off",       // no fused operations
	"-fno-stack-protector", "-U_FORTIFY_SOURCE", "-fcf-protection=none",
}

var buildFlags = map[Build][]string{
	Release:   {"-O2"},
	Check:     {"-O1", "-g", "-DROK_CHECK=1"},
	MutantBld: {"-O2", "-DROK_MUTANT=1"},
}

// LinkFlags are what gcc needs to link a program with the archive.
var LinkFlags = []string{"-no-pie"}

// Sources of one host: the first goes into the archive, the others into the
// runner.
const executableHost = "entry.c"

var runnerHost = []string{"runner.c", "confine.c", "visible.c"}

// Warnings receives remarks that no caller has to act on, such as a cache
// folder that cannot be written.
var Warnings io.Writer = os.Stderr

// artifacts are the results of building the runtime once.
type artifacts struct {
	archive string // static archive for executables
	runner  string // the runner's executable
}

var (
	builtMu sync.Mutex
	built   = map[Build]artifacts{}
)

// Archive returns the path of the static archive that, linked by gcc with
// LinkFlags to a program that defines rok_main and rok_module, makes an
// executable. It is built at first use and kept in a cache:
// os.UserCacheDir()/rokrig, or $ROKRIG_CACHE.
func Archive(b Build) (string, error) {
	a, err := build(b)
	return a.archive, err
}

// build returns the artifacts of b, from this process, the cache, or gcc.
func build(b Build) (artifacts, error) {
	builtMu.Lock()
	defer builtMu.Unlock()
	if a, ok := built[b]; ok {
		return a, nil
	}
	if _, ok := buildFlags[b]; !ok {
		return artifacts{}, fmt.Errorf("runtime: unknown build %q", b)
	}
	version, err := gccVersion()
	if err != nil {
		return artifacts{}, err
	}
	files, err := sourceFiles()
	if err != nil {
		return artifacts{}, err
	}
	root, err := cacheRoot()
	if err != nil {
		return artifacts{}, err
	}
	a, err := cached(filepath.Join(root, cacheKey(b, version, files)), b, files)
	if err != nil {
		return artifacts{}, err
	}
	built[b] = a
	return a, nil
}

// gccVersion identifies the compiler, or says what to install.
func gccVersion() (string, error) {
	out, err := exec.Command("gcc", "--version").Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("runtime: gcc not found; install a C compiler with static libraries (Debian: apt-get install gcc libc6-dev)")
	}
	if err != nil {
		return "", fmt.Errorf("runtime: gcc --version: %w", err)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line, nil
}

// sourceFile is one file of the build folder.
type sourceFile struct {
	name string
	text []byte
}

// sourceFiles returns all sources and generated headers, by name.
func sourceFiles() ([]sourceFile, error) {
	files := []sourceFile{
		{"rok_abi.h", []byte(abi.Header())},
		{"rok_pow10.h", []byte(pow10Header())},
		{"rok_runner.h", []byte(protocolHeader())},
	}
	names, err := fs.Glob(rokruntime.Sources, "src/*")
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		text, err := rokruntime.Sources.ReadFile(n)
		if err != nil {
			return nil, err
		}
		files = append(files, sourceFile{filepath.Base(n), text})
	}
	sort.Slice(files, func(i, j int) bool { return files[i].name < files[j].name })
	return files, nil
}

// WriteSources writes all C sources and generated headers into dir, for people
// who build or read them without the rig.
func WriteSources(dir string) error {
	files, err := sourceFiles()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.name), f.text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// cacheKey names the folder of everything that the artifacts depend on.
func cacheKey(b Build, version string, files []sourceFile) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n%q\n", version, commonFlags, buildFlags[b])
	for _, f := range files {
		fmt.Fprintf(h, "%s %d\n", f.name, len(f.text))
		h.Write(f.text)
	}
	return fmt.Sprintf("runtime-%s-%s", b, hex.EncodeToString(h.Sum(nil)[:12]))
}

// cacheRoot returns a folder that can be written: the cache, else one below
// the folder for temporary files.
func cacheRoot() (string, error) {
	dir := os.Getenv("ROKRIG_CACHE")
	if dir == "" {
		user, err := os.UserCacheDir()
		if err == nil {
			dir = filepath.Join(user, "rokrig")
		}
	}
	if dir != "" {
		abs, err := filepath.Abs(dir)
		if err == nil && writable(abs) {
			return abs, nil
		}
	}
	fallback := filepath.Join(os.TempDir(), fmt.Sprintf("rokrig-cache-%d", os.Getuid()))
	if !writable(fallback) || !ownedPrivately(fallback) {
		return "", fmt.Errorf("runtime: neither %s nor %s can be written; set ROKRIG_CACHE", dir, fallback)
	}
	fmt.Fprintf(Warnings, "rokrig: warning: the cache folder %q cannot be written; using %s\n", dir, fallback)
	return fallback, nil
}

// writable makes dir if need be and tries to create a file in it.
func writable(dir string) bool {
	if os.MkdirAll(dir, 0o700) != nil {
		return false
	}
	f, err := os.CreateTemp(dir, ".try-*")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}

// cached returns the artifacts in dir, building them if they are not there.
// Several processes may do so at once: each builds in a folder of its own, and
// the first rename wins.
func cached(dir string, b Build, files []sourceFile) (artifacts, error) {
	a := artifacts{archive: filepath.Join(dir, "librok.a"), runner: filepath.Join(dir, "runner")}
	if present(a.archive) && present(a.runner) {
		return a, nil
	}
	root := filepath.Dir(dir)
	removeAbandoned(root)
	tmp, err := os.MkdirTemp(root, "tmp-*")
	if err != nil {
		return artifacts{}, fmt.Errorf("runtime: %w", err)
	}
	defer os.RemoveAll(tmp)
	if err := compile(tmp, dir, b, files); err != nil {
		return artifacts{}, err
	}
	err = os.Rename(tmp, dir)
	if err != nil && !(present(a.archive) && present(a.runner)) {
		// A folder that lost its files, say to a cleaner, stands in the way.
		os.RemoveAll(dir)
		err = os.Rename(tmp, dir)
	}
	if !present(a.archive) || !present(a.runner) {
		return artifacts{}, fmt.Errorf("runtime: cannot fill the cache: %w", err)
	}
	return a, nil
}

func present(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}

// removeAbandoned deletes build folders left behind by processes that died.
func removeAbandoned(root string) {
	stale, _ := filepath.Glob(filepath.Join(root, "tmp-*"))
	for _, dir := range stale {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > time.Hour {
			os.RemoveAll(dir)
		}
	}
}

// compile builds archive and runner in tmp, which will be renamed to final.
func compile(tmp, final string, b Build, files []sourceFile) error {
	var common []string
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(tmp, f.name), f.text, 0o644); err != nil {
			return fmt.Errorf("runtime: %w", err)
		}
		if strings.HasSuffix(f.name, ".c") {
			common = append(common, f.name)
		}
	}
	flags := append(append([]string{"-c", "-ffile-prefix-map=" + tmp + "=" + final}, commonFlags...), buildFlags[b]...)
	if err := gcc(tmp, append(flags, common...)...); err != nil {
		return err
	}
	var objects, host []string
	for _, c := range common {
		switch {
		case slices.Contains(runnerHost, c):
			host = append(host, object(c))
		case c != executableHost:
			objects = append(objects, object(c))
		}
	}
	if err := tool(tmp, "ar", append([]string{"rcsD", "librok.a", object(executableHost)}, objects...)...); err != nil {
		return err
	}
	link := append([]string{"-static", "-no-pie", "-Wl,-z,relro,-z,now", "-o", "runner"}, append(host, objects...)...)
	if err := gcc(tmp, link...); err != nil {
		return fmt.Errorf("%w(linking the runner needs a static C library; Debian: apt-get install libc6-dev)", err)
	}
	for _, c := range common {
		os.Remove(filepath.Join(tmp, object(c)))
	}
	return nil
}

func object(c string) string { return strings.TrimSuffix(c, ".c") + ".o" }

func gcc(dir string, args ...string) error { return tool(dir, "gcc", args...) }

// tool runs a program of the C tool chain in dir.
func tool(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("runtime: %s: %w\n%s", name, err, out)
	}
	return nil
}
