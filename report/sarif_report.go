package report

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/turnlint/turnlint/rules"
)

const toolName = "turnlint"

// sarifProperties are the members of a finding for which SARIF has no place.
type sarifProperties struct {
	Class        rules.Class     `json:"class"`
	Seq          *int64          `json:"seq,omitempty"`
	Turn         *int64          `json:"turn,omitempty"`
	Dialect      string          `json:"dialect,omitempty"`
	Frame        int             `json:"frame,omitempty"`
	FileOffset   *int64          `json:"fileOffset,omitempty"`
	Authority    rules.Authority `json:"authority,omitempty"`
	Reader       rules.Reaction  `json:"reader,omitempty"`
	Fix          rules.Fix       `json:"fix,omitempty"`
	Consequences int             `json:"consequences,omitempty"`
	Answers      []answer        `json:"answers,omitempty"`
	// Store is the URI of the sessions directory that the finding is about.
	Store string `json:"store,omitempty"`
	storedRow
}

// sarifRelated are the members of a related place for which SARIF has no place.
type sarifRelated struct {
	Frame      int    `json:"frame,omitempty"`
	FileOffset *int64 `json:"fileOffset,omitempty"`
	Other      bool   `json:"other,omitempty"` // it is in another file
	storedRow
}

// sarifRun are the properties of the run.
type sarifRun struct {
	SchemaVersion int `json:"schemaVersion"` // of the properties
	Findings      int `json:"findings"`
	Results       int `json:"results"` // of the findings, those that are in the report
}

// report returns the SARIF log with the given results.
func (w *sarifWriter) report(results []sarifResult) *sarif.Report {
	used := usedRules(results)
	run := sarif.NewRun()
	run.NewlineSequences = []string{"\n"}
	run.Tool = sarif.NewTool().WithDriver(w.driver(used))
	w.countOmitted(results)
	for i := range w.artifacts {
		a := &w.artifacts[i]
		run.AddArtifact(sarif.NewArtifact().WithLocation(location(a.path).WithIndex(i)).WithProperties(bag(a.summary)))
	}
	run.AddInvocation(w.invocation(w.limits(len(results))))
	for i := range results {
		run.AddResult(w.result(&results[i], slices.Index(used, results[i].rule)))
	}
	run.WithProperties(bag(sarifRun{schemaVersion, w.total.Sum(), len(results)}))
	return sarif.NewReport().AddRun(run)
}

// countOmitted notes in the summaries how many findings are no results.
func (w *sarifWriter) countOmitted(results []sarifResult) {
	kept := make([]int, len(w.artifacts))
	for i := range results {
		if !results[i].Known {
			kept[results[i].artifact]++
		}
	}
	for i := range w.artifacts {
		if a := &w.artifacts[i]; a.omitted != nil {
			*a.omitted = a.before + a.fresh - kept[i]
		}
	}
}

// invocation says what is not about a finding. limits is what there is to say
// about those of GitHub, if anything.
func (w *sarifWriter) invocation(limits string) *sarif.Invocation {
	invocation := sarif.NewInvocation().WithExecutionSuccessful(true)
	for i := range w.artifacts {
		a := &w.artifacts[i]
		if _, ok := a.summary.(*unread); ok {
			invocation.WithExecutionSuccessful(false)
		}
		for _, problem := range a.problems {
			place := sarif.NewPhysicalLocation().WithArtifactLocation(location(a.path).WithIndex(i))
			invocation.AddToolExecutionNotification(notification(problem).WithLevel("error").
				AddLocation(sarif.NewLocation().WithPhysicalLocation(place)))
		}
	}
	if limits != "" {
		invocation.AddToolExecutionNotification(notification(limits))
	}
	return invocation
}

func notification(text string) *sarif.Notification {
	return sarif.NewNotification().WithMessage(sarif.NewTextMessage(text))
}

// usedRules returns the rules of results by id.
func usedRules(results []sarifResult) (used []*rules.Rule) {
	for i := range results {
		used = append(used, results[i].rule)
	}
	slices.SortFunc(used, func(a, b *rules.Rule) int { return cmp.Compare(a.ID, b.ID) })
	return slices.Compact(used)
}

func (w *sarifWriter) driver(used []*rules.Rule) *sarif.ToolComponent {
	driver := sarif.NewToolComponent().WithName(toolName)
	if w.opt.Version != "" {
		driver.WithVersion(w.opt.Version)
	}
	for _, rule := range used {
		driver.AddRule(descriptor(rule))
	}
	return driver
}

// maxDescription is how many characters of a description GitHub takes.
const maxDescription = 1024

