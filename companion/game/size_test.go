package game

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"majordome/companion/master/corrections"
	"majordome/companion/master/ghosts"
	"majordome/companion/master/hints"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// The views of a full table whose names are longest in JSON contain no null list, offer acts of the loop only to the
// host, and fit the one size of sealed views even with a full note sheet, a vote and a private notice. A larger view
// would not reach its seat.
func TestViewsOfAnEvening(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		most := 0
		for seed := range uint64(eveningCount(4, 60)) {
			e := newEvening(t, g, newMemory(), seed)
			e.core().Desk = &longLinksDesk{}
			e.setSecrets(yes) // random acts open and close the view of the overseer
			e.seatNamedAndBegin(g.most, strings.Repeat("<", 24))
			for n := 0; n < 400 && e.last().Public.View.Result == nil; n++ {
				e.play()
				for _, u := range append(e.last().UpdatesToSeal(nil), e.last().Public) {
					text := asJSON(t, fullUpdate(u))
					most = max(most, len(text))
					if strings.Contains(text, ":null") || len(text) > seal.ViewSize-4 {
						t.Fatalf("seed %d rev %d %s: %d bytes, at most %d; null: %v; %s", seed, u.Rev, u.View.Viewer,
							len(text), seal.ViewSize-4, strings.Contains(text, ":null"), text)
					}
					hosts := slices.ContainsFunc(u.View.Offers, func(o engine.Offer) bool { _, ok := loopRights()[o.Act]; return ok })
					if hosts && u.View.Viewer != "host" && u.View.Viewer != "overseer" {
						t.Fatalf("%s is offered an act of the host", u.View.Viewer)
					}
				}
				e.steps = e.steps[len(e.steps)-1:]
			}
		}
		t.Logf("the largest view of these evenings has %d bytes of %d", most, seal.ViewSize-4)
	})
}

// asDeviceReads returns an update shortened as for its device, if all its hypotheses remain; else the update itself.
func asDeviceReads(u wire.Update) (less wire.Update) {
	body, err := u.MarshalWithin(wire.MaxView - 4)
	if err != nil || json.Unmarshal(body, &less) != nil || u.View.Case != nil && len(less.View.Case.Past) != len(u.View.Case.Past) {
		return u
	}
	return less
}

// fullUpdate returns an update with the largest content that can surround its view.
func fullUpdate(u wire.Update) wire.Update {
	var seats []engine.Seat
	for _, s := range u.View.Seats {
		seats = append(seats, s.Seat)
	}
	u.Epoch, u.Rev, u.Seq, u.Demo = 1<<20, 1<<30, 1<<50, true
	u.Table = wire.TableView{Readers: map[string]string{"urn": "lost", "show": "lost"}, Online: seats}
	u.Vote = &wire.Vote{By: seats[len(seats)-1], Agreed: seats, Of: seats}
	if u.View.Case == nil {
		for range seats {
			u.Ghosts = append(u.Ghosts, engine.NewMsg("table.ghost.lost", "seat", "seat-10", "n", "16", "other", "seat-10"))
		}
	}
	long := engine.T(strings.Repeat("~", wire.MaxHint), strings.Repeat("~", wire.MaxHint))
	u.Hint = &wire.Hint{N: 1 << 20, Own: true, Text: long}
	if u.ForHost != nil {
		rest, desk := *u.ForHost, *u.Desk
		person := wire.Person{ID: 1 << 20, Name: strings.Repeat("<", wire.MaxPerson), Role: wire.RoleOperator}
		rest.Drawing = 1 << 30
		by := wire.ByStaff + string(person.Role) + "." + person.Name
		desk.Hints = &wire.Hints{Most: "10", Given: 10,
			Sent:  slices.Repeat([]wire.SentHint{{N: 1 << 20, To: "display", By: by, Text: long, Ago: 1 << 40}}, hints.MaxShown),
			Stock: slices.Repeat([]wire.StockHint{{ID: "cluedo-2008-12", Text: long}}, wire.MaxStock)}
		for _, s := range seats {
			desk.Hints.Asked = append(desk.Hints.Asked, wire.AskedHint{Seat: s, Since: 1 << 40})
		}
		rest.Desk = &desk
		u.ForHost = &rest
	}
	if u.View.Me == nil {
		u.Table.URL = strings.Repeat("~", 255)
		return asDeviceReads(u)
	}
	u.Notes = strings.Repeat("~", wire.MaxNotes)
	if c := u.View.Case; c != nil && len(c.Past) > 0 {
		all := *c
		u.View.Case, all.Past = &all, fullHypotheses(u.View)
	}
	u.Notice = &wire.Notice{N: 1 << 52, Msg: engine.NewMsg("table.vote.proposed", "seat", "seat-10"), Rule: "GEN-004", Private: true,
		Signal: "accepted", Reader: "show"}
	for _, act := range []string{corrections.ActWithdraw, corrections.ActAgree, corrections.ActRefuse} {
		u.View.Offers = append(slices.Clip(u.View.Offers), engine.Offer{Act: act, Rule: "GEN-009", Aside: true})
	}
	if u.View.Case == nil {
		all := slices.Repeat([]string{"seat-10"}, len(seats))
		no := []engine.Refusal{{Rule: "GEN-007", Why: engine.NewMsg("table.ghost.same"), At: []int{10}}}
		vote := engine.Param{Name: "seat", Kind: "seat", All: all, No: no}
		u.View.Offers = append(u.View.Offers, engine.Offer{Act: ghosts.ActVote, Rule: "GEN-007", Aside: true, Params: []engine.Param{vote}})
	}
	return u
}

// fullHypotheses returns as many hypotheses as a seat is shown, each with the longest names and refuted by the last
// seat that was asked, with a card that this seat was shown.
func fullHypotheses(v engine.View) []engine.Heard {
	longest := func(ids []engine.ID) engine.ID {
		return slices.MaxFunc(ids, func(a, b engine.ID) int { return len(a) - len(b) })
	}
	var suspects, weapons, rooms []engine.ID
	for _, p := range v.Case.Pawns {
		suspects = append(suspects, p.Suspect)
	}
	for _, t := range v.Case.Tokens {
		weapons = append(weapons, t.Weapon)
	}
	for _, p := range v.Places {
		rooms = append(rooms, p.Place)
	}
	h := engine.Heard{N: 100, Round: 100, By: 1, Cards: []engine.ID{longest(suspects), longest(weapons), longest(rooms)}, Shown: 2, To: 1}
	h.Card = longest(h.Cards)
	for _, s := range v.Seats[2:] {
		h.None = append(h.None, s.Seat)
	}
	return slices.Repeat([]engine.Heard{h}, engine.MaxPast)
}
