package doctor

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// minimumGo is the go directive of go.mod.
const minimumGo = "go1.26.0"

const goRemedy = "install " + minimumGo + " or newer from https://go.dev/dl"

// toolTimeout bounds one run of a tool, which takes milliseconds.
const toolTimeout = 2 * time.Minute

// tool is a program that the rig runs, and how it is tried.
type tool struct {
	name    string
	debian  string // its Debian package; "" for Go, of which Debian's is too old
	purpose string
	// attempt runs the tool and returns its version, or what is wrong with it.
	attempt func(s *scratch) (found string, err error)
	loss    string // what a rig without it does not do; "": nothing works without it
	beside  bool   // no campaign uses it
}

// tools lists them; a later one may use what an earlier one made.
var tools = []tool{
	{"go", "", "building rokrig and its tests", tryGo, "", false},
	{"gcc", "gcc", "building the runtime, linking executables", tryGCC, "", false},
	{"C library", "libc6-dev", "building the runner, which is linked statically", tryLibC, "", false},
	{"as", "binutils", "assembling generated programs", tryAs, "", false},
	{"ld", "binutils", "linking", tryLd, "", false},
	{"ar", "binutils", "the archive of the runtime", tryAr, "", false},
	{"make", "make", "the tasks of this repository", tryMake, "", false},
	{"git", "git", "revisions in reports", tryGit, "", false},
	{"gdb", "gdb", "looking at programs in the runner (rokrig repro --gdb)", tryGdb, "programs in the runner cannot be looked at", true},
	{"csmith", "csmith libcsmith-dev", "comparing its rate with the rig's (rokrig bench peers)", tryCsmith, "the rig is not measured beside it", true},
	{"cvise", "cvise", "comparing its reductions with the rig's (rokrig bench peers)", tryCVise, "the rig is not measured beside it", true},
}

// scratch is a folder that the attempts share.
type scratch struct {
	dir string
	err error
}

func (s *scratch) open() { s.dir, s.err = os.MkdirTemp("", "rokrig-doctor-") }

func (s *scratch) close() {
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}

func (s *scratch) path(name string) string { return filepath.Join(s.dir, name) }

// run runs a program in the folder and returns what it printed on standard output.
func (s *scratch) run(stdin, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), toolTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = s.dir
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case err == nil:
		return stdout.String(), nil
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%s is not on the PATH", name)
	case errors.Is(err, os.ErrPermission) && filepath.IsAbs(name):
		return "", fmt.Errorf("%s may not be executed: is its file system mounted noexec?", name)
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s did not end within %v", name, toolTimeout)
	}
	return "", fmt.Errorf("%s: %w: %s", filepath.Base(name), err, firstLine(stderr.String()))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// version returns the first line of what a tool says to --version.
func (s *scratch) version(name string) (string, error) {
	out, err := s.run("", name, "--version")
	return firstLine(out), err
}

// examineTools tries every tool, or all but those that no campaign uses.
func examineTools(s *scratch, beside bool) []Item {
	var items []Item
	for _, t := range tools {
		if t.beside && !beside {
			continue
		}
		item := Item{Name: t.name, Kind: Tool, State: OK, Purpose: t.purpose, Loss: t.loss, Optional: t.loss != ""}
		if s.err != nil {
			item.State, item.Problem = NotTried, "no folder for temporary files: "+s.err.Error()
		} else if found, err := t.attempt(s); err != nil {
			item.fail(err.Error())
			item.Package, item.Remedy = t.debian, goRemedy
			if t.debian != "" {
				item.Remedy = installCommand(t.debian)
			}
		} else {
			item.Found = found
		}
		items = append(items, item)
	}
	return items
}

func tryGo(s *scratch) (string, error) {
	out, err := s.run("", "go", "env", "GOVERSION")
	if err != nil {
		return "", err
	}
	found := strings.TrimSpace(out)
	if !version.IsValid(found) || version.Compare(found, minimumGo) < 0 {
		return "", fmt.Errorf("it is %q, needed is %s or newer", found, minimumGo)
	}
	return found, nil
}

func tryGCC(s *scratch) (string, error) {
	if _, err := s.run("int answer(void) { return 42; }", "gcc", "-x", "c", "-O2", "-S", "-o", "gcc.s", "-"); err != nil {
		return "", err
	}
	text, err := os.ReadFile(s.path("gcc.s"))
	if err != nil {
		return "", err
	}
	if !bytes.Contains(text, []byte("$42, %eax")) {
		return "", errors.New("it does not compile for x86-64")
	}
	return s.version("gcc")
}

