package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/cmd/majordome/config/configtest"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// newConfigFile returns a configuration file in a folder of its own, and its editor.
func newConfigFile(t *testing.T, text string) (path string, s *Editor) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "majordome.yaml")
	if text != "" {
		configtest.RewriteFile(t, path, text)
	}
	return path, NewEditor(path, EditorOpts{})
}

// A listen address saved by the page stays if the host connects through it. Otherwise the previous one returns, and
// nothing else changes in either file.
func TestListenProvesItself(t *testing.T) {
	const hand = "listen: \":8080\" # here\ncalm: false\n"
	for reached, want := range map[bool]string{true: "listen: \":9090\"\ncalm: true\n", false: "calm: true\n"} {
		path, s := newConfigFile(t, hand)
		old := s.FileConfig()
		s.AttachTable(old, nil, func() {})
		configtest.SetKey(t, s, "listen", ":9090")
		s.SaveDraft()
		configtest.SetKey(t, s, "calm", "true")
		s.SaveDraft() // a game is on: both wait
		if s.RevertUnconfirmedListen(false) || len(s.Snapshot().News) == 0 || s.unconfirmed == nil {
			t.Fatalf("before the table runs by it: %+v", s.Snapshot())
		}
		s.AttachTable(s.FileConfig(), nil, func() {})
		if s.RevertUnconfirmedListen(false) {
			t.Fatal("at once")
		}
		configtest.SetKey(t, s, "site", "manor") // neither saved nor lost
		s.unconfirmed.deadline = time.Now().Add(-time.Second)
		if s.RevertUnconfirmedListen(reached) == reached {
			t.Errorf("reached %v", reached)
		}
		if got := configtest.ReadPageFile(t, PageFilePath(path)); got != want || configtest.ReadFile(t, path) != hand {
			t.Errorf("reached %v: %q", reached, got)
		}
		if got := s.Snapshot(); got.Changes != 1 || configtest.SettingValue(got, "site") != "manor" ||
			configtest.SettingValue(got, "listen") != map[bool]string{true: ":9090", false: ":8080"}[reached] {
			t.Errorf("reached %v: the draft is %+v", reached, got)
		}
		if !reached {
			if s.change != restartChange || !s.applyNow || !strings.Contains(s.Snapshot().News[0].EN, "holds again") {
				t.Errorf("%v %v %+v", s.change, s.applyNow, s.Snapshot().News)
			}
			s.AttachTable(s.FileConfig(), nil, func() {})
		}
		if s.unconfirmed != nil || s.RevertUnconfirmedListen(false) {
			t.Errorf("reached %v: once more", reached)
		}
	}
}

// A listen address in the owner's file needs no confirmation, even if the page saves something else meanwhile.
func TestListenOfAHandNeedsNoProof(t *testing.T) {
	path, s := newConfigFile(t, "listen: \":8080\"\n")
	s.AttachTable(s.FileConfig(), nil, func() {})
	configtest.RewriteFile(t, path, "listen: \":9090\" # by hand\n")
	s.ReloadChangedFiles()
	s.ReloadChangedFiles()
	configtest.SetKey(t, s, "calm", "true")
	if s.SaveDraft(); s.unconfirmed != nil || s.FileConfig().Listen != ":9090" || configtest.ReadPageFile(t,
		PageFilePath(path)) != "calm: true\n" {
		t.Errorf("%+v, %q", s.unconfirmed, configtest.ReadPageFile(t, PageFilePath(path)))
	}
}

// The decks are read when other decks are named, when the file changes and before it is saved, not at each typed
// letter.
func TestDecksAreNotReadAtEachChange(t *testing.T) {
	path, s := newConfigFile(t, "calm: true\n")
	judged := 0
	s.opts.CheckConfig = func(c Config) error {
		if judged++; c.Deck == "none.yaml" {
			return errors.New("no such deck")
		}
		return nil
	}
	clear(s.deckErrs)
	for _, v := range []string{"a", "ab", "abc", "abcd"} {
		configtest.SetKey(t, s, "site", v)
	}
	if judged > 1 {
		t.Errorf("judged %d times for four letters", judged)
	}
	if configtest.SetKey(t, s, "deck", "none.yaml"); len(s.Snapshot().Faults) != 1 {
		t.Errorf("another deck: %+v", s.Snapshot().Faults)
	}
	configtest.SetKey(t, s, "deck", "")
	before := judged
	if s.SaveDraft(); judged == before {
		t.Error("kept without a look")
	}
	before = judged
	configtest.RewriteFile(t, path, "calm: false # by hand\n")
	if s.ReloadChangedFiles(); s.ReloadChangedFiles() == false && judged == before {
		t.Error("another file is not judged")
	}
}

