package autoplay

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"majordome/companion/wire"
	"majordome/devices/randtest"
	"majordome/engine"
	"majordome/engine/games"
)

// TestEvening: a game of every kind is played automatically to its end without cards, at the pace of people and of the
// display. It shows what all may see of it and nothing else.
func TestEvening(t *testing.T) {
	seed := uint32(randtest.NewSeed(t))
	for _, id := range allGames {
		t.Run(string(id), func(t *testing.T) {
			book, cast := gameAndCast(t, id)
			synctest.Test(t, func(t *testing.T) {
				var last wire.Update
				var story []byte
				at, plays := time.Now(), time.Duration(0)
				PlayEvening(t.Context(), seed, book, cast, func(u wire.Update, told []byte) {
					v, took := u.View, time.Since(at)
					if v.Viewer != engine.Public.String() || v.Me != nil || v.Secrets != nil || v.Phase == engine.PhaseLobby ||
						len(v.Readers)+len(v.Offers) > 0 || !u.Demo || u.Epoch != 0 || u.Rev <= last.Rev {
						t.Errorf("shown is %+v", u)
					}
					// the display decodes it without checks
					if text, err := json.Marshal(u); err != nil || strings.Contains(string(text), ":null") {
						t.Errorf("%v: %s", err, text)
					}
					if took < max(plays, pace) && last.Rev > 0 || took > plays+15*time.Second {
						t.Errorf("after %v something happens, which the display plays for %v", took, plays)
					}
					plays = time.Duration(wire.SceneMillis(v.HappeningsAfter(last.View.LastHappeningNumber()))) * time.Millisecond
					last, story, at = u, told, time.Now()
				})
				if since := time.Since(at); last.View.Result == nil || since < endPaces*pace || since > 2*endPaces*pace {
					t.Errorf("the evening ends %v after its last update, which is in %s", since, last.View.Phase)
				}
				var s wire.Story
				if err := json.Unmarshal(story, &s); err != nil || s.Game != id || len(s.Happened) == 0 || s.Evening.Played == 0 {
					t.Errorf("its story: %v, %s", err, story)
				}
			})
		})
	}
}

// TestEveningEnds: it ends when no one watches any more.
func TestEveningEnds(t *testing.T) {
	book, cast := gameAndCast(t, "huis-clos")
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 3*pace)
		defer stop()
		began, n := time.Now(), 0
		PlayEvening(ctx, 1, book, cast, func(wire.Update, []byte) { n++ })
		if took := time.Since(began); n == 0 || took > 3*pace {
			t.Errorf("after %v and %d updates", took, n)
		}
	})
}

func gameAndCast(t testing.TB, id engine.ID) (book engine.Rulebook, cast []engine.ID) {
	t.Helper()
	g, err := games.KnownGames().FindGame(id)
	if err != nil {
		t.Fatal(err)
	}
	d, err := g.Parse(string(id), g.Default)
	if err != nil {
		t.Fatal(err)
	}
	if book, err = d.NewRulebook(); err != nil {
		t.Fatal(err)
	}
	return book, d.DemoCast()
}
