package game

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"majordome/companion/master"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// MinutesLine is one line of the minutes of a game: something that all players saw, or that was done to the table.
type MinutesLine struct {
	Wall time.Time
	Said engine.Msg
	Text engine.Text // of a hint: fills the blank "text" of Said (MessageIn)
	Rule string      // the rule behind it; empty if it follows no rule of the game
	// By is "host", "host.2", "button", "vote", wire.ByProgram and a name, or wire.ByStaff, a role and a name; empty for lines of the game
	// about its players.
	By        string
	TakenBack bool // an undo has made it void
}

// MessageIn returns the message, with the text of a hint in a language ("fr" or "en").
func (m MinutesLine) MessageIn(lang string) engine.Msg {
	text := m.Text.FR // the language of a hint that was typed, and the fallback
	if lang == "en" && m.Text.EN != "" {
		text = m.Text.EN
	}
	if text == "" {
		return m.Said
	}
	return engine.NewMsg(m.Said.Key, "text", text)
}

// maxReaderAnswers is the number of answers of the readers that are kept.
const maxReaderAnswers = 200

// BuildMinutes returns the public minutes of a stored game, with the acts of the host and of buttons, the
// oldest first. They come from public views: nothing that only one seat saw is in them, and of a hint to a seat
// only that there was one.
func BuildMinutes(book engine.Rulebook, rows []store.Event) ([]MinutesLine, error) {
	m := minutesBuilder{game: book.NewGame()}
	for one := range stepsIn(rows) {
		if err := m.addStep(book, one); err != nil {
			return nil, fmt.Errorf("game: minutes: %w", err)
		}
	}
	return m.all, nil
}

// minutesBuilder builds the minutes step by step.
type minutesBuilder struct {
	game engine.Game
	all  []MinutesLine
	live []liveStep
}

// liveStep is a step that no undo has made void.
type liveStep struct {
	before        engine.Game
	cause         string
	minuteIndexes []int // indexes of its minutes
}

func (m *minutesBuilder) addStep(book engine.Rulebook, rows []store.Event) error {
	first := rows[0]
	if first.Kind == master.KindUndo {
		m.undoLast(first)
		return nil
	}
	if kind, own := nonStepKinds[first.Kind]; own {
		if kind.MinutesLine == nil {
			return nil
		}
		if said, text := kind.MinutesLine(first); !said.IsEmpty() {
			m.all = append(m.all, MinutesLine{Wall: first.Wall, Said: said, Text: text, By: namedAuthor(first.Cause)})
		}
		return nil
	}
	c, err := decodeStep(book, rows)
	if err != nil {
		return err
	}
	before := m.game
	was := before.View(engine.Public)
	m.game = before.Apply(c.events...)
	last := uint16(0)
	if n := len(was.Log); n > 0 {
		last = was.Log[n-1].N
	}
	rule := was.Rule
	if o, ok := findOverruleOffer(before, c.command); ok {
		rule = o.Rule
	}
	s := liveStep{before: before, cause: c.cause}
	for _, l := range m.game.View(engine.Public).Log {
		if l.N > last {
			s.minuteIndexes = append(s.minuteIndexes, len(m.all))
			m.all = append(m.all, MinutesLine{Wall: first.Wall, Said: *l.Msg, Rule: rule, By: namedAuthor(c.cause)})
		}
	}
	m.live = append(m.live, s)
	return nil
}

// undoLast marks the minutes of the last group of steps as void, as stepsNotUndone drops those steps.
func (m *minutesBuilder) undoLast(e store.Event) {
	for n := len(m.live) - 1; n >= 0; n-- {
		s := m.live[n]
		for _, i := range s.minuteIndexes {
			m.all[i].TakenBack = true
		}
		m.live, m.game = m.live[:n], s.before
		if s.cause != causeDeadline {
			break
		}
	}
	said := engine.NewMsg("minutes.undo")
	var u master.Undone
	if _ = json.Unmarshal(e.Data, &u); u.Insisted {
		said = engine.NewMsg("minutes.undo.insisted")
	}
	m.all = append(m.all, MinutesLine{Wall: e.Wall, Said: said, Rule: "GEN-009", By: namedAuthor(e.Cause)})
}

// findOverruleOffer returns the offer against the rules that a command of the host has used, if any.
func findOverruleOffer(g engine.Game, c storedCommand) (offer engine.Offer, found bool) {
	if c.By != engine.Host.String() {
		return engine.Offer{}, false
	}
	for _, o := range g.View(engine.Host).Offers {
		if o.Overrule && o.Act == c.Act {
			return o, true
		}
	}
	return engine.Offer{}, false
}

// namedAuthor returns the author to name for a cause; "" for acts of players, which the lines of the game name
// themselves.
func namedAuthor(cause string) string {
	if cause == causeButton || cause == master.ByVote || cause == engine.Host.String() ||
		strings.HasPrefix(cause, engine.Host.String()+".") || strings.HasPrefix(cause, wire.ByProgram) ||
		strings.HasPrefix(cause, wire.ByStaff) {
		return cause
	}
	return ""
}

// readerLog keeps the public answers of the readers in a game.
type readerLog struct {
	newest  []MinutesLine // the newest maxReaderAnswers
	dropped int           // number of older ones that are dropped
}

func (l *readerLog) addAnswer(m MinutesLine) {
	if len(l.newest) == maxReaderAnswers {
		l.dropped++
	}
	l.newest = append(l.newest[max(0, len(l.newest)-maxReaderAnswers+1):], m)
}

// listAnswers returns the answers. If older ones are dropped, the first line says how many.
func (l *readerLog) listAnswers() []MinutesLine {
	if l.dropped == 0 {
		return slices.Clone(l.newest)
	}
	return append([]MinutesLine{{Wall: l.newest[0].Wall, Said: engine.NewMsg("minutes.unkept", "n", fmt.Sprint(l.dropped))}}, l.newest...)
}
