package interp

import (
	"math"
	"math/big"
	"strconv"
)

// The decimal exponents between which a float is written without one: JavaScript's layout.
const (
	leastPlainExponent = -7 // exclusive
	limitPlainExponent = 21 // exclusive
)

// AppendFloat appends v the way print writes it: the shortest digits that read back as the same value of bits' type (32
// or 64), of those the nearest and on a tie the even one, in JavaScript's layout. Source of the digits: strconv.
func AppendFloat(out []byte, v float64, bits int) []byte {
	switch {
	case math.IsNaN(v):
		return append(out, "NaN"...)
	case math.IsInf(v, 1):
		return append(out, "inf"...)
	case math.IsInf(v, -1):
		return append(out, "-inf"...)
	}
	if math.Signbit(v) {
		out = append(out, '-')
		v = -v
	}
	if v == 0 {
		return append(out, '0')
	}
	var buffer [32]byte
	digits, exponent := splitScientific(strconv.AppendFloat(buffer[:0], v, 'e', -1, bits))
	preferEven(digits, exponent, v, bits)
	return layOut(out, digits, exponent)
}

// preferEven changes the last of the shortest digits of v when v lies in the middle of two texts of that length: strconv
// does not promise the even one there (it writes 2^-12 as the f32 0.00024414063).
func preferEven(digits []byte, exponent int, v float64, bits int) {
	n := len(digits)
	if isEvenDigit(digits[n-1]) {
		return
	}
	var buffer [40]byte
	middle, at := splitScientific(strconv.AppendFloat(buffer[:0], v, 'e', n, 64))
	if middle[n] != '5' || at != exponent || !isExact(middle, exponent, v) {
		return
	}
	even := middle[:n] // the one below the middle, or the one above it
	if !isEvenDigit(even[n-1]) {
		if even[n-1] == '9' {
			return // the one above has fewer digits, so it does not read back
		}
		even[n-1]++
	}
	if f, _ := strconv.ParseFloat(scientific(even, exponent), bits); f == v {
		copy(digits, even)
	}
}

func isEvenDigit(c byte) bool { return (c-'0')%2 == 0 }

// scientific writes digits as d.ddd × 10^exponent in a form that Go's packages read.
func scientific(digits []byte, exponent int) string {
	return string(digits) + "e" + strconv.Itoa(exponent-len(digits)+1)
}

// isExact reports whether v is d.ddd × 10^exponent and not only near it.
func isExact(digits []byte, exponent int, v float64) bool {
	text, ok := new(big.Rat).SetString(scientific(digits, exponent))
	return ok && text.Cmp(new(big.Rat).SetFloat64(v)) == 0
}

// splitScientific takes `d.ddde±xx` apart: into its digits, which overwrite text, and its exponent.
func splitScientific(text []byte) (digits []byte, exponent int) {
	end := len(text) - 1
	for text[end] != 'e' {
		end--
	}
	for _, c := range text[end+2:] {
		exponent = 10*exponent + int(c-'0')
	}
	if text[end+1] == '-' {
		exponent = -exponent
	}
	if end == 1 {
		return text[:1], exponent
	}
	copy(text[1:], text[2:end]) // over the point
	return text[:end-1], exponent
}

// layOut writes d.ddd × 10^exponent.
func layOut(out, digits []byte, exponent int) []byte {
	switch {
	case exponent <= leastPlainExponent || exponent >= limitPlainExponent:
		out = append(out, digits[0])
		if len(digits) > 1 {
			out = append(out, '.')
			out = append(out, digits[1:]...)
		}
		out = append(out, 'e')
		if exponent >= 0 {
			out = append(out, '+')
		}
		return strconv.AppendInt(out, int64(exponent), 10)
	case exponent < 0:
		out = append(out, "0."...)
		for range -exponent - 1 {
			out = append(out, '0')
		}
		return append(out, digits...)
	case exponent+1 >= len(digits):
		out = append(out, digits...)
		for range exponent + 1 - len(digits) {
			out = append(out, '0')
		}
		return out
	}
	out = append(out, digits[:exponent+1]...)
	out = append(out, '.')
	return append(out, digits[exponent+1:]...)
}
