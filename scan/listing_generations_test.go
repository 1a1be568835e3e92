package scan_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// listed is what a listing makes of a log, in the words of the vectors.
type listed struct {
	Status        string `json:"status"`
	StoredVersion *int64 `json:"storedVersion"`
	Reason        string `json:"reason"`
	ListError     string `json:"listError"`
}

// expected returns which answer the column asks for, and its text.
func (l *listed) expected() (answer, text string) {
	switch {
	case l.ListError != "":
		return "blocks", l.ListError
	case l.Status == "current", l.Status == "migration-required":
		return "listed", ""
	case l.Status == "unsupported", l.Status == "malformed":
		return "skipped", l.Reason
	case l.Status == "throws":
		return "throws", ""
	}
	return "skipped", ""
}

// beyond are vectors whose header column is the header line alone. A listing also
// looks at the frame around it, and at the path that it leads to.
var beyond = map[string]string{
	"v2/literal/zstd/zshape/one-frame": "skipped: ",
	"v3/literal/zstd/zshape/one-frame": "skipped: ",
	"v4/literal/zstd/zshape/one-frame": "skipped: ",
	"v2/rich/raw/header/id-empty":      "blocks: ",
	"v3/rich/raw/header/id-empty":      "blocks: ",
	"v4/rich/raw/header/id-empty":      "blocks: ",
}

func TestListingOfLaterGenerationsAgreesWithTheVectors(t *testing.T) {
	checked := 0
	for _, v := range vectortest.LoadNative(t) {
		column, ok := vectortest.Column[json.RawMessage](t, v.Expect, "header")
		if !ok {
			continue
		}
		var want listed
		if err := json.Unmarshal(column, &want); err != nil {
			t.Fatal(err)
		}
		checked++
		image := v.Image(t)
		name := session.LogName{Generation: int64(v.Version), Zstd: v.Encoding == "zstd"}
		l, err := scan.List(bytes.NewReader(image), int64(len(image)), name, scan.ModelOptions{})
		if err != nil {
			t.Fatal(err)
		}
		answer, text := want.expected()
		expect := answer + ": " + text
		if other, ok := beyond[v.ID]; ok {
			expect = other
		}
		if diff := cmp.Diff(expect, said(&l, answer, text)); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", v.ID, diff)
		}
	}
	if checked == 0 {
		t.Error("no vector has a header")
	}
}

// said puts a listing in the form of the expected answer. The vectors do not
// tell whether what throws blocks the others, nor why a log without a header is
// skipped.
func said(l *scan.Listing, answer, text string) string {
	got, says := "listed", ""
	switch {
	case l.Blocks != nil:
		got, says = "blocks", l.Blocks.Text
	case l.Skipped != nil:
		got, says = "skipped", l.Skipped.Text
	}
	if answer == "throws" && got != "listed" {
		got = answer
	}
	if text == "" {
		says = ""
	}
	return got + ": " + says
}
