package staff

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"majordome/companion/wire"
)

// Waits after wrong PINs in a row.
const (
	firstWait    = 5 * time.Second // doubled by each further one
	freeTries    = 2               // wrong PINs without a wait, for one account on one device
	maxWait      = 15 * time.Minute
	freeSumTries = 40          // the same for one account on all devices, and for all accounts on one device
	maxSumWait   = time.Minute // the longest wait for an account's sum, on devices other than the person's last one
	reportTime   = time.Hour   // how long after the last wrong PIN ListRecent lists a device
	maxReported  = 3           // accounts that ListRecent names for each device
	maxTries     = wire.MaxHosts * wire.MaxPeople
)

// Device is a device of the host: its number, 1 to wire.MaxHosts, and the mark of the phone that has joined under it.
type Device struct {
	N    int    `json:"n"`
	Mark string `json:"mark"`
}

// Tries counts wrong PINs in a row and computes the wait until the next try. It is not safe for concurrent use. Invariants:
//
//  1. A wrong PIN counts for one pair of device number and account. Only the right PIN of that pair clears it. Another phone that joins
//     under the same number inherits the count, so that removing a device and joining again gives no free tries.
//  2. The sums over an account and over a device cause no wait on the device on which that person signed in last.
//  3. Encode writes counts, but no time of day: setting the clock ends no wait, and after a start every wait begins again.
//  4. There are at most 36 pairs.
type Tries struct {
	pairs      map[pair]failures
	lastDevice map[int]Device // by account: the device on which its PIN was right last
}

type pair struct{ device, person int }

// failures are the wrong PINs of a pair: how many, when the last one was entered, and by which phone.
type failures struct {
	count int
	last  time.Time
	mark  string
}

// triesJSON is the JSON form of Tries.
type triesJSON struct {
	Wrong []pairJSON     `json:"wrong"`
	Stood map[int]Device `json:"stood"`
}

type pairJSON struct {
	Device
	Person int `json:"person"`
	Wrong  int `json:"wrong"`
}

// NewTries returns a Tries without any wrong PINs.
func NewTries() *Tries { return &Tries{pairs: map[pair]failures{}, lastDevice: map[int]Device{}} }

// DecodeTries decodes what Encode has written. Every wait begins again at now. It ignores a text that it does not understand, and accounts
// that are not in b.
func DecodeTries(text string, b Book, now time.Time) *Tries {
	t := NewTries()
	var saved triesJSON
	if json.Unmarshal([]byte(text), &saved) != nil {
		return t
	}
	for _, p := range saved.Wrong {
		_, there := b.FindPerson(p.Person)
		if there && p.N >= 1 && p.N <= wire.MaxHosts && p.Wrong > 0 && len(t.pairs) < maxTries {
			t.pairs[pair{p.N, p.Person}] = failures{p.Wrong, now, p.Mark}
		}
	}
	for id, at := range saved.Stood {
		if _, there := b.FindPerson(id); there {
			t.lastDevice[id] = at
		}
	}
	return t
}

// Encode returns the counts as JSON for DecodeTries: at most 4 KiB with marks of 22 letters, as package pair makes them.
func (t *Tries) Encode() string {
	saved := triesJSON{Wrong: []pairJSON{}, Stood: t.lastDevice}
	for p, w := range t.pairs {
		saved.Wrong = append(saved.Wrong, pairJSON{Device{p.device, w.mark}, p.person, w.count})
	}
	slices.SortFunc(saved.Wrong, func(a, b pairJSON) int { return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.Person, b.Person)) })
	text, _ := json.Marshal(saved) // texts and numbers
	return string(text)
}

// waitAfterWrong returns the wait after n wrong PINs, the first free of which cause none; most is the longest wait.
func waitAfterWrong(n, free int, most time.Duration) time.Duration {
	if n <= free {
		return 0
	}
	return min(most, firstWait<<min(n-free-1, 16))
}

// countWrongWhere adds up the wrong PINs of the pairs that wanted accepts, and returns when the last of them was entered.
func (t *Tries) countWrongWhere(wanted func(pair) bool) (n int, last time.Time) {
	for p, w := range t.pairs {
		if !wanted(p) {
			continue
		}
		n += min(w.count, 2*freeSumTries) // so that the sum does not overflow
		if w.last.After(last) {
			last = w.last
		}
	}
	return n, last
}

// WaitTime returns how long the PIN of this account may not be tried on this device; 0 or less: it may be tried now.
func (t *Tries) WaitTime(now time.Time, at Device, person int) time.Duration {
	own := t.pairs[pair{at.N, person}]
	wait := own.last.Add(waitAfterWrong(own.count, freeTries, maxWait)).Sub(now)
	if t.lastDevice[person] == at {
		return wait
	}
	n, last := t.countWrongWhere(func(p pair) bool { return p.device == at.N })
	wait = max(wait, last.Add(waitAfterWrong(n, freeSumTries, maxWait)).Sub(now))
	n, last = t.countWrongWhere(func(p pair) bool { return p.person == person })
	return max(wait, last.Add(waitAfterWrong(n, freeSumTries, maxSumWait)).Sub(now))
}

// RecordWrong counts a try as wrong, until RecordRight clears the pair.
func (t *Tries) RecordWrong(now time.Time, at Device, person int) {
	p := pair{at.N, person}
	t.pairs[p] = failures{t.pairs[p].count + 1, now, at.Mark}
}

// RecordRight clears the wrong PINs of this pair, and makes the device the one on which the person signed in last.
func (t *Tries) RecordRight(at Device, person int) {
	delete(t.pairs, pair{at.N, person})
	t.lastDevice[person] = at
}

// RemoveAccount forgets a removed account.
func (t *Tries) RemoveAccount(person int) {
	delete(t.lastDevice, person)
	for p := range t.pairs {
		if p.person == person {
			delete(t.pairs, p)
		}
	}
}

// Report is about the wrong PINs on one device, to be shown on the others.
type Report struct {
	Device  int
	Wrong   int   // in a row, over all accounts
	Persons []int // at most three accounts, the one with most wrong PINs first
}

// ListRecent lists those of devices on which more wrong PINs in a row were entered than are free, the last less than an hour before now.
func (t *Tries) ListRecent(now time.Time, devices []Device) (all []Report) {
	for _, d := range devices {
		isHere := func(p pair) bool { return p.device == d.N && t.pairs[p].mark == d.Mark }
		wrong, last := t.countWrongWhere(isHere)
		if wrong <= freeTries || now.Sub(last) >= reportTime {
			continue
		}
		report := Report{Device: d.N, Wrong: wrong}
		for p := range t.pairs {
			if isHere(p) {
				report.Persons = append(report.Persons, p.person)
			}
		}
		slices.SortFunc(report.Persons, func(a, b int) int {
			return cmp.Or(cmp.Compare(t.pairs[pair{d.N, b}].count, t.pairs[pair{d.N, a}].count), cmp.Compare(a, b))
		})
		report.Persons = report.Persons[:min(maxReported, len(report.Persons))]
		all = append(all, report)
	}
	return all
}
