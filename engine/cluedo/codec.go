package cluedo

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/position"
	"majordome/engine/internal/rules"
)

// storedEvent is an event as it is stored. It has ids instead of numbers, so that a deck with
// another order still reads it. It has secrets in clear.
type storedEvent struct {
	At       engine.Millis      `json:"at"`
	Seat     engine.Seat        `json:"seat,omitempty"`
	Other    engine.Seat        `json:"other,omitempty"`
	Who      string             `json:"who,omitempty"`
	N        uint16             `json:"n,omitempty"`
	Switch   string             `json:"switch,omitempty"`
	Value    string             `json:"value,omitempty"`
	Dice     string             `json:"dice,omitempty"`
	To       string             `json:"to,omitempty"` // an area, a square, or a word for one
	Names    []string           `json:"names,omitempty"`
	Open     string             `json:"open,omitempty"`
	Text     string             `json:"text,omitempty"`
	Card     string             `json:"card,omitempty"`
	Reply    string             `json:"reply,omitempty"` // one of replyWords
	Deal     map[string]string  `json:"deal,omitempty"`
	Amend    []string           `json:"amend,omitempty"`
	Position *position.Position `json:"pose,omitempty"`
}

// replyWords are the words for a reply: nothing to show, a card shown by hand, a card named on the
// phone, a card read by a reader.
var replyWords = [...]string{"none", "hand", "card", "read"}

// EncodeEvent encodes an event of this game, for the store only.
func (b *Book) EncodeEvent(e engine.Event) ([]byte, error) {
	ev, _ := e.(*event)
	if ev == nil {
		return nil, errors.New("cluedo: encode: not an event of a Cluedo")
	}
	w := storedEvent{At: ev.at, Seat: ev.seat, Other: ev.other, Who: b.cardID[ev.subject], N: ev.n, Open: b.cardID[ev.openCard],
		Text: ev.text}
	if ev.kind == evSwitched {
		sw := b.switchTable[ev.switchIndex]
		w.N, w.Switch, w.Value = 0, sw.ID, sw.Values[ev.n]
	}
	if ev.kind == evRolled || ev.kind == evStartRoll {
		w.Dice = formatRoll(int(ev.dice[0]), int(ev.dice[1]))
	}
	if ev.kind == evMoved || ev.pos.area != b.pool && ev.pos.area != 0 {
		w.To = b.formatPawnPlace(ev.pos)
	}
	if ev.names[0] != 0 {
		w.Names = b.idsOf(ev.names[:])
	}
	if what, ok := ev.accusation.Open(); ok {
		w.Names = b.idsOf(what[:])
	}
	if c, ok := ev.card.Open(); ok {
		w.Card = b.cardID[c]
	}
	if a, ok := ev.reply.Open(); ok {
		w.Reply, w.Card = replyWords[1], b.cardID[a.card]
		switch {
		case a.showsNothing:
			w.Reply = replyWords[0]
		case a.fromReader:
			w.Reply = replyWords[3]
		case a.named:
			w.Reply = replyWords[2]
		}
	}
	if d, ok := ev.deal.Open(); ok {
		w.Deal = map[string]string{}
		for c := card(1); c <= b.lastCard[kindRoom]; c++ {
			w.Deal[b.cardID[c]] = b.formatLocation(d[c])
		}
	}
	if a, ok := ev.correction.Open(); ok {
		w.Amend = b.cardIDs(a.named)
	}
	if p, ok := ev.position.Open(); ok {
		w.Position = &p
	}
	return json.Marshal(w)
}

func (b *Book) idsOf(cards []card) []string {
	ids := make([]string, len(cards))
	for i, c := range cards {
		ids[i] = b.cardID[c]
	}
	return ids
}

// formatLocation returns the text for a place to which a deal gives a card.
func (b *Book) formatLocation(l loc) string {
	switch {
	case l == locEnvelope:
		return "envelope"
	case l > custody.HandBase:
		return engine.Seat(l - custody.HandBase).String()
	case l > locBoard:
		return b.areaID[l-locBoard]
	}
	return ""
}

