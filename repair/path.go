package repair

import (
	"encoding/json"
	"unicode/utf8"
)

// rawText is bytes in JSON, which itself is UTF-8: bytes that are not are written
// as {"bytes": base64}.
type rawText string

type rawBytes struct {
	Bytes []byte `json:"bytes"`
}

// MarshalJSON implements json.Marshaler.
func (t rawText) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return json.Marshal(string(t))
	}
	return json.Marshal(rawBytes{[]byte(t)})
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *rawText) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		var b rawBytes
		err := json.Unmarshal(text, &b)
		*t = rawText(b.Bytes)
		return err
	}
	return json.Unmarshal(text, (*string)(t))
}

// Path is a file name in plans and manifests. File names are bytes, so a name that is
// not UTF-8 is written as {"bytes": base64}.
type Path string

// MarshalJSON implements json.Marshaler.
func (p Path) MarshalJSON() ([]byte, error) { return rawText(p).MarshalJSON() }

// UnmarshalJSON implements json.Unmarshaler.
func (p *Path) UnmarshalJSON(text []byte) error { return (*rawText)(p).UnmarshalJSON(text) }
