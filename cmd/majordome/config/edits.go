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

// ClearNewsAndResults forgets the news and the results of a search. The unsaved draft stays.
func (s *Editor) ClearNewsAndResults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.news, s.searchResults = nil, nil
}

// SetKey gives the key at a path of the draft, such as readers[0].gain, another value, or none if value is empty. A list
// is first copied as a whole from the owner's file. If the chip changes, the keys that the new chip does not have are
// deleted. It refuses unknown keys and keys that the environment sets.
func (s *Editor) SetKey(path, value string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	path = "$." + path
	t, ok := typeAtPath(path)
	switch {
	case !ok || len(value) > ownfile.MaxValue, value != "" && t.Kind() == reflect.Struct, t.Kind() == reflect.Slice,
		t.Kind() == reflect.Map:
		return wire.NewRefusal("table.unknown")
	case s.isSetByEnvironment(path, value == ""):
		return wire.NewRefusal("table.set.env")
	}
	tree, top := s.draftWithList(path), "$."+topKey(path)
	switch {
	case value != "":
		tree, ok = setPath(tree, path, value)
	case path == top:
		tree, ok = setPath(tree, path, nil)
	default:
		tree, ok = deletePath(tree, path)
	}
	if m := chipPath.FindStringSubmatch(path); ok && m != nil {
		at := strings.TrimSuffix(path, ".chip")
		c, _ := parseLayers(s.ownerFile.layer, s.renderPageFile(tree), nil)
		for _, p := range ownfile.Flatten(tree) {
			key, of := strings.CutPrefix(p.Key, at+".")
			if of && !strings.ContainsAny(key, ".[") && !chipAcceptsKey(m[1], chipNameAt(c, at), key) {
				tree, _ = deletePath(tree, p.Key)
			}
		}
	}
	return s.setDraft(tree, ok, top)
}

// AddItem adds an item with values by key (a text: "value") to a list of the draft; the list is first copied as a whole
// from the owner's file. It refuses a key that is no list, an item without valid values, a full list and a list that
// the environment sets.
func (s *Editor) AddItem(list string, values engine.Args) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	top := "$." + list
	t, ok := typeAtPath(top)
	if !ok || t.Kind() != reflect.Slice {
		return wire.NewRefusal("table.unknown")
	}
	if slices.ContainsFunc(s.draftConfig.EnvironmentPaths(), func(p string) bool { return p == top }) {
		return wire.NewRefusal("table.set.env")
	}
	var one any
	if t.Elem().Kind() == reflect.String {
		if v := values["value"]; v != "" && len(v) <= ownfile.MaxValue {
			one = v
		}
	} else if all := settablePairs(t.Elem(), values); len(all) > 0 {
		one = all
	}
	tree := s.draftWithList(top)
	had, _ := lookupKey(tree, list)
	all, _ := had.([]any)
	if one == nil || len(all) >= maxListed {
		return wire.NewRefusal("table.unknown")
	}
	tree, ok = setPath(tree, fmt.Sprintf("%s[%d]", top, len(all)), one)
	return s.setDraft(tree, ok, top)
}

// settablePairs returns the values that fit the keys of a struct, in the order of its fields.
func settablePairs(t reflect.Type, values engine.Args) (all []ownfile.Pair) {
	for _, f := range keyFields(t) {
		name := f.Tag.Get("yaml")
		if v := values[name]; v != "" && len(v) <= ownfile.MaxValue && isSettable(f.Type) {
			all = append(all, ownfile.Pair{Key: name, Value: v})
		}
	}
	return all
}

// UnsetKey removes a key at the top from the draft: the value of the owner's file applies again, or the default.
func (s *Editor) UnsetKey(key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, has := lookupKey(s.draft, key); !has {
		return wire.NewRefusal("table.unknown")
	}
	s.draft = slices.DeleteFunc(slices.Clone(s.draft), func(p ownfile.Pair) bool { return p.Key == key })
	s.validateDraft()
	return nil
}

// draftWithList returns the draft. If the path is in a list that the draft does not have, the list of the owner's file is
// added. mu is held.
func (s *Editor) draftWithList(path string) []ownfile.Pair {
	key := topKey(path)
	if _, has := lookupKey(s.draft, key); has {
		return s.draft
	}
	list, is := lookupKey(s.ownerFileTree(), key)
	if t, _ := typeAtPath("$." + key); !is || t.Kind() != reflect.Slice {
		return s.draft
	}
	return append(slices.Clone(s.draft), ownfile.Pair{Key: key, Value: list})
}

