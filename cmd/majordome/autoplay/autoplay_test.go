package autoplay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/cmd/majordome/bench"
	"majordome/cmd/majordome/house"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/randtest"
	"majordome/engine"
)

// field is the space above a reader; the room reads everything in it.
type field struct{ lies []devices.UID }

func (f *field) AddTag(u devices.UID) error { f.lies = append(f.lies, u); return nil }
func (f *field) RemoveTag(u devices.UID) {
	f.lies = slices.DeleteFunc(f.lies, func(x devices.UID) bool { return x == u })
}
func (*field) SetPlugged(bool) {}

// room is a table of real games with the cards of a bench, in which no time passes: while a player waits, the room
// reads the readers and fires what is next. All of it runs in the goroutine of the test.
type room struct {
	t      testing.TB
	books  map[engine.ID]engine.Rulebook
	cast   map[engine.ID][]engine.ID
	game   engine.Game
	shown  engine.Game // the game as published; it follows the real one a moment later
	played engine.ID
	cards  *bench.Table
	fields map[string]*field
	tags   map[engine.ID]map[devices.UID]engine.ID
	dice   *Dice
	at     engine.Millis
	rev    uint64
	paused *engine.Msg
	broken bool // no one has stopped it: the pause ends automatically
	online []engine.Seat
	acted  map[engine.Seat]int    // acts from a phone, by seat
	person map[engine.Seat]uint64 // number of the last act from a person's phone
	story  []string               // all public happenings
	heard  int                    // number of the last of them
	seen   engine.View            // public view before the last act from a phone
	did    *wire.BenchDeed        // deed that was published last
	player *Player
}

func newRoom(t testing.TB) *room {
	t.Helper()
	r := &room{t: t, books: map[engine.ID]engine.Rulebook{}, cast: map[engine.ID][]engine.ID{}, dice: NewDice(1),
		acted: map[engine.Seat]int{}, person: map[engine.Seat]uint64{},
		fields: map[string]*field{engine.ReaderUrn: {}, engine.ReaderShow: {}}}
	o := bench.Opts{Dice: NewDice(2), Fields: map[string]bench.Field{}, Dwell: time.Hour,
		Lamps: func() []wire.BenchStrip { return nil }, Phones: func() []wire.BenchPlayer { return nil },
		Own: func(s engine.Seat) *engine.Own { return r.game.View(engine.SeatViewer(s)).Me }}
	for role, f := range r.fields {
		o.Fields[role] = f
	}
	for _, id := range allGames {
		r.books[id], r.cast[id] = gameAndCast(t, id)
		o.Boxes = append(o.Boxes, bench.Box{Game: id, Names: r.books[id].Names()})
	}
	var err error
	if r.cards, err = bench.New(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.cards.Close)
	r.tags = r.cards.CardTags()
	r.beginGame(allGames[0])
	r.shown = r.game
	r.player = New(Opts{Table: r, Cards: r.cards, Players: r.playersFor, Dice: []*Dice{r.dice, o.Dice.(*Dice)}, After: r.passTime,
		Changed: r.checkDeed})
	return r
}

var allGames = []engine.ID{"huis-clos", "cluedo-2008", "super-cluedo", "cluedo-classic"}

func (r *room) playersFor(game engine.ID) (all []house.Player) {
	for i, who := range r.cast[game] {
		all = append(all, house.Player{Name: string(rune('A' + i)), Character: who})
	}
	return all[:min(4, len(all))]
}

func (r *room) beginGame(game engine.ID) {
	r.played, r.game = game, r.books[game].NewGame()
	r.publishStep(nil)
}

func (r *room) publishStep(n *wire.Notice) {
	before := r.heard
	r.rev++
	u := wire.Update{Rev: r.rev, View: r.game.View(engine.Public), Notice: n}
	r.heard = u.View.LastHappeningNumber()
	for _, h := range u.View.HappeningsAfter(before) {
		b, err := json.Marshal(h)
		if err != nil {
			r.t.Fatal(err)
		}
		r.story = append(r.story, string(b))
	}
	r.cards.HandleUpdate(u)
}

