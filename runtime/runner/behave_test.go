package runner

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rokrig/runtime/abi"
)

// loop polls ten times, as compiled code does.
const loop = `
	push %rbx
	push %rbx
	mov $10, %ebx
0:	cmpb $0, %fs:rok_tls@tpoff+88
	je 1f
	call rok_runtime_yield
1:	dec %ebx
	jnz 0b
	pop %rbx
	pop %rbx
`

func TestPolls(t *testing.T) {
	r := open(t, Options{})
	programs := []program{{"", loop, ""}, {"", "movb $1, %fs:rok_tls@tpoff+88\n" + loop, ""}}
	for _, c := range []struct {
		s    Settings
		want [2]uint64
	}{{Settings{}, [2]uint64{0, 1}}, {Settings{ForceYield: true}, [2]uint64{10, 10}}, {Settings{}, [2]uint64{0, 1}}} {
		got := runAll(t, r, c.s, programs)
		for i := range got {
			if got[i].Kind != abi.Returned || got[i].Polls != c.want[i] {
				t.Errorf("%+v: program %d: %v, %d polls, want %d", c.s, i, got[i].Kind, got[i].Polls, c.want[i])
			}
		}
	}
}

func loadF64(x float64, reg string) string {
	return fmt.Sprintf("movabs $%#x, %%rax\nmovq %%rax, %s\n", math.Float64bits(x), reg)
}

func call(name string, args ...int64) string {
	text := ""
	for i, a := range args {
		text += fmt.Sprintf("movabs $%d, %%%s\n", a, []string{"rdi", "rsi", "rdx", "rcx", "r8", "r9"}[i])
	}
	return text + "call " + name + "\n"
}

const printResult = "mov %rax, %rdi\ncall rok_print_i64\n"

// texts are two strings of length 4 and a byte after them.
const texts = "abc: .ascii \"abcd\"\nxff: .ascii \"\\377bcd\"\n.byte 'Z'\n"

func callStr(name, rest string) string {
	return "mov $abc, %edi\nmov $4, %esi\n" + rest + "call " + name + "\n"
}

