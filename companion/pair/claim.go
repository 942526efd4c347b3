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

	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// Limits of a claim, see "Who becomes the host".
const (
	claimTime     = 3 * time.Minute  // from the claim to the last number
	claimSilence  = 8 * time.Second  // the claim ends if the phone is silent for so long
	claimIdle     = 90 * time.Second // without a card, it makes room for a waiting phone
	claimTurn     = 15 * time.Second // time for the first waiting phone to begin
	maxQueue      = 8                // waiting phones; for more see pickDisplaced
	claimRest     = 30 * time.Second // before an address may claim again after a failed claim; twice as long each time,
	claimRestMax  = 8 * time.Minute  // but at most this
	maxEnded      = 64               // failed claims that are remembered
	maxWrong      = 6                // wrong numbers of all phones
	wrongSpan     = 10 * time.Minute // within this time; then no phone can claim by a card
	claimPause    = 3 * time.Second  // after this time without a card the number is complete
	claimMaxWrong = 3                // wrong numbers of one claim
	claimSteps    = 3                // numbers of one claim
	minPlaced     = 2
	maxPlaced     = 4
)

// States of a claim, as the page (lib/claim.ts) gets them.
const (
	claimFree   = "free"   // there is no host and no claim, and a reader is ready
	claimScreen = "screen" // no reader can read a card now, or a game is running
	claimWifi   = "wifi"   // the same, but this phone is on this machine's own Wi-Fi and may claim without a card
	claimBusy   = "busy"   // another phone claims, or has just done so
	claimLater  = "later"  // after failed claims: in so many seconds it may claim again
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
	ReadersReady func() bool
	// IsOnOwnWifi reports whether a phone at an address may claim without a card because it has joined this machine's own
	// Wi-Fi; it is asked only while ReadersReady is false. Nil: none may.
	IsOnOwnWifi func(netip.Addr) bool
	// HasLocalScreen reports whether a browser of this machine shows the host's link. Nil: none does.
	HasLocalScreen func() bool
	// Changed is called when HasClaim or AccessRequests of the desk have changed. It must not block.
	Changed func()
	// CharacterOf returns the character of a card or a pawn; "" for a card of none, and while cards are laid for something
	// else. Nil: no seat can be claimed by a card.
	CharacterOf func(card engine.ID) engine.ID
	// DrawNumbers returns the numbers of a new claim. Nil: they are random.
	DrawNumbers func() [claimSteps]int
}

// Claims let a person at the table become the host, see "Who becomes the host" in the package comment. It is
// safe for concurrent use.
type Claims struct {
	desk *Desk
	opts ClaimOpts

	mu            sync.Mutex
	current       *claim
	waitingPhones []waitingPhone // waiting phones, the oldest first
	turnSince     time.Time      // since when the first of them may begin; zero: not yet
	failed        []endedClaim   // failed claims, the oldest first
	wrongTimes    []time.Time    // times of the last maxWrong wrong numbers
	hadClaim      bool           // last result of HasClaim in TakeChange
	lastRequests  []wire.Plea

	lastCards      []wire.CardClaim // last CardClaims of the desk in TakeChange
	lastWaiting    int              // last number of WaitingRequests there
	lastForSeats   []wire.Guest     // last SeatRequests there
	lastSeatsQueue int
}

// waitingPhone is a phone in the queue.
type waitingPhone struct {
	requester
	lastHeard time.Time
}

// endedClaim remembers a failed claim.
type endedClaim struct {
	key         [seal.PublicKeySize]byte
	addr        netip.Addr
	when, until time.Time // the address may not claim before until
	times       int       // failed claims of this address in a row
}

// claim is the claim of one phone.
type claim struct {
	key              [seal.PublicKeySize]byte
	addr             netip.Addr
	began            time.Time
	until, lastHeard time.Time
	numbers          [claimSteps]int
	done             int       // numbers that are complete
	tag              string    // the card in use
	placed           int       // how often it was put down for the current number
	lastPlaced       time.Time // when it was last put down
	wrong            int
	sealedCode       []byte // all numbers were right: the encrypted code for the phone
}

