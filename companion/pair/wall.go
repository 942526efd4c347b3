package pair

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"majordome/companion/door"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// Limits of requests for a seat, see "Joining from the display".
const (
	seatTurn     = time.Minute      // while others wait, an unanswered request then makes room
	seatSilence  = 10 * time.Minute // a request ends if its phone is silent for so long; its screen may be off
	lateSilence  = 3 * time.Hour    // and while a game runs
	seatDenyRest = time.Minute      // time for which the address of a phone that the host turned away may not ask again
	wallCodeSize = 6                // bytes; longer codes make a finer QR code
	maxSeatName  = 96               // bytes; the games have shorter limits
)

// States of a request for a seat, as the page (lib/wall.ts) gets them.
const (
	seatLook   = "look"   // the phone has not asked: it has no name yet
	seatWait   = "wait"   // it waits for the host
	seatYours  = "yours"  // the host has seated it; the box contains the code
	seatDenied = "denied" // the host has turned it away
	seatBusy   = "busy"   // it cannot ask now
	seatLate   = "late"   // a game is running; it waits for the next lobby
	seatOld    = "old"    // the code is that of an earlier lobby, and no seat can be claimed by a pawn
	seatCard   = "card"   // the card of its character was laid: its player compares the figures
)

// seatWish has the wishes of a player who asks for a seat.
type seatWish struct {
	name, character string
	// plays: in the lobby, its player has this character already and wants that seat for this phone. Only a card can confirm it.
	plays bool
}

// wall is the state of joining from the display.
type wall struct {
	code  string      // of this lobby, or of the last one while a game runs; "" before the first
	open  bool        // there is a lobby
	free  []engine.ID // characters that no player has
	held  []engine.ID // characters of players whose seats can be claimed by a card
	asks  *askList
	lying map[string][]string // the readers on which each tag lies
}

// savedWall is the form of a wall in the settings.
type savedWall struct {
	Code string `json:"code"`
	Open bool   `json:"open"`
}

// wallSetting is the name of that setting.
const wallSetting = "wall"

// loadWall loads the code of the lobby, which a restart does not change.
func (d *Desk) loadWall() {
	d.wall.asks, d.wall.lying = newAskList(askLimits{turn: seatTurn, silence: seatTurn, fair: true}), map[string][]string{}
	var s savedWall
	if text, ok, err := d.keyStore.Setting(wallSetting); err == nil && ok && json.Unmarshal([]byte(text), &s) == nil {
		d.wall.code, d.wall.open = s.Code, s.Open && s.Code != ""
	}
}

// SyncLobby sets whether there is a lobby, the number of its free places and its free characters, and the characters of players
// whose seats can be claimed by a card (held). It returns the code of the lobby for the display: a new one for each lobby, ""
// while there is none. When the lobby is left, those who ask wait for the next one.
func (d *Desk) SyncLobby(open bool, places int, free, held []engine.ID) (code string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.updateSeatRequests()
	w, l := &d.wall, d.wall.asks
	changed := open != w.open
	if !open {
		places = 0
	}
	w.open, w.free, w.held, l.places, l.perAddress, l.perNetwork = open, free, held, places, places, places
	for _, p := range l.all {
		w.setAside(p)
	}
	if changed {
		for _, p := range l.all { // a card that was laid once in the lobby counts for nothing in the game
			p.card = nil
		}
		if open {
			var b [wallCodeSize]byte
			_, _ = rand.Read(b[:]) // never fails since Go 1.24
			w.code = base64.RawURLEncoding.EncodeToString(b[:])
			for _, p := range l.all { // time for their phones to wake up; until then they take nobody's place
				p.lastHeard, p.isAsleep = d.opts.Now(), true
			}
		}
		d.wall.saveTo(d.keyStore)
	}
	if !open {
		return ""
	}
	return w.code
}

func (w *wall) saveTo(s KeyStore) {
	text, _ := json.Marshal(savedWall{w.code, w.open}) // it cannot fail for a string
	_ = s.SetSetting(wallSetting, string(text))        // if this is not saved, a restart changes the code
}

// EndSeatRequests ends all requests for a seat, and the code by which they were made: they were of another group.
func (d *Desk) EndSeatRequests() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wall.code, d.wall.open, d.wall.asks.all, d.wall.free, d.wall.held = "", false, nil, nil, nil
	d.wall.saveTo(d.keyStore)
}

// SeatRequests returns the requests for a seat that the host sees and can answer, at most one for each free place, with
// their codes and without a seat, and the number of those that wait to be shown.
func (d *Desk) SeatRequests() (all []wire.Guest, waiting int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.updateSeatRequests()
	for _, p := range d.wall.asks.listShown() {
		g := wire.Guest{Ask: p.code, Name: p.wish.name}
		if who := engine.ID(p.wish.character); slices.Contains(d.wall.free, who) {
			g.Character = who
		}
		all = append(all, g)
	}
	return all, d.wall.asks.countWaiting()
}

