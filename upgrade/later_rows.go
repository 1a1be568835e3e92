package upgrade

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// laterRows decodes the rows of v2 and v3 as a migration does: one event a row
// (docs/generations.md §5.1).
type laterRows struct {
	recovery
	version int64
	header  *Header
	emit    Emit

	next int64 // seq of the next event
	cut  int64

	event   session.Event
	sources session.Sources
}

// newLaterRows returns the decoder of a generation.
func newLaterRows(version int64) func(h *Header, strict bool, emit Emit) decoder {
	return func(h *Header, strict bool, emit Emit) decoder {
		return &laterRows{version: version, header: h, emit: emit, cut: noCut, recovery: recovery{strict: strict}}
	}
}

func (d *laterRows) row(index int, v jsjson.Value) error {
	if d.noJSON {
		return d.behind(isTurnEnd(v))
	}
	members := ObjectOf(v)
	e := &d.event
	e.ReadMembers(v, members)
	e.Kind = session.AnyTypeOf(e.Type).In(d.version)
	turnEnd := e.Kind == session.TurnEnd
	if fault := session.AdmitStored(e, d.version); fault != nil {
		return d.unadmitted(fault)
	}
	if fault := d.envelope(int64(index)); fault != "" {
		return d.bad(malformed(fault)) // be it that of a turn/end
	}
	if d.issue != nil {
		return d.behind(turnEnd)
	}
	if gap := e.SeqGap(int64(index), d.next); gap != "" {
		if err := d.bad(malformed(gap)); err != nil || !turnEnd {
			return err
		}
		return d.issue
	}
	if fault := e.MarkerFault(d.next); fault != "" {
		return malformed(fault)
	}
	if d.version == 3 {
		if fault := session.CanonicalFault(e, d.next); fault != "" {
			return d.bad(malformed(fault))
		}
	}
	return d.accept(members)
}

// unadmitted returns the refusal of a row that no tolerance for a torn tail covers.
func (d *laterRows) unadmitted(fault *session.RowFault) *Refusal {
	r := malformed(jsjson.ToValidUTF8(fault.Text))
	if fault.Unsupported {
		r.Class = session.ClassMigration
	}
	return r
}

func (d *laterRows) envelope(row int64) string {
	e := &d.event
	if fault := e.RowFault(row); fault != "" {
		return jsjson.ToValidUTF8(fault)
	}
	d.sources.Pairs = false
	if !e.Sources.Exists() {
		return ""
	}
	seq, ok := e.Seq.SafeInt()
	if !ok {
		seq = d.next
	}
	return d.sources.Read(e.Sources, seq)
}

// accept emits the row as the next event, with the runs of its sources spelled out.
func (d *laterRows) accept(members Object) error {
	if d.event.Inherited() {
		d.cut = d.next
	}
	if d.sources.Pairs {
		members = members.With("sourceEventSeqs", jsjson.NewValue(jsjson.Array, d.sources.Append(nil)))
	}
	seq := d.next
	d.next++
	return d.emit(NewEvent(members, seq))
}

// finish checks the end of the log against the header: a seeded log has a marker
// of its inherited events, others have none.
func (d *laterRows) finish() (int64, error) {
	switch {
	case d.header.Seeded && d.cut == noCut:
		return noCut, malformed("released v2 seeded Session lacks an inherited end-seed marker")
	case !d.header.Seeded && d.cut != noCut:
		return noCut, malformed("released v2 unseeded Session contains an inherited end-seed marker")
	}
	return d.cut, nil
}

func (d *laterRows) droppedRows() int64 { return d.dropped }
