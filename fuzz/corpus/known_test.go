package corpus

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rokrig/fuzz/subject"
	"rokrig/fuzz/triage"
	"rokrig/internal/tier"
)

const negated = "arith/raw-idiv" // traps where the language says what comes out

// foundIn is the finding of a program under a mutant, on the given configurations.
func foundIn(t *testing.T, text, mutant string, configs ...string) *triage.Finding {
	t.Helper()
	tier.NeedTools(t, "gcc")
	lab, err := subject.NewLab(subject.LabOptions{Mutant: mutant})
	if err != nil {
		t.Fatal(err)
	}
	defer lab.Close()
	var list []subject.Config
	for _, c := range configs {
		list = append(list, subject.MustParse(c))
	}
	v, err := Replay(context.Background(), lab, Entry{Path: caseName, Name: caseName, Text: text}, list)
	if err != nil || v.Finding == nil {
		t.Fatalf("nothing is found: %+v, %v", v, err)
	}
	v.Finding.Mutant = mutant
	return v.Finding
}

const divides = "fn f(a: i64) -> i64 { a / 0 }\nprint f(7);\n"

func TestKnownBugsAreCheckedAgain(t *testing.T) {
	f := foundIn(t, divides, negated, "stack", "stack/check")
	l := &KnownList{Schema: KnownSchema}
	if err := l.Add(f, "reported"); err != nil {
		t.Fatal(err)
	}
	if err := l.Add(f, "again"); err == nil || !strings.Contains(err.Error(), "known already") {
		t.Errorf("twice: %v", err)
	}
	path := filepath.Join(t.TempDir(), "known.json")
	if err := l.Save(path); err != nil {
		t.Fatal(err)
	}
	back, err := LoadKnown(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(l, back); d != "" {
		t.Errorf("read back: %s", d)
	}
	if d := cmp.Diff(map[string]string{f.ID: "reported"}, back.Notes()); d != "" {
		t.Error(d)
	}
	k := back.Known[0]
	if v, err := k.Check(context.Background()); err != nil || !v.Reproduces {
		t.Errorf("with the bug: %+v, %v", v, err)
	}
	fixed := k
	fixed.Mutant = ""
	if v, err := fixed.Check(context.Background()); err != nil || v.Reproduces || !strings.HasPrefix(v.Shows, "all agree") {
		t.Errorf("without the bug: %+v, %v", v, err)
	}
	other := k
	other.Case = "fn f(a: i64, b: i64) -> i64 { a / b }\nprint f(-7, 2);\nprint f(7, 0);\n"
	other.Mutant = "arith/mod-sign-of-divisor"
	if v, err := other.Check(context.Background()); err != nil || v.Reproduces {
		t.Errorf("with another bug: %+v, %v", v, err)
	}
	elsewhere := k
	elsewhere.Configs = []string{"stack/check"}
	if v, err := elsewhere.Check(context.Background()); err != nil || !v.Reproduces {
		t.Errorf("on one configuration: %+v, %v", v, err)
	}
}

// What only the generator's knowledge shows is still there if the program ends as it did.
func TestKnownAssertion(t *testing.T) {
	k := Known{Kind: triage.Assertion, Oracle: "value", Case: "print 1;\n"}
	if v, err := k.Check(context.Background()); err != nil || !v.Reproduces {
		t.Errorf("%+v, %v", v, err)
	}
	k.Oracle = "panic panic: assertion failed at case.rok:1:1"
	if v, err := k.Check(context.Background()); err != nil || v.Reproduces {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestBadKnownLists(t *testing.T) {
	id := triage.BucketID("difference: x")
	entry := `{"id": "` + id + `", "kind": "difference", "signature": "difference: x", "symptom": "x", "note": "n", "configs": [], "oracle": "value", "case": "print 1;"}`
	list := func(entries ...string) string {
		return `{"schema": 1, "known": [` + strings.Join(entries, ",") + "]}\n"
	}
	for _, tt := range []struct{ name, text, want string }{
		{"good", list(entry), ""},
		{"empty list", list(), ""},
		{"empty file", "", "known.json:1:1: EOF"},
		{"cut off", "{\n  \"schema\": 1,\n  \"known\": [", "known.json:3:12: unexpected EOF"},
		{"no JSON", "{\n  \"schema\": 1,\n  known\n}", "known.json:3:3: invalid character 'k'"},
		{"wrong type", "{\n \"schema\": \"1\"}", "known.json:2:14: json: cannot unmarshal string"},
		{"unknown key", `{"schema": 1, "bugs": []}`, `unknown field "bugs"`},
		{"more behind", list() + "{}", "known.json:2:1: something stands behind the list"},
		{"schema", `{"schema": 9, "known": []}`, "schema 9, this build reads 1"},
		{"no note", list(strings.Replace(entry, `"n"`, `" "`, 1)), "bug 1 (" + id + "): there is no note"},
		{"no case", list(strings.Replace(entry, "print 1;", "", 1)), "is missing"},
		{"other id", list(strings.Replace(entry, id, "0123456789", 1)), "the id of this signature is " + id},
		{"twice", list(entry, entry), "bug 2 (" + id + "): it is there twice"},
		{"configuration", list(strings.Replace(entry, `"configs": []`, `"configs": ["x"]`, 1)), "no subject is named"},
	} {
		path := filepath.Join(t.TempDir(), "known.json")
		if err := os.WriteFile(path, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := LoadKnown(path)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

// The list of this repository can be read.
func TestCommittedKnownList(t *testing.T) {
	if _, err := LoadKnown("known.json"); err != nil {
		t.Error(err)
	}
}
