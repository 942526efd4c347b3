package e2e_test

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"aead.dev/minisign"
)

// monitor is where the emulated machine takes orders.
func (c *card) monitor() string { return filepath.Join(c.dir, "qmp") }

// order gives the emulated machine one order, as QEMU's QMP has them.
func (c *card) order(execute string, arguments map[string]any) {
	c.t.Helper()
	conn, err := net.Dial("unix", c.monitor())
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(bootPatience))
	said, says := json.NewDecoder(conn), json.NewEncoder(conn)
	answer := func() map[string]any {
		for {
			var of map[string]any
			if err := said.Decode(&of); err != nil {
				c.t.Fatalf("the machine's monitor: %v", err)
			}
			if of["event"] == nil {
				return of
			}
		}
	}
	answer() // its greeting
	for _, order := range []map[string]any{{"execute": "qmp_capabilities"}, {"execute": execute, "arguments": arguments}} {
		if err := says.Encode(order); err != nil {
			c.t.Fatal(err)
		}
		if got := answer(); got["error"] != nil {
			c.t.Fatalf("%s %v: %v", execute, arguments, got["error"])
		}
	}
}

// What is plugged into a card's machine long after its start, when the sandbox of the daemon stands and nothing has loaded a driver yet: readers,
// then a stick.
func TestImagePluggedInLater(t *testing.T) {
	const named = "MAJORDOME_IMAGE"
	if soaked(0, 1) == 0 || os.Getuid() != 0 && os.Getenv(named) == "" {
		t.Skip("SKIPPED: an image is built and started for it, by root: make soak")
	}
	c := newCard(t, image(t, named, 250))
	public, key, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	pub, _ := public.MarshalText()
	c.write("update.pub", append(pub, '\n'))
	c.more = []string{"-device", "qemu-xhci"}
	c.start("first start")
	c.readersComeLater()
	c.stickBringsNewer(key)
	c.off()
}

// reader is one at a serial line that can be plugged in and pulled out.
type reader struct {
	role, port, driver string
	plug, pull         func()
	prints             func(string)
}

// adapter is made up by QEMU: its line ends in a socket of the test's.
func (c *card) adapter() reader {
	c.t.Helper()
	name := filepath.Join(c.dir, "adapter")
	line, err := net.Listen("unix", name)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = line.Close() })
	var far net.Conn
	address := map[string]any{"type": "unix", "data": map[string]any{"path": name}}
	return reader{"urn", "usb-QEMU_QEMU_USB_SERIAL_A1-if00-port0", "ttyUSB",
		func() {
			c.order("chardev-add", map[string]any{"id": "line", "backend": map[string]any{"type": "socket", "data": map[string]any{"addr": address, "server": false}}})
			if far, err = line.Accept(); err != nil {
				c.t.Fatal(err)
			}
			c.order("device_add", map[string]any{"driver": "usb-serial", "chardev": "line", "id": "adapter", "serial": "A1"})
		},
		func() {
			c.order("device_del", map[string]any{"id": "adapter"})
			c.until("! ls -d /sys/bus/usb-serial/devices/*")
			_ = far.Close()
			c.order("chardev-remove", map[string]any{"id": "line"})
		},
		func(text string) {
			if _, err := far.Write([]byte(text)); err != nil {
				c.t.Fatal(err)
			}
		}}
}

// microcontroller has a USB of its own. The kernel of the machine makes it up, and plugs it into itself.
func (c *card) microcontroller() reader {
	return reader{"show", "usb-Majordome_Reader_1-if00", "ttyACM",
		func() {
			c.must("modprobe dummy_hcd && modprobe g_serial use_acm=1 iManufacturer=Majordome iProduct=Reader iSerialNumber=1 && busybox stty -F /dev/ttyGS0 raw -echo")
		},
		func() { c.must("rmmod g_serial") },
		func(text string) { c.must(fmt.Sprintf("printf %q >/dev/ttyGS0", text)) }}
}

// readersComeLater plugs two in. What each reads comes in, the daemon says when it is pulled out, and takes it back.
func (c *card) readersComeLater() {
	c.t.Helper()
	readers := []reader{c.adapter(), c.microcontroller()}
	const bare = "listen: \":80\"\n"
	config := bare + "readers:\n"
	for _, r := range readers {
		config += "  - {role: " + r.role + ", chip: serial, port: /dev/serial/by-id/" + r.port + "}\n"
	}
	configured := func(text string) {
		c.t.Helper()
		c.must("printf '" + text + "' >/etc/majordome/majordome.yaml && systemctl restart majordome")
	}
	configured(config)
	was := c.must("systemctl show -P MainPID majordome")
	metric := func(name, role string, n int) {
		c.t.Helper()
		began := time.Now()
		c.until(fmt.Sprintf(`busybox wget -qO- http://localhost/metrics | grep -x 'majordome_reader_%s{role="%s"} %d'`, name, role, n))
		c.t.Logf("%s: %s is %d after %.0f s", role, name, n, time.Since(began).Seconds())
	}
	for _, r := range readers {
		metric("ok", r.role, 0)
		if major, err := c.ask("grep " + r.driver + " /proc/devices"); err == nil {
			c.t.Errorf("the kernel has a driver before anything is plugged in: %s", major)
		}
	}
	for _, r := range readers {
		for n := range 2 {
			r.plug()
			metric("ok", r.role, 1)
			r.prints(fmt.Sprintf("\nREMOVE\nSCAN\tuid=04A1B2C3D4E5F%d\n", n))
			metric("cards_total", r.role, n+1)
			r.prints("REMOVE\n")
			r.pull()
			metric("ok", r.role, 0)
		}
	}
	if got := c.must("systemctl show -P MainPID majordome"); got != was {
		c.t.Errorf("process %s has become %s", was, got)
	}
	configured(bare)
}
