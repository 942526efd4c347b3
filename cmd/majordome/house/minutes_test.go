package house

import (
	"strings"
	"testing"

	"majordome/engine"
)

// TestMinutes: once a game has begun, the host can read its minutes, in the language of the page. They contain what the
// host did, players and rules, but no hint for a single seat.
func TestMinutes(t *testing.T) {
	t.Parallel()
	r := startRig(t, func(*Opts) {})
	if a := r.askOffice("minutes", engine.Args{"lang": "fr"}); a.Why == nil {
		t.Errorf("minutes of no game: %s", a.Value)
	}
	r.mustHostAct("begin", nil)
	if a := r.askOffice("minutes", engine.Args{"lang": "de"}); a.Why == nil {
		t.Errorf("minutes in no language: %s", a.Value)
	}
	r.mustHostAct("hints", engine.Args{"most": "free"})
	r.mustHostAct("hint", engine.Args{"to": "all", "text": "Sous le tapis"})
	r.mustHostAct("hint", engine.Args{"to": "seat-2", "text": "CANARY"})
	r.mustHostAct("pause", nil)
	r.mustHostAct("resume", nil)
	body := r.officeText("minutes", engine.Args{"lang": "fr"})
	for _, want := range []string{
		"Procès-verbal de la partie\u00a0: Huis Clos",
		"Indice pour tous\u00a0: Sous le tapis  [l’hôte]",
		"La partie est mise en pause.  [l’hôte]",
		"La partie reprend.",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing in\n%s", want, body)
		}
	}
	if strings.Contains(body, "CANARY") || strings.Contains(body, "seat-") || strings.Contains(body, "hc.") {
		t.Errorf("a secret, or what nobody can read:\n%s", body)
	}
}
