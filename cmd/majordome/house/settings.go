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

// ChangedError ends Run because the configuration is another one: the table begins anew by it.
type ChangedError struct{}

func (*ChangedError) Error() string { return "the configuration has changed" }

// settingRows show the settings and change them at any time; each act returns what is shown then. settings-set path= value= changes a
// key of the draft; an empty value stands for what holds where nobody has written one. settings-add list= KEY=... adds to a list of it.
// settings-give-back path= takes a key at the top out of it, so that the file of a hand has the word again. settings-keep writes the draft as
// the page's file, and settings-drop forgets it. settings-apply lets what was kept hold at once, though a game is on. settings-search, before a game,
// looks for devices, or with port= asks one serial port that it has found. settings-close forgets the news and what was found.
// Nil where no file is known.
func (h *House) settingRows() []office.Row {
	s := h.opts.Setup
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
		{Name: "settings", Role: wire.RoleOwner, See: func(office.Call) any { return s.Snapshot() }},
		does("settings-set", func(a engine.Args) error { return s.Set(a["path"], a["value"]) }),
		does("settings-add", func(a engine.Args) error { return s.Add(a["list"], a) }),
		does("settings-give-back", func(a engine.Args) error { return s.Unset(a["path"]) }),
		does("settings-keep", func(engine.Args) error { s.Save(); return nil }),
		does("settings-drop", func(engine.Args) error { s.Discard(); return nil }),
		does("settings-apply", func(engine.Args) error { s.Apply(); return nil }),
		does("settings-close", func(engine.Args) error { s.Close(); return nil }),
		does("settings-search", func(a engine.Args) error {
			if h.playing.Load() {
				return wire.Refuse("table.unknown")
			}
			return s.Search(a["port"])
		}),
	}
}

// config is what holds now.
func (h *House) config() *config.Config {
	if now := h.live.Load(); now != nil {
		return now
	}
	return &h.opts.Config
}

// watchSetup looks at the files, and lets what they say hold; it returns *ChangedError where that takes another House.
func (h *House) watchSetup(ctx context.Context) error {
	s := h.opts.Setup
	if s == nil {
		<-ctx.Done()
		return nil
	}
	tick := time.NewTicker(setupEvery)
	defer tick.Stop()
	for n := 1; ; n++ {
		poked := false
		select {
		case <-ctx.Done():
			return nil
		case <-h.poke:
			poked = true
		case <-tick.C:
		}
		changed := s.Poll()
		if s.RevertUnconfirmed(h.hosted.Load()) {
			h.opts.Log.Warn("the host has not come at the new address of listen: the old one holds again", "conseil", "l’hôte n’est pas venu à la nouvelle adresse de listen : l’ancienne vaut de nouveau")
		}
		if h.takeOn() {
			return &ChangedError{}
		}
		if n%deviceEvery == 0 && h.opts.Mended != nil && !h.playing.Load() && h.opts.Mended() {
			return &ChangedError{}
		}
		if changed || poked {
			h.office.Changed()
		}
	}
}

// setupEvery is how often the files are looked at.
const setupEvery = time.Second

// deviceEvery is after how many looks a device that could not be opened is tried again.
const deviceEvery = 5

// takeOn lets what is in the files hold, if that is sound; true: another House has to.
func (h *House) takeOn() bool {
	now, changed, restart, atOnce := h.opts.Setup.TakeChange()
	if changed {
		h.live.Store(&now)
		h.opts.Logs.Set(now)
		h.applyNetwork()
		h.lights.Apply(h.lampSettings(&now))
	}
	return restart && (atOnce || !h.playing.Load())
}

// lampSettings are those that hold, with the brightness of each strip that was opened.
func (h *House) lampSettings(c *config.Config) (s lamps.Settings) {
	for _, place := range h.places("strips", len(h.opts.Strips)) {
		if place < len(c.Strips) { // those of a demonstration stand in no file
			s.Brightness = append(s.Brightness, c.Strips[place].Brightness)
		}
	}
	s.Calm = c.Calm
	return s
}

// IsChanged reports an end of Run for another configuration.
func IsChanged(err error) bool {
	var c *ChangedError
	return errors.As(err, &c)
}

// poked lets the settings be looked at soon.
func (h *House) poked() {
	select {
	case h.poke <- struct{}{}:
	default: // they will be
	}
}
