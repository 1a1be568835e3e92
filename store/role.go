package store

import (
	"io/fs"
	"regexp"
	"strings"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// Role is what an entry of a tree is to dsh, or was meant to be.
type Role uint8

// The roles (docs/format.md §1.1, docs/generations.md §7.1).
const (
	Other              Role = iota // dsh does not look at it
	Subdirectory                   // a project in a root, a session directory in a project
	LinkedDir                      // a link to a directory where only directories count
	MkdirRest                      // a directory that dsh made on Windows and did not move to its place
	FlatLog                        // a log directly in a project
	LogFile                        // a log of any generation, session[.vN].jsonl[.zstd]
	Temporary                      // what a log is called while it is written for the first time
	MigrationTemporary             // what a log is called while it is made of one of an earlier generation
	Copy                           // a copy of a log that another program made
	LockFile                       // session.lock, which a writer locks
	LockDir                        // a directory in its place
)

// LockName is the name of the file in a session directory that a writer of the
// session locks (docs/generations.md §7.4).
const LockName = "session.lock"

var (
	temporaryName = regexp.MustCompile(`^session(\.v[1-9][0-9]*)?\.jsonl(\.zstd)?\.[0-9a-f]{12}\.tmp$`)
	migrationName = regexp.MustCompile(`^session\.migration\.[0-9a-f]{16}\.jsonl(\.zstd)?\.tmp$`)
	mkdirName     = regexp.MustCompile(`^\.dsh-mkdir-[0-9A-Za-z]{6}$`)
	// copyName covers what synchronisers, editors and people call a copy, such as
	// "session (conflicted copy 2026-08-30).jsonl", "Copy of session.jsonl",
	// "session.sync-conflict-20260830-101112-ABCDEFG.jsonl" and "session.jsonl.bak".
	copyName = regexp.MustCompile(`(?s)session.*\.jsonl`)
)

// roleOf returns the role of an entry of the directory at path.
func roleOf(path string, level Level, e fs.DirEntry) Role {
	k := kindOf(path, e)
	if level == Session {
		return sessionRole(e.Name(), k)
	}
	switch {
	case k.IsDir() && k.link:
		return LinkedDir
	case k.IsDir() && mkdirName.MatchString(e.Name()):
		return MkdirRest
	case k.IsDir():
		return Subdirectory
	case level == Project && k.IsRegular() && !k.link && scan.EncodingOfName(e.Name()) != scan.Auto:
		return FlatLog
	}
	return Other
}

// sessionRole returns the role of an entry of a session directory. A directory
// with the name of a log counts as one, which dsh then fails to read.
func sessionRole(name string, k kind) Role {
	switch {
	case k.missing:
		return Other
	case isLogName(name):
		return LogFile
	case name == LockName && k.IsDir():
		return LockDir
	case name == LockName:
		return LockFile
	case k.IsDir():
		if mkdirName.MatchString(name) {
			return MkdirRest
		}
		return Other
	case temporaryName.MatchString(name):
		return Temporary
	case migrationName.MatchString(name):
		return MigrationTemporary
	case copyName.MatchString(name) && !strings.HasPrefix(name, "."):
		return Copy
	}
	return Other
}

func isLogName(name string) bool {
	_, ok := session.ParseLogName(name)
	return ok
}
