package repair

import "slices"

// Permission is a kind of repair that is done on request only. Those that change
// events name what they may change: "mint-id=user/message".
type Permission string

// The permissions that name no events.
const (
	// FillGaps puts placeholders where events are lost, so that those behind the
	// gap stay.
	FillGaps Permission = "fill-gaps"
	// RebuildHeader makes a header for a log that has lost its own, from the names
	// of the directories that it lies in.
	RebuildHeader Permission = "rebuild-header"
	// RewriteHeader makes the header of a log name the place where it lies.
	RewriteHeader Permission = "rewrite-header"
	// AdoptCopy puts a copy that holds more than its log in the log's place.
	AdoptCopy Permission = "adopt-copy"
)

var plainPermissions = []Permission{AdoptCopy, FillGaps, RebuildHeader, RewriteHeader, SplicePrefix}

// Permissions returns all permissions, in the form "NAME" or "NAME=OBJECT".
func Permissions() (all []string) {
	for _, p := range plainPermissions {
		all = append(all, string(p))
	}
	for _, m := range remedies {
		all = append(all, string(m.permission(m.wants)))
	}
	return all
}

// Known reports whether p is a permission, with an object where it wants one.
func (p Permission) Known() bool { return slices.Contains(plainPermissions, p) || remedyOf(p) != nil }
