package config

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"majordome/companion/office"
	"majordome/companion/wire"
	"majordome/engine"
)

// ChangedError ends a table because the configuration has changed in a way that only opening the table again can apply.
type ChangedError struct{}

func (*ChangedError) Error() string { return "the configuration has changed" }

// WatcherOpts are the parameters of a Watcher.
type WatcherOpts struct {
	Config      *Config // with which the table was opened
	Editor      *Editor // nil: the configuration never changes, and the host's page has no settings
	Opened      *Devices
	IsPlaying   func() bool   // a game is on
	HasSeenHost func() bool   // a device of the host has connected
	Apply       func(*Config) // applies a change that needs no opening again
	Changed     func()        // what the settings page shows has changed
	Log         *slog.Logger
}

// Watcher follows the files of a running table and lets the host's page change them. It is safe for concurrent use.
type Watcher struct {
	opts    WatcherOpts
	inForce atomic.Pointer[Config]
	pollNow chan struct{} // asks for a poll of the files
}

// NewWatcher returns a Watcher that does not poll until Run.
func NewWatcher(o WatcherOpts) *Watcher {
	w := &Watcher{opts: o, pollNow: make(chan struct{}, 1)}
	w.inForce.Store(o.Config)
	return w
}

// Config returns the configuration in force.
func (w *Watcher) Config() *Config { return w.inForce.Load() }

// AttachTable makes the editor show the table, which has opened.
func (w *Watcher) AttachTable() {
	if w.opts.Editor != nil {
		w.opts.Editor.AttachTable(*w.opts.Config, w.opts.Opened.Missing, w.PollSoon)
	}
}

// PollSoon makes Run poll the files now.
func (w *Watcher) PollSoon() {
	select {
	case w.pollNow <- struct{}{}:
	default: // it is requested already
	}
}

// OfficeRows are the office rows that show and change the settings, at any time. Each act returns the settings after it.
// settings-set path= value= changes a key of the draft; an empty value means the default. settings-add list= KEY=... adds to a list of
// the draft. settings-give-back path= removes a top-level key from it, so that the hand-written file decides again. settings-keep writes
// the draft as the page's file, and settings-drop discards it. settings-apply applies what was kept at once, even during a game.
// settings-search, only outside of games, searches for devices, or with port= asks one serial port that it has found. settings-close
// discards the news and the devices found. Without an editor of the files there are no rows.
func (w *Watcher) OfficeRows() []office.Row {
	s := w.opts.Editor
	if s == nil {
		return nil
	}
	does := func(name string, do func(engine.Args) error) office.Row {
		return office.Row{Name: name, Role: wire.RoleOwner, Do: func(_ context.Context, c office.Call) (any, error) {
			if err := do(c.Args); err != nil {
				return nil, err
			}
			return s.Snapshot(), nil
		}}
	}
	return []office.Row{
		{Name: "settings", Role: wire.RoleOwner, Show: func(office.Call) any { return s.Snapshot() }},
		does("settings-set", func(a engine.Args) error { return s.SetKey(a["path"], a["value"]) }),
		does("settings-add", func(a engine.Args) error { return s.AddItem(a["list"], a) }),
		does("settings-give-back", func(a engine.Args) error { return s.UnsetKey(a["path"]) }),
		does("settings-keep", func(engine.Args) error { s.SaveDraft(); return nil }),
		does("settings-drop", func(engine.Args) error { s.DiscardDraft(); return nil }),
		does("settings-apply", func(engine.Args) error { s.ForceApplySaved(); return nil }),
		does("settings-close", func(engine.Args) error { s.ClearNewsAndResults(); return nil }),
		does("settings-search", func(a engine.Args) error {
			if w.opts.IsPlaying() {
				return wire.NewRefusal("table.unknown")
			}
			return s.SearchDevices(a["port"])
		}),
	}
}

// watchPeriod is the period of the polls of the files.
const watchPeriod = time.Second

// deviceRetryPolls is the number of polls between two tries to open a missing device.
const deviceRetryPolls = 5

// Run polls the files and applies their changes until ctx ends. It returns a ChangedError when the table must be opened again.
func (w *Watcher) Run(ctx context.Context) error {
	o := &w.opts
	if o.Editor == nil {
		<-ctx.Done()
		return nil
	}
	tick := time.NewTicker(watchPeriod)
	defer tick.Stop()
	for n := 1; ; n++ {
		poked := false
		select {
		case <-ctx.Done():
			return nil
		case <-w.pollNow:
			poked = true
		case <-tick.C:
		}
		changed := o.Editor.ReloadChangedFiles()
		if o.Editor.RevertUnconfirmedListen(o.HasSeenHost()) {
			o.Log.Warn("the host has not come at the new address of listen: the old one holds again",
				"conseil", "l’hôte n’est pas venu à la nouvelle adresse de listen : l’ancienne vaut de nouveau")
		}
		if w.ApplyChange() {
			return &ChangedError{}
		}
		if n%deviceRetryPolls == 0 && o.Opened.RetryMissing != nil && !o.IsPlaying() && o.Opened.RetryMissing() {
			return &ChangedError{}
		}
		if changed || poked {
			o.Changed()
		}
	}
}

// ApplyChange applies a valid change of the files. It reports whether the table must be opened again now.
func (w *Watcher) ApplyChange() bool {
	now, changed, restart, atOnce := w.opts.Editor.AdoptFileConfig()
	if changed {
		w.inForce.Store(&now)
		w.opts.Apply(&now)
	}
	return restart && (atOnce || !w.opts.IsPlaying())
}
