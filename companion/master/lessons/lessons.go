// Package lessons is the part that shows the host, in the lobby, which players have read the introduction to
// the game. What a phone explains, and whether it does, is up to the phone.
package lessons

import (
	"slices"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// Act is the act of a seat's phone whose player has read the cards of the lobby, or knows the game. It has no
// args.
const Act = "lessons-read"

// Lessons is the part: it remembers which seats have read the introduction. After a restart it asks the phones
// again.
type Lessons struct {
	table master.Table
	game  int64
	read  map[engine.Seat]bool
}

// New returns the part.
func New(t master.Table) *Lessons { return &Lessons{table: t} }

// LoadSettings implements master.Loader. In a new game no seat has read the introduction yet.
func (l *Lessons) LoadSettings() {
	if l.game != l.table.GameNumber() {
		l.game, l.read = l.table.GameNumber(), map[engine.Seat]bool{}
	}
}

// Acts implements master.Part.
func (l *Lessons) Acts() []master.Act {
	return []master.Act{{Name: Act, Seats: true, Do: l.recordLessonsRead}}
}

// AppendSeatOffers implements master.SeatOfferer. As long as the act is offered, a phone whose player has read
// sends it.
func (l *Lessons) AppendSeatOffers(all []engine.Offer, seat engine.Seat) []engine.Offer {
	if !l.table.InLobby() || l.read[seat] || !master.HasPlayer(l.table.PublicView(), seat) {
		return all
	}
	return append(all, engine.Offer{Act: Act, Rule: "GEN-010", Aside: true})
}

func (l *Lessons) recordLessonsRead(by master.Actor, _ engine.Args) (*wire.Notice, *engine.Reject) {
	seat, ok := by.Seat()
	if !ok || !l.table.InLobby() || !master.HasPlayer(l.table.PublicView(), seat) {
		return nil, master.Refuse(engine.NotNow, "GEN-010", "table.unknown")
	}
	l.read[seat] = true
	return nil, nil
}

// ShowHost implements master.HostShower: the seats that have read the introduction, in the lobby.
func (l *Lessons) ShowHost(to *wire.ForHost) {
	if !l.table.InLobby() {
		return
	}
	for seat := range l.read {
		if master.HasPlayer(l.table.PublicView(), seat) {
			to.Desk.Read = append(to.Desk.Read, seat)
		}
	}
	slices.Sort(to.Desk.Read)
}
