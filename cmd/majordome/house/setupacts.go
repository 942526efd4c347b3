package house

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"majordome/cmd/majordome/durable"
	"majordome/companion/office"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// settingRows show the settings and change them at any time; each act returns what is shown then. settings-set path= value= changes a
// key of the draft, or takes it out where value is empty; settings-add list= KEY=... adds to a list of it; settings-keep writes it as the
// file, and settings-drop forgets it. settings-apply lets what was kept hold at once, though a game is on. settings-search, before a game,
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
			return s.Shown(), nil
		}}
	}
	known := func(is bool) error {
		if !is {
			return wire.Refuse("table.unknown")
		}
		return nil
	}
	return []office.Row{
		{Name: "settings", Role: wire.RoleOwner, See: func(office.Call) any { return s.Shown() }},
		does("settings-set", func(a engine.Args) error { return known(s.Change(a["path"], a["value"])) }),
		does("settings-add", func(a engine.Args) error { return known(s.Add(a["list"], a)) }),
		does("settings-keep", func(engine.Args) error { s.Keep(); return nil }),
		does("settings-drop", func(engine.Args) error { s.Drop(); return nil }),
		does("settings-apply", func(engine.Args) error { s.Apply(); return nil }),
		does("settings-close", func(engine.Args) error { s.Close(); return nil }),
		does("settings-search", func(a engine.Args) error {
			if h.playing.Load() {
				return wire.Refuse("table.unknown")
			}
			return s.search(a["port"])
		}),
	}
}

// Close forgets the news, which were read, and what a search has found. What was not kept waits.
func (s *Setup) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.news, s.found = nil, nil
}

// chipPath is the chip of one of a list; segments may have any name, also that of a key.
var chipPath = regexp.MustCompile(`^\$\.([a-z]+)\[[0-9]+\]\.chip$`)

// Change gives a key of the draft another value, or none. With another chip go the keys that are none of it. False: there is no such key.
func (s *Setup) Change(path, value string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	path = "$." + path
	t, ok := kindOf(path)
	if !ok || len(value) > ownfile.MaxValue || len(s.changes) >= maxChanges || t.Kind() == reflect.Struct && value != "" || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		return false
	}
	done := s.do(change{path: path, value: valued(t, value)})
	if m := chipPath.FindStringSubmatch(path); m != nil {
		c, at := s.config(), strings.TrimSuffix(path, ".chip")
		for _, p := range ownfile.Values(s.draft) {
			key, of := strings.CutPrefix(p.Key, at+".")
			if of && !strings.ContainsAny(key, ".[") && !fitsChip(m[1], chipAt(c, at), key) {
				s.do(change{path: p.Key})
			}
		}
	}
	s.judge()
	return done
}

func (s *Setup) do(c change) bool {
	c.was = s.printed(s.config(), c.path)
	if !s.replay(c) {
		return false
	}
	if n := len(s.changes) - 1; n > 0 && s.changes[n-1].path == c.path && s.changes[n-1].list == "" { // typed again: one change
		s.changes[n].was = s.changes[n-1].was
		s.changes = slices.Delete(s.changes, n-1, n)
	}
	return true
}

// chipAt is the chip of one of a list.
func chipAt(c Config, at string) string {
	m := itemPath.FindStringSubmatch(at + ".")
	list := field(reflect.ValueOf(&c).Elem(), m[1])
	for i := range list.Len() {
		if fmt.Sprintf("$.%s[%d]", m[1], i) == at {
			return field(list.Index(i), "chip").String()
		}
	}
	return ""
}

// fitsChip reports a key that goes with a chip, or with all of its kind.
func fitsChip(list, chip, name string) bool {
	is := func(y key) bool { return y.name == name }
	switch list {
	case "readers":
		return slices.ContainsFunc(readerKeys, is) || readerChips.find(chip).has(name)
	case "strips":
		return slices.ContainsFunc(stripKeys, is) || stripChips.find(chip).has(name)
	case "clocks":
		return slices.ContainsFunc(clockKeys, is) || clockChips.find(chip).has(name)
	}
	return true
}

