package lifecycle

import (
	"cmp"
	"sort"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// headers are the tools of the request headers of a log. Most headers repeat the
// tools of the one before; they share one entry.
type headers struct {
	list []headerTools // by seq
	last jsjson.Digest // of the tools of the last one
}

type headerTools struct {
	seq   int64
	tools map[string]int // complete definitions by name, WTF-8
}

// add takes the next request header of the log.
func (h *headers) add(seq int64, header jsjson.Value) {
	defined := header.Get("tools")
	sum := digest(defined)
	if n := len(h.list); n > 0 && sum == h.last {
		h.list = append(h.list, headerTools{seq, h.list[n-1].tools})
		return
	}
	h.last = sum
	tools := map[string]int{}
	for tool := range defined.Elements() {
		if tool.Get("name").Kind == jsjson.String && tool.Has("description") && tool.Has("parameters") {
			tools[tool.Get("name").Text()]++
		}
	}
	h.list = append(h.list, headerTools{seq, tools})
}

// at returns the tools of the header at seq, and whether one stands there.
func (h *headers) at(seq int64) (map[string]int, bool) {
	i, found := sort.Find(len(h.list), func(i int) int { return cmp.Compare(seq, h.list[i].seq) })
	if !found {
		return nil, false
	}
	return h.list[i].tools, true
}
