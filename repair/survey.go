package repair

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/store"
)

// maxName is the longest name, in bytes, that file systems allow.
const maxName = 255

// surveyed is a log in a sessions directory and the place that its header names.
type surveyed struct {
	path    string // below the root
	header  *session.Header
	session string // what its session directory is to be called
	place   string // below the root
	placed  bool   // it lies at its place
	kept    bool   // the user wants it to stay
	gone    bool   // it is to leave the sessions directory
}

// survey is a look at the logs of a sessions directory. The memory is some hundred
// bytes for each log.
type survey struct {
	ctx  context.Context
	root string // as it was named
	opt  Options
	logs []*surveyed
	// copies and temporaries lie beside logs; paths below the root.
	copies, temporaries []string
	plain, zstd         int // logs of either encoding

	views map[string]*view
	temps []string // files of views
}

// newSurvey looks at the sessions directory root.
func newSurvey(ctx context.Context, root string, opt Options) (*survey, error) {
	s := &survey{ctx: ctx, root: root, opt: opt, views: make(map[string]*view)}
	s.opt.Encoding = scan.Auto
	tree := &store.Tree{Path: root}
	for dir := range tree.Dirs() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		below, err := filepath.Rel(root, dir.Path)
		if err != nil {
			return nil, err
		}
		if winner := dir.Winner(); winner != nil && winner.Generation > session.Version {
			continue // what lies beside it is history, and has no other place
		}
		for _, e := range dir.Entries {
			if err := s.take(filepath.Join(below, e.Name), e.Role); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// at returns the path of a file below the root.
func (s *survey) at(below string) string { return filepath.Join(s.root, below) }

func (s *survey) take(below string, role store.Role) error {
	switch role {
	case store.Copy:
		s.copies = append(s.copies, below)
	case store.Temporary:
		s.temporaries = append(s.temporaries, below)
	case store.LogFile, store.FlatLog:
		if scan.EncodingOfName(below) == scan.Zstd {
			s.zstd++
		} else {
			s.plain++
		}
		return s.takeLog(below)
	}
	return nil
}

// takeLog adds a log, unless its header does not name a place.
func (s *survey) takeLog(below string) error {
	header, err := s.header(below)
	if header == nil || err != nil {
		return err
	}
	name, place, ok := placeOf(header, below)
	if !ok {
		return nil
	}
	l := &surveyed{path: below, header: header, session: name, place: place}
	l.placed = place == below || store.SameFile(s.at(below))(s.at(place))
	l.kept = slices.ContainsFunc(s.opt.KeepCopies, func(p Path) bool { return samePath(string(p), s.at(below)) })
	s.logs = append(s.logs, l)
	return nil
}

// header returns the header that a log has, or that a repair gives it; nil when
// there is none of this format. A log that cannot be read has none.
func (s *survey) header(below string) (*session.Header, error) {
	listing := listed(s.at(below))
	if listing.Err != nil {
		return nil, s.ctx.Err()
	}
	header := listing.Header
	if header == nil || listing.Blocks != nil {
		v, err := s.look(below, below)
		if err != nil {
			return nil, s.ctx.Err()
		}
		if header = v.plan.header; v.plan.Action != Repair {
			return nil, nil
		}
	}
	if header != nil && header.Version != session.Version {
		return nil, nil
	}
	return header, nil
}

// listed returns what dsh makes of a log of format v0 when it lists sessions. Its
// place is not looked at.
func listed(path string) *store.Listing {
	log := store.Log{Path: path}
	log.Zstd = scan.EncodingOfName(path) == scan.Zstd
	return log.Listing()
}

// placeOf returns the name of the session directory and the place of a log below
// the sessions directory (docs/format.md §7). below is where it lies: its name
// tells the encoding.
func placeOf(h *session.Header, below string) (name, place string, ok bool) {
	name, idErr := session.EncodeID(h.ID)
	project, cwdErr := session.ProjectKey(h.CWD)
	if idErr != nil || cwdErr != nil || len(name) > maxName {
		return "", "", false
	}
	base := session.PlainName
	if scan.EncodingOfName(below) == scan.Zstd {
		base = session.ZstdName
	}
	return name, filepath.Join(project, name, base), true
}

// samePath reports whether two paths name the same file.
func samePath(a, b string) bool {
	x, errX := filepath.Abs(a)
	y, errY := filepath.Abs(b)
	return errX == nil && errY == nil && x == y
}

// better orders logs of one session: what the user wants to stay, what lies in its
// place and what has the encoding of most logs comes first. dsh writes zstd unless
// told otherwise, so a tie is for that.
func (s *survey) better(a, b *surveyed) int {
	encoding := func(l *surveyed) bool { return (scan.EncodingOfName(l.path) == scan.Zstd) == (s.zstd >= s.plain) }
	return cmp.Or(falseLast(a.kept, b.kept), falseLast(a.placed, b.placed), falseLast(encoding(a), encoding(b)), strings.Compare(a.path, b.path))
}

// view is a file as its repair leaves it.
type view struct {
	plan *Plan
	path string // of a file with these bytes; "" when it is still to be made
}

// look returns the view of a file below the root that is read as a log of the name
// as, with its plan only.
func (s *survey) look(below, as string) (*view, error) {
	if v := s.views[below]; v != nil {
		return v, nil
	}
	src, err := openRegular(s.ctx, s.at(below))
	if err != nil {
		return nil, err
	}
	defer src.close()
	p, err := NewPlan(src, src.info.Size(), s.at(as), s.opt)
	if err != nil {
		return nil, err
	}
	v := &view{plan: p}
	if p.Action != Repair {
		v.path = s.at(below)
	}
	s.views[below] = v
	return v, nil
}

// view is look with a file. The repaired bytes of a damaged log lie in a private
// temporary one.
func (s *survey) view(below, as string) (*view, error) {
	v, err := s.look(below, as)
	if err != nil || v.path != "" {
		return v, err
	}
	src, err := openRegular(s.ctx, s.at(below))
	if err != nil {
		return nil, err
	}
	defer src.close()
	f, err := os.CreateTemp("", "turnfix-")
	if err != nil {
		return nil, err
	}
	s.temps = append(s.temps, f.Name())
	if err := errors.Join(v.plan.Write(f, src), f.Close()); err != nil {
		return nil, err
	}
	v.path = f.Name()
	return v, nil
}

// close removes the temporary files.
func (s *survey) close() {
	for _, name := range s.temps {
		os.Remove(name)
	}
}

// openRegular opens a file for reading, if it is a regular one: nothing waits for
// the writer of a pipe.
func openRegular(ctx context.Context, path string) (*openLog, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &openLog{ctx: ctx, path: path, file: f, info: info}, nil
}
