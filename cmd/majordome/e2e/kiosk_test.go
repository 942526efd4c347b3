package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// withScreen plugs a screen in, and returns a function that saves a picture of it in a file.
func (c *card) withScreen() (photograph func() string) {
	c.more = []string{"-device", "virtio-gpu-pci"}
	return func() string {
		c.t.Helper()
		file := filepath.Join(c.dir, "screen.png")
		c.order("screendump", map[string]any{"filename": file, "format": "png"})
		return file
	}
}

// TestKioskBoots starts an image for a screen: the display of the table appears after power-on without any input. A
// person who scans its code off the screen becomes the host. After a kill of the process that draws the page, the
// page appears again; after a kill of the browser, both do.
func TestKioskBoots(t *testing.T) {
	const named = "MAJORDOME_KIOSK_IMAGE"
	if soaked(0, 1) == 0 || os.Getuid() != 0 && os.Getenv(named) == "" {
		t.Skip("SKIPPED: an image is built and started for it, by root: make soak")
	}
	c := newCard(t, image(t, named, 500, "kiosk"))
	photograph := c.withScreen()
	began := time.Now()
	c.start("first start")
	// shows waits for the page on the screen, with or without the code. A large compressed picture is the page, a
	// small one the console.
	shows := func(when string, coded bool) string {
		t.Helper()
		for end := time.Now().Add(bootPatience); time.Now().Before(end); time.Sleep(time.Second) {
			file := photograph()
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			read, _ := exec.Command("zbarimg", "--quiet", "--raw", file).Output() // an error: there is no code to read
			if link := regexp.MustCompile(`/host#j=\S+`).FindString(string(read)); info.Size() > 100_000 && coded == (link != "") {
				t.Logf("%s: the page on the screen %.0f s after power-on, %.0f s of a processor", when, time.Since(began).Seconds(),
					c.computed())
				c.host("cp", file, filepath.Join(artefacts(t), "kiosk-"+strings.ReplaceAll(when, " ", "-")+".png"))
				return link
			}
		}
		c.host("cp", photograph(), filepath.Join(artefacts(t), "kiosk-failed.png"))
		said, _ := c.runShell("journalctl --no-pager -b -n 60 _UID=$(id -u majordome-kiosk)")
		t.Fatalf("%s: it is not on the screen (kiosk-failed.png)\n%s", when, said)
		return ""
	}
	link := shows("first start", true)
	if got := c.mustRunShell("systemctl --failed --plain --no-legend"); got != "" {
		t.Errorf("failed: %s", got)
	}
	if got := c.mustRunShell("stat -c %U /proc/$(busybox pidof cog | sed 's/.* //')"); got != "majordome-kiosk" {
		t.Errorf("the browser is of %q", got)
	}

	const drawing = "busybox pidof WPEWebProcess"
	was := c.mustRunShell(drawing)
	c.mustRunShell("busybox killall -KILL WPEWebProcess")
	c.pollShell(drawing + " | grep -vw " + was)
	host := join(t, "http://"+c.web+link, engine.Host)
	host.waitFor("its first view", func(wire.Update) bool { return true })
	shows("after what draws was killed", false)
	if got := c.mustRunShell("systemctl show -P NRestarts majordome-kiosk"); got != "0" {
		t.Errorf("the browser was restarted for that: %s", got)
	}

	c.mustRunShell("busybox killall cog")
	c.pollShell(`[ "$(systemctl show -P NRestarts majordome-kiosk)" != 0 ]`) // systemd starts it again
	shows("after its end", false)
	c.powerOff()
}
