package house

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/config/configtest"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// useConfigFile makes a table use a configuration file in its folder, with these lines added, and returns the path.
func useConfigFile(o *Opts, more string) (path string) {
	path = filepath.Join(o.Config.Data, "majordome.yaml")
	// a file may not name the same address twice
	text := fmt.Sprintf("listen: 127.0.0.1:0\nmqtt: localhost:0\ndata: %q\n%s", o.Config.Data, more)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		panic(err)
	}
	o.Editor = config.NewEditor(path, config.EditorOpts{})
	o.Config = o.Editor.FileConfig()
	return path
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// settingsOf returns what the office shows of the settings, or what an act returned.
func (r *rig) settingsOf(row string, args engine.Args) (s wire.Settings) {
	r.t.Helper()
	r.doRow(row, args, &s)
	return s
}

// The settings can be changed at any time, but only by an owner; no other device is sent any of it. A change waits at
// most for the end of the game.
func TestSettingsOfTheOffice(t *testing.T) {
	t.Parallel()
	if rows := startRig(t, nil).house.settings.OfficeRows(); rows != nil {
		t.Errorf("a table without a file is set up: %v", rows)
	}
	var file string
	r := startRig(t, func(o *Opts) {
		file = useConfigFile(o, "calm: false\n")
		o.Editor = config.NewEditor(file, config.EditorOpts{FindDevices: func(config.Config) []wire.Found {
			return []wire.Found{{List: "readers", Ask: "/dev/ttyUSB0"}}
		}})
	})
	before := configtest.ReadFile(t, file)
	if s := r.settingsOf("settings", nil); s.Changes != 0 || s.File != file || configtest.SettingValue(&s, "calm") != "false" || s.Restart {
		t.Errorf("%+v", s)
	}
	for row, args := range map[string]engine.Args{
		"settings-set": {"path": "frob", "value": "1"}, "settings-add": {"list": "calm", "value": "x"},
		"settings-give-back": {"path": "calm"}, "settings-search": {"port": "/dev/ttyUSB0"},
	} {
		if why := r.refusalOf(row, args); why != "table.unknown" {
			t.Errorf("%s %v: %s", row, args, why)
		}
	}
	if s := r.settingsOf("settings-search", nil); s.Search || len(s.Found) != 1 {
		t.Errorf("%+v", s)
	}
	if why := r.refusalOf("settings-search", engine.Args{"port": "/dev/ttyUSB0"}); why != "table.unknown" {
		t.Errorf("settings that can ask no port ask one: %s", why)
	}
	if s := r.settingsOf("settings-close", nil); len(s.Found) > 0 {
		t.Errorf("found when it was closed: %+v", s)
	}

	if s := r.settingsOf("settings-set", engine.Args{"path": "calm", "value": "true"}); s.Changes != 1 ||
		configtest.SettingValue(&s, "calm") != "true" {
		t.Errorf("%+v", s)
	}
	if s := r.settingsOf("settings-add", engine.Args{"list": "buttons", "role": "pause", "tag": "04A1B2"}); s.Changes != 2 ||
		s.Wrong != 1 || s.Faults[0].Where != "buttons[0].tag" {
		t.Errorf("%+v", s)
	}
	if r.settingsOf("settings-keep", nil); fileExists(config.PageFilePath(file)) {
		t.Error("a fault is kept")
	}
	if s := r.settingsOf("settings-give-back", engine.Args{"path": "calm"}); s.Changes != 1 ||
		configtest.SettingValue(&s, "calm") != "false" {
		t.Errorf("%+v", s)
	}
	if s := r.settingsOf("settings-drop", nil); s.Changes != 0 || s.Wrong != 0 {
		t.Errorf("%+v", s)
	}

	r.mustHostAct("begin", nil)
	if why := r.refusalOf("settings-search", nil); why != "table.unknown" {
		t.Errorf("a game is searched: %s", why)
	}
	r.settingsOf("settings-add", engine.Args{"list": "buttons", "role": "pause", "tag": "04C0FFEECA7A12"})
	if s := r.settingsOf("settings-keep", nil); s.Changes != 0 || !s.Restart || !strings.Contains(configtest.ReadFile(t,
		config.PageFilePath(file)), "04C0FFEECA7A12") || configtest.ReadFile(t, file) != before {
		t.Errorf("%+v", s)
	}
	r.mu.Lock()
	told, _ := json.Marshal([]any{r.updates, r.views})
	r.mu.Unlock()
	if strings.Contains(string(told), "04C0FFEECA7A12") || strings.Contains(string(told), "04A1B2") {
		t.Error("a view has the settings")
	}
	r.settingsOf("settings-apply", nil)
	select {
	case err := <-r.ended:
		r.ended <- nil // as the caller does that starts it again
		if !errors.As(err, new(*config.ChangedError)) {
			t.Errorf("saved settings are not applied: %v", err)
		}
	case <-time.After(patience):
		t.Error("saved settings are not applied in a game")
	}
}

// followRow waits until a row shows what is wanted, as a page does that has it open: each change is answered at once.
func (r *rig) followRow(row, seen string, ok func(value json.RawMessage) bool) {
	r.t.Helper()
	for {
		a := r.watchRow(row, seen)
		switch {
		case a.Value == nil:
			r.t.Fatalf("nothing more is shown of %s: %+v", row, a)
		case ok(a.Value):
			return
		}
		seen = a.Seen
	}
}

