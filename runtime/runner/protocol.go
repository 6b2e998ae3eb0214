package runner

import (
	"fmt"
	"reflect"
	"strings"

	"rokrig/runtime/abi"
)

// The runner process and this package share two memory files. The control file
// holds batchHeader, then maxBatch requests and the staging area with the
// programs' initialised data, which the runner process can only read; then
// progress, maxBatch results and the output area. The code file is the code
// region: written here, executable there.
//
// The structures below are the protocol; protocolHeader turns them into C.

// Addresses in the runner. Code lies where a program's position-dependent
// code expects it; lower addresses would clash with the heap that follows a
// static executable at a random distance of up to 1 GiB.
const (
	codeBase = 0x60000000
	codeSize = 64 << 20
	dataBase = 0x68000000
	dataSize = 64 << 20
)

const (
	maxBatch    = 256
	stagingSize = 16 << 20
	// symfilesSize is the room for symfiles, after the output area of a visible
	// runner.
	symfilesSize = 32 << 20
	// filledStack is the part of a program's stack that holds the fill pattern;
	// what lies deeper goes back to the system and is zero. hotStack is its top,
	// which is filled whatever the program before did.
	filledStack = 64 << 10
	hotStack    = 8 << 10
	// tickMicros is the CPU time between two looks of the watchdog.
	tickMicros = 5000
	pageSize   = abi.PageSize
)

// File descriptors of the runner process.
const (
	fdControl = 0 // commands to the zygote; closed: end
	fdReply   = 1 // replies from zygote and worker
	fdShared  = 3 // the control file
	fdCode    = 4 // the code file
	fdBatch   = 5 // one byte for each batch, read by the worker
)

// Letters of commands and messages.
const (
	commandKill = 'K' // end the worker and fork another
	replyReady  = 'S' // the zygote has set everything up; or a worker has whose programs are visible; value: its process id
	replyDone   = 'D' // the worker has ended a batch
	replyDead   = 'X' // the worker has ended; value: its wait status
)

// States of a result.
const (
	stateIdle     = 0 // not begun
	stateRunning  = 1
	stateComplete = 2
)

// command goes to the zygote.
type command struct {
	Letter, Worker uint32 // workers are numbered from 0
}

// message is a reply. Its tag is ZygoteTag or, from a worker, the batch's: what
// a program's wild jump sends has neither.
type message struct {
	Letter, Value uint32
	Tag           uint64
}

type batchHeader struct {
	TPOff       int64  // from the runner: offset of rok_tls from the thread pointer
	ZygoteTag   uint64 // taken away by the zygote
	Tag         uint64 // of this batch, drawn anew for each
	OutputAt    uint64 // offset of the output area in the control file
	OutputSize  uint64
	StagingAt   uint64
	OutputLimit uint64 // bytes on each of standard output and standard error
	First       uint32 // entries First..Count-1 are to be run
	Count       uint32
	TickLimit   uint32 // CPU ticks after which an entry has run too long
	ForceYield  uint32
	Mutant      uint32
	Fill        uint32 // byte of the fill pattern
	SymfilesAt  uint64 // offset of symfiles in the control file; 0: programs are not visible to tools
}

// symfiles are files for debuggers, one for each program, in the control file.
type symfiles struct {
	Count    uint32
	Reserved uint32
	CodeSize uint64 // bytes of the code region in use
	At, Size [maxBatch]uint64
}

type progress struct {
	Execution uint32 // counts entries begun
}

type request struct {
	Entry, Module uint64
	DataAt        uint64 // offset in the staging area
	DataSize      uint64
	BSSSize       uint64
}

type result struct {
	State         uint32
	Ending        uint32
	Signal        uint32
	SignalCode    int32
	MutantReached uint32
	BrokenMask    uint32 // sentinels found changed, a bit for each
	PC, FaultAddr uint64
	OutputAt      uint64 // standard output, then standard error
	OutputLen     uint64
	ErrorLen      uint64
	Polls         uint64
	CPUNanos      uint64
	Registers     [registerCount]uint64 // at a fault or timeout; or what the sentinels held
	Seal          uint64                // over the fields above and the output
}

// Registers in the order of registerNames.
const registerCount = 18

var registerNames = [registerCount]string{
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
	"rdi", "rsi", "rbp", "rbx", "rdx", "rax", "rcx", "rsp", "rip", "eflags",
}

// sentinelNames has a name for each bit of BrokenMask.
var sentinelNames = [...]string{"rbx", "rbp", "r12", "r13", "r14", "r15", "rsp", "eflags", "mxcsr",
	"the signal mask", "the signal stack", "the thread pointer", "the output buffer"}

