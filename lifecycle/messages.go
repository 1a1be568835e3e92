package lifecycle

import (
	"slices"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// messages is the state of the user messages.
type messages struct {
	human   []int64 // seqs of those that a person wrote, ascending
	headers headers
}

func (c *Checker) userMessage() *Violation {
	source := c.e.Message().Source
	if c.target < 4 && source.Kind != jsjson.Object {
		return c.fail("user/message %d source must be a JSON object", c.seq)
	}
	if source.Get("kind").EqualText("user") {
		c.human = append(c.human, c.seq)
		return c.readable()
	}
	return c.checkpoint(source)
}

// readable checks that the rules of v2 and v3 can read the text of a message.
func (c *Checker) readable() *Violation {
	content := c.e.Message().Content
	switch {
	case c.target == 4 || content.Kind == jsjson.Array:
		return nil
	case !content.Exists() || content.Kind == jsjson.Null:
		return c.cannotRead(content, "flatMap")
	}
	return c.failAs(session.ClassTypeError, "content.flatMap is not a function")
}

// title checks which messages a title, or a request for one, is about.
func (c *Checker) title() *Violation {
	var seqs []int64
	seen := true // all are earlier messages of a person
	for v := range c.e.Field("messageSeqs").Elements() {
		n, bad := c.earlier(v, "title messageSeqs")
		if bad != nil && c.target == 4 {
			return bad
		}
		_, found := slices.BinarySearch(c.human, n)
		seen = seen && bad == nil && found && !slices.Contains(seqs, n)
		seqs = append(seqs, n)
	}
	byUser := c.typ == session.SessionTitle && c.e.Field("source").Get("kind").EqualText("user")
	switch {
	case (len(seqs) == 0) != byUser:
		return c.fail("%s messageSeqs must be empty exactly for a user title", c.numbered())
	case !seen && c.target == 4:
		return c.fail("%s messageSeqs must cite distinct earlier human user/message events", c.name())
	case !seen:
		return c.fail("%s messageSeqs must cite earlier human user/message events", c.numbered())
	}
	return c.titlePrompt()
}

// titlePrompt checks the message of a request for a title.
func (c *Checker) titlePrompt() *Violation {
	if c.typ != session.SessionTitleRequest {
		return nil
	}
	message := c.e.Field("messages").Only()
	source := message.Get("source")
	const producer = "dsh-session-title-llm"
	mine := source.Get("kind").EqualText(producer)
	if c.target < 4 {
		mine = source.Get("kind").EqualText("plugin") && source.Get("plugin").EqualText(producer)
	}
	if !mine || !message.Get("role").EqualText("user") ||
		!message.Get("content").Only().Get("type").EqualText("text") {
		return c.fail("%s must hold one text message of %s", c.numbered(), producer)
	}
	return nil
}

// numbered returns the type with the seq that the texts of v2 and v3 put behind it.
func (c *Checker) numbered() string {
	if c.target == 4 {
		return c.name()
	}
	return c.name() + " " + number(c.seq)
}
