package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
)

// KnownSchema is the version of known.json. It grows when a key changes its meaning or goes away.
const KnownSchema = 1

// KnownFile is where the list of known bugs stands in this repository.
const KnownFile = "fuzz/corpus/known.json"

// Known is a bug that is known and not yet fixed. A campaign counts what falls into its bucket under it.
type Known struct {
	ID        string      `json:"id"` // of the bucket
	Kind      triage.Kind `json:"kind"`
	Signature string      `json:"signature"`
	Symptom   string      `json:"symptom"` // the signature without the configurations
	Note      string      `json:"note"`
	Configs   []string    `json:"configs"`          // that the case was compared on
	Mutant    string      `json:"mutant,omitempty"` // the deliberate bug that is on
	Oracle    string      `json:"oracle"`           // how the case ends in the interpreter
	Case      string      `json:"case"`             // the reduced program
}

// KnownList is known.json: bugs in the order in which they were filed.
type KnownList struct {
	Schema int     `json:"schema"`
	Known  []Known `json:"known"`
}

// caseName is the name under which a finding's program is compiled.
const caseName = "case.rok"

// LoadKnown reads a list. An error names the line and column.
func LoadKnown(path string) (*KnownList, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var l KnownList
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err = d.Decode(&l)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something stands behind the list")
		}
	}
	if err != nil {
		at := d.InputOffset()
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			at = syntax.Offset
		case errors.As(err, &kind):
			at = kind.Offset
		case errors.Is(err, io.ErrUnexpectedEOF):
			at = int64(len(data))
		}
		return nil, fmt.Errorf("%s:%s: %w", path, place(data, at), err)
	}
	return &l, l.check(path)
}

// place is the line and column of the byte before an offset, which is the last that a decoder has read.
func place(data []byte, offset int64) string {
	before := data[:min(max(0, offset-1), int64(len(data)))]
	line := bytes.Count(before, []byte("\n"))
	return fmt.Sprintf("%d:%d", line+1, len(before)-bytes.LastIndexByte(before, '\n'))
}

// check reports what is wrong with a list that could be read.
func (l *KnownList) check(path string) error {
	if l.Schema != KnownSchema {
		return fmt.Errorf("%s: schema %d, this build reads %d", path, l.Schema, KnownSchema)
	}
	seen := map[string]bool{}
	for i, k := range l.Known {
		at := fmt.Sprintf("%s: bug %d (%s)", path, i+1, k.ID)
		switch {
		case k.ID == "" || k.Kind == "" || k.Signature == "" || k.Case == "":
			return fmt.Errorf("%s: id, kind, signature or case is missing", at)
		case k.ID != triage.BucketID(k.Signature):
			return fmt.Errorf("%s: the id of this signature is %s", at, triage.BucketID(k.Signature))
		case strings.TrimSpace(k.Note) == "":
			return fmt.Errorf("%s: there is no note", at)
		case seen[k.ID]:
			return fmt.Errorf("%s: it is there twice", at)
		}
		seen[k.ID] = true
		if _, err := k.configs(); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
	}
	return nil
}

// Save writes the list as a whole.
func (l *KnownList) Save(path string) error {
	data, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	return triage.WriteFile(path, append(data, '\n'))
}

// Add files a finding as known. It is an error if it is known already or there is no note.
func (l *KnownList) Add(f *triage.Finding, note string) error {
	if strings.TrimSpace(note) == "" {
		return errors.New("a known bug needs a note: where it is reported, or what is the matter")
	}
	if slices.ContainsFunc(l.Known, func(k Known) bool { return k.ID == f.ID }) {
		return fmt.Errorf("%s is known already", f.ID)
	}
	k := Known{ID: f.ID, Kind: f.Kind, Signature: f.Signature, Symptom: f.Symptom(), Note: note, Configs: []string{}, Mutant: f.Mutant,
		Oracle: strings.TrimSpace(f.Oracle.Kind + " " + f.Oracle.Line), Case: f.Source}
	for _, r := range f.Runs {
		k.Configs = append(k.Configs, r.Config)
	}
	l.Known = append(l.Known, k)
	return nil
}

// Notes returns what is noted of each bucket.
func (l *KnownList) Notes() map[string]string {
	notes := make(map[string]string, len(l.Known))
	for _, k := range l.Known {
		notes[k.ID] = k.Note
	}
	return notes
}

func (k *Known) configs() ([]subject.Config, error) {
	var list []subject.Config
	for _, name := range k.Configs {
		c, err := subject.Parse(name)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// KnownVerdict says whether a known bug is still there.
type KnownVerdict struct {
	ID         string `json:"id"`
	Reproduces bool   `json:"reproduces"`
	Shows      string `json:"shows"` // what its case shows now
	Note       string `json:"note"`
}

// Check runs the case of a known bug again. It reproduces if it shows the bug's symptom, on whichever of its configurations.
// A bug that only its generator's knowledge shows (a value known by construction, a program that had to be rejected)
// reproduces if the case ends in the interpreter as it did. An error is the environment's fault.
func (k *Known) Check(ctx context.Context) (v KnownVerdict, err error) {
	v = KnownVerdict{ID: k.ID, Note: k.Note}
	configs, err := k.configs()
	if err != nil {
		return v, err
	}
	lab, err := subject.NewLab(subject.LabOptions{Mutant: k.Mutant})
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, lab.Close()) }()
	c := &subject.Case{Name: caseName, Text: k.Case}
	lab.Interpret(c)
	if c.Checked != nil && c.Oracle.Kind.IsFinished() {
		if err := lab.Compare(ctx, []*subject.Case{c}, configs); err != nil {
			return v, err
		}
	}
	v.Shows = strings.TrimSpace(c.Oracle.Kind.String() + " " + c.Oracle.Line)
	switch k.Kind {
	case triage.Difference, triage.OracleFault, triage.RejectedValid:
		f, wasted := triage.Examine(c)
		switch {
		case f != nil:
			v.Shows, v.Reproduces = f.Signature, f.Kind == k.Kind && f.Symptom() == k.Symptom
		case wasted != "":
			v.Shows = "not compared: " + wasted
		default:
			v.Shows = "all agree: " + v.Shows
		}
	default:
		v.Reproduces = v.Shows == k.Oracle
	}
	return v, nil
}
