package pair

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"majordome/companion/seal"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// pocketPhone is a phone that renews its key as a page does.
type pocketPhone struct {
	h        *house
	at       wire.Handset
	name     seal.Phone
	key      seal.Key   // as its browser has stored it
	counter  uint64     // of connects and renewals
	recorded [][]byte   // renewal requests, as somebody on the Wi-Fi has them
	connects []string   // passwords, likewise
	former   []seal.Key // all keys that it had
}

func newPocketPhone(h *house, at engine.Viewer) *pocketPhone {
	h.t.Helper()
	if err := h.invite(at); err != nil {
		h.t.Fatal(err)
	}
	url, _ := h.link(at)
	p := &pocketPhone{h: h, at: wire.FirstPhoneOf(at), name: seal.NewPhone()}
	j := seal.NewJoiner(codeOf(h.t, url), p.name)
	g, err := j.OpenAnswer(h.post("10.42.0.9", string(j.Body())).Body.Bytes())
	if err != nil {
		h.t.Fatal(err)
	}
	p.key = g.Key
	return p
}

func (p *pocketPhone) user() string { return "t7-s" + p.at.String()[len("seat-"):] }

// connect logs in with a key.
func (p *pocketPhone) connect(k seal.Key) error {
	p.counter++
	id := p.name.ClientID(p.user())
	password, err := seal.ConnectPassword(k, id, p.counter)
	if err != nil {
		p.h.t.Fatal(err)
	}
	p.connects = append(p.connects, password)
	return p.h.desk.AcceptConnect(p.at, id, password)
}

// renew asks for the next key; it has none if it was refused.
func (p *pocketPhone) renew(k seal.Key) (next seal.Key, status int) {
	p.h.t.Helper()
	p.counter++
	j := seal.NewRenewal(k, p.name, p.user(), p.counter)
	p.recorded = append(p.recorded, j.Body())
	w := p.h.post("10.42.0.9", string(j.Body()))
	if w.Code != http.StatusOK {
		return next, w.Code
	}
	g, err := j.OpenAnswer(w.Body.Bytes())
	if err != nil || g.User != p.user() || wire.FirstPhoneOf(engine.SeatViewer(g.Seat)) != p.at {
		p.h.t.Fatal(g, err)
	}
	return g.Key, w.Code
}

// storeKey stores a key in the place of the former one.
func (p *pocketPhone) storeKey(k seal.Key) {
	p.former = append(p.former, p.key)
	p.key = k
}

// reads reports whether a view that is sealed now opens with k.
func (p *pocketPhone) reads(k seal.Key) bool {
	p.h.t.Helper()
	all, err := p.h.ring.SealViews(7, []wire.Update{{V: wire.Version, Epoch: 7, Rev: 1, View: engine.View{Viewer: p.at.Viewer.String()}}},
		func(wire.Handset) string { return "t" })
	if err != nil || len(all) != 1 {
		p.h.t.Fatal(len(all), err)
	}
	_, err = seal.OpenView(k, "t", all[0].Payload)
	return err == nil
}

// A phone gets a key for the next game, and goes on with it: the former one opens nothing new, and ends.
func TestAKeyForEachGame(t *testing.T) {
	h := newHouse(t)
	p := newPocketPhone(h, engine.SeatViewer(3))
	if err := p.connect(p.key); err != nil {
		t.Fatal(err)
	}
	next, status := p.renew(p.key)
	if status != http.StatusOK || !p.reads(p.key) || p.reads(next) {
		t.Fatalf("before it connects with the next key: %d", status)
	}
	changed := h.changed
	if err := p.connect(next); err != nil || h.changed != changed+1 {
		t.Fatalf("the next key: %v, notified %d times", err, h.changed-changed)
	}
	if p.storeKey(next); p.reads(p.former[0]) || !p.reads(p.key) {
		t.Error("views are still sealed with the former key")
	}
	id := p.name.ClientID(p.user())
	if err := h.desk.AcceptConnect(p.at, id, p.connects[0]); !errors.Is(err, seal.ErrReplay) || !p.reads(p.key) {
		t.Errorf("a recorded connect brings the former key back: %v", err)
	}
	if again, status := p.renew(p.former[0]); status == http.StatusOK || !again.IsZero() {
		t.Errorf("the former key gets another one: %d", status)
	}
	h.now = h.now.Add(formerKeyTime)
	if err := p.connect(p.former[0]); !errors.Is(err, seal.ErrPassword) {
		t.Errorf("the former key connects for ever: %v", err)
	}
	h.desk.RefreshInvites([]engine.Seat{3})
	if keys, _, err := h.store.KeysAndInvitations(); err != nil || len(keys) != 1 || !keys[0].Other.Key.ForMemory().IsZero() {
		t.Errorf("the former key is not erased: %d, %v", len(keys), err)
	}
	if len(h.announced) != 1 { // that it joined
		t.Errorf("announced: %v", h.announced)
	}
}

