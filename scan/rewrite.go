package scan

import (
	"bytes"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// member returns a member with a plain key and any JSON text as its value.
func member(key string, raw []byte) jsjson.Member {
	return jsjson.Member{
		Key:   jsjson.NewValue(jsjson.String, []byte(`"`+key+`"`)),
		Value: jsjson.NewValue(jsjson.Absent, raw),
	}
}

// without returns the own members of an object but for the named ones.
func without(v jsjson.Value, keys ...string) []jsjson.Member {
	return jsjson.Without(v.OwnMembers(nil), keys...)
}

// replace gives a member another value and reports whether it is there.
func replace(members []jsjson.Member, key string, raw []byte) bool {
	for i := range members {
		if members[i].Key.EqualText(key) {
			members[i].Value = jsjson.NewValue(members[i].Value.Kind, raw)
			return true
		}
	}
	return false
}

// object returns the text of an object with the given members.
func object(members ...jsjson.Member) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(m.Key.Raw())
		b.WriteByte(':')
		b.Write(m.Value.Raw())
	}
	b.WriteByte('}')
	return b.Bytes()
}
