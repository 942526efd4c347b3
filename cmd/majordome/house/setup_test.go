package house

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// aFile is a configuration in a folder of its own.
func aFile(t *testing.T, text string) (path string, s *Setup) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "majordome.yaml")
	if text != "" {
		rewritten(t, path, text)
	}
	return path, NewSetup(path, SetupOpts{})
}

// rewritten is what a hand does, at another moment than before.
func rewritten(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1_700_000_000+int64(len(text)), 0)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func value(s *wire.Settings, path string) string {
	if i := slices.IndexFunc(s.Values, func(v wire.Setting) bool { return v.Path == path }); i >= 0 {
		return s.Values[i].Value
	}
	return ""
}

// A listen that the page has kept stays if the host comes; else the one before comes back, and nothing else of the file changes.
func TestListenProvesItself(t *testing.T) {
	for reached, want := range map[bool]string{true: "listen: \":9090\" # here\ncalm: true\n", false: "listen: \":8080\" # here\ncalm: true\n"} {
		path, s := aFile(t, "listen: \":8080\" # here\ncalm: false\n")
		old := s.Kept()
		s.attach(old, nil, func() {})
		s.Change("listen", ":9090")
		s.Keep()
		s.Change("calm", "true")
		s.Keep() // a game is on: both wait
		if s.unreached(false) || len(s.Shown().News) == 0 || s.proof == nil {
			t.Fatalf("before the table runs by it: %+v", s.Shown())
		}
		s.attach(s.Kept(), nil, func() {})
		if s.unreached(false) {
			t.Fatal("at once")
		}
		s.proof.until = time.Now().Add(-time.Second)
		if s.unreached(reached) == reached {
			t.Errorf("reached %v", reached)
		}
		if got := content(t, path); got != want {
			t.Errorf("reached %v: %q", reached, got)
		}
		if !reached {
			if s.apart != restarts || !s.wish || !strings.Contains(s.Shown().News[0].EN, "holds again") {
				t.Errorf("%v %v %+v", s.apart, s.wish, s.Shown().News)
			}
			s.attach(s.Kept(), nil, func() {})
		}
		if s.proof != nil || s.unreached(false) {
			t.Errorf("reached %v: once more", reached)
		}
	}
}

// The decks are read when others are named, when the file changes and before it is written, not at each letter.
func TestDecksAreNotReadAtEachChange(t *testing.T) {
	path, s := aFile(t, "calm: true\n")
	judged := 0
	s.opts.Judge = func(c Config) error {
		if judged++; c.Deck == "none.yaml" {
			return errors.New("no such deck")
		}
		return nil
	}
	clear(s.said)
	for _, v := range []string{"a", "ab", "abc", "abcd"} {
		s.Change("site", v)
	}
	if judged > 1 {
		t.Errorf("judged %d times for four letters", judged)
	}
	if s.Change("deck", "none.yaml"); len(s.Shown().Faults) != 1 {
		t.Errorf("another deck: %+v", s.Shown().Faults)
	}
	s.Change("deck", "")
	before := judged
	if s.Keep(); judged == before {
		t.Error("kept without a look")
	}
	before = judged
	rewritten(t, path, "calm: false # by hand\n")
	if s.look(); s.look() == false && judged == before {
		t.Error("another file is not judged")
	}
}

// What was read and found goes with the page; what was not kept waits.
func TestSettingsAreClosed(t *testing.T) {
	path, s := aFile(t, "calm: false\n")
	s.opts.Find = func(Config) []wire.Found { return []wire.Found{{List: "readers"}} }
	s.Change("site", "x")
	rewritten(t, path, "calm: false # by hand\n")
	_, changed := s.look(), s.look()
	if err := s.search(""); err != nil || !changed || len(s.Shown().News) != 1 || len(s.Shown().Found) != 1 {
		t.Fatalf("%v, changed %v: %+v", err, changed, s.Shown())
	}
	if s.Close(); s.Shown().Changes != 1 || len(s.Shown().News) > 0 || len(s.Shown().Found) > 0 {
		t.Errorf("%+v", s.Shown())
	}
}

