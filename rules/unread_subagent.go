package rules

import "github.com/turnlint/turnlint/upgrade"

// UnreadSubagent reports that the log of a sub-agent cannot be read for the
// upgrade.
var UnreadSubagent = &Rule{
	ID:        "TL919",
	Name:      "unread-subagent",
	Summary:   "the log of a sub-agent cannot be read for the upgrade",
	Class:     Advice,
	Severity:  Warning,
	Authority: Upgrade,
	Reader:    Accepts,
	Fix:       NoFix,
	Remedy:    "repair the log of the sub-agent first: the upgrade is made once, and what it does not know then stays unknown",
	Doc:       page("unread-subagent"),
}

// reportChildren reports the sub-agents whose logs cannot be read.
func (f *forecast) reportChildren(children []upgrade.Child) {
	p := f.pass
	p.rule = UnreadSubagent
	for i := range children {
		if child := &children[i]; child.Fault != "" {
			found := p.reportAt(p.headerPlace, "the log of sub-agent %q cannot be read, so that its mode becomes unknown: %s", child.ID, child.Fault)
			found.relateFile(child.Path, "the log of the sub-agent")
		}
	}
}
