package upgrade

import (
	"iter"
	"strconv"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// messagesIn yields the messages in the payload of an event.
func messagesIn(e Event) iter.Seq[jsjson.Value] {
	return func(yield func(jsjson.Value) bool) {
		path := messagePaths[e.Type]
		switch key, each := strings.CutSuffix(path, "[]"); {
		case path == "":
		case path == wholePayload:
			yield(e.Data())
		case !each:
			yield(e.Data().Get(key))
		default:
			for message := range e.Data().Get(key).Elements() {
				if !yield(message) {
					return
				}
			}
		}
	}
}

// checkContents refuses content of a kind that this edge does not know: in
// messages, in the streams that they came in, and in the results of dispatches.
func checkContents(e Event) error {
	at := atV2(e) + " data"
	data := e.Data()
	switch e.Type {
	case "user/message":
		return checkContent(data.Get("content"), at+".content")
	case "assistant/message", "tool/result":
		if err := checkContent(data.Get("message").Get("content"), at+".message.content"); err != nil || e.Type == "tool/result" {
			return err
		}
		return checkStream(data.Get("stream"), at+".stream")
	case "assistant/attempt":
		return checkStream(data.Get("stream"), at+".stream")
	case "tool/code-dispatch":
		return checkContent(data.Get("content"), at+".content")
	case "agent/inbox/spliced", "session/title-llm-request":
		key := strings.TrimSuffix(messagePaths[e.Type], "[]")
		i := 0
		for message := range messagesIn(e) {
			if err := checkContent(message.Get("content"), at+"."+key+"["+strconv.Itoa(i)+"].content"); err != nil {
				return err
			}
			i++
		}
	case "compaction/summary":
		for _, key := range []string{"summary", "rawOutput"} {
			if data.Has(key) {
				if err := checkContent(data.Get(key), at+"."+key); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func checkContent(content jsjson.Value, at string) error {
	if content.Kind != jsjson.Array {
		return refuse("%s: content must be an array", at)
	}
	i := 0
	for block := range content.Elements() {
		if err := checkBlock(block, at+"["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
		i++
	}
	return nil
}

var (
	fileKeys       = keysOf("type attachment")
	attachmentKeys = keysOf("attachmentId name bytes")
)

func checkBlock(block jsjson.Value, at string) error {
	kind := block.Get("type")
	switch {
	case kind.EqualText("file"):
		if err := fileKeys.check(ObjectOf(block), at+` kind "file"`); err != nil {
			return err
		}
		return attachmentKeys.check(ObjectOf(block.Get("attachment")), at+` kind "file" attachment`)
	case kind.EqualText("tool-result"):
		if tooDeep(block) {
			return refuse("Maximum call stack size exceeded")
		}
		return checkContent(block.Get("content"), at+".content")
	}
	return checkKind(kind, at)
}

// tooDeep tells whether results inside results go deeper than dsh's stack does.
// The results of one level are the rule, and are not looked into.
func tooDeep(result jsjson.Value) bool {
	for block := range result.Get("content").Elements() {
		if block.Get("type").EqualText("tool-result") {
			var doc jsjson.Doc
			return doc.Parse(result.Raw()) == nil && doc.Depth > maxDepth
		}
	}
	return false
}

// checkKind refuses the kind of a content block that is not one of the six.
func checkKind(kind jsjson.Value, at string) error {
	if kind.NonEmptyString() && !contentKinds[kind.Text()] {
		return unsupported("%s: cannot safely transform unclassified message content kind %s", at, kind.Stringify())
	}
	return nil
}

func checkStream(stream jsjson.Value, at string) error {
	if stream.Kind != jsjson.Array {
		return refuse("%s: content must be an array", at)
	}
	i := -1
	for record := range stream.Elements() {
		i++
		kind, block := blocksIn(record.Get("chunk"))
		if !kind.Exists() && !block.Exists() {
			continue // most chunks are pieces of text
		}
		at := at + "[" + strconv.Itoa(i) + "].chunk"
		if err := checkKind(kind, at+".blockType"); err != nil {
			return err
		}
		if block.Exists() {
			if err := checkBlock(block, at+".block"); err != nil {
				return err
			}
		}
	}
	return nil
}

// blocksIn returns the type of the block that a chunk begins, and the block that
// it ends.
func blocksIn(chunk jsjson.Value) (kind, block jsjson.Value) {
	for m := range chunk.Members() {
		switch {
		case m.Key.EqualText("blockType"):
			kind = m.Value
		case m.Key.EqualText("block"):
			block = m.Value
		}
	}
	return kind, block
}
