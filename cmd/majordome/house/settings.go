package house

import (
	"context"
	"errors"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/lamps"
	"majordome/companion/office"
	"majordome/companion/wire"
	"majordome/engine"
)

// ConfigChangedError ends Run because the configuration has changed in a way that only another House can apply.
type ConfigChangedError struct{}

func (*ConfigChangedError) Error() string { return "the configuration has changed" }

// settingRows are the office rows that show and change the settings, at any time. Each act returns the settings after it.
// settings-set path= value= changes a key of the draft; an empty value means the default. settings-add list= KEY=... adds to a list of
// the draft. settings-give-back path= removes a top-level key from it, so that the hand-written file decides again. settings-keep writes
// the draft as the page's file, and settings-drop discards it. settings-apply applies what was kept at once, even during a game.
// settings-search, only outside of games, searches for devices, or with port= asks one serial port that it has found. settings-close
// discards the news and the devices found. Without an editor of the files there are no rows.
func (h *House) settingRows() []office.Row {
	s := h.opts.Editor
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
		does("settings-set", func(a engine.Args) error { return s.Set(a["path"], a["value"]) }),
		does("settings-add", func(a engine.Args) error { return s.Add(a["list"], a) }),
		does("settings-give-back", func(a engine.Args) error { return s.Unset(a["path"]) }),
		does("settings-keep", func(engine.Args) error { s.Save(); return nil }),
		does("settings-drop", func(engine.Args) error { s.Discard(); return nil }),
		does("settings-apply", func(engine.Args) error { s.ApplyNow(); return nil }),
		does("settings-close", func(engine.Args) error { s.Close(); return nil }),
		does("settings-search", func(a engine.Args) error {
			if h.playing.Load() {
				return wire.Refuse("table.unknown")
			}
			return s.SearchDevices(a["port"])
		}),
	}
}

// currentConfig returns the configuration in force.
func (h *House) currentConfig() *config.Config {
	if now := h.newConfig.Load(); now != nil {
		return now
	}
	return &h.opts.Config
}

// watchSettings polls the files and applies their changes. It returns a ConfigChangedError when another House is needed.
func (h *House) watchSettings(ctx context.Context) error {
	s := h.opts.Editor
	if s == nil {
		<-ctx.Done()
		return nil
	}
	tick := time.NewTicker(settingsPeriod)
	defer tick.Stop()
	for n := 1; ; n++ {
		poked := false
		select {
		case <-ctx.Done():
			return nil
		case <-h.pollNow:
			poked = true
		case <-tick.C:
		}
		changed := s.Poll()
		if s.RevertUnconfirmed(h.hostSeen.Load()) {
			h.opts.Log.Warn("the host has not come at the new address of listen: the old one holds again",
				"conseil", "l’hôte n’est pas venu à la nouvelle adresse de listen : l’ancienne vaut de nouveau")
		}
		if h.applyChange() {
			return &ConfigChangedError{}
		}
		if n%deviceRetryPolls == 0 && h.opts.CanOpenMore != nil && !h.playing.Load() && h.opts.CanOpenMore() {
			return &ConfigChangedError{}
		}
		if changed || poked {
			h.office.NotifyChanged()
		}
	}
}

// settingsPeriod is the period of the polls of the files.
const settingsPeriod = time.Second

// deviceRetryPolls is the number of polls between two tries to open a missing device.
const deviceRetryPolls = 5

// applyChange applies a valid change of the files. It reports whether another House is needed now.
func (h *House) applyChange() bool {
	now, changed, restart, atOnce := h.opts.Editor.AcceptChange()
	if changed {
		h.newConfig.Store(&now)
		h.opts.Logs.SetConfig(now)
		h.applyNetwork()
		h.lights.Apply(h.lampSettings(&now))
	}
	return restart && (atOnce || !h.playing.Load())
}

// lampSettings returns the settings of the lights, with the brightness of each strip that was opened.
func (h *House) lampSettings(c *config.Config) (s lamps.Settings) {
	for _, place := range h.opts.OpenedIndexes("strips", len(h.opts.Strips)) {
		if place < len(c.Strips) { // the strips of a demonstration are not in the configuration
			s.Brightness = append(s.Brightness, c.Strips[place].Brightness)
		}
	}
	s.Calm = c.Calm
	return s
}

// IsConfigChange reports whether Run has ended because of another configuration.
func IsConfigChange(err error) bool {
	var c *ConfigChangedError
	return errors.As(err, &c)
}

// requestPoll asks watchSettings to poll the settings now.
func (h *House) requestPoll() {
	select {
	case h.pollNow <- struct{}{}:
	default: // it is requested already
	}
}
