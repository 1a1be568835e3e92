package session

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// admitV3 is the admission of rows of format v3: vocabulary and request headers
// of v2 are refused, and so are system messages of another shape.
func admitV3(e *Event) *RowFault {
	switch {
	case dispatchGone(e):
		return &RowFault{
			Text:        fmt.Sprintf(`format v3 contains unknown event type "%s" at seq %s`, e.Type.Text(), printed(e.Seq)),
			Unsupported: true, Retired: true,
		}
	case !e.IsRecord():
		return nil
	}
	switch AnyTypeOf(e.Type) {
	case RequestHeader:
		return admitHeaderV3(e)
	case SystemMessage:
		if text := systemFaultV3(e); text != "" {
			return &RowFault{Text: text}
		}
	}
	return nil
}

func admitHeaderV3(e *Event) *RowFault {
	header := e.Field("header")
	switch {
	case e.Data.Kind != jsjson.Object:
		return malformed("request/header data must be an object")
	case header.Kind != jsjson.Object:
		return malformed("request/header header must be an object")
	case header.Has("system"):
		return &RowFault{Text: "format v3 request/header rejects retired header.system", Unsupported: true, Retired: true}
	}
	return nil
}

func systemFaultV3(e *Event) string {
	if e.Data.Kind != jsjson.Object {
		return "system/message data must be an object"
	}
	const lacks, unexpected = "lacks required field %s", "has unexpected field %s"
	if fault := KeysFault(e.Data, []string{"turn", "step", "message"}, nil, lacks, unexpected); fault != "" {
		return "system/message data " + fault
	}
	for _, key := range []string{"turn", "step"} {
		if fault := natural(e.Field(key), key, key); fault != "" {
			return fault
		}
	}
	message := e.Message()
	if message.Kind != jsjson.Object {
		return "system message must be an object"
	}
	if fault := KeysFault(message.Value, []string{"id", "role", "content", "source"}, nil, lacks, unexpected); fault != "" {
		return "system message " + fault
	}
	source := e.Message().Source
	switch {
	case !e.Message().ID.NonEmptyString() || !e.Message().Role.EqualText("system"):
		return "system message requires an id and system role"
	case !source.Get("kind").EqualText("plugin") || !source.Get("plugin").NonEmptyString():
		return "system message requires plugin source"
	}
	return promptFault(source, e.Message().Content)
}

// promptFault checks a system message as dsh does, which gives it the name of a
// user message of seq 0 for that.
func promptFault(source, content jsjson.Value) string {
	for _, m := range source.OwnMembers(nil) {
		if !oneOf(m.Key, []string{"kind", "plugin", "form", "sections", "summary", "compactionId", "sourceCommandId"}) {
			return fmt.Sprintf(`user/message 0 source has unexpected member "%s"`, m.Key.Text())
		}
	}
	if content.Kind != jsjson.Array {
		return "user/message 0 content must be an array"
	}
	i := 0
	for block := range content.Elements() {
		if fault := imageFault(block); fault != "" {
			return fmt.Sprintf("user/message 0 content[%d] attachment %s", i, fault)
		}
		i++
	}
	return ""
}

// imageTypes are the media types of images.
var imageTypes = []string{"image/png", "image/jpeg", "image/webp", "image/gif"}

func imageFault(block jsjson.Value) string {
	if !block.Get("type").EqualText("image") {
		return ""
	}
	attachment := block.Get("attachment")
	if media := attachment.Get("mediaType"); media.Kind != jsjson.String || !oneOf(media, imageTypes) {
		return "mediaType must be one of image/png, image/jpeg, image/webp, image/gif"
	}
	for _, key := range []string{"width", "height"} {
		if fault := natural(attachment.Get(key), key, key); fault != "" {
			return fault
		}
	}
	return ""
}
