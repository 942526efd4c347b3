// Package bench simulates the table of the demonstration: cards with tags, pawns and the hands that move them. It
// simulates the room, not the machine: a card on a reader puts its tag into the field of a simulated chip, and from
// there on all code is the production code.
//
// The bench gets the public update of the game, as all players see it. From it the simulated people act as people
// do: they take a card back when the slot asks for it again, let it fall when it is accepted, turn over revealed cards
// and put down the hands of the dead. Each also looks at the phone of the own seat, and moves by it the cards that were
// chosen there, so that they have the cards that the game believes them to have. If no reader was used, they draw
// their roles and place the clues anyway, and "tidy" makes every pile as high as the game says. Cards that no phone
// shows are then chosen at random, as only their numbers are known.
//
// What may leak: the bench knows the face of every card. So its HTTP handler demands a token, and it exists only in the
// demo.
//
// Only timers run in the background: [Table.PerformAct] and [Table.HandleUpdate] do their work before they return, and
// [Table.Close] stops the timers.
//
// Limits: maxCards cards, maxListeners listeners, one helping hand at a time.
package bench

import (
	"cmp"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"majordome/companion/wire"
	"majordome/devices"
	"majordome/engine"
	"majordome/engine/chance"
)

// Field is the radio field of one simulated reader.
type Field interface {
	AddTag(devices.UID) error // an error when the field is full
	RemoveTag(devices.UID)
	// SetPlugged connects the cable of the reader or pulls it out.
	SetPlugged(in bool)
}

// Opts are the parameters of a Table.
type Opts struct {
	// Boxes are the games of this table. Boxes at the end may be missing in the table's file: games that are new in
	// this version.
	Boxes  []Box
	Fields map[string]Field // by reader role
	// Lamps returns the strips with their current light.
	Lamps func() []wire.BenchStrip
	// Phones returns the addresses of the seats' phones.
	Phones func() []wire.BenchPlayer
	// File stores the positions of the cards over a restart of the daemon, as a real room would; empty: they are not
	// stored.
	File string
	// Dwell is the time for which a hand leaves a card on a reader where the game waits for none; 3 s by default.
	Dwell time.Duration
	// Own returns what only the phone of a seat shows now; nil if that is nothing. People move their cards by it. Nil: there
	// are no phones.
	Own func(engine.Seat) *engine.Own
	// Invite gives a seat (0: the host) a new link and disconnects the phone that has the old one. Nil: no invitations.
	Invite func(engine.Seat) error
	// Resume resumes a stopped game. Nil: it cannot.
	Resume func() error
	// Dice make the random choices, such as the next card to deal. They are used with the table locked; seeded by the
	// system by default.
	Dice engine.Dice
	// Pause is the time for which the helping hand leaves the table reader empty between two cards, so that each is
	// read separately; none by default.
	Pause time.Duration
}

// AutoPlayer plays for the guests automatically.
type AutoPlayer interface {
	State() wire.BenchPlay
	SetState(wire.BenchPlay) error
	// HandleManualMove is called when a person has moved something on the table.
	HandleManualMove()
}

// Box is the box of one game: its cards with the labels of its deck.
type Box struct {
	Game  engine.ID
	Names engine.Names
}

// card is one card with its tag.
type card struct {
	wire.BenchCard
	uid  devices.UID
	game engine.ID // the game of its box; empty: none
	home string    // the spot before it was put on a reader
	// isBank marks a bank card: its chip draws another UID at each start. BenchCard.Tag, which names it in acts, stays
	// the first one.
	isBank bool
}

// Table is the simulated table. Its methods are safe for concurrent use.
//
//  1. A card's tag is in the field of a reader exactly while the card is there.
//  2. A card on a reader is in the hand of that reader, and no other card is.
//  3. No hand is empty.
//  4. The presented card is on the table reader.
//  5. The cards of games that are not played are in their boxes.
type Table struct {
	opts   Opts
	player AutoPlayer // nil: no guests

	mu         sync.Mutex
	all        []*card  // the cards of all boxes and those of no game, in the order of the file
	cards      cardList // the cards of the current game and those of no game, in deck order
	game       engine.ID
	names      map[engine.ID]engine.Names
	pawns      map[engine.Seat]engine.ID
	plugged    map[string]bool
	lastUpdate wire.Update      // the last public update; zero before the first
	hasUpdate  bool             // there was an update
	hands      map[string]*hand // by reader role
	returned   map[string]*card // by reader role: the last card that was taken back from it
	presented  *card            // the card that the helping hand presents now
	dealTimer  *time.Timer      // until its next card; both nil: it is idle
	misreads   int              // in a row, of the presented card
	changed    chan struct{}    // closed and replaced at each change
	savedData  []byte           // the content of the file
	closed     bool

	listeners atomic.Int32
}

