package game

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	enginegames "majordome/engine/games"
)

var rewriteSamples = flag.Bool("update", false, "write the samples of the pages again")

// samplesFolder holds what src/dev and the tests of the pages show.
const samplesFolder = "../web/app/src/dev/samples"

// TestSamplesOfThePages: the samples that the pages are looked at and tested with are updates of real games, as the
// loop of today sends them. testdata/samples has the games.
func TestSamplesOfThePages(t *testing.T) {
	skipInShortMode(t)
	kept := map[string]map[string]wire.Update{"phone": {}, "host": {}, "table": {}}
	names, stories := map[string]engine.Names{}, map[string]json.RawMessage{}
	files, err := filepath.Glob("testdata/samples/*.play")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		s := &sampler{t: t, kept: kept, stories: stories}
		s.playFile(file)
		names[string(s.books[0].ID())] = s.books[0].Names()
	}
	for page, all := range kept {
		compareSamples(t, page, all)
	}
	compareSamples(t, "names", names)
	compareSamples(t, "stories", stories)
}

// sampler plays games and keeps the updates of some moments. Its lines are those of a script (package script), as far
// as there are such:
//
//	game  huis-clos                the rulebook
//	given seat seat-1 Anne character-borrow innocent    before the first scene: for every scene; _ is a blank
//	scene Chloé moves              a game begins at the position of the given lines
//	lobby The table fills          one begins in the empty lobby
//	Anne does move place=place-3   an act, which must be accepted; _ is a blank in a value; host.2 is a second device
//	Anne tries deposit card=...    one that must be refused
//	urn reads weapon-corde         a card at a reader; everything: all cards of the box, one by one
//	urn is lost                    it no longer answers
//	host is free                   nobody has the host's page
//	phones Anne seat-2             only these are connected; in a scene all players are
//	games huis-clos cluedo-2008    which can be played here, the first now
//	desk asks 4821 Bruno character-worms, desk device 2 ipad, desk plea 0077 android, desk contests seat-2
//	lights game                    the room has lights
//	button pause                   a button of the table
//	wait 3s                        time passes
//	until Chloé move               all do what their phones offer first, until this seat may do this
//	until the end                  ... or until the game is over
//	disk fails, secrets may be seen by the game master
//	Anne keeps NAME                the update of this viewer is a sample, of the phone, the host or the table
//	public tells NAME              so is this, with the story of the game
type sampler struct {
	*rig
	t       testing.TB
	books   []engine.Rulebook                 // the first is played
	kept    map[string]map[string]wire.Update // by page, then by the name of the sample
	stories map[string]json.RawMessage        // of finished games
	head    []engine.PositionLine             // of every scene
	given   []engine.PositionLine             // of this scene; nil when it has begun
}

// playFile plays the games of a file.
func (s *sampler) playFile(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line, _, _ = strings.Cut(line, "#")
		if words := strings.Fields(line); len(words) > 0 {
			if err := s.playLine(words); err != nil {
				s.t.Fatalf("%s:%d: %s: %v", path, n, strings.TrimSpace(line), err)
			}
		}
	}
}

func (s *sampler) playLine(w []string) error {
	switch {
	case w[0] == "game", w[0] == "games":
		return s.readBooks(w[1:])
	case w[0] == "given":
		s.given = append(s.given, engine.PositionLine{Line: len(s.given) + 1, Verb: w[1], Words: readBlanks(w[2:])})
		return nil
	case w[0] == "scene", w[0] == "lobby":
		if s.head == nil {
			s.head = s.given
		}
		s.given = slices.Clone(s.head)
		if w[0] == "lobby" {
			s.given = nil
			s.open()
		}
		return nil
	case s.given != nil:
		if err := s.openPosition(); err != nil {
			return err
		}
	}
	return s.playStep(w)
}

// readBlanks returns the words with blanks for _.
func readBlanks(words []string) (all []string) {
	for _, w := range words {
		all = append(all, strings.ReplaceAll(w, "_", " "))
	}
	return all
}

