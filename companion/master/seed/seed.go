// Package seed is the part by which every phone adds to the seed of the dice and of the deal (proof.Exchange), so that
// neither the table nor a phone can choose it. In the lobby phones bind themselves to their parts; the beginning of the game
// waits until they have opened them, but no longer than MaxWait. A game without such phones begins at once.
package seed

import (
	"slices"
	"strings"
	"time"

	"majordome/companion/master"
	"majordome/companion/proof"
	"majordome/companion/wire"
	"majordome/engine"
)

// The acts of the phones of seats.
const (
	ActCommit = "seed-hash" // args {"hash": hex}, in the lobby
	ActOpen   = "seed-part" // args {"part": a proof.Salt}, once the list of phones is closed
)

// MaxWait is the longest time for which a game waits for the parts of phones.
const MaxWait = 2 * time.Second

// rule is the rule behind the acts: secrets and fairness.
const rule = "GEN-001"

// Seed is the part: it remembers the exchange of the next game. After a restart phones begin a new one.
type Seed struct {
	table    master.Table
	random   func() proof.Salt
	exchange *proof.Exchange // nil until there is a phone in the lobby
	begin    heldBegin
}

// heldBegin is the act that waits for the parts.
type heldBegin struct {
	author string
	args   engine.Args
	latest time.Time
	asked  []engine.Seat // the seats with a phone
	ready  bool          // the act is done now
}

// New returns the part. random returns secrets of the table.
func New(t master.Table, random func() proof.Salt) *Seed { return &Seed{table: t, random: random} }

// Acts implements master.Part.
func (s *Seed) Acts() []master.Act {
	return []master.Act{
		{Name: ActCommit, Seats: true, Silent: true, Do: s.commit},
		{Name: ActOpen, Seats: true, Silent: true, Do: s.openPart},
	}
}

func (s *Seed) commit(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	h, err := proof.ParseHash(args["hash"])
	if err != nil || !s.isPlayer(by.Handset.String()) || s.exchange == nil || !s.exchange.Commit(by.Handset.String(), h) {
		return nil, master.Refuse(engine.NotNow, rule, "table.unknown")
	}
	return nil, nil
}

func (s *Seed) openPart(by master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	part, err := proof.ParseSalt(args["part"])
	if err != nil || s.exchange == nil || !s.exchange.Open(by.Handset.String(), part) {
		return nil, master.Refuse(engine.NotNow, rule, "table.unknown")
	}
	if s.exchange.HasAll() {
		return s.beginGame(), nil
	}
	return nil, nil
}

// isPlayer reports whether a phone is one of a seat with a player.
func (s *Seed) isPlayer(phone string) bool {
	h, err := wire.ParseHandset(phone)
	seat, ok := h.Seat()
	return err == nil && ok && master.HasPlayer(s.table.PublicView(), seat)
}

// JointSeed implements master.Seeder.
func (s *Seed) JointSeed(author string, args engine.Args) (joint *proof.Joint, wait bool) {
	switch x := s.exchange; {
	case x == nil:
		return nil, false
	case s.begin.ready:
		return x.Joint(), false
	case x.IsClosed():
		return nil, true // it was pressed twice
	}
	s.exchange.Close(func(phone string) bool {
		h, err := wire.ParseHandset(phone)
		return err == nil && s.isPlayer(phone) && s.table.IsOnline(h)
	})
	if s.exchange.HasAll() { // nobody is there
		s.endExchange()
		return nil, false
	}
	s.begin = heldBegin{author: author, args: args, latest: s.table.WallTime().Add(MaxWait)}
	for _, p := range s.table.SeatPhones() {
		if master.HasPlayer(s.table.PublicView(), p.Seat) {
			s.begin.asked = append(s.begin.asked, p.Seat)
		}
	}
	return nil, true
}

// HandleGameClosing implements master.GameCloser: a game that has not begun by then never does.
func (s *Seed) HandleGameClosing(string) { s.endExchange() }

func (s *Seed) endExchange() { s.exchange, s.begin = nil, heldBegin{} }

// ListTimers implements master.Timer: the end of the wait.
func (s *Seed) ListTimers(addTimer func(at time.Time, do func())) {
	if s.exchange != nil && s.exchange.IsClosed() {
		addTimer(s.begin.latest, func() { s.table.Publish(s.beginGame()) })
	}
}

// beginGame begins the game with the parts that are open, and ends the exchange. The notice names the seats whose phones are left out.
func (s *Seed) beginGame() (told *wire.Notice) {
	begin, without := s.begin, s.seatsWithoutPart()
	s.begin.ready = true
	r := s.table.PlayAct(begin.author, "begin", begin.args)
	s.endExchange()
	switch {
	case r != nil:
		return &wire.Notice{Msg: r.Why, Rule: r.Rule} // in the lobby nothing is secret
	case len(without) > 0:
		return s.table.StartPassingNotice(engine.NewMsg("table.seed.without", "seats", strings.Join(without, ",")))
	}
	return nil
}

// seatsWithoutPart returns the seats with a phone of which none has opened a part, or one has not.
func (s *Seed) seatsWithoutPart() (without []string) {
	phones := s.exchange.Joint().Phones
	for _, seat := range s.begin.asked {
		of := func(p proof.PhonePart) bool {
			h, _ := wire.ParseHandset(p.Phone)
			return h.Viewer == engine.SeatViewer(seat)
		}
		closed := func(p proof.PhonePart) bool { return of(p) && !p.Opened }
		if !slices.ContainsFunc(phones, of) || slices.ContainsFunc(phones, closed) {
			without = append(without, seat.String())
		}
	}
	return without
}

// ShowPublic implements master.PublicShower: the exchange of the game that will begin.
func (s *Seed) ShowPublic(u *wire.Update) {
	if !s.table.InLobby() {
		return
	}
	if s.exchange == nil {
		if len(s.table.SeatsOnline()) == 0 {
			return
		}
		s.exchange = proof.NewExchange(s.random())
	}
	if u.Proof == nil {
		u.Proof = &wire.Proof{Game: s.table.GameNumber()}
	}
	u.Proof.Seed = wire.NewSeed(s.exchange.Joint(), s.exchange.IsClosed())
}