// maxCards is the most cards of a table: the boxes of all games together have fewer.
const maxCards = 256

// New returns a table with the first of the boxes and two cards that belong to no game. CardTags returns the tag that
// was drawn for each card.
func New(o Opts) (*Table, error) {
	if o.Dwell == 0 {
		o.Dwell = 3 * time.Second
	}
	if o.Dice == nil {
		o.Dice = chance.New(mathrand.Uint64())
	}
	t := &Table{opts: o, names: map[engine.ID]engine.Names{}, pawns: map[engine.Seat]engine.ID{}, plugged: map[string]bool{},
		hands: map[string]*hand{}, returned: map[string]*card{}, changed: make(chan struct{})}
	for role := range o.Fields {
		t.plugged[role] = true
	}
	for i, b := range o.Boxes {
		if err := t.addBox(b); err != nil {
			return nil, err
		}
		if i > 0 {
			continue
		}
		if err := t.addForeignCards(); err != nil {
			return nil, err
		}
	}
	if len(t.all) > maxCards {
		return nil, fmt.Errorf("bench: decks of %d cards: at most %d", len(t.all), maxCards)
	}
	t.switchGame(o.Boxes[0].Game)
	if err := t.loadTable(); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Table) addBox(b Box) error {
	t.names[b.Game] = b.Names
	for _, n := range b.Names {
		if n.IsCard() {
			if err := t.addCard(7, b.Game, n.ID, n.Kind, n.Text); err != nil {
				return err
			}
		}
	}
	return nil
}

// addForeignCards adds the cards that belong to no game.
func (t *Table) addForeignCards() error {
	if err := t.addCard(7, "", "", "foreign", engine.T("Carte d’un autre jeu", "Card of another game")); err != nil {
		return err
	}
	uid := drawRandomUID()
	t.all = append(t.all, &card{uid: uid, isBank: true, home: wire.SpotBox, BenchCard: wire.BenchCard{
		Tag: uid.String(), Kind: "foreign", Name: engine.T("Carte bancaire", "Bank card"), Spot: wire.SpotBox}})
	return nil
}

// drawRandomUID returns a random UID as phones and bank cards draw one at each start: 08 and three random bytes (ISO/IEC
// 14443-3, 6.5.4).
func drawRandomUID() (u devices.UID) {
	b := [4]byte{0x08}
	_, _ = rand.Read(b[1:]) // never an error (crypto/rand)
	u, err := devices.MakeUID(b[:])
	if err != nil {
		panic(fmt.Sprintf("bench: %x is no number of a bank card: %v", b, err))
	}
	return u
}

// switchGame puts all cards back into their boxes and makes another game the current one.
func (t *Table) switchGame(game engine.ID) {
	for _, c := range t.cards {
		t.moveCardAndTag(c, wire.SpotBox)
	}
	clear(t.pawns)
	t.game, t.cards = game, nil
	for _, c := range t.all {
		if c.game == game || c.game == "" {
			t.cards = append(t.cards, c)
		}
	}
}

// Close stops the timers: cards on readers stay there. The file keeps the positions of the cards.
func (t *Table) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	if t.dealTimer != nil {
		t.dealTimer.Stop()
	}
	for _, h := range t.hands {
		h.timer.Stop()
	}
}

func (t *Table) addCard(uidSize int, game, id, kind engine.ID, name engine.Text) error {
	b := make([]byte, uidSize)
	if _, err := rand.Read(b); err != nil {
		return fmt.Errorf("bench: draw a tag: %w", err)
	}
	b[0] = 0x04 // NXP; also avoids the cascade tag 0x88 and random UIDs (0x08)
	if uidSize > 4 && b[3] == 0x88 {
		b[3]++ // no maker uses it: at the second level it would announce a third (ISO/IEC 14443-3)
	}
	uid, err := devices.MakeUID(b)
	if err != nil {
		return err
	}
	t.all = append(t.all, &card{uid: uid, game: game, home: wire.SpotBox, BenchCard: wire.BenchCard{
		Tag: uid.String(), Card: id, Kind: kind, Name: name, Spot: wire.SpotBox}})
	return nil
}

