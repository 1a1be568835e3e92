package report_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// schemes are the colours of the page, by the names of its custom properties.
func schemes(t *testing.T) map[string]map[string]string {
	t.Helper()
	style, err := os.ReadFile("html/style.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark, ok := strings.Cut(string(style), "@media screen and (prefers-color-scheme: dark)")
	if !ok {
		t.Fatal("there is no dark scheme")
	}
	dark, _, _ = strings.Cut(dark, "\n}\n")
	return map[string]map[string]string{"light": colours(light), "dark": colours(dark)}
}

var property = regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]{6});`)

func colours(css string) map[string]string {
	found := make(map[string]string)
	for _, m := range property.FindAllStringSubmatch(css, -1) {
		found[m[1]] = m[2]
	}
	return found
}

// luminance is the relative luminance of WCAG 2.2.
func luminance(colour string) (sum float64) {
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic(fmt.Sprintf("colour %q", colour))
		}
		c := float64(v) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// contrast is the contrast ratio of WCAG 2.2, from 1 to 21.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestColoursCanBeTold(t *testing.T) {
	pairs := []struct {
		text, on string
		want     float64 // 4.5 for text, 3 for lines
	}{
		{"ink", "paper", 7},
		{"ink", "panel", 7},
		{"soft", "paper", 4.5},
		{"soft", "panel", 4.5},
		{"link", "paper", 4.5},
		{"link", "panel", 4.5},
		{"good", "paper", 4.5},
		{"mend", "paper", 4.5},
		{"bad", "paper", 4.5},
		{"bad", "panel", 4.5},
		{"odd", "paper", 4.5},
		{"on-mark", "mark", 4.5},
		{"ink", "fill-turn", 4.5},
		{"ink", "fill-faulty", 4.5}, // where branches overlap
		{"edge", "paper", 3},
		{"edge", "panel", 3},
		{"focus", "paper", 3},
		{"focus", "panel", 3},
		{"bad", "fill-damaged", 3}, // hatching
		{"mend", "fill-faulty", 3},
		{"odd", "fill-hidden", 3},
		{"soft", "fill-torn", 3},
		{"ink", "fill-foreign", 3},
		{"soft", "fill-turn", 3},
	}
	for name, scheme := range schemes(t) {
		for _, p := range pairs {
			text, on := scheme[p.text], scheme[p.on]
			if text == "" || on == "" {
				t.Errorf("%s: no colour %s or %s", name, p.text, p.on)
			} else if got := contrast(text, on); got < p.want {
				t.Errorf("%s: --%s on --%s has a contrast of %.2f, want %.1f", name, p.text, p.on, got, p.want)
			}
		}
	}
}

func TestContrastIsThatOfWCAG(t *testing.T) {
	if got := contrast("#000000", "#ffffff"); math.Abs(got-21) > 0.001 {
		t.Errorf("black on white: %f, want 21", got)
	}
	if got := contrast("#767676", "#ffffff"); math.Abs(got-4.54) > 0.01 {
		t.Errorf("grey on white: %f, want 4.54", got)
	}
}

func TestStyleHasNoOtherColours(t *testing.T) {
	style, err := os.ReadFile("html/style.css")
	if err != nil {
		t.Fatal(err)
	}
	rest := property.ReplaceAllString(string(style), "")
	if found := regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b|rgba?\(|hsl`).FindAllString(rest, -1); len(found) > 0 {
		t.Errorf("colours outside the custom properties: %q", found)
	}
	if !strings.Contains(rest, ":focus-visible { outline: 3px solid var(--focus)") {
		t.Error("the focus is not visible")
	}
}
