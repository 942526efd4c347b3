package script

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
)

// toyHead is a position of the toy: Anne holds three cards, Bruno one.
const toyHead = `title A toy
game toy
players Anne Bruno
given seat Anne "Anne"
given seat Bruno "Bruno"
given hand Anne card-1 card-2 card-6
given hand Bruno card-9
given room room-a card-3 card-4
given room room-b card-5
given bell Anne
`

func mustParse(t *testing.T, src string) *Script {
	t.Helper()
	s, err := Parse("toy.script", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func runToy(t *testing.T, src string) Report {
	t.Helper()
	return Run(mustParse(t, src), toyBook{})
}

// Each line is true of the position or the step above it, and becomes false by exchanging one text for another, so every form both passes
// and fails.
var forms = []struct {
	thing, step, line string
	from, to          string
	came              string // part of the failure
}{
	{"phase", "", "all see phase play", "play", "over", "play"},
	{"rule", "", "public sees rule TOY-001", "TOY-001", "TOY-002", "TOY-001"},
	{"role", "", "Anne sees role role-seat-1", "role-seat-1", "role-seat-2", "role-Anne"},
	{"role", "", "public sees role nothing", nothing, "role-x", nothing},
	{"prompt", "", "Bruno sees prompt toy.prompt.drop seat=Anne", "=Anne", "=Bruno", "toy.prompt.drop seat=Anne"},
	{"prompt", "host does begin\n  refused not-you TOY-001", "host sees prompt toy.prompt.drop", "toy.prompt.drop",
		nothing, "toy.prompt.drop"},
	{"facts", "", "Anne sees facts toy.fact.holds card=card-2", "=card-2", "=card-3", "card=card-6"},
	{"facts", "", "Bruno sees no facts toy.fact.holds card=card-1", "card=card-1", "card=card-9", "it is there"},
	{"facts", "", "public sees facts nothing", nothing, "toy.fact.holds", nothing},
	{"log", "Anne does look room=room-a\nAnne does take card=card-3", "all see log toy.took seat=Anne", "Anne", "Bruno",
		"toy.took seat=Anne"},
	{"log", "Anne does look room=room-a\nAnne does take card=card-3", "all but Anne see no log toy.took-card", "toy.took-card",
		"toy.took", "it is there"},
	{"log", "Anne does look room=room-a", "Anne sees log nothing", nothing, "toy.took", nothing},
	{"active", "", "public sees active Anne", "Anne", "Anne Bruno", "manque · missing  Bruno"},
	{"hand", "", "Anne sees hand card-6 card-1 card-2", "card-6 ", "", "en trop · extra   card-6"},
	{"hand", "", "public sees hand nothing", nothing, "card-1", "manque · missing  card-1"},
	{"hand", "", "Anne sees hand without card-9", "without", "with", "manque · missing  card-9"},
	{"hand", "", "Anne sees hand with card-1", "with", "without", "en trop · extra   card-1"},
	{"tray", "Anne does look room=room-a", "Anne sees tray count=2", "=2", "=3", "2: card-3 card-4"},
	{"tray", "Anne does look room=room-a", "Bruno sees tray nothing", nothing, "card-3", nothing},
	{"shown", "urn reads card-1", "public sees shown card-1", "card-1", "card-2", "card-1"},
	{"gone", "Anne does burn card=card-1", "public sees gone card-1", "card-1", nothing, "card-1"},
	{"urn", "urn reads card-1", "public sees urn 1", "urn 1", "urn 0", "1"},
	{"hand", "", "Anne sees hand card-1 marks=deposit", "card-1", "card-6", "marks=nothing"},
	{"hand", "", "Anne sees hand card-6 marks=nothing", "card-6", "card-9", nothing},
	{"hand", "", "Anne sees hand card-9 nothing", "card-9", "card-1", "marks=deposit"},
	{"switches", "", "host sees switches bell on", " on", " off", "on"},
	{"offers", "", "Anne sees offers look", "look", "look take", "manque · missing  take"},
	{"offers", "", "public sees offers nothing", "public", "Anne", "look"},
	{"offer", "", "Anne sees offer look room=room-b,room-a", ",room-a", "", "look grave=yes room=room-a,room-b rule=TOY-001"},
	{"offer", "Anne does look room=room-b", "Anne sees offer take room=room-b card=*", "room-b", "room-a",
		"take card=card-5 grave=no room=room-b rule=TOY-002"},
	{"offer", "", "Anne sees offer look rule=TOY-001 grave=yes", "grave=yes", "grave=no", "look grave=yes room=room-a,room-b rule=TOY-001"},
	{"offer", "", "Anne sees no offer take", "take", "look", "it is there"},
	{"listed", "Anne does look room=room-b", "Anne sees listed take card=card-3,card-4,card-5", "card-3,", "",
		"take card=card-3,card-4,card-5 grave=no room=room-b rule=TOY-002"},
	{"listed", "", "Anne sees no listed take", "take", "fly", "it is there"},
	{"marked", "Anne does look room=room-b", "Anne sees marked take room=room-b card=card-4 rule=TOY-005", "card-4", "card-5",
		"take card=card-3 grave=no room=room-b rule=TOY-005"},
	{"marked", "", "Anne sees marked fly rule=TOY-004", "TOY-004", "TOY-005", "fly grave=no rule=TOY-004"},
	{"change", "urn reads foreign\n  refused bad-read GEN-E01\nAnne does look room=room-a", "host sees no change",
		"host", "Anne", "room-a"},
	{"called", "", `all see called card-1 "La cloche"`, "cloche", "clé", "La cloche"},
	{"called", "", `host sees called card-1 "The bell"`, "card-1", "card-2", "carte card-2"},
	{"nowhere", "", "Bruno sees nowhere card-1 card-2", "Bruno", "Anne", "card-1"},
	{"nowhere", "", `Bruno sees nowhere "Chloé"`, "Chloé", "Anne", "Anne"},
	{"nowhere", "urn reads card-6\n  refused forbidden TOY-002", "Bruno sees nowhere card-6", "Bruno", "Anne", "card-6"},
	{"place", "", "public sees place room-a cards=2 open=yes lamp=open pawns=Bruno,Anne weapon=nothing", "cards=2", "cards=3",
		"diffère · differs cards"},
	{"place", "", "public sees place room-a pawns=Bruno,Anne", "Bruno,Anne", "Bruno", "pawns=Anne,Bruno"},
	{"seat", "", `public sees seat Anne cards=3 name="Anne" alive=yes first=yes place=nothing`, "alive=yes", "alive=no",
		"diffère · differs alive"},
	{"mood", "", "all see mood uneasy", "uneasy", "merry", "uneasy"},
	{"seen", "", "Anne sees seen card-4 how=there place=room-a round=2 other=nobody", "round=2", "round=3", "diffère · differs round"},
	{"seen", "", "Anne sees seen card-5 nothing", "card-5", "card-4", "how=there"},
	{"custody", "", "host sees custody Anne cards=partly role=trusted", "partly", "verified", "diffère · differs cards"},
	{"custody", "", "public sees custody Anne nothing", "public", "host", "cards=partly"},
	{"case", "", "public sees case step=move dice=0,5 points=5 reach=room-a pile=9 way=nothing", "0,5", "5", "diffère · differs dice"},
	{"places", "", "public sees places room-b room-a", "room-b ", "", "en trop · extra   room-b"},
	{"seats", "", "public sees seats Anne Bruno", "Anne ", "", "en trop · extra   Anne"},
	{"custody", "", "host sees custody Anne", "Anne", nothing, "Anne"},
	{"seen", "", "Anne sees seen with card-4", "card-4", "card-5", "manque · missing  card-5"},
	{"pawn", "", "public sees pawn room-a at=room-a square=nothing gone=no", "at=room-a", "at=room-b", "diffère · differs at"},
	{"token", "", "public sees token room-b at=room-b", "at=room-b", "at=room-a", "diffère · differs at"},
	{"hypothesis", "", "public sees hypothesis by=Anne suspect=room-a weapon=room-b room=room-b", "by=Anne", "by=Bruno",
		"diffère · differs by"},
	{"answer", "", "public sees answer Bruno said=none", "none", "shown", "diffère · differs said"},
	{"answer", "", "public sees answer Anne nothing", "Anne", "Bruno", "said=none"},
	{"clock", "", "public sees clock at=0 of=8 mark=5 open=no", "of=8", "of=9", "diffère · differs of"},
	{"reader", "", "public sees reader urn kind=card seat=Anne", "Anne", "Bruno", "seat=Anne"},
	{"reader", "", "public sees reader door kind=key seat=nobody", "nobody", "Anne", "diffère · differs seat"},
	{"reader", "", "public sees reader show nothing", "show", "urn", "kind=card seat=Anne"},
	{"result", "wait 1m", "all see result rule=TOY-009 winners=Anne msg=toy.end", "toy.end", "toy.other", "msg=toy.end"},
	{"result", "", "all see result nothing", nothing, "rule=TOY-009", nothing},
	{"never", "", "Bruno never sees card-1", "Bruno", "Anne", "card-1"},
	{"told", "urn reads card-6\n  refused forbidden TOY-002", "told Anne toy.why.not-this card=card-6", "card-6", "card-1",
		"toy.why.not-this card=card-6"},
	{"told", "urn reads card-6\n  refused forbidden TOY-002", "told all but Anne,public nothing", ",public", "", "gen.again seat=Anne"},
	{"told", "urn reads unreadable\n  refused bad-read GEN-E01", "told public gen.again seat=Anne", "gen.again seat=Anne",
		nothing, "gen.again"},
	{"deadlines", "", "deadlines bell", "bell", nothing, "bell"},
	{"deadlines", "wait 60s\n accepted", "deadlines nothing", nothing, "bell", "manque · missing  bell"},
}

func TestEveryExpectationHoldsAndFails(t *testing.T) {
	tried, triedForm := map[string]bool{}, map[form]bool{}
	for _, f := range forms {
		tried[f.thing], triedForm[things[f.thing].form] = true, true
		src := toyHead + f.step + "\n" + f.line
		if r := runToy(t, src); !r.OK() {
			t.Errorf("%s: must hold:\n%s", f.line, r)
		}
		wrong := strings.Replace(f.line, f.from, f.to, 1)
		r := runToy(t, toyHead+f.step+"\n"+wrong)
		if r.OK() {
			t.Errorf("%s: must fail", wrong)
			continue
		}
		text := r.String()
		for _, part := range []string{"toy.script:", wrong, f.came} {
			if !strings.Contains(text, part) {
				t.Errorf("%s: the report does not say %q:\n%s", wrong, part, text)
			}
		}
		if last := r.Failures[0].Line; last != strings.Count(toyHead+f.step, "\n")+2 {
			t.Errorf("%s: fails at line %d", wrong, last)
		}
	}
	for _, seen := range append(slices.Collect(maps.Values(things)), toldThing, deadlinesThing, thing{name: "never"}) {
		if !tried[seen.name] && (seen.path == nil || !triedForm[seen.form]) {
			t.Errorf("no test shows that %q can fail", seen.name)
		}
	}
}

// later is a view with all kinds of fields that engine.View may get.
type later struct {
	Phase  string         `json:"phase"`
	Keeper engine.Viewer  `json:"keeper"`
	Closes engine.Millis  `json:"closes"`
	Lamps  map[string]int `json:"lamps"`
	Heard  []happening    `json:"heard"`
	Traps  []happening    `json:"traps"`
	Case   *struct {
		Points int         `json:"points"`
		Deep   []happening `json:"deep"`
	} `json:"case"`
	Me *struct {
		Phase string            `json:"phase"`
		Diary engine.Msg        `json:"diary"`
		Notes map[string]string `json:"notes"`
	} `json:"me"`
	Inner int
}

type happening struct {
	Code  engine.ID     `json:"code"`
	Seats []engine.Seat `json:"seats"`
	Why   engine.Msg    `json:"why"`
	Other *happening    `json:"other"`
	Open  bool          `json:"open"`
}

// A new field of the view is a thing or an attribute by its name in JSON, and
// nothing has to be written for it here.
func TestNewFieldsOfAViewCanBeSeen(t *testing.T) {
	fell := happening{Code: "fell", Seats: []engine.Seat{2, 1}, Why: engine.NewMsg("toy.why"), Other: &happening{Code: "rose"}}
	view := later{Phase: "play", Keeper: engine.Host, Closes: 1500, Lamps: map[string]int{"hall": 3},
		Heard: []happening{{Code: "rose"}, fell}, Traps: []happening{{Code: "trap"}, {Code: "fell"}}}
	view.Case = &struct {
		Points int         `json:"points"`
		Deep   []happening `json:"deep"`
	}{4, []happening{fell}}
	all := thingsOfView(reflect.TypeOf(view))
	for name := range all {
		if i := slices.IndexFunc(specialThings, func(s thing) bool { return s.name == name }); i >= 0 {
			delete(all, name)
		}
	}
	if got := slices.Sorted(maps.Keys(all)); !slices.Equal(got,
		[]string{"case", "closes", "deep", "diary", "heard", "keeper", "lamps", "notes", "phase", "trap", "traps"}) {
		t.Errorf("things %v", got)
	}
	for _, tt := range []struct{ line, fails string }{
		{"phase play", ""},
		{"phase over", "play"},
		{"keeper host", ""},
		{"closes 1500", ""},
		{"lamps hall 3", ""},
		{"lamps door nothing", ""},
		{"case points=4", ""},
		{"case points=5", "points=4"},
		{"heard fell rose", ""},
		{"heard with trap", "rose fell"},
		{"heard fell seats=seat-1,seat-2 why=toy.why other=rose open=no", ""},
		{"heard fell open=yes", "seats=seat-2,seat-1 why=toy.why other=rose open=no"},
		{"heard trap nothing", ""},
		{"traps count=2", ""},
		{"trap fell seats=nothing", ""},
		{"deep fell other=nothing", "seats=seat-2,seat-1 why=toy.why other=rose open=no"},
		{"diary nothing", ""},
		{"notes monday nothing", ""},
	} {
		words, _ := splitWords(tt.line)
		thing := all[words[0].text]
		if err := thing.checkWords(words[1:]); err != nil {
			t.Errorf("%s: %v", tt.line, err)
			continue
		}
		d := thing.compareWithView(words[1:], reflect.ValueOf(view))
		if (d == nil) != (tt.fails == "") || d != nil && d.got != tt.fails {
			t.Errorf("%s: want %q, came %+v", tt.line, tt.fails, d)
		}
	}
}

// A field of a view that has the name of another could not be seen.
func TestEveryFieldOfAViewCanBeSeen(t *testing.T) {
	paths := map[string]string{}
	for _, thing := range things {
		for _, a := range thing.attrs {
			paths[fmt.Sprint(append(slices.Clone(thing.path), a.index))] = a.name
		}
		paths[fmt.Sprint(thing.path)] = thing.name
	}
	for _, at := range []string{"me", "case"} {
		part := reflect.TypeFor[engine.View]()
		f, _ := part.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, at) })
		for i := range f.Type.Elem().NumField() {
			if name, _ := jsonField(f.Type.Elem(), i); paths[fmt.Sprint(append(slices.Clone(f.Index), i))] == "" && name != "seat" {
				t.Errorf("%s of %s cannot be seen: another thing has its name", name, at)
			}
		}
	}
}