// SetAutoPlayer adds a player for the guests. Call it before Handler serves.
func (t *Table) SetAutoPlayer(p AutoPlayer) { t.player = p }

// CardTags returns, for each game, the card of each tag.
func (t *Table) CardTags() map[engine.ID]map[devices.UID]engine.ID {
	m := map[engine.ID]map[devices.UID]engine.ID{}
	for _, c := range t.all {
		if c.game == "" {
			continue
		}
		if m[c.game] == nil {
			m[c.game] = map[devices.UID]engine.ID{}
		}
		m[c.game][c.uid] = c.Card
	}
	return m
}

// State returns the table with light, phones and guests, and a channel that is closed at the next change.
func (t *Table) State() (wire.Bench, <-chan struct{}) {
	b, changed := t.cardStateAndChange()
	b.Strips, b.Players = t.opts.Lamps(), t.opts.Phones()
	if t.player != nil {
		play := t.player.State()
		b.Play = &play
	}
	return b, changed
}

// CardState returns the table without light, phones and guests.
func (t *Table) CardState() wire.Bench {
	b, _ := t.cardStateAndChange()
	return b
}

func (t *Table) cardStateAndChange() (wire.Bench, <-chan struct{}) {
	t.mu.Lock()
	b := wire.Bench{Busy: t.isPresentingCards(), Slow: t.hasSlowReader(), Epoch: t.lastUpdate.Epoch, Rev: t.lastUpdate.Rev,
		Cards: make([]wire.BenchCard, len(t.cards)), Pawns: []wire.BenchPawn{}, Readers: []wire.BenchReader{}}
	for i, c := range t.cards {
		b.Cards[i] = c.BenchCard
	}
	for s, p := range t.pawns {
		b.Pawns = append(b.Pawns, wire.BenchPawn{Seat: s, Place: p})
	}
	for role, in := range t.plugged {
		b.Readers = append(b.Readers, wire.BenchReader{Role: role, Plugged: in})
	}
	changed := t.changed
	t.mu.Unlock()

	slices.SortFunc(b.Pawns, func(x, y wire.BenchPawn) int { return cmp.Compare(x.Seat, y.Seat) })
	slices.SortFunc(b.Readers, func(x, y wire.BenchReader) int { return cmp.Compare(y.Role, x.Role) })
	return b, changed
}

// NotifyChanged wakes the listeners after a change outside the table, such as of a lamp.
func (t *Table) NotifyChanged() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notifyListeners()
}

// RenameCards replaces the labels of the cards and the pairs of weapons, after the owner has changed the deck. The ids stay
// the same.
func (t *Table) RenameCards(game engine.ID, names engine.Names) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names[game] = names
	for _, c := range t.all {
		i := slices.IndexFunc(names, func(n engine.Name) bool { return n.ID == c.Card && n.Kind == c.Kind })
		if i >= 0 && c.game == game {
			c.Name = names[i].Text
		}
	}
	t.notifyListeners()
}

func (t *Table) saveAndNotify() {
	t.saveTable()
	t.notifyListeners()
}

func (t *Table) notifyListeners() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// Errors of acts that cannot be done.
var (
	errUnknown = &engine.Reject{Code: engine.Unknown, Why: engine.NewMsg("ui.bench.refused")} // no such act, card, spot, seat or reader
	errFull    = &engine.Reject{Code: engine.NotNow, Why: engine.NewMsg("ui.bench.crowded")}  // no room left on that reader
	errBusy    = &engine.Reject{Code: engine.NotNow, Why: engine.NewMsg("ui.bench.busy")}     // the helping hand is at work
)

