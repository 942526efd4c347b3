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
	start       string
	locations   map[string]string
	dealtPlaces map[string]string
	pawn        map[int]string
	roles       map[int]string
	seen        map[engine.Viewer]map[string]bool
	watching    map[int]bool
	claimed     map[string]bool // cards that a seat has named as held, on a phone
	unclaimed   map[string]bool // cards whose record a seat has taken back since they last moved
	debrief     bool
	hasRoles    bool // the roles are right, and the clues are being placed
	isUncertain bool // some card may be elsewhere than in locations
	seats       []int
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
	return &Auditor{start: start, locations: map[string]string{}, dealtPlaces: map[string]string{},
		pawn: map[int]string{}, roles: map[int]string{}, seen: map[engine.Viewer]map[string]bool{}, watching: map[int]bool{},
		claimed: map[string]bool{}, unclaimed: map[string]bool{}}
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

// ApplyEvent applies one stored event.
func (a *Auditor) ApplyEvent(kind string, data []byte) error {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("audit: %s: %w", kind, err)
	}
	a.Shows = a.Shows[:0]
	a.isUncertain = a.isUncertain || e.Trust != "" || kind == "laid-by-hand" || kind == "held" || kind == "forgot" || kind == "count-is"
	if e.Trust == "said" || kind == "held" {
		a.claimed[e.Card] = true
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
			a.setRole(seatNumber(seat), r)
		}
	case "roles-wrong":
		clear(a.roles)
	case "roles-right":
		a.hasRoles = true
	case "read-again": // the cards of this phase are read again
		if a.hasRoles {
			clear(a.locations)
		} else {
			clear(a.roles)
		}
	case "dealt":
		a.dealtPlaces = e.Deal
	case "laid":
		a.locations[e.Card] = e.Place
	case "laid-all":
		for card, place := range a.dealtPlaces {
			if a.locations[card] == "" {
				a.locations[card] = place
			}
		}
	case "moved", "pawn-corrected", "revived":
		a.pawn[e.Seat] = e.Place
	default:
		a.applyRoundEvent(kind, e)
	}
	return nil
}

// applyRoundEvent applies the events of a round.
func (a *Auditor) applyRoundEvent(kind string, e event) {
	x := engine.Viewer{}
	if e.Seat > 0 {
		x = engine.SeatViewer(engine.Seat(e.Seat))
	}
	switch kind {
	case "pile", "searched": // HC-022, HC-060
		if a.isUncertain { // any card may be there
			for c := range a.dealtPlaces {
				a.recordShow(x, c)
			}
			for c := range a.locations {
				a.recordShow(x, c)
			}
			return
		}
		a.recordShow(x, a.cardsAt(a.pawn[e.Seat])...)
	case "kept":
		a.moveCard(e.Card, handName(e.Seat), x)
	case "took": // HC-114
		a.moveCard(e.Card, handName(e.Seat), x)
		a.showObservers(e)
	case "drew": // HC-086, HC-114
		a.moveCard(e.Card, handName(e.Seat), x)
		a.recordShow(engine.SeatViewer(engine.Seat(e.Other)), e.Card)
		a.showObservers(e)
	case "gave":
		a.moveCard(e.Card, handName(e.Other), x)
		a.recordShow(engine.SeatViewer(engine.Seat(e.Other)), e.Card)
	case "left":
		a.moveCard(e.Card, a.pawn[e.Seat], x)
	case "observed":
		a.watching[e.Seat] = true
	case "investigated", "skipped", "phase-ended":
		clear(a.watching)
	case "deposited":
		a.moveCard(e.Card, "urn", x)
	case "destroyed", "purged", "accused": // HC-070, HC-205, HC-092
		a.moveCard(e.Card, "gone", engine.Public)
		if kind == "accused" {
			a.turnRoleUp(e.Other) // HC-093
		}
	case "held", "forgot": // a seat knows what it names on its phone
		a.unclaimed[e.Card] = kind == "forgot"
		a.recordShow(x, e.Card)
	default:
		a.applyResolutionEvent(kind, e)
	}
}

