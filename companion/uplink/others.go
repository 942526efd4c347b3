package uplink

import (
	"encoding/json"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"majordome/companion/natural"
	"majordome/companion/wire"
)

// Bounds of what is kept of others: whoever may write at that broker may say anything.
const (
	// MaxOthers is how many other tables are shown of one broker.
	MaxOthers     = 32
	maxUnshown    = 1000     // names of tables that have no room among them
	maxOtherBytes = 32 << 10 // of one message
)

// Other is another table of the house, as it tells itself.
type Other struct {
	Name   string // the last level of its base
	Online bool
	Info   Info
	State  State
	order  int // in which they came
}

// others are the tables of the same site that tell themselves at the same broker. What they say is shown to who runs them,
// and does nothing here.
type others struct {
	tree   wire.Tree
	id     string
	again  func()        // says anew who is speaking
	window time.Duration // in which another answers
	trust  time.Duration // twinLives
	twin   atomic.Bool

	mu       sync.Mutex
	asked    time.Time   // we have said who is speaking, to hear whether another lives under our name; zero: not now
	echoed   bool        // that was heard
	alive    time.Time   // another has answered
	answered []time.Time // the last answers to others
	tables   map[string]*Other
	unshown  map[string]bool // tables that were heard and have no room, at most maxUnshown
	came     int
}

func newOthers(tree wire.Tree, id string, again func()) *others {
	return &others{tree: tree, id: id, again: again, window: answer, trust: twinLives, tables: map[string]*Other{}, unshown: map[string]bool{}}
}

func (o *others) filters() []string {
	return []string{o.tree.Others(o.tree.Availability()), o.tree.Others(o.tree.Info()), o.tree.Others(o.tree.State())}
}

// Of tables that speak under our name maxAnswers in answersIn are answered. One that has answered is taken to live for twinLives, which is
// longer: whoever has had all the answers knows that we live.
const (
	maxAnswers = 3
	answersIn  = 30 * time.Second
	twinLives  = 40 * time.Second
)

// meet hears who speaks under our name. A table that lives is answered, so that it knows of us; one that speaks soon after we have asked
// lives, which what a broker keeps, or somebody has written once, does not.
func (o *others) meet(payload []byte) {
	var said Info
	if json.Unmarshal(payload, &said) != nil || said.Software != "majordome" {
		return
	}
	now := time.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	if said.ID == o.id {
		o.echoed = true
		return
	}
	o.twin.Store(true)
	if now.Sub(o.asked) < o.window {
		if !o.echoed {
			return // our word is on its way, and is an answer to this one
		}
		o.alive = now
	}
	o.answered = slices.DeleteFunc(o.answered, func(at time.Time) bool { return now.Sub(at) > answersIn })
	if len(o.answered) < maxAnswers {
		o.answered = append(o.answered, now)
		o.ask()
	}
}

// ask says who is speaking, where o.mu is held: another table of our name answers.
func (o *others) ask() {
	o.asked, o.echoed = time.Now(), false
	go o.again()
}

// probe asks whether another table lives under our name.
func (o *others) probe() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ask()
}

// lives reports a table that lives under our name.
func (o *others) lives() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return time.Since(o.alive) < o.trust
}

// hear takes what a table says of itself; false: that is nothing such.
func (o *others) hear(topic string, payload []byte, retained bool) bool {
	base, what := path.Split(topic)
	site, name := path.Split(strings.TrimSuffix(base, "/"))
	own, _ := path.Split(o.tree.Base())
	if site != own || !slices.Contains([]string{"availability", "info", "state"}, what) {
		return false
	}
	if len(payload) > maxOtherBytes {
		return true
	}
	if own+name == o.tree.Base() {
		if what == "info" && !retained { // what is retained may be of an installation that is no more
			o.meet(payload)
		}
		return true
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	t := o.tables[name]
	if t == nil {
		if _, err := wire.NewTree("", "house", name); err != nil {
			return true
		}
		if len(payload) == 0 || !o.room() {
			o.hearUnshown(name, what, payload)
			return true
		}
		delete(o.unshown, name)
		o.came++
		t = &Other{Name: name, order: o.came}
		o.tables[name] = t
	}
	switch what {
	case "availability":
		t.Online = string(payload) == "online"
	case "info":
		t.Info = Info{}
		if json.Unmarshal(payload, &t.Info) != nil || !isPage(t.Info.Page) {
			t.Info.Page = ""
		}
	case "state":
		t.State = State{}
		if json.Unmarshal(payload, &t.State) != nil {
			t.State = State{}
		}
	}
	if len(payload) == 0 && what == "availability" { // its owner has cleared it away
		delete(o.tables, name)
	}
	return true
}

// hearUnshown counts a table that has no room, or forgets one that its owner has cleared away.
func (o *others) hearUnshown(name, what string, payload []byte) {
	t := Other{}
	switch {
	case what == "availability" && len(payload) == 0:
		delete(o.unshown, name)
	case what == "info" && json.Unmarshal(payload, &t.Info) == nil && t.understood() && len(o.unshown) < maxUnshown:
		o.unshown[name] = true
	}
}

// room reports that there is some for one more. Of as many as can be kept, the oldest that is not there makes it: what a broker keeps of
// tables that are no more, or of no table at all, hides none.
func (o *others) room() bool {
	if len(o.tables) < MaxOthers {
		return true
	}
	var oldest *Other
	for _, t := range o.tables {
		if !t.Online && (oldest == nil || t.order < oldest.order) {
			oldest = t
		}
	}
	if oldest != nil {
		delete(o.tables, oldest.Name)
		if oldest.understood() && len(o.unshown) < maxUnshown {
			o.unshown[oldest.Name] = true
		}
	}
	return oldest != nil
}

func isPage(s string) bool {
	at, err := url.Parse(s)
	return err == nil && len(s) <= 200 && (at.Scheme == "http" || at.Scheme == "https") && at.Host != "" && at.User == nil
}

// understood: it is a table, of a version that says what this one knows.
func (t *Other) understood() bool { return t.Info.Software == "majordome" && t.Info.Schema == Schema }

func (o *others) some() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range o.tables {
		if t.understood() {
			return true
		}
	}
	return false
}

func (o *others) all() []Other {
	o.mu.Lock()
	defer o.mu.Unlock()
	out := []Other{}
	for _, name := range slices.SortedFunc(maps.Keys(o.tables), natural.Compare) {
		if t := o.tables[name]; t.understood() {
			out = append(out, *t)
		}
	}
	return out
}

// unshownNames are the tables that were heard and have no room, in order.
func (o *others) unshownNames() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.SortedFunc(maps.Keys(o.unshown), natural.Compare)
}
