package repair_test

import (
	"bytes"
	"testing"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

// overflow are the vectors for which the reference runs out of stack while it
// serialises a recovered event, behind the truncation. turnfix keeps the bytes of
// the line and serialises nothing, so it repairs them.
var overflow = map[string]bool{"mutated/literal/zstd/z-torn-deep": true}

func TestRecoveryLikeDshEqualsTheReferenceOnEveryVector(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	vectors := vectortest.Load(t)
	passed := 0
	for i := range vectors {
		v := &vectors[i]
		if t.Run(v.ID, func(t *testing.T) { checkVector(t, v) }) {
			passed++
		}
	}
	t.Logf("vectors: %d passed, %d failed", passed, len(vectors)-passed)
}

func checkVector(t *testing.T, v *vectortest.Vector) {
	image := v.Image(t)
	encoding, err := scan.ParseEncoding(v.Encoding)
	if err != nil {
		t.Fatal(err)
	}
	p := plan(t, image, repair.Options{LikeDsh: true, Encoding: encoding})
	want := v.Expect.Repaired
	if overflow[v.ID] {
		write(t, p, image)
		return
	}
	if !v.Expect.Load.OK || v.Expect.Load.Commit != nil || want == nil {
		if p.Action != repair.Refuse {
			t.Errorf("action %s, want a refusal: dsh says %q", p.Action, v.Expect.Load.Error)
		}
		return
	}
	if p.Action == repair.Refuse {
		t.Fatalf("refused: %s", p.Reason)
	}
	got := write(t, p, image)
	if changed := !bytes.Equal(got, image); changed != want.Changed || changed != (p.Action == repair.Repair) {
		t.Errorf("changed: %v, plan: %s, want %v", changed, p.Action, want.Changed)
	}
	if p.Keep != want.KeptBytes || !bytes.Equal(got[:p.Keep], image[:p.Keep]) {
		t.Errorf("kept %d bytes, want %d, byte for byte", p.Keep, want.KeptBytes)
	}
	checkRepaired(t, got, encoding, want)
	if after := p.Ledger.Kept + p.Ledger.Synthesised; after != int64(want.EventCount) {
		t.Errorf("ledger: %d events after the repair, want %d", after, want.EventCount)
	}
}

func checkRepaired(t *testing.T, got []byte, encoding scan.Encoding, want *vectortest.Repaired) {
	reading := read(t, got, encoding)
	if reading.Scan.Events != int64(want.EventCount) {
		t.Errorf("%d events, want %d", reading.Scan.Events, want.EventCount)
	}
	if want.EventsSHAError == "" && reading.Scan.Digest != want.EventsSHA256 {
		t.Errorf("digest %s, want %s", reading.Scan.Digest, want.EventsSHA256)
	}
	if encoding == scan.Plain && sha(got) != want.SHA256 {
		t.Errorf("SHA-256 of the file %s, want %s", sha(got), want.SHA256)
	}
}
