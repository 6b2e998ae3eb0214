package subject

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"rokrig/internal/tier"
	"rokrig/oracle/interp"
	"rokrig/runtime/runner"
)

// The interpreter's float text and the runtime's have nothing in common: strconv's digits here, Schubfach in C there. The
// full run compares all 2^32 patterns of f32 and 50 million of f64; it is asked for by ROKRIG_FLOATS_FULL=1. `make check`
// takes a five-hundredth.
const (
	fullFloats = "ROKRIG_FLOATS_FULL"
	blockSize  = 1 << 16
	f64Count   = 50_000_000
	sampleStep = 499
)

// floatDriver is the runtime's float text as a process: runtime/runner/testdata/floatdriver.c.
type floatDriver struct {
	in  *bufio.Writer
	out io.Reader
}

// The driver's requests.
const (
	hashF32 = 1 + iota
	hashF64
	textF32
	textF64
)

func buildFloatDriver(t *testing.T) string {
	t.Helper()
	tier.NeedTools(t, "gcc")
	dir := t.TempDir()
	if err := runner.WriteSources(dir); err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Abs("../../runtime/runner/testdata/floatdriver.c")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("gcc", "-O2", "-std=gnu11", "-fno-omit-frame-pointer", "-ffp-contract=off", "-fno-pie", "-no-pie", "-I.", "-o", "driver", source,
		"arith.c", "convert.c", "float.c", "panic.c", "print.c", "safepoint.c", "str.c", "thread.c", "-lm")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(dir, "driver")
}

func startFloatDriver(t *testing.T, path string) *floatDriver {
	cmd := exec.Command(path, "0")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return &floatDriver{bufio.NewWriterSize(in, 1<<20), out}
}

func (d *floatDriver) send(words ...uint64) {
	var b [8]byte
	for _, w := range words {
		binary.LittleEndian.PutUint64(b[:], w)
		d.in.Write(b[:])
	}
}

func (d *floatDriver) answer(t *testing.T, to []byte) {
	if err := d.in.Flush(); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadFull(d.out, to); err != nil {
		t.Error(err)
	}
}

// textHash mixes the interpreter's text of v into h the way the driver does with its own.
func textHash(h uint64, v float64, bits int) uint64 {
	var text [32]byte
	interp.AppendFloat(text[:0], v, bits)
	for i := 0; i < 32; i += 8 {
		h = (h ^ binary.LittleEndian.Uint64(text[i:])) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// compare compares the texts of patterns; bits is 32 or 64.
func (d *floatDriver) compare(t *testing.T, patterns []uint64, bits int) {
	value := func(p uint64) float64 {
		if bits == 32 {
			return float64(math.Float32frombits(uint32(p)))
		}
		return math.Float64frombits(p)
	}
	text := uint64(textF64)
	if bits == 32 {
		text = textF32
		d.send(hashF32, uint64(len(patterns)), patterns[0], patterns[1]-patterns[0])
	} else {
		d.send(hashF64, uint64(len(patterns)), 0, 0)
		d.send(patterns...)
	}
	h := uint64(0)
	for _, p := range patterns {
		h = textHash(h, value(p), bits)
	}
	var got [8]byte
	if d.answer(t, got[:]); binary.LittleEndian.Uint64(got[:]) == h {
		return
	}
	for _, p := range patterns {
		d.send(text, 1, p, 0)
		var raw [32]byte
		d.answer(t, raw[:])
		native, oracle := strings.TrimRight(string(raw[:]), "\x00"), string(interp.AppendFloat(nil, value(p), bits))
		if native != oracle {
			t.Errorf("f%d %#x: the interpreter prints %s, the runtime %s", bits, p, oracle, native)
			return
		}
	}
	t.Errorf("f%d: the hashes of a block from %#x differ, but no text does", bits, patterns[0])
}

func TestFloatTextOfInterpreterAndRuntime(t *testing.T) {
	step, f64s := uint64(sampleStep), f64Count/sampleStep
	if os.Getenv(fullFloats) != "" {
		step, f64s = 1, f64Count
	}
	path := buildFloatDriver(t)
	blocks := make(chan func(*floatDriver), 16)
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		d := startFloatDriver(t, path)
		workers.Go(func() {
			for block := range blocks {
				block(d)
			}
		})
	}
	for first := uint64(0); first < 1<<32; first += blockSize * step {
		blocks <- func(d *floatDriver) {
			patterns := make([]uint64, 0, blockSize)
			for p := first; p < 1<<32 && len(patterns) < blockSize; p += step {
				patterns = append(patterns, p)
			}
			d.compare(t, patterns, 32)
		}
	}
	const part = 1 << 14
	for n := 0; n < f64s; n += part {
		seed := uint64(n)
		blocks <- func(d *floatDriver) {
			draw := rand.New(rand.NewPCG(seed, 64))
			patterns := make([]uint64, part)
			for i := range patterns {
				patterns[i] = draw.Uint64()
				if i%4 == 0 { // few digits, where texts are short and ties happen
					v := math.Ldexp(float64(draw.IntN(1<<20)), draw.IntN(200)-100)
					patterns[i] = math.Float64bits(v)
				}
			}
			d.compare(t, patterns, 64)
		}
	}
	close(blocks)
	workers.Wait()
}
