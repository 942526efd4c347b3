package pair

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"majordome/companion/door"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// Limits of a claim, see "Who becomes the host".
const (
	claimFor   = 3 * time.Minute  // from the asking to the last number
	claimHeard = 8 * time.Second  // without a word of the phone it is over
	claimIdle  = 90 * time.Second // without a card it gives way to who waits
	claimTurn  = 15 * time.Second // for so long it is the turn of who has waited longest
	maxLine    = 8                // phones that wait; of more, see displaced
	claimRest  = 30 * time.Second // before the same address may ask again after one that came to nothing; each time twice as long,
	claimMost  = 8 * time.Minute  // up to this
	maxEnded   = 64               // claims that are remembered, for wrongSpan
	maxWrong   = 6                // wrong numbers, of all phones,
	wrongSpan  = 10 * time.Minute // within this; then nobody asks by a card
	claimPause = 3 * time.Second  // no further laying for so long: the number is laid
	claimTries = 3                // wrong numbers
	claimSteps = 3                // numbers
	leastLaid  = 2
	mostLaid   = 4
)

// How a claim stands, as the page (lib/claim.ts) reads it.
const (
	claimFree   = "free"   // nobody is the host, nobody asks, and a reader is there
	claimScreen = "screen" // there is no reader that could see a card, or a game is played
	claimBusy   = "busy"   // another phone asks, or has just asked
	claimLay    = "lay"    // this phone asks
	claimOver   = "over"   // it asked, and it came to nothing
	claimYours  = "yours"  // the box holds the code
	claimTaken  = "taken"  // there is a host, who can be asked
	claimWait   = "wait"   // this phone asks the host
	claimDenied = "denied" // the host has said no
	claimFull   = "full"   // the host has as many devices as can be
)

// ClaimOpts adjust Claims.
type ClaimOpts struct {
	// Readers reports that a card which is laid now is seen, and means nothing else: a reader answers, and no
	// game is played.
	Readers func() bool
	// Screen reports that a browser of this machine is shown the host's link; nil: none is.
	Screen func() bool
	// Changed is told that Asked answers otherwise. It must not block.
	Changed func()
	// Draw are the numbers of a claim; nil draws them.
	Draw func() [claimSteps]int
}

// Claims let who stands at the table become the host, see "Who becomes the host" in the package comment.
// It is safe for concurrent use.
type Claims struct {
	desk *Desk
	opts ClaimOpts

	mu    sync.Mutex
	now   *claim
	line  []waiter    // who waits, the longest first
	turn  time.Time   // since when it is the first one's turn; zero: not yet
	ended []ended     // claims that came to nothing, the oldest first
	wrong []time.Time // when a number was wrong, the last maxWrong
	was   bool        // what Asked has answered last
	pleas []wire.Plea

	waiting int // devices for which the host's list has no room, as Turned has counted last
}

// waiter is a phone that was told to wait.
type waiter struct {
	asker
	heard time.Time
}

// ended is what is left of a claim that came to nothing.
type ended struct {
	key         [seal.PublicSize]byte
	at          netip.Addr
	when, until time.Time // until when the address rests
	times       int       // so often, one after the other
}

// claim is that of one phone.
type claim struct {
	key          [seal.PublicSize]byte
	at           netip.Addr
	began        time.Time
	until, heard time.Time
	want         [claimSteps]int
	done         int       // so many numbers are laid
	tag          string    // with which card
	laid         int       // so often, of the number at hand
	last         time.Time // when that was
	wrong        int
	box          []byte // all numbers were right: what the phone gets
}

// NewClaims are the claims of a desk's host.
func NewClaims(d *Desk, o ClaimOpts) *Claims {
	if o.Draw == nil {
		o.Draw = drawNumbers
	}
	return &Claims{desk: d, opts: o}
}

// drawNumbers never gives the same three times: a steady hand that tries a reader does that.
func drawNumbers() (n [claimSteps]int) {
	for n[0] == n[1] && n[1] == n[2] {
		for i := range n {
			n[i] = leastLaid + pick(mostLaid-leastLaid+1)
		}
	}
	return n
}

// pick is a number from 0 to n-1 that nobody can foretell.
func pick(n int64) int {
	r, err := rand.Int(rand.Reader, big.NewInt(n))
	if err != nil {
		panic("pair: " + err.Error()) // never since Go 1.24
	}
	return int(r.Int64())
}

// hosted reports that a phone has the host's page.
func (d *Desk) hosted() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, joined, _ := d.of(engine.Host)
	return len(joined) > 0
}

// Hosted reports that a phone has the host's page.
func (c *Claims) Hosted() bool { return c.desk.hosted() }

// Asked reports that a phone asks to be the host now.
func (c *Claims) Asked() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
	return c.now != nil
}