// Add puts one more into a list of the draft. False: there is no such list, it is full, or a value is none.
func (s *Setup) Add(list string, values engine.Args) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := kindOf("$." + list)
	if !ok || t.Kind() != reflect.Slice || len(s.changes) >= maxChanges {
		return false
	}
	current := s.config()
	if field(reflect.ValueOf(&current).Elem(), list).Len() >= maxListed {
		return false
	}
	if t.Elem().Kind() == reflect.String {
		done := values["value"] != "" && s.replay(change{list: list, value: values["value"]})
		s.judge()
		return done
	}
	var all []ownfile.Pair
	for i := range t.Elem().NumField() {
		f := t.Elem().Field(i)
		name := f.Tag.Get("yaml")
		if v := values[name]; v != "" && name != "" && len(v) <= ownfile.MaxValue && settable(f.Type) {
			all = append(all, ownfile.Pair{Key: name, Value: valued(f.Type, v)})
		}
	}
	done := len(all) > 0 && s.replay(change{list: list, value: all})
	s.judge()
	return done
}

// Drop forgets the draft.
func (s *Setup) Drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes, s.news, s.byHand, s.mend = nil, nil, "", ""
	s.draft = append([]byte{}, s.text...)
	s.judge()
}

// Keep writes a sound draft to the file, and applies it as soon as it can.
func (s *Setup) Keep() {
	s.mu.Lock()
	changed := s.read() && len(s.news) > 0 // between two looks: what the host has not seen is not written over
	clear(s.said)
	s.judge()
	ok := !changed && s.unread == nil && len(s.faults) == 0 && len(s.changes) > 0
	if ok {
		ok = s.write()
	}
	s.mu.Unlock()
	if ok {
		s.wake()
	}
}

// write puts the draft in the place of the file. mu is held.
func (s *Setup) write() bool {
	file, dir := s.folder()
	if err := s.replace(file); err != nil {
		s.byHand, s.mend = string(s.draft), writable(dir, err)
		return false
	}
	before := s.text
	s.text, s.changes, s.byHand, s.mend, s.news = slices.Clone(s.draft), nil, "", "", nil
	s.toProve(before)
	if info, err := os.Stat(s.path); err == nil {
		s.stamp = stamp{info.ModTime(), info.Size()}
		s.seen = s.stamp
	}
	s.weigh()
	return true
}

// replace writes the file: what stood there is beside it first, and is replaced in one step.
func (s *Setup) replace(file string) error {
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	if s.text != nil {
		if err := durable.WriteFile(file+".old", s.text, mode); err != nil {
			return err
		}
	}
	return durable.WriteFile(file, s.draft, mode)
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

// search looks for devices, for up to a minute, or asks a port that the last search has found: what is there takes its place. It refuses
// a port that was not found, and a second search meanwhile.
func (s *Setup) search(port string) error {
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
	out := &wire.Settings{
		Faults:  slices.Concat(s.faults, s.refusal, s.devices, s.useless),
		Notes:   s.opts.Hotspot.notes(&s.kept, &s.judged),
		Restart: s.apart == restarts,
		Changes: len(s.changes), News: s.news,
		ByHand: s.byHand, Mend: s.mend,
		Hotspot: s.opts.Hotspot.There(),
		Search:  s.searching, Found: s.found,
	}
	out.File, _ = s.folder()
	out.Wrong = len(out.Faults)
	from := map[string]string{}
	for _, p := range s.judged.FromEnvironment() {
		from[p] = variableOf(p)
		out.Values = append(out.Values, wire.Setting{Path: strings.TrimPrefix(p, "$."), Value: valueAt(s.judged, p), Env: from[p]})
	}
	for _, p := range ownfile.Values(s.draft) {
		list, _, _ := strings.Cut(p.Key, "[")
		if from[p.Key] == "" && from[list] == "" && len(p.Key) <= maxShown {
			out.Values = append(out.Values, wire.Setting{Path: strings.TrimPrefix(p.Key, "$."), Value: p.Value.(string)})
		}
	}
	return out
}

// variableOf is the variable that stands for a path.
func variableOf(path string) string {
	return Environment + strings.ToUpper(strings.NewReplacer("$.", "", "].", "_", "[", "_").Replace(path))
}

// valueAt is a value of a configuration, as a text.
func valueAt(c Config, path string) string {
	of, key := reflect.ValueOf(&c).Elem(), strings.TrimPrefix(path, "$.")
	if m := itemPath.FindStringSubmatch(path); m != nil {
		list := field(of, m[1])
		for i := range list.Len() {
			if fmt.Sprint(i) == m[2] {
				of, key = list.Index(i), strings.TrimPrefix(m[3], ".")
			}
		}
	}
	if list, is := field(of, key).Interface().([]string); is {
		return strings.Join(list, ", ")
	}
	return fmt.Sprint(field(of, key))
}
