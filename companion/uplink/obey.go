package uplink

import (
	"strings"
	"sync"
	"time"

	"majordome/companion/catalogue"
	"majordome/engine"
	"majordome/engine/words"
)

// Limits of commands. What comes too fast is answered once, and then not at all until there is room again.
const (
	burst      = 10              // commands of one sender at once
	refill     = time.Second / 2 // for one more
	maxKnown   = 64              // commands of one sender that are remembered by their id
	maxSenders = 32
)

// obeyer answers commands. Its methods are safe for concurrent use.
//
// Invariants:
//  1. A sender is one that the broker vouches for; all others of a line are one.
//  2. Of each of the last maxKnown ids of a sender the table is asked once; it is answered as often as it comes.
type obeyer struct {
	obey   func(by, act string, args engine.Args, reply func(*engine.Reject))
	answer func(Answer)
	count  func(reason string, more ...any)
	now    func() time.Time

	mu      sync.Mutex
	senders map[string]*sender
}

// sender is who sends commands.
type sender struct {
	room  float64 // for so many more
	since time.Time
	told  bool               // that there are too many
	known map[string]*Answer // by name and id; nil: the table has not answered yet
	order []string           // the oldest first
}

func newObeyer(u *Uplink) *obeyer {
	o := &obeyer{obey: u.opts.Obey, count: u.line.Count, now: time.Now, senders: map[string]*sender{}}
	o.answer = func(a Answer) {
		if !u.line.Send(u.opts.Tree.Base()+"/answer", u.body(a), time.Now().Add(u.fresh)) {
			u.line.Count("flood")
		}
	}
	for _, l := range words.Langs {
		_, _ = catalogue.Of(l) // read now: the table would wait for it
	}
	return o
}

// hear takes a command: at is its topic below <base>/command/, with the name of who has sent it where named. It neither waits nor publishes.
func (o *obeyer) hear(at string, payload []byte, retained, named bool) {
	levels := strings.Split(at, "/")
	name, vouched := levels[0], ""
	if named {
		if len(levels) < 2 {
			return // not from package home
		}
		vouched, retained = levels[1], retained || len(levels) > 2 // and "retained", which package home has put there
	}
	if len(payload) == 0 && retained {
		return // somebody clears a topic
	}
	if o.deaf(vouched) { // before anything is read
		o.count("commands")
		return
	}
	c := commandOf(name)
	a := Answer{Command: name, Result: Omitted, By: vouched}
	if c == nil {
		a.Command = ""
		c = &command{of: func() any { return &Next{} }, act: func(any) (string, engine.Args) { return "", nil }} // its id is read all the same
	}
	s := c.read(payload)
	if a.ID = s.id; !named {
		a.By = s.by
	}
	if a.By == "" {
		a.By = anonymous
	}
	key := a.By + "/" + s.id
	switch before, told := o.admit(vouched, key); {
	case told == heardTooMany:
		o.omit(a, engine.Say("table.order.rate"))
	case retained:
		o.omit(a, engine.Say("table.order.retained"))
	case a.Command == "":
		o.omit(a, engine.Say("table.order.unknown"))
	case s.wrong != "":
		o.omit(a, engine.Say("table.order.malformed", "what", s.wrong))
	case told == heardBefore:
		if before != nil {
			o.answer(*before)
		}
	default:
		o.know(vouched, key)
		o.obey(a.By, s.act, s.args, func(no *engine.Reject) { o.replied(vouched, key, a, no) })
	}
}

// What has become of a command before it is looked at.
const (
	heardNew = iota
	heardBefore
	heardTooMany
)

// deaf reports a sender that has been told that it sends too much, and has no room yet.
func (o *obeyer) deaf(vouched string) bool {
	now := o.now()
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.senders[vouched]
	return s != nil && s.told && s.at(now) < 1
}

// at is the room at a moment.
func (s *sender) at(now time.Time) float64 {
	return min(burst, s.room+float64(now.Sub(s.since))/float64(refill))
}

// admit takes one from the room of a sender.
func (o *obeyer) admit(vouched, key string) (before *Answer, told int) {
	now := o.now()
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.senders[vouched]
	if s == nil {
		if len(o.senders) >= maxSenders { // of accounts that are no more
			clear(o.senders)
		}
		s = &sender{room: burst, since: now, known: map[string]*Answer{}}
		o.senders[vouched] = s
	}
	s.room, s.since = s.at(now), now
	if s.room < 1 {
		s.told = true
		return nil, heardTooMany
	}
	s.room--
	s.told = false
	if before, known := s.known[key]; known {
		return before, heardBefore
	}
	return nil, heardNew
}

// know remembers a command from when the table is asked.
func (o *obeyer) know(vouched, key string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.senders[vouched]
	if s == nil {
		return
	}
	s.known[key], s.order = nil, append(s.order, key)
	if len(s.order) > maxKnown {
		delete(s.known, s.order[0])
		s.order = s.order[1:]
	}
}

// replied is called by the table, or at once.
func (o *obeyer) replied(vouched, key string, a Answer, no *engine.Reject) {
	if a.Result = Done; no != nil {
		a.Result, a.Why = Omitted, why(no.Why)
	}
	o.mu.Lock()
	if s := o.senders[vouched]; s != nil {
		if _, known := s.known[key]; known {
			s.known[key] = &a
		}
	}
	o.mu.Unlock()
	o.answer(a)
}

func (o *obeyer) omit(a Answer, m engine.Msg) {
	a.Why = why(m)
	o.answer(a)
}

func why(m engine.Msg) *Why {
	said := catalogue.Say(m)
	return &Why{m.Key, said.FR, said.EN}
}
