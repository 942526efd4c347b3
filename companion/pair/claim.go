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
	claimFor   = 3 * time.Minute  // from the claim to the last number
	claimHeard = 8 * time.Second  // the claim ends if the phone is silent for so long
	claimIdle  = 90 * time.Second // without a card, it makes room for a waiting phone
	claimTurn  = 15 * time.Second // time for the first waiting phone to begin
	maxLine    = 8                // waiting phones; for more see pickDisplaced
	claimRest  = 30 * time.Second // before an address may claim again after a failed claim; twice as long each time,
	claimMost  = 8 * time.Minute  // but at most this
	maxEnded   = 64               // failed claims that are remembered
	maxWrong   = 6                // wrong numbers of all phones
	wrongSpan  = 10 * time.Minute // within this time; then no phone can claim by a card
	claimPause = 3 * time.Second  // after this time without a card the number is complete
	claimTries = 3                // wrong numbers of one claim
	claimSteps = 3                // numbers of one claim
	leastLaid  = 2
	mostLaid   = 4
)

// States of a claim, as the page (lib/claim.ts) gets them.
const (
	claimFree   = "free"   // there is no host and no claim, and a reader is ready
	claimScreen = "screen" // no reader can read a card now, or a game is running
	claimBusy   = "busy"   // another phone claims, or has just done so
	claimLay    = "lay"    // this phone claims
	claimOver   = "over"   // its claim has failed
	claimYours  = "yours"  // it has succeeded; the box contains the code
	claimTaken  = "taken"  // there is a host, who can be asked
	claimWait   = "wait"   // this phone asks the host
	claimDenied = "denied" // the host has refused
	claimFull   = "full"   // the host has the greatest number of devices
)

// ClaimOpts configure Claims.
type ClaimOpts struct {
	// ReadersReady reports whether a card on a reader is read now and is not for anything else: a reader
	// answers, and no game is running.
	Readers func() bool
	// HasLocalScreen reports whether a browser of this machine shows the host's link. Nil: none does.
	Screen func() bool
	// Changed is called when HasClaim or AccessRequests of the desk have changed. It must not block.
	Changed func()
	// DrawNumbers returns the numbers of a new claim. Nil: they are random.
	Draw func() [claimSteps]int
}

// Claims let a person at the table become the host, see "Who becomes the host" in the package comment. It is
// safe for concurrent use.
type Claims struct {
	desk *Desk
	opts ClaimOpts

	mu    sync.Mutex
	now   *claim
	line  []waiter    // waiting phones, the oldest first
	turn  time.Time   // since when the first of them may begin; zero: not yet
	ended []ended     // failed claims, the oldest first
	wrong []time.Time // times of the last maxWrong wrong numbers
	was   bool        // last result of HasClaim in PollChanged
	pleas []wire.Plea

	waiting int // last number of WaitingRequests in PollChanged
}

// waitingPhone is a phone in the queue.
type waiter struct {
	asker
	heard time.Time
}

// endedClaim remembers a failed claim.
type ended struct {
	key         [seal.PublicSize]byte
	at          netip.Addr
	when, until time.Time // the address may not claim before until
	times       int       // failed claims of this address in a row
}

// claim is the claim of one phone.
type claim struct {
	key          [seal.PublicSize]byte
	at           netip.Addr
	began        time.Time
	until, heard time.Time
	want         [claimSteps]int
	done         int       // numbers that are complete
	tag          string    // the card in use
	laid         int       // how often it was put down for the current number
	last         time.Time // when it was last put down
	wrong        int
	box          []byte // all numbers were right: the encrypted code for the phone
}

// NewClaims returns the claims for the host's page of a desk.
func NewClaims(d *Desk, o ClaimOpts) *Claims {
	if o.Draw == nil {
		o.Draw = drawNumbers
	}
	return &Claims{desk: d, opts: o}
}

// drawNumbers returns random numbers, but never three equal ones: a person who tries out a reader does that.
func drawNumbers() (n [claimSteps]int) {
	for n[0] == n[1] && n[1] == n[2] {
		for i := range n {
			n[i] = leastLaid + pick(mostLaid-leastLaid+1)
		}
	}
	return n
}

