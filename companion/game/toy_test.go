package game

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"majordome/engine"
)

// The toy game: the host seats players, then each seat in turn drops one card
// in the urn, then the host opens it. "bad" is a card that the seat may not
// drop, which is a secret. A bell rings after each drop. A seat may also say
// something in public, look at a card, and show one to the next seat.

const bell engine.Millis = 10_000

type toyEvent struct {
	K    string        `json:"k"`
	Seat engine.Seat   `json:"s,omitempty"`
	Card string        `json:"c,omitempty"`
	At   engine.Millis `json:"at"`
}

func (e toyEvent) Kind() string    { return e.K }
func (e toyEvent) IsBarrier() bool { return e.K == "opened" || e.K == "reveal" }

type toyBook struct{ id engine.ID }

func (b toyBook) ID() engine.ID { return b.id }
func (b toyBook) NewGame() engine.Game {
	return toy{id: b.id, phase: "lobby"}
}
func (toyBook) BuildPosition([]engine.PositionLine) ([]engine.Event, error) {
	return nil, errors.New("no positions")
}
func (toyBook) Names() engine.Names                        { return engine.Names{} }
func (toyBook) EncodeEvent(e engine.Event) ([]byte, error) { return json.Marshal(e) }
func (toyBook) DecodeEvent(kind string, data []byte) (engine.Event, error) {
	var e toyEvent
	if err := json.Unmarshal(data, &e); err != nil || e.K != kind {
		return nil, errors.New("not an event of the toy")
	}
	return e, nil
}

type toy struct {
	id    engine.ID
	phase string
	seats engine.Seat
	put   [engine.MaxSeats + 1]string
	urn   int
	since engine.Millis
	rings int
	awake bool // the bell of this turn has rung
	said  int
	tray  [engine.MaxSeats + 2]int // cards that were looked at
	dead  [engine.MaxSeats + 1]bool
	wrong []engine.Seat // seats that have accused
}

func (g toy) active() engine.Seat {
	if g.phase != "play" {
		return 0
	}
	for s := engine.Seat(1); s <= g.seats; s++ {
		if g.put[s] == "" {
			return s
		}
	}
	return 0
}

func (g toy) Progress() engine.Progress {
	public := g.View(engine.Public)
	return public.Progress()
}

func (g toy) Deadlines() []engine.Deadline {
	if g.active() == 0 || g.awake {
		return nil
	}
	return []engine.Deadline{{ID: "bell-" + strconv.Itoa(g.urn), At: g.since + bell}}
}

func (g toy) Decide(c engine.Command, d engine.Dice) ([]engine.Event, *engine.Reject) {
	no := func(code engine.Code, rule string) ([]engine.Event, *engine.Reject) {
		return nil, &engine.Reject{Code: code, Rule: rule, Why: engine.NewMsg("toy." + string(code))}
	}
	again := func(code engine.Code, rule, why string) ([]engine.Event, *engine.Reject) {
		return nil, &engine.Reject{Code: code, Rule: rule, Why: engine.NewMsg(why), To: g.active(),
			Public: engine.NewMsg("gen.again", "seat", g.active().String())}
	}
	ok := func(e toyEvent) ([]engine.Event, *engine.Reject) { e.At = c.At; return []engine.Event{e}, nil }
	switch c.Act {
	case engine.ActScan:
		cards := c.Args.SplitList("cards")
		switch {
		case g.active() == 0:
			return no(engine.Unwanted, "GEN-E11")
		case c.Args[engine.ArgDoubled] != "" && len(cards) > 0:
			alarm := engine.NewMsg("gen.alarm")
			return nil, &engine.Reject{Code: engine.Forbidden, Rule: engine.RuleAlarm, Why: alarm, Public: alarm}
		case len(cards) > 1 || len(cards) == 1 && c.Args["foreign"] != "":
			return again(engine.BadRead, "GEN-E06", "toy.two")
		case len(cards) == 0:
			return again(engine.BadRead, "GEN-E08", "toy.unread")
		case cards[0] == "bad":
			return again(engine.Forbidden, "HC-050", "toy.secret")
		}
		return ok(toyEvent{K: "put", Seat: g.active(), Card: cards[0]})
	case engine.ActDeadline:
		if ds := g.Deadlines(); len(ds) == 0 || ds[0].ID != c.Args["id"] || c.At < ds[0].At {
			return no(engine.Unwanted, "GEN-E11")
		}
		return ok(toyEvent{K: "rang"})
	case "sit":
		if !c.By.IsHost() || g.phase != "lobby" || g.seats >= 4 {
			return no(engine.NotNow, "T-1")
		}
		return ok(toyEvent{K: "sat", Seat: g.seats + 1})
	case "begin":
		if !c.By.IsHost() || g.phase != "lobby" || g.seats == 0 {
			return no(engine.NotNow, "T-1")
		}
		return ok(toyEvent{K: "begun", Card: strconv.Itoa(d.Intn(1000))})
	case "deposit":
		s, _ := c.By.Seat()
		if s == 0 || s != g.active() {
			return no(engine.NotYou, "T-2")
		}
		if c.Args["card"] == "bad" {
			return again(engine.Forbidden, "HC-050", "toy.secret")
		}
		return ok(toyEvent{K: "put", Seat: s, Card: c.Args["card"]})
	case "say", "look", "show", "reveal", "claim":
		s, _ := c.By.Seat()
		if s == 0 || g.phase != "play" {
			return no(engine.NotYou, "T-2")
		}
		return ok(toyEvent{K: c.Act, Seat: s, Card: c.Args["value"]})
	case "accuse": // always wrong
		s, _ := c.By.Seat()
		return ok(toyEvent{K: "wrong", Seat: s})
	case "throw": // with the machine's dice, unless the seat names the result
		s, _ := c.By.Seat()
		if c.Args["fell"] == "" {
			d.Intn(6)
		}
		return ok(toyEvent{K: "say", Seat: s})
	case "kill":
		s, _ := engine.ParseSeat(c.Args["seat"])
		return ok(toyEvent{K: "killed", Seat: s})
	case "tell": // refused with a reason that belongs to another seat
		return nil, &engine.Reject{Code: engine.Forbidden, Rule: "HC-099", Why: engine.NewMsg("toy.of-seat-2"), To: 2}
	case "open":
		if !c.By.IsHost() || g.phase != "play" || g.active() != 0 {
			return no(engine.NotNow, "T-3")
		}
		return []engine.Event{toyEvent{K: "opened", At: c.At}, toyEvent{K: "ended", At: c.At}}, nil
	}
	return no(engine.Unknown, "T-9")
}

