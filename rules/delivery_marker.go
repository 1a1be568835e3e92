package rules

// DeliveryMarker reports that a delivery marker is of another format or
// session.
var DeliveryMarker = &Rule{
	ID:        "TL914",
	Name:      "delivery-marker",
	Summary:   "a delivery marker is of another format or session",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Upgrade,
	Reader:    Refuses,
	Fix:       NoFix,
	Remedy:    "take the member sessionFormatVersion out, or give the marker the id of the session, in a copy: it only says what was handed to another system",
	Doc:       page("delivery-marker"),
	refusals: []string{
		"delivery marker",
		"delivery-accepted",
		"delivery throughSeq",
	},
}
