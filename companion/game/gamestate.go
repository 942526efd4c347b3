package game

import (
	"encoding/json"
	"fmt"
	"iter"

	"majordome/companion/master"
	"majordome/companion/proof"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Causes of steps that come from no viewer.
const (
	causeDeadline = "deadline"
	causeButton   = "button" // a button or a control card
)

const (
	actBegin = "begin" // an act of each game; the loop knows it because of the gate (master.Gatekeeper)
	yes      = "yes"
)

// storedCommand is the command of a step with the seed of its dice and the salt of its commitment, as the journal
// stores it. It may name a secret card.
type storedCommand struct {
	By   string      `json:"by"`
	Act  string      `json:"act"`
	Args engine.Args `json:"args,omitempty"`
	Seed uint64      `json:"seed"`
	Salt string      `json:"salt,omitempty"` // a proof.Salt
	// Joint is the seed of the whole game, a proof.Joint, if phones have added to it. It is in the command that begins the game.
	Joint string `json:"joint,omitempty"`
	Draw  int    `json:"draw,omitempty"` // which draw of this act from Joint has decided this step; 0: none
}

// cachedGame is a game with its views and its story, each built at most once.
type cachedGame struct {
	engine.Game
	public *engine.View  // nil until publicView is called before currentViews
	views  *engine.Views // nil until currentViews is called
	story  []byte        // nil until storyJSON is called
}

// storyJSON returns the story of a game that is over as the JSON of a wire.Story; nil for any other game.
func (m *cachedGame) storyJSON(evening func() wire.Evening, votes func() []engine.Suspicion) []byte {
	all, ok := m.Game.(engine.Chronicler)
	if view := &m.currentViews().Public; ok && m.story == nil && view.Result != nil {
		// These types always encode.
		m.story, _ = json.Marshal(wire.Story{V: wire.Version, Game: view.Game, Chronicle: all.Chronicle(votes()), Evening: evening()})
	}
	return m.story
}

// currentViews returns the views of all viewers. They share slices, which are read-only.
func (m *cachedGame) currentViews() *engine.Views {
	switch {
	case m.views != nil:
	case m.public != nil:
		m.views = engine.BuildViewsFrom(m.Game, *m.public)
	default:
		m.views = engine.BuildViews(m.Game)
	}
	return m.views
}

// publicView returns the public view, without building those of the seats. It is read-only.
func (m *cachedGame) publicView() *engine.View {
	if m.views != nil {
		return &m.views.Public
	}
	if m.public == nil {
		v := m.View(engine.Public)
		m.public = &v
	}
	return m.public
}

// gameState is a game with the state that the loop derives from its events.
type gameState struct {
	game         *cachedGame
	lastStep     int64         // number of the last step on disk
	lastStamp    engine.Millis // time stamp of that step
	lastGameStep int64         // number of the last step of the game itself
	beganAt      engine.Millis // time stamp of its beginning
	playedUntil  engine.Millis // time stamp of its last step
	group        undoGroup
	commitment   commitment
	joint        *proof.Joint // the seed of the draws of this game; nil: each has a seed of its own
	draws        drawCounts   // draws that are not undone
}

// undoGroup holds the steps that undo takes back: the last step by an actor, and the deadlines that expired
// after it. A deadline is never undone on its own, because it would expire again at once.
type undoGroup struct {
	step    int64         // 0: there is nothing to undo
	at      engine.Millis // its time stamp
	cause   string
	command storedCommand
	barrier bool        // a player has seen something by it
	before  *cachedGame // the game before it
}

// gameStep is one step, played now or read from the journal.
type gameStep struct {
	events    []engine.Event
	cause     string
	at        engine.Millis
	command   storedCommand
	committed []byte // see committedBytes
}

// withStep returns the state after one more step, which has led to game.
func (p gameState) withStep(played gameStep, game engine.Game) gameState {
	before := p.game
	p.lastStep++
	p.lastGameStep = p.lastStep
	p.lastStamp, p.playedUntil = max(p.lastStamp, played.at), played.at
	if played.command.Act == actBegin {
		p.beganAt = played.at
		p.joint, _ = proof.ParseJoint(played.command.Joint)
	}
	p.draws = p.draws.withDraw(played.command.Act, played.command.Draw)
	barrier := false
	p.game = &cachedGame{Game: game}
	p.commitment = p.commitment.withStep(&played, before, p.game)
	for _, e := range played.events {
		b, ok := e.(engine.Barrier)
		barrier = barrier || ok && b.IsBarrier()
	}
	switch {
	case played.cause != causeDeadline:
		p.group = undoGroup{step: p.lastStep, at: played.at, cause: played.cause, command: played.command, barrier: barrier, before: before}
	case p.group.step != 0:
		p.group.barrier = p.group.barrier || barrier
	}
	return p
}

// replayGame returns the state that follows from all events of a game.
func replayGame(book engine.Rulebook, rows []store.Event) (gameState, error) {
	live, step, last, err := stepsNotUndone(rows)
	if err != nil {
		return gameState{}, err
	}
	p := gameState{game: &cachedGame{Game: book.NewGame()}}
	for _, s := range live {
		c, err := decodeStep(book, s)
		if err != nil {
			return gameState{}, err
		}
		p.lastStep = s[0].Step - 1 // a group is known by the number of its step on disk
		p = p.withStep(c, p.game.Apply(c.events...))
	}
	p.lastStep, p.lastStamp = step, last
	return p, nil
}

// FinalHouseRules returns the house rules in force at the end of a stored game.
func FinalHouseRules(book engine.Rulebook, rows []store.Event) (map[string]string, error) {
	p, err := replayGame(book, rows)
	if err != nil {
		return nil, fmt.Errorf("game: switches: %w", err)
	}
	return p.game.View(engine.Public).Switches, nil
}

// stepsNotUndone returns the steps of the game that no undo has made void, and the number and time stamp of the last
// step on disk.
func stepsNotUndone(rows []store.Event) (live [][]store.Event, newestStep int64, lastStamp engine.Millis, err error) {
	for one := range stepsIn(rows) {
		newestStep, lastStamp = one[0].Step, max(lastStamp, one[0].At)
		if _, own := nonStepKinds[one[0].Kind]; own {
			continue
		}
		if one[0].Kind != master.KindUndo {
			live = append(live, one)
		} else if live, err = removeUndoneGroup(live, one[0]); err != nil {
			return nil, 0, 0, err
		}
	}
	return live, newestStep, lastStamp, nil
}

// stepsIn returns the events of each step.
func stepsIn(rows []store.Event) iter.Seq[[]store.Event] {
	return func(yield func([]store.Event) bool) {
		for len(rows) > 0 {
			n := 1
			for n < len(rows) && rows[n].Step == rows[0].Step {
				n++
			}
			if !yield(rows[:n]) {
				return
			}
			rows = rows[n:]
		}
	}
}

func removeUndoneGroup(live [][]store.Event, undo store.Event) ([][]store.Event, error) {
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

func decodeStep(book engine.Rulebook, rows []store.Event) (gameStep, error) {
	c := gameStep{events: make([]engine.Event, len(rows)), cause: rows[0].Cause, at: rows[0].At}
	for i, r := range rows {
		e, err := book.DecodeEvent(r.Kind, r.Data)
		if err != nil {
			return gameStep{}, fmt.Errorf("event %d (%s): %w", r.N, r.Kind, err)
		}
		c.events[i] = e
	}
	if len(rows[0].Command) > 0 && json.Unmarshal(rows[0].Command, &c.command) != nil { // the error of Unmarshal would quote it
		return gameStep{}, fmt.Errorf("event %d (%s): a damaged command", rows[0].N, rows[0].Kind)
	}
	return c, nil
}

func encodeStep(book engine.Rulebook, played *gameStep, stepNumber int64) ([]store.Event, error) {
	rows := make([]store.Event, len(played.events))
	for i, e := range played.events {
		data, err := book.EncodeEvent(e)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", e.Kind(), err)
		}
		rows[i] = store.Event{Step: stepNumber, Cause: played.cause, Kind: e.Kind(), Data: data, At: played.at}
	}
	rows[0].Command = played.encodeCommand()
	return rows, nil
}

// eventsOfLobby returns the steps before the first change of phase: seats and house rules. The next game at the
// same table begins with them, each with a new salt: a step of an older version has none, and those of the last
// evening are known to a reader of its script.
func eventsOfLobby(book engine.Rulebook, rows []store.Event, newSalt func() proof.Salt) ([]store.Event, error) {
	live, _, _, err := stepsNotUndone(rows)
	if err != nil {
		return nil, err
	}
	game := book.NewGame()
	phase := game.Progress().Phase
	var first []store.Event
	for n, s := range live {
		c, err := decodeStep(book, s)
		if err != nil {
			return nil, err
		}
		game = game.Apply(c.events...)
		if game.Progress().Phase != phase {
			break
		}
		for _, r := range s {
			if len(r.Command) > 0 {
				c.command.Salt = newSalt().Text()
				r.Command = mustJSON(c.command)
			}
			first = append(first, store.Event{Step: int64(n + 1), Cause: r.Cause, Kind: r.Kind, Data: r.Data, Command: r.Command})
		}
	}
	return first, nil
}

// mustJSON encodes a value of this program's own types, which always encode.
func mustJSON(data any) []byte {
	text, err := json.Marshal(data)
	if err != nil {
		panic("game: encode: " + err.Error())
	}
	return text
}

// OtherDeckError reports that the events of the current game do not fit its rulebook: the owner has edited the
// deck since.
type OtherDeckError struct {
	Game  store.Game
	Cause error
}

// Error does not include the cause, which may quote the game.
func (e *OtherDeckError) Error() string {
	return fmt.Sprintf("game: open the game: %s was played with another deck", e.Game.Book)
}

// Unwrap returns the cause.
func (e *OtherDeckError) Unwrap() error { return e.Cause }

// Msg returns a message that says what is wrong and what to do.
func (e *OtherDeckError) Msg() engine.Msg { return engine.NewMsg("table.other-deck") }