// readBooks reads the rulebooks of these games.
func (s *sampler) readBooks(ids []string) error {
	s.books = nil
	for _, id := range ids {
		table := enginegames.KnownGames()
		g, err := table.FindGame(engine.ID(id))
		if err != nil {
			return err
		}
		deck, err := table.ParseDeck(id, g.Default)
		if err != nil {
			return err
		}
		book, err := deck.NewRulebook()
		if err != nil {
			return err
		}
		s.books = append(s.books, book)
	}
	return nil
}

// openPosition opens a game at the position of the given lines, with all phones.
func (s *sampler) openPosition() error {
	isSeat := func(line engine.PositionLine) bool { return line.Verb == "seat" } // they come first
	others := slices.DeleteFunc(slices.Clone(s.given), isSeat)
	seats := slices.DeleteFunc(s.given, func(line engine.PositionLine) bool { return !isSeat(line) })
	events, err := s.books[0].BuildPosition(slices.Concat(seats, others))
	if err != nil {
		return err
	}
	rows, err := encodeStep(s.books[0], &gameStep{events: events, cause: engine.Host.String()}, 1)
	if err != nil {
		return err
	}
	s.given = nil
	s.open(rows...)
	var all []string
	for _, at := range s.last().Public.View.Seats {
		all = append(all, at.Name)
	}
	s.connect(all...)
	return nil
}

// open opens a game of a demonstration table with these events.
func (s *sampler) open(first ...store.Event) {
	m := newMemory()
	if _, err := m.BeginGame(s.books[0].ID(), first); err != nil {
		s.t.Fatal(err)
	}
	s.rig = newRig(s.t, m, s.books...)
	s.core().Demo, s.core().URL = true, func() string { return "http://192.168.178.123:8080" }
	s.core().Hints = func(engine.ID) []wire.StockHint { return sampleHints }
	s.core().Desk, s.core().Enrolled = &sampleDesk{desk: s.desk, core: s.core()}, nil
	for _, n := range s.books[0].Names() {
		if n.IsCard() {
			s.core().Enrolled = append(s.core().Enrolled, n.ID)
		}
	}
}

func (s *sampler) connect(players ...string) {
	s.core().online = nil
	for _, name := range players {
		s.core().online = append(s.core().online, wire.FirstPhoneOf(s.viewer(name)))
	}
	s.core().publish(notices{})
}

func (s *sampler) playStep(w []string) error {
	switch {
	case w[0] == "phones":
		s.connect(w[1:]...)
	case w[0] == "wait":
		d, err := time.ParseDuration(w[1])
		s.passTime(d)
		return err
	case w[0] == "until" && w[1] == "the":
		return s.playUntil(func(engine.Viewer, engine.Offer) bool { return s.last().Public.View.Result != nil })
	case w[0] == "until":
		v := s.viewer(w[1])
		return s.playUntil(func(by engine.Viewer, o engine.Offer) bool { return by == v && o.Act == w[2] })
	case w[0] == "desk":
		return s.changeDesk(w[1], w[2:])
	case w[0] == "lights":
		s.core().Lights = &sampleLights{w[1]}
		s.core().publish(notices{})
	case w[0] == "secrets":
		s.setSecrets(yes)
		s.core().publish(notices{})
	case w[0] == "disk":
		m := s.journal.(*memory)
		m.fail, m.failError = "before", errors.New("it does not answer")
	case w[0] == "button":
		s.core().pressControl(w[1])
	case w[1] == "reads" && w[2] == "everything":
		for _, card := range s.core().Enrolled {
			s.core().presentTags(s.clock.at, w[0], tags(string(card)))
		}
	case w[1] == "reads":
		s.core().presentTags(s.clock.at, w[0], tags(w[2:]...))
		s.passTime(defaultUrnWindow)
	case w[0] == "host" && w[1] == "is":
		s.core().Host = func() string { return strings.TrimPrefix(w[2], "there") }
		s.core().publish(notices{})
	case w[1] == "is":
		states := maps.Clone(s.core().readerStates)
		states[w[0]] = w[2]
		s.core().setMachineState(states, s.core().online, false)
	case w[1] == "tells":
		if s.stories[w[2]] = s.last().Story; s.last().Story == nil {
			return errors.New("there is no story")
		}
		return s.keepUpdate(w[2], engine.Public)
	case w[1] == "keeps":
		return s.keepUpdate(w[2], s.viewer(w[0]))
	default:
		var args []string
		for _, pair := range w[3:] {
			name, value, _ := strings.Cut(pair, "=")
			if w[2] == wire.ActNote && name == "rev" {
				value = strconv.FormatUint(s.core().rev, 10)
			}
			args = append(args, name, strings.ReplaceAll(value, "_", " "))
		}
		name, device, _ := strings.Cut(w[0], ".")
		by := wire.FirstPhoneOf(s.viewer(name))
		if device != "" {
			by.N = int(device[0] - '0')
		}
		if out := s.actFrom(by, w[2], args...); out.OK != (w[1] == "does") {
			return fmt.Errorf("%v %+v", out.OK, out.Reject)
		}
	}
	return nil
}

