package house

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// cardPhone is a phone that asks for the seat of Georges in the lobby with this code.
type cardPhone struct {
	*rig
	seal.Claimant
	wall, name string
	plays      bool // its player has that seat already
}

func (p *cardPhone) behindLock() []byte {
	behind := sha256.Sum256([]byte(p.name))
	return behind[:]
}

func (p *cardPhone) postRequest() (a struct{ State, Key, Box string }) {
	encode, lock := base64.RawURLEncoding.EncodeToString, sha256.Sum256(p.behindLock())
	text, _ := json.Marshal(map[string]any{"key": encode(p.PublicKey()), "wall": p.wall, "name": p.name, "plays": p.plays,
		"character": "character-georges", "lock": encode(lock[:]), "shown": encode(p.behindLock())})
	res, err := http.Post("http://"+p.house.Network.Pages.Addr().String()+"/ask", "application/json", bytes.NewReader(text))
	if err != nil {
		p.t.Error(err)
		return a
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&a); err != nil {
		p.t.Error(err)
	}
	return a
}

// takeSeat lays the card of the character twice, and waits for the invitation. Phone and display show the same figures in between.
func (p *cardPhone) takeSeat() {
	p.postRequest()
	keepAsking(p.t, func() { p.postRequest() })
	from, card, show := p.mark(), tagOf(p.t, "clue-georges-1"), p.sims[engine.ReaderShow]
	p.placeTags(engine.ReaderShow, card)
	p.waitUpdate(from, "a card was laid", func(u wire.Update) bool { return len(u.Table.Claims) == 1 })
	raw, _ := base64.RawURLEncoding.DecodeString(p.postRequest().Key)
	figures := seal.ClaimFigures(p.PublicKey(), raw, p.behindLock())
	p.waitUpdate(from, "its figures", func(u wire.Update) bool {
		return slices.Equal(u.Table.Claims, []wire.CardClaim{{Character: "character-georges", Figures: figures}})
	})
	takeAway := func() {
		show.RemoveTag(card)
		p.eyes[engine.ReaderShow].waitEmpty(p.t, engine.ReaderShow)
	}
	takeAway()
	shown := p.mark()
	p.placeTags(engine.ReaderShow, card)
	p.waitUpdate(shown, "the seat", func(u wire.Update) bool { return len(u.Table.Claims) == 0 })
	box, _ := base64.RawURLEncoding.DecodeString(p.postRequest().Box)
	if _, err := p.Open(box); err != nil {
		p.t.Errorf("the phone has no invitation: %v", err)
	}
	takeAway()
}

// TestANewcomerJoinsByACard: a phone asks for a seat in the lobby, and a card of its character, laid on a reader of the table
// twice, gives it the seat without the host. Another phone then gets that seat in the same way, if its player says so.
func TestANewcomerJoinsByACard(t *testing.T) {
	r := startRig(t, nil)
	wall := r.waitUpdate(0, "the code of the lobby", func(u wire.Update) bool { return u.Table.Wall != "" }).Table.Wall
	(&cardPhone{r, seal.NewClaimant(), wall, "Gil", false}).takeSeat()
	isGil := func(s engine.SeatView) bool { return s.Name == "Gil" && s.Character == "character-georges" }
	r.waitUpdate(0, "the player", func(u wire.Update) bool { return slices.ContainsFunc(u.View.Seats, isGil) })
	(&cardPhone{r, seal.NewClaimant(), wall, "G", true}).takeSeat()
	last := r.waitUpdate(r.mark()-1, "an update", func(wire.Update) bool { return true }).View.Seats
	if n := len(last); n != 5 || !isGil(last[n-1]) {
		t.Errorf("the players are %+v", last)
	}
}

// keepAsking asks again and again until the test ends, as the page of a phone in a hand does.
func keepAsking(t *testing.T, ask func()) {
	var asking sync.WaitGroup
	ended := make(chan struct{})
	asking.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(200 * time.Millisecond):
				ask()
			}
		}
	})
	t.Cleanup(func() { close(ended); asking.Wait() })
}
