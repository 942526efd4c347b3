package house

import (
	"context"
	"reflect"
	"sync/atomic"
	"time"

	"majordome/cmd/majordome/update"
	"majordome/companion/office"
	"majordome/companion/wire"
)

// Newer is where a newer package of the program is told of, and wished for (package update). The zero value: nowhere.
type Newer struct {
	Dir  string // of what root tells
	Wish string // the file that root waits for; "": nobody does, and nothing can be installed from the page
}

// newer publishes the state of a package found on a stick (update.Told) to the office, for the owner role.
type newer struct {
	at   Newer
	last atomic.Pointer[update.Told]
}

// newerEvery is how often it is looked at: a file of a few hundred bytes.
const newerEvery = time.Second

// openNewer is before the office, which shows it.
func (h *House) openNewer() {
	if h.opts.Newer.Dir != "" {
		h.newer = &newer{at: h.opts.Newer}
		h.newer.look()
	}
}

// newerRows show a newer package and install it: args sum (wire.Newer.Sum), and force=yes during a game, which is interrupted. There are
// no rows without a folder for packages.
func (h *House) newerRows() []office.Row {
	if h.newer == nil {
		return nil
	}
	return []office.Row{
		{Name: "newer", Role: wire.RoleOwner, See: func(office.Call) any { return h.newer.shown() }},
		{Name: "newer-install", Role: wire.RoleOwner, Do: office.Alone(h.installNewer)},
	}
}

func (h *House) installNewer(_ context.Context, c office.Call) (any, error) {
	s := h.newer.shown()
	switch {
	case s == nil || s.Sum == "" || c.Args["sum"] != s.Sum:
		return nil, wire.Refuse("table.newer.gone")
	case h.playing.Load() && c.Args["force"] != "yes": // a game has begun since it was offered
		return nil, wire.Refuse("table.newer.game")
	case !h.newer.install(s.Sum):
		return nil, wire.Refuse("table.newer.gone")
	}
	return nil, nil
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
			h.office.Changed()
		}
	})
}

// install requests the installation of the package with this sum; false if the request could not be written.
func (n *newer) install(sum string) bool {
	return n.at.Wish != "" && update.Ask(n.at.Wish, sum) == nil
}

// shown returns the state for the page; nil when there is none.
func (n *newer) shown() *wire.Newer {
	told := n.last.Load()
	if told == nil || told.State == "" {
		return nil
	}
	out := &wire.Newer{Changes: told.Changes}
	out.Said, out.Fix = told.Said()
	if told.State == update.Offered && n.at.Wish != "" {
		out.Sum = told.Sum
	}
	return out
}
