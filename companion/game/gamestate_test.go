package game

import (
	"fmt"
	"reflect"
	"testing"

	"majordome/engine"
)

// countedGame is a game that counts how often its public view is built, except during a deal.
type countedGame struct {
	engine.Game
	built *int
}

func (g countedGame) Apply(events ...engine.Event) engine.Game {
	g.Game = g.Game.Apply(events...)
	return g
}

func (g countedGame) View(v engine.Viewer) engine.View {
	if v == engine.Public && !g.Progress().IsDealing() {
		*g.built++
	}
	return g.Game.View(v)
}

// TestPublicViewIsBuiltOnce: the views of all viewers contain the public view that the commitment has read before.
func TestPublicViewIsBuiltOnce(t *testing.T) {
	built := 0
	m := &cachedGame{Game: countedGame{toyBook{"toy"}.NewGame(), &built}}
	first, views := m.publicView(), m.currentViews()
	if built != 1 || !reflect.DeepEqual(*first, views.Public) || m.publicView() != &views.Public {
		t.Errorf("the public view was built %d times", built)
	}
	if want := engine.BuildViews(m.Game); !reflect.DeepEqual(views, want) {
		t.Errorf("the views are %+v, want %+v", views, want)
	}
}

// countedBook makes games that count.
type countedBook struct {
	engine.Rulebook
	built *int
}

func (b countedBook) NewGame() engine.Game { return countedGame{b.Rulebook.NewGame(), b.built} }

// TestReplayBuildsNoViews: a stored evening opens to the state that was played, and of its steps only the end of the deal
// has its view built.
func TestReplayBuildsNoViews(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		e := newEvening(t, g, newMemory(), 1)
		e.seatAndBegin(g.least)
		for range 40 {
			e.play()
		}
		rows, err := e.core().journal.Events(e.core().gameID)
		if err != nil {
			t.Fatal(err)
		}
		built := 0
		p, err := replayGame(countedBook{e.books[0], &built}, rows)
		if err != nil {
			t.Fatal(err)
		}
		if built > 1 || p.lastStep < 20 {
			t.Errorf("%d public views were built for %d steps", built, p.lastStep)
		}
		played := e.core()
		if want := engine.BuildViews(played.game.Game); !reflect.DeepEqual(p.game.currentViews(), want) {
			t.Errorf("the game is %+v, want %+v", p.game.currentViews(), want)
		}
		p.game, p.group.before = played.game, played.group.before
		if got, want := fmt.Sprintf("%+v", p), fmt.Sprintf("%+v", played.gameState); got != want {
			t.Errorf("the state is %s, want %s", got, want)
		}
	})
}
