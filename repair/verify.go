package repair

import (
	"fmt"
	"io"

	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// Verify checks a repaired log: dsh must open it as it is, it must hold the events
// that the ledger says, and a line that dsh would have dropped must not bring in
// an error that the log did not have. The error says what is wrong.
func (p *Plan) Verify(src io.ReaderAt, size int64) error {
	opt := rules.Options{Encoding: p.written(), Digests: p.Digest != ""}
	if p.Generation > session.Version {
		opt.Path = p.logName() // by which the reader is chosen
	}
	result, err := rules.Check(src, size, opt)
	if err != nil {
		return err
	}
	reading, digest := result.Reading, result.Reading.Load.Digest
	switch {
	case p.fork() && reading.Scan.Refusal == nil && !reading.Scan.Torn && reading.Dropped == 0:
		digest = reading.Scan.Digest // all that is known of it
	case reading.Verdict != scan.Opens:
		if refusal := reading.Refusal(); refusal != nil {
			return fmt.Errorf("the repaired log %s: %q", reading.Verdict, refusal.Text)
		}
		return fmt.Errorf("dsh would not open the repaired log as it is: it %s", reading.Verdict)
	}
	if want := p.Ledger.after(); reading.Scan.Events != want {
		return fmt.Errorf("the repaired log has %s and not %d", words.Count(reading.Scan.Events, "event"), want)
	}
	if p.Digest != "" && digest != p.Digest {
		return fmt.Errorf("the repaired log holds other events than it should")
	}
	if err := p.checkRewrites(src, size); err != nil {
		return err
	}
	if err := p.newErrors(result); err != nil {
		return err
	}
	return p.checkMend(src, size)
}

// checkRewrites makes sure that no event is left that needs what was allowed.
func (p *Plan) checkRewrites(src io.ReaderAt, size int64) error {
	if len(p.Rewrites) == 0 {
		return nil
	}
	s := &source{src: src, size: size, encoding: p.written(), generation: p.Generation}
	e, err := newEditor(s, "", p.Options.Allow, false)
	if err != nil {
		return err
	}
	s.editor = e
	for piece := range s.pieces() {
		if n := len(piece.span.Edits); n > 0 {
			return fmt.Errorf("the repaired log still needs %s in line %d", piece.span.Edits[0].Allow, piece.record.Line)
		}
	}
	return s.err
}

// newErrors looks for errors among the kept events that the log did not have
// before. Closers are dsh's own, and what it would write is no one's error here; nor
// is what the log of the parent has.
func (p *Plan) newErrors(result *rules.Result) error {
	for key := range errorsOf(result) {
		before := errorKey{key.rule, p.runs.before(key.seq)}
		if !p.known[key] && !p.known[before] && key.seq < p.Ledger.after()-int64(len(p.Closers)) && (key.seq < 0 || key.seq >= p.Ledger.Spliced) {
			return fmt.Errorf("the repaired log has the error %s at seq %d, which the damaged one has not", key.rule, key.seq)
		}
	}
	return nil
}
