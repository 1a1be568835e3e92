package repair_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/repair"
)

var update = flag.Bool("update", false, "write the track record in docs/reliability.md")

// reported says in a few words what each public report was about, by the number of its
// reproduction.
var reported = map[string]string{
	"01": "a healthy log", "02": "carriage returns before the line feeds", "03": "U+2028 and U+2029 inside strings",
	"04": "half a surrogate pair in an escape", "06": "a clock that ran backwards", "07": "recompressed without checksums",
	"08": "an unknown event that may be ignored", "10": "a hundred thousand events",
	"13": "killed while an answer streamed in", "14": "killed under two tool calls", "15": "killed before the first step",
	"16": "last frame torn, nothing in it readable", "17": "last frame torn behind readable blocks", "19": "last line torn",
	"21": "last line torn inside a character", "22": "zeros behind a plain log", "24": "an empty line at the end",
	"25": "recompressed as one frame", "27": "header frame missing", "28": "a bit flipped inside a frame", "30": "4 KiB of zeros behind the last frame",
	"31": "a torn frame, and the same batch again", "33": "plain text under the name of a compressed log", "35": "an empty file",
	"36": "last line feed missing in the last frame", "37": "two resumes marked the same place", "38": "recovered under a writer that lived",
	"40": "a batch written twice", "41": "recovered twice", "42": "notices of a dead process at the end", "44": "the end of a packed row again, as events",
	"46": "two writers who both went on", "47": "a batch that never arrived", "48": "a counter that fell back, open turn", "50": "late deltas of a stream",
	"51": "two records on one line", "52": "half a record, then all of it", "54": "zeros before a record", "55": "an empty line between records",
	"56": "a byte order mark", "59": "an event of an unknown type", "60": "a message without an id", "61": "a call with an empty id",
	"63": "a message that cites later events", "65": "a log of a newer format", "66": "a foreign member in an envelope", "68": "a message outside of any turn",
	"69": "a call without a result in a closed turn", "71": "a packed row with too few times", "73": "a time with a fraction",
	"74": "both encodings in one store", "75": "one log that hides all others", "77": "a project directory that was renamed", "79": "copies of a sync tool beside the log",
	"81": "the first events missing", "82": "a session directory that was renamed", "83": "a tool call inside a user message",
	"87": "a packed row missing", "88": "two resumes, with messages waiting",
}

// Marks around the track record in the document.
const recordStart, recordEnd = "<!-- track record: go test ./repair -run TrackRecord -update -->\n", "<!-- end -->\n"

func TestTrackRecordOfPublicReports(t *testing.T) {
	var table strings.Builder
	table.WriteString("\n| report | dsh 0.1.1-rc.2 | turnlint | turnfix |\n|---|---|---|---|\n")
	for _, c := range vectortest.Cases(t) {
		number, _, _ := strings.Cut(c.Name, "-")
		if reported[number] == "" {
			t.Errorf("%s is not described", c.Name)
		}
		verdict, outcome := outcomeOf(t, &c)
		fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", reported[number], c.Expect.Upstream, verdict, outcome)
	}
	table.WriteString("\n")
	path := filepath.FromSlash("../docs/reliability.md")
	document := string(readFile(t, path))
	before, rest, found := strings.Cut(document, recordStart)
	_, after, ends := strings.Cut(rest, recordEnd)
	if !found || !ends {
		t.Fatalf("%s has no marks around the track record", path)
	}
	want := before + recordStart + table.String() + recordEnd + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if document != want {
		t.Errorf("the track record in %s is stale: run this test with -update", path)
	}
}

// outcomeOf returns the verdict on the log of a report, and what turnfix does with
// nothing allowed.
func outcomeOf(t *testing.T, c *vectortest.Case) (verdict, outcome string) {
	t.Helper()
	p, _ := planCase(t, c, repair.Options{})
	if root := c.Expect.Input.Root; root != "" {
		if moves := movesOf(t, filepath.Join(c.Dir, root)); moves != "" {
			return p.Verdict + ", the store not", moves
		}
	}
	switch {
	case p.Action == repair.Nothing:
		return p.Verdict, "nothing to do"
	case p.Action == repair.Repair:
		outcome = "repairs: keeps " + words.Count(p.Ledger.Kept, "event")
		if n := len(p.Closers); n > 0 {
			outcome += ", adds " + words.Count(int64(n), "closer")
		}
		if n := p.Ledger.Dropped; n > 0 {
			outcome += fmt.Sprintf(", moves %d repeated or made up to lost+found", n)
		}
		return p.Verdict, outcome
	case p.Level == repair.Choice:
		return p.Verdict, fmt.Sprintf("asks which of %d histories to keep", len(p.Candidates))
	case len(p.NeedAllow) > 0:
		return p.Verdict, fmt.Sprintf("repairs with `--allow %s`", p.NeedAllow[0].Allow)
	case p.NeedLoss > 0:
		return p.Verdict, fmt.Sprintf("repairs with `--allow-loss %d`", p.NeedLoss)
	}
	reason, _, _ := strings.Cut(p.Reason, ":") // without what dsh says of it
	return p.Verdict, "refuses: " + reason
}

// movesOf says what is to be done about the places of the logs of a store, "" for
// nothing.
func movesOf(t *testing.T, root string) string {
	t.Helper()
	moves, err := repair.PlanMoves(t.Context(), root, repair.Options{})
	must(t, err)
	var all []string
	for _, m := range moves {
		switch m.Action {
		case repair.Repair:
			all = append(all, fmt.Sprintf("%s, %d bytes [%s]", m.Kind, m.Size, m.Level))
		case repair.Refuse:
			all = append(all, "asks: "+m.Reason)
		case repair.Nothing:
			all = append(all, "leaves a copy that dsh does not look at")
		}
	}
	return strings.Join(all, "; ")
}