func (b *Book) parseLocation(text string) (at loc, ok bool) {
	if text == "envelope" {
		return locEnvelope, true
	}
	if a := b.areaByID[text]; a != 0 {
		return locBoard + loc(a), true
	}
	x, err := engine.ParseSeat(text)
	return custody.HandOf(x), err == nil
}

// posWords are the words for places of a pawn outside the areas, without a square of a board.
var posWords = map[pawnSpot]string{onStart: "start", onCorridor: toCorridor, onQuestion: toQuestion}

// formatPawnPlace returns the text for the place of a pawn that is in the game, as parsePawnPlace reads it.
func (b *Book) formatPawnPlace(p pos) string {
	if p.area != 0 {
		return b.areaID[p.area]
	}
	if word, ok := posWords[p.kind]; ok {
		return word
	}
	return board.Square{Col: int(p.col), Row: int(p.row)}.String()
}

func (b *Book) parsePawnPlace(text string) (pos, bool) {
	if a := b.areaByID[text]; a != 0 {
		return pos{area: a}, true
	}
	for kind, word := range posWords {
		if word == text {
			return pos{kind: kind}, true
		}
	}
	at, ok := board.ParseSquare(text)
	if !ok || at.Col < 0 || at.Row < 0 || at.Col >= board.MaxSide || at.Row >= board.MaxSide {
		return pos{}, false
	}
	return positionOfSquare(at), true
}

// DecodeEvent decodes what EncodeEvent wrote. For anything else its error says what is wrong
// without quoting the data.
func (b *Book) DecodeEvent(name string, data []byte) (engine.Event, error) {
	var w storedEvent
	k, err := rules.DecodeEvent(eventRows[:], name, data, &w)
	if err != nil {
		return nil, fmt.Errorf("cluedo: %w", err)
	}
	e := &event{kind: eventKind(k), at: w.At, seat: w.Seat, other: w.Other, n: w.N, text: w.Text, subject: uint8(b.cardByID[w.Who]),
		openCard: b.cardByID[w.Open]}
	if err = w.decodeFields(b, e); err != nil {
		return nil, fmt.Errorf("cluedo: decode %s: %w", name, err)
	}
	return e, nil
}

func (w *storedEvent) decodeFields(b *Book, e *event) error {
	c, known := b.cardByID[w.Card]
	switch {
	case w.Seat > maxSeats || w.Other > maxSeats:
		return errors.New("no such seat")
	case !known && w.Card != "", e.openCard == 0 && w.Open != "":
		return errors.New("no such card")
	}
	if known {
		e.card = hideCard(c)
	}
	// decodePlace reads the place of a pawn, so it is not checked here.
	return eventRows[e.kind].CheckAndDecodeFields(w, b, e, e.seat != 0, e.other != 0, true, known)
}

func (*storedEvent) checkSuspect(b *Book, e *event) error {
	return rules.ErrorUnless(b.kindOf(card(e.subject)) == kindSuspect, "no such card")
}

// decodeFaceDownArea reads an area with face-down cards; the pool if none is given.
func (w *storedEvent) decodeFaceDownArea(b *Book, e *event) error {
	e.pos.area = b.pool
	if w.To != "" {
		e.pos.area = b.areaByID[w.To]
	}
	return rules.ErrorUnless(w.To == "" || e.pos.area != 0, "no such place")
}

// checkWeaponRooms checks the rooms of the weapons, if there are any.
func (*storedEvent) checkWeaponRooms(b *Book, e *event) error {
	for _, room := range strings.Fields(e.text) {
		if !b.isRoom(b.areaByID[room]) {
			return errors.New("no such room")
		}
	}
	return nil
}

func (*storedEvent) checkEventCard(b *Book, e *event) error {
	return rules.ErrorUnless(b.kindOf(e.openCard) == kindEvent, "no such card")
}

