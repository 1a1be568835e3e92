package repair

import (
	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// RowMap says of every row of a session in a database what state it is in, as a [Map]
// does of the bytes of a log.
type RowMap struct {
	Name     string         `json:"name"` // of the file, without its directories, and the id
	Rows     int64          `json:"rows"`
	SHA256   string         `json:"sha256"` // of all that is stored of the session
	Encoding string         `json:"encoding"`
	Verdict  string         `json:"verdict"`
	Findings map[string]int `json:"findings"` // by the id of their rule
	Ranges   []RowRange     `json:"ranges"`   // of all rows, by seq
}

// RowRange is a run of rows in one state.
type RowRange struct {
	First  int64  `json:"first"` // seqs of the first row and of the last one
	Last   int64  `json:"last"`
	Rows   int64  `json:"rows"`
	Status Status `json:"status"`
}

// newRowMap maps the session that p was made from.
func newRowMap(name string, s *database.Session, p *Plan) (*RowMap, error) {
	result, err := rules.CheckSession(s, rules.Options{})
	if err != nil {
		return nil, err
	}
	m := &RowMap{
		Name: name, SHA256: p.SHA256, Encoding: p.Encoding, Verdict: p.Verdict,
		Findings: countFindings(result), Ranges: []RowRange{},
	}
	status := newRowStatus(result, p.Rows.Left)
	r := s.Reader()
	for record := range r.Records() {
		if record.Kind != scan.Header {
			m.add(record.Key, status.of(record.Key))
		}
	}
	return m, r.Err()
}

// add takes the next row.
func (m *RowMap) add(seq int64, status Status) {
	m.Rows++
	if n := len(m.Ranges) - 1; n >= 0 && m.Ranges[n].Status == status {
		m.Ranges[n].Last = seq
		m.Ranges[n].Rows++
		return
	}
	m.Ranges = append(m.Ranges, RowRange{First: seq, Last: seq, Rows: 1, Status: status})
}

// rowStatus knows the state of rows by their seqs.
type rowStatus struct {
	damaged  map[int64]bool
	tornFrom *int64
	left     []LeftRows
}

func newRowStatus(result *rules.Result, left []LeftRows) *rowStatus {
	s := &rowStatus{damaged: make(map[int64]bool), left: left}
	for i := range result.Findings {
		f := &result.Findings[i]
		if f.Class == rules.Damaged && f.Severity == rules.Error && f.Place.Table == scan.EventsTable {
			s.damaged[f.Place.Key] = true
		}
	}
	if result.Reading.Scan.Refusal == nil {
		s.tornFrom = result.Reading.Scan.TornFrom
	}
	return s
}

// of returns the state of a row. Where several hold, the last of them counts, as of
// [Status].
func (s *rowStatus) of(seq int64) Status {
	switch {
	case s.damaged[seq]:
		return StatusDamaged
	case s.tornFrom != nil && seq >= *s.tornFrom:
		return StatusTorn
	}
	for _, l := range s.left {
		if l.First <= seq && seq <= l.Last {
			return StatusLeaves
		}
	}
	return StatusGood
}