// Only a device of the host proves it, not any phone.
func TestHostProvesTheAddress(t *testing.T) {
	r := start(t, nil)
	if r.house.present([]string{r.house.tree.User(engine.At(1))}); r.house.hosted.Load() {
		t.Error("a seat's phone is taken for the host's")
	}
	if r.house.present([]string{r.house.tree.User(engine.Host)}); !r.house.hosted.Load() {
		t.Error("the host has come and is not seen")
	}
	if r.house.present(nil); !r.house.hosted.Load() {
		t.Error("a host who has gone has not been there")
	}
}

// A segment of a strip that is called chip, or anything else that is no chip, takes no other key along.
func TestASegmentNamedChip(t *testing.T) {
	_, s := aFile(t, "strips:\n  - chip: ws2812\n    spi: SPI0.0\n    segments:\n      clock: 0-3\n      urn: 4-7\n")
	s.Change("strips[0].segments.chip", "8-9")
	if c := s.config(); len(c.Strips) != 1 || len(c.Strips[0].Segments) != 3 || c.Strips[0].SPI != "SPI0.0" {
		t.Errorf("%+v", c.Strips)
	}
	s.Change("strips[0].chip", "node")
	if c := s.config(); c.Strips[0].SPI != "" {
		t.Errorf("another chip keeps %+v", c.Strips)
	}
}

