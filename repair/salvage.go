package repair

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// planSalvage plans for a log that dsh refuses, or from which it would drop what
// can be kept.
func (p *Plan) planSalvage(src io.ReaderAt, result *rules.Result) error {
	if c := result.Container; c.Torn != nil || c.Fault != nil {
		var err error
		if p.Flips, err = scan.FindFlips(src, p.Size); err != nil {
			return err
		}
	}
	if err := p.salvage(src, result, false); err != nil || p.Action != Refuse || p.fork() {
		return err
	}
	return p.offerEdits(src, result)
}

// salvage plans with the edits that the user allows, or with all.
func (p *Plan) salvage(src io.ReaderAt, result *rules.Result, all bool) error {
	s := p.read(src)
	editor, err := newEditor(s, p.statedID(), p.Options.Allow, all)
	if err != nil {
		return err
	}
	s.editor, p.runs, editor.mend = editor, editor.runs, p.mend
	l, err := readSalvage(s, p.apart(result.Reading))
	if err != nil {
		return err
	}
	switch {
	case l.tooLong:
		p.refuse("it has a line that is too long to judge", "turnlint shows where it is")
		return nil
	case !p.takeHeader(l):
		return nil
	}
	if err := p.splicePrefix(l, all); err != nil {
		return err
	}
	if slices.Contains(p.Options.Allow, FillGaps) && !p.fork() {
		l.fillGaps()
	}
	trials, more, err := l.trials()
	if err != nil {
		return err
	}
	if more {
		p.refuse("its events can be put in order in too many ways", "turnlint shows where events repeat")
		return nil
	}
	return p.pickTrial(l, result, trials)
}

// apart returns the seqs of events that may not be folded: the first that dsh leaves
// out, where [Plan.planPrefix] cuts; all where readers from v2 on decide of the place
// later, and where gaps between them may be filled.
func (p *Plan) apart(r *scan.Reading) seqs {
	if r.Refusal() != nil && p.Generation >= firstNative || slices.Contains(p.Options.Allow, FillGaps) {
		return allSeqs
	}
	return seqs{{r.Scan.Events, r.Scan.Events + 1}}
}

// offerEdits adds to a refusal the edits with which the log could be repaired.
func (p *Plan) offerEdits(src io.ReaderAt, result *rules.Result) error {
	q := Plan{Path: p.Path, Size: p.Size, Encoding: p.Encoding, Generation: p.Generation, Verdict: p.Verdict, Options: p.Options, Written: p.Written, Flips: p.Flips}
	if err := q.salvage(src, result, true); err != nil || q.Action != Repair {
		return err
	}
	need := q.Rewrites
	if q.Splice != nil && q.Options.Parent == "" {
		need = append(need, Rewrite{Allow: SplicePrefix, Before: q.Splice.Events})
	}
	if len(need) == 0 {
		return nil
	}
	p.Level, p.NeedAllow = Assisted, need
	if q.runs != nil {
		p.Reason = "the seqs of its history fall back while its turns go on"
	}
	var does []string
	for _, r := range need {
		does = append(does, fmt.Sprintf("--allow %s %s %s", escape.ShellArg(string(r.Allow)), q.does(r.Allow), words.Count(r.Before, "event")))
	}
	next := strings.Join(does, ", ")
	if p.NeedLoss > 0 {
		next += "; or " + p.Next
	}
	p.Next = next
	return nil
}

// does says in words what a permission does in the plan.
func (p *Plan) does(permission Permission) string {
	if permission == SplicePrefix {
		return fmt.Sprintf("takes from %q the first", p.Splice.Path)
	}
	return remedyOf(permission).does
}

// takeHeader finds the header of the repaired log: that of the log, with another id
// for the session of a branch, or for a log without one that which the user states or
// allows to be rebuilt.
// It refuses the log when there is none that fits.
func (p *Plan) takeHeader(l *salvage) bool {
	p.moveHeader(l)
	text, lost := l.headerText, "it has no header, which names the session"
	if why := l.leaveHeader(); why != "" {
		lost = fmt.Sprintf("dsh refuses its header: %q", why)
	}
	switch {
	case l.header >= 0, p.NewHeader != "":
	case p.Options.Header != "":
		p.NewHeader = p.Options.Header
	case p.fork():
		p.refuseFork(lost)
		return false
	case !p.rebuildHeader(l, lost):
		return false
	}
	if p.NewHeader != "" {
		text = []byte(p.NewHeader)
	}
	header, refusal := parseHeader(text, p.Generation)
	if refusal != nil {
		p.refuse(fmt.Sprintf("with that header dsh would say %q", refusal.Text), "name a file that starts with a header")
		return false
	}
	if p.header = header; p.Options.Export {
		p.NewHeader = string(renamed(text, branchID(header.ID, p.Options.Branch)))
	}
	l.newHeader = p.NewHeader
	return true
}

// moveHeader puts a header that stands behind events in front of them.
func (p *Plan) moveHeader(l *salvage) {
	for i := range max(l.header, 0) {
		if l.rows[i].count() == 0 {
			continue
		}
		p.NewHeader, p.headerMoved = string(l.headerText), true
		r := &l.rows[l.header]
		r.header, r.junk, l.header = false, "header behind events", -1
		return
	}
}

// HeaderLevel is the level of writing NewHeader.
func (p *Plan) HeaderLevel() Level {
	if p.headerMoved && !p.Options.Export {
		return Safe
	}
	return Assisted
}

