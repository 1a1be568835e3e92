package repair_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// restoreColumn is what the vectors say of an ordinary open.
type restoreColumn struct {
	Recoverable struct {
		vectortest.Result
		CommittedBytes      int64  `json:"committedBytes"`
		TornStart           *int64 `json:"tornStart"`
		Recovered           int64  `json:"recovered"`
		InheritedEventCount *int64 `json:"inheritedEventCount"`
	} `json:"recoverable"`
	Strict json.RawMessage `json:"strict"`
	Codec  json.RawMessage `json:"codec"`
}

func TestRecoveryOfLaterFormatsLikeDshEqualsTheReferenceOnEveryVector(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	vectors := vectortest.LoadNative(t)
	closed, refused := 0, 0
	for i := range vectors {
		v := &vectors[i]
		if v.Expect["restore"] == nil {
			continue // it says something of migrations only
		}
		t.Run(v.ID, func(t *testing.T) {
			if p := checkNativeVector(t, v); p.Action == repair.Refuse {
				refused++
			} else if len(p.Closers) > 0 {
				closed++
			}
		})
	}
	t.Logf("%d vectors, of which %d are closed and %d refused", len(vectors), closed, refused)
	if closed < 100 {
		t.Errorf("%d vectors are closed, want a hundred at least", closed)
	}
}

func checkNativeVector(t *testing.T, v *vectortest.Native) *repair.Plan {
	image := v.Image(t)
	encoding, err := scan.ParseEncoding(v.Encoding)
	if err != nil {
		t.Fatal(err)
	}
	restore, _ := vectortest.Column[restoreColumn](t, v.Expect, "restore")
	stored, _ := vectortest.Column[vectortest.Result](t, v.Expect, "stored")
	closers, crash := closersOf(t, v)
	p := nativePlan(t, v, image, encoding, repair.Options{LikeDsh: true})
	if opens := restore.Recoverable.OK && stored.OK && !crash; !opens {
		if p.Action != repair.Refuse {
			t.Errorf("action %s, want a refusal: dsh says %q", p.Action, restore.Recoverable.Error+stored.Error)
		}
		return p
	}
	if p.Action == repair.Refuse {
		if !strings.Contains(p.Reason, "header id cannot name a storage path") { // which the vectors do not look at
			t.Errorf("refused: %s", p.Reason)
		}
		return p
	}
	var made []string
	for _, text := range p.Closers {
		if !bytes.HasPrefix(text, []byte(`{"type":"session/end-seed",`)) {
			made = append(made, string(text))
		}
	}
	if diff := cmp.Diff(closers, made); diff != "" {
		t.Errorf("closers (-want +got):\n%s", diff)
	}
	got := writeUnverified(t, p, image)
	if err := p.Verify(bytes.NewReader(got), int64(len(got))); err != nil {
		t.Errorf("repaired log: %v", err)
	}
	kept := int64(restore.Recoverable.EventCount)
	if p.Ledger.Kept != kept || prefixDigest(t, v, got, encoding, kept) != restore.Recoverable.EventsSHA256 {
		t.Errorf("%d events are kept, want the %d of the vector", p.Ledger.Kept, kept)
	}
	if n := restore.Recoverable.CommittedBytes; !bytes.HasPrefix(got, image[:n]) {
		t.Errorf("the first %d bytes are not as they were", n)
	}
	return p
}

func nativePlan(t *testing.T, v *vectortest.Native, image []byte, encoding scan.Encoding, opt repair.Options) *repair.Plan {
	t.Helper()
	opt.Encoding = encoding
	name := session.LogName{Generation: int64(v.Version), Zstd: encoding == scan.Zstd}.String()
	p, err := repair.NewPlan(bytes.NewReader(image), int64(len(image)), name, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// closersOf returns the closers of a vector; crash says that dsh fails to make them.
func closersOf(t *testing.T, v *vectortest.Native) (closers []string, crash bool) {
	t.Helper()
	if raw := v.Expect["closers"]; len(raw) > 0 && raw[0] == '{' {
		return nil, true
	}
	texts, _ := vectortest.Column[[]vectortest.Text](t, v.Expect, "closers")
	for _, text := range texts {
		closers = append(closers, string(text))
	}
	return closers, false
}

// prefixDigest returns the digest of the first n events of a log.
func prefixDigest(t *testing.T, v *vectortest.Native, image []byte, encoding scan.Encoding, n int64) string {
	t.Helper()
	r, err := scan.NewReader(bytes.NewReader(image), int64(len(image)), scan.Options{Encoding: encoding})
	if err != nil {
		t.Fatal(err)
	}
	native := scan.NewNative(int64(v.Version), scan.Restore{}, scan.ModelOptions{Digests: true})
	for record := range r.Records() {
		if record.Kind == scan.Header || n > 0 {
			if native.Add(record) && record.Kind != scan.Header {
				n--
			}
		}
	}
	return native.Reading(&scan.Container{Encoding: scan.Plain}).Scan.Digest
}

func TestEveryLogOfALaterFormatIsRepairedOrRefusedWithAReason(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	repaired := 0
	for _, v := range vectortest.LoadNative(t) {
		if v.Expect["restore"] == nil {
			continue
		}
		image := v.Image(t)
		encoding, err := scan.ParseEncoding(v.Encoding)
		if err != nil {
			t.Fatal(err)
		}
		p := nativePlan(t, &v, image, encoding, repair.Options{})
		switch p.Action {
		case repair.Refuse:
			if p.Reason == "" || p.Next == "" {
				t.Errorf("%s: refused without a reason: %+v", v.ID, p)
			}
		case repair.Repair:
			repaired++
			got := writeUnverified(t, p, image)
			if err := p.Verify(bytes.NewReader(got), int64(len(got))); err != nil {
				t.Errorf("%s: repaired log: %v", v.ID, err)
			}
		}
	}
	t.Logf("%d repaired", repaired)
	if repaired < 300 {
		t.Errorf("%d are repaired, want three hundred at least", repaired)
	}
}