// What a power cut has left of a file that was being written goes at the start; what is an editor's, or a hand's, stays.
func TestHalfWrittenFilesAreSwept(t *testing.T) {
	path, _ := aFile(t, "calm: true\n")
	dir := filepath.Dir(path)
	for _, name := range []string{".majordome.yaml.123456", ".majordome.yaml.old.99", ".majordome.yaml.swp", ".other.yaml.123", "majordome.yaml.old", "majordome.yaml.5"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	NewSetup(path, SetupOpts{})
	var left []string
	all, err := os.ReadDir(dir)
	for _, e := range all {
		left = append(left, e.Name())
	}
	if want := []string{".majordome.yaml.swp", ".other.yaml.123", "majordome.yaml", "majordome.yaml.5", "majordome.yaml.old"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("%v, left %q", err, left)
	}
}

// From no file to one with a reader; what is wrong is said at its key while it is typed, and nothing is written before it is sound.
func TestSetupWritesTheFile(t *testing.T) {
	path, s := aFile(t, "")
	if !s.Add("readers", engine.Args{"list": "readers", "role": "urn", "chip": "serial"}) || !s.Change("calm", "true") {
		t.Fatal("no such keys")
	}
	got := s.Shown()
	if got.Changes != 2 || len(got.Faults) != 1 || got.Faults[0].Path != "readers[0].port" || got.Faults[0].Said.FR == got.Faults[0].Said.EN {
		t.Errorf("%+v", got)
	}
	s.Keep()
	if _, err := os.Stat(path); err == nil {
		t.Error("a file with a fault is written")
	}
	s.Change("readers[0].port", "/dev/serial/by-id/usb-x")
	s.Change("readers[0].baud", "fast")
	if got := s.Shown(); len(got.Faults) != 1 || got.Faults[0].Path != "readers[0].baud" || got.Faults[0].Help != "settings#readers-baud" {
		t.Errorf("%+v", got.Faults)
	}
	s.Change("readers[0].baud", "")
	s.Keep()
	if got := content(t, path); got != "readers:\n  - role: urn\n    chip: serial\n    port: /dev/serial/by-id/usb-x\ncalm: true\n" {
		t.Errorf("%s", got)
	}
	if got := s.Shown(); got.Changes != 0 || len(got.Faults) > 0 || value(got, "readers[0].role") != "urn" {
		t.Errorf("%+v", got)
	}
	s.Change("readers[0]", "")
	s.Keep()
	if got := content(t, path); got != "readers:\ncalm: true\n" {
		t.Errorf("%s", got)
	}
	if old := content(t, path+".old"); !strings.Contains(old, "role: urn") {
		t.Errorf("the one before: %s", old)
	}
	for _, bad := range []string{"frob", "readers[0].frob", "readers", "readers[16].role", "readers[-1].role", "readers[+0].role", "readers[-0].role", "names[+0]", "", "a..b", "deckAt", "strips[0].segments.A b"} {
		if s.Change(bad, "x") {
			t.Errorf("%q is a key", bad)
		}
	}
	if s.Add("calm", engine.Args{"value": "x"}) || s.Add("readers", engine.Args{"frob": "x"}) {
		t.Error("a list that is none")
	}
}

// Another chip takes the keys of the one before with it.
func TestAnotherChip(t *testing.T) {
	path, s := aFile(t, "readers:\n  - role: urn\n    spi: SPI1.0 # bus\n    gain: 33\n")
	s.Change("readers[0].chip", "serial")
	s.Change("readers[0].port", "/dev/ttyACM0")
	s.Keep()
	if got := content(t, path); got != "readers:\n  - role: urn\n    # bus\n    chip: serial\n    port: /dev/ttyACM0\n" {
		t.Errorf("%s %+v", got, s.Shown().Faults)
	}
}

// What a hand writes meanwhile is seen, and neither side loses anything: the page's changes are done to the file as it is now,
// and one at the very place that the hand has changed is told.
func TestHandAndPage(t *testing.T) {
	path, s := aFile(t, "listen: \":80\"\nreaders:\n  - {role: urn, chip: serial, port: /dev/ttyA}\n  - {role: show, chip: serial, port: /dev/ttyB}\n")
	if s.look() {
		t.Error("nothing has changed")
	}
	s.Change("readers[1].baud", "9600")
	s.Change("url", "http://a.example")
	s.Change("listen", ":81")
	rewritten(t, path, "# by hand\nlisten: \":82\"\nreaders:\n  - {role: show, chip: serial, port: /dev/ttyB}\n")
	if s.look() {
		t.Error("read while it may still be written")
	}
	if !s.look() {
		t.Fatal("the hand is not seen")
	}
	got := s.Shown()
	if got.Changes != 2 || value(got, "listen") != ":82" || value(got, "readers[0].baud") != "9600" || value(got, "url") != "http://a.example" {
		t.Errorf("%+v", got)
	}
	if len(got.News) != 2 || !strings.Contains(got.News[1].EN, "listen = :81") {
		t.Errorf("%+v", got.News)
	}
	// Between two looks: the page does not write over what it has not seen.
	rewritten(t, path, "# by hand again\nlisten: \":83\"\n")
	s.Keep()
	if got := content(t, path); got != "# by hand again\nlisten: \":83\"\n" {
		t.Errorf("%s", got)
	}
	s.Keep()
	if got := content(t, path); got != "# by hand again\nlisten: \":83\"\nurl: \"http://a.example\"\n" {
		t.Errorf("%s", got)
	}
}

// A file that is gone for a moment, cut while it is written, or not to be read changes nothing, and is not written over.
func TestAFileInOtherHands(t *testing.T) {
	const whole = "listen: \":80\"\nreaders:\n  - {role: urn, chip: serial, port: /dev/ttyA}\n"
	path, s := aFile(t, whole)
	s.Change("url", "http://a.example")
	rewritten(t, path, "")
	s.look()
	rewritten(t, path, whole+"# done\n")
	if s.look(); value(s.Shown(), "readers[0].role") != "urn" || len(s.Shown().News) != 0 {
		t.Errorf("half of it is taken: %+v", s.Shown().News)
	}
	s.look()
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o755)); err != nil { // as unreadable as can be, for root too
		t.Fatal(err)
	}
	s.look()
	s.look()
	s.Keep()
	if got := s.Shown(); value(got, "readers[0].role") != "urn" || got.Changes != 1 || !strings.Contains(fmt.Sprint(got.News), "cannot be read") {
		t.Errorf("a file that cannot be read is taken as empty: %+v", got.News)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	rewritten(t, path, whole)
	s.look()
	s.look()
	s.Keep()
	if got := content(t, path); got != whole+"url: \"http://a.example\"\n" {
		t.Errorf("%s", got)
	}
}

// Where the daemon may not write, the page says the line that mends it, and what to write.
func TestAFolderOfRoot(t *testing.T) {
	path, s := aFile(t, "listen: \":80\"\n")
	dir := filepath.Dir(path)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	if os.Getuid() == 0 { // root may all: a folder that is none stands for it
		s.path = filepath.Join(path, "majordome.yaml")
		s.text = nil
	}
	s.Change("calm", "true")
	s.mu.Lock()
	s.write()
	s.mu.Unlock()
	got := s.Shown()
	if got.ByHand == "" || got.Mend == "" || !strings.Contains(got.ByHand, "calm: true") || got.Changes == 0 {
		t.Errorf("%+v", got)
	}
	if line := writable("/etc/majordome", os.ErrPermission); !strings.HasPrefix(line, "sudo chgrp ") || !strings.Contains(line, "'/etc/majordome' && sudo chmod g+w '/etc/majordome'") {
		t.Error(line)
	}
}