// viewer returns the viewer of a name: a player, "host" or "public".
func (s *sampler) viewer(name string) engine.Viewer {
	for _, at := range s.last().Public.View.Seats {
		if at.Name == name {
			return engine.SeatViewer(at.Seat)
		}
	}
	if name == engine.Overseer.String() {
		return engine.Overseer
	}
	v, err := engine.ParseViewer(name)
	if err != nil {
		s.t.Fatal(err)
	}
	return v
}

// playUntil plays what the phones offer first, with the first card that is no weapon, until an offer ends it.
func (s *sampler) playUntil(ends func(by engine.Viewer, o engine.Offer) bool) error {
	for range 1000 {
		by, o := s.firstOffer()
		switch {
		case ends(by, o):
			return nil
		case o.Act == "":
			s.passTime(time.Second)
			continue
		}
		var args []string
		for name, value := range o.Fixed {
			args = append(args, name, value)
		}
		for _, p := range o.Params {
			i := slices.IndexFunc(p.Domain, func(id string) bool { return !strings.HasPrefix(id, "weapon-") })
			args = append(args, p.Name, p.Domain[max(i, 0)])
		}
		if out := s.act(by, o.Act, args...); !out.OK {
			return fmt.Errorf("%v %s %v: %+v", by, o.Act, args, out.Reject)
		}
	}
	v := s.last().Public.View
	return fmt.Errorf("the game does not come to that: %v are asked %v", v.Active, v.Prompt)
}

// firstOffer returns the first offer of a seat that is to act; none while nobody can.
func (s *sampler) firstOffer() (by engine.Viewer, o engine.Offer) {
	for _, u := range s.last().SeatUpdates() {
		by, _ := engine.ParseViewer(u.View.Viewer)
		if seat, _ := by.Seat(); !slices.Contains(u.View.Active, seat) {
			continue
		}
		for _, o := range engine.AllowedOffers(u.View.Offers) {
			if !o.Aside {
				return by, o
			}
		}
	}
	return engine.Public, engine.Offer{}
}

// keepUpdate keeps the last update of a viewer.
func (s *sampler) keepUpdate(name string, v engine.Viewer) error {
	page := "table"
	if v.IsHost() {
		page = "host"
	} else if v != engine.Public {
		page = "phone"
	}
	u, ok := s.last().UpdateFor(v)
	if v == engine.Overseer {
		u, page, ok = s.last().HostUpdates(nil)[1], "host", true
	}
	if _, twice := s.kept[page][name]; !ok || twice {
		return errors.New("no update, or two samples of this name")
	}
	s.kept[page][name] = u
	return nil
}

// compareSamples compares a file of samples with what the games of today show, or writes it again.
func compareSamples[T any](t *testing.T, name string, all map[string]T) {
	t.Helper()
	var now bytes.Buffer
	for i, key := range slices.Sorted(maps.Keys(all)) {
		one, err := json.Marshal(all[key])
		if err != nil {
			t.Fatal(err)
		}
		now.WriteString(map[bool]string{true: "{\n", false: ",\n"}[i == 0] + strconv.Quote(key) + ": ")
		now.Write(one)
	}
	now.WriteString("\n}\n")
	path := filepath.Join(samplesFolder, name+".json")
	if *rewriteSamples {
		if err := os.WriteFile(path, now.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if had, err := os.ReadFile(path); err != nil || !bytes.Equal(had, now.Bytes()) {
		t.Errorf("%s does not show the games of today (%v): go test ./companion/game -run Samples -update", path, err)
	}
}
