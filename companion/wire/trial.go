package wire

import "majordome/engine"

// Trial is the state of the trial of the readers before a game. Meters are empty unless On.
type Trial struct {
	On     bool    `json:"on"`
	Meters []Meter `json:"meters,omitempty"`
	Strips []Strip `json:"strips,omitempty"`
}

// Walk is a walk along the lights before a game. Asks is the question about the only part that is lit; nil: there is no walk.
type Walk struct {
	Asks   *engine.Msg `json:"asks,omitempty"`
	Strips []Strip     `json:"strips,omitempty"` // how each does, while they are walked along
}

// MaxStrays is the most Strays of one Meter.
const MaxStrays = 3

// Meter describes one reader during a trial: tags by their numbers, no cards.
type Meter struct {
	Role string   `json:"role"` // or the place that it is in
	Tags []string `json:"tags"` // their numbers, of the last second; at most 16
	// Strays say of Tags that cannot name a card why: a phone, a bank card. At most MaxStrays.
	Strays []engine.Text `json:"strays,omitempty"`
	Lost   bool          `json:"lost"` // it does not answer
	// Measured: Reads and Garbled mean something; of a node and of a reader that prints lines only Tags do.
	Measured bool `json:"measured"`
	Reads    int  `json:"reads"`   // looks that named a tag in the last second, up to Looks
	Looks    int  `json:"looks"`   // of a reader that misses nothing
	Garbled  int  `json:"garbled"` // of the looks that found something, those that were garbled, in per cent
	// What was counted since the start, outside of games: cards that came, times that something was unreadable; and
	// times that the reader was lost, and for how long it has answered since, in seconds.
	Cards  uint64 `json:"cards"`
	Noisy  uint64 `json:"noisy"`
	Losses uint64 `json:"losses"`
	Uptime int64  `json:"uptime"`
}

// Strip counts the frames and losses of one strip of lights since the start, in the order of the configuration.
type Strip struct {
	Lost   bool   `json:"lost"` // it takes no frame now
	Frames uint64 `json:"frames"`
	Losses uint64 `json:"losses"` // times that it took none any more
}
