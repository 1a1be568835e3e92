package main

import (
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/scan"
)

// ask gives the file the readings of the versions of dsh that the user named.
func (ch *checker) ask(file *report.File, src *shared.Source) error {
	file.Readings = nil // of a read before the file changed
	checked := file.Result
	for _, v := range ch.readers {
		if v == scan.DefaultReader() {
			file.Readings = append(file.Readings, report.Reading{Version: v, Reading: checked.Reading, StoreRefuses: checked.StoreRefuses})
			continue
		}
		reading, err := v.Read(src, src.Size(),
			scan.Options{Encoding: ch.options.Encoding, MaxLine: ch.options.MaxLine}, scan.ModelOptions{})
		if err != nil {
			return err
		}
		reading.Header = checked.Reading.Header
		file.Readings = append(file.Readings, report.Reading{Version: v, Reading: reading})
	}
	return nil
}

// answer makes the first of the named versions the one that the report is about.
func answer(file *report.File) {
	if len(file.Readings) > 0 {
		first := file.Readings[0]
		file.Result.Reading, file.Result.StoreRefuses = first.Reading, first.StoreRefuses
	}
}