// pickTrial makes p the repair to one of the histories, or a refusal.
func (p *Plan) pickTrial(l *salvage, result *rules.Result, trials []*trial) error {
	if p.fork() {
		p.pickContainer(l, trials)
		return nil
	}
	if len(trials) > 1 {
		for _, t := range trials {
			p.Candidates = append(p.Candidates, t.Candidate)
		}
	}
	best, level := choose(trials)
	if n := p.Options.Branch; n > 0 && len(trials) > 1 {
		best, level = branch(trials, n), Assisted
	}
	switch {
	case best == nil && level == Choice:
		p.Level = Choice
		p.refuse(fmt.Sprintf("two writers went on from the same place, and each of its %d histories leaves out something that was said", len(trials)),
			"--branch N keeps history N, and moves the rest to lost+found; apply --export-branches DIR makes a session of each")
	case best == nil && level == Assisted:
		p.refuse(fmt.Sprintf("it has no history %d that dsh would open", p.Options.Branch), "turnfix plan lists them")
	case best == nil:
		return p.planPrefix(l, result, trials[0])
	case best.chain == nil && best.loss() > 0:
		p.refuse("its first events are missing, and without them dsh reads none of the others", cmp.Or(l.unspliced, "turnlint shows where the log starts"))
	case p.runs != nil && best.Inbox != "":
		p.refuse("its seqs fall back, and if they went on instead, "+best.Inbox, "turnlint shows where they fall back")
	case l.parent != nil && best.Inbox != "":
		p.refuse("with the first events of its parent session, "+best.Inbox, "--parent FILE names another log")
	case level == Lossy && best.loss() > p.Options.AllowLoss:
		p.refuseLoss(best.loss(), lostText(best), best.Unreached > 0)
	default:
		p.Level = level
		p.adopt(l, best)
		if level == Safe && (p.NewHeader != "" && p.HeaderLevel() != Safe || l.filled(best.chain) > 0 || p.Splice != nil || len(p.Rewrites) > 0) {
			p.Level = Assisted
		}
	}
	return nil
}

// branch returns the history that the user has chosen, or nil.
func branch(trials []*trial, number int) *trial {
	for _, t := range trials {
		if t.Number == number && t.Refusal == "" {
			return t
		}
	}
	return nil
}

// adopt makes p the repair to the history of t.
func (p *Plan) adopt(l *salvage, t *trial) {
	p.Action = Repair
	if len(p.Candidates) > 1 {
		p.Chosen = t.Number
	}
	p.Digest = t.Digest
	p.lay(l, t.chain, p.written())
	p.Rewrites = p.rewrites()
	p.close(t.closers)
	filled, spliced := l.filled(t.chain), l.spliced(t.chain)
	if spliced > 0 {
		p.parent, p.Splice = l.parent, &Splice{Path(l.parent.path), l.parent.size, l.parent.sum, spliced}
	}
	p.Ledger = Ledger{
		Kept: t.chain.events() - filled - spliced, Dropped: t.dropped(), Repeated: t.Repeated,
		Rewritten: l.rewritten(t.chain), Spliced: spliced, Synthesised: filled + int64(len(p.Closers)),
	}
}

// rewritten counts the events of a chain that get another text.
func (l *salvage) rewritten(c chain) (n int64) {
	for _, p := range c {
		if s := l.rows[p.row].span; s.Escape || len(s.Edits) > 0 {
			n += int64(p.count)
		}
	}
	return n
}

// planPrefix plans for a log whose history dsh would refuse. When dsh itself reads
// a part of it from the start and drops the rest, so can turnfix.
func (p *Plan) planPrefix(l *salvage, result *rules.Result, t *trial) error {
	reading := result.Reading
	if t.Refusal == lostMarker {
		p.refuse("without what it has lost, "+lostMarker, "turnlint shows every place that is damaged")
		return nil
	}
	end := reading.Scan.Events
	if reading.Refusal() != nil {
		end = t.accepted
	}
	if reading.Refusal() != nil && (end == 0 || end == t.chain.events()) {
		p.refuseText(t.Refusal)
		return nil
	}
	c := t.chain.cut(end)
	short := l.newTrial(c, l.tally(c, t.Number))
	if err := l.read([]*trial{short}); err != nil {
		return err
	}
	switch {
	case short.Refusal == lostMarker:
		p.refuse("without the events in its tail, "+lostMarker, "turnlint shows every place that is damaged")
	case short.Refusal != "":
		p.refuseText(short.Refusal)
	case short.loss() <= p.Options.AllowLoss:
		p.Level = Lossy
		p.adopt(l, short)
	default:
		p.refuseLoss(short.loss(), fmt.Sprintf("with the events in its tail dsh would say %q", t.Refusal), false)
	}
	return nil
}

// refuseLoss refuses a log because n events would go, some of them perhaps only
// because of a gap before them.
func (p *Plan) refuseLoss(n int64, reason string, gap bool) {
	next := fmt.Sprintf("--allow-loss %d moves them to lost+found", n)
	if gap {
		next += ", and --allow fill-gaps keeps those behind a gap"
	}
	if p.Verdict == scan.Loses.String() {
		next = "do not open it in dsh, which would drop them for good; " + next
	}
	p.refuse(reason, next)
	p.Level, p.NeedLoss = Lossy, n
}

// lostText says what is lost with a history.
func lostText(t *trial) string {
	n := t.loss()
	if n == 1 {
		return "1 event does not continue the sequence"
	}
	return fmt.Sprintf("%d events do not continue the sequence", n)
}