// When the page is closed, its news and the devices found are dropped; unsaved changes stay.
func TestSettingsAreClosed(t *testing.T) {
	path, s := newConfigFile(t, "calm: false\n")
	s.opts.FindDevices = func(Config) []wire.Found { return []wire.Found{{List: "readers"}} }
	configtest.SetKey(t, s, "site", "x")
	configtest.RewriteFile(t, path, "calm: false # by hand\n")
	_, changed := s.ReloadChangedFiles(), s.ReloadChangedFiles()
	if err := s.SearchDevices(""); err != nil || !changed || len(s.Snapshot().News) != 1 || len(s.Snapshot().Found) != 1 {
		t.Fatalf("%v, changed %v: %+v", err, changed, s.Snapshot())
	}
	if s.ClearNewsAndResults(); s.Snapshot().Changes != 1 || len(s.Snapshot().News) > 0 || len(s.Snapshot().Found) > 0 {
		t.Errorf("%+v", s.Snapshot())
	}
}

// Changing a segment that is named chip removes no other key of the strip; changing the chip of the strip does.
func TestASegmentNamedChip(t *testing.T) {
	_, s := newConfigFile(t, "strips:\n  - chip: ws2812\n    spi: SPI0.0\n    segments:\n      clock: 0-3\n      urn: 4-7\n")
	configtest.SetKey(t, s, "strips[0].segments.chip", "8-9")
	if c := s.draftConfig; len(c.Strips) != 1 || len(c.Strips[0].Segments) != 3 || c.Strips[0].SPI != "SPI0.0" {
		t.Errorf("%+v", c.Strips)
	}
	configtest.SetKey(t, s, "strips[0].chip", "node")
	if c := s.draftConfig; c.Strips[0].SPI != "" {
		t.Errorf("another chip keeps %+v", c.Strips)
	}
}

