package repair

// Permission is a kind of repair that is done on request only. Those that change
// events name what they may change: "mint-id=user/message".
type Permission string

// FillGaps puts placeholders where events are lost, so that those behind the gap stay.
const FillGaps Permission = "fill-gaps"

// RebuildHeader makes a header for a log that has lost its own, from the names of the
// directories that it lies in.
const RebuildHeader Permission = "rebuild-header"

// Permissions returns all permissions, in the form "NAME" or "NAME=OBJECT".
func Permissions() []string {
	all := []string{string(FillGaps), string(RebuildHeader)}
	for _, m := range remedies {
		all = append(all, string(m.permission(m.wants)))
	}
	return all
}

// Known reports whether p is a permission, with an object where it wants one.
func (p Permission) Known() bool { return p == FillGaps || p == RebuildHeader || remedyOf(p) != nil }
