package audit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
)

// Auditor follows one game by its events. Location returns the place of each card: "" before it is placed,
// a place, "seat-3", "urn", "shown" or "gone".
type Auditor struct {
	start    string
	where    map[string]string
	deal     map[string]string
	pawn     map[int]string
	roles    map[int]string
	seen     map[engine.Viewer]map[string]bool
	watching map[int]bool
	named    map[string]bool // cards that a seat has named as held, on a phone
	forgot   map[string]bool // cards whose record a seat has taken back since they last moved
	debrief  bool
	drawn    bool // the roles are right, and the clues are being placed
	loose    bool // some card may be elsewhere than in locations
	seats    []int
	// Shows has what the last event showed, for tests that follow one card.
	Shows []Show
}

// Show is a set of cards that one viewer was shown together. If all saw them, To is engine.Public.
type Show struct {
	To    engine.Viewer
	Cards []string
}

// New returns an audit of a game whose pawns begin at start.
func New(start string) *Auditor {
	return &Auditor{start: start, where: map[string]string{}, deal: map[string]string{},
		pawn: map[int]string{}, roles: map[int]string{}, seen: map[engine.Viewer]map[string]bool{}, watching: map[int]bool{},
		named: map[string]bool{}, forgot: map[string]bool{}}
}

// event is the part of a stored event that an audit needs.
type event struct {
	Seat   int               `json:"seat"`
	Other  int               `json:"other"`
	Place  string            `json:"place"`
	Switch string            `json:"switch"`
	Value  string            `json:"value"`
	Card   string            `json:"card"`
	Trust  string            `json:"trust"` // "": recorded; else how it is not
	Role   string            `json:"role"`
	Roles  map[string]string `json:"roles"`
	Deal   map[string]string `json:"deal"`
}

// Feed applies one stored event.
func (a *Auditor) Feed(kind string, data []byte) error {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("audit: %s: %w", kind, err)
	}
	a.Shows = a.Shows[:0]
	a.loose = a.loose || e.Trust != "" || kind == "laid-by-hand" || kind == "held" || kind == "forgot" || kind == "count-is"
	if e.Trust == "said" || kind == "held" {
		a.named[e.Card] = true
	}
	switch kind {
	case "sat":
		a.seats = append(a.seats, e.Seat)
		a.pawn[e.Seat] = a.start
	case "rose":
		a.seats = slices.DeleteFunc(a.seats, func(s int) bool { return s == e.Seat })
		delete(a.pawn, e.Seat)
	case "switched":
		if e.Switch == "post-game-debrief" {
			a.debrief = e.Value == "on"
		}
	case "role":
		a.setRole(e.Seat, e.Role)
	case "roles-drawn":
		for seat, r := range e.Roles {
			a.setRole(number(seat), r)
		}
	case "roles-wrong":
		clear(a.roles)
	case "roles-right":
		a.drawn = true
	case "read-again": // the cards of this phase are read again
		if a.drawn {
			clear(a.where)
		} else {
			clear(a.roles)
		}
	case "dealt":
		a.deal = e.Deal
	case "laid":
		a.where[e.Card] = e.Place
	case "laid-all":
		for card, place := range a.deal {
			if a.where[card] == "" {
				a.where[card] = place
			}
		}
	case "moved", "pawn-corrected", "revived":
		a.pawn[e.Seat] = e.Place
	default:
		a.play(kind, e)
	}
	return nil
}

// feedRound applies the events of a round.
func (a *Auditor) play(kind string, e event) {
	x := engine.Viewer{}
	if e.Seat > 0 {
		x = engine.At(engine.Seat(e.Seat))
	}
	switch kind {
	case "pile", "searched": // HC-022, HC-060
		if a.loose { // any card may be there
			for c := range a.deal {
				a.show(x, c)
			}
			for c := range a.where {
				a.show(x, c)
			}
			return
		}
		a.show(x, a.at(a.pawn[e.Seat])...)
	case "kept":
		a.move(e.Card, hand(e.Seat), x)
	case "took": // HC-114
		a.move(e.Card, hand(e.Seat), x)
		a.observers(e)
	case "drew": // HC-086, HC-114
		a.move(e.Card, hand(e.Seat), x)
		a.show(engine.At(engine.Seat(e.Other)), e.Card)
		a.observers(e)
	case "gave":
		a.move(e.Card, hand(e.Other), x)
		a.show(engine.At(engine.Seat(e.Other)), e.Card)
	case "left":
		a.move(e.Card, a.pawn[e.Seat], x)
	case "observed":
		a.watching[e.Seat] = true
	case "investigated", "skipped", "phase-ended":
		clear(a.watching)
	case "deposited":
		a.move(e.Card, "urn", x)
	case "destroyed", "purged", "accused": // HC-070, HC-205, HC-092
		a.move(e.Card, "gone", engine.Public)
		if kind == "accused" {
			a.turn(e.Other) // HC-093
		}
	case "held", "forgot": // a seat knows what it names on its phone
		a.forgot[e.Card] = kind == "forgot"
		a.show(x, e.Card)
	default:
		a.resolve(kind, e)
	}
}

