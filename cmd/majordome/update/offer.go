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
	Dir         string // folder of the Report
	RequestFile string // request file that root waits for; "": nothing can be installed from the page
}

// Offer shows the owner a newer package that was found on a stick, and requests its installation. A nil one
// shows nothing.
type Offer struct {
	files      Files
	isPlaying  func() bool // reports whether a game is on
	onChange   func()      // called when the host's page must be updated
	lastReport atomic.Pointer[Report]
}

// NewOffer reads the Report; nil if there is no folder for it.
func NewOffer(f Files, playing func() bool, changed func()) *Offer {
	if f.Dir == "" {
		return nil
	}
	o := &Offer{files: f, isPlaying: playing, onChange: changed}
	o.reloadReport()
	return o
}

// OfficeRows returns the requests of the host's page that show a newer package and request its installation: args sum
// (wire.Newer.Sum), and force=yes during a game, which is interrupted.
func (o *Offer) OfficeRows() []office.Row {
	if o == nil {
		return nil
	}
	return []office.Row{
		{Name: "newer", Role: wire.RoleOwner, Show: func(office.Call) any { return o.buildView() }},
		{Name: "newer-install", Role: wire.RoleOwner, Do: office.RefuseWhileBusy(o.handleInstall)},
	}
}

func (o *Offer) handleInstall(_ context.Context, c office.Call) (any, error) {
	s := o.buildView()
	switch {
	case s == nil || s.Sum == "" || c.Args["sum"] != s.Sum:
		return nil, wire.NewRefusal("table.newer.gone")
	case o.isPlaying() && c.Args["force"] != "yes": // a game has begun since it was offered
		return nil, wire.NewRefusal("table.newer.game")
	case !o.requestInstall(s.Sum):
		return nil, wire.NewRefusal("table.newer.gone")
	}
	return nil, nil
}

// reloadReport reads the Report and reports whether it has changed.
func (o *Offer) reloadReport() (changed bool) {
	now := ReadReport(o.files.Dir)
	before := o.lastReport.Swap(&now)
	return before == nil || !reflect.DeepEqual(*before, now)
}

// reloadEvery is the interval of reloads; the file has a few hundred bytes.
const reloadEvery = time.Second

// PollReport reloads the Report until ctx ends.
func (o *Offer) PollReport(ctx context.Context) {
	if o == nil {
		return
	}
	tick := time.NewTicker(reloadEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if o.reloadReport() {
				o.onChange()
			}
		}
	}
}

// requestInstall requests the installation of the package with this sum; false if the request could not be
// written.
func (o *Offer) requestInstall(sum string) (written bool) {
	return o.files.RequestFile != "" && WriteRequest(o.files.RequestFile, sum) == nil
}

// buildView returns the view for the page; nil if there is nothing to show.
func (o *Offer) buildView() *wire.Newer {
	report := o.lastReport.Load()
	if report == nil || report.State == "" {
		return nil
	}
	out := &wire.Newer{Changes: report.Changes}
	out.Said, out.Fix = report.Texts()
	if report.State == Offered && o.files.RequestFile != "" {
		out.Sum = report.Sum
	}
	return out
}
