// Package triage turns what went wrong into findings that a person can act on.
//
// In: a case with the outcomes of the oracle and of every configuration. Out: a Finding with a signature, and a directory
// that shows it again.
// Invariants: findings with one signature are one bucket, and a bucket's id depends on nothing but its signature; a
// directory is there whole or not at all, also after kill -9 or on a full disk; finding.json carries a schema number.
package triage

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"rokrig/oracle/outcome"
)

// Schema is the version of finding.json. It grows when a key changes its meaning or goes away.
const Schema = 1

// Kind is the sort of a finding: by which check it was found.
type Kind string

// The kinds of findings.
const (
	Difference      Kind = "difference"       // a configuration disagrees with the oracle
	Assertion       Kind = "assertion"        // a value known by construction is another one in the oracle
	RejectedValid   Kind = "rejected-valid"   // a valid program got diagnostics
	AcceptedInvalid Kind = "accepted-invalid" // a program broken on purpose got none, or at another place
	Metamorphic     Kind = "metamorphic"      // a variant that must behave like its original does not, in the oracle
	OracleFault     Kind = "oracle-fault"     // the interpreter broke down
)

// NeedsTextAlone reports whether running a program is enough to see the finding: two implementations disagree, or one breaks down.
// Whoever sees one of the others knows more than the program's text.
func (k Kind) NeedsTextAlone() bool { return k == Difference || k == OracleFault }

// Run is one configuration's outcome.
type Run struct {
	Config  string  `json:"config"`
	Outcome Outcome `json:"outcome"`
}

// Reduction says how a finding was reduced, or why not. Everything else in a Finding is of the original.
type Reduction struct {
	Config    string `json:"config,omitempty"`    // the configuration with as few options as show the same
	Signature string `json:"signature,omitempty"` // of the reduced program on that configuration alone
	By        string `json:"by,omitempty"`        // what was edited: the program's tree, or its generator's choices
	Lines     int    `json:"lines"`
	Tries     int    `json:"tries"`
	Minimal   bool   `json:"minimal"`
	Failed    string `json:"not_reduced,omitempty"` // why case.rok is the original
}

// Outcome is outcome.Outcome as JSON.
type Outcome struct {
	Kind   string `json:"kind"`
	Status int    `json:"status"`
	Stdout string `json:"stdout"`           // as text, or base64 if Base64 says so
	Base64 bool   `json:"base64,omitempty"` // Stdout is not UTF-8
	Line   string `json:"line,omitempty"`
	Detail string `json:"detail,omitempty"`
	Steps  int64  `json:"steps,omitempty"`
}

// NewOutcome converts an outcome for finding.json.
func NewOutcome(o outcome.Outcome) Outcome {
	r := Outcome{Kind: o.Kind.String(), Status: o.Status, Stdout: string(o.Stdout), Line: o.Line, Detail: o.Detail, Steps: o.Usage.Steps}
	if !utf8.Valid(o.Stdout) {
		r.Stdout, r.Base64 = base64.StdEncoding.EncodeToString(o.Stdout), true
	}
	return r
}

// Output returns the bytes that were printed.
func (o Outcome) Output() []byte {
	if o.Base64 {
		raw, err := base64.StdEncoding.DecodeString(o.Stdout)
		if err == nil {
			return raw
		}
	}
	return []byte(o.Stdout)
}

// Origin says where a program came from.
type Origin struct {
	Seed  uint64 `json:"seed"`  // the campaign's
	Index uint64 `json:"index"` // of the program in the campaign
}

// Finding is what is known of one failure.
type Finding struct {
	Schema     int               `json:"schema"`
	ID         string            `json:"id"` // of the bucket
	Kind       Kind              `json:"kind"`
	Signature  string            `json:"signature"`
	Origin     *Origin           `json:"origin,omitempty"`
	Configs    []string          `json:"configs"` // those that disagree
	Oracle     Outcome           `json:"oracle"`
	Runs       []Run             `json:"runs"`
	OracleSays string            `json:"oracle_says"` // at the first difference
	NativeSays string            `json:"native_says"`
	Line       int               `json:"line,omitempty"` // of standard output, for a difference in output
	Mutant     string            `json:"mutant,omitempty"`
	Rules      []string          `json:"rules,omitempty"` // that made a variant of another program
	Tries      int               `json:"tries"`           // fresh runs that were made to confirm it
	Shown      int               `json:"shown"`           // of these, how many showed it
	Versions   map[string]string `json:"versions"`
	Reduced    *Reduction        `json:"reduced,omitempty"` // what became of case.rok

	Source  string `json:"-"` // case.rok
	Before  string `json:"-"` // before.rok: the program that case.rok is a variant of
	Choices []byte `json:"-"` // choices.bin: the generator's bytes
	Asm     string `json:"-"` // case.s
}

// Seal computes Signature and ID from the kind and a detail, which names the disagreeing configurations and the
// normalised first difference.
func (f *Finding) Seal(detail string) {
	f.Schema = Schema
	sort.Strings(f.Configs)
	f.Signature = string(f.Kind) + ": " + detail
	f.ID = BucketID(f.Signature)
}

// BucketID is the id of the bucket that a signature has.
func BucketID(signature string) string {
	sum := sha256.Sum256([]byte(signature))
	return hex.EncodeToString(sum[:5])
}

// Symptom is the signature without its kind and without the configurations that disagree: what they show.
func (f *Finding) Symptom() string {
	s := strings.TrimPrefix(f.Signature, string(f.Kind)+": ")
	s = strings.TrimPrefix(s, everyConfig)
	return strings.TrimPrefix(s, strings.Join(f.Configs, " ")+": ")
}

// IsFlaky reports whether some fresh runs did not show the finding.
func (f *Finding) IsFlaky() bool { return f.Shown < f.Tries }

// Decode reads a finding.json and checks its schema.
func Decode(data []byte) (*Finding, error) {
	var f Finding
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("finding.json: %w", err)
	}
	if f.Schema != Schema {
		return nil, fmt.Errorf("finding.json: schema %d, this build reads %d", f.Schema, Schema)
	}
	return &f, nil
}
