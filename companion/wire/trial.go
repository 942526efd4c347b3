package wire

import "majordome/engine"

// Trial is the state of the reader test before a game. Meters is empty unless On.
type Trial struct {
	On     bool    `json:"on"`
	Meters []Meter `json:"meters,omitempty"`
	Strips []Strip `json:"strips,omitempty"`
}

// Walk is the light test before a game, which lights one part at a time. Asks is the question about
// the lit part; nil: no test is running.
type Walk struct {
	Asks   *engine.Msg `json:"asks,omitempty"`
	Strips []Strip     `json:"strips,omitempty"` // state of each strip during the test
}

// MaxStrays is the most Strays of one Meter.
const MaxStrays = 3

// Meter describes one reader during a test: tags by their numbers, no cards.
type Meter struct {
	Role string   `json:"role"` // role of the reader, or its place
	Tags []string `json:"tags"` // numbers of the tags of the last second; at most 16
	// Strays explains which of Tags cannot name a card: a phone, a bank card. At most MaxStrays.
	Strays []engine.Text `json:"strays,omitempty"`
	Lost   bool          `json:"lost"` // the reader does not answer
	// Measured: Reads, Looks and Garbled are valid. A node and a reader that prints lines have only
	// Tags.
	Measured bool `json:"measured"`
	Reads    int  `json:"reads"`   // scans that found a tag in the last second, up to Looks
	Looks    int  `json:"looks"`   // the most scans that a reader without errors makes in a second
	Garbled  int  `json:"garbled"` // garbled scans among those that found something, in per cent
	// Counted since the start, outside games: cards that arrived, unreadable moments, losses of the
	// reader; and the time in seconds for which it has answered since the last loss.
	Cards  uint64 `json:"cards"`
	Noisy  uint64 `json:"noisy"`
	Losses uint64 `json:"losses"`
	Uptime int64  `json:"uptime"`
}

// Strip counts the frames and losses of one strip of lights since the start, in the order of the
// configuration.
type Strip struct {
	Lost   bool   `json:"lost"` // it accepts no frames now
	Frames uint64 `json:"frames"`
	Losses uint64 `json:"losses"` // times that it stopped accepting frames
}
