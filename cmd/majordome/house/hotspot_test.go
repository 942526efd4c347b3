package house

import (
	"path/filepath"
	"strings"
	"testing"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/config/configtest"
	"majordome/cmd/majordome/network/hotspot"
	"majordome/cmd/majordome/network/hotspot/hotspottest"
	"majordome/companion/wire"
)

func hasFinding(all []wire.Finding, path, said string) bool {
	for _, n := range all {
		if n.Where == path && strings.Contains(n.Said.EN+" "+n.Fix.EN, said) && n.Said.FR != n.Said.EN {
			return true
		}
	}
	return false
}

// The table applies a change of the hotspot at once and opens nothing again. The environment sets it as the file does.
func TestHotspotHoldsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "majordome.yaml")
	configtest.RewriteFile(t, path, "hotspot: off\n")
	s := config.NewEditor(path, config.EditorOpts{})
	h := hotspottest.New(t)
	house := openRig(t, func(o *Opts) { o.Config.Hotspot, o.Config.HotspotName, o.Hotspot, o.Editor = "off", "Majordome", h, s }).house
	t.Cleanup(func() { _ = house.Close() })
	if got := configtest.ReadFile(t, h.RequestFile); got != "off\nMajordome\n\n\n" {
		t.Errorf("at the start: %q", got)
	}
	s.AttachTable(s.FileConfig(), nil, house.settings.PollSoon)
	configtest.RewriteFile(t, path, "hotspot: always\nhotspot_password: 12345678\n")
	_, changed := s.ReloadChangedFiles(), s.ReloadChangedFiles() // a change is read at the second poll
	if anew := house.settings.ApplyChange(); !changed || anew ||
		configtest.ReadFile(t, h.RequestFile) != "always\nMajordome\n12345678\n\n" {
		t.Errorf("changed %v, anew %v: %q", changed, anew, configtest.ReadFile(t, h.RequestFile))
	}

}

// Before a change is saved, the host reads whom it disconnects, which source overrides it, and that it has no effect
// where no script waits.
func TestHotspotWarns(t *testing.T) {
	h := hotspottest.New(t)
	path := filepath.Join(t.TempDir(), "majordome.yaml")
	s := config.NewEditor(path, config.EditorOpts{Hotspot: h})
	if got := s.Snapshot(); !got.Hotspot || len(got.Notes) != 0 {
		t.Errorf("nothing is changed: %+v", got.Notes)
	}
	configtest.SetKey(t, s, "hotspot", "always")
	if got := s.Snapshot().Notes; !hasFinding(got, "hotspot", "may be cut off") || !hasFinding(got, "hotspot", "“Majordome”") {
		t.Errorf("the hotspot ends the Wi-Fi that the machine has joined: %+v", got)
	}
	s.DiscardDraft()
	hotspottest.WriteStatus(t, h, "shown", "Salon\nabcdefgh23\n")
	if got := s.Snapshot().Notes; len(got) != 1 || !hasFinding(got, "hotspot", "abcdefgh23") {
		t.Errorf("the hotspot is on: %+v", got)
	}
	configtest.SetKey(t, s, "hotspot_name", "Grenier")
	if got := s.Snapshot().Notes; !hasFinding(got, "hotspot_name", "perhaps this device") || !hasFinding(got, "hotspot_name", "“Grenier”") {
		t.Errorf("another name: %+v", got)
	}
	s.DiscardDraft()
	configtest.SetKey(t, s, "hotspot", "off")
	if got := s.Snapshot().Notes; !hasFinding(got, "hotspot", "another network first") {
		t.Errorf("off: %+v", got)
	}
	s.DiscardDraft()
	hotspottest.WriteStatus(t, h, "card", "")
	if got := s.Snapshot().Notes; !hasFinding(got, "hotspot", "hotspot.txt") {
		t.Errorf("the card has the word: %+v", got)
	}
	s = config.NewEditor(path, config.EditorOpts{Hotspot: hotspot.Hotspot{RequestFile: h.RequestFile}})
	configtest.SetKey(t, s, "hotspot_password", "12345678")
	if got := s.Snapshot(); got.Hotspot || !hasFinding(got.Notes, "hotspot_password", "changes nothing here") {
		t.Errorf("nobody waits: %+v", got)
	}
	s.SaveDraft()
	if text := configtest.ReadPageFile(t, config.PageFilePath(path)); text != "hotspot_password: 12345678\n" {
		t.Errorf("%q", text)
	}
}
