package repair

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/store"
)

// PlanMoves plans what is to be done about the places of logs: of those in the
// sessions directories that [store.Detect] finds at path, or of the log at path,
// when that lies in such a directory. The order is that in which the moves have to
// be made. An error is that of ctx, or of the file system; a log that cannot be
// read has no moves.
func PlanMoves(ctx context.Context, path string, opt Options) ([]*Move, error) {
	info, err := os.Stat(path)
	if opt.LikeDsh || err != nil {
		return nil, nil // dsh moves nothing
	}
	if !info.IsDir() {
		tree := store.Enclosing(filepath.Dir(path))
		if tree == nil {
			return nil, nil
		}
		return planMoves(ctx, tree, path, opt)
	}
	var all []*Move
	for tree := range store.Detect(path) {
		moves, err := planMoves(ctx, tree, tree.Path, opt)
		if err != nil {
			return nil, err
		}
		all = append(all, moves...)
	}
	return all, nil
}

// planMoves plans for what lies at or below path in a sessions directory.
func planMoves(ctx context.Context, tree *store.Tree, path string, opt Options) ([]*Move, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	below, err := filepath.Rel(tree.Root, abs)
	if err != nil {
		return nil, err
	}
	s, err := newSurvey(ctx, rootName(tree, path, below), opt)
	if err != nil {
		return nil, err
	}
	defer s.close()
	moves, err := s.moves(func(file string) bool {
		return below == "." || file == below || strings.HasPrefix(file, below+string(filepath.Separator))
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(moves, func(a, b *Move) int { return falseLast(a.Kind == Quarantine, b.Kind == Quarantine) })
	return moves, ctx.Err()
}

// rootName returns the name of a sessions directory in the words in which path,
// which lies at below in it, was named.
func rootName(tree *store.Tree, path, below string) string {
	if below == "." {
		return path
	}
	if root, ok := strings.CutSuffix(filepath.Clean(path), string(filepath.Separator)+below); ok && root != "" {
		return root
	}
	return tree.Root
}

// moves returns the moves of the files that in selects.
func (s *survey) moves(in func(file string) bool) ([]*Move, error) {
	groups := make(map[string][]*surveyed)
	var names []string
	for _, l := range s.logs {
		if groups[l.session] == nil {
			names = append(names, l.session)
		}
		groups[l.session] = append(groups[l.session], l)
	}
	var all []*Move
	for _, name := range names {
		group := groups[name]
		if !slices.ContainsFunc(group, func(l *surveyed) bool { return in(l.path) }) {
			continue
		}
		moves, err := s.settle(group, in)
		if err != nil {
			return nil, err
		}
		all = append(all, moves...)
	}
	all = append(all, s.leftovers()...)
	return slices.DeleteFunc(all, func(m *Move) bool { return !in(string(m.From)) }), nil
}

// move returns a move of a file, which is read for its hash.
func (s *survey) move(kind MoveKind, file string) (*Move, error) {
	m := &Move{Kind: kind, Root: Path(s.root), From: Path(file), Options: s.opt, Action: Nothing}
	src, err := openRegular(s.ctx, s.at(file))
	if err != nil {
		return nil, err
	}
	defer src.close()
	m.Size = src.info.Size()
	m.SHA256, err = hashOf(src, m.Size)
	return m, err
}

// leftovers names the temporary files of logs.
func (s *survey) leftovers() (all []*Move) {
	for _, name := range s.temporaries {
		m, err := s.move(LeaveBe, name)
		if err != nil {
			continue
		}
		m.Reason = "left over from the creation of a log, which dsh does not look at"
		all = append(all, m)
	}
	return all
}

// settle decides what becomes of the logs of one session. in selects the logs that
// may be moved now.
func (s *survey) settle(group []*surveyed, in func(file string) bool) ([]*Move, error) {
	moves, err := s.quarantine(group)
	if err != nil {
		return nil, err
	}
	stay := slices.DeleteFunc(slices.Clone(group), func(l *surveyed) bool { return l.gone })
	if len(stay) > 1 {
		more, err := s.disputes(stay)
		return append(moves, more...), err
	}
	var m *Move
	switch last := stay[0]; {
	case last.placed:
		more, err := s.adopt(last)
		return append(moves, more...), err
	case slices.Contains(s.opt.Allow, RewriteHeader) && len(split(last.path)) == sessionDepth:
		m, err = s.rehead(last)
	default:
		m, err = s.toPlace(last, group)
	}
	if err != nil {
		return nil, err
	}
	first := slices.IndexFunc(group, func(l *surveyed) bool { return l.gone && !in(l.path) })
	if m.Action == Repair && first >= 0 {
		m.refuse(Safe, fmt.Sprintf("%q is another log of its session, and has to go first", s.at(group[first].path)),
			"name the sessions directory")
	}
	return append(moves, m), nil
}

// toPlace moves a log to the place that its header names, if that is free. Logs of
// its group that go make room.
func (s *survey) toPlace(l *surveyed, group []*surveyed) (*Move, error) {
	m, err := s.move(ToPlace, l.path)
	if err != nil {
		return nil, err
	}
	m.To = Path(l.place)
	for dir := filepath.Dir(l.place); dir != "."; dir = filepath.Dir(dir) {
		info, err := os.Lstat(s.at(dir))
		if err == nil && !info.IsDir() {
			return m.refuse("", fmt.Sprintf("%q, where its header leads to, is no directory", s.at(dir)), "move that away first"), nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	for _, log := range store.ReadSession(s.at(filepath.Dir(l.place))).Logs {
		there := filepath.Join(filepath.Dir(l.place), log.Name())
		goes := func(o *surveyed) bool { return o.path == there && (o.gone || o == l) }
		if !slices.ContainsFunc(group, goes) {
			return m.refuse("", fmt.Sprintf("its place is taken by %q, which is no log of its session", s.at(there)), "move that away first"), nil
		}
	}
	return m.do(Safe, "its header names another place"), nil
}