// descriptor describes a rule. Viewers show the help as Markdown if they can.
func descriptor(r *rules.Rule) *sarif.ReportingDescriptor {
	doc := strings.TrimSpace(r.Doc)
	intro, _, _ := strings.Cut(doc, "\n\n")
	intro = strings.ToValidUTF8(intro[:min(len(intro), maxDescription)], "")
	tags := []string{string(r.Class), string(r.Authority)}
	return sarif.NewRule(r.ID).WithName(r.Name).
		WithShortDescription(sarif.NewMultiformatMessageString().WithText(r.Summary)).
		WithFullDescription(sarif.NewMultiformatMessageString().WithText(cmp.Or(intro, r.Summary))).
		WithHelp(sarif.NewMultiformatMessageString().WithText(cmp.Or(doc, r.Summary)).WithMarkdown(cmp.Or(doc, r.Summary))).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(r.Severity.String())).
		WithProperties(bag(sarifProperties{Class: r.Class, Authority: r.Authority, Reader: r.Reader, Fix: r.Fix}).WithTags(tags))
}

// result returns a finding whose rule has an index among those of the run.
func (w *sarifWriter) result(r *sarifResult, rule int) *sarif.Result {
	at := location(r.path)
	properties := sarifProperties{
		r.Class, r.Seq, r.Turn, r.Dialect, r.Frame, r.FileOffset, r.Authority, r.Reader, r.Fix, r.Consequences, r.Answers, "", r.storedRow,
	}
	if r.store == "" {
		at.WithIndex(r.artifact)
	} else {
		properties.Store = fileURI(r.store)
	}
	place := sarif.NewPhysicalLocation().WithArtifactLocation(at).WithRegion(resultRegion(r.finding))
	result := sarif.NewRuleResult(r.Rule).WithRuleIndex(rule).WithLevel(r.Severity).
		WithMessage(sarif.NewTextMessage(sarifMessage.Replace(r.Message))).
		WithPartialFingerprints(map[string]string{fingerprintName: r.fingerprint}).
		AddLocation(sarif.NewLocation().WithPhysicalLocation(place)).
		WithProperties(bag(properties))
	for i := range r.Related {
		result.AddRelatedLocation(relatedLocation(r.path, &r.Related[i]).WithID(i))
	}
	switch {
	case r.Known:
		result.WithBaselineState(baselineUnchanged)
	case w.known:
		result.WithBaselineState(baselineNew) // all results have a state, or none
	}
	return result
}

// The states of results where a baseline knows some.
const (
	baselineNew       = "new"
	baselineUnchanged = "unchanged"
)

// fingerprintName has the version of what the fingerprint is made of.
const fingerprintName = "turnlint/v1"

// sarifMessage keeps what looks like a link in a message from becoming one
// (SARIF §3.11.6); sarifText is its inverse.
var (
	sarifMessage = strings.NewReplacer("](", `\](`)
	sarifText    = strings.NewReplacer(`\](`, "](")
)

// resultRegion returns where a finding is. What is about the whole file gets line 1,
// without an offset, because GitHub wants a line of everything.
func resultRegion(f *finding) *sarif.Region {
	if f.Line == 0 {
		return sarif.NewRegion().WithStartLine(1)
	}
	return lineRegion(f.Line, f.PlainOffset, f.Length)
}

func lineRegion(line int, offset, length *int64) *sarif.Region {
	return sarif.NewRegion().WithStartLine(line).WithByteOffset(int(*offset)).WithByteLength(int(*length))
}

func relatedLocation(path string, r *related) *sarif.Location {
	if r.Path != "" {
		path = r.Path
	}
	place := sarif.NewPhysicalLocation().WithArtifactLocation(location(path))
	if r.Line > 0 {
		place.WithRegion(lineRegion(r.Line, r.PlainOffset, r.Length))
	}
	return sarif.NewLocation().WithPhysicalLocation(place).
		WithMessage(sarif.NewTextMessage(sarifMessage.Replace(r.Message))).
		WithProperties(bag(sarifRelated{r.Frame, r.FileOffset, r.Path != "", r.storedRow}))
}

// location returns where a file is: below the root of the sources if its path is
// relative, which is what GitHub takes it for.
func location(path string) *sarif.ArtifactLocation {
	at := sarif.NewArtifactLocation().WithURI(fileURI(path))
	if !strings.HasPrefix(*at.URI, fileScheme) {
		at.WithURIBaseID("%SRCROOT%")
	}
	return at
}

// bag returns the members of a JSON object as properties, with each value
// spelled as it is there.
func bag(object any) *sarif.PropertyBag {
	properties := sarif.NewPropertyBag()
	text, err := json.Marshal(object)
	var members map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(text, &members)
	}
	if err != nil {
		panic(err) // it has no member that JSON cannot hold
	}
	for name, value := range members {
		properties.Add(name, value)
	}
	return properties
}
