package house

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"majordome/cmd/majordome/durable"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// Hotspot is where the Wi-Fi of this machine's own is told of, and wished for: by files between the daemon and a script of root's
// (systemd/image/root/usr/lib/majordome/hotspot), which judges again what is wished. The zero value: there is none.
//
// What may leak: name and password, which whoever sits at the table is to read. They go to the screen of this machine and to the
// host's page, and neither to a log nor to a bundle.
type Hotspot struct {
	Told string // a folder of root's; it is there where a script waits for the wish. In it: shown (name and password, a line each), card
	Wish string // a file in the daemon's own folder: use, name, password and country, a line each
}

// There reports that the configuration decides about a Wi-Fi here.
func (h Hotspot) There() bool {
	if h.Told == "" || h.Wish == "" {
		return false
	}
	info, err := os.Stat(h.Told)
	return err == nil && info.IsDir()
}

// spot is what is told of a Wi-Fi; name is empty while phones cannot join.
type spot struct {
	name, password string
	card           bool // hotspot.txt, on the card, has the word
}

func (h Hotspot) read() (s spot) {
	if h.Told == "" {
		return s
	}
	text, _ := os.ReadFile(filepath.Join(h.Told, "shown")) // none: there is no such Wi-Fi now
	if lines := strings.Split(string(text), "\n"); len(lines) > 2 {
		s.name, s.password = lines[0], lines[1]
	}
	_, err := os.Lstat(filepath.Join(h.Told, "card"))
	s.card = err == nil
	return s
}

// ask wishes for what a configuration says, if it is something else than before: root begins anew at each wish.
func (h Hotspot) ask(c *Config) error {
	if !h.There() {
		return nil
	}
	text := strings.Join(c.HotspotWish(), "\n") + "\n"
	before, err := os.ReadFile(h.Wish)
	if err == nil && string(before) == text || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return durable.WriteFile(h.Wish, []byte(text), 0o600)
}

// askHotspot lets what holds now be wished for.
func (h *House) askHotspot() {
	if err := h.opts.Hotspot.ask(h.config()); err != nil {
		h.opts.Log.Error("the Wi-Fi of this machine’s own does not follow the configuration", "error", err, "conseil", "le Wi-Fi de cette machine ne suit pas la configuration")
	}
}

// hotspotEvery is how often it is looked at whether it has come or gone: two files of a few bytes in memory.
const hotspotEvery = time.Second

// watchHotspot shows it when it comes, goes, or changes its name.
func (h *House) watchHotspot(ctx context.Context) {
	if h.opts.Hotspot.Told == "" {
		return
	}
	last := h.opts.Hotspot.read()
	every(ctx, hotspotEvery, func(time.Time) {
		if h.opts.Hotspot.news(&last) {
			h.changed()
			h.office.Changed() // the notes beside its settings
		}
	})
}

// news reports that something else is told than last time.
func (h Hotspot) news(last *spot) bool {
	now := h.read()
	changed := now != *last
	*last = now
	return changed
}

// Notes are what the host is told beside these settings: what has the word, and, before it is kept, whom a change cuts off. kept
// is what the file says, judged what it would say.
func (h Hotspot) Notes(kept, judged *Config) (all []wire.SettingFault) {
	note := func(path string, said, fix engine.Text) {
		all = append(all, wire.SettingFault{Path: path, Said: said, Fix: fix})
	}
	if !h.There() {
		none := Defaults()
		if path := ChangedHotspot(&none, judged); path != "" {
			note(path, ownfile.Both("Cette machine ne fait pas de Wi-Fi à elle : ce réglage n’y change rien.", "This machine makes no Wi-Fi of its own: this setting changes nothing here."), engine.Text{})
		}
		return all
	}
	now := h.read()
	if now.name != "" {
		note("hotspot", ownfile.Bothf("Allumé : « %[1]s », mot de passe %[2]s", "On: “%[1]s”, password %[2]s", now.name, now.password), engine.Text{})
	}
	if now.card {
		note("hotspot", ownfile.Both("Le fichier hotspot.txt de la carte SD allume ce Wi-Fi, et chacune de ses lignes l’emporte sur ce qui est réglé ici.", "The file hotspot.txt on the SD card switches this Wi-Fi on, and each line of it wins over what is set here."),
			ownfile.Both("Pour régler ici, effacez-le de la carte.", "To set it here, delete it on the card."))
	}
	switch path := ChangedHotspot(kept, judged); {
	case path == "":
	case now.name != "" && judged.Hotspot == "off":
		note(path, ownfile.Both("Une fois gardé, ce Wi-Fi s’éteint à l’instant, en pleine partie aussi : qui l’a rejoint est coupé, cet appareil peut-être.", "Once it is kept, this Wi-Fi ends at once, in a game too: whoever has joined it is cut off, perhaps this device."),
			ownfile.Both("Ayez d’abord un autre réseau par lequel atteindre la table.", "Have another network first by which the table is reached."))
	case now.name != "":
		note(path, ownfile.Both("Une fois gardé, ce Wi-Fi recommence ou s’éteint à l’instant, en pleine partie aussi : qui l’a rejoint est coupé, cet appareil peut-être.", "Once it is kept, this Wi-Fi begins anew or ends at once, in a game too: whoever has joined it is cut off, perhaps this device."),
			ownfile.Bothf("Rejoignez ensuite « %[1]s » ; l’adresse reste la même.", "Join “%[1]s” then; the address stays the same.", judged.HotspotName))
	case judged.Hotspot == "always":
		note(path, ownfile.Both("Une fois gardé, la carte quitte à l’instant le Wi-Fi qu’elle a rejoint pour faire le sien ; un câble reste. Cet appareil peut être coupé.", "Once it is kept, the card leaves the Wi-Fi that it has joined at once, and makes its own; a cable stays. This device may be cut off."),
			ownfile.Bothf("Rejoignez ensuite « %[1]s » et ouvrez http://10.42.0.1 ; le mot de passe est sur l’écran du Pi, sauf s’il est réglé ici.", "Join “%[1]s” then and open http://10.42.0.1; the password stands on the Pi’s screen, unless it is set here.", judged.HotspotName))
	}
	return all
}
