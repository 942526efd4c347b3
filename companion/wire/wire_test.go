package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"majordome/engine"
)

// largestUpdate returns an update with all that the limits of engine.View and of this package allow at a full table:
// 10 seats, 16 places, 64 cards, 40 lines and the latest happenings.
func largestUpdate() Update {
	id := func(kind string, i int) engine.ID { return engine.ID(fmt.Sprintf("%s-%08d", kind, i)) }
	seats := []engine.Seat{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	v := engine.View{
		Game: "super-cluedo", Viewer: "seat-10", Phase: "investigation", Rule: "HC-050", Active: seats,
		Prompt: engine.NewMsg("hc.prompt.investigation", "seat", "seat-10", "place", "place-00000001"),
		Clock:  engine.Clock{At: 10, Of: 10, Mark: 3, Open: true}, Switches: map[string]string{}, Urn: 10,
		Readers: []engine.ReaderView{{Reader: "urn", Kind: "clue", Seat: 1}, {Reader: "show", Kind: "clue", Seat: 1}},
		Me: &engine.Own{Seat: 10, Role: "role-murderer", Hand: []engine.CardView{}, Tray: []engine.ID{}, Facts: []engine.Msg{},
			Seen: []*engine.Sighting{}},
	}
	for i := range 8 {
		v.Switches[fmt.Sprintf("switch-%08d", i)] = "value-00000000"
	}
	for _, s := range seats {
		v.Seats = append(v.Seats, engine.SeatView{Seat: s, Name: strings.Repeat("é", 12), Character: id("character", 1),
			Place: id("place", 1), Cards: 5, Tokens: 1, Destroyed: 1, Alive: true, First: true, Done: true})
	}
	for i := range 16 {
		v.Places = append(v.Places, engine.PlaceView{Place: id("place", i), Weapon: id("weapon", i), Open: true, Cards: 5,
			Pawns: []engine.Seat{}, Lamp: engine.LampClosed})
	}
	v.Places[0].Pawns = seats
	for i := range 10 {
		v.Shown = append(v.Shown, id("indice", i))
	}
	for i := range 54 {
		v.Gone = append(v.Gone, id("indice", i))
	}
	for i := range 5 {
		v.Me.Hand = append(v.Me.Hand, engine.CardView{Card: id("indice", i), Marks: []string{"deposit", "kept", "new"}})
		v.Me.Tray = append(v.Me.Tray, id("indice", i))
	}
	for i := range 30 { // seen one by one, in addition to the cards that are gone
		v.Me.Seen = append(v.Me.Seen,
			&engine.Sighting{Cards: []engine.ID{id("indice", i)}, How: engine.SawTakenOwn, Place: id("place", 1), Other: 8, Round: 16})
	}
	died := engine.NewMsg("hc.log.died", "seat", "seat-10", "place", "place-00000001", "card", "indice-00000001")
	for i := range uint16(40) {
		v.Log = append(v.Log, engine.Line{N: 1000 + i, Round: 10, Own: i%2 == 0, Of: 1000 * (i % 2), Msg: &died})
	}
	v.Happened = []*engine.Happening{{N: 1000, What: engine.HapOpened, Seat: 10, Cards: v.Shown}}
	for range engine.MaxHappened - 1 {
		v.Happened = append(v.Happened,
			&engine.Happening{N: 1000, What: engine.HapRecovered, Seat: 10, Other: 10, Place: id("place", 1), Cards: v.Shown[:1]})
	}
	m := engine.NewMsg("table.paused.store")
	for range 8 {
		o := engine.Offer{Act: "exchange", Rule: "HC-050", Grave: true, Params: []engine.Param{
			{Name: "card", Kind: "card", No: []engine.Refusal{{Rule: "HC-122", Why: m}, {Rule: "HC-123", Why: m}}},
			{Name: "seat", Kind: "seat"}}}
		for i := range 16 {
			o.Params[0].All = append(o.Params[0].All, string(id("indice", i)))
			o.Params[0].No[i%2].At = append(o.Params[0].No[i%2].At, i)
		}
		for _, s := range seats {
			o.Params[1].Domain = append(o.Params[1].Domain, s.String())
		}
		v.Offers = append(v.Offers, o)
	}
	return Update{
		V: Version, Epoch: 1 << 20, Rev: 1 << 30, Demo: true, Seq: 1 << 30, View: v, Paused: &m,
		Notice: &Notice{N: 1 << 52, Msg: m, Rule: "GEN-004", Private: true, Signal: "again", Reader: "urn"},
		Table:  TableView{Readers: map[string]string{"urn": "lost", "show": "ok"}, Online: seats},
		Vote:   &Vote{By: 10, Agreed: seats, Of: seats},
	}
}

// A view of a full table fits the one size of package seal: 26,624 bytes, 4 of them for the length.
func TestLargestViewFits(t *testing.T) {
	out, err := json.Marshal(largestUpdate())
	if err != nil {
		t.Fatal(err)
	}
	if len(out) > MaxView-4 {
		t.Errorf("%d bytes, at most %d", len(out), MaxView-4)
	}
	t.Logf("the largest view has %d bytes of %d", len(out), MaxView-4)
}

func TestRoundTrip(t *testing.T) {
	u := largestUpdate()
	host := Update{V: Version, View: engine.View{Viewer: "host"}, Table: TableView{Readers: map[string]string{}, Online: []engine.Seat{}},
		ForHost: &ForHost{Desk: &Desk{Invites: []Invite{{Seat: 3, URL: "http://10.42.0.1/#j=abc", Joined: true}}}}}
	r := Reply{ID: "a", Reject: &engine.Reject{Code: engine.NotNow, Rule: "HC-032", Why: engine.NewMsg("hc.no.not-now")}}
	for _, in := range []any{
		u, host, Act{ID: "a", Seq: 7, Act: "move", Args: engine.Args{"place": "place-salon"}}, r, Reply{ID: "b", OK: true},
		Bench{Cards: []BenchCard{}, Pawns: []BenchPawn{{Seat: 1, Place: "place-salon"}}},
	} {
		data, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		out := reflect.New(reflect.TypeOf(in))
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(out.Interface()); err != nil {
			t.Fatalf("%T: %v", in, err)
		}
		if !reflect.DeepEqual(out.Elem().Interface(), in) {
			t.Errorf("%T came back changed:\n%+v\n%+v", in, out.Elem().Interface(), in)
		}
	}
}

// Seats are bytes in Go; a list of them must not be encoded as base64.
func TestListsOfSeatsAreNumbers(t *testing.T) {
	out, _ := json.Marshal(TableView{Readers: map[string]string{}, Online: []engine.Seat{1, 10}})
	if string(out) != `{"readers":{},"online":[1,10]}` {
		t.Error(string(out))
	}
}

// The audience of a refusal and its public text are never sent.
func TestReplyHoldsNoAudience(t *testing.T) {
	out, _ := json.Marshal(Reply{Reject: &engine.Reject{Code: engine.Forbidden, Rule: "R", To: 3, Public: engine.NewMsg("public.line")}})
	if strings.Contains(string(out), "public.line") || strings.Contains(string(out), "3") {
		t.Error(string(out))
	}
}

func TestActLimits(t *testing.T) {
	many, long := engine.Args{}, strings.Repeat("a", MaxArg)
	for i := range MaxArgs + 1 {
		many[fmt.Sprint(i)] = ""
	}
	for name, c := range map[string]struct {
		act  Act
		good bool
	}{
		"plain": {Act{ID: "a", Act: "move"}, true},
		"at the limits": {Act{ID: strings.Repeat("a", MaxID), Act: strings.Repeat("a", MaxID),
			Args: engine.Args{strings.Repeat("a", MaxID): strings.Repeat("a", MaxArg)}}, true},
		"no act":              {Act{ID: "a"}, false},
		"a long id":           {Act{ID: strings.Repeat("a", MaxID+1), Act: "a"}, false},
		"a long act":          {Act{Act: strings.Repeat("a", MaxID+1)}, false},
		"a long name":         {Act{Act: "a", Args: engine.Args{strings.Repeat("a", MaxID+1): ""}}, false},
		"a long value":        {Act{Act: "a", Args: engine.Args{"a": strings.Repeat("a", MaxArg+1)}}, false},
		"a name of two lines": {Act{Act: "a", Args: engine.Args{"a\nb": ""}}, false},
		"a name of no letter": {Act{Act: "a", Args: engine.Args{"é": ""}}, false},
		"no name":             {Act{Act: "a", Args: engine.Args{"": "a"}}, false},
		"too much in all":     {Act{Act: "a", Args: engine.Args{"a": long, "b": long, "c": long}}, false},
		"the longest notes":   {Act{Act: ActNote, Args: engine.Args{"marks": long + long, "rev": "9007"}}, true},
		"too many members":    {Act{Act: "a", Args: many}, false},
	} {
		if err := c.act.CheckLimits(); (err == nil) != c.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}
