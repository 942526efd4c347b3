package records

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"majordome/companion/catalogue"
	"majordome/companion/game"
	"majordome/companion/office"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// minutesRow returns the row for the minutes of the current game in the language args lang: public events and
// the host's commands. It refuses during a scene, because minutes would reveal how the game ends.
func (r *Records) minutesRow() office.Row {
	return office.Row{Name: "minutes", Role: wire.RoleOperator, Do: office.Alone(func(_ context.Context, c office.Call) (any, error) {
		lang := words.Lang(c.Args["lang"])
		saw, begun := r.opts.Table.ReaderMinutes()
		switch {
		case !begun || !slices.Contains(words.Langs, lang):
			return nil, wire.Refuse("table.unknown")
		case r.opts.Table.InScene():
			return nil, wire.Refuse("table.scene")
		}
		text, err := r.minutes(lang, saw)
		return wire.OfficeText{File: "minutes.txt", Text: text}, err
	})}
}

// renderMinutes returns the minutes of the game on the table, with the answers of its readers.
func (r *Records) minutes(lang words.Lang, saw []game.Minute) (string, error) {
	g, ok, err := r.opts.Store.Current()
	if err != nil || !ok {
		return "", cmp.Or(err, fmt.Errorf("records: minutes: no game"))
	}
	rows, err := r.opts.Store.Events(g.ID)
	if err != nil {
		return "", err
	}
	book := r.opts.Decks.Book(g.Book)
	if book == nil {
		return "", fmt.Errorf("records: minutes: no rulebook %s", g.Book)
	}
	all, err := game.Minutes(book, rows)
	if err != nil {
		return "", err
	}
	all = append(all, saw...)
	slices.SortStableFunc(all, func(a, b game.Minute) int { return a.Wall.Compare(b.Wall) })
	switches, err := game.Switches(book, rows)
	if err != nil {
		return "", err
	}
	return newWriter(lang, engine.NamesUnder(book, switches), r.seats()).write(string(g.Book), all), nil
}

// seatNames returns the public names of the players, by seat.
func (r *Records) seats() map[string]string {
	names := map[string]string{}
	if u, ok := r.opts.Table.Snapshot(engine.Public); ok {
		for _, s := range u.View.Seats {
			names[s.Seat.String()] = s.Name
		}
	}
	return names
}

// minutesWriter renders minutes as text.
type writer struct {
	*words.Book
	lang   words.Lang
	labels map[string]engine.Text
}

func newWriter(lang words.Lang, names engine.Names, seats map[string]string) *writer {
	book, _ := catalogue.Of(lang) // never fails: the row has checked the language
	w := &writer{Book: book, lang: lang, labels: map[string]engine.Text{}}
	for _, n := range names {
		if n.Kind != "value" {
			w.labels[string(n.ID)] = n.Text
		}
	}
	for seat, name := range seats {
		w.labels[seat] = engine.T(name, name)
	}
	return w
}

func (w *writer) label(value string) (engine.Text, bool) {
	if t, ok := w.labels[value]; ok {
		return t, true
	}
	parts := strings.Split(value, ",") // a list of cards or seats
	if len(parts) < 2 || strings.Contains(value, " ") {
		return engine.Text{}, false
	}
	var fr, en []string
	for _, p := range parts {
		t, ok := w.labels[p]
		if !ok {
			t = engine.T(p, p)
		}
		fr, en = append(fr, t.FR), append(en, t.EN)
	}
	return engine.T(strings.Join(fr, ", "), strings.Join(en, ", ")), true
}

// sentence renders a sentence that is not an event of the game.
func (w *writer) say(key string, pairs ...string) string {
	return w.Say(engine.Say(key, pairs...), w.label)
}

// render returns one line for each minute: time, text, rule, the person or program that did it, and whether
// it was undone.
func (w *writer) write(game string, all []game.Minute) string {
	var out strings.Builder
	if _, named := w.labels[game]; !named { // the id of a built-in game: written as on the display
		game = strings.ToUpper(strings.ReplaceAll(game, "-", " "))
	}
	fmt.Fprintln(&out, w.say("minutes.title", "game", game))
	day := ""
	for _, m := range all {
		at := m.Wall.Local()
		if d := at.Format("2006-01-02"); d != day {
			day = d
			fmt.Fprintf(&out, "\n%s\n", day)
		}
		fmt.Fprintf(&out, "%s  %s", at.Format("15:04:05"), w.Say(m.In(string(w.lang)), w.label))
		for _, aside := range []string{m.Rule, w.by(m.By)} {
			if aside != "" {
				fmt.Fprintf(&out, "  [%s]", aside)
			}
		}
		if m.Back {
			fmt.Fprintf(&out, "  (%s)", w.say("minutes.back"))
		}
		fmt.Fprintln(&out)
	}
	return out.String()
}

// actorName returns the person or program that has done something.
func (w *writer) by(who string) string {
	_, n, further := strings.Cut(who, ".")
	switch {
	case who == "":
		return ""
	case strings.HasPrefix(who, wire.ByStaff):
		role, name, _ := strings.Cut(n, ".")
		return w.say("minutes.by.staff", "name", name, "role", w.say("host.staff.role."+role))
	case strings.HasPrefix(who, wire.ByProgram):
		return w.say("minutes.by.program", "name", n)
	case further:
		return w.say("minutes.by.other", "n", n)
	}
	return w.say("minutes.by." + who)
}
