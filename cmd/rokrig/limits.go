package main

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
)

// sizeUnits are the letters behind a size and their powers of two.
var sizeUnits = map[byte]uint{'K': 10, 'M': 20, 'G': 30, 'T': 40}

// parseSize reads a flag's size: a number of bytes, or one with K, M, G or T (powers of 1024) behind it.
func parseSize(flag, text string, least int64) (int64, error) {
	digits, shift := text, uint(0)
	if n := len(text); n > 0 {
		if unit, ok := sizeUnits[text[n-1]]; ok {
			digits, shift = text[:n-1], unit
		}
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || strings.HasPrefix(digits, "+") || n > math.MaxInt64>>shift {
		return 0, fmt.Errorf("--%s=%q is no size; write 512M or 2G", flag, text)
	}
	if size := int64(n << shift); size >= least {
		return size, nil
	}
	return 0, fmt.Errorf("--%s=%s is too little; at least %dM are needed", flag, text, least>>20)
}

// minMemory is room for a runner, whose data region and program stack are 64 MiB each, for rokrig itself, and for the
// stacks of its threads, 8 MiB each, of which there are some for each core.
func minMemory() int64 { return (384 + 64*int64(runtime.NumCPU())) << 20 }

// limitMemory bounds what this process and each of its children may take: the kernel refuses more, and Go collects harder
// from half of it on. "" is no limit.
func limitMemory(text string) error {
	if text == "" {
		return nil
	}
	size, err := parseSize("mem", text, minMemory())
	if err != nil {
		return err
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_DATA, &limit); err != nil {
		return fmt.Errorf("--mem: %w", err)
	}
	limit.Cur = min(uint64(size), limit.Max)
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &limit); err != nil {
		return fmt.Errorf("--mem: %w", err)
	}
	debug.SetMemoryLimit(size / 2)
	return nil
}
