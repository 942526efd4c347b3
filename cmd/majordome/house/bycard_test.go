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

// TestANewcomerJoinsByACard: a phone asks for a seat in the lobby, and a card of its character, laid on a reader of the table
// twice, gives it the seat without the host. Phone and display show the same figures in between.
func TestANewcomerJoinsByACard(t *testing.T) {
	r := startRig(t, nil)
	wall := r.waitUpdate(0, "the code of the lobby", func(u wire.Update) bool { return u.Table.Wall != "" }).Table.Wall
	phone, opener := seal.NewClaimant(), []byte("opener")
	behind := sha256.Sum256(opener)
	lock := sha256.Sum256(behind[:])
	encode := base64.RawURLEncoding.EncodeToString
	ask := func() (a struct{ State, Key, Box string }) {
		text, _ := json.Marshal(map[string]string{"key": encode(phone.PublicKey()), "wall": wall, "name": "Gil",
			"character": "character-georges", "lock": encode(lock[:]), "shown": encode(behind[:])})
		res, err := http.Post("http://"+r.house.Network.Pages.Addr().String()+"/ask", "application/json", bytes.NewReader(text))
		if err != nil {
			t.Error(err)
			return a
		}
		defer res.Body.Close()
		if err := json.NewDecoder(res.Body).Decode(&a); err != nil {
			t.Error(err)
		}
		return a
	}
	ask()
	keepAsking(t, func() { ask() })
	card, show := tagOf(t, "clue-georges-1"), r.sims[engine.ReaderShow]
	r.placeTags(engine.ReaderShow, card)
	r.waitUpdate(0, "a card was laid", func(u wire.Update) bool { return len(u.Table.Claims) == 1 })
	raw, _ := base64.RawURLEncoding.DecodeString(ask().Key)
	figures := seal.ClaimFigures(phone.PublicKey(), raw, behind[:])
	r.waitUpdate(0, "its figures", func(u wire.Update) bool {
		return slices.Equal(u.Table.Claims, []wire.CardClaim{{Character: "character-georges", Figures: figures}})
	})
	show.RemoveTag(card)
	r.eyes[engine.ReaderShow].waitEmpty(t, engine.ReaderShow)
	r.placeTags(engine.ReaderShow, card)
	r.waitUpdate(0, "the seat", func(u wire.Update) bool {
		isGil := func(s engine.SeatView) bool { return s.Name == "Gil" && s.Character == "character-georges" }
		return slices.ContainsFunc(u.View.Seats, isGil)
	})
	box, _ := base64.RawURLEncoding.DecodeString(ask().Box)
	if _, err := phone.Open(box); err != nil {
		t.Errorf("the phone has no invitation: %v", err)
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
