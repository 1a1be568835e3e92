package upgrade

const deliveryAccepted = "session-log-deepseek/delivery-accepted"

// ownDelivery checks a delivery marker of the log's own generation: it must name
// the session, unless it was inherited from the parent. The marker comes from v0
// or v1, where the header tells what is inherited. With refuse or unsupported the
// caller chooses how the refusal is worded.
func ownDelivery(e Event, h *Header, refuse func(string, ...any) error) error {
	inherited := h.Parent && e.Seq < h.Cut
	if !inherited && e.Data().Get("sessionId").Text() != h.ID {
		return refuse("current-generation delivery marker names the wrong Session")
	}
	return nil
}
