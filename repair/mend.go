package repair

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/upgrade"
)

// A log may be sound for the dsh that wrote it, while a newer one refuses to take it
// over for something that says little: a version number, the name of a plugin, a
// member too many. A mended copy of the same generation changes that, and nothing
// else. dsh never changes the log of an earlier generation, so nor does turnfix: the
// user puts the copy in place, or does not.

// mend is what an upgrade says of a log before its members are changed for it.
type mend struct {
	refused map[int64][]string // why, by the seq of the event
	more    bool               // not all refusals are known: there are too many of them
	edited  map[int64]bool     // seqs of the events that change
	left    []string           // why the mended log is still refused
}

// mends reports whether the user wants a log mended for an upgrade.
func (p *Plan) mends() bool {
	return slices.ContainsFunc(p.Options.Allow, func(a Permission) bool {
		m := remedyOf(a)
		return m != nil && m.upgrade
	})
}

// StillRefused returns why newer versions of dsh refuse the log that p has mended for
// them, once that has been verified.
func (p *Plan) StillRefused() []string {
	if p.mend == nil {
		return nil
	}
	return p.mend.left
}

// Mends reports whether p changes the log for newer versions of dsh only.
func (p *Plan) Mends() bool { return p.mend != nil && p.Action == Repair }

// planMend plans the copy of a sound log that a newer dsh takes over.
func (p *Plan) planMend(src io.ReaderAt, result *rules.Result) error {
	switch verdict := result.Reading.Verdict; {
	case p.Generation >= session.Newest:
		p.refuse(fmt.Sprintf("no version of dsh takes a log of v%d over into a later format", p.Generation), "turnlint shows what is wrong with it")
		return nil
	case verdict > scan.Recovers:
		p.refuse(fmt.Sprintf("it has to be repaired before it is mended for an upgrade: its verdict is %s", verdict), "turnfix without those names says how")
		return nil
	case !p.Options.Copy:
		p.Level = Assisted
		p.refuse("the dsh that wrote it opens it, and the log of an earlier generation is never changed in place: it is what one can go back to",
			"apply --output DIR with the same names writes a mended copy")
		return nil
	}
	forecast, err := p.upgrade(src, p.Size)
	if err != nil {
		return err
	}
	refusals := forecast.Refusals
	if len(refusals) == 0 {
		p.refuse("newer versions of dsh take it over as it is", "leave it as it is")
		return nil
	}
	p.mend = &mend{refused: make(map[int64][]string), edited: make(map[int64]bool), more: forecast.RefusalCount > len(refusals)}
	for _, r := range refusals {
		p.mend.refused[r.Row] = append(p.mend.refused[r.Row], r.Detail)
	}
	if err := p.salvage(src, result, false); err != nil {
		return err
	}
	if p.Action == Repair && len(p.mend.edited) == 0 {
		p.refuse("nothing of what is allowed is why a newer dsh refuses it, which is: "+refusals[0].Text, "turnlint --reader 0.2 shows all of it")
	}
	return nil
}

// upgrade returns what the newest dsh makes of a log of the plan's generation.
func (p *Plan) upgrade(src io.ReaderAt, size int64) (*upgrade.Result, error) {
	return upgrade.Run(src, size, int(p.Generation), upgrade.Latest, upgrade.Options{Encoding: p.written(), All: true})
}

// checkMend makes sure that the reason is gone for which the changed events were
// refused, and that none of them lacks anything now.
func (p *Plan) checkMend(src io.ReaderAt, size int64) error {
	if p.mend == nil {
		return nil
	}
	result, err := p.upgrade(src, size)
	if err != nil {
		return err
	}
	p.mend.left = nil
	for _, r := range result.Refusals {
		if p.mend.edited[r.Row] && (slices.Contains(p.mend.refused[r.Row], r.Detail) || strings.Contains(r.Detail, " lacks ")) {
			return fmt.Errorf("a newer dsh refuses the mended log, too: %q", r.Text)
		}
		p.mend.left = append(p.mend.left, r.Text)
	}
	return nil
}

// note notes that an event changes for an upgrade.
func (m *mend) note(r *scan.Record, edits []Edit) {
	if m == nil || !slices.ContainsFunc(edits, func(e Edit) bool { return remedyOf(e.Allow).upgrade }) {
		return
	}
	if seq, ok := r.Seq(); ok {
		m.edited[seq] = true
	}
}

