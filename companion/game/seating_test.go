package game

import (
	"slices"
	"strings"
	"testing"

	"majordome/companion/master/seats"
	"majordome/companion/wire"
	"majordome/engine"
)

// joinGuest has a phone join at the free seat whose code is on the host's page.
func (r *rig) joinGuest() engine.Seat {
	r.t.Helper()
	at := r.seatWithCode()
	r.desk.phones = append(r.desk.phones, wire.SeatPhones{Seat: at, Phones: []int{1}})
	r.core().publishPhoneNotice(engine.NewMsg("table.phone.joined", "seat", at.String()))
	return at
}

// seatWithCode returns the free seat whose code is on the host's page.
func (r *rig) seatWithCode() (at engine.Seat) {
	r.t.Helper()
	u := r.last().Host
	for _, i := range u.Desk.Invites {
		if slices.ContainsFunc(u.View.Seats, func(s engine.SeatView) bool { return s.Seat == i.Seat }) ||
			slices.ContainsFunc(u.Desk.Guests, func(g wire.Guest) bool { return g.Seat == i.Seat }) {
			continue
		}
		if at != 0 {
			r.t.Fatalf("two codes are shown at once: %+v", u.Desk)
		}
		at = i.Seat
	}
	return at
}

// guestUpdate returns the update of a guest.
func (r *rig) guestUpdate(at engine.Seat) wire.Update {
	r.t.Helper()
	u, ok := r.last().UpdateFor(engine.SeatViewer(at))
	if !ok || u.Guest == nil {
		r.t.Fatalf("%v is shown nothing as a guest: %+v", at, u)
	}
	return u
}

// askForSeat has a guest ask for a name and a character.
func (r *rig) askForSeat(at engine.Seat, name, who string) *engine.Reject {
	r.t.Helper()
	return r.act(engine.SeatViewer(at), seats.ActSit, "name", name, "character", who).Reject
}

func rejectReason(r *engine.Reject) string {
	if r == nil {
		return ""
	}
	return r.Why.Key
}

func lobbyOf(t *testing.T, book func() (engine.Rulebook, error)) *rig {
	t.Helper()
	b, err := book()
	if err != nil {
		t.Fatal(err)
	}
	return newRig(t, newMemory(), b)
}

// GEN-011, GEN-E12: the codes are shown one after the other. A phone that has joined asks for a name and a character,
// and the host seats it with the game's own act.
func TestGuestsSitDown(t *testing.T) {
	for id, book := range map[string]func() (engine.Rulebook, error){"huis-clos": huisClosBook, "cluedo": cluedoBook} {
		t.Run(id, func(t *testing.T) {
			r := lobbyOf(t, book)
			characters := byKind(r.books[0])[map[string]engine.ID{"huis-clos": "character", "cluedo": "suspect"}[id]]
			for i, name := range []string{"Anne", "Bruno", "Chloé", "David", "Émile", "<b>Fanny</b>"} {
				at := r.joinGuest()
				if at != engine.Seat(i+1) {
					t.Fatalf("guest %d comes to %v", i+1, at)
				}
				if u := r.guestUpdate(at); u.Guest.Name != "" || len(u.View.Offers) != 1 || u.View.Offers[0].Act != seats.ActSit ||
					u.View.Me != nil {
					t.Fatalf("a guest is offered %+v", u.View.Offers)
				}
				if why := r.askForSeat(at, "  "+name+" ", characters[i]); why != nil {
					t.Fatalf("%s: %+v", name, why)
				}
				if u := r.guestUpdate(at); u.Guest.Name != name || string(u.Guest.Character) != characters[i] {
					t.Errorf("the guest is shown %+v", u.Guest)
				}
			}
			asked := r.last().Host.Desk.Guests
			if len(asked) != 6 || len(r.last().Public.View.Seats) != 0 || strings.Contains(asJSON(t, r.last().Public), "Bruno") {
				t.Fatalf("the host reads %+v", asked)
			}
			for _, g := range asked {
				r.mustAct(engine.Host, seats.ActSit, "seat", g.Seat.String(), "name", g.Name, "character", string(g.Character))
				u, _ := r.last().UpdateFor(engine.SeatViewer(g.Seat))
				if u.Guest != nil || u.View.Me == nil || u.View.Me.Seat != g.Seat {
					t.Fatalf("%v is shown %+v", g.Seat, u)
				}
			}
			if len(r.desk.phones) != 6 || len(r.last().Host.Desk.Guests) != 0 {
				t.Errorf("phones %+v, guests %+v", r.desk.phones, r.last().Host.Desk.Guests)
			}
		})
	}
}

