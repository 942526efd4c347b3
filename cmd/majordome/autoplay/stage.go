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

// names are those of the guests.
var names = [...]string{"Anne", "Bruno", "Chloé", "David"}

// Guests are those who sit down in a game with that cast (deck.Deck.Cast): four, or as many as it has.
func Guests(cast []engine.ID) (all []house.Player) {
	for i, who := range cast[:min(len(cast), len(names))] {
		all = append(all, house.Player{Name: names[i], Character: who})
	}
	return all
}

// longest is after how long an evening is broken off that nobody brings to its end.
const longest = 2 * time.Hour

// Evening plays one evening of a game at a table in memory, at the pace of people, until a while after its end or until ctx ends.
// show is called for each update that everybody sees, from the first after the lobby on, with the JSON of wire.Story once the game is
// over and nil before; it must not block.
//
// The table has nothing but the rules and the guests: no reader, phone, light or store, and it knows of no other table. What is
// shown is public and of an invented game, and says so (wire.Update.Demo). Its epoch is 0, which no start of the daemon has.
func Evening(ctx context.Context, seed uint32, book engine.Rulebook, cast []engine.ID, show func(u wire.Update, story []byte)) {
	ctx, over := context.WithTimeout(ctx, longest)
	defer over()
	s := &stage{game: book.New(), dice: NewDice(0), began: time.Now(), spent: map[engine.Deadline]bool{}, show: show, over: over}
	p := New(Opts{Table: s, Sit: func(engine.ID) []house.Player { return Guests(cast) }, Dice: []*Dice{s.dice}})
	if err := p.Set(wire.BenchPlay{On: true, Speed: 1, Game: book.ID(), Seed: seed}); err != nil {
		return // nobody can sit down in a game without a cast
	}
	p.Run(ctx)
}

// stage is the table of Evening, in the goroutine of its player. What falls due comes when the guests look at the table again, a pace later
// at most.
type stage struct {
	game  engine.Game
	dice  *Dice
	began time.Time // when the clock of the game showed 0, had it never stood
	at    engine.Millis
	rev   uint64
	// told is the number of what has happened last, revealed when the display has played it: until then nobody acts and the clock stands.
	told     int
	revealed time.Time
	spent    map[engine.Deadline]bool // deadlines that have come
	show     func(wire.Update, []byte)
	over     func()
}

// now is the clock of the game.
func (s *stage) now() engine.Millis { return engine.Millis(time.Since(s.began).Milliseconds()) }

// Snapshot implements Table. Nobody is shown anything while the display plays a reveal, or when a deadline has just come: so nobody acts.
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

// Act implements Table. The guests ask for another game once the end of this one has been seen: then the evening is over.
func (s *stage) Act(phone wire.Handset, act wire.Act, reply func(wire.Reply)) {
	if act.Act == "new-game" {
		s.over()
		reply(wire.Reply{ID: act.ID})
		return
	}
	reject := s.decide(engine.Command{By: phone.Viewer, Act: act.Act, Args: act.Args})
	reply(wire.Reply{ID: act.ID, OK: reject == nil, Reject: reject})
}

// decide does a command and shows what has come of it.
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

// update is what a viewer is shown.
func (s *stage) update(v engine.Viewer) wire.Update {
	u := wire.Update{V: wire.Version, Rev: s.rev, Demo: true, View: s.game.View(v), Table: wire.TableView{Readers: map[string]string{}, Online: []engine.Seat{}}}
	u.View.Readers = []engine.ReaderView{} // the rules name those that there could be
	for _, x := range u.View.Seats {
		u.Table.Online = append(u.Table.Online, x.Seat)
	}
	return u
}

// left is for how long the window is open that everybody sees.
func (s *stage) left(v engine.View) engine.Millis {
	if v.Case == nil || !slices.ContainsFunc(s.game.Deadlines(), func(d engine.Deadline) bool { return d.At == v.Case.Closes }) {
		return 0
	}
	return max(0, v.Case.Closes-s.now())
}

// story is the JSON of the story once the game is over.
func (s *stage) story(v engine.View) []byte {
	game, tells := s.game.(engine.Chronicler)
	if !tells || v.Result == nil {
		return nil
	}
	told, _ := json.Marshal(wire.Story{V: wire.Version, Game: v.Game, Chronicle: game.Chronicle(), Evening: wire.Evening{Played: s.at}}) // of types that JSON can hold
	return told
}
