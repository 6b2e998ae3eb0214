package subject

import (
	"strings"
	"testing"
)

func TestConfigSpellingIsCanonical(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range All() {
		text := row.Config.String()
		if seen[text] {
			t.Errorf("%s is listed twice", text)
		}
		seen[text] = true
		back, err := Parse(text)
		if err != nil || back != row.Config {
			t.Errorf("Parse(%q) = %v, %v", text, back, err)
		}
	}
	for in, want := range map[string]string{
		"interp":                           "interp",
		"stack/release":                    "stack",
		"stack/poll=force/check":           "stack/check/poll=force",
		"stack/encoded/release/poll=off":   "stack",
		"stack/exe/check":                  "stack/check/exe",
		"stack/check":                      "stack/check",
		"stack/check/encoded":              "stack/check",
		"stack/check/encoded/poll=force":   "stack/check/poll=force",
		"stack/release/encoded/poll=force": "stack/poll=force",
		"stack/fill=b/check":               "stack/check/fill=b",
		"stack/fill=a":                     "stack",
	} {
		c, err := Parse(in)
		if err != nil || c.String() != want {
			t.Errorf("Parse(%q) = %q, %v; want %q", in, c, err, want)
		}
	}
}

func TestConfigErrorsSayWhatThereIs(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "there are: interp, stack",
		"opt":                  `no subject is named "opt"`,
		"stack/":               `unknown option ""`,
		"stack/chek":           "there are: release, check, encoded, as, exe, poll=off, poll=force, fill=a, fill=b",
		"stack/poll=maybe":     `unknown option "poll=maybe"`,
		"stack/check/release":  "chooses again",
		"stack/check/check":    "chooses again",
		"interp/check":         "takes no options",
		"stack/exe/poll=force": "not in an executable",
		"stack/exe/fill=b":     "not in an executable",
	} {
		if _, err := Parse(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): got %v, want %q", in, err, want)
		}
	}
}
