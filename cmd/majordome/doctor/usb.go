package doctor

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"syscall"

	"majordome/engine/ownfile"
)

// portNames are what Linux calls serial ports, the names that stay first.
var portNames = []string{"dev/serial/by-id/*", "dev/serial/by-path/*", "dev/ttyUSB*", "dev/ttyACM*"}

// usbPort is a serial port of USB. Ports of the computer itself are none: anything may hang on them.
type usbPort struct {
	name string // the one that is most likely to stay, with the first slash
	tty  string // such as /dev/ttyUSB0
}

// maxPorts limits the ports that are listed.
const maxPorts = 16

// usbPorts returns the serial ports of USB, each once. It opens none.
func (m *Machine) usbPorts() (all []usbPort) {
	known := map[string]bool{}
	for _, pattern := range portNames {
		for _, n := range m.names(pattern) {
			if tty, ok := m.ttyOf("/" + n); ok && !known[tty] && len(all) < maxPorts {
				known[tty] = true
				all = append(all, usbPort{"/" + n, tty})
			}
		}
	}
	return all
}

// ttyOf follows a name to the port of USB that it means; ok is false where it means none.
func (m *Machine) ttyOf(name string) (tty string, ok bool) {
	for range maxLinks {
		if base := path.Base(name); strings.HasPrefix(base, "ttyUSB") || strings.HasPrefix(base, "ttyACM") {
			return name, true
		}
		to, err := fs.ReadLink(m.Root, strings.TrimPrefix(name, "/"))
		if err != nil {
			return "", false
		}
		name = absolute(name, to)
	}
	return "", false
}

// maxLinks limits a chain of links: longer ones are loops.
const maxLinks = 8

// real is a device behind all the names that it has.
func (m *Machine) real(name string) string {
	for range maxLinks {
		to, err := fs.ReadLink(m.Root, strings.TrimPrefix(name, "/"))
		if err != nil {
			return name
		}
		name = absolute(name, to)
	}
	return name
}

// absolute is where a link of a name leads to.
func absolute(name, to string) string {
	if path.IsAbs(to) {
		return to
	}
	return path.Join(path.Dir(name), to)
}

// maxMaker limits the name of a maker and a product, in characters.
const maxMaker = 48

// makerOf returns what the USB device behind a port says of itself: maker and product; "" where it says nothing.
func (m *Machine) makerOf(tty string) string {
	at := m.real("/sys/class/tty/" + path.Base(tty))
	for range maxPathDepth {
		says := strings.TrimSpace(strings.TrimSpace(m.text(at+"/manufacturer")) + " " + strings.TrimSpace(m.text(at+"/product")))
		if says != "" {
			return ownfile.Visible(says, maxMaker)
		}
		at = path.Dir(at)
	}
	return ""
}

// maxPathDepth limits how far the tree of devices is climbed from a port: a port on three hubs is twelve folders deep.
const maxPathDepth = 12

// holderOf returns the program that uses a device, as far as this account may know: by its open files (its own and, for root,
// everybody's), by a lock on the file (proc(5), /proc/locks) and by a lock file of the Filesystem Hierarchy Standard.
func (m *Machine) holderOf(dev string) (p process, held bool) {
	all := m.processes()
	for _, p := range append(all, process{id: m.Self}) {
		for _, link := range m.names("proc/" + strconv.Itoa(p.id) + "/fd/*") {
			if to, err := fs.ReadLink(m.Root, link); err == nil && to == dev {
				return p, true
			}
		}
	}
	locks := map[int]bool{}
	if info, err := fs.Stat(m.Root, strings.TrimPrefix(dev, "/")); err == nil {
		if of, ok := info.Sys().(*syscall.Stat_t); ok && of.Ino != 0 {
			for line := range strings.Lines(m.text("/proc/locks")) { // 1: FLOCK ADVISORY WRITE 612 00:05:123 0 EOF
				if f := strings.Fields(line); len(f) >= 6 && f[5] == inodeName(of) {
					id, _ := strconv.Atoi(f[4]) // -1 and what is no number are no process
					locks[id] = true
				}
			}
		}
	}
	for _, folder := range []string{"/run/lock", "/var/lock"} {
		id, _ := strconv.Atoi(strings.TrimSpace(m.text(folder + "/LCK.." + path.Base(dev))))
		locks[id] = true
	}
	for _, p := range all {
		if locks[p.id] {
			return p, true
		}
	}
	return process{}, false
}

// inodeName is a file as /proc/locks names it. The numbers of its device lie in st_dev as makedev(3) packs them.
func inodeName(of *syscall.Stat_t) string {
	dev := uint64(of.Dev)
	major, minor := dev>>8&0xfff|dev>>32&^0xfff, dev&0xff|dev>>12&^0xff
	return fmt.Sprintf("%02x:%02x:%d", major, minor, of.Ino)
}
