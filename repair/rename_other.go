//go:build unix && !darwin && !linux

package repair

import "errors"

func renameNew(string, string) error { return errors.ErrUnsupported }