// NewClaims returns the claims for the host's page of a desk.
func NewClaims(d *Desk, o ClaimOpts) *Claims {
	if o.DrawNumbers == nil {
		o.DrawNumbers = drawNumbers
	}
	return &Claims{desk: d, opts: o}
}

// drawNumbers returns random numbers, but never three equal ones: a person who tries out a reader does that.
func drawNumbers() (n [claimSteps]int) {
	for n[0] == n[1] && n[1] == n[2] {
		for i := range n {
			n[i] = minPlaced + randomBelow(maxPlaced-minPlaced+1)
		}
	}
	return n
}

// randomBelow returns an unpredictable number from 0 to n-1.
func randomBelow(n int64) int {
	r, err := rand.Int(rand.Reader, big.NewInt(n))
	if err != nil {
		panic("pair: " + err.Error()) // it cannot fail since Go 1.24
	}
	return int(r.Int64())
}

// hasHost reports whether any phone has the host's page.
func (d *Desk) hasHost() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, joined, _ := d.phonesOf(engine.Host)
	return len(joined) > 0
}

// hadHostSinceStart reports whether a phone has or had the host's page since the start.
func (d *Desk) hadHostSinceStart() bool {
	had := d.hasHost()
	d.mu.Lock()
	defer d.mu.Unlock()
	return had || d.hadHost
}

// HostState returns the display's code for whether the host's page is taken (""), asked for or free.
func (c *Claims) HostState() string {
	switch {
	case c.desk.hasHost():
		return ""
	case c.HasClaim():
		return wire.HostAsked
	}
	return wire.HostFree
}

// HasClaim reports whether a phone claims to be the host now.
func (c *Claims) HasClaim() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.updateClaim()
	return c.current != nil
}

// TakeChange reports whether HasClaim, or AccessRequests, WaitingRequests, SeatRequests or CardClaims of the desk, have
// changed since the last call. Claims and requests also end because time passes.
func (c *Claims) TakeChange() bool {
	asked, pleas, waiting := c.HasClaim(), c.desk.AccessRequests(), c.desk.WaitingRequests()
	forSeats, queue := c.desk.SeatRequests()
	cards, _ := c.desk.CardClaims()
	c.mu.Lock()
	defer c.mu.Unlock()
	turned := asked != c.hadClaim || !slices.Equal(pleas, c.lastRequests) || waiting != c.lastWaiting ||
		!slices.Equal(forSeats, c.lastForSeats) || queue != c.lastSeatsQueue || !slices.Equal(cards, c.lastCards)
	c.hadClaim, c.lastRequests, c.lastWaiting, c.lastForSeats, c.lastSeatsQueue = asked, pleas, waiting, forSeats, queue
	c.lastCards = cards
	return turned
}

// handleHostCard handles a card with the tag uid that was put on a reader. It returns true if it was for a claim of the host's page.
func (c *Claims) handleHostCard(uid string) (handled bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.updateClaim()
	k := c.current
	if k == nil || !c.opts.ReadersReady() {
		return false
	}
	switch {
	case k.sealedCode != nil:
	case k.tag != "" && k.tag != uid: // two people, or an enrolment
		c.handleWrongNumber(k)
	default:
		k.tag, k.lastPlaced = uid, c.desk.opts.Now()
		k.placed++
	}
	return true
}

// updateClaim ends a claim whose time is over, and checks a number that is complete.
func (c *Claims) updateClaim() {
	k, now := c.current, c.desk.opts.Now()
	c.pruneQueue(now)
	if k == nil {
		return
	}
	if c.desk.hasHost() {
		c.current, c.waitingPhones = nil, nil
		return
	}
	if k.sealedCode == nil && k.placed > 0 && now.Sub(k.lastPlaced) >= claimPause {
		if k.placed == k.numbers[k.done] {
			k.done++
			k.placed = 0
		} else {
			c.handleWrongNumber(k)
		}
		if k.done == claimSteps {
			k.sealedCode = c.sealHostCode(k)
		}
	}
	switch {
	case c.current == nil:
	case now.After(k.until) || now.Sub(k.lastHeard) > claimSilence || k.done == claimSteps && k.sealedCode == nil:
		c.endClaim(k, claimRest)
	case len(c.waitingPhones) > 0 && now.Sub(k.began) > claimIdle && k.done+k.placed+k.wrong == 0:
		c.endClaim(k, 0)
	}
}