// needs reports whether the event of a record is refused with the given words.
func (m *mend) needs(r *scan.Record, words string) bool {
	seq, ok := r.Seq()
	if m == nil || !ok || r.Kind != scan.Event {
		return false
	}
	return m.more || slices.ContainsFunc(m.refused[seq], func(why string) bool { return strings.Contains(why, words) })
}

// setDescriptor lets the description of a sub-agent state the version that upgrades
// take. Both have the same members (docs/upgrades.md).
var setDescriptor = &remedy{
	name: "set-descriptor-version", native: true, upgrade: true, does: "sets to 3 the descriptor version of",
	find: func(e *editor, r *scan.Record, propose func(string, Edit)) {
		version := r.Event.Field("version")
		if e.mend.needs(r, "version") && r.Event.Kind == session.SubagentDescriptor && string(version.Raw()) == "2" {
			propose("", setValue(r, "data.version", version, "3"))
		}
	},
}

// retiredSource makes messages of a kind of source that formats up to v3 do not have
// those of a plugin of that name. The members of the source that those of a plugin
// do not have go to the record of edits.
var retiredSource = &remedy{
	name: "retired-source", wants: "KIND", native: true, upgrade: true, does: "makes messages of a plugin of those of",
	find: func(e *editor, r *scan.Record, propose func(string, Edit)) {
		if e.generation > 2 || !e.mend.needs(r, "source") {
			return
		}
		for member, source := range messageSources(&r.Event) {
			if kind := source.Get("kind"); kind.NonEmptyString() && !kind.EqualText("plugin") {
				propose(kind.Text(), setValue(r, member, source, pluginSource(kind, source)))
			}
		}
	},
}

// pluginSource returns the source of a plugin that is called as a kind is.
func pluginSource(kind, source jsjson.Value) string {
	text := `{"kind":"plugin","plugin":` + string(kind.Raw())
	if summary := source.Get("summary"); summary.Kind == jsjson.String && source.Get("form").EqualText("notice") {
		text += `,"form":"notice","summary":` + string(summary.Raw())
	}
	return text + "}"
}

// messageSources yields the sources of the user's messages in an event, with the
// names of their members.
func messageSources(e *session.Event) func(yield func(string, jsjson.Value) bool) {
	return func(yield func(string, jsjson.Value) bool) {
		list := jsjson.Value{}
		switch e.Kind {
		case session.UserMessage:
			yield("data.source", e.Field("source"))
		case session.InboxSpliced:
			list = e.Field("inserted")
		case session.SessionTitleRequest:
			list = e.Field("messages")
		}
		for message := range list.Elements() {
			if !yield("data.message.source", message.Get("source")) {
				return
			}
		}
	}
}

// movePayload takes members out of the data of events that an upgrade does not expect
// there.
var movePayload = &remedy{
	name: "move-payload-member", wants: "TYPE:MEMBER", native: true, upgrade: true, does: "moves a member of the data to the record of edits from",
	find: func(e *editor, r *scan.Record, propose func(string, Edit)) {
		if !e.mend.needs(r, "unexpected") {
			return
		}
		object := func(key jsjson.Value) string { return r.Event.Type.Text() + ":" + key.Text() }
		goes := func(m jsjson.Member) bool { return e.may(Permission("move-payload-member=" + object(m.Key))) }
		for m, edit := range removeMembers(r, "data.", r.Event.Data, goes) {
			propose(object(m.Key), edit)
		}
	},
}

// removeMembers yields the edits that take members out of an object, each with the
// comma on the side of the first member that stays.
func removeMembers(r *scan.Record, lead string, object jsjson.Value, goes func(jsjson.Member) bool) func(yield func(jsjson.Member, Edit) bool) {
	return func(yield func(jsjson.Member, Edit) bool) {
		all := slices.Collect(object.Members())
		first := slices.IndexFunc(all, func(m jsjson.Member) bool { return !goes(m) })
		for i, m := range all {
			if !goes(m) {
				continue
			}
			from, to := r.Doc.Offset(m.Key), r.Doc.Offset(m.Value)+len(m.Value.Raw())
			switch {
			case first >= 0 && i > first:
				from = bytes.LastIndexByte(r.Text[:from], ',')
			case i < len(all)-1:
				to += bytes.IndexByte(r.Text[to:], ',') + 1
			}
			if !yield(m, Edit{At: from, Len: to - from, Member: lead + m.Key.Text()}) {
				return
			}
		}
	}
}
