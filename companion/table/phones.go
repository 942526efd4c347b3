package table

import (
	"slices"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// keepNews is how long news of phones stands: a phone connects as soon as it has
// joined, and the update of that must not wipe what was told.
const keepNews = 6 * time.Second

// announce tells everybody something about phones.
func (c *core) announce(said engine.Msg) { c.publish(notices{public: c.tell(said)}) }

// tell makes a notice that stands for a while.
func (c *core) tell(said engine.Msg) *wire.Notice {
	n := &wire.Notice{N: c.Epoch<<32 | (c.rev + 1), Msg: said, Rule: "GEN-011", Passing: true}
	c.news = lasting{*n, c.Clock.Now().Add(keepNews)}
	return n
}

// asked are the seats where a second phone asks, 0 for the host's page.
func (c *core) asked() (seats []engine.Seat) {
	if c.Desk == nil {
		return nil
	}
	for _, v := range c.Desk.Asking() {
		s, _ := v.Seat()
		seats = append(seats, s)
	}
	return seats
}

// answer is one to a second phone.
type answer struct {
	do  func(Desk, engine.Viewer) error
	key string // what everybody is told then
}

// phoneActs answer a second phone.
var phoneActs = map[string]answer{
	wire.ActKeepPhone: {Desk.Keep, "table.phone.kept"},
	wire.ActCutPhone:  {Desk.Cut, "table.phone.cut"},
}

// phoneOffers are the answers that v may give: a seat for its own place, the host
// for all and for the host's page.
func (c *core) phoneOffers(v engine.Viewer) (all []engine.Offer) {
	if c.Desk == nil || c.paused != nil {
		return nil
	}
	for _, at := range c.Desk.Asking() {
		if at != v && !v.IsHost() {
			continue
		}
		for _, act := range []string{wire.ActKeepPhone, wire.ActCutPhone} {
			o := engine.Offer{Act: act, Rule: "GEN-E12", Aside: true}
			if v.IsHost() {
				o.Fixed = engine.Args{"seat": at.String()}
			}
			all = append(all, o)
		}
	}
	return all
}

// phone does an answer. A seat answers for itself, whatever it names.
func (c *core) phone(v engine.Viewer, args engine.Args, a answer) (*wire.Notice, *engine.Reject) {
	at := v
	if v.IsHost() {
		var err error
		if at, err = engine.ParseViewer(args["seat"]); err != nil {
			return nil, refuse(engine.Unknown, "GEN-E12", "table.phone.nobody")
		}
	}
	if c.Desk == nil || !slices.Contains(c.Desk.Asking(), at) {
		return nil, refuse(engine.NotNow, "GEN-E12", "table.phone.nobody")
	}
	if err := a.do(c.Desk, at); err != nil {
		c.Log.Error("no answer to a second phone", "seat", at, "cause", err, "conseil", "la réponse à un second téléphone n’a pas pu être enregistrée")
		return nil, refuse(engine.NotNow, "GEN-E12", "table.phone.failed")
	}
	if at.IsHost() {
		return c.tell(engine.Say(a.key + ".host")), nil
	}
	return c.tell(engine.Say(a.key, "seat", at.String())), nil
}