// updateSeatRequests ends requests whose phone is silent or has joined, and shows the host the next ones.
func (d *Desk) updateSeatRequests() {
	now, silence := d.opts.Now(), seatSilence
	if !d.wall.open {
		silence = lateSilence
	}
	d.wall.expireCardClaims(now)
	d.wall.asks.update(now, func(p *askEntry) bool {
		if p.sealedCode != nil {
			h, ok := d.phones[p.admittedAs]
			return !ok || h != p.admitted || h.joined || !h.isOpen(now)
		}
		return now.Sub(p.lastHeard) > silence
	})
}

// AdmitToSeat makes an invitation for a seat and gives it to the phone that asks under this code: its next request to
// POST /ask gets the code of the invitation. If a card has confirmed the request, the phones that have the seat are cut off.
// The error is ErrNoPhone if the host sees no such request and no card has confirmed it, ErrFull if a phone has that seat.
func (d *Desk) AdmitToSeat(code string, at engine.Seat) error {
	had, err := d.admitToSeat(code, at)
	if err == nil {
		d.disconnectPhones(had)
	}
	return err
}

// admitToSeat does what AdmitToSeat does, but for the connections of the phones in had.
func (d *Desk) admitToSeat(code string, at engine.Seat) (had []wire.Handset, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.updateSeatRequests()
	p := d.wall.findCompared(code)
	had, joined, _ := d.phonesOf(engine.SeatViewer(at))
	if p == nil {
		if p = d.wall.asks.findShown(code); p == nil {
			return nil, ErrNoPhone
		} else if len(joined) > 0 {
			return nil, ErrFull
		}
	}
	h := wire.FirstPhoneOf(engine.SeatViewer(at))
	if err := d.inviteLocked(h, had); err != nil {
		return nil, err
	}
	own := seal.NewClaimKey()
	if p.tableKey != nil {
		own = *p.tableKey
	}
	box, err := d.phones[h].code.SealClaimWith(own, p.key[:])
	if err != nil { // without a valid key no phone could read the answer
		d.wall.asks.remove(p)
		return nil, ErrNoPhone
	}
	p.admittedAs, p.admitted, p.sealedCode = h, d.phones[h], box
	return had, nil
}

// RefuseSeat turns away the phone that asks under this code.
func (d *Desk) RefuseSeat(code string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.wall.asks.findShown(code)
	if p == nil {
		return ErrNoPhone
	}
	d.wall.asks.remove(p)
	d.wall.asks.banAddress(p, true, d.opts.Now().Add(seatDenyRest))
	return nil
}

// ExplainSeat gives the phone that asks under this code the reason why it cannot have its wish; an empty message: it can.
func (d *Desk) ExplainSeat(code string, why engine.Msg) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.wall.asks.findShown(code); p != nil {
		p.why = why
	}
}

// seatRequest is the request of a page: its key, the code from the display, and what its player wants. Whoever has heard
// the key could send another wish for it. So each wish has a lock, the SHA-256 of the SHA-256 of a random value; the next
// wish opens it with that value, and has a lock of its own. By the lock the phone has also committed itself to the
// SHA-256 of the value alone, for the figures of a card (seal.ClaimFigures); it shows that once it has the table's key.
type seatRequest struct {
	Key       string `json:"key"`
	Wall      string `json:"wall"`
	Name      string `json:"name"`
	Character string `json:"character"`
	Plays     bool   `json:"plays"`
	Lock      string `json:"lock"` // base64url
	Open      string `json:"open"`
	Shown     string `json:"shown"`
}

// wishProof has what a phone sends to prove that a wish is its own.
type wishProof struct {
	lock  [sha256.Size]byte // of this wish
	opens [sha256.Size]byte // the lock that it opens
	shown []byte            // what is behind the lock of this wish; empty until there is a key of the table
}

// seatAnswer is the answer to it. Of other phones that ask it says only that one has asked for the same character before.
type seatAnswer struct {
	State   string      `json:"state"`
	Free    []engine.ID `json:"free,omitempty"`    // free characters
	Held    []engine.ID `json:"held,omitempty"`    // characters whose seats can be claimed by a card
	Code    string      `json:"code,omitempty"`    // also on the host's page
	Full    bool        `json:"full,omitempty"`    // it waits, but no place is free
	Why     *engine.Msg `json:"why,omitempty"`     // why its player cannot have what they ask for
	Seconds int         `json:"seconds,omitempty"` // until it may ask again
	Box     string      `json:"box,omitempty"`
	Key     string      `json:"key,omitempty"` // the table's key for the figures
}

