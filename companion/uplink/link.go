package uplink

import (
	"time"

	"majordome/companion/line"
)

// Link is a connection to a broker; *line.Line is one. Its methods have the contract that package line states.
type Link interface {
	Start()
	SetTopics(payloads map[string][]byte)
	StopSendingTopics(topics ...string)
	SendUntil(topic string, payload []byte, until time.Time) (ok bool)
	Status() line.Status
	CountTrouble(reason string, logAttrs ...any)
	Close()
}

// newLine makes a connection to an MQTT broker.
func newLine(opts *line.Opts) (Link, error) {
	l, err := line.New(opts)
	if err != nil {
		return nil, err // a nil *line.Line in a Link would not be nil
	}
	return l, nil
}