// killers has for each mutant a program whose behaviour it changes. The sound
// outcome is given: output, then standard error.
var killers = map[abi.Mutant]struct{ body, want string }{
	abi.MutantPrintDropsMinus:     {call("rok_print_i64", math.MinInt64), "-9223372036854775808"},
	abi.MutantDivMinUnchecked:     {call("rok_div_i16", -32768, -1, 1, 2) + printResult, "panic: integer overflow at a.rok:1:2\n"},
	abi.MutantDivZeroMessage:      {call("rok_mod_u8", 1, 0, 1, 2) + printResult, "panic: division by zero at a.rok:1:2\n"},
	abi.MutantModSignOfDivisor:    {call("rok_mod_i32", -7, 5, 1, 2) + printResult, "-2"},
	abi.MutantPowNegative:         {call("rok_pow_i8", 2, -1, 1, 2) + printResult, "panic: negative exponent at a.rok:1:2\n"},
	abi.MutantPowNoWrap:           {call("rok_pow_u8", 2, 9, 1, 2) + printResult, "0"},
	abi.MutantStrIndexAtLength:    {callStr("rok_str_index", "mov $4, %edx\nmov $1, %ecx\nmov $2, %r8d\n") + printResult, "panic: index out of bounds: the length is 4 but the index is 4 at a.rok:1:2\n"},
	abi.MutantStrSlicePastEnd:     {callStr("rok_str_slice", "mov $1, %edx\nmov $5, %ecx\nmov $1, %r8d\nmov $2, %r9d\n") + "mov %rdx, %rdi\ncall rok_print_i64\n", "panic: index out of bounds: the length is 4 but the index is 5 at a.rok:1:2\n"},
	abi.MutantStrSliceSecondBound: {callStr("rok_str_slice", "mov $7, %edx\nmov $9, %ecx\nmov $1, %r8d\nmov $2, %r9d\n"), "panic: index out of bounds: the length is 4 but the index is 7 at a.rok:1:2\n"},
	abi.MutantStrCmpSigned:        {callStr("rok_str_cmp", "mov $xff, %edi\nmov $abc, %edx\nmov $4, %ecx\n") + printResult, "1"},
	abi.MutantStrCmpPrefix:        {callStr("rok_str_cmp", "mov $abc, %edx\nmov $3, %ecx\n") + printResult, "1"},
	abi.MutantStrEqLength:         {callStr("rok_str_eq", "mov $abc, %edx\nmov $3, %ecx\n") + printResult, "0"},
	abi.MutantFloatNotShortest:    {loadF64(0.3, "%xmm0") + "call rok_print_f64\n", "0.3"},
	abi.MutantFloatTieAway:        {loadF64(1<<50+0.25, "%xmm0") + "call rok_print_f64\n", "1125899906842624.2"},
	abi.MutantFloatLayoutEarly:    {loadF64(1e20, "%xmm0") + "call rok_print_f64\n", "100000000000000000000"},
	abi.MutantFloatMinusZero:      {loadF64(math.Copysign(0, -1), "%xmm0") + "call rok_print_f64\n", "-0"},
	abi.MutantF32AsF64:            {"mov $0x3dcccccd, %eax\nmovd %eax, %xmm0\ncall rok_print_f32\n", "0.1"},
	abi.MutantFmodSign:            {loadF64(-7.5, "%xmm0") + loadF64(2, "%xmm1") + "call rok_fmod_f64\ncall rok_print_f64\n", "-1.5"},
	abi.MutantU64ToF32Twice:       {call("rok_u64_to_f32", 0x0020000020000001) + "call rok_print_f32\n", "9007200000000000"},
	abi.MutantFloatToIntWraps:     {loadF64(300, "%xmm0") + "call rok_f64_to_u8\n" + printResult, "255"},
	abi.MutantPanicLosesOutput:    {printOne + call("rok_div_i64", 1, 0, 1, 2), "1\npanic: division by zero at a.rok:1:2\n"},
	abi.MutantBoundsSwapped:       {call("rok_panic_bounds", 3, 5, 1, 2), "panic: index out of bounds: the length is 3 but the index is 5 at a.rok:1:2\n"},
	abi.MutantPollNotCounted:      {"call rok_runtime_yield\n", ""},
	abi.MutantFloatEvenSpacing:    {loadF64(0x1p64, "%xmm0") + "call rok_print_f64\n", "18446744073709552000"},
	abi.MutantPowExponentCut:      {call("rok_pow_u64", 3, 1<<32+2, 1, 2) + printResult, "3975043033321177097"},
	abi.MutantStrCmpLengthFirst:   {callStr("rok_str_cmp", "mov $xff, %edi\nmov $abc, %edx\nmov $5, %ecx\n") + printResult, "1"},
}

// leaks has for each mutant by which a program reaches the next one a body and data that show it from the second run on.
var leaks = map[abi.Mutant]struct{ body, data string }{
	abi.MutantDataNotCopied: {"incq counter\nmov counter, %rdi\ncall rok_print_i64\n", "counter: .quad 5\n"},
	abi.MutantPollsKept:     {loop, ""},
}

func TestLeakingMutants(t *testing.T) {
	r := open(t, Options{Build: MutantBld})
	for m, k := range leaks {
		programs := []program{{"", k.body, k.data}, {"", k.body, ""}} // which share the data
		sound := runAll(t, r, Settings{ForceYield: true}, programs)
		wrong := runAll(t, r, Settings{ForceYield: true, Mutant: m}, programs)
		for i, res := range sound {
			if res.Kind != abi.Returned || res.MutantReached || string(res.Stdout) != string(sound[0].Stdout) || res.Polls != sound[0].Polls {
				t.Errorf("%v: without it, run %d: %v %q, %d polls", m, i, res.Kind, res.Stdout, res.Polls)
			}
		}
		if last := wrong[1]; !last.MutantReached || string(last.Stdout) == string(sound[1].Stdout) && last.Polls == sound[1].Polls {
			t.Errorf("%v: reached %v, %q, %d polls", m, last.MutantReached, last.Stdout, last.Polls)
		}
	}
}

