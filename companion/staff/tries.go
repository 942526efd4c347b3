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
	freeTries = 2               // of one account at one device
	mostWait  = 15 * time.Minute
	freeMany  = 40          // of one account at all devices, and of all accounts at one device
	mostShare = time.Minute // of one account at the devices where its person did not stand last
	toldFor   = time.Hour   // after the last wrong one the others are told
	toldNames = 3           // of accounts, for each device
	maxTries  = wire.MaxHosts * wire.MaxPeople
)

// Device is a device of the host: its number, 1 to wire.MaxHosts, and the mark of the phone that joined under that number.
type Device struct {
	N    int    `json:"n"`
	Mark string `json:"mark"`
}

// Tries counts wrong PINs in a row and says how long the next try has to wait. Invariants:
//
//  1. A wrong PIN is charged to one pair: the number of a device and an account. Only the right PIN of that pair clears it. Another phone
//     that joins under the same number takes the count over, so that ending a device and joining again frees no try.
//  2. The sums over an account and over a device make nobody wait at the device where that person stood last.
//  3. Text holds counts and no time of day: a clock that is set ends no wait, and after a start every wait begins again.
//  4. There are at most 36 pairs.
type Tries struct {
	pairs map[pair]tried
	stood map[int]Device // by account: where its PIN was right last
}

type pair struct{ device, person int }

// tried is the wrong PINs of a pair: how many, when the last one came, and from which phone.
type tried struct {
	n    int
	at   time.Time
	mark string
}

// keptTries is the JSON of Tries.
type keptTries struct {
	Wrong []keptPair     `json:"wrong"`
	Stood map[int]Device `json:"stood"`
}

type keptPair struct {
	Device
	Person int `json:"person"`
	Wrong  int `json:"wrong"`
}

// NewTries has counted nothing.
func NewTries() *Tries { return &Tries{pairs: map[pair]tried{}, stood: map[int]Device{}} }

// ReadTries reads what Text wrote. Every wait begins again at now. Text that it does not understand, and accounts that are not in b, count
// nothing.
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

// Text writes the counts for ReadTries: at most 4 KiB with marks of 22 letters, as package pair makes them.
func (t *Tries) Text() string {
	kept := keptTries{Wrong: []keptPair{}, Stood: t.stood}
	for p, w := range t.pairs {
		kept.Wrong = append(kept.Wrong, keptPair{Device{p.device, w.mark}, p.person, w.n})
	}
	slices.SortFunc(kept.Wrong, func(a, b keptPair) int { return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.Person, b.Person)) })
	text, _ := json.Marshal(kept) // texts and numbers
	return string(text)
}

// span is how long to wait after n wrong PINs, of which free cost nothing.
func span(n, free int, most time.Duration) time.Duration {
	if n <= free {
		return 0
	}
	return min(most, firstWait<<min(n-free-1, 16))
}

// sum adds up the pairs that are wanted: how many wrong PINs, and when the last one came.
func (t *Tries) sum(wanted func(pair) bool) (n int, last time.Time) {
	for p, w := range t.pairs {
		if !wanted(p) {
			continue
		}
		n += min(w.n, 2*freeMany) // no sum overflows
		if w.at.After(last) {
			last = w.at
		}
	}
	return n, last
}

// Wait is how long this account may not be tried at this device; 0 or less: it may now.
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

// Wrong counts a try; it stands until Right.
func (t *Tries) Wrong(now time.Time, at Device, person int) {
	p := pair{at.N, person}
	t.pairs[p] = tried{t.pairs[p].n + 1, now, at.Mark}
}

// Right clears what was wrong for this pair, and remembers where the person stands.
func (t *Tries) Right(at Device, person int) {
	delete(t.pairs, pair{at.N, person})
	t.stood[person] = at
}

// Forget drops an account that has ended.
func (t *Tries) Forget(person int) {
	delete(t.stood, person)
	for p := range t.pairs {
		if p.person == person {
			delete(t.pairs, p)
		}
	}
}

// Told are the wrong PINs of one device, for the others.
type Told struct {
	Device  int
	Wrong   int   // in a row, over all accounts
	Persons []int // the accounts with the most first, at most three
}

// Told lists those of these devices where more wrong PINs were given in a row than are free, and the last one within an hour.
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
