package subject

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"rokrig/compiler/link"
	"rokrig/compiler/x64"
	"rokrig/fuzz/gen"
	"rokrig/internal/tier"
	"rokrig/oracle/outcome"
	"rokrig/runtime/abi"
	"rokrig/runtime/runner"
)

const (
	damagedBlobs    = 60_000 // at full size
	damagedPrograms = 48     // real programs, of which blobs are made and which run between them
	damagedPairs    = 16     // of a blob and a clean program in each batch
)

// damageRig is what the test of damaged code works with.
type damageRig struct {
	runner *runner.Runner
	place  *link.Runtime
	clean  []*x64.Object
	want   []runner.Result // of the clean programs
	kinds  [len(abi.Endings)]int
	slow   time.Duration // the longest batch
}

// Real programs whose machine code was damaged at random do anything at all. Whatever they do, the runner answers for each
// of them, and the clean program after each shows what it always shows.
func TestDamagedProgramsHarmNobody(t *testing.T) {
	tier.NeedTools(t, "gcc")
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("witness", []byte("untouched\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := descendants(t)
	r := newDamageRig(t)
	blobs := tier.Steps(damagedBlobs)
	start := time.Now()
	for batch := uint64(0); blobs > 0 && !t.Failed(); batch++ {
		n := min(blobs, damagedPairs)
		r.batch(t, batch, n)
		blobs -= n
	}
	if during := descendants(t); len(during) > len(before)+2 {
		t.Errorf("more than the zygote and a worker: processes %v", during)
	}
	if err := r.runner.Close(); err != nil {
		t.Error(err)
	}
	for deadline := time.Now().Add(20 * time.Second); len(descendants(t)) > len(before); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("processes are left behind: %v", descendants(t))
		}
	}
	if text, err := os.ReadFile("witness"); err != nil || string(text) != "untouched\n" {
		t.Errorf("the file beside: %q, %v", text, err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("files were made: %v, %v", files, err)
	}
	r.report(t, time.Since(start))
}

// newDamageRig generates the clean programs and notes what each shows in a process where nothing else ran.
func newDamageRig(t *testing.T) *damageRig {
	lab, err := NewLab(LabOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer lab.Close()
	r := &damageRig{}
	r.runner, err = runner.Open(runner.Options{Limits: runner.Limits{CPU: 15 * time.Millisecond, Output: 64 << 10}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.runner.Close() })
	if r.place, err = link.NewRuntime(r.runner.Layout(), r.runner.Symbols()); err != nil {
		t.Fatal(err)
	}
	for i := uint64(0); len(r.clean) < damagedPrograms; i++ {
		c := &Case{Name: "case.rok", Text: gen.Program(gen.New(gen.ProgramSeed(1, i)), gen.Options{}).Text}
		lab.Interpret(c)
		if c.Checked == nil || c.Oracle.Kind != outcome.Value && c.Oracle.Kind != outcome.Panic || len(lab.compile([]*Case{c}, nil)) == 0 {
			continue
		}
		object := c.object
		images, err := link.Place([]*x64.Object{object}, r.place)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.runner.RunFresh(runner.Settings{ForceYield: true}, images[0])
		if err != nil {
			t.Fatal(err)
		}
		if got.CPU > 2*time.Millisecond {
			continue // too near the limit
		}
		o := NativeOutcome(got)
		if o.Kind != c.Oracle.Kind || o.Line != c.Oracle.Line || !bytes.Equal(o.Stdout, c.Oracle.Stdout) || int64(got.Polls) != c.Polls {
			t.Fatalf("program %d is not right even alone: %+v", i, got)
		}
		r.clean, r.want = append(r.clean, object), append(r.want, got)
	}
	return r
}

// batch runs n blobs, a clean program after each. The same number gives the same batch.
func (r *damageRig) batch(t *testing.T, number uint64, n int) {
	rng := rand.New(rand.NewPCG(number, 42))
	var objects []*x64.Object
	var followers []int
	for range n {
		follower := rng.IntN(len(r.clean))
		objects = append(objects, r.clean[rng.IntN(len(r.clean))], r.clean[follower])
		followers = append(followers, follower)
	}
	images, err := link.Place(objects, r.place)
	if err != nil {
		t.Fatal(err)
	}
	var done []string
	for i := range n {
		done = append(done, damage(rng, &images[2*i], len(objects[2*i].Bytes[x64.Text])))
	}
	start := time.Now()
	results, err := r.runner.RunWith(runner.Settings{ForceYield: true}, images)
	if err != nil {
		t.Fatalf("batch %d: the runner is lost: %v", number, err)
	}
	r.slow = max(r.slow, time.Since(start))
	for i, follower := range followers {
		r.kinds[results[2*i].Kind]++
		got, want := results[2*i+1], r.want[follower]
		if got.Kind != want.Kind || got.Status != want.Status || got.Polls != want.Polls ||
			!bytes.Equal(got.Stdout, want.Stdout) || !bytes.Equal(got.Stderr, want.Stderr) {
			t.Errorf("batch %d, after blob %d (%s: %v, %s): %v %q %d polls %s\nwant %v %q %d polls; output equal: %v", number, i, done[i],
				results[2*i].Kind, results[2*i].Detail, got.Kind, got.Stderr, got.Polls, got.Detail,
				want.Kind, want.Stderr, want.Polls, bytes.Equal(got.Stdout, want.Stdout))
		}
	}
}

// report shows what the blobs did, and fails if they did next to nothing.
func (r *damageRig) report(t *testing.T, took time.Duration) {
	text, total, reached := "", 0, 0
	for kind, n := range r.kinds {
		if n > 0 {
			text += fmt.Sprintf(", %d %v", n, abi.Ending(kind))
			reached++
		}
		total += n
	}
	t.Logf("%d blobs in %v, longest batch %v%s", total, took.Round(time.Millisecond), r.slow.Round(time.Millisecond), text)
	if total >= 1000 && (reached < 5 || r.kinds[abi.Signal] < total/10) {
		t.Error("the damage did little")
	}
}

// The ways to damage code, each applied to a place of text (machine code).
var damages = []struct {
	name string
	do   func(rng *rand.Rand, im *runner.Image, text []byte)
}{
	{"bytes", func(rng *rand.Rand, _ *runner.Image, text []byte) {
		for range 1 + rng.IntN(16) {
			text[rng.IntN(len(text))] = byte(rng.Uint32())
		}
	}},
	{"bit flips", func(rng *rand.Rand, _ *runner.Image, text []byte) {
		for range 1 + rng.IntN(16) {
			text[rng.IntN(len(text))] ^= 1 << rng.IntN(8)
		}
	}},
	{"swaps", func(rng *rand.Rand, _ *runner.Image, text []byte) {
		for range 1 + rng.IntN(8) {
			i, j := rng.IntN(len(text)), rng.IntN(len(text))
			text[i], text[j] = text[j], text[i]
		}
	}},
	{"truncation", func(rng *rand.Rand, im *runner.Image, text []byte) {
		im.Code = im.Code[:rng.IntN(len(text))]
	}},
	{"zeroes", func(rng *rand.Rand, _ *runner.Image, text []byte) { run(rng, text, 0) }},
	{"int3s", func(rng *rand.Rand, _ *runner.Image, text []byte) { run(rng, text, 0xcc) }},
	{"no-operations", func(rng *rand.Rand, _ *runner.Image, text []byte) { run(rng, text, 0x90) }},
	{"moved code", func(rng *rand.Rand, _ *runner.Image, text []byte) {
		copy(text[rng.IntN(len(text)):], bytes.Clone(text[rng.IntN(len(text)):]))
	}},
	{"jump into the code", func(rng *rand.Rand, im *runner.Image, text []byte) {
		jump(rng, im, text, im.CodeAddr+uint64(rng.IntN(len(text))))
	}},
	{"jump into the runner", func(rng *rand.Rand, im *runner.Image, text []byte) {
		jump(rng, im, text, runnerText+rng.Uint64N(runnerTextSize))
	}},
	{"system call", func(rng *rand.Rand, _ *runner.Image, text []byte) {
		code := []byte{0xb8, 0, 0, 0, 0, 0x0f, 0x05} // mov $n, %eax; syscall
		binary.LittleEndian.PutUint32(code[1:], rng.Uint32N(450))
		copy(text[rng.IntN(len(text)):], code)
	}},
	{"store", func(rng *rand.Rand, im *runner.Image, text []byte) {
		// mov %rax, somewhere in the runner's writable memory or the data region
		code := []byte{0x48, 0x89, 0x04, 0x25, 0, 0, 0, 0}
		at := runnerData + rng.Uint64N(runnerDataSize)
		if rng.IntN(2) == 0 {
			at = dataRegion + rng.Uint64N(1<<20)
		}
		binary.LittleEndian.PutUint32(code[4:], uint32(at))
		copy(text[rng.IntN(len(text)):], code)
	}},
	{"entry in the middle", func(rng *rand.Rand, im *runner.Image, text []byte) {
		im.Entry = im.CodeAddr + uint64(rng.IntN(len(text)))
	}},
	{"data", func(rng *rand.Rand, im *runner.Image, text []byte) {
		for range 1 + rng.IntN(16) {
			im.Data[rng.IntN(len(im.Data))] = byte(rng.Uint32())
		}
	}},
}

// Where the runner's own code and variables lie, roughly: a static executable that is not position independent.
const (
	runnerText     = 0x401000
	runnerTextSize = 0x7d000
	runnerData     = 0x4a9000
	runnerDataSize = 0xf000
	dataRegion     = 0x68000000
)

// damage damages a copy of an image's code once or several times and says how. The first so many bytes are machine code.
func damage(rng *rand.Rand, im *runner.Image, text int) string {
	im.Code, im.Data = bytes.Clone(im.Code), bytes.Clone(im.Data)
	var names []string
	for {
		d := damages[rng.IntN(len(damages))]
		d.do(rng, im, im.Code[:min(text, len(im.Code))])
		names = append(names, d.name)
		if len(im.Code) < text || rng.IntN(4) > 0 {
			return strings.Join(names, ", ")
		}
	}
}

// run overwrites a run of bytes.
func run(rng *rand.Rand, text []byte, with byte) {
	at := rng.IntN(len(text))
	part := text[at:min(len(text), at+1+rng.IntN(64))]
	for i := range part {
		part[i] = with
	}
}

// jump puts a jump to an address at a random place, mostly near the entry, where it is run.
func jump(rng *rand.Rand, im *runner.Image, text []byte, to uint64) {
	at := uint64(rng.IntN(len(text)))
	if off := im.Entry - im.CodeAddr; rng.IntN(2) == 0 && off < uint64(len(text)) {
		at = off
	}
	if at+5 > uint64(len(text)) {
		return
	}
	text[at] = 0xe9
	binary.LittleEndian.PutUint32(text[at+1:], uint32(to-(im.CodeAddr+at+5)))
}

// descendants lists the processes that come from this one, those that only wait to be noticed left out.
func descendants(t *testing.T) []int {
	t.Helper()
	parents := map[int]int{}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stats {
		text, err := os.ReadFile(s)
		if err != nil {
			continue // it has ended
		}
		f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(s)))
		if parent, err := strconv.Atoi(f[1]); err == nil && f[0] != "Z" {
			parents[pid] = parent
		}
	}
	var list []int
	for pid := range parents {
		for p := parents[pid]; p != 0; p = parents[p] {
			if p == os.Getpid() {
				list = append(list, pid)
				break
			}
		}
	}
	return list
}
