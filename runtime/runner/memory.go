package runner

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"rokrig/runtime/abi"
)

// memory is what this process and the runner process share.
type memory struct {
	controlFile, codeFile *os.File
	control, code         []byte
	header                *batchHeader
	progress              *progress
	requests              []request
	results               []result
	symfilesAt            int // 0: there is no room for them
}

// outputSlack is the size of the output area beyond what one program needs.
const outputSlack = 8 << 20

// newMemory makes the two memory files. A program may write outputLimit bytes
// to each of its two streams.
func newMemory(outputLimit int, visible bool) (m *memory, err error) {
	m = &memory{}
	defer func() {
		if err != nil {
			m.close()
		}
	}()
	outputSize := align(2*outputLimit+outputSlack, pageSize)
	size := outputAt + outputSize
	if visible {
		m.symfilesAt = size
		size += symfilesSize
	}
	if m.controlFile, m.control, err = memoryFile("rokrig-control", size); err != nil {
		return m, err
	}
	if m.codeFile, m.code, err = memoryFile("rokrig-code", codeSize); err != nil {
		return m, err
	}
	base := unsafe.Pointer(&m.control[0])
	m.header = (*batchHeader)(base)
	m.header.SymfilesAt = uint64(m.symfilesAt)
	m.requests = unsafe.Slice((*request)(unsafe.Add(base, requestsAt)), maxBatch)
	m.progress = (*progress)(unsafe.Add(base, progressAt))
	m.results = unsafe.Slice((*result)(unsafe.Add(base, resultsAt)), maxBatch)
	return m, nil
}

func memoryFile(name string, size int) (*os.File, []byte, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, nil, fmt.Errorf("runner: memfd_create: %w", err)
	}
	f := os.NewFile(uintptr(fd), name)
	if err := f.Truncate(int64(size)); err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("runner: %s: %w", name, err)
	}
	b, err := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("runner: mmap %s: %w", name, err)
	}
	return f, b, nil
}

func (m *memory) close() {
	for _, b := range [][]byte{m.control, m.code} {
		if b != nil {
			unix.Munmap(b)
		}
	}
	for _, f := range []*os.File{m.controlFile, m.codeFile} {
		if f != nil {
			f.Close()
		}
	}
}

// layOut tells the worker where things are.
func (m *memory) layOut() {
	m.header.StagingAt = uint64(stagingAt)
	m.header.OutputAt = uint64(outputAt)
	end := len(m.control)
	if m.symfilesAt > 0 {
		end = m.symfilesAt
	}
	m.header.OutputSize = uint64(end - outputAt)
}

// check reports what is wrong with an image.
func (im *Image) check() error {
	code := func(a uint64) bool { return a >= codeBase && a < codeBase+codeSize }
	data := func(a uint64) bool { return a >= dataBase && a < dataBase+dataSize }
	switch {
	case len(im.Code) > 0 && (!code(im.CodeAddr) || uint64(len(im.Code)) > codeBase+codeSize-im.CodeAddr):
		return fmt.Errorf("code at %#x, %d bytes, lies outside the code region", im.CodeAddr, len(im.Code))
	case !code(im.Entry):
		return fmt.Errorf("entry %#x lies outside the code region", im.Entry)
	case im.BSS < 0 || len(im.Data) > stagingSize || uint64(len(im.Data))+uint64(im.BSS) > dataSize:
		return fmt.Errorf("%d bytes of data and %d of zeroes are too much", len(im.Data), im.BSS)
	case im.Module != 0 && !code(im.Module) && !data(im.Module):
		return errors.New("the module descriptor lies outside code and data")
	}
	return nil
}

// extent is a written part of the code region.
type extent struct {
	start, end uint64
	code       []byte
}

