package light

// MaxPlaces is the most places in a cue.
const MaxPlaces = 16

// Lamp is the state of the light above a place.
type Lamp uint8

const (
	LampDark   Lamp = iota // not in use
	LampOpen               // can be entered
	LampHere               // a player investigates here now
	LampCrime              // a player was murdered here in this resolution
	LampClosed             // closed for good: dark
	LampReach              // the player who moves now can get here: in the mover's colour
)

// ParseLamp parses the table's code of a lamp: open, here, crime, closed or reach. Any other code gives
// LampDark and false.
func ParseLamp(code string) (lamp Lamp, ok bool) {
	switch code {
	case "open":
		return LampOpen, true
	case "here":
		return LampHere, true
	case "crime":
		return LampCrime, true
	case "closed":
		return LampClosed, true
	case "reach":
		return LampReach, true
	}
	return LampDark, false
}

// Clock is the public counter: of rounds, or of the hours of a Cluedo.
type Clock struct {
	At   int  // the current round or hour, 0 before the first
	Of   int  // the last one; 0 if there is no limit yet
	Mark int  // the round in which accusations open, or the hour that kills; 0: none
	Open bool // accusations are open; the next hour kills
}

// GlowState is the state of a reader that its light shows.
type GlowState uint8

const (
	GlowOff      GlowState = iota // not in use: dark
	GlowIdle                      // waits for no card
	GlowWaiting                   // waits for a card of one seat
	GlowAccepted                  // accepted the card; the same for every seat
	GlowAgain                     // did not accept it: present it again
)

// Glow is the light around a reader. GlowAccepted and GlowAgain always last 900 ms, even when the next cue
// comes at once.
type Glow struct {
	State GlowState
	Seat  int // 1 to 8: the colour of that seat; anything else: brass, for any seat
}

// Mood is the light of the whole house.
type Mood uint8

const (
	MoodOrdinary      Mood = iota
	MoodReveal             // the urn is opened: the house dims, except for the crime
	MoodConfrontation      // two are left: the brass is restless
	MoodEnd                // the game is over: the house lights go on, in the winners' colours
	MoodPause              // the game is paused: the cards are counted, or the machine needs a person
)

// MaxSeats is the number of seats with a colour.
const MaxSeats = 8

// Cue is everything that the lights show. Cues are compared with ==.
type Cue struct {
	Mood   Mood
	Places [MaxPlaces]Lamp // in the order of the layout
	// DarkOrder gives the order in which places go dark one after the other; equal ones follow the layout.
	DarkOrder [MaxPlaces]uint8
	Clock     Clock
	Urn       Glow // the reader in the urn's slot
	Show      Glow // the refutation reader
	UrnOpen   bool // the clues of the urn are public
	Mover     int  // 1 to 8: the seat whose colour LampReach has; anything else: brass
	// White lights the whole strip at once, for people to see by. The rest of the cue keeps running unseen.
	White bool
	// OnlyStep is the name of a part, or of another step of WalkSteps, that is lit and nothing else. White
	// takes precedence.
	OnlyStep string
	// HourDeaths is the number of seats that the last hour has killed. One more than in the cue before is
	// staged as midnight.
	HourDeaths int
	// Accusations is the number of accusations that were compared with the envelope. One more than in the cue
	// before is staged as a verdict. RightAccusation: the last of them was right, which ends the game.
	Accusations     int
	RightAccusation bool
	// EndStaging ends a running staging.
	EndStaging bool
	// Winners are seats 1 to 8, for MoodEnd; no seat: no player wins.
	Winners [MaxSeats]bool
}

// withoutReaderGlow returns the cue without the glow of the readers.
func (c Cue) withoutReaderGlow() Cue {
	c.Urn, c.Show = Glow{}, Glow{}
	return c
}

// winnerOfPlace returns the seat whose colour place i shows at the end, 0 for none. Several winners share the
// open places in turn.
func (c *Cue) winnerOfPlace(i int) int {
	var won [MaxSeats]int
	n, before := 0, 0
	for _, lamp := range c.Places[:i] {
		if lamp == LampOpen {
			before++
		}
	}
	for s, wins := range c.Winners {
		if wins {
			won[n] = s + 1
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return won[before%n]
}
