package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"majordome/cmd/majordome/durable"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// Close forgets the news, which were read, and what a search has found. What was not kept waits.
func (s *Setup) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.news, s.found = nil, nil
}

// Change gives a key of the draft another value, or, where that is empty, none. A list is taken over from the file of a hand as a whole. With
// another chip go the keys that are none of it. It refuses what is no key, and what the environment sets.
func (s *Setup) Change(path, value string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	path = "$." + path
	t, ok := kindOf(path)
	switch {
	case !ok || len(value) > ownfile.MaxValue, value != "" && t.Kind() == reflect.Struct, t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		return wire.Refuse("table.unknown")
	case s.inEnvironment(path, value == ""):
		return wire.Refuse("table.set.env")
	}
	tree, top := s.taken(path), "$."+topOf(path)
	switch {
	case value != "":
		tree, ok = with(tree, path, value)
	case path == top:
		tree, ok = with(tree, path, nil)
	default:
		tree, ok = without(tree, path)
	}
	if m := chipPath.FindStringSubmatch(path); ok && m != nil {
		at := strings.TrimSuffix(path, ".chip")
		c, _ := parse(s.hand.layer, s.asFile(tree), nil)
		for _, p := range ownfile.Flatten(tree) {
			key, of := strings.CutPrefix(p.Key, at+".")
			if of && !strings.ContainsAny(key, ".[") && !fitsChip(m[1], chipAt(c, at), key) {
				tree, _ = without(tree, p.Key)
			}
		}
	}
	return s.draw(tree, ok, top)
}

// Add puts one more into a list of the draft, which is taken over from the file of a hand as a whole. It refuses what is no list or no value
// of one, a list that is full, and one that the environment sets.
func (s *Setup) Add(list string, values engine.Args) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	top := "$." + list
	t, ok := kindOf(top)
	if !ok || t.Kind() != reflect.Slice {
		return wire.Refuse("table.unknown")
	}
	if slices.ContainsFunc(s.judged.FromEnvironment(), func(p string) bool { return p == top }) {
		return wire.Refuse("table.set.env")
	}
	var one any
	if t.Elem().Kind() == reflect.String {
		if v := values["value"]; v != "" && len(v) <= ownfile.MaxValue {
			one = v
		}
	} else if all := pairsOf(t.Elem(), values); len(all) > 0 {
		one = all
	}
	tree := s.taken(top)
	had, _ := valueOf(tree, list)
	all, _ := had.([]any)
	if one == nil || len(all) >= maxListed {
		return wire.Refuse("table.unknown")
	}
	tree, ok = with(tree, fmt.Sprintf("%s[%d]", top, len(all)), one)
	return s.draw(tree, ok, top)
}

// pairsOf are the values that fit the keys of a struct, in their order.
func pairsOf(t reflect.Type, values engine.Args) (all []ownfile.Pair) {
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Tag.Get("yaml")
		if v := values[name]; v != "" && name != "" && len(v) <= ownfile.MaxValue && settable(f.Type) {
			all = append(all, ownfile.Pair{Key: name, Value: v})
		}
	}
	return all
}

// GiveBack takes a key at the top out of the draft: what the file of a hand says of it holds again, or what holds where nobody has written it.
func (s *Setup) GiveBack(key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, has := valueOf(s.draft, key); !has {
		return wire.Refuse("table.unknown")
	}
	s.draft = slices.DeleteFunc(slices.Clone(s.draft), func(p ownfile.Pair) bool { return p.Key == key })
	s.judge()
	return nil
}

// taken is the draft with what the file of a hand says of the key of a path, where that is a list that the draft does not have. mu is held.
func (s *Setup) taken(path string) []ownfile.Pair {
	key := topOf(path)
	if _, has := valueOf(s.draft, key); has {
		return s.draft
	}
	list, is := valueOf(s.handTree(), key)
	if t, _ := kindOf("$." + key); !is || t.Kind() != reflect.Slice {
		return s.draft
	}
	return append(slices.Clone(s.draft), ownfile.Pair{Key: key, Value: list})
}