// randomBelow returns an unpredictable number from 0 to n-1.
func pick(n int64) int {
	r, err := rand.Int(rand.Reader, big.NewInt(n))
	if err != nil {
		panic("pair: " + err.Error()) // it cannot fail since Go 1.24
	}
	return int(r.Int64())
}

// hasHost reports whether any phone has the host's page.
func (d *Desk) hosted() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, joined, _ := d.of(engine.Host)
	return len(joined) > 0
}

// HasHost reports whether any phone has the host's page.
func (c *Claims) Hosted() bool { return c.desk.hosted() }

// HasClaim reports whether a phone claims to be the host now.
func (c *Claims) Asked() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
	return c.now != nil
}

// PollChanged reports whether HasClaim, or AccessRequests or WaitingRequests of the desk, have changed since
// the last call. Claims and access requests also end because time passes.
func (c *Claims) Turned() bool {
	asked, pleas, waiting := c.Asked(), c.desk.Pleas(), c.desk.Waiting()
	c.mu.Lock()
	defer c.mu.Unlock()
	turned := asked != c.was || !slices.Equal(pleas, c.pleas) || waiting != c.waiting
	c.was, c.pleas, c.waiting = asked, pleas, waiting
	return turned
}

// HandleCard handles a card that was put on a reader. It returns true if the card was for a claim; the caller
// must then ignore it.
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
	case k.tag != "" && k.tag != tag: // two people, or an enrolment
		c.miss(k)
	default:
		k.tag, k.last = tag, c.desk.opts.Now()
		k.laid++
	}
	return true
}

// updateClaim ends a claim whose time is over, and checks a number that is complete.
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

// pruneQueue removes phones that are silent or whose turn is over.
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

// queuePhone lets a phone wait. No phone can keep others out of the queue for ever (pickDisplaced).
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

// restTime returns for how long an address cannot claim, because of its own failed claims or of too many wrong
// numbers of all phones.
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

// countWrong starts the claim again with other numbers, or ends it.
func (c *Claims) miss(k *claim) {
	k.done, k.laid, k.tag, k.want = 0, 0, "", c.opts.Draw()
	c.wrong = append(c.wrong, c.desk.opts.Now())
	c.wrong = c.wrong[max(0, len(c.wrong)-maxWrong):]
	if k.wrong++; k.wrong >= claimTries || len(c.wrong) >= maxWrong {
		c.end(k, claimRest)
	}
}

// endClaim ends a claim. Its address may not claim again for rest, twice as long after each further failure.
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

// sealHostCode returns a new code of the host, encrypted for the phone; nil if it cannot be stored.
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

// claimRequest is the request of a page: its key, and whether it claims or only asks for the state.
type claimRequest struct {
	Key string `json:"key"`
	Ask bool   `json:"ask"`
}

// claimAnswer is the state of its claim.
type claimAnswer struct {
	State   string `json:"state"`
	Numbers []int  `json:"numbers,omitempty"` // how often to put the card down, one number after the other
	At      int    `json:"at,omitempty"`      // numbers that are complete
	Laid    int    `json:"laid,omitempty"`    // how often the card was put down for the next number
	Wrong   int    `json:"wrong,omitempty"`   // wrong numbers so far
	Seconds int    `json:"seconds,omitempty"` // left
	Code    string `json:"code,omitempty"`    // also on the host's page as soon as no device is ahead
	Ahead   int    `json:"ahead,omitempty"`   // devices that are shown first
	Turns   bool   `json:"turns,omitempty"`   // others wait to be shown in its place: Seconds counts to that moment
	Box     string `json:"box,omitempty"`
	Screen  bool   `json:"screen,omitempty"` // the screen of this machine also shows a code
}

// ServeHTTP answers POST /claim, by which a phone claims to be the host, and then asks for the state again and
// again.
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

// answerClaim returns the state of a phone's claim, and begins a claim if possible; if there is a host already
// it is an access request. changed reports whether HasClaim, or AccessRequests, has changed.
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