// feedResolution applies the events of a murder resolution and of the end.
func (a *Auditor) resolve(kind string, e event) {
	switch kind {
	case "opened": // HC-127
		all := a.at("urn")
		for _, c := range all {
			a.where[c] = "shown"
		}
		a.show(engine.Public, all...)
	case "recovered":
		a.move(e.Card, hand(e.Seat), engine.Public)
	case "rest-laid":
		a.move(e.Card, e.Place, engine.Public)
	case "urn-unsealed": // only the clues named from now on count
		for _, c := range a.at("urn") {
			a.where[c] = "unknown " + c
		}
	case "found": // a clue of an unread urn, named when the urn is opened
		a.move(e.Card, "shown", engine.Public)
	case "role-turned":
		if e.Role != "" {
			a.roles[e.Seat] = e.Role
		}
		a.turn(e.Seat)
	case "died", "killed": // HC-131, HC-132
		for _, c := range a.at(hand(e.Seat)) {
			a.where[c] = a.pawn[e.Seat]
		}
		a.turn(e.Seat)
	case "over": // HC-157, GEN-008
		for s := range a.roles {
			a.turn(s)
		}
		if a.debrief {
			for _, s := range a.seats {
				a.show(engine.Public, slices.DeleteFunc(a.at(hand(s)), func(c string) bool { return a.forgot[c] })...)
			}
			for c := range a.named {
				a.show(engine.Public, c)
			}
		}
	}
}

func (a *Auditor) observers(e event) {
	for y := range a.watching {
		a.show(engine.At(engine.Seat(y)), e.Card)
	}
}

func (a *Auditor) move(card, to string, shown engine.Viewer) {
	if card == "" {
		return
	}
	a.where[card] = to
	delete(a.forgot, card)
	a.show(shown, card)
}

func (a *Auditor) show(to engine.Viewer, cards ...string) {
	if len(cards) == 1 && cards[0] == "" { // an unnamed card
		return
	}
	if a.seen[to] == nil {
		a.seen[to] = map[string]bool{}
	}
	for _, c := range cards {
		a.seen[to][c] = true
	}
	a.Shows = append(a.Shows, Show{to, cards})
}

func (a *Auditor) setRole(seat int, role string) {
	a.roles[seat] = role
	a.show(engine.At(engine.Seat(seat)), RoleCard(seat))
}

// turnRoleUp shows a role card to all.
func (a *Auditor) turn(seat int) { a.show(engine.Public, RoleCard(seat)) }

func hand(seat int) string { return engine.Seat(seat).String() }

// RoleCard returns the name of the role card of a seat in Shows.
func RoleCard(seat int) string { return "role of " + hand(seat) }

func number(seat string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(seat, "seat-"))
	return n
}

// cardsAt returns the cards of one holder.
func (a *Auditor) at(holder string) (cards []string) {
	for c, w := range a.where {
		if w == holder {
			cards = append(cards, c)
		}
	}
	return cards
}

// Location returns the place or holder of a card.
func (a *Auditor) Where(card string) string { return a.where[card] }

// Role returns the true role of a seat: "murderer", "innocent" or "".
func (a *Auditor) Role(seat engine.Seat) string { return a.roles[int(seat)] }

// HasDebrief reports whether the table chose to see the hands after the end.
func (a *Auditor) Debrief() bool { return a.debrief }

// HasSeen reports whether v has been shown the face of a card at some time, in private or with all.
func (a *Auditor) May(v engine.Viewer, card string) bool {
	return a.seen[v][card] || a.seen[engine.Public][card]
}

// HasSeenRole reports whether v knows the role of a seat.
func (a *Auditor) MayRole(v engine.Viewer, seat engine.Seat) bool {
	return a.May(v, RoleCard(int(seat)))
}
