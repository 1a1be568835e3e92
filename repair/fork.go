package repair

import "fmt"

// refuseFork refuses a log of a format that only a fork of dsh knows. Beyond the
// frames and lines that all formats share, nobody else can tell what is right in it
// (docs/generations.md §1.3).
func (p *Plan) refuseFork(reason string) {
	if reason == "" {
		reason = "turnfix knows no more of it than its container, which needs no repair"
	}
	p.refuse(fmt.Sprintf("it is of a fork generation (v%d): %s", p.Generation, reason), "open it with the harness that wrote it")
}

// pickContainer makes p the repair of the container of a fork's log, in which every
// event stays where it is; or a refusal.
func (p *Plan) pickContainer(l *salvage, trials []*trial) {
	switch t := trials[0]; {
	case len(trials) > 1 || t.dropped() > 0 || t.unmarked:
		p.refuseFork("its events would have to be put in another order, and turnfix does not know what they mean")
	case t.Refusal != "":
		p.refuseFork(fmt.Sprintf("even with a sound container dsh would say %q", t.Refusal))
	default:
		p.Level = Safe
		p.adopt(l, t)
	}
}
