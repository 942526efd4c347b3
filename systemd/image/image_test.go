// Package image_test looks at what the image of an SD card is made of. That it starts is a test of cmd/majordome/e2e.
package image_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

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
	for name, shell := range map[string]string{"base": "bash", "build": "bash", "init": "sh", "root/usr/lib/majordome/card": "sh", "root/usr/lib/majordome/hotspot": "sh", "kiosk/usr/lib/majordome/kiosk": "sh"} {
		if out, err := exec.Command(shell, "-n", name).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// The firmware finds what config.txt names, and a strip gets the clock that doctor would ask for.
func TestBootFiles(t *testing.T) {
	config := read(t, "boot/config.txt")
	if !strings.HasSuffix(config, ws2812.ConfigTxt()) {
		t.Errorf("config.txt does not end with\n%s", ws2812.ConfigTxt())
	}
	named := regexp.MustCompile(`(?m)^dtoverlay=(\S+)$`).FindAllStringSubmatch(config, -1)
	if len(named) != 3 {
		t.Errorf("%d overlays are named", len(named))
	}
	// those that doctor names for SPI1, too
	for _, m := range append(named, []string{"", "spi1-1cs"}, []string{"", "spi1-2cs"}) {
		if _, err := os.Stat(filepath.Join("overlays", m[1]+".dts")); err != nil {
			t.Error(err)
		}
	}
	if line := read(t, "boot/cmdline.txt"); strings.Count(line, "\n") != 1 {
		t.Errorf("cmdline.txt is one line, not %q", line)
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
		if out, err := exec.Command(dtc, "-@", "-I", "dts", "-O", "dtb", "-o", os.DevNull, name).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// What an owner writes on the boot partition, with whichever editor, is taken, for root alone to read.
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
		t.Errorf("of nothing it makes %v", found)
	}
	write("wifi.txt", "\ufeff# ours\r\n Name = Chez l’hôte; 2\\4 \r\npassword=a=b;c\\d\r\n")
	write("authorized_keys", "ssh-ed25519 AAAA owner\n")
	write("update.pub", "untrusted comment: ours\nRWQ\n")
	card()
	const wifi = "NetworkManager/system-connections/wifi.nmconnection"
	got := read(t, filepath.Join(run, wifi))
	var name strings.Builder // a keyfile has it byte by byte
	for _, b := range []byte(`Chez l’hôte; 2\4`) {
		fmt.Fprintf(&name, "%d;", b)
	}
	if !strings.Contains(got, "\nssid="+name.String()+"\n") || !strings.Contains(got, "\npsk=a=b;c\\\\d\n") {
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
