package table

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// written is a configuration with a port and the number of a tag in it.
type written struct {
	shown wire.Settings
	did   []string
}

func (p *written) Look(on bool) { p.shown.Open = on }
func (p *written) Change(path, value string) bool {
	p.did = append(p.did, path+"="+value)
	return path != "frob"
}
func (p *written) Add(list string, v engine.Args) bool {
	p.did = append(p.did, "add "+list+" "+v["role"])
	return true
}
func (p *written) Keep()                 { p.did = append(p.did, "keep") }
func (p *written) Drop()                 { p.did = append(p.did, "drop") }
func (p *written) Apply()                { p.did = append(p.did, "apply") }
func (p *written) Search()               { p.did = append(p.did, "search") }
func (p *written) Shown() *wire.Settings { s := p.shown; return &s }

// The host alone sees the settings and changes them, also while a game is on; a search is for the lobby.
func TestSettings(t *testing.T) {
	p := &written{shown: wire.Settings{Values: []wire.Setting{{Path: "readers[0].port", Value: "/dev/serial/by-id/canary"}, {Path: "buttons[0].tag", Value: "04A1B2C3D4E5F6"}}, Changes: 1}}
	r := newRig(t, newMemory())
	offered := func() (all []string) {
		for _, o := range r.last().Host.View.Offers {
			if strings.HasPrefix(o.Act, actSettings) {
				all = append(all, o.Act+o.Fixed["on"])
			}
		}
		return all
	}
	if r.act(engine.Host, actSettings, "on", "yes").OK || len(offered()) > 0 {
		t.Error("a table without a file is set up")
	}
	r.core().Settings = p
	for range 3 {
		r.must(engine.Host, "sit")
	}
	if got := offered(); !slices.Equal(got, []string{"settingsyes"}) {
		t.Error(got)
	}
	for _, act := range []string{actSettings, actSet, actAdd, actKeep, actDrop, actApply, actSearch} {
		if r.act(engine.At(1), act, "on", "yes", "path", "calm", "value", "true", "list", "readers").OK {
			t.Errorf("a seat may %s", act)
		}
	}
	if len(p.did) > 0 {
		t.Fatal(p.did)
	}
	r.must(engine.Host, actSettings, "on", "yes")
	if got := offered(); !slices.Equal(got, []string{"settingsno", actDrop, actKeep, actSearch}) {
		t.Error(got)
	}
	s := r.last()
	if s.Host.Settings == nil || len(s.Host.Settings.Values) != 2 {
		t.Errorf("%+v", s.Host.Settings)
	}
	for _, u := range append(s.Seats(), s.Public) {
		if text, _ := json.Marshal(u); u.ForHost != nil || strings.Contains(string(text), "canary") || strings.Contains(string(text), "04A1B2") {
			t.Errorf("%s is told the settings", u.View.Viewer)
		}
	}
	r.must(engine.Host, actSet, "path", "calm", "value", "true")
	r.must(engine.Host, actAdd, "list", "readers", "role", "urn")
	if r.act(engine.Host, actSet, "path", "frob", "value", "1").OK {
		t.Error("a key that nobody knows is set")
	}
	p.shown.Faults = []wire.SettingFault{{Path: "calm"}}
	r.must(engine.Host, actSearch)
	if r.act(engine.Host, actSearch, "port", "/dev/ttyUSB0").OK {
		t.Error("settings that can ask no port ask one")
	}
	if slices.Contains(offered(), actKeep) {
		t.Error("a fault is kept")
	}
	p.shown.Faults[0].Device, p.shown.Restart = true, true
	r.must(engine.Host, "begin")
	if got := offered(); !slices.Equal(got, []string{"settingsno", actApply, actDrop, actKeep}) {
		t.Errorf("in a game: %q", got)
	}
	if r.act(engine.Host, actSearch).OK {
		t.Error("a game is searched")
	}
	r.must(engine.Host, actKeep)
	r.must(engine.Host, actApply)
	if want := []string{"calm=true", "add readers urn", "frob=1", "search", "keep", "apply"}; !slices.Equal(p.did, want) {
		t.Errorf("%q", p.did)
	}
}
