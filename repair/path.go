package repair

import (
	"encoding/json"
	"unicode/utf8"
)

// Path is a file name in plans and manifests. JSON text is UTF-8 and file names
// are bytes, so a name that is not UTF-8 is written as {"bytes": base64}.
type Path string

type pathBytes struct {
	Bytes []byte `json:"bytes"`
}

// MarshalJSON implements json.Marshaler.
func (p Path) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(p)) {
		return json.Marshal(string(p))
	}
	return json.Marshal(pathBytes{[]byte(p)})
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *Path) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		var b pathBytes
		err := json.Unmarshal(text, &b)
		*p = Path(b.Bytes)
		return err
	}
	return json.Unmarshal(text, (*string)(p))
}
