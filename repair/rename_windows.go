package repair

import "golang.org/x/sys/windows"

func renameNew(name, second string) error {
	from, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return err
	}
	to, err := windows.UTF16PtrFromString(second)
	if err != nil {
		return err
	}
	return windows.MoveFile(from, to)
}
