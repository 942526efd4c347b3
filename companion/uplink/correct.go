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
	settle   = time.Second      // from hearing something else until it is looked at: our own message may be on its way
	answer   = 5 * time.Second  // a twin that lives has answered by then
	mostWait = time.Minute      // between two corrections, which begin at settle and double
	calm     = 10 * time.Minute // without a correction the wait begins anew
	often    = 3                // corrections without a calm, which are somebody's doing
)

// corrector sees to it that a broker keeps what the table has told: what another client writes in its name, with or without
// retaining it, is told again as it should be. Its methods neither wait nor publish, and may be called by several goroutines.
//
// Invariants:
//  1. There is one correction after settle, the next after twice as long, up to mostWait, until nothing is corrected for calm.
//  2. While a twin lives nothing is corrected but availability, which says the same in both names.
type corrector struct {
	want  func(topic string) (payload []byte, ours bool) // what the table tells there; false: it tells nothing now
	tell  func(topics []string)                          // tells it again
	probe func()                                         // says who is speaking, which a twin that lives answers
	lives func() bool                                    // a twin does

	avail string // the topic of availability

	mu        sync.Mutex
	heard     map[string][sha256.Size]byte // the newest message of each topic
	timer     *time.Timer                  // nil: nothing is to be looked at
	asked     bool                         // for a twin
	idle      bool                         // the timer only waits until a twin may have gone
	wait      time.Duration
	corrected time.Time // the last time
	times     int       // since the last calm
	closed    bool
	settle    time.Duration // as above; a test has less patience
	answer    time.Duration
	later     time.Duration // until a twin that lived may have gone
}

func newCorrector(avail string) *corrector {
	return &corrector{avail: avail, heard: map[string][sha256.Size]byte{}, settle: settle, answer: answer, later: twinLives, wait: settle}
}

// hear notes a message on one of the topics of this table.
func (c *corrector) hear(topic string, payload []byte) {
	want, ours := c.want(topic)
	if !ours {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard[topic] = sha256.Sum256(payload)
	if c.timer != nil && !c.idle || c.closed || bytes.Equal(payload, want) {
		return
	}
	if c.idle {
		c.timer.Stop()
		c.idle = false
	}
	if time.Since(c.corrected) > calm {
		c.wait, c.times = c.settle, 0
	}
	c.timer = time.AfterFunc(c.wait, c.check)
}

// check looks whether what was heard last is still something else, and corrects it unless a twin lives.
func (c *corrector) check() {
	differ := c.differing()
	lives := len(differ) > 0 && c.lives()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer, c.idle = nil, false
	if c.closed {
		return
	}
	var now []string
	for _, topic := range differ {
		if topic == c.avail || c.asked && !lives {
			now = append(now, topic)
			delete(c.heard, topic)
		}
	}
	if len(now) > 0 {
		c.corrected, c.wait = time.Now(), min(2*c.wait, mostWait)
		c.times++
		go c.tell(now)
	}
	if lives { // perhaps it goes
		c.timer, c.idle = time.AfterFunc(c.later, c.check), true
	}
	if c.asked = !c.asked && !lives && len(now) < len(differ); c.asked {
		c.timer = time.AfterFunc(c.answer, c.check)
		c.probe()
	}
}

// differing are the topics on which something else was heard last.
func (c *corrector) differing() (all []string) {
	c.mu.Lock()
	heard := make(map[string][sha256.Size]byte, len(c.heard))
	for topic, sum := range c.heard {
		heard[topic] = sum
	}
	c.mu.Unlock()
	for topic, sum := range heard {
		if want, ours := c.want(topic); ours && sum != sha256.Sum256(want) {
			all = append(all, topic)
		}
	}
	return all
}

// disputed reports that somebody goes on to write in the name of this table.
func (c *corrector) disputed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.times >= often && time.Since(c.corrected) < calm
}

// close ends all corrections.
func (c *corrector) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.timer != nil {
		c.timer.Stop()
	}
}

// wanted is what the table tells on a topic of its own, for the corrector.
func (u *Uplink) wanted(topic string) (payload []byte, ours bool) {
	if topic == u.opts.Tree.Availability() {
		return []byte(line.Online), true
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ofHass(topic) && u.unwanted {
		return nil, true // its owner has deleted it there
	}
	payload, ours = u.kept[topic]
	return payload, ours
}

// correct tells some topics again, because another has written there.
func (u *Uplink) correct(topics []string) {
	u.line.Count("corrected", "topics", len(topics))
	all := map[string][]byte{}
	for _, topic := range topics {
		if payload, ours := u.wanted(topic); ours {
			all[topic] = payload
		}
	}
	u.line.Set(all)
}

// Disputed reports that somebody goes on to write in the name of this table, and that it was corrected several times.
func (u *Uplink) Disputed() bool { return u.corrector.disputed() }
