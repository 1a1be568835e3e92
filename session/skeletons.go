package session

import "github.com/turnlint/turnlint/internal/jsjson"

// NewSkeletons returns the skeletons of the records of a log. The keys are those
// whose strings name what a record is about; docs/format.md §2.5 lists the values.
func NewSkeletons() *jsjson.Skeletons {
	return jsjson.NewSkeletons("type", "kind", "role", "surfaceOp", "blockType", "operation", "phase", "status", "outcome",
		"target", "policy", "mode", "dialect", "decision", "source")
}
