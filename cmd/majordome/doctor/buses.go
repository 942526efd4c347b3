package doctor

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"majordome/cmd/majordome/config"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// configTxt are the paths of the file that the boot loader of a Raspberry Pi reads; the second in Debian 11 and older.
var configTxt = []string{"/boot/firmware/config.txt", "/boot/config.txt"}

// readBootFile returns the path of config.txt on this computer, and its lines without comments.
func (m *Machine) readBootFile() (name string, lines []string) {
	name = configTxt[0]
	if !m.hasFile(name) && m.hasFile(configTxt[1]) {
		name = configTxt[1]
	}
	for line := range strings.SplitSeq(m.fileText(name), "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return name, lines
}

// BootLines returns the lines that the wiring needs at the end of config.txt, ready to be appended, under [all] for every board.
// If there is nothing to append, why gives the reason.
func (m *Machine) BootLines(cfg config.Config) (lines string, why engine.Text) {
	lines = cfg.BootLines()
	name, _ := m.readBootFile()
	switch {
	case lines == "":
		return "", engine.Tf("rien à ajouter à %[1]s : la configuration ne nomme ni lecteur, ni ruban, ni horloge sur un "+
			"bus du Raspberry Pi ; nommez-les d’abord sous readers:, strips: ou clocks:, ou sur la page de l’hôte",
			"nothing to add to %[1]s: the configuration names no reader, no strip and no clock on a bus of the Raspberry "+
				"Pi; name them first under readers:, strips: or clocks:, or on the host's page", name)
	case strings.Contains(m.fileText(name), lines):
		return "", engine.Tf("rien à ajouter à %[1]s : ces lignes y sont déjà",
			"nothing to add to %[1]s: the lines are there already", name)
	}
	return "[all]\n" + lines, engine.Text{}
}

// boardModel returns the model that the computer reports, such as "Raspberry Pi 4 Model B Rev 1.4"; "" if it reports none.
func (m *Machine) boardModel() string {
	return strings.TrimRight(m.fileText("/proc/device-tree/model"), "\x00\n")
}

// IsUnsafeForRoot reports whether root must not touch the pins of this computer. As root, the driver maps memory where a Pi up to the 4
// has its registers; on a Pi 5 something else is there. For other accounts that fails, and the driver uses the kernel instead.
func (m *Machine) IsUnsafeForRoot() bool {
	return slices.ContainsFunc([]string{"Raspberry Pi 5", "Raspberry Pi Compute Module 5"},
		func(p string) bool { return strings.HasPrefix(m.boardModel(), p) })
}

// UnsafeForRootFinding returns the finding that replaces findings about chips for root on a computer for which IsUnsafeForRoot is true.
func UnsafeForRootFinding() Finding {
	l := &examination{}
	l.addFinding("chip", Note, engine.T("les puces ne sont pas interrogées : sur un Pi 5, root ne doit pas toucher aux broches",
		"the chips are not asked: on a Pi 5 root must not touch the pins")).
		withFix("interrogez-les comme la table elle-même", "ask them as the table itself").withCommand("sudo -u majordome majordome doctor")
	return l.found[0]
}

// reportBoardModel reports the model of the computer.
func (l *examination) reportBoardModel() {
	model := l.boardModel()
	switch {
	case !strings.HasPrefix(model, "Raspberry Pi"):
		l.addFinding("board", Note,
			engine.Tf("cet ordinateur n’est pas un Raspberry Pi : lecteurs et rubans s’y branchent par un nœud ou un port série",
				"this computer is no Raspberry Pi: readers and strips hang on it by a node or a serial port"))
	case l.IsUnsafeForRoot() && l.User == "root":
		l.addFinding("board", Warning,
			engine.Tf("%[1]s, et la table tourne comme root : le pilote des broches pourrait y écrire dans une mémoire étrangère",
				"%[1]s, and the table runs as root: the driver of the pins might write into foreign memory there", model)).
			withFix("faites-la tourner comme majordome, par l’unité systemd", "let it run as majordome, by the systemd unit")
	default:
		l.addFinding("board", OK, engine.T(model, model))
	}
}

// noteIfNoDevices adds a note if the configuration names no device.
func (l *examination) noteIfNoDevices() {
	if len(l.cfg.Readers)+len(l.cfg.Strips)+len(l.cfg.Clocks)+len(l.cfg.Buttons) > 0 {
		return
	}
	l.addFinding("wiring", Note,
		engine.T("la configuration ne nomme ni lecteur, ni ruban, ni horloge, ni bouton : tout se joue depuis les téléphones",
			"the configuration names no reader, strip, clock or button: everything is played from the phones")).
		withFix("branchez un lecteur dans la fente de l’urne et nommez-le sous readers: ; majordome check --pictures DOSSIER "+
			"dessine ce câblage", "wire a reader into the slot of the urn and name it under readers:; majordome check "+
			"--pictures FOLDER draws that wiring").
		withWholeFile("/etc/majordome/majordome.yaml", ExampleConfig)
}

// ExampleConfig is a configuration to begin with, the same as in the manual.
const ExampleConfig = `listen: ":80"
readers:
  - role: urn          # in the slot of the urn
    spi: SPI1.0
    reset: GPIO25
strips:
  - chip: ws2812       # or apa102
    spi: SPI0.0
    budget_ma: 850     # what its supply can give
`

var spiName = regexp.MustCompile(`^(?:SPI|/dev/spidev)([0-9])\.([0-9])$`)

// deviceFile returns the file of a bus by its name, such as SPI1.0 or I2C1.
func deviceFile(name string) string {
	if m := spiName.FindStringSubmatch(name); m != nil {
		return "/dev/spidev" + m[1] + "." + m[2]
	}
	if n, ok := strings.CutPrefix(name, "I2C"); ok {
		return "/dev/i2c-" + n
	}
	return name
}

// uniqueNonEmpty returns the names that are not empty, each once.
func uniqueNonEmpty(names []string) (all []string) {
	for _, name := range names {
		if name != "" && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// spiDevices returns the chip selects that a configuration uses, each once.
func spiDevices(c config.Config) []string {
	var all []string
	for _, r := range c.Readers {
		all = append(all, deviceFile(r.SPI))
	}
	for _, s := range c.Strips {
		all = append(all, deviceFile(s.SPI))
	}
	for _, d := range c.Clocks {
		all = append(all, deviceFile(d.SPI))
	}
	return uniqueNonEmpty(all)
}

// i2cDevices returns the I2C buses that a configuration uses, each once.
func i2cDevices(c config.Config) []string {
	var all []string
	for _, d := range c.Clocks {
		all = append(all, deviceFile(d.I2C))
	}
	return uniqueNonEmpty(all)
}

// serialPorts returns the serial ports that a configuration uses, each once.
func serialPorts(c config.Config) []string {
	var all []string
	for _, r := range c.Readers {
		all = append(all, r.Port)
	}
	for _, s := range c.Strips {
		all = append(all, s.Port)
	}
	for _, b := range c.Buttons {
		all = append(all, b.Port)
	}
	return uniqueNonEmpty(all)
}

// wiredDevices returns the SPI chip selects, I2C buses and serial ports that the configuration uses.
func (l *examination) wiredDevices() []string {
	return slices.Concat(spiDevices(l.cfg), i2cDevices(l.cfg), serialPorts(l.cfg))
}

// checkSPI checks that each used chip select is there.
func (l *examination) checkSPI() {
	for _, dev := range spiDevices(l.cfg) {
		switch driver := l.boundDriver(dev); {
		case l.hasFile(dev):
			l.addFinding("spi", OK, engine.Tf("%[1]s est là", "%[1]s is there", dev))
		case driver != "" && driver != "spidev":
			l.addFinding("spi", Fault, engine.Tf("%[1]s n’est pas libre : le pilote %[2]s du noyau tient cette sélection",
				"%[1]s is not free: the kernel’s driver %[2]s holds this chip select", dev, driver)).
				withFix("enlevez de config.txt la ligne dtoverlay= de cet appareil (un écran, d’ordinaire), ou prenez une autre "+
					"sélection, puis redémarrez",
					"take the line dtoverlay= of that device (a display, as a rule) out of config.txt, or use another chip "+
						"select, and restart")
		default:
			l.addMissingBus("spi", dev, "dtparam=spi=on", "dtoverlay=spi"+strings.TrimPrefix(dev, "/dev/spidev")[:1]+"-")
		}
	}
}

// checkI2C checks that each used I2C bus is there.
func (l *examination) checkI2C() {
	for _, dev := range i2cDevices(l.cfg) {
		if l.hasFile(dev) {
			l.addFinding("i2c", OK, engine.Tf("%[1]s est là", "%[1]s is there", dev))
			continue
		}
		l.addMissingBus("i2c", dev, "dtparam=i2c_arm=on", "dtparam=i2c_arm=on")
		// config.txt does not load the module i2c-dev, which makes the bus (raspi-config does).
		l.found[len(l.found)-1].withWholeFile("/etc/modules-load.d/majordome.conf", "i2c-dev\n")
	}
}

// addMissingBus adds a fault with the lines for config.txt that enable a bus. marks are the beginnings of such lines.
func (l *examination) addMissingBus(about, dev string, marks ...string) {
	name, written := l.readBootFile()
	var want []string
	for line := range strings.Lines(l.cfg.BootLines()) {
		line = strings.TrimSpace(line)
		ours := slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(line, m) })
		if bus0 := strings.HasPrefix(dev, "/dev/spidev0."); ours && bus0 == (line == "dtparam=spi=on") || ours && about == "i2c" {
			want = append(want, line)
		}
	}
	f := l.addFinding(about, Fault, engine.Tf("%[1]s manque", "%[1]s is missing", dev))
	missing := slices.DeleteFunc(want, func(line string) bool { return slices.Contains(written, line) })
	switch {
	case !strings.HasPrefix(l.boardModel(), "Raspberry Pi"):
		f.withFix("cet ordinateur n’a pas ce bus : prenez un nœud (chip: node), ou lancez ceci sur le Raspberry Pi",
			"this computer has no such bus: use a node (chip: node), or run this on the Raspberry Pi")
	case len(missing) == 0:
		f.withFix("%[1]s le demande déjà : redémarrez ; s’il manque encore, sudo dmesg dit pourquoi",
			"%[1]s asks for it already: restart; if it is still missing, sudo dmesg says why", name)
	default:
		f.withFix("ajoutez %[1]s à %[2]s et redémarrez",
			"add %[1]s to %[2]s and restart", strings.Join(missing, ", "), name).withLines(name, strings.Join(missing, "\n"))
	}
}

// boundDriver returns the kernel driver bound to the chip select of a device, "" for none.
func (m *Machine) boundDriver(dev string) string {
	to, err := fs.ReadLink(m.Root, "sys/bus/spi/devices/spi"+strings.TrimPrefix(dev, "/dev/spidev")+"/driver")
	if err != nil {
		return ""
	}
	return path.Base(to)
}

// checkPins checks that the computer has pins, and that no other program or driver holds the used ones.
func (l *examination) checkPins() {
	used := usedPins(l.cfg)
	if len(used) == 0 {
		return
	}
	if len(l.matchFiles("dev/gpiochip*")) == 0 {
		l.addFinding("gpio", Fault, engine.Tf(
			"cet ordinateur n’a pas de broches (aucun /dev/gpiochip*), et la configuration en nomme : %[1]s",
			"this computer has no pins (no /dev/gpiochip*), and the configuration names some: %[1]s", strings.Join(used, ", "))).
			withFix("enlevez-les, ou lancez ceci sur le Raspberry Pi", "leave them out, or run this on the Raspberry Pi")
		return
	}
	held := l.pinHolders()
	for _, pin := range used {
		if by := held[pin]; by != "" && !strings.HasPrefix(by, "majordome") && !strings.HasPrefix(by, "periph") {
			l.addFinding("gpio", Fault, engine.Tf("%[1]s est tenue par « %[2]s »", "%[1]s is held by “%[2]s”", pin, ownfile.ClipQuote(by))).
				withFix("prenez une autre broche, ou arrêtez ce programme ou cet overlay",
					"use another pin, or stop that program or overlay")
		}
	}
}

// usedPins returns the pins that a configuration names.
func usedPins(c config.Config) (all []string) {
	add := func(names ...string) {
		for _, n := range names {
			if n != "" && !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	for _, r := range c.Readers {
		add(r.Reset)
	}
	for _, d := range c.Clocks {
		add(d.CLK, d.DIO)
	}
	for _, b := range c.Buttons {
		add(b.Pin)
	}
	return all
}

// gpioLine is a line of the kernel's list: " gpio-537 (GPIO25              |reset               ) out hi".
var gpioLine = regexp.MustCompile(`(?m)^ *gpio-\d+ +\(([^|)]*)\|([^)]*)\)`)

// pinHolders returns the program or driver that uses each pin, by the pin's name. It is empty for accounts other than
// root, which cannot read debugfs.
func (m *Machine) pinHolders() map[string]string {
	held := map[string]string{}
	for _, f := range gpioLine.FindAllStringSubmatch(m.fileText("/sys/kernel/debug/gpio"), -1) {
		held[strings.TrimSpace(f[1])] = strings.TrimSpace(f[2])
	}
	return held
}

// deviceGroups are the groups that may use a device on Raspberry Pi OS, by the prefix of its path.
var deviceGroups = []struct{ prefix, group, subsystem string }{
	{"/dev/spidev", "spi", "spidev"}, {"/dev/gpiochip", "gpio", "gpio"}, {"/dev/i2c-", "i2c", "i2c-dev"},
	{"/dev/vcio", "video", "bcm2708_vcio"}, {"/dev/", "dialout", "tty"},
}

// checkRights checks that the account of the table may open the devices it needs.
func (l *examination) checkRights() {
	devices := l.wiredDevices()
	if len(usedPins(l.cfg)) > 0 {
		for _, d := range l.matchFiles("dev/gpiochip*") {
			devices = append(devices, "/"+d)
		}
	}
	if slices.ContainsFunc(l.cfg.Strips, config.StripConfig.IsWS2812) {
		devices = append(devices, "/dev/vcio")
	}
	tableUser := l.tableAccount()
	allowed, refused := 0, 0
	for _, d := range devices {
		info, err := fs.Stat(l.Root, strings.TrimPrefix(l.realPath(d), "/"))
		if err != nil {
			continue // another finding reports that it is missing
		}
		if tableUser.hasAllRights(info, canReadWrite) {
			allowed++
			continue
		}
		refused++
		i := slices.IndexFunc(
			deviceGroups,
			func(g struct{ prefix, group, subsystem string }) bool { return strings.HasPrefix(d, g.prefix) },
		)
		g := deviceGroups[i]
		f := l.addFinding("rights", Fault,
			engine.Tf("%[1]s : l’utilisateur %[2]s n’y a pas droit", "%[1]s: the user %[2]s may not use it", d, l.User))
		if id, known := l.groupID(g.group); known && canGroupAccess(info, id) {
			f.withFix("ajoutez-le au groupe %[1]s, et reconnectez-vous ou redémarrez la table",
				"add the user to the group %[1]s, and log in again or restart the table", g.group).
				withCommand(fmt.Sprintf("sudo usermod -aG %s %s", g.group, l.User))
			continue
		}
		f.withFix("donnez l’appareil au groupe %[1]s par une règle udev, et ajoutez-y l’utilisateur",
			"give the device to the group %[1]s by a udev rule, and add the user to it", g.group).
			withWholeFile("/etc/udev/rules.d/60-majordome.rules",
				fmt.Sprintf(`SUBSYSTEM=="%s", GROUP="%s", MODE="0660"`, g.subsystem, g.group)).
			withCommand(fmt.Sprintf("sudo groupadd -f %s && sudo usermod -aG %[1]s %s", g.group,
				l.User)).withCommand("sudo udevadm control --reload && sudo udevadm trigger")
	}
	if allowed > 0 && refused == 0 {
		l.addFinding("rights", OK, engine.Tf("l’utilisateur %[1]s a droit à tout ce qui est là",
			"the user %[1]s may use all that is there", l.User))
	}
}

// account is a user with groups.
type account struct {
	uid    uint32
	groups []uint32
}

// tableAccount returns the account of the table, by /etc/passwd and /etc/group. An unknown account has only the rights of others.
func (m *Machine) tableAccount() account {
	if m.User == "root" {
		return account{}
	}
	a := account{uid: ^uint32(0)}
	for _, f := range m.readColonRows("/etc/passwd", 4) {
		if f[0] == m.User {
			a.uid = parseIDOrZero(f[2])
			a.groups = append(a.groups, parseIDOrZero(f[3]))
		}
	}
	for _, f := range m.readColonRows("/etc/group", 4) {
		if slices.Contains(strings.Split(f[3], ","), m.User) {
			a.groups = append(a.groups, parseIDOrZero(f[2]))
		}
	}
	return a
}

func (m *Machine) groupID(name string) (gid uint32, ok bool) {
	for _, f := range m.readColonRows("/etc/group", 4) {
		if f[0] == name {
			return parseIDOrZero(f[2]), true
		}
	}
	return 0, false
}

// readColonRows returns the lines of a file with at least the given number of fields between colons.
func (m *Machine) readColonRows(name string, fields int) (all [][]string) {
	for line := range strings.Lines(m.fileText(name)) {
		if f := strings.Split(strings.TrimRight(line, "\n"), ":"); len(f) >= fields {
			all = append(all, f)
		}
	}
	return all
}

func parseIDOrZero(s string) (n uint32) {
	if _, err := fmt.Sscan(s, &n); err != nil {
		return ^uint32(0)
	}
	return n
}

// Rights to a file, as the bits of one octal digit of its mode.
const (
	canRead      = 4
	canReadWrite = 6
)

// hasAllRights reports whether the account has all of these rights to a file; true if the owner is unknown.
func (a account) hasAllRights(info fs.FileInfo, rights uint32) bool {
	mode := uint32(info.Mode().Perm())
	own, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case a.uid == 0 || !ok:
		return true
	case own.Uid == a.uid:
		mode >>= 6
	case slices.Contains(a.groups, own.Gid):
		mode >>= 3
	}
	return mode&rights == rights
}

// canGroupAccess reports whether a device belongs to a group that may read and write it.
func canGroupAccess(info fs.FileInfo, gid uint32) bool {
	own, ok := info.Sys().(*syscall.Stat_t)
	return ok && own.Gid == gid && info.Mode().Perm()>>3&6 == 6
}
