package runner

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"rokrig/runtime/abi"
)

// fullFloats asks for all 2^32 f32 patterns and 50 million f64; otherwise every
// f32Stride-th and f64Sample of them are compared.
const (
	fullFloats = "ROKRIG_FLOATS_FULL"
	f32Stride  = 499
	f64Full    = 50_000_000
	f64Sample  = f64Full / 500
)

// appendFloat is the layout of language.md, from strconv's digits.
func appendFloat(b []byte, x float64, bits int) []byte {
	switch {
	case x != x:
		return append(b, "NaN"...)
	case math.Signbit(x):
		b, x = append(b, '-'), -x
	}
	switch {
	case x == 0:
		return append(b, '0')
	case math.IsInf(x, 0):
		return append(b, "inf"...)
	}
	digits, exponent := shortestDigits(x, bits)
	n := len(digits)
	switch {
	case exponent < -6 || exponent >= 21: // d.ddde-7
		b = append(b, digits[0])
		if n > 1 {
			b = append(append(b, '.'), digits[1:n]...)
		}
		b = append(b, 'e')
		if exponent > 0 {
			b = append(b, '+')
		}
		return strconv.AppendInt(b, int64(exponent), 10)
	case exponent < 0: // 0.000ddd
		b = append(b, "0.00000"[:1-exponent]...)
		return append(b, digits...)
	case n <= exponent+1: // ddd000
		b = append(b, digits...)
		return append(b, "000000000000000000000"[:exponent+1-n]...)
	}
	b = append(append(b, digits[:exponent+1]...), '.')
	return append(b, digits[exponent+1:]...)
}

// shortestDigits returns x = d.ddd * 10^exponent as strconv has it.
func shortestDigits(x float64, bits int) (digits []byte, exponent int) {
	var scratch [32]byte
	e := strconv.AppendFloat(scratch[:0], x, 'e', -1, bits)
	mark := len(e) - 3
	for e[mark] != 'e' {
		mark--
	}
	for _, c := range e[mark+2:] {
		exponent = exponent*10 + int(c-'0')
	}
	if e[mark+1] == '-' {
		exponent = -exponent
	}
	if mark == 1 {
		return e[:1], exponent
	}
	e[1] = e[0] // over the point
	return e[1:mark], exponent
}

func TestFloatLayout(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "-0"}, {1, "1"}, {-1.5, "-1.5"}, {0.1, "0.1"}, {100, "100"},
		{1e20, "100000000000000000000"}, {1e21, "1e+21"}, {1.25e21, "1.25e+21"}, {123456789012345680000, "123456789012345680000"},
		{1e-6, "0.000001"}, {1.5e-6, "0.0000015"}, {1e-7, "1e-7"}, {-9.99e-7, "-9.99e-7"}, {12.5, "12.5"}, {5e-324, "5e-324"},
		{math.MaxFloat64, "1.7976931348623157e+308"}, {math.Inf(-1), "-inf"}, {math.NaN(), "NaN"},
	} {
		if got := string(appendFloat(nil, c.x, 64)); got != c.want {
			t.Errorf("%v gives %s, want %s", c.x, got, c.want)
		}
	}
}

// floatDriver is testdata/floatdriver.c at work.
type floatDriver struct {
	t   testing.TB
	in  *bufio.Writer
	out io.Reader
}

// buildDriver compiles a C file of testdata together with the parts of the
// runtime that have no host.
func buildDriver(t testing.TB, name string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := WriteSources(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{}, commonFlags...)
	args = append(args, flags...)
	args = append(args, "-Werror", "-no-pie", "-o", "driver", name)
	args = append(args, "arith.c", "convert.c", "float.c", "panic.c", "print.c", "safepoint.c", "str.c", "thread.c")
	if err := gcc(dir, append(args, "-lm")...); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "driver")
}

func startFloatDriver(t testing.TB, path string, mutant abi.Mutant) *floatDriver {
	t.Helper()
	cmd := exec.Command(path, strconv.Itoa(int(mutant)))
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return &floatDriver{t, bufio.NewWriterSize(in, 1<<16), out}
}

// Kinds of requests.
const (
	hashF32 = 1 + iota
	hashF64
	textF32
	textF64
)

func (d *floatDriver) request(kind, count, first, stride uint64) {
	var q [32]byte
	for i, v := range []uint64{kind, count, first, stride} {
		binary.LittleEndian.PutUint64(q[8*i:], v)
	}
	d.in.Write(q[:])
}

func (d *floatDriver) answer(to []byte) {
	if err := d.in.Flush(); err != nil {
		d.t.Error(err)
	}
	if _, err := io.ReadFull(d.out, to); err != nil {
		d.t.Error(err)
	}
}

