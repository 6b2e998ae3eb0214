package gen

// Source is the stream of choices behind a program: every decision reads one byte (a wide constant reads several).
// The stream is cut into segments, about one a statement, and a segment that runs out answers 0, which is always the
// simplest choice. So a changed, missing or extra byte changes the decision it stands for, and what hangs on it, but
// does not shift the meaning of the segments behind it; and generation ends whatever the bytes are.
type Source interface {
	// Byte returns the next choice of the current segment, or 0 when the segment is used up.
	Byte() byte
	// Segment starts the next segment; what was left of the current one is skipped.
	Segment()
	// Bytes returns the choices taken so far in the form that FromBytes reads: the same program comes out again.
	Bytes() []byte
}

// maxChunk is the length of a full chunk. A segment is stored as chunks, each a length byte and so many bytes; a full
// chunk is followed by another one of the same segment. So any bytes at all are a well-formed stream.
const maxChunk = 255

// recorder keeps the choices taken in the chunk form.
type recorder struct {
	out    []byte
	length int // index in out of the current chunk's length byte
}

func (r *recorder) start() {
	r.length = len(r.out)
	r.out = append(r.out, 0)
}

func (r *recorder) add(b byte) {
	r.out = append(r.out, b)
	r.out[r.length]++
	if r.out[r.length] == maxChunk {
		r.start()
	}
}

// seeded draws its bytes from a generator of the wyrand family (Wang Yi, 2019), eight at a time.
type seeded struct {
	recorder
	state uint64
	word  uint64
	left  int
}

// New returns the source of a seed. Equal seeds give equal streams.
func New(seed uint64) Source {
	s := &seeded{state: seed * 0x9e3779b97f4a7c15}
	s.out = make([]byte, 0, 2048)
	s.start()
	return s
}

func (s *seeded) Byte() byte {
	if s.left == 0 {
		s.state += 0x9e3779b97f4a7c15 // the finaliser below is that of splitmix64 (Vigna, 2015)
		z := s.state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		s.word, s.left = z^z>>31, 8
	}
	b := byte(s.word)
	s.word >>= 8
	s.left--
	s.add(b)
	return b
}

func (s *seeded) Segment()      { s.start() }
func (s *seeded) Bytes() []byte { return append([]byte(nil), s.out...) }

// replay reads given bytes.
type replay struct {
	recorder
	in   []byte // what follows the current chunk
	cur  []byte // what is left of the current chunk
	full bool   // the current chunk is continued by the next one
}

// FromBytes returns the source that reads b, which may be anything.
func FromBytes(b []byte) Source {
	r := &replay{in: b}
	r.start()
	r.next()
	return r
}

// next opens the next chunk.
func (r *replay) next() {
	r.cur, r.full = nil, false
	if len(r.in) == 0 {
		return
	}
	n := int(r.in[0])
	r.full = n == maxChunk
	rest := r.in[1:]
	n = min(n, len(rest))
	r.cur, r.in = rest[:n], rest[n:]
}

func (r *replay) Byte() byte {
	for len(r.cur) == 0 {
		if !r.full {
			// The zeros of a spent segment are not recorded: reading them back finds the segment spent again.
			return 0
		}
		r.next()
	}
	b := r.cur[0]
	r.cur = r.cur[1:]
	r.add(b)
	return b
}

func (r *replay) Segment() {
	for r.full {
		r.next()
	}
	r.next()
	r.start()
}

func (r *replay) Bytes() []byte { return append([]byte(nil), r.out...) }
