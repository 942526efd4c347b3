package pair

import (
	"crypto/sha256"
	"slices"
	"strings"
	"time"

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

const (
	cardTime    = time.Minute      // from the first time that a card is laid to the second
	whyTime     = 20 * time.Second // for which a phone says why a card did not count
	cardSilence = 8 * time.Second  // a phone that was not heard for so long is not in anybody's hand
)

// LaidCard is a card that was put on a reader.
type LaidCard struct {
	Reader, UID string
	Card        engine.ID // "": no card of the game on the table has this tag
	IsOld       bool      // it lay there before the reader was watched: nobody puts it there now
}

// cardAsk is the part of a request for a seat about its card, see "By a card" in the package comment. A new wish ends it.
type cardAsk struct {
	card     *cardClaim     // the claim; nil: none
	tableKey *seal.ClaimKey // drawn for the first claim of a wish, because the phone compares one key only
	figures  string         // "" until the phone has shown what it has committed itself to
	cardWhy  engine.Msg     // why the last card did not count; empty if it did
	whyEnds  time.Time      // until when the phone says so
}

// cardClaim is the claim of the seat of a character by its card.
type cardClaim struct {
	uid      string
	until    time.Time
	compared bool // the card was laid again
}

// HandleCard handles a card that was put on a reader. It returns true if the card was for a claim of the host's page or of a
// seat; the caller must then ignore it.
func (c *Claims) HandleCard(laid LaidCard) (handled bool) {
	c.desk.mu.Lock()
	doubled := c.desk.wall.addLyingTag(laid.Reader, laid.UID)
	c.desk.mu.Unlock()
	if laid.IsOld {
		return false
	}
	if c.handleHostCard(laid.UID) {
		return true
	}
	if c.opts.CharacterOf == nil || strings.HasPrefix(laid.Reader, engine.ReaderPlace) { // a pawn in a room is a move
		return false
	}
	handled, said := c.handleSeatCard(laid, doubled)
	if !said.IsEmpty() && c.desk.opts.Announce != nil {
		c.desk.opts.Announce(said)
	}
	if handled && c.opts.Changed != nil {
		c.opts.Changed()
	}
	return handled
}

// HandleLeft handles a tag that has left a reader. Without a tag it is a reader that does not answer any more.
func (c *Claims) HandleLeft(reader, uid string) {
	d := c.desk
	d.mu.Lock()
	defer d.mu.Unlock()
	for tag, on := range d.wall.lying {
		if uid != "" && tag != uid {
			continue
		}
		if on = slices.DeleteFunc(on, func(r string) bool { return r == reader }); len(on) > 0 {
			d.wall.lying[tag] = on
		} else {
			delete(d.wall.lying, tag)
		}
	}
}

// addLyingTag notes a tag on a reader, and reports whether it lies on another one, too: then one of the two is a copy.
func (w *wall) addLyingTag(reader, uid string) (doubled bool) {
	on := w.lying[uid]
	if !slices.Contains(on, reader) {
		on = append(on, reader)
	}
	w.lying[uid] = on
	return len(on) > 1
}

// handleSeatCard handles a card on a reader of the table. said tells all about a card that does not count. In a running game
// only pawns are looked at, because everybody sees whose they are.
func (c *Claims) handleSeatCard(laid LaidCard, doubled bool) (handled bool, said engine.Msg) {
	d := c.desk
	d.mu.Lock()
	defer d.mu.Unlock()
	d.updateSeatRequests()
	w, now := &d.wall, d.opts.Now()
	if _, isPawn := engine.PawnOwner(string(laid.Card)); !w.open && !isPawn {
		return false, said
	}
	who := c.opts.CharacterOf(laid.Card)
	if who == "" {
		return false, said
	}
	asks := w.requestsFor(who, now)
	begun := slices.IndexFunc(asks, func(p *askEntry) bool { return p.card != nil && p.card.uid == laid.UID })
	switch {
	case len(asks) == 0:
		return false, w.tellNobodyAsks(who, now)
	case doubled:
		return true, refuseCard(asks, "table.card.copy", who, now)
	case begun >= 0:
		asks[begun].card.compared = asks[begun].figures != "" // else the phone has not answered yet
		return true, said
	case len(asks) > 1:
		return true, refuseCard(asks, "table.card.two", who, now)
	}
	p := asks[0]
	p.card, p.cardWhy = &cardClaim{uid: laid.UID, until: now.Add(cardTime)}, engine.Msg{}
	if p.tableKey == nil {
		key := seal.NewClaimKey()
		p.tableKey = &key
	}
	return true, said
}

// requestsFor returns the requests that a card of this character may be for: of phones that are heard, and as long as they can
// have its seat. Whose phone asks for a free character in the lobby does not get the seat of a player who was faster.
func (w *wall) requestsFor(who engine.ID, now time.Time) (asks []*askEntry) {
	isFree, isHeld := slices.Contains(w.free, who), slices.Contains(w.held, who)
	for _, p := range w.asks.all {
		canHave := isFree || isHeld && (p.wish.plays || !w.open)
		if engine.ID(p.wish.character) == who && canHave && p.sealedCode == nil && !p.isAsleep && now.Sub(p.lastHeard) <= cardSilence {
			asks = append(asks, p)
		}
	}
	return asks
}

// refuseCard ends the claims of these requests by a card, and tells their phones why. It returns what all are told.
func refuseCard(asks []*askEntry, key string, who engine.ID, now time.Time) engine.Msg {
	why := engine.NewMsg(key, "character", string(who))
	for _, p := range asks {
		p.endCardClaim(why, now)
	}
	return why
}

func (p *cardAsk) endCardClaim(why engine.Msg, now time.Time) {
	p.card, p.cardWhy, p.whyEnds = nil, why, now.Add(whyTime)
}

// whyNoCard returns why the last card did not count; empty if it did, or if that was said for long enough.
func (p *cardAsk) whyNoCard(now time.Time) engine.Msg {
	if now.Before(p.whyEnds) {
		return p.cardWhy
	}
	return engine.Msg{}
}

// tellNobodyAsks tells the phones that ask for another character, before a game, that this card is not theirs. It returns what
// all are told.
func (w *wall) tellNobodyAsks(who engine.ID, now time.Time) (said engine.Msg) {
	if !w.open {
		return said
	}
	for _, p := range w.asks.all {
		if p.sealedCode == nil && p.wish.character != "" && !p.isAsleep && p.card == nil {
			said = engine.NewMsg("table.card.other", "character", string(who))
			p.endCardClaim(said, now)
		}
	}
	return said
}

// addFigures adds the figures of a claim by a card, once the phone shows what it has committed itself to.
func (p *askEntry) addFigures(shown []byte) (added bool) {
	if p.card == nil || p.figures != "" || sha256.Sum256(shown) != p.lock {
		return false
	}
	p.figures = seal.ClaimFigures(p.key[:], p.tableKey.PublicKey(), shown)
	return true
}

// expireCardClaims ends claims by a card that nobody has confirmed in time.
func (w *wall) expireCardClaims(now time.Time) {
	for _, p := range w.asks.all {
		if p.card != nil && p.sealedCode == nil && !now.Before(p.card.until) {
			refuseCard([]*askEntry{p}, "table.card.late", engine.ID(p.wish.character), now)
		}
	}
}

// CardClaims returns the claims of seats by a card that are not answered yet, for all to compare, and the requests of those
// whose card was laid a second time, with their codes and without a seat. Played: they ask for the seat of a player.
func (d *Desk) CardClaims() (open []wire.CardClaim, compared []wire.Guest) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.updateSeatRequests()
	for _, p := range d.wall.asks.all {
		if p.card == nil || p.sealedCode != nil {
			continue
		}
		who := engine.ID(p.wish.character)
		open = append(open, wire.CardClaim{Character: who, Figures: p.figures})
		if p.card.compared {
			compared = append(compared, wire.Guest{Ask: p.code, Name: p.wish.name, Character: who, Played: p.isAside || !d.wall.open})
		}
	}
	return open, compared
}

// findCompared returns the request with this code if its card was laid a second time; nil for none.
func (w *wall) findCompared(code string) *askEntry {
	for _, p := range w.asks.all {
		if p.code == code && p.card != nil && p.card.compared && p.sealedCode == nil {
			return p
		}
	}
	return nil
}

// RefuseClaim ends a claim whose card was laid a second time, and tells its phone why.
func (d *Desk) RefuseClaim(code string, why engine.Msg) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.wall.findCompared(code); p != nil {
		p.endCardClaim(why, d.opts.Now())
	}
}