// draw makes a tree the draft. A key that then says what the file of a hand says is left to that. mu is held.
func (s *Setup) draw(tree []ownfile.Pair, ok bool, path string) error {
	if !ok {
		return wire.Refuse("table.unknown")
	}
	key := topOf(path)
	drawn, _ := valueOf(tree, key)
	if hand, _ := valueOf(s.handTree(), key); sameValue(drawn, hand) {
		tree = slices.DeleteFunc(slices.Clone(tree), func(p ownfile.Pair) bool { return p.Key == key })
	}
	if len(s.asFile(tree).text) > ownfile.MaxBytes {
		return wire.Refuse("table.unknown")
	}
	s.draft = tree
	s.judge()
	return nil
}

// inEnvironment reports that the environment sets what is at a path, or, where it is to be taken out of a list, that or one behind it, which
// would move up. mu is held.
func (s *Setup) inEnvironment(path string, out bool) bool {
	item := itemPath.FindStringSubmatch(path)
	for _, p := range s.judged.FromEnvironment() {
		if p == path || item != nil && p == "$."+item[1] {
			return true
		}
		if m := itemPath.FindStringSubmatch(p); out && m != nil && item != nil && item[3] == "" && m[1] == item[1] && atoi(m[2]) >= atoi(item[2]) {
			return true
		}
	}
	return false
}

// atoi is the number of one of a list, which itemPath has found.
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// Drop forgets the draft.
func (s *Setup) Drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.news, s.byHand, s.mend = nil, "", ""
	s.draft = s.kept
	s.judge()
}

// Keep writes a sound draft as the page's file, and applies it as soon as it can.
func (s *Setup) Keep() {
	s.mu.Lock()
	hand, page := s.hand.again(), s.page.again() // between two looks
	changed := s.take(hand, page)                // what the host has not seen is shown first
	clear(s.said)
	s.judge()
	ok := !changed && s.hand.unread == nil && len(s.faults) == 0 && countChanges(s.kept, s.draft) > 0
	if ok {
		ok = s.write(s.draft)
	}
	s.mu.Unlock()
	if ok {
		s.wake()
	}
}

// write makes a tree the page's file. mu is held.
func (s *Setup) write(tree []ownfile.Pair) bool {
	now := s.asFile(tree)
	if err := s.replace(now); err != nil {
		s.byHand, s.mend = string(now.text), writable(filepath.Dir(now.name), err)
		return false
	}
	before := s.kept
	s.page.text, s.page.unread = now.text, nil
	s.kept, s.draft, s.byHand, s.mend, s.news = tree, tree, "", "", nil
	s.page.stamp = stampOf(now.name)
	s.page.seen = s.page.stamp
	s.weigh()
	s.toProve(before)
	return true
}

// replace writes the page's file: what stood there, or that nothing did, is beside it first, and is replaced in one step.
func (s *Setup) replace(now layer) error {
	mode := fs.FileMode(0o644)
	for _, name := range []string{s.hand.name, now.name} { // it may hold the password of a Wi-Fi: as readable as what it stands beside
		if info, err := os.Stat(name); err == nil {
			mode = info.Mode().Perm()
		}
	}
	old := s.page.text
	if old == nil {
		old = s.asFile(nil).text
	}
	if err := durable.WriteFile(now.name+".old", old, mode); err != nil {
		return err
	}
	return durable.WriteFile(now.name, now.text, mode)
}

// writable is the line that lets the daemon write in a folder; "" where it is not a matter of rights.
func writable(dir string, err error) string {
	if !errors.Is(err, fs.ErrPermission) {
		return "df -h " + quoted(dir)
	}
	who := "majordome"
	if u, err := user.Current(); err == nil {
		who = u.Username
	}
	return fmt.Sprintf("sudo chgrp %s %s && sudo chmod g+w %[2]s", who, quoted(dir))
}

