package wire

// Orders are the acts that home programs may request, over a connection that anyone may read. Their
// effects, and whether they are possible, are visible to all at the table.
const (
	OrderPause     = "pause"         // pauses the game
	OrderResume    = "resume"        // resumes the game
	OrderAlarm     = "alarm"         // pauses the game under white light; before a game only the white light
	OrderLight     = "light"         // args {"to": LightGame, LightWhite or LightDark}
	OrderCountdown = "countdown-add" // args {"seconds"}, and {"bonus": "yes"}, which all players see
	OrderHint      = "hint"          // args {"to": "all" or "display", and "text" or "stock"}
	OrderNext      = "skip-scene"    // phones stop waiting for the display
)
