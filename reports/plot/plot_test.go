package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"
	"time"
)

func run(rates ...float64) []Sample {
	var samples []Sample
	for i, r := range rates {
		samples = append(samples, Sample{time.Duration(i) * time.Second, r})
	}
	return samples
}

func TestThroughput(t *testing.T) {
	fig, err := Throughput("Programs & rates <1>", "programs", []Series{
		{"stack", run(0, 400, 450, 430)}, {"opt", run(0, 300, 310, 305)}, {"empty", nil},
	})
	if err != nil {
		t.Fatal(err)
	}
	var svg, again, picture bytes.Buffer
	for _, err := range []error{fig.SVG(&svg), fig.SVG(&again), fig.PNG(&picture)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(svg.Bytes(), again.Bytes()) {
		t.Error("two drawings of one figure differ")
	}
	text := svgText(t, svg.Bytes())
	for _, want := range []string{"Programs & rates <1>", "programs/s", "seconds", "stack", "opt"} {
		if !strings.Contains(text, want) {
			t.Errorf("the SVG does not say %q; it says %q", want, text)
		}
	}
	if strings.Contains(text, "empty") {
		t.Error("a series without samples stands in the legend")
	}
	img, err := png.Decode(&picture)
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() < 1000 || b.Dy() < 500 {
		t.Errorf("the PNG is %v", b)
	}
}

// svgText is the text of a picture, which has to be well-formed.
func svgText(t *testing.T, svg []byte) string {
	t.Helper()
	var b strings.Builder
	dec := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Fatalf("the SVG is not well-formed: %v", err)
		}
		if chars, ok := token.(xml.CharData); ok {
			b.Write(chars)
		}
	}
}

// Both axes begin at zero and end behind the last and highest sample.
func TestThroughputAxes(t *testing.T) {
	for _, c := range []struct {
		name         string
		samples      []Sample
		xLabel       string
		xMax, yAbove float64
	}{
		{"seconds", run(5, 10, 5), "seconds", 2, 10},
		{"minutes", []Sample{{0, 1}, {6 * time.Minute, 2}}, "minutes", 6, 2},
		{"hours", []Sample{{0, 1}, {30 * time.Hour, 2}}, "hours", 30, 2},
		{"one sample at the start", run(7), "seconds", 1, 7},
		{"all zero", run(0, 0, 0), "seconds", 2, 0},
	} {
		fig, err := Throughput(c.name, "x", []Series{{"s", c.samples}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p := fig.plot
		if p.X.Min != 0 || p.Y.Min != 0 || p.X.Max != c.xMax || p.Y.Max <= c.yAbove || p.X.Label.Text != c.xLabel {
			t.Errorf("%s: x %v..%v %s, y %v..%v", c.name, p.X.Min, p.X.Max, p.X.Label.Text, p.Y.Min, p.Y.Max)
		}
		var b bytes.Buffer
		if err := fig.SVG(&b); err != nil || strings.Contains(b.String(), "NaN") {
			t.Errorf("%s: drawing fails (%v) or has NaN in it", c.name, err)
		}
	}
}

func TestThroughputRejects(t *testing.T) {
	for name, series := range map[string][]Series{
		"nothing":       nil,
		"no samples":    {{"a", nil}},
		"NaN":           {{"a", run(1, math.NaN())}},
		"infinity":      {{"a", run(1, math.Inf(1))}},
		"negative rate": {{"a", run(1, -1)}},
		"negative time": {{"a", []Sample{{-1, 1}}}},
		"out of order":  {{"a", []Sample{{2, 1}, {1, 1}}}},
	} {
		if _, err := Throughput("x", "x", series); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
