// Package mutant runs tests on a module of which one file is another one. The files
// of the module stay as they are: the go command overlays them.
package mutant

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
)

// Outcome is what tests say of a mutant.
type Outcome string

// The outcomes.
const (
	Caught   Outcome = "caught"         // a test fails
	Survived Outcome = "survived"       // every test passes
	Broken   Outcome = "does not build" // so that no test has seen it
	Stuck    Outcome = "ran out of time"
)

// Test runs the tests of package pkg, such as "./repair", whose names match run, in the
// module in the directory root, with source in place of file, a path below root. extra
// are further arguments of go test. The output is that of the tests. An error means
// that they could not be run.
func Test(ctx context.Context, root, file string, source []byte, pkg, run string, extra ...string) (Outcome, []byte, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", nil, err
	}
	defer os.RemoveAll(dir)
	overlay, err := write(dir, filepath.Join(root, filepath.FromSlash(file)), source)
	if err != nil {
		return "", nil, err
	}
	args := append([]string{"test", "-overlay", overlay, "-run", run, "-failfast"}, extra...)
	cmd := exec.CommandContext(ctx, "go", append(args, pkg)...)
	cmd.Dir = root
	output, err := cmd.CombinedOutput()
	_, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil || bytes.Contains(output, []byte("panic: test timed out")):
		return Stuck, output, nil
	case err == nil:
		return Survived, output, nil
	case !failed:
		return "", output, err
	case bytes.Contains(output, []byte("[build failed]")) || bytes.Contains(output, []byte("[setup failed]")):
		return Broken, output, nil
	}
	return Caught, output, nil
}

// write writes the source and the file that tells the go command of it.
func write(dir, replaced string, source []byte) (overlay string, err error) {
	replaced, err = filepath.Abs(replaced)
	if err != nil {
		return "", err
	}
	mutated := filepath.Join(dir, filepath.Base(replaced))
	text, err := json.Marshal(map[string]map[string]string{"Replace": {replaced: mutated}})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, errors.Join(os.WriteFile(mutated, source, 0o600), os.WriteFile(overlay, text, 0o600))
}
