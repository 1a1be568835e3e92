package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/turnlint/turnlint/baseline"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/rules"
)

// fingerprints gives the findings about one file or sessions directory the
// identity by which services recognise them from run to run. It is that of the
// baseline, which does not depend on lines and offsets.
type fingerprints struct {
	subject baseline.Subject
	path    string // what tells sessions without an id apart; "" for others
	seen    map[string]int
}

func fileFingerprints(f *File) *fingerprints {
	id := sessionOf(f.Result.Reading)
	fp := &fingerprints{subject: baseline.Session(id), seen: make(map[string]int)}
	if id == "" {
		fp.path = f.Path
	}
	return fp
}

func storeFingerprints(s *Store) *fingerprints {
	return &fingerprints{subject: baseline.Store(s.StoreResult), seen: make(map[string]int)}
}

// next returns the fingerprint of the next finding. Of findings that are alike,
// those behind the first get a number, because services drop repetitions.
func (fp *fingerprints) next(f *rules.Finding) string {
	mark := fp.subject.Fingerprint(f)
	if fp.path != "" {
		mark = digest(mark, fp.path)
	}
	fp.seen[mark]++
	if n := fp.seen[mark]; n > 1 {
		return fmt.Sprintf("%s:%d", mark, n)
	}
	return mark
}

// digest returns the SHA-256 of some strings as lower-case hex.
func digest(parts ...string) string {
	hash := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(hash, "%q ", escape.UTF8(part))
	}
	return hex.EncodeToString(hash.Sum(nil))
}
