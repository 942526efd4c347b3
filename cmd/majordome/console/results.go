package console

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"time"

	"majordome/companion/results"
	"majordome/companion/uplink"
	"majordome/companion/venue"
)

const (
	resultsFile   = "results.db"     // in the data folder, unless the results are in PostgreSQL
	lookPeriod    = time.Second      // between two looks at what tables have sent
	askPeriod     = 30 * time.Second // after which a result that did not come is asked for again
	storePause    = 10 * time.Second // after an error of the store
	storePatience = 5 * time.Second  // for what one table has sent
	forgetPeriod  = time.Hour
)

// resultKeeper stores the results of all tables: it compares the index of each with the store, asks for what the store lacks, and
// tells each table what is stored. It is safe for concurrent use.
type resultKeeper struct {
	store results.Store
	send  func(table, command string, payload any)
	knows func(table string) bool // whether the venue shows a table
	days  int                     // until the names of players are removed; 0: never
	log   *slog.Logger

	mu     sync.Mutex
	tables map[string]*tableResults // by name, at most venue.MaxTables
	n      uint64                   // of the last command
}

// tableResults has the newest index of one table, and the results that it has sent.
type tableResults struct {
	index   *results.Index
	arrived []results.Result // not stored yet; at most twice results.MaxAsk
	isNew   bool             // something has come since the last look
	askAt   time.Time        // when a result is lacking: when to ask again
	told    []results.Entry  // what the table was told to be stored; nil: nothing since its last index
}

// openResults opens the store of results: a PostgreSQL database if address names one, else a file in the folder data.
func openResults(address, data string) (results.Store, error) {
	if address != "" {
		return results.OpenPostgres(address)
	}
	return results.OpenSQLite(filepath.Join(data, resultsFile))
}

// handleMessage handles a message of the table of this name on the topic what, and reports whether it is about results. It
// does not wait for the store.
func (k *resultKeeper) handleMessage(name, what string, payload []byte) (handled bool) {
	switch what {
	case "results":
		if i, err := results.DecodeIndex(payload); err == nil {
			k.change(name, func(t *tableResults) { t.index, t.told = &i, nil })
		}
	case "result":
		if r, err := results.Decode(payload); err == nil {
			k.change(name, func(t *tableResults) { t.arrived = append(t.arrived, r) })
		}
	default:
		return false
	}
	return true
}

// change changes what is known of a table.
func (k *resultKeeper) change(name string, change func(*tableResults)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	t := k.tables[name]
	if t == nil {
		if len(k.tables) >= venue.MaxTables { // forged names give way to tables
			maps.DeleteFunc(k.tables, func(name string, _ *tableResults) bool { return !k.knows(name) })
		}
		if len(k.tables) >= venue.MaxTables {
			return
		}
		t = &tableResults{}
		k.tables[name] = t
	}
	change(t)
	t.arrived = t.arrived[max(0, len(t.arrived)-2*results.MaxAsk):]
	t.isNew = true
}

// run stores what comes, until ctx ends.
func (k *resultKeeper) run(ctx context.Context) {
	tick, forget := time.NewTicker(lookPeriod), time.NewTicker(forgetPeriod)
	defer tick.Stop()
	defer forget.Stop()
	k.forgetNames(ctx, time.Now())
	var pause time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-forget.C:
			k.forgetNames(ctx, now)
		case now := <-tick.C:
			if now.Before(pause) {
				continue
			}
			if err := k.storeNews(ctx, now); err != nil && ctx.Err() == nil {
				pause = now.Add(storePause)
				k.log.Warn("venue: results wait, because their database does not take them", "error", err,
					"conseil", "la base des résultats ne répond pas ; les tables gardent leurs résultats et les renvoient")
			}
		}
	}
}

// storeNews stores what has come since the last look. After an error it comes again at the next.
func (k *resultKeeper) storeNews(ctx context.Context, now time.Time) error {
	k.mu.Lock()
	due := map[string]tableResults{}
	for name, t := range k.tables {
		if t.index != nil && (t.isNew || !t.askAt.IsZero() && !now.Before(t.askAt)) {
			due[name] = *t
			t.arrived, t.isNew = nil, false
		}
	}
	k.mu.Unlock()
	var failed error
	for name, t := range due {
		var plan results.Plan
		err := failed // the store is asked once, and the rest waits
		if err == nil {
			plan, err = k.storeArrived(ctx, name, &t, now)
		}
		if err != nil {
			failed = err
			k.change(name, func(since *tableResults) { since.arrived = append(t.arrived, since.arrived...) })
			continue
		}
		k.answer(name, &t, &plan, now)
	}
	return failed
}

// storeArrived stores the results of a table that its index lists, and returns what to tell it.
func (k *resultKeeper) storeArrived(ctx context.Context, name string, t *tableResults, now time.Time) (results.Plan, error) {
	ctx, end := context.WithTimeout(ctx, storePatience)
	defer end()
	for _, r := range t.arrived {
		if !t.index.ListsResult(&r) {
			continue
		}
		if err := k.store.Save(ctx, name, &r); err != nil {
			return results.Plan{}, err
		}
	}
	return results.Update(ctx, k.store, name, t.index, now)
}

// answer asks a table for what is lacking, and tells it what is stored, if that is news to it.
func (k *resultKeeper) answer(name string, t *tableResults, plan *results.Plan, now time.Time) {
	k.mu.Lock()
	known := k.tables[name]
	if known == nil { // it gave way to another
		known = &tableResults{}
	}
	known.askAt = time.Time{}
	if len(plan.Ask) > 0 {
		known.askAt = now.Add(askPeriod)
	}
	tell := known.index == t.index && len(plan.Stored) > 0 && !reflect.DeepEqual(known.told, plan.Stored)
	if tell {
		known.told = plan.Stored
	}
	k.n += 2
	id := k.n
	k.mu.Unlock()
	if len(plan.Ask) > 0 {
		k.send(name, "results", uplink.AskResults{ID: fmt.Sprint("r", id), Games: plan.Ask})
	}
	if tell {
		k.send(name, "stored", uplink.Stored{ID: fmt.Sprint("r", id+1), Games: plan.Stored})
	}
}

// forgetNames removes the names of players from old results.
func (k *resultKeeper) forgetNames(ctx context.Context, now time.Time) {
	if k.days <= 0 {
		return
	}
	if _, err := k.store.ForgetNames(ctx, now.AddDate(0, 0, -k.days)); err != nil && ctx.Err() == nil {
		k.log.Warn("venue: names of players are kept too long, because the database of the results does not answer", "error", err,
			"conseil", "la base des résultats ne répond pas : les noms y restent plus longtemps que prévu")
	}
}

// sendCommand sends a command to one table, on behalf of no person.
func (c *Console) sendCommand(table, command string, payload any) {
	body, err := json.Marshal(payload)
	if err != nil || !c.line.SendUntil(c.venue.CommandTopic(table, command), body, time.Now().Add(venue.AnswerTime)) {
		c.line.CountTrouble("flood")
	}
}

// isPostgres reports whether a text names a PostgreSQL database.
func isPostgres(s string) bool {
	return strings.HasPrefix(s, "postgres://") || strings.HasPrefix(s, "postgresql://")
}
