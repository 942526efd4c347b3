package config

import (
	"reflect"
	"slices"
	"time"
)

// change is the difference between two configurations, by what it needs.
type change int

const (
	noChange   change = iota
	liveChange        // a running House can apply it at once, also during a game
	restart           // all others: the House ends and another begins, in the same process
)

// normalized returns a configuration without positions and other facts about its files, for comparison.
func normalized(c Config) Config {
	c.deckAt, c.decksAt, c.beside, c.env, c.strange, c.page, c.over = position{}, position{}, "", nil, nil, nil, nil
	c.Readers = slices.Clone(c.Readers)
	for i := range c.Readers {
		c.Readers[i].at, c.Readers[i].coils = position{}, nil
	}
	c.Strips = slices.Clone(c.Strips)
	for i := range c.Strips {
		c.Strips[i].at = nil
	}
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && f.Len() == 0 && f.CanSet() {
			f.SetZero()
		}
	}
	return c
}

// compareConfigs returns the kind of difference between two configurations.
func compare(a, b Config) change {
	x, y := normalized(a), normalized(b)
	if reflect.DeepEqual(x, y) {
		return noChange
	}
	x.URL, x.Names, x.Metrics, x.Calm, x.Log, x.Debug = y.URL, y.Names, y.Metrics, y.Calm, y.Log, y.Debug
	x.Hotspot, x.HotspotName, x.HotspotPassword, x.HotspotCountry = y.Hotspot, y.HotspotName, y.HotspotPassword, y.HotspotCountry
	if x.Strips = slices.Clone(x.Strips); len(x.Strips) == len(y.Strips) {
		for i := range x.Strips {
			x.Strips[i].Brightness = y.Strips[i].Brightness
		}
	}
	if reflect.DeepEqual(x, y) {
		return liveChange
	}
	return restart
}

// compareFiles compares the files, without the draft, with the running configuration. mu is held.
func (s *Editor) compareFiles() {
	now, err := parse(s.hand.layer, s.render(s.saved), environment())
	if err == nil {
		err = s.checkDecks(now)
	}
	s.config, s.change = now, noChange
	if s.refused != "" && s.refused == s.fileTexts() {
		return
	}
	s.refused, s.refusal = "", nil
	if err == nil && s.onChange != nil {
		s.change = compare(s.running, now)
	}
}

// fileTexts returns the text of both files, to see whether one has changed. mu is held.
func (s *Editor) fileTexts() string {
	return string(s.hand.text) + "\x00" + string(s.render(s.saved).text)
}

// AcceptChange returns the configuration in the files. changed is true if a running table can apply it, mustRestart if
// the table has to open again, atOnce if the host does not want to wait for the end of a game. changed and atOnce are
// true once for each change.
func (s *Editor) TakeChange() (now Config, changed, mustRestart, atOnce bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mustRestart, atOnce, s.applyNow = s.change == restart, s.applyNow, false
	if changed = s.change == liveChange; changed {
		s.running, s.change = s.config, noChange
	}
	return s.config, changed, mustRestart, atOnce
}

// Config returns the configuration in the files, without the draft.
func (s *Editor) Config() Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.config
}

// Reject records that no table could be opened with the configuration in the files. Until a file changes, the former
// configuration stays.
func (s *Editor) Reject(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused, s.refusal = s.fileTexts(), s.findingsOf(why)
	s.compareFiles()
}

// writeWindow is the longest time between the writing of both files by one save, even on a slow card.
const sameWrite = 15 * time.Second

// PreviousConfig returns the configuration before the last save of the page, unless one of the files was written since.
// A table that cannot open with the new one after a power cut would have no page to correct it on.
func (s *Editor) Previous() (c Config, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hand, now, old := statFile(s.hand.name), statFile(s.page.name), statFile(s.page.name+".old")
	if now == (fileState{}) || old == (fileState{}) || now.when.Sub(old.when).Abs() > sameWrite || hand.when.Sub(now.when) > sameWrite {
		return c, false
	}
	text, err := ReadFile(s.page.name + ".old")
	if err == nil {
		c, err = parse(s.hand.layer, layer{s.page.name + ".old", text}, environment())
	}
	return c, err == nil
}
