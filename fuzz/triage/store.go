package triage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
)

// MaxOriginals is how many programs of one bucket a Store keeps.
const MaxOriginals = 20

// Store is a directory of findings, a directory for each bucket.
type Store struct {
	Dir string

	limit int64 // bytes of Dir; 0: not limited
	used  int64
}

// MinLimit is the least that a Store can be limited to.
const MinLimit = 1 << 20

// reportRoom is what is left of a limit for a campaign's state and reports.
const reportRoom = MinLimit / 4

// ErrFull is the error for what a Store does not keep because of its limit.
var ErrFull = errors.New("the limit of the findings' directory is reached")

// Limit makes the store keep its directory below so many bytes. Further programs of buckets end at seven eighths of it, so
// that there is room for new buckets.
func (s *Store) Limit(bytes int64) error {
	s.limit, s.used = bytes, 0
	return filepath.WalkDir(s.Dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			s.used += onDisk(info.Size())
		}
		return err
	})
}

// onDisk is about what a file or directory takes, its entry included.
func onDisk(size int64) int64 {
	const block = 4096
	return (size + block - 1) / block * block
}

// reserve books bytes if they fit below a share of the limit, in eighths.
func (s *Store) reserve(bytes int64, eighths int64) error {
	if s.limit > 0 && s.used+bytes > (s.limit-reportRoom)/8*eighths {
		return ErrFull
	}
	s.used += bytes
	return nil
}

// BeforeFile is, in the directory of a variant's finding, the program that the variant is made of.
const BeforeFile = "before.rok"

// names of what stands in a finding's directory.
const (
	caseFile     = "case.rok"
	originalFile = "original.rok"
	jsonFile     = "finding.json"
	diffFile     = "diff.txt"
	asmFile      = "case.s"
	choicesFile  = "choices.bin"
	readmeFile   = "README.md"
	othersDir    = "others"
	tempPrefix   = ".unfinished-"
)

// Open makes the directory and clears what an interrupted run left unfinished in it.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("findings cannot be kept: %w", err)
	}
	left, err := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
	if err != nil {
		return nil, err
	}
	for _, l := range left {
		if err := os.RemoveAll(l); err != nil {
			return nil, err
		}
	}
	return &Store{Dir: dir}, nil
}

// Path returns the directory of a bucket.
func (s *Store) Path(id string) string { return filepath.Join(s.Dir, id) }

// Has reports whether the bucket is there.
func (s *Store) Has(id string) bool {
	_, err := os.Stat(filepath.Join(s.Path(id), jsonFile))
	return err == nil
}

// IDs lists the buckets that are there, sorted.
func (s *Store) IDs() ([]string, error) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && s.Has(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	sort.Strings(ids)
	return ids, nil
}

// Add writes a finding. The first of a bucket becomes the bucket's directory; of later ones only the program is kept, up
// to MaxOriginals. A finding that is there already, which a resumed campaign finds again, is not kept twice. It reports
// whether the bucket is new. What does not fit below the limit is not kept: ErrFull.
func (s *Store) Add(f *Finding) (isNew bool, err error) {
	if s.Has(f.ID) {
		return false, s.addOther(f)
	}
	files, err := f.files()
	if err != nil {
		return false, err
	}
	size := 2 * onDisk(1) // the directory and that of further programs
	for _, file := range files {
		size += onDisk(int64(len(file.data)))
	}
	if err := s.reserve(size, 8); err != nil {
		return false, err
	}
	temp, err := os.MkdirTemp(s.Dir, tempPrefix)
	if err != nil {
		return false, fmt.Errorf("finding %s cannot be kept: %w", f.ID, err)
	}
	if err := writeAll(temp, files); err != nil {
		return false, errors.Join(fmt.Errorf("finding %s cannot be kept: %w", f.ID, err), os.RemoveAll(temp))
	}
	if err := os.Rename(temp, s.Path(f.ID)); err != nil {
		if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTEMPTY) {
			err = s.addOther(f) // another process was first with this bucket
		}
		return false, errors.Join(err, os.RemoveAll(temp))
	}
	return true, syncDir(s.Dir)
}

