package main

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// badContainers holds files whose frames, or whose names, are wrong.
func badContainers() []entry {
	w := lantern()
	batches, whole := w.batch(), w.zstd()
	frames := [][]byte{compress(batches[0]), compress(batches[1]), compress(batches[2])}
	stored := frame(batches[1], rawBlock(batches[1]))
	file := func(path, about string, parts ...[]byte) entry {
		return entry{"bad/" + path, about, bytes.Join(parts, nil)}
	}
	last := len(batches) - 1
	return []entry{
		file("checksum-does-not-match.jsonl.zstd", "one letter of the second frame changed on the disk, and its checksum says so",
			frames[0], replace(stored, "north lamp", "south lamp"), frames[2]),
		file("frame-does-not-decompress.jsonl.zstd", "one bit of the second frame changed on the disk, and it decompresses no more",
			frames[0], flip(frames[1], frameHeaderLen+blockHeaderLen), frames[2]),
		file("frame-cut-in-the-middle.jsonl.zstd", "the second frame lost its end, and writing went on: dsh takes all from there on for torn",
			frames[0], frames[1][:len(frames[1])-30], frames[2]),
		file("false-torn-tail.jsonl.zstd", "a wrong size in the second frame reaches past the end of the file: dsh drops all that follows",
			frames[0], claimMore(frames[1]), frames[2]),
		file("skippable-frame.jsonl.zstd", "a frame that zstd tools skip and dsh refuses", frames[0], skippableFrame("backup of 20 August"), frames[1], frames[2]),
		file("zeros-behind-the-last-frame.jsonl.zstd", "dsh refuses four zeros where a frame should begin", whole, make([]byte, 64)),
		file("text-behind-the-last-frame.jsonl.zstd", "a record was appended without compressing it", compressAll(batches[:last]), batches[last]),
		file("recompressed-as-one-frame.jsonl.zstd", "another tool rewrote the log as one frame; dsh wants the header in a frame of its own",
			compress(w.plain())),
		file("header-frame-missing.jsonl.zstd", "the first frame is gone", frames[1], frames[2]),
		file("early-frame-missing.jsonl.zstd", "the second frame is gone", frames[0], frames[2]),
		file("last-frame-without-its-newline.jsonl.zstd", "every frame is complete, but the last record is not",
			frames[0], frames[1], compress(bytes.TrimSuffix(batches[2], []byte("\n")))),
		file("reserved-bit-in-a-frame-header.jsonl.zstd", "a bit that zstd reserves is set", frames[0], frames[1], flipBit(frames[2], 4, 0x08)),
		file("reserved-block-type.jsonl.zstd", "a block has the type that zstd reserves", frames[0], frames[1], flipBit(frames[2], frameHeaderLen, 0x02)),
		file("torn-frame-then-the-whole.jsonl.zstd", "an append was cut and then done again without truncating first",
			frames[0], frames[1], frames[2][:25], frames[2]),
		file("plain-text-under-a-zstd-name.jsonl.zstd", "the log was decompressed and kept its name", w.plain()),
		file("frames-under-a-plain-name.jsonl", "the log was compressed and kept its name", whole),
		file("empty-file.jsonl", "a file without bytes"),
		file("empty-file-under-a-zstd-name.jsonl.zstd", "a file without bytes"),
		file("only-zeros.jsonl", "the file has a length, and none of its data was written", make([]byte, 256)),
		file("not-a-log.jsonl", "a picture under the name of a log", []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00")),
		file("notes-instead-of-a-log.jsonl", "a text file under the name of a log", []byte("Monday: polish the lens.\nTuesday: polish it again.\n")),
	}
}

// flip inverts one bit of the byte at i.
func flip(file []byte, i int) []byte { return flipBit(file, i, 0x01) }

func flipBit(file []byte, i int, mask byte) []byte {
	file = slices.Clone(file)
	file[i] ^= mask
	return file
}

// claimMore makes the first block of a frame claim 64 KiB more than it has.
func claimMore(file []byte) []byte {
	file = slices.Clone(file)
	header := binary.LittleEndian.Uint16(file[frameHeaderLen+1:])
	binary.LittleEndian.PutUint16(file[frameHeaderLen+1:], header+1<<11)
	return file
}
