package main

import (
	"crypto/sha256"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/diff"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// message is an event on the surface: one that dsh gives to the model.
type message struct {
	seq      int64
	line     int    // 0 for one that dsh makes up on load
	kind     string // type of the event
	role, id string // of the message, as JavaScript strings
	size     int64  // bytes of the canonical text of its content
	sum      [sha256.Size]byte
	content  []byte // that text; only if asked for
}

// history is what dsh gives to the model of a log.
type history struct {
	refusal *session.Refusal // why there is none
	all     []message
}

// messages is the history of a log, and what a repair makes of it.
type messages struct {
	now      history
	plan     *repair.Plan // nil of a session in a database
	repaired *history     // nil where nothing is repaired
	texts    bool         // show the contents
}

// readMessages reads the history of a log, and of the log that a repair with nothing
// allowed would make of it.
func readMessages(c *cli.Context, src *shared.Source, result *rules.Result, opt *rules.Options) (*messages, error) {
	m := &messages{texts: c.Bool("show-text")}
	m.now.refusal = result.Reading.Refusal()
	if m.now.refusal == nil {
		if err := m.now.readLog(src, scan.Options{Encoding: opt.Encoding, MaxLine: opt.MaxLine}, m.texts); err != nil {
			return nil, err
		}
	}
	var err error
	m.plan, err = repair.NewPlan(src, src.Size(), opt.Path, repair.Options{Encoding: opt.Encoding})
	if err != nil || m.plan.Action != repair.Repair {
		return m, err
	}
	out, in := io.Pipe()
	defer out.Close()
	go func() { in.CloseWithError(m.plan.Write(in, src)) }()
	err = shared.Read(c.Context, shared.Stdin, out, func(repaired *shared.Source) error {
		m.repaired = new(history)
		return m.repaired.readLog(repaired, scan.Options{MaxLine: opt.MaxLine}, m.texts)
	})
	return m, err
}

// readLog is read for a log.
func (h *history) readLog(src *shared.Source, opt scan.Options, texts bool) error {
	r, err := scan.NewReader(src, src.Size(), opt)
	if err != nil {
		return err
	}
	return h.read(r, texts)
}

// read folds the surface of a log (docs/format.md §2.3), with the results that dsh
// makes up for unanswered calls.
func (h *history) read(r *scan.Reader, texts bool) error {
	model := scan.NewModel(scan.ModelOptions{})
	bySeq := make(map[int64]message) // those that were replaced too
	for record := range r.Records() {
		if !model.Add(record) || record.Kind != scan.Event {
			continue
		}
		if e := model.Normal(); e != nil && e.Kind.Surface() {
			seq, _ := record.Seq()
			bySeq[seq] = newMessage(e, seq, record.Line, texts)
		}
	}
	reading := model.Reading(r.Container())
	if h.refusal = reading.Refusal(); h.refusal != nil || reading.Unread || r.Err() != nil {
		return r.Err()
	}
	for _, seq := range model.Surface() {
		h.all = append(h.all, bySeq[seq])
	}
	h.all = append(h.all, madeUp(reading.Closers, texts)...)
	return nil
}

func newMessage(e *session.Event, seq int64, line int, texts bool) message {
	content := jsjson.AppendCanonical(nil, e.MessageField("content"))
	m := message{
		seq: seq, line: line, kind: e.Kind.String(),
		role: e.MessageField("role").JSString(), id: e.MessageField("id").JSString(),
		size: int64(len(content)), sum: sha256.Sum256(content),
	}
	if texts {
		m.content = content
	}
	return m
}

// madeUp returns the messages among the closers (docs/format.md §4.4).
func madeUp(closers [][]byte, texts bool) (all []message) {
	var record scan.Record
	for _, text := range closers {
		record.Reparse(text)
		if seq, ok := record.Seq(); ok && record.Event.Kind.Surface() {
			all = append(all, newMessage(&record.Event, seq, 0, texts))
		}
	}
	return all
}

// changedMessage is a message and what a repair does to it.
type changedMessage struct {
	message
	mark byte // ' ', '-' for one that goes, '+' for one that comes
}

// changes returns the messages now and after the repair, each once.
func (m *messages) changes() (all []changedMessage) {
	after := m.now.all
	if m.repaired != nil {
		after = m.repaired.all
	}
	before := m.now.all
	for _, run := range diff.Runs(messageKeys(before), messageKeys(after)) {
		from := &before
		if run.Op == '+' {
			from = &after
		}
		for _, one := range (*from)[:run.N] {
			all = append(all, changedMessage{one, byte(run.Op)})
		}
		if run.Op != '+' {
			before = before[run.N:]
		}
		if run.Op != '-' {
			after = after[run.N:]
		}
	}
	return all
}

// messageKey tells messages apart.
type messageKey struct {
	seq            int64
	kind, role, id string
	sum            [sha256.Size]byte
}

func messageKeys(all []message) []messageKey {
	keys := make([]messageKey, len(all))
	for i, m := range all {
		keys[i] = messageKey{m.seq, m.kind, m.role, m.id, m.sum}
	}
	return keys
}

// changed reports whether the repair changes the history.
func (m *messages) changed() bool {
	return slices.ContainsFunc(m.changes(), func(c changedMessage) bool { return c.mark != ' ' })
}