// A browser may lose what a page stored last: the former key leads back, and is renewed again. The key that was lost may be there
// in another tab, and serves on.
func TestAKeyThatTheBrowserLost(t *testing.T) {
	h := newHouse(t)
	p := newPocketPhone(h, engine.SeatViewer(3))
	lost, _ := p.renew(p.key)
	if err := errors.Join(p.connect(lost), p.connect(p.key)); err != nil || !p.reads(p.key) {
		t.Fatalf("back with the former key: %v", err)
	}
	h.now = h.now.Add(24 * time.Hour)
	h.desk.RefreshInvites([]engine.Seat{3})
	h.restart()
	if err := p.connect(lost); err != nil || !p.reads(lost) {
		t.Fatalf("another tab with the next key, much later: %v", err)
	}
	if err := p.connect(p.key); err != nil {
		t.Fatalf("the first tab: %v", err)
	}
	next, status := p.renew(p.key)
	if err := p.connect(next); err != nil || status != http.StatusOK || !p.reads(next) {
		t.Errorf("renewed again: %d, %v", status, err)
	}
	if err := p.connect(lost); err == nil {
		t.Error("a key that was replaced before it was used connects")
	}
}

// Only the phone itself gets the next key of its seat: not a recording of its request, nor a copy of its key on another phone, nor
// somebody who knows what was sent in clear.
func TestOnlyItsOwnPhoneRenewsAKey(t *testing.T) {
	h := newHouse(t)
	p := newPocketPhone(h, engine.SeatViewer(3))
	next, _ := p.renew(p.key)
	h.now = h.now.Add(renewalTime)
	if w := h.post("10.42.0.66", string(p.recorded[0])); w.Code != http.StatusGone {
		t.Errorf("a recorded request: %d", w.Code)
	}
	copied := *p
	copied.name = seal.NewPhone()
	copied.counter += 1000
	if _, status := copied.renew(p.key); status != http.StatusNotFound {
		t.Errorf("a copied key: %d", status)
	}
	if err := copied.connect(next); !errors.Is(err, ErrPhone) {
		t.Errorf("a copied next key: %v", err)
	}
	stale := seal.NewJoiner(p.key.RenewalCode(), p.name)
	if w := h.post("10.42.0.66", string(stale.Body())); w.Code != http.StatusGone {
		t.Errorf("without the number of a connect: %d", w.Code)
	}
	if err := p.connect(next); err != nil {
		t.Errorf("the next key does not serve any more: %v", err)
	}
	if _, status := p.renew(next); status != http.StatusTooManyRequests && status != http.StatusOK {
		t.Errorf("renewed: %d", status)
	}
	if _, status := p.renew(next); status != http.StatusTooManyRequests {
		t.Errorf("renewed at once again: %d", status)
	}
}

// A store that fails gives out no key, and does not keep out the phone that has been given one.
func TestRenewalOnABrokenStore(t *testing.T) {
	h := newHouse(t)
	p := newPocketPhone(h, engine.SeatViewer(3))
	next, _ := p.renew(p.key)
	_ = h.store.Close()
	h.now = h.now.Add(renewalTime)
	if _, status := p.renew(p.key); status != http.StatusServiceUnavailable {
		t.Errorf("a key that is stored nowhere: %d", status)
	}
	if err := p.connect(next); err != nil || !p.reads(next) {
		t.Errorf("the next key, while nothing can be stored: %v", err)
	}
	h.start()
	if err := p.connect(next); err != nil || !p.reads(next) {
		t.Errorf("after the restart: %v", err)
	}
}

// A seat that gets a new link, and a phone that is cut off, lose both keys.
func TestBothKeysAreTakenAway(t *testing.T) {
	h := newHouse(t)
	p := newPocketPhone(h, engine.SeatViewer(3))
	next, _ := p.renew(p.key)
	if err := h.invite(p.at.Viewer); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for _, k := range []seal.Key{p.key, next} {
			if p.connect(k) == nil {
				t.Error("a phone that was cut off connects")
			}
		}
		h.restart()
	}
}

