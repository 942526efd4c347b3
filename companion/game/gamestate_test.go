package game

import (
	"reflect"
	"testing"

	"majordome/engine"
)

// countedGame is a game that counts how often its public view is built.
type countedGame struct {
	engine.Game
	built *int
}

func (g countedGame) View(v engine.Viewer) engine.View {
	if v == engine.Public {
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
