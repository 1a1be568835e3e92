package repair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/store"
)

// LogOptions choose how sessions of a database become logs.
type LogOptions struct {
	Encoding scan.Encoding // of the logs: Plain or Zstd
	// Dir is a sessions directory, in which each log gets its place. File is the log
	// itself instead, for one session.
	Dir, File string
	// Partial also writes sessions that dsh does not open as they are, or only with a
	// loss, and what can be read of a database whose file is damaged.
	Partial bool
}

// ExportLogs writes the sessions of a database, or the one with the id that session
// points to, as logs. A log has all rows that decode, a line each, with their texts as they
// are; what does not decode is left out, and the transfer says so. The open turn of a
// session stays open. Nothing is overwritten, and a log appears under its name once it
// is complete, verified and durable.
func (c *Committer) ExportLogs(ctx context.Context, source StoreSource, session *string, opt LogOptions) ([]*Transfer, error) {
	d, err := source.open(ctx)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if d.Refusal != nil {
		return []*Transfer{refusedStore(source.Path, d)}, nil
	}
	faults, err := d.Integrity()
	if err != nil {
		return nil, err
	}
	sessions, err := selectSessions(d, session)
	if err != nil {
		return nil, err
	}
	if opt.File != "" && len(sessions) > 1 {
		return nil, fmt.Errorf("it has %d sessions, and %q is one log: name DATABASE#ID, or a directory", len(sessions), opt.File)
	}
	var all []*Transfer
	if len(faults) > 0 && opt.Partial {
		t := &Transfer{Path: Path(source.Path), Verdict: scan.Damaged.String()}
		t.refuse(fmt.Sprintf("its file is damaged, so that sessions and rows may be missing from what is exported: %q", faults[0]), "sqlite3 DB .recover makes a new database of what SQLite finds")
		all = append(all, t)
	}
	for _, s := range sessions {
		e := &logExport{Committer: c, ctx: ctx, source: source.file(), session: s, opt: opt}
		e.transfer = &Transfer{Path: Path(store.SessionName(source.Path, s.ID))}
		err := e.run(faults)
		if all = append(all, e.transfer); err != nil {
			return all, fmt.Errorf("session %q: %w", s.ID, err)
		}
	}
	return all, nil
}

// refusedStore is the transfer of nothing out of a database that dsh does not open.
func refusedStore(path string, d *database.Database) *Transfer {
	t := &Transfer{Path: Path(path), Verdict: scan.Damaged.String()}
	t.refuse(fmt.Sprintf("dsh does not open it: %q", d.Refusal.Text), noStoreNext(d))
	return t
}

// noStoreNext says what to do with a database that dsh does not open.
func noStoreNext(d *database.Database) string {
	if d.Refusal.Kind == database.Damage {
		return "sqlite3 DB .recover makes a new database of what SQLite finds, unless it is encrypted"
	}
	return "turnlint shows what it holds"
}

// damagedFile says why nothing is taken from a database whose file has faults.
func damagedFile(faults []string) string {
	return fmt.Sprintf("the file of the database is damaged, so that events may be missing: %q", faults[0])
}

// ErrNoSession is returned for a session that is not in its database.
var ErrNoSession = errors.New("no such session")

// selectSessions returns all sessions, or the one with an id.
func selectSessions(d *database.Database, id *string) (some []*database.Session, err error) {
	if id != nil {
		s, err := d.Session(*id)
		if err == nil && s.Header == nil && s.Refusal != nil {
			err = fmt.Errorf("%w: %q", ErrNoSession, *id)
		}
		return []*database.Session{s}, err
	}
	for s, err := range d.Sessions() {
		if err != nil {
			return nil, err
		}
		some = append(some, s)
	}
	return some, nil
}

// logExport writes one session as a log.
type logExport struct {
	*Committer
	ctx      context.Context
	source   string // path of the database, if it has one
	session  *database.Session
	opt      LogOptions
	transfer *Transfer
	verdict  scan.Verdict
	digest   string
}

func (e *logExport) run(faults []string) error {
	t := e.transfer
	if e.session.Header == nil {
		t.refuse("it has events and no row in the table sessions, so that nothing says whose they are", "turnlint shows what is there")
		return nil
	}
	reading, err := readSession(e.session)
	if err != nil {
		return err
	}
	e.verdict, t.Verdict = reading.Verdict, reading.Verdict.String()
	switch {
	case reading.HeaderRefusal != nil:
		t.refuse(fmt.Sprintf("dsh refuses its header: %q", reading.HeaderRefusal.Text), "turnlint shows what is there")
	case len(faults) > 0 && !e.opt.Partial:
		t.refuse(damagedFile(faults), "--partial exports what can be read")
	case !sound(reading.Verdict) && !e.opt.Partial:
		t.refuse(unsoundText(reading), "turnfix plan says how it can be repaired; --partial exports the rows that can be read")
	default:
		return e.publish()
	}
	return nil
}

