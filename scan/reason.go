package scan

// Reason is what a [Fault] is about. dsh tells reasons apart by its texts only.
type Reason uint8

// The reasons, by the section of docs/format.md that states the rule.
const (
	ReasonRetired       Reason = iota // vocabulary that dsh gave up, §4.1
	ReasonLegacyShape                 // a legacy shape that no migration takes, §4.2
	ReasonTurnEnd                     // data of a turn/end, §4.2
	ReasonMessage                     // shape of a message, §2.6
	ReasonUnknownType                 // §4.3
	ReasonCrash                       // dsh reads a member of null or undefined, §4.6
	ReasonCloser                      // a closer that dsh would refuse, §4.4
	ReasonHeader                      // a member of the header, §4.5
	ReasonEnvelope                    // §2.2
	ReasonRequestHeader               // §2.7
	ReasonMarker                      // surfaceOp, §2.3
	ReasonRange                       // the span that a replacement names, §2.3
	ReasonSources                     // sourceEventSeqs, §2.3
	ReasonResult                      // a replacement of a tool result, §2.3
)
