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
var names = [...]string{"Anne", "Bruno", "Chloé", "David"}

// Guests returns the players of a game with that cast (deck.Deck.Cast): four, or fewer if the cast is smaller.
func Guests(cast []engine.ID) (all []house.Player) {
	for i, who := range cast[:min(len(cast), len(names))] {
		all = append(all, house.Player{Name: names[i], Character: who})
	}
	return all
}

// maxEvening is the time after which an evening without an end is stopped.
const longest = 2 * time.Hour

// PlayEvening plays one evening of a game at a table in memory, at the pace of people, until a while after its end or
// until ctx ends. show is called for each public update from the first after the lobby on; story is the JSON of
// wire.Story once the game is over, nil before. show must not block.
//
// The table has only the rules and the guests: no reader, phone, light or store, and no knowledge of another table. The
// updates are public, of an invented game, and marked as such (wire.Update.Demo). Their epoch is 0, which no start of
// the daemon has.
func Evening(ctx context.Context, seed uint32, book engine.Rulebook, cast []engine.ID, show func(u wire.Update, story []byte)) {
	ctx, over := context.WithTimeout(ctx, longest)
	defer over()
	s := &stage{game: book.New(), dice: NewDice(0), began: time.Now(), spent: map[engine.Deadline]bool{}, show: show, over: over}
	p := New(Opts{Table: s, Sit: func(engine.ID) []house.Player { return Guests(cast) }, Dice: []*Dice{s.dice}})
	if err := p.Set(wire.BenchPlay{On: true, Speed: 1, Game: book.ID(), Seed: seed}); err != nil {
		return // a game without a cast has no players
	}
	p.Run(ctx)
}

// eveningTable is the table of PlayEvening; only the goroutine of its player uses it. Deadlines are handled when the
// guests read the state of the table, at most one pace late.
type stage struct {
	game  engine.Game
	dice  *Dice
	began time.Time // when the game's clock was 0, plus its pauses
	at    engine.Millis
	rev   uint64
	// lastSeen is the number of the last happening. Until revealEnd, when the display has played it, no one acts and
	// the clock is stopped.
	told     int
	revealed time.Time
	spent    map[engine.Deadline]bool // deadlines that have been handled
	show     func(wire.Update, []byte)
	over     func()
}

// gameTime returns the clock of the game.
func (s *stage) now() engine.Millis { return engine.Millis(time.Since(s.began).Milliseconds()) }

// Snapshot implements Table. It returns false while the display plays a reveal, or if a deadline has just passed, so
// that no guest acts then.
func (s *stage) Snapshot(v engine.Viewer) (wire.Update, bool) {
	if time.Now().Before(s.revealed) {
		return wire.Update{}, false
	}
	came := false
	for _, d := range s.game.Deadlines() {
		if d.At <= s.now() && !s.spent[d] {
			came, s.spent[d] = true, true
			s.decide(engine.Command{By: engine.Public, Act: engine.ActDeadline, Args: engine.Args{"id": d.ID}})
		}
	}
	return s.update(v), !came
}

// Act implements Table. The guests ask for another game some time after the end of this one: then the evening is over.
func (s *stage) Act(phone wire.Handset, act wire.Act, reply func(wire.Reply)) {
	if act.Act == "new-game" {
		s.over()
		reply(wire.Reply{ID: act.ID})
		return
	}
	reject := s.decide(engine.Command{By: phone.Viewer, Act: act.Act, Args: act.Args})
	reply(wire.Reply{ID: act.ID, OK: reject == nil, Reject: reject})
}

// decide executes a command and shows the result.
func (s *stage) decide(c engine.Command) *engine.Reject {
	s.at = max(s.at, s.now())
	c.At = s.at
	game, events, reject := engine.Play(s.game, c, s.dice)
	if len(events) == 0 {
		return reject
	}
	s.game = game
	s.rev++
	u := s.update(engine.Public)
	reveal := time.Duration(wire.Playing(u.View.Since(s.told))) * time.Millisecond
	s.told, s.revealed, s.began = u.View.Last(), time.Now().Add(reveal), s.began.Add(reveal)
	if u.View.Phase != engine.PhaseLobby {
		u.Left = s.left(u.View)
		s.show(u, s.story(u.View))
	}
	return reject
}

// buildUpdate returns the update for a viewer.
func (s *stage) update(v engine.Viewer) wire.Update {
	u := wire.Update{V: wire.Version, Rev: s.rev, Demo: true, View: s.game.View(v), Table: wire.TableView{Readers: map[string]string{},
		Online: []engine.Seat{}}}
	u.View.Readers = []engine.ReaderView{} // the view lists all readers that the rules allow
	for _, x := range u.View.Seats {
		u.Table.Online = append(u.Table.Online, x.Seat)
	}
	return u
}

// windowLeft returns how long the public window of a Cluedo is still open, 0 if none is.
func (s *stage) left(v engine.View) engine.Millis {
	if v.Case == nil || !slices.ContainsFunc(s.game.Deadlines(), func(d engine.Deadline) bool { return d.At == v.Case.Closes }) {
		return 0
	}
	return max(0, v.Case.Closes-s.now())
}

// encodeStory returns the JSON of the story once the game is over, nil before.
func (s *stage) story(v engine.View) []byte {
	game, tells := s.game.(engine.Chronicler)
	if !tells || v.Result == nil {
		return nil
	}
	// these types can be encoded as JSON
	told, _ := json.Marshal(wire.Story{V: wire.Version, Game: v.Game, Chronicle: game.Chronicle(), Evening: wire.Evening{Played: s.at}})
	return told
}