// publish writes the log and says what was left out.
func (e *logExport) publish() error {
	target, named := e.target()
	switch err := e.measure(); {
	case errors.Is(err, errRow):
		e.transfer.refuse(err.Error(), "turnlint shows what is there")
		return nil
	case err != nil:
		return err
	case !named:
		e.transfer.refuse("its id or working directory makes no name for a directory", "name a file with --output FILE.jsonl")
		return nil
	case e.exists(target):
		e.transfer.refuse(fmt.Sprintf("%q exists: nothing is overwritten", target), "name another place with --output")
		return nil
	}
	if err := e.prepareTarget(e.source, target, 0); err != nil {
		return err
	}
	made, err := e.stage(filepath.Dir(target), filepath.Base(target), Attributes{Mode: 0o600}, content{write: e.write, verify: e.verify})
	if err != nil {
		return err
	}
	if err := errors.Join(e.ctx.Err(), e.publishNew(made.path, target)); err != nil {
		return e.discard(made, err)
	}
	e.transfer.Target = Path(target)
	return e.confirm(target, made.print.SHA256)
}

// target returns where the log goes, if there is a name for it.
func (e *logExport) target() (path string, named bool) {
	if e.opt.File != "" {
		return e.opt.File, true
	}
	_, place, ok := placeOf(e.session.Header.Header, session.LogName{Zstd: e.opt.Encoding == scan.Zstd}.String())
	return filepath.Join(e.opt.Dir, place), ok
}

// measure takes the digest of the events that will be in the log, and finds what will
// not be.
func (e *logExport) measure() error {
	d := newEventsDigest()
	r := e.session.Reader()
	for record := range r.Records() {
		switch {
		case record.Kind == scan.Header:
		case decodes(record):
			if err := checkRow(record); err != nil {
				return err
			}
			d.add(record)
		default:
			seq := record.Key
			e.transfer.LeftOut = append(e.transfer.LeftOut, Omission{Seq: &seq, Reason: "row that does not decode: " + faultOf(record)})
		}
	}
	e.digest, e.transfer.Events = d.sum(), d.events
	return r.Err()
}

// decodes reports whether a row holds events.
func decodes(r *scan.Record) bool { return r.Kind == scan.Event || r.Kind == scan.Row }

// write writes the log: in zstd the header has a frame of its own, and each turn one, so
// that damage to one frame spoils one turn.
func (e *logExport) write(w io.Writer) error {
	out := &logWriter{w: w}
	if e.opt.Encoding == scan.Zstd {
		var err error
		if out.frame, err = newFrame(w); err != nil {
			return err
		}
	}
	r := e.session.Reader()
	for record := range r.Records() {
		if record.Kind != scan.Header && !decodes(record) {
			continue
		}
		ends := record.Kind == scan.Header || record.Kind == scan.Event && record.Event.Kind == session.TurnEnd
		if err := out.line(rowLine(record), ends); err != nil {
			return err
		}
	}
	return errors.Join(r.Err(), out.close())
}

// verify reads the log back: dsh must make of it what it makes of the session, or better
// where torn rows are gone, and it must hold the same events.
func (e *logExport) verify(src io.ReaderAt, size int64) error {
	r, err := scan.NewReader(src, size, scan.Options{Encoding: e.opt.Encoding})
	if err != nil {
		return err
	}
	m := scan.NewModel(scan.ModelOptions{})
	d := newEventsDigest()
	header := ""
	for record := range r.Records() {
		m.Add(record)
		if d.add(record); record.Kind == scan.Header {
			header = string(record.Text)
		}
	}
	switch verdict := m.Reading(r.Container()).Verdict; {
	case r.Err() != nil:
		return r.Err()
	case d.sum() != e.digest || header != string(e.session.Header.Line):
		return errors.New("the log holds other events than the database")
	case sound(e.verdict) && verdict > e.verdict:
		return fmt.Errorf("the log %s, and the session in the database %s", verdict, e.verdict)
	}
	return nil
}

// logWriter writes the lines of a log, in frames when it has an encoder.
type logWriter struct {
	w     io.Writer
	frame *zstd.Encoder
	open  bool // a frame has begun
}

// line writes a line, without its LF; ends says that its frame ends behind it.
func (l *logWriter) line(text []byte, ends bool) error {
	if l.frame == nil {
		return writeLine(l.w, text)
	}
	if l.open = true; ends {
		defer l.frame.Reset(l.w)
	}
	err := writeLine(l.frame, text)
	if err == nil && ends {
		err = l.close()
	}
	return err
}

// close ends the frame that has begun, if one has. Its content size is not declared,
// like in those of dsh; see [Plan.Write].
func (l *logWriter) close() error {
	if !l.open {
		return nil
	}
	l.open = false
	return errors.Join(l.frame.Flush(), l.frame.Close())
}