// load puts as many of images as fit together into the shared memory and
// returns their number, at least 1.
func (r *Runner) load(images []Image) int {
	// Old code must not be there to be run by a wild jump.
	for _, e := range r.dirty {
		fill(r.mem.code[e.start-codeBase:e.end-codeBase], 0xcc) // int3
	}
	r.dirty = r.dirty[:0]
	staged := 0
	n := 0
	for ; n < len(images) && n < maxBatch; n++ {
		im := &images[n]
		if staged+len(im.Data) > stagingSize || !r.place(im) {
			break
		}
		copy(r.mem.control[stagingAt+staged:], im.Data)
		r.mem.requests[n] = request{
			Entry: im.Entry, Module: im.Module,
			DataAt: uint64(staged), DataSize: uint64(len(im.Data)), BSSSize: uint64(im.BSS),
		}
		staged = align(staged+len(im.Data), 64)
	}
	return n
}

func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}

// place copies an image's code unless it overlaps another's. The very same code
// at the same place is shared, so that programs can be parts of one blob.
func (r *Runner) place(im *Image) bool {
	if len(im.Code) == 0 {
		return true
	}
	e := extent{im.CodeAddr, im.CodeAddr + uint64(len(im.Code)), im.Code}
	at, _ := slices.BinarySearchFunc(r.dirty, e, func(a, b extent) int { return cmp.Compare(a.start, b.start) })
	if at < len(r.dirty) && r.dirty[at].start < e.end {
		old := r.dirty[at]
		return old.start == e.start && old.end == e.end && &old.code[0] == &e.code[0]
	}
	if at > 0 && r.dirty[at-1].end > e.start {
		return false
	}
	r.dirty = slices.Insert(r.dirty, at, e)
	copy(r.mem.code[e.start-codeBase:], im.Code)
	return true
}

// result reads result i, which is sealed.
func (m *memory) result(i int) Result {
	s := m.results[i]
	if int(s.Ending) >= len(abi.Endings) {
		return Result{Kind: abi.Died, Status: -1, Detail: wroteOver}
	}
	kind := abi.Ending(s.Ending)
	text := slices.Clone(m.control[s.OutputAt : s.OutputAt+s.OutputLen+s.ErrorLen])
	r := Result{
		Kind:          kind,
		Status:        abi.Endings[kind].Status,
		Stdout:        text[:s.OutputLen:s.OutputLen],
		Stderr:        text[s.OutputLen:],
		Polls:         s.Polls,
		CPU:           time.Duration(s.CPUNanos),
		MutantReached: s.MutantReached != 0,
	}
	switch kind {
	case abi.Signal, abi.StackOverflow:
		r.Signal, r.PC, r.FaultAddr = int(s.Signal), s.PC, s.FaultAddr
		r.Registers = registers(&s)
		r.Detail = faultDetail(&s)
	case abi.Timeout:
		r.PC, r.Registers = s.PC, registers(&s)
		r.Detail = fmt.Sprintf("still running at %#x", s.PC)
	case abi.SentinelBroken:
		r.Detail = sentinelDetail(&s)
	}
	return r
}

func registers(s *result) []Register {
	list := make([]Register, registerCount)
	for i := range list {
		list[i] = Register{registerNames[i], s.Registers[i]}
	}
	return list
}

// wroteOver is what became of a result that is not as the worker left it.
const wroteOver = "the program wrote over the runner's memory"

// siKernel is si_code of a fault for which the processor gives no address,
// such as an access to a non-canonical one.
const siKernel = 128

func faultDetail(s *result) string {
	name := unix.SignalName(syscall.Signal(s.Signal))
	switch {
	case s.SignalCode == siKernel:
		return fmt.Sprintf("%s at %#x (general protection)", name, s.PC)
	case s.Signal == uint32(syscall.SIGSEGV) || s.Signal == uint32(syscall.SIGBUS):
		return fmt.Sprintf("%s at %#x, accessing %#x", name, s.PC, s.FaultAddr)
	}
	return fmt.Sprintf("%s at %#x", name, s.PC)
}

func sentinelDetail(s *result) string {
	text := "on return"
	for i, name := range sentinelNames {
		if s.BrokenMask&(1<<i) != 0 {
			text += fmt.Sprintf(" %s was changed to %#x;", name, s.Registers[i])
		}
	}
	return text[:len(text)-1]
}
