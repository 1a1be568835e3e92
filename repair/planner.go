package repair

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// NewPlan reads the log in the first size bytes of src and plans its repair. path
// is its name, for the plan and for the encoding that dsh expects of the name; ""
// for a log without one. An error means that src could not be read.
func NewPlan(src io.ReaderAt, size int64, path string, opt Options) (*Plan, error) {
	sum, err := hashOf(src, size)
	if err != nil {
		return nil, err
	}
	result, err := rules.Check(src, size, rules.Options{Path: path, Encoding: opt.Encoding})
	if err != nil {
		return nil, err
	}
	opt.Encoding = result.Container.Encoding
	p := &Plan{
		Version: PlanVersion, Path: Path(path), Size: size, SHA256: sum, Encoding: opt.Encoding.String(),
		Verdict: result.Reading.Verdict.String(), Options: opt, Action: Nothing, Keep: size,
		known: errorsOf(result),
	}
	p.Ledger.Kept = result.Reading.Scan.Events
	named := scan.EncodingOfName(filepath.Base(path))
	if named != scan.Auto && named != opt.Encoding && result.Reading.Verdict != scan.Unreadable {
		p.refuse(fmt.Sprintf("dsh expects a %s log under this name and the content is %s", named, opt.Encoding),
			"give the log a name that fits its content")
		return p, nil
	}
	switch result.Reading.Verdict {
	case scan.Opens:
	case scan.Recovers, scan.Loses:
		err = p.planRecovery(src, result)
	default:
		p.refuseReading(result.Reading)
	}
	return p, err
}

