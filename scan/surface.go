package scan

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/turnlint/turnlint/internal/history"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// surface is the list of events that make up the model's history, folded from
// their surface metadata in log order (docs/format.md §2.3).
type surface struct {
	history.Order
	results pages[resultIdentity] // of the tool results on the surface and some that were, by seq
	kept    int                   // results when they were last pruned

	// With bounded set, a surface of more than maxSurface events is forgotten;
	// missed then says that an event came that cannot be judged without it.
	bounded, forgotten, missed bool
	renumbered                 bool // see ModelOptions

	told          bool    // a message has named every missing event
	cited, sorted []int64 // of the last event that cites
	parts         []byte
}

// resultIdentity is what a replacement of a tool result must leave as it is. A
// log has one for each tool result, so it is kept small: 64 bits tell apart all that
// is not made to collide.
type resultIdentity struct {
	seq  uint32
	body hash64 // data without the id of the message and the content of its block
	id   hash64 // of the message
}

type hash64 uint64

// hash returns the same for equal values. A bounded surface hashes their text, under
// a seed that nobody can know: that costs next to nothing, and equal values whose
// texts differ are hardly ever compared.
func (s *surface) hash(v jsjson.Value) hash64 {
	if s.bounded {
		return hash64(maphash.Bytes(hashSeed, v.Raw()))
	}
	return hash64(v.Digest()[0])
}

var hashSeed = maphash.MakeSeed()

// apply checks the surface metadata of the event with the given seq, adds it to
// the surface, and returns dsh's message for the first rule that it breaks, with
// what that is about.
func (s *surface) apply(e *session.Event, seq int64) (Reason, string) {
	if !e.Kind.Surface() {
		return ReasonMarker, noSurface(e)
	}
	replace, fault := surfaceOp(e)
	if fault != "" {
		return ReasonMarker, fault
	}
	if s.renumbered {
		return ReasonSources, s.sources(e, math.MaxInt64)
	}
	if s.forgotten {
		s.missed = s.missed || replace
		return ReasonSources, s.sources(e, seq)
	}
	var first, last uint32 // slots of the ends of the span that the event replaces
	if replace {
		if first, last, fault = s.ends(e.Surface); fault != "" {
			return ReasonRange, fault
		}
	}
	if fault = s.sources(e, seq); fault != "" {
		return ReasonSources, fault
	}
	if replace {
		if fault = s.shadowed(first, last); fault != "" {
			return ReasonSources, fault
		}
	}
	if e.Kind == session.ToolResult {
		identity := s.identify(e, seq)
		if replace {
			if fault = s.sameResult(&identity, first, last); fault != "" {
				return ReasonResult, fault
			}
		}
		s.results.append(identity)
	}
	if replace {
		s.Replace(first, last, uint32(seq))
		if s.results.len() > 2*s.kept+pageLen {
			s.pruneResults()
		}
	} else {
		s.Append(uint32(seq))
	}
	if s.bounded && s.Len() > maxSurface {
		s.Order, s.results, s.forgotten = history.Order{}, nil, true
	}
	return 0, ""
}

// maxSurface is far beyond the messages that a model's context window holds, so
// that only logs without any compaction come to it; and those do not need it.
const maxSurface = 1 << 13

// pruneResults forgets the results that are no longer on the surface, so that memory
// follows the history that the model sees and not the length of the log.
func (s *surface) pruneResults() {
	on := slices.Sorted(s.All())
	var kept pages[resultIdentity]
	for i := range s.results.len() {
		r := s.results.at(i)
		if _, found := slices.BinarySearch(on, r.seq); found {
			kept.append(*r)
		}
	}
	s.results, s.kept = kept, kept.len()
}

// noSurface refuses surface metadata on the types that have none.
func noSurface(e *session.Event) string {
	name := ""
	switch {
	case e.Surface.Exists():
		name = "surfaceOp"
	case e.Sources.Exists():
		name = "sourceEventSeqs"
	default:
		return ""
	}
	return fmt.Sprintf("session event \"%s\" is not surface-eligible and cannot carry %s", typeText(e), name)
}

func typeText(e *session.Event) string { return jsjson.ToValidUTF8(e.Type.JSString()) }

// surfaceOp reads the marker of a surface event.
func surfaceOp(e *session.Event) (replace bool, fault string) {
	op := e.Surface
	switch {
	case !op.Exists():
		return false, fmt.Sprintf("session event \"%s\" is surface-eligible and requires a surfaceOp marker", typeText(e))
	case op.EqualText("append"):
		return false, ""
	case op.Kind != jsjson.Object:
		return false, fmt.Sprintf("session event \"%s\" carries an invalid surfaceOp", typeText(e))
	}
	start, startOK := op.Get("start").SafeInt()
	end, endOK := op.Get("end").SafeInt()
	if !op.HasExactly("op", "start", "end") || !op.Get("op").EqualText("replace") ||
		!startOK || !endOK || start < 0 || end < 0 {
		return false, fmt.Sprintf("session event \"%s\" carries an invalid replace surfaceOp", typeText(e))
	}
	return true, ""
}

