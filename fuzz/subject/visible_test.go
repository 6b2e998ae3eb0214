package subject

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"rokrig/internal/tier"
	"rokrig/oracle/outcome"
	"rokrig/runtime/runner"
)

// spinning runs for ever in a function.
const spinning = "fn other(n: i64) -> i64 { n }\nfn spin(n: i64) -> i64 {\n    let mut s = other(n);\n    while s != 0 { s += 2; }\n    s\n}\nprint spin(1);\n"

// TestPerfMapNamesTheFunction reads the map file as perf does: hexadecimal start and size, then the name. The address at
// which a program was stopped lies in the function that it was in.
func TestPerfMapNamesTheFunction(t *testing.T) {
	tier.NeedTools(t, "gcc", "as", "ld")
	var workers []int
	lab, err := NewLab(LabOptions{CPU: 50 * time.Millisecond, Visible: true, PerfMap: true,
		Attach: func(worker int) error { workers = append(workers, worker); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer lab.Close()
	cases := []*Case{{Name: "spin.rok", Text: spinning}, {Name: "after.rok", Text: "print 1;"}}
	for _, c := range cases {
		if !lab.Check(c) {
			t.Fatal(c.Oracle)
		}
	}
	if err := lab.Compare(context.Background(), cases, []Config{MustParse("stack")}); err != nil {
		t.Fatal(err)
	}
	if len(workers) != 1 {
		t.Fatalf("batches: %v", workers)
	}
	defer os.Remove(runner.MapFile(workers[0]))
	o := cases[0].Runs[0].Outcome
	after := cases[1].Runs[0].Outcome
	if o.Kind != outcome.Timeout || string(after.Stdout) != "1\n" {
		t.Fatalf("%v %s, then %v %q", o.Kind, o.Detail, after.Kind, after.Stdout)
	}
	text, err := os.ReadFile(runner.MapFile(workers[0]))
	if err != nil {
		t.Fatal(err)
	}
	pc, err := strconv.ParseUint(strings.TrimPrefix(o.Detail, "still running at 0x"), 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`^([0-9a-f]+) ([0-9a-f]+) ([^ ]+)$`)
	var found, all []string
	for _, l := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		m := line.FindStringSubmatch(l)
		if m == nil {
			t.Fatalf("not a line of a map file: %q", l)
		}
		start, _ := strconv.ParseUint(m[1], 16, 64)
		size, _ := strconv.ParseUint(m[2], 16, 64)
		all = append(all, m[3])
		if pc >= start && pc < start+size {
			found = append(found, m[3])
		}
	}
	if got := fmt.Sprint(found); got != "[rok.u.spin]" {
		t.Errorf("%#x is in %s, want rok.u.spin", pc, got)
	}
	if got := strings.Join(all, " "); got != "rok.u.other rok.u.spin rok_main rok_main" {
		t.Errorf("functions: %s", got)
	}
}
