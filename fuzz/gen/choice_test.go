package gen

import (
	"bytes"
	"testing"
)

// take reads n bytes of the current segment.
func take(s Source, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = s.Byte()
	}
	return out
}

func TestSegmentsAreRecordedAndReplayed(t *testing.T) {
	lengths := []int{3, 0, 254, 255, 256, 510, 1}
	seeded := New(5)
	var want [][]byte
	for i, n := range lengths {
		if i > 0 {
			seeded.Segment()
		}
		want = append(want, take(seeded, n))
	}
	replayed := FromBytes(seeded.Bytes())
	for i, n := range lengths {
		if i > 0 {
			replayed.Segment()
		}
		if got := take(replayed, n); !bytes.Equal(got, want[i]) {
			t.Fatalf("segment %d is read back otherwise", i)
		}
	}
	if !bytes.Equal(replayed.Bytes(), seeded.Bytes()) {
		t.Error("the recording of the replay differs")
	}
}

func TestSegmentsDoNotReachIntoEachOther(t *testing.T) {
	s := FromBytes([]byte{2, 10, 11, 3, 20, 21, 22, 1, 30})
	if got := take(s, 4); !bytes.Equal(got, []byte{10, 11, 0, 0}) {
		t.Errorf("first segment %v", got)
	}
	s.Segment()
	if got := take(s, 1); got[0] != 20 {
		t.Errorf("second segment %v", got)
	}
	s.Segment() // 21 and 22 are skipped
	if got := take(s, 2); !bytes.Equal(got, []byte{30, 0}) {
		t.Errorf("third segment %v", got)
	}
	s.Segment()
	if got := take(s, 2); !bytes.Equal(got, []byte{0, 0}) {
		t.Errorf("behind the end %v", got)
	}
}

func TestLengthsBeyondTheEnd(t *testing.T) {
	s := FromBytes([]byte{200, 7})
	if got := take(s, 3); !bytes.Equal(got, []byte{7, 0, 0}) {
		t.Errorf("%v", got)
	}
	s = FromBytes([]byte{255, 7, 8})
	if got := take(s, 4); !bytes.Equal(got, []byte{7, 8, 0, 0}) {
		t.Errorf("%v", got)
	}
	s.Segment()
}
