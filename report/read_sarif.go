package report

import (
	"encoding/json"
	"errors"
	"fmt"
)

// What is read of a SARIF log. The types of go-sarif would change some texts in
// the properties.
type (
	sarifRunIn struct {
		Tool struct {
			Driver struct {
				Name    string `json:"name"`
				Version string `json:"version"`
				Rules   []struct {
					ID   string `json:"id"`
					Name string `json:"name"`
				} `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		Properties sarifRun          `json:"properties"`
		Artifacts  []sarifArtifactIn `json:"artifacts"`
		Results    []sarifResultIn   `json:"results"`
	}
	sarifArtifactIn struct {
		Location   sarifURI        `json:"location"`
		Properties json.RawMessage `json:"properties"`
	}
	sarifURI struct {
		URI   string `json:"uri"`
		Index *int   `json:"index"` // -1 for none, too
	}
	sarifResultIn struct {
		RuleID     string            `json:"ruleId"`
		Level      string            `json:"level"`
		Message    sarifMessageIn    `json:"message"`
		Locations  []sarifLocationIn `json:"locations"`
		Related    []sarifLocationIn `json:"relatedLocations"`
		Baseline   string            `json:"baselineState"`
		Properties sarifProperties   `json:"properties"`
	}
	sarifMessageIn struct {
		Text string `json:"text"`
	}
	sarifLocationIn struct {
		Physical struct {
			Artifact sarifURI `json:"artifactLocation"`
			Region   *struct {
				Line   int    `json:"startLine"`
				Offset *int64 `json:"byteOffset"` // -1 for none, too
				Length *int64 `json:"byteLength"`
			} `json:"region"`
		} `json:"physicalLocation"`
		Message    sarifMessageIn `json:"message"`
		Properties sarifRelated   `json:"properties"`
	}
)

// readSARIF reads the runs of a SARIF log.
func readSARIF(runs []sarifRunIn) (*Report, error) {
	r := &Report{}
	for i := range runs {
		run := &runs[i]
		driver := run.Tool.Driver
		if driver.Name != toolName {
			return nil, fmt.Errorf("a report of the tool %q, want one of %s", driver.Name, toolName)
		}
		if err := checkVersion(run.Properties.SchemaVersion); err != nil {
			return nil, err
		}
		if i > 0 && driver.Version != r.Version {
			return nil, mixedVersions(driver.Version, r.Version)
		}
		r.Version = driver.Version
		if err := r.run(run); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// run takes one run: its artifacts, each with the results about it.
func (r *Report) run(run *sarifRunIn) error {
	results, err := run.results()
	if err != nil {
		return err
	}
	for i := range run.Artifacts {
		if err := r.artifact(&run.Artifacts[i], results[i]); err != nil {
			return err
		}
		delete(results, i)
	}
	if len(results) > 0 {
		return errMiscounted
	}
	return nil
}

// artifact takes one artifact. If its path is not UTF-8, only the URI has its
// bytes, and not the summary.
func (r *Report) artifact(a *sarifArtifactIn, about []finding) error {
	path, err := pathOfURI(a.Location.URI)
	if err != nil {
		return err
	}
	var head struct {
		Kind string `json:"kind"`
		Path string `json:"path"`
	}
	if err := json.Unmarshal(a.Properties, &head); err != nil {
		return errors.New("not a report of turnlint: an artifact without a summary")
	}
	if fileURI(head.Path) == a.Location.URI {
		path = head.Path
	}
	if err := r.subject(head.Kind, a.Properties, func(*tally) []finding { return about }); err != nil {
		return err
	}
	if head.Kind == kindStore {
		r.Stores[len(r.Stores)-1].Path = path
	} else {
		r.Files[len(r.Files)-1].Path = path
	}
	return nil
}

// results returns the findings by the index of the artifact that they are about.
func (run *sarifRunIn) results() (map[int][]finding, error) {
	names := make(map[string]string)
	for _, rule := range run.Tool.Driver.Rules {
		names[rule.ID] = rule.Name
	}
	stores := make(map[string]int)
	for i := range run.Artifacts {
		stores[run.Artifacts[i].Location.URI] = i
	}
	by := make(map[int][]finding)
	for i := range run.Results {
		result := &run.Results[i]
		if len(result.Locations) != 1 {
			return nil, errors.New("not a report of turnlint: a result without a place")
		}
		index := result.Locations[0].Physical.Artifact.Index
		if store, ok := stores[result.Properties.Store]; ok {
			index = &store
		}
		if index == nil {
			return nil, errMiscounted
		}
		j, err := result.finding(names[result.RuleID])
		if err != nil {
			return nil, err
		}
		by[*index] = append(by[*index], *j)
	}
	return by, nil
}

// finding is the inverse of [sarifWriter.result], for a rule of the given name.
func (in *sarifResultIn) finding(name string) (*finding, error) {
	path, err := pathOfURI(in.Locations[0].Physical.Artifact.URI)
	p := &in.Properties
	j := &finding{
		Rule: in.RuleID, Name: name, Class: p.Class, Severity: in.Level, Path: path, Seq: p.Seq, Turn: p.Turn, Dialect: p.Dialect,
		Frame: p.Frame, FileOffset: p.FileOffset, Reader: p.Reader, Message: sarifText.Replace(in.Message.Text),
		Known: in.Baseline == baselineUnchanged, Consequences: p.Consequences, Answers: p.Answers, storedRow: p.storedRow,
	}
	j.Line, j.PlainOffset, j.Length = in.Locations[0].region()
	for i := range in.Related {
		other, relatedErr := in.Related[i].related()
		err = errors.Join(err, relatedErr)
		j.Related = append(j.Related, other)
	}
	return j, err
}

// related is the inverse of relatedLocation.
func (in *sarifLocationIn) related() (r related, err error) {
	r = related{storedRow: in.Properties.storedRow, Frame: in.Properties.Frame, FileOffset: in.Properties.FileOffset, Message: sarifText.Replace(in.Message.Text)}
	r.Line, r.PlainOffset, r.Length = in.region()
	if in.Properties.Other {
		r.Path, err = pathOfURI(in.Physical.Artifact.URI)
	}
	return r, err
}

// region returns the line and where it is in the text. A region without an offset
// is that of something about the whole file.
func (in *sarifLocationIn) region() (line int, offset, length *int64) {
	r := in.Physical.Region
	if r == nil || r.Offset == nil || *r.Offset < 0 {
		return 0, nil, nil
	}
	return r.Line, r.Offset, r.Length
}