// tryLibC links a program statically and runs it.
func tryLibC(s *scratch) (string, error) {
	const source = "#include <stdio.h>\n#include <linux/seccomp.h>\n#include <gnu/libc-version.h>\n" +
		"int main(void) { return printf(\"%s\", gnu_get_libc_version()) < 1; }"
	if _, err := s.run(source, "gcc", "-x", "c", "-static", "-no-pie", "-o", "libc", "-"); err != nil {
		return "", err
	}
	out, err := s.run("", s.path("libc"))
	return "glibc " + out, err
}

func tryAs(s *scratch) (string, error) {
	const source = ".globl _start\n_start: mov $60, %eax\nxor %edi, %edi\nsyscall\n"
	if _, err := s.run(source, "as", "-o", "as.o", "-"); err != nil {
		return "", err
	}
	object, err := elf.Open(s.path("as.o"))
	if err != nil {
		return "", fmt.Errorf("its output: %w", err)
	}
	defer object.Close()
	if object.Machine != elf.EM_X86_64 {
		return "", fmt.Errorf("it assembles for %s, not x86-64", object.Machine)
	}
	return s.version("as")
}

// tryLd links what tryAs made to a program that ends at once, and runs it.
func tryLd(s *scratch) (string, error) {
	if _, err := os.Stat(s.path("as.o")); err != nil {
		return "", errors.New("nothing to link, since as does not work")
	}
	if _, err := s.run("", "ld", "-static", "-o", "ld.exe", "as.o"); err != nil {
		return "", err
	}
	if _, err := s.run("", s.path("ld.exe")); err != nil {
		return "", err
	}
	return s.version("ld")
}

func tryAr(s *scratch) (string, error) {
	if err := os.WriteFile(s.path("member"), []byte("text"), 0o600); err != nil {
		return "", err
	}
	if _, err := s.run("", "ar", "rcsD", "archive.a", "member"); err != nil {
		return "", err
	}
	if out, err := s.run("", "ar", "p", "archive.a", "member"); err != nil || out != "text" {
		return "", fmt.Errorf("its archive does not hold what was put in (%w)", err)
	}
	return s.version("ar")
}

func tryMake(s *scratch) (string, error) {
	out, err := s.run("all:\n\t@echo $(words a b c)\n", "make", "-s", "-f", "-")
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(out) != "3" {
		return "", errors.New("it is not GNU make")
	}
	return s.version("make")
}

// tryGit asks for the name of the empty file, which is known.
func tryGit(s *scratch) (string, error) {
	out, err := s.run("", "git", "hash-object", "--stdin")
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(out) != "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" {
		return "", fmt.Errorf("it names the empty file %s", strings.TrimSpace(out))
	}
	return s.version("git")
}

// tryGdb starts what tryLd made and stops it at once.
func tryGdb(s *scratch) (string, error) {
	if _, err := os.Stat(s.path("ld.exe")); err != nil {
		return "", errors.New("no program to look at, since ld does not work")
	}
	out, err := s.run("", "gdb", "-nx", "-batch", "-ex", "starti", "-ex", "print $sp != 0", s.path("ld.exe"))
	if err != nil {
		return "", err
	}
	if !strings.Contains(out, "$1 = 1") {
		return "", errors.New("it cannot stop a program: may processes be traced here (ptrace)?")
	}
	return s.version("gdb")
}

// tryCsmith generates a program and asks gcc whether it is one; the header is in a package of its own.
func tryCsmith(s *scratch) (string, error) {
	if _, err := s.run("", "csmith", "--seed", "1", "-o", "csmith.c"); err != nil {
		return "", err
	}
	if _, err := s.run("", "gcc", "-w", "-fsyntax-only", "-I", "/usr/include/csmith", "csmith.c"); err != nil {
		return "", fmt.Errorf("its program (is libcsmith-dev installed?): %w", err)
	}
	return s.version("csmith")
}

// tryCVise reduces three lines to the one that is wanted.
func tryCVise(s *scratch) (string, error) {
	if err := os.WriteFile(s.path("cvise.txt"), []byte("alpha\nbeta\ngamma\n"), 0o600); err != nil {
		return "", err
	}
	if _, err := s.run("", "cvise", "--not-c", "--tidy", "--n", "1", "-c", "grep -q beta cvise.txt", "cvise.txt"); err != nil {
		return "", err
	}
	if text, err := os.ReadFile(s.path("cvise.txt")); err != nil || strings.TrimSpace(string(text)) != "beta" {
		return "", fmt.Errorf("it left %q of three lines (%w)", text, err)
	}
	return s.version("cvise")
}

// installCommand is the command that installs Debian packages, or says their names where there is no apt-get.
func installCommand(packages string) string {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return "install " + packages + " (names of the Debian packages)"
	}
	command := "apt-get update && apt-get install -y --no-install-recommends " + packages
	if os.Getuid() != 0 {
		command = "sudo sh -c '" + command + "'"
	}
	return command
}
