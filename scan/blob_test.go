package scan_test

import (
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/scan"
)

func TestBlobs(t *testing.T) {
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	frame := func(text string) string { return string(encoder.EncodeAll([]byte(text), nil)) }
	const skippable = "\x50\x2A\x4D\x18\x02\x00\x00\x00ab"
	long := strings.Repeat("a", 2000)
	unused := []byte(frame("lamp"))
	unused[4] |= 0x10
	reserved := []byte(frame("lamp"))
	reserved[4] |= 0x08
	tests := []struct {
		name, blob, want string
		fails            bool
	}{
		{"one frame", frame("lamp"), "lamp", false},
		{"two frames", frame("la") + frame("mp"), "lamp", false},
		{"skippable frames around it", skippable + frame("lamp") + skippable, "lamp", false},
		{"something behind it", frame("lamp") + "attic", "lamp", false},
		{"the start of a frame behind it", frame("lamp") + frame("attic")[:3], "lamp", false},
		{"the start of a frame with its magic behind it", frame("lamp") + frame("attic")[:7], "", true},
		{"the unused bit", string(unused), "lamp", false},
		{"the reserved bit", string(reserved), "", true},
		{"nothing", "", "", true},
		{"a skippable frame alone", skippable, "", true},
		{"a skippable frame that is cut off", frame("lamp") + skippable[:9], "", true},
		{"a frame without content", frame(""), "", true},
		{"cut off", frame("lamp")[:8], "", true},
		{"text", "lamp", "", true},
		{"over the limit", frame(long), "", true},
	}
	var d scan.BlobDecoder
	defer d.Close()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := d.Decode(nil, []byte(tt.blob), 1000)
			if (err != nil) != tt.fails {
				t.Fatalf("error %v", err)
			}
			if err == nil && string(got) != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			if over := tt.name == "over the limit"; over != (err == scan.ErrBlobTooLong) {
				t.Errorf("error %v", err)
			}
		})
	}
}
