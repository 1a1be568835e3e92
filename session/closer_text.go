package session

// NotStartedText is the text of the synthetic result of a call that was never
// recorded as started. Readers from v2 on compare it byte for byte.
const NotStartedText = notStartedText
