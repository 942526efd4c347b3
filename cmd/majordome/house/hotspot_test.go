package house

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordome/cmd/majordome/network/hotspot"
	"majordome/companion/wire"
)

// aHotspot is one whose script waits for a wish.
func aHotspot(t *testing.T) hotspot.Hotspot {
	t.Helper()
	return hotspot.Hotspot{Told: t.TempDir(), Wish: filepath.Join(t.TempDir(), "hotspot")}
}

// scriptTells writes what root's script does.
func scriptTells(t *testing.T, h hotspot.Hotspot, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(h.Told, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func noted(all []wire.SettingFault, path, said string) bool {
	for _, n := range all {
		if n.Path == path && strings.Contains(n.Said.EN+" "+n.Fix.EN, said) && n.Said.FR != n.Said.EN {
			return true
		}
	}
	return false
}

// The table takes it on at once, and opens nothing anew; the environment says it as the file does.
func TestHotspotHoldsAtOnce(t *testing.T) {
	path, s := aFile(t, "hotspot: off\n")
	h := aHotspot(t)
	house := open(t, func(o *Opts) { o.Config.Hotspot, o.Config.HotspotName, o.Hotspot, o.Setup = "off", "Majordome", h, s }).house
	t.Cleanup(func() { _ = house.Close() })
	if got := content(t, h.Wish); got != "off\nMajordome\n\n\n" {
		t.Errorf("at the start: %q", got)
	}
	s.Attach(s.Kept(), nil, house.poked)
	rewritten(t, path, "hotspot: always\nhotspot_password: 12345678\n")
	_, changed := s.Look(), s.Look() // one that changes is read at the look after
	if anew := house.takeOn(); !changed || anew || content(t, h.Wish) != "always\nMajordome\n12345678\n\n" {
		t.Errorf("changed %v, anew %v: %q", changed, anew, content(t, h.Wish))
	}

	c, err := parse(layer{name: "x"}, layer{}, []string{"MAJORDOME_HOTSPOT=always", "MAJORDOME_HOTSPOT_NAME=Salon", "MAJORDOME_HOTSPOT_PASSWORD=12345678", "MAJORDOME_HOTSPOT_COUNTRY=FR"})
	if err != nil || c.Hotspot != "always" || c.HotspotName != "Salon" || c.HotspotPassword != "12345678" || c.HotspotCountry != "FR" {
		t.Errorf("%v, %+v", err, c)
	}
}

// What no phone could join is refused, and no message quotes the password.
func TestHotspotIsJudged(t *testing.T) {
	long := strings.Repeat("é", 16)
	for text, wrong := range map[string]bool{
		"hotspot: never": true, "hotspot: on": true, "hotspot_name: " + long: false, "hotspot_name: " + long + "s": true, "hotspot_name: \"a\\u009bb\"": true, "hotspot_name: \"\"": true, "hotspot_name: \" a\"": true,
		"hotspot_password: 12345678": false, "hotspot_password: 1234567": true, "hotspot_password: pässword9": true, "hotspot_password: \"tab\\there9\"": true, "hotspot_password: \"12345678 \"": true,
		"hotspot_password: " + strings.Repeat("x", 63): false, "hotspot_password: " + strings.Repeat("x", 64): true, "hotspot_country: FR": false, "hotspot_country: fr": true, "hotspot_country: FRA": true,
		"hotspot_country: GB": false, "hotspot_country: BE": false, "hotspot_country: CH": false, "hotspot_country: UK": true, "hotspot_country: XX": true, "hotspot_country: EU": true, "hotspot_country: ZZ": true,
	} {
		_, err := ParseConfig("majordome.yaml", []byte(text+"\n"))
		if (err != nil) != wrong {
			t.Errorf("%s: %v", text, err)
		}
		if _, value, is := strings.Cut(text, "hotspot_password: "); is && err != nil && strings.Contains(err.Error(), strings.Trim(value, `" `)) {
			t.Errorf("the password is told: %v", err)
		}
	}
	c := Defaults()
	c.HotspotPassword = "correct horse"
	if told := c.Redacted(); strings.Contains(told, "horse") || !strings.Contains(told, "hotspot_password: ...") {
		t.Errorf("who helps reads the password: %s", told)
	}
}

// The host is told before it is kept whom a change cuts off, what has the word over it, and that it does nothing where nobody waits.
func TestHotspotWarns(t *testing.T) {
	h := aHotspot(t)
	path := filepath.Join(t.TempDir(), "majordome.yaml")
	s := NewSetup(path, SetupOpts{Hotspot: h})
	if got := s.Shown(); !got.Hotspot || len(got.Notes) != 0 {
		t.Errorf("nothing is changed: %+v", got.Notes)
	}
	set(t, s, "hotspot", "always")
	if got := s.Shown().Notes; !noted(got, "hotspot", "may be cut off") || !noted(got, "hotspot", "“Majordome”") {
		t.Errorf("it leaves the Wi-Fi that it has joined: %+v", got)
	}
	s.Drop()
	scriptTells(t, h, "shown", "Salon\nabcdefgh23\n")
	if got := s.Shown().Notes; len(got) != 1 || !noted(got, "hotspot", "abcdefgh23") {
		t.Errorf("it is on: %+v", got)
	}
	set(t, s, "hotspot_name", "Grenier")
	if got := s.Shown().Notes; !noted(got, "hotspot_name", "perhaps this device") || !noted(got, "hotspot_name", "“Grenier”") {
		t.Errorf("another name: %+v", got)
	}
	s.Drop()
	set(t, s, "hotspot", "off")
	if got := s.Shown().Notes; !noted(got, "hotspot", "another network first") {
		t.Errorf("off: %+v", got)
	}
	s.Drop()
	scriptTells(t, h, "card", "")
	if got := s.Shown().Notes; !noted(got, "hotspot", "hotspot.txt") {
		t.Errorf("the card has the word: %+v", got)
	}
	s = NewSetup(path, SetupOpts{Hotspot: hotspot.Hotspot{Wish: h.Wish}})
	set(t, s, "hotspot_password", "12345678")
	if got := s.Shown(); got.Hotspot || !noted(got.Notes, "hotspot_password", "changes nothing here") {
		t.Errorf("nobody waits: %+v", got)
	}
	s.Keep()
	if text := kept(t, path); text != "hotspot_password: 12345678\n" {
		t.Errorf("%q", text)
	}
}
