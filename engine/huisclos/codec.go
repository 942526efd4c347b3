package huisclos

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"majordome/engine"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/position"
	"majordome/engine/internal/rules"
)

// storedEvent is the form of an event in the store. It has ids instead of numbers, so that it can still be
// read after the deck was reordered. It holds secrets in clear.
type storedEvent struct {
	At       engine.Millis      `json:"at"`
	Seat     engine.Seat        `json:"seat,omitempty"`
	Other    engine.Seat        `json:"other,omitempty"`
	Place    string             `json:"place,omitempty"`
	Who      string             `json:"who,omitempty"`
	N        uint16             `json:"n,omitempty"`
	Switch   string             `json:"switch,omitempty"`
	Value    string             `json:"value,omitempty"`
	Step     uint8              `json:"step,omitempty"`
	Ends     bool               `json:"ends,omitempty"`
	Text     string             `json:"text,omitempty"`
	Card     string             `json:"card,omitempty"`
	Trust    string             `json:"trust,omitempty"`
	Role     string             `json:"role,omitempty"`
	RoleBy   string             `json:"role-card,omitempty"`
	Roles    map[string]string  `json:"roles,omitempty"`
	Deal     map[string]string  `json:"deal,omitempty"`
	Position *position.Position `json:"pose,omitempty"`
}

var roleWords = [...]string{"", Innocent, Murderer}

// EncodeEvent encodes an event of this game, for the store only.
func (b *Book) EncodeEvent(e engine.Event) ([]byte, error) {
	ev, _ := e.(*event)
	if ev == nil {
		return nil, errors.New("huisclos: encode: not an event of Huis Clos")
	}
	w := storedEvent{At: ev.at, Seat: ev.seat, Other: ev.other, Place: b.placeID[ev.place], Who: b.characterID[ev.character],
		N: ev.n, Step: uint8(ev.step), Ends: ev.ends, Text: ev.text, Trust: trustNames[ev.trust]}
	if ev.kind == evSwitched {
		sw := switches[ev.houseRule]
		w.N, w.Switch, w.Value = 0, sw.ID, sw.Values[ev.n]
	}
	if c, ok := ev.card.Open(); ok {
		w.Card = b.cardID[c]
	}
	if d, ok := ev.role.Open(); ok {
		w.Role, w.RoleBy = roleWords[d.role()], b.roleCardID[d.card()]
	}
	if rs, ok := ev.roles.Open(); ok {
		w.Roles = map[string]string{}
		for x, r := range rs {
			if r != 0 {
				w.Roles[engine.Seat(x).String()] = roleWords[r]
			}
		}
	}
	if d, ok := ev.deal.Open(); ok {
		w.Deal = map[string]string{}
		for c := card(1); c <= numCards; c++ {
			w.Deal[b.cardID[c]] = b.placeID[d[c]]
		}
	}
	if p, ok := ev.position.Open(); ok {
		w.Position = &p
	}
	return json.Marshal(w)
}

// DecodeEvent decodes what EncodeEvent returned. The error for anything else does not quote it.
func (b *Book) DecodeEvent(name string, data []byte) (engine.Event, error) {
	var w storedEvent
	k, err := rules.DecodeEvent(eventRows[:], name, data, &w)
	if err != nil {
		return nil, fmt.Errorf("huisclos: %w", err)
	}
	t := slices.Index(trustNames[:], w.Trust)
	if t < 0 {
		return nil, fmt.Errorf("huisclos: decode %s: no such trust", name)
	}
	e := &event{kind: eventKind(k), trust: trust(t), at: w.At, seat: w.Seat, other: w.Other, n: w.N, step: step(w.Step),
		ends: w.Ends, text: w.Text,
		place: b.placeByID[w.Place], character: b.characterByID[w.Who]}
	if err = w.decodeFields(b, e); err != nil {
		return nil, fmt.Errorf("huisclos: decode %s: %w", name, err)
	}
	return e, nil
}

func (w *storedEvent) decodeFields(b *Book, e *event) error {
	c, known := b.cardByID[w.Card]
	switch {
	case w.Seat > maxSeats || w.Other > maxSeats:
		return errors.New("no such seat")
	case e.place == 0 && w.Place != "":
		return errors.New("no such place")
	case !known && w.Card != "":
		return errors.New("no such card")
	case e.step >= numSteps:
		return errors.New("no such step")
	}
	if known {
		e.card = hideCard(c)
	}
	return eventRows[e.kind].CheckAndDecodeFields(w, b, e, w.Seat != 0, w.Other != 0, e.place != 0, known)
}

func (w *storedEvent) checkPlayer(_ *Book, e *event) error {
	return rules.ErrorUnless(e.character != 0 && rules.IsPlayerName(w.Text), "no such player")
}

// checkMovedClue checks that the event names its clue, or that its trust says that it does not.
func (*storedEvent) checkMovedClue(_ *Book, e *event) error {
	_, known := e.card.Open()
	return rules.ErrorUnless(known == (e.trust <= trustSaid), "no such card")
}

func (*storedEvent) checkCountNumber(_ *Book, e *event) error {
	return rules.ErrorUnless(e.n <= numCards, "no such number")
}

func (w *storedEvent) decodeSwitch(_ *Book, e *event) (err error) {
	e.houseRule, e.n, err = switches.DecodeValue(w.Switch, w.Value)
	return err
}

func (w *storedEvent) decodeRole(b *Book, e *event) error {
	r := slices.Index(roleWords[:], w.Role)
	if r < 1 {
		return errors.New("no such role")
	}
	e.role = hideRole(newDrawnRole(role(r), b.roleByCardID[w.RoleBy].card()))
	return nil
}

func (w *storedEvent) decodeRoles(_ *Book, e *event) error {
	var rs [maxSeats + 1]role
	for name, word := range w.Roles {
		x, err := engine.ParseSeat(name)
		r := slices.Index(roleWords[:], word)
		if err != nil || x > maxSeats || r < 1 {
			return errors.New("no such role")
		}
		rs[x] = role(r)
	}
	e.roles = hidden.New(rs, hidden.Nobody)
	return nil
}

func (w *storedEvent) decodeDeal(b *Book, e *event) error {
	var d deal
	for c := card(1); c <= numCards; c++ {
		if d[c] = b.placeByID[w.Deal[b.cardID[c]]]; d[c] == 0 {
			return errors.New("a clue without a place")
		}
	}
	e.deal = hidden.New(d, hidden.Nobody)
	return nil
}

func (w *storedEvent) decodePosition(b *Book, e *event) error {
	if w.Position == nil {
		return errors.New("no position")
	}
	if _, err := b.buildPosition(*w.Position); err != nil {
		return errors.New("no lawful position")
	}
	e.position = hidden.New(*w.Position, hidden.Nobody)
	return nil
}