func (g toy) Apply(events ...engine.Event) engine.Game {
	for _, e := range events {
		g = g.afterEvent(e.(toyEvent))
	}
	return g
}

func (g toy) afterEvent(e toyEvent) toy {
	switch e.K {
	case "sat":
		g.seats = e.Seat
	case "begun":
		g.phase, g.since = "play", e.At
	case "put":
		g.put[e.Seat] = e.Card
		g.urn++
		g.since, g.awake = e.At, false
	case "say", "reveal":
		g.said++
	case "claim":
		if e.Card == "role" {
			g.tray[e.Seat]++
		}
	case "look":
		g.tray[e.Seat]++
	case "show":
		g.tray[e.Seat+1]++
	case "wrong":
		g.wrong = append(slices.Clone(g.wrong), e.Seat)
	case "killed":
		g.dead[e.Seat] = true
	case "rang":
		g.rings++
		g.awake = true
	case "opened":
		g.urn = 0
	case "ended":
		g.phase = "over"
	}
	return g
}

func (g toy) View(v engine.Viewer) engine.View {
	view := engine.View{
		Game: g.id, Viewer: v.String(), Phase: g.phase, Prompt: engine.NewMsg("toy.prompt"), Active: []engine.Seat{},
		Clock: engine.Clock{At: g.rings, Mark: g.said}, Switches: map[string]string{}, Seats: []engine.SeatView{},
		Places: []engine.PlaceView{},
		Shown:  []engine.ID{}, Gone: []engine.ID{}, Urn: g.urn, Readers: []engine.ReaderView{}, Log: []engine.Line{},
		Happened: []*engine.Happening{}, Offers: []engine.Offer{},
	}
	for s := engine.Seat(1); s <= g.seats; s++ {
		view.Seats = append(view.Seats, engine.SeatView{Seat: s, Name: fmt.Sprintf("P%d", s), Alive: !g.dead[s], Done: g.put[s] != ""})
	}
	if a := g.active(); a != 0 {
		view.Active = append(view.Active, a)
		view.Readers = append(view.Readers, engine.ReaderView{Reader: engine.ReaderUrn, Kind: "card", Seat: a})
	}
	for i, s := range g.wrong {
		view.Happened = append(view.Happened, &engine.Happening{N: i + 1, What: engine.HapWrong, Seat: s})
	}
	if g.phase == "over" {
		view.Happened = append(view.Happened, &engine.Happening{N: len(g.wrong) + 1, What: engine.HapOver})
		view.Result = &engine.Result{Rule: "T-8", Winners: []engine.Seat{1}, Msg: engine.NewMsg("toy.over")}
	}
	if s, ok := v.Seat(); ok {
		view.Me = &engine.Own{Seat: s, Hand: []engine.CardView{}, Tray: []engine.ID{}, Facts: []engine.Msg{}, Seen: []*engine.Sighting{}}
		if g.put[s] != "" {
			view.Me.Hand = append(view.Me.Hand, engine.CardView{Card: engine.ID(g.put[s])})
		}
		if g.phase == "play" {
			view.Offers = append(view.Offers, engine.Offer{Act: "say"},
				engine.Offer{Act: "claim", Params: []engine.Param{{Name: "value", Domain: []string{"nothing", "role"}}}})
		}
		for range g.tray[s] {
			view.Me.Tray = append(view.Me.Tray, "card-x")
		}
	}
	return view
}