func quoted(name string) string { return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'" }

// Apply applies what was kept, during a game too.
func (s *Setup) Apply() {
	s.mu.Lock()
	s.wish = true
	s.mu.Unlock()
	s.wake()
}

// Search looks for devices, for up to a minute, or asks a port that the last search has found: what is there takes its place. It refuses
// a port that was not found, and a second search meanwhile.
func (s *Setup) Search(port string) error {
	find, err := s.beginSearch(port)
	if err != nil {
		return err
	}
	var found []wire.Found
	defer func() {
		s.mu.Lock()
		s.searching, s.found = false, found
		s.mu.Unlock()
		s.wake() // who shows it may be another House by now
	}()
	s.wake()
	found = find()
	return nil
}

// wake has the House that runs look, show and apply.
func (s *Setup) wake() {
	s.mu.Lock()
	reload := s.reload
	s.mu.Unlock()
	if reload != nil {
		reload()
	}
}

// beginSearch returns the work of a search, which must be done.
func (s *Setup) beginSearch(port string) (find func() []wire.Found, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cfg, found := s.judged, s.found
	at := slices.IndexFunc(found, func(f wire.Found) bool { return f.Ask == port })
	switch {
	case s.searching:
		return nil, wire.Refuse("table.busy")
	case port == "" && s.opts.Find != nil:
		s.found = nil
		find = func() []wire.Found { return s.opts.Find(cfg) }
	case port != "" && at >= 0 && s.opts.AskPort != nil:
		find = func() []wire.Found { return slices.Concat(found[:at], s.opts.AskPort(cfg, port), found[at+1:]) }
	default:
		return nil, wire.Refuse("table.unknown")
	}
	s.searching = true
	return find, nil
}

// Shown returns what the page shows. It names paths, ports and numbers of tags.
func (s *Setup) Shown() *wire.Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	standard := Defaults()
	out := &wire.Settings{
		Faults:  slices.Concat(s.faults, s.refusal, s.devices, s.useless),
		Notes:   s.opts.Hotspot.Notes(s.sound.HotspotWish(), s.judged.HotspotWish(), standard.HotspotWish()),
		Restart: s.apart == restarts,
		Changes: countChanges(s.kept, s.draft), News: s.news,
		ByHand: s.byHand, Mend: s.mend,
		Hotspot: s.opts.Hotspot.Available(),
		Search:  s.searching, Found: s.found,
		File: whole(s.hand.name), Page: whole(s.page.name),
	}
	out.Wrong = len(out.Faults)
	from := map[string]bool{}
	for _, p := range s.judged.FromEnvironment() {
		from[p] = true
		out.Values = append(out.Values, wire.Setting{Path: strings.TrimPrefix(p, "$."), Value: valueAt(s.judged, p), Env: variableOf(p)})
	}
	show := func(tree []ownfile.Pair, layer string, skip func(key string) bool) {
		for _, p := range ownfile.Flatten(tree) {
			list, _, _ := strings.Cut(p.Key, "[")
			if !from[p.Key] && !from[list] && len(p.Key) <= maxShown && !skip(topOf(p.Key)) {
				out.Values = append(out.Values, wire.Setting{Path: strings.TrimPrefix(p.Key, "$."), Value: p.Value.(string), Layer: layer})
			}
		}
	}
	hand := s.handTree()
	show(s.draft, wire.LayerPage, func(string) bool { return false })
	show(hand, wire.LayerHand, func(key string) bool { _, over := valueOf(s.draft, key); return over })
	for _, p := range s.draft {
		if said, has := valueOf(hand, p.Key); has && !isEmpty(said) && len(p.Key) <= maxShown {
			out.Over = append(out.Over, wire.Setting{Path: p.Key, Value: ownfile.Visible(summary(said), maxSummary), Layer: wire.LayerHand})
		}
	}
	return out
}

// whole is the whole name of a file.
func whole(name string) string {
	if all, err := filepath.Abs(name); err == nil {
		return all
	}
	return name
}

// variableOf is the variable that stands for a path.
func variableOf(path string) string {
	return Environment + strings.ToUpper(strings.NewReplacer("$.", "", "].", "_", "[", "_").Replace(path))
}
