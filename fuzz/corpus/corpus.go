// Package corpus holds the reduced cases of fixed bugs, and runs cases again: those, a finding's, or any program.
//
// In: paths of programs, findings or folders of them. Out: for each program whether oracle and every configuration agree.
// Invariants: a case passes only if it was really compared on every configuration asked for; entries come in the order of
// their paths.
package corpus

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"rokrig/compiler/source"
	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
	"rokrig/oracle/outcome"
)

//go:embed cases/*.rok
var cases embed.FS

// Cases returns the programs of the corpus that this build has inside, in the order of their names.
func Cases() []string {
	files, err := cases.ReadDir("cases")
	if err != nil {
		panic("corpus: " + err.Error())
	}
	texts := make([]string, len(files))
	for i, f := range files {
		text, err := cases.ReadFile("cases/" + f.Name())
		if err != nil {
			panic("corpus: " + err.Error())
		}
		texts[i] = string(text)
	}
	return texts
}

// Entry is a program to be run again.
type Entry struct {
	Path string
	Name string // under which it is compiled: what its messages name
	Text string
	// Before is, for a finding's variant, the program that it has to behave like.
	Before string
}

// Collect finds the programs that paths name: a .rok file, a finding's directory (its case.rok), or a folder, searched for
// both. An error names the path that is none of these or holds nothing.
func Collect(paths []string) ([]Entry, error) {
	var entries []Entry
	for _, path := range paths {
		found, err := collect(path)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: no .rok program and no finding is there", path)
		}
		entries = append(entries, found...)
	}
	return entries, nil
}

func collect(path string) ([]Entry, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		e, err := read(path)
		return []Entry{e}, err
	}
	var entries []Entry
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != path && (strings.HasPrefix(d.Name(), ".") || d.Name() == "others"):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(p) != ".rok" || isOriginal(p):
			return nil
		}
		e, err := read(p)
		entries = append(entries, e)
		return err
	})
	return entries, err
}

// isOriginal reports whether p is the unreduced program of a finding whose case stands beside it, or what that is a variant of.
func isOriginal(p string) bool {
	if name := filepath.Base(p); name != "original.rok" && name != triage.BeforeFile {
		return false
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(p), "case.rok"))
	return err == nil
}

func read(path string) (Entry, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Entry{}, err
	}
	if info.Size() > source.MaxSize {
		return Entry{}, fmt.Errorf("%s: %d bytes; a program has at most %d", path, info.Size(), source.MaxSize)
	}
	text, err := os.ReadFile(path)
	e := Entry{Path: path, Name: filepath.Base(path), Text: string(text)}
	if before, err := os.ReadFile(filepath.Join(filepath.Dir(path), triage.BeforeFile)); err == nil && e.Name == "case.rok" {
		e.Before = string(before)
	}
	return e, err
}

// Verdict is the outcome of running one entry again.
type Verdict struct {
	Path    string          `json:"path"`
	Passed  bool            `json:"passed"`
	Reason  string          `json:"reason,omitempty"` // why not
	Wasted  bool            `json:"wasted,omitempty"` // nothing could be compared: neither passed nor a difference
	Finding *triage.Finding `json:"finding,omitempty"`
}

// Replay runs one entry on the oracle and on configs. An error is the environment's fault.
func Replay(ctx context.Context, lab *subject.Lab, e Entry, configs []subject.Config) (Verdict, error) {
	v := Verdict{Path: e.Path}
	c := &subject.Case{Name: e.Name, Text: e.Text}
	lab.Interpret(c)
	if c.Checked != nil && !c.Oracle.Kind.IsFault() {
		if err := lab.Compare(ctx, []*subject.Case{c}, configs); err != nil {
			return v, err
		}
	}
	f, wasted := triage.Examine(c)
	if e.Before != "" && f == nil {
		f = metamorphic(lab, c, e.Before)
	}
	switch {
	case f != nil:
		v.Finding, v.Reason = f, f.Signature
	case wasted != "":
		v.Wasted, v.Reason = true, "not compared: "+wasted
	default:
		v.Passed = true
	}
	return v, nil
}

// metamorphic compares a variant with its original on the oracle; nil if they are alike.
func metamorphic(lab *subject.Lab, c *subject.Case, before string) *triage.Finding {
	original := &subject.Case{Name: c.Name, Text: before}
	lab.Interpret(original)
	if verdict := triage.CompareVariant(original.Oracle, c.Oracle); verdict.Class == outcome.Different {
		return triage.MetamorphicFinding(c, original, nil, verdict.Difference)
	}
	return nil
}
