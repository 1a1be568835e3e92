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
	// An encoding that detection finds too is no choice of the user: dsh still goes
	// by the name of the log.
	if detected, err := scan.Detect(src, size); err != nil {
		return nil, err
	} else if detected == opt.Encoding {
		opt.Encoding = scan.Auto
	}
	result, err := check(src, size, path, opt.Encoding)
	if err != nil {
		return nil, err
	}
	opt.Encoding = result.Container.Encoding
	p := &Plan{
		Version: PlanVersion, Tool: tool(), Path: Path(path), Size: size, SHA256: sum, Encoding: opt.Encoding.String(),
		Generation: result.Reading.Generation, Verdict: result.Reading.Verdict.String(), Options: opt, Action: Nothing, Written: opt.Encoding.String(), Keep: size,
		known: errorsOf(result),
	}
	p.Ledger.Kept = result.Reading.Scan.Events
	if named := scan.EncodingOfName(filepath.Base(path)); named != scan.Auto && result.Reading.Verdict != scan.Unreadable {
		p.Written = named.String()
	}
	if err := p.decide(src, result); err != nil {
		return nil, err
	}
	if winner := hiding(path); p.Action == Repair && winner != "" && !opt.Copy {
		p.refuseHidden(winner)
	}
	p.foresee()
	return p, nil
}

// foresee says what is there after p.
func (p *Plan) foresee() {
	switch p.After = p.Verdict; {
	case p.Action != Repair:
	case p.fork():
		p.After = scan.Incompatible.String()
	default:
		p.After, p.Reader = scan.Opens.String(), readerOf(p.Generation)
	}
}

// check reads the log as the dsh of its generation does. A log that neither its name
// nor its first line gives one has that of the first header in it.
func check(src io.ReaderAt, size int64, path string, encoding scan.Encoding) (*rules.Result, error) {
	result, err := rules.Check(src, size, rules.Options{Path: path, Encoding: encoding})
	if err != nil || result.Reading.Generation > session.Version {
		return result, err
	}
	if _, named := session.ParseLogName(filepath.Base(path)); named || result.Reading.Scan.Refusal == nil {
		return result, nil
	}
	generation, err := statedGeneration(src, size, result.Container.Encoding)
	if err != nil || generation == session.Version {
		return result, err
	}
	name := session.LogName{Generation: generation, Zstd: result.Container.Encoding == scan.Zstd}
	return rules.Check(src, size, rules.Options{Path: name.String(), Encoding: encoding})
}

// decide chooses the way of the repair by what dsh makes of the log.
func (p *Plan) decide(src io.ReaderAt, result *rules.Result) error {
	reading := result.Reading
	misnamed := p.Written != p.Encoding
	switch {
	case p.mends():
		return p.planMend(src, result)
	case reading.Verdict == scan.Opens && !misnamed:
		return nil
	case p.fork() && (p.Options.LikeDsh || reading.Scan.Refusal == nil && !reading.Scan.Torn && reading.Dropped == 0 && !misnamed):
		p.refuseFork("")
	case reading.Verdict == scan.Unreadable && (p.Options.LikeDsh || p.Options.Encoding == scan.Plain || p.Size == 0),
		reading.Verdict == scan.Incompatible && (p.Options.LikeDsh || reading.Scan.Refusal != nil), reading.Bricks:
		p.refuseReading(src, reading)
		return nil
	case result.Projection && !p.Options.LikeDsh:
		p.refuse("it is a projection of a session for tests, whose events have no seq, so that dsh would drop them all", "leave it as it is")
	case !p.Options.LikeDsh:
		return p.planSalvage(src, result)
	case misnamed:
		p.refuse(fmt.Sprintf("dsh expects a %s log under this name and the content is %s", p.Written, p.Encoding),
			"without --like-dsh turnfix writes it as its name promises")
	case reading.Refusal() != nil:
		p.refuseReading(src, reading)
	default:
		return p.planLikeDsh(src, result)
	}
	return nil
}

// hashOf returns the SHA-256 of the first size bytes of src in lower-case hex.
func hashOf(src io.ReaderAt, size int64) (string, error) {
	h := sha256.New()
	err := copyRange(h, src, Range{0, size})
	return hex.EncodeToString(h.Sum(nil)), err
}

// bricks says why a log is left alone that dsh would close and never open again.
const bricks = "dsh would close the open turn with a turn/end that it refuses to read again, because the turn has no number from 1"

// refuseReading explains why a log that dsh does not open is left alone.
func (p *Plan) refuseReading(src io.ReaderAt, r *scan.Reading) {
	refusal := r.Refusal()
	switch {
	case r.Bricks:
		p.refuse(bricks, "do not open it in dsh, which would write that turn/end; keep a copy")
	case r.Verdict == scan.Incompatible:
		p.refuse(fmt.Sprintf("the log is intact and dsh refuses it: %q", refusal.Text),
			"open it with a harness that reads it; it needs no repair")
	case r.Verdict == scan.Unreadable && isUTF16(src, p.Size):
		p.refuse("its text is UTF-16, and a log is UTF-8", "have the program that saved it write it as UTF-8")
	case r.Verdict == scan.Unreadable:
		p.refuse("it is no session log, or has a line that is too long to read", "turnlint shows what it holds")
	default:
		p.refuseText(refusal.Text)
	}
}

// refuseText refuses a log for which dsh has the given words.
func (p *Plan) refuseText(text string) {
	p.refuse(fmt.Sprintf("dsh refuses it: %q", text), "turnlint shows every place that is damaged")
}

// isUTF16 tells by the byte order mark, or by the brace that starts a header.
func isUTF16(src io.ReaderAt, size int64) bool {
	var head [2]byte
	if size < int64(len(head)) {
		return false
	}
	if _, err := src.ReadAt(head[:], 0); err != nil {
		return false
	}
	switch string(head[:]) {
	case "\xFF\xFE", "\xFE\xFF", "{\x00", "\x00{":
		return true
	}
	return false
}

// planLikeDsh plans what dsh itself would do.
func (p *Plan) planLikeDsh(src io.ReaderAt, result *rules.Result) error {
	tail, err := p.readTail(src, result)
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
	p.Action, p.Keep, p.Leaves = Repair, tail.keep, tail.leaves
	if tail.again != nil {
		p.Parts = []Part{{Lines: tail.again}}
	}
	p.close(tail.closers)
	p.Ledger = Ledger{Kept: tail.kept, Dropped: tail.dropped(), Synthesised: int64(len(p.Closers))}
	return nil
}

func (p *Plan) close(closers [][]byte) {
	for _, text := range closers {
		p.Closers = append(p.Closers, json.RawMessage(text))
	}
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
		if record.Kind == scan.Header { // the first line of a part of a log is none
			record.Reparse(record.Text)
		}
		if record.IsEvent() {
			n += record.Events()
		}
	}
	return n, r.Err()
}

// errorKey names an error finding by its rule and its event.
type errorKey struct {
	rule string
	seq  int64 // -1 for a finding without event
}

var noSeq = int64(-1)

// errorsOf returns the errors among the findings that a repair may be about. The
// others are the events' own: they come to light when damage around them goes.
func errorsOf(result *rules.Result) map[errorKey]bool {
	keys := make(map[errorKey]bool)
	for i := range result.Findings {
		f := &result.Findings[i]
		if f.Severity == rules.Error && f.Rule.Fix != rules.NoFix {
			keys[errorKey{f.Rule.ID, *cmp.Or(f.Seq, &noSeq)}] = true
		}
	}
	return keys
}