// ServeAsk answers POST /ask, by which a phone asks for a seat, and then for the answer again and again.
func (d *Desk) ServeAsk(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json")
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(d.bodyWait)) // a recorder in tests has none
	var req seatRequest
	if !hasJSONBody(r) || json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&req) != nil {
		writeRefusal(w, http.StatusBadRequest, "table.join.form")
		return
	}
	by, ok := requesterOf(r, req.Key)
	lock, err := base64.RawURLEncoding.DecodeString(req.Lock)
	if !ok || err != nil || len(lock) != sha256.Size || len(req.Name) > maxSeatName || !utf8.ValidString(req.Name) {
		writeRefusal(w, http.StatusBadRequest, "table.join.form")
		return
	}
	opened, _ := base64.RawURLEncoding.DecodeString(req.Open)
	proof := wishProof{lock: [sha256.Size]byte(lock), opens: lockOf(opened)}
	proof.shown, _ = base64.RawURLEncoding.DecodeString(req.Shown)
	wish := seatWish{strings.TrimSpace(req.Name), req.Character, req.Plays}
	a, changed := d.answerSeat(by, req.Wall, wish, proof)
	if changed && d.opts.Changed != nil {
		d.opts.Changed()
	}
	_ = json.NewEncoder(w).Encode(a)
}

// requesterOf returns the phone that sends a request with this public key; ok is false if that is none.
func requesterOf(r *http.Request, key string) (by requester, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil || !seal.IsPublicKey(raw) {
		return by, false
	}
	by = requester{key: [seal.PublicKeySize]byte(raw), network: door.AddressOrNetworkOf(r.RemoteAddr), kind: deviceKind(r.UserAgent())}
	if ap, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		by.addr = ap.Addr().Unmap().WithZone("")
	}
	return by, true
}

// lockOf returns the lock that a value opens.
func lockOf(opener []byte) [sha256.Size]byte {
	behind := sha256.Sum256(opener)
	return sha256.Sum256(behind[:])
}

// answerSeat returns the state of a phone's request for a seat. It begins one if the phone has a name, and changes it
// if the name or the character is another and opens the lock of the last wish. changed reports whether CardClaims has changed.
func (d *Desk) answerSeat(by requester, code string, wish seatWish, proof wishProof) (a seatAnswer, changed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.updateSeatRequests()
	now, w := d.opts.Now(), &d.wall
	p := w.asks.find(by.key)
	rest, own, rests := w.asks.restOf(by)
	a.Free, a.Held = slices.Clone(w.free), slices.Clone(w.held)
	switch {
	case p != nil && p.sealedCode != nil:
		return seatAnswer{State: seatYours, Box: encodeBox(p.sealedCode)}, false
	case p == nil && (w.code == "" || code != w.code) && (w.open || len(w.held) == 0):
		return seatAnswer{State: seatOld}, false
	case p == nil && own:
		return seatAnswer{State: seatDenied, Seconds: secondsRoundedUp(rest.until.Sub(now))}, false
	case p == nil && wish.name == "":
		if a.State, a.Full = seatLook, w.asks.places == 0; !w.open {
			a.State = seatLate
		}
		return a, false
	case p == nil && rests:
		return seatAnswer{State: seatBusy, Seconds: secondsRoundedUp(rest.until.Sub(now))}, false
	case p == nil:
		p = &askEntry{requester: by, since: now, wish: wish, lock: proof.lock}
		if !w.asks.queue(p) {
			return seatAnswer{State: seatBusy, Seconds: 1}, false
		}
	}
	if wish.name != "" && (wish != p.wish || proof.lock != p.lock) {
		if proof.opens != p.lock {
			return seatAnswer{State: seatDenied}, false
		}
		changed = p.card != nil
		p.wish, p.lock, p.why, p.cardAsk = wish, proof.lock, engine.Msg{}, cardAsk{}
	}
	p.lastHeard, p.isAsleep = now, false
	w.setAside(p)
	w.asks.showNext(now)
	changed = p.addFigures(proof.shown) || changed
	w.fillSeatAnswer(&a, p, now)
	return a, changed
}

// fillSeatAnswer completes the answer to a phone whose request waits.
func (w *wall) fillSeatAnswer(a *seatAnswer, p *askEntry, now time.Time) {
	a.State, a.Code, a.Full = seatWait, p.code, !p.isShown() && !p.isAside
	why := p.whyNoCard(now)
	if why.IsEmpty() && p.isShown() {
		why = p.why
	}
	if !why.IsEmpty() {
		a.Why = &why
	}
	switch {
	case p.card != nil:
		a.State, a.Key, a.Full, a.Why = seatCard, encodeBox(p.tableKey.PublicKey()), false, nil
	case !w.open:
		a.State, a.Code, a.Full = seatLate, "", false
	}
}

// setAside keeps a request for the seat of a player from the host, who has nothing to confirm. It is shown when that seat is free.
func (w *wall) setAside(p *askEntry) {
	p.isAside = w.open && p.wish.plays && slices.Contains(w.held, engine.ID(p.wish.character))
	if p.isAside {
		p.shownSince = time.Time{}
	}
}