// Every deliberate bug changes something that can be seen, says that its place
// was reached, and is not there when not asked for.
func TestMutants(t *testing.T) {
	r := open(t, Options{Build: MutantBld})
	show := func(res Result) string { return string(res.Stdout) + string(res.Stderr) }
	for i := abi.NoMutant + 1; int(i) < len(abi.Mutants); i++ {
		if _, ok := leaks[i]; ok {
			continue
		}
		k, ok := killers[i]
		if !ok {
			t.Errorf("%v: no program shows it", i)
			continue
		}
		programs := []program{{"", k.body, texts}, {"", "", ""}}
		sound := runAll(t, r, Settings{}, programs)
		if show(sound[0]) != k.want || sound[0].MutantReached {
			t.Errorf("%v: without it %q, %v %q, reached %v; want %q", i, show(sound[0]), sound[0].Kind, sound[0].Detail, sound[0].MutantReached, k.want)
		}
		wrong := runAll(t, r, Settings{Mutant: i}, programs)
		if show(wrong[0]) == k.want && wrong[0].Polls == sound[0].Polls {
			t.Errorf("%v: no difference, %v %q", i, wrong[0].Kind, show(wrong[0]))
		}
		if !wrong[0].MutantReached || wrong[1].MutantReached {
			t.Errorf("%v: reached is %v, and %v in a program that does nothing", i, wrong[0].MutantReached, wrong[1].MutantReached)
		}
	}
	if _, err := open(t, Options{}).RunWith(Settings{Mutant: abi.MutantPowNegative}, nil); err == nil {
		t.Error("the release build accepts a mutant")
	}
	if _, err := Open(Options{Mutant: abi.MutantPowNegative}); err == nil {
		t.Error("Open accepts a mutant for the release build")
	}
}

func TestRunFresh(t *testing.T) {
	r := open(t, Options{})
	images, _ := assembleAll(t, r, []program{{"", printOne, ""}, {"", "ud2", ""}})
	for range 3 {
		for i, want := range []abi.Ending{abi.Returned, abi.Signal} {
			res, err := r.RunFresh(Settings{}, images[i])
			if err != nil || res.Kind != want {
				t.Errorf("program %d: %v, %v", i, res, err)
			}
		}
	}
}

// Each program finds its data as it was made and zeroes after it, also when
// one with more data ran before.
func TestDataIsReset(t *testing.T) {
	r := open(t, Options{})
	show := func(bss int) Image {
		images, _ := assembleAll(t, r, []program{{"", `
	mov number, %rdi
	call rok_print_i64
	call rok_print_sep
	mov last, %rdi
	call rok_print_i64
	movq $1, number
	movq $2, last
	movq $3, zeroes`, fmt.Sprintf("number: .quad 7\n.bss\n.balign 8\nzeroes: .skip %d\nlast: .quad 0\n", bss)}})
		return images[0]
	}
	small, large := show(8), show(100000)
	for range 3 {
		results, err := r.Run([]Image{small, large, small, small, large, large})
		if err != nil {
			t.Fatal(err)
		}
		for i, res := range results {
			if string(res.Stdout) != "7 0" || res.Kind != abi.Returned {
				t.Errorf("program %d: %v %q", i, res.Kind, res.Stdout)
			}
		}
	}
}