func TestOutcomes(t *testing.T) {
	for _, tt := range []struct{ name, steps, fails string }{
		{"accepted without a word", "Anne does look room=room-a", ""},
		{"accepted, said so", "Anne does look room=room-a\n accepted", ""},
		{"refused, not expected", "Anne does fly", "attendu · want    accepted\n    obtenu · came     refused unknown TOY-004"},
		{"refused, expected", "Anne does fly\n refused unknown TOY-004", ""},
		{"another code", "Anne does fly\n refused forbidden TOY-004", "attendu · want    refused forbidden TOY-004"},
		{"another rule", "Anne does fly\n refused unknown TOY-005", "obtenu · came     refused unknown TOY-004"},
		{"accepted, not expected", "Anne does look room=room-a\n refused unknown TOY-004", "obtenu · came     accepted"},
		{"a seat that nobody has", "seat-5 does look room=room-a\n refused not-you TOY-001", ""},
		{"time passes, nothing comes", "wait 59.9s\n public sees phase play", ""},
		{"time passes, nothing comes as it should", "wait 59.9s\n accepted", "une échéance · a deadline\n    obtenu · came     nothing"},
		{"the bell comes at its moment", "wait 30s\nwait 30s\n accepted\n public sees phase over", ""},
		{"the clock alone brings nothing", "at 2h\n public sees phase play\n deadlines bell", ""},
		{"a deadline before its time", "deadline bell\n public sees phase over", ""},
		{"a deadline too late", "wait 60s\ndeadline bell\n refused not-now TOY-003", ""},
		{"a deadline that stays", "Anne does bad how=stuck\nwait 60s", "does not go away"},
		{"two cards at once", "urn reads card-1 card-2\n refused bad-read GEN-E01", ""},
		{"a known and a foreign card", "urn reads card-1 foreign=2\n refused bad-read GEN-E01", ""},
		{"a card that lies at two readers", "urn reads card-1 doubled\n refused forbidden GEN-E13\n told public gen.alarm", ""},
		{"a panic of the engine", "Anne does panic", "the engine panicked: invariant 7"},
		{"a list out of order", "Anne does bad how=order",
			"pas dans l’ordre du jeu de cartes (GEN-006) · not in the order of the deck: gone card-2,card-1"},
		{"a mask in a view", "Anne does bad how=mask", "the mask of a hidden value"},
		{"a hand for the public", "Anne does bad how=foreign-hand", "has no seat, but sees a hand"},
		{"a view for another", "Anne does bad how=viewer", "la vue se dit pour · the view says it is for: public"},
		{"a view too long", "Anne does bad how=limits", "plus de 12 · more than 12: log, 13"},
		{"an offer that is refused", "Anne does bad how=offer", "offered and refused: take map[card:card-9]: refused forbidden TOY-005"},
		{"events that lead elsewhere all at once", "Anne does bad how=at-once",
			"public\n    tous les événements d’un coup mènent ailleurs · all events at once lead elsewhere"},
		{"a mark by another rule", "Anne does bad how=mark", "marked wrongly: fly map[]: [TOY-005], refused unknown TOY-004"},
		{"a value that is listed and refused without a mark", "Anne does bad how=unmarked",
			"marked wrongly: take map[card:card-9]: [], refused forbidden TOY-005"},
		{"a mark for everybody", "Anne does bad how=public-mark", "public\n    mal marqué · marked wrongly: fly map[]: [TOY-004]"},
		{"a list that needs no second one", "Anne does bad how=twice", "the same list twice: look room"},
		{"an invariant that is broken", "Anne does bad how=invariant", "an invariant of the rules is broken: one card too many"},
		{"an event that cannot be stored", "Anne does bad how=unstorable", "does not survive the store"},
		{"an id that the deck does not know", "Bruno sees nowhere crad-1",
			"inconnu dans ce jeu de cartes · the deck knows no: crad-1\n    vouliez-vous dire · did you mean: card-1"},
		{"a card that the deck does not know", "urn reads card-77", "the deck knows no: card-77"},
		{"an audience of nobody", "all but public,host,Anne,Bruno see phase play", "this audience is empty"},
		{"a viewer who is not there", "seat-4 sees phase play", "personne n’est assis à · nobody sits at: seat-4"},
		{"never holds at later steps too", "Bruno never sees card-1\nurn reads card-1", "Bruno never sees card-1"},
		{"mark and back", "mark m\nAnne does burn card=card-1\nback m\n public sees gone nothing", ""},
		{"dice stand still after back", "mark m\nAnne does look room=room-a\nback m\nBruno does look room=room-a", ""},
		{"a reseed between steps", "Anne does look room=room-a\nseed 9\nAnne does take card=card-3", ""},
	} {
		r := runToy(t, toyHead+tt.steps)
		if tt.fails == "" && !r.OK() || tt.fails != "" && (r.OK() || !strings.Contains(r.String(), tt.fails)) {
			t.Errorf("%s: want %q, came:\n%s", tt.name, tt.fails, r)
		}
	}
}