// setDraft makes tree the draft, unless isValid is false or its file would be too long: then it returns a refusal. If
// the top key of path has the same value as in the owner's file, it is removed from the draft. mu is held.
func (s *Editor) setDraft(tree []ownfile.Pair, isValid bool, path string) error {
	if !isValid {
		return wire.NewRefusal("table.unknown")
	}
	key := topKey(path)
	drawn, _ := lookupKey(tree, key)
	if hand, _ := lookupKey(s.ownerFileTree(), key); sameValue(drawn, hand) {
		tree = slices.DeleteFunc(slices.Clone(tree), func(p ownfile.Pair) bool { return p.Key == key })
	}
	if len(s.renderPageFile(tree).text) > ownfile.MaxBytes {
		return wire.NewRefusal("table.unknown")
	}
	s.draft = tree
	s.validateDraft()
	return nil
}

// isSetByEnvironment reports whether the environment sets the value at a path. If the value is to be removed from a list,
// items behind it count too, as they would move up. mu is held.
func (s *Editor) isSetByEnvironment(path string, removing bool) bool {
	item := itemPath.FindStringSubmatch(path)
	for _, p := range s.draftConfig.EnvironmentPaths() {
		if p == path || item != nil && p == "$."+item[1] {
			return true
		}
		if m := itemPath.FindStringSubmatch(p); removing && m != nil && item != nil && item[3] == "" && m[1] == item[1] &&
			parseListIndex(m[2]) >= parseListIndex(item[2]) {
			return true
		}
	}
	return false
}

// parseListIndex parses the index of a list item that itemPath has matched.
func parseListIndex(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// DiscardDraft drops all changes of the draft.
func (s *Editor) DiscardDraft() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.news, s.pasteText, s.permitCommand = nil, "", ""
	s.draft = s.saved
	s.validateDraft()
}

// SaveDraft writes a valid draft as the page's file; the table applies it as soon as it can.
func (s *Editor) SaveDraft() {
	s.mu.Lock()
	hand, page := s.ownerFile.readAndCompare(), s.pageFile.readAndCompare() // a file may have changed since the last poll
	changed := s.adoptChangedFiles(hand, page)                              // the host must see such a change before saving
	clear(s.deckErrs)
	s.validateDraft()
	ok := !changed && s.ownerFile.err == nil && len(s.faults) == 0 && countChanges(s.saved, s.draft) > 0
	if ok {
		ok = s.writePageFile(s.draft)
	}
	s.mu.Unlock()
	if ok {
		s.makeTablePoll()
	}
}

// writePageFile writes a tree as the page's file and reports whether it could; if not, pasteText and permitCommand say what
// the host can do. mu is held.
func (s *Editor) writePageFile(tree []ownfile.Pair) (written bool) {
	now := s.renderPageFile(tree)
	if err := s.replacePageFile(now); err != nil {
		s.pasteText, s.permitCommand = string(now.text), writePermissionFix(filepath.Dir(now.name), err)
		return false
	}
	before := s.saved
	s.pageFile.text, s.pageFile.err = now.text, nil
	s.saved, s.draft, s.pasteText, s.permitCommand, s.news = tree, tree, "", "", nil
	s.pageFile.readState = statFile(now.name)
	s.pageFile.polledState = s.pageFile.readState
	s.updateChangeKind()
	s.recordUnconfirmedListen(before)
	return true
}

// replacePageFile saves the former text of the page's file, or an empty tree if there was none, with the suffix .old,
// and then replaces the file in one step.
func (s *Editor) replacePageFile(now layer) error {
	mode := fs.FileMode(0o644)
	// the file may contain a Wi-Fi password, so it gets the mode of the files next to it
	for _, name := range []string{s.ownerFile.name, now.name} {
		if info, err := os.Stat(name); err == nil {
			mode = info.Mode().Perm()
		}
	}
	old := s.pageFile.text
	if old == nil {
		old = s.renderPageFile(nil).text
	}
	if err := durable.WriteFile(now.name+".old", old, mode); err != nil {
		return err
	}
	return durable.WriteFile(now.name, now.text, mode)
}

// writePermissionFix returns the shell command that lets the daemon write in a folder, or one that shows whether the disk is
// full.
func writePermissionFix(dir string, err error) string {
	if !errors.Is(err, fs.ErrPermission) {
		return "df -h " + shellQuote(dir)
	}
	who := "majordome"
	if u, err := user.Current(); err == nil {
		who = u.Username
	}
	return fmt.Sprintf("sudo chgrp %s %s && sudo chmod g+w %[2]s", who, shellQuote(dir))
}