func (d *floatDriver) hash() uint64 {
	var h [8]byte
	d.answer(h[:])
	return binary.LittleEndian.Uint64(h[:])
}

func (d *floatDriver) text(kind, pattern uint64) string {
	d.request(kind, 1, pattern, 0)
	var text [32]byte
	d.answer(text[:])
	return strings.TrimRight(string(text[:]), "\x00")
}

// mix is the driver's hash.
func mix(h uint64, text *[32]byte) uint64 {
	for i := 0; i < 32; i += 8 {
		h = (h ^ binary.LittleEndian.Uint64(text[i:])) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

func goHash(h uint64, x float64, bits int) uint64 {
	var text [32]byte
	appendFloat(text[:0], x, bits)
	return mix(h, &text)
}

func f32At(pattern uint64) float64 { return float64(math.Float32frombits(uint32(pattern))) }

// compareF32 compares count patterns from first on. It reports whether all
// texts are right; with report it names the first wrong one.
func (d *floatDriver) compareF32(first, count, stride uint64, report bool) bool {
	d.request(hashF32, count, first, stride)
	if err := d.in.Flush(); err != nil { // the driver works while we do
		d.t.Error(err)
	}
	h := uint64(0)
	for i := range count {
		h = goHash(h, f32At(first+i*stride), 32)
	}
	if d.hash() == h {
		return true
	}
	for i := range count {
		u := first + i*stride
		if !d.judge(d.text(textF32, u), f32At(u), 32, report) {
			return false
		}
	}
	return true
}

func (d *floatDriver) compareF64(patterns []uint64, report bool) bool {
	d.request(hashF64, uint64(len(patterns)), 0, 0)
	h := uint64(0)
	for _, u := range patterns {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], u)
		d.in.Write(b[:])
		h = goHash(h, math.Float64frombits(u), 64)
	}
	if d.hash() == h {
		return true
	}
	for _, u := range patterns {
		if !d.judge(d.text(textF64, u), math.Float64frombits(u), 64, report) {
			return false
		}
	}
	return true
}

// judge decides whether got is the text of x. Of two equally near texts strconv
// means to give the even one, but Go 1.26 gives the odd one for the f32 2^-12.
// So where got differs from its digits, got is right only if it reads back, is
// as short and laid out alike, and is nearer in exact arithmetic, or as near
// and even.
func (d *floatDriver) judge(got string, x float64, bits int, report bool) bool {
	want := string(appendFloat(nil, x, bits))
	if got == want || betterText(got, want, x, bits) {
		return true
	}
	if report {
		d.t.Errorf("f%d %x: %s, want %s", bits, x, got, want)
	}
	return false
}

func betterText(got, want string, x float64, bits int) bool {
	back, err := strconv.ParseFloat(got, bits)
	if err != nil || back != x || len(got) != len(want) || strings.TrimRight(got, digitSet) != strings.TrimRight(want, digitSet) {
		return false
	}
	g, ok1 := new(big.Rat).SetString(got)
	w, ok2 := new(big.Rat).SetString(want)
	exact := new(big.Rat).SetFloat64(x)
	if !ok1 || !ok2 || exact == nil {
		return false
	}
	distance := func(r *big.Rat) *big.Rat { return r.Abs(r.Sub(r, exact)) }
	nearer := distance(g).Cmp(distance(w))
	mantissa, _, _ := strings.Cut(got, "e")
	last := strings.TrimRight(mantissa, "0")
	even := strings.ContainsAny(last[len(last)-1:], "02468")
	return nearer < 0 || nearer == 0 && even
}

const digitSet = "0123456789"

func TestJudgeOfTexts(t *testing.T) {
	const tie = 0x1p-12 // 0.000244140625 lies half way between two f32 texts
	for got, want := range map[string]bool{
		"0.00024414062": true, "0.00024414061": false, "0.00024414064": false, "0.000244140620": false, "2.4414062e-4": false, "1": false,
	} {
		if betterText(got, "0.00024414063", tie, 32) != want {
			t.Errorf("%s: judged %v", got, !want)
		}
	}
	if betterText("0.00024414063", "0.00024414062", tie, 32) {
		t.Error("the odd text passes")
	}
}

// inParallel gives the blocks 0..n-1 to one driver for each processor.
func inParallel(t *testing.T, path string, n int, compare func(d *floatDriver, block int)) {
	var wg sync.WaitGroup
	blocks := make(chan int)
	for range runtime.NumCPU() {
		d := startFloatDriver(t, path, abi.NoMutant)
		wg.Go(func() {
			for b := range blocks {
				compare(d, b)
			}
		})
	}
	for b := range n {
		if t.Failed() {
			break
		}
		blocks <- b
	}
	close(blocks)
	wg.Wait()
}