func (r *room) Snapshot(v engine.Viewer) (wire.Update, bool) {
	if s, is := v.Seat(); is &&
		!slices.ContainsFunc(r.shown.View(engine.Public).Seats, func(x engine.SeatView) bool { return x.Seat == s }) {
		return wire.Update{}, false
	}
	u := wire.Update{Rev: r.rev, View: r.shown.View(v), Paused: r.paused, Table: wire.TableView{Online: r.online}}
	if r.paused != nil && !r.broken {
		u.Hold = &wire.Hold{By: "host"}
	}
	return u, true
}

// LastPlayerActs returns a person's acts on the second phone of a seat, and the guests' on the last.
func (r *room) LastPlayerActs(s engine.Seat) [wire.MaxPhones]uint64 {
	return [wire.MaxPhones]uint64{1: r.person[s], wire.MaxPhones - 1: uint64(r.acted[s])}
}

// checkDeed: a guest's act from a phone is published only after the public view has changed. Published earlier, it
// would reveal that an answer is "none" before the answer is shown (C8-158).
func (r *room) checkDeed() {
	did := r.player.State().Did
	if did == nil || did.Reader != "" || did == r.did {
		return
	}
	if r.did = did; reflect.DeepEqual(r.seen, r.shown.View(engine.Public)) {
		r.t.Errorf("%+v is reported, and nobody has seen anything of it", did)
	}
}

func (r *room) decide(c engine.Command) *engine.Reject {
	r.at += 100
	c.At = r.at
	game, _, reject := engine.DecideAndApply(r.game, c, r.dice)
	r.game = game
	return reject
}

func (r *room) Act(phone wire.Handset, act wire.Act, reply func(wire.Reply)) {
	if !phone.IsValid() || act.CheckLimits() != nil {
		r.t.Fatalf("%s %+v is no act of a phone", phone, act)
	}
	if act.Act == wire.OrderResume && !r.broken {
		r.paused = nil
		reply(wire.Reply{ID: act.ID, OK: true})
		return
	}
	if r.paused != nil {
		reply(wire.Reply{ID: act.ID})
		return
	}
	if act.Act == "new-game" {
		r.story, r.heard = nil, 0
		r.beginGame(engine.ID(act.Args["game"]))
		reply(wire.Reply{ID: act.ID, OK: true})
		return
	}
	r.seen = r.shown.View(engine.Public)
	reject := r.decide(engine.Command{By: phone.Viewer, Act: act.Act, Args: act.Args})
	if s, is := phone.Seat(); is {
		r.acted[s]++
		if reject != nil && reject.Rule != engine.RuleAlarm {
			r.t.Errorf("%s was offered %s %v, which is %v", phone, act.Act, act.Args, reject)
		}
	}
	r.publishStep(nil)
	reply(wire.Reply{ID: act.ID, OK: reject == nil})
}

// passTime makes the room do what takes time in a real one.
func (r *room) passTime(time.Duration) <-chan time.Time {
	for role, f := range r.fields {
		if len(f.lies) > 0 {
			r.readField(role, f)
		}
	}
	if ds := r.game.Deadlines(); len(ds) > 0 && r.player.idlePaces > 0 {
		r.at = max(r.at, ds[0].At)
		r.decide(engine.Command{By: engine.Public, Act: engine.ActDeadline, Args: engine.Args{"id": ds[0].ID}})
		r.publishStep(nil)
	}
	r.shown = r.game
	now := make(chan time.Time, 1)
	now <- time.Time{}
	return now
}

func (r *room) readField(role string, f *field) {
	var seen []engine.ID
	for _, u := range f.lies {
		seen = append(seen, r.tags[r.played][u])
	}
	reject := r.decide(engine.ScanCommand(r.at, role, seen, 0))
	n := &wire.Notice{Reader: role, Signal: "accepted"}
	if reject != nil {
		n.Signal = "again"
	}
	r.publishStep(n)
}

// setPlay sets what the player is to play.
func (r *room) setPlay(want wire.BenchPlay) {
	r.t.Helper()
	if err := r.player.SetState(want); err != nil {
		r.t.Fatal(err)
	}
}

