package house

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// TestMinutesAreFetchedOnce: the minutes of the game on the table wait under a name that only the host is told, in the language of its
// page, with what it did; they name players and rules, and no hint that was for one seat.
func TestMinutesAreFetchedOnce(t *testing.T) {
	t.Parallel()
	r := roles(t, func(*Opts) {})
	r.host("hints", engine.Args{"most": "free"})
	r.host("hint", engine.Args{"to": "all", "text": "Sous le tapis"})
	r.host("hint", engine.Args{"to": "seat-2", "text": "CANARY"})
	r.host("pause", nil)
	r.host("resume", nil)
	r.host("minutes", engine.Args{"lang": "fr"})
	at := r.pathOf(func(u *wire.Update) *wire.Support { return u.Desk.Minutes })
	for _, v := range []engine.Viewer{engine.Public, engine.At(1)} {
		u, _ := r.house.loop.Snapshot(v)
		if strings.Contains(asText(t, u), minutesPath) {
			t.Errorf("%s is told where the minutes are", v)
		}
	}
	code, body := fetch(t, r, at)
	for _, want := range []string{"Procès-verbal de la partie\u00a0: HUIS CLOS", "Indice pour tous\u00a0: Sous le tapis  [l’hôte]", "La partie est mise en pause.  [l’hôte]", "La partie reprend."} {
		if !strings.Contains(body, want) {
			t.Errorf("%d: %q is missing in\n%s", code, want, body)
		}
	}
	if strings.Contains(body, "CANARY") || strings.Contains(body, "seat-") || strings.Contains(body, "hc.") {
		t.Errorf("a secret, or what nobody can read:\n%s", body)
	}
	if code, _ := fetch(t, r, at); code != http.StatusNotFound {
		t.Errorf("fetched twice: %d", code)
	}
}

// asText is an update as it travels.
func asText(t *testing.T, u wire.Update) string {
	t.Helper()
	text, err := json.Marshal(u)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