// Turned reports that Asked, or Pleas or Waiting of the desk, would answer otherwise than the last time Turned was asked: time
// alone ends a claim and a plea.
func (c *Claims) Turned() bool {
	asked, pleas, waiting := c.Asked(), c.desk.Pleas(), c.desk.Waiting()
	c.mu.Lock()
	defer c.mu.Unlock()
	turned := asked != c.was || !slices.Equal(pleas, c.pleas) || waiting != c.waiting
	c.was, c.pleas, c.waiting = asked, pleas, waiting
	return turned
}

// Laid tells of a card that was laid on a reader; true: it was for a claim, and nothing else heeds it.
func (c *Claims) Laid(tag string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
	k := c.now
	if k == nil || !c.opts.Readers() {
		return false
	}
	switch {
	case k.box != nil:
	case k.tag != "" && k.tag != tag: // two hands, or an enrolment that goes on
		c.miss(k)
	default:
		k.tag, k.last = tag, c.desk.opts.Now()
		k.laid++
	}
	return true
}

// settle ends what time has ended, and takes a number that was laid.
func (c *Claims) settle() {
	k, now := c.now, c.desk.opts.Now()
	c.queue(now)
	if k == nil {
		return
	}
	if c.desk.hosted() {
		c.now, c.line = nil, nil
		return
	}
	if k.box == nil && k.laid > 0 && now.Sub(k.last) >= claimPause {
		if k.laid == k.want[k.done] {
			k.done++
			k.laid = 0
		} else {
			c.miss(k)
		}
		if k.done == claimSteps {
			k.box = c.grant(k)
		}
	}
	switch {
	case c.now == nil:
	case now.After(k.until) || now.Sub(k.heard) > claimHeard || k.done == claimSteps && k.box == nil:
		c.end(k, claimRest)
	case len(c.line) > 0 && now.Sub(k.began) > claimIdle && k.done+k.laid+k.wrong == 0:
		c.end(k, 0)
	}
}

// queue forgets who waits no more, and whose turn has passed.
func (c *Claims) queue(now time.Time) {
	c.ended = slices.DeleteFunc(c.ended, func(e ended) bool { return now.Sub(e.when) > wrongSpan })
	c.wrong = slices.DeleteFunc(c.wrong, func(at time.Time) bool { return now.Sub(at) > wrongSpan })
	c.line = slices.DeleteFunc(c.line, func(w waiter) bool { return now.Sub(w.heard) > claimHeard })
	if c.now != nil || len(c.line) == 0 {
		c.turn = time.Time{}
		return
	}
	if !c.turn.IsZero() && now.Sub(c.turn) > claimTurn {
		c.line, c.turn = c.line[1:], time.Time{}
	}
	if c.turn.IsZero() {
		c.turn = now
	}
}

// wait lets a phone stand in line, where nobody can keep others from it for good.
func (c *Claims) wait(by asker, now time.Time) {
	i := slices.IndexFunc(c.line, func(w waiter) bool { return w.key == by.key })
	switch {
	case i >= 0:
		c.line[i].heard = now
	case len(c.line) < maxLine:
		c.line = append(c.line, waiter{by, now})
	default:
		all := make([]asker, len(c.line))
		for i, w := range c.line {
			all[i] = w.asker
		}
		if i, ok := displaced(all, by); ok {
			c.line[i] = waiter{by, now}
		}
	}
}

// rests is for how long an address begins no claim: after its own that came to nothing, and after too many wrong numbers of all.
func (c *Claims) rests(at netip.Addr, now time.Time) (d time.Duration) {
	for _, e := range c.ended {
		if e.at == at {
			d = max(d, e.until.Sub(now))
		}
	}
	if len(c.wrong) >= maxWrong {
		d = max(d, c.wrong[0].Add(wrongSpan).Sub(now))
	}
	return d
}

// miss begins anew, with other numbers, or ends the claim.
func (c *Claims) miss(k *claim) {
	k.done, k.laid, k.tag, k.want = 0, 0, "", c.opts.Draw()
	c.wrong = append(c.wrong, c.desk.opts.Now())
	c.wrong = c.wrong[max(0, len(c.wrong)-maxWrong):]
	if k.wrong++; k.wrong >= claimTries || len(c.wrong) >= maxWrong {
		c.end(k, claimRest)
	}
}

// end ends a claim; its address rests so long, and each time twice as long.
func (c *Claims) end(k *claim, rest time.Duration) {
	now := c.desk.opts.Now()
	e := ended{k.key, k.at, now, now, 0}
	for _, o := range c.ended {
		if o.at == k.at && rest > 0 {
			e.times = max(e.times, o.times)
		}
	}
	if rest > 0 {
		e.times++
		e.until = now.Add(min(rest<<min(e.times-1, 10), claimMost))
	}
	c.now, c.ended = nil, append(c.ended, e)
	c.ended = c.ended[max(0, len(c.ended)-maxEnded):]
}