// SetReduced replaces the program of a bucket by a reduced one; original.rok stays.
func (s *Store) SetReduced(id, text string, how Reduction) error {
	if err := s.note(id, how); err != nil {
		return err
	}
	return WriteFile(filepath.Join(s.Path(id), caseFile), []byte(text))
}

// SetNotReduced notes why a bucket's program stays as it is.
func (s *Store) SetNotReduced(id, why string) error { return s.note(id, Reduction{Failed: why}) }

// note writes into finding.json what became of the program.
func (s *Store) note(id string, how Reduction) error {
	f, err := Load(s.Path(id))
	if err != nil {
		return err
	}
	f.Reduced = &how
	meta, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(s.Path(id), jsonFile), append(meta, '\n'))
}

// IsReduced reports whether the program of a bucket is another one than was generated.
func (s *Store) IsReduced(id string) bool {
	reduced, err1 := os.ReadFile(filepath.Join(s.Path(id), caseFile))
	original, err2 := os.ReadFile(filepath.Join(s.Path(id), originalFile))
	return err1 == nil && err2 == nil && !bytes.Equal(reduced, original)
}

// addOther keeps the program of a further finding of a bucket that is there.
func (s *Store) addOther(f *Finding) error {
	if f.Origin == nil {
		return nil
	}
	first, err := Load(s.Path(f.ID))
	if err != nil {
		return err
	}
	if first.Origin != nil && *first.Origin == *f.Origin {
		return nil
	}
	dir := filepath.Join(s.Path(f.ID), othersDir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if old, err := os.ReadDir(dir); err != nil || len(old) >= MaxOriginals-1 {
		return err
	}
	name := fmt.Sprintf("%d-%d.rok", f.Origin.Seed, f.Origin.Index)
	if err := s.reserve(onDisk(int64(len(f.Source))), 7); err != nil {
		return err
	}
	return WriteFile(filepath.Join(dir, name), []byte(f.Source))
}

// file is one file of a finding's directory.
type file struct {
	name string
	data []byte
}

// files is what a finding's directory holds; empty ones are left out.
func (f *Finding) files() ([]file, error) {
	meta, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return nil, err
	}
	return []file{
		{caseFile, []byte(f.Source)},
		{originalFile, []byte(f.Source)},
		{BeforeFile, []byte(f.Before)},
		{diffFile, []byte(f.Diff())},
		{asmFile, []byte(f.Asm)},
		{choicesFile, f.Choices},
		{readmeFile, []byte(f.Readme())},
		{jsonFile, append(meta, '\n')},
	}, nil
}

// writeAll writes files into dir and brings them to the disk.
func writeAll(dir string, files []file) error {
	for _, file := range files {
		if len(file.data) == 0 {
			continue
		}
		if err := writeSynced(filepath.Join(dir, file.name), file.data); err != nil {
			return err
		}
	}
	return syncDir(dir)
}

// WriteFile replaces a file as a whole: after a crash it has the old content or the new.
func WriteFile(path string, data []byte) error {
	temp := filepath.Join(filepath.Dir(path), tempPrefix+filepath.Base(path))
	if err := writeSynced(temp, data); err != nil {
		return errors.Join(err, removeIfThere(temp))
	}
	if err := os.Rename(temp, path); err != nil {
		return errors.Join(err, removeIfThere(temp))
	}
	return syncDir(filepath.Dir(path))
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func writeSynced(path string, data []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncDir brings a directory's entries to the disk, so that a rename survives a crash of the machine.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Load reads a finding's directory.
func Load(dir string) (*Finding, error) {
	meta, err := os.ReadFile(filepath.Join(dir, jsonFile))
	if err != nil {
		return nil, err
	}
	f, err := Decode(meta)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, caseFile))
	if err != nil {
		return nil, err
	}
	f.Source = string(text)
	return f, nil
}

