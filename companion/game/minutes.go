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

// Minute is one thing that the whole table saw, or that somebody did to the table, for the minutes of a game.
type Minute struct {
	Wall time.Time
	Said engine.Msg
	Text engine.Text // of a hint: fills the blank "text" of Said (In)
	Rule string      // under which it was done; empty where no rule of the game was
	By   string      // "host", "host.2", "button", "vote", wire.ByProgram and a name, or wire.ByStaff, a role and a name; empty for what the game tells of its players
	Back bool        // it was taken back
}

// In is what was said, with the text of a hint in a language ("fr" or "en").
func (m Minute) In(lang string) engine.Msg {
	text := m.Text.FR // as somebody has written it, where there is no other
	if lang == "en" && m.Text.EN != "" {
		text = m.Text.EN
	}
	if text == "" {
		return m.Said
	}
	return engine.Say(m.Said.Key, "text", text)
}

// maxSaw is how many answers of the readers are remembered.
const maxSaw = 200

// Minutes are what everybody saw of a stored game, with what its host and its buttons did, oldest first. They are made of public
// views: what was shown to one seat stands in none, and of a hint to a seat only that there was one.
func Minutes(book engine.Rulebook, rows []store.Event) ([]Minute, error) {
	m := minutes{game: book.New()}
	for i := 0; i < len(rows); {
		j := i + 1
		for j < len(rows) && rows[j].Step == rows[i].Step {
			j++
		}
		if err := m.step(book, rows[i:j]); err != nil {
			return nil, fmt.Errorf("game: minutes: %w", err)
		}
		i = j
	}
	return m.all, nil
}

// minutes are made step by step.
type minutes struct {
	game engine.Game
	all  []Minute
	live []minuted
}

// minuted is a step that stands.
type minuted struct {
	before engine.Game
	cause  string
	own    []int // where its minutes are
}

func (m *minutes) step(book engine.Rulebook, rows []store.Event) error {
	first := rows[0]
	if first.Kind == master.KindUndo {
		m.undo(first)
		return nil
	}
	if kind, own := ownKinds[first.Kind]; own {
		if kind.Minute == nil {
			return nil
		}
		if said, text := kind.Minute(first); !said.None() {
			m.all = append(m.all, Minute{Wall: first.Wall, Said: said, Text: text, By: author(first.Cause)})
		}
		return nil
	}
	c, err := decode(book, rows)
	if err != nil {
		return err
	}
	before := m.game
	was := before.View(engine.Public)
	m.game = before.Evolve(c.events...)
	last := uint16(0)
	if n := len(was.Log); n > 0 {
		last = was.Log[n-1].N
	}
	rule := was.Rule
	if o, ok := overruling(before, c.command); ok {
		rule = o.Rule
	}
	s := minuted{before: before, cause: c.cause}
	for _, l := range m.game.View(engine.Public).Log {
		if l.N > last {
			s.own = append(s.own, len(m.all))
			m.all = append(m.all, Minute{Wall: first.Wall, Said: *l.Msg, Rule: rule, By: author(c.cause)})
		}
	}
	m.live = append(m.live, s)
	return nil
}

// undo marks what is void, as liveSteps drops it.
func (m *minutes) undo(e store.Event) {
	for n := len(m.live) - 1; n >= 0; n-- {
		s := m.live[n]
		for _, i := range s.own {
			m.all[i].Back = true
		}
		m.live, m.game = m.live[:n], s.before
		if s.cause != causeDeadline {
			break
		}
	}
	said := engine.Say("minutes.undo")
	var u master.Undone
	if _ = json.Unmarshal(e.Data, &u); u.Insisted {
		said = engine.Say("minutes.undo.insisted")
	}
	m.all = append(m.all, Minute{Wall: e.Wall, Said: said, Rule: "GEN-009", By: author(e.Cause)})
}

// overruling is the offer against the rules that a command of the host has taken, if it is one.
func overruling(g engine.Game, c command) (engine.Offer, bool) {
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

// author is who is named: what players do, the lines of the game tell.
func author(cause string) string {
	if cause == causeButton || cause == master.ByVote || cause == engine.Host.String() || strings.HasPrefix(cause, engine.Host.String()+".") || strings.HasPrefix(cause, wire.ByProgram) || strings.HasPrefix(cause, wire.ByStaff) {
		return cause
	}
	return ""
}

// heard notes what a reader has answered in public.
func (c *core) heard(reader string, told *wire.Notice) {
	if told == nil {
		return
	}
	c.answers.add(Minute{Wall: c.Clock.Now(), Said: told.Msg, Rule: told.Rule})
	for _, o := range c.parts.observers {
		o.Answered(reader, told)
	}
}

// readerLog is what the readers have answered in public in a game.
type readerLog struct {
	kept []Minute // the newest maxSaw
	lost int      // how many before those are not kept
}

func (l *readerLog) add(m Minute) {
	if len(l.kept) == maxSaw {
		l.lost++
	}
	l.kept = append(l.kept[max(0, len(l.kept)-maxSaw+1):], m)
}

// minutes returns them; where older answers are not kept, the first says how many.
func (l *readerLog) minutes() []Minute {
	if l.lost == 0 {
		return slices.Clone(l.kept)
	}
	return append([]Minute{{Wall: l.kept[0].Wall, Said: engine.Say("minutes.unkept", "n", fmt.Sprint(l.lost))}}, l.kept...)
}