// playPaces makes the guests act in n paces, and the room handle the results.
func (r *room) playPaces(n int) {
	for range n {
		r.player.playNextDeed(r.t.Context(), r.player.State())
		r.passTime(0)
	}
}

// playEvening plays until there is a result, and returns the number of paces.
func (r *room) playEvening(state wire.BenchPlay) int {
	r.t.Helper()
	r.setPlay(state)
	for n := range 4000 {
		v := r.game.View(engine.Public)
		if v.Result != nil && n > 0 && !r.isNewEvening() {
			return n
		}
		r.player.playNextDeed(r.t.Context(), r.player.State())
		r.passTime(0)
	}
	r.t.Fatalf("%s, seed %d has no end: %s, %v, hands %+v", state.Game, state.Seed, r.game.View(engine.Public).Phase,
		r.game.View(engine.Public).Active, r.player.State())
	return 0
}

func (r *room) isNewEvening() bool {
	r.player.mu.Lock()
	defer r.player.mu.Unlock()
	return r.player.newEvening
}

// TestEvenings: whole evenings of every game are played automatically, one after the other at one table, and no guest
// is refused an act that it was offered. In a Cluedo the guests sometimes find the solution; in all games cards are
// read.
func TestEvenings(t *testing.T) {
	seed := randtest.NewSeed(t)
	r := newRoom(t)
	solved := 0
	for n := range uint32(4) {
		for _, game := range allGames {
			paces := r.playEvening(wire.BenchPlay{On: true, Speed: 8, Game: game, Seed: uint32(seed)%1_000_000 + n})
			v := r.game.View(engine.Public)
			if game != "huis-clos" && len(v.Result.Winners) > 0 {
				solved++
			}
			if t.Failed() {
				t.Fatalf("%s, seed %d", game, r.player.State().Seed)
			}
			t.Logf("%s: %d paces, %s", game, paces, v.Result.Rule)
		}
	}
	if solved < 4 {
		t.Errorf("%d of 12 Cluedos are solved: guests learn nothing", solved)
	}
}

// TestSeed: the same seed plays the same evening again, whatever was played before, and another seed plays another.
func TestSeed(t *testing.T) {
	for _, game := range allGames {
		var stories []string
		for _, seed := range []uint32{7, 8, 7} {
			r := newRoom(t)
			if len(stories) == 2 {
				r.playEvening(wire.BenchPlay{On: true, Speed: 1, Game: "cluedo-classic", Seed: 3})
			}
			r.playEvening(wire.BenchPlay{On: true, Speed: 1, Game: game, Seed: seed})
			stories = append(stories, strings.Join(r.story, "\n"))
		}
		if stories[0] != stories[2] {
			t.Errorf("%s: the same seed plays another evening:\n%s\n\n%s", game, stories[0], stories[2])
		}
		if stories[0] == stories[1] {
			t.Errorf("%s: another seed plays the same evening", game)
		}
	}
}

// TestMine: no guest acts for a seat that a person plays, and the evening waits for it while its phone is connected.
// After that, guests play it.
func TestMine(t *testing.T) {
	for _, game := range allGames {
		r := newRoom(t)
		r.online = []engine.Seat{2}
		r.setPlay(wire.BenchPlay{On: true, Speed: 1, Game: game, Seed: 5, Mine: []engine.Seat{1, 2}})
		r.playPaces(400)
		if n := r.acted[2]; n > 0 {
			t.Errorf("%s: guests acted %d times for the seat of a person", game, n)
		}
		if v := r.game.View(engine.Public); v.Phase == engine.PhaseLobby || v.Result == nil && !slices.Contains(v.Active, 2) {
			t.Errorf("%s: in %s the table waits for %v, want for seat-2", game, v.Phase, v.Active)
		}
		if s := r.player.State().Mine; !slices.Equal(s, []engine.Seat{2}) {
			t.Errorf("%s: the phone of seat-1 was never there, and people play %v", game, s)
		}
		r.online = nil
		var waited time.Duration
		for waited < absenceLimit+pace && len(r.player.State().Mine) > 0 {
			waited += r.player.playNextDeed(t.Context(), r.player.State())
		}
		if waited != absenceLimit {
			t.Errorf("%s: guests take a seat over %v after its phone has gone, want %v", game, waited, absenceLimit)
		}
	}
}

