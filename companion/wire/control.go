package wire

// Controls are what a button or a control card of the table can ask for. They are the host's acts that need no choice.
const (
	ControlStart = "start" // begins the game, and plays again once it is over
	ControlNext  = "next"  // the phones wait for the display no longer
	ControlPause = "pause" // stops the game and lets it go on
	ControlAlarm = "alarm" // stops the game, under white light
	ControlCall  = "call"  // calls the host
)
