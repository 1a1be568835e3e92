package upgrade

import (
	"cmp"
	"slices"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// Child is what the log of a sub-agent tells about it. dsh reads the logs of all
// sub-agents of a session when it takes the log of the session to v4.
type Child struct {
	ID        string // of its session, WTF-8
	CreatedAt int64  // epoch ms
	// Descriptors counts the events subagent/descriptor of its log, and Descriptor
	// is the payload of the only one as JSON. Without exactly one, as when the log
	// cannot be read, nothing is known about the sub-agent.
	Descriptors int
	Descriptor  []byte
	Path        string // of its log, for the texts of refusals; may be empty
	// Fault says why the log could not be read, "" when it could. dsh then warns,
	// and takes the sub-agent over as one of which nothing is known.
	Fault string
}

// catalog collects the facts about sub-agents that a log has of its own.
type catalog struct {
	children []Child
	facts    []jsjson.Value
}

// add takes the payload of a fact in the log.
func (c *catalog) add(fact jsjson.Value) { c.facts = append(c.facts, fact) }

// cut takes the marker in front of which the facts are those of another session.
func (c *catalog) cut() { c.facts = nil }

// missing checks the facts of the log and returns those that it lacks.
func (c *catalog) missing() ([]Object, error) {
	own := map[string]jsjson.Value{}
	for _, fact := range c.facts {
		if err := checkFact(fact, "subagent/catalog"); err != nil {
			return nil, err
		}
		id := fact.Get("childId").Text()
		if own[id].Exists() {
			return nil, unsupported("duplicate catalog child %s", jsjson.ToValidUTF8(id))
		}
		own[id] = fact
	}
	return c.fromChildren(own)
}

func (c *catalog) fromChildren(own map[string]jsjson.Value) ([]Object, error) {
	var missing []Object
	for _, child := range c.sorted() {
		fact, err := child.fact()
		if err != nil {
			return nil, err
		}
		known, found := own[child.ID]
		if !found {
			own[child.ID] = fact.Value()
			missing = append(missing, fact)
		} else if contradicts(known, fact) {
			return nil, unsupported("%s conflicts with its parent catalog", child.name())
		}
	}
	return missing, nil
}

// sorted returns the children in the order of their creation.
func (c *catalog) sorted() []Child {
	return slices.SortedStableFunc(slices.Values(c.children), func(a, b Child) int {
		return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
}

// contradicts tells whether what a child says is not what the log says. A child
// that says nothing contradicts only another time of creation.
func contradicts(known jsjson.Value, fact Object) bool {
	if !jsjson.DeepEqual(known.Get("childCreatedAt"), fact.Get("childCreatedAt")) {
		return true
	}
	if fact.Get("mode").EqualText("unknown") {
		return false
	}
	return !jsjson.DeepEqual(known.Get("mode"), fact.Get("mode")) ||
		known.Get("label").JSString() != fact.Get("label").JSString()
}

// name names the child in the texts of refusals.
func (c *Child) name() string {
	name := "Session " + jsjson.ToValidUTF8(c.ID)
	if c.Path != "" {
		name += " (raw log: " + c.Path + ")"
	}
	return name
}

// fact returns what the child says about itself as the payload of a fact.
func (c *Child) fact() (Object, error) {
	mode, label, err := c.describe()
	if err != nil {
		return nil, err
	}
	version := int64(0)
	if mode == "unknown" {
		version = 1
	}
	fact := Object{
		member("version", number(version)), member("childId", text(c.ID)),
		member("childCreatedAt", number(c.CreatedAt)), member("mode", text(mode)),
	}
	if label.Exists() {
		fact = append(fact, member("label", label))
	}
	return fact, checkFact(fact.Value(), c.name())
}

// describe reads the descriptor of the child.
func (c *Child) describe() (mode string, label jsjson.Value, err error) {
	var doc jsjson.Doc
	if c.Descriptors != 1 || doc.Parse(c.Descriptor) != nil || doc.Root.Kind != jsjson.Object {
		return "unknown", label, nil
	}
	label, mode = doc.Get("label"), "continuable"
	switch version, _ := doc.Get("version").SafeInt(); version {
	case 1: // only those that can be continued had a descriptor
		return mode, label, nil
	case 2, 3:
	default:
		return "unknown", jsjson.Value{}, nil
	}
	if !doc.Get("provider").NonEmptyString() {
		return "", label, unsupported("%s has an invalid subagent descriptor provider", c.name())
	}
	if mode = doc.Get("mode").Text(); mode != "continuable" && mode != "one-shot" {
		return "", label, unsupported("%s has an invalid subagent descriptor mode", c.name())
	}
	return mode, label, nil
}

// checkFact refuses a fact that no reader of v4 takes. The check of the finished
// log has the same rule.
func checkFact(fact jsjson.Value, whose string) error {
	version, isInt := fact.Get("version").SafeInt()
	mode := fact.Get("mode").Text()
	fits := isInt && (version == 0 || version == 1) &&
		(mode == "one-shot" || mode == "continuable" && fact.Get("label").NonEmptyString() || mode == "unknown" && version == 1)
	if !fits || !fact.Get("childId").NonEmptyString() {
		return refuse("%s requires a supported versioned catalog fact", whose)
	}
	if _, ok := count(fact.Get("childCreatedAt")); !ok {
		return refuse("catalog child creation time must be a non-negative safe integer")
	}
	return nil
}