// pruneQueue removes waiting phones that are silent or whose turn is over, and forgets failed claims and wrong
// numbers older than wrongSpan.
func (c *Claims) pruneQueue(now time.Time) {
	c.failed = slices.DeleteFunc(c.failed, func(e endedClaim) bool { return now.Sub(e.when) > wrongSpan })
	c.wrongTimes = slices.DeleteFunc(c.wrongTimes, func(at time.Time) bool { return now.Sub(at) > wrongSpan })
	c.waitingPhones = slices.DeleteFunc(c.waitingPhones, func(w waitingPhone) bool { return now.Sub(w.lastHeard) > claimSilence })
	if c.current != nil || len(c.waitingPhones) == 0 {
		c.turnSince = time.Time{}
		return
	}
	if !c.turnSince.IsZero() && now.Sub(c.turnSince) > claimTurn {
		c.waitingPhones, c.turnSince = c.waitingPhones[1:], time.Time{}
	}
	if c.turnSince.IsZero() {
		c.turnSince = now
	}
}

// queuePhone lets a phone wait. No phone can keep others out of the queue for ever (pickDisplaced).
func (c *Claims) queuePhone(by requester, now time.Time) {
	i := slices.IndexFunc(c.waitingPhones, func(w waitingPhone) bool { return w.key == by.key })
	switch {
	case i >= 0:
		c.waitingPhones[i].lastHeard = now
	case len(c.waitingPhones) < maxQueue:
		c.waitingPhones = append(c.waitingPhones, waitingPhone{by, now})
	default:
		all := make([]requester, len(c.waitingPhones))
		for i, w := range c.waitingPhones {
			all[i] = w.requester
		}
		if i, ok := pickDisplaced(all, by); ok {
			c.waitingPhones[i] = waitingPhone{by, now}
		}
	}
}

// claimRestTime returns for how long an address cannot claim, because of its own failed claims or of too many wrong
// numbers of all phones.
func (c *Claims) claimRestTime(at netip.Addr, now time.Time) (d time.Duration) {
	for _, e := range c.failed {
		if e.addr == at {
			d = max(d, e.until.Sub(now))
		}
	}
	if len(c.wrongTimes) >= maxWrong {
		d = max(d, c.wrongTimes[0].Add(wrongSpan).Sub(now))
	}
	return d
}

// handleWrongNumber counts a wrong number, and starts the claim again with other numbers or ends it.
func (c *Claims) handleWrongNumber(k *claim) {
	k.done, k.placed, k.tag, k.numbers = 0, 0, "", c.opts.DrawNumbers()
	c.wrongTimes = append(c.wrongTimes, c.desk.opts.Now())
	c.wrongTimes = c.wrongTimes[max(0, len(c.wrongTimes)-maxWrong):]
	if k.wrong++; k.wrong >= claimMaxWrong || len(c.wrongTimes) >= maxWrong {
		c.endClaim(k, claimRest)
	}
}

// endClaim ends a claim. Its address may not claim again for rest, twice as long after each further failure.
func (c *Claims) endClaim(k *claim, rest time.Duration) {
	now := c.desk.opts.Now()
	e := endedClaim{k.key, k.addr, now, now, 0}
	for _, o := range c.failed {
		if o.addr == k.addr && rest > 0 {
			e.times = max(e.times, o.times)
		}
	}
	if rest > 0 {
		e.times++
		e.until = now.Add(min(rest<<min(e.times-1, 10), claimRestMax))
	}
	c.current, c.failed = nil, append(c.failed, e)
	c.failed = c.failed[max(0, len(c.failed)-maxEnded):]
}

