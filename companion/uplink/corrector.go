package uplink

import (
	"bytes"
	"crypto/sha256"
	"sync"
	"time"

	"majordome/companion/line"
)

// Times of a correction.
const (
	settleDelay  = time.Second      // before a foreign message is corrected: our own may be on its way
	answerWindow = 5 * time.Second  // for a living twin to answer
	maxDelay     = time.Minute      // longest delay; the first is settleDelay and each next one is twice as long
	calmPeriod   = 10 * time.Minute // without a correction, after which the delay is settleDelay again
	disputeAfter = 3                // number of corrections without a calmPeriod that make a dispute
)

// corrector makes sure that the broker keeps what the table has published. If another client
// writes to a topic of the table, retained or not, the corrector publishes the right message
// again. Its methods do not block or publish, and are safe for concurrent use.
//
// Invariants:
//  1. A correction comes after settleDelay, each further one after twice the previous delay, up
//     to maxDelay, until nothing was corrected for calmPeriod.
//  2. While a twin is alive, only availability is corrected, because it says the same for both.
type corrector struct {
	expected    func(topic string) (payload []byte, ours bool) // the right message of a topic; false: the table publishes none there now
	republish   func(topics []string)                          // publishes the right messages again
	probe       func()                                         // publishes Info, which a living twin answers
	isTwinAlive func() bool                                    // reports that a twin is alive

	availTopic string // the topic of availability

	mu             sync.Mutex
	heard          map[string][sha256.Size]byte // hash of the newest message of each topic
	timer          *time.Timer                  // nil if no check is planned
	twinAsked      bool                         // the twin was asked to answer
	awaitsTwinEnd  bool                         // the timer only waits until the twin may be gone
	delay          time.Duration
	lastCorrection time.Time // time of the last correction
	corrections    int       // number since the last calmPeriod
	closed         bool
	settleDelay    time.Duration // as the constants; shorter in tests
	answerWindow   time.Duration
	twinLifetime   time.Duration // until a twin that was alive may be gone
}

func newCorrector(avail string) *corrector {
	return &corrector{availTopic: avail, heard: map[string][sha256.Size]byte{},
		settleDelay: settleDelay, answerWindow: answerWindow, twinLifetime: twinLifetime, delay: settleDelay}
}

// recordOwnTopicMessage notes a message on a topic of this table, and plans a check if it is not the right one.
func (c *corrector) recordOwnTopicMessage(topic string, payload []byte) {
	want, ours := c.expected(topic)
	if !ours {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard[topic] = sha256.Sum256(payload)
	if c.timer != nil && !c.awaitsTwinEnd || c.closed || bytes.Equal(payload, want) {
		return
	}
	if c.awaitsTwinEnd {
		c.timer.Stop()
		c.awaitsTwinEnd = false
	}
	if time.Since(c.lastCorrection) > calmPeriod {
		c.delay, c.corrections = c.settleDelay, 0
	}
	c.timer = time.AfterFunc(c.delay, c.checkTopics)
}

// checkTopics compares the last messages with the right ones, and corrects those that differ unless a twin is
// alive.
func (c *corrector) checkTopics() {
	differ := c.differingTopics()
	lives := len(differ) > 0 && c.isTwinAlive()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer, c.awaitsTwinEnd = nil, false
	if c.closed {
		return
	}
	var now []string
	for _, topic := range differ {
		if topic == c.availTopic || c.twinAsked && !lives {
			now = append(now, topic)
			delete(c.heard, topic)
		}
	}
	if len(now) > 0 {
		c.lastCorrection, c.delay = time.Now(), min(2*c.delay, maxDelay)
		c.corrections++
		go c.republish(now)
	}
	if lives { // check again later: the twin may be gone by then
		c.timer, c.awaitsTwinEnd = time.AfterFunc(c.twinLifetime, c.checkTopics), true
	}
	if c.twinAsked = !c.twinAsked && !lives && len(now) < len(differ); c.twinAsked {
		c.timer = time.AfterFunc(c.answerWindow, c.checkTopics)
		c.probe()
	}
}

// differingTopics lists the topics whose last message was not the right one.
func (c *corrector) differingTopics() (all []string) {
	c.mu.Lock()
	heard := make(map[string][sha256.Size]byte, len(c.heard))
	for topic, sum := range c.heard {
		heard[topic] = sum
	}
	c.mu.Unlock()
	for topic, sum := range heard {
		if want, ours := c.expected(topic); ours && sum != sha256.Sum256(want) {
			all = append(all, topic)
		}
	}
	return all
}

// isDisputed reports whether another client repeatedly writes to the topics of this table.
func (c *corrector) isDisputed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.corrections >= disputeAfter && time.Since(c.lastCorrection) < calmPeriod
}

// close stops all corrections.
func (c *corrector) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.timer != nil {
		c.timer.Stop()
	}
}

// expectedPayload returns the right message of a topic, for the corrector.
func (u *Uplink) expectedPayload(topic string) (payload []byte, ours bool) {
	if topic == u.opts.Tree.AvailabilityTopic() {
		return []byte(line.Online), true
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.isHassTopic(topic) && u.isDeviceDeleted {
		return nil, true // the owner has deleted it in Home Assistant
	}
	payload, ours = u.retained[topic]
	return payload, ours
}

// republish publishes the messages of some topics again, because another client has written there.
func (u *Uplink) republish(topics []string) {
	u.line.CountTrouble("corrected", "topics", len(topics))
	all := map[string][]byte{}
	for _, topic := range topics {
		if payload, ours := u.expectedPayload(topic); ours {
			all[topic] = payload
		}
	}
	u.line.SetTopics(all)
}

// IsDisputed reports whether another client repeatedly writes to the topics of this table, although several
// corrections were made.
func (u *Uplink) IsDisputed() bool { return u.corrector.isDisputed() }
