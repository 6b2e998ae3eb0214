// Package slab hands out values of one type, many to an allocation.
//
// A compile makes thousands of small nodes that live and die together. Made one by one, a quarter of its time goes into
// the allocator and the collector. A Slab makes them in chunks; one that is reset and used again for the next program
// makes no garbage at all and stays in the processor's cache.
//
// Invariants: what New and List return is zero, and nothing else has it until Reset.
package slab

// Slab hands out values of type T. The zero Slab is ready for use.
type Slab[T any] struct {
	chunk []T   // at hand; its first used elements are handed out
	full  [][]T // handed out wholly
	used  int
}

// The sizes of chunks, in elements: small programs use a few values of each kind.
const (
	firstChunk = 8
	mostChunk  = 512
)

// mostKept is the number of elements that a slab keeps when it is reset: one huge program must not hold memory for ever.
const mostKept = 1 << 15

// room makes sure that the chunk at hand has n elements left.
func (s *Slab[T]) room(n int) {
	if len(s.chunk)-s.used >= n {
		return
	}
	if len(s.chunk) > 0 {
		s.full = append(s.full, s.chunk[:s.used])
	}
	s.chunk = make([]T, max(min(2*len(s.chunk), mostChunk), firstChunk, n))
	s.used = 0
}

// New returns a zero value.
func (s *Slab[T]) New() *T {
	s.room(1)
	v := &s.chunk[s.used]
	s.used++
	return v
}

// Put returns a copy of v.
func (s *Slab[T]) Put(v T) *T {
	p := s.New()
	*p = v
	return p
}

// List returns n zero values in a row, with no room for more.
func (s *Slab[T]) List(n int) []T {
	s.room(n)
	list := s.chunk[s.used : s.used+n : s.used+n]
	s.used += n
	return list
}

// Copy returns a copy of list, with no room for more; nil for none.
func (s *Slab[T]) Copy(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	out := s.List(len(list))
	copy(out, list)
	return out
}

// Reset takes back all that was handed out. Chunks become one that is large enough for as much again.
func (s *Slab[T]) Reset() {
	if len(s.full) == 0 {
		clear(s.chunk[:s.used])
		s.used = 0
		return
	}
	total := len(s.chunk)
	for _, c := range s.full {
		total += len(c)
	}
	*s = Slab[T]{chunk: make([]T, min(total, mostKept))}
}