// hashOf returns the SHA-256 of the first size bytes of src in lower-case hex.
func hashOf(src io.ReaderAt, size int64) (string, error) {
	h := sha256.New()
	n, err := io.Copy(h, io.NewSectionReader(src, 0, size))
	if err == nil && n < size {
		err = io.ErrUnexpectedEOF
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

// refuseReading explains why a log that dsh does not open is left alone.
func (p *Plan) refuseReading(r *scan.Reading) {
	refusal := r.Refusal()
	switch {
	case r.Bricks:
		p.refuse("dsh would close the open turn with a turn/end that it refuses to read again, because the turn has no number from 1",
			"do not open it in dsh, which would write that turn/end; keep a copy")
	case r.Verdict == scan.Incompatible:
		p.refuse(fmt.Sprintf("the log is intact and dsh refuses it: %q", refusal.Text),
			"open it with a harness that reads it; it needs no repair")
	case r.Verdict == scan.Unreadable:
		p.refuse("it is no session log, or has a line that is too long to read", "turnlint shows what it holds")
	default:
		p.refuse(fmt.Sprintf("dsh refuses it: %q", refusal.Text),
			"turnlint shows every place that is damaged; turnfix repairs what dsh itself would recover, and nothing more")
	}
}

// planRecovery plans for a log that dsh opens after a recovery of its own.
func (p *Plan) planRecovery(src io.ReaderAt, result *rules.Result) error {
	switch hidden := result.Container.Hidden; {
	case p.Options.LikeDsh:
		return p.planLikeDsh(src, result)
	case result.Projection:
		p.refuse("it is a projection of a session for tests, whose events have no seq, so that dsh would drop them all", "leave it as it is")
		return nil
	case hidden.Found:
		return p.refuseHidden(src, result.Container)
	case hidden.Capped:
		p.refuse("the search for intact frames behind the torn one took too long", "do not open it in dsh, which would cut off whatever is there")
		return nil
	}
	tail, err := p.readTail(src, result, false)
	if err != nil {
		return err
	}
	reading := tail.model.Reading(&scan.Container{Encoding: scan.Plain})
	switch {
	case tail.tooLong:
		p.refuse("a line in its tail is too long to judge", "turnlint shows where it is")
	case reading.Refusal() != nil || reading.Bricks:
		return p.planWithoutTail(src, result, reading)
	case tail.dropped() > p.Options.AllowLoss:
		p.refuseLoss(tail.dropped(), notNext(tail.dropped()))
	default:
		p.adopt(tail, reading.Closers)
	}
	return nil
}

// planLikeDsh plans what dsh itself would do.
func (p *Plan) planLikeDsh(src io.ReaderAt, result *rules.Result) error {
	tail, err := p.readTail(src, result, true)
	if err != nil {
		return err
	}
	if result.Container.Hidden.Found {
		hidden, err := hiddenEvents(src, result.Container)
		if err != nil {
			return err
		}
		tail.leaves[0].Events += hidden // the torn frame, which claims their bytes
	}
	p.adopt(tail, result.Reading.Closers)
	return nil
}

// planWithoutTail plans for a log whose tail continues the sequence, but not
// in a way that dsh accepts: only without the tail does it open.
func (p *Plan) planWithoutTail(src io.ReaderAt, result *rules.Result, with *scan.Reading) error {
	tail, err := p.readTail(src, result, true)
	if err != nil {
		return err
	}
	if tail.dropped() <= p.Options.AllowLoss {
		p.adopt(tail, result.Reading.Closers)
		return nil
	}
	why := "dsh could not close its open turn"
	if refusal := with.Refusal(); refusal != nil {
		why = fmt.Sprintf("dsh would say %q", refusal.Text)
	}
	p.refuseLoss(tail.dropped(), "with the events in its tail "+why)
	return nil
}

// adopt makes p the repair that keeps what tail keeps and adds closers.
func (p *Plan) adopt(t *tail, closers [][]byte) {
	p.Action = Repair
	p.Keep, p.Again, p.Leaves = t.keep, t.again, t.leaves
	for _, text := range closers {
		p.Closers = append(p.Closers, json.RawMessage(text))
	}
	p.Ledger = Ledger{Kept: t.kept, Dropped: t.dropped(), Synthesised: int64(len(closers))}
}

func (p *Plan) refuseLoss(n int64, reason string) {
	p.refuse(reason, fmt.Sprintf("do not open it in dsh, which would drop them for good; --allow-loss %d moves them to lost+found", n))
	p.NeedLoss = n
}

func notNext(n int64) string {
	if n == 1 {
		return "1 event in its tail does not continue the sequence"
	}
	return fmt.Sprintf("%d events in its tail do not continue the sequence", n)
}

// refuseHidden refuses a torn tail that is not one: a damaged size field hides
// intact frames, which dsh would cut off (docs/format.md §1.3).
func (p *Plan) refuseHidden(src io.ReaderAt, c *scan.Container) error {
	n, err := hiddenEvents(src, c)
	p.refuse(fmt.Sprintf("the frame at byte %d is damaged and not torn: it hides, from byte %d on, %s with %s",
		c.Torn.FileOff, c.Hidden.Off, count(int64(c.Hidden.Frames), "intact frame"), count(n, "event")),
		"do not open it in dsh, which would cut them off; keep a copy of the log")
	return err
}

// hiddenEvents counts the complete events from the first hidden frame to the end
// of the file.
func hiddenEvents(src io.ReaderAt, c *scan.Container) (n int64, err error) {
	size := c.Size - c.Hidden.Off
	r, err := scan.NewReader(io.NewSectionReader(src, c.Hidden.Off, size), size, scan.Options{Encoding: scan.Zstd})
	if err != nil {
		return 0, err
	}
	for record := range r.Records() {
		if record.Kind == scan.Header {
			asEvent(record)
		}
		if record.IsEvent() {
			n += record.Events()
		}
	}
	return n, r.Err()
}

// asEvent makes an event or row of the first line of a part of a log, which the
// Reader takes for the header.
func asEvent(r *scan.Record) {
	if r.Syntax != nil {
		r.Kind = scan.Undecodable
		return
	}
	r.Kind = scan.Event
	r.Event.Read(&r.Doc)
	if tag := session.ChunkKindOf(r.Event.Type); tag != session.NoChunks {
		r.Kind = scan.Undecodable
		if r.Row.Read(tag, &r.Doc) {
			r.Kind = scan.Row
		}
	}
}

// count puts a number of things into words.
func count(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// errorKey names an error finding by its rule and its event.
type errorKey struct {
	rule string
	seq  int64 // -1 for a finding without event
}

var noSeq = int64(-1)

// errorsOf returns the errors among the findings.
func errorsOf(result *rules.Result) map[errorKey]bool {
	keys := make(map[errorKey]bool)
	for i := range result.Findings {
		f := &result.Findings[i]
		if f.Severity == rules.Error {
			keys[errorKey{f.Rule.ID, *cmp.Or(f.Seq, &noSeq)}] = true
		}
	}
	return keys
}
