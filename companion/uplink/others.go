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

// Limits of what is remembered of other tables, because any client may write to that broker.
const (
	// MaxOthers is the number of other tables shown of one broker.
	MaxOthers     = 32
	maxUnshown    = 1000     // names of tables beyond MaxOthers
	maxOtherBytes = 32 << 10 // of one message
)

// Other is another table of the house, from its own messages.
type Other struct {
	Name   string // last level of its base
	Online bool
	Info   Info
	State  State
	order  int // of their appearance
}

// otherTables are the tables of the same site at the same broker. Their messages are shown to the host and
// have no other effect here.
type otherTables struct {
	tree         wire.Tree
	id           string
	publishInfo  func()        // publishes our Info again
	answerWindow time.Duration // for a twin to answer
	twinLifetime time.Duration // as the constant; shorter in tests
	hasTwin      atomic.Bool

	mu          sync.Mutex
	askedAt     time.Time   // when we published Info to find out whether a twin is alive; zero if never
	isEchoed    bool        // our own Info has come back since
	twinSeen    time.Time   // when a twin has answered
	answerTimes []time.Time // times of our last answers to twins
	tables      map[string]*Other
	unshown     map[string]bool // names of tables beyond MaxOthers, at most maxUnshown
	arrivals    int
}

func newOtherTables(tree wire.Tree, id string, publishInfo func()) *otherTables {
	return &otherTables{tree: tree, id: id, publishInfo: publishInfo, answerWindow: answerWindow, twinLifetime: twinLifetime,
		tables: map[string]*Other{}, unshown: map[string]bool{}}
}

// topicFilters returns the filters of the messages of all tables of the site; with onlyOwn of those of this table alone.
func (o *otherTables) topicFilters(onlyOwn bool) []string {
	filters := []string{o.tree.AvailabilityTopic(), o.tree.InfoTopic(), o.tree.StateTopic()}
	for i, topic := range filters {
		if !onlyOwn {
			filters[i] = o.tree.FilterOfAllTables(topic)
		}
	}
	return filters
}

// At most maxAnswers messages of twins are answered in answerPeriod. A twin that has answered counts as alive
// for twinLifetime. That is longer than answerPeriod, so a twin that has received all our answers knows that
// we are alive.
const (
	maxAnswers   = 3
	answerPeriod = 30 * time.Second
	twinLifetime = 40 * time.Second
)

// handleInfoUnderOwnName handles an Info under our own name from another table. It answers with our Info, so that the
// twin knows of us. A twin counts as alive only if its Info comes soon after we have asked; a retained
// message, or one that a client has written once, does not.
func (o *otherTables) handleInfoUnderOwnName(payload []byte) {
	var said Info
	if json.Unmarshal(payload, &said) != nil || said.Software != "majordome" {
		return
	}
	now := time.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	if said.ID == o.id {
		o.isEchoed = true
		return
	}
	o.hasTwin.Store(true)
	if now.Sub(o.askedAt) < o.answerWindow {
		if !o.isEchoed {
			return // our Info is still on its way, and serves as the answer
		}
		o.twinSeen = now
	}
	o.answerTimes = slices.DeleteFunc(o.answerTimes, func(at time.Time) bool { return now.Sub(at) > answerPeriod })
	if len(o.answerTimes) < maxAnswers {
		o.answerTimes = append(o.answerTimes, now)
		o.publishInfoToTwin()
	}
}

// publishInfoToTwin publishes our Info, which a twin answers. o.mu is held.
func (o *otherTables) publishInfoToTwin() {
	o.askedAt, o.isEchoed = time.Now(), false
	go o.publishInfo()
}

// checkTwinAlive asks whether a twin is alive.
func (o *otherTables) checkTwinAlive() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.publishInfoToTwin()
}

// isTwinAlive reports whether a twin has answered within twinLifetime.
func (o *otherTables) isTwinAlive() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return time.Since(o.twinSeen) < o.twinLifetime
}

// handleMessage handles a message about a table; false: it is about something else.
func (o *otherTables) handleMessage(topic string, payload []byte, retained bool) (handled bool) {
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
		if what == "info" && !retained { // a retained one may be of an installation that is gone
			o.handleInfoUnderOwnName(payload)
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
		if len(payload) == 0 || !o.makeRoomForTable() {
			o.recordOrForgetUnshown(name, what, payload)
			return true
		}
		delete(o.unshown, name)
		o.arrivals++
		t = &Other{Name: name, order: o.arrivals}
		o.tables[name] = t
	}
	switch what {
	case "availability":
		t.Online = string(payload) == "online"
	case "info":
		t.Info = Info{}
		if json.Unmarshal(payload, &t.Info) != nil || !isPageURL(t.Info.Page) {
			t.Info.Page = ""
		}
	case "state":
		t.State = State{}
		if json.Unmarshal(payload, &t.State) != nil {
			t.State = State{}
		}
	}
	if len(payload) == 0 && what == "availability" { // its owner has cleared it
		delete(o.tables, name)
	}
	return true
}

// recordOrForgetUnshown records a table beyond MaxOthers, or forgets one that its owner has cleared.
func (o *otherTables) recordOrForgetUnshown(name, what string, payload []byte) {
	t := Other{}
	switch {
	case what == "availability" && len(payload) == 0:
		delete(o.unshown, name)
	case what == "info" && json.Unmarshal(payload, &t.Info) == nil && t.isUnderstood() && len(o.unshown) < maxUnshown:
		o.unshown[name] = true
	}
}

// makeRoomForTable reports whether there is room for one more table. If there is none, it removes the oldest table
// that is offline, so that retained messages of old or false tables hide no real one.
func (o *otherTables) makeRoomForTable() (hasRoom bool) {
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
		if oldest.isUnderstood() && len(o.unshown) < maxUnshown {
			o.unshown[oldest.Name] = true
		}
	}
	return oldest != nil
}

func isPageURL(s string) bool {
	at, err := url.Parse(s)
	return err == nil && len(s) <= 200 && (at.Scheme == "http" || at.Scheme == "https") && at.Host != "" && at.User == nil
}

// isUnderstood reports whether it is a table of a version with our Schema.
func (t *Other) isUnderstood() bool { return t.Info.Software == "majordome" && t.Info.Schema == Schema }

// hasShown reports whether listShown would return any table.
func (o *otherTables) hasShown() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range o.tables {
		if t.isUnderstood() {
			return true
		}
	}
	return false
}

// listShown returns the tables of a version with our Schema, sorted by name.
func (o *otherTables) listShown() []Other {
	o.mu.Lock()
	defer o.mu.Unlock()
	out := []Other{}
	for _, name := range slices.SortedFunc(maps.Keys(o.tables), natural.Compare) {
		if t := o.tables[name]; t.isUnderstood() {
			out = append(out, *t)
		}
	}
	return out
}

// listUnshown returns the names of tables beyond MaxOthers, in order.
func (o *otherTables) listUnshown() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.SortedFunc(maps.Keys(o.unshown), natural.Compare)
}
