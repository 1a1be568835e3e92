package scan_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/scan"
)

// readHistoric returns an earlier scanner that has read the plain log image.
func readHistoric(t *testing.T, image []byte, s scan.Scanner) *scan.Historic {
	t.Helper()
	r, err := scan.NewReader(bytes.NewReader(image), int64(len(image)), scan.Options{Encoding: scan.Plain})
	if err != nil {
		t.Fatal(err)
	}
	h := scan.NewHistoric(s, true)
	for record := range r.Records() {
		h.Add(record)
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return h
}

func TestEarlierScannersAgreeWithTheReferenceOnEveryVector(t *testing.T) {
	images := make(map[string]*vectortest.Vector)
	vectors := vectortest.Load(t)
	for i := range vectors {
		images[vectors[i].ID] = &vectors[i]
	}
	passed, failed := 0, 0
	for scanner, file := range map[scan.Scanner]string{
		scan.CutAtTurnEnd: "scan_df4b", scan.ContiguousPrefix: "scan_efee",
	} {
		records := vectortest.LoadHistory(t, file)
		if len(records) != 2127 {
			t.Errorf("%s: found %d records, want 2127", file, len(records))
		}
		for _, want := range records {
			if t.Run(file+"/"+want.ID, func(t *testing.T) { checkHistory(t, images[want.ID], scanner, &want) }) {
				passed++
			} else {
				failed++
			}
		}
	}
	t.Logf("history: %d passed, %d failed", passed, failed)
}

func checkHistory(t *testing.T, v *vectortest.Vector, scanner scan.Scanner, want *vectortest.History) {
	image := v.Image(t)
	h := readHistoric(t, image, scanner)
	got := h.Result(int64(len(image)))
	checkResult(t, "scan", got.Refusal, got.Events, got.Digest, &want.Scan.Result)
	if want.Scan.OK && got.Refusal == nil {
		if got.Committed != want.Scan.CommittedBytes {
			t.Errorf("committed %d bytes, want %d", got.Committed, want.Scan.CommittedBytes)
		}
		if torn := want.Scan.TornStart != nil; got.Torn != torn {
			t.Errorf("torn = %v, want %v", got.Torn, torn)
		}
	}
	checkHistoricClosers(t, h, want.Closers)
}

// checkHistoricClosers compares with an array of events, an error, or nothing.
func checkHistoricClosers(t *testing.T, h *scan.Historic, want vectortest.Text) {
	t.Helper()
	closers, refusal := h.Closers()
	var failure vectortest.Failure
	if json.Unmarshal([]byte(want), &failure) == nil && failure.ErrorClass != "" {
		if refusal == nil || string(refusal.Class) != failure.ErrorClass {
			t.Errorf("closers refused with %v, want %s", refusal, failure.ErrorClass)
		}
		return
	}
	if refusal != nil {
		t.Errorf("closers refused with %s, want %s", refusal.Text, want)
	}
	if want == "" {
		want = "[]"
	}
	got := "[" + string(bytes.Join(closers, []byte(","))) + "]"
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("closers (-want +got):\n%s", diff)
	}
}

func TestEarlierScannersOnSmallLogs(t *testing.T) {
	bad := edited(t, end, "completed", "\xFF\xFF")
	tests := map[string]struct {
		log         string
		cut, prefix outcome
	}{
		"a finished turn and an open one": {
			hdr + start + end + start2,
			outcome{Events: 2, Committed: 216},
			outcome{Events: 3, Committed: 273, Closers: 1},
		},
		"an open turn alone": {
			hdr + start + step,
			outcome{Committed: 74},
			outcome{Events: 2, Committed: 197, Closers: 2},
		},
		"null behind a finished turn": {
			hdr + start + end + "null\n",
			outcome{Events: 2, Committed: 216},
			outcome{Refusal: nullSeq},
		},
		"null behind a bad line": {
			hdr + start + "{bad\nnull\n",
			outcome{Committed: 74},
			outcome{Events: 1, Committed: 131, Closers: 1},
		},
		"null inside a turn": {
			hdr + start + "null\n" + end,
			outcome{Refusal: nullSeq},
			outcome{Refusal: nullSeq},
		},
		"two bytes that are not UTF-8 count three each": {
			hdr + start + bad + "torn",
			outcome{Events: 2, Committed: 213},
			outcome{Events: 2, Committed: 213},
		},
		"a packed row is an event without a seq": {
			hdr + start + row + edited(t, end, `"seq":1`, `"seq":3`),
			outcome{Refusal: gap + "2 (expected 1, got undefined)"},
			outcome{Refusal: gap + "2 (expected 1, got undefined)"},
		},
		"the version is not looked at": {
			edited(t, hdr, `"version":0`, `"version":1`) + start + end,
			outcome{Events: 2, Committed: 216},
			outcome{Events: 2, Committed: 216},
		},
		"no header": {"", outcome{Refusal: noHeader}, outcome{Refusal: noHeader}},
	}
	for name, test := range tests {
		for scanner, want := range map[scan.Scanner]outcome{scan.CutAtTurnEnd: test.cut, scan.ContiguousPrefix: test.prefix} {
			t.Run(scanner.String()+"/"+name, func(t *testing.T) {
				h := readHistoric(t, []byte(test.log), scanner)
				res := h.Result(int64(len(test.log)))
				closers, _ := h.Closers()
				got := outcome{Events: res.Events, Committed: res.Committed, Closers: len(closers)}
				if res.Refusal != nil {
					got = outcome{Refusal: res.Refusal.Text}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("outcome (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestNamesOfEarlierScanners(t *testing.T) {
	for _, s := range []scan.Scanner{scan.CutAtTurnEnd, scan.ContiguousPrefix} {
		if got, err := scan.ParseScanner(s.String()); got != s || err != nil {
			t.Errorf("ParseScanner(%q) = %s, %v", s, got, err)
		}
	}
	if _, err := scan.ParseScanner("2026-08-05"); err == nil {
		t.Error("ParseScanner accepts the date of today's scanner")
	}
}
