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

// portPatterns are the patterns of serial ports in Linux, the most stable names first.
var portPatterns = []string{"dev/serial/by-id/*", "dev/serial/by-path/*", "dev/ttyUSB*", "dev/ttyACM*"}

// usbPort is a serial port of USB. Ports of the computer's board are not listed, because any device may be connected there.
type usbPort struct {
	name string // its most stable name, with the first slash
	tty  string // such as /dev/ttyUSB0
}

// maxPorts limits the ports that are listed.
const maxPorts = 16

// usbPorts returns the serial ports of USB, each once. It opens none of them.
func (m *Machine) usbPorts() (all []usbPort) {
	known := map[string]bool{}
	for _, pattern := range portPatterns {
		for _, n := range m.matchFiles(pattern) {
			if tty, ok := m.resolveUSBPort("/" + n); ok && !known[tty] && len(all) < maxPorts {
				known[tty] = true
				all = append(all, usbPort{"/" + n, tty})
			}
		}
	}
	return all
}

// resolveUSBPort follows a name to its port of USB; ok is false if it leads to none.
func (m *Machine) resolveUSBPort(name string) (tty string, ok bool) {
	for range maxLinks {
		if base := path.Base(name); strings.HasPrefix(base, "ttyUSB") || strings.HasPrefix(base, "ttyACM") {
			return name, true
		}
		to, err := fs.ReadLink(m.Root, strings.TrimPrefix(name, "/"))
		if err != nil {
			return "", false
		}
		name = linkTarget(name, to)
	}
	return "", false
}

// maxLinks limits a chain of links. Longer chains are loops.
const maxLinks = 8

// realPath follows all links of a device's name.
func (m *Machine) realPath(name string) string {
	for range maxLinks {
		to, err := fs.ReadLink(m.Root, strings.TrimPrefix(name, "/"))
		if err != nil {
			return name
		}
		name = linkTarget(name, to)
	}
	return name
}

// linkTarget returns the absolute target of a link.
func linkTarget(name, to string) string {
	if path.IsAbs(to) {
		return to
	}
	return path.Join(path.Dir(name), to)
}

// maxMaker is the limit on the name of a maker and a product, in characters.
const maxMaker = 48

// usbProductOf returns the maker and product of the USB device behind a port; "" if it gives none.
func (m *Machine) usbProductOf(tty string) string {
	at := m.realPath("/sys/class/tty/" + path.Base(tty))
	for range maxPathDepth {
		says := strings.TrimSpace(strings.TrimSpace(m.fileText(at+"/manufacturer")) + " " + strings.TrimSpace(m.fileText(at+"/product")))
		if says != "" {
			return ownfile.VisibleText(says, maxMaker)
		}
		at = path.Dir(at)
	}
	return ""
}

// maxPathDepth limits how many folders makerOf climbs in the tree of devices; a port behind three hubs is twelve folders deep.
const maxPathDepth = 12

// holderOf returns the program that uses a device, by open files, by a lock on the file (proc(5), /proc/locks), or by a lock file of the
// Filesystem Hierarchy Standard. An account other than root sees only its own programs' open files.
func (m *Machine) holderOf(dev string) (p process, held bool) {
	all := m.listProcesses()
	for _, p := range append(all, process{id: m.OwnPID}) {
		for _, link := range m.matchFiles("proc/" + strconv.Itoa(p.id) + "/fd/*") {
			if to, err := fs.ReadLink(m.Root, link); err == nil && to == dev {
				return p, true
			}
		}
	}
	locks := map[int]bool{}
	if info, err := fs.Stat(m.Root, strings.TrimPrefix(dev, "/")); err == nil {
		if of, ok := info.Sys().(*syscall.Stat_t); ok && of.Ino != 0 {
			for line := range strings.Lines(m.fileText("/proc/locks")) { // 1: FLOCK ADVISORY WRITE 612 00:05:123 0 EOF
				if f := strings.Fields(line); len(f) >= 6 && f[5] == lockInodeName(of) {
					id, _ := strconv.Atoi(f[4]) // -1 or no number: no process has it
					locks[id] = true
				}
			}
		}
	}
	for _, folder := range []string{"/run/lock", "/var/lock"} {
		id, _ := strconv.Atoi(strings.TrimSpace(m.fileText(folder + "/LCK.." + path.Base(dev))))
		locks[id] = true
	}
	for _, p := range all {
		if locks[p.id] {
			return p, true
		}
	}
	return process{}, false
}

// lockInodeName returns a file's name in /proc/locks. st_dev has the numbers of its device packed as in makedev(3).
func lockInodeName(of *syscall.Stat_t) string {
	dev := uint64(of.Dev)
	major, minor := dev>>8&0xfff|dev>>32&^0xfff, dev&0xff|dev>>12&^0xff
	return fmt.Sprintf("%02x:%02x:%d", major, minor, of.Ino)
}
