package rules

import (
	"cmp"
	"path/filepath"

	"github.com/turnlint/turnlint/scan"
)

// Judge completes the result for a log at an absolute path below the sessions
// directory: with the refusal of a sound log for the state of that directory, and
// with what is wrong with the log among those beside it.
func (s *StoreResult) Judge(path string, r *Result) {
	refusal := cmp.Or(s.all, s.duplicates[filepath.Dir(path)], misnamed(path, r.Reading.Header))
	if refusal != nil && r.Reading.Verdict <= scan.Recovers {
		r.Reading.Verdict, r.Reading.Load.Refusal, r.StoreRefuses = scan.Incompatible, refusal, true
	}
	r.judgeReadings(refusal)
	j := &judgement{path: path, result: r, check: checkFile}
	for _, rule := range catalogue {
		if j.rule = rule; rule.judge != nil {
			rule.judge(j)
		}
	}
}

// judgement is about one log in its sessions directory.
type judgement struct {
	rule   *Rule  // that is asked now
	path   string // of the log, absolute
	result *Result
	check  func(path string) (*Result, error) // checks another log
}

// report makes a finding of the current rule about the log.
func (j *judgement) report(message string) *Finding {
	r := j.rule
	j.result.Findings = append(j.result.Findings, Finding{
		Rule: r, Class: r.Class, Severity: r.Severity, Reader: r.Reader, Message: oneLine(message),
	})
	return &j.result.Findings[len(j.result.Findings)-1]
}
