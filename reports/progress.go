package reports

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-runewidth"
	"golang.org/x/term"
)

const (
	terminalPeriod = 100 * time.Millisecond // fast enough to look alive
	logPeriod      = 10 * time.Second       // slow enough for a CI log
)

// Progress shows the state of a long run in one line. On a terminal the line is
// rewritten in place; in a file or a pipe a new line comes every ten seconds. It
// may be used by several goroutines.
type Progress struct {
	mu      sync.Mutex
	w       io.Writer
	now     func() time.Time
	width   int // columns of the terminal; 0: not a terminal
	period  time.Duration
	shownAt time.Time
	pending string // the last line given that is not yet shown
	open    bool   // the cursor stands behind a line that may be rewritten
}

// NewProgress makes a progress line on w, which is a terminal if it is an *os.File
// that says so.
func NewProgress(w io.Writer) *Progress {
	width := 0
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			width = columns
		}
	}
	return newProgress(w, width, time.Now)
}

func newProgress(w io.Writer, width int, now func() time.Time) *Progress {
	p := &Progress{w: w, now: now, width: width, period: logPeriod, shownAt: now()}
	if width > 0 {
		p.period = terminalPeriod
		p.shownAt = time.Time{} // the first line at once
	}
	return p
}

// Update gives the line to show now. It is cheap to call often: lines that come
// faster than they are shown are dropped, the last one excepted (see Close).
func (p *Progress) Update(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending = line
	if now := p.now(); now.Sub(p.shownAt) >= p.period {
		p.shownAt = now
		p.show()
	}
}

// Printf writes a line that stays, above the progress line. A newline is added.
func (p *Progress) Printf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := fmt.Sprintf(format, args...)
	if p.open {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.open = false
	}
	fmt.Fprintln(p.w, text)
}

// Close shows the last line given, if it has not been shown, and ends it.
func (p *Progress) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pending != "" {
		p.show()
	}
	if p.open {
		fmt.Fprintln(p.w)
		p.open = false
	}
}

// show writes the pending line. A failed write is nobody's fault here: the results
// go elsewhere, and a closed terminal must not end a campaign.
func (p *Progress) show() {
	line := printable(p.pending)
	p.pending = ""
	if p.width == 0 {
		fmt.Fprintln(p.w, line)
		return
	}
	// A line as wide as the terminal would wrap and could not be rewritten.
	line = runewidth.Truncate(line, p.width-1, "…")
	fmt.Fprintf(p.w, "\r%s\x1b[K", line)
	p.open = true
}