// sealHostCode returns a new code of the host, encrypted for the phone; nil if it cannot be stored.
func (c *Claims) sealHostCode(k *claim) []byte {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	host := wire.FirstPhoneOf(engine.Host)
	if _, joined, _ := c.desk.phonesOf(engine.Host); len(joined) > 0 || c.desk.inviteLocked(host, nil) != nil {
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

// claimAnswer is the answer to it: the state of the phone's claim, or of its access request.
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
	if !hasJSONBody(r) || json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&req) != nil {
		writeRefusal(w, http.StatusBadRequest, "table.join.form")
		return
	}
	by, ok := requesterOf(r, req.Key)
	if !ok {
		writeRefusal(w, http.StatusBadRequest, "table.join.form")
		return
	}
	a, changed := c.answerClaim(by, req.Ask)
	a.Screen = c.opts.HasLocalScreen != nil && c.opts.HasLocalScreen()
	if changed && c.opts.Changed != nil {
		c.opts.Changed()
	}
	_ = json.NewEncoder(w).Encode(a)
}

// answerClaim returns the state of a phone's claim, and begins a claim if possible; if there is a host already
// it is an access request. changed reports whether HasClaim, or AccessRequests, has changed.
func (c *Claims) answerClaim(by requester, begin bool) (a claimAnswer, changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.current
	c.updateClaim()
	if c.desk.hasHost() {
		return c.desk.answerRequest(by, begin)
	}
	defer func() { changed = (before != nil) != (c.current != nil) }()
	now := c.desk.opts.Now()
	c.pruneQueue(now)
	k, rests := c.current, c.claimRestTime(by.addr, now)
	switch {
	case k != nil && k.key == by.key:
		k.lastHeard = now
		return k.buildAnswer(now), false
	case slices.ContainsFunc(c.failed, func(e endedClaim) bool { return e.key == by.key }):
		return claimAnswer{State: claimOver}, false
	case k == nil && !c.opts.ReadersReady():
		return c.answerWithoutReader(by, begin, now), false
	case rests > 0:
		return claimAnswer{State: claimLater, Seconds: secondsRoundedUp(rests)}, false
	case k != nil:
		c.queuePhone(by, now)
		return claimAnswer{State: claimBusy, Seconds: secondsRoundedUp(k.until.Sub(now))}, false
	case len(c.waitingPhones) > 0 && c.waitingPhones[0].key != by.key:
		c.queuePhone(by, now)
		return claimAnswer{State: claimBusy, Seconds: secondsRoundedUp(c.turnSince.Add(claimTurn).Sub(now))}, false
	case !begin:
		if len(c.waitingPhones) > 0 {
			c.waitingPhones[0].lastHeard = now
		}
		return claimAnswer{State: claimFree}, false
	}
	c.waitingPhones = c.waitingPhones[min(1, len(c.waitingPhones)):]
	c.current = &claim{key: by.key, addr: by.addr, began: now, until: now.Add(claimTime), lastHeard: now, numbers: c.opts.DrawNumbers()}
	return c.current.buildAnswer(now), false
}

// answerWithoutReader answers a phone while no card can be read: on this machine's own Wi-Fi the first one that asks gets the code.
func (c *Claims) answerWithoutReader(by requester, begin bool, now time.Time) claimAnswer {
	if c.opts.IsOnOwnWifi == nil || c.desk.hadHostSinceStart() || !c.opts.IsOnOwnWifi(by.addr) {
		return claimAnswer{State: claimScreen}
	}
	if !begin {
		return claimAnswer{State: claimWifi}
	}
	k := &claim{key: by.key, addr: by.addr, began: now, until: now.Add(claimTime), lastHeard: now, done: claimSteps}
	if k.sealedCode = c.sealHostCode(k); k.sealedCode == nil {
		return claimAnswer{State: claimOver}
	}
	c.current = k
	return k.buildAnswer(now)
}

func (k *claim) buildAnswer(now time.Time) claimAnswer {
	if k.sealedCode != nil {
		return claimAnswer{State: claimYours, Box: encodeBox(k.sealedCode)}
	}
	return claimAnswer{
		State:   claimLay,
		Numbers: k.numbers[:],
		At:      k.done,
		Laid:    k.placed,
		Wrong:   k.wrong,
		Seconds: secondsRoundedUp(k.until.Sub(now)),
	}
}

func encodeBox(box []byte) string { return base64.RawURLEncoding.EncodeToString(box) }

// secondsRoundedUp returns a duration in seconds, rounded up.
func secondsRoundedUp(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
