package main

import (
	"encoding/json"
	"strings"
	"testing"

	"rokrig/fuzz/doctor"
	"rokrig/internal/tier"
)

func TestDoctorStatus(t *testing.T) {
	runs := []doctor.Trial{{Config: "interp", Runs: true}}
	fails := []doctor.Trial{{Config: "interp", Runs: true}, {Config: "stack", Reason: "no as"}}
	there := []doctor.Item{{Name: "git", State: doctor.OK}}
	lacking := []doctor.Item{{Name: "git", State: doctor.Lacking}}
	optional := []doctor.Item{{Name: "perf counters", State: doctor.Lacking, Optional: true}}
	for _, c := range []struct {
		name       string
		report     doctor.Report
		requireAll bool
		want       exitStatus
	}{
		{"whole", doctor.Report{Items: there, Trials: runs}, false, statusClean},
		{"whole, all required", doctor.Report{Items: there, Trials: runs}, true, statusClean},
		{"a tool lacks that no configuration needs", doctor.Report{Items: lacking, Trials: runs}, false, statusClean},
		{"the same, all required", doctor.Report{Items: lacking, Trials: runs}, true, statusEnvironment},
		{"what the machine lacks by nature", doctor.Report{Items: optional, Trials: runs}, true, statusClean},
		{"a configuration does not run", doctor.Report{Items: there, Trials: fails}, false, statusEnvironment},
	} {
		if got := newDoctorResult(c.report).status(c.requireAll); got != c.want {
			t.Errorf("%s: status %d, want %d", c.name, got, c.want)
		}
	}
}

func TestDoctorCommand(t *testing.T) {
	tier.NeedTools(t, "gcc", "as", "ld", "ar", "make", "git", "go")
	status, stdout, stderr := execute("doctor", "--json", "--out", t.TempDir())
	var got doctorResult
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || status != statusClean || stderr != "" {
		t.Fatalf("status %d, %v, stderr %q: %s", status, err, stderr, stdout)
	}
	if !got.AllRun || len(got.Items) < 20 || len(got.Trials) < 3 || len(got.NotTested) == 0 || got.Remedies == nil {
		t.Errorf("the result is %+v", got)
	}
}

func TestDoctorText(t *testing.T) {
	var b strings.Builder
	result := newDoctorResult(doctor.Report{
		Items: []doctor.Item{
			{Name: "gcc", State: doctor.Lacking, Problem: "gcc is not on the PATH", Package: "gcc", Remedy: "apt-get install gcc", Purpose: "building"},
			{Name: "perf counters", State: doctor.Lacking, Problem: "no counters", Loss: "nothing is counted", Optional: true},
		},
		Trials: []doctor.Trial{{Config: "stack", Reason: "gcc not found"}},
	})
	if err := result.write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"gcc is not on the PATH", "lacking (optional)", "no: gcc not found", "To do:\n  ", "install", "Not tested:\n",
		"  configuration stack does not run here: gcc not found\n", "  perf counters: no counters: nothing is counted\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
}
