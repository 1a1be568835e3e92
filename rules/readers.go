package rules

import (
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// VersionReading is what a version of dsh makes of a log.
type VersionReading struct {
	Version *scan.ReaderVersion
	*scan.Reading
	StoreRefuses bool // as in [Result]
	// Unfound says that the version does not open the log as it is on disk, and that
	// no finding says so: there are findings about the log's own generation and newer
	// ones.
	Unfound bool
}

// readVersions reads the log as the versions of dsh in the options do.
func (p *pass) readVersions(size int64) (all []VersionReading, err error) {
	if len(p.opt.Readers) == 0 {
		return nil, nil
	}
	f := newForecast(p, size)
	for _, v := range p.opt.Readers {
		reading, err := p.readVersion(v, f)
		if err != nil {
			return nil, err
		}
		all = append(all, VersionReading{Version: v, Reading: reading})
	}
	return all, nil
}

func (p *pass) readVersion(v *scan.ReaderVersion, f *forecast) (*scan.Reading, error) {
	switch {
	case v.Historic():
	case v.Generation == p.generation:
		return p.reading, nil
	case v.Generation > p.generation:
		return f.reading(v)
	}
	reading, err := v.Read(p.src, f.size, scan.Options{Encoding: p.opt.Encoding, MaxLine: p.opt.MaxLine}, scan.ModelOptions{Digests: p.opt.Digests})
	if err != nil {
		return nil, err
	}
	reading.Header = p.reading.Header
	if refusal := misnamed(p.opt.Path, reading.Header); refusal != nil && v.Generation > session.Version {
		reading.Scan, reading.Load, reading.Closers = scan.ScanResult{Refusal: refusal}, scan.LoadResult{}, nil
		reading.Verdict = max(reading.Verdict, scan.Incompatible)
	}
	return reading, nil
}

// encodingByName returns the encoding as which dsh reads the log.
func (p *pass) encodingByName() scan.Encoding {
	if promised, ok := p.misnamed(); ok {
		return promised
	}
	return p.container.Encoding
}

// judgeReadings makes the versions from the log's own on refuse it for the state
// of its sessions directory, too. Earlier ones had other ideas of it.
func (r *Result) judgeReadings(refusal *session.Refusal) {
	for i := range r.Readings {
		v := &r.Readings[i]
		switch {
		case v.Reading == r.Reading:
			v.StoreRefuses = r.StoreRefuses
		case refusal != nil && !v.Version.Historic() && v.Version.Generation > r.Reading.Generation && v.Verdict <= scan.Recovers:
			v.Verdict, v.Load.Refusal, v.StoreRefuses = scan.Incompatible, refusal, true
		}
	}
}
