package game

import (
	"encoding/json"
	"fmt"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Causes of steps that no viewer has brought about.
const (
	causeDeadline = "deadline"
)

// Kinds of the loop's own events that are no step of the game. Their cause is who.
const (
	kindSigned = "table.signed" // a game was closed
)

// loopKinds tell the minutes of them.
var loopKinds = []master.Kind{
	{Name: kindSigned, Minute: func(e store.Event) (engine.Msg, engine.Text) {
		var x signed
		master.Read(e, &x)
		return engine.Say("minutes.signed", "sign", x.Sign), engine.Text{}
	}},
}

// command is the command behind a step and the seed of its dice, as the store keeps
// it. It may name a secret card.
type command struct {
	By   string      `json:"by"`
	Act  string      `json:"act"`
	Args engine.Args `json:"args,omitempty"`
	Seed uint64      `json:"seed"`
}

// moment is a game as it stands, with what everybody sees of it.
type moment struct {
	engine.Game
	views *engine.Views // nil: nobody has looked yet
	story []byte        // nil: nobody has asked yet
}

// tell is the story of a game that is over (wire.Story), made once; nil of another game.
func (m *moment) tell(evening func() wire.Evening) []byte {
	all, ok := m.Game.(engine.Chronicler)
	if view := &m.look().Public; ok && m.story == nil && view.Result != nil {
		m.story, _ = json.Marshal(wire.Story{V: wire.Version, Game: view.Game, Chronicle: all.Chronicle(), Evening: evening()}) // of types that JSON can hold
	}
	return m.story
}

// look makes the views, once. They share lists that nobody may change.
func (m *moment) look() *engine.Views {
	if m.views == nil {
		m.views = engine.ViewsOf(m.Game)
	}
	return m.views
}

// past is a game and how it came about.
type past struct {
	game   *moment
	step   int64         // the last step on disk
	last   engine.Millis // its stamp
	moved  int64         // the last step of the game itself
	began  engine.Millis // the stamp of its beginning
	played engine.Millis // the stamp of its last step of the game
	group  group
}

// group is what undo takes back: the last step that somebody has brought about
// and the deadlines that came after it. A deadline alone is not master.Undone: its
// time is over, so it would come again at once.
type group struct {
	step    int64         // 0: there is nothing to take back
	at      engine.Millis // its stamp
	cause   string
	command command
	barrier bool    // somebody has seen something by it
	before  *moment // as it stood before
}

// chapter is one step as it is played or replayed.
type chapter struct {
	events  []engine.Event
	cause   string
	at      engine.Millis
	command command
}

// after is the past with one more step, by which the game became this one.
func (p past) after(c chapter, game engine.Game) past {
	before := p.game
	p.step++
	p.moved = p.step
	p.last, p.played = max(p.last, c.at), c.at
	if c.command.Act == actBegin {
		p.began = c.at
	}
	barrier := false
	p.game = &moment{Game: game}
	for _, e := range c.events {
		b, ok := e.(engine.Barrier)
		barrier = barrier || ok && b.Barrier()
	}
	switch {
	case c.cause != causeDeadline:
		p.group = group{step: p.step, at: c.at, cause: c.cause, command: c.command, barrier: barrier, before: before}
	case p.group.step != 0:
		p.group.barrier = p.group.barrier || barrier
	}
	return p
}

// fold is the past that the stored events tell.
func fold(book engine.Rulebook, rows []store.Event) (past, error) {
	live, step, last, err := liveSteps(rows)
	if err != nil {
		return past{}, err
	}
	p := past{game: &moment{Game: book.New()}}
	for _, s := range live {
		c, err := decode(book, s)
		if err != nil {
			return past{}, err
		}
		p.step = s[0].Step - 1 // a group is named by its step on disk
		p = p.after(c, p.game.Evolve(c.events...))
	}
	p.step, p.last = step, last
	return p, nil
}

// Switches are the house rules in force at the end of a stored game.
func Switches(book engine.Rulebook, rows []store.Event) (map[string]string, error) {
	p, err := fold(book, rows)
	if err != nil {
		return nil, fmt.Errorf("game: switches: %w", err)
	}
	return p.game.View(engine.Public).Switches, nil
}

// liveSteps are the steps that no undo has made void, and the number and stamp
// of the last step on disk.
func liveSteps(rows []store.Event) (live [][]store.Event, step int64, last engine.Millis, err error) {
	for i := 0; i < len(rows); {
		j := i + 1
		for j < len(rows) && rows[j].Step == rows[i].Step {
			j++
		}
		one := rows[i:j]
		step, last = one[0].Step, max(last, one[0].At)
		if _, own := ownKinds[one[0].Kind]; own {
			i = j
			continue
		}
		if one[0].Kind != master.KindUndo {
			live = append(live, one)
		} else if live, err = dropGroup(live, one[0]); err != nil {
			return nil, 0, 0, err
		}
		i = j
	}
	return live, step, last, nil
}

func dropGroup(live [][]store.Event, undo store.Event) ([][]store.Event, error) {
	n := len(live)
	for n > 0 && live[n-1][0].Cause == causeDeadline {
		n--
	}
	var u master.Undone
	if err := json.Unmarshal(undo.Data, &u); err != nil || n == 0 || live[n-1][0].Step != u.Step {
		return nil, fmt.Errorf("event %d: an undo of something else than the last act", undo.N)
	}
	return live[:n-1], nil
}

func decode(book engine.Rulebook, rows []store.Event) (chapter, error) {
	c := chapter{events: make([]engine.Event, len(rows)), cause: rows[0].Cause, at: rows[0].At}
	for i, r := range rows {
		e, err := book.DecodeEvent(r.Kind, r.Data)
		if err != nil {
			return chapter{}, fmt.Errorf("event %d (%s): %w", r.N, r.Kind, err)
		}
		c.events[i] = e
	}
	if len(rows[0].Command) > 0 && json.Unmarshal(rows[0].Command, &c.command) != nil { // its own message would quote it
		return chapter{}, fmt.Errorf("event %d (%s): a damaged command", rows[0].N, rows[0].Kind)
	}
	return c, nil
}

func encode(book engine.Rulebook, c chapter, step int64) ([]store.Event, error) {
	rows := make([]store.Event, len(c.events))
	for i, e := range c.events {
		data, err := book.EncodeEvent(e)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", e.Kind(), err)
		}
		rows[i] = store.Event{Step: step, Cause: c.cause, Kind: e.Kind(), Data: data, At: c.at}
	}
	var err error
	rows[0].Command, err = json.Marshal(c.command)
	return rows, err
}

// lobby are the steps of a game before its first change of phase: who sits
// where and which house rules hold. They open the next game of the same table.
func lobby(book engine.Rulebook, rows []store.Event) ([]store.Event, error) {
	live, _, _, err := liveSteps(rows)
	if err != nil {
		return nil, err
	}
	game := book.New()
	phase := game.View(engine.Public).Phase
	var first []store.Event
	for n, s := range live {
		c, err := decode(book, s)
		if err != nil {
			return nil, err
		}
		game = game.Evolve(c.events...)
		if game.View(engine.Public).Phase != phase {
			break
		}
		for _, r := range s {
			first = append(first, store.Event{Step: int64(n + 1), Cause: r.Cause, Kind: r.Kind, Data: r.Data, Command: r.Command})
		}
	}
	return first, nil
}
