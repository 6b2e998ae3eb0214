package main

import (
	"encoding/json"
	"strings"
	"testing"

	"rokrig/fuzz/subject"
)

func TestConfigsListsEveryConfiguration(t *testing.T) {
	status, stdout, stderr := execute("configs")
	if status != statusClean || stderr != "" {
		t.Fatalf("status %d, stderr %q", status, stderr)
	}
	lines := strings.Split(stdout, "\n")
	for _, row := range subject.All() {
		found := 0
		for _, line := range lines {
			if name, _, _ := strings.Cut(line, " "); name == row.Config.String() {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%s stands on %d lines, want 1:\n%s", row.Config, found, stdout)
		}
	}
}

func TestConfigsJSON(t *testing.T) {
	status, stdout, _ := execute("configs", "--json")
	var got configsResult
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || status != statusClean {
		t.Fatalf("status %d, %v: %q", status, err, stdout)
	}
	if len(got.Configurations) != len(subject.All()) || len(got.Options) != len(subject.Options()) {
		t.Errorf("%d configurations, %d options; want %d, %d", len(got.Configurations), len(got.Options), len(subject.All()), len(subject.Options()))
	}
	// What JSON says of options can be put behind a subject as it stands.
	for _, o := range got.Options {
		for _, value := range o.Values {
			c, err := subject.Parse("stack/" + value)
			if err != nil {
				t.Errorf("value %q: %v", value, err)
			} else if (value == o.Default) != (c == subject.Config{Subject: subject.Stack}) {
				t.Errorf("value %q, default %q: makes %s", value, o.Default, c)
			}
		}
	}
}

func TestConfigsOfSpellings(t *testing.T) {
	status, stdout, _ := execute("configs", "stack/poll=force/check", "--json")
	if status != statusClean || !strings.Contains(stdout, `"stack/check/poll=force"`) || strings.Contains(stdout, `"interp"`) {
		t.Errorf("status %d: %s", status, stdout)
	}
	status, stdout, stderr := execute("configs", "stack/chekc")
	if status != statusUsage || stdout != "" || !strings.Contains(stderr, `unknown option "chekc"; there are: release, check`) {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
}
