package e2e_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// radios returns the module of Debian's kernel that simulates radios, from the package of the image's kernel.
func radios(t *testing.T) []byte {
	t.Helper()
	kept, err := exec.Command("../../../systemd/image/base").Output()
	if err != nil {
		t.Fatalf("base: %v", err)
	}
	module, err := exec.Command("sh", "-c",
		`dpkg-deb --fsys-tarfile "$1"/linux-image-*.deb | tar -xO --wildcards '*/mac80211_hwsim.ko.xz' | xz -dc`, "-",
		strings.TrimSpace(string(kept))).Output()
	if err != nil || len(module) == 0 {
		t.Fatalf("the kernel in %s: %v", kept, err)
	}
	return module
}

// pollShell runs a line in the owner's shell until it succeeds.
func (c *card) pollShell(line string) string {
	c.t.Helper()
	for end := time.Now().Add(bootPatience); ; time.Sleep(time.Second) {
		said, err := c.runShell(line)
		if err == nil {
			return strings.TrimSpace(said)
		}
		if time.Now().After(end) {
			journal, _ := c.runShell("journalctl --no-pager -b -u majordome-hotspot -u NetworkManager -n 60")
			c.t.Fatalf("%s: %v\n%s\n%s", line, err, said, journal)
		}
	}
}

// phoneJoins is a script in which a phone, a network namespace with the other radio, joins the Wi-Fi.
const phoneJoins = `set -e
ip netns add phone
iw phy phy1 set netns name phone
printf 'ctrl_interface=/run/phone\nnetwork={\nssid="NAME"\npsk="PASSWORD"\n}\n' >/run/phone.conf
cat >/run/phone.dhcp <<'END'
#!/bin/sh
[ "$1" = bound ] || exit 0
ip address add "$ip/$mask" dev "$interface"
echo "$dns" >/run/phone.dns
END
chmod 755 /run/phone.dhcp
ip -n phone link set wlan1 up
ip netns exec phone wpa_supplicant -B -i wlan1 -c /run/phone.conf
ip netns exec phone busybox udhcpc -q -n -t 200 -i wlan1 -s /run/phone.dhcp
mkdir -p /etc/netns/phone
echo "nameserver $(cat /run/phone.dns)" >/etc/netns/phone/resolv.conf`

// TestHotspotIsJoined checks the card's own Wi-Fi, which an empty file on its boot partition enables: a phone joins
// it with the name and password on the screen, and the window that the phone opens automatically is redirected to the
// page with the table's address. Debian's kernel simulates the radios; the rest is as on a Pi.
func TestHotspotIsJoined(t *testing.T) {
	const named = "MAJORDOME_IMAGE"
	if soaked(0, 1) == 0 || os.Getuid() != 0 && os.Getenv(named) == "" {
		t.Skip("SKIPPED: an image is built and started for it, by root: make soak")
	}
	c := newCard(t, image(t, named, 250))
	c.write("radios.ko", radios(t))
	c.write("hotspot.txt", nil)
	c.start("first start")
	if got := c.mustRunShell("cat /run/issue.d/* 2>/dev/null || true"); got != "" {
		t.Errorf("without a radio the screen says %q", got)
	}
	c.mustRunShell("modprobe mac80211 && insmod /boot/firmware/radios.ko radios=2")
	c.pollShell("nmcli -g TYPE device | grep -qx wifi")
	c.mustRunShell("systemctl restart majordome-hotspot")
	said := regexp.MustCompile(`Wi-Fi +(\S+) +(\S+) +http://10\.42\.0\.1`).FindStringSubmatch(
		c.pollShell("cat /run/issue.d/majordome-hotspot.issue"))
	if said == nil {
		t.Fatal("the screen says something else")
	}
	if at := c.mustRunShell("ip -br address show wlan0"); !strings.Contains(at, "10.42.0.1/24") {
		t.Fatalf("the Wi-Fi is not that of the first radio: %s", at)
	}
	t.Log(c.mustRunShell(strings.NewReplacer("NAME", said[1], "PASSWORD", said[2]).Replace(phoneJoins)))
	if got := c.mustRunShell("cat /run/phone.dns"); got != "10.42.0.1" {
		t.Errorf("the phone asks %q for names", got)
	}
	page := c.mustRunShell("ip netns exec phone busybox wget -q -O - http://captive.apple.com/hotspot-detect.html")
	if !strings.Contains(page, "http://10.42.0.1") {
		t.Errorf("the window of the phone shows\n%s", page)
	}
	c.powerOff()
}
