package wire

// ActClock is the host's act that sets the clock of the table's computer, where nobody has: args {"at": milliseconds since 1970, UTC}.
const ActClock = "clock"