// At the start, half-written files left by a power cut are removed; files of a text editor or of the owner stay.
func TestHalfWrittenFilesAreSwept(t *testing.T) {
	path, _ := newConfigFile(t, "calm: true\n")
	dir := filepath.Dir(path)
	for _, name := range []string{
		".majordome.page.yaml.123456", ".majordome.page.yaml.old.99", ".majordome.page.yaml.swp", ".other.yaml.123",
		"majordome.page.yaml.old", "majordome.page.yaml.5", ".majordome.yaml.7",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	NewEditor(path, EditorOpts{})
	var left []string
	all, err := os.ReadDir(dir)
	for _, e := range all {
		left = append(left, e.Name())
	}
	want := []string{".majordome.page.yaml.swp", ".majordome.yaml.7", ".other.yaml.123", "majordome.page.yaml.5",
		"majordome.page.yaml.old", "majordome.yaml"}
	if err != nil || !slices.Equal(left, want) {
		t.Errorf("%v, left %q", err, left)
	}
}

// From no file to a file with a reader: a fault is shown at its key while it is typed, and nothing is written before
// the draft is valid.
func TestSetupWritesTheFile(t *testing.T) {
	path, s := newConfigFile(t, "")
	if err := s.AddItem("readers", engine.Args{"list": "readers", "role": "urn", "chip": "serial"}); err != nil {
		t.Fatal(err)
	}
	configtest.SetKey(t, s, "calm", "true")
	got := s.Snapshot()
	if got.Changes != 2 || len(got.Faults) != 1 || got.Faults[0].Where != "readers[0].port" ||
		got.Faults[0].Said.FR == got.Faults[0].Said.EN {
		t.Errorf("%+v", got)
	}
	s.SaveDraft()
	if _, err := os.Stat(PageFilePath(path)); err == nil {
		t.Error("a file with a fault is written")
	}
	configtest.SetKey(t, s, "readers[0].port", "/dev/serial/by-id/usb-x")
	configtest.SetKey(t, s, "readers[0].baud", "fast")
	if got := s.Snapshot(); len(got.Faults) != 1 || got.Faults[0].Where != "readers[0].baud" ||
		got.Faults[0].Help != "settings#readers-baud" {
		t.Errorf("%+v", got.Faults)
	}
	configtest.SetKey(t, s, "readers[0].baud", "")
	s.SaveDraft()
	if got := configtest.ReadPageFile(t, PageFilePath(path)); got != "readers:\n  - role: urn\n    chip: serial\n"+
		"    port: /dev/serial/by-id/usb-x\ncalm: true\n" {
		t.Errorf("%s", got)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the file of a hand is written")
	}
	if got := s.Snapshot(); got.Changes != 0 || len(got.Faults) > 0 || configtest.SettingValue(got, "readers[0].role") != "urn" {
		t.Errorf("%+v", got)
	}
	configtest.SetKey(t, s, "readers[0]", "")
	s.SaveDraft()
	if got := configtest.ReadPageFile(t, PageFilePath(path)); got != "calm: true\n" {
		t.Errorf("%s", got)
	}
	if old := configtest.ReadFile(t, PageFilePath(path)+".old"); !strings.Contains(old, "role: urn") {
		t.Errorf("the one before: %s", old)
	}
	for _, bad := range []string{
		"frob", "readers[0].frob", "readers", "readers[16].role", "readers[-1].role", "readers[+0].role", "readers[-0].role", "names[+0]",
		"", "a..b", "deckAt", "strips[0].segments.A b",
	} {
		if refusalKey(s.SetKey(bad, "x")) != "table.unknown" {
			t.Errorf("%q is a key", bad)
		}
	}
	if refusalKey(s.AddItem("calm", engine.Args{"value": "x"})) != "table.unknown" || refusalKey(s.AddItem("readers",
		engine.Args{"frob": "x"})) != "table.unknown" {
		t.Error("a list that is none")
	}
}

// A draft and a list have a limit.
func TestSettingsHaveAnEnd(t *testing.T) {
	_, s := newConfigFile(t, "")
	for i := range maxListed {
		if err := s.AddItem("names", engine.Args{"value": fmt.Sprintf("t%d.example", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if refusalKey(s.AddItem("names", engine.Args{"value": "one.more"})) != "table.unknown" {
		t.Error("a list without an end")
	}
	if refusalKey(s.SetKey("url", strings.Repeat("x", ownfile.MaxValue+1))) != "table.unknown" {
		t.Error("a value without an end")
	}
	if err := s.AddItem("strips", engine.Args{"chip": "apa102"}); err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; n < 1000 && s.SetKey(fmt.Sprintf("strips[0].segments.s%d", n), strings.Repeat("1 ", 120)) == nil; n++ {
	}
	if n < 100 || n > 300 || len(s.renderPageFile(s.draft).text) > ownfile.MaxBytes {
		t.Errorf("%d segments in %d bytes", n, len(s.renderPageFile(s.draft).text))
	}
}

// A change of chip removes the keys of the previous one.
func TestAnotherChip(t *testing.T) {
	const hand = "readers:\n  - role: urn\n    spi: SPI1.0 # bus\n    gain: 33\n"
	path, s := newConfigFile(t, hand)
	configtest.SetKey(t, s, "readers[0].chip", "serial")
	configtest.SetKey(t, s, "readers[0].port", "/dev/ttyACM0")
	s.SaveDraft()
	if got := configtest.ReadPageFile(t, PageFilePath(path)); got !=
		"readers:\n  - role: urn\n    chip: serial\n    port: /dev/ttyACM0\n" ||
		configtest.ReadFile(t, path) != hand {
		t.Errorf("%s %+v", got, s.Snapshot().Faults)
	}
}

// A change in the owner's file is noticed meanwhile, and neither side loses anything: the page's file takes precedence
// key by key, a list as a whole, and names the values that it overrides.
func TestHandAndPageAreLayers(t *testing.T) {
	path, s := newConfigFile(t,
		"listen: \":80\"\nreaders:\n  - {role: urn, chip: serial, port: /dev/ttyA}\n  - {role: show, chip: serial, port: /dev/ttyB}\n")
	if s.ReloadChangedFiles() {
		t.Error("nothing has changed")
	}
	configtest.SetKey(t, s, "readers[1].baud", "9600")
	configtest.SetKey(t, s, "url", "http://a.example")
	configtest.SetKey(t, s, "listen", ":81")
	configtest.RewriteFile(t, path, "# by hand\nlisten: \":82\"\nsite: manor\nreaders:\n  - {role: show, chip: serial, port: /dev/ttyB}\n")
	if s.ReloadChangedFiles() {
		t.Error("read while it may still be written")
	}
	if !s.ReloadChangedFiles() {
		t.Fatal("the hand is not seen")
	}
	got := s.Snapshot()
	if got.Changes != 3 || configtest.SettingValue(got, "listen") != ":81" || configtest.SettingValue(got, "readers[0].role") != "urn" ||
		configtest.SettingValue(got, "readers[1].baud") != "9600" || configtest.SettingValue(got, "url") != "http://a.example" ||
		configtest.SettingValue(got, "site") != "manor" {
		t.Errorf("%+v", got)
	}
	if want := []wire.Setting{
		{Path: "readers", Value: "show", Layer: "hand"},
		{Path: "listen", Value: ":82", Layer: "hand"},
	}; !slices.Equal(got.Over, want) || len(got.News) != 1 {
		t.Errorf("%+v %+v", got.Over, got.News)
	}
	for path, want := range map[string]string{"listen": "page", "site": "hand", "readers[1].role": "page", "url": "page"} {
		if i := slices.IndexFunc(got.Values, func(v wire.Setting) bool { return v.Path == path }); i < 0 || got.Values[i].Layer != want {
			t.Errorf("%s is not of the layer %s: %+v", path, want, got.Values)
		}
	}
	if got.File != path || got.Page != PageFilePath(path) {
		t.Errorf("%q %q", got.File, got.Page)
	}
	// Between two polls: the page does not save over a change that the host has not seen.
	const last = "# by hand again\nlisten: \":83\"\nsite: manor\n"
	configtest.RewriteFile(t, path, last)
	s.SaveDraft()
	if _, err := os.Stat(PageFilePath(path)); err == nil {
		t.Error("kept over what was not shown")
	}
	s.SaveDraft()
	if got := configtest.ReadPageFile(t, PageFilePath(path)); configtest.ReadFile(t,
		path) != last || got != "readers:\n  - role: urn\n    chip: serial\n    port: /dev/ttyA\n  - role: show\n    chip: serial\n"+
		"    port: /dev/ttyB\n    baud: 9600\nurl: \"http://a.example\"\nlisten: \":81\"\n" {
		t.Errorf("%s", got)
	}
	// After the host resets the key, the owner's file applies again.
	if err := s.UnsetKey("listen"); err != nil || configtest.SettingValue(s.Snapshot(), "listen") != ":83" || s.Snapshot().Changes != 1 {
		t.Errorf("%v %+v", err, s.Snapshot())
	}
	if refusalKey(s.UnsetKey("listen")) != "table.unknown" || refusalKey(s.UnsetKey("site")) != "table.unknown" {
		t.Error("a setting that is not in the page's file is reset")
	}
	s.SaveDraft()
	if c, err := ReadConfig(path); err != nil || c.Listen != ":83" || c.URL != "http://a.example" || len(c.Readers) != 2 ||
		!slices.Equal(c.PageKeys(), []string{"url", "readers"}) || len(c.OverridingKeys()) != 0 {
		t.Errorf("%v %+v", err, c)
	}
}

// A value that the host empties is absent, whatever the owner's file says. A value that equals the one in the owner's
// file is left to that file.
func TestSettingsWithoutAValue(t *testing.T) {
	path, s := newConfigFile(t, "listen: \":80\"\nlock: 5\nurl: http://a.example\nnames: [a.example, b.example]\n")
	for _, key := range []string{"listen", "lock", "url", "names[1]", "site"} {
		configtest.SetKey(t, s, key, "")
	}
	s.SaveDraft()
	if got := configtest.ReadPageFile(t, PageFilePath(path)); got != "listen: null\nlock: null\nurl: null\nnames:\n  - a.example\n" {
		t.Errorf("%s %+v", got, s.Snapshot().Faults)
	}
	if c, err := ReadConfig(path); err != nil || c.Listen != ":8080" || c.Lock != 0 || c.URL != "" ||
		!slices.Equal(c.Names, []string{"a.example"}) || len(c.OverridingKeys()) != 4 {
		t.Errorf("%v %+v", err, c)
	}
	if again := NewEditor(path, EditorOpts{}).Snapshot(); configtest.SettingValue(again, "url") != "" || len(again.Over) != 4 ||
		again.Over[3].Value != "a.example, b.example" {
		t.Errorf("%+v", again)
	}
	configtest.SetKey(t, s, "names[0]", "")
	if s.SaveDraft(); len(s.FileConfig().Names) != 0 {
		t.Errorf("%q", s.FileConfig().Names)
	}
	configtest.SetKey(t, s, "lock", "5")
	configtest.SetKey(t, s, "names[0]", "a.example")
	configtest.SetKey(t, s, "names[1]", "b.example")
	configtest.SetKey(t, s, "listen", ":80")
	configtest.SetKey(t, s, "url", "http://a.example")
	if s.SaveDraft(); configtest.ReadPageFile(t, PageFilePath(path)) != "" || len(s.Snapshot().Over) != 0 {
		t.Errorf("%s", configtest.ReadPageFile(t, PageFilePath(path)))
	}
}

// With an existing file all its values apply, and a fault is reported in the file that contains it.
func TestConfigOfBothFiles(t *testing.T) {
	path, _ := newConfigFile(t, "listen: \":80\" # all\ncalm: true\nreaders:\n  - {role: urn, spi: SPI1.0}\n")
	c, err := ReadConfig(path)
	if err != nil || c.Listen != ":80" || !c.Calm || len(c.Readers) != 1 || len(c.PageKeys()) != 0 {
		t.Fatalf("%v %+v", err, c)
	}
	configtest.RewriteFile(t, PageFilePath(path),
		"listen: \":81\"\nsite: X\nfrob: 1\nmqtt: \":81\"\nreaders:\n  - {role: urn, spi: SPI1.1, gain: 7}\n")
	configtest.RewriteFile(t, path, configtest.ReadFile(t, path)+"table: Y\ngain: 3\n")
	_, err = ReadConfig(path)
	hand, page := filepath.Base(path), filepath.Base(PageFilePath(path))
	for _, want := range []string{
		hand + ":5:8: table: bad name",
		hand + ":6:1: unknown key \"gain\"",
		page + ":2:7: site: bad name",
		page + ":3:1: unknown key \"frob\"",
		page + ":4:7: mqtt: the same address as listen",
		page + ":6:36: gain: 7",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q in %v", want, err)
		}
	}
	s := NewEditor(path, EditorOpts{})
	said := fmt.Sprint(s.Snapshot().Faults)
	if !strings.Contains(said, page+", line ") || !strings.Contains(said, "line 6: unknown key") {
		t.Errorf("%s", said)
	}
}

// A file that is missing for a moment, truncated during writing, or unreadable changes nothing.
func TestAFileInOtherHands(t *testing.T) {
	const whole = "listen: \":80\"\nreaders:\n  - {role: urn, chip: serial, port: /dev/ttyA}\n"
	path, s := newConfigFile(t, whole)
	configtest.SetKey(t, s, "url", "http://a.example")
	configtest.RewriteFile(t, path, "")
	s.ReloadChangedFiles()
	configtest.RewriteFile(t, path, whole+"# done\n")
	if s.ReloadChangedFiles(); configtest.SettingValue(s.Snapshot(), "readers[0].role") != "urn" || len(s.Snapshot().News) != 0 {
		t.Errorf("half of it is taken: %+v", s.Snapshot().News)
	}
	s.ReloadChangedFiles()
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o755)); err != nil { // unreadable even for root
		t.Fatal(err)
	}
	s.ReloadChangedFiles()
	s.ReloadChangedFiles()
	s.SaveDraft()
	if got := s.Snapshot(); configtest.SettingValue(got, "readers[0].role") != "urn" || got.Changes != 1 ||
		!strings.Contains(fmt.Sprint(got.News), "cannot be read") {
		t.Errorf("a file that cannot be read is taken as empty: %+v", got.News)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	configtest.RewriteFile(t, path, whole)
	s.ReloadChangedFiles()
	s.ReloadChangedFiles()
	s.SaveDraft()
	if configtest.ReadFile(t, path) != whole || configtest.ReadPageFile(t, PageFilePath(path)) != "url: \"http://a.example\"\n" {
		t.Errorf("%s", configtest.ReadPageFile(t, PageFilePath(path)))
	}
}

// The page's file changed by others: a new one replaces the draft, and this is reported. One that cannot be read
// changes nothing; when the host saves, it is overwritten, and the broken one is kept next to it.
func TestPageLayerInOtherHands(t *testing.T) {
	path, s := newConfigFile(t, "listen: \":80\"\n")
	configtest.SetKey(t, s, "site", "manor")
	s.SaveDraft()
	configtest.SetKey(t, s, "calm", "true")
	configtest.RewriteFile(t, PageFilePath(path), "site: attic\n")
	s.ReloadChangedFiles()
	if s.ReloadChangedFiles(); configtest.SettingValue(s.Snapshot(), "site") != "attic" || s.Snapshot().Changes != 0 ||
		!strings.Contains(fmt.Sprint(s.Snapshot().News), "another one") {
		t.Errorf("%+v", s.Snapshot())
	}
	s.ClearNewsAndResults()
	for _, broken := range []string{"site: [", "- 1\n"} {
		configtest.RewriteFile(t, PageFilePath(path), broken)
		s.ReloadChangedFiles()
		if s.ReloadChangedFiles(); configtest.SettingValue(s.Snapshot(), "site") != "attic" || s.FileConfig().Site != "attic" ||
			!strings.Contains(fmt.Sprint(s.Snapshot().News), "cannot be read") {
			t.Errorf("%+v", s.Snapshot())
		}
	}
	configtest.SetKey(t, s, "calm", "true")
	if s.SaveDraft(); configtest.ReadPageFile(t, PageFilePath(path)) != "site: attic\ncalm: true\n" ||
		configtest.ReadFile(t, PageFilePath(path)+".old") != "- 1\n" {
		t.Errorf("%q", configtest.ReadFile(t, PageFilePath(path)))
	}
}

// Where the daemon may not write, the page shows the command that gives it the right, and the text to write.
func TestAFolderOfRoot(t *testing.T) {
	path, s := newConfigFile(t, "listen: \":80\"\n")
	dir := filepath.Dir(path)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	if os.Getuid() == 0 { // root may write everywhere: use a file in place of the folder
		s.pageFile.name = PageFilePath(filepath.Join(path, "majordome.yaml"))
	}
	configtest.SetKey(t, s, "calm", "true")
	s.mu.Lock()
	s.writePageFile(s.draft)
	s.mu.Unlock()
	got := s.Snapshot()
	if got.ByHand == "" || got.Mend == "" || !strings.Contains(got.ByHand, "calm: true") || got.Changes == 0 {
		t.Errorf("%+v", got)
	}
	line := writePermissionFix("/etc/majordome", os.ErrPermission)
	if !strings.HasPrefix(line, "sudo chgrp ") || !strings.Contains(line, "'/etc/majordome' && sudo chmod g+w '/etc/majordome'") {
		t.Error(line)
	}
}

// The page's file has the access rights of the owner's file: it may contain a password.
func TestPageLayerIsAsReadable(t *testing.T) {
	path, s := newConfigFile(t, "listen: \":80\"\n")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	configtest.SetKey(t, s, "hotspot_password", "12345678")
	s.SaveDraft()
	for _, name := range []string{PageFilePath(path), PageFilePath(path) + ".old"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
}

// The environment takes precedence, and the page shows that.
func TestSetupAndEnvironment(t *testing.T) {
	t.Setenv("MAJORDOME_LISTEN", ":8099")
	t.Setenv("MAJORDOME_READERS_0_GAIN", "43")
	t.Setenv("MAJORDOME_NAMES", "a.example")
	_, s := newConfigFile(t, "listen: \":80\"\nreaders:\n  - {role: urn, spi: SPI1.0}\n")
	var env []string
	for _, v := range s.Snapshot().Values {
		if v.Env != "" {
			env = append(env, v.Path+"="+v.Value+" "+v.Env)
		}
	}
	if refusalKey(s.SetKey("names[0]", "x")) != "table.set.env" || refusalKey(s.AddItem("names",
		engine.Args{"value": "x"})) != "table.set.env" {
		t.Error("a list of the environment is changed")
	}
	if !slices.Equal(env,
		[]string{"listen=:8099 MAJORDOME_LISTEN", "names=a.example MAJORDOME_NAMES", "readers[0].gain=43 MAJORDOME_READERS_0_GAIN"}) {
		t.Error(env)
	}
	if configtest.SettingValue(s.Snapshot(), "listen") != ":8099" {
		t.Error("the file is shown")
	}
	for _, path := range []string{"listen", "readers[0].gain"} {
		if refusalKey(s.SetKey(path, "")) != "table.set.env" || refusalKey(s.SetKey(path, "x")) != "table.set.env" {
			t.Errorf("%s is changed against the environment", path)
		}
	}
	if refusalKey(s.SetKey("readers[0]", "")) != "table.set.env" || s.SetKey("readers[0].spi", "SPI1.1") != nil {
		t.Error("one of a list of which the environment sets one key")
	}
}

// A long file is shown in full. A path that matches no key is left out if it is long; otherwise one file could need
// megabytes to show.
func TestManySettings(t *testing.T) {
	deep := strings.Repeat("x", maxShown)
	_, s := newConfigFile(t, "names: ["+strings.Repeat("x, ", 1200)+"y]\n"+deep+": ["+strings.Repeat("x, ", 1200)+"y]\n")
	if got := s.Snapshot(); len(got.Values) != 1201 || configtest.SettingValue(got, "names[1200]") != "y" || len(got.Faults) == 0 {
		t.Errorf("%d values, %+v", len(got.Values), got.Faults)
	}
}

// Changes that can apply at once do so; the others need a new House.
func TestChangesThatCanApplyAtOnceAreSeparated(t *testing.T) {
	base := "strips:\n  - {chip: apa102, spi: SPI0.0}\n"
	for text, want := range map[string]changeKind{
		base: noChange, "# more\n" + base: noChange,
		"calm: true\n" + base: liveChange, "url: http://a.example\n" + base: liveChange, "names: [a.example]\n" + base: liveChange,
		"metrics: [192.168.1.5]\n" + base:                            liveChange,
		"strips:\n  - {chip: apa102, spi: SPI0.0, brightness: 20}\n": liveChange,
		"listen: \":81\"\n" + base:                                   restartChange,
		"strips:\n  - {chip: apa102, spi: SPI0.0, places: 9}\n":      restartChange, "": restartChange,
	} {
		a, errA := ParseConfig("a", []byte(base))
		b, errB := ParseConfig("b", []byte(text))
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if got := compareConfigs(a, b); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if compareConfigs(Config{Log: "info"}, Config{Log: "debug", Debug: "relay"}) != liveChange {
		t.Error("another level waits for the end of a game")
	}
}

// A port is probed only if the last search has found it, and the answer replaces its entry. Only one search runs at a
// time.
func TestOnlyAPortThatWasFoundIsAsked(t *testing.T) {
	_, s := newConfigFile(t, "calm: true\n")
	found := []wire.Found{{List: "readers"}, {Ask: "/dev/ttyUSB0"}, {Ask: "/dev/ttyUSB1"}}
	var asked []string
	s.opts.AskPort = func(_ Config, port string) []wire.Found {
		asked = append(asked, port)
		return []wire.Found{{List: "strips"}, {List: "buttons"}}
	}
	search := func(port, want string) []wire.Found {
		t.Helper()
		if got := refusalKey(s.SearchDevices(port)); got != want {
			t.Errorf("%q: %q, want %q", port, got, want)
		}
		return s.Snapshot().Found
	}
	search("", "table.unknown") // there is no function that looks for devices
	search("/dev/ttyUSB0", "table.unknown")
	s.opts.FindDevices = func(Config) []wire.Found {
		if search("", "table.busy"); !s.Snapshot().Search {
			t.Error("the page does not show that it looks for devices")
		}
		return found
	}
	if all := search("", ""); len(all) != 3 || s.Snapshot().Search {
		t.Errorf("%+v", all)
	}
	search("/dev/ttyS0", "table.unknown")
	if all := search("/dev/ttyUSB0", ""); len(all) != 4 || all[0].List != "readers" || all[1].List != "strips" ||
		all[2].List != "buttons" || all[3].Ask != "/dev/ttyUSB1" {
		t.Errorf("%+v", all)
	}
	if !slices.Equal(asked, []string{"/dev/ttyUSB0"}) {
		t.Errorf("asked are %q", asked)
	}
	s.opts.AskPort = nil
	search("/dev/ttyUSB1", "table.unknown")
}

// refusalKey returns the key of the sentence with which the office refuses; "" if the error is no refusal.
func refusalKey(err error) string {
	var no *wire.Refusal
	if errors.As(err, &no) {
		return no.Why.Key
	}
	return ""
}
