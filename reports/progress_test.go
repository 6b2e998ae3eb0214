package reports

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

// clock is a clock that a test turns by hand.
type clock struct{ at time.Time }

func (c *clock) now() time.Time          { return c.at }
func (c *clock) advance(d time.Duration) { c.at = c.at.Add(d) }

func newClock() *clock { return &clock{time.Unix(1_000_000, 0)} }

func TestProgressInALog(t *testing.T) {
	var b bytes.Buffer
	c := newClock()
	p := newProgress(&b, 0, c.now)
	for i := range 25 { // one update a second, for 25 seconds
		p.Update("at " + Count(int64(i)) + " s")
		if i == 12 {
			p.Printf("found %d", 1)
		}
		c.advance(time.Second)
	}
	p.Close()
	p.Close() // a second time changes nothing
	const want = "at 10 s\nfound 1\nat 20 s\nat 24 s\n"
	if b.String() != want {
		t.Errorf("written: %q, want %q", b.String(), want)
	}
}

func TestProgressOnATerminal(t *testing.T) {
	var b bytes.Buffer
	c := newClock()
	p := newProgress(&b, 12, c.now)
	p.Update("one")
	c.advance(50 * time.Millisecond)
	p.Update("dropped")
	c.advance(50 * time.Millisecond)
	p.Update("much too long a line")
	p.Printf("found")
	c.advance(time.Millisecond)
	p.Update("last\x1b[2J")
	p.Close()
	const want = "\rone\x1b[K" +
		"\rmuch too l…\x1b[K" +
		"\r\x1b[Kfound\n" +
		"\rlast\\x1b[2J\x1b[K\n"
	if b.String() != want {
		t.Errorf("written: %q\nwant:    %q", b.String(), want)
	}
}

func TestProgressWithoutUpdates(t *testing.T) {
	for _, width := range []int{0, 80} {
		var b bytes.Buffer
		newProgress(&b, width, newClock().now).Close()
		if b.Len() != 0 {
			t.Errorf("width %d: written %q, want nothing", width, b.String())
		}
	}
}

func TestProgressOfAPipeIsALog(t *testing.T) {
	if p := NewProgress(&bytes.Buffer{}); p.width != 0 || p.period != logPeriod {
		t.Errorf("a buffer is taken for a terminal of width %d", p.width)
	}
}

func TestProgressFromManyGoroutines(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&b, 80, time.Now)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				p.Update("line")
				p.Printf("kept")
			}
		})
	}
	wg.Wait()
	p.Close()
	if n := strings.Count(b.String(), "kept\n"); n != 800 {
		t.Errorf("%d lines kept, want 800", n)
	}
}
