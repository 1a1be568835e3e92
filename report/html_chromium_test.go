package report_test

import (
	"bytes"
	"context"
	"image"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// chromium returns the path of the browser. Where TURNLINT_CHROMIUM is set there
// has to be one.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("TURNLINT_CHROMIUM") != "" {
		t.Fatal("TURNLINT_CHROMIUM is set, and there is no Chromium")
	}
	t.Skip("there is no Chromium")
	return ""
}

// browse runs a headless browser on a page, and returns what it prints and what it
// logs.
func browse(t *testing.T, browser, page string, args ...string) (stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	profile, err := os.MkdirTemp("", "turnlint-chromium-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(profile) // which may fail while the browser's last process still writes
	args = append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--enable-logging=stderr",
		"--user-data-dir=" + profile,
	}, append(args, "file://"+page)...)
	var out, log bytes.Buffer
	cmd := exec.CommandContext(ctx, browser, args...)
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	return out.String(), log.String()
}

// screenshots returns where the pictures go: to the folder TURNLINT_SCREENSHOTS, so
// that somebody can look at them.
func screenshots(t *testing.T) string {
	if dir := os.Getenv("TURNLINT_SCREENSHOTS"); dir != "" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	return t.TempDir()
}

func TestPagesInChromium(t *testing.T) {
	browser := chromium(t)
	if testing.Short() {
		t.Skip("the browser is slow to start")
	}
	shots := screenshots(t)
	for name, log := range stories {
		t.Run(name, func(t *testing.T) {
			f := sampleFile(t, log)
			path := filepath.Join(t.TempDir(), name+".html")
			if err := os.WriteFile(path, []byte(page(t, f)), 0o600); err != nil {
				t.Fatal(err)
			}
			shot := filepath.Join(shots, name+".png")
			dom, logged := browse(t, browser, path, "--dump-dom", "--window-size=1100,2000", "--screenshot="+shot)
			if strings.Contains(logged, "CONSOLE") {
				t.Errorf("the browser complains:\n%s", logged)
			}
			for _, want := range []string{"<h2", "Map of the file", f.Result.Reading.Verdict.String()} {
				if !strings.Contains(dom, want) {
					t.Errorf("the browser does not show %q", want)
				}
			}
			if got := brightness(t, shot); got < 0.8 || got > 0.99 {
				t.Errorf("brightness %.2f, want dark text on light paper", got)
			}
			if name != "fork" {
				return
			}
			shot = filepath.Join(shots, name+"-dark.png")
			browse(t, browser, path, "--blink-settings=preferredColorScheme=0", "--window-size=1100,2000", "--screenshot="+shot)
			if got := brightness(t, shot); got < 0.05 || got > 0.3 {
				t.Errorf("brightness %.2f in the dark scheme, want light text on dark paper", got)
			}
		})
	}
}

// brightness returns how bright a screenshot is on the whole, from 0 to 1.
func brightness(t *testing.T, path string) float64 {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	shot, _, err := image.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	sum, n := 0.0, 0.0
	b := shot.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 5 {
		for x := b.Min.X; x < b.Max.X; x += 5 {
			r, g, b, _ := shot.At(x, y).RGBA()
			sum += float64(r+g+b) / (3 * 0xFFFF)
			n++
		}
	}
	return sum / n
}
