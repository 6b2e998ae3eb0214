package runner

import (
	"fmt"
	"math/big"
	"strings"
)

// The exponents k of 10^k that float.c needs: 10^-k scales a float of binary
// exponent -1074..971, whose last decimal digit stands at 10^-324..10^292.
const (
	pow10Min = -292
	pow10Max = 324
)

// pow10Header returns the text of rok_pow10.h: for each k the 128 bits
//
//	g(k) = ceil(10^k * 2^(127 - floor(log2(10^k)))),
//
// that is, 10^k scaled so that the highest bit is set, and rounded up.
func pow10Header() string {
	var b strings.Builder
	b.WriteString("/* Powers of ten as 128-bit numbers with the highest bit set, rounded up.\n" +
		" * Computed exactly when the runtime is built. */\n" +
		"#include <stdint.h>\n\n")
	fmt.Fprintf(&b, "#define ROK_POW10_MIN (%d)\n#define ROK_POW10_MAX (%d)\n\n", pow10Min, pow10Max)
	fmt.Fprintf(&b, "struct rok_pow10 {\n    uint64_t high, low;\n};\n\n"+
		"static const struct rok_pow10 rok_pow10[%d] = {\n", pow10Max-pow10Min+1)
	mask := new(big.Int).SetUint64(1<<64 - 1)
	for k := pow10Min; k <= pow10Max; k++ {
		g := scaledPow10(k)
		low := new(big.Int).And(g, mask)
		high := new(big.Int).Rsh(g, 64)
		fmt.Fprintf(&b, "    {0x%016x, 0x%016x}, /* %d */\n", high, low, k)
	}
	b.WriteString("};\n")
	return b.String()
}

// scaledPow10 computes g(k).
func scaledPow10(k int) *big.Int {
	ten := big.NewInt(10)
	if k >= 0 {
		n := new(big.Int).Exp(ten, big.NewInt(int64(k)), nil)
		return shiftUp(n, 128-n.BitLen())
	}
	// 10^k = 1/d. With L = bitlen(d), 1/d lies in (2^-L, 2^(1-L)), because no
	// power of ten but 1 is a power of two, so g = ceil(2^(127+L) / d).
	d := new(big.Int).Exp(ten, big.NewInt(int64(-k)), nil)
	n := new(big.Int).Lsh(big.NewInt(1), uint(127+d.BitLen()))
	return ceilDiv(n, d)
}

// shiftUp returns ceil(n * 2^s); s may be negative.
func shiftUp(n *big.Int, s int) *big.Int {
	if s >= 0 {
		return new(big.Int).Lsh(n, uint(s))
	}
	return ceilDiv(n, new(big.Int).Lsh(big.NewInt(1), uint(-s)))
}

func ceilDiv(n, d *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(n, d, new(big.Int))
	if r.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}
