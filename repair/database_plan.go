package repair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/store"
)

// Rows is what becomes of the rows of a session in a database.
type Rows struct {
	Kept    int64 `json:"kept"`    // stay as they are
	Removed int64 `json:"removed"` // go to lost+found as they are, also where a changed one comes instead
	Added   int64 `json:"added"`   // closers included
	// Left are the removed rows that hold what the repaired session has not, in order.
	Left []LeftRows `json:"left,omitempty"`
}

// LeftRows are rows next to each other that leave for one reason.
type LeftRows struct {
	First  int64  `json:"first"` // seqs of the first row and of the last one
	Last   int64  `json:"last"`
	Rows   int64  `json:"rows"`
	Events int64  `json:"events"` // complete events in them that are not written again
	Reason string `json:"reason"`
}

// sessionPlan is the repair of a session in a database.
type sessionPlan struct {
	session *database.Session
	// plan is for whoever reads it: it speaks of rows.
	plan *Plan
	// log is the plan for the text of the rows, and repaired that text after the repair;
	// both are nil when nothing is repaired.
	log            *Plan
	text, repaired *spool
	// digest is that of the events of the repaired text; see eventsDigest.
	digest string
	// content counts the rows that do not decode and hold an event all the same.
	content int64
}

func (s *sessionPlan) close() {
	s.text.Close()
	s.repaired.Close()
}

// maxRevision is Number.MAX_SAFE_INTEGER: dsh does not read a session beyond it again.
const maxRevision = 1<<53 - 1

// newSessionPlan plans the repair of a session of the database at path.
func newSessionPlan(ctx context.Context, path string, s *database.Session, opt Options) (*sessionPlan, error) {
	sp := &sessionPlan{session: s}
	err := sp.make(ctx, path, opt)
	if err != nil {
		sp.close()
	}
	return sp, err
}

func (s *sessionPlan) make(ctx context.Context, path string, opt Options) error {
	opt.Encoding = scan.Plain
	s.plan = &Plan{
		Version: PlanVersion, Tool: tool(), Path: Path(store.SessionName(path, s.session.ID)), Encoding: scan.SQLite.String(), Written: scan.SQLite.String(),
		Verdict: scan.Damaged.String(), Options: opt, Action: Nothing, Rows: &Rows{},
	}
	if s.session.Header == nil || s.session.Refusal != nil {
		s.refuseSession()
		return nil
	}
	var err error
	if s.plan.SHA256, err = s.session.Print(); err != nil {
		return err
	}
	reading, err := readSession(s.session)
	if err != nil {
		return err
	}
	if err := s.lookAtRows(); err != nil {
		return err
	}
	if store.IsDatabase(path) { // and not one that was read from elsewhere
		opt.Siblings = func(id string) []string { return s.siblings(path, id) }
	}
	s.plan.Verdict, s.plan.Ledger.Kept = reading.Verdict.String(), reading.Scan.Events
	refusal := reading.Refusal()
	switch {
	case reading.Verdict == scan.Opens:
	case opt.LikeDsh && refusal != nil, reading.Bricks, refusal != nil && reading.Verdict == scan.Incompatible:
		s.plan.refuseReading(nil, reading)
	default:
		err = s.planText(reading, opt)
	}
	s.plan.foresee()
	return err
}

// refuseSession refuses a session without a header that dsh takes.
func (s *sessionPlan) refuseSession() {
	if s.session.Header == nil {
		s.plan.refuse("it has events and no row in the table sessions, so that dsh does not find it", "turnlint shows what is there")
	} else {
		s.plan.refuseText(s.session.Refusal.Text)
	}
	s.plan.After = s.plan.Verdict
}

// siblings returns the name of the session with an id in the same database, at path, if
// there is one.
func (s *sessionPlan) siblings(path, id string) []string {
	other, err := s.session.Sibling(id)
	if err != nil || other.Header == nil {
		return nil
	}
	return []string{store.SessionName(path, id)}
}

// lookAtRows counts the rows, and those that hold an event and do not decode.
func (s *sessionPlan) lookAtRows() error {
	r := s.session.Reader()
	for record := range r.Records() {
		if record.Kind == scan.Header {
			continue
		}
		s.plan.Rows.Kept++
		if record.Stored.Content {
			s.content++
		}
	}
	return r.Err()
}

// readSession returns what dsh makes of a session.
func readSession(s *database.Session) (*scan.Reading, error) {
	result, err := rules.CheckSession(s, rules.Options{})
	if err != nil {
		return nil, err
	}
	return result.Reading, nil
}

// readSessionInto returns what dsh makes of a session, for whoever wants the records, too.
func readSessionInto(s *database.Session, take func(*scan.Record) error) (*scan.Reading, error) {
	r := s.Reader()
	m := scan.NewModel(scan.ModelOptions{})
	for record := range r.Records() {
		m.Add(record)
		if err := take(record); err != nil {
			return nil, err
		}
	}
	return m.Reading(r.Container()), r.Err()
}

