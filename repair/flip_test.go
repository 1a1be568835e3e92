package repair_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

// sampleLog returns a closed zstd log of some dozen frames, as dsh writes them.
func sampleLog(t *testing.T) []byte {
	t.Helper()
	image := frame(t, text(header))
	seq := 0
	line := func(format string, args ...any) string {
		event := fmt.Sprintf(`{"type":%s}`, fmt.Sprintf(format, append([]any{seq, int64(1783950000000) + 7*int64(seq)}, args...)...))
		seq++
		return event
	}
	for turn := 1; turn <= 12; turn++ {
		image = append(image, frame(t, text(
			line(`"turn/start","seq":%d,"time":%d,"data":{"turn":%d}`, turn),
			line(`"user/message","seq":%d,"time":%d,"data":{"id":"u%d","role":"user","content":[{"type":"text","text":"question %d"}],"source":{"kind":"user"}},"surfaceOp":"append"`, turn, turn),
		))...)
		image = append(image, frame(t, text(
			line(`"step/start","seq":%d,"time":%d,"data":{"turn":%d,"step":1}`, turn),
			line(`"assistant/message","seq":%d,"time":%d,"data":{"turn":%d,"step":1,"message":{"id":"a%d","role":"assistant","content":[{"type":"text","text":"answer"}],"source":{"kind":"model","provider":"p","model":"m"}}},"surfaceOp":"append"`, turn, turn),
		))...)
		image = append(image, frame(t, text(
			line(`"step/end","seq":%d,"time":%d,"data":{"turn":%d,"step":1}`, turn),
			line(`"turn/end","seq":%d,"time":%d,"data":{"turn":%d,"reason":{"kind":"completed"}}`, turn),
		))...)
	}
	return image
}

// container returns what the walk makes of an image.
func container(t *testing.T, image []byte) *scan.Container {
	t.Helper()
	r, err := scan.NewReader(bytes.NewReader(image), int64(len(image)), scan.Options{Encoding: scan.Zstd})
	if err != nil {
		t.Fatal(err)
	}
	return r.Container()
}

// TestEveryFlipThatLooksLikeATornTailIsTurnedBack goes through all single bits of a
// log. Where the walk then runs past the end of the file, and dsh would cut off
// every frame behind the flip, the repair gives the bytes of the log back.
func TestEveryFlipThatLooksLikeATornTailIsTurnedBack(t *testing.T) {
	whole := sampleLog(t)
	torn, hidden, faults, broken := 0, 0, 0, 0
	want, step := 400, 1
	if testing.Short() {
		want, step = 80, 5
	}
	for at := range whole {
		for bit := range 8 {
			if (8*at+bit)%step != 0 {
				continue
			}
			image := bytes.Clone(whole)
			image[at] ^= 1 << bit
			c := container(t, image)
			switch {
			case c.Torn != nil:
				torn++
				if c.Hidden.Found {
					hidden++
				}
			case c.Fault != nil:
				faults++
			default:
				broken++
				continue
			}
			p := plan(t, image, repair.Options{Encoding: scan.Zstd})
			if p.Action != repair.Repair || p.Level != repair.Safe {
				t.Errorf("byte %d, bit %d: %s: %s", at, bit, p.Action, p.Reason)
				continue
			}
			if got := writeUnverified(t, p, image); !bytes.Equal(got, whole) {
				t.Errorf("byte %d, bit %d: the repaired log differs from the one before the flip", at, bit)
			}
		}
	}
	t.Logf("%d flips look torn, %d of them hide frames; %d break the walk; %d leave it", torn, hidden, faults, broken)
	if hidden < want {
		t.Errorf("%d flips hide frames, want at least %d", hidden, want)
	}
}
