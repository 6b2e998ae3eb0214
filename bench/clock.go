package bench

import (
	"fmt"
	"syscall"
	"time"
	"unsafe"
)

// Span is the time that something took.
type Span struct {
	Wall time.Duration
	CPU  time.Duration // user and system, of this process and of children that have ended
}

func (s *Span) add(t Span) {
	s.Wall += t.Wall
	s.CPU += t.CPU
}

// Measure runs f and returns the time it took.
func Measure(f func() error) (Span, error) {
	wall, cpu := time.Now(), cpuTime()
	err := f()
	return Span{time.Since(wall), cpuTime() - cpu}, err
}

// clockProcessCPUTime is CLOCK_PROCESS_CPUTIME_ID on Linux: unlike getrusage it counts nanoseconds.
const clockProcessCPUTime = 2

// cpuTime is the CPU time of this process so far, with all that Go does besides, such as collecting garbage, and of the
// children that it has waited for.
func cpuTime() time.Duration {
	var t syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockProcessCPUTime, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		panic(fmt.Sprintf("clock_gettime: %v", errno))
	}
	var children syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children); err != nil {
		panic(fmt.Sprintf("getrusage: %v", err))
	}
	return time.Duration(t.Nano() + children.Utime.Nano() + children.Stime.Nano())
}
