package repair

import (
	"io"
	"path/filepath"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// MapVersion is the version of the JSON form of a [Map].
const MapVersion = 1

// Map says of every byte of a log what state it is in. It holds nothing of what
// the log says, so that it can be given away.
type Map struct {
	Name     string         `json:"name"` // of the file, without its directories
	Size     int64          `json:"size"` // bytes
	SHA256   string         `json:"sha256"`
	Encoding string         `json:"encoding"` // raw or zstd
	Verdict  string         `json:"verdict"`
	Findings map[string]int `json:"findings"` // by the id of their rule
	Ranges   []MapRange     `json:"ranges"`   // of the whole file, in order
}

// MapRange is a run of bytes in one state.
type MapRange struct {
	FileOff int64  `json:"fileOff"` // byte offset in the file
	Len     int64  `json:"len"`     // bytes of the file
	Status  Status `json:"status"`
	// First and Last are the numbers from 1, in a zstd log of the frames that it
	// has a part of, in a plain log of the lines. Frames that dsh does not reach
	// are counted on. They are 0 where there are none.
	First int `json:"first,omitzero"`
	Last  int `json:"last,omitzero"`
}

// Status is the state of bytes.
type Status uint8

// The states. Where several hold, the last of them counts.
const (
	StatusGood    Status = iota
	StatusHeader         // the header, alone in its frame or line
	StatusLeaves         // good, but at least a part of it is not in the repaired log
	StatusTorn           // what a crash left of a frame or of lines
	StatusDamaged        // a frame that does not decode, or with a line that has an error
	StatusHidden         // frames that decode, behind damage that dsh does not pass
	StatusForeign        // no part of a log: bytes that are no frame, a line with NUL bytes or a byte order mark
	statusCount
)

var statusNames = [statusCount]string{"good", "header", "leaves", "torn", "damaged", "hidden", "foreign"}

// String returns the name of the state.
func (s Status) String() string { return statusNames[s] }

// MarshalText implements encoding.TextMarshaler.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// NewMap maps the log that p was made from. An error means that src could not be
// read.
func NewMap(src io.ReaderAt, p *Plan) (*Map, error) {
	result, err := rules.Check(src, p.Size, rules.Options{Path: string(p.Path), Encoding: p.Options.Encoding})
	if err != nil {
		return nil, err
	}
	m := mapper{
		source:    source{src: src, size: p.Size, encoding: p.Options.Encoding, generation: p.Generation, salvage: true},
		container: result.Container,
	}
	m.units()
	if m.err != nil {
		return nil, m.err
	}
	m.markFindings(result)
	m.markLeaves(p)
	name := ""
	if p.Path != "" {
		name = filepath.Base(string(p.Path))
	}
	return &Map{
		Name: name, Size: p.Size, SHA256: p.SHA256, Encoding: p.Encoding, Verdict: p.Verdict,
		Findings: countFindings(result), Ranges: m.ranges(),
	}, nil
}

// countFindings counts the findings by rule.
func countFindings(result *rules.Result) map[string]int {
	n := make(map[string]int)
	for i := range result.Findings {
		n[result.Findings[i].Rule.ID]++
	}
	return n
}

// markLeaves marks the bytes that leave the log, or the frames with text that does.
func (m *mapper) markLeaves(p *Plan) {
	for _, l := range p.Leaves {
		if l.Text == nil {
			m.mark(l.FileOff, l.FileOff+l.Len, StatusLeaves)
		} else if u, ok := m.unitAt(l.FileOff); ok {
			m.mark(u.from, u.to, StatusLeaves)
		}
	}
}

// markFindings marks the lines, or the frames in which they start, that have an
// error.
func (m *mapper) markFindings(result *rules.Result) {
	for i := range result.Findings {
		f := &result.Findings[i]
		if f.Rule == rules.NotALog {
			m.mark(0, m.size, StatusForeign)
		}
		if f.Class != rules.Damaged || f.Severity != rules.Error || f.Place.Line == 0 {
			continue
		}
		status := StatusDamaged
		if f.Rule == rules.NulRun || f.Rule == rules.ByteOrderMark {
			status = StatusForeign
		}
		if u, ok := m.unitAt(f.Place.FileOff); ok {
			m.mark(u.from, u.to, status)
		}
	}
	scanned := &result.Reading.Scan
	if m.encoding == scan.Plain && scanned.Refusal == nil && scanned.Torn {
		m.mark(scanned.Committed, m.size, StatusTorn)
	}
}
