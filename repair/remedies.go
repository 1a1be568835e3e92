package repair

import (
	"fmt"
	"math"
	"strconv"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// markIgnorable marks events of a type that dsh does not know, so that it passes
// over them (docs/format.md §4.3).
var markIgnorable = &remedy{
	name: "mark-ignorable", wants: "TYPE", native: true, does: "marks as ignorable",
	find: func(_ *editor, r *scan.Record, propose func(string, Edit)) {
		e := &r.Event
		if r.Kind != scan.Event || e.Kind != session.Unknown || e.Type.Kind != jsjson.String || e.Ignorable.Kind == jsjson.True || isRetired(e) {
			return
		}
		edit := addMember(r, "ignorable", e.Root, "ignorable", "true")
		if e.Ignorable.Exists() {
			edit = setValue(r, "ignorable", e.Ignorable, "true")
		}
		propose(e.Type.Text(), edit)
	},
}

// isRetired tells the types of earlier writers, which dsh refuses or upgrades
// whatever their events are marked with (docs/format.md §4.1 and §4.2).
func isRetired(e *session.Event) bool {
	return e.Type.EqualText("request/header-delta") || e.Type.EqualText("mode/set") || e.Type.EqualText("steering/message")
}

// mintedIDPrefix starts the ids of messages that had none.
const mintedIDPrefix = "repaired-message:"

// mintIDs gives messages without an id one that follows from the session and the
// seq. Shapes of earlier writers, which have no role either, get theirs from dsh
// (docs/format.md §4.2).
var mintIDs = &remedy{
	name: "mint-id", wants: "TYPE", does: "gives a message id to",
	find: func(ed *editor, r *scan.Record, propose func(string, Edit)) {
		e := &r.Event
		seq, ok := e.Seq.SafeInt()
		id := e.MessageField("id")
		if r.Kind != scan.Event || !e.Kind.Surface() || !ok || id.NonEmptyString() || !e.MessageField("role").Exists() {
			return
		}
		member, value := "data.message.id", quoted(mintedIDPrefix+"%s:%d", ed.session, ed.renumbered(seq))
		if e.Kind == session.UserMessage {
			member = "data.id"
		}
		edit := addMember(r, member, e.Message().Value, "id", value)
		if id.Exists() {
			edit = setValue(r, member, id, value)
		}
		propose(e.Type.Text(), edit)
	},
}

func quoted(format string, args ...any) string {
	return string(jsjson.AppendQuoted(nil, fmt.Sprintf(format, args...)))
}

// moveMembers takes members out of the envelope that do not belong there
// (docs/format.md §2.2).
var moveMembers = &remedy{
	name: "move-member", wants: "TYPE:MEMBER", native: true, does: "moves a member of the envelope to lost+found from",
	find: func(_ *editor, r *scan.Record, propose func(string, Edit)) {
		if r.Kind != scan.Event || !r.Event.Foreign.Exists() || r.Event.Type.Kind != jsjson.String {
			return
		}
		for m := range r.Event.Root.Members() {
			if session.IsEnvelopeKey(m.Key) {
				continue
			}
			key := m.Key.Text()
			propose(r.Event.Type.Text()+":"+key, removeMember(r, key, m))
		}
	},
}

// roundTimes cuts the fraction off a time (docs/format.md §2.2).
var roundTimes = &remedy{
	name: "round-time", wants: "TYPE", native: true, does: "cuts the fraction of a millisecond off the time of",
	find: func(_ *editor, r *scan.Record, propose func(string, Edit)) {
		e := &r.Event
		whole := math.Trunc(e.Time.Float())
		if _, ok := e.Time.SafeInt(); r.Kind != scan.Event || ok || !(math.Abs(whole) <= 1<<53-1) {
			return
		}
		propose(e.Type.Text(), setValue(r, "time", e.Time, strconv.FormatInt(int64(whole), 10)))
	},
}

// padTimes adds deltas of 0 to a packed row that has fewer than its members need
// (docs/format.md §2.4). That their number is right shows in the next row, which
// has to continue the sequence.
var padTimes = &remedy{
	name: "pad-times", wants: "TYPE", does: "adds missing times of 0 ms to",
	find: func(_ *editor, r *scan.Record, propose func(string, Edit)) {
		if r.Kind != scan.Undecodable {
			return
		}
		data := r.Event.Data
		texts, deltas := data.Get("texts"), data.Get("dt")
		if session.ChunkKindOf(r.Event.Type) == session.ToolCallChunks {
			texts = data.Get("args")
		}
		missing := texts.Len() - 1 - deltas.Len()
		if deltas.Kind != jsjson.Array || missing <= 0 || missing > maxFilled {
			return
		}
		edit := Edit{At: r.Doc.Offset(deltas) + len(deltas.Raw()) - 1, Member: "data.dt"}
		for i := range missing {
			if i+deltas.Len() > 0 {
				edit.Text += ","
			}
			edit.Text += "0"
		}
		propose(r.Event.Type.Text(), edit)
	},
}