func TestF32Texts(t *testing.T) {
	t.Parallel()
	stride := uint64(f32Stride)
	if os.Getenv(fullFloats) != "" {
		stride = 1
	}
	const perBlock = 1 << 16
	total := (uint64(1)<<32 + stride - 1) / stride
	blocks := int((total + perBlock - 1) / perBlock)
	inParallel(t, buildDriver(t, "floatdriver.c", "-O2"), blocks, func(d *floatDriver, b int) {
		first := uint64(b) * perBlock
		d.compareF32(first*stride, min(perBlock, total-first), stride, true)
	})
}

// boundaryF64 lists patterns where rounding, layout or the search for digits
// change over, with their neighbours.
func boundaryF64() []uint64 {
	var list []uint64
	around := func(x float64) {
		u := math.Float64bits(x)
		for d := -3; d <= 3; d++ {
			list = append(list, u+uint64(d), (u+uint64(d))^1<<63)
		}
	}
	for e := -1074; e <= 1023; e++ { // powers of two; below them the interval is lopsided
		around(math.Ldexp(1, e))
		around(math.Ldexp(1.5, e))
	}
	for k := -324; k <= 308; k++ { // d * 10^k, where digits are few
		for _, d := range []int64{1, 2, 3, 5, 9, 99, 123456789, 999999999999999, 9007199254740991} {
			x, _ := new(big.Float).SetPrec(53).SetString(strconv.FormatInt(d, 10) + "e" + strconv.Itoa(k))
			f, _ := x.Float64()
			around(f)
		}
	}
	for i := range uint64(2000) { // subnormals, the least normals, the largest, infinities, NaN
		list = append(list, i, 1<<52-1000+i, 0x7ff0000000000000-1000+i)
	}
	// Integers from 2^53 on: the texts half way between two candidates.
	for e := 53; e < 70; e++ {
		for m := range 200 {
			around(math.Ldexp(float64(1<<52+m), e-52))
		}
	}
	return list
}

func TestF64Texts(t *testing.T) {
	t.Parallel()
	total := f64Sample
	if os.Getenv(fullFloats) != "" {
		total = f64Full
	}
	path := buildDriver(t, "floatdriver.c", "-O2")
	boundary := boundaryF64()
	d := startFloatDriver(t, path, abi.NoMutant)
	for len(boundary) > 0 {
		n := min(len(boundary), 4096)
		d.compareF64(boundary[:n], true)
		boundary = boundary[n:]
	}
	const perBlock = 4096
	inParallel(t, path, (total+perBlock-1)/perBlock, func(d *floatDriver, b int) {
		d.compareF64(randomF64(uint64(b), perBlock), true)
	})
}

// randomF64 returns random patterns: all bits, few digits, few bits, and
// integers, in turn.
func randomF64(seed uint64, n int) []uint64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	list := make([]uint64, n)
	for i := range list {
		switch i % 4 {
		case 0, 1:
			list[i] = rng.Uint64()
		case 2:
			scale := math.Pow10(rng.IntN(40) - 20)
			list[i] = math.Float64bits(float64(rng.Int64N(1_000_000)) * scale)
		case 3:
			list[i] = math.Float64bits(math.Ldexp(float64(rng.Int64()), rng.IntN(40)-20))
		}
	}
	return list
}

// A comparison that could not see a wrong text would be worth nothing.
func TestFloatMutantsAreSeen(t *testing.T) {
	t.Parallel()
	path := buildDriver(t, "floatdriver.c", "-O2", "-DROK_MUTANT=1")
	boundary := boundaryF64()
	for m, wide := range map[abi.Mutant]bool{
		abi.MutantFloatNotShortest: true, abi.MutantFloatTieAway: true, abi.MutantFloatLayoutEarly: true,
		abi.MutantFloatMinusZero: true, abi.MutantF32AsF64: false, abi.MutantFloatEvenSpacing: true,
	} {
		d := startFloatDriver(t, path, m)
		const block = 64
		seen := func(n int, right func(i int) bool) bool {
			for i := range n {
				if !right(i) {
					return true
				}
			}
			return false
		}
		f64 := seen(len(boundary)/block, func(i int) bool { return d.compareF64(boundary[i*block:(i+1)*block], false) })
		f32 := seen(1<<16, func(i int) bool { return d.compareF32(uint64(i)<<16, block, f32Stride, false) })
		if f64 != wide || !f32 {
			t.Errorf("%v: seen in f64: %v, in f32: %v", m, f64, f32)
		}
	}
	d := startFloatDriver(t, path, abi.NoMutant)
	if !d.compareF32(0, 10000, f32Stride, false) || !d.compareF64(boundaryF64(), false) {
		t.Error("the sound runtime differs")
	}
}
