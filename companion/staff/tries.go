package staff

import (
	"encoding/json"
	"time"
)

// Waits after wrong PINs.
const (
	freeTries = 2 // wrong ones in a row without a wait
	firstWait = 5 * time.Second
	mostWait  = 15 * time.Minute
)

// Tries are the wrong PINs in a row of accounts and of devices, each by a name of the table's. Counts are what the store keeps: no time of
// day is in it, so that no clock that is set ends a wait.
type Tries struct {
	counts map[string]int
	until  map[string]time.Time
}

// ReadTries are those that the store keeps. After a start every wait begins anew. What cannot be read counts nothing.
func ReadTries(text string, now time.Time) *Tries {
	t := &Tries{counts: map[string]int{}, until: map[string]time.Time{}}
	if json.Unmarshal([]byte(text), &t.counts) != nil || t.counts == nil {
		t.counts = map[string]int{}
	}
	for who := range t.counts {
		t.until[who] = now.Add(t.span(who))
	}
	return t
}

// Text is what ReadTries reads.
func (t *Tries) Text() string {
	text, _ := json.Marshal(t.counts) // numbers
	return string(text)
}

func (t *Tries) span(who string) time.Duration {
	n := t.counts[who] - freeTries
	if n < 1 {
		return 0
	}
	return min(mostWait, firstWait<<min(n-1, 16))
}

// Wait is how long nobody may try: the longest of these.
func (t *Tries) Wait(now time.Time, all ...string) (longest time.Duration) {
	for _, who := range all {
		longest = max(longest, t.until[who].Sub(now))
	}
	return longest
}

// Wrong counts a try for each of these; it stands until Right.
func (t *Tries) Wrong(now time.Time, all ...string) {
	for _, who := range all {
		t.counts[who]++
		t.until[who] = now.Add(t.span(who))
	}
}

// Right forgets what was wrong.
func (t *Tries) Right(all ...string) {
	for _, who := range all {
		delete(t.counts, who)
		delete(t.until, who)
	}
}
