package config

import (
	"reflect"
	"slices"
	"time"

	"majordome/engine/ownfile"
)

// changeKind says how a running table can adopt another configuration.
type changeKind int

const (
	noChange      changeKind = iota
	liveChange               // a running House can apply it at once, also during a game
	restartChange            // all others: the House ends and another begins, in the same process
)

// withoutOrigins returns a configuration without positions and other facts about its files, for comparison.
func withoutOrigins(c Config) Config {
	c.origins = origins{}
	c.Readers = slices.Clone(c.Readers)
	for i := range c.Readers {
		c.Readers[i].at, c.Readers[i].coils = position{}, nil
	}
	c.Strips = slices.Clone(c.Strips)
	for i := range c.Strips {
		c.Strips[i].at = nil
	}
	v := reflect.ValueOf(&c).Elem()
	for _, key := range ownfile.YAMLKeys(c) {
		if f := fieldByKey(v, key); f.Kind() == reflect.Slice && f.Len() == 0 {
			f.SetZero()
		}
	}
	return c
}

// compareConfigs returns the kind of difference between two configurations.
func compareConfigs(a, b Config) changeKind {
	x, y := withoutOrigins(a), withoutOrigins(b)
	if reflect.DeepEqual(x, y) {
		return noChange
	}
	x.URL, x.Names, x.Metrics, x.Calm, x.Log, x.Debug = y.URL, y.Names, y.Metrics, y.Calm, y.Log, y.Debug
	x.HotspotConfig = y.HotspotConfig
	if x.Strips = slices.Clone(x.Strips); len(x.Strips) == len(y.Strips) {
		for i := range x.Strips {
			x.Strips[i].Brightness = y.Strips[i].Brightness
		}
	}
	if reflect.DeepEqual(x, y) {
		return liveChange
	}
	return restartChange
}

// updateChangeKind parses the files, without the draft, into fileConfig, and sets s.change to how the running configuration
// differs. Files that are invalid, or that RejectConfig has refused, are no change. mu is held.
func (s *Editor) updateChangeKind() {
	now, err := parseLayers(s.ownerFile.layer, s.renderPageFile(s.saved), osEnvironment())
	if err == nil {
		err = s.checkDecks(now)
	}
	s.fileConfig, s.change = now, noChange
	if s.refusedTexts != "" && s.refusedTexts == s.joinFileTexts() {
		return
	}
	s.refusedTexts, s.refusal = "", nil
	if err == nil && s.onChange != nil {
		s.change = compareConfigs(s.runningConfig, now)
	}
}

// joinFileTexts returns the text of both files, to see whether one has changed. mu is held.
func (s *Editor) joinFileTexts() string {
	return string(s.ownerFile.text) + "\x00" + string(s.renderPageFile(s.saved).text)
}

// AdoptFileConfig returns the configuration in the files. changed is true if a running table can apply it, mustRestart if
// the table has to open again, atOnce if the host does not want to wait for the end of a game. changed and atOnce are
// true once for each change.
func (s *Editor) AdoptFileConfig() (now Config, changed, mustRestart, atOnce bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mustRestart, atOnce, s.applyNow = s.change == restartChange, s.applyNow, false
	if changed = s.change == liveChange; changed {
		s.runningConfig, s.change = s.fileConfig, noChange
	}
	return s.fileConfig, changed, mustRestart, atOnce
}

// FileConfig returns the configuration in the files, without the draft.
func (s *Editor) FileConfig() Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fileConfig
}

// RecordRejectedConfig records that no table could be opened with the configuration in the files. Until a file changes, the former
// configuration stays.
func (s *Editor) RecordRejectedConfig(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusedTexts, s.refusal = s.joinFileTexts(), s.findingsOf(why)
	s.updateChangeKind()
}

// writeWindow is the longest time in which one save writes the page's file and its .old, even on a slow card.
const writeWindow = 15 * time.Second

// PreviousConfig returns the configuration before the last save of the page, unless one of the files was written since.
// A table that cannot open with the new one after a power cut would have no page to correct it on.
func (s *Editor) PreviousConfig() (c Config, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hand, now, old := statFile(s.ownerFile.name), statFile(s.pageFile.name), statFile(s.pageFile.name+".old")
	if now == (fileState{}) || old == (fileState{}) || now.modTime.Sub(old.modTime).Abs() > writeWindow ||
		hand.modTime.Sub(now.modTime) > writeWindow {
		return c, false
	}
	text, err := ReadFile(s.pageFile.name + ".old")
	if err == nil {
		c, err = parseLayers(s.ownerFile.layer, layer{s.pageFile.name + ".old", text}, osEnvironment())
	}
	return c, err == nil
}