func TestGuestsAreRefused(t *testing.T) {
	r := lobbyOf(t, huisClosBook)
	who := byKind(r.books[0])["character"]
	r.mustAct(engine.Host, seats.ActSit, "seat", "seat-1", "name", "Anne", "character", who[0])
	bruno, chloe := r.joinGuest(), r.joinGuest()
	if why := r.askForSeat(bruno, "Bruno", who[1]); why != nil {
		t.Fatal(why)
	}
	r.mustAct(engine.Host, seats.ActSit, "seat", "seat-6", "name", "Re\u0301mi", "character", who[4])
	if seats := r.last().Public.View.Seats; seats[len(seats)-1].Name != "Rémi" {
		t.Errorf("kept as %+q", seats[len(seats)-1].Name)
	}
	for what, c := range map[string]struct{ name, who, want string }{
		"a player's name":         {"anne", who[2], "table.guest.name"},
		"written another way":     {"Re\u0301mi", who[2], "table.guest.name"},
		"a guest's name":          {"BRUNO", who[2], "table.guest.name"},
		"a guest's character":     {"Chloé", who[1], "table.guest.character"},
		"a player's character":    {"Chloé", who[0], "hc.no.character-taken"},
		"no character":            {"Chloé", "", "hc.no.no-character"},
		"no name":                 {" ", who[2], "hc.no.name"},
		"a long name":             {strings.Repeat("n", 25), who[2], "hc.no.name"},
		"marks that are not read": {"Chl\u202eoé", who[2], "hc.no.name"},
	} {
		if got := rejectReason(r.askForSeat(chloe, c.name, c.who)); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
	u := r.guestUpdate(chloe)
	if u.Guest.Name != "" || slices.Contains(u.View.Offers[0].Params[1].Domain, who[1]) || len(u.View.Offers[0].Params) != 2 {
		t.Errorf("she is shown %+v, %+v", u.Guest, u.View.Offers)
	}
	if got := rejectReason(r.act(engine.Host, seats.ActSit, "seat", "seat-5", "name", "bruno", "character",
		who[3]).Reject); got != "table.guest.name" {
		t.Errorf("the host seats a second Bruno: %q", got)
	}
	if got := r.act(engine.SeatViewer(1), seats.ActSit, "seat", "seat-5", "name", "Eve", "character", who[3]); got.OK {
		t.Error("a player seats somebody")
	}
	if why := r.askForSeat(bruno, "Bruno", who[2]); why != nil {
		t.Errorf("he cannot change his mind: %+v", why)
	}
}

// The host can turn a guest away, change a name, and show the code of another place. Beginning the game ends all
// this.
func TestTheHostDecidesAboutGuests(t *testing.T) {
	r := lobbyOf(t, huisClosBook)
	who := byKind(r.books[0])["character"]
	anne := r.joinGuest()
	if why := r.askForSeat(anne, "Ane", who[0]); why != nil {
		t.Fatal(why)
	}
	r.mustAct(engine.Host, seats.ActTurnAway, "seat", anne.String())
	if _, ok := r.last().UpdateFor(engine.SeatViewer(anne)); ok || len(r.desk.phones) != 0 {
		t.Errorf("a phone that was turned away is shown an update, or has a key: %+v", r.desk.phones)
	}
	if got := rejectReason(r.act(engine.Host, seats.ActTurnAway, "seat", anne.String()).Reject); got != "table.guest.nobody" {
		t.Errorf("nobody is turned away: %q", got)
	}
	r.mustAct(engine.Host, seats.ActInvite, "seat", "seat-4")
	if got := r.seatWithCode(); got != 4 {
		t.Errorf("the code of %v is shown", got)
	}
	david := r.joinGuest()
	if r.seatWithCode() != 1 {
		t.Errorf("then that of %v", r.seatWithCode())
	}
	r.mustAct(engine.Host, seats.ActSit, "seat", david.String(), "name", "David", "character", who[3])
	for i, s := range []string{"seat-1", "seat-2", "seat-3"} {
		r.mustAct(engine.Host, seats.ActSit, "seat", s, "name", numberedName("N", i), "character", who[i])
	}
	late := r.joinGuest()
	r.mustAct(engine.Host, "rise", "seat", "seat-4")
	if u := r.guestUpdate(4); u.Guest.Name != "David" || r.seatWithCode() == 4 {
		t.Errorf("a player who has left the seat is shown %+v; the code of %v is shown", u.Guest, r.seatWithCode())
	}
	invited := slices.Contains(r.desk.invited, engine.SeatViewer(4))
	r.mustAct(engine.Host, seats.ActSit, "seat", "seat-4", "name", "David", "character", who[5]) // another character: his phone stays valid
	if slices.Contains(r.desk.invited, engine.SeatViewer(4)) != invited {
		t.Error("with another character his phone is cut off")
	}
	r.mustAct(engine.Host, "rise", "seat", "seat-4")
	r.mustAct(engine.Host, seats.ActSit, "seat", "seat-4", "name", "Eve", "character", who[3]) // GEN-011: another player
	if n := len(r.desk.invited); n == 0 || r.desk.invited[n-1] != engine.SeatViewer(4) {
		t.Errorf("the phone of who has left is Eve's: links %v", r.desk.invited)
	}
	r.mustAct(engine.Host, "first", "seat", "seat-1")
	r.mustAct(engine.Host, "begin")
	if _, ok := r.last().UpdateFor(engine.SeatViewer(late)); ok || r.seatWithCode() != 0 || len(r.last().Host.Desk.Invites) != 4 {
		t.Errorf("in the game there are guests, or their codes: %+v", r.last().Host.Desk)
	}
}

// GEN-001: with another game, seated players and waiting guests keep place, phone and name; in a new game without its
// players, none of them does.
func TestAnotherGameKeepsThePlayers(t *testing.T) {
	huisClos, err := huisClosBook()
	if err != nil {
		t.Fatal(err)
	}
	cluedo, err := cluedoBook()
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, newMemory(), huisClos, cluedo)
	who := byKind(huisClos)["character"]
	anne := r.joinGuest()
	r.mustAct(engine.Host, seats.ActSit, "seat", anne.String(), "name", "Anne", "character", who[0])
	bruno := r.joinGuest()
	if why := r.askForSeat(bruno, "Bruno", who[1]); why != nil {
		t.Fatal(why)
	}
	// has no phone, and the next game has only six places
	r.mustAct(engine.Host, seats.ActSit, "seat", "seat-8", "name", "Zoé", "character", who[2])
	r.mustAct(engine.Host, actNewGame, "game", string(cluedo.ID()), "seats", seatsKeep)
	if got := r.last().Host.Desk.Guests; len(got) != 2 || got[0] != (wire.Guest{Seat: anne, Name: "Anne", Played: true}) ||
		got[1].Name != "Bruno" {
		t.Errorf("those who stay: %+v", got)
	}
	if len(r.desk.phones) != 2 || r.guestUpdate(anne).Guest.Name != "Anne" {
		t.Errorf("phones: %+v", r.desk.phones)
	}
	r.mustAct(engine.Host, seats.ActSit, "seat", anne.String(), "name", "Anne", "character", byKind(cluedo)["suspect"][0])
	r.mustAct(engine.Host, actNewGame, "game", string(huisClos.ID()), "seats", seatsClear)
	if got := r.last().Host.Desk.Guests; len(got) != 0 || len(r.desk.phones) != 0 {
		t.Errorf("guests %+v, phones %+v", got, r.desk.phones)
	}
}

// After a restart the daemon still knows the phones of its guests; phones of an earlier game belong to no seat.
func TestGuestsAfterARestart(t *testing.T) {
	r := lobbyOf(t, huisClosBook)
	at := r.joinGuest()
	r.start()
	if u := r.guestUpdate(at); u.Guest.Name != "" {
		t.Errorf("the guest is shown %+v", u.Guest)
	}
	r.mustAct(engine.Host, seats.ActSit, "seat", at.String(), "name", "Eve", "character", byKind(r.books[0])["character"][0]) // GEN-011
	if n := len(r.desk.invited); n == 0 || r.desk.invited[n-1] != engine.SeatViewer(at) {
		t.Errorf("a phone that may be of who has left is Eve's: links %v", r.desk.invited)
	}
	r.mustAct(engine.Host, "rise", "seat", at.String())
	r.mustAct(engine.Host, actNewGame, "game", string(r.books[0].ID()), "seats", seatsClear)
	if _, ok := r.last().UpdateFor(engine.SeatViewer(at)); ok || len(r.desk.phones) != 0 {
		t.Errorf("a guest of the former lobby is shown %+v", r.last().Host.Desk)
	}
}
