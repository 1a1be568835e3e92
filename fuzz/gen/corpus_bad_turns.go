package main

// badTurns breaks the rule that started this project, that each event lies
// between the turn/start and the turn/end of its turn. dsh opens most of them.
func badTurns() []entry {
	whole := lantern().plain()
	return []entry{
		{"bad/messages-queued-before-the-turn.jsonl", "until July 2026 a queued message had to follow the turn/start of its turn", queuedMessages()},
		{"bad/message-between-two-turns.jsonl", "until July 2026 an injected message had to be a turn of its own, as the last one here is", messageBetweenTurns()},
		{"bad/todo-list-outside-a-turn.jsonl", "a todo/write has to lie in a turn in every dialect", todoOutside()},
		{"bad/turn-start-inside-a-turn.jsonl", "the turn/end of turn 1 is missing", renumber(without(whole, `"turn/end","seq":10,`))},
		{"bad/turn-end-without-a-start.jsonl", "the turn/start of turn 2 is missing", renumber(without(whole, `"turn/start","seq":11,`))},
		{"bad/two-turns-with-the-same-number.jsonl", "the second turn calls itself turn 1 too", secondTurn(1)},
		{"bad/turn-number-skipped.jsonl", "turn 1 is followed by turn 3", secondTurn(3)},
		{"bad/error-recorded-after-the-turn-end.jsonl", "a failure after the end of a turn was written as a second turn/end", errorAfterTurn()},
		{"bad/step-open-at-the-turn-end.jsonl", "the step/end before the turn/end is missing", renumber(without(whole, `"step/end","seq":15,`))},
		{"bad/step-number-skipped.jsonl", "step 1 is followed by step 3", stepSkipped()},
		{"bad/answer-after-its-step.jsonl", "the assistant's message comes behind the end of its step", answerAfterStep()},
		{"bad/last-turn-cannot-be-closed.jsonl", "dsh would write a turn/end for turn 0 and then refuse it", turnZero()},
	}
}

// queuedMessages is a log of July in the order that the rule forbade. Its last
// turn shows that it is no later than the day on which the rule was relaxed.
func queuedMessages() []byte {
	w := newJulyLog()
	w.julyAsk("Good evening.", "Good evening, Ada.")
	w.julyUser("Light the lamp.", "user")
	w.julyUser("And close the door.", "user")
	w.julyTurn("message")
	w.startStep()
	w.julySay("Both done.")
	w.endStep()
	w.endTurn()
	w.injection("The fog has lifted.")
	return w.plain()
}

func messageBetweenTurns() []byte {
	w := newJulyLog()
	w.julyAsk("Good evening.", "Good evening, Ada.")
	w.julyUser("The fog has lifted.", "plugin")
	w.julyAsk("Light the lamp.", "It is lit.")
	w.injection("The fog is back.")
	return w.plain()
}

func todoOutside() []byte {
	w := lantern()
	w.event("todo/write", `{"todos":[{"content":"polish the lens","status":"pending"}]}`, "")
	return w.plain()
}

func errorAfterTurn() []byte {
	w := lantern()
	w.event("turn/end", `{"turn":2,"reason":{"kind":"error","error":{"message":"the log book is full","code":"FLUSH"}}}`, "")
	w.flush()
	w.ask("Is all well?", "All is well.")
	return w.plain()
}

// secondTurn is a log whose second turn has the given number.
func secondTurn(number int) []byte {
	w := newLog()
	w.ask("Good evening.", "Good evening, Ada.")
	w.turn = number - 1
	w.ask("Thank you!", "Fair winds.")
	return w.plain()
}

func stepSkipped() []byte {
	w := newLog()
	w.startTurn()
	w.user("Is the north lamp lit?")
	w.startStep()
	w.say("I will look.")
	w.endStep()
	w.step++
	w.startStep()
	w.say("It is.")
	w.endStep()
	w.endTurn()
	return w.plain()
}

func turnZero() []byte {
	w := lantern()
	w.turn = -1
	w.startTurn()
	return w.plain()
}

func answerAfterStep() []byte {
	w := newLog()
	w.startTurn()
	w.user("Good evening.")
	w.startStep()
	w.endStep()
	w.say("Good evening, Ada.")
	w.endTurn()
	return w.plain()
}

func badCalls() []entry {
	return []entry{
		{"bad/result-without-a-call.jsonl", "a tool/result for a call that was never recorded", resultWithoutCall()},
		{"bad/call-without-a-result.jsonl", "a call of a finished turn was never answered", callWithoutResult()},
	}
}

func resultWithoutCall() []byte {
	w := newLog()
	w.startTurn()
	w.user("Light the lamp.")
	w.startStep()
	w.say("Lighting it.", "call-1")
	w.result("call-1", "lamp is on", 3)
	w.endStep()
	w.endTurn()
	return w.plain()
}

func callWithoutResult() []byte {
	w := newLog()
	w.startTurn()
	w.user("Light the lamp.")
	w.startStep()
	w.say("Lighting it.", "call-1")
	w.call("call-1")
	w.endStep()
	w.endTurn()
	return w.plain()
}
