package fuzz

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/turnlint/turnlint/fuzz/reference"
	"github.com/turnlint/turnlint/scan"
)

// CheckFrames walks data as a compressed log and decodes its frames, with scan and
// with the reference. The error is nil when both find the same frames with the same
// text, and when nothing that turns bits back makes them worse.
func CheckFrames(data []byte) error {
	var infos []scan.FrameInfo
	reader, err := scan.NewReader(bytes.NewReader(data), int64(len(data)), scan.Options{
		Encoding: scan.Zstd,
		Frame:    func(f scan.FrameInfo) { infos = append(infos, f) },
	})
	if err != nil {
		return err
	}
	walk := reference.WalkFrames(data)
	for range reader.Records() { // which decodes the frames
	}
	if err := reader.Err(); err != nil {
		return err
	}
	c := reader.Container()
	if err := compareWalks(c, &walk); err != nil {
		return err
	}
	for i := range walk.Frames {
		if err := compareFrame(infos, i, &walk.Frames[i]); err != nil {
			return err
		}
	}
	return checkFlips(data, len(walk.Frames))
}

func compareWalks(c *scan.Container, want *reference.Walk) error {
	wantTorn := int64(-1)
	if want.Torn != nil {
		wantTorn = int64(want.Torn.Off)
	}
	switch {
	case c.Frames != len(want.Frames):
		return fmt.Errorf("%d frames, want %d", c.Frames, len(want.Frames))
	case c.TornStart() != wantTorn:
		return fmt.Errorf("torn at %d, want %d", c.TornStart(), wantTorn)
	case (c.Fault != nil) != (want.Fault != ""):
		return fmt.Errorf("fault %+v, want %q", c.Fault, want.Fault)
	case c.Fault != nil && !strings.HasSuffix(want.Fault, fmt.Sprintf(" %d", c.Fault.FileOff)):
		return fmt.Errorf("fault at %d, want %q", c.Fault.FileOff, want.Fault)
	}
	return nil
}

// compareFrame compares the decoding of a complete frame.
func compareFrame(infos []scan.FrameInfo, i int, want *reference.Frame) error {
	if i >= len(infos) {
		return fmt.Errorf("frame %d is not told of", i+1)
	}
	got := infos[i]
	text, ok, err := want.Text()
	switch {
	case err != nil:
		return ErrSkip
	case got.FileOff != int64(want.Off), got.Len != int64(len(want.Data)):
		return fmt.Errorf("frame %d lies at %d+%d, want %d+%d", i+1, got.FileOff, got.Len, want.Off, len(want.Data))
	case (got.Err == nil) != ok:
		return fmt.Errorf("frame %d: %v, but the reference says %v", i+1, got.Err, ok)
	case ok && got.PlainLen != int64(len(text)):
		return fmt.Errorf("frame %d has %d bytes of text, want %d", i+1, got.PlainLen, len(text))
	}
	return nil
}

// checkFlips makes sure that turning bits back loses no complete frame.
func checkFlips(data []byte, frames int) error {
	flips, err := scan.FindFlips(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	mended := bytes.Clone(data)
	if _, err := (&scan.Mended{Src: bytes.NewReader(data), Flips: flips}).ReadAt(mended, 0); err != nil && len(data) > 0 {
		return err
	}
	if after := len(reference.WalkFrames(mended).Frames); after < frames {
		return fmt.Errorf("%d frames after %d flips, and %d before", after, len(flips), frames)
	}
	return nil
}
