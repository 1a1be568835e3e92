package fuzz

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// CheckFix plans the repair of data, with nothing allowed and with the loss that a
// refusal asks for. The error is nil when each repair keeps what is promised of it:
//
//	I1  no lie          the repaired log passes its verification, and the reference reads all of it
//	I3  no invention    each of its events is one of the log or a closer
//	I4  no silent loss  the ledger accounts for every event
//	I5  idempotent      a second repair has nothing to do
//	I6  deterministic   the same log gives the same plan and the same bytes
func CheckFix(data []byte) error {
	p, err := planOf(data, repair.Options{})
	if err != nil {
		return err
	}
	again, err := planOf(data, repair.Options{})
	switch {
	case err != nil:
		return err
	case !p.SameAs(again):
		return errors.New("I6: two plans for the same log differ")
	case p.Action == repair.Refuse && (p.Reason == "" || p.Next == ""):
		return fmt.Errorf("a refusal without a reason or a next step: %+v", p)
	case p.Action != repair.Refuse:
		return checkRepair(data, p)
	case p.NeedLoss > 0:
		lossy, err := planOf(data, repair.Options{AllowLoss: p.NeedLoss})
		if err != nil || lossy.Action == repair.Refuse {
			return err
		}
		return checkRepair(data, lossy)
	}
	return nil
}

func planOf(data []byte, opt repair.Options) (*repair.Plan, error) {
	return repair.NewPlan(bytes.NewReader(data), int64(len(data)), "", opt)
}

func checkRepair(data []byte, p *repair.Plan) error {
	var first, second bytes.Buffer
	if err := errors.Join(p.Write(&first, bytes.NewReader(data)), p.Write(&second, bytes.NewReader(data))); err != nil {
		return err
	}
	got := first.Bytes()
	if !bytes.Equal(got, second.Bytes()) {
		return errors.New("I6: two repairs give different bytes")
	}
	if p.Action == repair.Nothing && !bytes.Equal(got, data) {
		return errors.New("I4: nothing is to be done, and the bytes changed")
	}
	if err := p.Verify(bytes.NewReader(got), int64(len(got))); err != nil {
		return fmt.Errorf("I1: %w", err)
	}
	if err := checkReadable(got, p); err != nil {
		return err
	}
	if err := checkAccount(data, got, p); err != nil {
		return err
	}
	return checkSecond(got, p)
}

// checkSecond plans another repair of a repaired log. Of a log of a fork turnfix says
// even then that it cannot judge it.
func checkSecond(got []byte, first *repair.Plan) error {
	want := repair.Nothing
	if first.Generation > session.Newest {
		want = repair.Refuse
	}
	second, err := planOf(got, repair.Options{})
	if err == nil && second.Action != want {
		err = fmt.Errorf("I5: a second repair does %s: %s", second.Action, second.Reason)
	}
	return err
}

// checkReadable asks the reference about a repaired v0 log.
func checkReadable(got []byte, p *repair.Plan) error {
	if p.Generation != session.Version {
		return nil
	}
	encoding, err := scan.ParseEncoding(p.Written)
	if err != nil {
		return err
	}
	log, err := readReference(got, encoding)
	switch {
	case err != nil:
		return err
	case log.Refusal != "":
		return fmt.Errorf("I1: the reference says of the repaired log %q", log.Refusal)
	case log.Torn:
		return fmt.Errorf("I1: the reference finds a torn tail in the repaired log at %d", log.Committed)
	case log.Events != p.Ledger.Kept+p.Ledger.Synthesised:
		return fmt.Errorf("I4: the repaired log has %d events, the ledger says %d kept and %d made up", log.Events, p.Ledger.Kept, p.Ledger.Synthesised)
	}
	return nil
}

type digest [sha256.Size]byte

// checkAccount compares the events of the log with those of the repaired one. Events
// that a repair renumbers or mends are listed as rewritten, and are not looked at.
func checkAccount(data, got []byte, p *repair.Plan) error {
	before, total, err := eventsOf(data)
	if err != nil {
		return err
	}
	after, _, err := eventsOf(got)
	if err != nil {
		return err
	}
	invented := int64(0)
	for d, n := range after {
		invented += max(0, n-before[d])
	}
	if allowed := p.Ledger.Synthesised + p.Ledger.Rewritten + p.Ledger.Spliced; invented > allowed {
		return fmt.Errorf("I3: %d events of the repaired log are not in the log, %d are listed", invented, allowed)
	}
	left := int64(0)
	for i := range p.Leaves {
		left += p.Leaves[i].Events
	}
	switch {
	case left != p.Ledger.Dropped:
		return fmt.Errorf("I4: %d events leave, the ledger says %d", left, p.Ledger.Dropped)
	case p.Action == repair.Repair && p.Ledger.Kept+p.Ledger.Dropped < total:
		return fmt.Errorf("I4: %d events kept and %d dropped, of %d", p.Ledger.Kept, p.Ledger.Dropped, total)
	}
	return nil
}

// eventsOf counts the events of a log by their text.
func eventsOf(data []byte) (count map[digest]int64, total int64, err error) {
	log, err := repair.Events(bytes.NewReader(data), int64(len(data)), scan.Auto)
	if err != nil {
		return nil, 0, err
	}
	count = make(map[digest]int64)
	for e := range log.Events() {
		count[sha256.Sum256(e.Text)]++
		total++
	}
	return count, total, log.Err()
}
