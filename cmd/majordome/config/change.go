package config

import (
	"reflect"
	"slices"
	"time"
)

// change says what separates two configurations.
type change int

const (
	noChange   change = iota
	liveChange        // what a running House can take on at once, also during a game
	restart           // the rest: the House ends, and another begins, in the same process
)

// normalized returns a configuration without where it is written.
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

// compare returns what separates two configurations.
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

// compareFiles notes what separates the files, without the draft, from what runs. mu is held.
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

// fileTexts returns the text of both files, to tell whether one has changed. mu is held.
func (s *Editor) fileTexts() string {
	return string(s.hand.text) + "\x00" + string(s.render(s.saved).text)
}

// TakeChange returns what the files say, if that is sound and a running table can take it on; mustRestart is true where the table has to
// open again, atOnce where the host does not want to wait for the end of a game.
func (s *Editor) TakeChange() (now Config, changed, mustRestart, atOnce bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mustRestart, atOnce, s.applyNow = s.change == restart, s.applyNow, false
	if changed = s.change == liveChange; changed {
		s.running, s.change = s.config, noChange
	}
	return s.config, changed, mustRestart, atOnce
}

// Config returns what the files say, without the draft.
func (s *Editor) Config() Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.config
}

// Reject notes that no table could be opened with what the files say: until one of them changes, the configuration before holds.
func (s *Editor) Reject(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused, s.refusal = s.fileTexts(), s.findingsOf(why)
	s.compareFiles()
}

// sameWrite is within what time write has written both files, however slow the card is.
const sameWrite = 15 * time.Second

// Previous returns the configuration that the page has replaced by the one in its file, as long as nobody has written to either file since:
// a table that does not open with the new one after a power cut would have no page on which to mend it.
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