func shellQuote(name string) string { return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'" }

// ForceApplySaved makes the running table apply what was saved at once, also during a game.
func (s *Editor) ForceApplySaved() {
	s.mu.Lock()
	s.applyNow = true
	s.mu.Unlock()
	s.makeTablePoll()
}

// SearchDevices looks for devices for up to a minute, or asks a port that the last search found and replaces its entry
// with the answer. It refuses a port that was not found, and a second search at the same time.
func (s *Editor) SearchDevices(port string) error {
	find, err := s.beginSearchOrRefuse(port)
	if err != nil {
		return err
	}
	var found []wire.Found
	defer func() {
		s.mu.Lock()
		s.searching, s.searchResults = false, found
		s.mu.Unlock()
		s.makeTablePoll() // another House may be running by now
	}()
	s.makeTablePoll()
	found = find()
	return nil
}

// makeTablePoll makes the running table poll the files, show and apply them.
func (s *Editor) makeTablePoll() {
	s.mu.Lock()
	reload := s.onChange
	s.mu.Unlock()
	if reload != nil {
		reload()
	}
}

// beginSearchOrRefuse returns the function that searches. The caller must call it and then clear searching.
func (s *Editor) beginSearchOrRefuse(port string) (find func() []wire.Found, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cfg, found := s.draftConfig, s.searchResults
	at := slices.IndexFunc(found, func(f wire.Found) bool { return f.Ask == port })
	switch {
	case s.searching:
		return nil, wire.NewRefusal("table.busy")
	case port == "" && s.opts.FindDevices != nil:
		s.searchResults = nil
		find = func() []wire.Found { return s.opts.FindDevices(cfg) }
	case port != "" && at >= 0 && s.opts.AskPort != nil:
		find = func() []wire.Found { return slices.Concat(found[:at], s.opts.AskPort(cfg, port), found[at+1:]) }
	default:
		return nil, wire.NewRefusal("table.unknown")
	}
	s.searching = true
	return find, nil
}

// Snapshot returns the settings as the page shows them. It contains paths, ports and UIDs of tags.
func (s *Editor) Snapshot() *wire.Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	standard := Defaults()
	out := &wire.Settings{
		Faults:  slices.Concat(s.faults, s.refusal, s.missingDevices, s.brokenDevices),
		Notes:   s.opts.Hotspot.BuildNotes(s.fileConfig.HotspotRequest(), s.draftConfig.HotspotRequest(), standard.HotspotRequest()),
		Restart: s.change == restartChange,
		Changes: countChanges(s.saved, s.draft), News: s.news,
		ByHand: s.pasteText, Mend: s.permitCommand,
		Hotspot: s.opts.Hotspot.IsAvailable(),
		Search:  s.searching, Found: s.searchResults,
		File: absolutePath(s.ownerFile.name), Page: absolutePath(s.pageFile.name),
	}
	out.Wrong = len(out.Faults)
	from := map[string]bool{}
	for _, p := range s.draftConfig.EnvironmentPaths() {
		from[p] = true
		out.Values = append(
			out.Values,
			wire.Setting{Path: strings.TrimPrefix(p, "$."), Value: valueTextAt(s.draftConfig, p), Env: variableName(p)},
		)
	}
	show := func(tree []ownfile.Pair, layer string, skip func(key string) bool) {
		for _, p := range ownfile.Flatten(tree) {
			list, _, _ := strings.Cut(p.Key, "[")
			if !from[p.Key] && !from[list] && len(p.Key) <= maxShown && !skip(topKey(p.Key)) {
				out.Values = append(out.Values, wire.Setting{Path: strings.TrimPrefix(p.Key, "$."), Value: p.Value.(string), Layer: layer})
			}
		}
	}
	hand := s.ownerFileTree()
	show(s.draft, wire.LayerPage, func(string) bool { return false })
	show(hand, wire.LayerHand, func(key string) bool { _, over := lookupKey(s.draft, key); return over })
	for _, p := range s.draft {
		if said, has := lookupKey(hand, p.Key); has && !isEmptyValue(said) && len(p.Key) <= maxShown {
			out.Over = append(
				out.Over,
				wire.Setting{Path: p.Key, Value: ownfile.VisibleText(summariseValue(said), maxSummary), Layer: wire.LayerHand},
			)
		}
	}
	return out
}

// absolutePath returns the full path of a file.
func absolutePath(name string) string {
	if all, err := filepath.Abs(name); err == nil {
		return all
	}
	return name
}

// variableName returns the environment variable that sets a path.
func variableName(path string) string {
	return EnvPrefix + strings.ToUpper(strings.NewReplacer("$.", "", "].", "_", "[", "_").Replace(path))
}