// TestNextEvening: after an evening the next one begins, with the next seed, at any speed only after there was time to
// read the result. While the game is paused no guest acts.
func TestNextEvening(t *testing.T) {
	r := newRoom(t)
	r.playEvening(wire.BenchPlay{On: true, Speed: wire.MaxSpeed, Game: "cluedo-classic", Seed: 41})
	var shown time.Duration
	for r.player.State().Seed == 41 {
		shown += r.player.playNextDeed(t.Context(), r.player.State())
	}
	if shown != endPaces*pace {
		t.Errorf("the end is shown for %v, want %v", shown, endPaces*pace)
	}
	r.playPaces(1)
	if s := r.player.State(); s.Seed != 42 || r.game.View(engine.Public).Result != nil {
		t.Errorf("after the evening of seed 41 comes %d, over %t", s.Seed, r.game.View(engine.Public).Result != nil)
	}
	r.paused = &engine.Msg{}
	before := r.rev
	for range 20 {
		r.player.playNextDeed(t.Context(), r.player.State())
	}
	if r.rev != before {
		t.Error("guests act while the game is paused")
	}
	r.setPlay(wire.BenchPlay{On: true, Speed: 1, Game: "huis-clos", Seed: 1})
	r.broken = true
	if r.player.playNextDeed(t.Context(), r.player.State()); r.played == "huis-clos" {
		t.Error("another evening begins while the table can record nothing")
	}
	r.broken, r.paused = false, &engine.Msg{}
	if r.player.playNextDeed(t.Context(), r.player.State()); r.played != "huis-clos" {
		t.Error("no other evening begins while somebody has stopped the game")
	}
}

// TestGuestsActOnlyWhileTurnedOn: guests act only while they are turned on.
func TestGuestsActOnlyWhileTurnedOn(t *testing.T) {
	r := newRoom(t)
	acts := make(chan struct{}, 1)
	p := New(Opts{Table: r, Cards: r.cards, Players: r.playersFor, After: r.passTime, Changed: func() {
		select {
		case acts <- struct{}{}:
		default:
		}
	}})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	if err := p.SetState(wire.BenchPlay{On: true, Speed: wire.MaxSpeed, Game: "huis-clos", Seed: 1}); err != nil {
		t.Fatal(err)
	}
	<-acts // the one that Set causes
	go func() { p.Run(ctx); close(ended) }()
	for p.State().Did == nil {
		<-acts
	}
	p.HandleManualMove()
	if s := p.State(); s.On || s.Did != nil {
		t.Errorf("stopped it is %+v", s)
	}
	stop()
	<-ended
}

// TestWishesHold: a wish that comes in during a guest's act applies, whatever the result of the act.
func TestWishesHold(t *testing.T) {
	p := newRoom(t).player
	want := wire.BenchPlay{On: true, Speed: 1, Game: "super-cluedo", Seed: 3, Mine: []engine.Seat{}}
	if err := p.SetState(want); err != nil {
		t.Fatal(err)
	}
	p.scheduleNextEvening("cluedo-classic")
	if s := p.State(); s.Game != want.Game || s.Seed != want.Seed {
		t.Errorf("the end of an evening begins %s, seed %d; seed %d of %s was asked for", s.Game, s.Seed, want.Seed, want.Game)
	}
	p.markBegun(wire.BenchPlay{Game: "cluedo-classic", Seed: 9})
	if !p.needsNewEvening() {
		t.Error("an evening that began before is taken for the one that was asked for")
	}
	p.markBegun(want)
	p.HandleManualMove()
	if p.publishDeed(wire.BenchDeed{Seat: 1}); p.State().Did != nil {
		t.Error("after the guests were stopped an act of one is reported")
	}
}

