package config

import (
	"reflect"
	"slices"
	"time"
)

// What separates two configurations.
type step int

const (
	nothing  step = iota
	live          // what a running House can take on at once, also during a game
	restarts      // the rest: the House ends, and another begins, in the same process
)

// plainConfig is a configuration without where it is written.
func plainConfig(c Config) Config {
	c.deckAt, c.decksAt, c.beside, c.env, c.strange, c.page, c.over = place{}, place{}, "", nil, nil, nil, nil
	c.Readers = slices.Clone(c.Readers)
	for i := range c.Readers {
		c.Readers[i].at, c.Readers[i].coils = place{}, nil
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

// apart is what separates two.
func apart(a, b Config) step {
	x, y := plainConfig(a), plainConfig(b)
	if reflect.DeepEqual(x, y) {
		return nothing
	}
	x.URL, x.Names, x.Metrics, x.Calm, x.Log, x.Debug = y.URL, y.Names, y.Metrics, y.Calm, y.Log, y.Debug
	x.Hotspot, x.HotspotName, x.HotspotPassword, x.HotspotCountry = y.Hotspot, y.HotspotName, y.HotspotPassword, y.HotspotCountry
	if x.Strips = slices.Clone(x.Strips); len(x.Strips) == len(y.Strips) {
		for i := range x.Strips {
			x.Strips[i].Brightness = y.Strips[i].Brightness
		}
	}
	if reflect.DeepEqual(x, y) {
		return live
	}
	return restarts
}

// weigh notes what separates the files from what runs, the draft left out. mu is held.
func (s *Setup) weigh() {
	now, err := parse(s.hand.layer, s.asFile(s.kept), environment())
	if err == nil {
		err = s.beyond(now)
	}
	s.sound, s.apart = now, nothing
	if s.refused != "" && s.refused == s.texts() {
		return
	}
	s.refused, s.refusal = "", nil
	if err == nil && s.reload != nil {
		s.apart = apart(s.running, now)
	}
}

// texts are what stands in both files. mu is held.
func (s *Setup) texts() string { return string(s.hand.text) + "\x00" + string(s.asFile(s.kept).text) }

// Take returns what the files say, if that is sound and the House that runs can take it on at once; restart is true where another House has
// to begin, wished where the host does not want to wait for the end of a game.
func (s *Setup) Take() (now Config, changed, restart, wished bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	restart, wished, s.wish = s.apart == restarts, s.wish, false
	if changed = s.apart == live; changed {
		s.running, s.apart = s.sound, nothing
	}
	return s.sound, changed, restart, wished
}

// Kept is what the files say, and Refuse that no table could be opened by it: until one of them changes, the configuration before holds.
func (s *Setup) Kept() Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sound
}

func (s *Setup) Refuse(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused, s.refusal = s.texts(), s.faultsOf(why)
	s.weigh()
}

// sameWrite is within what time write has written both files, however slow the card is.
const sameWrite = 15 * time.Second

// Former is the configuration in whose place the page has put the one that holds by the files, as long as nobody has written to either since:
// a table that does not open by the one after a power cut would have no page on which to mend it.
func (s *Setup) Former() (c Config, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hand, now, old := stampOf(s.hand.name), stampOf(s.page.name), stampOf(s.page.name+".old")
	if now == (stamp{}) || old == (stamp{}) || now.when.Sub(old.when).Abs() > sameWrite || hand.when.Sub(now.when) > sameWrite {
		return c, false
	}
	text, err := ReadFile(s.page.name + ".old")
	if err == nil {
		c, err = parse(s.hand.layer, layer{s.page.name + ".old", text}, environment())
	}
	return c, err == nil
}
