package update

import (
	"context"
	"reflect"
	"sync/atomic"
	"time"

	"majordome/companion/office"
	"majordome/companion/wire"
)

// Files are the places for the exchange with root. The zero value: none.
type Files struct {
	Dir  string // folder of the Report
	Wish string // request file that root waits for; "": nothing can be installed from the page
}

// Offer shows the owner a newer package that was found on a stick, and requests its installation. A nil one
// shows nothing.
type Offer struct {
	files   Files
	playing func() bool // reports that a game is on
	changed func()      // called when the host's page must be updated
	last    atomic.Pointer[Told]
}

// NewOffer reads the Report; nil if there is no folder for it.
func NewOffer(f Files, playing func() bool, changed func()) *Offer {
	if f.Dir == "" {
		return nil
	}
	o := &Offer{files: f, playing: playing, changed: changed}
	o.look()
	return o
}

// Rows show a newer package and request its installation: args sum (wire.Newer.Sum), and force=yes during a
// game, which is interrupted.
func (o *Offer) Rows() []office.Row {
	if o == nil {
		return nil
	}
	return []office.Row{
		{Name: "newer", Role: wire.RoleOwner, See: func(office.Call) any { return o.shown() }},
		{Name: "newer-install", Role: wire.RoleOwner, Do: office.Alone(o.install)},
	}
}

func (o *Offer) install(_ context.Context, c office.Call) (any, error) {
	s := o.shown()
	switch {
	case s == nil || s.Sum == "" || c.Args["sum"] != s.Sum:
		return nil, wire.Refuse("table.newer.gone")
	case o.playing() && c.Args["force"] != "yes": // a game has begun since it was offered
		return nil, wire.Refuse("table.newer.game")
	case !o.ask(s.Sum):
		return nil, wire.Refuse("table.newer.gone")
	}
	return nil, nil
}

// reload reads the Report and reports whether it has changed.
func (o *Offer) look() (changed bool) {
	now := Read(o.files.Dir)
	before := o.last.Swap(&now)
	return before == nil || !reflect.DeepEqual(*before, now)
}

// reloadEvery is the interval of reloads; the file has a few hundred bytes.
const lookEvery = time.Second

// Run reloads the Report until ctx ends.
func (o *Offer) Run(ctx context.Context) {
	if o == nil {
		return
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if o.look() {
				o.changed()
			}
		}
	}
}

// requestInstall requests the installation of the package with this sum; false if the request could not be
// written.
func (o *Offer) ask(sum string) bool {
	return o.files.Wish != "" && Ask(o.files.Wish, sum) == nil
}

// buildView returns the view for the page; nil if there is nothing to show.
func (o *Offer) shown() *wire.Newer {
	told := o.last.Load()
	if told == nil || told.State == "" {
		return nil
	}
	out := &wire.Newer{Changes: told.Changes}
	out.Said, out.Fix = told.Said()
	if told.State == Offered && o.files.Wish != "" {
		out.Sum = told.Sum
	}
	return out
}