func TestUnfitRulebooksAndPositions(t *testing.T) {
	for _, tt := range []struct{ src, fails string }{
		{"game chess\nhost does begin", "jeu inconnu ; il y a · this game is not known; there are: toy"},
		{"game toy\ngiven bell seat-1\ngiven sing seat-1\npublic sees phase play", `toy.script:3: given sing seat-1
    cette position ne peut pas être posée · this position cannot be set up
    un verbe inconnu (seat, room, hand ou bell)
    an unknown verb (seat, room, hand or bell)
`},
		{"game toy\ngiven hand Anne\npublic sees phase play", `toy.script:2: given hand Anne
    cette position ne peut pas être posée · this position cannot be set up: `},
		{"game toy\nplayers Anne\nhost does sit name=Anne\nhost does begin\npublic sees place room-a cards=5\ndeadlines bell", ""},
	} {
		r := runToy(t, tt.src)
		if tt.fails == "" && !r.OK() || tt.fails != "" && !strings.Contains(r.String(), tt.fails) {
			t.Errorf("%q: want %q, came:\n%s", tt.src, tt.fails, r)
		}
	}
}

func TestScenesShareTheirHead(t *testing.T) {
	r := runToy(t, toyHead+"scene One\nAnne does burn card=card-1\nscene Two\ngiven room room-b card-7\npublic sees gone nothing\n"+
		"public sees place room-b cards=1\n")
	if !r.OK() || r.Scenes != 2 || r.Steps != 1 {
		t.Errorf("two scenes: %s", r)
	}
	r = runToy(t, toyHead+"scene One\nAnne does fly\nscene Two\nBruno does fly\n")
	if len(r.Failures) != 2 || r.Failures[1].Scene != "Two" {
		t.Errorf("a failure in one scene must not hide the next: %s", r)
	}
}

