package house

import (
	"encoding/json"
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
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// Look implements table.Settings.
func (s *Setup) Look(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = on
	if !on {
		s.news, s.found = nil, nil
	}
}

// chipPath is the chip of one of a list; segments may have any name, also that of a key.
var chipPath = regexp.MustCompile(`^\$\.([a-z]+)\[[0-9]+\]\.chip$`)

// Change implements table.Settings. With another chip go the keys that are none of it.
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

// Add implements table.Settings.
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

// Drop implements table.Settings.
func (s *Setup) Drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes, s.news, s.byHand, s.mend = nil, nil, "", ""
	s.draft = append([]byte{}, s.text...)
	s.judge()
}

// Keep implements table.Settings: the file is written, and what it says holds as soon as it can.
func (s *Setup) Keep() {
	s.mu.Lock()
	changed := s.read() && len(s.news) > 0 // between two looks: what the host has not seen is not written over
	clear(s.said)
	s.judge()
	ok := !changed && s.unread == nil && len(s.faults) == 0 && len(s.changes) > 0
	if ok {
		ok = s.write()
	}
	reload := s.reload
	s.mu.Unlock()
	if ok && reload != nil {
		reload()
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

// Apply implements table.Settings.
func (s *Setup) Apply() {
	s.mu.Lock()
	s.wish = true
	reload := s.reload
	s.mu.Unlock()
	if reload != nil {
		reload()
	}
}

// Search implements table.Settings.
func (s *Setup) Search() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.search || s.opts.Find == nil {
		return
	}
	s.found = nil
	s.searchBy(s.opts.Find)
}

// AskPort asks a port that the last search has found; what is there takes its place.
func (s *Setup) AskPort(port string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.found, func(f wire.Found) bool { return f.Ask == port && port != "" })
	if at < 0 || s.search || s.opts.AskPort == nil {
		return false
	}
	found := s.found
	s.searchBy(func(c Config) []wire.Found {
		return slices.Concat(found[:at], s.opts.AskPort(c, port), found[at+1:])
	})
	return true
}

// searchBy searches in the background and keeps what was found. mu is held.
func (s *Setup) searchBy(find func(Config) []wire.Found) {
	s.search = true
	cfg := s.judged
	go func() {
		found := find(cfg)
		s.mu.Lock()
		s.search, s.found = false, found
		reload := s.reload
		s.mu.Unlock()
		if reload != nil {
			reload()
		}
	}()
}

// Shown implements table.Settings.
func (s *Setup) Shown() *wire.Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := &wire.Settings{Open: s.open, Wrong: len(s.faults) + len(s.refusal) + len(s.devices) + len(s.useless), Restart: s.apart == restarts}
	if !s.open {
		return out
	}
	out.File, _ = s.folder()
	out.Faults, out.Changes, out.News = slices.Concat(s.faults, s.refusal, s.devices, s.useless), len(s.changes), s.news
	out.Notes, out.Hotspot = s.opts.Hotspot.notes(&s.kept, &s.judged), s.opts.Hotspot.There()
	out.ByHand, out.Mend, out.Search, out.Found = s.byHand, s.mend, s.search, s.found
	from := map[string]string{}
	for _, p := range s.judged.FromEnvironment() {
		from[p] = variableOf(p)
		out.Values = append(out.Values, wire.Setting{Path: strings.TrimPrefix(p, "$."), Value: valueAt(s.judged, p), Env: from[p]})
	}
	for _, p := range ownfile.Values(s.draft) {
		list, _, _ := strings.Cut(p.Key, "[")
		if from[p.Key] == "" && from[list] == "" {
			out.Values = append(out.Values, wire.Setting{Path: strings.TrimPrefix(p.Key, "$."), Value: p.Value.(string)})
		}
	}
	for body, err := json.Marshal(out); err == nil && len(body) > wire.MaxSettings; body, err = json.Marshal(out) {
		out.More = true
		switch {
		case len(out.ByHand) > 0:
			out.ByHand = ""
		case len(out.Found) > 0:
			out.Found = out.Found[:len(out.Found)/2]
		case len(out.Values) > 0:
			out.Values = out.Values[:len(out.Values)*3/4]
		default:
			out.Faults = nil
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