// LoadOriginal is Load, but for the program as it was generated and the choices behind it, if they were kept.
func LoadOriginal(dir string) (*Finding, error) {
	f, err := Load(dir)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, originalFile))
	if err != nil {
		return nil, err
	}
	f.Source = string(text)
	f.Choices, err = os.ReadFile(filepath.Join(dir, choicesFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return f, err
}

// Diff shows the oracle's output and the first disagreeing one side by side, from shortly before the first difference.
func (f *Finding) Diff() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\noracle: %s\nnative: %s\n", f.Signature, f.OracleSays, f.NativeSays)
	for _, r := range f.Runs {
		if len(f.Configs) == 0 || r.Config != f.Configs[0] {
			continue
		}
		fmt.Fprintf(&b, "\n--- interp (%s, status %d)\n+++ %s (%s, status %d)\n", f.Oracle.Kind, f.Oracle.Status, r.Config, r.Outcome.Kind, r.Outcome.Status)
		writeDiff(&b, f.Oracle, r.Outcome)
	}
	return b.String()
}

// diffContext is how many equal lines a diff shows before the first difference, and how many lines after it.
const diffContext = 5

func writeDiff(b *bytes.Buffer, oracle, native Outcome) {
	lines := func(o Outcome) []string { return strings.SplitAfter(string(o.Output()), "\n") }
	x, y := lines(oracle), lines(native)
	at := 0
	for at < len(x) && at < len(y) && x[at] == y[at] {
		at++
	}
	from := max(0, at-diffContext)
	fmt.Fprintf(b, "@@ from line %d of standard output @@\n", from+1)
	show := func(mark string, part []string) {
		for _, l := range part {
			fmt.Fprintf(b, "%s%q\n", mark, l)
		}
	}
	show(" ", x[from:at])
	show("-", x[at:min(len(x), at+diffContext)])
	show("+", y[at:min(len(y), at+diffContext)])
	if oracle.Line != native.Line {
		fmt.Fprintf(b, "-stderr %q\n+stderr %q\n", oracle.Line, native.Line)
	}
	if native.Detail != "" {
		fmt.Fprintf(b, "+detail %q\n", native.Detail)
	}
}

// Readme says what the finding is and the one command that shows it again.
func (f *Finding) Readme() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Finding %s\n\n%s\n\n", f.ID, f.Signature)
	if f.Kind == Metamorphic {
		fmt.Fprintf(&b, "`%s` and its variant `%s` have to behave alike but for a panic's place. From the directory that holds this one:\n\n"+
			"    rokrig repro %s\n\nRules that made the variant: %s.\n\n", BeforeFile, originalFile, f.ID, strings.Join(f.Rules, ", "))
	} else {
		fmt.Fprintf(&b, "Show it again, from the directory that holds this one:\n\n    rokrig repro %s\n\n", f.ID)
	}
	if f.Mutant != "" {
		fmt.Fprintf(&b, "The deliberate bug `%s` was switched on: add `--mutant %s`.\n\n", f.Mutant, f.Mutant)
	}
	if f.Origin != nil {
		fmt.Fprintf(&b, "The program is number %d of seed %d (`rokrig gen --seed %d --index %d`).\n\n", f.Origin.Index, f.Origin.Seed, f.Origin.Seed, f.Origin.Index)
	}
	fmt.Fprintf(&b, "Fresh runs that showed it: %d of %d.\n\n", f.Shown, f.Tries)
	b.WriteString("| file | what |\n| --- | --- |\n")
	for _, row := range [][2]string{
		{caseFile, "the program"}, {originalFile, "the program as it was generated"},
		{BeforeFile, "of a variant: the program it was made of"}, {diffFile, "the first difference"},
		{asmFile, "the machine code as GNU as text, if the compiler got that far"}, {jsonFile, "all of this for programs"},
		{choicesFile, "the generator's choices"}, {othersDir, "more programs with the same signature"}} {
		fmt.Fprintf(&b, "| `%s` | %s |\n", row[0], row[1])
	}
	return b.String()
}
