package uplink

import (
	"slices"
	"strings"
	"sync"
	"time"

	"majordome/companion/catalogue"
	"majordome/companion/results"
	"majordome/engine"
	"majordome/engine/words"
)

// Limits of commands. A sender that exceeds them gets one answer, and then none until it may send again.
const (
	commandBurst  = 10              // commands of one sender at once
	commandRefill = time.Second / 2 // time for one more
	maxKnown      = 64              // remembered commands of one sender
	maxSenders    = 32
)

// commandHandler executes and answers commands. Its methods are safe for concurrent use.
//
// Invariants:
//  1. A sender is one that the broker vouches for; all others of a connection count as one.
//  2. The table executes each of the last maxKnown ids of a sender once. Each delivery of the
//     command is answered, except a repetition before the table has replied.
type commandHandler struct {
	execute    func(by, act string, args engine.Args, reply func(*engine.Reject))
	sendAnswer func(Answer)
	granted    []string // names of the commands that are executed; nil: all
	results    *ResultHandlers
	count      func(reason string, more ...any)
	now        func() time.Time

	mu      sync.Mutex
	senders map[string]*sender
}

// sender is the state of one sender of commands.
type sender struct {
	allowance float64 // commands that it could send at since
	since     time.Time
	isWarned  bool               // it was informed that it sends too many
	known     map[string]*Answer // by name and id; nil while the table has not answered
	order     []string           // keys of known, oldest first
}

func newCommandHandler(u *Uplink) *commandHandler {
	o := &commandHandler{execute: u.opts.HandleCommand, granted: u.opts.Granted, results: u.opts.Results, count: u.line.CountTrouble,
		now: time.Now, senders: map[string]*sender{}}
	if o.execute == nil {
		o.granted = []string{}
	}
	o.sendAnswer = func(a Answer) {
		if !u.line.SendUntil(u.opts.Tree.Base()+"/answer", u.encodeJSON(a), time.Now().Add(u.eventLifetime)) {
			u.line.CountTrouble("flood")
		}
	}
	for _, l := range words.Langs {
		_, _ = catalogue.Lookup(l) // read now, so that the table does not wait for it later
	}
	return o
}

// handleCommand handles a command. subtopic is its topic below <base>/command/; with namesSender it ends with the
// name of the sender. It does not block or publish.
func (o *commandHandler) handleCommand(subtopic string, payload []byte, retained, namesSender bool) {
	levels := strings.Split(subtopic, "/")
	name, vouched, by := levels[0], "", ""
	if namesSender {
		if len(levels) < 2 {
			return // not from package home
		}
		by, retained = levels[1], retained || len(levels) > 2 // and the level "retained", which package home adds
	}
	if len(payload) == 0 && retained {
		return // a client clears a topic
	}
	if vouched = by; o.results != nil && (name == "results" || name == "stored") {
		vouched += "/results" // they are counted apart, so that they delay no person's command
	}
	if o.isMuted(vouched) { // before anything is parsed
		o.count("commands")
		return
	}
	c := findCommand(name, o.results != nil)
	a := Answer{Command: name, Result: Omitted, By: by}
	if c == nil {
		a.Command = ""
		c = &commandKind{newValue: func() any { return &Next{} }} // its id is parsed all the same
	}
	s := c.parsePayload(payload)
	if a.ID = s.id; !namesSender {
		a.By = s.by
	}
	if a.By == "" {
		a.By = anonymous
	}
	key := a.By + "/" + s.id
	switch before, result := o.countCommand(vouched, key); {
	case result == commandTooMany:
		o.answerOmitted(a, engine.NewMsg("table.order.rate"))
	case retained:
		o.answerOmitted(a, engine.NewMsg("table.order.retained"))
	case a.Command == "":
		o.answerOmitted(a, engine.NewMsg("table.order.unknown"))
	case c.toOrder == nil && s.invalid == "": // about results; repeating one does no harm
		o.results.handle(s.value)
		a.Result = Done
		o.sendAnswer(a)
	case o.granted != nil && c.toOrder != nil && !slices.Contains(o.granted, a.Command):
		o.answerOmitted(a, engine.NewMsg("table.order.denied"))
	case s.invalid != "":
		o.answerOmitted(a, engine.NewMsg("table.order.malformed", "what", s.invalid))
	case result == commandRepeated:
		if before != nil {
			o.sendAnswer(*before)
		}
	default:
		o.recordExecuting(vouched, key)
		o.execute(a.By, s.act, s.args, func(no *engine.Reject) { o.handleReply(vouched, key, a, no) })
	}
}

// ResultHandlers serve a venue with the results of games. They must not block.
type ResultHandlers struct {
	HandleAsked  func(games []int)
	HandleStored func([]results.Entry)
}

// handle handles the payload of a command about results.
func (h *ResultHandlers) handle(command any) {
	switch x := command.(type) {
	case *AskResults:
		h.HandleAsked(x.Games[:min(len(x.Games), results.MaxAsk)])
	case *Stored:
		h.HandleStored(x.Games[:min(len(x.Games), results.MaxIndex)])
	}
}

// Results of countCommand.
const (
	commandNew = iota
	commandRepeated
	commandTooMany
)

// isMuted reports whether a sender was informed that it sends too many, and may not send yet. vouched is the name that
// the broker gives the sender; "" for all that it does not name.
func (o *commandHandler) isMuted(vouched string) bool {
	now := o.now()
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.senders[vouched]
	return s != nil && s.isWarned && s.commandsAllowedAt(now) < 1
}

// commandsAllowedAt returns how many commands a sender may send at a moment.
func (s *sender) commandsAllowedAt(now time.Time) float64 {
	return min(commandBurst, s.allowance+float64(now.Sub(s.since))/float64(commandRefill))
}

// countCommand counts a command of a sender. With commandRepeated before is the answer to its earlier delivery, or nil
// if the table has not replied yet.
func (o *commandHandler) countCommand(vouched, key string) (before *Answer, result int) {
	now := o.now()
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.senders[vouched]
	if s == nil {
		if len(o.senders) >= maxSenders { // some accounts do not exist any more
			clear(o.senders)
		}
		s = &sender{allowance: commandBurst, since: now, known: map[string]*Answer{}}
		o.senders[vouched] = s
	}
	s.allowance, s.since = s.commandsAllowedAt(now), now
	if s.allowance < 1 {
		s.isWarned = true
		return nil, commandTooMany
	}
	s.allowance--
	s.isWarned = false
	if before, known := s.known[key]; known {
		return before, commandRepeated
	}
	return nil, commandNew
}

// recordExecuting records that the table is about to execute a command.
func (o *commandHandler) recordExecuting(vouched, key string) {
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

// handleReply answers a command with the reply of the table.
func (o *commandHandler) handleReply(vouched, key string, a Answer, no *engine.Reject) {
	if a.Result = Done; no != nil {
		a.Result, a.Why = Omitted, whyOf(no.Why)
	}
	o.mu.Lock()
	if s := o.senders[vouched]; s != nil {
		if _, known := s.known[key]; known {
			s.known[key] = &a
		}
	}
	o.mu.Unlock()
	o.sendAnswer(a)
}

// answerOmitted answers that a command was omitted, with the reason m.
func (o *commandHandler) answerOmitted(a Answer, m engine.Msg) {
	a.Why = whyOf(m)
	o.sendAnswer(a)
}

func whyOf(m engine.Msg) *Why {
	said := catalogue.Render(m)
	return &Why{m.Key, said.FR, said.EN}
}