func (w *storedEvent) decodeExposedCard(b *Book, e *event) error {
	if err := w.decodeFaceDownArea(b, e); err != nil {
		return err
	}
	return rules.ErrorUnless(b.mysteryCards().Contains(e.openCard), "no such card")
}

func (*storedEvent) checkRevealedCard(b *Book, e *event) error {
	return rules.ErrorUnless(e.openCard == 0 || b.mysteryCards().Contains(e.openCard), "no such card")
}

func (w *storedEvent) decodeCount(b *Book, e *event) error {
	if err := w.decodeFaceDownArea(b, e); err != nil {
		return err
	}
	return w.checkNumber(b, e)
}

func (*storedEvent) checkNumber(_ *Book, e *event) error {
	return rules.ErrorUnless(e.n <= maxCards, "no such number")
}

func (w *storedEvent) decodeRoll(b *Book, e *event) (err error) {
	roll, ok := b.parseRoll(w.Dice)
	e.dice = roll
	return rules.ErrorUnless(ok, "no such roll")
}

func (w *storedEvent) decodePlace(b *Book, e *event) error {
	to, ok := b.parsePawnPlace(w.To)
	e.pos = to
	return rules.ErrorUnless(ok, "no such place")
}

func (w *storedEvent) decodeSwitch(b *Book, e *event) (err error) {
	e.switchIndex, e.n, err = b.switchTable.DecodeValue(w.Switch, w.Value)
	return err
}

func (w *storedEvent) decodeNamedCards(b *Book, e *event) error {
	if len(w.Names) != 3 {
		return errors.New("not three names")
	}
	for i, id := range w.Names {
		if e.names[i] = b.cardByID[id]; b.kindOf(e.names[i]) != cardKind(i)+kindSuspect {
			return errors.New("not a suspect, a weapon and a room")
		}
	}
	return nil
}

func (w *storedEvent) decodeAccusation(b *Book, e *event) error {
	if w.N != 0 && len(w.Names) == 0 { // written on paper
		return nil
	}
	err := w.decodeNamedCards(b, e)
	e.accusation, e.names = hidden.New(e.names, hidden.Everyone), [3]card{}
	if w.N != 0 {
		e.accusation = e.accusation.WithAudience(hidden.OnlySeats(e.seat))
	}
	return err
}

func (w *storedEvent) decodeWrongAccusation(b *Book, e *event) error {
	w.N = 1 // only the accuser may know what it found there
	return w.decodeAccusation(b, e)
}

func (w *storedEvent) decodeCorrection(b *Book, e *event) error {
	a := deniedAnswer{seat: e.seat, to: e.other, assumed: e.n != 0}
	for _, id := range w.Amend {
		a.named = a.named.WithCard(b.cardByID[id])
	}
	e.correction = hidden.New(a, hidden.Nobody)
	return nil
}

func (w *storedEvent) decodeAnswer(_ *Book, e *event) error {
	a := reply{showsNothing: w.Reply == replyWords[0], fromReader: w.Reply == replyWords[3]}
	a.named = a.fromReader || w.Reply == replyWords[2]
	if c, ok := e.card.Open(); a.named && !ok {
		return errors.New("no card")
	} else if a.named {
		a.card = c
	}
	e.reply, e.card = hidden.New(a, hidden.Nobody), hidden.SmallValue[card]{}
	return nil
}

func (w *storedEvent) decodeDeal(b *Book, e *event) error {
	var d deal
	for c := card(1); c <= b.lastCard[kindRoom]; c++ {
		l, ok := b.parseLocation(w.Deal[b.cardID[c]])
		if !ok {
			return errors.New("a card without a place")
		}
		d[c] = l
	}
	e.deal = hidden.New(d, hidden.Nobody)
	return nil
}

func (w *storedEvent) decodePosition(b *Book, e *event) error {
	if w.Position == nil {
		return errors.New("no position")
	}
	if _, err := b.positionState(*w.Position); err != nil {
		return errors.New("no lawful position")
	}
	e.position = hidden.New(*w.Position, hidden.Nobody)
	return nil
}