// PerformAct performs an act of a hand, or returns the reason why not: an engine.Reject if people can understand it. It
// returns before a reader has reacted.
func (t *Table) PerformAct(act wire.BenchAct) error {
	switch act.Act {
	case "move":
		tags := act.Cards
		if act.Card != "" {
			tags = append(slices.Clone(tags), act.Card)
		}
		return t.moveCards(tags, act.Spot)
	case "flip":
		return t.changeCard(act.Card, func(c *card) { c.Up = !c.Up })
	case "pawn":
		t.mu.Lock()
		defer t.mu.Unlock()
		if !act.Seat.IsValid() || !t.isPlaceID(act.Place) {
			return errUnknown
		}
		t.pawns[act.Seat] = act.Place
		t.saveAndNotify()
		return nil
	case "plug", "unplug":
		f, ok := t.opts.Fields[act.Reader]
		if !ok {
			return errUnknown
		}
		f.SetPlugged(act.Act == "plug")
		t.mu.Lock()
		t.plugged[act.Reader] = act.Act == "plug"
		t.saveAndNotify()
		t.mu.Unlock()
		return nil
	case "deal":
		return t.startPresentingCards()
	case "tidy":
		t.mu.Lock()
		t.matchPilesToView()
		t.saveAndNotify()
		t.mu.Unlock()
		return nil
	case "invite":
		if t.opts.Invite == nil || act.Seat != 0 && !act.Seat.IsValid() {
			return errUnknown
		}
		if err := t.opts.Invite(act.Seat); err != nil {
			return err
		}
		t.NotifyChanged()
		return nil
	case "resume":
		if t.opts.Resume == nil {
			return errUnknown
		}
		return t.opts.Resume()
	case "play":
		if t.player == nil || act.Play == nil {
			return errUnknown
		}
		return t.player.SetState(*act.Play)
	}
	return errUnknown
}

func (t *Table) changeCard(tag string, do func(*card)) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.cards.find(tag)
	if c == nil {
		return errUnknown
	}
	do(c)
	t.saveAndNotify()
	return nil
}

func (t *Table) isPlaceID(id engine.ID) bool {
	return slices.ContainsFunc(t.names[t.game], func(n engine.Name) bool {
		return n.ID == id && n.IsLocation()
	})
}

// readerAtSpot returns the role of the reader at a spot.
func readerAtSpot(spot string) (readerRole string, ok bool) {
	for _, readerRole := range []string{engine.ReaderUrn, engine.ReaderShow} {
		if wire.SpotAtReader(readerRole) == spot {
			return readerRole, true
		}
	}
	return "", false
}

func (t *Table) isSpotName(name string) bool {
	if role, on := readerAtSpot(name); on {
		return t.opts.Fields[role] != nil
	}
	switch name {
	case wire.SpotBox, wire.SpotUrn, wire.SpotOpen, wire.SpotGone, wire.SpotEnvelope, wire.SpotPile:
		return true
	}
	if hand, ok := parseHandSpot(name); ok {
		return hand.IsValid()
	}
	return t.isPlaceID(engine.ID(name))
}

const handPrefix = "hand:"

func handSpot(s engine.Seat) string { return handPrefix + s.String() }

func parseHandSpot(spot string) (seat engine.Seat, ok bool) {
	if len(spot) <= len(handPrefix) || spot[:len(handPrefix)] != handPrefix {
		return 0, false
	}
	s, err := engine.ParseSeat(spot[len(handPrefix):])
	return s, err == nil
}

// moveCards puts cards at a spot. If one cannot be moved, none is; only if a reader becomes full, the cards before that
// stay on it and the error is errFull.
func (t *Table) moveCards(tags []string, spot string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.isSpotName(spot) {
		return errUnknown
	}
	var put []*card
	for _, tag := range tags {
		c := t.cards.find(tag)
		switch {
		case c == nil:
			return errUnknown
		case !slices.Contains(put, c):
			put = append(put, c)
		}
	}
	if len(put) == 0 {
		return errUnknown
	}
	defer t.saveAndNotify()
	for _, c := range put {
		if t.moveCardAndTag(c, spot); c.Spot != spot {
			return errFull
		}
	}
	return nil
}

// moveCardAndTag moves one card, its tag out of and into the fields, and the card out of and into the hands at the readers.
// If a reader is full, the card goes to the spot where it was before it was on a reader.
func (t *Table) moveCardAndTag(c *card, spot string) {
	if role, on := readerAtSpot(c.Spot); on {
		t.opts.Fields[role].RemoveTag(c.uid)
		t.removeCardFromHandAt(role, c)
	} else {
		c.home = c.Spot
	}
	if role, on := readerAtSpot(spot); on {
		if c.isBank {
			c.uid = drawRandomUID()
		}
		if t.opts.Fields[role].AddTag(c.uid) != nil {
			spot = c.home
		} else {
			t.addCardToHandAt(role, c)
		}
	}
	c.Spot, c.Up = spot, spot == wire.SpotOpen || spot == wire.SpotGone
}
