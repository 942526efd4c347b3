package venue

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"majordome/companion/uplink"
	"majordome/companion/wire"
	"majordome/engine"
)

// Limits of what is kept of the tables, because any client of the engine may write to it.
const (
	MaxTables  = 1000
	maxBeyond  = 1000     // names of tables beyond MaxTables
	maxMessage = 32 << 10 // bytes
	maxRow     = 3 << 10  // bytes of JSON of one row: 1,000 rows fit into an answer of the office
	maxPageURL = 200
)

// phaseOver is the phase of State after a game.
const phaseOver = "over"

// ConfirmTime is the time in which each table has to say that it is there, after the line to the engine was lost.
const ConfirmTime = 5 * time.Second

// Opts of a Venue. Site is required.
type Opts struct {
	Site   string              // the level above the names of the tables
	Titles []engine.Name       // of the games that this program knows
	Groups map[string][]string // names of tables, or patterns of path.Match, by the name of their group
	// Start begins the ids of acts; it differs at each start of the console.
	Start uint64
}

// Venue has the tables of a venue. It is safe for concurrent use.
//
// Invariants:
//  1. A message changes the row of the table that its topic names, and no other, except that a new table may take the place of
//     one that is away.
//  2. A table has a row if it has sent an Info of this version.
//  3. A row has at most maxRow bytes of JSON.
type Venue struct {
	opts  Opts
	tree  wire.Tree
	above string // of all topics: the site, with a slash at the end

	mu     sync.Mutex
	online bool
	tables map[string]*table
	beyond map[string]bool
	rounds int64
}

// table has the state of one table.
type table struct {
	row          wire.HouseTable
	isUnderstood bool // it has sent an Info of this version
	commands     bool
	alarm        bool
	needs        map[wire.VenueNeed]time.Time // when each began
	seenAt       time.Time                    // the last change of row.Online; for a new table its first message
	confirmBy    time.Time                    // it counts as away unless it says before that it is there; zero: it has said so
	acts         []act                        // the newest last, at most maxActs
}

// New returns a venue without tables.
func New(opts *Opts) (*Venue, error) {
	tree, err := wire.NewTree("", opts.Site, "venue")
	if err != nil {
		return nil, err
	}
	for group, patterns := range opts.Groups {
		for _, p := range patterns {
			if _, err := path.Match(p, ""); err != nil {
				return nil, fmt.Errorf("venue: group %s: %q: %w", group, p, err)
			}
		}
	}
	return &Venue{opts: *opts, tree: tree, above: path.Dir(tree.Base()) + "/", tables: map[string]*table{}, beyond: map[string]bool{}}, nil
}

// Filters returns the filters that a console subscribes to.
func (v *Venue) Filters() []string {
	t := v.tree
	return []string{t.FilterOfAllTables(t.AvailabilityTopic()), t.FilterOfAllTables(t.InfoTopic()),
		t.FilterOfAllTables(t.StateTopic()), t.FilterOfAllTables(t.Base() + "/answer"),
		t.FilterOfAllTables(t.Base() + "/results"), t.FilterOfAllTables(t.Base() + "/result")}
}

// SplitTopic returns the name of the table that a topic is of, and what it is about; ok is false if it is of no table of this venue.
func (v *Venue) SplitTopic(topic string) (name, what string, ok bool) {
	below, ok := strings.CutPrefix(topic, v.above)
	if !ok {
		return "", "", false
	}
	return strings.Cut(below, "/")
}

// ShowsTable reports whether List has a row of this table.
func (v *Venue) ShowsTable(name string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	t := v.tables[name]
	return t != nil && t.isUnderstood
}

// CommandTopic returns the topic of a command to a table.
func (v *Venue) CommandTopic(table, command string) string {
	return v.above + table + "/command/" + command
}

// AvailabilityTopic returns the topic on which the console says whether it is there. It is one level below those of tables.
func (v *Venue) AvailabilityTopic() string { return v.tree.Base() + "/console/availability" }