// Offsets in the control file.
var (
	requestsAt = align(int(reflect.TypeFor[batchHeader]().Size()), pageSize)
	stagingAt  = align(requestsAt+maxBatch*int(reflect.TypeFor[request]().Size()), pageSize)
	progressAt = stagingAt + stagingSize // from here on the runner process writes
	resultsAt  = align(progressAt+int(reflect.TypeFor[progress]().Size()), pageSize)
	outputAt   = align(resultsAt+maxBatch*int(reflect.TypeFor[result]().Size()), pageSize)
)

func align(n, to int) int { return (n + to - 1) / to * to }

// protocolHeader returns the text of rok_runner.h.
func protocolHeader() string {
	var b strings.Builder
	b.WriteString("/* The protocol between the runner process and its driver. Generated from\n" +
		" * protocol.go of package rokrig/runtime/runner. */\n#include <stddef.h>\n#include <stdint.h>\n\n")
	for _, n := range []abi.Number{
		{Name: "CODE_BASE", Value: codeBase}, {Name: "CODE_SIZE", Value: codeSize},
		{Name: "DATA_BASE", Value: dataBase}, {Name: "DATA_SIZE", Value: dataSize},
		{Name: "MAX_BATCH", Value: maxBatch}, {Name: "HOT_STACK", Value: hotStack}, {Name: "FILLED_STACK", Value: filledStack},
		{Name: "TICK_MICROS", Value: tickMicros},
		{Name: "REQUESTS_AT", Value: int64(requestsAt)}, {Name: "RESULTS_AT", Value: int64(resultsAt)},
		{Name: "PROGRESS_AT", Value: int64(progressAt)},
		{Name: "FD_CONTROL", Value: fdControl}, {Name: "FD_REPLY", Value: fdReply},
		{Name: "FD_SHARED", Value: fdShared}, {Name: "FD_CODE", Value: fdCode}, {Name: "FD_BATCH", Value: fdBatch},
		{Name: "COMMAND_KILL", Value: commandKill}, {Name: "REPLY_READY", Value: replyReady},
		{Name: "REPLY_DONE", Value: replyDone}, {Name: "REPLY_DEAD", Value: replyDead},
		{Name: "STATE_IDLE", Value: stateIdle}, {Name: "STATE_RUNNING", Value: stateRunning},
		{Name: "STATE_COMPLETE", Value: stateComplete}, {Name: "REGISTER_COUNT", Value: registerCount},
	} {
		fmt.Fprintf(&b, "#define %s 0x%x\n", n.Name, n.Value)
	}
	fmt.Fprintf(&b, "#define SEAL_MULTIPLIER 0x%xull\n", uint64(sealMultiplier))
	b.WriteString(cStruct("command", reflect.TypeFor[command]()))
	b.WriteString(cStruct("message", reflect.TypeFor[message]()))
	b.WriteString(cStruct("progress", reflect.TypeFor[progress]()))
	b.WriteString(cStruct("symfiles", reflect.TypeFor[symfiles]()))
	b.WriteString(cStruct("batch_header", reflect.TypeFor[batchHeader]()))
	b.WriteString(cStruct("request", reflect.TypeFor[request]()))
	b.WriteString(cStruct("result", reflect.TypeFor[result]()))
	return b.String()
}

// cStruct declares t in C; gcc verifies that both lay it out alike.
func cStruct(name string, t reflect.Type) string {
	var b, asserts strings.Builder
	fmt.Fprintf(&b, "\nstruct %s {\n", name)
	for i := range t.NumField() {
		f := t.Field(i)
		elem, suffix := f.Type, ""
		if elem.Kind() == reflect.Array {
			suffix = fmt.Sprintf("[%d]", elem.Len())
			elem = elem.Elem()
		}
		fmt.Fprintf(&b, "    %s_t %s%s;\n", elem.Name(), snake(f.Name), suffix)
		fmt.Fprintf(&asserts, "_Static_assert(offsetof(struct %s, %s) == %d, \"layout\");\n", name, snake(f.Name), f.Offset)
	}
	fmt.Fprintf(&b, "};\n%s_Static_assert(sizeof(struct %s) == %d, \"layout\");\n", asserts.String(), name, t.Size())
	return b.String()
}

// snake turns a Go name such as CPUNanos into cpu_nanos.
func snake(name string) string {
	var b strings.Builder
	upper := func(i int) bool { return i < len(name) && name[i] >= 'A' && name[i] <= 'Z' }
	for i := range len(name) {
		if upper(i) && i > 0 && (!upper(i-1) || (i+1 < len(name) && !upper(i+1))) {
			b.WriteByte('_')
		}
		b.WriteString(strings.ToLower(name[i : i+1]))
	}
	return b.String()
}
