// Package source holds a program's text, its positions and the diagnostics about it.
//
// In: the bytes of one .rok file. Out: line and column of any byte, and rendered diagnostics.
// Invariants: a File never changes after NewFile, so compilers running in parallel may share it; the cost of
// looking a position up does not grow with the length of its line.
package source

import (
	"sort"
	"unicode/utf8"
)

// Pos is a byte position: 1 + the byte's offset in its file. NoPos (0) means "nowhere".
// Positions of the prelude start at PreludeBase, so that one number tells both file and offset.
type Pos int32

const (
	// NoPos is the position of what stands in no file.
	NoPos Pos = 0
	// PreludeBase is the first position of the prelude's file.
	PreludeBase Pos = 1 << 30
	// MaxSize is the largest source file in bytes; what is longer is refused before it is read.
	MaxSize = 1 << 28
)

// Span is the half-open range of positions [Start, End).
type Span struct{ Start, End Pos }

// At returns the empty span at p.
func At(p Pos) Span { return Span{p, p} }

// To returns the span from s's start to t's end.
func (s Span) To(t Span) Span { return Span{s.Start, t.End} }

// Position is a place as people read it: line and column from 1. A column counts characters (a tab is one; a byte
// that is not UTF-8 is one).
type Position struct{ Line, Col int }

// markStep is the distance in bytes between two marks of File.marks. A column is found by counting characters from
// the nearest mark, so that a file that is one long line does not make every look-up walk that line.
const markStep = 512

// File is one source text with its index of lines.
type File struct {
	Name  string // as given by the user; what panics and diagnostics print
	Text  string
	base  Pos     // position of Text's first byte
	lines []int32 // offset of each line's first byte
	marks []int32 // characters before offset i*markStep; nil when the text is plain ASCII
}

// NewFile indexes text under the given name. The text may be anything, also not UTF-8.
func NewFile(name, text string) *File { return newFile(name, text, 1) }

// NewPreludeFile is NewFile for the prelude, whose positions start at PreludeBase.
func NewPreludeFile(name, text string) *File { return newFile(name, text, PreludeBase) }

func newFile(name, text string, base Pos) *File {
	f := &File{Name: name, Text: text, base: base, lines: []int32{0}}
	ascii := true
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			f.lines = append(f.lines, int32(i+1))
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	if !ascii {
		f.marks = countMarks(text)
	}
	return f
}

// countMarks returns the number of characters that start before each multiple of markStep.
func countMarks(text string) []int32 {
	marks := make([]int32, 0, len(text)/markStep+1)
	chars, next := int32(0), 0
	for i := range text {
		for next <= i {
			marks = append(marks, chars)
			next += markStep
		}
		chars++
	}
	for next <= len(text) {
		marks = append(marks, chars)
		next += markStep
	}
	return marks
}

// Pos returns the position of the byte at offset.
func (f *File) Pos(offset int) Pos { return f.base + Pos(offset) }

// Offset returns the byte offset of p, clamped to the text.
func (f *File) Offset(p Pos) int { return max(0, min(int(p-f.base), len(f.Text))) }

// Position returns line and column of p.
func (f *File) Position(p Pos) Position {
	off := f.Offset(p)
	line := sort.Search(len(f.lines), func(i int) bool { return int(f.lines[i]) > off })
	start := int(f.lines[line-1])
	if f.marks == nil {
		return Position{line, off - start + 1}
	}
	if off-start <= markStep {
		return Position{line, utf8.RuneCountInString(f.Text[start:off]) + 1}
	}
	return Position{line, f.charsBefore(off) - f.charsBefore(start) + 1}
}

// charsBefore counts the characters that start before offset off.
func (f *File) charsBefore(off int) int {
	i := off / markStep
	// A mark can fall inside a character; that character is counted by the mark already, so its tail bytes are skipped.
	from := i * markStep
	for from < off && from < len(f.Text) && !utf8.RuneStart(f.Text[from]) && insideRune(f.Text, from) {
		from++
	}
	return int(f.marks[i]) + utf8.RuneCountInString(f.Text[from:max(from, off)])
}

// insideRune reports whether the byte at off is a tail byte of a well-formed character that starts before it.
func insideRune(text string, off int) bool {
	for back := 1; back < utf8.UTFMax && off-back >= 0; back++ {
		if utf8.RuneStart(text[off-back]) {
			_, size := utf8.DecodeRuneInString(text[off-back:])
			return size > back
		}
	}
	return false
}

// Lines returns the number of lines.
func (f *File) Lines() int { return len(f.lines) }

// LineText returns the text of a line (from 1) without its end.
func (f *File) LineText(line int) string {
	start := int(f.lines[line-1])
	end := len(f.Text)
	if line < len(f.lines) {
		end = int(f.lines[line]) - 1
	}
	if end > start && f.Text[end-1] == '\r' {
		end--
	}
	return f.Text[start:end]
}
