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

	"majordome/devices/dial/dialsim"
)

// monitor returns the socket at which the emulated machine takes orders.
func (c *card) monitor() string { return filepath.Join(c.dir, "qmp") }

// order gives the emulated machine one order of QEMU's QMP.
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

// TestImagePluggedInLater plugs devices into a card's machine long after its start, when the sandbox of the daemon is
// set up and no driver is loaded yet: readers, a clock on a bus, then a stick.
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
	c.clockComesLater()
	c.stickBringsNewer(key)
	c.powerOff()
}

// reader is one at a serial line that can be plugged in and pulled out.
type reader struct {
	role, port, driver string
	plug, pull         func()
	prints             func(string)
}

// line makes a character device of QEMU whose other end belongs to the test: connect opens it.
func (c *card) line(id string) (connect func() net.Conn) {
	c.t.Helper()
	name := filepath.Join(c.dir, id)
	line, err := net.Listen("unix", name)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = line.Close() })
	address := map[string]any{"type": "unix", "data": map[string]any{"path": name}}
	return func() net.Conn {
		c.t.Helper()
		c.order("chardev-add",
			map[string]any{"id": id, "backend": map[string]any{"type": "socket", "data": map[string]any{"addr": address, "server": false}}})
		conn, err := line.Accept()
		if err != nil {
			c.t.Fatal(err)
		}
		return conn
	}
}

// adapter returns a USB serial adapter that QEMU emulates: its line ends in a socket of the test.
func (c *card) adapter() reader {
	c.t.Helper()
	connect := c.line("line")
	var far net.Conn
	return reader{"urn", "usb-QEMU_QEMU_USB_SERIAL_A1-if00-port0", "ttyUSB",
		func() {
			far = connect()
			c.order("device_add", map[string]any{"driver": "usb-serial", "chardev": "line", "id": "adapter", "serial": "A1"})
		},
		func() {
			c.order("device_del", map[string]any{"id": "adapter"})
			c.pollShell("! ls -d /sys/bus/usb-serial/devices/*")
			_ = far.Close()
			c.order("chardev-remove", map[string]any{"id": "line"})
		},
		func(text string) {
			if _, err := far.Write([]byte(text)); err != nil {
				c.t.Fatal(err)
			}
		}}
}

// microcontroller returns a reader with its own USB. The kernel of the machine simulates it, plugged into itself.
func (c *card) microcontroller() reader {
	return reader{"show", "usb-Majordome_Reader_1-if00", "ttyACM",
		func() {
			c.mustRunShell("modprobe dummy_hcd && modprobe g_serial use_acm=1 iManufacturer=Majordome iProduct=Reader iSerialNumber=1 && " +
				"busybox stty -F /dev/ttyGS0 raw -echo")
		},
		func() { c.mustRunShell("rmmod g_serial") },
		func(text string) { c.mustRunShell(fmt.Sprintf("printf %q >/dev/ttyGS0", text)) }}
}

// readersComeLater plugs two readers in. The daemon receives what each reads, reports when it is pulled out, and
// takes it back.
func (c *card) readersComeLater() {
	c.t.Helper()
	readers := []reader{c.adapter(), c.microcontroller()}
	config := unattached + "readers:\n"
	for _, r := range readers {
		config += "  - {role: " + r.role + ", chip: serial, port: /dev/serial/by-id/" + r.port + "}\n"
	}
	defer c.configured(config)()
	metric := func(name, role string, n int) {
		c.t.Helper()
		c.metric(fmt.Sprintf(`majordome_reader_%s{role="%s"} %d`, name, role, n))
	}
	for _, r := range readers {
		metric("ok", r.role, 0)
		if major, err := c.runShell("grep " + r.driver + " /proc/devices"); err == nil {
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
}

// unattached is a configuration without attached devices.
const unattached = "listen: \":80\"\n"

// configured restarts the daemon with another configuration. The function that it returns checks that the same
// process still runs, and restores the first configuration.
func (c *card) configured(text string) (until func()) {
	c.t.Helper()
	begin := func(text string) {
		c.t.Helper()
		c.mustRunShell("printf '" + text + "' >/etc/majordome/majordome.yaml && systemctl restart majordome")
	}
	process := func() string { return c.mustRunShell("systemctl show -P MainPID majordome") }
	begin(text)
	was := process()
	return func() {
		c.t.Helper()
		if got := process(); got != was {
			c.t.Errorf("process %s has become %s", was, got)
		}
		begin(unattached)
	}
}

// metric waits for a line of the daemon's metrics.
func (c *card) metric(line string) {
	c.t.Helper()
	began := time.Now()
	c.pollShell("busybox wget -qO- http://localhost/metrics | grep -x '" + line + "'")
	c.t.Logf("%s after %.0f s", line, time.Since(began).Seconds())
}

// clockComesLater puts a clock on an I2C bus of the machine's kernel. The daemon reports when it is plugged in and
// pulled out, and sets it up again each time.
func (c *card) clockComesLater() {
	c.t.Helper()
	clock := &dialsim.Backpack{}
	c.plugBus(clock)
	c.pollShell("test -c /dev/i2c-0")
	if got := c.mustRunShell("stat -c '%U %G %a' /dev/i2c-0"); got != "root i2c 660" {
		c.t.Errorf("the bus is of %s", got)
	}
	defer c.configured(unattached + "clocks:\n  - {chip: ht16k33, i2c: I2C0}\n")()
	c.metric(`majordome_clock_ok{clock="1"} 0`)
	for range 2 {
		clock.SetPlugged(true)
		c.metric(`majordome_clock_ok{clock="1"} 1`)
		if got := clock.ShownText(); got != "    " {
			c.t.Errorf("without a game the clock shows %q", got)
		}
		clock.SetPlugged(false)
		c.metric(`majordome_clock_ok{clock="1"} 0`)
	}
}