// ends returns the slots of the first and the last event that a replace operation
// names by their seqs.
func (s *surface) ends(op jsjson.Value) (first, last uint32, fault string) {
	start, _ := op.Get("start").SafeInt()
	end, _ := op.Get("end").SafeInt()
	first, startOK := s.Find(start)
	last, endOK := s.Find(end)
	switch {
	case !startOK:
		fault = fmt.Sprintf("surface replace: start seq %d not found in surface", start)
	case !endOK:
		fault = fmt.Sprintf("surface replace: end seq %d not found in surface", end)
	case first > last:
		fault = fmt.Sprintf("surface replace: start seq %d (index %d) is after end seq %d (index %d)", start, s.Index(first), end, s.Index(last))
	}
	return first, last, fault
}

// sources checks the events that a surface event cites.
func (s *surface) sources(e *session.Event, seq int64) string {
	s.sorted = s.sorted[:0]
	if !e.Sources.Exists() {
		return ""
	}
	if e.Sources.Kind != jsjson.Array {
		return fmt.Sprintf("sourceEventSeqs on event at seq %d must be an array when present", seq)
	}
	s.cited = s.cited[:0]
	for v := range e.Sources.Elements() {
		n, ok := v.SafeInt()
		if !ok || n < 0 {
			return fmt.Sprintf("session event \"%s\" sourceEventSeqs must densely contain non-negative safe integers", typeText(e))
		}
		s.cited = append(s.cited, n)
	}
	if len(s.cited) == 0 && e.Kind != session.AssistantMessage {
		return "sourceEventSeqs must not be empty except on assistant/message"
	}
	s.sorted = append(s.sorted[:0], s.cited...)
	slices.Sort(s.sorted)
	if len(slices.Compact(s.sorted)) < len(s.cited) {
		return "sourceEventSeqs must not contain duplicates"
	}
	for _, n := range s.cited {
		if n >= seq {
			return fmt.Sprintf("sourceEventSeqs must reference earlier events: %d >= current seq %d", n, seq)
		}
	}
	return ""
}

// maxMissing bounds the events that are named as missing, in all messages but the
// first, which is the one that dsh prints.
const maxMissing = 16

// shadowed checks that a replacement cites every event that it takes off the
// surface.
func (s *surface) shadowed(first, last uint32) string {
	var missing []string
	for node := range s.Span(first, last) {
		if _, found := slices.BinarySearch(s.sorted, int64(node)); found {
			continue
		}
		if s.told && len(missing) == maxMissing {
			missing = append(missing, "…")
			break
		}
		missing = append(missing, strconv.Itoa(int(node)))
	}
	if missing == nil {
		return ""
	}
	s.told = true
	return "surface replace: sourceEventSeqs must include every shadowed surface node; missing " + strings.Join(missing, ", ")
}

// sameResult checks that a replacing tool result changes only the content of
// the one result that it replaces.
func (s *surface) sameResult(now *resultIdentity, first, last uint32) string {
	if first != last {
		return "tool/result surface replacement must rewrite exactly one current node"
	}
	i, found := sort.Find(s.results.len(), func(i int) int {
		return cmp.Compare(s.At(first), s.results.at(i).seq)
	})
	if !found {
		return "tool/result surface replacement must target a current tool/result"
	}
	was := s.results.at(i)
	if now.id == s.hash(unknownIDValue) {
		now.id = was.id
	}
	if now.body != was.body || now.id != was.id {
		s.missed = s.bounded // only their texts are known to differ
		return "tool/result surface replacement may change only content"
	}
	return ""
}

var unknownIDValue = jsjson.NewValue(jsjson.String, unknownID)

// identify takes the identity of a well-formed tool result.
func (s *surface) identify(e *session.Event, seq int64) resultIdentity {
	m := e.Message()
	r := resultIdentity{seq: uint32(seq), id: s.hash(m.ID)}
	if s.bounded {
		r.body = hashAround(e.Data, m.ID, m.Block.Get("content"))
		return r
	}
	b := append(s.parts[:0], `{"data":`...)
	b = appendWithout(b, e.Data, "message")
	b = appendWithout(append(b, `,"message":`...), m.Value, "id", "content")
	b = appendWithout(append(b, `,"block":`...), m.Block, "content")
	s.parts = append(b, '}')
	r.body = s.hash(jsjson.NewValue(jsjson.Object, s.parts))
	return r
}

// hashAround hashes the text of v around two values in it.
func hashAround(v, a, b jsjson.Value) hash64 {
	if v.Offset(b) < v.Offset(a) {
		a, b = b, a
	}
	text, first, second := v.Raw(), v.Offset(a), v.Offset(b)
	var h maphash.Hash
	h.SetSeed(hashSeed)
	h.Write(text[:first])
	h.Write(text[first+len(a.Raw()) : second])
	h.Write(text[second+len(b.Raw()):])
	return hash64(h.Sum64())
}

// appendWithout appends the text of an object but for some of its members.
func appendWithout(dst []byte, v jsjson.Value, keys ...string) []byte {
	dst = append(dst, '{')
	for c := v.Inside(); c.More(); c.Next() {
		if slices.ContainsFunc(keys, c.KeyIs) {
			continue
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, c.Key().Raw()...), ':'), c.Value().Raw()...)
	}
	return append(dst, '}')
}
