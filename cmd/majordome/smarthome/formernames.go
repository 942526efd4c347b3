package smarthome

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"majordome/companion/store"
	"majordome/companion/wire"
)

// maxFormerNames is the most names of this table that are stored, the present one included; the oldest is removed.
const maxFormerNames = 9

// formerNames holds, in the store, the topic bases under which this table has published to a broker of the house.
// Package uplink clears what was published under an earlier name (keys site and table).
type formerNames struct {
	store *store.Store
	key   string

	mu    sync.Mutex
	bases []string // the oldest first
}

// loadFormerNames reads the names for one connection, "uplink" or "home", adds currentBase, and saves them, before
// anything is published under currentBase.
func loadFormerNames(s *store.Store, connection, currentBase string) (*formerNames, error) {
	f := &formerNames{store: s, key: "told." + connection}
	text, _, err := s.Setting(f.key)
	if err != nil {
		return nil, err
	}
	if json.Unmarshal([]byte(text), &f.bases) != nil {
		f.bases = nil // the list is lost: nothing is cleared
	}
	f.bases = append(slices.DeleteFunc(f.bases, func(b string) bool { return b == currentBase }), currentBase)
	f.bases = f.bases[max(0, len(f.bases)-maxFormerNames):]
	return f, f.saveBases()
}

func (f *formerNames) saveBases() error {
	text, err := json.Marshal(f.bases)
	if err != nil {
		return err
	}
	return f.store.SetSetting(f.key, string(text))
}

// formerTrees returns the topic trees of the former names.
func (f *formerNames) formerTrees() (all []wire.Tree) {
	for _, base := range f.bases[:len(f.bases)-1] {
		levels := strings.Split(base, "/")
		if len(levels) < 3 {
			continue
		}
		at := len(levels) - 2
		if t, err := wire.NewTree(strings.Join(levels[:at], "/"), levels[at], levels[at+1]); err == nil {
			all = append(all, t)
		}
	}
	return all
}

// removeBase is called when nothing of this table is left under a former name. If it cannot be saved, the name is
// cleared again at the next start.
func (f *formerNames) removeBase(base string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.Index(f.bases, base); i >= 0 {
		f.bases = slices.Delete(f.bases, i, i+1)
		_ = f.saveBases()
	}
}
