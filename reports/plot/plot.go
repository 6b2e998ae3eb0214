// Package plot draws results as pictures, SVG and PNG, without any outside
// resource: fonts are compiled in.
//
// In: series of plain numbers. Out: bytes; the same series give the same bytes.
package plot

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"time"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	width  = 18 * vg.Centimeter
	height = 9 * vg.Centimeter
	dpi    = 144 // of the PNG: twice a plain screen's
)

// colours can be told apart by people with the usual kinds of colour blindness
// (Okabe and Ito, "Color Universal Design", 2008).
var colours = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff},
	{0xcc, 0x79, 0xa7, 0xff}, {0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff},
}

// Sample is one measurement of a rate.
type Sample struct {
	At   time.Duration // since the start of the run; not negative
	Rate float64       // per second; not negative
}

// Series is one named line of samples, ordered by time.
type Series struct {
	Name    string
	Samples []Sample
}

// Figure is a picture ready to be written.
type Figure struct{ plot *gonum.Plot }

// Throughput draws rates over time, one line a series, both axes from zero, so
// that a fall looks as large as it is. Errors: no samples at all, a value that is
// negative or no number, samples out of order.
func Throughput(title, rateUnit string, series []Series) (*Figure, error) {
	last, top, err := extent(series)
	if err != nil {
		return nil, fmt.Errorf("plot %q: %w", title, err)
	}
	p := gonum.New()
	p.Title.Text = title
	p.Y.Label.Text = rateUnit + "/s"
	p.Legend.Top = true
	p.Add(plotter.NewGrid())

	unit := axisUnit(last)
	p.X.Label.Text = unit.name
	for i, s := range series {
		if len(s.Samples) == 0 {
			continue
		}
		if err := addLine(p, s, unit.length, colours[i%len(colours)]); err != nil {
			return nil, fmt.Errorf("plot %q: series %q: %w", title, s.Name, err)
		}
	}
	p.X.Min, p.X.Max = 0, last.Seconds()/unit.length.Seconds()
	p.Y.Min, p.Y.Max = 0, top*1.05
	// Axes of length zero have no scale.
	if p.X.Max == 0 {
		p.X.Max = 1
	}
	if p.Y.Max == 0 {
		p.Y.Max = 1
	}
	return &Figure{p}, nil
}

// addLine adds one series; its points are marked while they are few enough to be
// seen one by one, and so that a single sample shows at all.
func addLine(p *gonum.Plot, s Series, unit time.Duration, colour color.Color) error {
	points := make(plotter.XYs, len(s.Samples))
	for i, sample := range s.Samples {
		points[i] = plotter.XY{X: sample.At.Seconds() / unit.Seconds(), Y: sample.Rate}
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	line.Color, line.Width = colour, vg.Points(1.5)
	p.Add(line)
	if len(points) <= 60 {
		dots, err := plotter.NewScatter(points)
		if err != nil {
			return err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: colour, Radius: vg.Points(2), Shape: draw.CircleGlyph{}}
		p.Add(dots)
	}
	if s.Name != "" {
		p.Legend.Add(s.Name, line)
	}
	return nil
}

// extent checks the samples and returns the last time and the highest rate.
func extent(series []Series) (last time.Duration, top float64, err error) {
	found := false
	for _, s := range series {
		for i, sample := range s.Samples {
			switch {
			case math.IsNaN(sample.Rate) || math.IsInf(sample.Rate, 0) || sample.Rate < 0:
				return 0, 0, fmt.Errorf("series %q: sample %d: rate %v", s.Name, i, sample.Rate)
			case sample.At < 0:
				return 0, 0, fmt.Errorf("series %q: sample %d: time %v", s.Name, i, sample.At)
			case i > 0 && sample.At < s.Samples[i-1].At:
				return 0, 0, fmt.Errorf("series %q: sample %d comes before sample %d", s.Name, i, i-1)
			}
			found = true
			last, top = max(last, sample.At), max(top, sample.Rate)
		}
	}
	if !found {
		return 0, 0, errors.New("no samples")
	}
	return last, top, nil
}

// axisUnit chooses the time axis's unit, so that its figures stay short.
func axisUnit(last time.Duration) (unit struct {
	name   string
	length time.Duration
}) {
	switch {
	case last >= 3*time.Hour:
		unit.name, unit.length = "hours", time.Hour
	case last >= 3*time.Minute:
		unit.name, unit.length = "minutes", time.Minute
	default:
		unit.name, unit.length = "seconds", time.Second
	}
	return unit
}

// SVG writes the picture as SVG.
func (f *Figure) SVG(w io.Writer) error {
	canvas := vgsvg.New(width, height)
	f.plot.Draw(draw.New(canvas))
	if _, err := canvas.WriteTo(w); err != nil {
		return fmt.Errorf("plot: SVG: %w", err)
	}
	return nil
}

// PNG writes the picture as PNG.
func (f *Figure) PNG(w io.Writer) error {
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))
	f.plot.Draw(draw.New(canvas))
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(w); err != nil {
		return fmt.Errorf("plot: PNG: %w", err)
	}
	return nil
}
