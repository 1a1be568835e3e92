package main

import (
	"bytes"
	"slices"
)

func tornText() []entry {
	stream, open, whole := streaming().plain(), openTurn().plain(), lantern().plain()
	return []entry{
		{"torn/cut-inside-the-header.jsonl", "the crash came before the first line was complete", whole[:40]},
		{"torn/cut-right-after-the-header.jsonl", "nothing but the header reached the disk", line(whole, 0)},
		{"torn/cut-inside-the-first-record.jsonl", "no event is complete", whole[:len(line(whole, 0))+30]},
		{"torn/cut-between-two-records.jsonl", "a turn is open, and the last record is complete", open},
		{"torn/cut-before-the-first-step.jsonl", "a turn is open in which no step has begun", cutAfter(open, `"Light both lamps, please."`+afterText)},
		{"torn/cut-before-any-call-started.jsonl", "two calls were announced, and none was recorded as started", withoutLastLine(open)},
		{"torn/cut-after-a-step.jsonl", "the step is closed, the turn is not", stepClosed()},
		{"torn/cut-before-the-turn-end.jsonl", "only the turn/end of the last turn is missing", withoutLastLine(whole)},
		{
			"torn/cut-after-a-record-without-its-newline.jsonl", "the last turn/end is complete but for its newline, so dsh drops it",
			whole[:len(whole)-1],
		},
		{"torn/cut-inside-a-character.jsonl", "the last bytes are one half of a degree sign", cutAfter(stream, "12 \xC2")},
		{"torn/cut-inside-an-escape.jsonl", `the last byte is the backslash of \"`, cutAfter(stream, `is \`)},
		{"torn/cut-inside-a-packed-row.jsonl", "four chunks are lost with the row that held them", cutAfter(stream, `"dt":[40,`)},
		{
			"torn/zeros-behind-the-last-record.jsonl", "power failed after the file had grown and before its data was written",
			slices.Concat(whole, make([]byte, 64)),
		},
		{"torn/blank-line-at-the-end.jsonl", "an editor added an empty line", slices.Concat(whole, []byte("\n"))},
		{"torn/half-a-batch-then-nothing.jsonl", "two records of a batch are there, the third is cut", halfBatch()},
	}
}

// afterText ends a user message behind its text.
const afterText = `}],"source":{"kind":"user"}},"surfaceOp":"append"}` + "\n"

func withoutLastLine(text []byte) []byte { return deleteLine(text, len(lines(text))-1) }

func stepClosed() []byte {
	w := openTurn()
	w.interrupted("call-1", "the lamp room is locked")
	w.notStarted("call-2")
	w.endStep()
	return w.plain()
}

func halfBatch() []byte {
	w := lantern()
	before := w.text.Len()
	w.ask("One more thing.", "Yes?")
	text := w.plain()
	added := lines(text[before:])
	return slices.Concat(text[:before], added[0], added[1], added[2][:20])
}

// tornFrames cuts zstd logs. Batches of the last frame are cut at a place named
// from the start of that frame.
func tornFrames() []entry {
	batches := streaming().batch()
	last := len(batches) - 1
	before := compressAll(batches[:last])
	packed := compress(batches[last])
	cut := func(n int) []byte { return slices.Concat(before, packed[:n]) }

	rows := lines(batches[last])
	head, tail := bytes.Join(rows[:3], nil), bytes.Join(rows[3:], nil)
	raw := frame(batches[last], rawBlock(batches[last]))
	rawCut := frameHeaderLen + blockHeaderLen + len(head) + 30
	mixed := frame(batches[last], rawBlock(head), compressedBlock(tail))
	mixedCut := frameHeaderLen + blockHeaderLen + len(head) + blockHeaderLen + 20
	return []entry{
		{"torn/turn-open-between-frames.jsonl.zstd", "every frame is complete, and the last turn is open", openTurn().zstd()},
		{"torn/cut-inside-the-frame-magic.jsonl.zstd", "two bytes of the last frame", cut(2)},
		{"torn/cut-inside-a-frame-header.jsonl.zstd", "magic and descriptor of the last frame", cut(5)},
		{"torn/cut-inside-a-block-header.jsonl.zstd", "two of the three bytes of a block header", cut(frameHeaderLen + 2)},
		{"torn/cut-inside-a-compressed-block.jsonl.zstd", "nothing of a compressed block can be read until it is complete", cut(len(packed) / 2)},
		{"torn/cut-inside-the-checksum.jsonl.zstd", "all text of the last frame is there, only unverified", cut(len(packed) - 2)},
		{
			"torn/cut-inside-a-raw-block.jsonl.zstd", "a raw block can be read up to the cut: three records are recovered",
			slices.Concat(before, raw[:rawCut]),
		},
		{
			"torn/cut-inside-the-second-block.jsonl.zstd", "the first block of the frame is recovered, the second is lost",
			slices.Concat(before, mixed[:mixedCut]),
		},
		{"torn/cut-inside-the-header-frame.jsonl.zstd", "nothing of a torn first frame is recovered", compress(batches[0])[:12]},
	}
}
