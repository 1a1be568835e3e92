package biglog_test

import (
	"bytes"
	"testing"

	"github.com/turnlint/turnlint/internal/biglog"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

func write(t *testing.T, l biglog.Log) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := l.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestEveryLogIsSound(t *testing.T) {
	for _, shape := range biglog.Shapes {
		for _, framing := range biglog.Framings {
			log := write(t, biglog.Log{Shape: shape, Framing: framing, Size: 300_000, Seed: 7})
			result, err := rules.Check(bytes.NewReader(log), int64(len(log)), rules.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if result.Reading.Verdict != scan.Opens || len(result.Findings) > 0 || result.Container.TextLen < 300_000 {
				t.Errorf("%s, %s: verdict %v, %d bytes of text, findings %v",
					shape, framing, result.Reading.Verdict, result.Container.TextLen, result.Findings)
			}
		}
	}
}

func TestASeedGivesTheSameBytesAgain(t *testing.T) {
	l := biglog.Log{Shape: biglog.Mixed, Framing: biglog.Batches, Size: 100_000, Seed: 1}
	first := write(t, l)
	if !bytes.Equal(first, write(t, l)) {
		t.Error("the same seed gives other bytes")
	}
	l.Seed = 2
	if bytes.Equal(first, write(t, l)) {
		t.Error("another seed gives the same bytes")
	}
}

func TestUnknownSettingsAreRefused(t *testing.T) {
	for _, l := range []biglog.Log{{Shape: "round", Framing: biglog.Plain}, {Shape: biglog.Mixed, Framing: "gzip"}} {
		if err := l.Write(new(bytes.Buffer)); err == nil {
			t.Errorf("%+v: no error", l)
		}
	}
}