// HandleMessage handles a message of a table at a moment, and reports whether List shows something else now.
func (v *Venue) HandleMessage(now time.Time, topic string, payload []byte) (changed bool) {
	name, what, ok := v.SplitTopic(topic)
	if !ok || len(payload) > maxMessage {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	t := v.tables[name]
	if t == nil {
		if t = v.addTable(now, name, what, payload); t == nil {
			return false
		}
	}
	if what == "availability" && len(payload) == 0 { // its owner has cleared it
		delete(v.tables, name)
		return t.isUnderstood
	}
	wasUnderstood := t.isUnderstood
	switch what {
	case "availability":
		t.setOnline(now, string(payload) == "online")
	case "info":
		t.setInfo(payload)
	case "state":
		t.setState(v.opts.Titles, payload)
	case "answer":
		t.handleAnswer(payload)
	default:
		return false
	}
	t.updateNeeds(now)
	return t.isUnderstood || wasUnderstood
}

// addTable makes room for a table and adds it; nil if it has no valid name or there is no room. v.mu is held.
func (v *Venue) addTable(now time.Time, name, what string, payload []byte) *table {
	if _, err := wire.NewTree("", v.opts.Site, name); err != nil || len(payload) == 0 || what == "answer" || !v.makeRoom() {
		if err == nil && len(payload) == 0 && what == "availability" {
			delete(v.beyond, name)
		} else if err == nil && what == "info" && len(v.beyond) < maxBeyond && isUnderstood(payload) {
			v.beyond[name] = true
		}
		return nil
	}
	delete(v.beyond, name)
	t := &table{row: wire.HouseTable{Name: name}, needs: map[wire.VenueNeed]time.Time{}, seenAt: now}
	v.tables[name] = t
	return t
}

// makeRoom reports whether there is room for one more table. It removes the table that is away longest, if there is none.
func (v *Venue) makeRoom() bool {
	if len(v.tables) < MaxTables {
		return true
	}
	away := ""
	for name, t := range v.tables {
		if o := v.tables[away]; !t.row.Online && (away == "" || t.seenAt.Before(o.seenAt) || t.seenAt.Equal(o.seenAt) && name < away) {
			away = name
		}
	}
	if away == "" {
		return false
	}
	if v.tables[away].isUnderstood && len(v.beyond) < maxBeyond {
		v.beyond[away] = true
	}
	delete(v.tables, away)
	return true
}

// SetOnline sets whether the console is connected to the engine. After a loss each table has to say again that it is there.
func (v *Venue) SetOnline(now time.Time, online bool) (changed bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.online == online {
		return false
	}
	if v.online = online; online {
		for _, t := range v.tables {
			t.confirmBy = now.Add(ConfirmTime)
		}
	}
	return true
}

// Expire ends the wait for answers and for tables that have to confirm that they are there, and reports whether List shows
// something else now.
func (v *Venue) Expire(now time.Time) (changed bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, t := range v.tables {
		if t.expireActs(now) {
			changed = true
		}
		if v.online && !t.confirmBy.IsZero() && !now.Before(t.confirmBy) && t.row.Online {
			t.setOnline(now, false)
			t.updateNeeds(now)
			changed = true
		}
	}
	return changed
}

func (t *table) setOnline(now time.Time, online bool) {
	t.confirmBy = time.Time{}
	if t.row.Online != online {
		t.row.Online, t.seenAt = online, now
	}
}

func isUnderstood(payload []byte) bool {
	var i uplink.Info
	return json.Unmarshal(payload, &i) == nil && i.Software == "majordome" && i.Schema == uplink.Schema
}

func (t *table) setInfo(payload []byte) {
	var i uplink.Info
	if t.isUnderstood = isUnderstood(payload) && json.Unmarshal(payload, &i) == nil; !t.isUnderstood {
		i = uplink.Info{}
	}
	t.commands, t.row.Demo, t.row.Page = i.Commands, i.Demo, ""
	if at, err := url.Parse(i.Page); err == nil && len(i.Page) <= maxPageURL && (at.Scheme == "http" || at.Scheme == "https") &&
		at.Host != "" && at.User == nil {
		t.row.Page = i.Page
	}
}

func (t *table) setState(titles []engine.Name, payload []byte) {
	o := uplink.Other{Name: t.row.Name, Online: t.row.Online, Info: uplink.Info{Page: t.row.Page, Demo: t.row.Demo}}
	if json.Unmarshal(payload, &o.State) != nil {
		o.State = uplink.State{}
	}
	row := o.HouseTable(titles)
	if text, err := json.Marshal(row); err != nil || len(text) > maxRow {
		o.State = uplink.State{}
		row = o.HouseTable(titles)
	}
	t.row, t.alarm = row, o.State.Mood == "alarm"
}

// updateNeeds notes when each need of the table began.
func (t *table) updateNeeds(now time.Time) {
	r := &t.row
	is := map[wire.VenueNeed]bool{wire.NeedLine: !r.Online && r.Game != "" && r.Phase != engine.PhaseLobby && r.Phase != phaseOver}
	if r.Online {
		is[wire.NeedAlarm], is[wire.NeedReader], is[wire.NeedOver] = t.alarm, len(r.Lost) > 0, r.Over
		is[wire.NeedPaused], is[wire.NeedPhone] = r.Paused, len(r.Away) > 0
	}
	maps.DeleteFunc(t.needs, func(n wire.VenueNeed, _ time.Time) bool { return !is[n] })
	for _, n := range wire.VenueNeeds {
		if _, known := t.needs[n]; is[n] && !known {
			t.needs[n] = now
		}
	}
}

// listNeeds returns the needs of the table, the most urgent first.
func (t *table) listNeeds() []wire.VenueNeed {
	return slices.DeleteFunc(slices.Clone(wire.VenueNeeds), func(n wire.VenueNeed) bool { _, is := t.needs[n]; return !is })
}