// The environment wins, and says so.
func TestSetupAndEnvironment(t *testing.T) {
	t.Setenv("MAJORDOME_LISTEN", ":8099")
	t.Setenv("MAJORDOME_READERS_0_GAIN", "43")
	_, s := aFile(t, "listen: \":80\"\nreaders:\n  - {role: urn, spi: SPI1.0}\n")
	var env []string
	for _, v := range s.Shown().Values {
		if v.Env != "" {
			env = append(env, v.Path+"="+v.Value+" "+v.Env)
		}
	}
	if !slices.Equal(env, []string{"listen=:8099 MAJORDOME_LISTEN", "readers[0].gain=43 MAJORDOME_READERS_0_GAIN"}) {
		t.Error(env)
	}
	if value(s.Shown(), "listen") != ":8099" {
		t.Error("the file is shown")
	}
}

// A long file is shown whole; a path that no key has is left out where it is long, or one file would be megabytes to show.
func TestManySettings(t *testing.T) {
	deep := strings.Repeat("x", maxShown)
	_, s := aFile(t, "names: ["+strings.Repeat("x, ", 1200)+"y]\n"+deep+": ["+strings.Repeat("x, ", 1200)+"y]\n")
	if got := s.Shown(); len(got.Values) != 1201 || value(got, "names[1200]") != "y" || len(got.Faults) == 0 {
		t.Errorf("%d values, %+v", len(got.Values), got.Faults)
	}
}

// What can hold at once does, and the rest takes another House.
func TestApart(t *testing.T) {
	base := "strips:\n  - {chip: apa102, spi: SPI0.0}\n"
	for text, want := range map[string]step{
		base: nothing, "# more\n" + base: nothing,
		"calm: true\n" + base: live, "url: http://a.example\n" + base: live, "names: [a.example]\n" + base: live, "metrics: [192.168.1.5]\n" + base: live,
		"strips:\n  - {chip: apa102, spi: SPI0.0, brightness: 20}\n": live,
		"listen: \":81\"\n" + base:                                   restarts, "strips:\n  - {chip: apa102, spi: SPI0.0, places: 9}\n": restarts, "": restarts,
	} {
		a, errA := ParseConfig("a", []byte(base))
		b, errB := ParseConfig("b", []byte(text))
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if got := apart(a, b); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// A port is asked only if the last search has found it, and what is there takes its place. One thing is looked for at a time.
func TestOnlyAPortThatWasFoundIsAsked(t *testing.T) {
	_, s := aFile(t, "calm: true\n")
	found := []wire.Found{{List: "readers"}, {Ask: "/dev/ttyUSB0"}, {Ask: "/dev/ttyUSB1"}}
	var asked []string
	s.opts.AskPort = func(_ Config, port string) []wire.Found {
		asked = append(asked, port)
		return []wire.Found{{List: "strips"}, {List: "buttons"}}
	}
	search := func(port, want string) []wire.Found {
		t.Helper()
		if got := why(s.search(port)); got != want {
			t.Errorf("%q: %q, want %q", port, got, want)
		}
		return s.Shown().Found
	}
	search("", "table.unknown") // nothing looks for devices here
	search("/dev/ttyUSB0", "table.unknown")
	s.opts.Find = func(Config) []wire.Found {
		if search("", "table.busy"); !s.Shown().Search {
			t.Error("it is not shown that devices are looked for")
		}
		return found
	}
	if all := search("", ""); len(all) != 3 || s.Shown().Search {
		t.Errorf("%+v", all)
	}
	search("/dev/ttyS0", "table.unknown")
	if all := search("/dev/ttyUSB0", ""); len(all) != 4 || all[0].List != "readers" || all[1].List != "strips" || all[2].List != "buttons" || all[3].Ask != "/dev/ttyUSB1" {
		t.Errorf("%+v", all)
	}
	if !slices.Equal(asked, []string{"/dev/ttyUSB0"}) {
		t.Errorf("asked are %q", asked)
	}
	s.opts.AskPort = nil
	search("/dev/ttyUSB1", "table.unknown")
}

// why is the sentence by which the office refuses; "": it does not.
func why(err error) string {
	var no *wire.Refusal
	if errors.As(err, &no) {
		return no.Why.Key
	}
	return ""
}
