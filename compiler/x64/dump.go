package x64

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Dump writes the functions of p, or only the one with the given path in the source, as GNU as text with the place in the
// source that each instruction was made for.
func Dump(w io.Writer, p *Program, only string) error {
	names := symbolNames(p)
	for _, f := range p.Funcs {
		if only != "" && f.Name != only {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s:\n", names[f.ID]); err != nil {
			return err
		}
		pr := &printer{program: p, names: names, fn: f}
		last := ""
		for i := range f.Insts {
			in, place := &f.Insts[i], last
			pr.out = pr.out[:0]
			pr.inst(in)
			text, _, _ := bytes.Cut(pr.out, []byte("\n"))
			if in.Pos != 0 && in.Form != LabelDef {
				line, col := p.position(in)
				place = fmt.Sprintf("# %d:%d", line, col)
			}
			format := "%s%.0s\n"
			if place != last {
				format, last = "%-36s%s\n", place
			}
			if _, err := fmt.Fprintf(w, format, text, place); err != nil {
				return err
			}
		}
	}
	return nil
}

// firstLine returns the first line of printed text without the blanks before it.
func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}
