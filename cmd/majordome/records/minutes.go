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

// minutesRow returns the row for the minutes of the current game in the language of the argument lang: public events and
// the host's commands. It refuses during a scene, because minutes would reveal how the game ends.
func (r *Records) minutesRow() office.Row {
	return office.Row{Name: "minutes", Role: wire.RoleOperator,
		Do: office.RefuseWhileBusy(func(_ context.Context, c office.Call) (any, error) {
			lang := words.Lang(c.Args["lang"])
			saw, begun := r.opts.Table.ReaderMinutes()
			switch {
			case !begun || !slices.Contains(words.Langs, lang):
				return nil, wire.NewRefusal("table.unknown")
			case r.opts.Table.IsInScene():
				return nil, wire.NewRefusal("table.scene")
			}
			text, err := r.renderMinutes(lang, saw)
			return wire.OfficeText{File: "minutes.txt", Text: text}, err
		})}
}

// renderMinutes returns the minutes of the game on the table, with readerMinutes, the answers of its readers.
func (r *Records) renderMinutes(lang words.Lang, readerMinutes []game.MinutesLine) (string, error) {
	g, ok, err := r.opts.Store.CurrentGame()
	if err != nil || !ok {
		return "", cmp.Or(err, fmt.Errorf("records: minutes: no game"))
	}
	rows, err := r.opts.Store.Events(g.ID)
	if err != nil {
		return "", err
	}
	book := r.opts.Decks.RulebookOf(g.Book)
	if book == nil {
		return "", fmt.Errorf("records: minutes: no rulebook %s", g.Book)
	}
	all, err := game.BuildMinutes(book, rows)
	if err != nil {
		return "", err
	}
	all = append(all, readerMinutes...)
	slices.SortStableFunc(all, func(a, b game.MinutesLine) int { return a.Wall.Compare(b.Wall) })
	switches, err := game.FinalHouseRules(book, rows)
	if err != nil {
		return "", err
	}
	return newMinutesWriter(lang, engine.NamesUnderHouseRules(book, switches), r.seatNames()).renderAll(string(g.Book), all), nil
}

// seatNames returns the public names of the players, by seat.
func (r *Records) seatNames() map[string]string {
	names := map[string]string{}
	if u, ok := r.opts.Table.Snapshot(engine.Public); ok {
		for _, s := range u.View.Seats {
			names[s.Seat.String()] = s.Name
		}
	}
	return names
}

// minutesWriter renders minutes as text.
type minutesWriter struct {
	*words.Catalogue
	lang   words.Lang
	labels map[string]engine.Text
}

func newMinutesWriter(lang words.Lang, names engine.Names, seats map[string]string) *minutesWriter {
	book, _ := catalogue.Lookup(lang) // never fails: the row has checked the language
	w := &minutesWriter{Catalogue: book, lang: lang, labels: map[string]engine.Text{}}
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

func (w *minutesWriter) labelOf(value string) (engine.Text, bool) {
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

// renderSentence renders a sentence that is not an event of the game.
func (w *minutesWriter) renderSentence(key string, pairs ...string) string {
	return w.Render(engine.NewMsg(key, pairs...), w.labelOf)
}

// renderAll returns one line for each minute: time, text, rule, the person or program that did it, and whether
// it was undone.
func (w *minutesWriter) renderAll(game string, all []game.MinutesLine) string {
	var out strings.Builder
	if _, named := w.labels[game]; !named { // the id of a built-in game: written as on the display
		game = strings.ToUpper(strings.ReplaceAll(game, "-", " "))
	}
	fmt.Fprintln(&out, w.renderSentence("minutes.title", "game", game))
	day := ""
	for _, m := range all {
		at := m.Wall.Local()
		if d := at.Format("2006-01-02"); d != day {
			day = d
			fmt.Fprintf(&out, "\n%s\n", day)
		}
		fmt.Fprintf(&out, "%s  %s", at.Format("15:04:05"), w.Render(m.MessageIn(string(w.lang)), w.labelOf))
		for _, aside := range []string{m.Rule, w.actorName(m.By)} {
			if aside != "" {
				fmt.Fprintf(&out, "  [%s]", aside)
			}
		}
		if m.TakenBack {
			fmt.Fprintf(&out, "  (%s)", w.renderSentence("minutes.back"))
		}
		fmt.Fprintln(&out)
	}
	return out.String()
}

// actorName returns the person or program that has done something.
func (w *minutesWriter) actorName(who string) string {
	_, n, further := strings.Cut(who, ".")
	switch {
	case who == "":
		return ""
	case strings.HasPrefix(who, wire.ByStaff):
		role, name, _ := strings.Cut(n, ".")
		return w.renderSentence("minutes.by.staff", "name", name, "role", w.renderSentence("host.staff.role."+role))
	case strings.HasPrefix(who, wire.ByProgram):
		return w.renderSentence("minutes.by.program", "name", n)
	case further:
		return w.renderSentence("minutes.by.other", "n", n)
	}
	return w.renderSentence("minutes.by." + who)
}