// When a backup is restored, a phone keeps the keys that it has now. On another machine, which knows only the keys of the backup, it
// has to join again.
func TestABackupOfBeforeARenewal(t *testing.T) {
	h := newHouse(t)
	p, gone := newPocketPhone(h, engine.SeatViewer(3)), newPocketPhone(h, engine.SeatViewer(4))
	backup := filepath.Join(t.TempDir(), "b.db")
	if err := h.store.WriteBackup(backup); err != nil {
		t.Fatal(err)
	}
	second, _ := p.renew(p.key)
	if err := p.connect(second); err != nil {
		t.Fatal(err)
	}
	p.storeKey(second)
	h.now = h.now.Add(renewalTime)
	next, after := p.renew(p.key)
	other := newPocketPhone(h, engine.SeatViewer(4)) // another phone has the seat
	restore := func(to string) {
		_ = h.store.Close()
		if _, err := store.Restore(backup, to); err != nil {
			t.Fatal(err)
		}
		h.path = to
		h.start()
	}
	restore(h.path)
	if err := errors.Join(p.connect(p.key), p.connect(next)); err != nil || after != http.StatusOK {
		t.Errorf("a phone that has renewed its key is cut off by a restore: %d, %v", after, err)
	}
	if err := gone.connect(gone.key); err != nil {
		t.Errorf("the phone that has the seat in the backup: %v", err)
	}
	if other.connect(other.key) == nil {
		t.Error("a phone that has no seat in the backup has one")
	}
	restore(filepath.Join(t.TempDir(), "t.db"))
	if err := p.connect(next); !errors.Is(err, seal.ErrPassword) {
		t.Errorf("a key that this machine does not know: %v", err)
	}
	again := newPocketPhone(h, engine.SeatViewer(3))
	if err := again.connect(again.key); err != nil {
		t.Errorf("joined again: %v", err)
	}
}

// A renewal may be cut anywhere: the request or the answer is lost, the browser loses its last write, the daemon restarts, the
// phone is away for some games. It always connects with the key that it has, its views open with this key alone, and nothing that was
// recorded is accepted.
func TestRenewalsCutAtRandomPoints(t *testing.T) {
	const rounds = 1000
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	dice := rand.New(rand.NewPCG(seed, 3))
	h := newHouse(t)
	phones := make([]*pocketPhone, 4)
	for i := range phones {
		phones[i] = newPocketPhone(h, engine.SeatViewer(engine.Seat(1+i)))
	}
	cuts := map[string]int{}
	maybeRestart := func() {
		if dice.IntN(12) == 0 {
			cuts["restart"]++
			h.restart()
		}
	}
	for n := range rounds {
		p := phones[dice.IntN(len(phones))] // the others are away in this game
		h.now = h.now.Add(renewalTime + time.Duration(dice.IntN(1800))*time.Second)
		h.desk.RefreshInvites([]engine.Seat{1, 2, 3, 4})
		if err := p.connect(p.key); err != nil {
			t.Fatalf("round %d: the phone is cut off: %v", n, err)
		}
		maybeRestart()
		next, status := p.renew(p.key)
		if status != http.StatusOK {
			t.Fatalf("round %d: renewed: %d", n, status)
		}
		maybeRestart()
		switch dice.IntN(5) {
		case 0:
			cuts["answer lost"]++
		case 1:
			cuts["stored, not connected"]++
			p.storeKey(next)
		case 2:
			cuts["connected, write lost"]++
			if err := p.connect(next); err != nil {
				t.Fatalf("round %d: the next key: %v", n, err)
			}
			p.former = append(p.former, next)
			h.now = h.now.Add(time.Duration(dice.IntN(600)) * time.Second)
		case 3:
			cuts["two tabs"]++ // of two answers the later one counts
			h.now = h.now.Add(renewalTime)
			later, status := p.renew(p.key)
			if status != http.StatusOK {
				t.Fatalf("round %d: the second tab: %d", n, status)
			}
			p.former = append(p.former, next)
			p.storeKey(later)
		default:
			cuts["none"]++
			if p.storeKey(next); p.connect(next) != nil {
				t.Fatalf("round %d: the next key is refused", n)
			}
		}
		maybeRestart()
		h.post("10.42.0.66", string(p.recorded[dice.IntN(len(p.recorded))]))
		id := p.name.ClientID(p.user())
		if h.desk.AcceptConnect(p.at, id, p.connects[dice.IntN(len(p.connects))]) == nil {
			t.Fatalf("round %d: a recorded connect is accepted", n)
		}
		if err := p.connect(p.key); err != nil || !p.reads(p.key) {
			t.Fatalf("round %d: the phone is cut off: %v", n, err)
		}
		for i, k := range p.former[max(0, len(p.former)-3):] {
			if p.reads(k) {
				t.Fatalf("round %d: views are sealed with the former key %d", n, i)
			}
		}
	}
	t.Logf("%d renewals, cut: %v", rounds, cuts)
}