// grant seals a new code of the host for the phone; nil: it could not be recorded.
func (c *Claims) grant(k *claim) []byte {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	host := wire.First(engine.Host)
	if _, joined, _ := c.desk.of(engine.Host); len(joined) > 0 || c.desk.inviteLocked(host, nil) != nil {
		return nil
	}
	box, err := c.desk.phones[host].code.SealClaim(k.key[:])
	if err != nil {
		return nil
	}
	return box
}

// claimRequest is what a page sends: who it is, and whether it asks or only looks.
type claimRequest struct {
	Key string `json:"key"`
	Ask bool   `json:"ask"`
}

// claimAnswer says how its claim stands.
type claimAnswer struct {
	State   string `json:"state"`
	Numbers []int  `json:"numbers,omitempty"` // how often the card is to be laid, one number after the other
	At      int    `json:"at,omitempty"`      // so many are done
	Laid    int    `json:"laid,omitempty"`    // so often, of the next
	Wrong   int    `json:"wrong,omitempty"`   // numbers that were not those, so far
	Seconds int    `json:"seconds,omitempty"` // left
	Code    string `json:"code,omitempty"`    // which the host's page shows, too, once nobody is ahead
	Ahead   int    `json:"ahead,omitempty"`   // devices whose turn comes first
	Turns   bool   `json:"turns,omitempty"`   // others wait to be shown to the host instead: Seconds are then those until that may be
	Box     string `json:"box,omitempty"`
	Screen  bool   `json:"screen,omitempty"` // the screen of this machine shows a code, too
}

// ServeHTTP answers POST /claim, by which a phone asks to be the host, and hears again and again how that stands.
func (c *Claims) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json")
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(c.desk.bodyWait)) // a recorder in tests has none
	var req claimRequest
	if !isJSON(r) || json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&req) != nil {
		refuse(w, http.StatusBadRequest, "table.join.form")
		return
	}
	raw, err := base64.RawURLEncoding.DecodeString(req.Key)
	if err != nil || len(raw) != seal.PublicSize {
		refuse(w, http.StatusBadRequest, "table.join.form")
		return
	}
	by := asker{key: [seal.PublicSize]byte(raw), from: door.NetworkOf(r.RemoteAddr), kind: kindOf(r.UserAgent())}
	if ap, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		by.at = ap.Addr().Unmap().WithZone("")
	}
	a, changed := c.ask(by, req.Ask)
	a.Screen = c.opts.Screen != nil && c.opts.Screen()
	if changed && c.opts.Changed != nil {
		c.opts.Changed()
	}
	_ = json.NewEncoder(w).Encode(a)
}

// ask says how the claim of a phone stands, and begins one where that can be; changed: Asked answers otherwise. Where
// there is a host already it is a plea.
func (c *Claims) ask(by asker, begin bool) (a claimAnswer, changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.now
	c.settle()
	if c.desk.hosted() {
		return c.desk.plead(by, begin)
	}
	defer func() { changed = (before != nil) != (c.now != nil) }()
	now := c.desk.opts.Now()
	c.queue(now)
	k, rests := c.now, c.rests(by.at, now)
	switch {
	case k != nil && k.key == by.key:
		k.heard = now
		return k.answer(now), false
	case slices.ContainsFunc(c.ended, func(e ended) bool { return e.key == by.key }):
		return claimAnswer{State: claimOver}, false
	case k == nil && !c.opts.Readers():
		return claimAnswer{State: claimScreen}, false
	case rests > 0 && (begin || k != nil):
		return claimAnswer{State: claimBusy, Seconds: seconds(rests)}, false
	case k != nil:
		c.wait(by, now)
		return claimAnswer{State: claimBusy, Seconds: seconds(k.until.Sub(now))}, false
	case len(c.line) > 0 && c.line[0].key != by.key:
		c.wait(by, now)
		return claimAnswer{State: claimBusy, Seconds: seconds(c.turn.Add(claimTurn).Sub(now))}, false
	case !begin:
		if len(c.line) > 0 {
			c.line[0].heard = now
		}
		return claimAnswer{State: claimFree}, false
	}
	c.line = c.line[min(1, len(c.line)):]
	c.now = &claim{key: by.key, at: by.at, began: now, until: now.Add(claimFor), heard: now, want: c.opts.Draw()}
	return c.now.answer(now), false
}

func (k *claim) answer(now time.Time) claimAnswer {
	if k.box != nil {
		return claimAnswer{State: claimYours, Box: boxText(k.box)}
	}
	return claimAnswer{State: claimLay, Numbers: k.want[:], At: k.done, Laid: k.laid, Wrong: k.wrong, Seconds: seconds(k.until.Sub(now))}
}

func boxText(box []byte) string { return base64.RawURLEncoding.EncodeToString(box) }

func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
