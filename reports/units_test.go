package reports

import (
	"math"
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1: "-1", -999: "-999", -1000: "-1,000",
		math.MaxInt64: "9,223,372,036,854,775,807", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestRate(t *testing.T) {
	for _, c := range []struct {
		rate float64
		unit string
		want string
	}{
		{0, "programs", "0 programs/s"},
		{0, "", "0/s"},
		{0.5, "", "0.50/s"},
		{1, "B", "1.00 B/s"},
		{430, "programs", "430 programs/s"},
		{999.4, "", "999/s"},
		{999.7, "", "1.00 k/s"},
		{1234, "programs", "1.23 kprograms/s"},
		{2_046_000, "", "2.05 M/s"},
		{3e12, "B", "3000 GB/s"},
		{-1500, "", "-1.50 k/s"},
		{math.NaN(), "x", "-/s"},
		{math.Inf(1), "x", "-/s"},
	} {
		if got := Rate(c.rate, c.unit); got != c.want {
			t.Errorf("Rate(%v, %q) = %q, want %q", c.rate, c.unit, got, c.want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1: "1 B", 1023: "1023 B", 1024: "1.00 KiB", 1536: "1.50 KiB", 10 * 1024: "10.0 KiB", 1023 * 1024: "1023 KiB",
		1<<20 - 1: "1.00 MiB", 1 << 30: "1.00 GiB", 3 << 40: "3.00 TiB", -2048: "-2.00 KiB", math.MinInt64: "-8388608 TiB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", 1: "1 ns", 999: "999 ns", 1000: "1.00 µs", 12_345: "12.3 µs", 999_999: "1.00 ms", 40 * time.Millisecond: "40.0 ms",
		1500 * time.Millisecond: "1.50 s", 59 * time.Second: "59.0 s", 59949 * time.Millisecond: "59.9 s",
		59950 * time.Millisecond: "1m00s", 125 * time.Second: "2m05s", 3725 * time.Second: "1h02m05s", 100 * time.Hour: "100h00m00s",
		-1500 * time.Millisecond: "-1.50 s", -125 * time.Second: "-2m05s", math.MinInt64: "-2562047h47m16s",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%d ns) = %q, want %q", d, got, want)
		}
	}
}
