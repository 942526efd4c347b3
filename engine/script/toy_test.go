package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/ownfile"
)

// toy is a small game made to try the language on: seats take cards from two
// rooms and drop one each in the urn; card-6 may not go there; a bell ends it.
type toy struct {
	Phase  string
	Seats  []toySeat
	Rooms  map[engine.ID][]engine.ID
	Urn    []engine.ID
	Gone   []engine.ID
	Active int // index of the seat to act
	Bell   engine.Millis
	Log    []toyLine
	Bad    string // a fault to be shown by the views
}

type toySeat struct {
	Name    string
	Hand    []engine.ID
	Looking engine.ID // room whose cards it sees
}

type toyLine struct {
	N   int
	To  engine.Seat // 0: all
	Msg engine.Msg
}

var toyRooms = []engine.ID{"room-a", "room-b"}

func toyCards() (cards []engine.ID) {
	for i := range 9 {
		cards = append(cards, engine.ID(fmt.Sprintf("card-%d", i+1)))
	}
	return cards
}

// toyEvent records the whole state that came out.
type toyEvent struct{ State toy }

func (toyEvent) Kind() string { return "toy" }

// toyBook is the rulebook; commands, if set, records every command that Decide receives.
type toyBook struct{ commands *[]engine.Command }

func (toyBook) ID() engine.ID { return "toy" }

func (b toyBook) NewGame() engine.Game {
	return toyGame{toy{Phase: "lobby", Rooms: map[engine.ID][]engine.ID{"room-a": {}, "room-b": {}}}, b}
}

func (toyBook) Names() (names engine.Names) {
	for _, id := range append(toyCards(), toyRooms...) {
		names = append(names, engine.Name{ID: id, Text: engine.T("carte "+string(id), "the "+string(id))})
	}
	return names
}

// NamesUnder gives card-1 a name while the bell is on.
func (b toyBook) NamesUnder(switches map[string]string) engine.Names {
	names := b.Names()
	if switches["bell"] == "on" {
		names[0].Text = engine.T("La cloche", "The bell")
	}
	return names
}

func (toyBook) EncodeEvent(e engine.Event) ([]byte, error) { return json.Marshal(e) }

func (toyBook) DecodeEvent(_ string, data []byte) (engine.Event, error) {
	var e toyEvent
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, err
	}
	if e.State.Bad == "unstorable" {
		return nil, errors.New("unstorable")
	}
	return e, nil
}

func (b toyBook) BuildPosition(lines []engine.PositionLine) ([]engine.Event, error) {
	s := b.NewGame().(toyGame).toy
	s.Phase = "play"
	for _, l := range lines {
		var ids []engine.ID
		for _, w := range l.Words[1:] {
			ids = append(ids, engine.ID(w))
		}
		seat, err := engine.ParseSeat(l.Words[0])
		switch l.Verb {
		case "seat":
			s.Seats = append(s.Seats, toySeat{Name: l.Words[1]})
		case "room":
			s.Rooms[engine.ID(l.Words[0])] = ids
		case "hand":
			if err != nil {
				return nil, err
			}
			s.Seats[seat-1].Hand = ids
		case "bell":
			s.Bell = 60_000
		default:
			return nil, &ownfile.Fault{Line: l.Line, What: engine.T("un verbe inconnu", "an unknown verb"),
				Hint: engine.T("seat, room, hand ou bell", "seat, room, hand or bell")}
		}
	}
	return []engine.Event{toyEvent{s}}, nil
}

type toyGame struct {
	toy
	book toyBook
}

func (g toyGame) Apply(events ...engine.Event) engine.Game {
	for _, e := range events {
		g.toy = e.(toyEvent).State
	}
	if g.Bad == "at-once" && len(events) > 1 {
		g.Phase = "over"
	}
	return g
}

func (g toyGame) Progress() engine.Progress {
	public := g.View(engine.Public)
	return public.Progress()
}

func (g toyGame) Deadlines() []engine.Deadline {
	if g.Bell == 0 || g.Phase == "over" {
		return nil
	}
	return []engine.Deadline{{ID: "bell", At: g.Bell}}
}

// copied is a state that can be written to.
func (g toyGame) copied() (s toy) {
	data, _ := json.Marshal(g.toy)
	_ = json.Unmarshal(data, &s)
	return s
}

func (s *toy) addLine(to engine.Seat, key string, pairs ...string) {
	s.Log = append(s.Log, toyLine{len(s.Log) + 1, to, engine.NewMsg(key, pairs...)})
}

func toyNo(code engine.Code, rule string) ([]engine.Event, *engine.Reject) {
	return nil, &engine.Reject{Code: code, Rule: rule, Why: engine.NewMsg("toy.why.no")}
}

