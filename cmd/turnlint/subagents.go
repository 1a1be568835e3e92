package main

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/turnlint/turnlint/store"
	"github.com/turnlint/turnlint/upgrade"
)

// subagents finds the sub-agents of sessions, for the upgrades that depend on
// them. It reads the headers of a sessions directory once. Several checks may ask
// at the same time.
type subagents struct {
	mu       sync.Mutex
	families map[string]store.Families // by the root of the directory
}

// of returns the function that reads the sub-agents of the session whose log lies
// at an absolute path; nil for a log outside any sessions directory.
func (s *subagents) of(path string) func(id string) []upgrade.Child {
	tree := store.Around(filepath.Dir(path))
	if path == "" || tree == nil || tree.Level != store.Session {
		return nil
	}
	return func(id string) (children []upgrade.Child) {
		for _, log := range s.below(tree.Root)[id] {
			children = append(children, subagent(log))
		}
		return children
	}
}

// below returns the sub-agents in a sessions directory.
func (s *subagents) below(root string) store.Families {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.families[root] == nil {
		if s.families == nil {
			s.families = make(map[string]store.Families)
		}
		s.families[root] = (&store.Tree{Path: root, Root: root}).Families()
	}
	return s.families[root]
}

// subagent reads the log of a sub-agent.
func subagent(log *store.Log) (child upgrade.Child) {
	h := log.Listing().Header
	child = upgrade.Child{ID: h.ID, CreatedAt: h.CreatedAt}
	err := log.Read(func(file *os.File, size int64) (err error) {
		child, err = upgrade.ReadChild(file, size, log.LogName, h)
		return err
	})
	if err != nil {
		child = upgrade.Child{ID: h.ID, CreatedAt: h.CreatedAt, Fault: err.Error()}
	}
	child.Path = log.Path
	return child
}
