package smarthome

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"majordome/companion/store"
	"majordome/companion/wire"
)

// maxFormer is how many names of this table are remembered, the present one included; the oldest is forgotten.
const maxFormer = 9

// formerNames are the bases under which this table has told something to a broker of the house, in the store: what was told under an
// earlier name (keys site and table) is taken back by package uplink.
type formerNames struct {
	store *store.Store
	key   string

	mu    sync.Mutex
	bases []string // the oldest first
}

// rememberNames reads them for one line, "uplink" or "home", and adds the present one, before anything is told under it.
func rememberNames(s *store.Store, line, now string) (*formerNames, error) {
	f := &formerNames{store: s, key: "told." + line}
	text, _, err := s.Setting(f.key)
	if err != nil {
		return nil, err
	}
	if json.Unmarshal([]byte(text), &f.bases) != nil {
		f.bases = nil // of no use to anybody: nothing is taken back
	}
	f.bases = append(slices.DeleteFunc(f.bases, func(b string) bool { return b == now }), now)
	f.bases = f.bases[max(0, len(f.bases)-maxFormer):]
	return f, f.save()
}

func (f *formerNames) save() error {
	text, err := json.Marshal(f.bases)
	if err != nil {
		return err
	}
	return f.store.SetSetting(f.key, string(text))
}

// trees are the former names.
func (f *formerNames) trees() (all []wire.Tree) {
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

// forget is called when nothing of this table is left under a former name. What cannot be saved is asked for again at the next start.
func (f *formerNames) forget(base string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.Index(f.bases, base); i >= 0 {
		f.bases = slices.Delete(f.bases, i, i+1)
		_ = f.save()
	}
}
