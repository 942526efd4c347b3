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
	firstWait = 5 * time.Second // doubled by each further one
	freeTries = 2               // wrong PINs without a wait, for one account on one device
	mostWait  = 15 * time.Minute
	freeMany  = 40          // the same for one account on all devices, and for all accounts on one device
	mostShare = time.Minute // the longest wait for an account's sum, on devices other than the person's last one
	toldFor   = time.Hour   // how long after the last wrong PIN ListRecent lists a device
	toldNames = 3           // accounts that ListRecent names for each device
	maxTries  = wire.MaxHosts * wire.MaxPeople
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
	pairs map[pair]tried
	stood map[int]Device // by account: the device on which its PIN was right last
}

type pair struct{ device, person int }

// failures are the wrong PINs of a pair: how many, when the last one was entered, and by which phone.
type tried struct {
	n    int
	at   time.Time
	mark string
}

// triesJSON is the JSON form of Tries.
type keptTries struct {
	Wrong []keptPair     `json:"wrong"`
	Stood map[int]Device `json:"stood"`
}

type keptPair struct {
	Device
	Person int `json:"person"`
	Wrong  int `json:"wrong"`
}

// NewTries returns a Tries without any wrong PINs.
func NewTries() *Tries { return &Tries{pairs: map[pair]tried{}, stood: map[int]Device{}} }

// DecodeTries decodes what Encode has written. Every wait begins again at now. It ignores a text that it does not understand, and accounts
// that are not in b.
func ReadTries(text string, b Book, now time.Time) *Tries {
	t := NewTries()
	var kept keptTries
	if json.Unmarshal([]byte(text), &kept) != nil {
		return t
	}
	for _, p := range kept.Wrong {
		_, there := b.Person(p.Person)
		if there && p.N >= 1 && p.N <= wire.MaxHosts && p.Wrong > 0 && len(t.pairs) < maxTries {
			t.pairs[pair{p.N, p.Person}] = tried{p.Wrong, now, p.Mark}
		}
	}
	for id, at := range kept.Stood {
		if _, there := b.Person(id); there {
			t.stood[id] = at
		}
	}
	return t
}

// Encode returns the counts as JSON for DecodeTries: at most 4 KiB with marks of 22 letters, as package pair makes them.
func (t *Tries) Text() string {
	kept := keptTries{Wrong: []keptPair{}, Stood: t.stood}
	for p, w := range t.pairs {
		kept.Wrong = append(kept.Wrong, keptPair{Device{p.device, w.mark}, p.person, w.n})
	}
	slices.SortFunc(kept.Wrong, func(a, b keptPair) int { return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.Person, b.Person)) })
	text, _ := json.Marshal(kept) // texts and numbers
	return string(text)
}

// waitAfter returns the wait after n wrong PINs, the first free of which cause none; most is the longest wait.
func span(n, free int, most time.Duration) time.Duration {
	if n <= free {
		return 0
	}
	return min(most, firstWait<<min(n-free-1, 16))
}

// sumWrong adds up the wrong PINs of the pairs that wanted accepts, and returns when the last of them was entered.
func (t *Tries) sum(wanted func(pair) bool) (n int, last time.Time) {
	for p, w := range t.pairs {
		if !wanted(p) {
			continue
		}
		n += min(w.n, 2*freeMany) // so that the sum does not overflow
		if w.at.After(last) {
			last = w.at
		}
	}
	return n, last
}

// WaitTime returns how long the PIN of this account may not be tried on this device; 0 or less: it may be tried now.
func (t *Tries) Wait(now time.Time, at Device, person int) time.Duration {
	own := t.pairs[pair{at.N, person}]
	wait := own.at.Add(span(own.n, freeTries, mostWait)).Sub(now)
	if t.stood[person] == at {
		return wait
	}
	n, last := t.sum(func(p pair) bool { return p.device == at.N })
	wait = max(wait, last.Add(span(n, freeMany, mostWait)).Sub(now))
	n, last = t.sum(func(p pair) bool { return p.person == person })
	return max(wait, last.Add(span(n, freeMany, mostShare)).Sub(now))
}

// RecordWrong counts a try as wrong, until RecordRight clears the pair.
func (t *Tries) Wrong(now time.Time, at Device, person int) {
	p := pair{at.N, person}
	t.pairs[p] = tried{t.pairs[p].n + 1, now, at.Mark}
}

// RecordRight clears the wrong PINs of this pair, and makes the device the one on which the person signed in last.
func (t *Tries) Right(at Device, person int) {
	delete(t.pairs, pair{at.N, person})
	t.stood[person] = at
}

// RemoveAccount forgets a removed account.
func (t *Tries) Forget(person int) {
	delete(t.stood, person)
	for p := range t.pairs {
		if p.person == person {
			delete(t.pairs, p)
		}
	}
}

// Report is about the wrong PINs on one device, to be shown on the others.
type Told struct {
	Device  int
	Wrong   int   // in a row, over all accounts
	Persons []int // at most three accounts, the one with most wrong PINs first
}

// ListRecent lists those of the devices there on which more wrong PINs in a row were entered than are free, the last within an hour.
func (t *Tries) Told(now time.Time, there []Device) (all []Told) {
	for _, d := range there {
		here := func(p pair) bool { return p.device == d.N && t.pairs[p].mark == d.Mark }
		wrong, last := t.sum(here)
		if wrong <= freeTries || now.Sub(last) >= toldFor {
			continue
		}
		told := Told{Device: d.N, Wrong: wrong}
		for p := range t.pairs {
			if here(p) {
				told.Persons = append(told.Persons, p.person)
			}
		}
		slices.SortFunc(told.Persons, func(a, b int) int {
			return cmp.Or(cmp.Compare(t.pairs[pair{d.N, b}].n, t.pairs[pair{d.N, a}].n), cmp.Compare(a, b))
		})
		told.Persons = told.Persons[:min(toldNames, len(told.Persons))]
		all = append(all, told)
	}
	return all
}
