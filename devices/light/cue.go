package light

// MaxPlaces is how many places a cue can carry.
const MaxPlaces = 16

// Lamp is the state of the light above a place.
type Lamp uint8

const (
	LampDark   Lamp = iota // not in use
	LampOpen               // can be entered
	LampHere               // somebody investigates here now
	LampCrime              // somebody was murdered here in this resolution
	LampClosed             // closed for good: dark
	LampReach              // whoever moves now can get here: in the mover's colour
)

// ParseLamp reads the code that the table uses for a lamp: open, here, crime,
// closed or reach. Any other code gives LampDark and false.
func ParseLamp(code string) (Lamp, bool) {
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
	Mark int  // the round in which accusations open, the hour that kills; 0 none
	Open bool // accusations are open; the next hour kills
}

// GlowState is what a reader says.
type GlowState uint8

const (
	GlowOff      GlowState = iota // not in use: dark
	GlowIdle                      // waits for nobody
	GlowWaiting                   // waits for a card of one seat
	GlowAccepted                  // took the card; the same for every seat
	GlowAgain                     // could not take it: present it again
)

// Glow is the light around a reader. GlowAccepted and GlowAgain are always seen
// to their end (900 ms), even when the next cue comes at once.
type Glow struct {
	State GlowState
	Seat  int // 1 to 8: whose colour; anything else is brass, for anybody
}

// Mood is the light of the whole house.
type Mood uint8

const (
	MoodOrdinary      Mood = iota
	MoodReveal             // the urn is opened: the house dims, the crime stands out
	MoodConfrontation      // two are left: the brass is restless
	MoodEnd                // the game is over: the house lights go on, in the winners' colours
	MoodPause              // play stands still: the cards are counted, or the machine needs somebody
)

// MaxSeats is how many seats have a colour.
const MaxSeats = 8

// Cue is everything that the lights show. Cues are compared with ==.
type Cue struct {
	Mood   Mood
	Places [MaxPlaces]Lamp // in the order of the layout
	// Turns order the places that go dark one after the other; of equal ones the layout does.
	Turns [MaxPlaces]uint8
	Clock Clock
	Urn   Glow // the reader in the urn's slot
	Show  Glow // the refutation reader
	Open  bool // the clues of the urn lie open for all
	Mover int  // 1 to 8: in whose colour LampReach is lit; anything else is brass
	// White lights the whole strip for people to see by, at once; below it everything goes on.
	White bool
	// Alone is the name of a part, or of another step of Walk, that is lit by itself; White stands before it.
	Alone string
	// Struck is how many seats the last hour has killed. One more than in the
	// cue before is staged as midnight.
	Struck int
	// Judged is how many accusations were compared with the envelope. One more than in the
	// cue before is staged as a verdict; Right is the last one, which ends the game.
	Judged int
	Right  bool
	// Cut ends what is staged.
	Cut bool
	// Winners are seats 1 to 8, for MoodEnd; none: nobody wins.
	Winners [MaxSeats]bool
}

// unread is the cue without what the readers show.
func (c Cue) unread() Cue {
	c.Urn, c.Show = Glow{}, Glow{}
	return c
}

// winnerAt is the seat whose colour place i shows at the end: several winners
// share the open places in turn. 0: none.
func (c *Cue) winnerAt(i int) int {
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
