package main

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"

	"github.com/turnlint/turnlint/fuzz"
)

// maxPieces is the pieces of a seed that a drawn recipe begins with, at most: most of
// what there is to find takes few lines, and short logs are read in no time.
const maxPieces = 14

// maxChanges is the changes of one recipe, at most.
const maxChanges = 4

// mutator draws recipes: the beginning of a seed, changed in a few places.
type mutator struct {
	random *rand.Rand
	seeds  [][][]byte // their pieces
	pieces [][]byte   // all of them
	tokens [][]byte   // JSON strings, numbers and corners
}

var (
	pieceOf = regexp.MustCompile(`(?s)[\x1D\x1E]|[^\n\x1D\x1E]+\n?|\n`) // a line, or what ends a frame
	tokenOf = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?[0-9][-+.0-9eE]*|true|false|null`)
	seqOf   = regexp.MustCompile(`"seq0?":([0-9]+)`)
	frameAt = []byte{fuzz.EndCompressed, fuzz.EndRaw}
)

// corners mean something to a reader of JSON.
var corners = []string{
	`0`, `-0`, `1`, `-1`, `1.0`, `0.5`, `1e0`, `1e400`, `9007199254740991`, `9007199254740993`, `01`, `true`, `null`, `{}`, `[]`, `""`,
	`"\ud83d"`, `"\u0000"`, `"__proto__"`, `[null]`, `{"seq":0}`, "\"\t\"", "\"\xFF\"", "\"\u2028\"",
}

// inserted are bytes that mean something to a reader of JSON, lines or frames.
var inserted = []byte("\n\r\x00 \t{}[]\",:\\0-.e\xEF\xBB\xBF\xFF\x1D\x1E")

func newMutator(recipes [][]byte, seed uint64) *mutator {
	m := &mutator{random: rand.New(rand.NewPCG(seed, 0))}
	for _, c := range corners {
		m.tokens = append(m.tokens, []byte(c))
	}
	known := make(map[string]bool)
	for _, recipe := range recipes {
		text := fuzz.Text(recipe)
		pieces := pieceOf.FindAll(text, -1)
		m.seeds = append(m.seeds, pieces)
		m.pieces = append(m.pieces, pieces...)
		for _, t := range tokenOf.FindAll(text, -1) {
			if !known[string(t)] {
				known[string(t)] = true
				m.tokens = append(m.tokens, t)
			}
		}
	}
	return m
}

// draw returns the next recipe.
func (m *mutator) draw() []byte {
	pieces := one(m, m.seeds)
	pieces = slices.Clone(pieces[:min(len(pieces), 1+m.random.IntN(maxPieces))])
	pieces = m.framed(pieces)
	for range 1 + m.random.IntN(maxChanges) {
		pieces = m.change(pieces)
	}
	return slices.Concat(m.damages(), bytes.Join(pieces, nil))
}

// damages returns the start of a recipe: that of an undamaged file in most of them.
func (m *mutator) damages() []byte {
	n := max(0, m.random.IntN(3*fuzz.MaxDamages)+1-2*fuzz.MaxDamages)
	damages := []byte{byte(n)}
	for range n {
		place := m.random.IntN(1 << 16)
		damages = append(damages, byte(m.random.IntN(fuzz.DamageKinds)), byte(place), byte(place>>8))
	}
	return damages
}

// framed takes the frames away, or ends some behind the header and other lines.
func (m *mutator) framed(pieces [][]byte) (text [][]byte) {
	way := m.random.IntN(4)
	if way >= 2 {
		return pieces // as the seed has them
	}
	for _, p := range pieces {
		if bytes.ContainsAny(p, string(frameAt)) {
			continue
		}
		text = append(text, p)
		if way == 1 && (len(text) == 1 || m.random.IntN(3) == 0) {
			text = append(text, m.frameEnd())
		}
	}
	return text
}

func (m *mutator) frameEnd() []byte { return []byte{one(m, frameAt)} }

// change changes one place of a text, rarely of its header.
func (m *mutator) change(pieces [][]byte) [][]byte {
	if len(pieces) == 0 {
		return [][]byte{one(m, m.pieces)}
	}
	i := m.random.IntN(len(pieces))
	if m.random.IntN(6) > 0 {
		i = max(i, min(2, len(pieces)-1)) // behind the header and the end of its frame
	}
	switch m.random.IntN(10) {
	case 0:
		return slices.Delete(pieces, i, i+1)
	case 1:
		return slices.Insert(pieces, i, pieces[i])
	case 2:
		if i > 0 {
			pieces[i-1], pieces[i] = pieces[i], pieces[i-1]
		}
	case 3:
		if isFramed(pieces) {
			return slices.Insert(pieces, i, m.frameEnd())
		}
		pieces[i] = bytes.TrimSuffix(pieces[i], []byte("\n"))
	case 4:
		return slices.Insert(pieces, i+1, one(m, m.pieces))
	case 5, 6:
		return append(pieces, m.next(pieces))
	case 7:
		pieces[i] = m.changeBytes(pieces[i])
	default:
		pieces[i] = m.changeToken(pieces[i])
	}
	return pieces
}

func isFramed(pieces [][]byte) bool {
	return slices.ContainsFunc(pieces, func(p []byte) bool { return bytes.ContainsAny(p, string(frameAt)) })
}

// next returns a line of any seed with the seq that follows, or one beside that.
func (m *mutator) next(pieces [][]byte) []byte {
	seq := 0
	for _, p := range pieces {
		if found := seqOf.FindSubmatch(p); found != nil {
			last, _ := strconv.Atoi(string(found[1]))
			seq = last + 1
		}
	}
	if m.random.IntN(8) == 0 {
		seq += m.random.IntN(3) - 1
	}
	line := one(m, m.pieces)
	if at := seqOf.FindSubmatchIndex(line); at != nil {
		return slices.Concat(line[:at[2]], strconv.AppendInt(nil, int64(seq), 10), line[at[3]:])
	}
	return line
}

// changeBytes flips a bit of a line, takes bytes out, doubles or inserts some.
func (m *mutator) changeBytes(line []byte) []byte {
	if len(line) == 0 {
		return one(m, m.pieces)
	}
	at := m.random.IntN(len(line))
	to := min(len(line), at+1+m.random.IntN(8))
	switch m.random.IntN(5) {
	case 0:
		line = bytes.Clone(line)
		line[at] ^= 1 << m.random.IntN(8)
		return line
	case 1:
		return slices.Concat(line[:at], line[to:])
	case 2:
		return slices.Concat(line[:to], line[at:])
	case 3:
		return line[:at]
	default:
		return slices.Concat(line[:at], []byte{one(m, inserted)}, line[at:])
	}
}

// changeToken replaces a string or a number of a line by one of any seed, or takes it
// out.
func (m *mutator) changeToken(line []byte) []byte {
	all := tokenOf.FindAllIndex(line, -1)
	if len(all) == 0 {
		return m.changeBytes(line)
	}
	at := one(m, all)
	if m.random.IntN(16) == 0 {
		return slices.Concat(line[:at[0]], line[at[1]:])
	}
	return slices.Concat(line[:at[0]], one(m, m.tokens), line[at[1]:])
}

// one returns any element.
func one[T any](m *mutator, all []T) T { return all[m.random.IntN(len(all))] }
