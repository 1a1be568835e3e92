package rules

import (
	"io"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// adopt chooses the reader of the log's own generation once its header has come.
func (p *pass) adopt() {
	if p.record.Stored != nil {
		return // a database holds sessions of one format
	}
	p.generation = scan.OwnGeneration(p.record.Text, p.opt.Path)
	if p.projection != nil || p.generation == session.Version {
		return
	}
	opt := p.modelOptions()
	if opt.Generation = p.generation; p.generation < firstLater {
		p.model = scan.NewModel(opt)
		return
	}
	p.later = scan.NewNative(p.generation, scan.Restore{}, opt)
}

// firstLater is the first format of which the rules look at lines and text only:
// they leave its events to the reader.
const firstLater = 2

// takeLater moves the pass on to the next record of a log of a later format.
func (p *pass) takeLater() {
	r := p.record
	p.accepted = p.later.Add(r)
	if r.Kind == scan.Event {
		p.events++
	}
	if p.foreign || r.Torn && p.container.Hidden.Found {
		return
	}
	if !p.accepted && p.dropped.Line == 0 && r.IsEvent() {
		p.dropped = r.Place
	}
	if p.accepted && r.Kind == scan.Event && p.later.Event().Kind == session.TurnStart {
		p.turns.count++
	}
	if r.Kind == scan.Header {
		p.takeHeader()
	}
	p.headerEnded = p.headerEnded || r.Kind == scan.TooLong && r.Terminated && r.Line == 1
	p.takeText()
}

// parseHeader reads the header record as the log's own generation does.
func (p *pass) parseHeader() (*session.Header, *session.Refusal) {
	if p.later == nil {
		return session.ParseFirst(p.record.Text, p.generation)
	}
	return session.ParseGeneration(p.record.Text, p.generation)
}

// ownReading returns what the reader of the log's own generation makes of it.
func (p *pass) ownReading() *scan.Reading {
	if p.later == nil {
		return p.model.Reading(p.container)
	}
	return p.later.Reading(p.container)
}

func (p *pass) dialect() string {
	if p.later != nil {
		return ""
	}
	return p.dialects.current().String()
}

// read returns what dsh makes of a log, without any rules: the dsh of the
// generation of opt.
func read(src io.ReaderAt, size int64, how scan.Options, opt scan.ModelOptions) (*scan.Reading, error) {
	reader, err := scan.NewReader(src, size, how)
	if err != nil {
		return nil, err
	}
	if opt.Generation < firstLater {
		return readBy(scan.NewModel(opt), reader)
	}
	return readBy(scan.NewNative(opt.Generation, scan.Restore{}, opt), reader)
}

func readBy(model interface {
	Add(*scan.Record) bool
	Reading(*scan.Container) *scan.Reading
}, reader *scan.Reader,
) (*scan.Reading, error) {
	for r := range reader.Records() {
		model.Add(r)
	}
	return model.Reading(reader.Container()), reader.Err()
}
