package autoplay

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"majordome/cmd/majordome/house"
	"majordome/companion/wire"
	"majordome/engine"
)

// guestNames are the names of the guests.
var guestNames = [...]string{"Anne", "Bruno", "Chloé", "David"}

// GuestPlayers returns the players of a game with that cast (deck.Deck.DemoCast): four, or fewer if the cast is smaller.
func GuestPlayers(cast []engine.ID) (all []house.Player) {
	for i, who := range cast[:min(len(cast), len(guestNames))] {
		all = append(all, house.Player{Name: guestNames[i], Character: who})
	}
	return all
}

// maxEvening is the time after which an evening without an end is stopped.
const maxEvening = 2 * time.Hour

// PlayEvening plays one evening of a game at a table in memory, at the pace of people, until a while after its end or
// until ctx ends. show is called for each public update from the first after the lobby on; story is the JSON of
// wire.Story once the game is over, nil before. show must not block.
//
// The table has only the rules and the guests: no reader, phone, light or store, and no knowledge of another table. The
// updates are public, of an invented game, and marked as such (wire.Update.Demo). Their epoch is 0, which no start of
// the daemon has.
func PlayEvening(ctx context.Context, seed uint32, book engine.Rulebook, cast []engine.ID, show func(u wire.Update, story []byte)) {
	ctx, cancel := context.WithTimeout(ctx, maxEvening)
	defer cancel()
	s := &eveningTable{
		game:       book.NewGame(),
		dice:       NewDice(0),
		clockStart: time.Now(),
		expired:    map[engine.Deadline]bool{},
		show:       show,
		stop:       cancel,
	}
	p := New(Opts{Table: s, Players: func(engine.ID) []house.Player { return GuestPlayers(cast) }, Dice: []*Dice{s.dice}})
	if err := p.SetState(wire.BenchPlay{On: true, Speed: 1, Game: book.ID(), Seed: seed}); err != nil {
		return // a game without a cast has no players
	}
	p.Run(ctx)
}

// eveningTable is the table of PlayEvening; only the goroutine of its player uses it. Deadlines are handled when the
// guests read the state of the table, at most one pace late.
type eveningTable struct {
	game       engine.Game
	dice       *Dice
	clockStart time.Time // when the game's clock was 0, plus its pauses
	lastTime   engine.Millis
	rev        uint64
	// lastSeen is the number of the last happening. Until revealEnd, when the display has played it, no one acts and
	// the clock is stopped.
	lastSeen  int
	revealEnd time.Time
	expired   map[engine.Deadline]bool // deadlines that have been handled
	show      func(wire.Update, []byte)
	stop      func()
}

// gameTime returns the clock of the game.
func (s *eveningTable) gameTime() engine.Millis {
	return engine.Millis(time.Since(s.clockStart).Milliseconds())
}

// Snapshot implements Table. It first handles the deadlines that have passed. It returns false if there was one, or
// while the display plays a reveal, so that no guest acts then.
func (s *eveningTable) Snapshot(v engine.Viewer) (wire.Update, bool) {
	if time.Now().Before(s.revealEnd) {
		return wire.Update{}, false
	}
	came := false
	for _, d := range s.game.Deadlines() {
		if d.At <= s.gameTime() && !s.expired[d] {
			came, s.expired[d] = true, true
			s.decideAndShow(engine.Command{By: engine.Public, Act: engine.ActDeadline, Args: engine.Args{"id": d.ID}})
		}
	}
	return s.buildUpdate(v), !came
}

// LastPlayerActs implements Table: nobody but the guests plays.
func (*eveningTable) LastPlayerActs(engine.Seat) (none [wire.MaxPhones]uint64) { return none }

// Act implements Table. The guests ask for another game some time after the end of this one: then the evening is over.
func (s *eveningTable) Act(phone wire.Handset, act wire.Act, reply func(wire.Reply)) {
	if act.Act == "new-game" {
		s.stop()
		reply(wire.Reply{ID: act.ID})
		return
	}
	reject := s.decideAndShow(engine.Command{By: phone.Viewer, Act: act.Act, Args: act.Args})
	reply(wire.Reply{ID: act.ID, OK: reject == nil, Reject: reject})
}

// decideAndShow executes a command and shows the result.
func (s *eveningTable) decideAndShow(c engine.Command) *engine.Reject {
	s.lastTime = max(s.lastTime, s.gameTime())
	c.At = s.lastTime
	game, events, reject := engine.DecideAndApply(s.game, c, s.dice)
	if len(events) == 0 {
		return reject
	}
	s.game = game
	s.rev++
	u := s.buildUpdate(engine.Public)
	reveal := time.Duration(wire.SceneMillis(u.View.HappeningsAfter(s.lastSeen))) * time.Millisecond
	s.lastSeen, s.revealEnd, s.clockStart = u.View.LastHappeningNumber(), time.Now().Add(reveal), s.clockStart.Add(reveal)
	if u.View.Phase != engine.PhaseLobby {
		u.Left = s.publicWindowLeft(u.View)
		s.show(u, s.encodeStory(u.View))
	}
	return reject
}

// buildUpdate returns the update for a viewer.
func (s *eveningTable) buildUpdate(v engine.Viewer) wire.Update {
	u := wire.Update{V: wire.Version, Rev: s.rev, Demo: true, View: s.game.View(v), Table: wire.TableView{Readers: map[string]string{},
		Online: []engine.Seat{}}}
	u.View.Readers = []engine.ReaderView{} // the view lists all readers that the rules allow
	for _, x := range u.View.Seats {
		u.Table.Online = append(u.Table.Online, x.Seat)
	}
	return u
}

// publicWindowLeft returns how long the public window of a Cluedo is still open, 0 if none is.
func (s *eveningTable) publicWindowLeft(v engine.View) engine.Millis {
	if v.Case == nil || !slices.ContainsFunc(s.game.Deadlines(), func(d engine.Deadline) bool { return d.At == v.Case.Closes }) {
		return 0
	}
	return max(0, v.Case.Closes-s.gameTime())
}

// encodeStory returns the JSON of the story once the game is over, nil before.
func (s *eveningTable) encodeStory(v engine.View) []byte {
	game, tells := s.game.(engine.Chronicler)
	if !tells || v.Result == nil {
		return nil
	}
	// these types can be encoded as JSON
	told, _ := json.Marshal(
		wire.Story{V: wire.Version, Game: v.Game, Chronicle: game.Chronicle(nil), Evening: wire.Evening{Played: s.lastTime}},
	)
	return told
}
