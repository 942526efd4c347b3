// Package happenings checks the happenings of games step by step, for tests: numbers rise by one
// and are the same for every viewer, a field is set only if the comment of its code names it, no
// step fills the whole list, and the chronicle has all of them.
//
//	c, err := happenings.New("../happening.go")
//	play.Run(game, &play.Opts{Check: c.CheckStep})
//	c.MissingCodes("dealt")       codes that never happened, except "dealt"
package happenings

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
	"majordome/engine/play"
)

// Checker checks the happenings of any number of games and counts them.
type Checker struct {
	Comments  map[string]string // by code: the comment at the end of its line
	Counts    map[string]int    // by code: how often it happened
	MaxInStep int               // most happenings in one step
}

// New reads the codes and their comments from the source file.
func New(source string) (*Checker, error) {
	file, err := parser.ParseFile(token.NewFileSet(), source, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	l := &Checker{Comments: map[string]string{}, Counts: map[string]int{}}
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(v.Names[0].Name, "Hap") {
			return true
		}
		code, _ := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
		l.Comments[code] = v.Comment.Text()
		return true
	})
	return l, nil
}

// CheckStep checks one step of a game.
func (l *Checker) CheckStep(s play.Step) error {
	before, after := s.Before.View(engine.Public), s.After.View(engine.Public)
	if got := s.After.Progress(); got != after.Progress() {
		return fmt.Errorf("the game says %+v of its progress, its view %+v", got, after.Progress())
	}
	news := after.HappeningsAfter(before.LastHappeningNumber())
	l.MaxInStep = max(l.MaxInStep, len(news))
	if len(news) >= engine.MaxHappened {
		return fmt.Errorf("%s: %d happenings in one step", s.Command.Act, len(news))
	}
	for i, h := range news {
		if h.N != before.LastHappeningNumber()+1+i {
			return fmt.Errorf("%+v follows number %d", h, before.LastHappeningNumber()+i)
		}
		if err := l.countHappening(h); err != nil {
			return err
		}
	}
	for _, line := range after.Log {
		if int(line.Of) > after.LastHappeningNumber() || line.Of != 0 && line.Own {
			return fmt.Errorf("%+v tells of a happening that is not there", line)
		}
	}
	if err := checkChronicle(s.After, after, news); err != nil {
		return err
	}
	return checkSameForAll(s.After, after)
}

// checkChronicle checks that the chronicle grows by the news, and that it lists hands only after
// the end and only if the table chose so.
func checkChronicle(g engine.Game, public engine.View, news []*engine.Happening) error {
	all, ok := g.(engine.Chronicler)
	if !ok {
		return fmt.Errorf("%s remembers nothing", public.Game)
	}
	c := all.Chronicle(nil)
	n := len(c.Happened)
	switch {
	case n != min(public.LastHappeningNumber(), engine.MaxChronicle) || !slices.EqualFunc(c.Happened[n-len(news):], news, equalHappenings):
		return fmt.Errorf("of %d happenings the chronicle has %d, which end otherwise than %v", public.LastHappeningNumber(), n, news)
	case len(c.Held) > 0 && (public.Result == nil || public.Switches["post-game-debrief"] != "on"):
		return fmt.Errorf("the chronicle tells hands: %v", c.Held)
	case public.Result == nil && (len(c.Superlatives) > 0 || c.Fatal != 0 || c.FatalAt != 0):
		return fmt.Errorf("before the end the chronicle has a front page: %+v", c)
	}
	if err := checkFrontPage(c, public); err != nil {
		return err
	}
	for _, h := range c.Held {
		own := g.View(engine.SeatViewer(h.Seat)).Me.Hand
		if slices.ContainsFunc(h.Cards, func(id engine.ID) bool {
			return !slices.ContainsFunc(own, func(c engine.CardView) bool { return c.Card == id })
		}) {
			return fmt.Errorf("%s held %v, the chronicle says %v", h.Seat, own, h.Cards)
		}
	}
	return nil
}

// checkFrontPage checks that the front page is about happenings and players of this game.
func checkFrontPage(c engine.Chronicle, public engine.View) error {
	if c.Fatal < 0 || c.Fatal > public.LastHappeningNumber() || c.FatalAt < 0 || len(c.Superlatives) > engine.MaxSuperlatives {
		return fmt.Errorf("the front page is %+v, of %d happenings", c, public.LastHappeningNumber())
	}
	for _, s := range c.Superlatives {
		strangers := slices.ContainsFunc(s.Seats, func(x engine.Seat) bool {
			return !slices.ContainsFunc(public.Seats, func(v engine.SeatView) bool { return v.Seat == x })
		})
		if strangers || len(s.Seats) == 0 || len(s.Seats) > engine.MaxSharing || !slices.IsSorted(s.Seats) || s.N < 1 ||
			!slices.Contains(engine.AllSuperlatives, s.What) {
			return fmt.Errorf("the front page says %+v of %d players", s, len(public.Seats))
		}
	}
	return nil
}

func equalHappenings(a, b *engine.Happening) bool { return reflect.DeepEqual(a, b) }

func (l *Checker) countHappening(h *engine.Happening) error {
	doc, known := l.Comments[h.What]
	if !known {
		return fmt.Errorf("%+v is of no code", h)
	}
	l.Counts[h.What]++
	for field, set := range map[string]bool{"Seat": h.Seat != 0, "Other": h.Other != 0, "Place": h.Place != "", "Cards": len(h.Cards) > 0} {
		if set && !strings.Contains(doc, field) {
			return fmt.Errorf("%+v: nothing is said of its %s: %q", h, field, doc)
		}
	}
	return nil
}

// checkSameForAll checks that all viewers have the same happenings.
func checkSameForAll(g engine.Game, public engine.View) error {
	for _, v := range []engine.Viewer{engine.Host, engine.SeatViewer(1)} {
		if got := g.View(v).Happened; fmt.Sprint(got) != fmt.Sprint(public.Happened) {
			return fmt.Errorf("%s is told %v, the public %v", v, got, public.Happened)
		}
	}
	return nil
}

// MissingCodes returns the codes that never happened, without the foreign ones, and the foreign
// codes that did happen.
func (l *Checker) MissingCodes(foreign ...string) (missing, strangers []string) {
	for _, code := range slices.Sorted(maps.Keys(l.Comments)) {
		switch other := slices.Contains(foreign, code); {
		case l.Counts[code] == 0 && !other:
			missing = append(missing, code)
		case l.Counts[code] > 0 && other:
			strangers = append(strangers, code)
		}
	}
	return missing, strangers
}