// planText plans the repair of the text of the rows.
func (s *sessionPlan) planText(reading *scan.Reading, opt Options) (err error) {
	switch s.text, err = newSpool(func(w io.Writer) error { return writeText(w, s.session) }); {
	case errors.Is(err, errRow):
		s.plan.refuse(err.Error(), "turnlint shows every place that is damaged")
		return nil
	case err != nil:
		return err
	}
	if s.log, err = s.planLog(opt); err != nil {
		return err
	}
	shown := *s.log
	shown.Path, shown.SHA256, shown.Encoding, shown.Written, shown.Verdict = s.plan.Path, s.plan.SHA256, s.plan.Encoding, s.plan.Written, s.plan.Verdict
	shown.Keep, shown.Parts, shown.Leaves, shown.Rows, shown.Options = 0, nil, nil, s.plan.Rows, opt
	s.plan = &shown
	switch {
	case s.log.Action == Nothing: // dsh has an objection to a row that no line can have
		s.plan.refuseReading(nil, reading)
		return nil
	case !opt.LikeDsh && s.content > 0 && (s.log.NeedLoss > 0 || s.log.Action == Repair && opt.AllowLoss < s.content):
		s.refuseContent()
		return nil
	case s.log.Action == Refuse:
		return nil
	case s.session.Header.Revision >= maxRevision:
		s.plan.refuse(fmt.Sprintf("its revision is %d, the last one that dsh reads, and a repair adds one", s.session.Header.Revision), "turnfix export --partial makes a log of it")
		return nil
	}
	if s.repaired, err = newSpool(func(w io.Writer) error { return s.log.Write(w, s.text) }); err != nil {
		return err
	}
	if err := s.log.Verify(s.repaired, s.repaired.size); err != nil {
		return err
	}
	r, err := s.repaired.reader()
	if err != nil {
		return err
	}
	digest, err := digestOfEvents(r)
	if err != nil {
		return err
	}
	s.digest = digest.sum()
	if s.content > 0 {
		s.plan.Level = Lossy
		s.plan.Ledger.Dropped += s.content
	}
	return s.countRows()
}

// planLog plans the repair of the text, in which a row that does not decode is nothing:
// the events that such rows hold go besides those that leave the text.
func (s *sessionPlan) planLog(opt Options) (*Plan, error) {
	if !opt.LikeDsh {
		opt.AllowLoss = max(0, opt.AllowLoss-s.content)
	}
	return NewPlan(s.text, s.text.size, "", opt)
}

// refuseContent refuses the session because events would go with rows that do not decode.
func (s *sessionPlan) refuseContent() {
	p := s.plan
	reason := p.Reason
	if s.log.Action == Repair {
		reason = "1 row that dsh does not take holds an event"
		if s.content > 1 {
			reason = fmt.Sprintf("%d rows that dsh does not take hold events", s.content)
		}
	}
	p.Closers, p.NewHeader, p.Splice, p.Rewrites = nil, "", nil, nil
	p.refuseLoss(s.log.NeedLoss+s.content, reason, strings.Contains(s.log.Next, string(FillGaps)))
}

// countRows says in the plan what becomes of the rows.
func (s *sessionPlan) countRows() error {
	rows := s.plan.Rows
	rows.Kept = 0
	for c, err := range s.changes() {
		switch {
		case err != nil:
			return err
		case c.add != nil:
			rows.Added++
		case c.remove != nil:
			rows.Removed++
		default:
			rows.Kept++
		}
	}
	if len(s.log.Leaves) == 0 {
		return nil
	}
	var err error
	rows.Left, err = s.leftRows()
	return err
}

// leftRows says of the text that leaves in which rows it is.
func (s *sessionPlan) leftRows() ([]LeftRows, error) {
	var left []LeftRows
	leaves, off := s.log.Leaves, int64(0)
	in := -1 // index in leaves of the last row
	r := s.session.Reader()
	for record := range r.Records() {
		end := off + int64(len(rowLine(record))) + 1
		for len(leaves) > 0 && leaves[0].FileOff+leaves[0].Len <= off {
			leaves = leaves[1:]
		}
		if len(leaves) > 0 && leaves[0].FileOff < end {
			if n := len(s.log.Leaves) - len(leaves); n != in {
				in = n
				reason := leaves[0].Reason
				if string(rowLine(record)) == undecodable {
					reason = undecodable
				}
				left = append(left, LeftRows{First: record.Key, Events: leaves[0].Events, Reason: reason})
			}
			last := &left[len(left)-1]
			last.Last = record.Key
			last.Rows++
			if record.Stored.Content {
				last.Events++
			}
		}
		off = end
	}
	return left, r.Err()
}
