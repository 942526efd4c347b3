package wire

// Controls are the acts that a button or a control card of the table can trigger: those of the host
// that need no choice.
const (
	ControlStart = "start" // begins the game; after its end, plays again
	ControlNext  = "next"  // phones stop waiting for the display
	ControlPause = "pause" // pauses and resumes the game
	ControlAlarm = "alarm" // pauses the game, under white light
	ControlCall  = "call"  // calls the host
)
