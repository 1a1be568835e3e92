package main

import (
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/scan"
)

// readings returns what the versions of dsh that the user named make of the file.
// The default one goes without saying for the logs that it wrote.
func readings(file *report.File) []report.Reading {
	own, all := file.Result.Reading, file.Result.Readings
	for i := range all {
		r := &all[i]
		older := r.Version.Generation <= own.Generation && r.Reading != own
		r.Unfound = older && !file.Result.Projection && r.Verdict >= scan.Loses && r.Verdict != scan.Unreadable
	}
	if len(all) == 1 && all[0].Version == scan.DefaultReader() && all[0].Reading == file.Result.Reading {
		return nil
	}
	return all
}

// answer makes the first of the named versions the one that the report is about.
func answer(file *report.File) {
	if len(file.Readings) > 0 {
		first := file.Readings[0]
		file.Result.Reading, file.Result.StoreRefuses = first.Reading, first.StoreRefuses
	}
}
