package reports

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Count writes a whole number with its digits in groups of three: 1,234,567.
func Count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	b.WriteString(sign)
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// scale is one unit of a ladder of units, the largest first.
type scale struct {
	factor float64
	name   string
}

var (
	decimalScales  = []scale{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}, {1, " "}}
	binaryScales   = []scale{{1 << 40, " TiB"}, {1 << 30, " GiB"}, {1 << 20, " MiB"}, {1 << 10, " KiB"}, {1, " B"}}
	durationScales = []scale{{1, " s"}, {1e-3, " ms"}, {1e-6, " µs"}, {1e-9, " ns"}}
)

// Rate writes a number per second with three significant digits: "1.23 k/s",
// "430 programs/s". unit may be empty. A rate that is no number is "-/s".
func Rate(perSecond float64, unit string) string {
	if math.IsNaN(perSecond) || math.IsInf(perSecond, 0) {
		return "-/s"
	}
	s := scaled(perSecond, decimalScales)
	if strings.HasSuffix(s, " ") && unit == "" {
		s = s[:len(s)-1]
	}
	return s + unit + "/s"
}

// Bytes writes a size with three significant digits in binary units: "1.50 KiB".
func Bytes(n int64) string {
	if n > -1024 && n < 1024 {
		return strconv.FormatInt(n, 10) + " B"
	}
	return scaled(float64(n), binaryScales)
}

// Duration writes a time with three significant digits ("12.3 ms"), and from a
// minute on in minutes and hours ("2m05s", "1h02m05s").
func Duration(d time.Duration) string {
	if d == math.MinInt64 { // has no absolute value
		d++
	}
	sign, abs := "", d
	if d < 0 {
		sign, abs = "-", -d
	}
	// 59.96 s would show as 60.0 s.
	if abs >= 59950*time.Millisecond {
		total := int64(abs.Round(time.Second) / time.Second)
		h, m, s := total/3600, total/60%60, total%60
		if h > 0 {
			return fmt.Sprintf("%s%dh%02dm%02ds", sign, h, m, s)
		}
		return fmt.Sprintf("%s%dm%02ds", sign, m, s)
	}
	if abs == 0 {
		return "0 s"
	}
	if abs < time.Microsecond {
		return fmt.Sprintf("%s%d ns", sign, abs)
	}
	return sign + scaled(abs.Seconds(), durationScales)
}

// scaled writes v in the largest unit of which it holds at least one, with three
// significant digits.
func scaled(v float64, ladder []scale) string {
	if v == 0 {
		return "0" + ladder[len(ladder)-1].name
	}
	for _, s := range ladder[:len(ladder)-1] {
		// Three digits round 0.9995 up: 999.7 k is 1.00 M.
		if math.Abs(v/s.factor) >= 0.9995 {
			return threeDigits(v/s.factor) + s.name
		}
	}
	smallest := ladder[len(ladder)-1]
	return threeDigits(v/smallest.factor) + smallest.name
}

// threeDigits writes v with three significant digits and no exponent.
func threeDigits(v float64) string {
	digits := 2
	for limit := 9.995; digits > 0 && math.Abs(v) >= limit; limit *= 10 {
		digits--
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}