// TestPeople: a person who acts from the phone of a seat plays that seat. While a person plays, a hand on the table is
// taken for theirs; otherwise it stops the guests.
func TestPeople(t *testing.T) {
	r := newRoom(t)
	play := func(n int) []engine.Seat {
		r.playPaces(n)
		return r.player.State().Mine
	}
	r.setPlay(wire.BenchPlay{On: true, Speed: 1, Game: "cluedo-classic", Seed: 5})
	if mine := play(60); len(mine) > 0 || r.acted[1] == 0 {
		t.Fatalf("guests act by phones, %d times for seat-1, and people play %v", r.acted[1], mine)
	}
	r.person[3] = 17
	if mine := play(1); !slices.Equal(mine, []engine.Seat{3}) {
		t.Errorf("somebody has acted by a phone of seat-3, and people play %v", mine)
	}
	<-r.player.wakeCh // sent by Set
	if r.player.HandleManualMove(); !r.player.State().On || r.player.State().Did != nil {
		t.Error("a hand of a person among the guests sends them away, or is reported as one of theirs")
	}
	select {
	case <-r.player.wakeCh:
		t.Error("a hand of a person among the guests hurries them")
	default:
	}
	r.setPlay(wire.BenchPlay{On: true, Speed: 1, Game: "cluedo-classic", Seed: 5})
	if mine := play(1); len(mine) > 0 {
		t.Errorf("a seat that was given back is taken by what was done before: %v", mine)
	}
	if r.player.HandleManualMove(); r.player.State().On {
		t.Error("a hand on the table does not send the guests away")
	}
}

// TestAnotherGame: a game that a person has begun is named as the game that it is, with no seed.
func TestAnotherGame(t *testing.T) {
	r := newRoom(t)
	r.setPlay(wire.BenchPlay{On: true, Speed: 1, Game: "cluedo-classic", Seed: 5})
	r.playPaces(9)
	r.beginGame("huis-clos")
	r.shown = r.game
	r.player.playNextDeed(t.Context(), r.player.State())
	if s := r.player.State(); s.Game != "huis-clos" || s.Seed != 0 {
		t.Errorf("the host has begun Huis Clos, and the evening is %s, seed %d", s.Game, s.Seed)
	}
}

// TestStoppedGuestsGoOnAfterAWhile: guests that were stopped go on after a while, but not while something happens at the table.
func TestStoppedGuestsGoOnAfterAWhile(t *testing.T) {
	r := newRoom(t)
	rests := make(chan chan time.Time)
	o := r.player.opts
	o.ResumeAfter = time.Minute
	o.After = func(d time.Duration) <-chan time.Time {
		ends := make(chan time.Time)
		if d == time.Minute {
			rests <- ends
		}
		return ends
	}
	changed := make(chan struct{}, 1)
	o.Changed = func() { changed <- struct{}{} }
	ctx, stop := context.WithCancel(t.Context())
	p := New(o)
	ended := make(chan struct{})
	go func() { defer close(ended); p.Run(ctx) }()
	ends := <-rests
	r.rev++ // Run is waiting now
	ends <- time.Time{}
	ends = <-rests // something has happened meanwhile
	if p.State().On {
		t.Error("guests go on while others play")
	}
	go func() { ends <- time.Time{} }()
	<-changed
	if !p.State().On {
		t.Error("guests that were left alone do not go on")
	}
	stop()
	for {
		select {
		case <-rests:
		case <-ended:
			return
		}
	}
}

// TestAbsence: each seat has its own limit of absence, which begins again when its phone returns.
func TestAbsence(t *testing.T) {
	p := newRoom(t).player
	mine := []engine.Seat{1, 2}
	wait := func(online ...engine.Seat) []engine.Seat {
		u := wire.Update{View: engine.View{Active: mine}, Table: wire.TableView{Online: online}}
		return p.releaseAbsentSeats(u, mine, absenceLimit/3)
	}
	for _, step := range []struct{ online, want []engine.Seat }{
		{[]engine.Seat{2}, mine}, {[]engine.Seat{2}, mine}, {nil, []engine.Seat{2}}, // seat 2 has been away for a third of the limit
	} {
		if got := wait(step.online...); !slices.Equal(got, step.want) {
			t.Errorf("with %v at the table people play %v, want %v", step.online, got, step.want)
		}
	}
	for _, online := range [][]engine.Seat{nil, nil, {1, 2}, nil, nil} {
		if got := wait(online...); len(got) != 2 {
			t.Errorf("seats whose phones came back are given away: people play %v", got)
		}
	}
}

