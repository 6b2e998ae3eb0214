package runner

import (
	"encoding/binary"
	"unsafe"
)

// A worker seals each result: the seal is a hash of the result and its output,
// keyed with the batch's tag. A program that runs later in the same worker
// may write over both; it does not get the seal right by accident.

// sealMultiplier is 2^64 divided by the golden ratio, an odd number whose
// product spreads differences (Knuth, TAOCP 6.4).
const sealMultiplier = 0x9e3779b97f4a7c15

// sealMix is the hash, as runner.c has it: eight bytes at a time into h.
func sealMix(h uint64, b []byte) uint64 {
	step := func(word uint64) {
		h = (h ^ word) * sealMultiplier
		h ^= h >> 32
	}
	for ; len(b) >= 8; b = b[8:] {
		step(binary.LittleEndian.Uint64(b))
	}
	if len(b) > 0 {
		var last [8]byte
		copy(last[:], b)
		step(binary.LittleEndian.Uint64(last[:]))
	}
	return h
}

// sealed reports whether result i, which is complete, is as the worker left it.
func (m *memory) sealed(i int) bool {
	s := &m.results[i]
	size := uint64(len(m.control))
	if s.OutputAt < uint64(outputAt) || s.OutputAt > size || s.OutputLen > size-s.OutputAt ||
		s.ErrorLen > size-s.OutputAt-s.OutputLen {
		return false
	}
	fields := unsafe.Slice((*byte)(unsafe.Pointer(s)), unsafe.Offsetof(s.Seal))
	h := sealMix(m.header.Tag, fields)
	return sealMix(h, m.control[s.OutputAt:s.OutputAt+s.OutputLen+s.ErrorLen]) == s.Seal
}
