package rules

// TurnInfo describes one turn of a log, for those who list them.
type TurnInfo struct {
	Number string // data.turn of its turn/start, as JavaScript prints it
	Line   int    // of its turn/start
	Seq    int64  // of its turn/start
	EndSeq int64  // of its turn/end, or of the last event in an open turn
	// Start and End are the times of these two events in epoch ms. In a projection
	// only their difference means something.
	Start, End int64
	Reason     string // kind of the reason in its turn/end, "" for none
	Steps      int64
	Calls      int64
	Events     int64 // turn/start and turn/end included
	Open       bool  // there is no turn/end
}
