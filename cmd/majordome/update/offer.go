package update

import (
	"context"
	"reflect"
	"sync/atomic"
	"time"

	"majordome/companion/office"
	"majordome/companion/wire"
)

// Files are where a newer package is told of, and wished for. The zero value: nowhere.
type Files struct {
	Dir  string // of what root tells
	Wish string // the file that root waits for; "": nobody does, and nothing can be installed from the page
}

// Offer shows the owner a newer package that was found on a stick, and installs it. A nil one shows nothing.
type Offer struct {
	files   Files
	playing func() bool // a game is on
	changed func()      // the office shows something else
	last    atomic.Pointer[Told]
}

// NewOffer reads what is told; nil where nothing is.
func NewOffer(f Files, playing func() bool, changed func()) *Offer {
	if f.Dir == "" {
		return nil
	}
	o := &Offer{files: f, playing: playing, changed: changed}
	o.look()
	return o
}

// Rows of the office show a newer package and install it: args sum (wire.Newer.Sum), and force=yes during a game, which is interrupted.
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

// look reports that something else is told.
func (o *Offer) look() (changed bool) {
	now := Read(o.files.Dir)
	before := o.last.Swap(&now)
	return before == nil || !reflect.DeepEqual(*before, now)
}

// lookEvery is how often it is looked at: a file of a few hundred bytes.
const lookEvery = time.Second

// Run looks until ctx ends.
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

// ask requests the installation of the package with this sum; false if the request could not be written.
func (o *Offer) ask(sum string) bool {
	return o.files.Wish != "" && Ask(o.files.Wish, sum) == nil
}

// shown returns the state for the page; nil when there is none.
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
