package outcome

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// maxShown cuts what a difference quotes: findings are read by people and kept by the thousand.
const maxShown = 200

func cut(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return s[:maxShown] + "..."
}

// numbers matches what differs from program to program: addresses, integers and floats.
var numbers = regexp.MustCompile(`0[xX][0-9a-fA-F]+|[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?`)

// Normalise replaces every number of s by `#`, so that one bug in two programs gives one text.
func Normalise(s string) string { return cut(numbers.ReplaceAllString(s, "#")) }

// position matches the end of a panic line.
var position = regexp.MustCompile(` at [^ ]+:[0-9]+:[0-9]+$`)

// splitPosition takes the place off the end of a panic line; at is "" when it has none.
func splitPosition(line string) (message, at string) {
	if loc := position.FindStringIndex(line); loc != nil {
		return line[:loc[0]], line[loc[0]:]
	}
	return line, ""
}

// endingText names an ending the way a signature does.
func endingText(o Outcome) string {
	message, _ := splitPosition(o.Line)
	switch o.Kind {
	case Panic, Error:
		return Normalise(message) // starts with `panic: ` or `error: ` itself
	case Rejected:
		// A diagnostic starts with its place.
		if i := strings.Index(message, "error: "); i >= 0 {
			message = message[i:]
		}
		return "rejected: " + Normalise(message)
	}
	return o.Kind.String()
}

// shownEnding names an ending for people.
func shownEnding(o Outcome) string {
	switch {
	case o.Line != "":
		return cut(o.Line)
	case o.Detail != "":
		return cut(o.Kind.String() + ": " + o.Detail)
	}
	return o.Kind.String()
}

// outputDifference describes the first difference of two outputs that are not equal: the sorts of the two words at the
// first byte that differs. The words themselves are what the program drew at random, so they are not part of the text.
func outputDifference(oracle, native []byte) Difference {
	at := 0
	for at < len(oracle) && at < len(native) && oracle[at] == native[at] {
		at++
	}
	a, b := wordAt(oracle, at), wordAt(native, at)
	if a == b { // the same word, and then another separator
		a, b = string(oracle[at:min(at+1, len(oracle))]), string(native[at:min(at+1, len(native))])
	}
	return Difference{
		Kind:   OutputDifference,
		First:  fmt.Sprintf("%s, %s", wordSort(a), wordSort(b)),
		Line:   1 + bytes.Count(oracle[:at], []byte("\n")),
		Oracle: cut(lineAt(oracle, at)),
		Native: cut(lineAt(native, at)),
	}
}

// isSeparator reports whether c stands between the words that print writes.
func isSeparator(c byte) bool { return strings.IndexByte(" \n,()", c) >= 0 }

// wordAt returns the word of out that covers offset at. At a separator that follows a word, which is where a longer
// word of the other output goes on, it is that word. "" is the end, "\n" the end of a line.
func wordAt(out []byte, at int) string {
	start := at
	for start > 0 && !isSeparator(out[start-1]) {
		start--
	}
	end := at
	for end < len(out) && !isSeparator(out[end]) {
		end++
	}
	if start == end && end < len(out) {
		end++
	}
	return string(out[start:end])
}

func lineAt(out []byte, at int) string {
	start := bytes.LastIndexByte(out[:at], '\n') + 1
	if end := bytes.IndexByte(out[at:], '\n'); end >= 0 {
		return string(out[start : at+end])
	}
	return string(out[start:])
}

// plain are the printed words that mean something by themselves and so stand in a signature as they are.
var plain = map[string]string{"": "end of output", "\n": "end of line", "true": "true", "false": "false", "NaN": "NaN",
	"inf": "infinity", "-inf": "infinity", "-0": "-0", "none": "none", " ": "separator", ",": "separator", "(": "separator",
	")": "separator"}

var numberWord = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?$`)

// wordSort abstracts a printed word. All finite numbers are one sort: a wrong sum is negative in one program and
// positive in the next.
func wordSort(w string) string {
	switch {
	case plain[w] != "":
		return plain[w]
	case numberWord.MatchString(w):
		return "number"
	}
	return "text"
}