func TestReportKeepsItsLimit(t *testing.T) {
	r := runToy(t, toyHead+strings.Repeat("public sees phase over\n", 50))
	if len(r.Failures) != maxFailures || r.More != 10 || !strings.Contains(r.String(), "échecs · failures 50") {
		t.Errorf("%d failures, %d more", len(r.Failures), r.More)
	}
}

func TestCoverageAndKeys(t *testing.T) {
	a := mustParse(t, "covers TOY-002 TOY-001\ncovers TOY-002\n"+toyHead+"urn reads card-6\n refused forbidden TOY-002\n"+
		" told Anne toy.why.b\n Anne sees no log toy.a\n public sees result msg=toy.c\n public sees prompt nothing")
	b := *a
	b.Name, b.Covers = "b.script", []string{"TOY-002"}
	got := CollectCoverage(&b, a)
	if len(got) != 2 || got[0].Rule != "TOY-001" || got[1].String() != "TOY-002 b.script toy.script" {
		t.Errorf("coverage %v", got)
	}
	if keys := a.MessageKeys(); !slices.Equal(keys, []string{"toy.a", "toy.b", "toy.c"}) && !slices.Equal(keys,
		[]string{"toy.a", "toy.c", "toy.why.b"}) {
		t.Errorf("keys %v", keys)
	}
	if a.Title != "A toy" || a.Game != engine.ID("toy") {
		t.Errorf("head %q %q", a.Title, a.Game)
	}
}
