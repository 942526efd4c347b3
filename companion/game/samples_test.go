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
		names[string(s.book.ID())] = s.book.Names()
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
//	given seat seat-1 Anne character-borrow innocent    before the first scene: for every scene
//	scene Chloé moves              a game begins at the position of the given lines
//	lobby The table fills          one begins in the empty lobby
//	Anne does move place=place-3   an act, which must be accepted; _ is a blank in a value
//	Anne tries deposit card=...    one that must be refused
//	urn reads weapon-corde         a card at a reader
//	urn is lost                    it no longer answers
//	host is free                   nobody has the host's page
//	phones Anne Chloé              only these are connected; in a scene all are
//	button pause                   a button of the table
//	wait 3s                        time passes
//	until Chloé move               all do what their phones offer first, until this seat may do this
//	until the end                  ... or until the game is over
//	disk fails
//	Anne keeps NAME                the update of this viewer is a sample, of the phone, the host or the table
//	public tells NAME              so is this, with the story of the game
type sampler struct {
	*rig
	t       testing.TB
	book    engine.Rulebook
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
	case w[0] == "game":
		table := enginegames.KnownGames()
		d, err := table.FindGame(engine.ID(w[1]))
		if err != nil {
			return err
		}
		deck, err := table.ParseDeck(w[1], d.Default)
		if err != nil {
			return err
		}
		s.book, err = deck.NewRulebook()
		return err
	case w[0] == "given":
		s.given = append(s.given, engine.PositionLine{Line: len(s.given) + 1, Verb: w[1], Words: w[2:]})
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

// openPosition opens a game at the position of the given lines, with all phones.
func (s *sampler) openPosition() error {
	isSeat := func(line engine.PositionLine) bool { return line.Verb == "seat" } // they come first
	others := slices.DeleteFunc(slices.Clone(s.given), isSeat)
	seats := slices.DeleteFunc(s.given, func(line engine.PositionLine) bool { return !isSeat(line) })
	events, err := s.book.BuildPosition(slices.Concat(seats, others))
	if err != nil {
		return err
	}
	rows, err := encodeStep(s.book, gameStep{events: events, cause: engine.Host.String()}, 1)
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
	if _, err := m.BeginGame(s.book.ID(), first); err != nil {
		s.t.Fatal(err)
	}
	s.rig = newRig(s.t, m, s.book)
	s.core().Demo, s.core().URL = true, func() string { return "http://192.168.178.123:8080" }
	s.core().Desk = sampleDesk{s.desk, s.core()}
}

// sampleDesk is a desk with one device of the host, where a phone that is connected has joined.
type sampleDesk struct {
	*desk
	core *core
}

// RefreshInvites implements Desk.
func (d sampleDesk) RefreshInvites(seats []engine.Seat) (all []wire.Invite) {
	for _, at := range seats {
		one := wire.Invite{Seat: at, URL: fmt.Sprintf("http://192.168.178.123:8080/#j=Q29uZ3JhdHVsYXRpb2%d", at), Minutes: 9}
		if slices.Contains(d.core.seatsOnline(), at) {
			one = wire.Invite{Seat: at, Joined: true}
		}
		all = append(all, one)
	}
	return all
}

// HostDevices implements Desk.
func (d sampleDesk) HostDevices() []wire.HostDevice { return []wire.HostDevice{{N: 1, Online: true}} }

// WaitingRequests implements Desk.
func (d sampleDesk) WaitingRequests() int { return 0 }

// SyncLobby implements Desk.
func (d sampleDesk) SyncLobby(open bool, _ int, _ []engine.ID) string {
	if !open {
		return ""
	}
	return "kX3_vQz8"
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
	case w[0] == "disk":
		m := s.journal.(*memory)
		m.fail, m.failError = "before", errors.New("it does not answer")
	case w[0] == "button":
		s.core().pressControl(w[1])
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
		if out := s.act(s.viewer(w[0]), w[2], args...); out.OK != (w[1] == "does") {
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
	return fmt.Errorf("it does not come to that: %v are asked %v", v.Active, v.Prompt)
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
