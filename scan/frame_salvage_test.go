package scan

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// salvaged is a record as a salvaging Reader gives it.
type salvaged struct {
	Text        string
	Frame       int
	Torn, After bool
}

func salvage(t *testing.T, data []byte) (all []salvaged) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(data), int64(len(data)), Options{Encoding: Zstd, Salvage: true})
	if err != nil {
		t.Fatal(err)
	}
	for record := range r.Records() {
		all = append(all, salvaged{string(record.Text), record.Frame, record.Torn, record.AfterGap})
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return all
}

func TestSalvageGoesOnBehindDamage(t *testing.T) {
	one, two, three := storedFrame("one\n"), storedFrame("two\n"), storedFrame("three\n")
	// A frame whose first block is whole and whose second claims the rest of the file.
	tear := checkedFrame().raw("start\nhalf").block(false, blockRaw, 1<<17, "")
	zeros := make([]byte, 40)
	reserved := checkedFrame().raw("start\n").block(false, blockReserved, 3, "abc")
	wrongSum := storedFrame("two\n")
	wrongSum[len(wrongSum)-1] ^= 1
	tests := []struct {
		name string
		data []byte
		want []salvaged
	}{
		{"an intact log is read as it is", join(one, two), []salvaged{{"one", 1, false, false}, {"two", 2, false, false}}},
		{"bytes between frames are passed over", join(one, zeros, two), []salvaged{{"one", 1, false, false}, {"two", 2, false, false}}},
		{"bytes before the first frame are passed over", join(zeros, one), []salvaged{{"one", 1, false, false}}},
		{"bytes at the end are passed over", join(one, zeros), []salvaged{{"one", 1, false, false}}},
		{
			"the blocks of a torn frame are read", join(one, tear[:len(tear)-2], two),
			[]salvaged{{"one", 1, false, false}, {"start", 2, true, false}, {"half", 2, true, false}, {"two", 3, false, true}},
		},
		{
			"the blocks before a reserved one are read", join(one, reserved, three),
			[]salvaged{{"one", 1, false, false}, {"start", 2, true, false}, {"three", 3, false, true}},
		},
		{"a record that spans frames may have bytes between them", join(storedFrame("on"), zeros, storedFrame("e\n")), []salvaged{{"one", 1, false, false}}},
		{
			"a frame that does not decode is no end", join(one, wrongSum, three),
			[]salvaged{{"one", 1, false, false}, {"two", 2, false, false}, {"three", 3, false, true}},
		},
		{"a file without frames has no text", zeros, nil},
		{"an empty file has no text", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, salvage(t, tt.data)); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
		})
	}
}

func TestATornBlockThatClaimsTheFrameBehindIsLeft(t *testing.T) {
	one, two := storedFrame("one\n"), storedFrame("two\n")
	// The block and the checksum that it claims end inside the last frame.
	torn := checkedFrame().block(true, blockRaw, len(two)-6, "")
	got := salvage(t, join(one, torn, two))
	want := []salvaged{{"one", 1, false, false}, {"two", 3, false, true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

func TestFlipsAreFoundWhereTheChecksumProvesThem(t *testing.T) {
	one, two, three := storedFrame("one\n"), storedFrame("two\n"), storedFrame("three\n")
	data := join(one, two, three)
	flipped := func(off int, mask byte) []byte {
		image := bytes.Clone(data)
		image[off] ^= mask
		return image
	}
	at := len(one)
	tests := []struct {
		name string
		data []byte
		want []Flip
	}{
		{"an intact log", data, nil},
		{"the magic", flipped(at, 0x10), []Flip{{int64(at), 0x10}}},
		{"a reserved bit", flipped(at+4, 0x08), []Flip{{int64(at + 4), 0x08}}},
		{"a block size that hides a frame", flipped(at+8, 0x80), []Flip{{int64(at + 8), 0x80}}},
		{"a block size that is too small", flipped(at+6, 0x20), []Flip{{int64(at + 6), 0x20}}},
		{"the size in the last frame", flipped(at+len(two)+7, 0x01), []Flip{{int64(at + len(two) + 7), 0x01}}},
		{"two frames", func() []byte { d := flipped(at, 1); d[at+len(two)] ^= 2; return d }(), nil},
		{"a true tear", data[:len(data)-2], nil},
		{"a payload, which the walk passes", flipped(at+9, 1), nil},
		{"zeros between frames", join(one, make([]byte, 9), two), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := FindFlips(bytes.NewReader(tt.data), int64(len(tt.data)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Fatalf("flips (-want +got):\n%s", diff)
			}
			if len(got) == 0 {
				return
			}
			mended := make([]byte, len(data))
			if _, err := (&Mended{bytes.NewReader(tt.data), got}).ReadAt(mended, 0); err != nil || !bytes.Equal(mended, data) {
				t.Errorf("the mended log is not the one before the flip: %v", err)
			}
		})
	}
}
