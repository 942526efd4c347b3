package wire

// Orders are the acts that programs of the house may ask for, over a line that everybody may hear: what they do, and whether it can be
// done, everybody at the table can see.
const (
	OrderPause     = "pause"         // stops the game
	OrderResume    = "resume"        // lets it go on
	OrderAlarm     = "alarm"         // stops it under white light; before a game white light alone
	OrderLight     = "light"         // args {"to": LightGame, LightWhite or LightDark}
	OrderCountdown = "countdown-add" // args {"seconds"}, and {"bonus": "yes"}, which everybody is told
	OrderHint      = "hint"          // args {"to": "all" or "display", and "text" or "stock"}
	OrderNext      = "skip-scene"    // the phones wait for the display no longer
)