func (g toyGame) Decide(c engine.Command, dice engine.Dice) ([]engine.Event, *engine.Reject) {
	if g.book.commands != nil {
		*g.book.commands = append(*g.book.commands, c)
	}
	s := g.copied()
	seat, _ := c.By.Seat()
	switch {
	case c.Act == "sit" && c.By == engine.Host && g.Phase == "lobby":
		s.Seats = append(s.Seats, toySeat{Name: c.Args["name"]})
		s.addLine(0, "toy.sat", "name", c.Args["name"])
	case c.Act == "begin" && c.By == engine.Host && g.Phase == "lobby":
		cards := toyCards()
		chance.Shuffle(dice.(*chance.Dice), len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
		s.Phase, s.Bell = "play", c.At+60_000
		s.Rooms["room-a"], s.Rooms["room-b"] = cards[:5], cards[5:]
	case c.Act == engine.ActDeadline:
		if c.Args["id"] == "stuck" {
			return []engine.Event{toyEvent{s}}, nil
		}
		if g.Phase != "play" || g.Bell == 0 {
			return toyNo(engine.NotNow, "TOY-003")
		}
		if g.Bad != "stuck" {
			s.Phase = "over"
		}
	case c.Act == engine.ActScan && c.Args["reader"] == "urn" && g.Phase == "play":
		return g.dropCard(s, c)
	case seat == 0 || int(seat) > len(g.Seats):
		return toyNo(engine.NotYou, "TOY-001")
	case c.Act == "look" && g.Rooms[engine.ID(c.Args["room"])] != nil:
		s.Seats[seat-1].Looking = engine.ID(c.Args["room"])
	case c.Act == "take":
		return g.takeCard(s, seat, engine.ID(c.Args["card"]))
	case c.Act == "burn":
		s.Gone = append(s.Gone, engine.ID(c.Args["card"]))
	case c.Act == "bad":
		s.Bad = c.Args["how"]
	case c.Act == "panic":
		panic("invariant 7")
	default:
		return toyNo(engine.Unknown, "TOY-004")
	}
	return []engine.Event{toyEvent{s}}, nil
}

func (g toyGame) takeCard(s toy, seat engine.Seat, card engine.ID) ([]engine.Event, *engine.Reject) {
	room := s.Seats[seat-1].Looking
	i := slices.Index(s.Rooms[room], card)
	if i < 0 {
		return toyNo(engine.Forbidden, "TOY-005")
	}
	s.Rooms[room] = slices.Delete(s.Rooms[room], i, i+1)
	me := &s.Seats[seat-1]
	me.Hand, me.Looking = append(me.Hand, card), ""
	s.addLine(0, "toy.took", "seat", seat.String())
	s.addLine(seat, "toy.took-card", "card", string(card))
	return []engine.Event{toyEvent{s}}, nil
}

// dropCard judges a card at the urn: it must be of the active seat's hand.
func (g toyGame) dropCard(s toy, c engine.Command) ([]engine.Event, *engine.Reject) {
	seat := engine.Seat(g.Active + 1)
	again := engine.NewMsg("gen.again", "seat", seat.String())
	cards := c.Args.SplitList("cards")
	if c.Args[engine.ArgDoubled] != "" {
		alarm := engine.NewMsg("gen.alarm")
		return nil, &engine.Reject{Code: engine.Forbidden, Rule: engine.RuleAlarm, Why: alarm, Public: alarm}
	}
	if len(cards) != 1 || c.Args["foreign"] != "" {
		return nil, &engine.Reject{Code: engine.BadRead, Rule: "GEN-E01", Public: again}
	}
	me := &s.Seats[g.Active]
	i := slices.Index(me.Hand, engine.ID(cards[0]))
	if i < 0 || cards[0] == "card-6" {
		return nil, &engine.Reject{Code: engine.Forbidden, Rule: "TOY-002", Why: engine.NewMsg("toy.why.not-this", "card", cards[0]),
			To: seat, Public: again}
	}
	me.Hand = slices.Delete(me.Hand, i, i+1)
	s.Urn = append(s.Urn, engine.ID(cards[0]))
	s.Active = (g.Active + 1) % len(g.Seats)
	return []engine.Event{toyEvent{s}}, nil
}

func (g toyGame) View(v engine.Viewer) engine.View {
	view := engine.View{
		Game: "toy", Viewer: v.String(), Phase: g.Phase, Rule: "TOY-001",
		Clock: engine.Clock{At: len(g.Urn), Of: 8, Mark: 5}, Switches: map[string]string{"bell": "on"}, Urn: len(g.Urn),
		Gone: g.Gone,
	}
	seat, sits := v.Seat()
	for i, s := range g.Seats {
		view.Seats = append(view.Seats,
			engine.SeatView{Seat: engine.Seat(i + 1), Name: s.Name, Cards: len(s.Hand), Alive: true, First: i == 0})
	}
	for _, room := range toyRooms {
		view.Places = append(view.Places,
			engine.PlaceView{Place: room, Cards: len(g.Rooms[room]), Open: true, Lamp: engine.LampOpen, Pawns: []engine.Seat{1, 2}})
	}
	if g.Phase == "play" && len(g.Seats) > 0 {
		active := engine.Seat(g.Active + 1)
		view.Active = []engine.Seat{active}
		view.Prompt = engine.NewMsg("toy.prompt.drop", "seat", active.String())
		view.Readers = []engine.ReaderView{{Reader: "urn", Kind: "card", Seat: active}, {Reader: "door", Kind: "key"}}
		view.Shown = g.Urn
		view.Mood = "uneasy"
		view.Case = &engine.Case{Step: engine.StepMove, Dice: []int{0, 5}, Points: 5, Reach: []engine.ID{"room-a"}, Pile: 9,
			Pawns:  []engine.Pawn{{Suspect: "room-a", At: "room-a"}},
			Tokens: []engine.Token{{Weapon: "room-b", At: "room-b"}},
			Hypothesis: &engine.Hypothesis{By: 1, Suspect: "room-a", Weapon: "room-b", Room: "room-b",
				Answers: []engine.Answer{{Seat: 2, Said: "none"}}}}
	}
	if g.Phase == "over" {
		view.Result = &engine.Result{Rule: "TOY-009", Winners: []engine.Seat{1}, Msg: engine.NewMsg("toy.end")}
	}
	for _, l := range g.Log {
		if l.To == 0 || sits && l.To == seat {
			view.Log = append(view.Log, engine.Line{N: uint16(l.N), Msg: &l.Msg, Own: l.To != 0})
		}
	}
	if v.IsHost() {
		view.Custody = []engine.Custody{{Of: "seat-1", Cards: engine.Partly, Role: engine.Trusted}}
	}
	if sits {
		view.Me = g.ownView(seat)
		if g.Phase == "play" {
			view.Offers = g.offers(seat)
		}
	}
	g.breakView(&view)
	return view
}

func (g toyGame) ownView(seat engine.Seat) *engine.Own {
	me := g.Seats[seat-1]
	own := &engine.Own{Seat: seat, Role: "role-" + engine.ID(seat.String()), Tray: slices.Sorted(slices.Values(g.Rooms[me.Looking])),
		Seen: []*engine.Sighting{{Cards: []engine.ID{"card-4"}, How: engine.SawThere, Place: "room-a", Round: 2}}}
	for _, c := range slices.Sorted(slices.Values(me.Hand)) {
		card := engine.CardView{Card: c}
		if c != "card-6" {
			card.Marks = []string{"deposit"}
		}
		own.Hand = append(own.Hand, card)
		own.Facts = append(own.Facts, engine.NewMsg("toy.fact.holds", "card", string(c)))
	}
	return own
}

func (g toyGame) offers(seat engine.Seat) []engine.Offer {
	offers := []engine.Offer{
		{Act: "look", Rule: "TOY-001", Grave: true, Params: []engine.Param{{Name: "room", Domain: []string{"room-a", "room-b"}}}},
		{Act: "fly", No: &engine.Refusal{Rule: "TOY-004"}},
	}
	if room := g.Seats[seat-1].Looking; room != "" {
		card := engine.Param{Name: "card"}
		for _, r := range toyRooms {
			for _, c := range g.Rooms[r] {
				card.All = append(card.All, string(c))
			}
		}
		for n, c := range card.All {
			if slices.Contains(g.Rooms[room], engine.ID(c)) {
				card.Domain = append(card.Domain, c)
				continue
			}
			card.No = append(card.No, engine.Refusal{Rule: "TOY-005", At: []int{n}})
		}
		offers = append(offers,
			engine.Offer{Act: "take", Rule: "TOY-002", Fixed: engine.Args{"room": string(room)}, Params: []engine.Param{card}})
	}
	return offers
}

func (g toyGame) CheckInvariants() error {
	if g.Bad == "invariant" {
		return errors.New("one card too many")
	}
	return nil
}

// breakView breaks one of the rules that every view must obey.
func (g toyGame) breakView(v *engine.View) {
	switch g.Bad {
	case "order":
		v.Gone = []engine.ID{"card-2", "card-1"}
	case "mask":
		v.Prompt.Key = "▮"
	case "foreign-hand":
		v.Me = &engine.Own{Seat: 1}
	case "viewer":
		v.Viewer = "public"
	case "offer":
		v.Offers = append(v.Offers, engine.Offer{Act: "take", Params: []engine.Param{{Name: "card", Domain: []string{"card-9"}}}})
	case "mark":
		v.Offers = append(v.Offers, engine.Offer{Act: "fly", No: &engine.Refusal{Rule: "TOY-005"}})
	case "unmarked":
		v.Offers = append(v.Offers, engine.Offer{Act: "take", Params: []engine.Param{{Name: "card", All: []string{"card-9"}}}})
	case "public-mark":
		if v.Me == nil {
			v.Offers = append(v.Offers, engine.Offer{Act: "fly", No: &engine.Refusal{Rule: "TOY-004"}})
		}
	case "twice":
		room := []string{"room-a"}
		v.Offers = append(v.Offers, engine.Offer{Act: "look", Params: []engine.Param{{Name: "room", Domain: room, All: room}}})
	case "limits":
		v.Log = make([]engine.Line, 13)
	}
}
