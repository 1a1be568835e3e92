package main

import "slices"

// entry is one log of the corpus.
type entry struct {
	path  string // below testdata/corpus, with slashes
	about string // the description in its sidecar
	data  []byte
}

// corpusLogs returns every log of testdata/corpus:
//
//	ok    dsh opens them, and there is nothing to repair
//	torn  a crash cut them short
//	bad   everything else
func corpusLogs() []entry {
	return slices.Concat(okLogs(), okContainers(), tornText(), tornFrames(),
		badTurns(), badCalls(), badLines(), badSequences(), badPayloads(), badRecords(), badContainers(), projections(), dialects())
}

// lantern is the log that most entries damage: two finished turns, the first
// with a tool call. Line 0 is the header; the events follow with the same number
// less one as their seq.
func lantern() *writer {
	w := newLog()
	w.askLamp("Is the north lamp lit?", "call-1", "The north lamp is lit.")
	w.ask("Thank you!", "Fair winds.")
	return w
}

// winds is the text of the last message of lantern.
const winds = `"text":"Fair winds."`

// openTurn is a log that ends inside its second turn, in a step whose two calls
// are unanswered; only the first was recorded as started.
func openTurn() *writer {
	w := newLog()
	w.ask("Good evening.", "Good evening, Ada.")
	w.startTurn()
	w.user("Light both lamps, please.")
	w.startStep()
	w.say("Lighting both.", "call-1", "call-2")
	w.call("call-1")
	return w
}

// streaming is a log that ends inside a turn while an answer streams in.
func streaming() *writer {
	w := newLog()
	w.ask("Good evening.", "Good evening, Ada.")
	w.startTurn()
	w.user("How is the sea?")
	w.startStep()
	w.event("assistant/chunk", w.place(`,"chunk":{"type":"block-start","index":0,"blockType":"text"}}`), "")
	w.chunks("The sea ", "is \"calm\" ", "at 12 °C ", "tonight.")
	return w
}
