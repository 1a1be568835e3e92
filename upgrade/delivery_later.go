package upgrade

import "github.com/turnlint/turnlint/internal/jsjson"

// deliveryRule checks the delivery markers of a log's own generation from v2 on:
// they name the session, but for those that it inherited from its parent. Where
// the inherited events end is known only at their marker.
type deliveryRule struct {
	generation int64
	header     *Header
	foreign    bool // a marker names another session, and no cut came behind it
}

// check takes a marker.
func (r *deliveryRule) check(e Event) error {
	if version, _ := e.Data().Get("sessionFormatVersion").SafeInt(); version != r.generation {
		return nil
	}
	id := e.Data().Get("sessionId")
	if id.NonEmptyString() && id.EqualText(r.header.ID) {
		return nil
	}
	if r.header.Seeded && r.header.Parent && id.NonEmptyString() {
		r.foreign = true
		return nil
	}
	return errForeign
}

// cut takes the marker of the end of the inherited events.
func (r *deliveryRule) cut() { r.foreign = false }

// finish takes the end of the log.
func (r *deliveryRule) finish() error {
	if r.foreign {
		return errForeign
	}
	return nil
}

var errForeign = refuse("current-generation delivery marker names the wrong Session")

// checkDeliveryV3 checks a marker as the edge from v3 does.
func checkDeliveryV3(e Event, own *deliveryRule) error {
	data := e.Data()
	if data.Kind != jsjson.Object {
		return refuse("delivery-accepted data must be an object")
	}
	switch version, _ := data.Get("sessionFormatVersion").SafeInt(); version {
	case 4:
		return unsupported("format v3 delivery marker claims target format v4")
	case 3:
		if n, ok := count(data.Get("throughSeq")); !ok || n >= e.Seq {
			return refuse("delivery throughSeq must precede its marker")
		}
	}
	return own.check(e)
}
