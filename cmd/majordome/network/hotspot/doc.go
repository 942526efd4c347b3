// Package hotspot reads the state of this machine's own Wi-Fi and requests changes to it, through files between the
// daemon and a script of root (systemd/image/root/usr/lib/majordome/hotspot). The script checks each request again.
//
// What may leak: name and password, which all people at the table may read. They go to the screen of this machine and
// to the host's page, and never to a log or a bundle.
package hotspot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"majordome/cmd/majordome/durable"
	"majordome/companion/wire"
	"majordome/engine"
)

// Hotspot holds the paths of these files. The zero value: there is no such Wi-Fi.
type Hotspot struct {
	StatusFolder string // root's folder; it exists if a script waits for requests. In it: shown (name and password, a line each), card
	RequestFile  string // a file in the daemon's own folder: use, name, password and country, a line each
}

// Request is the part of a configuration about this Wi-Fi.
type Request struct{ When, Name, Password, Country string }

// firstDifferentKey returns the first key of the configuration in which r differs from another request; "": none.
func (r Request) firstDifferentKey(o Request) string {
	switch {
	case r.When != o.When:
		return "hotspot"
	case r.Name != o.Name:
		return "hotspot_name"
	case r.Password != o.Password:
		return "hotspot_password"
	case r.Country != o.Country:
		return "hotspot_country"
	}
	return ""
}

// IsAvailable reports whether the configuration controls a Wi-Fi here.
func (h Hotspot) IsAvailable() bool {
	if h.StatusFolder == "" || h.RequestFile == "" {
		return false
	}
	info, err := os.Stat(h.StatusFolder)
	return err == nil && info.IsDir()
}

// State is the state of the Wi-Fi.
type State struct {
	Name, Password string // "" while phones cannot join
	fromCard       bool   // hotspot.txt on the card overrides the configuration
}

// State reads the current state.
func (h Hotspot) State() (s State) {
	if h.StatusFolder == "" {
		return s
	}
	text, _ := os.ReadFile(filepath.Join(h.StatusFolder, "shown")) // an error: there is no such Wi-Fi now
	if lines := strings.Split(string(text), "\n"); len(lines) > 2 {
		s.Name, s.Password = lines[0], lines[1]
	}
	_, err := os.Lstat(filepath.Join(h.StatusFolder, "card"))
	s.fromCard = err == nil
	return s
}

// WriteRequest writes a request if it has changed: root's script starts the Wi-Fi again at each.
func (h Hotspot) WriteRequest(w Request) error {
	if !h.IsAvailable() {
		return nil
	}
	text := w.When + "\n" + w.Name + "\n" + w.Password + "\n" + w.Country + "\n"
	before, err := os.ReadFile(h.RequestFile)
	if err == nil && string(before) == text || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return durable.WriteFile(h.RequestFile, []byte(text), 0o600)
}

// BuildNotes returns notes for the host on these settings: what overrides them and, before they are saved, which
// devices a change would disconnect. saved is the request of the files, draft that of the unsaved draft, and defaults
// that of an empty file.
func (h Hotspot) BuildNotes(saved, draft, defaults Request) (all []wire.Finding) {
	note := func(path string, said, fix engine.Text) {
		all = append(all, wire.Finding{About: "hotspot", State: wire.StateNote, Said: said, Fix: fix, Where: path})
	}
	if !h.IsAvailable() {
		if path := draft.firstDifferentKey(defaults); path != "" {
			note(path, engine.T("Cette machine ne fait pas de Wi-Fi à elle : ce réglage n’y change rien.",
				"This machine makes no Wi-Fi of its own: this setting changes nothing here."), engine.Text{})
		}
		return all
	}
	now := h.State()
	if now.Name != "" {
		note("hotspot", engine.Tf("Allumé : « %[1]s », mot de passe %[2]s", "On: “%[1]s”, password %[2]s", now.Name, now.Password),
			engine.Text{})
	}
	if now.fromCard {
		note("hotspot", engine.T("Le fichier hotspot.txt de la carte SD allume ce Wi-Fi, et chacune de ses lignes l’emporte "+
			"sur ce qui est réglé ici.",
			"The file hotspot.txt on the SD card switches this Wi-Fi on, and each line of it wins over what is set here."),
			engine.T("Pour régler ici, effacez-le de la carte.", "To set it here, delete it on the card."))
	}
	switch path := draft.firstDifferentKey(saved); {
	case path == "":
	case now.Name != "" && draft.When == "off":
		note(path, engine.T("Une fois gardé, ce Wi-Fi s’éteint à l’instant, en pleine partie aussi : qui l’a rejoint est "+
			"coupé, cet appareil peut-être.",
			"Once it is kept, this Wi-Fi ends at once, in a game too: whoever has joined it is cut off, perhaps this device."),
			engine.T("Ayez d’abord un autre réseau par lequel atteindre la table.",
				"Have another network first by which the table is reached."))
	case now.Name != "":
		note(path, engine.T("Une fois gardé, ce Wi-Fi recommence ou s’éteint à l’instant, en pleine partie aussi : qui l’a "+
			"rejoint est coupé, cet appareil peut-être.",
			"Once it is kept, this Wi-Fi begins anew or ends at once, in a game too: whoever has joined it is cut off, perhaps "+
				"this device."),
			engine.Tf("Rejoignez ensuite « %[1]s » ; l’adresse reste la même.", "Join “%[1]s” then; the address stays the same.",
				draft.Name))
	case draft.When == "always":
		note(path, engine.T("Une fois gardé, la carte quitte à l’instant le Wi-Fi qu’elle a rejoint pour faire le sien ; un "+
			"câble reste. Cet appareil peut être coupé.",
			"Once it is kept, the card leaves the Wi-Fi that it has joined at once, and makes its own; a cable stays. This "+
				"device may be cut off."),
			engine.Tf("Rejoignez ensuite « %[1]s » et ouvrez http://10.42.0.1 ; le mot de passe est sur l’écran du Pi, sauf "+
				"s’il est réglé ici.",
				"Join “%[1]s” then and open http://10.42.0.1; the password stands on the Pi’s screen, unless it is set here.", draft.Name))
	}
	return all
}