// A device that watches the settings is shown a change in the owner's file, without a step for anyone.
func TestSettingsAreFollowed(t *testing.T) {
	t.Parallel()
	var file string
	r := startRig(t, func(o *Opts) { file = useConfigFile(o, "") })
	steps, first := r.mark(), r.watchRow("settings", "")
	configtest.RewriteFile(t, file, configtest.ReadFile(t, file)+"log: debug\n")
	r.followRow("settings", first.Seen, func(shown json.RawMessage) bool {
		var s wire.Settings
		return json.Unmarshal(shown, &s) == nil && configtest.SettingValue(&s, "log") == "debug" && len(s.News) == 1
	})
	if r.waitPublished(); r.mark() != steps {
		t.Error("a change of the settings is a step of the game")
	}
}

// What the host sets up, with four phones at the table, is no step, and no phone is sent a byte: a typed setting, an
// enrolment of tags, accounts.
func TestSettingUpIsNoStep(t *testing.T) {
	t.Parallel()
	r := startRig(t, func(o *Opts) { o.Tags = nil; useConfigFile(o, "") })
	r.addHostDevice()
	var mu sync.Mutex
	revs := map[engine.Seat][]uint64{} // revisions of the views that each phone was sent
	sent := map[engine.Seat]int{}      // bytes
	last := func(n int, want ...uint64) bool {
		mu.Lock()
		defer mu.Unlock()
		for seat := engine.Seat(1); seat <= 4; seat++ {
			if had := revs[seat]; !slices.Equal(had[max(0, len(had)-n):], want) {
				return false
			}
		}
		return true
	}
	for seat := engine.Seat(1); seat <= 4; seat++ {
		p, v := seal.NewPhone(), engine.SeatViewer(seat)
		grant := r.joinSeat(seat, p)
		s := r.connectPhone(v, grant.Key, p, 1).Subscribe(r.house.tree.ViewTopic(v), 1, func(_ mqtt.Client, m mqtt.Message) {
			mu.Lock()
			defer mu.Unlock()
			revs[seat] = append(revs[seat], binary.BigEndian.Uint64(m.Payload()[9:]))
			sent[seat] += len(m.Payload())
		})
		if !s.WaitTimeout(patience) || s.Error() != nil {
			t.Fatal(s.Error())
		}
	}
	eventually(t, "not all phones are there", func() bool { return len(r.publicUpdate().Table.Online) == 4 })
	r.mustHostAct("secrets", engine.Args{"on": "yes"})
	before := r.publicUpdate().Rev
	eventually(t, "no views of a step", func() bool { return last(1, before) })
	mu.Lock()
	bytes := sent[1]
	mu.Unlock()

	r.settingsOf("settings-set", engine.Args{"path": "url", "value": "http://majordome.example"})
	if now := r.publicUpdate().Rev; now != before {
		t.Errorf("a setting is %d steps", now-before)
	}
	r.openEnrolment(wire.EnrolCards)
	for n := range byte(10) {
		r.sendToEnrolment(engine.ReaderShow, spareNumber(t, 100+n))
	}
	if e := r.enrolment(); e.Tagged != 10 {
		t.Fatalf("enrolled: %+v", e)
	}
	r.doRow("enrol-end", nil, nil)
	r.doRow("people-set", engine.Args{"name": "Odile", "role": "owner", "pin": "271828"}, nil)
	r.doRow("people-set", engine.Args{"name": "Otto", "role": "operator", "pin": "31415926"}, nil)
	if now := r.publicUpdate().Rev; now != before {
		t.Errorf("settings, tags and accounts are %d steps", now-before)
	}

	r.mustHostAct("secrets", engine.Args{"on": "no"}) // anything that the set-up has caused to be sent comes before it
	eventually(t, "the view of another step does not follow", func() bool { return last(2, before, before+1) })
	mu.Lock()
	t.Logf("the set-up and one step: %d bytes to a phone", sent[1]-bytes)
	if got := sent[1] - bytes; got != seal.MaxPayload {
		t.Errorf("the set-up has sent %d bytes to a phone", got-seal.MaxPayload)
	}
	mu.Unlock()
}

// publicUpdate returns the last public update.
func (r *rig) publicUpdate() wire.Update {
	r.t.Helper()
	r.waitPublished()
	u, _ := r.house.Loop.Snapshot(engine.Public)
	return u
}

// Only a device of the host proves that the address can be reached, not any phone.
func TestHostProvesTheAddress(t *testing.T) {
	r := startRig(t, nil)
	if r.house.reportConnectedPhones([]string{r.house.tree.UserName(engine.SeatViewer(1))}); r.house.hostHasConnected.Load() {
		t.Error("a seat's phone is taken for the host's")
	}
	if r.house.reportConnectedPhones([]string{r.house.tree.UserName(engine.Host)}); !r.house.hostHasConnected.Load() {
		t.Error("the host has come and is not seen")
	}
	if r.house.reportConnectedPhones(nil); !r.house.hostHasConnected.Load() {
		t.Error("a host who has gone has not been there")
	}
}
