// Package image_test checks the parts of the SD card's image. A test of cmd/majordome/e2e checks that the image
// starts.
package image_test

import (
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"majordome/devices/ws2812"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestScriptsAreSound(t *testing.T) {
	for name, shell := range map[string]string{
		"base": "bash", "build": "bash", "init": "sh", "root/usr/lib/majordome/card": "sh", "root/usr/lib/majordome/cardfile": "sh",
		"root/usr/lib/majordome/hotspot": "sh", "kiosk/usr/lib/majordome/kiosk": "sh",
	} {
		if out, err := exec.Command(shell, "-n", name).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestBootFiles checks that the firmware finds the files that config.txt names, and that a strip gets the clock that
// the doctor would require.
func TestBootFiles(t *testing.T) {
	config := read(t, "boot/config.txt")
	if !strings.HasSuffix(config, ws2812.ClockConfigTxt()) {
		t.Errorf("config.txt does not end with\n%s", ws2812.ClockConfigTxt())
	}
	named := regexp.MustCompile(`(?m)^dtoverlay=(\S+)$`).FindAllStringSubmatch(config, -1)
	if len(named) != 3 {
		t.Errorf("%d overlays are named", len(named))
	}
	// also the overlays that the doctor names for SPI1
	for _, m := range append(named, []string{"", "spi1-1cs"}, []string{"", "spi1-2cs"}) {
		if _, err := os.Stat(filepath.Join("overlays", m[1]+".dts")); err != nil {
			t.Error(err)
		}
	}
	if line := read(t, "boot/cmdline.txt"); strings.Count(line, "\n") != 1 {
		t.Errorf("cmdline.txt is one line, not %q", line)
	}
}

// TestMosquittoOfTheImage checks that the image has Mosquitto for the daemon to start, and that Debian's own service of it is masked: only
// the broker of the table runs there.
func TestMosquittoOfTheImage(t *testing.T) {
	if !regexp.MustCompile(`(?m)^packages=\([^)]*\n  mosquitto `).MatchString(read(t, "base")) {
		t.Error("the base of the image is made without mosquitto")
	}
	if to, err := os.Readlink("root/etc/systemd/system/mosquitto.service"); err != nil || to != os.DevNull {
		t.Errorf("Debian's service runs beside the table's broker: %q, %v", to, err)
	}
}

func TestOverlaysCompile(t *testing.T) {
	dtc, err := exec.LookPath("dtc")
	if err != nil {
		t.Skip("SKIPPED: dtc is missing: apt install device-tree-compiler")
	}
	all, _ := filepath.Glob("overlays/*.dts")
	if len(all) == 0 {
		t.Fatal("no overlays")
	}
	for _, name := range all {
		out, err := exec.Command(dtc, "-@", "-I", "dts", "-O", "dtb", "-o", os.DevNull, name).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestCard checks that the files that an owner writes on the boot partition, with any editor, are accepted, and
// readable only by root.
func TestCard(t *testing.T) {
	boot, run := t.TempDir(), t.TempDir()
	card := func() {
		t.Helper()
		if out, err := exec.Command("sh", "root/usr/lib/majordome/card", boot, run).CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(boot, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	card()
	if found, _ := os.ReadDir(run); len(found) > 0 {
		t.Errorf("from nothing it makes %v", found)
	}
	write("wifi.txt", "\ufeff# ours\r\n Name = Chez l’hôte; 2\\4 \r\npassword=a=b;c\\d;\r\n")
	write("authorized_keys", "ssh-ed25519 AAAA owner\n")
	write("update.pub", "untrusted comment: ours\nRW"+strings.Repeat("Q", 54)+"\n")
	card()
	const wifi = "NetworkManager/system-connections/wifi.nmconnection"
	got := read(t, filepath.Join(run, wifi))
	var name strings.Builder // a keyfile has the name byte by byte
	for _, b := range []byte(`Chez l’hôte; 2\4`) {
		fmt.Fprintf(&name, "%d;", b)
	}
	if !strings.Contains(got, "\nssid="+name.String()+"\n") || !strings.Contains(got, "\npsk=a=b;c\\\\d;\n") {
		t.Errorf("the Wi-Fi is\n%s", got)
	}
	for _, name := range []string{wifi, "majordome-ssh/authorized_keys", "majordome-card/update.pub"} {
		if info, err := os.Stat(filepath.Join(run, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	for _, name := range []string{"authorized_keys", "wifi.txt", "update.pub"} {
		if err := os.Remove(filepath.Join(boot, name)); err != nil {
			t.Fatal(err)
		}
	}
	card()
	for _, name := range []string{"authorized_keys", "update.pub"} {
		if found, _ := filepath.Glob(filepath.Join(run, "*", name)); len(found) > 0 {
			t.Errorf("the key that is gone still counts: %v", found)
		}
	}
}

// TestCardIsNotUnderstood checks that other spellings of owners are accepted, or reported on the screen and for the
// host's page, and that no value is quoted.
func TestCardIsNotUnderstood(t *testing.T) {
	wide := func(order binary.AppendByteOrder, text string) string {
		var b []byte
		for _, r := range utf16.Encode([]rune("\ufeff" + text)) {
			b = order.AppendUint16(b, r)
		}
		return string(b)
	}
	const taken = "name=Chez Zoé\r\npassword=secret12\r\n"
	for name, c := range map[string]struct {
		file, text, ssid string
		said             []string // the beginning of each line, in both languages
	}{
		"UTF-16, little-endian": {"wifi.txt", wide(binary.LittleEndian, taken), "Chez Zoé", nil},
		"UTF-16, big-endian":    {"wifi.txt", wide(binary.BigEndian, taken), "Chez Zoé", nil},
		"quotes":                {"wifi.txt", "name=\"Chez Zoé\"\npassword='secret12'\n", "Chez Zoé", nil},
		"smart quotes":          {"wifi.txt", "name=“Chez Zoé”\npassword=‘secret12’", "Chez Zoé", nil},
		"French quotes":         {"wifi.txt", "name=«\u00a0Chez Zoé\u00a0»\npassword=« secret12 »\n", "Chez Zoé", nil},
		"one quote":             {"wifi.txt", "name=Zoé\"s\npassword=secret12\n", "Zoé\"s", nil},
		"colons": {"wifi.txt", "# ours\nName: Chez Zoé\nPassword: secret12\n", "",
			[]string{"wifi.txt, ligne 2 :", "wifi.txt, ligne 3 :", "wifi.txt : il y manque name="}},
		"words of another program": {"wifi.txt", "ssid=Zoé\npsk=secret12\n", "",
			[]string{"wifi.txt, ligne 1 :", "wifi.txt, ligne 2 :", "wifi.txt : il y manque name="}},
		"a short password": {"wifi.txt", "name=Zoé\npassword=secret1\n", "", []string{"wifi.txt : le mot de passe"}},
		"a long password": {"wifi.txt", "name=Zoé\npassword=" + strings.Repeat("secret", 11) + "\n", "",
			[]string{"wifi.txt : le mot de passe"}},
		"64 digits":   {"wifi.txt", "name=Zoé\npassword=" + strings.Repeat("5ec2e7AB", 8) + "\n", "Zoé", nil},
		"no password": {"wifi.txt", "name=Zoé\n", "Zoé", nil},
		"a long name": {"wifi.txt", "name=" + strings.Repeat("secret", 6) + "\npassword=secret12\n", "",
			[]string{"wifi.txt : le nom du Wi-Fi"}},
		"a country in words": {"wifi.txt", "name=Zoé\npassword=secret12\ncountry=secret\n", "Zoé",
			[]string{"wifi.txt : le pays"}},
		"no country behind it": {"wifi.txt", "name=Zoé\npassword=secret12\ncountry=\n", "Zoé", nil},
		"twice":                {"wifi.txt", "name=Zoé\nname=secret\npassword=secret12\n", "Zoé", []string{"wifi.txt, ligne 2 :"}},
		"another alphabet":     {"wifi.txt", "name=Zo\xe9\npassword=secret12\n", "Zo\xe9", []string{"wifi.txt, ligne 1 :"}},
		"empty":                {"wifi.txt", "", "", []string{"wifi.txt : il y manque name="}},
		"a hidden end":         {"wifi.txt.txt", taken, "", []string{"wifi.txt.txt : ce nom n’est pas lu"}},
		"a key for a hotspot": {"hotspot.txt", "password=" + strings.Repeat("5ec2e7AB", 8) + "\n", "",
			[]string{"hotspot.txt : le mot de passe"}},
		"a name that commands": {"hotspot.txt", "name=\x1b[2Jsecret\n", "", []string{"hotspot.txt : le nom"}},
		"a text with looks":    {"hotspot.rtf", "{secret", "", []string{"hotspot.rtf : ce nom n’est pas lu"}},
		"a hotspot": {"hotspot.txt", "name=Zoé\npassword=secrèt123\nwifi=secret\n", "",
			[]string{"hotspot.txt, ligne 3 :", "hotspot.txt : le mot de passe"}},
		"an empty hotspot":      {"hotspot.txt", "", "", nil},
		"a display":             {"display.txt", "language=secret\n", "", []string{"display.txt : il y manque"}},
		"a display that speaks": {"display.txt", wide(binary.LittleEndian, "Language = \"EN\"\n"), "", nil},
		"no key of minisign":    {"update.pub", "untrusted comment: secret\n", "", []string{"update.pub : aucune clé"}},
		"no key":                {"authorized_keys", "secret\n", "", []string{"authorized_keys : aucune clé"}},
		"a key from PowerShell": {"authorized_keys", wide(binary.LittleEndian, "ssh-ed25519 AAAAC3Nz owner\r\n"), "", nil},
		"many lines of something else": {"wifi.txt", "name=Zoé\n" + strings.Repeat("secret\n", 400), "Zoé",
			[]string{"wifi.txt : plus de 100 lignes", "wifi.txt, ligne 2 :", "wifi.txt, ligne 3 :", "wifi.txt, ligne 4 :",
				"wifi.txt : et 96 de plus"}},
		"two settings on one line": {"wifi.txt", "name=Zoé password=secret12\n", "", []string{"wifi.txt, ligne 1 : deux réglages"}},
		"two between quotes": {"wifi.txt", "name=\"Zoé\" password=\"secret12\"\n", "",
			[]string{"wifi.txt, ligne 1 : deux réglages"}},
		"two with a comma": {"hotspot.txt", "name=Zoé,password: secret12\n", "",
			[]string{"hotspot.txt, ligne 1 : deux réglages"}},
		"a password and a country": {"wifi.txt", "name=Zoé\npassword=secret12;country=FR\n", "",
			[]string{"wifi.txt, ligne 2 : deux réglages"}},
		"a name with such words": {"wifi.txt", "name=\"Zoé's password=none\"\npassword=secret12\n", "Zoé's password=none", nil},
		"a semicolon": {"wifi.txt", "name=Zoé;\npassword=secret12,\n", "Zoé;",
			[]string{"wifi.txt, ligne 1 : name= commence ou finit", "wifi.txt, ligne 2 : password= commence ou finit"}},
		"half a quote": {"wifi.txt", "name=“Zoé\"\npassword='secret12\n", "“Zoé\"",
			[]string{"wifi.txt, ligne 1 : name= commence ou finit", "wifi.txt, ligne 2 : password= commence ou finit"}},
		"rare signs that are meant": {"wifi.txt", "name=\"<Zoé>;\"\npassword='\"secret12, #'\n", "<Zoé>;", nil},
		"a place to fill in":        {"hotspot.txt", "name=<secret>\n", "", []string{"hotspot.txt, ligne 1 : name= commence ou finit"}},
		"a comment behind": {"wifi.txt", "name=Zoé # secret\n", "Zoé # secret",
			[]string{"wifi.txt, ligne 1 : name= a un # derrière"}},
		"a space of no width": {"wifi.txt", "name=Zo\u200bé\n", "Zo\u200bé",
			[]string{"wifi.txt, ligne 1 : name= a des signes invisibles"}},
		"a blank that does not break": {"wifi.txt", "name=iPhone de\u00a0Zoé\n", "iPhone de\u00a0Zoé", nil},
		"lines of an old Mac":         {"wifi.txt", "# ours\rname=Zoé\rpassword=secret12\r", "Zoé", nil},
		"UTF-16 without a mark":       {"wifi.txt", wide(binary.LittleEndian, taken)[2:], "Chez Zoé", nil},
		"the same, big-endian":        {"wifi.txt", wide(binary.BigEndian, "\r\n"+taken)[2:], "Chez Zoé", nil},
		"a name without an ending":    {"wifi", taken, "", []string{"wifi : ce nom n’est pas lu ; il doit être wifi.txt"}},
		"a name with a hyphen":        {"wi-fi.txt", taken, "", []string{"wi-fi.txt : ce nom n’est pas lu ; il doit être wifi.txt"}},
		"a copy": {"wifi - Copie.txt", taken, "",
			[]string{"wifi - Copie.txt : ce nom n’est pas lu ; il doit être wifi.txt"}},
		"a second download": {"Hotspot (1).TXT", taken, "",
			[]string{"Hotspot (1).TXT : ce nom n’est pas lu ; il doit être hotspot.txt"}},
		"a name of another system": {"wpa_supplicant.conf", taken, "",
			[]string{"wpa_supplicant.conf : ce nom n’est pas lu ; il doit être wifi.txt"}},
		"a public key by its own name": {"id_ed25519.pub", "secret", "",
			[]string{"id_ed25519.pub : ce nom n’est pas lu ; il doit être authorized_keys"}},
		"what a Mac leaves by itself": {"._wifi.txt", "secret", "", nil},
		"what starts the machine":     {"config.txt", "secret=1", "", nil},
		"a megabyte of something else": {"wifi.txt", strings.Repeat("secret", 1<<18), "",
			[]string{"wifi.txt, ligne 1 :", "wifi.txt : il y manque name="}},
		"what commands a shell or file": {"wifi.txt", "name=$(touch secret)`id`\npassword=%s\\n;secret\n", "$(touch secret)`id`", nil},
	} {
		boot, run, tools := t.TempDir(), t.TempDir(), t.TempDir()
		if err := os.WriteFile(filepath.Join(tools, "iw"), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(boot, c.file), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("sh", "root/usr/lib/majordome/card", boot, run)
		cmd.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		text := func(file string) string { b, _ := os.ReadFile(filepath.Join(run, file)); return string(b) } // none: nothing was written
		ssid := ""
		m := regexp.MustCompile("ssid=([0-9;]*)").FindStringSubmatch(text("NetworkManager/system-connections/wifi.nmconnection"))
		if m != nil {
			for n := range strings.SplitSeq(strings.TrimSuffix(m[1], ";"), ";") {
				b, err := strconv.ParseUint(n, 10, 8)
				if err != nil {
					t.Fatal(err)
				}
				ssid += string([]byte{byte(b)})
			}
		}
		if ssid != c.ssid {
			t.Errorf("%s: it joins %q, not %q", name, ssid, c.ssid)
		}
		screen, page := text("issue.d/majordome-card.issue"), text("majordome-card/faults")
		french := slices.DeleteFunc(strings.Split(screen, "\n"), func(l string) bool { return !strings.Contains(l, " : ") })
		if len(french) != len(c.said) {
			t.Errorf("%s: it says\n%s", name, screen)
			continue
		}
		for i, want := range c.said {
			if !strings.HasPrefix(french[i], want) {
				t.Errorf("%s: it says %q, not %q", name, french[i], want)
			}
		}
		if strings.Contains(screen+page, "secret") {
			t.Errorf("%s: a value is quoted\n%s%s", name, screen, page)
		}
		for line := range strings.Lines(page) { // the page shows so much of each
			for _, said := range strings.Split(strings.TrimSpace(line), "|")[2:] {
				if utf8.RuneCountInString(said) > 90 {
					t.Errorf("%s: longer than 90 characters: %s", name, said)
				}
			}
		}
		if n := strings.Count(page, "\n"); n != len(c.said) || strings.Count(page, "|") != 3*n {
			t.Errorf("%s: for the page it says\n%s", name, page)
		}
	}
}

// TestEveryFileOfTheCardIsHeard checks that many faults in one file, and any number of files with unread names, hide
// no other file.
func TestEveryFileOfTheCardIsHeard(t *testing.T) {
	boot, run := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(boot, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("hotspot.txt", strings.Repeat("secret\n", 12))
	write("wifi.txt", "name=Zoé\npassword=secret\n")
	write("display.txt", "")
	for n := range 9 {
		write(fmt.Sprintf("wifi (%d).txt", n), "")
	}
	if out, err := exec.Command("sh", "root/usr/lib/majordome/card", boot, run).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	said := map[string]int{}
	page := read(t, filepath.Join(run, "majordome-card/faults"))
	for line := range strings.Lines(page) {
		file, _, _ := strings.Cut(line, "|")
		if strings.HasPrefix(file, "wifi (") {
			file = "wifi (n)"
		}
		said[file]++
	}
	if want := map[string]int{"hotspot.txt": 5, "wifi.txt": 1, "display.txt": 1, "wifi (n)": 5}; !maps.Equal(said, want) ||
		!strings.Contains(page, "hotspot.txt||et 8 de plus dans ce fichier|and 8 more in this file\n") ||
		!strings.Contains(page, "other files: 5 in all\n") {
		t.Errorf("it says of each file %v, want %v:\n%s", said, want, page)
	}
}