// applyResolutionEvent applies the events of a murder resolution and of the end.
func (a *Auditor) applyResolutionEvent(kind string, e event) {
	switch kind {
	case "opened": // HC-127
		all := a.cardsAt("urn")
		for _, c := range all {
			a.locations[c] = "shown"
		}
		a.recordShow(engine.Public, all...)
	case "recovered":
		a.moveCard(e.Card, handName(e.Seat), engine.Public)
	case "rest-laid":
		a.moveCard(e.Card, e.Place, engine.Public)
	case "urn-unsealed": // only the clues named from now on count
		for _, c := range a.cardsAt("urn") {
			a.locations[c] = "unknown " + c
		}
	case "found": // a clue of an unread urn, named when the urn is opened
		a.moveCard(e.Card, "shown", engine.Public)
	case "role-turned":
		if e.Role != "" {
			a.roles[e.Seat] = e.Role
		}
		a.turnRoleUp(e.Seat)
	case "died", "killed": // HC-131, HC-132
		for _, c := range a.cardsAt(handName(e.Seat)) {
			a.locations[c] = a.pawn[e.Seat]
		}
		a.turnRoleUp(e.Seat)
	case "over": // HC-157, GEN-008
		for s := range a.roles {
			a.turnRoleUp(s)
		}
		if a.debrief {
			for _, s := range a.seats {
				a.recordShow(engine.Public, slices.DeleteFunc(a.cardsAt(handName(s)), func(c string) bool { return a.unclaimed[c] })...)
			}
			for c := range a.claimed {
				a.recordShow(engine.Public, c)
			}
		}
	}
}

func (a *Auditor) showObservers(e event) {
	for y := range a.watching {
		a.recordShow(engine.SeatViewer(engine.Seat(y)), e.Card)
	}
}

func (a *Auditor) moveCard(card, to string, viewer engine.Viewer) {
	if card == "" {
		return
	}
	a.locations[card] = to
	delete(a.unclaimed, card)
	a.recordShow(viewer, card)
}

func (a *Auditor) recordShow(to engine.Viewer, cards ...string) {
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
	a.recordShow(engine.SeatViewer(engine.Seat(seat)), RoleCard(seat))
}

// turnRoleUp shows a role card to all.
func (a *Auditor) turnRoleUp(seat int) { a.recordShow(engine.Public, RoleCard(seat)) }

func handName(seat int) string { return engine.Seat(seat).String() }

// RoleCard returns the name of the role card of a seat in Shows.
func RoleCard(seat int) string { return "role of " + handName(seat) }

func seatNumber(seat string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(seat, "seat-"))
	return n
}

// cardsAt returns the cards of one holder.
func (a *Auditor) cardsAt(holder string) (cards []string) {
	for c, w := range a.locations {
		if w == holder {
			cards = append(cards, c)
		}
	}
	return cards
}

// LocationOf returns the place or holder of a card.
func (a *Auditor) LocationOf(card string) string { return a.locations[card] }

// TrueRole returns the true role of a seat: "murderer", "innocent" or "".
func (a *Auditor) TrueRole(seat engine.Seat) string { return a.roles[int(seat)] }

// HasDebrief reports whether the table chose to see the hands after the end.
func (a *Auditor) HasDebrief() bool { return a.debrief }

// HasSeen reports whether v has been shown the face of a card at some time, in private or with all.
func (a *Auditor) HasSeen(v engine.Viewer, card string) bool {
	return a.seen[v][card] || a.seen[engine.Public][card]
}

// HasSeenRole reports whether v knows the role of a seat.
func (a *Auditor) HasSeenRole(v engine.Viewer, seat engine.Seat) bool {
	return a.HasSeen(v, RoleCard(int(seat)))
}
