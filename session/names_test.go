package session_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/session"
)

func TestEncodeID(t *testing.T) {
	tests := map[string]struct{ id, want string }{ // id is a JSON string
		"safe characters stay":                 {`"aZ0._-"`, "aZ0._-"},
		"a slash is escaped":                   {`"a/b"`, "a~002Fb"},
		"so is the escape character":           {`"~"`, "~007E"},
		"a space":                              {`"a b"`, "a~0020b"},
		"a character of one unit":              {`"é"`, "~00E9"},
		"a character of two units, one by one": {`"𝄞"`, "~D834~DD1E"},
		"a lone surrogate":                     {`"\ud800"`, "~D800"},
		"a NUL":                                {`"\u0000"`, "~0000"},
		"the current directory":                {`"."`, "~002E"},
		"the parent directory":                 {`".."`, "~002E~002E"},
		"three dots are an ordinary name":      {`"..."`, "..."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			id := value(t, test.id).Text()
			got, err := session.EncodeID(id)
			if err != nil || got != test.want {
				t.Errorf("EncodeID(%s) = %q, %v, want %q", test.id, got, err, test.want)
			}
			if back, ok := session.DecodeID(got); !ok || back != id {
				t.Errorf("DecodeID(%q) = %q, %v, want the id", got, back, ok)
			}
		})
	}
}

func TestEmptyIDHasNoName(t *testing.T) {
	if _, err := session.EncodeID(""); !errors.Is(err, session.ErrNoName) {
		t.Errorf("error %v, want %v", err, session.ErrNoName)
	}
}

func TestDecodeIDRefusesOtherNames(t *testing.T) {
	for _, name := range []string{"", ".", "..", "a b", "é", "~", "~00", "~00e9", "~0041", "~zzzz", "a\"b", "~002", "\x00", "\xFF"} {
		if id, ok := session.DecodeID(name); ok {
			t.Errorf("DecodeID(%q) = %q, want a refusal", name, id)
		}
	}
}

func TestProjectKey(t *testing.T) {
	long := strings.Repeat("x", 300)
	tests := map[string]struct{ cwd, want string }{ // want is "" where there is no name
		"a directory":                      {`"/home/ada/lantern"`, "--home-ada-lantern--"},
		"a separator at the end":           {`"/home/ada/"`, "--home-ada---"},
		"several separators are one":       {`"//home\\:ada"`, "--home-ada--"},
		"a Windows directory":              {`"C:\\Users\\ada"`, "--C-Users-ada--"},
		"the root":                         {`"/"`, "--root--"},
		"only separators and dashes":       {`"/-/"`, "--root--"},
		"leading dashes go":                {`"/-a"`, "--a--"},
		"a character that is not safe":     {`"/a b"`, "--a~0020b--"},
		"characters of two units":          {`"/𝄞"`, "--~D834~DD1E--"},
		"no directory":                     {``, "_no-cwd"},
		"an empty one has no name":         {`""`, ""},
		"null has no name":                 {`null`, ""},
		"an array has no name":             {`["/a"]`, ""},
		"a number has no characters":       {`5`, "--root--"},
		"an object has none either":        {`{}`, "--root--"},
		"a long name keeps 251 characters": {`"/` + long + `"`, "--" + long[:251] + "--"},
		"even in the middle of an escape":  {`"/` + long[:249] + ` "`, "--" + long[:249] + "~0--"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := session.ProjectKey(value(t, test.cwd))
			if (test.want == "") != errors.Is(err, session.ErrNoName) || got != test.want {
				t.Errorf("ProjectKey(%s) = %q, %v, want %q", test.cwd, got, err, test.want)
			}
		})
	}
}
