package vectortest

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Case is a reproduction of damage that somebody reported in public.
type Case struct {
	Name   string // of the folder
	Dir    string // path of the folder
	Log    string // path of the log to check
	Expect CaseExpect
}

// CaseExpect is the right verdict and the right repair. A pointer is nil, another
// value empty, where the case does not state the member.
type CaseExpect struct {
	Kind            string `json:"kind"`
	Source          string `json:"source"`     // address of the public report
	Confidence      string `json:"confidence"` // high, medium or low
	Note            string `json:"note"`
	Upstream        string `json:"upstream"`         // loads, repairs or refuses
	UpstreamError   string `json:"upstream_error"`   // class
	UpstreamMessage string `json:"upstream_message"` // with <root> for the storage root
	UpstreamList    string `json:"upstream_list"`
	UpstreamInspect string `json:"upstream_inspect"`
	UpstreamEvents  *int   `json:"upstream_events"`

	UpstreamAgentInbox         string `json:"upstream_agent_inbox"`
	UpstreamWrong              string `json:"upstream_wrong"` // what dsh's own repair loses
	UpstreamRepairMatchesIdeal *bool  `json:"upstream_repair_matches_ideal"`

	Input    CaseInput     `json:"input"`
	Findings []CaseFinding `json:"findings"`
	Repair   CaseRepair    `json:"repair"`
}

// CaseInput says where the log lies below the case's folder: File, or Main within
// the storage root Root.
type CaseInput struct {
	File string `json:"file"`
	Root string `json:"root"`
	Main string `json:"main"`
	ID   string `json:"id"`
	Cwd  string `json:"cwd"`
}

// CaseFinding is one finding that is to be made. Only its place is binding.
type CaseFinding struct {
	Rule         string `json:"rule"` // a hint at the kind: not an id of ours
	Severity     string `json:"severity"`
	Line         int    `json:"line"`          // of the decoded text, from 1, the header; 0: not stated
	UpstreamLine *int   `json:"upstream_line"` // dsh does not count the header
	ByteOffset   *int64 `json:"byte_offset"`   // in the decoded text
	FrameOffset  *int64 `json:"frame_offset"`  // of the frame, in the file
	FileOffset   *int64 `json:"file_offset"`
	Seq          *int64 `json:"seq"`
	Expected     *int64 `json:"expected"` // seq that belongs there
	Path         string `json:"path"`     // below the storage root
	Note         string `json:"note"`
}

// CaseRepair is the outcome of the ideal repair.
type CaseRepair struct {
	Possible     Possible      `json:"possible"`
	Lossless     *bool         `json:"lossless"`
	KeptEvents   *int          `json:"kept_events"`
	FinalEvents  *int          `json:"final_events"`
	EventsSHA256 string        `json:"events_sha256"` // see [CaseEventsSHA256]
	Closers      []string      `json:"closers"`       // types, in order
	Dropped      []CaseDropped `json:"dropped"`
	Quarantined  int           `json:"quarantined"` // events
	Edits        []CaseEdit    `json:"edits"`
	Choices      []CaseOutcome `json:"choices"`
	Alternatives []CaseOutcome `json:"alternatives"`
	Default      string        `json:"default"`
	Why          string        `json:"why"`
}

// Possible is one of "true", "not-needed", "assisted", "choice", "lossy" and "false".
type Possible string

// UnmarshalJSON takes the words as strings, and true and false also as booleans.
func (p *Possible) UnmarshalJSON(text []byte) error {
	*p = Possible(bytes.Trim(text, `"`))
	return nil
}

// CaseDropped is something that leaves the log: one event, a range, or bytes.
type CaseDropped struct {
	Seq        *int64  `json:"seq"`
	Type       string  `json:"type"`
	Seqs       []int64 `json:"seqs"` // first and last
	FileOffset *int64  `json:"file_offset"`
	Bytes      int64   `json:"bytes"`
	Events     int     `json:"events"`
	Quarantine bool    `json:"quarantine"`
	What       string  `json:"what"`
	Reason     string  `json:"reason"`
}

// CaseEdit is a change within an event that stays.
type CaseEdit struct {
	Seq  int64  `json:"seq"`
	What string `json:"what"`
}

// CaseOutcome is a repair that happens only when the user asks for it by name.
type CaseOutcome struct {
	Name         string `json:"name"`
	FinalEvents  int    `json:"final_events"`
	EventsSHA256 string `json:"events_sha256"`
	OptIn        bool   `json:"opt_in"`
}

// Cases returns all damage cases, sorted by name.
func Cases(tb testing.TB) []Case {
	tb.Helper()
	root := filepath.Join(Dir(tb), "cases")
	names, err := fs.Glob(os.DirFS(root), "*/expect.json")
	if err != nil {
		tb.Fatal(err)
	}
	cases := make([]Case, len(names))
	for i, name := range names {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			tb.Fatal(err)
		}
		c := &cases[i]
		if err := decode(text, &c.Expect); err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		c.Name = filepath.Dir(name)
		c.Dir = filepath.Join(root, c.Name)
		c.Log = filepath.Join(c.Dir, c.Expect.Input.File, c.Expect.Input.Main)
	}
	return cases
}

// Repaired returns the logical view after the repair, the header and one expanded
// event a line, and whether the case states one.
func (c *Case) Repaired(tb testing.TB) ([]byte, bool) {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(c.Dir, "repaired.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	if err != nil {
		tb.Fatal(err)
	}
	return text, true
}
