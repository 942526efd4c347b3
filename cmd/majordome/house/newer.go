package house

import (
	"context"
	"encoding/json"
	"reflect"
	"sync/atomic"
	"time"

	"majordome/cmd/majordome/update"
	"majordome/companion/table"
	"majordome/companion/wire"
)

// Newer is where a newer package of the program is told of, and wished for (package update). The zero value: nowhere.
type Newer struct {
	Dir  string // of what root tells
	Wish string // the file that root waits for; "": nobody does, and nothing can be installed from the page
}

// newer implements table.Newer. What may leak: to the host, what update.Told says.
type newer struct {
	at   Newer
	last atomic.Pointer[update.Told]
}

// newerEvery is how often it is looked at: a file of a few hundred bytes.
const newerEvery = time.Second

// openNewer is before the table loop, which shows it.
func (h *House) openNewer() {
	if h.opts.Newer.Dir != "" {
		h.newer = &newer{at: h.opts.Newer}
		h.newer.look()
	}
}

// newerPort is the table's port.
func (h *House) newerPort() table.Newer {
	if h.newer == nil {
		return nil
	}
	return h.newer
}

// look reports that something else is told.
func (n *newer) look() (changed bool) {
	now := update.Read(n.at.Dir)
	before := n.last.Swap(&now)
	return before == nil || !reflect.DeepEqual(*before, now)
}

// watchNewer shows what is told while it changes.
func (h *House) watchNewer(ctx context.Context) {
	if h.newer == nil {
		return
	}
	every(ctx, newerEvery, func(time.Time) {
		if h.newer.look() {
			h.changed()
		}
	})
}

// Install implements table.Newer. The file is a few bytes in the memory of the system.
func (n *newer) Install(sum string) bool {
	return n.at.Wish != "" && update.Ask(n.at.Wish, sum) == nil
}

// Shown implements table.Newer.
func (n *newer) Shown() *wire.Newer {
	told := n.last.Load()
	if told == nil || told.State == "" {
		return nil
	}
	out := &wire.Newer{Changes: told.Changes}
	out.Said, out.Fix = told.Said()
	if told.State == update.Offered && n.at.Wish != "" {
		out.Sum = told.Sum
	}
	for body, err := json.Marshal(out); err == nil && len(body) > wire.MaxNewer && len(out.Changes) > 0; body, err = json.Marshal(out) {
		out.Changes = out.Changes[:len(out.Changes)-1]
	}
	return out
}
