package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"aead.dev/minisign"

	"majordome/cmd/majordome/update"
	"majordome/companion/wire"
	"majordome/engine"
)

// makeStick makes a stick as it is sold, one partition with FAT32, and copies files to it.
func (c *card) makeStick(files ...string) (stick string) {
	c.t.Helper()
	stick = filepath.Join(c.dir, "stick.img")
	c.host("rm", "-f", stick)
	c.host("truncate", "-s", "257M", stick)
	c.host("sh", "-c", "echo 'start=2048, type=c' | sfdisk --quiet --label dos "+stick)
	c.host("mkfs.vfat", "-F", "32", "-n", "STICK", "--offset", "2048", stick, "262144")
	c.host("mcopy", append(append([]string{"-i", stick + "@@1M"}, files...), "::/")...)
	return stick
}

// plugStick plugs a stick in that is read at so many bytes a second; 0: as fast as possible.
func (c *card) plugStick(file string, rate int) {
	c.t.Helper()
	c.order("object-add", map[string]any{"qom-type": "throttle-group", "id": "rate", "limits": map[string]any{"bps-read": rate}})
	c.order("blockdev-add", map[string]any{
		"driver":         "throttle",
		"node-name":      "stick",
		"throttle-group": "rate",
		"file":           map[string]any{"driver": "file", "filename": file},
	})
	c.order("device_add", map[string]any{"driver": "usb-storage", "drive": "stick", "id": "stick", "removable": true})
}

// pullStick pulls it out, even during a read.
func (c *card) pullStick() {
	c.t.Helper()
	c.order("device_del", map[string]any{"id": "stick"})
	c.pollShell("! ls /sys/block | grep sd")
	c.order("blockdev-del", map[string]any{"node-name": "stick"})
	c.order("object-del", map[string]any{"id": "rate"})
}

// stickBringsNewer plugs in a stick with a newer package during a game; the machine's own kernel and udev find it.
// Without a signature it is refused with a reason, and so is a stick that is pulled out during the copy. A signed
// package is offered on the host's page, stays offered when the stick is pulled out, and is installed from there; the
// game goes on.
func (c *card) stickBringsNewer(key minisign.PrivateKey) {
	c.t.Helper()
	t := c.t
	if out, err := exec.Command("../../../systemd/deb/build", "arm64", "9.0.0", c.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	deb := filepath.Join(c.dir, "majordome_9.0.0_arm64.deb")
	text, err := os.ReadFile(deb)
	if err == nil {
		err = os.WriteFile(deb+".minisig", minisign.Sign(key, text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`/host#j=\S+`).FindString(c.mustRunShell("majordome host"))
	host := joinHost(t, "http://"+c.web+link)
	fourBegin(host.mustSend)
	game := reloadView(t, host)

	told := func(state update.State, why update.Reason) (t update.Report) {
		c.t.Helper()
		said := c.pollShell(
			fmt.Sprintf(
				`majordome update --json >/run/told && grep -q '"state": *"%s"' /run/told && grep -q '%s' /run/told && cat /run/told`,
				state, why))
		if err := json.Unmarshal([]byte(said), &t); err != nil {
			c.t.Fatal(err)
		}
		return t
	}
	c.plugStick(c.makeStick(deb), 0)
	told(update.Refused, update.Unsigned)
	c.pullStick()

	c.plugStick(c.makeStick(deb, deb+".minisig"), 200_000)
	c.pollShell("test -s /var/lib/majordome-update/candidate.deb")
	c.pullStick()
	told(update.Refused, update.Unreadable)

	c.plugStick(c.makeStick(deb, deb+".minisig"), 0)
	offered := told(update.Offered, update.NoReason)
	if offered.Version != "9.0.0" {
		t.Errorf("offered is %+v", offered)
	}
	var onPage wire.Newer
	for end := time.Now().Add(patience); onPage.Sum != offered.Sum; time.Sleep(100 * time.Millisecond) {
		if a := host.office("newer", nil); a.Why != nil || json.Unmarshal(a.Value, &onPage) != nil || time.Now().After(end) {
			t.Fatalf("the host is not offered it: %+v", a)
		}
	}
	t.Logf("the host's page says: %s %s", onPage.Said.EN, onPage.Fix.EN)
	c.pollShell("! grep -s /dev/sd /proc/[0-9]*/mounts")
	c.pullStick()
	if got := c.mustRunShell("systemctl --failed --plain --no-legend"); got != "" {
		t.Errorf("failed: %s", got)
	}
	if a := host.office("newer-install", engine.Args{"sum": offered.Sum, "force": "yes"}); a.Why != nil {
		t.Fatalf("the update is not installed: %+v", a.Why)
	}
	told(update.Done, update.NoReason)
	c.pollShell("systemctl is-active majordome && ! systemctl is-active majordome-update")
	if got := c.mustRunShell("majordome version; dpkg-query -W -f='${db:Status-Abbrev}${Version}' majordome"); got != "majordome version "+
		"9.0.0\nii 9.0.0" {
		t.Errorf("there is %s", got)
	}
	if got := reloadView(t, host); got != game {
		t.Errorf("the game was\n%s\nand is\n%s", game, got)
	}
	if got := c.mustRunShell("systemctl --failed --plain --no-legend"); got != "" {
		t.Errorf("failed: %s", got)
	}
}