// TestRestart: after a restart the guests go on with the evening on the table, with the same settings.
func TestRestart(t *testing.T) {
	r := newRoom(t)
	o := r.player.opts
	o.File = filepath.Join(t.TempDir(), "evening.json")
	r.player = New(o)
	want := wire.BenchPlay{On: true, Speed: 4, Game: "cluedo-classic", Seed: 9, Mine: []engine.Seat{2}}
	r.setPlay(want)
	r.playPaces(30)
	v := r.game.View(engine.Public)
	r.player = New(o)
	if got := r.player.State(); !reflect.DeepEqual(got, want) {
		t.Errorf("after a restart it is %+v, want %+v", got, want)
	}
	r.player.playNextDeed(t.Context(), r.player.State())
	if now := r.game.View(engine.Public); now.Phase != v.Phase || now.LastHappeningNumber() < v.LastHappeningNumber() {
		t.Errorf("after a restart the game starts again: %s, %d after %s, %d", now.Phase, now.LastHappeningNumber(), v.Phase,
			v.LastHappeningNumber())
	}
	want = wire.BenchPlay{On: true, Speed: 4, Game: "super-cluedo", Seed: 9, Mine: []engine.Seat{}}
	r.setPlay(want)
	r.player = New(o)
	if r.player.playNextDeed(t.Context(), r.player.State()); r.played != "super-cluedo" {
		t.Errorf("an evening that was asked for before a restart does not begin after it: %s lies on the table", r.played)
	}
	if err := os.WriteFile(o.File, []byte(`{"speed":99}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := New(o).State(); got.Speed != 1 || got.On {
		t.Errorf("it reads %+v from a file that makes no sense", got)
	}
}

// TestGoesOn: guests who join a game that people have begun go on with it; asked a second time, they begin a new one.
func TestGoesOn(t *testing.T) {
	r := newRoom(t)
	r.setPlay(wire.BenchPlay{On: true, Speed: 1, Game: "huis-clos", Seed: 1})
	r.playPaces(20)
	r.player = New(r.player.opts)
	before := r.game.View(engine.Public).LastHappeningNumber()
	play := func(seed uint32) int {
		t.Helper()
		r.setPlay(wire.BenchPlay{On: true, Speed: 1, Game: "huis-clos", Seed: seed, Mine: []engine.Seat{3, 1, 3}})
		r.playPaces(1)
		return r.game.View(engine.Public).LastHappeningNumber()
	}
	if now := play(5); now < before {
		t.Errorf("the guests have started again: %d things have happened, %d before", now, before)
	}
	if mine := r.player.State().Mine; !slices.Equal(mine, []engine.Seat{1, 3}) {
		t.Errorf("a person plays %v", mine)
	}
	if now := play(6); now != 0 {
		t.Errorf("another evening begins with %d things that have happened", now)
	}
}

func TestSetRefuses(t *testing.T) {
	p := newRoom(t).player
	for _, bad := range []wire.BenchPlay{
		{},
		{Speed: wire.MaxSpeed + 1},
		{Speed: 1, Game: "chess"},
		{Speed: 1, Mine: []engine.Seat{engine.MaxSeats + 1}},
	} {
		if err := p.SetState(bad); !errors.Is(err, ErrInvalidState) {
			t.Errorf("%s: %v", fmt.Sprintf("%+v", bad), err)
		}
	}
	if s := p.State(); s.On || s.Speed != 1 {
		t.Errorf("the refused request gives %+v", s)
	}
}

// TestGuestsTakeByCard checks that a guest never takes a clue by the act that no card can do: the card on the bench would stay where
// it lay.
func TestGuestsTakeByCard(t *testing.T) {
	card := []engine.Param{{Name: "card", Domain: []string{"1", "2"}}}
	v := engine.View{Offers: []engine.Offer{{Act: "take-last", Params: card}, {Act: "take", Params: card}}}
	for seed := range uint64(100) {
		if act, _, ok := chooseAct(v, NewDice(seed)); !ok || act != "take" {
			t.Fatalf("seed %d: %s %v", seed, act, ok)
		}
	}
}