func TestBadImages(t *testing.T) {
	r := open(t, Options{})
	code := []byte{0xc3}
	good := Image{Code: code, CodeAddr: codeBase, Entry: codeBase}
	for name, im := range map[string]Image{
		"no entry":      {Code: code, CodeAddr: codeBase},
		"low code":      {Code: code, CodeAddr: codeBase - 1, Entry: codeBase},
		"high code":     {Code: []byte{1, 2}, CodeAddr: codeBase + codeSize - 1, Entry: codeBase},
		"wrapping code": {Code: code, CodeAddr: math.MaxUint64, Entry: codeBase},
		"entry in data": {Code: code, CodeAddr: codeBase, Entry: dataBase},
		"much bss":      {Code: code, CodeAddr: codeBase, Entry: codeBase, BSS: dataSize + 1},
		"negative bss":  {Code: code, CodeAddr: codeBase, Entry: codeBase, BSS: -1},
		"wild module":   {Code: code, CodeAddr: codeBase, Entry: codeBase, Module: 8},
	} {
		if _, err := r.Run([]Image{good, im}); err == nil || !strings.Contains(err.Error(), "image 1") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if res, err := r.Run([]Image{good}); err != nil || res[0].Kind != abi.Returned {
		t.Error(res, err)
	}
}

// Overlapping code is run in steps, shared code at once.
func TestOverlappingCode(t *testing.T) {
	r := open(t, Options{})
	var batch []Image
	for i := range 600 {
		batch = append(batch, printer(t, r, i))
	}
	results, err := r.Run(batch)
	if err != nil {
		t.Fatal(err)
	}
	for i, res := range results {
		if want := fmt.Sprintf("%d\n", i); string(res.Stdout) != want || res.Kind != abi.Returned {
			t.Fatalf("program %d: %v %q", i, res.Kind, res.Stdout)
		}
	}
}

// A part of a program's code must not be replaced by another's.
func TestPartlyOverlappingCode(t *testing.T) {
	r := open(t, Options{})
	long := Image{CodeAddr: codeBase, Entry: codeBase, Code: make([]byte, 32)}
	copy(long.Code, []byte{0xeb, 14}) // jmp to the ret at 16
	long.Code[16] = 0xc3
	inside := Image{CodeAddr: codeBase + 16, Entry: codeBase + 16, Code: []byte{0x0f, 0x0b}} // ud2
	for _, batch := range [][]Image{{long, inside, long}, {inside, long}} {
		results, err := r.Run(batch)
		if err != nil {
			t.Fatal(err)
		}
		for i, res := range results {
			want := abi.Returned
			if batch[i].Entry == inside.Entry {
				want = abi.Signal
			}
			if res.Kind != want {
				t.Errorf("program %d: %v, want %v", i, res.Kind, want)
			}
		}
	}
}

// Code of an earlier batch is not there any more for a wild jump.
func TestStaleCode(t *testing.T) {
	r := open(t, Options{})
	old := printer(t, r, 1)
	jump := Image{CodeAddr: codeBase + 0x10000, Entry: codeBase + 0x10000}
	jump.Code = []byte{0xb8, 0, 0, 0, 0, 0xff, 0xe0} // mov $old, %eax; jmp *%rax
	binary.LittleEndian.PutUint32(jump.Code[1:], uint32(old.Entry))
	for range 2 {
		results, err := r.Run([]Image{old, jump})
		if err != nil || string(results[1].Stdout) != "1\n" {
			t.Fatalf("in one batch: %v, %+v", err, results)
		}
		results, err = r.Run([]Image{jump})
		if err != nil || results[0].Kind != abi.Signal || !strings.Contains(results[0].Detail, "SIGTRAP") {
			t.Fatalf("afterwards: %v, %+v", err, results)
		}
	}
}

var printerOnce struct {
	sync.Once
	image Image
	names map[string]uint64
}

// printer is a program that prints i, by a patched constant.
func printer(t *testing.T, r *Runner, i int) Image {
	printerOnce.Do(func() {
		images, names := assembleAll(t, r, []program{{"", "number = . + 1\nmov $0x7fffffff, %edi\ncall mini_print_int\n", ""}})
		printerOnce.image, printerOnce.names = images[0], names
	})
	im := printerOnce.image
	im.Code = bytes.Clone(im.Code)
	binary.LittleEndian.PutUint32(im.Code[printerOnce.names["number"]-codeBase:], uint32(i))
	return im
}

func TestConcurrentUse(t *testing.T) {
	r := open(t, Options{})
	images := make([]Image, 8)
	for i := range images {
		images[i] = printer(t, r, i)
	}
	var wg sync.WaitGroup
	for i := range images {
		wg.Go(func() {
			for range 50 {
				res, err := r.Run(images[i : i+1])
				if err != nil || string(res[0].Stdout) != fmt.Sprintf("%d\n", i) {
					t.Errorf("program %d: %v, %v", i, res, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// Damaged machine code does anything at all. Whatever it does, the runner must
// answer, and the program after it be right.
func TestDamagedCode(t *testing.T) {
	r := open(t, Options{Limits: Limits{CPU: 10 * time.Millisecond, Output: 10000}})
	images, names := assembleAll(t, r, []program{
		{"", loop + printOne + call("rok_div_i64", 100, 7, 1, 2) + printResult, ""},
		{"", printOne, ""},
	})
	rng := rand.New(rand.NewPCG(1, 2))
	start, end := names["prog0"]-codeBase, names["prog1"]-codeBase
	kinds := map[abi.Ending]int{}
	for round := range 150 {
		var batch []Image
		damaged := images[0]
		damaged.Code = bytes.Clone(images[0].Code)
		for range 1 + rng.IntN(6) {
			damaged.Code[start+rng.Uint64N(end-start)] = byte(rng.Uint32())
		}
		witness := images[1]
		witness.Code = damaged.Code
		batch = append(batch, damaged, witness)
		results, err := r.Run(batch)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		kinds[results[0].Kind]++
		if results[1].Kind != abi.Returned || string(results[1].Stdout) != "1\n" {
			t.Fatalf("round %d: after %v (%s): %v %q %s", round, results[0].Kind, results[0].Detail, results[1].Kind, results[1].Stdout, results[1].Detail)
		}
	}
	if kinds[abi.Signal] == 0 || len(kinds) < 3 {
		t.Errorf("the damage did little: %v", kinds)
	}
	t.Log(kinds)
}

// A worker that is killed or stopped from outside is noticed.
func TestWorkerKilled(t *testing.T) {
	r := open(t, Options{Limits: Limits{CPU: 10 * time.Second}})
	images, _ := assembleAll(t, r, []program{{"", "0: jmp 0b", ""}, {"", printOne, ""}})
	go func() {
		for r.mem.progress.Execution == 0 {
			time.Sleep(time.Millisecond)
		}
		for _, pid := range children(t, r.proc.pid) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}()
	results, err := r.Run(images)
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Kind != abi.Died || results[0].Signal != int(syscall.SIGKILL) {
		t.Errorf("got %+v", results[0])
	}
	if string(results[1].Stdout) != "1\n" {
		t.Errorf("the next program: %+v", results[1])
	}
}

// A program that blocks, here in a read that a wild jump reached, uses no CPU
// time; the clock on the wall stops it.
func TestBlockedProgram(t *testing.T) {
	r := open(t, Options{Limits: Limits{CPU: 10 * time.Millisecond}})
	r.proc.patience = 200 * time.Millisecond
	read := runnerSymbol(t, "read")
	results := runAll(t, r, Settings{}, []program{
		{"", fmt.Sprintf("mov $%d, %%edi\nlea -64(%%rsp), %%rsi\nmov $1, %%edx\nmov $%#x, %%eax\ncall *%%rax", fdBatch, read), ""},
		{"", printOne, ""},
	})
	if results[0].Kind != abi.Timeout || !strings.Contains(results[0].Detail, "blocked") || string(results[1].Stdout) != "1\n" {
		t.Errorf("got %+v", results)
	}
}

// runnerSymbol is the address of a function of the C library in the runner.
func runnerSymbol(t *testing.T, name string) uint64 {
	t.Helper()
	files, err := build(Release)
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.Open(files.runner)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if s.Name == name {
			return s.Value
		}
	}
	t.Fatalf("the runner has no %s", name)
	return 0
}

// children lists the processes whose parent is pid.
func children(t *testing.T, pid int) []int {
	var list []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, s := range stats {
		text, err := os.ReadFile(s)
		if err != nil {
			continue
		}
		f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if f[1] == strconv.Itoa(pid) {
			child, _ := strconv.Atoi(filepath.Base(filepath.Dir(s)))
			list = append(list, child)
		}
	}
	return list
}

func gone(pid int) bool {
	for range 1000 {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(text), ") Z ") {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func TestCloseLeavesNothing(t *testing.T) {
	r := open(t, Options{})
	zygote := r.proc.pid
	workers := children(t, zygote)
	for len(workers) == 0 {
		workers = children(t, zygote)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	for _, pid := range append(workers, zygote) {
		if !gone(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
	if _, err := r.Run(nil); err == nil {
		t.Error("a closed runner runs")
	}
}

// childEnv makes the test binary open a runner, run an endless program, and
// tell the processes' ids.
const childEnv = "ROKRIG_TEST_RUNNER_CHILD"

func TestDriverKilled(t *testing.T) {
	if os.Getenv(childEnv) != "" {
		r := open(t, Options{Limits: Limits{CPU: time.Hour}})
		images, _ := assembleAll(t, r, []program{{"", "0: jmp 0b", ""}})
		go r.Run(images)
		for r.mem.progress.Execution == 0 {
			time.Sleep(time.Millisecond)
		}
		fmt.Println("pids", r.proc.pid, children(t, r.proc.pid)[0])
		select {}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestDriverKilled$")
	cmd.Env = append(os.Environ(), childEnv+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var zygote, worker int
	if _, err := fmt.Fscanf(out, "pids %d %d\n", &zygote, &worker); err != nil {
		rest, _ := io.ReadAll(out)
		t.Fatalf("%v %s", err, rest)
	}
	cmd.Process.Kill()
	cmd.Wait()
	if !gone(zygote) || !gone(worker) {
		t.Errorf("zygote gone: %v, worker gone: %v", gone(zygote), gone(worker))
	}
}
